//! The surface carried by a velocity that is given: tracking alone, without forces and pressure.
//!
//! The stages are those of a step for the surface, by the same functions: a tree for where the surface will
//! be, φ and markers carried to it, φ corrected by the markers, made a distance and corrected again, radii,
//! new markers.

use crate::level_set::{Bends, advect_phi};
use crate::mesh::Mesh;
use crate::particles::{LevelParticles, ParticleParams, Surroundings};
use crate::volume::cell_gradient;
use glam::DVec3;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::{CellBox, Grading, Octree, RootGrid, nodal};
use octide_core::par;
use octide_core::scene::OpenSides;
use octide_core::solids::Solids;
use octide_core::volume::share_behind_plane;

/// A velocity at every point.
pub type Velocity<'a> = &'a (dyn Fn(DVec3) -> DVec3 + Sync);

/// Cells are finest this many of them from the surface: markers live within three, and a corner beyond is
/// read.
const FINE: f64 = 4.0;

/// A surface and what follows it.
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
    /// The surface of a signed distance, in cells that are finest around it.
    pub fn new(grid: &RootGrid, distance: &(dyn Fn(DVec3) -> f64 + Sync), params: ParticleParams) -> Self {
        let tree = Octree::build(grid, Grading::Unrestricted, |c| is_near(grid, c, distance(c.center)));
        let mesh = Mesh::new(tree);
        let mut phi = par::map(mesh.n_nodes(), |v| distance(mesh.node_position(v)));
        mesh.constrain(&mut phi);
        let particles = LevelParticles::seeded(&mesh, &phi, &Solids::default(), &params);
        Self { mesh, phi, particles, params }
    }

    /// Carries the surface for `dt`. Walls have no velocity through them.
    pub fn step(&mut self, dt: f64, velocity: Velocity<'_>) {
        let old = &self.mesh;
        let mut corners = par::map(old.n_nodes(), |v: NodeId| velocity(old.node_position(v)));
        old.constrain(&mut corners);
        let mesh = Mesh::new(self.tree_for(&corners, dt));
        let mut phi = advect_phi(old, &self.phi, Bends::new(old, &self.phi), &corners, &mesh, dt);
        let nothing = Solids::default();
        let around = Surroundings { solids: &nothing, open: OpenSides::default(), gravity: DVec3::ZERO };
        (self.particles, _) = self.particles.advanced(old, &corners, &mesh.tree, &around, dt);
        self.particles.correct(&mesh, &mut phi);
        let phi = self.particles.redistance(&mesh, &phi);
        let still = Field::filled(mesh.n_faces(), 0.0);
        self.particles.renew(&mesh, &phi, &still, &around, &self.params);
        (self.mesh, self.phi) = (mesh, phi);
    }

    /// The share of the cube of edge `h` about `x` that is behind the surface: φ is linear there.
    pub fn share(&self, x: DVec3, h: f64) -> f64 {
        let cell = self.mesh.tree.nearest_leaf(x);
        let (center, size) = (self.mesh.tree.center(cell), self.mesh.tree.size(cell));
        let here = self.mesh.at_center(&self.phi, cell);
        if here.abs() > 2.0 * size {
            return if here < 0.0 { 1.0 } else { 0.0 };
        }
        let g = cell_gradient(&self.mesh, &self.phi, cell);
        share_behind_plane(g * h, here + g.dot(x - center))
    }

    /// The volume behind the surface, in m³.
    pub fn volume(&self) -> f64 {
        par::sum(self.mesh.n_cells(), |i| {
            let cell = CellId(i as u32);
            let h = self.mesh.tree.size(cell);
            h.powi(3) * self.share(self.mesh.tree.center(cell), h)
        })
    }

    /// Finest cells around where the surface will be.
    fn tree_for(&self, corners: &Field<NodeId, DVec3>, dt: f64) -> Octree {
        let (tree, nodes) = (&self.mesh.tree, &self.mesh.nodes);
        Octree::build(tree.grid(), Grading::Unrestricted, |c| {
            let foot = nodal::trace_back(tree, nodes, corners, c.center, dt);
            is_near(tree.grid(), c, self.mesh.sample(&self.phi, foot))
        })
    }
}

/// Whether a cell with `phi` at its center reaches to where cells are finest. Half the diagonal would do were
/// φ exact; between the corners of a large cell it is too large, and what is overlooked is lost.
fn is_near(grid: &RootGrid, cell: &CellBox, phi: f64) -> bool {
    phi.abs() < 1.5 * cell.size + FINE * grid.dx()
}
