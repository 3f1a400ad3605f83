//! Bodies of liquid that float freely keep their momentum.
//!
//! Over a closed surface ∮ σκ n dA = 0: tension moves no free body. Curvatures at faces have errors, and
//! their sum is not zero. It pushes bodies that nothing holds: a drop at rest would be off by its radius in
//! ten capillary times. Here the push is taken back, as one velocity for all of a body, which has no
//! divergence:
//!
//! ```text
//! u_k ← u_k − Σ_j m_j (u_j − u*_j) / Σ_j m_j,
//! ```
//!
//! j the body's faces along the axis of k, m_j half of the liquid in the cells on both sides, u* what was
//! before tension and pressure. A body that touches a solid or a side of the domain is pushed by it, and is
//! left alone. The paper has no such step and reports a slow drift (§9.2.4).
//!
//! Transport by samples does not keep momentum either. Where nothing holds any of the water, all of it gets
//! the mean velocity back that it had ([`free_velocity`], [`set_free_velocity`]).

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::project::PressureSystem;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// No body.
const NONE: u32 = u32::MAX;

/// Gives free bodies the momentum back that they had with `before`.
pub fn keep_momentum(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    system: &PressureSystem,
    before: &Field<FaceId, f64>,
    u: &mut Field<FaceId, f64>,
) {
    let (body, n) = bodies(mesh, system);
    let of_face = par::map(mesh.n_faces(), |k: FaceId| {
        if !system.acts_on(k) {
            return NONE;
        }
        let stencil = mesh.faces.stencil(&mesh.tree, k);
        stencil.iter().map(|(c, _)| body[c]).find(|&b| b != NONE).unwrap_or(NONE)
    });
    let mut is_free = vec![true; n];
    // The change of momentum and the mass along each axis.
    let mut sums = vec![[(0.0, 0.0); 3]; n];
    for k in (0..mesh.n_faces()).map(|i| FaceId(i as u32)) {
        if apertures.open(k) < 1.0 || mesh.faces.is_wall(k) {
            for (c, _) in mesh.faces.stencil(&mesh.tree, k).iter().filter(|&(c, _)| body[c] != NONE) {
                is_free[body[c] as usize] = false;
            }
        } else if of_face[k] != NONE {
            let mass = mesh.faces.stencil(&mesh.tree, k).iter().map(|(c, _)| mass(mesh, phi, c)).sum::<f64>();
            let sum = &mut sums[of_face[k] as usize][mesh.faces.axis(k)];
            *sum = (sum.0 + mass * (u[k] - before[k]), sum.1 + mass);
        }
    }
    par::update(u, |i, u| {
        let k = FaceId(i as u32);
        let b = of_face[k];
        if b != NONE && is_free[b as usize] {
            let (push, mass) = sums[b as usize][mesh.faces.axis(k)];
            *u -= if mass > 0.0 { push / mass } else { 0.0 };
        }
    });
}

/// The mean velocity of all water; none where some of it touches a solid or a side of the domain, or there is
/// none.
pub fn free_velocity(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    u: &Field<FaceId, f64>,
) -> Option<DVec3> {
    let of_face = |k: FaceId| {
        let stencil = mesh.faces.stencil(&mesh.tree, k);
        let is_wet = stencil.iter().any(|(c, _)| phi[c] < 0.0);
        let is_held = is_wet && (apertures.open(k) < 1.0 || mesh.faces.is_wall(k));
        let mass = if is_wet { stencil.iter().map(|(c, _)| mass(mesh, phi, c)).sum() } else { 0.0 };
        (is_held, mass)
    };
    let none = || (false, DVec3::ZERO, DVec3::ZERO);
    let (is_held, momentum, mass) = par::reduce(
        mesh.n_faces(),
        none,
        |(held, mut momentum, mut sum), i| {
            let k = FaceId(i as u32);
            let ((is_held, mass), axis) = (of_face(k), mesh.faces.axis(k));
            momentum[axis] += mass * u[k];
            sum[axis] += mass;
            (held || is_held, momentum, sum)
        },
        |a, b| (a.0 || b.0, a.1 + b.1, a.2 + b.2),
    );
    (!is_held && mass.min_element() > 0.0).then(|| momentum / mass)
}

/// Gives water that nothing holds the mean velocity `v`.
pub fn set_free_velocity(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    v: DVec3,
    u: &mut Field<FaceId, f64>,
) {
    if let Some(now) = free_velocity(mesh, phi, apertures, u) {
        let change = v - now;
        par::update(u, |i, u| *u += change[mesh.faces.axis(FaceId(i as u32))]);
    }
}

/// The share of a cell's liquid that moves with one of its faces: half of it.
fn mass(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> f64 {
    let h = mesh.tree.size(cell);
    0.5 * (0.5 - phi[cell] / h).clamp(0.0, 1.0) * h.powi(3)
}

/// The body that each cell with a pressure is part of, and how many there are.
fn bodies(mesh: &Mesh, system: &PressureSystem) -> (Field<CellId, u32>, usize) {
    let mut body = Field::filled(mesh.n_cells(), NONE);
    let mut n = 0;
    let mut open = Vec::new();
    for &first in &system.cells {
        if body[first] != NONE {
            continue;
        }
        body[first] = n;
        open.push(first);
        while let Some(c) = open.pop() {
            for &k in mesh.faces.of_cell(c).iter().filter(|&&k| system.acts_on(k)) {
                for (other, _) in mesh.faces.stencil(&mesh.tree, k).iter() {
                    if body[other] == NONE && system.is_unknown(other) {
                        body[other] = n;
                        open.push(other);
                    }
                }
            }
        }
        n += 1;
    }
    (body, n as usize)
}
