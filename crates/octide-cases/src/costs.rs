//! How long the full forms take, roughly, so that the shortest can run first.
//!
//! The numbers are estimates: the CPU time of the quick form, scaled by the cells and time steps that the full
//! form has more. The measured times are in the reports.

/// The estimate for a case with any method that has none of its own.
const ANY: &str = "";

/// Case, method and CPU seconds.
const ESTIMATES: &[(&str, &str, f64)] = &[
    ("sphere-mesh", ANY, 3.0),
    ("mesh-distance", ANY, 10.0),
    ("redistancing", ANY, 5.0),
    ("interpolation", ANY, 50.0),
    ("poisson-uniform", ANY, 8.0),
    ("poisson-t-junctions", ANY, 7.0),
    ("poisson-free-surface", ANY, 15.0),
    ("poisson-solid", ANY, 40.0),
    ("poisson-unrestricted", ANY, 15.0),
    ("nodal-pressure", ANY, 150.0),
    ("flat-surface", ANY, 1.0),
    ("multigrid", ANY, 40.0),
    ("zalesak", ANY, 150.0),
    ("zalesak", "octree", 1200.0),
    ("deformation", ANY, 220.0),
    ("deformation", "octree", 2000.0),
    ("remeshing", ANY, 150.0),
    ("hydrostatics", ANY, 280.0),
    ("rest-t-junctions", ANY, 100.0),
    ("free-fall", ANY, 100.0),
    ("free-fall", "octree", 190.0),
    ("settling-bump", ANY, 135.0),
    ("free-surface-cost", ANY, 120.0),
    ("sloshing", ANY, 50.0),
    ("dam-break-martin-moyce", ANY, 60.0),
    ("long-dam-break", ANY, 10.0),
    ("particle-energy", ANY, 40.0),
    ("filling-draining", ANY, 200.0),
    ("sizing-strength", ANY, 15.0),
    ("drop-oscillation", ANY, 60.0),
    ("static-drop", ANY, 60.0),
    ("rayleigh-plateau", ANY, 40.0),
    ("stratified", ANY, 30.0),
    ("taylor-green", ANY, 55.0),
    ("vortex-ring", ANY, 100.0),
    ("helium-plume", ANY, 1500.0),
    ("contract-rest", ANY, 60.0),
    ("contract-symmetry", ANY, 4.0),
    ("contract-time", ANY, 25.0),
    ("contract-water", ANY, 45.0),
    ("contract-solids", ANY, 3.0),
    ("contract-threads", ANY, 12.0),
    ("contract-saved", ANY, 3.0),
];

/// Returns the estimated CPU time of the full form of a case with a method, in seconds on one core. It is
/// infinite for a case without an estimate, so that such a case runs last.
pub fn estimated_cpu_seconds(case: &str, method: &str) -> f64 {
    let find = |method: &str| ESTIMATES.iter().find(|e| e.0 == case && e.1 == method).map(|e| e.2);
    find(method).or_else(|| find(ANY)).unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_has_an_estimate_and_every_estimate_a_case() {
        for case in crate::CASES {
            assert!(estimated_cpu_seconds(case.name, "unheard-of").is_finite(), "{}", case.name);
        }
        for (case, method, _) in ESTIMATES {
            let case = crate::find(case).unwrap_or_else(|| panic!("no case {case}"));
            assert!(*method == ANY || (case.methods)().contains(method), "{} {method}", case.name);
        }
        assert_eq!(estimated_cpu_seconds("zalesak", "octree"), 1200.0);
    }
}
