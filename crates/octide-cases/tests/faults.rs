//! Each case can fail: known mistakes of every method turn the cases that guard against them red, and without
//! them all is green.
#![allow(clippy::unwrap_used)] // a test may fail loudly

use octide_cases::find;
use octide_core::faults::{KnownFault, switch_on};
use octide_methods::ALL;
use octide_verify::{CaseResult, Context, Status, run};
use std::collections::BTreeSet;

/// A quantity that sees a mistake, in the quick form of its case.
struct Guard {
    method: &'static str,
    fault: &'static str,
    case: &'static str,
    quantity: &'static str,
}

const fn guard(
    method: &'static str,
    fault: &'static str,
    case: &'static str,
    quantity: &'static str,
) -> Guard {
    Guard { method, fault, case, quantity }
}

const SLIDING_WALL: &str = "sliding wall: largest speed of water over its own";
const BODY_DISTANCE: &str = "falling body: distance to it, relative error, 99 of 100 places";
const BODY_FALL: &str = "falling body: error over ½ g t dt, most";
const EXCHANGED_AXES: &str = "axes exchanged: distance";
const STILL_SPEED: &str = "still tank: speed over √(gH), most";
const CORRECTED_DRIFT: &str = "volume drift at the end, with correction over without";
const DIVERGENCE: &str = "divergence over speed / dx, most, solved to 1e-10";
const DIFFERENT_RUNS: &str = "runs that differ";
const EXACT_CURVATURE: &str = "exact curvature: speed times √(ρD/σ)";
const COMPUTED_CURVATURE: &str = "computed curvature: speed times √(ρD/σ), 12 cells a diameter";
const MARKER_GAIN: &str = "Σ|Δ|dV with particles over without, 32³";

const GUARDS: &[Guard] = &[
    guard("octree", "VolumeFractions", "contract-solids", SLIDING_WALL),
    guard("octree", "EvenTJunctions", "poisson-solid", "T-junctions: order, L∞ of all"),
    guard("octree", "FlippedTJunction", "poisson-t-junctions", "order, L∞"),
    guard("octree", "NoRedistancing", "contract-time", BODY_DISTANCE),
    guard("octree", "NoGravityAlongZ", "contract-time", BODY_FALL),
    guard("octree", "NoGravityAlongZ", "contract-symmetry", EXCHANGED_AXES),
    guard("octree", "FirstOrderSurface", "contract-rest", STILL_SPEED),
    guard("octree", "ThetaFloor", "contract-rest", STILL_SPEED),
    guard("octree", "DepthOfAll", "flat-surface", "(24), tilted"),
    guard("octree", "DepthOfAll", "poisson-free-surface", "(24): order of the gradient, L2"),
    guard("octree", "NoVolumeCorrection", "contract-water", CORRECTED_DRIFT),
    guard("octree", "LooseSolve", "contract-water", DIVERGENCE),
    guard("octree", "UnorderedSum", "contract-threads", DIFFERENT_RUNS),
    guard("octree", "TensionWithoutFactor", "static-drop", EXACT_CURVATURE),
    guard("octree", "CurvatureOffSurface", "static-drop", COMPUTED_CURVATURE),
    guard("nodal-octree", "VolumeFractions", "contract-solids", SLIDING_WALL),
    guard("nodal-octree", "OtherDistanceInUpdate", "nodal-pressure", "divergence left, multigrid"),
    guard("nodal-octree", "NoRedistancing", "contract-time", BODY_DISTANCE),
    guard("nodal-octree", "NoGravityAlongZ", "contract-time", BODY_FALL),
    guard("nodal-octree", "UnbalancedGravity", "rest-t-junctions", "upright T-junctions, second order"),
    guard("nodal-octree", "NoMarkerCorrection", "zalesak", MARKER_GAIN),
    guard("nodal-octree", "NoVolumeCorrection", "contract-water", CORRECTED_DRIFT),
    guard("nodal-octree", "LooseSolve", "nodal-pressure", "divergence left, multigrid"),
    guard("nodal-octree", "UnorderedSum", "contract-threads", DIFFERENT_RUNS),
    guard("nodal-octree", "FreeHangingCorners", "contract-time", BODY_DISTANCE),
    guard("nodal-octree", "UnbalancedBuoyancy", "stratified", "graded, one step"),
];

fn result(method: &str, case: &str) -> CaseResult {
    run(find(case).unwrap(), &Context { quick: true, method, threads: 2, observer: &() }).unwrap()
}

/// Returns what a case finds about a quantity.
fn verdict(result: &CaseResult, quantity: &str) -> Status {
    let found = result.findings.iter().find(|f| f.quantity.name == quantity).unwrap();
    println!("  {} / {quantity}: {:?} {}", result.case.name, found.measured, found.status.text());
    found.status
}

fn find_fault(guard: &Guard) -> &'static KnownFault {
    let method = ALL.iter().find(|m| m.name() == guard.method).unwrap();
    method.faults.iter().find(|f| f.name == guard.fault).unwrap()
}

#[test]
fn every_method_has_faults_and_every_fault_a_guard() {
    for method in ALL {
        assert!(!method.faults.is_empty(), "{} has none", method.name());
        for fault in method.faults {
            let is_guarded = GUARDS.iter().any(|g| (g.method, g.fault) == (method.name(), fault.name));
            assert!(is_guarded, "{} of {}", fault.name, method.name());
        }
    }
}

#[test]
fn every_fault_turns_its_guard_red() {
    let mut unseen = Vec::new();
    for guard in GUARDS {
        let with = {
            let _on = switch_on(find_fault(guard));
            result(guard.method, guard.case)
        };
        println!("{} of {}: {:?} in {:.1} s", guard.fault, guard.method, with.error, with.seconds);
        if verdict(&with, guard.quantity) != Status::Fail {
            unseen.push((guard.method, guard.fault));
        }
    }
    assert_eq!(unseen, []);
}

#[test]
fn without_a_fault_every_guard_is_green() {
    // Waits until no mistake is being made.
    static NO_FAULT: KnownFault = KnownFault { name: "none" };
    let _on = switch_on(&NO_FAULT);
    let cases: BTreeSet<(&str, &str)> = GUARDS.iter().map(|g| (g.method, g.case)).collect();
    for (method, case) in cases {
        let result = result(method, case);
        println!("without, {method}: {:.1} s", result.seconds);
        for guard in GUARDS.iter().filter(|g| (g.method, g.case) == (method, case)) {
            assert_eq!(verdict(&result, guard.quantity), Status::Pass);
        }
        assert!(!result.is_broken(), "{case} with {method} without any mistake");
    }
}
