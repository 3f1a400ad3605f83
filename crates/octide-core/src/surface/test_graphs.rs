//! Grids of the unit box for tests: points are cells, and neighbors share faces.

use super::graph::{CsrGraph, Graph};
use glam::{DVec3, IVec3};

/// Returns a hash of its arguments as a number in 0..1.
pub fn random(seed: u64, i: u64) -> f64 {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i.wrapping_mul(0xd1b5_4a32_d192_ed03);
    for _ in 0..3 {
        x = (x ^ (x >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    (x >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns a grid of `n`³ cells.
pub fn uniform(n: i32) -> CsrGraph {
    octree(n, 0, |_, _| false)
}

/// Returns a grid of `n`³ cells, of which about half, chosen at random, are split into eight.
pub fn two_level(n: i32, seed: u64) -> CsrGraph {
    octree(n, 1, |c, _| random(seed, c.dot(DVec3::new(1e6, 1.7e9, 2.9e12)) as u64) < 0.5)
}

/// Returns `n`³ roots, split into eight where `split(center, size)` is true, at most `levels` times.
pub fn octree(n: i32, levels: u32, split: impl Fn(DVec3, f64) -> bool) -> CsrGraph {
    let fine = n << levels;
    let mut leaves: Vec<(IVec3, i32)> = Vec::new();
    for root in lattice(n) {
        refine(root << levels as i32, 1 << levels, f64::from(fine), &split, &mut leaves);
    }
    let at = |p: IVec3| (p.x + fine * (p.y + fine * p.z)) as usize;
    let mut owner = vec![0u32; (fine * fine * fine) as usize];
    for (i, &(corner, size)) in leaves.iter().enumerate() {
        lattice(size).for_each(|p| owner[at(corner + p)] = i as u32);
    }
    let mut edges = Vec::new();
    for p in lattice(fine) {
        for q in [p + IVec3::X, p + IVec3::Y, p + IVec3::Z] {
            if q.max_element() < fine && owner[at(p)] != owner[at(q)] {
                edges.push((owner[at(p)], owner[at(q)]));
            }
        }
    }
    let h = 1.0 / f64::from(fine);
    let center = |&(corner, size): &(IVec3, i32)| (corner.as_dvec3() + 0.5 * f64::from(size)) * h;
    let sizes = leaves.iter().map(|&(_, size)| f64::from(size) * h).collect();
    CsrGraph::from_edges(leaves.iter().map(center).collect(), sizes, &edges)
}

fn refine(
    corner: IVec3,
    size: i32,
    fine: f64,
    split: &impl Fn(DVec3, f64) -> bool,
    out: &mut Vec<(IVec3, i32)>,
) {
    let center = (corner.as_dvec3() + 0.5 * f64::from(size)) / fine;
    if size > 1 && split(center, f64::from(size) / fine) {
        lattice(2).for_each(|child| refine(corner + child * (size / 2), size / 2, fine, split, out));
    } else {
        out.push((corner, size));
    }
}

fn lattice(n: i32) -> impl Iterator<Item = IVec3> {
    (0..n * n * n).map(move |i| IVec3::new(i % n, i / n % n, i / (n * n)))
}

/// Returns the graph with x mirrored and the points in another order, and each point's old number.
pub fn mirrored(graph: &CsrGraph) -> (CsrGraph, Vec<usize>) {
    let mut old: Vec<usize> = (0..graph.len()).collect();
    old.sort_by(|&a, &b| random(1, a as u64).total_cmp(&random(1, b as u64)));
    let mut new = vec![0u32; old.len()];
    old.iter().enumerate().for_each(|(k, &i)| new[i] = k as u32);
    let mut edges = Vec::new();
    for i in 0..graph.len() {
        graph.for_neighbors(i, |j| edges.push((new[i], new[j])));
    }
    let mirror = |x: DVec3| DVec3::new(1.0 - x.x, x.y, x.z);
    let positions = old.iter().map(|&i| mirror(graph.positions[i])).collect();
    let sizes = old.iter().map(|&i| graph.sizes[i]).collect();
    (CsrGraph::from_edges(positions, sizes, &edges), old)
}

/// Returns the mean time of `n` runs of `f` on one thread, and its result. Only CPU time is counted, so other
/// work on the machine does not matter.
pub fn cpu_microseconds<T: Send>(n: u32, mut f: impl FnMut() -> T + Send) -> (f64, T) {
    let nanoseconds = || -> f64 {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        text.split(' ').next().unwrap().parse().unwrap()
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let mut result = f();
        let start = nanoseconds();
        (0..n).for_each(|_| result = f());
        ((nanoseconds() - start) * 1e-3 / f64::from(n), result)
    })
}
