//! Solid objects (§5): inside them there is no smoke, and the temperature is the object's. The velocity
//! inside is clipped so that it is separating,
//!
//! ```text
//! u ← u − min(0, (u − u_s)·n) n,
//! ```
//!
//! where n points out of the object and u_s is its velocity. Faces that an object cuts are Neumann faces
//! weighted by their open fractions (`boundary`).
//!
//! Differs from the paper, which does not say where the velocity inside comes from: here it is extended from
//! the air one cell outside the nearest point of the surface. A velocity that stayed inside unchanged would
//! slow the air beside it, because corners on the surface take the mean of both. Deep inside it is the
//! object's own velocity.

use crate::boundary::Boundary;
use crate::mesh::{Mesh, MeshWithoutLeaves};
use crate::transfer::corner_velocity;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::par;
use octide_core::scene::OpenSides;
use octide_core::solids::Solids;

/// How many cells below the surface the air's velocity is extended.
const SOLID_DEPTH_CELLS: f64 = 3.0;

/// Measures how objects close the faces of a mesh, removes the smoke inside them and sets their temperature.
/// The leaves around corners exist only during this call.
pub fn apply(
    mesh: MeshWithoutLeaves,
    solids: &Solids,
    open: OpenSides,
    density: &mut Field<NodeId, f64>,
    temperature: &mut Field<NodeId, f64>,
) -> (MeshWithoutLeaves, Boundary) {
    if solids.is_empty() {
        let boundary = Boundary::without_solids(&mesh, open);
        return (mesh, boundary);
    }
    let mesh = mesh.with_leaves();
    let boundary = Boundary::new(&mesh, solids, open);
    empty(&mesh, &boundary, solids, density, temperature);
    (mesh.without_leaves(), boundary)
}

/// Removes the smoke inside objects and sets their temperature.
pub fn empty(
    mesh: &Mesh,
    boundary: &Boundary,
    solids: &Solids,
    density: &mut Field<NodeId, f64>,
    temperature: &mut Field<NodeId, f64>,
) {
    if solids.is_empty() {
        return;
    }
    // Distance changes by at most the length of the path, so most corners need not be tested.
    let near = |c: CellId| c.is_some() && boundary.solid_distance(c) < mesh.tree.size(c);
    let inside = par::map_index(mesh.n_nodes(), |i| {
        let v = NodeId(i as u32);
        let asks = mesh.nodes.cells(v).iter().any(|&c| near(c));
        if asks { solids.temperature_inside(mesh.node_position(v)) } else { None }
    });
    par::update(density, |v, q| *q = if inside[v].is_some() { 0.0 } else { *q });
    par::update(temperature, |v, q| *q = inside[v].unwrap_or(*q));
    mesh.constrain(density);
    mesh.constrain(temperature);
}

/// Sets faces that a deforming object closes up to a sliver to the object's velocity. A rigid object takes up exactly as
/// much of a cell as the air leaves. A deforming one does so to second order only, and the rest of it, through a sliver, is
/// arbitrarily fast.
pub fn settle_slivers(boundary: &Boundary, solids: &Solids, u: &mut Field<FaceId, f64>) {
    if solids.any_deforms() {
        par::update(u, |i, u| {
            let k = FaceId(i as u32);
            if boundary.is_sliver(k) {
                *u = boundary.solid_velocity(k);
            }
        });
    }
}

/// Extends the velocity of the air to the faces inside objects, clipped so that it is separating.
pub fn extend_velocity(mesh: &Mesh, boundary: &Boundary, solids: &Solids, u: &mut Field<FaceId, f64>) {
    if !solids.is_empty() {
        continue_inside(mesh, boundary, solids, &corner_velocity(mesh, u), u);
    }
}

/// Does the same with a given velocity at corners.
fn continue_inside(
    mesh: &Mesh,
    boundary: &Boundary,
    solids: &Solids,
    corners: &Field<NodeId, DVec3>,
    u: &mut Field<FaceId, f64>,
) {
    par::update(u, |i, u| {
        let k = FaceId(i as u32);
        if boundary.open(k) > 0.0 || mesh.side_of(k).is_some() {
            return;
        }
        let (x, h) = (mesh.face_position(k), mesh.face_size(k));
        let d = solids.distance(x);
        if d >= 0.0 {
            return;
        }
        let own = solids.velocity(x);
        let v = if d < -SOLID_DEPTH_CELLS * h {
            own
        } else {
            let n = solids.normal(x, h);
            clipped(mesh.sample(corners, x + (h - d) * n), own, n)
        };
        *u = v[mesh.faces.axis(k)];
    });
}

/// Returns `u` clipped so that it does not enter an object with velocity `own` and normal `n`.
pub fn clipped(u: DVec3, own: DVec3, n: DVec3) -> DVec3 {
    u - (u - own).dot(n).min(0.0) * n
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smoke::test_meshes::{on_faces, two_levels};
    use octide_core::geometry::{Motion, Shape};
    use octide_core::scene::{OpenSides, Solid};

    fn ball(velocity: DVec3) -> Solids {
        let shape = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.2 };
        let period = 1.0;
        let amplitude = velocity * period / std::f64::consts::TAU;
        let solid = Solid::moving(shape, Motion::Oscillation { amplitude, period });
        Solids::at(&[Solid { temperature: 80.0, ..solid }], 0.0)
    }

    #[test]
    fn what_enters_is_clipped_and_what_leaves_is_not() {
        let (n, own) = (DVec3::X, DVec3::new(0.5, 0.0, 1.0));
        assert_eq!(clipped(DVec3::new(-1.0, 2.0, 3.0), own, n), DVec3::new(0.5, 2.0, 3.0));
        assert_eq!(clipped(DVec3::new(1.0, 2.0, 3.0), own, n), DVec3::new(1.0, 2.0, 3.0));
    }

    #[test]
    fn inside_there_is_no_smoke_and_the_objects_heat() {
        let mesh = two_levels(32);
        let solids = ball(DVec3::ZERO);
        let boundary = Boundary::new(&mesh, &solids, OpenSides::default());
        let mut density = Field::filled(mesh.n_nodes(), 1.0);
        let mut temperature = Field::filled(mesh.n_nodes(), 5.0);
        empty(&mesh, &boundary, &solids, &mut density, &mut temperature);
        for v in density.ids().filter(|&v| !mesh.nodes.is_hanging(v)) {
            let inside = mesh.node_position(v).distance(DVec3::splat(0.5)) < 0.2;
            let expected = if inside { (0.0, 80.0) } else { (1.0, 5.0) };
            assert_eq!((density[v], temperature[v]), expected);
        }
    }

    #[test]
    fn inside_the_air_goes_on_along_the_surface_and_not_into_it() {
        let mesh = two_levels(32);
        let (center, wind) = (DVec3::splat(0.5), DVec3::new(1.0, 0.0, 0.0));
        let own = DVec3::new(0.0, 0.3, 0.0);
        let solids = ball(own);
        let boundary = Boundary::new(&mesh, &solids, OpenSides::default());
        // Air at rest inside, wind outside.
        let mut u = on_faces(&mesh, |p| if p.distance(center) < 0.2 { DVec3::ZERO } else { wind });
        let corners = corner_velocity(&mesh, &on_faces(&mesh, |_| wind));
        let before = u.clone();
        continue_inside(&mesh, &boundary, &solids, &corners, &mut u);
        let h = 1.0 / 32.0;
        for k in u.ids() {
            let x = mesh.face_position(k);
            let (r, axis) = (x.distance(center), mesh.faces.axis(k));
            if boundary.open(k) > 0.0 {
                assert_eq!(u[k], before[k]);
            } else if r < 0.2 - SOLID_DEPTH_CELLS * h {
                assert!((u[k] - own[axis]).abs() < 1e-9, "{x}");
            } else if r < 0.2 && r > 0.15 {
                let n = (x - center) / r;
                assert!((u[k] - clipped(wind, own, n)[axis]).abs() < 0.05, "{x}");
            }
        }
    }
}
