//! Configures the system allocator to return large blocks to the system.
//!
//! A step allocates and frees dozens of arrays of megabytes. Whenever such an array is freed, the GNU
//! allocator raises the size above which it maps blocks separately, until all arrays come from one heap. That
//! heap fragments: the arrays of the next step do not fit into its holes. With a fixed threshold and one heap
//! for all threads, which allocate few small blocks, `water-drop` at 256 uses a quarter less memory (75 MB of
//! 102) for a few percent more CPU time. The threshold is below the size of the hundreds of arrays in the
//! tiles of the multigrid hierarchy: lowering it from 128 KB to 16 KB saves another 5 MB for `water-drop` at
//! 128 by `nodal-octree`, at the same speed; lower values gain nothing.

/// Blocks of at least this many bytes are mapped separately and returned to the system when freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MMAP_THRESHOLD_BYTES: i32 = 16 << 10;

/// Call this before the first thread is started.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code, reason = "a quarter less memory, as measured above; only this call sets it")]
pub fn set_up() {
    // SAFETY: the function takes two numbers by value and only changes the allocator's own settings; an
    // unknown setting is refused by the return value and changes nothing.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES);
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Other allocators keep their settings.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn set_up() {}
