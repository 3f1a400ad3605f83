//! The rooms that all of Octide's methods share.
//!
//! Data flows one way: a [`scene::Scene`] goes into a [`contract::Method`], the method takes steps, and what
//! it shows of itself is a [`contract::Frame`]. Nothing here names a paper, a file format or a window.
//!
//! Signed distance to a mesh:
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
//! An octree that is fine near a surface, the tables derived from it, and the surface extracted as a mesh:
//!
//! ```
//! use octide_core::geometry::Shape;
//! use octide_core::octree::{Grading, MergedFaces, Nodes, Octree, RootGrid};
//! use octide_core::scene::Domain;
//! use octide_core::surface::extract::extract;
//! use octide_core::{DVec3, par};
//!
//! let shape = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.3 };
//! let domain = Domain { origin: DVec3::ZERO, size: DVec3::ONE, resolution: 64, levels: 4 };
//! let grid = RootGrid::from_domain(&domain);
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
//! Promises: no global state, and no result that depends on the number of threads.
//! Not promised: a stable interface before 1.0.

pub mod apertures;
pub mod bins;
pub mod ceiling;
pub mod contract;
pub mod faults;
pub mod flows;
pub mod geometry;
pub mod health;
pub mod held;
pub mod index;
pub mod memory;
pub mod octree;
pub mod open_sides;
pub mod par;
pub mod pressure;
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

pub use glam::{DVec3, IVec3};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
