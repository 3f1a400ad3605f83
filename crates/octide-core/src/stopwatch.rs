//! Seconds spent in the stages of a step.

use crate::par;
use std::time::Instant;

/// A result and the seconds that it took.
pub fn timed<T>(f: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = f();
    (result, start.elapsed().as_secs_f64())
}

/// Tells the time that stages take.
pub struct Stopwatch {
    last: Instant,
    laps: Vec<(&'static str, f64)>,
}

impl Stopwatch {
    /// Starts now.
    pub fn new() -> Self {
        Self { last: Instant::now(), laps: Vec::new() }
    }

    /// Runs a stage; the time since the last one ended goes to it.
    pub fn run<T>(&mut self, stage: &'static str, f: impl FnOnce() -> T) -> T {
        let result = f();
        self.lap(stage);
        result
    }

    /// Runs two stages that do not need each other at the same time, and shares the time between them. Each
    /// has parts that only one thread can do.
    pub fn run_both<A: Send, B: Send>(
        &mut self,
        stages: [&'static str; 2],
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        let ((a, seconds_a), (b, seconds_b)) = par::both(|| timed(a), || timed(b));
        self.shared_lap([(stages[0], seconds_a), (stages[1], seconds_b)]);
        (a, b)
    }

    /// The time since the last lap goes to a stage.
    fn lap(&mut self, stage: &'static str) {
        self.shared_lap([(stage, 1.0)]);
    }

    /// The time since the last lap, shared by stages in proportion to the seconds that each of them took by
    /// itself: they may have run at the same time.
    fn shared_lap<const N: usize>(&mut self, stages: [(&'static str, f64); N]) {
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f64();
        self.last = now;
        let whole = stages.iter().map(|s| s.1).sum::<f64>().max(f64::MIN_POSITIVE);
        for (stage, own) in stages {
            self.add(stage, seconds * own / whole);
        }
    }

    /// What each stage has taken, in the order they ran first.
    pub fn laps(self) -> Vec<(&'static str, f64)> {
        self.laps
    }

    fn add(&mut self, stage: &'static str, seconds: f64) {
        match self.laps.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, sum)) => *sum += seconds,
            None => self.laps.push((stage, seconds)),
        }
    }
}

impl Default for Stopwatch {
    fn default() -> Self {
        Self::new()
    }
}
