//! How much memory a step of smoke takes; the constants are measured.

use octide_core::memory::MemoryModel;

/// What smoke takes.
pub const MEMORY: MemoryModel =
    MemoryModel { base: 12.8e6, state_cell: 300.0, step_cell: 500.0, solid_cell: 50.0, particle: 0.0 };
