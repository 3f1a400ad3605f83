use super::*;
use glam::DVec3;
use octide_core::contract::{Frame, StateView, Totals};
use octide_core::snapshot::{Snapshot, SnapshotError, Store};

/// Counts time; steps longer than `fails_above` fail.
struct Fake {
    time: f64,
    max_dt: f64,
    fails_above: f64,
    tried: Vec<f64>,
}

impl Fake {
    fn new(max_dt: f64) -> Self {
        Self { time: 0.0, max_dt, fails_above: f64::INFINITY, tried: Vec::new() }
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
        if dt > self.fails_above {
            return Err(StepError::Pressure { reason: "too long".into(), at: None });
        }
        self.time += dt;
        Ok(StepReport { dt, ..StepReport::default() })
    }
    fn frame(&self) -> Frame {
        Frame::default()
    }
    fn report(&self) -> StepReport {
        StepReport::default()
    }
    fn view(&self) -> Box<dyn StateView + '_> {
        unimplemented!("nobody looks")
    }
    fn totals(&self) -> Totals {
        Totals::default()
    }
    fn save(&self, _: &mut dyn Store) {
        unimplemented!("nobody keeps it")
    }
    fn load(_: &Scene, _: &mut Snapshot) -> Result<Self, SnapshotError> {
        unimplemented!("nobody keeps it")
    }
}

fn dts(fake: &mut Fake, end: f64) -> Vec<f64> {
    let mut taken = Vec::new();
    let each = |s: &Step, _: &dyn Method| {
        taken.push(s.report.dt);
        Ok(())
    };
    advance(fake, end, each).unwrap();
    taken
}

#[test]
fn frames_are_hit_without_crumbs() {
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
fn five_failures_end_the_run_with_the_reason() {
    let mut fake = Fake { fails_above: 0.001, ..Fake::new(0.1) };
    let failure = advance(&mut fake, 0.1, |_, _| Ok(())).unwrap_err();
    assert_eq!(fake.tried, [0.1, 0.05, 0.025, 0.0125, 0.00625]);
    assert_eq!(failure.code(), 3);
    assert!(failure.message().contains("too long") && failure.message().contains("6.25e-3"), "{failure:?}");
}

#[test]
fn senseless_step_limits_end_the_run() {
    for max_dt in [0.0, -1.0, f64::NAN, 1e-9] {
        let failure = advance(&mut Fake::new(max_dt), 0.1, |_, _| Ok(())).unwrap_err();
        assert_eq!(failure.code(), 3, "{max_dt}");
        assert!(failure.message().contains("near [0.25, 0.5, 0.75]"), "{failure:?}");
    }
}

#[test]
fn whoever_watches_can_end_it() {
    let mut fake = Fake::new(0.01);
    let failure = advance(&mut fake, 1.0, |_, _| Err(Failure::Interrupted("so".into()))).unwrap_err();
    assert_eq!((failure.code(), fake.tried.len()), (130, 1));
}
