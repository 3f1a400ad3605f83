//! Inflows on faces: the velocity that an inflow prescribes on the faces of its cells, see [`crate::flows`].

use super::sealed::Pieces;
use super::{Apertures, FaceGeometry, FaceTable};
use crate::contract::StepError;
use crate::flows::{ActiveInflow, Flows, Moment, is_mouth};
use crate::geometry::ShapeSet;
use crate::index::{CellId, FaceId, Field};
use crate::par;

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

/// Most by which an inflow speeds up its water to keep its flow where solids narrow its mouth. If they close
/// more of it, less water enters.
const MAX_SCALE: f64 = 4.0;

/// Finds the faces whose velocity inflows prescribe in a step, and closes them for the pressure solve by
/// something that moves with that velocity.
pub fn prescribe(
    flows: &Flows,
    mesh: &impl FaceGeometry,
    apertures: &mut Apertures,
    now: Moment,
) -> Prescribed {
    let active = flows.during(now);
    let nozzles: Vec<&ActiveInflow> = active.inflows.iter().filter(|i| i.blows()).collect();
    let mut out = Prescribed::default();
    if nozzles.is_empty() {
        return out;
    }
    let shapes = ShapeSet::new(nozzles.iter().map(|i| &*i.region.shape));
    let (tree, table) = (mesh.tree(), mesh.faces());
    // The inflow that contains each cell; the first if there are several, and none in outflows.
    const NONE: usize = usize::MAX;
    let of_cell = par::map(tree.n_cells(), |c: CellId| {
        let x = tree.center(c);
        if active.takes(x) {
            return NONE;
        }
        shapes.first_around(x).unwrap_or(NONE)
    });
    let faces = par::collect(mesh.n_faces(), |i, out: &mut Vec<NozzleFace>| {
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
        let axis = mesh.axis(k);
        let along = |n: usize| nozzles[n].velocity[axis];
        let through = |n: usize, c: CellId, way: f64| {
            let is_mouth = way * along(n) > 0.0
                && is_mouth(
                    &nozzles[n].region.shape,
                    nozzles[n].velocity,
                    tree.center(c),
                    tree.size(c),
                    axis,
                );
            if is_mouth { along(n) } else { 0.0 }
        };
        let (nozzle, cell, relative, way) = match side {
            [(NONE, _), (NONE, _)] => return,
            [(a, c), (NONE, _)] => (a, c, through(a, c, 1.0), 1.0),
            [(NONE, _), (b, c)] => (b, c, through(b, c, -1.0), -1.0),
            [(a, c), _] => (a, c, along(a), 0.0),
        };
        out.push(NozzleFace { face: k, nozzle, cell, relative, way });
    });
    let rate = |f: &NozzleFace, open: f64| f.way * open * f.relative * mesh.face_size(f.face).powi(2);
    let scales = scales(&nozzles, faces.iter().map(|f| (f.nozzle, rate(f, apertures.open(f.face)))));
    for nozzle_face in faces {
        let NozzleFace { face, nozzle, cell, relative, way } = nozzle_face;
        let region = &nozzles[nozzle].region;
        let mut velocity = scales[nozzle] * relative;
        if region.moves() {
            velocity += region.velocity_at(mesh.face_position(face))[mesh.axis(face)];
        }
        let flux = scales[nozzle] * rate(&nozzle_face, apertures.open(face));
        let through = apertures.close(face, velocity);
        if flux > 0.0 {
            out.sources.push((cell, flux));
            let first = out.mouths.len();
            table.for_cells_beside(tree, face, |c, is_high| {
                if is_high == (way > 0.0) {
                    out.mouths.push((face, c, flux));
                }
            });
            // At a T-junction the flux is shared by the cells beyond it.
            let n = (out.mouths.len() - first) as f64;
            out.mouths[first..].iter_mut().for_each(|mouth| mouth.2 /= n);
        }
        out.faces.push((face, through));
    }
    out
}

/// A face of an inflow's cells.
struct NozzleFace {
    face: FaceId,
    /// The number of the inflow.
    nozzle: usize,
    /// A cell of the inflow beside the face.
    cell: CellId,
    /// The velocity of the water relative to the inflow.
    relative: f64,
    /// The direction out of the inflow along the axis; 0 inside.
    way: f64,
}

/// Returns the factors by which the velocities of inflows are multiplied so that those with a given flow have
/// it, from their rates through faces.
fn scales(nozzles: &[&ActiveInflow], rates: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
    let mut sums = vec![0.0; nozzles.len()];
    rates.for_each(|(nozzle, rate)| sums[nozzle] += rate);
    let scale = |(nozzle, sum): (&&ActiveInflow, f64)| match nozzle.flow {
        Some(flow) if sum > 0.0 => (flow / sum).min(MAX_SCALE),
        _ => 1.0,
    };
    nozzles.iter().zip(sums).map(scale).collect()
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

    /// Returns whether an inflow prescribes the velocity of a face.
    pub fn sets(&self, face: FaceId) -> bool {
        self.faces.binary_search_by_key(&face.0, |&(k, _)| k.0).is_ok()
    }

    /// Sets the velocities of these faces and marks them as valid, like those that the pressure has set.
    pub fn set(&self, u: &mut Field<FaceId, f64>, valid: &mut Field<FaceId, bool>) {
        for &(k, velocity) in &self.faces {
            u[k] = velocity;
            valid[k] = true;
        }
    }
}
