//! Output for other programs: shell completions, the manual, the JSON schema of scene files.

use crate::args::{Cli, CompletionsArgs};
use crate::errors::Failure;
use crate::methods;
use crate::text::print_file;
use clap::CommandFactory;
use octide_io::scene_file;

/// Prints completions for a shell.
pub fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "octide", &mut out);
    print_file(&out);
    Ok(())
}

/// Prints the manual: the command and each of its subcommands, one after the other.
pub fn man() -> Result<(), Failure> {
    let write_failed = |e: std::io::Error| Failure::Disk(format!("cannot write the manual: {e}"));
    let mut command = Cli::command();
    command.build();
    let mut out = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut out).map_err(write_failed)?;
    for sub in command.get_subcommands().filter(|s| s.get_name() != "help") {
        let page = clap_mangen::Man::new(sub.clone());
        page.render_name_section(&mut out).map_err(write_failed)?;
        page.render_synopsis_section(&mut out).map_err(write_failed)?;
        page.render_description_section(&mut out).map_err(write_failed)?;
        page.render_options_section(&mut out).map_err(write_failed)?;
    }
    print_file(&out);
    Ok(())
}

/// Prints the JSON schema of scene files.
pub fn schema() -> Result<(), Failure> {
    print_file(format!("{:#}\n", scene_file::schema(methods::ALL)).as_bytes());
    Ok(())
}
