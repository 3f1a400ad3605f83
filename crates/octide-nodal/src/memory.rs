//! How much memory a step takes: see [`octide_core::memory`].

use octide_core::memory::MemoryModel;

/// Constants of water: peaks of steps of water-drop, dam-break and, for solids, moving-cylinder at 96, and of
/// water-drop at 128, which they meet within 1 %. Transport, redistancing, the pressure's solve and the
/// extrapolation all hold nearly the same. Cells count as in the solve, when the old mesh is folded: that is
/// the most where the new one has more of them. A marker is four bytes, before and after.
pub const WATER: MemoryModel =
    MemoryModel { base: 12.9e6, state_cell: 50.0, step_cell: 308.0, solid_cell: 39.0, particle: 8.0 };

/// Constants of smoke, from smoke-sphere at 64, 128 and 256 with MacCormack transport: within 3, 1 and 1 %.
/// Cells count as in the pressure's solve, too.
pub const SMOKE: MemoryModel =
    MemoryModel { base: 11.5e6, state_cell: 60.0, step_cell: 340.0, solid_cell: 30.0, particle: 0.0 };
