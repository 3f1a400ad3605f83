//! Open sides: smoke leaves, and the air that comes in has none and is as warm as the air around.
//!
//! A corner whose path comes from beyond an open side brings clean air: ρ = T = 0. Paths of transport end at
//! the rim, so these are asked for anew, near open sides only. Beyond an open side p = 0 (`project`); the
//! velocity of what comes in is that of the rim, carried on.

use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{Field, NodeId};
use octide_core::octree::nodal::{Vector, trace_back};
use octide_core::octree::{CellCorners, CornerTable};
use octide_core::par;
use octide_core::scene::OpenSides;

/// Whether the air at each corner of `new` has come in through an open side within `dt`; empty where none can
/// have.
pub fn fresh<V: Vector, F: Sync, G: Sync>(
    old: &Mesh<F, impl CellCorners>,
    corners: &Field<NodeId, V>,
    new: &Mesh<G, impl CornerTable>,
    dt: f64,
    open: OpenSides,
) -> Option<Field<NodeId, bool>> {
    if !open.any() {
        return None;
    }
    let grid = new.tree.grid();
    let (low, high) = (grid.low(), grid.high());
    let way = dt * par::max(corners.len(), |v| corners[NodeId(v as u32)].long().length());
    // How far a point lies beyond each side; negative inside.
    let beyond = |x: DVec3, side: usize| {
        let a = side / 2;
        if side & 1 == 1 { x[a] - high[a] } else { low[a] - x[a] }
    };
    let through = |x: DVec3, limit: f64| (0..6).any(|s| open.sides[s] && beyond(x, s) > limit);
    Some(par::map(new.n_nodes(), |v: NodeId| {
        let x = new.node_position(v);
        // A little less than nothing: air that only slides along a side does not come in.
        through(x, -way - grid.dx())
            && through(trace_back(&old.tree, &old.nodes, corners, x, dt), 1e-6 * grid.dx())
    }))
}

/// Nothing where the air is fresh.
pub fn clear<F>(
    mesh: &Mesh<F, impl CornerTable>,
    fresh: Option<&Field<NodeId, bool>>,
    q: &mut Field<NodeId, f64>,
) {
    if let Some(fresh) = fresh {
        par::update(q, |v, q| *q = if fresh[NodeId(v as u32)] { 0.0 } else { *q });
        mesh.constrain(q);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smoke::test_meshes::uniform;

    #[test]
    fn clean_air_comes_in_where_the_wind_comes_from_and_side_is_open() {
        let mesh = uniform(16);
        let wind = DVec3::new(1.0, 0.0, 0.5);
        let corners = Field::filled(mesh.n_nodes(), wind);
        let mut open = OpenSides::default();
        (open.sides[0], open.sides[1], open.sides[3]) = (true, true, true);
        // 1.6 cells along x.
        let fresh = fresh(&mesh, &corners, &mesh, 0.1, open).unwrap();
        let mut q = Field::filled(mesh.n_nodes(), 1.0);
        clear(&mesh, Some(&fresh), &mut q);
        for v in q.ids() {
            let expected = if mesh.node_position(v).x < 0.1 { 0.0 } else { 1.0 };
            assert_eq!(q[v], expected, "{}", mesh.node_position(v));
        }
        assert!(super::fresh(&mesh, &corners, &mesh, 0.1, OpenSides::default()).is_none());
    }
}
