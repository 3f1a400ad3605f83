//! The liquid's volume: measured ([`cell_volume`]), compared with its target and corrected
//! ([`VolumeControl`]), for all liquid together or for each connected body of it ([`LiquidBodies`]).

mod bodies;
mod control;
mod measure;

pub use bodies::{LiquidBodies, LiquidCells, OpenNeighbors, Transport};
pub use control::{Divergence, VolumeControl};
pub use measure::{CutCell, cell_volume, fraction_behind_plane, plane_of_fraction};
