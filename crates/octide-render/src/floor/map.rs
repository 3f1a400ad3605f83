//! A map of the light on the floor.

use glam::{Vec2, Vec3};

/// Texels over a rectangle; the light is 1 outside of it.
pub struct Map {
    from: Vec2,
    texel: f32,
    nx: usize,
    ny: usize,
    values: Vec<Vec3>,
}

impl Map {
    /// Returns a dark map with square texels, `n` of them along the longer side.
    pub fn over(from: Vec2, to: Vec2, n: f32) -> Self {
        let size = to - from;
        let texel = size.max_element() / n;
        let (nx, ny) = ((size.x / texel).ceil() as usize, (size.y / texel).ceil() as usize);
        Self { from, texel, nx, ny, values: vec![Vec3::ZERO; nx * ny] }
    }

    pub fn size(&self) -> (usize, usize) {
        (self.nx, self.ny)
    }

    /// Returns the point of the floor at a position counted in texels.
    pub fn point(&self, at: Vec2) -> Vec2 {
        self.from + self.texel * at
    }

    pub fn fill(&mut self, values: Vec<Vec3>) {
        debug_assert_eq!(values.len(), self.values.len());
        self.values = values;
    }

    /// Returns the four texels around a point, with weights that sum to 1; those outside are left out.
    fn around(&self, p: Vec2) -> impl Iterator<Item = (usize, f32)> + use<> {
        let at = (p - self.from) / self.texel - 0.5;
        let low = at.floor();
        let s = at - low;
        let (nx, ny) = (self.nx as f32, self.ny as f32);
        let row = self.nx;
        [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].into_iter().filter_map(move |(i, j)| {
            let cell = low + Vec2::new(i, j);
            let inside = cell.x >= 0.0 && cell.y >= 0.0 && cell.x < nx && cell.y < ny;
            let w = (if i > 0.5 { s.x } else { 1.0 - s.x }) * (if j > 0.5 { s.y } else { 1.0 - s.y });
            inside.then(|| (cell.y as usize * row + cell.x as usize, w))
        })
    }

    /// Adds light at a point, distributed over the texels around it.
    pub fn splat(&mut self, p: Vec2, light: Vec3) {
        for (i, w) in self.around(p) {
            self.values[i] += w * light;
        }
    }

    /// Returns the light at a point.
    pub fn at(&self, p: Vec2) -> Vec3 {
        let mut sum = Vec3::ZERO;
        let mut weight = 0.0;
        for (i, w) in self.around(p) {
            sum += w * self.values[i];
            weight += w;
        }
        sum + Vec3::splat(1.0 - weight)
    }

    /// Sets the outermost texels, so that the map ends without a seam.
    pub fn seal(&mut self, value: Vec3) {
        let (nx, ny) = (self.nx, self.ny);
        for (i, v) in self.values.iter_mut().enumerate() {
            let (x, y) = (i % nx, i / nx);
            if x == 0 || y == 0 || x + 1 == nx || y + 1 == ny {
                *v = value;
            }
        }
    }

    /// Smooths by (1 4 6 4 1)/16 along both directions.
    pub fn blur(&mut self) {
        const W: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];
        let (nx, ny) = (self.nx as isize, self.ny as isize);
        for (dx, dy) in [(1, 0), (0, 1)] {
            let old = std::mem::take(&mut self.values);
            let value = |x: isize, y: isize| old[(y.clamp(0, ny - 1) * nx + x.clamp(0, nx - 1)) as usize];
            let smooth = |x: isize, y: isize| -> Vec3 {
                (-2..3).zip(W).map(|(k, w)| w * value(x + k * dx, y + k * dy)).sum()
            };
            self.values =
                (0..ny).flat_map(|y| (0..nx).map(move |x| (x, y))).map(|(x, y)| smooth(x, y)).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_splats_are_even_and_blur_keeps_them() {
        let mut map = Map::over(Vec2::new(-1.0, 0.5), Vec2::new(2.0, 1.5), 30.0);
        let (nx, ny) = map.size();
        assert_eq!((nx, ny), (30, 10));
        for y in -2..ny as i32 + 2 {
            for x in -2..nx as i32 + 2 {
                // Shifted, as flat water shifts light.
                let p = map.point(Vec2::new(x as f32 + 0.8, y as f32 + 0.1));
                map.splat(p, Vec3::new(1.0, 0.5, 0.25));
            }
        }
        map.blur();
        let p = Vec2::new(0.123, 1.017);
        assert!(map.at(p).abs_diff_eq(Vec3::new(1.0, 0.5, 0.25), 1e-4), "{}", map.at(p));
        assert!(map.at(Vec2::new(5.0, 5.0)).abs_diff_eq(Vec3::ONE, 1e-6));
    }
}
