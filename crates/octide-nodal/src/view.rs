//! The state at any point, for probes and voxel files.
//!
//! φ and the velocity are interpolated from the corners. The pressure is that of the last projection, which
//! acted over the step that led to this state; the state stores p/ρ. Between cells the pressure is a plane
//! fitted to the cells that touch the one around the point, so that it extends to walls; air cells contribute
//! as in [`octide_core::cell_pressure`].

use crate::params::Params;
use crate::state::State;
use crate::transfer::corner_velocity;
use glam::{DMat3, DVec3};
use octide_core::cell_pressure::known_pressure;
use octide_core::contract::{Sample, StateView};
use octide_core::index::{CellId, Field, NodeId};
use octide_core::scene::Solid;
use octide_core::solids::Solids;

/// A view of a state, with its velocity at corners and the solids at its time.
pub struct NodalView<'a> {
    state: &'a State,
    corners: Field<NodeId, DVec3>,
    solids: Solids,
    density: f64,
    tension: bool,
}

impl<'a> NodalView<'a> {
    /// Creates a view of a state.
    pub fn new(state: &'a State, solids: &[Solid], params: &Params) -> Self {
        let corners = corner_velocity(&state.mesh, &state.u);
        let (density, tension) = (params.density, params.surface_tension > 0.0);
        Self {
            state,
            corners,
            solids: Solids::on_grid(solids, state.time, state.mesh.tree.grid().dx()),
            density,
            tension,
        }
    }

    /// Returns the leaves that touch `cell`, including itself.
    fn around(&self, cell: CellId) -> Vec<CellId> {
        let nodes = &self.state.mesh.nodes;
        let all = nodes.of_cell(cell).iter().flat_map(|&v| *nodes.cells(v));
        let mut cells: Vec<CellId> = all.filter(|c| c.is_some()).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Returns the pressure divided by density at a point in the water.
    fn pressure(&self, p: DVec3) -> f64 {
        let tree = &self.state.mesh.tree;
        let cell = tree.nearest_leaf(p);
        let known: Vec<(DVec3, f64)> = self
            .around(cell)
            .into_iter()
            .filter_map(|c| Some((tree.center(c) - p, self.known_pressure(c)?)))
            .collect();
        plane(&known, tree.size(cell)).unwrap_or(0.0)
    }

    fn known_pressure(&self, cell: CellId) -> Option<f64> {
        let State { mesh, phi, pressure, boundary, .. } = self.state;
        let (at, solid) = (|c: CellId| mesh.at_center(phi, c), boundary.solid_distance(cell));
        known_pressure(pressure, at, self.tension, cell, solid, || self.around(cell))
    }
}

/// Returns the value at the origin of the plane that best fits the values at these positions, with larger
/// weights within a distance of about `h`; their mean if there are too few of them.
fn plane(values: &[(DVec3, f64)], h: f64) -> Option<f64> {
    let weight = |x: DVec3| 1.0 / (0.25 * h * h + x.length_squared());
    let whole: f64 = values.iter().map(|&(x, _)| weight(x)).sum();
    if whole <= 0.0 {
        return None;
    }
    let middle = values.iter().map(|&(x, _)| weight(x) * x).sum::<DVec3>() / whole;
    let mean = values.iter().map(|&(x, q)| weight(x) * q).sum::<f64>() / whole;
    let (mut a, mut b) = (DMat3::ZERO, DVec3::ZERO);
    for &(x, q) in values {
        let (w, d) = (weight(x), x - middle);
        a += DMat3::from_cols(d * d.x, d * d.y, d * d.z) * w;
        b += w * (q - mean) * d;
    }
    // A small regularization, so that positions in a common plane give no slope across it.
    a += DMat3::from_diagonal(DVec3::splat(1e-9 * whole * h * h));
    Some(mean - (a.inverse() * b).dot(middle))
}

impl StateView for NodalView<'_> {
    fn surface_distance(&self, p: DVec3) -> f64 {
        let State { mesh, phi, .. } = self.state;
        self.solids.cut_off(mesh.sample(phi, p), p, self.detail(p))
    }

    fn liquid_distance(&self, p: DVec3) -> f64 {
        let phi = self.state.mesh.sample(&self.state.phi, p);
        if phi < 0.0 { phi.max(-self.solids.distance(p)) } else { phi }
    }

    fn detail(&self, p: DVec3) -> f64 {
        let tree = &self.state.mesh.tree;
        tree.size(tree.nearest_leaf(p))
    }

    fn surface_velocity(&self, p: DVec3) -> DVec3 {
        self.state.mesh.sample(&self.corners, p)
    }

    fn sample(&self, p: DVec3) -> Sample {
        let State { mesh, phi, time, .. } = self.state;
        let phi = mesh.sample(phi, p);
        let pressure = if phi < 0.0 { self.density * self.pressure(p) } else { 0.0 };
        Sample {
            phi,
            solid: self.solids.distance(p),
            velocity: mesh.sample(&self.corners, p),
            // At the start no pressure has been solved for.
            pressure: (*time > 0.0).then_some(pressure),
            smoke: None,
        }
    }
}
