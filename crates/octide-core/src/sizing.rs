//! The size of the cells of a tree, independent of a method's own criterion.
//!
//! | module | job |
//! |---|---|
//! | `region` | bounds that a scene sets in some regions ([`Regions`]) |
//! | `view` | visibility from the scene's camera ([`View`]) |
//! | `propagate` | spreads sizing values from the cells that have one to all others ([`propagate`]) |
//! | `decay` | what remains of earlier sizing values, advected with the flow ([`Decay`]) |
//! | `request` | levels that cells of an old tree request in a new one ([`RefinementRequest`]) |
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
