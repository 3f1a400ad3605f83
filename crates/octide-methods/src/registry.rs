//! Methods found by name. Whatever is done with a scene is done by the method that the scene names, or not at
//! all.

use crate::error::{LoadError, StartError, TrackError, UnknownMethod};
use octide_core::contract::{Abilities, Method, MethodDescriptor, SurfaceTracker, TrackingOptions};
use octide_core::memory::MemoryModel;
use octide_core::scene::Scene;
use octide_core::snapshot::Snapshot;

/// A list of methods, of which a scene names one.
#[derive(Clone, Copy, Debug)]
pub struct Registry {
    methods: &'static [MethodDescriptor],
}

impl Registry {
    /// The registry of a list, whose names differ.
    pub const fn new(methods: &'static [MethodDescriptor]) -> Self {
        Self { methods }
    }

    /// Returns the names of all methods, in the order of the list.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.methods.iter().map(MethodDescriptor::name)
    }

    /// Returns what all methods can do with a scene, in the order of the list.
    pub fn abilities(self) -> Vec<Abilities> {
        self.methods.iter().map(|m| m.abilities).collect()
    }

    /// Returns the method of a name.
    pub fn find(self, name: &str) -> Result<&'static MethodDescriptor, UnknownMethod> {
        let found = self.methods.iter().find(|m| m.name() == name);
        found.ok_or_else(|| UnknownMethod { name: name.to_owned(), known: self.names().collect() })
    }

    /// Starts a scene at time 0 with the method that it names.
    pub fn start(self, scene: &Scene) -> Result<Box<dyn Method>, UnknownMethod> {
        Ok((self.find(&scene.method)?.start)(&sampled(scene)))
    }

    /// Starts a scene at time 0 if the process can hold it and take steps within `bytes`.
    pub fn start_within(self, scene: &Scene, bytes: u64) -> Result<Box<dyn Method>, StartError> {
        Ok((self.find(&scene.method)?.start_within)(&sampled(scene), bytes)?)
    }

    /// Restores a scene from a snapshot with the method that it names.
    pub fn load(self, scene: &Scene, snapshot: &mut Snapshot) -> Result<Box<dyn Method>, LoadError> {
        Ok((self.find(&scene.method)?.load)(&sampled(scene), snapshot)?)
    }

    /// Returns the bytes that the process holds at most during a step from and to a grid of `cells`.
    pub fn step_bytes(self, scene: &Scene, cells: usize, particles: usize) -> Result<u64, UnknownMethod> {
        Ok(self.memory_model(scene)?.step_bytes(scene, cells, cells, particles))
    }

    /// Returns the constants of the memory forecast for a scene.
    pub fn memory_model(self, scene: &Scene) -> Result<MemoryModel, UnknownMethod> {
        Ok((self.find(&scene.method)?.memory)(scene))
    }

    /// Starts the surface of a scene's liquids, to be carried by a prescribed velocity.
    pub fn track(
        self,
        scene: &Scene,
        options: &TrackingOptions,
    ) -> Result<Box<dyn SurfaceTracker>, TrackError> {
        let method = self.find(&scene.method)?;
        let track = method.track.ok_or(TrackError::NoTracker(method.name()))?;
        Ok(track(scene, options)?)
    }
}

/// Returns the scene with samples of its solids, so that their distances cost little.
fn sampled(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    scene.sample_solids();
    scene
}

#[cfg(test)]
mod tests;
