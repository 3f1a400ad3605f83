//! The system's allocator, told to give large blocks back.
//!
//! A step makes and drops dozens of lists of megabytes. The GNU allocator raises its limit for blocks of
//! their own with each of those that is freed, until all are cut from one heap: holes are left in it that the
//! next step's lists do not fit. With the limit fixed and one heap for all threads, which take few small
//! blocks, `water-drop` at 256 holds a quarter less (75 MB of 102) for a few percent of CPU time. The limit
//! is below the lists of a tile of the pressure's hierarchy, of which there are hundreds: from 128 KB down to
//! 16 KB `water-drop` at 128 by `nodal-octree` holds 5 MB less in holes, at the same speed; below that
//! nothing more is gained.

/// Blocks of at least this many bytes are the system's own, and are given back when they are dropped.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 16 << 10;

/// To be called before the first thread is started.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code, reason = "a quarter less memory, as measured above; only this call sets it")]
pub fn set_up() {
    // SAFETY: the function takes two numbers by value and only changes the allocator's own settings; a
    // setting that it does not know is refused with a return value, after which all is as it was.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Other systems' allocators are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn set_up() {}
