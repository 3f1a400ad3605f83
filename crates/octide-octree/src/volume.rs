//! The liquid's volume, measured, and given back where transport lost it.
//!
//! **Measured:** in a cell near the surface φ is taken as linear, and the share of the cube behind the plane is
//! exact. A flat surface has the same volume on every tree, so that changing the tree does not set resting water
//! in motion. Cells that a solid cuts are measured on finest cells, whatever the cell's own size, for the same
//! reason.
//!
//! **Given back** (after Kim et al. 2007): with x the relative error and y its integral over time, the projection
//! is asked for the divergence −(kp x + ki y)/(x + 1), where kp recovers 90 % in the time that a fall through the
//! domain takes, or in 25 steps if that is longer, and ki = kp²/16. (Were it always 25 steps, shorter steps would
//! mean faster water, and that again shorter steps.)

use crate::apertures::Apertures;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::solids::Solids;
use glam::DVec3;
use octide_core::index::{CellId, Field};
use octide_core::par;
use rayon::prelude::*;

/// What volume correction remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeControl {
    /// The volume there should be, in m³.
    pub target: f64,
    /// The relative error, integrated over time.
    pub integral: f64,
    /// Relative volume given back so far.
    pub given_back: f64,
    /// The largest volume that there should have been, in m³.
    pub most: f64,
    /// Volume that came in so far, in m³.
    pub came: f64,
    /// Volume that went out so far, in m³.
    pub went: f64,
}

impl VolumeControl {
    /// Starts with what there is.
    pub fn new(volume: f64) -> Self {
        Self { target: volume, integral: 0.0, given_back: 0.0, most: volume, came: 0.0, went: 0.0 }
    }

    /// Counts what came in and what went out.
    pub fn exchange(&mut self, came: f64, went: f64) {
        self.came += came;
        self.went += went;
        self.target = (self.target + came - went).max(0.0);
        self.most = self.most.max(self.target);
    }

    /// The error of `volume`, relative to the most that there should have been: the last drops of a tank that drains
    /// are not known to a few percent of themselves.
    pub fn drift(&self, volume: f64) -> f64 {
        if self.most > 0.0 { (volume - self.target) / self.most } else { 0.0 }
    }

    /// The divergence to ask for in a step of `dt`, in 1/s, and the state after it. An error is recovered to 90 %
    /// in `time`, or in 25 steps where this is longer.
    pub fn correct(mut self, volume: f64, dt: f64, time: f64) -> (f64, Self) {
        let x = self.drift(volume);
        self.integral += x * dt;
        let kp = 10f64.ln() / time.max(25.0 * dt);
        let ki = kp * kp / 16.0;
        let divergence = -(kp * x + ki * self.integral) / (x + 1.0).max(0.1);
        self.given_back += divergence * dt;
        (divergence, self)
    }
}

/// The gradient of φ at a cell's center: along each axis the mean over its two faces, exact for linear φ.
pub fn cell_gradient(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> DVec3 {
    let faces = mesh.faces.of_cell(cell);
    let mut g = DVec3::ZERO;
    for axis in 0..3 {
        let (mut sum, mut n) = (0.0, 0.0);
        for &k in &faces[2 * axis..2 * axis + 2] {
            if !mesh.faces.is_wall(k) {
                sum += mesh.faces.stencil(&mesh.tree, k).iter().map(|(c, w)| w * phi[c]).sum::<f64>();
                n += 1.0;
            }
        }
        g[axis] = if n > 0.0 { sum / n } else { 0.0 };
    }
    g
}

/// The liquid's volume in m³.
pub fn liquid_volume(mesh: &Mesh, phi: &Field<CellId, f64>, apertures: &Apertures, solids: &Solids) -> f64 {
    let of_cell = |i: usize| cell_volume(mesh, phi, apertures, solids, CellId(i as u32));
    if faults::is(Fault::UnorderedSum) {
        return (0..mesh.n_cells()).into_par_iter().map(of_cell).sum();
    }
    par::sum(mesh.n_cells(), of_cell)
}

/// The liquid's volume in one cell.
pub fn cell_volume(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    cell: CellId,
) -> f64 {
    let h = mesh.tree.size(cell);
    let half_diagonal = 0.87 * h;
    let solid = apertures.solid_distance(cell);
    if solid <= -half_diagonal || phi[cell] > 2.0 * h {
        return 0.0;
    }
    let deep = phi[cell] < -2.0 * h;
    let g = if deep { DVec3::ZERO } else { cell_gradient(mesh, phi, cell) };
    if solid >= half_diagonal {
        return h.powi(3) * if deep { 1.0 } else { share_behind_plane(g * h, phi[cell]) };
    }
    let body = Body { x: mesh.tree.center(cell), phi: phi[cell], g, solids, dx: mesh.tree.grid().dx() };
    body.volume(body.x, h)
}

/// Where the middle of the liquid in a cell is that is not full: eight parts of the cell at their centers.
pub fn cell_middle(mesh: &Mesh, phi: &Field<CellId, f64>, solids: &Solids, cell: CellId) -> DVec3 {
    let (x, h) = (mesh.tree.center(cell), mesh.tree.size(cell));
    let g = cell_gradient(mesh, phi, cell);
    let body = Body { x, phi: phi[cell], g, solids, dx: mesh.tree.grid().dx() };
    let (mut volume, mut moment) = (0.0, DVec3::ZERO);
    for o in 0..8 {
        let part = 0.5 * h * octant_side(o);
        let v = body.volume(x + part, 0.5 * h);
        volume += v;
        moment += v * part;
    }
    if volume > 0.0 { x + moment / volume } else { x }
}

/// From a cube's center to an octant's, twice, in edges of the cube.
fn octant_side(o: usize) -> DVec3 {
    DVec3::new((o & 1) as f64, (o >> 1 & 1) as f64, (o >> 2 & 1) as f64) - 0.5
}

/// A cell that a solid cuts.
struct Body<'a> {
    x: DVec3,
    phi: f64,
    g: DVec3,
    solids: &'a Solids,
    dx: f64,
}

impl Body<'_> {
    /// Volume in the cube of edge `h` about `x`, by halving it down to finest cells where the solid passes.
    fn volume(&self, x: DVec3, h: f64) -> f64 {
        let solid = self.solids.distance(x);
        if solid <= -0.87 * h {
            return 0.0;
        }
        let phi = self.phi + self.g.dot(x - self.x);
        if solid >= 0.87 * h {
            return h.powi(3) * share_behind_plane(self.g * h, phi);
        }
        if h < 1.5 * self.dx {
            let open = (0.5 + solid / h).clamp(0.0, 1.0);
            return h.powi(3) * open * share_behind_plane(self.g * h, phi);
        }
        (0..8).map(|o| self.volume(x + 0.5 * h * octant_side(o), 0.5 * h)).sum()
    }
}

/// The share of the unit cube about the origin where n·x + d < 0.
pub fn share_behind_plane(n: DVec3, d: f64) -> f64 {
    let mut m = n.abs().to_array();
    m.sort_by(f64::total_cmp);
    let total: f64 = m.iter().sum();
    if total <= 0.0 {
        return if d < 0.0 { 1.0 } else { 0.0 };
    }
    let alpha = 0.5 * total - d;
    if alpha <= 0.0 {
        return 0.0;
    }
    if alpha >= total {
        return 1.0;
    }
    // The plane through the cube's center halves it: the larger part is one minus the smaller.
    let a = alpha.min(total - alpha);
    let [m1, m2, m3] = [if m[0] < 1e-8 * total { 0.0 } else { m[0] }, m[1], m[2]];
    let m12 = m1 + m2;
    let corner = |m: f64| m * m * (m - 3.0 * a);
    let small = if a < m1 {
        a.powi(3) / (6.0 * m1 * m2 * m3)
    } else if a < m2 {
        (a * (a - m1) + m1 * m1 / 3.0) / (2.0 * m2 * m3)
    } else if a < m12.min(m3) {
        (a * a * (3.0 * m12 - a) + corner(m1) + corner(m2)) / (6.0 * m1 * m2 * m3)
    } else if m3 < m12 {
        (a * a * (3.0 * total - 2.0 * a) + corner(m1) + corner(m2) + corner(m3)) / (6.0 * m1 * m2 * m3)
    } else {
        (2.0 * a - m12) / (2.0 * m3)
    };
    if alpha <= 0.5 * total { small } else { 1.0 - small }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_match_a_count_of_points() {
        let cases = [
            (DVec3::new(1.0, 0.0, 0.0), 0.2),
            (DVec3::new(0.3, -0.7, 0.0), -0.1),
            (DVec3::new(0.2, 0.3, 0.9), 0.35),
            (DVec3::new(0.5, 0.6, 0.7), 0.05),
            (DVec3::new(0.5, 0.6, -0.7), -0.6),
            (DVec3::new(0.01, 0.4, 0.5), 0.15),
            (DVec3::new(0.3, 0.31, 0.32), 0.44),
        ];
        for (n, d) in cases {
            let k = 100;
            let at = |i: i32| (f64::from(i) + 0.5) / f64::from(k) - 0.5;
            let count = (0..k * k * k)
                .filter(|i| n.dot(DVec3::new(at(i % k), at(i / k % k), at(i / k / k))) + d < 0.0)
                .count();
            let counted = count as f64 / f64::from(k).powi(3);
            assert!((share_behind_plane(n, d) - counted).abs() < 6e-3, "{n} {d}");
            let both = share_behind_plane(n, d) + share_behind_plane(-n, -d);
            assert!((both - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn correction_gives_back_most_of_the_loss_in_25_steps() {
        let (mut control, mut volume) = (VolumeControl::new(1.0), 0.95);
        for _ in 0..25 {
            let (divergence, next) = control.correct(volume, 0.004, 0.01);
            control = next;
            volume *= 1.0 + 0.004 * divergence;
        }
        assert!((volume - 1.0).abs() < 0.3 * 0.05, "{volume}");
    }

    #[test]
    fn short_steps_do_not_ask_for_fast_water() {
        let ask = |dt| VolumeControl::new(1.0).correct(0.99, dt, 0.2).0;
        assert!((ask(1e-6) - ask(1e-3)).abs() < 0.01 * ask(1e-3));
    }
}
