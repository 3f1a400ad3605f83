//! What a scene says of the size of cells, whatever a method's own rules are: places where it is bounded
//! ([`Regions`]) and what its camera sees ([`View`]).

mod region;
mod view;

pub use region::Regions;
pub use view::View;
