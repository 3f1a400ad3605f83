//! Motion through keyframes, with continuous linear and angular velocity.
//!
//! Positions: on each span, a cubic with given slopes at its ends. The slope at an inner key is the weighted
//! harmonic mean of the adjacent secants, per coordinate, or 0 if they differ in sign; it is 0 at the first
//! and the last key. Such a curve never overshoots a key, so that a body with a key on the floor does not dip
//! into it, and keys on a line at equal time intervals keep their speed.
//!
//! Rotations: the same cubic in its cumulative Bézier form on unit quaternions, `q(u) = q₀ exp(a B₁(u)) exp(b
//! B₂(u)) exp(c B₃(u))`, where `a` and `c` contain the angular velocities at the ends, `b` is the remaining
//! rotation to `q₁`, and the `Bᵢ` rise from 0 to 1. Rotations about a fixed axis follow the cubic of their
//! angle exactly. Between keys a body rotates in the shorter direction; a rotation by more than half a turn
//! needs additional keys.

use super::{Pose, RigidState};
use crate::geometry::value_error::{ValueError, finite, rotation};
use glam::{DQuat, DVec3};

/// A pose at a time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Keyframe {
    /// Seconds since the start.
    pub time: f64,
    /// The pose at that time.
    pub pose: Pose,
}

pub(super) fn validate(keys: &[Keyframe]) -> Result<(), ValueError> {
    if keys.is_empty() {
        return Err(ValueError::new(
            "keyframes",
            format_args!("an empty list"),
            "a list of at least one keyframe",
        ));
    }
    for (i, k) in keys.iter().enumerate() {
        let path = |name| format!("keyframes[{i}].{name}");
        if !k.time.is_finite() {
            return Err(ValueError::new(path("time"), k.time, "a finite number of seconds"));
        }
        if i > 0 && k.time <= keys[i - 1].time {
            let allowed = format!("greater than the time before it, {}", keys[i - 1].time);
            return Err(ValueError::new(path("time"), k.time, allowed));
        }
        finite(&path("position"), k.pose.position)?;
        rotation(&path("rotation"), k.pose.rotation)?;
    }
    Ok(())
}

pub(super) fn state(keys: &[Keyframe], t: f64) -> RigidState {
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return RigidState::REST };
    if keys.len() < 2 || t <= first.time || t >= last.time {
        let pose = if t >= last.time { last.pose } else { first.pose };
        return RigidState { pose, linear: DVec3::ZERO, angular: DVec3::ZERO };
    }
    // The span with keys[i].time <= t < keys[i + 1].time. The clamp only matters for times that are NaN or
    // out of order.
    let i = keys.partition_point(|k| k.time <= t).clamp(1, keys.len() - 1) - 1;
    let (k0, k1) = (&keys[i], &keys[i + 1]);
    let h = k1.time - k0.time;
    if h <= 0.0 {
        return RigidState { pose: k1.pose, linear: DVec3::ZERO, angular: DVec3::ZERO };
    }
    let u = (t - k0.time) / h;

    let (v0, w0) = slopes(keys, i);
    let (v1, w1) = slopes(keys, i + 1);

    // Cumulative Bernstein polynomials of degree three and their derivatives.
    let v = 1.0 - u;
    let rise = [1.0 - v * v * v, u * u * (3.0 - 2.0 * u), u * u * u];
    let slope = [3.0 * v * v, 6.0 * u * v, 3.0 * u * u].map(|s| s / h);

    let ends = (v0 * h / 3.0, v1 * h / 3.0);
    let steps = [ends.0, k1.pose.position - k0.pose.position - ends.0 - ends.1, ends.1];
    let position =
        k0.pose.position + (0..3).map(|j| steps[j] * rise[j]).fold(DVec3::ZERO, |sum, step| sum + step);
    let linear = (0..3).map(|j| steps[j] * slope[j]).fold(DVec3::ZERO, |sum, step| sum + step);

    let q0 = k0.pose.rotation.normalize();
    let (a, c) = (w0 * h / 3.0, w1 * h / 3.0);
    let between = DQuat::from_scaled_axis(-a) * turn(k0, k1) * DQuat::from_scaled_axis(-c);
    let turns = [a, log(between), c];
    let mut q = q0;
    // In body axes: the contribution of each factor is rotated by the factors after it.
    let mut omega = DVec3::ZERO;
    for j in 0..3 {
        let factor = DQuat::from_scaled_axis(turns[j] * rise[j]);
        omega = factor.inverse() * omega + turns[j] * slope[j];
        q *= factor;
    }
    let rotation = q.normalize();
    RigidState { pose: Pose { position, rotation }, linear, angular: rotation * omega }
}

/// Number of moments within a span between keys at which its speed is sampled.
const N_MOMENTS: u32 = 7;

/// Returns moments within each span between two keys, see [`super::Motion::brief_moments`].
pub(super) fn brief_moments(keys: &[Keyframe], start: f64, end: f64) -> Vec<(f64, f64)> {
    let first = keys.partition_point(|k| k.time <= start).max(1) - 1;
    let mut out = Vec::new();
    for pair in keys[first.min(keys.len())..].windows(2).take_while(|pair| pair[0].time < end) {
        let (low, high) = (pair[0].time, pair[1].time);
        for j in 1..=N_MOMENTS {
            let t = low + (high - low) * f64::from(j) / f64::from(N_MOMENTS + 1);
            if t >= start && t <= end {
                out.push((low.max(start), t));
            }
        }
    }
    out
}

/// Returns linear and angular velocity at key `i`, the latter in the axes of the body at that key.
fn slopes(keys: &[Keyframe], i: usize) -> (DVec3, DVec3) {
    if i == 0 || i + 1 == keys.len() {
        return (DVec3::ZERO, DVec3::ZERO);
    }
    let (a, b, c) = (&keys[i - 1], &keys[i], &keys[i + 1]);
    let (h0, h1) = (b.time - a.time, c.time - b.time);
    if h0 <= 0.0 || h1 <= 0.0 {
        return (DVec3::ZERO, DVec3::ZERO);
    }
    let secants =
        |x: DVec3, y: DVec3| DVec3::from_array([0, 1, 2].map(|k| mean(x[k] / h0, y[k] / h1, h0, h1)));
    let velocity = secants(b.pose.position - a.pose.position, c.pose.position - b.pose.position);
    // The axis of a rotation is the same before and after it, so both are in the axes at key i.
    let rate = secants(log(turn(a, b)), log(turn(b, c)));
    (velocity, rate)
}

/// Returns the weighted harmonic mean of two secants over spans of lengths `h0` and `h1`; 0 unless both rise
/// or both fall.
fn mean(d0: f64, d1: f64, h0: f64, h1: f64) -> f64 {
    if d0 * d1 <= 0.0 {
        return 0.0;
    }
    let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
    (w0 + w1) / (w0 / d0 + w1 / d1)
}

/// Returns the rotation from one key to the next, in the axes of the first.
fn turn(from: &Keyframe, to: &Keyframe) -> DQuat {
    (from.pose.rotation.inverse() * to.pose.rotation).normalize()
}

/// Returns the rotation vector of `q` in the shorter direction.
fn log(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let axis = DVec3::new(q.x, q.y, q.z);
    let sin = axis.length();
    // 2 atan2(s, w)/s → 2/w for small s; exact to rounding below this limit.
    let factor = if sin < 1e-9 { 2.0 } else { 2.0 * sin.atan2(q.w) / sin };
    axis * factor
}
