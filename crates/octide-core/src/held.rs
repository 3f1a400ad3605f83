//! A part of a state that a step may take, and puts back should it fail.

use std::ops::{Deref, DerefMut};

/// Something that is always there between steps. During a step it is taken once, as a value, so that the step
/// can drop it piece by piece; a failed step puts it back.
#[derive(Clone, Debug, PartialEq)]
pub struct Held<T>(Option<T>);

impl<T> Held<T> {
    /// Takes it out, until [`put_back`](Self::put_back).
    pub fn take(&mut self) -> T {
        self.0.take().unwrap_or_else(|| taken())
    }

    /// Puts it back.
    pub fn put_back(&mut self, value: T) {
        self.0 = Some(value);
    }
}

#[cold]
fn taken() -> ! {
    panic!("this part of the state was taken by the step and not put back")
}

impl<T> From<T> for Held<T> {
    fn from(value: T) -> Self {
        Self(Some(value))
    }
}

impl<T> Deref for Held<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_ref().unwrap_or_else(|| taken())
    }
}

impl<T> DerefMut for Held<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().unwrap_or_else(|| taken())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_back_is_there_again() {
        let mut held = Held::from(vec![1, 2]);
        let mut value = held.take();
        value.push(3);
        held.put_back(value);
        assert_eq!(*held, [1, 2, 3]);
    }

    #[test]
    #[should_panic(expected = "taken by the step")]
    fn what_was_taken_cannot_be_read() {
        let mut held = Held::from(1);
        held.take();
        let _ = *held;
    }
}
