//! Physical problems with smoke, for every method that simulates it.

pub(crate) mod helium_plume;
