//! Known mistakes that tests can switch on, to see that the cases of `octide-verify` find them.
//!
//! Without the feature `faults` all of it is the constant false. With it there is one switch for the process:
//! tests that turn it run one after the other.

/// A mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Faces are as open as the volume around them, not as their own area.
    VolumeFractions,
    /// The small cells at a T-junction count with the wrong sign in the pressure's gradient.
    FlippedTJunction,
    /// φ is carried on as it is, never made a distance again.
    NoRedistancing,
    /// Gravity does not act along z.
    NoGravityAlongZ,
    /// p = 0 at the centers of air cells, not on the surface.
    FirstOrderSurface,
    /// θ is floored at 10⁻².
    ThetaFloor,
    /// Eq. (24) divides by φ summed over all cells of the face, those in the air too.
    DepthOfAll,
    /// Lost volume is not given back.
    NoVolumeCorrection,
    /// The pressure solve stops at a relative residual of 10⁻².
    LooseSolve,
    /// The volume is summed in an order that threads decide.
    UnorderedSum,
    /// Surface tension pulls without the projection's gradient factor.
    TensionWithoutFactor,
    /// The curvature is that of the liquid cells, not of the surface.
    CurvatureOffSurface,
}

/// All of them.
pub const ALL: [Fault; 12] = [
    Fault::VolumeFractions,
    Fault::FlippedTJunction,
    Fault::NoRedistancing,
    Fault::NoGravityAlongZ,
    Fault::FirstOrderSurface,
    Fault::ThetaFloor,
    Fault::DepthOfAll,
    Fault::NoVolumeCorrection,
    Fault::LooseSolve,
    Fault::UnorderedSum,
    Fault::TensionWithoutFactor,
    Fault::CurvatureOffSurface,
];

/// Whether a mistake is made.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub(crate) const fn is(_: Fault) -> bool {
    false
}

#[cfg(feature = "faults")]
pub(crate) use switch::is;
#[cfg(feature = "faults")]
pub use switch::{On, switch_on};

#[cfg(feature = "faults")]
mod switch {
    use super::Fault;
    use std::sync::atomic::{AtomicU8, Ordering};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    const NONE: u8 = u8::MAX;
    static NOW: AtomicU8 = AtomicU8::new(NONE);
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

    /// Whether a mistake is made.
    #[inline]
    pub(crate) fn is(fault: Fault) -> bool {
        NOW.load(Ordering::Relaxed) == fault as u8
    }

    /// Makes a mistake, in the whole process, until the value is dropped. Waits while another one is made.
    #[must_use]
    pub fn switch_on(fault: Fault) -> On {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        NOW.store(fault as u8, Ordering::SeqCst);
        On { _turn: turn }
    }

    /// A mistake is being made.
    pub struct On {
        _turn: MutexGuard<'static, ()>,
    }

    impl Drop for On {
        fn drop(&mut self) {
            NOW.store(NONE, Ordering::SeqCst);
        }
    }
}
