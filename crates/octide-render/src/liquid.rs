//! The liquid for ray tracing: its surface as a mesh, and its spray as spheres.
//!
//! Surface and drops may overlap. A ray enters water where it passes a triangle or a sphere from outside, and
//! leaves it where it passes one from inside.

#[cfg(test)]
mod tests;

use crate::bvh::{Hit, Ray, Sides, Sphere, SphereBvh, SphereHit};
use crate::traced_mesh::{TracedMesh, UnitScene, area_normal, interpolate, place, sound};
use glam::Vec3;
use octide_core::contract::{Particles, Surface};
use octide_core::geometry::Pose;

/// The liquid of a stage.
#[derive(Debug)]
pub struct Liquid {
    mesh: TracedMesh,
    /// Normals at the vertices; zero where the triangles' own are used.
    normals: Vec<Vec3>,
    drops: SphereBvh,
    scene: UnitScene,
}

/// Where a ray hits the liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LiquidHit {
    Surface(Hit),
    Drop(SphereHit),
}

impl LiquidHit {
    /// Returns the distance along the ray.
    pub fn t(&self) -> f32 {
        match self {
            Self::Surface(hit) => hit.t,
            Self::Drop(hit) => hit.t,
        }
    }
}

impl Liquid {
    /// Prepares a liquid without spray. The free surface keeps its own normals, except at the walls of the
    /// domain, where it takes those of its triangles.
    pub fn new(surface: &Surface, scene: &UnitScene) -> Self {
        let points = place(&surface.mesh, &Pose::IDENTITY, scene);
        let triangles = sound(&points, &surface.mesh.triangles);
        let mut free = vec![Vec3::ZERO; points.len()];
        let mut at_wall = vec![surface.normals.len() != points.len(); points.len()];
        for t in &triangles {
            let is_wall = scene.wall(&t.map(|i| points[i as usize])).is_some();
            for &i in t {
                if is_wall {
                    at_wall[i as usize] = true;
                } else {
                    free[i as usize] += area_normal(&points, t);
                }
            }
        }
        for (i, normal) in free.iter_mut().enumerate() {
            let own = if at_wall[i] { *normal } else { Vec3::from_array(surface.normals[i]) };
            *normal = own.normalize_or_zero();
        }
        drop(at_wall);
        let mesh = TracedMesh::new(points, triangles);
        Self { mesh, normals: free, drops: SphereBvh::default(), scene: *scene }
    }

    /// Replaces the spray by that among some particles. Those without a position or a radius are left out.
    pub fn set_spray(&mut self, particles: &Particles) {
        let drops = particles.positions.iter().zip(&particles.radii).zip(&particles.kinds);
        let drops = drops.filter(|(_, kind)| **kind == Particles::SPRAY).map(|((p, radius), _)| Sphere {
            center: self.scene.point(Vec3::from_array(*p).as_dvec3()),
            radius: (f64::from(*radius) * self.scene.scale()) as f32,
        });
        let is_sound =
            |drop: &Sphere| drop.center.is_finite() && drop.radius.is_finite() && drop.radius > 0.0;
        self.drops = SphereBvh::build(drops.filter(is_sound).collect());
    }

    /// Returns the nearest hit with `0 < t < t_max`, from either side.
    pub fn nearest(&self, ray: &Ray, t_max: f32) -> Option<LiquidHit> {
        let surface = self.mesh.bvh.nearest(ray, t_max, Sides::Both);
        let t_max = surface.map_or(t_max, |hit| hit.t);
        let drop = self.drops.nearest(ray, t_max, Sides::Both);
        drop.map(LiquidHit::Drop).or(surface.map(LiquidHit::Surface))
    }

    /// Returns the outward normal of the triangle or the sphere.
    pub fn normal(&self, hit: &LiquidHit) -> Vec3 {
        match hit {
            LiquidHit::Surface(hit) => self.mesh.normal(hit),
            LiquidHit::Drop(hit) => hit.normal,
        }
    }

    /// Returns the outward normal for shading: interpolated between the corners of a triangle, except on the
    /// walls of the domain, which are flat whatever the normals of their vertices are.
    pub fn smooth_normal(&self, hit: &LiquidHit) -> Vec3 {
        let hit = match hit {
            LiquidHit::Surface(hit) => hit,
            LiquidHit::Drop(hit) => return hit.normal,
        };
        let face = self.mesh.normal(hit);
        if self.scene.wall(&self.mesh.corners(hit)).is_some() {
            return interpolate(hit, [face; 3], face);
        }
        let normal = |i: u32| {
            let own = self.normals[i as usize];
            if own.dot(face) > 0.0 { own } else { face }
        };
        interpolate(hit, self.mesh.vertices(hit).map(normal), face)
    }

    /// Returns whether the surface lies on the floor of the domain at the hit.
    pub fn is_on_floor(&self, hit: &LiquidHit) -> bool {
        match hit {
            LiquidHit::Surface(hit) => {
                self.scene.wall(&self.mesh.corners(hit)) == Some(1) && self.mesh.normal(hit).y < 0.0
            }
            LiquidHit::Drop(_) => false,
        }
    }
}
