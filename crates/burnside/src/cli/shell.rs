//! What a shell needs: completions, and manual pages.

use std::path::PathBuf;

use burnside::exit;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use super::terminal::print;

/// The arguments of `completions`.
#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// The arguments of `manual`.
#[derive(Args)]
pub struct ManualArgs {
    /// Write one page per command into this folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Prints completions.
pub fn completions(args: &CompletionsArgs) -> Result<u8, String> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "burnside", &mut text);
    print(&String::from_utf8_lossy(&text));
    Ok(exit::HOLDS)
}

/// Prints or writes manual pages.
pub fn manual(args: &ManualArgs) -> Result<u8, String> {
    let command = Cli::command();
    match &args.folder {
        Some(folder) => std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .map_err(|error| format!("cannot write into {}: {error}", folder.display()))?,
        None => {
            let mut text = Vec::new();
            clap_mangen::Man::new(command).render(&mut text).map_err(|error| error.to_string())?;
            print(&String::from_utf8_lossy(&text));
        }
    }
    Ok(exit::HOLDS)
}
