//! Level sets and the surfaces they carry.

pub mod extract;
pub mod extrapolate;
mod fronts;
pub mod graph;

#[cfg(test)]
mod test_graphs;
