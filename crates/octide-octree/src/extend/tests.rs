use super::*;
use crate::apertures::measured;
use octide_core::geometry::Shape;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::{OpenSides, Scene, Solid};

/// A dry box in water has moved: cells in its walls still have the φ of water. In its corners, where one wall's normal
/// leads into the next wall, they get that of the air inside too.
#[test]
fn water_does_not_stay_in_the_inner_corners_of_a_dry_box() {
    let grid = Scene::empty("octree", DVec3::ONE, 24, 1).domain.root_grid();
    let mesh = Mesh::new(Octree::build(&grid, Grading::Graded, |_| true));
    let h = grid.dx();
    for i in 0..8 {
        let shift = f64::from(i) * h * DVec3::new(0.13, 0.29, 0.41);
        let cube = |half: f64| Shape::Box { min: shift + 0.45 - half, max: shift + 0.45 + half };
        let (inner, outer) = (cube(0.2), cube(0.2 + 0.4 * h));
        let shell = Shape::Difference { of: Box::new(outer), minus: vec![inner.clone()] };
        let solids = Solids::on_grid(&[Solid::still(shell)], 0.0, h);
        let apertures = measured(&mesh, &solids, OpenSides::default());
        let phi = par::map(mesh.n_cells(), |c: CellId| {
            let is_dry = inner.distance(mesh.tree.center(c)) < 0.0 && apertures.solid_distance(c) >= 0.0;
            if is_dry { h } else { -0.5 * h }
        });
        let phi = extend_phi(&mesh, phi, &apertures, &solids, &Detached::none(mesh.n_cells()), DVec3::NEG_Y);
        let wet = phi.ids().filter(|&c| inner.distance(mesh.tree.center(c)) < 0.0 && phi[c] < 0.0);
        assert_eq!(wet.count(), 0, "at {shift}");
    }
}
