//! The cells whose walls water has detached from, as columns of a snapshot.

use super::DetachedCells;
use crate::index::CellId;
use crate::snapshot::{Snapshot, SnapshotError, Store, Values};

/// Writes the cells to `store`.
pub fn save(detached: &[(CellId, u8)], store: &mut dyn Store) {
    let (cells, directions): (Vec<u32>, Vec<u8>) = detached.iter().map(|&(c, d)| (c.0, d)).unzip();
    store.put("detached.cell", Values::U32(&cells));
    store.put("detached.directions", Values::U8(&directions));
}

/// Loads the cells of a grid with `n_cells` cells; none if the snapshot has none.
pub fn load(n_cells: usize, snapshot: &mut Snapshot) -> Result<DetachedCells, SnapshotError> {
    if !snapshot.has("detached.cell") {
        return Ok(Vec::new());
    }
    let cells = snapshot.u32s("detached.cell")?;
    let directions = snapshot.u8s("detached.directions")?;
    if cells.len() != directions.len()
        || !cells.is_sorted()
        || cells.last().is_some_and(|&c| c as usize >= n_cells)
    {
        return Err(SnapshotError::value("detached.cell", "cells that are not there"));
    }
    Ok(cells.into_iter().map(CellId).zip(directions).collect())
}
