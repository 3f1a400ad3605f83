//! Sources of smoke. While a source acts, it sets the density and temperature in its region: corners at least
//! half a finest cell inside take its values, and other corners, up to half a cell outside, take at least
//! their fraction of them. So source boundaries are antialiased, the amount of smoke is what the region
//! holds, and no staircase artifacts are drawn out into streaks. If the source blows, its temperature, which
//! drives the flow, is set only at corners inside: a plume with a soft boundary puffs at any frequency from
//! 0.8 to 1.6 Hz, one with a sharp boundary at 1.3.
//!
//! A source with a velocity v blows. The faces of its cells are excluded from the pressure solve: they have v
//! along their axis, both inside and on the boundary, so that as much air enters at the back as leaves at the
//! front. Where the source touches a side of the domain, air enters through that side: an inlet. This
//! requires an outlet. In a box without open sides nothing can enter, and faces inside the source are set to
//! v before the projection, as a force would do.
//!
//! The region of a moving source is where it is at the end of a step. Its velocity v is relative to it and turns
//! with it; the velocity of its own motion comes on top. A moving source without a velocity leaves the air alone:
//! it only sets density and temperature.
//!
//! The paper has no sources; these are Octide's own.

use crate::boundary::Boundary;
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::flows::Region;
use octide_core::geometry::ShapeSet;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{CornerTable, SplitFaces};
use octide_core::par;
use octide_core::scene::{Buoyancy, Release, Scene, SmokeSource};
use octide_core::speeds::body_speed;

/// A step that overlaps a source's time only by this fraction of its length, by rounding, is not part of it.
const SLACK: f64 = 1e-6;

/// The sources of a scene; those at walls are extended through them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<SmokeSource>,
    /// The largest speed of air in a source that blows, over its whole motion.
    fastest: f64,
}

/// The moment for which sources are evaluated.
#[derive(Clone, Copy, Debug)]
pub enum Moment {
    /// Before the first step.
    Start,
    /// A step, by its start time and its length.
    Step(f64, f64),
}

impl Moment {
    /// The time at which the regions of sources are set.
    fn end(self) -> f64 {
        match self {
            Self::Start => 0.0,
            Self::Step(time, dt) => time + dt,
        }
    }

    fn has(self, when: Release) -> bool {
        match (self, when) {
            (Self::Start, when) => when.at_start(),
            // A puff at the start is not released again.
            (Self::Step(..), Release::Puff(at)) if at <= 0.0 => false,
            (Self::Step(time, dt), when) => when.acts(time + SLACK * dt, time + (1.0 - SLACK) * dt),
        }
    }
}

impl Sources {
    /// Reads the sources of a scene.
    pub fn of(scene: &Scene) -> Self {
        let (low, high) = (scene.domain.origin, scene.domain.origin + scene.domain.size);
        let reaching = |s: &SmokeSource| {
            let shape = if s.motion.is_still() { s.shape.beyond_walls(low, high) } else { s.shape.clone() };
            SmokeSource { shape, ..s.clone() }
        };
        let speed =
            |(s, v): (&SmokeSource, DVec3)| v.length() + body_speed(&scene.domain, &s.shape, &s.motion);
        let blowing = scene.smoke.iter().filter_map(|s| s.velocity.map(|v| (s, v)));
        let fastest = blowing.map(speed).fold(0.0, f64::max);
        Self { list: scene.smoke.iter().map(reaching).collect(), fastest }
    }

    /// Returns the largest density of a source.
    pub fn densest(&self) -> f64 {
        self.list.iter().map(|s| s.density).fold(0.0, f64::max)
    }

    /// Returns the largest acceleration that the smoke of a source can have, in m/s².
    pub fn max_lift(&self, buoyancy: Buoyancy) -> f64 {
        self.list.iter().map(|s| buoyancy.along_up(s.density, s.temperature).abs()).fold(0.0, f64::max)
    }

    /// Returns the largest speed of air in a source that blows, over its whole motion.
    pub fn fastest(&self) -> f64 {
        self.fastest
    }

    /// Returns the largest speed of the air in an active source that blows.
    pub fn fastest_in(&self, now: Moment) -> f64 {
        self.acting(now).filter_map(|(s, region)| s.velocity.map(|v| region.max_speed(v))).fold(0.0, f64::max)
    }

    /// Returns the active sources, and where they are.
    fn acting(&self, now: Moment) -> impl Iterator<Item = (&SmokeSource, Region<'_>)> {
        let active = self.list.iter().filter(move |s| now.has(s.when));
        active.map(move |s| (s, Region::at(&s.shape, &s.motion, now.end())))
    }

    /// Returns the regions of the active sources.
    pub fn regions(&self, now: Moment) -> Vec<Region<'_>> {
        self.acting(now).map(|(_, region)| region).collect()
    }

    /// Sets density and temperature in active sources.
    pub fn fill(
        &self,
        mesh: &Mesh<SplitFaces, impl CornerTable>,
        density: &mut Field<NodeId, f64>,
        temperature: &mut Field<NodeId, f64>,
        now: Moment,
    ) {
        let dx = mesh.tree.grid().dx();
        let sources: Vec<(&SmokeSource, Region<'_>)> = self.acting(now).collect();
        let regions = ShapeSet::new(sources.iter().map(|(_, region)| &*region.shape));
        if regions.is_empty() {
            return;
        }
        // Sources act one after the other. The fractions are functions of the distance in finest cells.
        let soft = |beyond: f64| (0.5 - beyond).clamp(0.0, 1.0);
        let sharp = |beyond: f64| f64::from(u8::from(beyond <= SLACK));
        let set = |q: &mut f64, fraction: f64, value: f64| {
            if fraction >= 1.0 || q.abs() < (fraction * value).abs() {
                *q = fraction * value;
            }
        };
        par::update_both(density, temperature, |v, density, temperature| {
            let x = mesh.node_position(NodeId(v as u32));
            regions.for_each_within(x, dx, |i, d| {
                let (source, beyond) = (sources[i].0, d / dx);
                set(density, soft(beyond), source.density);
                let fraction = if source.velocity.is_some() { sharp(beyond) } else { soft(beyond) };
                set(temperature, fraction, source.temperature);
            });
        });
        mesh.constrain(density);
        mesh.constrain(temperature);
    }

    /// Sets the velocity of the faces that sources blow through: prescribed in `boundary` and closed to the
    /// pressure if air can leave the domain, otherwise set in `u`. Returns the prescribed faces.
    pub fn blow<N: Sync>(
        &self,
        mesh: &Mesh<SplitFaces, N>,
        boundary: &mut Boundary,
        u: &mut Field<FaceId, f64>,
        has_way_out: bool,
        now: Moment,
    ) -> Vec<(FaceId, f64)> {
        let blowing: Vec<(&SmokeSource, Region<'_>, DVec3)> = self
            .acting(now)
            .filter_map(|(s, region)| {
                let v = region.turned(s.velocity?);
                Some((s, region, v))
            })
            .collect();
        let mut prescribed = Vec::new();
        if blowing.is_empty() {
            return prescribed;
        }
        // The source that contains a cell, counted from 1; the last one if there are several.
        let backward = ShapeSet::new(blowing.iter().rev().map(|(_, region, _)| &*region.shape));
        let of_cell = par::map(mesh.n_cells(), |c: CellId| {
            backward.first_around(mesh.tree.center(c)).map_or(0, |i| blowing.len() - i)
        });
        let lasts = |i: usize| has_way_out && matches!(blowing[i - 1].0.when, Release::During(_));
        let faces = par::collect(mesh.n_faces(), |i, out: &mut Vec<(FaceId, usize)>| {
            let k = FaceId(i as u32);
            let [low, high] = mesh.faces.sides(k).map(|c| if c.is_some() { of_cell[c] } else { 0 });
            let source = low.max(high);
            if source > 0 && (lasts(source) || low == high) {
                out.push((k, source));
            }
        });
        for (k, source) in faces {
            let (_, region, v) = &blowing[source - 1];
            let axis = mesh.faces.axis(k);
            let mut along = v[axis];
            if region.moves() {
                along += region.velocity_at(mesh.face_position(k))[axis];
            }
            if !lasts(source) {
                u[k] = along;
            } else if mesh.side_of(k).is_some() {
                boundary.prescribe(k, along);
                prescribed.push((k, along));
            } else {
                prescribed.push((k, boundary.close(k, along)));
            }
        }
        prescribed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smoke::test_meshes::uniform;
    use octide_core::geometry::{Motion, Shape};
    use octide_core::scene::{OpenSides, Span};
    use octide_core::solids::Solids;

    fn scene(velocity: Option<DVec3>, when: Release) -> Scene {
        let mut scene = Scene::empty("nodal-octree", DVec3::ONE, 16, 2);
        let shape = Shape::Box { min: DVec3::new(0.25, 0.0, 0.25), max: DVec3::new(0.75, 0.125, 0.75) };
        scene.smoke.push(SmokeSource {
            shape,
            density: 2.0,
            temperature: -30.0,
            velocity,
            motion: Motion::Still,
            when,
        });
        scene
    }

    #[test]
    fn corners_inside_have_the_values_and_all_else_is_left() {
        let mesh = uniform(16);
        let sources = Sources::of(&scene(None, Release::default()));
        let mut density = Field::filled(mesh.n_nodes(), 0.25);
        let mut temperature = Field::filled(mesh.n_nodes(), -1.0);
        sources.fill(&mesh, &mut density, &mut temperature, Moment::Start);
        for v in density.ids() {
            let x = mesh.node_position(v);
            let d = (x - DVec3::new(0.5, 0.0, 0.5)).abs() - DVec3::new(0.25, 0.125, 0.25);
            if d.max_element() < -0.01 {
                assert_eq!((density[v], temperature[v]), (2.0, -30.0), "{x}");
            } else if d.max_element() > 0.06 {
                assert_eq!((density[v], temperature[v]), (0.25, -1.0), "{x}");
            }
        }
    }

    #[test]
    fn rims_are_shares_but_for_the_heat_of_what_blows() {
        let mesh = uniform(16);
        let along_x = |velocity: Option<DVec3>| {
            let mut scene = scene(velocity, Release::default());
            scene.smoke[0].shape =
                Shape::Box { min: DVec3::new(0.25, 0.0, 0.25), max: DVec3::new(0.765625, 0.125, 0.75) };
            let mut density = Field::filled(mesh.n_nodes(), 0.0);
            let mut temperature = density.clone();
            Sources::of(&scene).fill(&mesh, &mut density, &mut temperature, Moment::Start);
            // A quarter of a cell inside, and three quarters outside.
            [0.75, 0.8125]
                .map(|x| [&density, &temperature].map(|q| mesh.sample(q, DVec3::new(x, 0.0625, 0.5))))
        };
        assert_eq!(along_x(None), [[1.5, -22.5], [0.0, 0.0]]);
        assert_eq!(along_x(Some(DVec3::Y)), [[1.5, -30.0], [0.0, 0.0]]);
    }

    /// A ball contains the amount of smoke given by its volume, even on coarse cells.
    #[test]
    fn a_source_holds_as_much_as_its_shape() {
        let mesh = uniform(16);
        let mut scene = scene(None, Release::default());
        scene.smoke[0].shape = Shape::Sphere { center: DVec3::new(0.51, 0.5, 0.49), radius: 0.1 };
        let mut density = Field::filled(mesh.n_nodes(), 0.0);
        let mut temperature = density.clone();
        Sources::of(&scene).fill(&mesh, &mut density, &mut temperature, Moment::Start);
        let held: f64 = mesh.tree.cells().map(|c| mesh.at_center(&density, c) / 4096.0).sum();
        let exact = 2.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.1f64.powi(3);
        assert!((held / exact - 1.0).abs() < 0.15, "{}", held / exact);
    }

    #[test]
    fn a_puff_of_the_start_comes_once() {
        let mut scene = scene(None, Release::Puff(0.0));
        scene.smoke.push(SmokeSource { when: Release::Puff(0.15), ..scene.smoke[0].clone() });
        let sources = Sources::of(&scene);
        let acting = |now| sources.acting(now).count();
        assert_eq!(acting(Moment::Start), 1);
        assert_eq!([0.0, 0.1, 0.2].map(|t| acting(Moment::Step(t, 0.1))), [0, 1, 0]);
        scene.smoke[0].when = Release::During(Span { start: 0.0, end: 0.1 });
        let sources = Sources::of(&scene);
        assert_eq!([0.0, 0.1].map(|t| sources.regions(Moment::Step(t, 0.1)).is_empty()), [false, false]);
        assert!(sources.regions(Moment::Step(0.2, 0.1)).is_empty());
    }

    /// As much air enters through the floor as leaves at the top, and the sides of the inlet are closed.
    #[test]
    fn an_inlet_blows_through_the_wall_it_stands_at() {
        let mesh = uniform(16);
        let v = DVec3::new(0.0, 0.5, 0.0);
        let sources = Sources::of(&scene(Some(v), Release::default()));
        let solids = Solids::default();
        let mut open = OpenSides::default();
        open.sides[3] = true;
        let mut boundary = Boundary::new(&mesh, &solids, open);
        let mut u = Field::filled(mesh.n_faces(), 0.0);
        let faces = sources.blow(&mesh, &mut boundary, &mut u, true, Moment::Start);
        assert!(u.iter().all(|&u| u == 0.0));
        let flux = |y: f64| {
            let at = |k: FaceId| mesh.faces.axis(k) == 1 && (mesh.face_position(k).y - y).abs() < 1e-9;
            faces.iter().filter(|f| at(f.0)).map(|f| f.1 * mesh.face_size(f.0).powi(2)).sum::<f64>()
        };
        assert!((flux(0.0) - 0.125).abs() < 1e-12 && (flux(0.125) - 0.125).abs() < 1e-12);
        assert!(faces.iter().all(|f| boundary.open(f.0) == 0.0 && boundary.solid_velocity(f.0) == f.1));
        assert!(faces.iter().any(|f| mesh.faces.axis(f.0) == 0 && f.1 == 0.0));

        // In a closed box the source only pushes the air.
        let mut boundary = Boundary::new(&mesh, &solids, OpenSides::default());
        assert!(sources.blow(&mesh, &mut boundary, &mut u, false, Moment::Start).is_empty());
        assert!(u.contains(&0.5));
        let floor = |k: &FaceId| mesh.side_of(*k).is_some();
        assert!(u.ids().filter(floor).all(|k| u[k] == 0.0));
    }
}
