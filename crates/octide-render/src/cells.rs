//! The cells of the grid on the vertical plane through the middle of the domain. Each cell that the plane
//! cuts is a square or, if it is not a cube, a polygon, with an outline. Air is pale, liquid blue, cells near
//! the surface amber, and smoke darker the denser it is; finer cells have stronger colors.

mod canvas;
mod cut;
#[cfg(test)]
mod tests;

use crate::image::Picture;
use canvas::{Canvas, Segment};
use cut::cut;
use glam::Vec2;
use octide_core::contract::{Cells, Cube};
use octide_core::scene::Domain;

type Color = [f32; 3];

const PAPER: Color = [247.0, 248.0, 249.0];
const INK: Color = [38.0, 50.0, 66.0];
const FRAME: Color = [60.0, 72.0, 88.0];
/// Colors of the coarsest and of the finest cells.
const AIR: [Color; 2] = [[238.0, 241.0, 244.0], [206.0, 214.0, 224.0]];
const LIQUID: [Color; 2] = [[168.0, 214.0, 238.0], [40.0, 118.0, 190.0]];
const SURFACE: [Color; 2] = [[255.0, 226.0, 150.0], [246.0, 162.0, 40.0]];
/// Color of the densest smoke.
const SMOKE: Color = [92.0, 70.0, 96.0];
/// Margin, as a fraction of the shorter side of the picture.
const MARGIN: f32 = 0.05;
/// Cells smaller than this many pixels have no outline; it fades in up to twice that size.
const BARE: f32 = 3.0;

/// The content of a picture of cells.
#[derive(Clone, Copy, Debug)]
pub struct CellsView<'a> {
    /// The grid's cells.
    pub cells: &'a Cells,
    /// The box that the cells fill.
    pub domain: &'a Domain,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Draws the cells that the plane cuts.
pub fn render_cells(view: &CellsView) -> Picture {
    let mut canvas = Canvas::new(view.width, view.height, PAPER);
    let Some(paper) = Paper::fit(view) else {
        return canvas.picture();
    };
    let cells = view.cells;
    let shown = shown(cells, paper.z);
    let dyes = Dyes::new(cells, &shown, paper.scale);
    // Cubes come first.
    let n_cubes = shown.iter().take_while(|s| s.cell < cells.cubes.len()).count();
    let (cubes, others) = shown.split_at(n_cubes);
    for square in cubes {
        let Cube { center, size } = cells.cubes[square.cell];
        let low = paper.pixel(center[0] - 0.5 * size, center[1] + 0.5 * size);
        let high = paper.pixel(center[0] + 0.5 * size, center[1] - 0.5 * size);
        let (fill, outline) = dyes.of(square);
        canvas.fill(low, high, fill);
        if let Some(outline) = outline {
            canvas.outline(low, [high[0] + 1, high[1] + 1], outline);
        }
    }
    let polygons: Vec<Vec<Segment>> = others
        .iter()
        .map(|s| s.segments.iter().map(|ends| ends.map(|p| paper.place(p.x, p.y))).collect())
        .collect();
    // All outlines are drawn after all areas; otherwise a neighbor would cover half of them.
    for (polygon, segments) in others.iter().zip(&polygons) {
        canvas.fill_inside(segments, dyes.of(polygon).0);
    }
    for (polygon, segments) in others.iter().zip(&polygons) {
        if let Some(outline) = dyes.of(polygon).1 {
            segments.iter().for_each(|&segment| canvas.line(segment, outline));
        }
    }
    let low = paper.pixel(paper.lo[0], paper.hi[1]);
    let high = paper.pixel(paper.hi[0], paper.lo[1]);
    canvas.outline(low, [high[0] + 1, high[1] + 1], FRAME);
    canvas.outline([low[0] - 1, low[1] - 1], [high[0] + 2, high[1] + 2], FRAME);
    canvas.picture()
}

/// A cell that the plane cuts.
struct Shown {
    cell: usize,
    size: f32,
    /// The segments that bound the cut; empty for cubes, whose cut is a square.
    segments: Vec<[Vec2; 2]>,
}

/// Returns the cells that the plane at `z` cuts, in their order.
fn shown(cells: &Cells, z: f32) -> Vec<Shown> {
    let is_cut = |cube: &Cube| (cube.center[2] - z).abs() < 0.5 * cube.size;
    let cubes = cells.cubes.iter().enumerate().filter(|(_, cube)| is_cut(cube));
    let cubes = cubes.map(|(cell, cube)| Shown { cell, size: cube.size, segments: Vec::new() });
    let others = (cells.cubes.len()..cells.len()).filter_map(|cell| {
        let segments = cut(cells, cell, z);
        (!segments.is_empty()).then(|| Shown { cell, size: cells.size(cell), segments })
    });
    cubes.chain(others).collect()
}

/// The coloring of cells.
struct Dyes<'a> {
    cells: &'a Cells,
    coarsest: f32,
    /// Levels between the coarsest and the finest cells.
    levels: f32,
    densest: f32,
    /// Pixels per meter.
    scale: f32,
}

impl<'a> Dyes<'a> {
    fn new(cells: &'a Cells, shown: &[Shown], scale: f32) -> Self {
        let finest = shown.iter().map(|s| s.size).fold(f32::INFINITY, f32::min);
        let coarsest = shown.iter().map(|s| s.size).fold(0.0, f32::max);
        let densest = shown.iter().map(|s| cells.density(s.cell)).fold(0.0, f32::max);
        Self { cells, coarsest, levels: (coarsest / finest).log2(), densest, scale }
    }

    /// Returns the color of a cell, and of its outline if it has one.
    fn of(&self, shown: &Shown) -> (Color, Option<Color>) {
        let &Shown { cell, size, .. } = shown;
        let fineness = if self.levels > 0.5 { (self.coarsest / size).log2() / self.levels } else { 1.0 };
        let [coarse, fine] = paint(self.cells, cell);
        let fill = mix(coarse, fine, fineness);
        let density = self.cells.density(cell);
        let smoke = if self.densest > 0.0 { (density / self.densest).clamp(0.0, 1.0).sqrt() } else { 0.0 };
        let fill = mix(fill, SMOKE, 0.85 * smoke);
        let outline = 0.8 * ((size * self.scale - BARE) / BARE).clamp(0.0, 1.0);
        (fill, (outline > 0.0).then(|| mix(fill, INK, outline)))
    }
}

/// Returns the colors of a cell. The surface may pass through a cell if it is closer than the cell's
/// vertices.
fn paint(cells: &Cells, cell: usize) -> [Color; 2] {
    let phi = cells.phi[cell];
    if phi.abs() < cells.reach(cell) {
        SURFACE
    } else if phi < 0.0 {
        LIQUID
    } else {
        AIR
    }
}

fn mix(a: Color, b: Color, s: f32) -> Color {
    std::array::from_fn(|i| a[i] + s * (b[i] - a[i]))
}

/// The mapping from the plane to the picture.
struct Paper {
    lo: [f32; 2],
    hi: [f32; 2],
    /// Position of the plane: a quarter of the finest cell beyond the middle, where no cell has a face.
    z: f32,
    scale: f32,
    left: f32,
    top: f32,
}

impl Paper {
    fn fit(view: &CellsView) -> Option<Self> {
        let (origin, size) = (view.domain.origin.as_vec3(), view.domain.size.as_vec3());
        let (w, h) = (view.width as f32, view.height as f32);
        let margin = (MARGIN * w.min(h)).max(2.0);
        let scale = ((w - 2.0 * margin) / size.x).min((h - 2.0 * margin) / size.y);
        let fits = scale.is_finite() && scale > 0.0;
        fits.then(|| Self {
            lo: [origin.x, origin.y],
            hi: [origin.x + size.x, origin.y + size.y],
            z: origin.z + 0.5 * size.z + 0.25 * view.domain.dx() as f32,
            scale,
            left: 0.5 * (w - scale * size.x),
            top: 0.5 * (h - scale * size.y),
        })
    }

    /// Returns the pixel at a point. All cells round a shared corner to the same pixel.
    fn pixel(&self, x: f32, y: f32) -> [i32; 2] {
        self.place(x, y).map(|v| v.round() as i32)
    }

    /// Returns the position of a point in pixels.
    fn place(&self, x: f32, y: f32) -> [f32; 2] {
        let x = self.left + self.scale * (x.clamp(self.lo[0], self.hi[0]) - self.lo[0]);
        let y = self.top + self.scale * (self.hi[1] - y.clamp(self.lo[1], self.hi[1]));
        [x, y]
    }
}
