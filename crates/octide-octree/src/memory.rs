//! The memory use of a step: see [`octide_core::memory`]. A test of the command-line program compares it with
//! the actual use.

use octide_core::memory::MemoryModel;

/// The method's constants. In scenes with solids each cell additionally needs corners of the new tree,
/// distances and velocities.
pub const MODEL: MemoryModel = MemoryModel {
    base: 12.7e6,
    state_cell: 215.0,
    kept_cell: 190.0,
    step_cell: 375.0,
    solid_cell: 130.0,
    particle: 70.0,
    frame_cell: 90.0,
};
