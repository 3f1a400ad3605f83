//! A mesh that deforms: one mesh for each of a series of equally distant times.
//!
//! Mesh k is the body at the time `start + k / rate`. Before the first and after the last mesh the body is at rest.
//! Between two meshes, vertices move straight if both have the same triangles,
//!
//! ```text
//! x_i(t) = (1 − s) a_i + s b_i,      v_i = rate (b_i − a_i),      s = rate (t − t_k).
//! ```
//!
//! If they do not, see [`interval`]. At the time of a mesh, the velocity is that of the interval before, because steps
//! that end there have moved the body with it. What a fluid is pushed with from there on is the velocity in the step that
//! follows ([`MeshSequence::push`]).
//!
//! Only what a step needs is in memory: the meshes around its two times. They are read from a [`MeshSource`] when they
//! are needed, and must be what they were when the sequence was made. What cannot be read in the course of a run is
//! reported by [`MeshSequence::failure`].

mod correspond;
mod deformed;
mod facts;
mod interval;
mod push;
#[cfg(test)]
mod tests;

pub use deformed::Deformed;
pub use facts::{MeshFacts, SequenceError};
pub use push::Push;

use super::{SampleGrid, TriMesh};
use facts::read_facts;
use glam::DVec3;
use interval::Interval;
use std::collections::VecDeque;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Number of times whose shapes are kept: those of a step, and of one that is tried again.
const KEPT_MOMENTS: usize = 3;

/// Number of intervals that are kept.
const KEPT_INTERVALS: usize = 2;

/// A time as near as this to that of a mesh is that time, in intervals. Clocks of methods are rounded.
const ROUNDING: f64 = 1e-6;

/// Bytes of a triangle with the tables of its distance, an estimate.
const BYTES_PER_TRIANGLE: usize = 340;

/// Where the meshes of a sequence come from.
pub trait MeshSource: Debug + Send + Sync {
    /// Returns mesh `k`, counted from 0, or why it cannot be read.
    fn read(&self, k: usize) -> Result<TriMesh, String>;

    /// Returns what mesh `k` is called in messages.
    fn name(&self, k: usize) -> String;

    /// Returns how a scene file refers to the meshes.
    fn reference(&self) -> String;
}

impl MeshSource for Vec<TriMesh> {
    fn read(&self, k: usize) -> Result<TriMesh, String> {
        self.get(k).cloned().ok_or_else(|| format!("there is no mesh {k}"))
    }

    fn name(&self, k: usize) -> String {
        format!("mesh {k}")
    }

    fn reference(&self) -> String {
        format!("{} meshes in memory", self.len())
    }
}

/// When the meshes of a sequence are what the body is, and how it is solid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SequenceOptions {
    /// The time of the first mesh in s.
    pub start: f64,
    /// Meshes per second.
    pub rate: f64,
    /// Whether only the triangles are solid, as plates without thickness.
    pub is_shell: bool,
}

/// A body that is another mesh at each of a series of times.
#[derive(Debug)]
pub struct MeshSequence {
    source: Arc<dyn MeshSource>,
    facts: Vec<MeshFacts>,
    options: SequenceOptions,
    cache: Mutex<Cache>,
    failure: OnceLock<String>,
}

#[derive(Debug, Default)]
struct Cache {
    intervals: VecDeque<(usize, Arc<Interval>)>,
    moments: VecDeque<(MomentKey, Arc<Deformed>)>,
}

/// A time, and the edge of the cells that distances are sampled for, as bits.
type MomentKey = (u64, u64);

impl MeshSequence {
    /// Looks at all of `n` meshes, one after the other. Returns an error if there are none, or if one cannot be the same
    /// body as the one before.
    pub fn new(
        source: Arc<dyn MeshSource>,
        n: usize,
        options: SequenceOptions,
    ) -> Result<Self, SequenceError> {
        let facts = read_facts(source.as_ref(), n)?;
        Ok(Self { source, facts, options, cache: Mutex::default(), failure: OnceLock::new() })
    }

    /// Returns what is known of each mesh.
    pub fn facts(&self) -> &[MeshFacts] {
        &self.facts
    }

    /// Returns what mesh `k` is called in messages.
    pub fn name(&self, k: usize) -> String {
        self.source.name(k)
    }

    /// Returns how a scene file refers to the meshes.
    pub fn reference(&self) -> String {
        self.source.reference()
    }

    /// Returns the times of the meshes, and whether they are shells.
    pub fn options(&self) -> SequenceOptions {
        self.options
    }

    /// Returns whether nothing ever moves.
    pub fn is_still(&self) -> bool {
        self.facts.windows(2).all(|pair| pair[0].content == pair[1].content)
    }

    /// Returns a box around all meshes.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let boxes = self.facts.iter().map(|f| f.bounds);
        boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default()
    }

    /// Returns why a mesh could not be used, if that has happened: shapes since then mean nothing.
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// Returns a bound of the bytes that meshes and their distances take.
    pub fn forecast_bytes(&self) -> u64 {
        let most = self.facts.iter().map(|f| f.n_triangles).max().unwrap_or(0);
        // A blend has two meshes, and a merged shell as many triangles.
        let each = if self.has_one_topology() { 1 } else { 2 };
        ((KEPT_MOMENTS + KEPT_INTERVALS) * each * most * BYTES_PER_TRIANGLE) as u64
    }

    /// Returns whether all meshes have the same triangles.
    fn has_one_topology(&self) -> bool {
        self.facts.windows(2).all(|pair| pair[0].topology == pair[1].topology)
    }

    /// Returns the interval of a time, the share of it that has passed, and whether the body is at rest there.
    fn place(&self, t: f64) -> (usize, f64, bool) {
        let last = self.facts.len().saturating_sub(2);
        let tau = (t - self.options.start) * self.options.rate;
        let end = self.facts.len() as f64 - 1.0;
        if end < 1.0 || tau.is_nan() || tau < -ROUNDING {
            return (0, 0.0, true);
        }
        if tau > end + ROUNDING {
            return (last, 1.0, true);
        }
        let k = ((tau - ROUNDING).ceil() - 1.0).clamp(0.0, last as f64);
        (k as usize, (tau - k).clamp(0.0, 1.0), false)
    }

    /// Returns the body at a time, with samples of its distance for a grid if it is given.
    pub fn at(&self, t: f64, grid: Option<SampleGrid>) -> Arc<Deformed> {
        let key = (t.to_bits(), grid.map_or(0, |g| g.dx.to_bits()));
        let held = self.with_cache(|c| c.moments.iter().find(|(k, _)| *k == key).map(|(_, d)| Arc::clone(d)));
        // Shapes are made outside the lock: making them may run other tasks on this thread.
        held.unwrap_or_else(|| {
            let made = Arc::new(self.made_at(t, grid));
            self.with_cache(|c| {
                c.moments.push_front((key, Arc::clone(&made)));
                c.moments.truncate(KEPT_MOMENTS);
            });
            made
        })
    }

    fn made_at(&self, t: f64, grid: Option<SampleGrid>) -> Deformed {
        let (k, share, is_held) = self.place(t);
        let made = self.interval(k).and_then(|interval| {
            let rate = if is_held { 0.0 } else { self.options.rate };
            Deformed::new(interval, share, rate, t, grid).map_err(|e| {
                let names = (self.name(k), self.name((k + 1).min(self.facts.len() - 1)));
                format!("between {} and {}: {e}; add meshes in between", names.0, names.1)
            })
        });
        made.unwrap_or_else(|why| {
            // The step that needs the shape fails, so that any shape will do.
            self.failure.get_or_init(|| why);
            Deformed::stand_in(self.facts.first().map_or(DVec3::ZERO, |f| f.bounds.0), t)
        })
    }

    /// Returns the velocity with which the surface of the body, which is `now` at the time `t`, pushes a fluid in the step
    /// of length `lead` that follows. `None` if the mesh that it moves to cannot be read: that step will say so.
    pub fn push(&self, now: &Deformed, t: f64, lead: f64) -> Option<Push> {
        let (k, _, is_held) = self.place(t + 0.5 * lead);
        let share = ((t - self.options.start) * self.options.rate - k as f64).clamp(0.0, 1.0);
        let rate = if is_held { 0.0 } else { self.options.rate };
        now.push_in(self.interval(k).ok()?, share, rate, lead).ok()
    }

    fn interval(&self, k: usize) -> Result<Arc<Interval>, String> {
        let held = self.with_cache(|c| c.intervals.iter().find(|(i, _)| *i == k).map(|(_, d)| Arc::clone(d)));
        if let Some(interval) = held {
            return Ok(interval);
        }
        let next = (k + 1).min(self.facts.len() - 1);
        let (from, to) = (self.read_again(k)?, self.read_again(next)?);
        let topology =
            (self.facts[k].topology == self.facts[next].topology).then_some(self.facts[k].topology);
        let name = self.name(k);
        let made = Interval::new((from, to), topology, self.options.is_shell, name)?;
        let made = Arc::new(made);
        self.with_cache(|c| {
            c.intervals.push_front((k, Arc::clone(&made)));
            c.intervals.truncate(KEPT_INTERVALS);
        });
        Ok(made)
    }

    /// Reads a mesh, which must be what it was.
    fn read_again(&self, k: usize) -> Result<TriMesh, String> {
        let mesh = self.source.read(k)?;
        if MeshFacts::content_of(&mesh) == self.facts[k].content {
            return Ok(mesh);
        }
        Err(format!("{} has changed since the run began; restore it, or start anew", self.name(k)))
    }

    /// Returns the largest speed of a point of the surface at any time from `start` to `end`.
    pub fn max_speed(&self, start: f64, end: f64) -> f64 {
        let n = self.facts.len() - 1;
        let tau = |t: f64| (t - self.options.start) * self.options.rate;
        let (first, last) = (tau(start).floor().max(0.0), tau(end).ceil().min(n as f64));
        if last <= first {
            return 0.0;
        }
        (first as usize..last as usize).map(|k| self.speed_in(k)).fold(0.0, f64::max)
    }

    /// Returns the largest speed of a point of the surface in interval `k`.
    fn speed_in(&self, k: usize) -> f64 {
        let is_exact = self.facts[k].topology == self.facts[k + 1].topology;
        let way = if is_exact { None } else { self.interval(k).ok().map(|i| i.way()) };
        way.unwrap_or(self.facts[k].way) * self.options.rate
    }

    /// Returns the largest speed over the whole sequence and when the body has it, from what is known of its meshes: an
    /// estimate where triangles change.
    pub fn fastest_moment(&self) -> (f64, f64) {
        let rate = self.options.rate;
        let middle = |k: usize| self.options.start + (k as f64 + 0.5) / rate;
        let speeds = self.facts.iter().enumerate().map(|(k, f)| (f.way * rate, middle(k)));
        speeds.fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a })
    }

    /// Returns the time of the first mesh after `t` at which triangles change: steps must end there.
    pub fn next_change(&self, t: f64) -> f64 {
        let tau = (t - self.options.start) * self.options.rate;
        let next = (tau + ROUNDING).floor().max(-1.0) + 1.0;
        if self.has_one_topology() || next.is_nan() || next >= self.facts.len() as f64 {
            return f64::INFINITY;
        }
        self.options.start + next / self.options.rate
    }

    fn with_cache<T>(&self, f: impl FnOnce(&mut Cache) -> T) -> T {
        f(&mut self.cache.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
