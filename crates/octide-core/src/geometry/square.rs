//! The fraction of a square that lies inside a shape.

/// Returns the fraction of a square in which a function is negative. The function is given at the corners in
/// order around the square and is linear along the edges; the result is the area of the polygon of negative
/// corners and edge crossings.
pub fn negative_share(values: [f64; 4]) -> f64 {
    if values.iter().all(|&v| v >= 0.0) {
        return 0.0;
    }
    if values.iter().all(|&v| v < 0.0) {
        return 1.0;
    }
    const CORNERS: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
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
    let twice: f64 = (0..n)
        .map(|i| {
            let (p, q) = (polygon[i], polygon[(i + 1) % n]);
            p[0] * q[1] - q[0] * p[1]
        })
        .sum();
    (0.5 * twice).clamp(0.0, 1.0)
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
}
