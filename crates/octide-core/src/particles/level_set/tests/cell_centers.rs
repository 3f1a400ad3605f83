//! Markers of a level set that is stored at cell centers.

use super::*;

/// φ at the centers of cells of one size; corners have the mean of the cells around them.
struct Centers {
    tree: Octree,
    nodes: Nodes,
}

impl MarkedField for Centers {
    type Sample = CellId;

    fn tree(&self) -> &Octree {
        &self.tree
    }

    fn at_corners(&self, phi: &Field<CellId, f64>, leaf: CellId) -> [f64; 8] {
        self.nodes.of_cell(leaf).map(|v| {
            let around: Vec<f64> =
                self.nodes.cells(v).iter().filter(|c| c.is_some()).map(|&c| phi[c]).collect();
            around.iter().sum::<f64>() / around.len() as f64
        })
    }

    fn position(&self, sample: CellId) -> DVec3 {
        self.tree.center(sample)
    }

    fn leaves(&self, sample: CellId) -> &[CellId] {
        // Every cell is one of the cells around its first corner.
        let own = self.nodes.cells(self.nodes.of_cell(sample)[0]);
        let at = own.iter().position(|&c| c == sample).unwrap();
        &own[at..=at]
    }

    fn constrain(&self, _: &mut Field<CellId, f64>) {}
}

#[test]
fn markers_follow_a_level_set_whose_samples_are_cell_centers() {
    let tree = Octree::build(&grid(), Grading::Graded, |_| true);
    let field = Centers { nodes: Nodes::new(&tree), tree };
    let phi = par::map(field.tree.n_cells(), |c| field.tree.center(c).distance(CENTER) - 0.25);
    let particles = LevelParticles::seeded(&field, &phi, &nothing(), &params());
    assert!(particles.n_markers() > 10_000);
    // A lost third of a cell is restored in part, and only where there are markers.
    let mut lost = Field::from_vec(phi.iter().map(|p| p + DX / 3.0).collect());
    assert!(particles.correct(&field, &mut lost) > 1000);
    let near = |c: &CellId| phi[*c].abs() < 0.5 * DX;
    let off: f64 = phi.ids().filter(near).map(|c| (lost[c] - phi[c]).abs()).sum();
    assert!(off < 0.9 * phi.ids().filter(near).count() as f64 * DX / 3.0, "{off}");
    assert!(phi.ids().filter(|&c| phi[c].abs() > 5.0 * DX).all(|c| lost[c] == phi[c] + DX / 3.0));
}
