//! The part of a square that lies inside a shape.

/// A part of the unit square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Its area.
    pub share: f64,
    /// Its center of area, or that of the square if the part is empty.
    pub center: [f64; 2],
}

impl Part {
    const NONE: Self = Self { share: 0.0, center: [0.5; 2] };
    const ALL: Self = Self { share: 1.0, center: [0.5; 2] };
}

/// The corners of the unit square in order around it.
const CORNERS: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

/// Returns the fraction of a square in which a function is negative, as [`negative_part`].
pub fn negative_share(values: [f64; 4]) -> f64 {
    negative_part(values).share
}

/// Returns the part of the unit square in which a function is negative. The function is given at the corners
/// in order around the square and is linear along the edges; the part is the polygon of negative corners and
/// edge crossings.
pub fn negative_part(values: [f64; 4]) -> Part {
    if values.iter().all(|&v| v >= 0.0) {
        return Part::NONE;
    }
    if values.iter().all(|&v| v < 0.0) {
        return Part::ALL;
    }
    let mut polygon = [[0.0; 2]; 8];
    let mut n = 0;
    for i in 0..4 {
        let j = (i + 1) % 4;
        let (a, b) = (values[i], values[j]);
        if a < 0.0 {
            polygon[n] = CORNERS[i];
            n += 1;
        }
        if (a < 0.0) != (b < 0.0) {
            let t = a / (a - b);
            polygon[n] = [0, 1].map(|x| CORNERS[i][x] + t * (CORNERS[j][x] - CORNERS[i][x]));
            n += 1;
        }
    }
    // The first point is the origin of moments: small parts are small differences otherwise.
    let origin = polygon[0];
    let (mut twice, mut moment) = (0.0, [0.0; 2]);
    for i in 1..n - 1 {
        let [p, q] = [polygon[i], polygon[i + 1]].map(|p| [p[0] - origin[0], p[1] - origin[1]]);
        let area = p[0] * q[1] - q[0] * p[1];
        twice += area;
        moment = [0, 1].map(|x| moment[x] + area * (p[x] + q[x]));
    }
    if twice <= 0.0 {
        return Part { share: 0.0, center: origin };
    }
    let center = [0, 1].map(|x| (origin[x] + moment[x] / (3.0 * twice)).clamp(0.0, 1.0));
    Part { share: (0.5 * twice).clamp(0.0, 1.0), center }
}

/// Returns the lines that separate what is negative in the unit square from the rest, and their number: the
/// ends of each, with the negative part on its left. Between four corners there are at most two.
pub fn cuts(values: [f64; 4]) -> ([[[f64; 2]; 2]; 2], usize) {
    let mut lines = [[[0.0; 2]; 2]; 2];
    let mut n = 0;
    let crossing = |i: usize| {
        let j = (i + 1) % 4;
        let t = values[i] / (values[i] - values[j]);
        [0, 1].map(|x| CORNERS[i][x] + t * (CORNERS[j][x] - CORNERS[i][x]))
    };
    let is_in = |i: usize| values[i % 4] < 0.0;
    for leaves in (0..4).filter(|&i| is_in(i) && !is_in(i + 1)) {
        // The polygon of negative_part goes on where the edges become negative again.
        let enters = (leaves + 1..leaves + 4).find(|&i| !is_in(i) && is_in(i + 1));
        if let Some(enters) = enters {
            lines[n] = [crossing(leaves), crossing(enters % 4)];
            n += 1;
        }
    }
    (lines, n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_straight_cuts_are_exact() {
        assert_eq!(negative_share([-1.0, -1.0, 1.0, 1.0]), 0.5);
        assert_eq!(negative_share([-1.0, 3.0, 3.0, -1.0]), 0.25);
        assert!((negative_share([-1.0, 1.0, 3.0, 1.0]) - 0.125).abs() < 1e-15);
        assert!((negative_share([1.0, -1.0, -3.0, -1.0]) - 0.875).abs() < 1e-15);
        // Two opposite corners: two triangles, connected or not, within the square.
        let saddle = negative_share([-1.0, 1.0, -1.0, 1.0]);
        assert!((0.25..=0.75).contains(&saddle));
    }

    #[test]
    fn centers_of_parts_are_those_of_triangles_and_strips() {
        let is = |values, center: [f64; 2]| {
            let found = negative_part(values).center;
            assert!((0..2).all(|x| (found[x] - center[x]).abs() < 1e-15), "{values:?}: {found:?}");
        };
        is([-1.0, 3.0, 3.0, -1.0], [0.125, 0.5]);
        is([-1.0, 1.0, 3.0, 1.0], [1.0 / 6.0, 1.0 / 6.0]);
        is([1.0, 1.0, -1.0, 1.0], [5.0 / 6.0, 5.0 / 6.0]);
        is([-1.0; 4], [0.5, 0.5]);
        // What is negative and what is not have the square's center between them.
        let values = [0.3, -0.2, -0.7, 0.1];
        let [inside, outside] = [negative_part(values), negative_part(values.map(|v| -v))];
        for x in 0..2 {
            let both = inside.share * inside.center[x] + outside.share * outside.center[x];
            assert!((both - 0.5).abs() < 1e-15);
        }
    }
}
