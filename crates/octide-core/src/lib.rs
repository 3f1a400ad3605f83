//! The rooms that all of Octide's methods share.
//!
//! Data flows one way: a [`scene::Scene`] goes into a [`contract::Method`], the method takes steps, and what
//! it shows of itself is a [`contract::Frame`]. Nothing here names a paper, a file format or a window.
//!
//! Promises: no global state, and no result that depends on the number of threads.
//! Not promised: a stable interface before 1.0.

pub mod bins;
pub mod ceiling;
pub mod cell_pressure;
pub mod contract;
pub mod faces;
pub mod faults;
pub mod flows;
pub mod geometry;
pub mod health;
pub mod index;
pub mod memory;
pub mod octree;
pub mod par;
pub mod probes;
pub mod random;
pub mod report;
pub mod scene;
pub mod sizing;
pub mod snapshot;
pub mod solids;
pub mod speeds;
pub mod stopwatch;
pub mod surface;
pub mod totals;
pub mod volume;
pub mod water_record;

pub use glam::{DVec3, IVec3};
