//! Walls of the suite that have leaked, and chosen ones to be run alone.

use super::*;
use octide_core::scene::VolumeCorrection;
use octide_verify::CaseError;

/// Runs the walls whose numbers are in `OCTIDE_WALLS` by the methods in `OCTIDE_METHOD`, on `OCTIDE_CELLS` cells, with volume
/// kept cell by cell if `OCTIDE_LOCAL` is set, and prints what is beyond them:
///
/// ```text
/// OCTIDE_WALLS=5,13 OCTIDE_METHOD=octree cargo test -p octide-cases --profile fast chosen_walls -- --ignored --nocapture
/// ```
#[test]
#[ignore = "a tool: reads environment variables and prints"]
fn chosen_walls() {
    let read = |name: &str, otherwise: &str| std::env::var(name).unwrap_or_else(|_| otherwise.to_owned());
    let cells: u32 = read("OCTIDE_CELLS", "24").parse().expect("a number");
    for number in read("OCTIDE_WALLS", "5").split(',') {
        let wall = Wall::new(number.trim().parse().expect("a number"));
        for method in read("OCTIDE_METHOD", "octree,nodal-octree").split(',') {
            let started = std::time::Instant::now();
            let mut scene = wall.scene(method, cells);
            if std::env::var("OCTIDE_LOCAL").is_ok() {
                scene.numerics.volume_correction = VolumeCorrection::Local;
            }
            let outcome = match observe(&scene, &wall) {
                Ok(Seen { volume, shown, first }) => {
                    format!("{volume:.4} cells, shown {shown:.2}, first {first}")
                }
                Err(CaseError::Stopped) => "stopped".to_owned(),
                Err(CaseError::Failed(why)) => why,
            };
            println!(
                "{number} {method}: {}: {outcome} ({:.1} s)",
                wall.text(),
                started.elapsed().as_secs_f64()
            );
        }
    }
}

#[test]
fn dry_boxes_take_in_no_more_than_drops_if_volume_is_kept_cell_by_cell() {
    let wall = Wall::new(53);
    let mut scene = wall.scene("octree", 24);
    scene.numerics.volume_correction = VolumeCorrection::Local;
    let seen = observe(&scene, &wall).unwrap();
    // No more than two drops; without the rule for what is pushed ahead of solids 0.85 cells came in.
    assert!(seen.volume < 0.2, "{}: {} cells, first {}", wall.text(), seen.volume, seen.first);
}

#[test]
fn inner_corners_of_dry_boxes_and_outer_sides_of_full_vessels_stay_dry() {
    for (method, number) in [("octree", 5), ("octree", 37), ("nodal-octree", 14), ("nodal-octree", 111)] {
        let wall = Wall::new(number);
        let seen = observe(&wall.scene(method, 24), &wall).unwrap();
        assert_eq!(seen.volume, 0.0, "{method}, {}: first {}", wall.text(), seen.first);
    }
}

#[test]
fn water_in_a_glass_is_not_shown_below_its_foot() {
    let wall = Wall::new(7);
    let seen = observe(&wall.scene("octree", 16), &wall).unwrap();
    assert!(seen.shown < 0.25, "{}: {} cells", wall.text(), seen.shown);
}
