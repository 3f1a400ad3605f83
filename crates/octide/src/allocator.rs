//! The allocator: the system's, configured to return large blocks to the system, with an end that says why.
//!
//! The standard library aborts a process whose allocation fails. Forecasts and the watch over free memory
//! (`stop.rs`) end a run before that, but a limit on address space (`ulimit -v`) can be reached between two of
//! their looks; then this allocator prints what happened and exits with the code for memory.
//!
//! A step allocates and frees dozens of arrays of megabytes. Whenever such an array is freed, the GNU
//! allocator raises the size above which it maps blocks separately, until all arrays come from one heap. That
//! heap fragments: the arrays of the next step do not fit into its holes. With a fixed threshold and one heap
//! for all threads, which allocate few small blocks, `water-drop` at 256 uses a quarter less memory (75 MB of
//! 102) for a few percent more CPU time. The threshold is below the size of the hundreds of arrays in the
//! tiles of the multigrid hierarchy: lowering it from 128 KB to 16 KB saves another 5 MB for `water-drop` at
//! 128 by `nodal-octree`, at the same speed; lower values gain nothing.

use crate::errors::MEMORY;
use crate::text::print_to_stderr;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator; a refused block ends the process.
struct ExitWhenRefused;

#[global_allocator]
static ALLOCATOR: ExitWhenRefused = ExitWhenRefused;

#[allow(unsafe_code, reason = "only an allocator can end a process that runs out of memory without a signal")]
// SAFETY: every call is forwarded to the system's allocator with the same arguments; blocks are never null.
unsafe impl GlobalAlloc for ExitWhenRefused {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller satisfies the requirements of `System`.
        granted(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        granted(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        granted(unsafe { System.realloc(block, layout, size) }, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

fn granted(block: *mut u8, bytes: usize) -> *mut u8 {
    if block.is_null() {
        exit_without_memory(bytes);
    }
    block
}

thread_local! {
    static IS_EXITING: Cell<bool> = const { Cell::new(false) };
}

/// Prints that memory ran out and ends the process.
#[cold]
fn exit_without_memory(bytes: usize) -> ! {
    // The message takes a few bytes, which are usually left when a large block is refused.
    if !IS_EXITING.replace(true) {
        print_to_stderr(&format!(
            "\nerror: out of memory: the system refused another {}; files written so far are complete; lower \
             --resolution, or allow octide more memory (ulimit -v)",
            if bytes < 1_000_000 { format!("{bytes} bytes") } else { crate::text::bytes(bytes as u64) }
        ));
    }
    std::process::exit(i32::from(MEMORY));
}

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
