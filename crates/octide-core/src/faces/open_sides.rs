//! Open sides of the domain: water leaves, and nothing enters.
//!
//! A face through which water would enter is closed, like a valve, and the pressure is solved again, until
//! there is no such face. So volume is only ever lost through open sides.

use super::{Apertures, FaceGeometry, FaceTable};
use crate::index::{CellId, FaceId, Field};
use crate::par;

/// Maximum number of pressure solves in a step.
const SOLVES: usize = 4;

/// Inward velocities below this fraction of the largest speed are attributed to rounding.
const ROUNDING: f64 = 1e-4;

/// Returns the open faces on sides of the domain, with the outward direction: 1 or −1 along their axis.
pub fn faces(mesh: &impl FaceGeometry, apertures: &Apertures) -> Vec<(FaceId, f64)> {
    par::collect(mesh.n_faces(), |i, out: &mut Vec<(FaceId, f64)>| {
        let k = FaceId(i as u32);
        if let Some(side) = mesh.side_of(k).filter(|_| apertures.open(k) > 0.0) {
            out.push((k, if side & 1 == 1 { 1.0 } else { -1.0 }));
        }
    })
}

/// Solves until no water enters. `solve` receives the previous result, if there is one; `look` returns the
/// velocities of a result and which of them the pressure has set. Faces that had to be closed remain closed
/// in `apertures`.
pub fn solve_outwards<R, E>(
    mesh: &impl FaceGeometry,
    apertures: &mut Apertures,
    mut solve: impl FnMut(&Apertures, Option<R>) -> Result<R, E>,
    mut look: impl FnMut(&mut R) -> (&mut Field<FaceId, f64>, &Field<FaceId, bool>),
) -> Result<R, E> {
    let mut before = None;
    for n in 1.. {
        let mut out = solve(apertures, before.take())?;
        let (u, valid) = look(&mut out);
        let speed = |k: FaceId| if valid[k] { u[k].abs() } else { 0.0 };
        let fastest = par::max(u.len(), |i| speed(FaceId(i as u32)));
        let inward: Vec<FaceId> = faces(mesh, apertures)
            .iter()
            .filter(|&&(k, way)| valid[k] && u[k] * way < -ROUNDING * fastest)
            .map(|&(k, _)| k)
            .collect();
        if inward.is_empty() || n == SOLVES {
            keep_outward(mesh, apertures, u);
            return Ok(out);
        }
        for k in inward {
            apertures.set_open(k, 0.0);
        }
        before = Some(out);
    }
    unreachable!("the last solve returns")
}

/// Returns the faces of open sides that are open in `measured` and were closed because water would enter.
pub fn closed_sides(mesh: &impl FaceGeometry, measured: &Apertures, apertures: &Apertures) -> Vec<FaceId> {
    faces(mesh, measured).into_iter().map(|(k, _)| k).filter(|&k| apertures.open(k) <= 0.0).collect()
}

/// Sets inward velocities on open sides to zero.
pub fn keep_outward(mesh: &impl FaceGeometry, apertures: &Apertures, u: &mut Field<FaceId, f64>) {
    for (k, way) in faces(mesh, apertures) {
        if u[k] * way < 0.0 {
            u[k] = 0.0;
        }
    }
}

/// Returns the volume rate of each cell through open sides, in m³/s and negative, because volume leaves.
/// `wet_share` is the fraction of a face that is under water, given its cell and the outward direction along
/// its axis.
pub fn losses(
    mesh: &impl FaceGeometry,
    apertures: &Apertures,
    u: &Field<FaceId, f64>,
    wet_share: impl Fn(FaceId, CellId, f64) -> f64,
) -> Vec<(CellId, f64)> {
    let mut out = Vec::new();
    for (k, way) in faces(mesh, apertures) {
        let mut cell = CellId::NONE;
        mesh.faces().for_cells_beside(mesh.tree(), k, |c, _| cell = c);
        let area = mesh.face_size(k).powi(2) * apertures.open(k) * wet_share(k, cell, way);
        let rate = area * u[k] * way;
        if rate > 0.0 {
            out.push((cell, -rate));
        }
    }
    out
}
