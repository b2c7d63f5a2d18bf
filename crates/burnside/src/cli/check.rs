//! `burnside check MODEL`: the options are checked, the check is run under its limits, and its result is written.

use burnside::report::formats::{Checked, Rejected};
use burnside::report::{html, json, text};
use burnside::table::{Way, refusal, refusal_for, refusal_of};
use burnside::{
    Cancel, Canon, Failure, Language, ModelKind, Options, Report, Running, Source, Verdict, exit,
};
use clap::ArgMatches;
use clap::parser::ValueSource;

use super::args::{CheckArgs, DeadlockArg, ExpectArg};
use super::inputs::{Asked, claimed_source, fail, queries_beside};
use super::terminal::{Terminal, error, print};
use super::watch::watch;

/// The options that were given, by their names on the command line.
pub fn given(matches: &ArgMatches) -> Vec<String> {
    let asked = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
    // Groups of options have the names of their types.
    let options = |id: &&str| {
        !matches!(*id, "model" | "properties") && id.starts_with(|c: char| c.is_ascii_lowercase())
    };
    let ids = matches.ids().map(clap::Id::as_str).filter(options);
    let names = ids.filter(asked).map(|id| match id {
        "constants" => "-D".to_owned(),
        "consts" => "--const".to_owned(),
        other => format!("--{}", other.replace('_', "-")),
    });
    names.collect()
}

/// Runs the command; the exit code.
pub fn run(args: &CheckArgs, given: &[String]) -> Result<u8, String> {
    if let Some(grid) = &args.sweep.sweep {
        return super::sweep::check(&args.sweep, grid, &args.model, args.time, given);
    }
    let cancel = Cancel::new();
    let Some(source) = claimed_source(&args.model, args.symmetry_file.as_deref(), args.language)? else {
        return Ok(exit::WRONG_INPUT);
    };
    let language = args.language.map_or_else(|| Language::of(&source), Language::from);
    refuse_for(args, given, language)?;
    let (queries, properties) = (args.queries.as_deref(), args.properties.as_deref());
    let Some(mut asked) = Asked::read(&args.model, language, queries, properties)? else {
        return Ok(exit::WRONG_INPUT);
    };
    let texts = (1..).zip(&args.property);
    asked.properties.extend(texts.map(|(n, text)| Source::new(format!("<property {n}>"), text.clone())));
    let options = args.options(asked, cancel);
    refuse(args, given, &options, language)?;
    let beside = queries_beside(&args.model, language);
    let mut outputs = args.outputs();
    outputs.reads("the file beside the model", beside.as_deref());
    outputs.check()?;
    super::terminal::end_on_signals(cancel)?;
    let on_stdout = outputs.is_stdout(args.json.as_deref());
    let terminal = Terminal::new(args.progress_shown(), on_stdout, options.limits.memory);
    let companion = terminal.companion();
    // Writing takes as long as it takes.
    let patient = options.checkpoint.is_some() || options.certificate.is_some();
    let running = Running::check(&source, &options, Box::new(terminal));
    let unfinished = |running: &Running<Report>, why| running.unfinished(&source, &options, why);
    let result = running.and_then(|running| watch(&running, &options.limits, companion, patient, unfinished));
    match &result {
        Ok(report) => write(args, report, &source, on_stdout)?,
        Err(failure) => {
            fail(failure, &source);
            reject(args, &rejected(failure, &source), on_stdout)?;
        }
    }
    Ok(expected(args.expect, &result).unwrap_or_else(|| exit::code(&result)))
}

/// A model that could not be checked, with the reasons.
fn rejected(failure: &Failure, source: &Source) -> Rejected {
    let mut rejected = Rejected { model: source.name().to_owned(), ..Rejected::default() };
    match failure {
        Failure::Input(found) => {
            rejected.diagnostics = found.iter().map(|d| burnside::warning(source, d)).collect();
        }
        other => rejected.reason = Some(other.to_string()),
    }
    rejected
}

/// Writes why a model could not be checked, where its result would be.
fn reject(args: &CheckArgs, rejected: &Rejected, on_stdout: bool) -> Result<(), String> {
    match &args.json {
        Some(_) if on_stdout => print(&rejected.json()),
        Some(path) => super::outputs::write(path, &rejected.json())?,
        None => {}
    }
    write_formats(args, Checked::Rejected(rejected))
}

/// The exit code where a verdict is expected.
fn expected(expect: Option<ExpectArg>, result: &Result<Report, burnside::Failure>) -> Option<u8> {
    let wanted = match expect? {
        ExpectArg::Holds => Verdict::Holds,
        ExpectArg::Violated => Verdict::Violated,
        ExpectArg::Unknown => Verdict::Unknown,
    };
    let found = result.as_ref().ok()?.verdict;
    if found != wanted {
        error(&format!("expected that it is {}, but it is {}\n", wanted.name(), found.name()));
    }
    Some(if found == wanted { exit::HOLDS } else { exit::VIOLATED })
}

/// Whether all options are for this language.
fn refuse_for(args: &CheckArgs, given: &[String], language: Language) -> Result<(), String> {
    if let Some(why) = given.iter().find_map(|option| refusal_for(option, language)) {
        return Err(why);
    }
    let stutters = matches!(args.deadlock, DeadlockArg::Stuttering);
    if language == Language::Promela && stutters && given.iter().any(|option| option == "--deadlock") {
        return Err("`--deadlock stuttering` is not for Promela models: a step to the same state is a step"
            .to_owned());
    }
    Ok(())
}

/// Whether all options go together.
fn refuse(args: &CheckArgs, given: &[String], options: &Options, language: Language) -> Result<(), String> {
    let kind = language.kind();
    args.diagrams.search_fits(kind == ModelKind::Timed)?;
    let way = Way::of(options, kind);
    if let Some(why) = given.iter().find_map(|option| refusal(option, way)) {
        return Err(why);
    }
    if let Some(canon) = args.canon.map(Canon::from)
        && canon.remembers()
        && args.threads.is_some_and(|threads| threads.get() > 1)
    {
        return Err(format!("`--canon {}` searches with one thread", canon.name()));
    }
    if let Some(why) = refusal_of(options, language, way) {
        return Err(why);
    }
    if kind == ModelKind::Rules { args.diagrams.check(args) } else { Ok(()) }
}

/// Shows the warnings about a model.
pub fn warn(args: &CheckArgs, report: &Report) {
    if !args.quiet {
        report.warnings.iter().for_each(|warning| error(&warning.snippet));
    }
}

fn write(args: &CheckArgs, report: &Report, source: &Source, on_stdout: bool) -> Result<(), String> {
    warn(args, report);
    let json = || json::render(report).map_err(|e| format!("cannot write JSON: {e}"));
    // The verdict first: writing a file may fail.
    print(&if on_stdout { json()? } else { text::render(report, &args.text_options()) });
    if let Some(path) = args.json.as_ref().filter(|_| !on_stdout) {
        super::outputs::write(path, &json()?)?;
    }
    if let Some(path) = &args.html {
        let page = html::render(report, Some(source.text()));
        super::outputs::write(path, &page.map_err(|e| format!("cannot write HTML: {e}"))?)?;
    }
    write_formats(args, Checked::Report(report))
}

/// Writes the formats for other tools.
fn write_formats(args: &CheckArgs, checked: Checked<'_>) -> Result<(), String> {
    for (format, path) in &args.format {
        match format.render(&[checked]) {
            Some(text) if path.as_os_str() == "-" => print(&text),
            Some(text) => super::outputs::write(path, &text)?,
            None => error(&format!(
                "note: nothing is violated by a run, so there is no {} to write\n",
                format.name()
            )),
        }
    }
    Ok(())
}
