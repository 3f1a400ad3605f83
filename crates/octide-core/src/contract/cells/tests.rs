use super::*;

/// A cube of edge 2 around (1, 1, 1), a tetrahedron, and a prism over a triangle with the tetrahedron's base.
fn mixed() -> Cells {
    let mut polyhedra = Polyhedra::default();
    let base = polyhedra.add_face(&[0, 2, 1]);
    let top = polyhedra.add_face(&[4, 6, 5]);
    let sides = [[0, 1, 5, 4], [1, 2, 6, 5], [2, 0, 4, 6]].map(|v| polyhedra.add_face(&v));
    // The base is clockwise seen from below, where the prism is; the top face is stored as seen from inside.
    let mut faces: Vec<CellFace> = sides.iter().map(|&f| CellFace::new(f, false)).collect();
    faces.extend([CellFace::new(base, false), CellFace::new(top, true)]);
    polyhedra.add_cell(faces);
    Cells {
        cubes: vec![Cube { center: [1.0; 3], size: 2.0 }],
        vertices: vec![
            [0.0, 0.0, 0.0],
            [3.0, 0.0, 0.0],
            [0.0, 3.0, 0.0],
            [0.0, 0.0, 3.0],
            [0.0, 0.0, 2.0],
            [3.0, 0.0, 2.0],
            [0.0, 3.0, 2.0],
        ],
        tetrahedra: vec![[0, 1, 2, 3], [1, 0, 2, 3]],
        polyhedra,
        phi: vec![1.0, 2.0, 3.0, 4.0],
        density: Vec::new(),
    }
}

#[test]
fn cells_of_all_shapes_know_their_center_size_and_reach() {
    let cells = mixed();
    assert_eq!((cells.len(), cells.check()), (4, Ok(())));
    assert_eq!((cells.center(0), cells.size(0)), ([1.0; 3], 2.0));
    assert!((cells.reach(0) - 3f32.sqrt()).abs() < 1e-6);
    for tetrahedron in [1, 2] {
        assert_eq!(cells.center(tetrahedron), [0.75; 3]);
        assert!((cells.size(tetrahedron).powi(3) - 4.5).abs() < 1e-5);
        let far = Vec3::new(2.25, -0.75, -0.75).length();
        assert!((cells.reach(tetrahedron) - far).abs() < 1e-6);
    }
    assert_eq!(cells.center(3), [1.0; 3]);
    assert!((cells.size(3).powi(3) - 9.0).abs() < 1e-4);
    assert!((cells.reach(3) - 6f32.sqrt()).abs() < 1e-6);
}

/// The sum of face areas times outward normals is zero, and by Gauss's theorem the faces give the volume with
/// its sign.
#[test]
fn faces_are_closed_and_seen_from_outside() {
    let cells = mixed();
    for cell in 0..cells.len() {
        let (mut area, mut volume) = (Vec3::ZERO, 0.0);
        cells.for_faces(cell, |face| {
            for edge in face[1..].windows(2) {
                area += 0.5 * (edge[0] - face[0]).cross(edge[1] - face[0]);
                volume += signed_volume(face[0], edge[0], edge[1]);
            }
        });
        assert!(area.length() < 1e-5, "cell {cell}: {area}");
        assert!((volume - cells.size(cell).powi(3)).abs() < 1e-4, "cell {cell}: {volume}");
    }
}

#[test]
fn lists_that_do_not_fit_are_refused() {
    let broken = |change: fn(&mut Cells)| {
        let mut cells = mixed();
        change(&mut cells);
        cells.check().unwrap_err()
    };
    assert!(broken(|c| c.phi.truncate(3)).contains("one value"));
    assert!(broken(|c| c.density.push(1.0)).contains("one value"));
    assert!(broken(|c| c.tetrahedra[1][2] = 7).contains("tetrahedron"));
    assert!(broken(|c| c.polyhedra.face_vertices[0] = 7).contains("vertex"));
    assert!(broken(|c| c.polyhedra.cell_faces[0] = CellFace::new(5, true)).contains("a face that does not"));
    assert!(broken(|c| c.polyhedra.cell_ends[0] = 4).contains("end where"));
    assert!(broken(|c| c.polyhedra.face_ends.swap(0, 1)).contains("end where"));
    assert!(broken(|c| c.polyhedra.face_ends[0] = 2).contains("fewer than three"));
}
