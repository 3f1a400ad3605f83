//! Escaped markers rebuild φ; the equations are at the head of [`particles`](super).

use super::leaf::Distances;
use super::{LevelParticles, Marker, Packed, SMALLEST};
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use octide_core::bins::Bins;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::par;

impl LevelParticles {
    /// φ with what escaped markers know, at the corners of their leaves; hanging corners are constrained
    /// again. Returns how many have escaped.
    pub fn correct(&self, mesh: &Mesh, phi: &mut Field<NodeId, f64>) -> usize {
        let (escaped, bins) = self.escaped(mesh, phi);
        if escaped.is_empty() || faults::is(Fault::NoMarkerCorrection) {
            return 0;
        }
        par::update(phi, |i, phi| {
            let v = NodeId(i as u32);
            if mesh.nodes.is_hanging(v) {
                return;
            }
            // All leaves around a corner that does not hang have it as their own.
            let x = mesh.node_position(v);
            let (mut air, mut water) = (*phi, *phi);
            for &cell in mesh.nodes.cells(v).iter().filter(|c| c.is_some()) {
                for m in &escaped[bins.of_cell(cell)] {
                    let own = m.sign() * (m.radius() - x.distance(m.position()));
                    if m.sign() > 0.0 {
                        air = air.max(own);
                    } else {
                        water = water.min(own);
                    }
                }
            }
            *phi = if water.abs() < air.abs() { water } else { air };
        });
        mesh.constrain(phi);
        escaped.len()
    }

    /// The markers that have escaped, by leaf.
    fn escaped(&self, mesh: &Mesh, phi: &Field<NodeId, f64>) -> (Vec<Marker>, Bins) {
        let mut parts = par::map_chunks(mesh.n_cells(), |range| {
            let (mut list, mut counts) = (Vec::new(), Vec::with_capacity(range.len()));
            for c in range.map(|c| CellId(c as u32)) {
                let from = list.len();
                let own = self.packed(c);
                if !own.is_empty() {
                    let phi = Distances::new(mesh, phi, c);
                    let has_escaped = |m: &&Packed| phi.least(**m) < -SMALLEST && m.has_escaped(phi.at(**m));
                    list.extend(own.iter().filter(has_escaped).map(|m| m.unpacked(&mesh.tree, c)));
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
