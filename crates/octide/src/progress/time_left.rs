//! The time that a run has left.
//!
//! Water gets slower to simulate as it speeds up and breaks up: frames before an impact are cheap. Recent
//! frames alone said a fifth of what was to come after a tenth of `dam-break` at resolution 64. So frames to
//! come are assumed to take longer than recent ones, by a factor that falls from 2 at the start to 1 at the
//! end:
//!
//! ```text
//! likely = (mean of recent frames) · (frames left) · (1 + r²),   r = (frames left) / (all frames)
//! ```
//!
//! The factor is the middle of what twelve runs have needed, from 0.65 to 5 after a tenth of the frames. How
//! wide the range is follows from the same runs, which are listed in `docs/command.md`.

use crate::text::duration;
use std::collections::VecDeque;

/// The estimate starts from this many recent frames.
const RECENT_FRAMES: usize = 5;

/// Until this fraction of the frames is complete, the range is shown.
const SHOW_RANGE_UNTIL: f64 = 0.5;

/// Measures frames and estimates the time that the others take.
pub struct TimeLeft {
    n_frames: u32,
    /// Seconds that recent frames took.
    recent: VecDeque<f64>,
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
    /// Starts to measure a run of `n_frames` frames after frame 0.
    pub fn new(n_frames: u32) -> Self {
        Self { n_frames, recent: VecDeque::new() }
    }

    /// Records that a frame took some seconds. Frame 0 is the start and says nothing about the others.
    pub fn record(&mut self, frame: u32, seconds: f64) {
        if frame == 0 {
            return;
        }
        self.recent.push_back(seconds);
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
        let mean = self.recent.iter().sum::<f64>() / self.recent.len() as f64;
        let left = n / f64::from(self.n_frames);
        let slower = left * left;
        let likely = mean * n * (1.0 + slower);
        Some(Estimate {
            likely,
            low: likely / (2.0 + slower),
            high: likely * (2.0 + 1.5 * slower),
            done: 1.0 - left,
        })
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

    /// Cells of all steps of each frame of two runs, which take time in proportion: `dam-break` at 64 by
    /// `octree`, which falls before it splashes, and `milk-crown` at 48 by `nodal-octree`, which splashes at
    /// once.
    const DAM_BREAK: &[f64] = &[
        17.0, 17.0, 17.0, 17.0, 17.0, 17.0, 17.0, 18.0, 37.0, 39.0, 40.0, 42.0, 43.0, 45.0, 68.0, 47.0, 50.0,
        55.0, 59.0, 63.0, 66.0, 69.0, 72.0, 73.0, 76.0, 78.0, 80.0, 82.0, 83.0, 85.0, 87.0, 87.0, 86.0,
        127.0, 84.0, 84.0, 163.0, 162.0, 122.0, 123.0, 122.0, 124.0, 84.0, 83.0, 83.0, 124.0, 83.0, 124.0,
        125.0, 84.0, 85.0, 85.0, 84.0, 85.0, 85.0, 86.0, 87.0, 87.0, 87.0, 87.0,
    ];
    const MILK_CROWN: &[f64] = &[
        20.0, 20.0, 39.0, 19.0, 19.0, 19.0, 19.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 21.0, 21.0, 21.0,
        21.0, 21.0, 21.0, 21.0, 21.0, 21.0, 21.0, 21.0, 22.0, 22.0, 22.0, 22.0, 22.0, 22.0, 22.0, 22.0, 22.0,
        22.0, 22.0, 22.0, 23.0, 22.0, 23.0, 23.0, 23.0, 23.0, 23.0, 23.0, 23.0, 23.0, 23.0, 23.0, 23.0, 23.0,
        23.0, 22.0, 23.0, 23.0, 23.0, 22.0, 22.0, 22.0, 22.0,
    ];

    /// The estimate after a fraction of a run.
    fn replay(seconds: &[f64], done: f64) -> (Estimate, f64) {
        let mut left = TimeLeft::new(seconds.len() as u32);
        let k = (done * seconds.len() as f64).round() as usize;
        for (i, &s) in seconds[..k].iter().enumerate() {
            left.record(i as u32 + 1, s);
        }
        (left.after(k as u32).unwrap(), seconds[k..].iter().sum())
    }

    #[test]
    fn the_range_contains_what_recorded_runs_took() {
        for (name, seconds) in [("dam-break", DAM_BREAK), ("milk-crown", MILK_CROWN)] {
            for done in [0.1, 0.25, 0.5, 0.75, 0.9] {
                let (estimate, truth) = replay(seconds, done);
                let Estimate { low, likely, high, .. } = estimate;
                assert!(low <= truth && truth <= high, "{name} at {done}: {low} to {high}, took {truth}");
                let ratio = likely / truth;
                assert!(done < 0.2 || (0.5..2.0).contains(&ratio), "{name} at {done}: {ratio}");
            }
        }
    }

    #[test]
    fn even_frames_are_estimated_within_a_factor_of_two_and_better_later() {
        for (done, most) in [(0.1, 2.0), (0.5, 1.3), (0.9, 1.05)] {
            let (estimate, truth) = replay(&[3.0; 100], done);
            let ratio = estimate.likely / truth;
            assert!((1.0..most).contains(&ratio), "{ratio} at {done}");
        }
    }

    #[test]
    fn nothing_is_said_before_the_first_frame_and_nothing_is_left_after_the_last() {
        let mut left = TimeLeft::new(10);
        left.record(0, 100.0);
        assert_eq!(left.after(0), None);
        left.record(1, 2.0);
        assert!(left.after(1).unwrap().text().contains(" to "));
        assert!(left.after(6).unwrap().text().starts_with("about "));
        assert_eq!(left.after(10).unwrap().likely, 0.0);
    }
}
