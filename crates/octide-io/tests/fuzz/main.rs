//! Damaged input for every reader: no panic, no hang, at most ten times the input's size plus a constant of
//! memory, and no character in a message that a terminal obeys or does not show.
//!
//! An in-process mutator, reproducible on every machine. Inputs that cause a message that was not seen before
//! are kept and damaged further. `cargo test` runs a few thousand; for more, in CPU seconds:
//!
//!     OCTIDE_FUZZ_SECONDS=3600 OCTIDE_FUZZ_OUT=/dev/shm/fuzz OCTIDE_FUZZ_SEED=7 cargo test -p octide-io --test fuzz -- --nocapture
//!
//! Findings are written to the folder; the current input is stored there as `current`, in case it kills the
//! process. After a finding is fixed, it is added to `corpus`, as `TARGET-what-it-was`.

#![allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]

mod memory;
mod mutate;
mod states;
mod targets;
mod words;

use mutate::{Rng, mutate};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use targets::Target;

/// Memory that a reader may allocate: this many times the input, plus a constant.
const TIMES: usize = 10;
const BESIDES: usize = 64 << 20;

/// Maximum CPU seconds per input. The inputs are at most 64 kB.
const SECONDS: f64 = 5.0;

/// Number of inputs per reader in `cargo test`.
const FEW: u64 = 1500;

/// How far readers may be apart in time, if they share it.
const SHARE: Duration = Duration::from_millis(100);

/// Maximum number of files per reader that are kept for their messages.
const MAX_KEPT_MESSAGES: usize = 600;

/// The message of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// The number of the current input, for the watchdog.
static UNDER_WAY: AtomicU64 = AtomicU64::new(0);

struct Fuzzer<'a> {
    target: &'a Target,
    seeds: Vec<Vec<u8>>,
    words: Vec<&'static str>,
    said: BTreeSet<String>,
    rng: Rng,
    n_runs: u64,
    /// Wall-clock time of all inputs.
    spent: Duration,
    most_taken: usize,
    slowest: Duration,
    /// Where the current input is stored.
    current: Option<PathBuf>,
}

impl<'a> Fuzzer<'a> {
    fn new(target: &'a Target, seed: u64) -> Self {
        let name = target.name.bytes().fold(seed, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
        Self {
            target,
            seeds: (target.seeds)(),
            words: [&(target.words)()[..], words::FOREIGN].concat(),
            said: BTreeSet::new(),
            rng: Rng::new(name),
            n_runs: 0,
            spent: Duration::ZERO,
            most_taken: 0,
            slowest: Duration::ZERO,
            current: std::env::var_os("OCTIDE_FUZZ_OUT").map(|out| PathBuf::from(out).join("current")),
        }
    }

    /// Reads the initial files unchanged.
    fn begin(&mut self) -> Result<(), (String, Vec<u8>)> {
        assert!(!self.seeds.is_empty(), "{} has no files to begin from", self.target.name);
        for seed in self.seeds.clone() {
            self.run(&seed).map_err(|why| (why, seed))?;
        }
        Ok(())
    }

    /// Tries one damaged input; returns it with the reason if it is a finding.
    fn one(&mut self) -> Result<(), (String, Vec<u8>)> {
        let start = Instant::now();
        let outcome = self.damage_and_read();
        self.spent += start.elapsed();
        outcome
    }

    fn damage_and_read(&mut self) -> Result<(), (String, Vec<u8>)> {
        let seed = self.rng.below(self.seeds.len());
        let input = mutate(&self.seeds[seed], &self.seeds, &self.words, &mut self.rng);
        match self.run(&input) {
            Err(why) => Err((why, input)),
            Ok(said) => {
                // Inputs with new messages are worth damaging further.
                if self.said.len() < MAX_KEPT_MESSAGES && self.said.insert(pattern(&said)) {
                    self.seeds.push(input);
                }
                Ok(())
            }
        }
    }

    fn run(&mut self, input: &[u8]) -> Result<String, String> {
        self.n_runs += 1;
        if let Some(file) = &self.current {
            std::fs::write(file, input).unwrap();
        }
        UNDER_WAY.fetch_add(1, Ordering::SeqCst);
        let start = Instant::now();
        let held = memory::begin();
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.target.read)(input)));
        let taken = memory::taken_since(held);
        self.slowest = self.slowest.max(start.elapsed());
        self.most_taken = self.most_taken.max(taken);
        let said = outcome.map_err(|_| PANIC.lock().unwrap().clone())?;
        if taken > TIMES * input.len() + BESIDES {
            return Err(format!("{taken} bytes were taken for an input of {}", input.len()));
        }
        match unprintable(&said) {
            Some(c) => Err(format!("{c:?} is printed by the message {said:?}")),
            None => Ok(said),
        }
    }
}

/// Returns a character of a message that must not reach a terminal.
fn unprintable(said: &str) -> Option<char> {
    said.chars().find(|&c| !"\n\t".contains(c) && octide_io::is_unsafe_to_print(c))
}

/// Returns a message without numbers, names and values: the plain words that it begins with.
fn pattern(said: &str) -> String {
    let mut out = String::new();
    let mut quoted = None;
    let mut chars = said.chars();
    while let Some(c) = chars.next() {
        match (quoted, c) {
            (Some(_), '\\') => drop(chars.next()),
            (None, '`' | '"') => quoted = Some(c),
            (Some(q), c) if c == q => quoted = None,
            (None, 'a'..='z' | ' ' | ':') if out.len() < 60 => out.push(c),
            _ => {}
        }
    }
    out
}

fn hush_panics() {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut text) = PANIC.lock() {
            *text = info.to_string();
        }
    }));
}

/// Returns the CPU seconds of the process, or wall-clock seconds if they are not available.
fn cpu_seconds(start: Instant) -> f64 {
    let ticks = || {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let after = stat.rsplit(')').next()?;
        let field = |i: usize| after.split_whitespace().nth(i)?.parse::<u64>().ok();
        Some(field(11)? + field(12)?)
    };
    ticks().map_or_else(|| start.elapsed().as_secs_f64(), |t| t as f64 / 100.0)
}

/// Ends the process if one input takes too long.
fn watch_for_hangs() {
    std::thread::spawn(|| {
        let start = Instant::now();
        let (mut input, mut since) = (0, 0.0);
        loop {
            std::thread::sleep(Duration::from_millis(200));
            let (at, now) = (UNDER_WAY.load(Ordering::SeqCst), cpu_seconds(start));
            if at != input {
                (input, since) = (at, now);
            } else if at > 0 && now - since > SECONDS {
                eprintln!("input {at} hangs: {:.1} CPU seconds", now - since);
                std::process::exit(1);
            }
        }
    });
}

#[test]
fn damaged_input_is_told_or_read() {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let seconds = number("OCTIDE_FUZZ_SECONDS");
    let out = std::env::var_os("OCTIDE_FUZZ_OUT").map(PathBuf::from);
    let only = std::env::var("OCTIDE_FUZZ_TARGET").ok();
    if let Some(out) = &out {
        std::fs::create_dir_all(out).unwrap();
    }
    hush_panics();
    watch_for_hangs();
    let is_asked = |t: &&Target| only.as_ref().is_none_or(|o| o == t.name);
    let seed = number("OCTIDE_FUZZ_SEED").unwrap_or(1);
    let mut fuzzers: Vec<Fuzzer> =
        targets::ALL.iter().filter(is_asked).map(|t| Fuzzer::new(t, seed)).collect();
    let mut findings = BTreeSet::new();
    let mut found = |name: &str, (why, input): (String, Vec<u8>)| {
        // One input of each kind is enough.
        if findings.insert(format!("{name}: {}", pattern(&why))) {
            eprintln!("FINDING {name}: {why}\n{}", String::from_utf8_lossy(&input[..input.len().min(2000)]));
            if let Some(out) = &out {
                std::fs::write(out.join(format!("{name}-{}", findings.len())), input).unwrap();
            }
        }
    };
    for f in &mut fuzzers {
        if let Err(finding) = f.begin() {
            found(f.target.name, finding);
        }
    }
    let start = Instant::now();
    let mut told = 0;
    let mut round = 0;
    while seconds.map_or(round < FEW, |s| cpu_seconds(start) < s as f64) {
        round += 1;
        // With a time given, every reader gets the same share of it: the fast ones read more.
        let behind = fuzzers.iter().map(|f| f.spent).min().unwrap_or_default() + SHARE;
        for f in &mut fuzzers {
            loop {
                if let Err(finding) = f.one() {
                    found(f.target.name, finding);
                }
                if seconds.is_none() || f.spent >= behind {
                    break;
                }
            }
        }
        if seconds.is_some() && start.elapsed().as_secs() / 60 > told {
            told = start.elapsed().as_secs() / 60;
            eprintln!("{told} min, {:.0} s of CPU time: {}", cpu_seconds(start), report(&fuzzers));
        }
    }
    eprintln!("end, {:.0} s of CPU time: {}", cpu_seconds(start), report(&fuzzers));
    assert!(findings.is_empty(), "{} findings: {findings:#?}", findings.len());
}

fn report(fuzzers: &[Fuzzer]) -> String {
    let one = |f: &Fuzzer| {
        let (n, k, mb) = (f.n_runs, f.said.len(), f.most_taken >> 20);
        format!("{} {n} runs, {k} answers, {mb} MB, {} ms", f.target.name, f.slowest.as_millis())
    };
    fuzzers.iter().map(one).collect::<Vec<_>>().join("; ")
}
