use super::*;

#[test]
fn icosphere_is_closed_and_its_volume_converges_with_second_order() {
    let exact = 4.0 / 3.0 * PI * 8.0;
    let errors: Vec<f64> = (1..5)
        .map(|s| {
            let m = icosphere(dvec3(1.0, -2.0, 0.5), 2.0, s);
            assert!(m.is_closed_manifold());
            assert_eq!(m.triangles.len(), 20 * 4usize.pow(s));
            exact - m.volume()
        })
        .collect();
    assert!(errors[3] > 0.0 && errors[3] / exact < 0.01);
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.4, "{errors:?}");
    }
}

#[test]
fn builtin_meshes_are_closed_and_face_outward() {
    for name in BUILTIN_MESHES {
        let m = builtin_mesh(name).unwrap();
        assert!(m.is_closed_manifold(), "{name}: {:?}", m.topology());
        assert!(m.volume() > 0.0, "{name}");
        assert!((2000..8000).contains(&m.triangles.len()), "{name}: {}", m.triangles.len());
        let (min, max) = m.bounds().unwrap();
        assert!(min.min_element() > -1.3 && max.max_element() < 1.3, "{name}: {min} {max}");
    }
    assert!(builtin_mesh("teapot").is_none());
}

#[test]
fn the_bowl_has_a_wall_and_a_hollow() {
    let m = builtin_mesh("bowl").unwrap();
    // Two half balls, and half of the torus that forms the rim.
    let half_balls = 2.0 / 3.0 * PI * (1.0 - 0.85f64.powi(3));
    let rim = PI * PI * 0.925 * 0.075 * 0.075;
    assert!((m.volume() / (half_balls + rim) - 1.0).abs() < 0.01, "{}", m.volume());
    let sdf = crate::geometry::MeshSdf::new(&m).unwrap();
    assert!(sdf.distance(dvec3(0.0, -0.925, 0.0)) < -0.07);
    assert!((sdf.distance(DVec3::ZERO) - 0.85).abs() < 0.01);
    assert!(sdf.distance(dvec3(0.0, -0.5, 0.0)) > 0.3);
}
