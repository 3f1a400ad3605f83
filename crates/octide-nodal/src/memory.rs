//! How much memory a step takes: see [`octide_core::memory`].

use octide_core::memory::MemoryModel;

/// Constants of water: peaks of steps of water-drop, dam-break and, for solids, moving-cylinder at 96, which they meet within
/// 1 %; water-drop at 128 within 4 %, and milk-crown at 512 with tension and frames within 6 %. The peak is in the pressure's solve: the old
/// mesh is folded by then, so that most of it is the new one's. A marker is four bytes, before and after.
pub const WATER: MemoryModel =
    MemoryModel { base: 12.8e6, state_cell: 50.0, step_cell: 383.0, solid_cell: 46.0, particle: 8.0 };

/// Constants of smoke, from smoke-sphere at 64, 128 and 256 with MacCormack transport: within 7, 2 and 2 %.
pub const SMOKE: MemoryModel =
    MemoryModel { base: 12.0e6, state_cell: 210.0, step_cell: 360.0, solid_cell: 30.0, particle: 0.0 };
