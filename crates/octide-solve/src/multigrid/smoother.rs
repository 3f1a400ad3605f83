//! A level's matrix as tiles, the vectors of a cycle, and the steps of a cycle.
//!
//! Vectors here are padded to whole tiles and sorted within each. Every step runs over tiles, each of which
//! writes only its own part, so that the result does not depend on the number of threads.

use super::order::split;
use super::tile::{Block, TILE, Tile};
use rayon::prelude::*;
use std::cell::RefCell;

/// The matrix and the vectors of a level.
#[derive(Clone, Debug)]
pub(super) struct Smoother {
    pub tiles: Vec<Tile>,
    pub x: Vec<f32>,
    pub residual: Vec<f32>,
}

/// With fewer tiles, running them in parallel does not pay.
const PARALLEL_FROM: usize = 3;

/// Runs `work(t, tile, part)` on each tile and its item of `parts`.
pub(super) fn for_each<P: Send>(tiles: &[Tile], parts: Vec<P>, work: impl Fn(usize, &Tile, P) + Sync) {
    if tiles.len() >= PARALLEL_FROM && rayon::current_num_threads() > 1 {
        tiles.par_iter().zip(parts).enumerate().for_each(|(t, (tile, part))| work(t, tile, part));
    } else {
        tiles.iter().zip(parts).enumerate().for_each(|(t, (tile, part))| work(t, tile, part));
    }
}

/// Returns each tile's part of a vector.
pub(super) fn by_tile<T>(vector: &mut [T]) -> Vec<&mut [T]> {
    vector.chunks_mut(TILE).collect()
}

/// Returns each tile's part of a padded vector, with a length that the compiler knows.
pub(super) fn blocks<T>(vector: &mut [T]) -> Vec<&mut [T; TILE]> {
    vector.as_chunks_mut().0.iter_mut().collect()
}

thread_local! {
    /// Scratch blocks: clearing new ones for each tile would cost as much as a sweep over a small one.
    static SCRATCH: RefCell<[Block; 2]> = const { RefCell::new([[0.0; TILE]; 2]) };
}

/// Runs `work` with scratch blocks of arbitrary content. Calls must not be nested.
pub(super) fn with_scratch<R>(work: impl FnOnce(&mut Block, &mut Block) -> R) -> R {
    SCRATCH.with_borrow_mut(|[a, b]| work(a, b))
}

/// Returns a tile's part of a padded vector.
pub(super) fn block(vector: &[f32], t: usize) -> &Block {
    &vector.as_chunks().0[t]
}

impl Smoother {
    pub fn new(tiles: Vec<Tile>) -> Self {
        let n = tiles.len() * TILE;
        Self { tiles, x: vec![0.0; n], residual: vec![0.0; n] }
    }

    /// Smooths from zero: `x = M⁻¹ b`, and the residual except for couplings that leave the tiles. `load`
    /// writes a tile's part of `b` to its first block, and may use the second as scratch.
    pub fn sweep_down<P: Send>(
        &mut self,
        parts: Vec<P>,
        load: impl Fn(usize, &Tile, P, &mut Block, &mut Block) + Sync,
    ) {
        let Self { tiles, x, residual } = self;
        let parts = blocks(x).into_iter().zip(blocks(residual)).zip(parts).collect();
        for_each(tiles, parts, |t, tile, ((x, residual), part)| {
            with_scratch(|b, _| {
                load(t, tile, part, b, x);
                tile.sweep_from_zero(b, x, residual);
            });
        });
    }

    /// Completes the residual and sums it over the rows of each parent.
    pub fn restrict(&mut self, coarse: &mut [f32]) {
        let Self { tiles, x, residual } = self;
        let coarse = split(coarse, tiles.iter().map(|t| t.n_parents));
        let parts = blocks(residual).into_iter().zip(coarse).collect();
        for_each(tiles, parts, |t, tile, (residual, coarse)| {
            tile.subtract_outer(x, block(x, t), residual);
            with_scratch(|sums, _| tile.restrict(residual, coarse, sums));
        });
    }

    /// Completes the residual and undoes the sorting within tiles.
    pub fn unsort_residual(&mut self) {
        let Self { tiles, x, residual } = self;
        for_each(tiles, blocks(residual), |t, tile, residual| {
            tile.subtract_outer(x, block(x, t), residual);
            with_scratch(|unsorted, _| {
                tile.unsort(residual, unsorted);
                residual[..tile.len()].copy_from_slice(&unsorted[..tile.len()]);
            });
        });
    }

    /// Adds to each row the value of its parent.
    pub fn prolong(&mut self, coarse: &[f32]) {
        let Self { tiles, x, .. } = self;
        for_each(tiles, blocks(x), |_, tile, x| {
            let coarse = &coarse[tile.first_parent..tile.first_parent + tile.n_parents];
            with_scratch(|values, _| tile.prolong(coarse, x, values));
        });
    }

    /// Smooths backward to `z`, and passes each tile's part of it to `finish`, with a scratch block. `load`
    /// is as in [`Self::sweep_down`].
    pub fn sweep_up<P: Send>(
        &mut self,
        z: &mut [f32],
        parts: Vec<P>,
        load: impl Fn(usize, &Tile, &mut Block, &mut Block) + Sync,
        finish: impl Fn(usize, &Tile, P, &mut Block, &mut Block) + Sync,
    ) {
        let Self { tiles, x, .. } = self;
        let parts = blocks(z).into_iter().zip(parts).collect();
        for_each(tiles, parts, |t, tile, (z, part)| {
            with_scratch(|b, _| {
                load(t, tile, b, z);
                let own = block(x, t);
                tile.subtract_outer(x, own, b);
                z[..tile.len()].copy_from_slice(&own[..tile.len()]);
                tile.sweep_back(b, z);
                finish(t, tile, part, z, b);
            });
        });
    }

    /// Computes `y = A x` by tiles, each of which is then passed to `finish`, with a scratch block.
    pub fn multiply<P: Send>(
        tiles: &[Tile],
        x: &[f32],
        y: &mut [f32],
        parts: Vec<P>,
        finish: impl Fn(usize, &Tile, P, &mut Block, &mut Block) + Sync,
    ) {
        let parts = blocks(y).into_iter().zip(parts).collect();
        for_each(tiles, parts, |t, tile, (y, part)| {
            let own = block(x, t);
            tile.multiply_inner(own, y);
            tile.multiply_outer(x, own, y);
            with_scratch(|other, _| finish(t, tile, part, y, other));
        });
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let vectors = size_of_val(&self.x[..]) + size_of_val(&self.residual[..]);
        self.tiles.iter().map(Tile::bytes).sum::<usize>() + vectors
    }
}
