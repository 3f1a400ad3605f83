//! Linear interpolation between cells of twice the size, for a box of uniform cells.
//!
//! Along each axis a cell takes ¾ of its parent and ¼ of the parent's neighbor on its own side. Beyond walls
//! that neighbor is the parent itself; beyond the surface, at the top, it is zero.

use glam::IVec3;
use octide_solve::{Cell, MatrixError, Prolongation};
use std::collections::BTreeMap;

/// The weights of each level, finest first, down to at most `enough` cells.
pub(super) fn prolongations(cells: &[Cell], enough: usize) -> Result<Vec<Prolongation>, MatrixError> {
    let mut fine: Vec<IVec3> = cells.iter().map(|c| IVec3::new(c[1], c[2], c[3])).collect();
    let mut all = Vec::new();
    while fine.len() > enough {
        let mut coarse: Vec<IVec3> = Vec::new();
        let mut row_of: BTreeMap<[i32; 3], u32> = BTreeMap::new();
        for &c in &fine {
            let parent: IVec3 = c >> 1;
            row_of.entry(parent.to_array()).or_insert_with(|| {
                coarse.push(parent);
                coarse.len() as u32 - 1
            });
        }
        let (mut offsets, mut columns, mut weights) = (vec![0], Vec::new(), Vec::new());
        for &c in &fine {
            let mut row: BTreeMap<u32, f64> = BTreeMap::new();
            for o in 0..8 {
                let mut at: IVec3 = c >> 1;
                let (mut weight, mut in_air) = (1.0, false);
                for axis in 0..3 {
                    let is_neighbor = o >> axis & 1 == 1;
                    weight *= if is_neighbor { 0.25 } else { 0.75 };
                    if !is_neighbor {
                        continue;
                    }
                    let mut beyond: IVec3 = c >> 1;
                    beyond[axis] += if c[axis] & 1 == 1 { 1 } else { -1 };
                    if row_of.contains_key(&beyond.to_array()) {
                        at[axis] = beyond[axis];
                    } else {
                        in_air |= axis == 1 && beyond.y > c.y >> 1;
                    }
                }
                if let (false, Some(&column)) = (in_air, row_of.get(&at.to_array())) {
                    *row.entry(column).or_insert(0.0) += weight;
                }
            }
            columns.extend(row.keys());
            weights.extend(row.values());
            offsets.push(columns.len() as u32);
        }
        all.push(Prolongation::from_parts(coarse.len(), offsets, columns, weights)?);
        fine = coarse;
    }
    Ok(all)
}
