//! Level sets and the surfaces they carry.

pub mod band;
mod eikonal;
pub mod extract;
pub mod extrapolate;
mod fronts;
pub mod gradient;
pub mod graph;
mod near;
pub mod redistance;

#[cfg(test)]
mod test_graphs;
