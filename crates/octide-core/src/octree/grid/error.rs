//! Why a set of root cells cannot be addressed.

use glam::IVec3;
use thiserror::Error;

/// The largest number of levels below the roots.
pub(super) const MAX_LEVELS: u8 = 14;

/// Coordinates of finest cells are signed 16-bit numbers.
const FINEST_RANGE: i64 = 1 << 15;

/// Numbers of nodes have 31 bits; half of them are left for children.
const MAX_ROOTS: usize = 1 << 30;

/// Why a set of root cells cannot be addressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum GridError {
    /// The finest cells would be too small a part of the roots.
    #[error("root cells span 2^{levels} finest cells; at most 2^{MAX_LEVELS} are possible")]
    Levels {
        /// The number of levels.
        levels: u8,
    },
    /// A root is too far from the origin, or two roots are too far from each other.
    #[error(
        "roots from {low} to {high} of 2^{levels} finest cells each are out of range; coordinates of finest cells go \
         from -32768 to 32767, and a tree spans at most 65535 of them"
    )]
    Range {
        /// The number of levels.
        levels: u8,
        /// The lowest coordinates of roots.
        low: IVec3,
        /// The highest coordinates of roots.
        high: IVec3,
    },
    /// There are more roots than there are numbers for nodes.
    #[error("{n_roots} root cells are too many; at most {MAX_ROOTS} are possible")]
    Count {
        /// The number of roots.
        n_roots: usize,
    },
}

/// Checks the levels and the lowest and highest coordinates of roots.
pub(super) fn check_range(levels: u8, low: IVec3, high: IVec3) -> Result<(), GridError> {
    if levels > MAX_LEVELS {
        return Err(GridError::Levels { levels });
    }
    let (first, end) = (low.as_i64vec3() << u32::from(levels), (high.as_i64vec3() + 1) << u32::from(levels));
    // Corners are numbered from the lowest one with 16 bits without a sign.
    let is_in = first.min_element() >= -FINEST_RANGE
        && end.max_element() <= FINEST_RANGE
        && (end - first).max_element() <= i64::from(u16::MAX);
    if is_in { Ok(()) } else { Err(GridError::Range { levels, low, high }) }
}

/// Checks the number of roots.
pub(super) fn check_count(n_roots: usize) -> Result<(), GridError> {
    if n_roots <= MAX_ROOTS { Ok(()) } else { Err(GridError::Count { n_roots }) }
}
