//! Checks whether the result of a step is usable: see [`octide_core::health`].

use crate::params::Params;
use crate::state::State;
use octide_core::contract::StepError;
use octide_core::health::{self, Pace, check_water};

/// Checks the state that a step of length `dt` has made from `old`: its volume, that all numbers are finite,
/// and that the water is not much faster than the step's length allowed for. φ and velocity are checked where
/// they are computed.
pub fn check(old: &State, new: &State, dt: f64, params: &Params) -> Result<(), StepError> {
    check_particles(new)?;
    let (tree, drift) = (&new.mesh.tree, new.control.drift(new.volume));
    let speeds = [old.max_component, new.max_component];
    let pace = Pace { dt, dx: tree.grid().dx(), cfl: params.cfl, gravity: params.gravity.length(), speeds };
    check_water(tree, &new.pressure, drift, params.max_volume_drift, pace, || fastest(new))
}

fn check_particles(state: &State) -> Result<(), StepError> {
    let is_good = |p: &crate::particles::Particle| p.v.is_finite() && p.phi.is_finite();
    match state.particles.list().iter().find(|p| !is_good(p)) {
        Some(p) => {
            Err(StepError::NotFinite { field: "a particle", stage: "particles", at: p.x(&state.mesh) })
        }
        None => Ok(()),
    }
}

/// Returns the center of the face with the largest velocity.
pub fn fastest(state: &State) -> glam::DVec3 {
    state.mesh.face_position(health::fastest(&state.u, |k| state.apertures.open(k)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OctreeLiquid;
    use glam::DVec3;
    use octide_core::geometry::Shape;
    use octide_core::index::CellId;
    use octide_core::scene::{Liquid, Scene};

    fn pool() -> (State, Params) {
        let mut scene = Scene::empty("octree", DVec3::ONE, 16, 2);
        let (min, max) = (DVec3::ZERO, DVec3::new(1.0, 0.4, 1.0));
        scene.liquids.push(Liquid { shape: Shape::Box { min, max }, velocity: DVec3::ZERO, roughness: 0.0 });
        let params = Params { particles: crate::params::Seeding::Band, ..Params::from_scene(&scene) };
        (OctreeLiquid::with_params(&scene, params.clone()).state().clone(), params)
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let (old, params) = pool();
        let told = |new: &State| check(&old, new, 0.01, &params).map_err(|e| e.to_string());
        assert_eq!(told(&old), Ok(()));

        let mut new = old.clone();
        new.pressure[CellId(0)] = f64::NAN;
        let error = told(&new).unwrap_err();
        assert!(
            error.starts_with("pressure is not finite near [") && error.ends_with("after projection"),
            "{error}"
        );

        let mut new = old.clone();
        new.volume = f64::NAN;
        assert!(told(&new).unwrap_err().starts_with("the liquid's volume drifted"));
        new.volume = 0.7 * old.volume;
        assert!(told(&new).unwrap_err().contains("by -30.00 %, past the limit of 20.00 %"));
        // Small numbers are reported with their significant digits.
        let strict = Params { max_volume_drift: 1e-9, ..params.clone() };
        new.volume = (1.0 - 2.345e-6) * old.volume;
        let told = check(&old, &new, 0.01, &strict).unwrap_err().to_string();
        assert!(told.ends_with("by -0.000235 %, past the limit of 0.000000100 %"), "{told}");
    }

    #[test]
    fn water_that_runs_away_is_told_and_water_that_is_pushed_is_not() {
        let (old, params) = pool();
        let k = old.u.ids().find(|&k| old.apertures.open(k) > 0.0).unwrap();
        let with = |speed: f64| {
            let mut new = old.clone();
            (new.u[k], new.max_component) = (speed, speed);
            check(&old, &new, 0.01, &params)
        };
        // Two cells of 1/16 m in 0.01 s are 12.5 m/s.
        assert!(with(100.0).is_ok());
        let error = with(200.0).unwrap_err();
        let place = format!("the flow near {} would cross 32 cells", old.mesh.face_position(k));
        assert!(error.to_string().starts_with(&place), "{error}");
    }
}
