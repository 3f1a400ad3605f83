//! Physical problems with water, for every method that simulates it.

pub(crate) mod dam_break;
pub(crate) mod deformation;
pub(crate) mod detaching;
pub(crate) mod energy;
pub(crate) mod everyday;
pub(crate) mod filling;
pub(crate) mod free_fall;
pub(crate) mod long_dam_break;
pub(crate) mod rest_t_junctions;
pub(crate) mod sloshing;
pub(crate) mod ten_seconds;
pub(crate) mod tension;
pub(crate) mod tracking;
pub(crate) mod wall_friction;
pub(crate) mod waves;
pub(crate) mod zalesak;
