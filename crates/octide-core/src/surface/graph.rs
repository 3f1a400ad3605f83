//! Points, their sizes and their neighbors: the view of a grid that redistancing and extrapolation use.
//!
//! Cells of an octree (neighbors through faces, several across a T-junction), its nodes and the vertices of
//! tetrahedra are all [`Graph`]s. The neighbor relation is symmetric: if `j` is a neighbor of `i`, then `i`
//! is a neighbor of `j`.

use glam::DVec3;

/// Points with neighbors.
pub trait Graph: Sync {
    /// Returns the number of points.
    fn len(&self) -> usize;

    /// Returns whether there are no points.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the position of point `i`.
    fn position(&self, i: usize) -> DVec3;

    /// Returns the local edge length at point `i`.
    fn size(&self, i: usize) -> f64;

    /// Calls `f` once for each neighbor of point `i`, always in the same order.
    fn for_neighbors(&self, i: usize, f: impl FnMut(usize));
}

/// A graph stored in compressed sparse rows, for grids without a more efficient representation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CsrGraph {
    /// Row `i` is `neighbors[offsets[i]..offsets[i + 1]]`; there is one more entry than there are points.
    pub offsets: Vec<u32>,
    /// The concatenated rows.
    pub neighbors: Vec<u32>,
    /// The positions of the points.
    pub positions: Vec<DVec3>,
    /// Their local edge lengths.
    pub sizes: Vec<f64>,
}

impl CsrGraph {
    /// Builds the rows from pairs of neighbors. A pair may be listed more than once and in either direction;
    /// the rows are sorted.
    pub fn from_edges(positions: Vec<DVec3>, sizes: Vec<f64>, edges: &[(u32, u32)]) -> Self {
        debug_assert_eq!(positions.len(), sizes.len());
        let mut pairs: Vec<(u32, u32)> = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        pairs.retain(|&(a, b)| a != b);
        pairs.sort_unstable();
        pairs.dedup();
        let mut offsets = vec![0; positions.len() + 1];
        for &(a, _) in &pairs {
            offsets[a as usize + 1] += 1;
        }
        for i in 0..positions.len() {
            offsets[i + 1] += offsets[i];
        }
        let neighbors = pairs.into_iter().map(|(_, b)| b).collect();
        Self { offsets, neighbors, positions, sizes }
    }
}

impl Graph for CsrGraph {
    fn len(&self) -> usize {
        self.positions.len()
    }

    #[inline]
    fn position(&self, i: usize) -> DVec3 {
        self.positions[i]
    }

    #[inline]
    fn size(&self, i: usize) -> f64 {
        self.sizes[i]
    }

    #[inline]
    fn for_neighbors(&self, i: usize, mut f: impl FnMut(usize)) {
        for &j in &self.neighbors[self.offsets[i] as usize..self.offsets[i + 1] as usize] {
            f(j as usize);
        }
    }
}

/// Returns the smallest size in the graph; 1 if there is no positive one.
pub(super) fn smallest_size(graph: &impl Graph) -> f64 {
    let h = crate::par::reduce(graph.len(), || f64::INFINITY, |h, i| h.min(graph.size(i)), f64::min);
    if h > 0.0 && h.is_finite() { h } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::test_graphs::{octree, two_level, uniform};

    fn neighbors(graph: &CsrGraph, i: usize) -> Vec<usize> {
        let mut out = Vec::new();
        graph.for_neighbors(i, |j| out.push(j));
        out
    }

    #[test]
    fn edges_may_repeat_and_come_either_way() {
        let positions = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let graph = CsrGraph::from_edges(positions, vec![1.0; 4], &[(2, 0), (0, 1), (0, 2), (1, 1)]);
        assert_eq!(neighbors(&graph, 0), [1, 2]);
        assert_eq!(neighbors(&graph, 1), [0]);
        assert_eq!(neighbors(&graph, 3), []);
    }

    #[test]
    fn a_uniform_grid_has_six_neighbors_inside() {
        let graph = uniform(4);
        assert_eq!(graph.len(), 64);
        let counts: Vec<usize> = (0..64).map(|i| neighbors(&graph, i).len()).collect();
        assert_eq!(counts.iter().sum::<usize>(), 2 * 3 * 3 * 16);
        assert_eq!(counts.iter().max(), Some(&6));
    }

    #[test]
    fn octree_like_graphs_fill_the_box_and_touch_through_faces() {
        let deep = octree(4, 3, |center, size| (center - DVec3::splat(0.4)).length() < 1.8 * size);
        for graph in [two_level(4, 7), deep] {
            let volume: f64 = graph.sizes.iter().map(|s| s * s * s).sum();
            assert!((volume - 1.0).abs() < 1e-12);
            for i in 0..graph.len() {
                for j in neighbors(&graph, i) {
                    let reach = 0.5 * (graph.size(i) + graph.size(j));
                    let far = (graph.position(j) - graph.position(i)).abs().max_element();
                    assert!((far - reach).abs() < 1e-12, "{i} and {j} do not share a face");
                    assert!(neighbors(&graph, j).contains(&i));
                }
            }
        }
    }
}
