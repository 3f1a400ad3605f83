//! Preview pictures of Octide frames on the CPU.
//!
//! [`render_water`] traces rays through the liquid's surface: reflection and refraction, absorption with
//! depth, caustics on the floor. [`render_smoke`] marches rays through smoke that casts shadows on itself,
//! solids and the floor. [`render_cells`] draws the cells of the tree on a cut through the domain.
//! [`Picture`]s are written as PNG, and many of them as one [`Animation`].
//!
//! ```
//! use octide_core::contract::Surface;
//! use octide_core::geometry::primitives::icosphere;
//! use octide_core::{DVec3, scene::Scene};
//! use octide_render::{WaterView, render_water};
//!
//! let scene = Scene::empty("octree", DVec3::ONE, 64, 3);
//! let water = Surface { mesh: icosphere(DVec3::splat(0.4), 0.3, 4), ..Surface::default() };
//! let picture = render_water(&WaterView {
//!     surface: &water, // of a frame: `&frame.surface`
//!     solids: &[],
//!     domain: &scene.domain,
//!     camera: None,
//!     width: 160,
//!     height: 90,
//!     samples: 4,
//! });
//! picture.write(&std::env::temp_dir().join("octide-render-example.png"))?;
//! # std::fs::remove_file(std::env::temp_dir().join("octide-render-example.png")).unwrap();
//! # Ok::<(), octide_render::ImageError>(())
//! ```
//!
//! Promises: identical bytes for the same frame, whatever the number of threads; a picture for every mesh,
//! even if it is empty, open or broken. Not promised: physically exact light.

mod bvh;
mod camera;
mod cells;
mod floor;
mod fog;
mod image;
mod noise;
mod optics;
mod render;
#[cfg(test)]
#[path = "../examples/gallery/shapes.rs"]
#[allow(dead_code, reason = "shared with the gallery, which draws cells too")]
mod shapes;
mod sky;
mod smoke;
mod solid_mesh;
mod spray;
mod stage;
mod trace;
mod traced_mesh;
mod water;

pub use cells::{CellsView, render_cells};
pub use image::{Animation, ImageError, Picture, animate};
pub use smoke::{SmokeView, render_smoke};
pub use solid_mesh::solid_mesh;
pub use spray::with_spray;
pub use water::{WaterView, render_water};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
