use super::*;
use octide_core::geometry::TriMesh;

fn surface() -> Surface {
    let mesh: TriMesh = icosphere(glam::DVec3::ZERO, 0.5, 1);
    let normals = mesh.positions.iter().map(|&p| Vec3::from_array(p).normalize().to_array()).collect();
    Surface { mesh, normals, velocities: Vec::new() }
}

fn particles(kinds: Vec<u8>) -> Particles {
    let n = kinds.len();
    Particles {
        positions: (0..n).map(|i| [i as f32, 2.0, 0.0]).collect(),
        velocities: vec![[0.0; 3]; n],
        radii: vec![0.1; n],
        kinds,
        ids: (0..n as u32).collect(),
    }
}

#[test]
fn only_spray_becomes_balls() {
    let water = surface();
    assert!(matches!(with_spray(&water, &particles(vec![0, 0])), Cow::Borrowed(_)));
    let all = with_spray(&water, &particles(vec![0, 1, 0, 1]));
    assert_eq!(all.mesh.triangles.len(), water.mesh.triangles.len() + 2 * 20);
    assert_eq!(all.mesh.positions.len(), all.normals.len());
    for (p, n) in all.mesh.positions.iter().zip(&all.normals).skip(water.mesh.positions.len()) {
        let center = Vec3::from_array(*p) - 0.1 * Vec3::from_array(*n);
        assert!((center.y - 2.0).abs() < 1e-6 && [1.0, 3.0].iter().any(|x| (center.x - x).abs() < 1e-6));
    }
    for t in &all.mesh.triangles[water.mesh.triangles.len()..] {
        let [a, b, c] = t.map(|i| Vec3::from_array(all.mesh.positions[i as usize]));
        let outward = Vec3::from_array(all.normals[t[0] as usize]);
        assert!((b - a).cross(c - a).dot(outward) > 0.0);
    }
}

#[test]
fn lists_that_do_not_fit_make_no_drops() {
    let water = surface();
    let mut broken = particles(vec![1, 1, 1]);
    broken.radii = vec![f32::NAN, -1.0];
    assert!(matches!(with_spray(&water, &broken), Cow::Borrowed(_)));
}
