//! One level of the hierarchy, with vectors in the order of its rows.

use super::order::Order;
use super::prolongation::Transfer;
use super::smoother::{Smoother, blocks, by_tile, for_each, with_scratch};
use super::tile::{Block, Tile};

/// A level of the hierarchy.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub order: Order,
    pub smoother: Smoother,
    /// The transfer to the next level, if it is not by parents.
    pub transfer: Option<Transfer>,
    /// Number of unknowns of the next level.
    pub n_coarse: usize,
}

impl Level {
    /// Descends in a cycle: smooths from zero and restricts the residual of `b`.
    pub fn down<T: Copy + Sync>(&mut self, b: &[T], to_f32: impl Fn(T) -> f32 + Sync, coarse: &mut [f32]) {
        let Self { order, smoother, .. } = self;
        let parts = vec![(); smoother.tiles.len()];
        smoother.sweep_down(parts, |t, tile, (), sorted, unsorted| {
            order.load(t, tile, b, &to_f32, sorted, unsorted);
        });
        self.restrict(coarse);
    }

    /// Ascends in a cycle: adds the correction, smooths backward and writes the result to `z`.
    pub fn up<T: Copy + Send + Sync>(
        &mut self,
        b: &[T],
        to_f32: impl Fn(T) -> f32 + Sync,
        coarse: &[f32],
        z: &mut [T],
        from_f32: impl Fn(f32) -> T + Sync,
    ) {
        self.correct(coarse);
        let Self { order, smoother, .. } = self;
        // The residual is no longer needed.
        let mut result = std::mem::take(&mut smoother.residual);
        let load = |t: usize, tile: &Tile, sorted: &mut Block, unsorted: &mut Block| {
            order.load(t, tile, b, &to_f32, sorted, unsorted);
        };
        let parts = vec![(); smoother.tiles.len()];
        smoother.sweep_up(&mut result, parts, load, |_, tile, (), sorted, unsorted| {
            tile.unsort(sorted, unsorted);
            sorted[..tile.len()].copy_from_slice(&unsorted[..tile.len()]);
        });
        order.store(&smoother.tiles, &result, z, |z, own| *z = from_f32(own));
        smoother.residual = result;
    }

    /// Restricts the residual of the descent.
    pub fn restrict(&mut self, coarse: &mut [f32]) {
        let Self { order, smoother, transfer, .. } = self;
        match transfer {
            None => smoother.restrict(coarse),
            Some(transfer) => {
                smoother.unsort_residual();
                let Smoother { tiles, residual, .. } = smoother;
                transfer.restrict(|fine| order.store(tiles, residual, fine, |fine, own| *fine = own), coarse);
            }
        }
    }

    /// Adds the correction of the next level.
    pub fn correct(&mut self, coarse: &[f32]) {
        let Self { order, smoother, transfer, .. } = self;
        match transfer {
            None => smoother.prolong(coarse),
            Some(transfer) => {
                let fine = transfer.prolong(coarse);
                for_each(&smoother.tiles, by_tile(&mut smoother.x), |t, tile, x| {
                    with_scratch(|sorted, unsorted| {
                        order.load(t, tile, fine, |c| c, sorted, unsorted);
                        x[..tile.len()].iter_mut().zip(sorted).for_each(|(x, c)| *x += *c);
                    });
                });
            }
        }
    }

    /// Computes `r = b − A z`.
    pub fn residual(&mut self, b: &[f32], z: &[f32], r: &mut [f32]) {
        let Self { order, smoother: Smoother { tiles, x, residual }, .. } = self;
        for_each(tiles, blocks(x), |t, tile, x| {
            with_scratch(|unsorted, _| order.load(t, tile, z, |z| z, x, unsorted));
        });
        Smoother::multiply(tiles, x, residual, vec![(); tiles.len()], |_, tile, (), product, unsorted| {
            tile.unsort(product, unsorted);
            product[..tile.len()].copy_from_slice(&unsorted[..tile.len()]);
        });
        r.copy_from_slice(b);
        order.store(tiles, residual, r, |r, product| *r -= product);
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let transfer = self.transfer.as_ref().map_or(0, Transfer::bytes);
        self.smoother.bytes() + self.order.bytes() + transfer
    }
}

#[cfg(test)]
pub(super) mod tests;
