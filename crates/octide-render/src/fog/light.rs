//! The light in smoke, on a grid over all of it.
//!
//! The optical depth τ(x) = ∫ σ dt from x to the sun is computed slice by slice, starting at the side of the
//! sun. Each slice interpolates the previous one where its rays pass, and adds the smoke in between:
//!
//! ```text
//! τ(x) = τ(x + d) + |d| (σ(x) + σ(x + d)) / 2,
//! ```
//!
//! where d leads to the previous slice. Shadows of solids are propagated in the same way, as the fraction of
//! rays that pass. Skylight comes from above and from four sides; there each slice blurs the previous one,
//! because skylight is diffuse.

use super::field::{Field, Spot};
use crate::bvh::{Ray, Sides, TriangleBvh};
use crate::sky::sun;
use glam::{IVec3, Vec3};

/// Cells along the longest side of the smoke.
const CELLS: f32 = 96.0;
/// Fraction of the skylight that comes from above; the rest comes from four sides.
const FROM_ABOVE: f32 = 0.5;
/// Skylight is attenuated by this fraction of the extinction, because scattered light adds to it.
const SKY_DEPTH: f32 = 0.5;

/// Light at the centers of grid cells.
pub struct Light {
    lo: Vec3,
    step: f32,
    n: IVec3,
    values: Vec<At>,
}

/// The light at a point.
#[derive(Clone, Copy, Default)]
pub struct At {
    /// Optical depth toward the sun.
    pub depth: f32,
    /// Fraction of the sun that solids do not hide.
    pub sun: f32,
    /// Fraction of the skylight.
    pub sky: f32,
}

impl Light {
    pub fn new(field: &Field, solids: &TriangleBvh) -> Self {
        let size = field.hi - field.lo;
        let step = size.max_element() / CELLS;
        // A border without smoke, which represents everything outside.
        let n = (size / step).ceil().as_ivec3() + 2;
        let mut light =
            Self { lo: field.lo - step, step, n, values: vec![At::default(); (n.x * n.y * n.z) as usize] };
        let smoke = light.density(field);
        light.sun(&smoke, solids);
        light.sky(&smoke);
        light
    }

    fn index(&self, c: IVec3) -> usize {
        ((c.z * self.n.y + c.y) * self.n.x + c.x) as usize
    }

    fn center(&self, c: IVec3) -> Vec3 {
        self.lo + self.step * (c.as_vec3() + 0.5)
    }

    /// Returns the mean extinction of grid cells: small cells of smoke are summed up, large ones are sampled.
    fn density(&self, field: &Field) -> Vec<f32> {
        let mut out = vec![0.0; self.values.len()];
        let inside = |p: Vec3| ((p - self.lo) / self.step).floor().as_ivec3().clamp(IVec3::ZERO, self.n - 1);
        field.for_cells(|cell, lo, size, mean| {
            if size <= self.step {
                out[self.index(inside(lo + 0.5 * size))] += mean * (size / self.step).powi(3);
                return;
            }
            let spot = Spot { lo, size, cell: Some(cell) };
            let (from, to) = (inside(lo + 0.5 * self.step), inside(lo + size - 0.5 * self.step));
            for z in from.z..=to.z {
                for y in from.y..=to.y {
                    for x in from.x..=to.x {
                        let c = IVec3::new(x, y, z);
                        let p = self.center(c);
                        let is_in = p.cmpge(lo).all() && p.cmplt(lo + size).all();
                        if is_in {
                            out[self.index(c)] += field.within(&spot, cell, p);
                        }
                    }
                }
            }
        });
        out
    }

    /// Computes the sunlight.
    fn sun(&mut self, smoke: &[f32], solids: &TriangleBvh) {
        let to_sun = sun();
        let axis = (0..3).fold(0, |best, a| if to_sun[a].abs() > to_sun[best].abs() { a } else { best });
        // One slice toward the sun.
        let d = to_sun / to_sun[axis].abs();
        let length = self.step * d.length();
        let is_low = to_sun[axis] < 0.0;
        let clear = At { depth: 0.0, sun: 1.0, sky: 1.0 };
        for k in 0..self.n[axis] {
            let slice = if is_low { k } else { self.n[axis] - 1 - k };
            for c in self.slice(axis, slice) {
                let from = c.as_vec3() + d;
                let (mut at, mut before) = (clear, 0.0);
                if k > 0 {
                    at = At { depth: 0.0, sun: 0.0, sky: 1.0 };
                    let mut outside = 1.0;
                    for (i, w) in self.around_in_slice(axis, from) {
                        at.depth += w * self.values[i].depth;
                        at.sun += w * self.values[i].sun;
                        before += w * smoke[i];
                        outside -= w;
                    }
                    at.sun += outside;
                }
                let i = self.index(c);
                at.depth += 0.5 * length * (before + smoke[i]);
                let ray = Ray::new(self.center(c), to_sun);
                // The first slice traces rays all the way to the sun.
                let reach = if k > 0 { length } else { f32::INFINITY };
                if at.sun > 0.0 && solids.blocked(&ray, reach, Sides::Front) {
                    at.sun = 0.0;
                }
                self.values[i] = at;
            }
        }
    }

    /// Computes the skylight.
    fn sky(&mut self, smoke: &[f32]) {
        let sides = [(1, true), (0, false), (0, true), (2, false), (2, true)];
        let mut sky = vec![0.0; smoke.len()];
        let mut depth = vec![0.0; smoke.len()];
        for (axis, from_high) in sides {
            let weight = if axis == 1 { FROM_ABOVE } else { (1.0 - FROM_ABOVE) / 4.0 };
            let back = if from_high { IVec3::AXES[axis] } else { -IVec3::AXES[axis] };
            for k in 0..self.n[axis] {
                let slice = if from_high { self.n[axis] - 1 - k } else { k };
                for c in self.slice(axis, slice) {
                    let i = self.index(c);
                    let mut sum = 0.0;
                    if k > 0 {
                        let (u, v) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
                        for (offset, w) in [(IVec3::ZERO, 0.4), (u, 0.15), (-u, 0.15), (v, 0.15), (-v, 0.15)]
                        {
                            let at = (c + back + offset).clamp(IVec3::ZERO, self.n - 1);
                            sum += w * depth[self.index(at)];
                        }
                    }
                    depth[i] = sum + self.step * smoke[i];
                    sky[i] += weight * (-SKY_DEPTH * depth[i]).exp();
                }
            }
        }
        for (value, sky) in self.values.iter_mut().zip(sky) {
            value.sky = sky;
        }
    }

    /// Returns the cells of a slice.
    fn slice(&self, axis: usize, k: i32) -> impl Iterator<Item = IVec3> + use<> {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (nu, nv) = (self.n[u], self.n[v]);
        (0..nu * nv).map(move |i| {
            let mut c = IVec3::ZERO;
            (c[axis], c[u], c[v]) = (k, i % nu, i / nu);
            c
        })
    }

    /// Returns the four cells around a position in a slice, counted in cells, with weights; those outside are
    /// left out.
    fn around_in_slice(&self, axis: usize, at: Vec3) -> impl Iterator<Item = (usize, f32)> {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let low = at.floor();
        let s = at - low;
        let mut base = low.as_ivec3();
        base[axis] = at[axis].round() as i32;
        [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().filter_map(move |(i, j)| {
            let mut c = base;
            c[u] += i;
            c[v] += j;
            let inside = c.cmpge(IVec3::ZERO).all() && c.cmplt(self.n).all();
            let w = (if i == 1 { s[u] } else { 1.0 - s[u] }) * (if j == 1 { s[v] } else { 1.0 - s[v] });
            inside.then(|| (self.index(c), w))
        })
    }

    /// Returns the light at a point of the smoke.
    pub fn at(&self, p: Vec3) -> At {
        let at = ((p - self.lo) / self.step - 0.5).clamp(Vec3::ZERO, self.n.as_vec3() - 1.001);
        let low = at.floor();
        let s = at - low;
        let c = low.as_ivec3();
        let (x, y, z) = ([1.0 - s.x, s.x], [1.0 - s.y, s.y], [1.0 - s.z, s.z]);
        let mut out = At::default();
        for i in 0..8usize {
            let w = x[i & 1] * y[i >> 1 & 1] * z[i >> 2];
            let o = IVec3::new(i as i32 & 1, i as i32 >> 1 & 1, i as i32 >> 2);
            let v = &self.values[self.index((c + o).min(self.n - 1))];
            out.depth += w * v.depth;
            out.sun += w * v.sun;
            out.sky += w * v.sky;
        }
        out
    }

    /// Returns the fraction of the sunlight that smoke transmits to any point.
    pub fn sun_through(&self, p: Vec3) -> f32 {
        let hi = self.lo + self.step * self.n.as_vec3();
        let to_sun = sun();
        let (a, b) = ((self.lo - p) / to_sun, (hi - p) / to_sun);
        let (enters, leaves) = (a.min(b).max_element().max(0.0), a.max(b).min_element());
        if enters < leaves { (-self.at(p + enters * to_sun).depth).exp() } else { 1.0 }
    }
}
