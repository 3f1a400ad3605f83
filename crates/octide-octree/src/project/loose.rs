//! Cells that are coupled to the rest by T-junctions only.
//!
//! The gradient at a T-junction uses the mean of its four small cells, so it contributes the same terms to
//! the equation of each of them. Where solids close all other faces of some of these cells, their rows differ
//! only in the right-hand side: one face cannot provide four different flows. Moving solids require exactly
//! that, and the system has no solution. Here the right-hand side of such cells is replaced by the nearest
//! one for which a solution exists,
//!
//! ```text
//! b ← Bᵀ c,   |b − Bᵀ c| → min,       B_fi the weight of cell i in the gradient on face f:
//!                                      the mean over four cells at one face, by open fractions,
//! ```
//!
//! which preserves the total flow into the cells of a face. The paper does not mention this case. Columns of
//! cells that are separated from each other behind a T-junction are not detected.

use super::link::{Link, stencil};
use super::uneven::Uneven;
use crate::mesh::Mesh;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// Rows that share faces, and the rows that each face couples.
#[derive(Clone, Debug)]
struct Cluster {
    rows: Vec<u32>,
    /// Members of each face and their weights.
    faces: Vec<Vec<(u32, f64)>>,
}

/// All rows that are coupled by T-junctions only.
#[derive(Clone, Debug, Default)]
pub(super) struct Loose {
    clusters: Vec<Cluster>,
}

impl Loose {
    /// Finds these rows.
    pub fn find(
        mesh: &Mesh,
        uneven: &Uneven,
        links: &Field<FaceId, Link>,
        cells: &[CellId],
        row_of: &Field<CellId, u32>,
    ) -> Self {
        let acts = |k: FaceId, c: CellId| links[k].acts() && uneven.ties(k, c);
        let ties = |c: CellId| mesh.faces.of_cell(c).iter().copied().filter(move |&k| acts(k, c));
        let is_loose = |c: CellId| ties(c).all(|k| mesh.faces.is_t_junction(&mesh.tree, k));
        let rows = par::collect(cells.len(), |row, out: &mut Vec<u32>| {
            if is_loose(cells[row]) {
                out.push(row as u32);
            }
        });
        let mut clusters = Vec::new();
        let mut done = vec![false; rows.len()];
        for first in 0..rows.len() {
            if done[first] {
                continue;
            }
            done[first] = true;
            let (mut members, mut faces) = (vec![rows[first]], Vec::<(FaceId, Vec<(u32, f64)>)>::new());
            let mut next = 0;
            while next < members.len() {
                for k in ties(cells[members[next] as usize]) {
                    if faces.iter().any(|f| f.0 == k) {
                        continue;
                    }
                    let mut tied = Vec::new();
                    for (c, w) in stencil(mesh, uneven, k).iter() {
                        let Ok(at) = rows.binary_search(&row_of[c]) else { continue };
                        if !done[at] {
                            done[at] = true;
                            members.push(rows[at]);
                        }
                        let w = w * mesh.face_size(k);
                        tied.push((members.iter().position(|&m| m == rows[at]).unwrap_or(0) as u32, w));
                    }
                    faces.push((k, tied));
                }
                next += 1;
            }
            // A row that shares its faces with no other such row can have any right-hand side.
            if members.len() > 1 {
                clusters.push(Cluster { rows: members, faces: faces.into_iter().map(|f| f.1).collect() });
            }
        }
        Self { clusters }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.clusters.is_empty()
    }

    /// Replaces the right-hand sides of these rows.
    pub fn settle(&self, rhs: &mut [f64]) {
        for cluster in &self.clusters {
            let b: Vec<f64> = cluster.rows.iter().map(|&row| rhs[row as usize]).collect();
            for (&row, b) in cluster.rows.iter().zip(cluster.nearest(&b)) {
                rhs[row as usize] = b;
            }
        }
    }

    /// Marks these rows.
    pub fn mark(&self, is_loose: &mut [bool]) {
        for &row in self.clusters.iter().flat_map(|c| &c.rows) {
            is_loose[row as usize] = true;
        }
    }
}

impl Cluster {
    /// Returns Bᵀ c, computed by conjugate gradients on the normal equations.
    fn nearest(&self, b: &[f64]) -> Vec<f64> {
        let gather = |x: &[f64]| -> Vec<f64> {
            self.faces.iter().map(|tied| tied.iter().map(|&(i, w)| w * x[i as usize]).sum()).collect()
        };
        let spread = |c: &[f64]| {
            let mut x = vec![0.0; b.len()];
            for (tied, c) in self.faces.iter().zip(c) {
                tied.iter().for_each(|&(i, w)| x[i as usize] += w * c);
            }
            x
        };
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let mut left = b.to_vec();
        let mut s = gather(&left);
        let mut p = s.clone();
        let (mut old, enough) = (square(&s), 1e-28 * square(b));
        for _ in 0..8 * self.faces.len() {
            if old <= enough {
                break;
            }
            let q = spread(&p);
            let alpha = old / square(&q);
            left.iter_mut().zip(&q).for_each(|(left, q)| *left -= alpha * q);
            s = gather(&left);
            let new = square(&s);
            p.iter_mut().zip(&s).for_each(|(p, s)| *p = s + new / old * *p);
            old = new;
        }
        b.iter().zip(&left).map(|(b, left)| b - left).collect()
    }
}
