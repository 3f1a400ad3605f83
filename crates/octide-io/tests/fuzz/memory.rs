//! A counting allocator: the number of allocated bytes, and its maximum since [`begin`].

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The allocator refuses more than this, so that a reader that trusts a wrong count does not exhaust the
/// machine.
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
// SAFETY: every call is forwarded to the system's allocator with the same layout; in addition it is counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !grow(layout.size()) {
            shrink(layout.size());
            return std::ptr::null_mut();
        }
        // SAFETY: the caller satisfies the requirements of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        shrink(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

/// Restarts the search for the maximum; returns the number of allocated bytes.
pub fn begin() -> usize {
    let held = HELD.load(Ordering::Relaxed);
    PEAK.store(held, Ordering::Relaxed);
    held
}

/// Returns the maximum since [`begin`], minus the bytes that were allocated then.
pub fn taken_since(begin: usize) -> usize {
    PEAK.load(Ordering::Relaxed).saturating_sub(begin)
}
