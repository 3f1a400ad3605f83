//! Each gate can fail: known mistakes turn the cases that guard against them red, and without them all is
//! green.
#![allow(clippy::unwrap_used)] // a test may fail loudly

use octide_cases::find;
use octide_octree::faults::{self, Fault};
use octide_verify::{CaseResult, Context, Status, run};

/// Which quantity of which case sees a mistake, in its quick form with the octree method.
const GUARDS: &[(Fault, &str, &str)] = &[
    (Fault::VolumeFractions, "contract-solids", "sliding wall: largest speed of water over its own"),
    (Fault::FlippedTJunction, "poisson-t-junctions", "order, L∞"),
    (
        Fault::NoRedistancing,
        "contract-time",
        "falling body: distance to it, relative error, 99 of 100 places",
    ),
    (Fault::NoGravityAlongZ, "contract-time", "falling body: error over ½ g t dt, most"),
    (Fault::NoGravityAlongZ, "contract-symmetry", "axes exchanged: distance"),
    (Fault::FirstOrderSurface, "contract-rest", "still tank: speed over √(gH), most"),
    (Fault::ThetaFloor, "contract-rest", "still tank: speed over √(gH), most"),
    (Fault::DepthOfAll, "flat-surface", "(24), tilted"),
    (Fault::DepthOfAll, "poisson-free-surface", "(24): order of the gradient, L2"),
    (Fault::NoVolumeCorrection, "contract-water", "volume drift at the end, with correction over without"),
    (Fault::LooseSolve, "contract-water", "divergence over speed / dx, most, solved to 1e-10"),
    (Fault::UnorderedSum, "contract-threads", "runs that differ"),
    (Fault::TensionWithoutFactor, "static-drop", "exact curvature: speed times √(ρD/σ)"),
    (
        Fault::CurvatureOffSurface,
        "static-drop",
        "computed curvature: speed times √(ρD/σ), 12 cells a diameter",
    ),
];

fn result(case: &str) -> CaseResult {
    run(find(case).unwrap(), &Context { quick: true, method: "octree", threads: 2, observer: &() }).unwrap()
}

/// What a case makes of a quantity.
fn verdict(result: &CaseResult, quantity: &str) -> Status {
    let found = result.findings.iter().find(|f| f.quantity.name == quantity).unwrap();
    println!("  {} / {quantity}: {:?} {}", result.case.name, found.measured, found.status.text());
    found.status
}

#[test]
fn every_mistake_is_seen_by_its_guard() {
    assert!(faults::ALL.iter().all(|f| GUARDS.iter().any(|g| g.0 == *f)));
    let mut unseen = Vec::new();
    for &(fault, case, quantity) in GUARDS {
        let with = {
            let _on = faults::switch_on(fault);
            result(case)
        };
        println!("{fault:?}: {:?} in {:.1} s", with.error, with.seconds);
        if verdict(&with, quantity) != Status::Fail {
            unseen.push(fault);
        }
    }
    assert_eq!(unseen, []);
    let mut cases: Vec<&str> = GUARDS.iter().map(|g| g.1).collect();
    cases.sort_unstable();
    cases.dedup();
    println!("without:");
    for result in cases.into_iter().map(result) {
        for (_, _, quantity) in GUARDS.iter().filter(|g| g.1 == result.case.name) {
            assert_eq!(verdict(&result, quantity), Status::Pass);
        }
        assert!(!result.is_broken(), "{} without any mistake", result.case.name);
    }
}
