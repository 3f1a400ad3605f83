//! §4.6: surface tension, a pressure σκ on the surface that acts before the projection, eqs. (27)–(32).
//!
//! ```text
//! ∇p = [F∇] {p − σκ}                                                        (29)
//! u* ← u* + [F∇] {σκ},   at face k: u*_k + (dt σ/ρ) κ_k Σ_liquid F_kj         (32)
//! ```
//!
//! F is that of the projection including its clamps, so that a constant κ is balanced by a constant pressure
//! to the last digit. κ is the sum of the principal curvatures, 2/R on a ball. It is evaluated once per face,
//! where the surface crosses the face's line of centers: all liquid cells of a T-junction have the same κ. It
//! is interpolated from the cells on both sides, not fitted at the crossing: 1/θ grows without bound as a
//! cell comes close to the surface, and then all faces of this cell must agree on κ.
//!
//! The paper computes κ by differences of φ; here it is the curvature of a quadric through φ around the cell
//! ([`Quadric`]). Its accuracy depends on the smoothness of φ. A distance that is extended by planes around
//! the surface has errors of the size of h²κ, so that its curvature is wrong at any resolution; trilinear
//! values have such errors too. With tension φ near the surface is therefore advected by quadrics
//! ([`advect_phi_by_quadrics`]) and not redistanced while its slope is close to 1 ([`redistance_smoothly`]).
//!
//! Free bodies keep their momentum ([`keep_momentum`]). Water meets the domain's walls at a right angle: φ is
//! mirrored there for κ, and only for κ.

mod advect;
mod momentum;
mod quadric;

pub use advect::advect_phi_by_quadrics;
pub use momentum::{free_velocity, keep_momentum, set_free_velocity};
pub use quadric::Quadric;

use crate::apertures::Apertures;
use crate::correct::Divergence;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::params::Params;
use crate::pockets::project_keeping_air;
use crate::project::{Guess, Hierarchy, PressureSystem, Projected, assemble, project, project_by};
use crate::volume::cell_gradient;
use octide_core::contract::StepError;
use octide_core::faces::pockets::Pockets;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::speeds::capillary_step;
use octide_core::surface::redistance::{self, redistance};

/// Cells closer to the surface than this many of their sizes keep φ ...
const KEPT_CELLS: f64 = 3.2;
/// ... and from this distance on φ is replaced by the distance.
const DISTANCE_CELLS: f64 = 4.2;

/// Slopes that differ from 1 by at most this are accepted; from three times this on φ is replaced by the
/// distance.
const SLOPE_TOLERANCE: f64 = 0.25;

/// Within this many cells of a solid, φ is extended and need not be a distance.
const SOLID_CELLS: f64 = 4.0;

/// Surface tension in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tension {
    /// dt σ/ρ in m³/s.
    pub strength: f64,
    /// A curvature that replaces that of the surface.
    pub imposed_curvature: Option<f64>,
}

impl Tension {
    /// Returns the surface tension of a step of length `dt`, or `None` without tension.
    pub fn of(params: &Params, dt: f64) -> Option<Self> {
        let strength = dt * params.surface_tension / params.density;
        (strength > 0.0).then_some(Self { strength, imposed_curvature: params.imposed_curvature })
    }

    /// Applies eq. (32) to all faces that the surface cuts.
    pub fn pull(
        self,
        mesh: &Mesh,
        phi: &Field<CellId, f64>,
        system: &PressureSystem,
        u_star: &mut Field<FaceId, f64>,
    ) {
        let cuts = par::collect(mesh.n_faces(), |i, out: &mut Vec<(FaceId, f64)>| {
            let k = FaceId(i as u32);
            // An open side is not a surface.
            if system.is_cut(k) && !mesh.faces.is_wall(k) {
                let f = system.of_constant(mesh, k);
                let plain = faults::is(Fault::TensionWithoutFactor);
                out.push((k, if plain { f.signum() / mesh.face_size(k) } else { f }));
            }
        });
        let at_cells = match self.imposed_curvature {
            Some(kappa) => Field::filled(mesh.n_cells(), kappa),
            None => at_cells(mesh, phi, cuts.iter().map(|cut| cut.0)),
        };
        for (k, f) in cuts {
            let kappa = at_crossing(mesh, phi, &at_cells, |c| system.is_unknown(c), k);
            u_star[k] += self.strength * kappa * f;
        }
    }
}

/// As [`project`], with the pressure of surface tension and of shut-in air on the surface, eq. (32).
pub fn project_under_tension(
    (tension, pockets): (Option<Tension>, &Pockets),
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    mut u_star: Field<FaceId, f64>,
    divergence: impl Into<Divergence>,
    guess: impl Into<Guess>,
    params: &Params,
) -> Result<Projected, StepError> {
    if tension.is_none() && pockets.is_empty() {
        return project(mesh, phi, apertures, u_star, divergence, guess, params);
    }
    let mut system = assemble(mesh, phi, apertures, &u_star, divergence, params.free_surface)?;
    let before = u_star.clone();
    if let Some(tension) = tension {
        tension.pull(mesh, phi, &system, &mut u_star);
    }
    let mut hierarchy = Hierarchy::default();
    let mut solve = |system: &mut PressureSystem, u_star: &Field<FaceId, f64>, guess: &Guess| {
        system.set_velocity(mesh, apertures, u_star);
        project_by(system, &mut hierarchy, mesh, apertures, u_star, guess, params, |system, u| {
            if tension.is_some() {
                keep_momentum(mesh, phi, apertures, system, &before, u);
            }
        })
    };
    if pockets.is_empty() {
        return solve(&mut system, &u_star, &guess.into());
    }
    project_keeping_air(mesh, apertures, pockets, &mut system, &u_star, &guess.into(), solve)
}

/// Returns the curvature of the contours of φ through the cells of the given faces; zero in other cells.
pub fn at_cells(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    faces: impl Iterator<Item = FaceId>,
) -> Field<CellId, f64> {
    let mut wanted = Field::filled(mesh.n_cells(), false);
    for k in faces {
        for (c, _) in mesh.faces.stencil(&mesh.tree, k).iter() {
            wanted[c] = true;
        }
    }
    par::map(mesh.n_cells(), |c: CellId| if wanted[c] { curvature(mesh, phi, c) } else { 0.0 })
}

/// Returns the sum of the principal curvatures of the contour of φ through a cell's center, positive where
/// the liquid is convex. It is clamped to ±2/h, the curvature of a ball whose radius is the cell's size; zero
/// where no quadric can be fitted.
pub fn curvature(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> f64 {
    Quadric::about(mesh, phi, cell).map_or(0.0, |q| q.curvature().clamp(-2.0, 2.0) / mesh.tree.size(cell))
}

/// Returns the curvature where the surface cuts a face's line of centers, interpolated from the cells on both
/// sides to φ = 0. As a cell comes close to the surface, all its faces take the curvature of this cell.
pub fn at_crossing(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    at_cells: &Field<CellId, f64>,
    is_liquid: impl Fn(CellId) -> bool,
    face: FaceId,
) -> f64 {
    // Weights, φ and curvature on either side.
    let mut sides = [[0.0; 3]; 2];
    for (c, w) in mesh.faces.stencil(&mesh.tree, face).iter() {
        let side = &mut sides[usize::from(is_liquid(c))];
        side[0] += w.abs();
        side[1] += w.abs() * phi[c];
        side[2] += w.abs() * at_cells[c];
    }
    let [[_, phi_out, kappa_out], [_, phi_in, kappa_in]] = sides.map(|s| s.map(|x| x / s[0]));
    // A cell on the surface may count as air although its φ is slightly negative.
    let theta = (phi_in / (phi_in - phi_out)).clamp(0.0, 1.0);
    let theta = if faults::is(Fault::CurvatureOffSurface) { 0.0 } else { theta };
    kappa_in + theta * (kappa_out - kappa_in)
}

/// Returns the longest stable step, for capillary waves with a length of two of the smallest surface cells.
pub fn capillary_limit(mesh: &Mesh, phi: &Field<CellId, f64>, params: &Params) -> f64 {
    if params.surface_tension <= 0.0 {
        return f64::INFINITY;
    }
    let size = |i: usize| {
        let c = CellId(i as u32);
        if mesh.is_surface(phi, c) { mesh.tree.size(c) } else { f64::INFINITY }
    };
    let dx = par::reduce(mesh.n_cells(), || f64::INFINITY, |least, i| least.min(size(i)), f64::min);
    capillary_step(dx, params.density, params.surface_tension)
}

/// As [`restore_distance`](crate::extend::restore_distance), but near the surface φ is kept where its slope
/// is close to 1, and it is blended into the distance without a kink, because only a smooth φ has a
/// curvature.
pub fn redistance_smoothly(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
) -> Field<CellId, f64> {
    let (mut d, report) = redistance(mesh, phi, &redistance::Params::default());
    if report.interface == 0 && phi.iter().all(|&phi| phi < 0.0) {
        return phi.clone();
    }
    par::update(&mut d, |i, d| {
        let c = CellId(i as u32);
        let h = mesh.tree.size(c);
        let off = d.abs() / h;
        if off < DISTANCE_CELLS && apertures.solid_distance(c) > SOLID_CELLS * h {
            let near = ((DISTANCE_CELLS - off) / (DISTANCE_CELLS - KEPT_CELLS)).min(1.0);
            let slope = cell_gradient(mesh, phi, c).length();
            let good = 1.5 - 0.5 * (slope - 1.0).abs() / SLOPE_TOLERANCE;
            *d += near * good.clamp(0.0, 1.0) * (phi[c] - *d);
        }
    });
    Field::from_vec(d)
}

#[cfg(test)]
mod tests;
