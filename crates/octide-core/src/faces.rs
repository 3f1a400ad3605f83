//! Parts shared by methods that store velocity on the faces of a tree, one component along each face's axis.
//!
//! | module | job |
//! |---|---|
//! | [`geometry`] | positions of faces, for merged and for split T-junctions |
//! | [`apertures`] | the open fraction of each face, and the velocity of the solid that closes the rest |
//! | [`wet`] | the part of each cell outside solids, and how solids that move change it |
//! | [`inflows`] | faces whose velocity inflows prescribe |
//! | [`open_sides`] | faces on open sides of the domain, through which water only leaves |
//! | [`detach`] | walls of solids that water has detached from |
//! | [`friction`] | faces on which walls slow the water |
//! | [`sealed`] | water without contact to air or an open side |
//! | [`pockets`] | air that is shut in |
//! | [`figures`] | counts that these methods report |
//!
//! Methods that store velocity at vertices or in cells do not need this room: solids, inflows as regions and
//! totals are generic ([`crate::solids`], [`crate::flows`], [`crate::totals`]).

pub mod apertures;
pub mod detach;
pub mod figures;
pub mod friction;
pub mod geometry;
pub mod inflows;
pub mod open_sides;
pub mod pockets;
pub mod sealed;
pub mod wet;

pub use apertures::Apertures;
pub use geometry::{FaceCorners, FaceGeometry, FaceTable};
pub use wet::{WetCell, WetCells, solid_outflow, swept_flow};
