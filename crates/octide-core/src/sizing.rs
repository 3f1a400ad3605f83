//! How large the cells of a tree are, whatever a method's own criterion is.
//!
//! | module | what it does |
//! |---|---|
//! | `region` | bounds that a scene sets in some places ([`Regions`]) |
//! | `view` | what the scene's camera sees ([`View`]) |
//! | `propagate` | sizing values from the cells that have one to all others ([`propagate`]) |
//! | `decay` | what is left of earlier sizing values, moved with the flow ([`Decay`]) |
//! | `request` | levels that cells of an old tree ask for in a new one ([`RefinementRequest`]) |
//! | `limit` | trees that are built only if they have no more cells than allowed ([`CellLimit`]) |
//!
//! A sizing value S is in 1/m: a cell of edge h is small enough where S ≤ 1/h.

mod decay;
mod limit;
mod propagate;
mod region;
mod request;
#[cfg(test)]
mod tests;
mod view;

pub use decay::Decay;
pub use limit::CellLimit;
pub use propagate::propagate;
pub use region::Regions;
pub use request::{RefinementRequest, distance_to_detail};
pub use view::View;
