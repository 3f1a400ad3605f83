//! The time that a run has left.
//!
//! Water gets slower to simulate as it speeds up and breaks up: frames before an impact are cheap. Recent
//! frames alone said a fifth of what was to come after a tenth of `dam-break` at resolution 64. Two things are
//! known in advance: how many steps a frame takes at the speed that the scene will reach
//! ([`reference_speed`]), and whether the method can refine the surface further than it has so far:
//!
//! ```text
//! faster = max(1, (steps per frame at that speed) / (recent steps per frame))
//! finer  = 1 + 0.6 min(faster − 1, 1) if there are surface cells that are not finest, otherwise 1
//! likely = (mean of recent frames) · (frames left) · (1 + (faster · finer − 1) min(2 r, 1)),
//!          r = (frames left) / (all frames)
//! ```
//!
//! How far water breaks up cannot be known, not even from a run with larger cells: cells of a quarter of the
//! resolution said 0.2 of what dam-break took at 128. So there is a range. Its low end is that frames become
//! cheaper than recent ones, its high end was made wide enough for the runs that are listed in
//! `docs/command.md`.

use crate::text::duration;
use octide_core::contract::StepReport;
use octide_core::faces::figures::COARSE_SURFACE_CELLS;
use octide_core::scene::Scene;
use octide_core::speeds::reference_speed;
use std::collections::VecDeque;

/// The estimate starts from this many recent frames.
const RECENT_FRAMES: usize = 5;

/// Until this fraction of the frames is complete, the range is shown.
const SHOW_RANGE_UNTIL: f64 = 0.5;

/// The fastest water in a splash relative to the reference speed of its scene.
const SPLASH_SPEED: f64 = 1.5;

/// How much slower steps get when the surface breaks up into the finest cells.
const BREAKUP: f64 = 0.6;

/// The range at the start, relative to frames that stay as they are and to what is likely.
const RANGE: [f64; 2] = [2.6, 2.2];

/// Measures frames and estimates the time that the others take.
pub struct TimeLeft {
    n_frames: u32,
    /// Steps per frame at the speed that the scene will reach.
    steps_at_speed: f64,
    recent: VecDeque<TimedFrame>,
    /// Whether there are surface cells that can still be refined.
    has_coarse_surface: bool,
}

/// A frame that was measured.
#[derive(Clone, Copy)]
struct TimedFrame {
    seconds: f64,
    n_steps: f64,
}

/// Seconds that a run has left.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely number.
    pub likely: f64,
    /// A number that is rarely too high.
    pub low: f64,
    /// A number that is rarely too low.
    pub high: f64,
    /// Fraction of the frames that are complete.
    done: f64,
}

impl TimeLeft {
    /// Starts to measure the run of a scene.
    pub fn new(scene: &Scene) -> Self {
        let splash = if scene.is_smoke() { 1.0 } else { SPLASH_SPEED };
        let way = splash * reference_speed(scene) / scene.time.fps;
        Self {
            n_frames: scene.time.frames,
            steps_at_speed: way / (scene.time.cfl * scene.domain.dx()),
            recent: VecDeque::new(),
            has_coarse_surface: false,
        }
    }

    /// Records that a frame took some seconds and steps, the last of which is reported. Frame 0 is the start
    /// and says nothing about the others.
    pub fn record(&mut self, frame: u32, seconds: f64, n_steps: u64, last: &StepReport) {
        self.has_coarse_surface = last.count(&COARSE_SURFACE_CELLS) > 0;
        if frame == 0 {
            return;
        }
        self.recent.push_back(TimedFrame { seconds, n_steps: n_steps as f64 });
        if self.recent.len() > RECENT_FRAMES {
            self.recent.pop_front();
        }
    }

    /// Estimates the time from a frame to the end; none if no frame has been measured.
    pub fn after(&self, frame: u32) -> Option<Estimate> {
        let n = f64::from(self.n_frames.saturating_sub(frame));
        if n <= 0.0 {
            return Some(Estimate { likely: 0.0, low: 0.0, high: 0.0, done: 1.0 });
        }
        if self.recent.is_empty() {
            return None;
        }
        let mean =
            |f: fn(&TimedFrame) -> f64| self.recent.iter().map(f).sum::<f64>() / self.recent.len() as f64;
        let unchanged = n * mean(|frame| frame.seconds);
        let faster = (self.steps_at_speed / mean(|frame| frame.n_steps).max(1.0)).max(1.0);
        let finer = if self.has_coarse_surface { 1.0 + BREAKUP * (faster - 1.0).min(1.0) } else { 1.0 };
        let left = n / f64::from(self.n_frames);
        let unknown = (2.0 * left).min(1.0);
        let likely = unchanged * (1.0 + (faster * finer - 1.0) * unknown);
        let [low, high] = RANGE.map(|range| 1.0 + (range - 1.0) * unknown);
        Some(Estimate { likely, low: unchanged / low, high: likely * high, done: 1.0 - left })
    }
}

impl Estimate {
    /// Such as "about 2 min left" or, as long as it may still change much, "1 min to 4 min left".
    pub fn text(&self) -> String {
        let Self { likely, low, high, done } = *self;
        if done < SHOW_RANGE_UNTIL {
            format!("{} to {} left", duration(low), duration(high))
        } else {
            format!("about {} left", duration(likely))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octide_core::DVec3;

    /// What the frames of a run took.
    struct Recorded {
        /// Thousands of cells of all steps of each frame, which take time in proportion.
        cells: &'static [f64],
        steps: &'static [u64],
    }

    impl Recorded {
        fn frames(&self) -> Vec<(f64, u64)> {
            self.cells.iter().copied().zip(self.steps.iter().copied()).collect()
        }
    }

    /// `dam-break` at 64 by `octree`, which falls before it splashes.
    const DAM_BREAK: Recorded = Recorded {
        cells: &[
            16.7, 16.6, 16.8, 16.9, 16.9, 17.0, 17.3, 17.6, 37.3, 39.2, 40.1, 41.8, 43.1, 45.1, 68.2, 47.2,
            50.3, 54.5, 58.9, 62.6, 66.1, 69.3, 71.7, 73.4, 75.7, 78.3, 80.4, 81.8, 83.2, 85.0, 86.7, 87.0,
            85.9, 127.1, 84.2, 83.8, 163.2, 161.7, 122.0, 122.6, 122.4, 124.0, 83.7, 83.4, 83.2, 124.4, 83.2,
            124.0, 125.1, 84.4, 84.7, 84.6, 84.4, 85.0, 85.5, 85.6, 86.7, 86.7, 87.1, 86.9,
        ],
        steps: &[
            1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
            2, 3, 2, 2, 4, 4, 3, 3, 3, 3, 2, 2, 2, 3, 2, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
        ],
    };
    /// `milk-crown` at 48 by `nodal-octree`, which splashes at once.
    const MILK_CROWN: Recorded = Recorded {
        cells: &[
            20.1, 19.8, 39.2, 19.4, 19.2, 19.4, 19.3, 19.6, 19.5, 19.9, 20.2, 20.2, 20.4, 20.4, 20.6, 20.7,
            20.7, 20.7, 20.9, 21.1, 21.1, 21.0, 21.1, 21.3, 21.3, 21.8, 21.6, 21.9, 22.0, 22.1, 22.3, 22.3,
            22.4, 22.3, 22.2, 22.3, 22.4, 22.5, 22.4, 22.6, 22.7, 22.7, 22.7, 22.7, 22.6, 22.8, 22.7, 22.6,
            22.6, 22.7, 22.7, 22.7, 22.5, 22.6, 22.5, 22.6, 22.5, 22.1, 22.3, 22.3,
        ],
        steps: &[
            1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        ],
    };

    /// A measured run in a scene whose water takes so many steps a frame when it is as fast as expected.
    struct Run {
        frames: Vec<(f64, u64)>,
        steps_at_speed: f64,
        has_coarse_surface: bool,
    }

    impl Run {
        /// The estimate after a fraction of the run, and what was left.
        fn replay(&self, done: f64) -> (Estimate, f64) {
            let Self { frames, steps_at_speed, has_coarse_surface } = self;
            let mut left = TimeLeft {
                n_frames: frames.len() as u32,
                steps_at_speed: *steps_at_speed,
                recent: VecDeque::new(),
                has_coarse_surface: false,
            };
            let report = StepReport {
                figures: vec![COARSE_SURFACE_CELLS.count(usize::from(*has_coarse_surface))],
                ..StepReport::default()
            };
            let k = (done * frames.len() as f64).round() as usize;
            for (i, &(seconds, n_steps)) in frames[..k].iter().enumerate() {
                left.record(i as u32 + 1, seconds, n_steps, &report);
            }
            (left.after(k as u32).unwrap(), frames[k..].iter().map(|f| f.0).sum())
        }
    }

    #[test]
    fn recorded_runs_took_what_was_likely_within_a_factor_of_two_and_lie_in_the_range() {
        let dam_break = Run { frames: DAM_BREAK.frames(), steps_at_speed: 1.77, has_coarse_surface: true };
        let milk_crown = Run { frames: MILK_CROWN.frames(), steps_at_speed: 0.6, has_coarse_surface: false };
        for (name, run) in [("dam-break", dam_break), ("milk-crown", milk_crown)] {
            for done in [0.1, 0.25, 0.5, 0.75, 0.9] {
                let (Estimate { low, likely, high, .. }, truth) = run.replay(done);
                assert!(low <= truth && truth <= high, "{name} at {done}: {low} to {high}, took {truth}");
                let ratio = likely / truth;
                assert!((0.5..2.0).contains(&ratio), "{name} at {done}: {ratio}");
            }
        }
    }

    #[test]
    fn frames_at_full_speed_are_estimated_as_they_are_and_others_better_later() {
        let even =
            |steps_at_speed| Run { frames: vec![(3.0, 2); 100], steps_at_speed, has_coarse_surface: true };
        for (done, most) in [(0.1, 2.0), (0.75, 1.5), (0.9, 1.2), (0.99, 1.05)] {
            let ratio = |run: Run| {
                let (estimate, truth) = run.replay(done);
                estimate.likely / truth
            };
            assert!((ratio(even(1.3)) - 1.0).abs() < 1e-12);
            let slower = ratio(even(3.0));
            assert!((1.0..most).contains(&slower), "{slower} at {done}");
        }
    }

    #[test]
    fn nothing_is_said_before_the_first_frame_and_nothing_is_left_after_the_last() {
        let scene = Scene::empty("octree", DVec3::ONE, 64, 3).with_frames(10, 60.0);
        let mut left = TimeLeft::new(&scene);
        left.record(0, 100.0, 0, &StepReport::default());
        assert_eq!(left.after(0), None);
        left.record(1, 2.0, 1, &StepReport::default());
        assert!(left.after(1).unwrap().text().contains(" to "));
        assert!(left.after(6).unwrap().text().starts_with("about "));
        assert_eq!(left.after(10).unwrap().likely, 0.0);
    }
}
