//! Deliberate mistakes that tests can switch on, to check that the verification cases detect them.
//!
//! A method crate declares its faults with [`declare_faults!`](crate::declare_faults) and queries each one
//! where it would be made. Without the feature `faults` every query is the constant `false`, so that a
//! release build contains no trace of them. With the feature there is one switch per process, and tests that
//! use it run one after the other.

/// A fault that can be switched on. It is identified by its address: declare it in a `static`.
#[derive(Debug)]
pub struct KnownFault {
    /// Its name, unique within its method.
    pub name: &'static str,
}

/// Declares the faults of a method in a separate module: the enum `Fault`, the table `FAULTS` for the
/// method's descriptor, and the function `is`, which returns whether a fault is switched on.
#[macro_export]
macro_rules! declare_faults {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        /// A fault that tests can switch on.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Fault {
            $($(#[$doc])* $name,)+
        }

        /// All faults, in the order of [`Fault`].
        pub static FAULTS: [$crate::faults::KnownFault; [$(stringify!($name)),+].len()] =
            [$($crate::faults::KnownFault { name: stringify!($name) },)+];

        /// Returns whether a fault is switched on.
        #[inline(always)]
        pub(crate) fn is(fault: Fault) -> bool {
            $crate::faults::is_on(&FAULTS[fault as usize])
        }
    };
}

/// Returns whether a fault is switched on.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub const fn is_on(_: &'static KnownFault) -> bool {
    false
}

#[cfg(feature = "faults")]
pub use switch::{SwitchedOn, is_on, switch_on};

#[cfg(feature = "faults")]
mod switch {
    use super::KnownFault;
    use std::ptr;
    use std::sync::atomic::{AtomicPtr, Ordering};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    static CURRENT: AtomicPtr<KnownFault> = AtomicPtr::new(ptr::null_mut());
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

    /// Returns whether a fault is switched on.
    #[inline]
    pub fn is_on(fault: &'static KnownFault) -> bool {
        ptr::eq(CURRENT.load(Ordering::Relaxed), fault)
    }

    /// Switches a fault on, in the whole process, until the returned value is dropped. Waits while another
    /// one is on.
    #[must_use]
    pub fn switch_on(fault: &'static KnownFault) -> SwitchedOn {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        CURRENT.store(ptr::from_ref(fault).cast_mut(), Ordering::SeqCst);
        SwitchedOn { _turn: turn }
    }

    /// Keeps a fault switched on for as long as this value lives.
    pub struct SwitchedOn {
        _turn: MutexGuard<'static, ()>,
    }

    impl Drop for SwitchedOn {
        fn drop(&mut self) {
            CURRENT.store(ptr::null_mut(), Ordering::SeqCst);
        }
    }
}
