//! Reasons to end a run before its end: Ctrl-C (or a request by the system), and memory that runs short. Both
//! are noticed after the current step, so that nothing is left half-done; only where that would come too late
//! the process ends at once. Files are complete at any moment.

use crate::errors::{Failure, INTERRUPTED, MEMORY, MORE_MEMORY};
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

/// Of what is free at the start, so much may be taken where nobody says how much.
const FREE_PART: f64 = 0.9;

/// Says whether to stop.
#[derive(Clone)]
pub struct Stop {
    why: Arc<AtomicU8>,
    /// Bytes that the process may hold.
    limit: u64,
}

impl Stop {
    /// Begins to listen to Ctrl-C and to watch memory; to be called once.
    pub fn listen() -> Result<Self, Failure> {
        Self::listen_within(None)
    }

    /// The same with a limit on what the process may hold, in bytes.
    pub fn listen_within(limit: Option<u64>) -> Result<Self, Failure> {
        let limit = limit.unwrap_or_else(free_part);
        let stop = Self { why: Arc::new(AtomicU8::new(GO_ON)), limit };
        let asked = stop.clone();
        ctrlc::set_handler(move || {
            if asked.why.swap(ASKED, Ordering::SeqCst) == ASKED {
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
        match self.why.load(Ordering::SeqCst) {
            ASKED => Err(Failure::Interrupted("interrupted".to_owned())),
            SHORT => Err(Failure::Memory(shortage())),
            _ => match memory::resident() {
                Some(held) if held > self.limit => Err(Failure::Memory(format!(
                    "memory would run out: this run holds {}, and may hold {}; {MORE_MEMORY}",
                    bytes(held),
                    bytes(self.limit)
                ))),
                _ => Ok(()),
            },
        }
    }

    /// An error where `needed` bytes more would pass the limit; `what` would take them, and `remedy` would
    /// help.
    pub fn allow(&self, what: &str, needed: u64, remedy: &str) -> Result<(), Failure> {
        match memory::resident() {
            Some(held) if held.saturating_add(needed) > self.limit => Err(Failure::Memory(format!(
                "memory would run out: {what} needs about {} besides the {} that this run holds, past the limit of {}; \
                 {remedy}, or {MORE_MEMORY}",
                bytes(needed),
                bytes(held),
                bytes(self.limit)
            ))),
            _ => Ok(()),
        }
    }

    /// Bytes that the process may hold.
    pub fn memory_limit(&self) -> u64 {
        self.limit
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
                    let _ = self.why.compare_exchange(GO_ON, SHORT, Ordering::SeqCst, Ordering::SeqCst);
                }
                _ => {}
            }
            std::thread::sleep(PERIOD);
        }
    }
}

/// The default limit; none where the system does not tell what is free.
fn free_part() -> u64 {
    let free = |left: u64| memory::resident().unwrap_or(0) + (FREE_PART * left as f64) as u64;
    memory::available().map_or(u64::MAX, free)
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
