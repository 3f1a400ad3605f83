//! Correction of φ by escaped markers; for the equations see [`level_set`](super).

use super::leaf::Distances;
use super::{LevelParticles, MarkedField, Marker, Packed, SMALLEST};
use crate::bins::Bins;
use crate::index::{CellId, Field, Id};
use crate::par;

impl LevelParticles {
    /// Corrects φ by escaped markers, at the samples around their leaves, and constrains dependent samples
    /// again. Returns how many markers have escaped.
    pub fn correct<F: MarkedField>(&self, field: &F, phi: &mut Field<F::Sample, f64>) -> usize {
        let (escaped, bins) = self.escaped(field, phi);
        if escaped.is_empty() {
            return 0;
        }
        par::update(phi, |i, phi| {
            let v = F::Sample::from_index(i);
            let leaves = field.leaves(v);
            if leaves.is_empty() {
                return;
            }
            let x = field.position(v);
            let (mut air, mut liquid) = (*phi, *phi);
            for &cell in leaves.iter().filter(|c| c.is_some()) {
                for m in &escaped[bins.of_cell(cell)] {
                    let own = m.sign() * (m.radius() - x.distance(m.position()));
                    if m.sign() > 0.0 {
                        air = air.max(own);
                    } else {
                        liquid = liquid.min(own);
                    }
                }
            }
            *phi = if liquid.abs() < air.abs() { liquid } else { air };
        });
        field.constrain(phi);
        escaped.len()
    }

    /// Returns the markers that have escaped, sorted by leaf.
    fn escaped<F: MarkedField>(&self, field: &F, phi: &Field<F::Sample, f64>) -> (Vec<Marker>, Bins) {
        let tree = field.tree();
        let mut parts = par::map_chunks(tree.n_cells(), |range| {
            let (mut list, mut counts) = (Vec::new(), Vec::with_capacity(range.len()));
            for c in range.map(|c| CellId(c as u32)) {
                let from = list.len();
                let own = self.packed(c);
                if !own.is_empty() {
                    let phi = Distances::new(field, phi, c);
                    let has_escaped = |m: &&Packed| phi.least(**m) < -SMALLEST && m.has_escaped(phi.at(**m));
                    list.extend(own.iter().filter(has_escaped).map(|m| m.unpacked(tree, c)));
                }
                counts.push((list.len() - from) as u32);
            }
            (list, counts)
        });
        let bins = Bins::from_counts(parts.iter().flat_map(|p| p.1.iter().copied()));
        let list = parts.iter_mut().flat_map(|p| p.0.drain(..)).collect();
        (list, bins)
    }
}
