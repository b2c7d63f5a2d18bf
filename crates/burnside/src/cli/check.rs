//! `burnside check MODEL`: the options are checked, the check is run under its limits, and its result is written.

use std::time::{Duration, Instant};

use burnside::report::{html, json, text};
use burnside::table::{Way, refusal};
use burnside::{Cancel, Canon, Language, Limit, Options, Report, Running, Source, Verdict, exit};
use clap::ArgMatches;
use clap::parser::ValueSource;

use super::args::{CheckArgs, ExpectArg};
use super::chance;
use super::inputs::{claimed_source, fail, queries};
use super::terminal::{Terminal, error, print};

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
    let cancel = Cancel::new();
    let Some(source) = claimed_source(&args.model, args.symmetry_file.as_deref(), args.language)? else {
        return Ok(exit::WRONG_INPUT);
    };
    if args.language.is_none() && burnside::is_prism(&source) {
        return chance::check(args, given, &source);
    }
    if let Some(option) = args.chance.given() {
        return Err(format!("{option} is for PRISM models only"));
    }
    let language = args.language.map_or_else(|| Language::of(&source), Language::from);
    let timed = language == Language::Uppaal;
    let Some(queries) = queries(&args.model, args.queries.as_deref(), timed)? else {
        return Ok(exit::WRONG_INPUT);
    };
    let options = args.options(queries, cancel);
    let given: Vec<String> = given.iter().filter(|option| !of_language(option, language)).cloned().collect();
    if args.language.is_none() && burnside::is_threads(&source) {
        let used = |option: &&String| !OF_THREADS.contains(&option.as_str());
        if let Some(option) = given.iter().find(used) {
            return Err(format!("`{option}` is not for thread transition systems"));
        }
    } else {
        refuse(args, &given, &options, timed)?;
    }
    let outputs = args.outputs();
    outputs.check()?;
    super::terminal::end_on_signals(cancel)?;
    let on_stdout = outputs.is_stdout(args.json.as_deref());
    let terminal = Terminal::new(args.progress_shown(), on_stdout, options.limits.memory);
    let result = watch(&source, &options, terminal);
    match &result {
        Ok(report) => write(args, report, &source, on_stdout)?,
        Err(failure) => fail(failure, &source),
    }
    Ok(expected(args.expect, &result).unwrap_or_else(|| exit::code(&result)))
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

/// The options that thread transition systems have.
const OF_THREADS: &[&str] = &[
    "--init",
    "--target",
    "--time",
    "--trace",
    "--json",
    "--html",
    "--format",
    "--expect",
    "--progress",
    "--quiet",
];

/// Whether an option is one of the model's language alone.
fn of_language(option: &str, language: Language) -> bool {
    option == "--processes-max" && language == Language::Promela
}

/// Whether all options go together.
fn refuse(args: &CheckArgs, given: &[String], options: &Options, timed: bool) -> Result<(), String> {
    args.diagrams.search_fits(timed)?;
    let way = Way::of(options, timed);
    if let Some(why) = given.iter().filter_map(|option| refusal(option, way)).next() {
        return Err(why);
    }
    if let Some(canon) = args.canon.map(Canon::from)
        && canon.remembers()
        && args.threads.is_some_and(|threads| threads.get() > 1)
    {
        return Err(format!("`--canon {}` searches with one thread", canon.name()));
    }
    if let Some(why) = burnside::table::refusal_of(options, way) {
        return Err(why);
    }
    if timed { Ok(()) } else { args.diagrams.check(args) }
}

/// How often a check is looked at.
const GLANCE: Duration = Duration::from_millis(20);
/// How much longer than its limits allow a check may take to end by itself.
const GRACE: Duration = Duration::from_millis(700);
/// The same where it takes too much memory.
const MEMORY_GRACE: Duration = Duration::from_millis(200);

/// Runs a check, and holds it to its limits: one that does not end by itself is left behind.
fn watch(source: &Source, options: &Options, terminal: Terminal) -> Result<Report, burnside::Failure> {
    let begun = Instant::now();
    let mut companion = terminal.companion();
    let running = Running::start(source, options, Box::new(terminal))?;
    let limits = &options.limits;
    let mut over: Option<(Instant, Limit)> = None;
    // Writing takes as long as it takes.
    let patient = options.checkpoint.is_some() || options.certificate.is_some();
    let result = loop {
        if let Some(result) = running.wait(GLANCE) {
            break result;
        }
        let memory = burnside::resident_memory();
        companion.tick(memory, limits.memory);
        let most = limits.memory.map(|memory| memory + memory / 20 + (32 << 20));
        let too_large = || most.zip(memory).is_some_and(|(most, memory)| memory > most);
        let why = match limits.cancel.and_then(|cancel| cancel.reason()) {
            Some(why) => Some(why),
            None if limits.time.is_some_and(|time| begun.elapsed() > time) => Some(Limit::Time),
            None if too_large() => Some(Limit::Memory),
            None => None,
        };
        let Some(why) = why else { continue };
        if let (Limit::Memory, Some(cancel)) = (why, limits.cancel) {
            cancel.cancel(Limit::Memory);
        }
        let (since, why) = *over.get_or_insert_with(|| (Instant::now(), why));
        let grace = if why == Limit::Memory { MEMORY_GRACE } else { GRACE };
        if since.elapsed() > grace && !patient {
            break Ok(running.unfinished(why));
        }
    };
    companion.clear();
    result
}

fn write(args: &CheckArgs, report: &Report, source: &Source, on_stdout: bool) -> Result<(), String> {
    if !args.quiet {
        for warning in &report.warnings {
            error(&warning.snippet);
        }
    }
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
    for (format, path) in &args.format {
        match format.render(std::slice::from_ref(report)) {
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
