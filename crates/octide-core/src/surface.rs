//! Level sets and the surfaces that they represent.

pub mod band;
mod eikonal;
pub mod extract;
pub mod extrapolate;
mod fronts;
pub mod gradient;
pub mod graph;
mod near;
pub mod redistance;
pub mod shown;

#[cfg(test)]
mod test_graphs;
