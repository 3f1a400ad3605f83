use super::*;
use glam::{DVec3, Vec3};
use octide_core::contract::{CellFace, Polyhedra};

/// Returns four coarse cells over a 2 × 2 × 1 box; the one at the lower left is split in eight.
fn cells() -> Cells {
    let mut cells = Cells::default();
    let mut add = |x: f32, y: f32, z: f32, size: f32, phi: f32| {
        cells.cubes.push(Cube { center: [x, y, z], size });
        cells.phi.push(phi);
    };
    add(1.5, 0.5, 0.5, 1.0, -2.0); // liquid
    add(0.5, 1.5, 0.5, 1.0, 2.0); // air
    add(1.5, 1.5, 0.5, 1.0, 0.3); // surface
    for k in 0..8u8 {
        let at = |a: u8| if k >> a & 1 == 0 { 0.25 } else { 0.75 };
        // Only the far half lies on the plane slightly beyond the middle.
        let phi = if at(2) > 0.5 { -1.0 } else { 1.0 };
        add(at(0), at(1), at(2), 0.5, phi);
    }
    cells
}

fn domain() -> Domain {
    Domain { origin: DVec3::ZERO, size: DVec3::new(2.0, 2.0, 1.0), resolution: 4, levels: 1 }
}

fn draw(width: u32, height: u32) -> Picture {
    render_cells(&CellsView { cells: &cells(), domain: &domain(), width, height })
}

/// Returns the color at a point of the domain.
fn at(picture: &Picture, x: f32, y: f32) -> Color {
    let domain = domain();
    let view =
        CellsView { cells: &Cells::default(), domain: &domain, width: picture.width, height: picture.height };
    let [i, j] = Paper::fit(&view).unwrap().pixel(x, y);
    let k = 3 * (j as usize * picture.width as usize + i as usize);
    std::array::from_fn(|c| f32::from(picture.rgb[k + c]))
}

#[test]
fn paints_what_the_plane_cuts() {
    for (width, height) in [(200, 200), (320, 180), (100, 300)] {
        let p = draw(width, height);
        assert_eq!(p.rgb.len() as u32, 3 * width * height);
        assert_eq!(at(&p, 1.5, 0.5), LIQUID[0]);
        assert_eq!(at(&p, 0.5, 1.5), AIR[0]);
        assert_eq!(at(&p, 1.5, 1.5), SURFACE[0]);
        assert_eq!(at(&p, 0.25, 0.25), LIQUID[1]);
        assert_eq!(at(&p, 0.75, 0.75), LIQUID[1]);
        // Outlines between coarse cells, and between fine ones where there are only fine ones.
        let dark = |c: Color| c.iter().sum::<f32>() < 350.0;
        assert!(dark(at(&p, 1.0, 1.5)) && dark(at(&p, 1.5, 1.0)));
        assert!(dark(at(&p, 0.5, 0.25)) && dark(at(&p, 0.25, 0.5)));
        assert!(!dark(at(&p, 1.5, 0.25)));
        // The margin.
        assert_eq!(p.rgb[..3], PAPER.map(|c| c as u8));
    }
}

#[test]
fn small_and_empty_pictures() {
    assert!(draw(0, 0).rgb.is_empty());
    assert_eq!(draw(3, 3).rgb, PAPER.map(|c| c as u8).repeat(9));
    let none =
        render_cells(&CellsView { cells: &Cells::default(), domain: &domain(), width: 50, height: 50 });
    assert_eq!(at(&none, 1.0, 1.0), PAPER);
}

/// Adds a cube of edge 2 around a point, as a polyhedron with its own vertices and faces.
fn add_cube(cells: &mut Cells, center: Vec3, phi: f32) {
    let cube = Cells { cubes: vec![Cube { center: center.to_array(), size: 2.0 }], ..Cells::default() };
    let mut faces = Vec::new();
    cube.for_faces(0, |face| {
        let first = cells.vertices.len() as u32;
        cells.vertices.extend(face.iter().map(|v| v.to_array()));
        let vertices: Vec<u32> = (0..face.len() as u32).map(|i| first + i).collect();
        faces.push(CellFace::new(cells.polyhedra.add_face(&vertices), false));
    });
    cells.polyhedra.add_cell(faces);
    cells.phi.push(phi);
}

/// Returns the corners of a box and its middle, and the twelve tetrahedra between them: two on each side of
/// the box.
fn twelve_tetrahedra(low: Vec3, high: Vec3) -> Cells {
    let corner =
        |i: usize| Vec3::from_array([0, 1, 2].map(|a| if i >> a & 1 == 1 { high[a] } else { low[a] }));
    let vertices = (0..8).map(|i| corner(i).to_array()).collect();
    let mut cells = Cells { vertices, ..Cells::default() };
    cells.vertices.push((0.5 * (low + high)).to_array());
    let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    for (i, [a, b, c, d]) in sides.into_iter().enumerate() {
        cells.tetrahedra.extend([[a, b, c, 8], [a, c, d, 8]]);
        // Liquid below, air above, the surface between.
        let phi = [0.0, 0.0, -9.0, 9.0, 0.0, 0.0][i];
        cells.phi.extend([phi, phi]);
    }
    cells
}

fn tank() -> Domain {
    Domain { origin: DVec3::ZERO, size: DVec3::new(4.0, 4.0, 2.0), resolution: 8, levels: 1 }
}

#[test]
fn a_cube_is_drawn_the_same_as_a_polyhedron() {
    let (centers, phi) = ([[1.0, 1.0, 1.0], [3.0, 1.0, 1.0], [1.0, 3.0, 1.0]], [-3.0, 0.0, 3.0]);
    let cubes = Cells {
        cubes: centers.map(|center| Cube { center, size: 2.0 }).to_vec(),
        phi: phi.to_vec(),
        ..Cells::default()
    };
    let mut polyhedra = Cells::default();
    for (center, phi) in centers.into_iter().zip(phi) {
        add_cube(&mut polyhedra, Vec3::from_array(center), phi);
    }
    // A size at which corners of cells are corners of pixels.
    let draw =
        |cells: &Cells| render_cells(&CellsView { cells, domain: &tank(), width: 220, height: 220 }).rgb;
    assert_eq!(draw(&polyhedra), draw(&cubes));
}

#[test]
fn tetrahedra_fill_the_box_that_they_were_made_from() {
    let cells = twelve_tetrahedra(Vec3::ZERO, Vec3::new(4.0, 4.0, 2.0));
    let domain = tank();
    let view = CellsView { cells: &cells, domain: &domain, width: 440, height: 440 };
    let picture = render_cells(&view);
    let paper = Paper::fit(&view).unwrap();
    let color = |x: f32, y: f32| {
        let [i, j] = paper.pixel(x, y);
        let k = 3 * (j as usize * 440 + i as usize);
        std::array::from_fn(|c| f32::from(picture.rgb[k + c]))
    };
    // The plane is at z = 1.125: it cuts triangles from the middle to the four sides, except for the part
    // that belongs to the tetrahedra of the far side.
    assert_eq!(color(1.7, 0.3), LIQUID[1]);
    assert_eq!(color(2.3, 3.7), AIR[1]);
    assert_eq!(color(0.3, 1.7), SURFACE[1]);
    let (low, high) = (paper.pixel(0.0, 4.0), paper.pixel(4.0, 0.0));
    for y in low[1]..high[1] {
        for x in low[0]..high[0] {
            let k = 3 * (y as usize * 440 + x as usize);
            assert_ne!(picture.rgb[k..k + 3], PAPER.map(|c| c as u8), "a gap at {x} {y}");
        }
    }
}

/// A U: not convex, with front and back faces that are crossed four times.
#[test]
fn a_polyhedron_that_is_not_convex_shows_its_gap() {
    let mut cells = Cells::default();
    // The U lies in x and z, so that the plane at z = 1.125 cuts both of its legs.
    let outline =
        [[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [3.0, 2.0], [3.0, 0.5], [1.0, 0.5], [1.0, 2.0], [0.0, 2.0]];
    let n = outline.len() as u32;
    for y in [1.0, 3.0] {
        cells.vertices.extend(outline.map(|[x, z]| [x, y, z]));
    }
    let mut polyhedra = Polyhedra::default();
    let mut faces = vec![CellFace::new(polyhedra.add_face(&(0..n).collect::<Vec<_>>()), false)];
    faces.push(CellFace::new(polyhedra.add_face(&(n..2 * n).collect::<Vec<_>>()), true));
    for i in 0..n {
        let j = (i + 1) % n;
        faces.push(CellFace::new(polyhedra.add_face(&[i, n + i, n + j, j]), false));
    }
    polyhedra.add_cell(faces);
    (cells.polyhedra, cells.phi) = (polyhedra, vec![-9.0]);
    assert!((cells.size(0).powi(3) - 2.0 * 5.0).abs() < 1e-3, "{}", cells.size(0));

    let domain = tank();
    let view = CellsView { cells: &cells, domain: &domain, width: 440, height: 440 };
    let picture = render_cells(&view);
    let paper = Paper::fit(&view).unwrap();
    let color = |x: f32, y: f32| {
        let [i, j] = paper.pixel(x, y);
        let k = 3 * (j as usize * 440 + i as usize);
        std::array::from_fn(|c| f32::from(picture.rgb[k + c]))
    };
    assert_eq!((color(0.5, 2.0), color(3.5, 2.0)), (LIQUID[1], LIQUID[1]));
    assert_eq!((color(2.0, 2.0), color(0.5, 0.5)), (PAPER, PAPER));
    assert_ne!(color(1.0, 2.0), PAPER, "its outline");
}
