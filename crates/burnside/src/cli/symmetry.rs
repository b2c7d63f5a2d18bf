//! `burnside symmetry MODEL`.

use std::path::{Path, PathBuf};

use burnside::report::html;
use burnside::report::symmetry::{group, json, svg, text};
use burnside::table::refusal_for;
use burnside::{Language, Options, exit};
use clap::Args;

use super::args::{DetectArg, LanguageArg};
use super::inputs::{Asked, claimed_source, fail, queries_beside};
use super::outputs::{Outputs, write};
use super::terminal::{colored, print};
use super::units;

pub const EXAMPLES: &str = "\
Examples:
  burnside symmetry model.m                 the group, and what breaks it
  burnside symmetry model.m -D N=4          with constant N = 4
  burnside symmetry model.m --symmetry-file more.claims  whether claims are true
  burnside symmetry model.m --json -        the same for scripts
  burnside symmetry model.m --html group.html  as a page, with the source
  burnside symmetry model.m --svg orbits.svg  a picture of the orbits of variables and rules";

#[derive(Args)]
pub struct SymmetryArgs {
    /// The model, in any language; `-` is standard input
    model: PathBuf,
    /// The file with what is asked, as for `check`
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,
    /// Give a constant of the model another value
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = units::constant)]
    constants: Vec<(String, String)>,
    /// Whether symmetry that the model does not declare is looked for
    #[arg(long, value_enum, default_value = "auto")]
    detect: DetectArg,
    /// A file with more claims about the model: `symmetry` and `generator` declarations
    #[arg(long, value_name = "FILE")]
    symmetry_file: Option<PathBuf>,
    /// Write the result as JSON to a file; `-` is standard output, in place of the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the result as a page to look at
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Draw the orbits of variables and rules
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the group only
    #[arg(long, short)]
    quiet: bool,
    /// The language of the model [default: by the name of its file, or by its content]
    #[arg(long, value_enum)]
    language: Option<LanguageArg>,
}

/// Runs the command; the exit code.
pub fn run(args: &SymmetryArgs) -> Result<u8, String> {
    let Some(source) = claimed_source(&args.model, args.symmetry_file.as_deref(), args.language)? else {
        return Ok(exit::WRONG_INPUT);
    };
    let language = args.language.map_or_else(|| Language::of(&source), Language::from);
    if let Some(why) = args.queries.as_ref().and_then(|_| refusal_for("--queries", language)) {
        return Err(why);
    }
    let Some(asked) = Asked::read(&args.model, language, args.queries.as_deref(), None)? else {
        return Ok(exit::WRONG_INPUT);
    };
    let mut outputs = Outputs::default();
    outputs.writes("--json", args.json.as_deref());
    outputs.writes("--svg", args.svg.as_deref());
    outputs.writes("--html", args.html.as_deref());
    outputs.reads("the model", Some(&args.model));
    outputs.reads("the file of `--queries`", args.queries.as_deref());
    outputs.reads("the file of `--symmetry-file`", args.symmetry_file.as_deref());
    let beside = queries_beside(&args.model, language);
    outputs.reads("the file beside the model", beside.as_deref());
    outputs.check()?;
    let options = Options {
        language: Some(language),
        queries: asked.queries,
        constants: args.constants.clone(),
        detect: args.detect.into(),
        color: colored(&std::io::stdout()),
        ..Options::default()
    };
    let analysis = match burnside::symmetry(&source, &options) {
        Ok(analysis) => analysis,
        Err(failure) => {
            fail(&failure, &source);
            return Ok(exit::code(&Err(failure)));
        }
    };
    if let Some(path) = &args.svg {
        write(path, &svg(&analysis))?;
    }
    if let Some(path) = &args.html {
        let page = html::symmetry(&analysis, Some(source.text()));
        write(path, &page.map_err(|error| format!("cannot write HTML: {error}"))?)?;
    }
    let told = || if args.quiet { group(&analysis) } else { text(&analysis) };
    match &args.json {
        None => print(&told()),
        Some(path) => {
            let json = json(&analysis).map_err(|e| format!("cannot write JSON: {e}"))?;
            if path == Path::new("-") {
                print(&json);
            } else {
                write(path, &json)?;
                print(&told());
            }
        }
    }
    Ok(exit::HOLDS)
}
