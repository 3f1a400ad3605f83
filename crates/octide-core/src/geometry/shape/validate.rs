//! Checks of the numbers of a shape.

use super::Shape;
use crate::geometry::value_error::{ValueError, direction, finite, positive, rotation};
use glam::DVec3;

impl Shape {
    /// Checks every number of the shape and of its parts; the error names the value and what is allowed.
    pub fn validate(&self) -> Result<(), ValueError> {
        self.check().map_err(|e| e.inside(self.name()))
    }

    /// Returns the name of the kind of shape, in lower case with underscores.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Box { .. } => "box",
            Self::RoundedBox { .. } => "rounded_box",
            Self::Sphere { .. } => "sphere",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Cylinder { .. } => "cylinder",
            Self::Capsule { .. } => "capsule",
            Self::Torus { .. } => "torus",
            Self::Plane { .. } => "plane",
            Self::Union(_) => "union",
            Self::Intersection(_) => "intersection",
            Self::Difference { .. } => "difference",
            Self::SmoothUnion { .. } => "smooth_union",
            Self::Transformed { .. } => "transformed",
            Self::Mesh(_) => "mesh",
            Self::Blend(_) => "blend",
        }
    }

    /// Returns whether a box can have edges of this radius: at most half its shortest side. Sides are
    /// differences of numbers that are rounded, so a radius that is typed as half of one may exceed it by the
    /// rounding: 0.5 − 0.4 is less than 0.1.
    pub fn fits_corner_radius(min: DVec3, max: DVec3, radius: f64) -> bool {
        let rounding = 2.0 * f64::EPSILON * min.abs().max(max.abs());
        (0.5 * (max - min) + rounding).min_element() >= radius
    }

    fn check(&self) -> Result<(), ValueError> {
        match self {
            Self::Box { min, max } => corners(*min, *max),
            Self::RoundedBox { min, max, radius } => {
                corners(*min, *max)?;
                if !(*radius >= 0.0 && Self::fits_corner_radius(*min, *max, *radius)) {
                    let most = 0.5 * (*max - *min).min_element();
                    let allowed = format!("from 0 to {most}, half the box's shortest side");
                    return Err(ValueError::new("radius", radius, allowed));
                }
                Ok(())
            }
            Self::Sphere { center, radius } => {
                finite("center", *center)?;
                positive("radius", *radius)
            }
            Self::Ellipsoid { center, radii } => {
                finite("center", *center)?;
                (0..3).try_for_each(|a| positive(&format!("radii[{a}]"), radii[a]))
            }
            Self::Cylinder { from, to, radius } => {
                finite("from", *from)?;
                finite("to", *to)?;
                if (*to - *from).try_normalize().is_none() {
                    return Err(ValueError::new("to", to.to_array(), "another point than from"));
                }
                positive("radius", *radius)
            }
            Self::Capsule { from, to, radius } => {
                finite("from", *from)?;
                finite("to", *to)?;
                positive("radius", *radius)
            }
            Self::Torus { center, axis, major, minor } => {
                finite("center", *center)?;
                direction("axis", *axis)?;
                positive("major", *major)?;
                positive("minor", *minor)?;
                if minor > major {
                    return Err(ValueError::new("minor", minor, format!("at most major, which is {major}")));
                }
                Ok(())
            }
            Self::Plane { point, normal } => {
                finite("point", *point)?;
                direction("normal", *normal)
            }
            Self::Union(shapes) | Self::Intersection(shapes) => parts("", shapes),
            Self::Difference { of, minus } => {
                of.validate().map_err(|e| e.inside("of"))?;
                parts("minus", minus)
            }
            Self::SmoothUnion { shapes, radius } => {
                parts("shapes", shapes)?;
                positive("radius", *radius)
            }
            Self::Transformed { shape, scale, rotation: turn, translation } => {
                positive("scale", *scale)?;
                rotation("rotation", *turn)?;
                finite("translation", *translation)?;
                shape.validate().map_err(|e| e.inside("shape"))
            }
            // Meshes are checked when they are created.
            Self::Mesh(_) | Self::Blend(_) => Ok(()),
        }
    }
}

fn corners(min: DVec3, max: DVec3) -> Result<(), ValueError> {
    finite("min", min)?;
    finite("max", max)?;
    for a in 0..3 {
        if max[a] <= min[a] {
            let allowed = format!("greater than min[{a}], which is {}", min[a]);
            return Err(ValueError::new(format!("max[{a}]"), max[a], allowed));
        }
    }
    Ok(())
}

fn parts(name: &str, shapes: &[Shape]) -> Result<(), ValueError> {
    if shapes.is_empty() {
        return Err(ValueError::new(name, format_args!("an empty list"), "a list of at least one shape"));
    }
    shapes
        .iter()
        .enumerate()
        .try_for_each(|(i, s)| s.validate().map_err(|e| e.inside(&format!("{name}[{i}]"))))
}
