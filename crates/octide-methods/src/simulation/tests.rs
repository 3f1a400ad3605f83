use super::*;
use octide_core::DVec3;
use octide_core::contract::StateView;
use octide_core::snapshot::{SnapshotError, Store};

/// A method that only counts time; steps longer than `fails_above` fail.
struct Fake {
    time: f64,
    max_dt: f64,
    fails_above: f64,
    memory: u64,
    tried: Vec<f64>,
}

impl Fake {
    fn new(max_dt: f64) -> Self {
        Self { time: 0.0, max_dt, fails_above: f64::INFINITY, memory: u64::MAX, tried: Vec::new() }
    }
}

impl Method for Fake {
    fn time(&self) -> f64 {
        self.time
    }
    fn max_dt(&self) -> f64 {
        self.max_dt
    }
    fn fastest(&self) -> DVec3 {
        DVec3::new(0.25, 0.5, 0.75)
    }
    fn step(&mut self, dt: f64) -> Result<StepReport, StepError> {
        self.tried.push(dt);
        if self.memory < 1 {
            return Err(StepError::Memory { what: "a tree".into(), needed: 1, limit: self.memory });
        }
        if dt > self.fails_above {
            return Err(StepError::Pressure { reason: "too long".into(), at: None });
        }
        self.time += dt;
        Ok(StepReport { dt, ..StepReport::default() })
    }
    fn frame(&self) -> Frame {
        Frame { time: self.time, ..Frame::default() }
    }
    fn report(&self) -> StepReport {
        StepReport::default()
    }
    fn view(&self) -> Box<dyn StateView + '_> {
        unimplemented!("not sampled in these tests")
    }
    fn totals(&self) -> Totals {
        Totals::default()
    }
    fn limit_memory(&mut self, bytes: u64) {
        self.memory = bytes;
    }
    fn save(&self, _: &mut dyn Store) {
        unimplemented!("not saved in these tests")
    }
    fn load(_: &Scene, _: &mut Snapshot) -> Result<Self, SnapshotError> {
        unimplemented!("not saved in these tests")
    }
}

fn dts(fake: &mut Fake, end: f64) -> Vec<f64> {
    let mut taken = Vec::new();
    loop {
        let step = step_towards(fake, end).unwrap();
        taken.push(step.report.dt);
        if step.arrived {
            return taken;
        }
    }
}

#[test]
fn frames_are_hit_without_vanishing_steps() {
    for max_dt in [1e-4, 0.0031, 1.0 / 240.0, 1.0 / 120.0, 0.5, f64::INFINITY] {
        let mut fake = Fake::new(max_dt);
        for k in 1..=240 {
            let end = f64::from(k) / 24.0;
            let before = fake.time;
            let taken = dts(&mut fake, end);
            assert!((fake.time - end).abs() <= 4.0 * f64::EPSILON * end, "{max_dt} {k}");
            let n = ((end - before) / max_dt - 1e-9).ceil().max(1.0);
            assert_eq!(taken.len(), n as usize, "{max_dt} {k}");
            let mean = (end - before) / n;
            assert!(taken.iter().all(|dt| (dt - mean).abs() < 1e-9 * mean), "{max_dt} {k}: {taken:?}");
        }
    }
}

#[test]
fn a_frame_that_is_a_whole_number_of_steps_takes_no_more() {
    // 0.1 / (0.1 / 3) is a little above 3 in floating point for some ends.
    for k in 1..200 {
        let end = f64::from(k) * 0.1;
        let mut fake = Fake::new(end / 3.0 * (1.0 - f64::EPSILON));
        assert_eq!(dts(&mut fake, end).len(), 3);
    }
}

#[test]
fn failed_steps_are_halved_and_the_frame_is_still_hit() {
    let mut fake = Fake { fails_above: 0.03, ..Fake::new(0.1) };
    let taken = dts(&mut fake, 0.1);
    assert_eq!(&fake.tried[..3], &[0.1, 0.05, 0.025]);
    assert!((fake.time - 0.1).abs() < 1e-15);
    assert!(taken.iter().all(|&dt| dt > 0.01), "{taken:?}");
}

#[test]
fn five_failures_end_it_with_the_reason() {
    let mut fake = Fake { fails_above: 0.001, ..Fake::new(0.1) };
    let error = step_towards(&mut fake, 0.1).unwrap_err();
    assert_eq!(fake.tried, [0.1, 0.05, 0.025, 0.0125, 0.00625]);
    assert!(matches!(error, SimulationError::Failed { .. }));
    let message = error.to_string();
    assert!(message.contains("too long") && message.contains("6.25e-3"), "{message}");
}

#[test]
fn a_step_without_memory_is_not_tried_again() {
    let mut fake = Fake { memory: 0, ..Fake::new(0.1) };
    let error = step_towards(&mut fake, 0.1).unwrap_err();
    assert_eq!(fake.tried, [0.1]);
    assert!(matches!(error, SimulationError::Memory { .. }), "{error}");
}

#[test]
fn senseless_step_limits_end_it_and_name_the_place() {
    for max_dt in [0.0, -1.0, f64::NAN, 1e-9] {
        let mut fake = Fake::new(max_dt);
        let error = step_towards(&mut fake, 0.1).unwrap_err();
        assert!(matches!(error, SimulationError::TooFast { .. }), "{max_dt}");
        assert!(error.to_string().contains("near [0.25, 0.5, 0.75]"), "{error}");
        assert!(fake.tried.is_empty() && !Simulation::new(Box::new(fake), 60.0).can_step());
    }
}

#[test]
fn no_method_is_asked_for_a_step_that_is_not_positive() {
    for end in [0.5, 0.4, -1.0, f64::NAN, f64::INFINITY] {
        let mut fake = Fake { time: 0.5, ..Fake::new(0.1) };
        let error = step_towards(&mut fake, end).unwrap_err();
        assert!(matches!(error, SimulationError::TimePassed { .. }), "{end}: {error}");
        assert!(fake.tried.is_empty(), "{end}: {:?}", fake.tried);
    }
}

#[test]
fn frames_are_numbered_by_the_clock() {
    for fps in [24.0, 29.97, 60.0, 1000.0] {
        let mut simulation = Simulation::new(Box::new(Fake::new(0.3 / fps)), fps);
        for k in 1..=2000 {
            assert!(!simulation.step().unwrap().arrived);
            assert_eq!(simulation.frame_number(), k - 1);
            let between = simulation.frame().time * fps;
            assert!((between - f64::from(k - 1) - 0.25).abs() < 1e-6, "{between}");
            assert_eq!(simulation.next_frame().unwrap().time, f64::from(k) / fps, "{fps}");
            assert_eq!(simulation.frame_number(), k);
        }
        simulation.advance_to_frame(2005).unwrap();
        assert_eq!((simulation.frame_number(), simulation.frame().time), (2005, 2005.0 / fps));
        simulation.advance_to_frame(3).unwrap();
        assert_eq!(simulation.frame_number(), 2005, "it never goes back");
    }
}
