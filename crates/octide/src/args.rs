//! The command line and its help.

mod bench;
mod parse;
mod values;
mod verify;

pub use bench::{BenchArgs, BenchCommand, MemoryArgs, SolverArg, SolverArgs};

use crate::errors::Failure;
use crate::memory;
use crate::methods;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use octide_core::scene::View;
use octide_io::scene_file::{LoadOptions, Loaded, load};
pub use parse::parse;
use std::path::PathBuf;
pub use values::CheckpointInterval;
use values::{FrameRange, parse_bytes, parse_checkpoint_interval, parse_override, parse_range, parse_size};
pub use verify::VerifyArgs;

/// The whole command line.
#[derive(Parser, Debug)]
#[command(
    name = "octide",
    version,
    about = "Adaptive water and smoke on one workstation: one scene file, one command",
    long_about = "Octide simulates water and smoke with detail only where it matters: one scene file, one command.\n\n\
        A scene is a small text file (TOML): a box, some water or smoke, some solids. `octide run` simulates it and \
        writes a folder with the surface of each frame (PLY, for Blender, Houdini and others), pictures, and \
        statistics of every step. Without a command, octide runs the built-in scene water-drop.",
    after_help = "Start with `octide run water-drop`. `octide help COMMAND` describes a command.",
    after_long_help = "Examples:\n  \
        octide run water-drop                       simulate a built-in scene\n  \
        octide scenes --show water-drop > my.toml   get get a scene file to start from\n  \
        octide check my.toml                        validate it and estimate what it needs\n  \
        octide run my.toml --resolution 256         simulate with more detail\n  \
        octide render runs/my-001 --size 1280x720   render render larger pictures of a run\n  \
        octide verify --all --report report         measure all claims and write a report\n\n\
        Exit codes: 0 done · 1 a verify limit broken · 2 usage or input · 3 the simulation failed · 4 memory · 5 disk · 130 interrupted"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The subcommand.
#[derive(Subcommand, Debug)]
pub enum Command {
    Run(RunArgs),
    Scenes(ScenesArgs),
    Check(CheckArgs),
    Render(RenderArgs),
    Verify(VerifyArgs),
    Bench(BenchArgs),
    Completions(CompletionsArgs),
    /// Print the manual as a man page
    #[command(after_help = "Example:\n  octide man > ~/.local/share/man/man1/octide.1")]
    Man,
    /// Print the JSON schema of scene files, for editors
    ///
    /// Editors that use the schema complete keys and mark mistakes as you type. Name it in the first line of
    /// a scene file: #:schema ./octide.schema.json
    #[command(after_help = "Example:\n  octide schema > octide.schema.json")]
    Schema,
}

/// Print completions for a shell
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    octide completions bash > ~/.local/share/bash-completion/completions/octide\n  \
    octide completions zsh > ~/.zfunc/_octide\n  \
    octide completions fish > ~/.config/fish/completions/octide.fish")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// A scene and changes to it.
#[derive(Args, Debug)]
pub struct SceneArgs {
    /// A scene file, or the name of a built-in scene (see `octide scenes`)
    pub scene: String,

    /// Simulate N frames after frame 0 (time.frames)
    #[arg(long, value_name = "N")]
    pub frames: Option<u32>,

    /// Finest cells along the domain's longest side (resolution)
    #[arg(long, value_name = "N")]
    pub resolution: Option<u32>,

    /// The simulation method (method)
    #[arg(long, value_name = "M", value_parser = PossibleValuesParser::new(methods::names()))]
    pub method: Option<String>,

    /// Change any value of the scene, such as time.fps=24 or liquid.1.shape.sphere.radius=0.1; may be
    /// repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_override)]
    pub set: Vec<(String, String)>,

    /// Refuse meshes outside the scene file's folder
    #[arg(long)]
    pub sandbox: bool,
}

impl SceneArgs {
    /// Loads the scene with all changes: first those by `--set`, then the other options, then `more`.
    pub fn load(&self, more: &[(&str, &str)]) -> Result<Loaded, Failure> {
        let mut overrides = self.set.clone();
        let mut set = |key: &str, value: String| overrides.push((key.to_owned(), value));
        if let Some(frames) = self.frames {
            set("time.frames", frames.to_string());
        }
        if let Some(resolution) = self.resolution {
            set("resolution", resolution.to_string());
        }
        if let Some(method) = &self.method {
            set("method", method.clone());
        }
        for (key, value) in more {
            set(key, (*value).to_owned());
        }
        Ok(load(
            &self.scene,
            &LoadOptions { overrides, sandbox: self.sandbox, methods: octide_methods::ABILITIES.to_vec() },
        )?)
    }
}

/// What pictures show.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewArg {
    /// Water, solids and a floor
    Water,
    /// Smoke, solids and a floor
    Smoke,
    /// The grid cells on a cut through the middle
    Cells,
}

impl From<ViewArg> for View {
    fn from(view: ViewArg) -> Self {
        match view {
            ViewArg::Water => Self::Water,
            ViewArg::Smoke => Self::Smoke,
            ViewArg::Cells => Self::Cells,
        }
    }
}

/// Simulate a scene
///
/// Frame 0 is the start; frame k is the water after k/fps seconds. Every frame is written as soon as it is
/// complete: surface/NNNN.ply (with velocities in m/s) and preview/NNNN.png. stats.jsonl has a line per step.
/// At the end the animation preview.png is written; open it in a browser. scene.toml is the scene with all
/// defaults.
///
/// Ctrl-C stops the run after the current step and keeps all files; press it again to quit at once. A
/// checkpoint is written then, at the end, and every two minutes, to checkpoints/. `--resume` continues from
/// the last one and gives the same bytes as an uninterrupted run. You can add frames with --frames; any other
/// change to the scene is listed and needs --force.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    octide run water-drop --resolution 64 --frames 10\n  \
    octide run my.toml --out runs/test --overwrite\n  \
    octide run my.toml --out runs/test --resume --frames 240\n  \
    octide run dam-break --set physics.gravity=[0,-1.6,0] --view cells")]
pub struct RunArgs {
    #[command(flatten)]
    pub scene: SceneArgs,

    /// The folder to write to [default: runs/SCENE-001, counting up]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Continue the run in --out, or start it if there is none
    #[arg(long, requires = "out", conflicts_with = "overwrite")]
    pub resume: bool,

    /// Resume even though the scene has changed or files of the run are missing
    #[arg(long, requires = "resume")]
    pub force: bool,

    /// How often to write a checkpoint: `20` (frames), `5min`, `30s`, or `never`
    #[arg(long, value_name = "INTERVAL", value_parser = parse_checkpoint_interval, default_value = "2min")]
    pub checkpoint_every: CheckpointInterval,

    /// Replace the run in --out; files that octide did not write are left alone
    #[arg(long, requires = "out")]
    pub overwrite: bool,

    /// Worker threads [default: one for each core]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// What pictures show (output.view)
    #[arg(long, value_name = "VIEW", value_enum)]
    pub view: Option<ViewArg>,

    /// Do not render pictures (output.preview)
    #[arg(long)]
    pub no_pictures: bool,

    /// Memory limit, such as 8G or 500M; before it would be exceeded, octide exits with code 4
    /// [default: 90 % of free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub max_memory: Option<u64>,

    /// How to show progress
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ProgressArg::Auto)]
    pub progress: ProgressArg,

    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,

    /// Print and log a line for every step
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// How progress is shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgressArg {
    /// A bar on a terminal, lines elsewhere
    Auto,
    /// One line per frame
    Lines,
    /// One JSON object per line on standard output, for programs
    Json,
}

/// List the built-in scenes, or print one to start from
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  octide scenes --show dam-break > my.toml")]
pub struct ScenesArgs {
    /// Print the scene file with this name
    #[arg(long, value_name = "NAME")]
    pub show: Option<String>,
}

/// Validate a scene and estimate what it needs, without running it
///
/// The start of the scene is built and one step is taken, so cells and memory are measured, not guessed. Both
/// grow as the water breaks up: a pilot run at a quarter of the resolution (but between 64 and 128) estimates
/// by how much. No files are written.
#[derive(Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub scene: SceneArgs,

    /// Skip the pilot run, and with it the estimate for the whole run
    #[arg(long)]
    pub no_pilot: bool,

    /// How long pilot runs may take; the longer, the better the estimate for the whole run
    #[arg(long, value_name = "SECONDS", default_value_t = 60, conflicts_with = "no_pilot")]
    pub pilot_time: u32,

    /// Finest cells of the pilot along the longest side, at most [default: a quarter of the scene's, between
    /// 64 and 128]
    #[arg(long, value_name = "N", conflicts_with = "no_pilot", value_parser = clap::value_parser!(u32).range(8..))]
    pub pilot_resolution: Option<u32>,

    /// Memory limit, such as 8G or 500M [default: 90 % of free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub max_memory: Option<u64>,

    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Render pictures of a finished or running run
///
/// Reads scene.toml and the frames in surface/ (volume/ for smoke, cells/ for --view cells), and writes
/// preview/NNNN.png and the animation preview.png; open it in a browser.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    octide render runs/water-drop-001 --size 1280x720 --out pictures\n  \
    octide render runs/water-drop-001 --frames 10..20 --video")]
pub struct RenderArgs {
    /// The folder of the run
    pub dir: PathBuf,

    /// Width and height in pixels [default: from the scene]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub size: Option<[u32; 2]>,

    /// Render only these file numbers, both ends included; either end may be left out
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    pub frames: Option<FrameRange>,

    /// What pictures show [default: from the scene]
    #[arg(long, value_name = "VIEW", value_enum)]
    pub view: Option<ViewArg>,

    /// The folder to write to [default: the folder of the run]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Also make a video, preview.mp4; needs ffmpeg
    #[arg(long)]
    pub video: bool,

    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

/// Starts the worker threads of the process; call this once, before anything uses them.
pub fn set_threads(threads: Option<u16>) -> Result<(), Failure> {
    let n = threads.map_or_else(default_threads, usize::from);
    let needed = n as u64 * memory::THREAD_BYTES + memory::START_BYTES;
    memory::require(needed, &format!("start {n} threads"))?;
    rayon::ThreadPoolBuilder::new()
        .num_threads(n)
        .build_global()
        .map_err(|e| Failure::Input(format!("cannot start {n} threads: {e}; use fewer by --threads")))
}

/// One for each core, or what the environment asks for as usual.
fn default_threads() -> usize {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn options_take_precedence_over_set() {
        let cli = Cli::parse_from(["octide", "run", "water-drop", "--frames", "3", "--set", "time.frames=9"]);
        let Some(Command::Run(args)) = cli.command else { panic!("not a run") };
        assert_eq!(args.scene.load(&[]).unwrap().scene.time.frames, 3);
        assert_eq!(args.scene.load(&[("time.frames", "5")]).unwrap().scene.time.frames, 5);
    }
}
