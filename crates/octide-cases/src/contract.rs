//! What every method must keep: the contract, in a few cases that each method runs because it is on the list
//! of methods.
//!
//! Scenes are data, methods are made by name, and all is measured through [`octide_core::contract::Method`],
//! as a user would. Limits without another source are promises of ours.

mod lookout;
mod places;
mod rest;
mod saved;
mod scenes;
mod solids;
mod symmetry;
mod threads;
mod time;
mod water;

/// Where limits come from that we set ourselves.
const CONTRACT: &str = "contract";

pub(super) use rest::CASE as REST;
pub(super) use saved::CASE as SAVED;
pub(super) use solids::CASE as SOLIDS;
pub(super) use symmetry::CASE as SYMMETRY;
pub(super) use threads::CASE as THREADS;
pub(super) use time::CASE as TIME;
pub(super) use water::CASE as WATER;

/// Its cases.
#[cfg(test)]
const ALL: &[&octide_verify::Case] = &[&REST, &SYMMETRY, &TIME, &WATER, &SOLIDS, &THREADS, &SAVED];

#[cfg(test)]
mod tests;
