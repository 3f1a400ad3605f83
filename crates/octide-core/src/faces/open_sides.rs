//! Open sides of the domain: water leaves, nothing comes in.
//!
//! A face through which water would come in is closed, as if by a flap, and the pressure is solved again,
//! until there is none. So what goes through open sides is only ever lost.

use super::{Apertures, FaceGeometry, FaceTable};
use crate::index::{CellId, FaceId, Field};
use crate::par;

/// How often the pressure is solved in a step at most.
const SOLVES: usize = 4;

/// Water that comes in slower than this share of the fastest is only rounding.
const ROUNDING: f64 = 1e-4;

/// The open faces on sides of the domain, with the way out: 1 or −1 along their axis.
pub fn faces(mesh: &impl FaceGeometry, apertures: &Apertures) -> Vec<(FaceId, f64)> {
    par::collect(mesh.n_faces(), |i, out: &mut Vec<(FaceId, f64)>| {
        let k = FaceId(i as u32);
        if let Some(side) = mesh.side_of(k).filter(|_| apertures.open(k) > 0.0) {
            out.push((k, if side & 1 == 1 { 1.0 } else { -1.0 }));
        }
    })
}

/// Solves until nothing comes in. `solve` is given the result before, if there is one; `look` finds
/// velocities and which of them the pressure has set in a result. Sides that had to be closed are so in
/// `apertures`.
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

/// Sets to zero what goes inwards on open sides.
pub fn keep_outward(mesh: &impl FaceGeometry, apertures: &Apertures, u: &mut Field<FaceId, f64>) {
    for (k, way) in faces(mesh, apertures) {
        if u[k] * way < 0.0 {
            u[k] = 0.0;
        }
    }
}

/// Returns what leaves each cell through open sides, as what comes to it: negative, in m³/s. `wet_share` is the
/// share of a face that is under water, given its cell and the way out along its axis.
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
