//! The contract: promises that every method must keep. Each method runs these cases because it is registered.
//!
//! Scenes are data, methods are made by name, and all is measured through [`octide_core::contract::Method`],
//! as a user would. Limits without another source are promises of ours.

pub(crate) mod parts;
mod places;
mod rest;
mod saved;
mod scenes;
mod solids;
mod symmetry;
mod threads;
mod time;
mod walls;
mod water;

/// The source of limits that we set ourselves.
const CONTRACT: &str = "contract";

pub(super) use rest::CASE as REST;
pub(super) use saved::CASE as SAVED;
pub(super) use solids::CASE as SOLIDS;
pub(super) use symmetry::CASE as SYMMETRY;
pub(super) use threads::CASE as THREADS;
pub(super) use time::CASE as TIME;
pub(super) use walls::CASE as WALLS;
pub(super) use water::CASE as WATER;

/// Its cases.
#[cfg(test)]
const ALL: &[&octide_verify::Case] = &[&REST, &SYMMETRY, &TIME, &WATER, &SOLIDS, &WALLS, &THREADS, &SAVED];

#[cfg(test)]
mod tests;
