//! Tracking of a surface in a prescribed velocity, without forces and pressure.
//!
//! The stages are those of a step that concern the surface, and use the same functions: build a tree for
//! where the surface will be, advect φ and markers to it, correct φ by the markers, redistance it and correct
//! it again, update the radii, and reseed markers.

use crate::level_set::{SecondDifferences, advect_phi, redistance};
use crate::mesh::Mesh;
use crate::particles::{LevelParticles, ParticleParams, Surroundings, advance_markers, correct_by_markers};
use crate::paths::Paths;
use crate::volume::cell_gradient;
use glam::DVec3;
use octide_core::index::{Field, NodeId};
use octide_core::octree::{CellBox, Grading, Octree, RootGrid, nodal};
use octide_core::par;
use octide_core::scene::OpenSides;
use octide_core::solids::Solids;
use octide_core::volume::fraction_behind_plane;

/// A velocity at every point.
pub type Velocity<'a> = &'a (dyn Fn(DVec3) -> DVec3 + Sync);

/// Width of the finest band around the surface, in finest cells: markers live within three, and one corner
/// beyond is read.
const FINE: f64 = 4.0;

/// A tracked surface.
#[derive(Clone, Debug)]
pub struct Driven {
    /// The grid.
    pub mesh: Mesh,
    /// Signed distance to the surface.
    pub phi: Field<NodeId, f64>,
    /// Markers.
    pub particles: LevelParticles,
    params: ParticleParams,
}

impl Driven {
    /// Creates the surface of a signed distance, with finest cells around it.
    pub fn new(grid: &RootGrid, distance: &(dyn Fn(DVec3) -> f64 + Sync), params: ParticleParams) -> Self {
        let tree = Octree::build(grid, Grading::Unrestricted, |c| is_near(grid, c, distance(c.center)));
        let mesh = Mesh::new(tree);
        let mut phi = par::map(mesh.n_nodes(), |v| distance(mesh.node_position(v)));
        mesh.constrain(&mut phi);
        let particles = LevelParticles::seeded(&mesh, &phi, &Solids::default(), &params);
        Self { mesh, phi, particles, params }
    }

    /// Advects the surface by `dt`. The velocity through walls is zero.
    pub fn step(&mut self, dt: f64, velocity: Velocity<'_>) {
        let old = &self.mesh;
        let mut corners = par::map(old.n_nodes(), |v: NodeId| velocity(old.node_position(v)));
        old.constrain(&mut corners);
        let mesh = Mesh::new(self.tree_for(&corners, dt));
        let mut phi = advect_phi(
            old,
            &self.phi,
            SecondDifferences::new(old, &self.phi),
            Paths::free(&corners),
            &mesh,
            dt,
        );
        let nothing = Solids::default();
        let around = Surroundings {
            solids: &nothing,
            open: OpenSides::default(),
            gravity: DVec3::ZERO,
            barriers: None,
        };
        (self.particles, _) =
            advance_markers(&self.particles, old, &corners, &mesh.tree, &around, dt, self.params.seed);
        correct_by_markers(&self.particles, &mesh, &mut phi);
        let mut phi = redistance(&mesh, &phi, f64::INFINITY);
        correct_by_markers(&self.particles, &mesh, &mut phi);
        self.particles.refresh(&mesh, &phi);
        self.particles.renew(&mesh, &phi, |_| [DVec3::ZERO; 8], &around, &self.params);
        (self.mesh, self.phi) = (mesh, phi);
    }

    /// Returns the fraction of the cube of edge `h` around `x` that is behind the surface, with φ linear in
    /// the cube.
    pub fn fraction(&self, x: DVec3, h: f64) -> f64 {
        let cell = self.mesh.tree.nearest_leaf(x);
        let (center, size) = (self.mesh.tree.center(cell), self.mesh.tree.size(cell));
        let here = self.mesh.at_center(&self.phi, cell);
        if here.abs() > 2.0 * size {
            return if here < 0.0 { 1.0 } else { 0.0 };
        }
        let g = cell_gradient(&self.mesh, &self.phi, cell);
        fraction_behind_plane(g * h, here + g.dot(x - center))
    }

    /// Builds a tree with finest cells around where the surface will be.
    fn tree_for(&self, corners: &Field<NodeId, DVec3>, dt: f64) -> Octree {
        let (tree, nodes) = (&self.mesh.tree, &self.mesh.nodes);
        Octree::build(tree.grid(), Grading::Unrestricted, |c| {
            let foot = nodal::trace_back(tree, nodes, corners, c.center, dt);
            is_near(tree.grid(), c, self.mesh.sample(&self.phi, foot))
        })
    }
}

/// Returns whether a cell with `phi` at its center reaches the finest band. Half the diagonal would suffice
/// if φ were exact, but interpolated between the corners of a large cell it is too large, and a surface that
/// is missed is lost.
fn is_near(grid: &RootGrid, cell: &CellBox, phi: f64) -> bool {
    phi.abs() < 1.5 * cell.size + FINE * grid.dx()
}
