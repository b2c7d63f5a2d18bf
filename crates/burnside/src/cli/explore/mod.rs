//! `burnside explore MODEL`: a local web page to walk through a model.

mod server;

use std::path::PathBuf;
use std::sync::Arc;

use burnside::explore::Exploration;
use burnside::{Cancel, Language, Limits, Options, exit};
use clap::Args;

use self::server::Page;
use super::args::LanguageArg;
use super::inputs::{Asked, fail, source};
use super::terminal::print;
use super::units;

pub const EXAMPLES: &str = "\
Examples:
  burnside explore model.m                      walk through it; open the address that is printed
  burnside explore model.xta --queries more.q   a timed model with queries from another file
  burnside explore model.prism model.props      a probabilistic model
  burnside explore model.bp --start-threads 4   a program with four threads at the start

The page is served on this machine only, and ends with this command (Ctrl-C).

Exit codes:
  0   ended by Ctrl-C, or with its terminal
  2   the model or the options are wrong";

/// The arguments of `explore`.
#[derive(Args)]
pub struct ExploreArgs {
    /// The model, in any language; `-` is standard input
    model: PathBuf,
    /// For a PRISM model: files with its properties
    properties: Vec<PathBuf>,
    /// Give a constant of the model another value
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = units::constant)]
    constants: Vec<(String, String)>,
    /// For a UPPAAL model: the file with its queries, as for `check`
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,
    /// For threads of any number: how many there are at the start
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    start_threads: u32,
    /// The port of the page [default: any that is free]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// The language of the model [default: by the name of its file, or by its content]
    #[arg(long, value_enum)]
    language: Option<LanguageArg>,
}

/// Runs the command; the exit code.
pub fn run(args: &ExploreArgs) -> Result<u8, String> {
    let Some(source) = source(&args.model)? else { return Ok(exit::WRONG_INPUT) };
    let language = args.language.map_or_else(|| Language::of(&source), Language::from);
    let Some(mut asked) = Asked::read(&args.model, language, args.queries.as_deref(), None)? else {
        return Ok(exit::WRONG_INPUT);
    };
    if args.queries.is_some() && language != Language::Uppaal {
        return Err("`--queries` is for UPPAAL models only".to_owned());
    }
    if !args.properties.is_empty() && language != Language::Prism {
        return Err("files with properties are for PRISM models only".to_owned());
    }
    for path in &args.properties {
        let Some(file) = super::inputs::source(path)? else { return Ok(exit::WRONG_INPUT) };
        asked.properties.push(file);
    }
    let cancel = Cancel::new();
    super::terminal::end_on_signals(cancel)?;
    let options = Options {
        language: args.language.map(Language::from),
        queries: asked.queries,
        properties: asked.properties,
        constants: args.constants.clone(),
        limits: Limits { cancel: Some(cancel), ..Limits::default() },
        ..Options::default()
    };
    let page = Page::new(args.port)?;
    let exploration = Exploration {
        source: source.clone(),
        options,
        threads: args.start_threads,
        cancel,
        stop: Arc::default(),
    };
    let shown = |page: &Page| print(&format!("{}\n", page.address()));
    match page.serve(exploration, shown) {
        Ok(()) => Ok(exit::HOLDS),
        Err(failure) => {
            fail(&failure, &source);
            Ok(exit::code(&Err(failure)))
        }
    }
}
