//! Reasons to stop a run early: Ctrl-C (or a termination signal), and memory that is running out. Both take
//! effect after the current step, so that nothing is left half-done; if memory is nearly gone the process
//! exits at once. While a run is being prepared there is nothing to keep, and Ctrl-C quits at once, too. Files
//! are complete at any moment.

use crate::errors::{Failure, INTERRUPTED, MEMORY, MORE_MEMORY};
use crate::memory;
use crate::text::{bytes, print_to_stderr};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

// Values of `Stop::reason`.
const NONE: u8 = 0;
const CTRL_C: u8 = 1;
const LOW_MEMORY: u8 = 2;

/// How often free memory is checked.
const CHECK_PERIOD: Duration = Duration::from_millis(100);

/// A run stops when less than this many bytes are free ...
const MAX_RESERVE_BYTES: u64 = 256 << 20;
/// ... or less than one part in this many of what was free at its start, whichever is smaller.
const RESERVE_DIVISOR: u64 = 8;

/// When less than one part in this many of the reserve is free, the process exits at once.
const EXIT_DIVISOR: u64 = 4;

/// The default limit as a fraction of the memory that is free at the start.
const DEFAULT_FREE_FRACTION: f64 = 0.9;

/// What a process prints when Ctrl-C makes it quit at once.
type LastWords = Box<dyn Fn() + Send>;

/// Whether to stop, and the limit on memory.
#[derive(Clone)]
pub struct Stop {
    reason: Arc<AtomicU8>,
    /// While this is set, Ctrl-C quits at once.
    last_words: Arc<Mutex<Option<LastWords>>>,
    /// The limit on the memory of the process, in bytes.
    limit: u64,
}

impl Stop {
    /// Starts to listen for Ctrl-C and to watch memory; call this once.
    pub fn listen() -> Result<Self, Failure> {
        Self::listen_within(None)
    }

    /// As [`Self::listen`], with a limit in bytes on the memory of the process.
    pub fn listen_within(limit: Option<u64>) -> Result<Self, Failure> {
        memory::require(memory::START_BYTES, "start")?;
        let limit = limit.unwrap_or_else(default_limit);
        let stop = Self { reason: Arc::new(AtomicU8::new(NONE)), last_words: Arc::default(), limit };
        let asked = stop.clone();
        ctrlc::set_handler(move || {
            if let Some(print) = &*asked.last_words.lock().unwrap_or_else(PoisonError::into_inner) {
                print();
                std::process::exit(i32::from(INTERRUPTED));
            }
            if asked.reason.swap(CTRL_C, Ordering::SeqCst) == CTRL_C {
                std::process::exit(i32::from(INTERRUPTED));
            }
            print_to_stderr("\nStopping after this step. Press Ctrl-C again to quit now.");
        })
        .map_err(|e| Failure::Input(format!("cannot handle Ctrl-C: {e}")))?;
        if let Some(at_start) = memory::available() {
            let watch = stop.clone();
            std::thread::Builder::new()
                .spawn(move || watch.watch_memory(reserve(at_start)))
                .map_err(|e| Failure::Input(format!("cannot start a thread that watches memory: {e}")))?;
        }
        Ok(stop)
    }

    /// Makes Ctrl-C quit at once, until [`Self::keep_steps`] is called; `print` says so.
    pub fn quit_at_once(&self, print: impl Fn() + Send + 'static) {
        *self.last_words.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(print));
    }

    /// Makes Ctrl-C wait for the end of a step, as it does from the start on.
    pub fn keep_steps(&self) {
        *self.last_words.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns an error if there is a reason to stop.
    pub fn check(&self) -> Result<(), Failure> {
        match self.reason.load(Ordering::SeqCst) {
            CTRL_C => Err(Failure::Interrupted("interrupted".to_owned())),
            LOW_MEMORY => Err(Failure::Memory(low_memory_message())),
            _ => match memory::resident() {
                Some(held) if held > self.limit => Err(Failure::Memory(format!(
                    "out of memory: this run uses {}, past its limit of {}; {MORE_MEMORY}",
                    bytes(held),
                    bytes(self.limit)
                ))),
                _ => Ok(()),
            },
        }
    }

    /// Returns an error if `needed` more bytes, for `what`, would exceed the limit; `remedy` says what to do.
    pub fn allow(&self, what: &str, needed: u64, remedy: &str) -> Result<(), Failure> {
        match memory::resident() {
            Some(held) if held.saturating_add(needed) > self.limit => Err(Failure::Memory(format!(
                "out of memory: {what} needs about {} in addition to the {} that this run uses, past its limit of {}; \
                 {remedy}, or {MORE_MEMORY}",
                bytes(needed),
                bytes(held),
                bytes(self.limit)
            ))),
            _ => Ok(()),
        }
    }

    /// The limit on the memory of the process, in bytes.
    pub fn memory_limit(&self) -> u64 {
        self.limit
    }

    fn watch_memory(&self, reserve: u64) {
        loop {
            match memory::available() {
                Some(left) if left < reserve / EXIT_DIVISOR => {
                    let why = low_memory_message();
                    print_to_stderr(&format!("\nerror: {why}\nfiles written so far are complete"));
                    std::process::exit(i32::from(MEMORY));
                }
                // Ctrl-C takes precedence.
                Some(left) if left < reserve => {
                    let _ =
                        self.reason.compare_exchange(NONE, LOW_MEMORY, Ordering::SeqCst, Ordering::SeqCst);
                }
                _ => {}
            }
            std::thread::sleep(CHECK_PERIOD);
        }
    }
}

/// The default limit; unlimited if the system does not report free memory.
fn default_limit() -> u64 {
    let free = |left: u64| memory::resident().unwrap_or(0) + (DEFAULT_FREE_FRACTION * left as f64) as u64;
    memory::available().map_or(u64::MAX, free)
}

fn reserve(at_start: u64) -> u64 {
    MAX_RESERVE_BYTES.min(at_start / RESERVE_DIVISOR)
}

fn low_memory_message() -> String {
    let figure = |b: Option<u64>| b.map_or("an unknown amount".to_owned(), bytes);
    format!(
        "memory is running out: this run uses {}, and only {} are free; lower --resolution",
        figure(memory::resident()),
        figure(memory::available())
    )
}
