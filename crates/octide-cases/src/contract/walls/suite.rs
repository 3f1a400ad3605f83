//! The walls of the suite: each follows from its number.

use crate::contract::scenes::{at_rest, empty, fixed};
use glam::{DQuat, DVec3};
use octide_core::geometry::{Keyframe, Motion, Pose, Shape};
use octide_core::scene::{Scene, Solid};

/// Edge of the tank in m.
const SIZE: f64 = 0.5;

/// Depth of the water in m.
const DEPTH: f64 = 0.2;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    /// Normal to an axis.
    Upright,
    /// Upright, not along the axes.
    Oblique,
    /// Leaning over the water, or away from it.
    Leaning,
    /// Horizontal, with water on top.
    Shelf,
    /// Pushes water ahead, and stops.
    Pushing,
    /// A dry box that is carried and turned through water.
    Carried,
    /// A box with water in it that is carried and turned.
    Shaken,
    /// A glass with water in it that is tilted.
    Glass,
}

impl Kind {
    pub(super) const ALL: [Self; 8] = [
        Self::Upright,
        Self::Oblique,
        Self::Leaning,
        Self::Shelf,
        Self::Pushing,
        Self::Carried,
        Self::Shaken,
        Self::Glass,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Upright => "upright",
            Self::Oblique => "oblique",
            Self::Leaning => "leaning",
            Self::Shelf => "shelf",
            Self::Pushing => "pushing",
            Self::Carried => "dry box",
            Self::Shaken => "full box",
            Self::Glass => "glass",
        }
    }
}

/// A wall with water on one side.
#[derive(Clone, Debug)]
pub(super) struct Wall {
    pub(super) kind: Kind,
    /// Thickness in finest cells.
    thickness: f64,
    /// Offset within a cell.
    offset: f64,
    /// A number from 0 to 1 that determines angles and speeds.
    turn: f64,
}

impl Wall {
    /// Returns a wall of the suite. Fractions of multiples of irrational numbers fill their range evenly.
    pub(super) fn new(number: usize) -> Self {
        let kind = Kind::ALL[number % Kind::ALL.len()];
        let i = (number / Kind::ALL.len()) as f64;
        let thin = 3.0 * (0.1 + i * 0.7548776662).fract();
        Self {
            kind,
            thickness: thin.max(1e-3),
            offset: (0.3 + i * 0.5698402910).fract(),
            turn: (0.5 + i * 0.6180339887).fract(),
        }
    }

    pub(super) fn text(&self) -> String {
        let Self { thickness, offset, turn, .. } = self;
        format!("{}, {thickness:.2} cells thick, offset {offset:.2}, turn {turn:.2}", self.kind.name())
    }

    /// Returns the middle of a flat wall at the start, and its normal, which points to the dry side.
    fn plane(&self, dx: f64) -> (DVec3, DVec3) {
        let middle = 0.5 * SIZE + dx * self.offset;
        let turned = |axis: DVec3, degrees: f64| DQuat::from_axis_angle(axis, degrees.to_radians());
        let around = DVec3::new(middle, 0.4 * SIZE, 0.5 * SIZE);
        match self.kind {
            Kind::Upright if self.turn < 0.5 => (around, DVec3::X),
            Kind::Upright => (DVec3::new(0.5 * SIZE, 0.4 * SIZE, middle), -DVec3::Z),
            Kind::Oblique => (around, turned(DVec3::Y, 10.0 + 70.0 * self.turn) * DVec3::X),
            Kind::Leaning => (around, turned(DVec3::new(0.0, 0.3, 1.0), 80.0 * (self.turn - 0.5)) * DVec3::X),
            Kind::Shelf => (DVec3::new(0.25, 0.2 + dx * self.offset, 0.25), -DVec3::Y),
            _ => (DVec3::new(0.15 + dx * self.offset, 0.25, 0.25), -DVec3::X),
        }
    }

    /// Returns the pose of what moves.
    fn motion(&self) -> Motion {
        let key = |time, position, turn: f64| {
            let rotation = DQuat::from_axis_angle(DVec3::new(0.4, 0.2, 1.0).normalize(), turn);
            Keyframe { time, pose: Pose { position, rotation } }
        };
        match self.kind {
            Kind::Pushing => {
                let time = 0.1 + 0.2 * self.turn;
                Motion::Keyframes(vec![
                    key(0.0, DVec3::ZERO, 0.0),
                    key(time, DVec3::new(0.15, 0.0, 0.0), 0.0),
                ])
            }
            Kind::Carried | Kind::Shaken => {
                let way = DVec3::new(0.1, 0.03, 0.02);
                let keys = vec![
                    key(0.0, DVec3::ZERO, 0.0),
                    key(0.15, way, 1.2 * (self.turn - 0.5)),
                    key(0.3, 0.3 * way, 0.8 * self.turn),
                ];
                Motion::About { pivot: CENTER, motion: Box::new(Motion::Keyframes(keys)) }
            }
            Kind::Glass => {
                let keys = vec![key(0.0, DVec3::ZERO, 0.0), key(0.3, DVec3::ZERO, 0.35)];
                Motion::About { pivot: CENTER, motion: Box::new(Motion::Keyframes(keys)) }
            }
            _ => Motion::Still,
        }
    }

    /// Returns how far a point is beyond the wall; negative on the side of the water and in the wall.
    pub(super) fn beyond(&self, x: DVec3, time: f64, dx: f64) -> f64 {
        let x = self.motion().pose(time).to_body(x);
        match self.kind {
            Kind::Carried => -self.inner(dx).distance(x),
            Kind::Shaken | Kind::Glass => self.outer(dx).distance(x),
            _ => {
                let (middle, normal) = self.plane(dx);
                (x - middle).dot(normal) - 0.5 * dx * self.thickness
            }
        }
    }

    /// The outer shape of a box or a glass.
    fn outer(&self, dx: f64) -> Shape {
        let t = dx * self.thickness;
        let low = CENTER + DVec3::splat(dx * (self.offset - 0.5));
        match self.kind {
            Kind::Glass => {
                let foot = low - DVec3::Y * (0.12 + t);
                Shape::Cylinder { from: foot, to: low + DVec3::Y * 0.14, radius: 0.09 + t }
            }
            _ => Shape::Box { min: low - DVec3::splat(0.09 + t), max: low + DVec3::splat(0.09 + t) },
        }
    }

    /// The hollow of a box or a glass.
    fn inner(&self, dx: f64) -> Shape {
        let low = CENTER + DVec3::splat(dx * (self.offset - 0.5));
        match self.kind {
            Kind::Glass => {
                Shape::Cylinder { from: low - DVec3::Y * 0.12, to: low + DVec3::Y * 0.5, radius: 0.09 }
            }
            _ => Shape::Box { min: low - DVec3::splat(0.09), max: low + DVec3::splat(0.09) },
        }
    }

    pub(super) fn scene(&self, method: &str, cells: u32) -> Scene {
        let mut s = empty(method, [SIZE; 3], cells, 2);
        // The suite is about water beyond walls. A box of six cells also loses a quarter of the little water in it
        // when that detaches from its walls.
        s.numerics.max_volume_drift = 1.0;
        let dx = s.domain.dx();
        let pool = |height: f64| Shape::Box { min: DVec3::splat(-9.0), max: DVec3::new(9.0, height, 9.0) };
        let motion = self.motion();
        let hollow = Shape::Difference { of: Box::new(self.outer(dx)), minus: vec![self.inner(dx)] };
        let (middle, normal) = self.plane(dx);
        match self.kind {
            Kind::Carried => {
                let around = Shape::Difference { of: Box::new(pool(0.42)), minus: vec![self.outer(dx)] };
                s.liquids = vec![at_rest(around)];
                s.solids = vec![Solid::moving(hollow, motion)];
            }
            Kind::Shaken | Kind::Glass => {
                let level = CENTER.y - if self.kind == Kind::Glass { 0.04 } else { 0.0 };
                s.liquids = vec![at_rest(Shape::Intersection(vec![self.inner(dx), pool(level)]))];
                s.solids = vec![Solid::moving(hollow, motion)];
            }
            _ => {
                let half = 0.5 * dx * self.thickness;
                let slab = Shape::Box { min: DVec3::new(-half, -9.0, -9.0), max: DVec3::new(half, 9.0, 9.0) };
                let rotation = DQuat::from_rotation_arc(DVec3::X, normal);
                let slab =
                    Shape::Transformed { shape: Box::new(slab), scale: 1.0, rotation, translation: middle };
                let height = if self.kind == Kind::Shelf { middle.y + 0.15 } else { DEPTH };
                let behind = Shape::Plane { point: middle, normal };
                s.liquids = vec![at_rest(Shape::Intersection(vec![pool(height), behind]))];
                s.solids = vec![if motion.is_still() { fixed(slab) } else { Solid::moving(slab, motion) }];
            }
        }
        s
    }
}

/// The middle of boxes and glasses.
const CENTER: DVec3 = DVec3::new(0.22, 0.24, 0.25);
