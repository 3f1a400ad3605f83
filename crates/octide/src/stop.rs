//! Reasons to end a run before its end: Ctrl-C (or a request by the system), and memory that runs short. Both
//! are noticed after the current step, so that nothing is left half-done; only where that would come too late
//! the process ends at once. Files are complete at any moment.

use crate::errors::{Failure, INTERRUPTED, MEMORY};
use crate::memory;
use crate::text::bytes;
use std::io::{Write, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

const GO_ON: u8 = 0;
const ASKED: u8 = 1;
const SHORT: u8 = 2;

/// How often memory is looked at.
const PERIOD: Duration = Duration::from_millis(100);

/// A run ends where less is left, in bytes, or less than this part of what there was at its start.
const RESERVE: u64 = 256 << 20;
const RESERVE_PART: u64 = 8;

/// Where less than this part of the reserve is left the process ends at once.
const LAST_PART: u64 = 4;

/// Says whether to stop.
#[derive(Clone)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// Begins to listen to Ctrl-C and to watch memory; to be called once.
    pub fn listen() -> Result<Self, Failure> {
        let stop = Self(Arc::new(AtomicU8::new(GO_ON)));
        let asked = stop.clone();
        ctrlc::set_handler(move || {
            if asked.0.swap(ASKED, Ordering::SeqCst) == ASKED {
                std::process::exit(i32::from(INTERRUPTED));
            }
            let _ = writeln!(stderr(), "\nends after this step; once more to end at once");
        })
        .map_err(|e| Failure::Input(format!("cannot listen to Ctrl-C: {e}")))?;
        if let Some(at_start) = memory::available() {
            let watch = stop.clone();
            std::thread::spawn(move || watch.watch_memory(reserve(at_start)));
        }
        Ok(stop)
    }

    /// An error where there is a reason to stop.
    pub fn check(&self) -> Result<(), Failure> {
        match self.0.load(Ordering::SeqCst) {
            ASKED => Err(Failure::Interrupted("interrupted".to_owned())),
            SHORT => Err(Failure::Memory(shortage())),
            _ => Ok(()),
        }
    }

    fn watch_memory(&self, reserve: u64) {
        loop {
            match memory::available() {
                Some(left) if left < reserve / LAST_PART => {
                    let _ = writeln!(stderr(), "\nerror: {}\nwhat is written is kept", shortage());
                    std::process::exit(i32::from(MEMORY));
                }
                // Being asked to stop weighs more.
                Some(left) if left < reserve => {
                    let _ = self.0.compare_exchange(GO_ON, SHORT, Ordering::SeqCst, Ordering::SeqCst);
                }
                _ => {}
            }
            std::thread::sleep(PERIOD);
        }
    }
}

fn reserve(at_start: u64) -> u64 {
    RESERVE.min(at_start / RESERVE_PART)
}

fn shortage() -> String {
    let figure = |b: Option<u64>| b.map_or("an unknown amount".to_owned(), bytes);
    format!(
        "memory runs out: this run holds {}, and only {} are left; take a lower --resolution",
        figure(memory::resident()),
        figure(memory::available())
    )
}
