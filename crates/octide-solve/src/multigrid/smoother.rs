//! A level's matrix as tiles, the vectors of a cycle, and its steps.
//!
//! Vectors here are padded to whole tiles and sorted within each. Every step runs over tiles, each of which
//! writes its own share, so that threads do not matter.

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

/// Fewer tiles than this are not worth waking the pool.
const PARALLEL_FROM: usize = 3;

/// Runs `work(t, tile, part)` on each tile and its part of something.
pub(super) fn for_each<P: Send>(tiles: &[Tile], parts: Vec<P>, work: impl Fn(usize, &Tile, P) + Sync) {
    if tiles.len() >= PARALLEL_FROM && rayon::current_num_threads() > 1 {
        tiles.par_iter().zip(parts).enumerate().for_each(|(t, (tile, part))| work(t, tile, part));
    } else {
        tiles.iter().zip(parts).enumerate().for_each(|(t, (tile, part))| work(t, tile, part));
    }
}

/// A vector's part of each tile.
pub(super) fn by_tile<T>(vector: &mut [T]) -> Vec<&mut [T]> {
    vector.chunks_mut(TILE).collect()
}

thread_local! {
    /// Blocks to work in: clearing new ones for each tile would cost as much as a sweep over a small one.
    static SCRATCH: RefCell<[Block; 3]> = const { RefCell::new([[0.0; TILE]; 3]) };
}

/// Runs `work` with blocks of anything. They are not handed out twice at a time.
pub(super) fn with_scratch<R>(work: impl FnOnce(&mut Block, &mut Block, &mut Block) -> R) -> R {
    SCRATCH.with_borrow_mut(|[a, b, c]| work(a, b, c))
}

/// A tile's share of a padded vector.
fn block(vector: &[f32], t: usize) -> &[f32] {
    &vector[t * TILE..(t + 1) * TILE]
}

impl Smoother {
    pub fn new(tiles: Vec<Tile>) -> Self {
        let n = tiles.len() * TILE;
        Self { tiles, x: vec![0.0; n], residual: vec![0.0; n] }
    }

    /// Smooths from zero: `x = M⁻¹ b`, and the residual but for what leaves the tiles. `load` writes a tile's
    /// share of `b` to the first block it is given, and may use the second.
    pub fn sweep_down<P: Send>(
        &mut self,
        parts: Vec<P>,
        load: impl Fn(usize, &Tile, P, &mut Block, &mut Block) + Sync,
    ) {
        let Self { tiles, x, residual } = self;
        let parts = by_tile(x).into_iter().zip(by_tile(residual)).zip(parts).collect();
        for_each(tiles, parts, |t, tile, ((x, residual), part)| {
            with_scratch(|b, own, _| {
                load(t, tile, part, b, own);
                tile.sweep_from_zero(b, own, residual);
                x[..tile.len()].copy_from_slice(&own[..tile.len()]);
            });
        });
    }

    /// Completes the residual and sums it over the rows of each parent.
    pub fn restrict(&mut self, coarse: &mut [f32]) {
        let Self { tiles, x, residual } = self;
        let coarse = split(coarse, tiles.iter().map(|t| t.n_parents));
        let parts = by_tile(residual).into_iter().zip(coarse).collect();
        for_each(tiles, parts, |t, tile, (residual, coarse)| {
            tile.subtract_outer(x, t * TILE, residual);
            with_scratch(|sums, _, _| tile.restrict(residual, coarse, sums));
        });
    }

    /// Completes the residual and undoes the sorting within tiles.
    pub fn unsorted_residual(&mut self) -> &[f32] {
        let Self { tiles, x, residual } = self;
        for_each(tiles, by_tile(residual), |t, tile, residual| {
            tile.subtract_outer(x, t * TILE, residual);
            with_scratch(|unsorted, _, _| {
                tile.unsort(residual, unsorted);
                residual[..tile.len()].copy_from_slice(&unsorted[..tile.len()]);
            });
        });
        residual
    }

    /// Adds to each row the value of its parent.
    pub fn prolong(&mut self, coarse: &[f32]) {
        let Self { tiles, x, .. } = self;
        for_each(tiles, by_tile(x), |_, tile, x| {
            let coarse = &coarse[tile.first_parent..tile.first_parent + tile.n_parents];
            with_scratch(|values, _, _| tile.prolong(coarse, x, values));
        });
    }

    /// Smooths backwards and hands the result to `store`, with a block that it may use. `load` is as on the way
    /// down.
    pub fn sweep_up<P: Send>(
        &mut self,
        parts: Vec<P>,
        load: impl Fn(usize, &Tile, &mut Block, &mut Block) + Sync,
        store: impl Fn(&Tile, P, &[f32], &mut Block) + Sync,
    ) {
        let Self { tiles, x, .. } = self;
        for_each(tiles, parts, |t, tile, part| {
            with_scratch(|b, own, _| {
                load(t, tile, b, own);
                tile.subtract_outer(x, t * TILE, b);
                own[..tile.len()].copy_from_slice(&block(x, t)[..tile.len()]);
                tile.sweep_back(b, own);
                store(tile, part, &own[..tile.len()], b);
            });
        });
    }

    /// `A x` by tiles, handed to `store` after `x`, with a block that it may use.
    pub fn multiply<P: Send>(
        tiles: &[Tile],
        x: &[f32],
        parts: Vec<P>,
        store: impl Fn(&Tile, P, &[f32], &[f32], &mut Block) + Sync,
    ) {
        for_each(tiles, parts, |t, tile, part| {
            with_scratch(|own, product, other| {
                let len = tile.len();
                own[..len].copy_from_slice(&block(x, t)[..len]);
                tile.multiply_inner(own, product);
                tile.multiply_outer(x, t * TILE, product);
                store(tile, part, &own[..len], &product[..len], other);
            });
        });
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        let vectors = size_of_val(&self.x[..]) + size_of_val(&self.residual[..]);
        self.tiles.iter().map(Tile::bytes).sum::<usize>() + vectors
    }
}
