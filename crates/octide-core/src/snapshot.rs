//! A state as named columns of plain numbers, for saving and restoring.
//!
//! A method writes its columns to a [`Store`] one by one, so that no second copy of the state is needed. A
//! [`Snapshot`] is a store in memory, from which a state is restored. This module does not know where columns
//! are kept.

use std::collections::BTreeMap;
use thiserror::Error;

/// A sink for columns. Each name may be used only once.
pub trait Store {
    /// Stores a column.
    fn put(&mut self, name: &str, values: Values<'_>);
}

/// The values of a column, to be stored.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Values<'a> {
    /// Bytes, flags, text.
    U8(&'a [u8]),
    /// Ids, indices and small counts.
    U32(&'a [u32]),
    /// Large counts.
    U64(&'a [u64]),
    /// Single-precision floating-point numbers.
    F32(&'a [f32]),
    /// Double-precision floating-point numbers.
    F64(&'a [f64]),
}

/// The values of a column, owned.
#[derive(Clone, PartialEq, Debug)]
pub enum Column {
    /// Bytes, flags, text.
    U8(Vec<u8>),
    /// Ids, indices and small counts.
    U32(Vec<u32>),
    /// Large counts.
    U64(Vec<u64>),
    /// Single-precision floating-point numbers.
    F32(Vec<f32>),
    /// Double-precision floating-point numbers.
    F64(Vec<f64>),
}

impl Column {
    /// Returns a view of the values.
    pub fn values(&self) -> Values<'_> {
        match self {
            Self::U8(v) => Values::U8(v),
            Self::U32(v) => Values::U32(v),
            Self::U64(v) => Values::U64(v),
            Self::F32(v) => Values::F32(v),
            Self::F64(v) => Values::F64(v),
        }
    }
}

impl Values<'_> {
    fn to_column(self) -> Column {
        match self {
            Self::U8(v) => Column::U8(v.to_vec()),
            Self::U32(v) => Column::U32(v.to_vec()),
            Self::U64(v) => Column::U64(v.to_vec()),
            Self::F32(v) => Column::F32(v.to_vec()),
            Self::F64(v) => Column::F64(v.to_vec()),
        }
    }
}

/// The reason why a state cannot be restored from a snapshot.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SnapshotError {
    /// A column is missing or has values of another type.
    #[error("there is no column {name:?} of type {kind}")]
    Missing {
        /// The column.
        name: String,
        /// The expected type.
        kind: &'static str,
    },
    /// A column has the wrong length.
    #[error("the column {name:?} has {found} values, not {expected}")]
    Length {
        /// The column.
        name: String,
        /// The expected number of values.
        expected: usize,
        /// The number of values found.
        found: usize,
    },
    /// A column has an invalid value.
    #[error("the column {name:?} is wrong: {reason}")]
    Value {
        /// The column.
        name: String,
        /// The reason why it is invalid.
        reason: String,
    },
}

impl SnapshotError {
    /// Creates the error for a column with an invalid value.
    pub fn value(name: &str, reason: impl Into<String>) -> Self {
        Self::Value { name: name.to_owned(), reason: reason.into() }
    }
}

/// Columns in memory.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Snapshot {
    columns: BTreeMap<String, Column>,
}

impl Store for Snapshot {
    fn put(&mut self, name: &str, values: Values<'_>) {
        let before = self.columns.insert(name.to_owned(), values.to_column());
        debug_assert!(before.is_none(), "two columns are called {name}");
    }
}

macro_rules! take {
    ($(#[$doc:meta])* $name:ident, $kind:ident, $type:ty) => {
        $(#[$doc])*
        pub fn $name(&mut self, name: &str) -> Result<Vec<$type>, SnapshotError> {
            match self.columns.remove(name) {
                Some(Column::$kind(values)) => Ok(values),
                _ => Err(SnapshotError::Missing { name: name.to_owned(), kind: stringify!($type) }),
            }
        }
    };
}

impl Snapshot {
    take!(
        /// Takes a column of bytes out.
        u8s, U8, u8
    );
    take!(
        /// Takes a column of 32-bit numbers out.
        u32s, U32, u32
    );
    take!(
        /// Takes a column of 64-bit numbers out.
        u64s, U64, u64
    );
    take!(
        /// Takes a column of single-precision floating-point numbers out, finite or not.
        raw_f32s, F32, f32
    );
    take!(
        /// Takes a column of double-precision floating-point numbers out, finite or not.
        raw_f64s, F64, f64
    );

    /// Inserts a column; returns false if there already is one of that name.
    #[must_use]
    pub fn insert(&mut self, name: String, column: Column) -> bool {
        match self.columns.entry(name) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(column);
                true
            }
            std::collections::btree_map::Entry::Occupied(_) => false,
        }
    }

    /// Returns whether there is a column of that name.
    pub fn has(&self, name: &str) -> bool {
        self.columns.contains_key(name)
    }

    /// Returns the columns in the order of their names.
    pub fn columns(&self) -> impl Iterator<Item = (&str, &Column)> {
        self.columns.iter().map(|(name, column)| (name.as_str(), column))
    }

    /// Takes a column of finite double-precision numbers out, checking that there are `n` if that is given.
    pub fn f64s(&mut self, name: &str, n: Option<usize>) -> Result<Vec<f64>, SnapshotError> {
        let values = self.raw_f64s(name)?;
        checked(name, values.len(), n)?;
        match values.iter().position(|v| !v.is_finite()) {
            Some(i) => Err(SnapshotError::value(name, format!("value {i} is not finite"))),
            None => Ok(values),
        }
    }

    /// Takes a column of finite single-precision numbers out, checking that there are `n` if that is given.
    pub fn f32s(&mut self, name: &str, n: Option<usize>) -> Result<Vec<f32>, SnapshotError> {
        let values = self.raw_f32s(name)?;
        checked(name, values.len(), n)?;
        match values.iter().position(|v| !v.is_finite()) {
            Some(i) => Err(SnapshotError::value(name, format!("value {i} is not finite"))),
            None => Ok(values),
        }
    }

    /// Takes a fixed number of 64-bit numbers out.
    pub fn counts<const N: usize>(&mut self, name: &str) -> Result<[u64; N], SnapshotError> {
        let values = self.u64s(name)?;
        let found = values.len();
        values.try_into().map_err(|_| SnapshotError::Length { name: name.to_owned(), expected: N, found })
    }

    /// Takes a fixed number of finite numbers out.
    pub fn numbers<const N: usize>(&mut self, name: &str) -> Result<[f64; N], SnapshotError> {
        let values = self.f64s(name, Some(N))?;
        let found = values.len();
        values.try_into().map_err(|_| SnapshotError::Length { name: name.to_owned(), expected: N, found })
    }

    /// Takes a text out.
    pub fn text(&mut self, name: &str) -> Result<String, SnapshotError> {
        String::from_utf8(self.u8s(name)?).map_err(|_| SnapshotError::value(name, "it is no text"))
    }
}

fn checked(name: &str, found: usize, expected: Option<usize>) -> Result<(), SnapshotError> {
    match expected {
        Some(expected) if expected != found => {
            Err(SnapshotError::Length { name: name.to_owned(), expected, found })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_out_as_they_went_in_and_only_once() {
        let mut s = Snapshot::default();
        s.put("a", Values::F64(&[1.0, -0.0]));
        s.put("b", Values::U8(b"text"));
        s.put("c", Values::U64(&[7, 8]));
        assert!(s.has("a") && !s.has("d"));
        assert_eq!(s.numbers::<2>("a").unwrap().map(f64::to_bits), [1.0, -0.0].map(f64::to_bits));
        assert!(matches!(s.raw_f64s("a"), Err(SnapshotError::Missing { .. })));
        assert_eq!(s.text("b").unwrap(), "text");
        assert!(matches!(s.counts::<3>("c"), Err(SnapshotError::Length { expected: 3, found: 2, .. })));
    }

    #[test]
    fn numbers_that_are_none_are_refused_with_their_column() {
        let mut s = Snapshot::default();
        s.put("phi", Values::F64(&[1.0, f64::NAN]));
        let error = s.f64s("phi", Some(2)).unwrap_err();
        assert_eq!(error.to_string(), "the column \"phi\" is wrong: value 1 is not finite");
        s.put("phi", Values::F64(&[1.0]));
        assert_eq!(s.f64s("phi", Some(2)).unwrap_err().to_string(), "the column \"phi\" has 1 values, not 2");
    }

    #[test]
    fn no_name_comes_twice() {
        let mut s = Snapshot::default();
        assert!(s.insert("a".into(), Column::U8(vec![1])));
        assert!(!s.insert("a".into(), Column::U8(vec![2])));
        assert_eq!(s.u8s("a").unwrap(), [1]);
    }
}
