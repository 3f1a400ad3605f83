//! How long the full forms take, roughly, so that the shortest can run first.
//!
//! The numbers are CPU times on one core of an AMD EPYC, rounded to two digits. A method without a line of its own
//! is assumed to take as long as the fastest one. The reports have the times of each run.

/// The estimate for a case with any method that has none of its own.
const ANY: &str = "";

/// Case, method and CPU seconds.
const ESTIMATES: &[(&str, &str, f64)] = &[
    ("sphere-mesh", ANY, 1.0),
    ("mesh-distance", ANY, 2.3),
    ("redistancing", ANY, 2.3),
    ("interpolation", ANY, 8.5),
    ("poisson-uniform", ANY, 4.2),
    ("poisson-t-junctions", ANY, 2.8),
    ("poisson-free-surface", ANY, 8.0),
    ("poisson-solid", ANY, 27.0),
    ("poisson-unrestricted", ANY, 9.9),
    ("nodal-pressure", ANY, 25.0),
    ("flat-surface", ANY, 1.0),
    ("multigrid", ANY, 24.0),
    ("zalesak", ANY, 70.0),
    ("zalesak", "octree", 140.0),
    ("deformation", ANY, 220.0),
    ("deformation", "octree", 720.0),
    ("remeshing", ANY, 21.0),
    ("hydrostatics", ANY, 38.0),
    ("rest-t-junctions", ANY, 13.0),
    ("rest-t-junctions", "nodal-octree", 150.0),
    ("free-fall", ANY, 57.0),
    ("settling-bump", ANY, 25.0),
    ("free-surface-cost", ANY, 25.0),
    ("sloshing", ANY, 23.0),
    ("sloshing", "nodal-octree", 39.0),
    ("waves", ANY, 150.0),
    ("wall-friction", ANY, 4.0),
    ("dam-break-martin-moyce", ANY, 29.0),
    ("dam-break-martin-moyce", "nodal-octree", 45.0),
    ("long-dam-break", ANY, 9.4),
    ("particle-energy", ANY, 15.0),
    ("filling-draining", ANY, 27.0),
    ("detaching", ANY, 700.0),
    ("energy-and-work", ANY, 10.0),
    ("everyday", ANY, 1000.0),
    ("ten-seconds", ANY, 1000.0),
    ("filling-draining", "nodal-octree", 49.0),
    ("sizing-strength", ANY, 5.5),
    ("crown", ANY, 60.0),
    ("drop-oscillation", ANY, 47.0),
    ("drop-oscillation", "octree", 78.0),
    ("static-drop", ANY, 78.0),
    ("rayleigh-plateau", ANY, 29.0),
    ("stratified", ANY, 17.0),
    ("taylor-green", ANY, 50.0),
    ("vortex-ring", ANY, 60.0),
    ("helium-plume", ANY, 160.0),
    ("contract-rest", ANY, 28.0),
    ("contract-rest", "nodal-octree", 49.0),
    ("contract-symmetry", ANY, 3.4),
    ("contract-time", ANY, 16.0),
    ("contract-water", ANY, 6.7),
    ("contract-water", "nodal-octree", 25.0),
    ("contract-solids", ANY, 1.4),
    ("contract-walls", ANY, 300.0),
    ("contract-threads", ANY, 2.5),
    ("contract-threads", "nodal-octree", 4.8),
    ("contract-saved", ANY, 1.8),
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
        assert_eq!(estimated_cpu_seconds("zalesak", "octree"), 140.0);
    }
}
