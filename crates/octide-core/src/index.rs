//! Typed ids and the columns they index, so that a face's number cannot be used to read a cell's value.
//!
//! ```compile_fail
//! use octide_core::index::{CellId, FaceId, Field};
//! let phi: Field<CellId, f64> = Field::filled(4, 0.0);
//! let k = FaceId(0);
//! let _ = phi[k]; // a face is not a cell
//! ```

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};

/// An integer that identifies a row of a table.
pub trait Id: Copy + Eq + Ord + Send + Sync + 'static {
    /// Returns the id of row `i`.
    fn from_index(i: usize) -> Self;
    /// Returns the row of this id.
    fn index(self) -> usize;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Marks absence: the neighbor of a cell at the boundary of the domain, the child of a leaf.
            pub const NONE: Self = Self(u32::MAX);

            /// Returns whether this is not [`Self::NONE`].
            #[inline]
            pub fn is_some(self) -> bool {
                self.0 != u32::MAX
            }

            /// Returns whether this is [`Self::NONE`].
            #[inline]
            pub fn is_none(self) -> bool {
                self.0 == u32::MAX
            }
        }

        impl Id for $name {
            #[inline]
            fn from_index(i: usize) -> Self {
                debug_assert!(i < u32::MAX as usize);
                Self(i as u32)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A leaf of an octree, numbered in Morton order.
    CellId
);
id!(
    /// A node of an octree: a root, an internal node or a leaf.
    TreeId
);
id!(
    /// A face between cells.
    FaceId
);
id!(
    /// A corner of cells.
    NodeId
);

/// One value for each id: a column of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Field<I, T> {
    values: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> Field<I, T> {
    /// Creates a column of `n` copies of `value`.
    pub fn filled(n: usize, value: T) -> Self
    where
        T: Clone,
    {
        Self::from_vec(vec![value; n])
    }

    /// Converts a plain vector to a column.
    pub fn from_vec(values: Vec<T>) -> Self {
        Self { values, id: PhantomData }
    }

    /// Converts the column to a plain vector.
    pub fn into_vec(self) -> Vec<T> {
        self.values
    }

    /// Returns all ids of the column in order.
    pub fn ids(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.values.len()).map(I::from_index)
    }
}

impl<I, T> Default for Field<I, T> {
    fn default() -> Self {
        Self { values: Vec::new(), id: PhantomData }
    }
}

impl<I: Id, T> Index<I> for Field<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, i: I) -> &T {
        &self.values[i.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Field<I, T> {
    #[inline]
    fn index_mut(&mut self, i: I) -> &mut T {
        &mut self.values[i.index()]
    }
}

/// A column can be read as a slice where ids do not matter.
impl<I, T> Deref for Field<I, T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.values
    }
}

impl<I, T> DerefMut for Field<I, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}
