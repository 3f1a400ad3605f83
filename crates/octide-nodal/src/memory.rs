//! The memory that a step needs: see [`octide_core::memory`].

use octide_core::memory::MemoryModel;

/// Constants for water, fitted to the memory peaks of steps of water-drop, dam-break and, for solids,
/// moving-cylinder at 96, and of water-drop at 128, which they reproduce within 1 %. Advection, redistancing,
/// the pressure solve and extrapolation all need nearly the same. Cells are counted as in the solve, when the
/// old mesh is folded, which is the peak if the new mesh has more cells. A marker takes four bytes, before
/// and after the step. Between steps and for frames: water-drop and dam-break at 64, within 10 %. A frame is
/// meshed on a graded copy of the tree.
pub const WATER: MemoryModel = MemoryModel {
    base: 13.7e6,
    state_cell: 50.0,
    kept_cell: 250.0,
    step_cell: 308.0,
    solid_cell: 90.0,
    particle: 8.0,
    frame_cell: 155.0,
};

/// Constants for smoke, fitted to smoke-sphere at 64, 128 and 256 with MacCormack advection: within 3, 1 and
/// 1 %. Here, too, cells are counted as in the pressure solve.
pub const SMOKE: MemoryModel = MemoryModel {
    base: 11.5e6,
    state_cell: 60.0,
    kept_cell: 190.0,
    step_cell: 340.0,
    solid_cell: 30.0,
    particle: 0.0,
    frame_cell: 100.0,
};
