//! The cells of the tree on the vertical plane through the middle of the domain. Each cell that the plane
//! cuts is a square with an outline. Air is pale, liquid blue, cells near the surface amber, and smoke darker
//! the denser it is; finer cells have stronger colors.

use crate::image::Picture;
use octide_core::contract::CellSample;
use octide_core::scene::Domain;

#[cfg(test)]
mod tests;

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

/// What a picture of cells shows.
#[derive(Clone, Copy, Debug)]
pub struct CellsView<'a> {
    /// The cells of the tree, in any order.
    pub cells: &'a [CellSample],
    /// The box that they fill.
    pub domain: &'a Domain,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Draws the cells that the plane cuts.
pub fn render_cells(view: &CellsView) -> Picture {
    let mut canvas = Canvas::new(view.width, view.height);
    let Some(paper) = Paper::fit(view) else {
        return canvas.picture();
    };
    let cut: Vec<&CellSample> = view.cells.iter().filter(|c| paper.cuts(c)).collect();
    let finest = cut.iter().map(|c| c.size).fold(f32::INFINITY, f32::min);
    let coarsest = cut.iter().map(|c| c.size).fold(0.0, f32::max);
    let levels = (coarsest / finest).log2();
    let densest = cut.iter().map(|c| c.density).fold(0.0, f32::max);
    for cell in cut {
        let fineness = if levels > 0.5 { (coarsest / cell.size).log2() / levels } else { 1.0 };
        let ends = paint(cell);
        let fill = mix(ends[0], ends[1], fineness);
        let smoke = if densest > 0.0 { (cell.density / densest).clamp(0.0, 1.0).sqrt() } else { 0.0 };
        let fill = mix(fill, SMOKE, 0.85 * smoke);
        let half = 0.5 * cell.size;
        let low = paper.pixel(cell.center[0] - half, cell.center[1] + half);
        let high = paper.pixel(cell.center[0] + half, cell.center[1] - half);
        canvas.fill(low, high, fill);
        let pixels = cell.size * paper.scale;
        let outline = 0.8 * ((pixels - BARE) / BARE).clamp(0.0, 1.0);
        canvas.outline(low, [high[0] + 1, high[1] + 1], mix(fill, INK, outline), outline > 0.0);
    }
    let low = paper.pixel(paper.lo[0], paper.hi[1]);
    let high = paper.pixel(paper.hi[0], paper.lo[1]);
    canvas.outline(low, [high[0] + 1, high[1] + 1], FRAME, true);
    canvas.outline([low[0] - 1, low[1] - 1], [high[0] + 2, high[1] + 2], FRAME, true);
    canvas.picture()
}

/// Returns whether the surface may pass through a cell: it is nearer than the corners of the cell.
fn paint(cell: &CellSample) -> [Color; 2] {
    let reach = 0.5 * 3f32.sqrt() * cell.size;
    if cell.phi.abs() < reach {
        SURFACE
    } else if cell.phi < 0.0 {
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
    /// A quarter of the finest cell past the middle, where no cell has a face.
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

    fn cuts(&self, cell: &CellSample) -> bool {
        (cell.center[2] - self.z).abs() < 0.5 * cell.size
    }

    /// The pixel at a point. All cells round a shared corner to the same pixel.
    fn pixel(&self, x: f32, y: f32) -> [i32; 2] {
        let x = self.left + self.scale * (x.clamp(self.lo[0], self.hi[0]) - self.lo[0]);
        let y = self.top + self.scale * (self.hi[1] - y.clamp(self.lo[1], self.hi[1]));
        [x.round() as i32, y.round() as i32]
    }
}

struct Canvas {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
}

impl Canvas {
    fn new(width: u32, height: u32) -> Self {
        let pixels = width as usize * height as usize;
        Self { width, height, rgb: PAPER.map(|c| c as u8).repeat(pixels) }
    }

    /// Paints the pixels from `low` up to `high`, exclusive, clipped to the canvas.
    fn fill(&mut self, low: [i32; 2], high: [i32; 2], color: Color) {
        let clip = |v: i32, n: u32| v.clamp(0, n as i32) as usize;
        let (x0, x1) = (clip(low[0], self.width), clip(high[0], self.width));
        let (y0, y1) = (clip(low[1], self.height), clip(high[1], self.height));
        let color = color.map(|c| (c + 0.5) as u8);
        for y in y0..y1 {
            for x in x0..x1 {
                let at = 3 * (y * self.width as usize + x);
                self.rgb[at..at + 3].copy_from_slice(&color);
            }
        }
    }

    fn outline(&mut self, low: [i32; 2], high: [i32; 2], color: Color, shown: bool) {
        if shown {
            self.fill(low, [high[0], low[1] + 1], color);
            self.fill([low[0], high[1] - 1], high, color);
            self.fill(low, [low[0] + 1, high[1]], color);
            self.fill([high[0] - 1, low[1]], high, color);
        }
    }

    fn picture(self) -> Picture {
        Picture { width: self.width, height: self.height, rgb: self.rgb }
    }
}
