//! Extinction at any point: a grid of equal blocks, each an octree of cells.
//!
//! A block is empty, one cell, or has eight parts that are again empty, a cell, or divided. Rays skip empty
//! blocks and parts in one step. Within a cell extinction is the trilinear mix of its corners.

use super::EXTINCTION;
use crate::traced_mesh::UnitScene;
use glam::{IVec3, Vec3};
use octide_core::contract::{Smoke, SmokeCell};

/// Number of blocks along the longest side of the smoke.
const BLOCKS: u32 = 32;
/// Cells with less than this density at all corners are left out.
const LEAST: f32 = 1e-4;
/// A part without smoke.
const EMPTY: u32 = u32::MAX;
/// Marks a cell's number.
const CELL: u32 = 1 << 31;

/// The extinction of smoke, for rays.
pub struct Field {
    /// The corner from which the finest cells are counted.
    origin: Vec3,
    /// Edge length of the finest cells.
    pub dx: f32,
    /// The first block, and how many there are.
    first: IVec3,
    n: IVec3,
    /// log₂ of the number of finest cells along a block.
    log2: u32,
    blocks: Vec<u32>,
    parts: Vec<[u32; 8]>,
    /// Extinction at the corners of cells.
    cells: Vec<[f32; 8]>,
    /// Position and size of cells, in finest cells.
    places: Vec<(IVec3, i32)>,
    pub lo: Vec3,
    pub hi: Vec3,
}

/// The box that contains a point, and its cell unless it is empty.
pub struct Spot {
    pub lo: Vec3,
    pub size: f32,
    pub cell: Option<u32>,
}

impl Field {
    /// Collects all visible cells; `None` if there are none.
    pub fn new(smoke: &Smoke, scene: &UnitScene) -> Option<Self> {
        let corners = |c: &SmokeCell| {
            c.corners.map(|i| EXTINCTION * smoke.density.get(i as usize).copied().unwrap_or(0.0))
        };
        let mut cells = Vec::new();
        let mut places = Vec::new();
        let (mut low, mut high) = (IVec3::MAX, IVec3::MIN);
        for cell in smoke.cells.iter().filter(|c| c.size.is_power_of_two()) {
            // NaN and negative values count as 0.
            let values = corners(cell).map(|v| if v > 0.0 && v.is_finite() { v } else { 0.0 });
            if values.iter().any(|&v| v > EXTINCTION * LEAST) {
                let (at, size) = (cell.low.as_ivec3(), cell.size as i32);
                (low, high) = (low.min(at), high.max(at + size));
                cells.push(values);
                places.push((at, size));
            }
        }
        if cells.is_empty() {
            return None;
        }
        let longest = (high - low).max_element() as u32;
        let log2 = longest.div_ceil(BLOCKS).next_power_of_two().ilog2();
        let first = low >> log2 as i32;
        let n = ((high - 1) >> log2 as i32) - first + 1;
        let origin = scene.point(smoke.origin);
        let dx = (scene.scale() * smoke.dx) as f32;
        let mut field = Self {
            origin,
            dx,
            first,
            n,
            log2,
            blocks: vec![EMPTY; (n.x * n.y * n.z) as usize],
            parts: Vec::new(),
            cells,
            places,
            lo: origin + dx * low.as_vec3(),
            hi: origin + dx * high.as_vec3(),
        };
        for cell in 0..field.cells.len() {
            field.insert(cell as u32);
        }
        Some(field)
    }

    fn insert(&mut self, cell: u32) {
        let (low, size) = self.places[cell as usize];
        let edge = 1 << self.log2;
        if size >= edge {
            let (from, n) = ((low >> self.log2 as i32) - self.first, size >> self.log2);
            for i in 0..n * n * n {
                let b = self.block(from + IVec3::new(i % n, i / n % n, i / (n * n)));
                self.blocks[b] = cell | CELL;
            }
            return;
        }
        let b = self.block((low >> self.log2 as i32) - self.first);
        let mut at = Slot::Block(b);
        let mut half = edge / 2;
        loop {
            let octant = octant_of(low, half);
            let code = *self.slot(at);
            let parts = if code == EMPTY || code & CELL != 0 {
                self.parts.push([EMPTY; 8]);
                let new = self.parts.len() as u32 - 1;
                *self.slot(at) = new;
                new
            } else {
                code
            };
            at = Slot::Part(parts as usize, octant);
            if half == size {
                *self.slot(at) = cell | CELL;
                return;
            }
            half /= 2;
        }
    }

    fn slot(&mut self, at: Slot) -> &mut u32 {
        match at {
            Slot::Block(b) => &mut self.blocks[b],
            Slot::Part(p, octant) => &mut self.parts[p][octant],
        }
    }

    fn block(&self, b: IVec3) -> usize {
        ((b.z * self.n.y + b.y) * self.n.x + b.x) as usize
    }

    /// Finds the box at a point; outside of all blocks, that of the nearest one.
    pub fn find(&self, p: Vec3) -> Spot {
        let at = ((p - self.origin) / self.dx).floor().as_ivec3();
        let at = at.clamp(self.first << self.log2 as i32, ((self.first + self.n) << self.log2 as i32) - 1);
        let mut code = self.blocks[self.block((at >> self.log2 as i32) - self.first)];
        let mut size = 1 << self.log2;
        while code != EMPTY && code & CELL == 0 {
            size /= 2;
            code = self.parts[code as usize][octant_of(at, size)];
        }
        let (low, size, cell) = if code == EMPTY {
            (at & !(size - 1), size, None)
        } else {
            let cell = code & !CELL;
            let (low, size) = self.places[cell as usize];
            (low, size, Some(cell))
        };
        Spot { lo: self.origin + self.dx * low.as_vec3(), size: self.dx * size as f32, cell }
    }

    /// Returns the extinction at a point of a cell.
    pub fn within(&self, spot: &Spot, cell: u32, p: Vec3) -> f32 {
        let s = ((p - spot.lo) / spot.size).clamp(Vec3::ZERO, Vec3::ONE);
        let v = &self.cells[cell as usize];
        let mix = |a: f32, b: f32, s: f32| a + s * (b - a);
        let x = [0, 2, 4, 6].map(|i| mix(v[i], v[i + 1], s.x));
        mix(mix(x[0], x[1], s.y), mix(x[2], x[3], s.y), s.z)
    }

    /// Calls `f` with each cell's number, low corner, size and mean extinction.
    pub fn for_cells(&self, mut f: impl FnMut(u32, Vec3, f32, f32)) {
        for (i, (values, &(low, size))) in (0u32..).zip(self.cells.iter().zip(&self.places)) {
            let mean = values.iter().sum::<f32>() / 8.0;
            f(i, self.origin + self.dx * low.as_vec3(), self.dx * size as f32, mean);
        }
    }
}

#[derive(Clone, Copy)]
enum Slot {
    Block(usize),
    Part(usize, usize),
}

/// Returns the octant of edge length `half` that contains a position.
fn octant_of(at: IVec3, half: i32) -> usize {
    let bit = |a: usize| usize::from(at[a] & half != 0) << a;
    bit(0) | bit(1) | bit(2)
}
