//! Smoke as the rest of the house sees it: cells with values at their corners.
//!
//! Within a cell every value is the trilinear mix of its eight corners', so that pictures and files know the
//! field exactly without knowing the method. Cells are cubes of `2^k` finest cells and do not overlap; where
//! none is, there is no smoke.

use crate::index::{CellId, Field, NodeId};
use crate::octree::{Nodes, Octree};
use crate::par;
use glam::{DVec3, UVec3};

/// Smoke in cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Smoke {
    /// Where cells are counted from: the domain's corner with the smallest coordinates.
    pub origin: DVec3,
    /// Edge length of the finest cells in m.
    pub dx: f64,
    /// The cells, at least all that have a density or a temperature at one of their corners.
    pub cells: Vec<SmokeCell>,
    /// Densities at corners.
    pub density: Vec<f32>,
    /// Temperatures at corners, in K above that of the air around.
    pub temperature: Vec<f32>,
    /// Velocities at corners in m/s.
    pub velocity: Vec<[f32; 3]>,
}

impl Smoke {
    /// Smoke whose values live at the corners of a tree. Cells without density and temperature are left out,
    /// and so are corners of theirs alone.
    pub fn at_corners(
        tree: &Octree,
        nodes: &Nodes,
        density: &Field<NodeId, f64>,
        temperature: &Field<NodeId, f64>,
        velocity: &Field<NodeId, DVec3>,
    ) -> Self {
        let is_there = |v: NodeId| density[v] != 0.0 || temperature[v] != 0.0;
        let (low, finest) = (tree.grid().min() * (2 << tree.grid().max_level()), tree.grid().max_level());
        let mut cells = par::collect(tree.n_cells(), |i, out: &mut Vec<SmokeCell>| {
            let cell = CellId(i as u32);
            let corners = *nodes.of_cell(cell);
            if corners.iter().any(|&v| is_there(v)) {
                let node = tree.node_of(cell);
                // Lattice points count half edges of finest cells.
                let corner = (tree.lattice_center(node) - tree.half_extent(node) - low) / 2;
                let size = 1 << (finest - tree.level(cell));
                out.push(SmokeCell { low: corner.as_uvec3(), size, corners: corners.map(|v| v.0) });
            }
        });
        let mut name = vec![u32::MAX; nodes.len()];
        let mut kept = Vec::new();
        for corner in cells.iter_mut().flat_map(|c| &mut c.corners) {
            let name = &mut name[*corner as usize];
            if *name == u32::MAX {
                *name = kept.len() as u32;
                kept.push(NodeId(*corner));
            }
            *corner = *name;
        }
        Self {
            origin: tree.grid().low(),
            dx: tree.grid().dx(),
            cells,
            density: par::map_index(kept.len(), |i| density[kept[i]] as f32),
            temperature: par::map_index(kept.len(), |i| temperature[kept[i]] as f32),
            velocity: par::map_index(kept.len(), |i| velocity[kept[i]].as_vec3().to_array()),
        }
    }
}

/// A cube of smoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmokeCell {
    /// Its lowest corner, counted in finest cells.
    pub low: UVec3,
    /// Its edge length in finest cells, a power of two.
    pub size: u32,
    /// Its corners by their number; bits 0, 1 and 2 of the place in this list are the sides in x, y and z.
    pub corners: [u32; 8],
}

impl SmokeCell {
    /// The weights of the eight corners at a point of the cell, given in `[0, 1]³`.
    pub fn weights(at: [f32; 3]) -> [f32; 8] {
        let [x, y, z] = at;
        let (a, b, c) = ([1.0 - x, x], [1.0 - y, y], [1.0 - z, z]);
        std::array::from_fn(|i| a[i & 1] * b[i >> 1 & 1] * c[i >> 2])
    }

    /// The mix of its corners' values at a point of the cell, given in `[0, 1]³`.
    pub fn mix(&self, values: &[f32], at: [f32; 3]) -> f32 {
        let w = Self::weights(at);
        self.corners.iter().zip(w).map(|(&c, w)| w * values[c as usize]).sum()
    }

    /// The mix of its corners' vectors at a point of the cell, given in `[0, 1]³`.
    pub fn mix_vector(&self, values: &[[f32; 3]], at: [f32; 3]) -> [f32; 3] {
        let w = Self::weights(at);
        let of = |axis: usize| self.corners.iter().zip(w).map(|(&c, w)| w * values[c as usize][axis]).sum();
        [of(0), of(1), of(2)]
    }
}

/// Smoke at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SmokeSample {
    /// Dimensionless.
    pub density: f64,
    /// In K above that of the air around.
    pub temperature: f64,
}

/// All of the smoke, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SmokeTotals {
    /// The density's integral over the domain, in m³.
    pub amount: f64,
    /// The temperature's integral over the domain, in K m³.
    pub heat: f64,
    /// The largest density.
    pub max_density: f64,
    /// The largest temperature, in K above that of the air around.
    pub max_temperature: f64,
    /// Where the smoke is in the mean, weighted by density; none without smoke.
    pub center: Option<DVec3>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoke_of_a_tree_is_where_the_tree_has_it() {
        use crate::octree::Grading;
        use crate::scene::Domain;
        let origin = DVec3::new(-1.0, 2.0, 0.5);
        let domain = Domain { origin, size: DVec3::new(1.0, 2.0, 1.0), resolution: 32, levels: 3 };
        let center = origin + DVec3::new(0.5, 1.2, 0.4);
        // No grading: jumps of several levels.
        let tree = Octree::build(&domain.root_grid(), Grading::Unrestricted, |b| {
            b.center.distance(center) < 0.15 + 0.5 * b.size
        });
        let nodes = Nodes::new(&tree);
        let dx = domain.dx();
        let place = |v: NodeId| origin + 0.5 * dx * nodes.place(v).as_dvec3();
        let value = |p: DVec3| (0.6 - p.distance(center)).max(0.0);
        let mut density = par::map(nodes.len(), |v: NodeId| value(place(v)));
        nodes.constrain(&tree, &mut density);
        let velocity = par::map(nodes.len(), place);
        let smoke = Smoke::at_corners(&tree, &nodes, &density, &Field::filled(nodes.len(), 0.0), &velocity);
        assert!(smoke.cells.len() < tree.n_cells() && smoke.cells.iter().any(|c| c.size == 1));
        assert!(smoke.cells.iter().any(|c| c.size == 8) && smoke.density.len() < nodes.len());
        for cell in &smoke.cells {
            for (i, &c) in cell.corners.iter().enumerate() {
                let bits = UVec3::new(i as u32 & 1, i as u32 >> 1 & 1, i as u32 >> 2);
                let p = smoke.origin + smoke.dx * (cell.low + cell.size * bits).as_dvec3();
                assert!(p.as_vec3().distance(glam::Vec3::from_array(smoke.velocity[c as usize])) < 1e-5);
            }
        }
    }

    #[test]
    fn a_linear_field_is_itself_between_corners() {
        let value = |p: [f32; 3]| 1.0 + 2.0 * p[0] - 3.0 * p[1] + 0.5 * p[2];
        let corner = |i: usize| [0, 1, 2].map(|a| (i >> a & 1) as f32);
        let values: Vec<f32> = (0..8).map(|i| value(corner(i))).collect();
        let vectors: Vec<[f32; 3]> = values.iter().map(|&v| [v, -v, 2.0 * v]).collect();
        let cell = SmokeCell { low: UVec3::ZERO, size: 1, corners: std::array::from_fn(|i| i as u32) };
        let at = [0.25, 0.75, 0.125];
        assert!((cell.mix(&values, at) - value(at)).abs() < 1e-6);
        assert!((cell.mix_vector(&vectors, at)[1] + value(at)).abs() < 1e-6);
    }
}
