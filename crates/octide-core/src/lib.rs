//! The modules ("rooms") that all of Octide's methods share.
//!
//! Data flows in one direction: a method implements [`contract::Method`], starts from a [`scene::Scene`],
//! takes steps, and shows its state as a [`contract::Frame`]. Nothing in this crate depends on a particular
//! paper, file format or window.
//!
//! Computing the signed distance to a mesh:
//!
//! ```
//! use octide_core::DVec3;
//! use octide_core::geometry::MeshSdf;
//! use octide_core::geometry::primitives::icosphere;
//!
//! let ball = icosphere(DVec3::ZERO, 1.0, 4); // or any other closed `TriMesh`
//! let sdf = MeshSdf::new(&ball)?;
//! assert!((sdf.distance(DVec3::new(3.0, 0.0, 0.0)) - 2.0).abs() < 0.01);
//! assert!(sdf.distance(DVec3::ZERO) < 0.0, "negative inside");
//! # Ok::<(), octide_core::geometry::MeshError>(())
//! ```
//!
//! Building an octree that is fine near a surface, deriving its tables, and extracting the surface as a mesh:
//!
//! ```
//! use octide_core::geometry::Shape;
//! use octide_core::octree::{Grading, MergedFaces, Nodes, Octree};
//! use octide_core::scene::Domain;
//! use octide_core::surface::extract::extract;
//! use octide_core::{DVec3, par};
//!
//! let shape = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.3 };
//! let domain = Domain { origin: DVec3::ZERO, size: DVec3::ONE, resolution: 64, levels: 4 };
//! let grid = domain.root_grid();
//! let tree = Octree::build(&grid, Grading::Graded, |cell| shape.distance(cell.center).abs() < cell.size);
//! assert!(tree.n_cells() < 64 * 64 * 64 / 8, "a uniform grid has eight times as many cells");
//!
//! let faces = MergedFaces::new(&tree); // six for each cell, T-junctions merged
//! let nodes = Nodes::new(&tree); // corners, and which of them hang
//! assert!(faces.len() > tree.n_cells() && !nodes.hanging().is_empty());
//!
//! let phi = par::map(tree.n_cells(), |cell| shape.distance(tree.center(cell)));
//! let mesh = extract(&tree, &nodes, &phi).to_surface(|_, _| DVec3::ZERO).mesh;
//! assert!(mesh.is_closed_manifold());
//! ```
//!
//! Guarantees: there is no global state, and no result depends on the number of threads. The interface is not
//! stable before 1.0.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr))]

pub mod bins;
pub mod ceiling;
pub mod cell_pressure;
pub mod contract;
pub mod detach;
pub mod faces;
pub mod faults;
pub mod flows;
pub mod geometry;
pub mod health;
pub mod held;
pub mod index;
pub mod memory;
pub mod octree;
pub mod par;
pub mod particles;
pub mod probes;
pub mod random;
pub mod report;
pub mod scene;
pub mod sizing;
pub mod snapshot;
pub mod solids;
pub mod speeds;
pub mod stopwatch;
pub mod surface;
pub mod totals;
pub mod volume;
pub mod water_record;

pub use glam::{DVec3, IVec3};

/// Compiles and runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
