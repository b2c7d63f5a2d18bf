//! Runs mutated models: each must end in time with an error or a verdict.
//!
//! `fuzz FOLDER... [--inputs N] [--seed S] [--workers W]`: mutates the `.m` files below the folders. Every input runs
//! with a limit of 2 s and 256 MB. The work is done by child processes, so that even an abort is seen: one line per
//! input that panics, aborts, fails a self-check or hangs, with the seed that makes it again
//! (`fuzz FOLDER... --print SEED` writes that input), then a summary.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use burnside::{Failure, Limits, Options, Source};
use burnside_bench::mutate::{Random, mutate};

/// A worker that says nothing for this long hangs; the limit of an input is 2 s.
const SILENCE: Duration = Duration::from_secs(30);

/// What the command line asks for.
struct Request {
    folders: Vec<PathBuf>,
    inputs: u64,
    seed: u64,
    workers: u64,
    /// As a worker: from this seed on, in steps of `workers`.
    worker: Option<u64>,
    print: Option<u64>,
}

fn main() -> ExitCode {
    let Some(request) = parse(std::env::args().skip(1)) else {
        eprintln!("usage: fuzz FOLDER... [--inputs N] [--seed S] [--workers W] [--print SEED]");
        return ExitCode::from(2);
    };
    let models = models(&request.folders);
    if models.is_empty() {
        eprintln!("fuzz: there are no models below these folders");
        return ExitCode::from(2);
    }
    if let Some(seed) = request.print {
        _ = std::io::stdout().write_all(&input(&models, seed));
        return ExitCode::SUCCESS;
    }
    match request.worker {
        Some(first) => work(&models, first, &request),
        None => supervise(&request),
    }
}

fn parse(mut args: impl Iterator<Item = String>) -> Option<Request> {
    let mut request =
        Request { folders: Vec::new(), inputs: 1000, seed: 1, workers: 2, worker: None, print: None };
    while let Some(arg) = args.next() {
        let mut number = || args.next()?.parse::<u64>().ok();
        match arg.as_str() {
            "--inputs" => request.inputs = number()?,
            "--seed" => request.seed = number()?,
            "--workers" => request.workers = number()?.max(1),
            "--worker" => request.worker = Some(number()?),
            "--print" => request.print = Some(number()?),
            folder => request.folders.push(PathBuf::from(folder)),
        }
    }
    Some(request)
}

/// All models below the folders, in a fixed order.
fn models(folders: &[PathBuf]) -> Vec<Vec<u8>> {
    fn visit(path: &Path, found: &mut Vec<PathBuf>) {
        if path.is_dir() {
            for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
                visit(&entry.path(), found);
            }
        } else if path.extension().is_some_and(|extension| extension == "m") {
            found.push(path.to_owned());
        }
    }
    let mut found = Vec::new();
    for folder in folders {
        visit(folder, &mut found);
    }
    found.sort();
    found.iter().filter_map(|path| std::fs::read(path).ok()).collect()
}

/// The input of a seed.
fn input(models: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let model = &models[random.below(models.len())];
    mutate(model, &mut random)
}

/// Checks the inputs one after the other; says what comes of each.
fn work(models: &[Vec<u8>], first: u64, request: &Request) -> ExitCode {
    let options = Options {
        limits: Limits { time: Some(Duration::from_secs(2)), memory: Some(256 << 20), ..Limits::default() },
        ..Options::default()
    };
    // Panics are caught and reported by the check itself.
    std::panic::set_hook(Box::new(|_| {}));
    let mut seed = first;
    while seed < request.seed + request.inputs {
        let result = match Source::from_bytes("mutated.m", &input(models, seed)) {
            Err(error) => rendered(&[*error], &Source::new("mutated.m", "")),
            Ok(source) => match burnside::check(&source, &options) {
                Ok(report) => {
                    _ = burnside::report::text::render(&report, &Default::default());
                    report.verdict.name().to_owned()
                }
                Err(Failure::Input(diagnostics)) => rendered(&diagnostics, &source),
                Err(Failure::Refused(message)) => format!("REFUSED {message}"),
                Err(other) => format!("BROKEN {}", other.to_string().replace('\n', " ")),
            },
        };
        println!("{seed} {result}");
        seed += request.workers;
    }
    ExitCode::SUCCESS
}

/// Shows the errors as a user would see them: that must not fail either.
fn rendered(diagnostics: &[burnside::diag::Diagnostic], source: &Source) -> String {
    let shown = diagnostics.iter().all(|d| !d.render(source, false).is_empty());
    (if shown { "error" } else { "BROKEN a diagnostic without text" }).to_owned()
}

/// What a worker says.
enum Message {
    Line(u64, String),
    Ended(u64),
}

fn start(request: &Request, index: u64, from: u64, sender: &mpsc::Sender<Message>) -> Option<Child> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.args(&request.folders).args(["--worker", &from.to_string()]);
    for (name, value) in
        [("--inputs", request.inputs), ("--seed", request.seed), ("--workers", request.workers)]
    {
        command.args([name, &value.to_string()]);
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let output = child.stdout.take()?;
    let sender = sender.clone();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            _ = sender.send(Message::Line(index, line));
        }
        _ = sender.send(Message::Ended(index));
    });
    Some(child)
}

/// Starts workers, and starts them again behind an input that killed one.
fn supervise(request: &Request) -> ExitCode {
    let (sender, receiver) = mpsc::channel();
    let end = request.seed + request.inputs;
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    let mut next: Vec<u64> = (0..request.workers).map(|i| request.seed + i).collect();
    let mut children: Vec<Option<Child>> =
        (0..request.workers).map(|i| start(request, i, next[i as usize], &sender)).collect();
    let mut broken = 0;
    let mut running = children.iter().flatten().count();
    while running > 0 {
        let message = receiver.recv_timeout(SILENCE);
        match message {
            Ok(Message::Line(worker, line)) => {
                let (seed, result) = line.split_once(' ').unwrap_or((&line, ""));
                next[worker as usize] = seed.parse::<u64>().unwrap_or(end) + request.workers;
                if result.starts_with("BROKEN") {
                    broken += 1;
                    println!("{line}");
                } else {
                    *tally.entry(result.to_owned()).or_default() += 1;
                    report_progress(&tally, request.inputs);
                }
            }
            Ok(Message::Ended(worker)) => {
                let index = worker as usize;
                if let Some(mut child) = children[index].take() {
                    _ = child.wait();
                }
                running -= 1;
                if next[index] < end {
                    broken += 1;
                    println!("{} BROKEN the process died", next[index]);
                    next[index] += request.workers;
                    children[index] = start(request, worker, next[index], &sender);
                    running += usize::from(children[index].is_some());
                }
            }
            Err(_) => {
                // Nobody has said anything for long: all hang. Their end is a message.
                for child in children.iter_mut().flatten() {
                    _ = child.kill();
                }
            }
        }
    }
    let total: u64 = tally.values().sum::<u64>() + broken;
    println!("{total} inputs: {tally:?}, {broken} broken");
    if broken == 0 && total == request.inputs { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn report_progress(tally: &BTreeMap<String, u64>, inputs: u64) {
    let done: u64 = tally.values().sum();
    if done.is_multiple_of(10_000) {
        eprintln!("{done} of {inputs}");
    }
}
