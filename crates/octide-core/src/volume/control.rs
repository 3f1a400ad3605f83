//! The target of the liquid's volume, and the divergence that restores what transport has lost.
//!
//! With x the relative error and y its integral over time, the projection is given the divergence −(kp x + ki
//! y)/(x + 1), where kp recovers 90 % in the time of a fall through the domain, or in 25 steps if that is
//! longer, and ki = kp²/16. (If it were always 25 steps, shorter steps would make the liquid faster, which
//! would make steps even shorter.)

use crate::index::{CellId, Field};

/// The target divergence in the liquid, in 1/s.
#[derive(Clone, Debug)]
pub enum Divergence {
    /// The same everywhere.
    Same(f64),
    /// One value per cell; nothing in cells that solids cut.
    Of(Field<CellId, f64>),
    /// One value per cell, those that solids cut too.
    BesideSolids(Field<CellId, f64>),
}

impl From<f64> for Divergence {
    fn from(divergence: f64) -> Self {
        Self::Same(divergence)
    }
}

impl Divergence {
    /// Returns the target divergence in a cell.
    #[inline]
    pub fn at(&self, cell: CellId) -> f64 {
        match self {
            Self::Same(d) => *d,
            Self::Of(field) | Self::BesideSolids(field) => field[cell],
        }
    }

    /// Returns whether cells that solids cut have the target divergence, too.
    pub fn acts_beside_solids(&self) -> bool {
        matches!(self, Self::BesideSolids(_))
    }

    /// Returns whether the target divergence is zero everywhere.
    pub fn is_zero(&self) -> bool {
        matches!(self, Self::Same(0.0))
    }
}

/// State of the volume correction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeControl {
    /// The target volume in m³.
    pub target: f64,
    /// The relative error, integrated over time.
    pub integral: f64,
    /// Relative volume restored so far.
    pub restored: f64,
    /// The largest target volume so far, in m³.
    pub most: f64,
    /// Volume that has entered so far, in m³.
    pub volume_in: f64,
    /// Volume that has left so far, in m³.
    pub volume_out: f64,
}

impl VolumeControl {
    /// Starts with the current volume as the target.
    pub fn new(volume: f64) -> Self {
        Self { target: volume, integral: 0.0, restored: 0.0, most: volume, volume_in: 0.0, volume_out: 0.0 }
    }

    /// Accounts for the volume that entered and left in a step of `dt` that began with `there` of liquid:
    /// `[volume_in, volume_out]` in m³ by setting the surface, and `crossing`, the volume rates into cells
    /// through faces in m³/s, negative outward.
    ///
    /// Only what can have happened is counted, so that the target is always the initial volume plus what has
    /// entered less what has left, and never negative: no more leaves than was there, and no more enters than
    /// there is room for in `capacity`, which is computed only if something enters. Returns the volume that
    /// should have crossed faces and found no room.
    pub fn account(
        &mut self,
        there: f64,
        [volume_in, volume_out]: [f64; 2],
        crossing: &[(CellId, f64)],
        dt: f64,
        capacity: impl FnOnce() -> f64,
    ) -> f64 {
        let through = |way: f64| crossing.iter().map(|&(_, q)| dt * (way * q).max(0.0)).sum::<f64>();
        let pushed = through(1.0);
        let [coming, going] = [volume_in + pushed, volume_out + through(-1.0)];
        let room = if coming > 0.0 { (capacity() - self.target + going).max(0.0) } else { 0.0 };
        let entered = coming.min(room);
        let left = going.min(there.min(self.target).max(0.0) + entered);
        self.volume_in += entered;
        self.volume_out += left;
        self.target = (self.target + entered - left).max(0.0);
        self.most = self.most.max(self.target);
        (coming - entered).min(pushed)
    }

    /// Accounts for volume in m³ that came in and went out, where both are measured exactly, and for what was `moved`
    /// to where the flow did not put it.
    pub fn settle(&mut self, volume_in: f64, volume_out: f64, moved: f64) {
        self.volume_in += volume_in;
        self.volume_out += volume_out;
        self.target += volume_in - volume_out;
        self.most = self.most.max(self.target);
        if self.most > 0.0 {
            self.restored += moved / self.most;
        }
    }

    /// Returns the error of `volume`, relative to the largest target so far: the last drops in a draining
    /// tank cannot be measured to a few percent of their own volume.
    pub fn drift(&self, volume: f64) -> f64 {
        if self.most > 0.0 { (volume - self.target) / self.most } else { 0.0 }
    }

    /// Returns the target divergence of a step of `dt`, in 1/s, and the state after it. 90 % of an error are
    /// recovered in `time`, or in 25 steps if that is longer.
    pub fn correct(mut self, volume: f64, dt: f64, time: f64) -> (f64, Self) {
        let x = self.drift(volume);
        self.integral += x * dt;
        let kp = 10f64.ln() / time.max(25.0 * dt);
        let ki = kp * kp / 16.0;
        let divergence = -(kp * x + ki * self.integral) / (x + 1.0).max(0.1);
        self.restored += divergence * dt;
        (divergence, self)
    }

    /// Returns the state as plain numbers, for serialization.
    pub fn to_numbers(&self) -> [f64; 6] {
        let Self { target, integral, restored, most, volume_in, volume_out } = *self;
        [target, integral, restored, most, volume_in, volume_out]
    }

    /// Restores the state from the numbers of [`Self::to_numbers`].
    pub fn from_numbers(&[target, integral, restored, most, volume_in, volume_out]: &[f64; 6]) -> Self {
        Self { target, integral, restored, most, volume_in, volume_out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correction_gives_back_most_of_the_loss_in_25_steps() {
        let (mut control, mut volume) = (VolumeControl::new(1.0), 0.95);
        for _ in 0..25 {
            let (divergence, next) = control.correct(volume, 0.004, 0.01);
            control = next;
            volume *= 1.0 + 0.004 * divergence;
        }
        assert!((volume - 1.0).abs() < 0.3 * 0.05, "{volume}");
    }

    #[test]
    fn short_steps_do_not_ask_for_fast_water() {
        let ask = |dt| VolumeControl::new(1.0).correct(0.99, dt, 0.2).0;
        assert!((ask(1e-6) - ask(1e-3)).abs() < 0.01 * ask(1e-3));
    }

    #[test]
    fn what_comes_and_goes_is_counted_up_to_what_there_is_room_for() {
        let mut control = VolumeControl::new(1.0);
        let crossing = [(CellId(3), 2.0), (CellId(4), -1.0)];
        assert_eq!(control.account(1.0, [0.25, 0.125], &crossing, 0.5, || 9.0), 0.0);
        assert_eq!((control.target, control.volume_in, control.volume_out), (1.625, 1.25, 0.625));
        // Of 1 m³ that should enter, 0.625 m³ finds room.
        assert_eq!(control.account(1.625, [0.0, 0.0], &crossing, 0.5, || 1.75), 0.375);
        assert_eq!((control.target, control.volume_in, control.volume_out), (1.75, 1.875, 1.125));
        // Nothing enters, so the capacity is not computed.
        control.account(1.75, [0.0, 0.5], &crossing[1..], 0.5, || unreachable!());
        assert_eq!(control.target, 0.75);
    }

    #[test]
    fn no_more_leaves_than_is_there_and_the_balance_is_always_exact() {
        let mut control = VolumeControl::new(1.0);
        let crossing = [(CellId(3), 2.0)];
        // 0.3 m³ were lost, so that only 0.7 m³ can leave.
        control.account(0.7, [0.0, 2.0], &[], 0.5, || unreachable!());
        assert_eq!(control.volume_out, 0.7);
        assert!((control.target - (1.0 - 0.7)).abs() < 1e-15);
        // Liquid that numerics have created does not make the balance negative.
        control.account(0.9, [0.25, 2.0], &[], 0.5, || 5.0);
        assert_eq!((control.target, control.volume_in), (0.0, 0.25));
        assert!((control.volume_out - 1.25).abs() < 1e-15);
        // A solid has taken up room: nothing enters, and nothing is taken back.
        let mut control = VolumeControl::new(1.0);
        assert_eq!(control.account(1.0, [0.5, 0.0], &crossing[..1], 0.5, || 0.75), 1.0);
        assert_eq!((control.target, control.volume_in), (1.0, 0.0));
    }
}
