//! The PLY files of a run: surfaces, particles and, if requested, the grid's cells. Binary, little-endian.

mod cells;
mod header;
mod particles;
mod surface;

pub use cells::{read_cells, write_cells};
pub use particles::{read_particles, write_particles};
pub use surface::{read_surface, write_surface};

use octide_core::scene::Up;

/// Converts a vector to the file's axes: `(x, y, z) → (x, −z, y)` if z points up in files.
fn to_file(v: [f32; 3], up: Up) -> [f32; 3] {
    match up {
        Up::Y => v,
        Up::Z => [v[0], -v[2], v[1]],
    }
}

/// Converts a vector from the file's axes.
fn from_file(v: [f32; 3], up: Up) -> [f32; 3] {
    match up {
        Up::Y => v,
        Up::Z => [v[0], v[2], -v[1]],
    }
}
