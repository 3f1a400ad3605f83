//! Volumes that inflows and outflows exchange.

use crate::index::{CellId, Field};
use crate::par;

/// How much more water may enter an outflow in a step than is found in it afterwards: fast water crosses a
/// thin outflow. More than that did not arrive; the surface only came near.
const MOST_MISSED: f64 = 4.0;

/// The changes of volume by setting φ, where they count.
#[derive(Clone, Debug, Default)]
pub struct Exchange {
    /// Volume that inflows added, in m³.
    pub volume_in: f64,
    /// Volume that outflows removed when they began to act, in m³.
    pub volume_out: f64,
    /// Volume in and out, cell by cell; `None` where nothing was set.
    pub added: Option<Field<CellId, f64>>,
    /// The change of volume, cell by cell, in outflows that have acted before; `None` without them.
    pub(super) drained: Option<Field<CellId, f64>>,
}

impl Exchange {
    /// Compares the flow into outflows, `sinks` in m³/s and negative, with the water that was found in them
    /// after a step of `dt`, and returns the flow that counts: at most `MOST_MISSED` times what was found.
    /// Without a flow, the water that was found counts, at most the `decline` of the whole volume in m³: what
    /// advection has only rounded off, and an outflow has made sharp again, has not left.
    pub fn settle_sinks(
        &mut self,
        mut sinks: Vec<(CellId, f64)>,
        dt: f64,
        decline: f64,
    ) -> Vec<(CellId, f64)> {
        let Some(mut drained) = self.drained.take() else { return sinks };
        let found = -par::sum(drained.len(), |i| drained[CellId(i as u32)]).min(0.0);
        if sinks.is_empty() {
            let share = if found > 0.0 { (decline / found).clamp(0.0, 1.0) } else { 0.0 };
            par::update(&mut drained, |_, change| *change *= share);
            self.volume_out += share * found;
            self.add(drained);
            return sinks;
        }
        let flux: f64 = -dt * sinks.iter().map(|&(_, rate)| rate).sum::<f64>();
        if flux > MOST_MISSED * found {
            sinks.iter_mut().for_each(|(_, rate)| *rate *= MOST_MISSED * found / flux);
        }
        sinks
    }

    pub(super) fn add(&mut self, change: Field<CellId, f64>) {
        self.added = Some(match self.added.take() {
            Some(earlier) => par::map(change.len(), |c: CellId| earlier[c] + change[c]),
            None => change,
        });
    }
}
