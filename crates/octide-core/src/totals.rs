//! All of the liquid, summed up over cells:
//!
//! ```text
//! V = Σ V_c,   E_kin = Σ ½ ρ V_c |u_c|²,   E_pot = −Σ ρ V_c g·(x_c − x_low),   P = Σ ρ V_c u_c,   X = Σ V_c x_c / V
//! ```
//!
//! V_c is the liquid in cell c, x_c its middle, u_c its velocity, x_low the corner of the domain that is
//! lowest along g.

use crate::contract::Totals;
use crate::index::CellId;
use crate::octree::Octree;
use crate::par;
use glam::DVec3;

/// Σ V, Σ V |u|², Σ V u, Σ V x.
#[derive(Default)]
struct Sums {
    volume: f64,
    square: f64,
    flow: DVec3,
    moment: DVec3,
}

impl Sums {
    fn plus(self, o: Self) -> Self {
        Self {
            volume: self.volume + o.volume,
            square: self.square + o.square,
            flow: self.flow + o.flow,
            moment: self.moment + o.moment,
        }
    }
}

/// The sums over the cells of a tree: the liquid's volume in each, its velocity there, and its middle where a
/// cell is not full.
pub fn totals(
    tree: &Octree,
    density: f64,
    gravity: DVec3,
    volume: impl Fn(CellId) -> f64 + Sync + Send,
    velocity: impl Fn(CellId) -> DVec3 + Sync + Send,
    middle: impl Fn(CellId) -> DVec3 + Sync + Send,
) -> Totals {
    let grid = tree.grid();
    // Places count from the middle of the domain: fewer digits are lost.
    let origin = 0.5 * (grid.low() + grid.high());
    let of_cell = |c: CellId| {
        let volume = volume(c);
        if volume <= 0.0 {
            return Sums::default();
        }
        let is_full = volume >= tree.size(c).powi(3);
        let middle = if is_full { tree.center(c) } else { middle(c) };
        let v = velocity(c);
        Sums {
            volume,
            square: volume * v.length_squared(),
            flow: volume * v,
            moment: volume * (middle - origin),
        }
    };
    let sums = par::reduce(
        tree.n_cells(),
        Sums::default,
        |sums, i| sums.plus(of_cell(CellId(i as u32))),
        Sums::plus,
    );
    let lowest = DVec3::select(gravity.cmpgt(DVec3::ZERO), grid.high(), grid.low()) - origin;
    Totals {
        volume: sums.volume,
        kinetic_energy: 0.5 * density * sums.square,
        potential_energy: -density * gravity.dot(sums.moment - sums.volume * lowest),
        momentum: density * sums.flow,
        center: (sums.volume > 0.0).then(|| origin + sums.moment / sums.volume),
        smoke: None,
    }
}
