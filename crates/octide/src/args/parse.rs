//! Parses the arguments of the process.

use super::Cli;
use crate::errors::Failure;
use crate::text::print_to_stderr;
use clap::Parser;
use octide_io::printable;
use std::ffi::OsString;
use std::process::exit;

/// Returns the arguments of the process. If they are wrong, or ask for help, the process prints that and exits.
pub fn parse() -> Cli {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    // Help names the program as it was called.
    if let Some(program) = args.first_mut() {
        *program = made_printable(program);
    }
    Cli::try_parse_from(&args).unwrap_or_else(|error| print_and_exit(&error, &args))
}

/// Prints an error of the arguments. clap repeats wrong arguments as they are, so it gets printable ones first.
fn print_and_exit(error: &clap::Error, args: &[OsString]) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    match Cli::try_parse_from(args.iter().map(made_printable)) {
        Err(shown) if shown.kind() == error.kind() => shown.exit(),
        // What is wrong with them is what was escaped.
        _ => {
            print_to_stderr(error.render().to_string().trim_end());
            exit(Failure::Input(String::new()).code().into());
        }
    }
}

fn made_printable(arg: &OsString) -> OsString {
    printable(arg).to_string().into()
}
