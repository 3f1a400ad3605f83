//! Known mistakes that tests can switch on, to see that the verification cases find them.
//!
//! A method crate declares its mistakes with [`declare_faults!`](crate::declare_faults) and asks for each one
//! where it would be made. Without the feature `faults` every answer is the constant `false`, so that a
//! release build has no trace of them. With the feature there is one switch for the process, and tests that
//! turn it run one after the other.

/// A mistake that can be switched on. It is identified by its address: declare it in a `static`.
#[derive(Debug)]
pub struct KnownFault {
    /// Its name, unique within its method.
    pub name: &'static str,
}

/// Declares the mistakes of a method in a module of their own: the enum `Fault`, the table `FAULTS` for the
/// method's descriptor, and the function `is`, which returns whether a mistake is to be made now.
#[macro_export]
macro_rules! declare_faults {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        /// A mistake that tests can switch on.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Fault {
            $($(#[$doc])* $name,)+
        }

        /// All of them, in the order of [`Fault`].
        pub static FAULTS: [$crate::faults::KnownFault; [$(stringify!($name)),+].len()] =
            [$($crate::faults::KnownFault { name: stringify!($name) },)+];

        /// Returns whether a mistake is to be made now.
        #[inline(always)]
        pub(crate) fn is(fault: Fault) -> bool {
            $crate::faults::is_on(&FAULTS[fault as usize])
        }
    };
}

/// Returns whether a mistake is to be made now.
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

    /// Returns whether a mistake is to be made now.
    #[inline]
    pub fn is_on(fault: &'static KnownFault) -> bool {
        ptr::eq(CURRENT.load(Ordering::Relaxed), fault)
    }

    /// Makes a mistake, in the whole process, until the value is dropped. Waits while another one is made.
    #[must_use]
    pub fn switch_on(fault: &'static KnownFault) -> SwitchedOn {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        CURRENT.store(ptr::from_ref(fault).cast_mut(), Ordering::SeqCst);
        SwitchedOn { _turn: turn }
    }

    /// A mistake is being made for as long as this value lives.
    pub struct SwitchedOn {
        _turn: MutexGuard<'static, ()>,
    }

    impl Drop for SwitchedOn {
        fn drop(&mut self) {
            CURRENT.store(ptr::null_mut(), Ordering::SeqCst);
        }
    }
}
