//! How much memory a step takes: see [`octide_core::memory`].

use octide_core::memory::MemoryModel;

/// Constants of water: peaks of water-drop at 128 with and without markers, frames included.
pub const WATER: MemoryModel =
    MemoryModel { base: 12.8e6, state_cell: 290.0, step_cell: 485.0, solid_cell: 45.0, particle: 36.0 };

/// Constants of smoke.
pub const SMOKE: MemoryModel =
    MemoryModel { base: 12.8e6, state_cell: 300.0, step_cell: 600.0, solid_cell: 60.0, particle: 0.0 };
