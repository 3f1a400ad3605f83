//! `octide scenes`.

use crate::args::ScenesArgs;
use crate::errors::Failure;
use crate::text::print_line;
use octide_io::scene_file::{builtin, builtins};

/// Lists the built-in scenes or prints one.
pub fn scenes(args: &ScenesArgs) -> Result<(), Failure> {
    match &args.show {
        Some(name) => print_line(shown(name)?.trim_end()),
        None => {
            let width = builtins().iter().map(|b| b.name.len()).max().unwrap_or(0);
            for b in builtins() {
                print_line(&format!("{:width$}  {}", b.name, b.description()));
            }
            print_line("\nRun one with `octide run NAME`; print its file with `octide scenes --show NAME`.");
        }
    }
    Ok(())
}

fn shown(name: &str) -> Result<&'static str, Failure> {
    builtin(name).ok_or_else(|| {
        let names: Vec<&str> = builtins().iter().map(|b| b.name).collect();
        Failure::Input(format!("there is no built-in scene {name:?}; there are {}", names.join(", ")))
    })
}
