//! The edges of the domain as thin faint lines, hidden by objects in front of them.

use crate::camera::{PinholeCamera, corners};
use crate::stage::Stage;
use glam::{Vec2, Vec3};

const COLOR: Vec3 = Vec3::new(0.93, 0.97, 1.0);
const STRENGTH: f32 = 0.20;

/// Blends the lines into colors; `seen` holds the depth of each pixel.
pub fn draw(colors: &mut [Vec3], seen: &[(Vec3, f32)], width: u32, eye: &PinholeCamera, stage: &Stage) {
    let height = (colors.len() / width as usize) as f32;
    let size = Vec2::new(width as f32, height);
    let points = corners(stage.scene.lo, stage.scene.hi);
    for i in 0..8 {
        for axis in 0..3 {
            let j = i | 1 << axis;
            if j == i {
                continue;
            }
            let Some([a, b]) = eye.clip(points[i], points[j]) else {
                continue;
            };
            let ((pa, za), (pb, zb)) = (eye.project(a), eye.project(b));
            line(pa * size - 0.5, pb * size - 0.5, |at, share, s| {
                let inside = at.cmpge(Vec2::ZERO).all() && at.cmplt(size).all();
                if !inside {
                    return;
                }
                let pixel = at.y as usize * width as usize + at.x as usize;
                // Along a projected line the inverse of depth is linear.
                let depth = 1.0 / ((1.0 - s) / za + s / zb);
                if depth <= seen[pixel].1 * 1.004 {
                    colors[pixel] = colors[pixel].lerp(COLOR, STRENGTH * share);
                }
            });
        }
    }
}

/// Walks along a line one pixel at a time in its longer direction and distributes each step over two pixels.
/// `put` gets the pixel, its weight, and the position along the line.
fn line(a: Vec2, b: Vec2, mut put: impl FnMut(Vec2, f32, f32)) {
    let d = b - a;
    let steep = d.y.abs() > d.x.abs();
    let turn = |p: Vec2| if steep { Vec2::new(p.y, p.x) } else { p };
    let (a, b) = (turn(a), turn(b));
    let length = b.x - a.x;
    let (lo, hi) = (a.x.min(b.x).ceil().max(-1.0), a.x.max(b.x).floor().min(65_536.0));
    let mut x = lo;
    while x <= hi && length != 0.0 {
        let s = (x - a.x) / length;
        let y = a.y + s * (b.y - a.y);
        let low = y.floor();
        put(turn(Vec2::new(x, low)), 1.0 - (y - low), s);
        put(turn(Vec2::new(x, low + 1.0)), y - low, s);
        x += 1.0;
    }
}
