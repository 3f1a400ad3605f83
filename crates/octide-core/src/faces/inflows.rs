//! Inflows on faces: the velocity that an inflow prescribes on the faces of its cells, see [`crate::flows`].

use super::sealed::Pieces;
use super::{Apertures, FaceGeometry, FaceTable};
use crate::contract::StepError;
use crate::flows::{Flows, Moment};
use crate::geometry::ShapeSet;
use crate::index::{CellId, FaceId, Field};
use crate::par;
use crate::scene::Inflow;
use glam::DVec3;

/// Faces whose velocity inflows prescribe.
#[derive(Clone, Debug, Default)]
pub struct Prescribed {
    /// The faces and their velocities.
    pub faces: Vec<(FaceId, f64)>,
    /// Cells of the inflows from which volume enters the domain, with the rates in m³/s.
    pub sources: Vec<(CellId, f64)>,
    /// The faces through which it enters, with the cells beyond them and the rates in m³/s into those.
    mouths: Vec<(FaceId, CellId, f64)>,
}

/// Slivers of liquid between solids, with fewer cells than this, do not stop an inflow beside them.
const FEWEST_CELLS: usize = 8;

/// An inflow is blocked if a sealed piece would have to take this fraction of all that enters.
const BLOCKED_SHARE: f64 = 0.1;

/// Finds the faces whose velocity inflows prescribe in a step, and closes them for the pressure solve by
/// something that moves with that velocity.
pub fn prescribe(
    flows: &Flows,
    mesh: &impl FaceGeometry,
    apertures: &mut Apertures,
    now: Moment,
) -> Prescribed {
    let nozzles: Vec<&Inflow> = flows.inflows(now).filter(|i| i.velocity != DVec3::ZERO).collect();
    let mut out = Prescribed::default();
    if nozzles.is_empty() {
        return out;
    }
    let shapes = ShapeSet::new(nozzles.iter().map(|i| &i.shape));
    let (tree, table) = (mesh.tree(), mesh.faces());
    // The inflow that contains each cell; the first if there are several, and none in outflows.
    const NONE: usize = usize::MAX;
    let of_cell = par::map(tree.n_cells(), |c: CellId| {
        let x = tree.center(c);
        if flows.takes(x, now) {
            return NONE;
        }
        shapes.first_around(x).unwrap_or(NONE)
    });
    let faces = par::collect(mesh.n_faces(), |i, out: &mut Vec<(FaceId, f64, CellId, f64)>| {
        let k = FaceId(i as u32);
        // Walls are not changed.
        if mesh.side_of(k).is_some() {
            return;
        }
        // The inflow on the low side and on the high side.
        let mut side = [(NONE, CellId::NONE); 2];
        table.for_cells_beside(tree, k, |c, is_high| {
            if of_cell[c] != NONE {
                side[usize::from(is_high)] = (of_cell[c], c);
            }
        });
        let along = |n: usize| nozzles[n].velocity[mesh.axis(k)];
        match side {
            [(NONE, _), (NONE, _)] => {}
            [(a, c), (NONE, _)] => out.push((k, along(a).max(0.0), c, 1.0)),
            [(NONE, _), (b, c)] => out.push((k, along(b).min(0.0), c, -1.0)),
            [(a, c), _] => out.push((k, along(a), c, 0.0)),
        }
    });
    for (k, velocity, cell, way) in faces {
        let open = apertures.open(k);
        let through = apertures.close(k, velocity);
        let flux = way * open * velocity * mesh.face_size(k).powi(2);
        if flux > 0.0 {
            out.sources.push((cell, flux));
            let first = out.mouths.len();
            table.for_cells_beside(tree, k, |c, is_high| {
                if is_high == (way > 0.0) {
                    out.mouths.push((k, c, flux));
                }
            });
            // At a T-junction the flux is shared by the cells beyond it.
            let n = (out.mouths.len() - first) as f64;
            out.mouths[first..].iter_mut().for_each(|mouth| mouth.2 /= n);
        }
        out.faces.push((k, through));
    }
    out
}

impl Prescribed {
    /// Returns an error if an inflow brings volume into liquid that touches neither air nor an open side;
    /// `apertures` are those in which the inflows' faces are closed.
    pub fn check_room(
        &self,
        mesh: &impl FaceGeometry,
        apertures: &Apertures,
        is_liquid: impl Fn(CellId) -> bool,
    ) -> Result<(), StepError> {
        if self.mouths.is_empty() {
            return Ok(());
        }
        let pieces = Pieces::find(mesh, apertures, is_liquid);
        let least = BLOCKED_SHARE * self.mouths.iter().map(|&(.., rate)| rate).sum::<f64>();
        for &(face, beyond, _) in self.mouths.iter().filter(|&&(_, beyond, _)| pieces.is_sealed(beyond)) {
            let into = self.mouths.iter().filter(|&&(_, other, _)| pieces.are_joined(beyond, other));
            if pieces.n_cells(beyond) >= FEWEST_CELLS && into.map(|&(.., rate)| rate).sum::<f64>() >= least {
                return Err(StepError::Full { at: Some(mesh.face_position(face)) });
            }
        }
        Ok(())
    }

    /// Sets the velocities of these faces and marks them as valid, like those that the pressure has set.
    pub fn set(&self, u: &mut Field<FaceId, f64>, valid: &mut Field<FaceId, bool>) {
        for &(k, velocity) in &self.faces {
            u[k] = velocity;
            valid[k] = true;
        }
    }
}
