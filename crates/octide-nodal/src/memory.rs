//! How much memory a step takes: see [`octide_core::memory`].

use octide_core::memory::MemoryModel;

/// Constants of water.
pub const WATER: MemoryModel =
    MemoryModel { base: 12.8e6, state_cell: 330.0, step_cell: 700.0, solid_cell: 40.0, particle: 50.0 };

/// Constants of smoke.
pub const SMOKE: MemoryModel =
    MemoryModel { base: 12.8e6, state_cell: 300.0, step_cell: 500.0, solid_cell: 50.0, particle: 0.0 };
