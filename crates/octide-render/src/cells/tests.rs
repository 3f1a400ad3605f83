use super::*;
use glam::DVec3;

/// Four coarse cells over a 2 × 2 × 1 box; the one at the lower left is split in eight.
fn cells() -> Vec<CellSample> {
    let cell = |x: f32, y: f32, z: f32, size: f32, phi: f32| CellSample {
        center: [x, y, z],
        size,
        phi,
        density: 0.0,
    };
    let mut cells = vec![
        cell(1.5, 0.5, 0.5, 1.0, -2.0), // liquid
        cell(0.5, 1.5, 0.5, 1.0, 2.0),  // air
        cell(1.5, 1.5, 0.5, 1.0, 0.3),  // surface
    ];
    for k in 0..8u8 {
        let at = |a: u8| if k >> a & 1 == 0 { 0.25 } else { 0.75 };
        // Only the far half lies on the plane a little past the middle.
        let phi = if at(2) > 0.5 { -1.0 } else { 1.0 };
        cells.push(cell(at(0), at(1), at(2), 0.5, phi));
    }
    cells
}

fn domain() -> Domain {
    Domain { origin: DVec3::ZERO, size: DVec3::new(2.0, 2.0, 1.0), resolution: 4, levels: 1 }
}

fn draw(width: u32, height: u32) -> Picture {
    render_cells(&CellsView { cells: &cells(), domain: &domain(), width, height })
}

/// The color at a point of the domain.
fn at(picture: &Picture, x: f32, y: f32) -> Color {
    let domain = domain();
    let view = CellsView { cells: &[], domain: &domain, width: picture.width, height: picture.height };
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
        // Outlines between coarse cells, and between fine ones where only those are.
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
    let none = render_cells(&CellsView { cells: &[], domain: &domain(), width: 50, height: 50 });
    assert_eq!(at(&none, 1.0, 1.0), PAPER);
}
