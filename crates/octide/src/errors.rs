//! Why a command failed, and its exit code.

use crate::remedy;
use crate::text::print_to_stderr;
use octide_core::scene::Scene;
use octide_io::scene_file::SceneError;
use octide_io::{DiskError, ReadError};
use octide_methods::SimulationError;
use octide_render::ImageError;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;

/// The exit code of a run that ran out of memory.
pub const MEMORY: u8 = 4;

/// The remedy for too little memory, which messages end with.
pub const MORE_MEMORY: &str = "lower --resolution, or raise --max-memory if the machine has more memory";

/// The exit code of an interrupted run.
pub const INTERRUPTED: u8 = 130;

/// Why a command failed, with a message for the user.
#[derive(Debug)]
pub enum Failure {
    /// `octide verify` found a limit broken.
    Limit(String),
    /// Something in the usage, a scene or a folder that the user can fix.
    Input(String),
    /// The simulation failed.
    Simulation(String),
    /// Memory ran out.
    Memory(String),
    /// A file could not be written.
    Disk(String),
    /// The user interrupted it.
    Interrupted(String),
}

impl Failure {
    /// The process's exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Limit(_) => 1,
            Self::Input(_) => 2,
            Self::Simulation(_) => 3,
            Self::Memory(_) => MEMORY,
            Self::Disk(_) => 5,
            Self::Interrupted(_) => INTERRUPTED,
        }
    }

    /// The message.
    pub fn message(&self) -> &str {
        let (Self::Limit(m)
        | Self::Input(m)
        | Self::Simulation(m)
        | Self::Memory(m)
        | Self::Disk(m)
        | Self::Interrupted(m)) = self;
        m
    }

    /// Returns whether the simulation is still in a valid state: it was interrupted, or its next step failed.
    pub fn leaves_valid_state(&self) -> bool {
        matches!(self, Self::Simulation(_) | Self::Memory(_) | Self::Interrupted(_))
    }

    /// Adds a line to the message.
    pub fn with_line(self, line: &str) -> Self {
        let with = |m: String| format!("{m}\n{line}");
        match self {
            Self::Limit(m) => Self::Limit(with(m)),
            Self::Input(m) => Self::Input(with(m)),
            Self::Simulation(m) => Self::Simulation(with(m)),
            Self::Memory(m) => Self::Memory(with(m)),
            Self::Disk(m) => Self::Disk(with(m)),
            Self::Interrupted(m) => Self::Interrupted(with(m)),
        }
    }
}

impl Failure {
    /// Makes a failure of a simulation, with what most likely helps.
    pub fn of_simulation(e: SimulationError, scene: &Scene) -> Self {
        match remedy::for_failure(&e, scene) {
            Some(remedy) => Self::from(e).with_line(&format!("what most likely helps: {remedy}")),
            None => e.into(),
        }
    }
}

impl From<SimulationError> for Failure {
    fn from(e: SimulationError) -> Self {
        match e {
            SimulationError::Memory { .. } => Self::Memory(format!("{e}; {MORE_MEMORY}")),
            SimulationError::Failed { .. }
            | SimulationError::TooFast { .. }
            | SimulationError::Impossible { .. } => Self::Simulation(e.to_string()),
            // Only a checkpoint of another frame rate brings this about.
            SimulationError::TimePassed { .. } => Self::Input(format!(
                "{e}; with another time.fps, frames of the checkpoint lie at other times: keep the frame rate of the \
                 run, or start a new one"
            )),
        }
    }
}

impl From<SceneError> for Failure {
    fn from(e: SceneError) -> Self {
        Self::Input(e.to_string())
    }
}

impl From<ReadError> for Failure {
    fn from(e: ReadError) -> Self {
        Self::Input(e.to_string())
    }
}

impl From<DiskError> for Failure {
    fn from(e: DiskError) -> Self {
        Self::Disk(e.to_string())
    }
}

impl From<ImageError> for Failure {
    fn from(e: ImageError) -> Self {
        Self::Disk(format!("cannot write the picture: {e}"))
    }
}

/// Prints a failure to standard error; one that is closed is ignored.
pub fn print_failure(failure: &Failure) {
    let head = if matches!(failure, Failure::Interrupted(_)) { "" } else { "error: " };
    print_to_stderr(&format!("{head}{}", failure.message()));
}

/// Makes panics print a readable message: they are bugs in octide, not mistakes of the user.
pub fn install_panic_message() {
    std::panic::set_hook(Box::new(|info: &PanicHookInfo| {
        let payload = info.payload();
        let what = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        let place = info.location().map_or(String::new(), |l| format!(" ({}:{})", l.file(), l.line()));
        print_to_stderr(&format!(
            "\nerror: octide {} has a bug and must stop: {what}{place}\n\
             Files written so far are complete. Please report this bug and include the scene file.",
            env!("CARGO_PKG_VERSION")
        ));
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            print_to_stderr(&trace.to_string());
        }
    }));
}
