//! State that every method for water keeps besides its fields, as columns of a snapshot.

use crate::index::CellId;
use crate::snapshot::{Snapshot, SnapshotError, Store, Values};
use crate::volume::VolumeControl;

/// Single values and bookkeeping of a state of water.
#[derive(Clone, Debug, PartialEq)]
pub struct WaterRecord {
    /// Seconds since the start.
    pub time: f64,
    /// The largest velocity component in the liquid, in m/s.
    pub max_component: f64,
    /// The liquid's volume in m³.
    pub volume: f64,
    /// Whether water may detach from the ceiling.
    pub clear_ceiling: bool,
    /// State of the volume correction.
    pub control: VolumeControl,
    /// Volume rates into cells from inflows and, negative, out of them through open sides, in m³/s.
    pub crossing: Vec<(CellId, f64)>,
}

impl WaterRecord {
    /// Writes the record to `store`.
    pub fn save(&self, store: &mut dyn Store) {
        store.put("state", Values::F64(&[self.time, self.max_component, self.volume]));
        store.put("clear_ceiling", Values::U8(&[u8::from(self.clear_ceiling)]));
        store.put("control", Values::F64(&self.control.to_numbers()));
        let (cells, rates): (Vec<u32>, Vec<f64>) = self.crossing.iter().map(|&(c, q)| (c.0, q)).unzip();
        store.put("crossing.cell", Values::U32(&cells));
        store.put("crossing.rate", Values::F64(&rates));
    }

    /// Reads a saved record on a grid with `n_cells` cells.
    pub fn load(n_cells: usize, snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let [time, max_component, volume] = snapshot.numbers("state")?;
        let cells = snapshot.u32s("crossing.cell")?;
        let rates = snapshot.f64s("crossing.rate", Some(cells.len()))?;
        if cells.iter().any(|&c| c as usize >= n_cells) {
            return Err(SnapshotError::value("crossing.cell", "a cell that is not there"));
        }
        Ok(Self {
            time,
            max_component,
            volume,
            clear_ceiling: snapshot.u8s("clear_ceiling")? != [0],
            control: VolumeControl::from_numbers(&snapshot.numbers("control")?),
            crossing: cells.into_iter().map(CellId).zip(rates).collect(),
        })
    }
}
