//! The command `octide`: scenes in, runs out.
//!
//! [`args`] defines the command line; each subcommand is one module ([`run`], [`scenes`], [`check`],
//! [`render_cmd`], [`verify`], [`mod@bench`], [`tools`]). [`methods`] is the one list of methods,
//! [`errors`] the exit codes.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr))]

mod allocator;
mod args;
mod bench;
mod check;
mod checkpoints;
mod counts;
mod cpu;
mod errors;
mod folder;
mod forecast;
mod frame_files;
mod lock;
mod log;
mod memory;
mod methods;
mod painter;
mod progress;
mod remedy;
mod render_cmd;
mod resume;
mod run;
mod run_memory;
mod scenes;
mod stage_notice;
mod stop;
mod text;
mod tools;
mod verify;
mod video;
mod warnings;

use args::{Cli, Command};
use errors::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    allocator::set_up();
    errors::install_panic_message();
    match command(args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            errors::print_failure(&failure);
            ExitCode::from(failure.code())
        }
    }
}

fn command(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        None => run::run_default(),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Scenes(args)) => scenes::scenes(&args),
        Some(Command::Check(args)) => check::check(&args),
        Some(Command::Render(args)) => render_cmd::render(&args),
        Some(Command::Verify(args)) => verify::verify(&args),
        Some(Command::Bench(args)) => bench::bench(&args),
        Some(Command::Completions(args)) => tools::completions(&args),
        Some(Command::Man) => tools::man(),
        Some(Command::Schema) => tools::schema(),
    }
}
