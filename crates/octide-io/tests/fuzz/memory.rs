//! A counting allocator: how many bytes are held, and the most that were held since [`begin`].

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Beyond this the allocator refuses, so that a reader that believes a false count does not take the machine
/// down.
const HARD_CAP: usize = 2 << 30;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn grow(by: usize) -> bool {
    let held = HELD.fetch_add(by, Ordering::Relaxed) + by;
    PEAK.fetch_max(held, Ordering::Relaxed);
    held <= HARD_CAP
}

fn shrink(by: usize) {
    HELD.fetch_sub(by, Ordering::Relaxed);
}

#[allow(unsafe_code, reason = "counting what readers take needs an allocator of the test's own")]
// SAFETY: every call is handed on to the system's allocator with the layout that came, and only counted
// beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !grow(layout.size()) {
            shrink(layout.size());
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the promises that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        shrink(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

/// Starts to look for the most anew; gives what is held.
pub fn begin() -> usize {
    let held = HELD.load(Ordering::Relaxed);
    PEAK.store(held, Ordering::Relaxed);
    held
}

/// The most that was held since [`begin`], beyond what was held then.
pub fn taken_since(begin: usize) -> usize {
    PEAK.load(Ordering::Relaxed).saturating_sub(begin)
}
