//! `burnside lsp`: the language server over standard input and output.

use std::path::PathBuf;

use burnside::report::symmetry::Analysis;
use burnside::{Options, Source, exit};
use burnside_lsp::{Break, Hooks, Symmetry};
use clap::Args;

/// The arguments of `lsp`: editors start it, and say the rest in its protocol.
#[derive(Args)]
pub struct LspArgs {
    /// Speak over standard input and output; there is no other way, but editors like to say so
    #[arg(long)]
    stdio: bool,
}

/// Serves an editor until it ends the server.
pub fn run(args: &LspArgs) -> Result<u8, String> {
    // Both ways to start it are the same.
    let LspArgs { stdio: _ } = args;
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("burnside"));
    let hooks = Hooks { symmetry: Box::new(symmetry), program };
    // The protocol wants another code if the editor did not shut the server down before.
    match burnside_lsp::stdio(hooks) {
        Ok(true) => Ok(exit::HOLDS),
        Ok(false) => Ok(1),
        Err(error) => Err(format!("the language server has ended: {error}")),
    }
}

fn symmetry(source: &Source) -> Option<Symmetry> {
    let analysis = burnside::symmetry(source, &Options::default()).ok()?;
    Some(Symmetry {
        group: analysis.symmetry.structure.clone(),
        types: types(&analysis),
        breaks: breaks(source, &analysis),
    })
}

/// What is said of the elements of each type.
fn types(analysis: &Analysis) -> Vec<(String, String)> {
    let factors = analysis.factors.iter().map(|factor| {
        let sure = if factor.verified { "verified" } else { "not verified" };
        let mut said =
            format!("{} interchangeable elements, {}, {sure}", factor.elements.len(), factor.derived);
        if !factor.fixed.is_empty() {
            said.push_str(&format!("; but not {}", factor.fixed.join(", ")));
        }
        (factor.name.clone(), said)
    });
    factors.collect()
}

/// Where symmetry breaks, in the file itself.
fn breaks(source: &Source, analysis: &Analysis) -> Vec<Break> {
    let places = analysis.breaks.iter().filter_map(|found| Some((found.place.as_ref()?, &found.message)));
    let here = places.filter(|(place, _)| place.file == source.name());
    here.map(|(place, message)| Break { line: place.line, column: place.column, message: message.clone() })
        .collect()
}
