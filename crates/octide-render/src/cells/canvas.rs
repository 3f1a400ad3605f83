//! Squares, lines and polygons on a picture, without antialiasing.

use super::Color;
use crate::image::Picture;

/// A picture that is being drawn.
pub(super) struct Canvas {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
}

/// A line on the canvas, in pixels.
pub(super) type Segment = [[f32; 2]; 2];

impl Canvas {
    pub fn new(width: u32, height: u32, background: Color) -> Self {
        let pixels = width as usize * height as usize;
        Self { width, height, rgb: background.map(|c| c as u8).repeat(pixels) }
    }

    /// Paints the pixels from `low` to `high`, exclusive, that are on the canvas.
    pub fn fill(&mut self, low: [i32; 2], high: [i32; 2], color: Color) {
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

    /// Paints the outline of the pixels from `low` to `high`, exclusive.
    pub fn outline(&mut self, low: [i32; 2], high: [i32; 2], color: Color) {
        self.fill(low, [high[0], low[1] + 1], color);
        self.fill([low[0], high[1] - 1], high, color);
        self.fill(low, [low[0] + 1, high[1]], color);
        self.fill([high[0] - 1, low[1]], high, color);
    }

    /// Paints the pixels whose centers lie inside the polygons bounded by the segments, which may be in any
    /// order: those from which a ray crosses an odd number of segments. Polygons may have any shape, and
    /// holes.
    pub fn fill_inside(&mut self, segments: &[Segment], color: Color) {
        let ys = segments.iter().flatten().map(|p| p[1]);
        let (low, high) = ys.fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), y| (l.min(y), h.max(y)));
        // The first pixel whose center is at or beyond a coordinate.
        let first = |x: f32, n: u32| (x - 0.5).ceil().clamp(0.0, n as f32) as i32;
        for y in first(low, self.height)..first(high, self.height) {
            let center = y as f32 + 0.5;
            let crossings = segments.iter().filter(|[p, q]| (p[1] <= center) != (q[1] <= center));
            let mut xs: Vec<f32> =
                crossings.map(|[p, q]| p[0] + (center - p[1]) / (q[1] - p[1]) * (q[0] - p[0])).collect();
            xs.sort_unstable_by(f32::total_cmp);
            for pair in xs.chunks_exact(2) {
                let (from, to) = (first(pair[0], self.width), first(pair[1], self.width));
                self.fill([from, y], [to, y + 1], color);
            }
        }
    }

    /// Paints a line of one pixel's width between the pixels that its ends round to.
    pub fn line(&mut self, segment: Segment, color: Color) {
        let [[x0, y0], [x1, y1]] = segment.map(|p| p.map(f32::round));
        let n = (x1 - x0).abs().max((y1 - y0).abs());
        // Longer than any picture, or not a number: it cannot be drawn.
        if n.is_nan() || n > 65_536.0 {
            return;
        }
        for i in 0..=n as i32 {
            let s = if n > 0.0 { i as f32 / n } else { 0.0 };
            let at = [x0 + s * (x1 - x0), y0 + s * (y1 - y0)].map(|v| v.round() as i32);
            self.fill(at, at.map(|v| v + 1), color);
        }
    }

    pub fn picture(self) -> Picture {
        Picture { width: self.width, height: self.height, rgb: self.rgb }
    }
}
