//! Properties that a closed surface must have, and measures of it.

use crate::surface::extract::Contour;
use glam::DVec3;

/// Returns why a mesh is not a closed oriented manifold with unit normals; `None` if it is.
pub fn flaw(mesh: &Contour) -> Option<String> {
    let n = mesh.positions.len();
    if mesh.normals.len() != n || mesh.nodes.len() != n {
        return Some("columns of different lengths".into());
    }
    if let Some(i) = (0..n).find(|&i| (mesh.normals[i].length() - 1.0).abs() > 1e-9) {
        return Some(format!("normal {} at {}", mesh.normals[i], mesh.positions[i]));
    }
    let mut edges = Vec::new();
    // For each vertex, the edges opposite to it; its triangles form one fan if these edges form one cycle.
    let mut links: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n];
    for &[a, b, c] in &mesh.triangles {
        if a == b || b == c || c == a {
            return Some("a triangle with two equal corners".into());
        }
        for (x, y, z) in [(a, b, c), (b, c, a), (c, a, b)] {
            edges.push((x, y));
            links[x as usize].push((y, z));
        }
    }
    edges.sort_unstable();
    if let Some(w) = edges.windows(2).find(|w| w[0] == w[1]) {
        return Some(format!(
            "edge {:?} twice in one direction at {}",
            w[0], mesh.positions[w[0].0 as usize]
        ));
    }
    if let Some(&(a, b)) = edges.iter().find(|&&(a, b)| edges.binary_search(&(b, a)).is_err()) {
        return Some(format!("edge {a} {b} has no other side"));
    }
    for (v, link) in links.iter().enumerate() {
        let Some(&(start, mut at)) = link.first() else { return Some(format!("vertex {v} is not used")) };
        let mut steps = 1;
        while at != start && steps <= link.len() {
            let Some(next) = link.iter().find(|l| l.0 == at) else {
                return Some(format!("the fan of {v} is open"));
            };
            at = next.1;
            steps += 1;
        }
        if steps != link.len() {
            return Some(format!("vertex {v} has several fans"));
        }
    }
    None
}

fn corners(mesh: &Contour) -> impl Iterator<Item = [DVec3; 3]> + '_ {
    mesh.triangles.iter().map(|t| t.map(|i| mesh.positions[i as usize]))
}

pub fn volume(mesh: &Contour) -> f64 {
    corners(mesh).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
}

pub fn area(mesh: &Contour) -> f64 {
    corners(mesh).map(|[a, b, c]| (b - a).cross(c - a).length() / 2.0).sum()
}

/// Returns the smallest angle of all triangles in degrees.
pub fn smallest_angle(mesh: &Contour) -> f64 {
    corners(mesh)
        .flat_map(|[a, b, c]| [(a, b, c), (b, c, a), (c, a, b)])
        .map(|(a, b, c)| (b - a).angle_between(c - a).to_degrees())
        .fold(180.0, f64::min)
}
