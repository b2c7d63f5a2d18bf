//! Speed and memory of explicit search, beside the other Murphi checkers on the same models in the same run.
//!
//! `explicit [OPTIONS] [MODEL[:CONSTANTS]...]`: for every model a table of processor seconds, counts, rates and ratios,
//! for 1 and 2 threads, with and without symmetry; the best of several runs. German's protocol is always measured, and
//! with `--multisets` protocols whose networks are multisets.
//! rumur is measured where it is installed, CMurphi where the environment variable CMURPHI names its folder.
//!
//! * *setup*: processor seconds before exploration begins. For us, a run that stops at the start states; for the others,
//!   generating C or C++ and compiling it.
//! * *explore*: processor seconds without that; rates are by it. *× explore* is theirs over ours; *× total* includes the
//!   setup on both sides.
//! * *B/state*: the peak of the resident memory over the states.
//!
//! `explicit --limits` checks memory instead, on models of 28 to 52 million states: limits, and bytes per state.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use burnside_bench::checkers::{Checker, Measured, Mode, burnside};
use burnside_bench::instance::Instance;
use burnside_bench::measure;

const USAGE: &str = "usage: explicit [--burnside PROGRAM] [--runs K] [--time SECONDS] [--threads 1,2] \
    [--symmetry off,on] [--rumur-symmetry exhaustive|heuristic] [--cmurphi-memory MEGABYTES] [--limits] \
    [--no-german] [--multisets] [MODEL.m[:N=4]...]";

struct Settings {
    checkers: Vec<Checker>,
    instances: Vec<Instance>,
    program: PathBuf,
    runs: u32,
    seconds: u64,
    threads: Vec<u32>,
    symmetry: Vec<bool>,
    limits: bool,
}

fn main() -> ExitCode {
    let done = settings().and_then(|settings| {
        let folder = std::env::temp_dir().join(format!("burnside-explicit-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let done = if settings.limits { memory(&settings, &folder) } else { tables(&settings, &folder) };
        let _ = std::fs::remove_dir_all(&folder);
        done
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("explicit: {message}");
            ExitCode::from(2)
        }
    }
}

fn settings() -> Result<Settings, String> {
    let beside = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("burnside");
    let mut settings = Settings {
        checkers: Vec::new(),
        instances: Vec::new(),
        program: beside,
        runs: 3,
        seconds: 1800,
        threads: vec![1, 2],
        symmetry: vec![false, true],
        limits: false,
    };
    let (mut german, mut kind, mut megabytes) = (true, "exhaustive".to_owned(), 0);
    let mut multisets = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(USAGE.to_owned());
        let number = |text: String| text.parse::<u64>().map_err(|_| USAGE.to_owned());
        match arg.as_str() {
            "--burnside" => settings.program = PathBuf::from(value()?),
            "--runs" => settings.runs = number(value()?)? as u32,
            "--time" => settings.seconds = number(value()?)?,
            "--threads" => settings.threads = value()?.split(',').flat_map(str::parse).collect(),
            "--symmetry" => settings.symmetry = value()?.split(',').map(|word| word == "on").collect(),
            "--rumur-symmetry" => kind = value()?,
            "--cmurphi-memory" => megabytes = number(value()?)?,
            "--limits" => settings.limits = true,
            "--no-german" => german = false,
            "--multisets" => multisets = true,
            option if option.starts_with('-') => return Err(USAGE.to_owned()),
            model => settings.instances.push(Instance::parse(model)?),
        }
    }
    if german && !settings.limits {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/murphi/german.m");
        for constants in ["N=3", "N=4", "N=5"] {
            settings.instances.push(Instance::read(&path, constants)?);
        }
    }
    if multisets {
        settings.instances.extend(with_multisets()?);
    }
    settings.checkers.push(Checker::Burnside(settings.program.clone()));
    if measure::run(&["rumur".to_owned(), "--version".to_owned()], 10).is_ok_and(|run| run.code == Some(0)) {
        settings.checkers.push(Checker::Rumur(kind));
    }
    if let Ok(folder) = std::env::var("CMURPHI") {
        settings.checkers.push(Checker::CMurphi(PathBuf::from(folder), megabytes));
    }
    Ok(settings)
}

/// Protocols whose networks are multisets, with constants for which a search takes long enough to be measured.
const MULTISETS: [(&str, &[&str]); 4] = [
    ("models/murphi/msi.m", &["N=3", "N=4,Values=1"]),
    ("../shared/corpus/cmurphi/multiset+sym/cache3multi.m", &[""]),
    ("../shared/corpus/cmurphi/multiset+sym/newcache3.m", &["", "ProcCount=4"]),
    ("../shared/corpus/cmurphi/multiset+sym/newlist6.m", &[""]),
];

/// Protocols whose networks are multisets: ours, and those of the corpus where it lies beside the checkout.
fn with_multisets() -> Result<Vec<Instance>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut instances = Vec::new();
    for (path, constants) in MULTISETS {
        let file = root.join(path);
        if !file.exists() {
            eprintln!("{path} is not there and is not measured");
            continue;
        }
        for constants in constants {
            instances.push(Instance::read(&file, constants)?);
        }
    }
    Ok(instances)
}

/// Measures every checker in every mode on every model; whether all agree.
fn tables(settings: &Settings, folder: &Path) -> Result<bool, String> {
    println!(
        "{:<18} {:<9} {:>2} {:>3} {:>10} {:>11} {:>8} {:>8} {:>8} {:>11} {:>11} {:>8} {:>9} {:>9}",
        "model",
        "checker",
        "th",
        "sym",
        "states",
        "fired",
        "setup s",
        "expl. s",
        "wall s",
        "states/s",
        "firings/s",
        "B/state",
        "× explore",
        "× total"
    );
    let mut agree = true;
    for instance in &settings.instances {
        let model = instance.write(folder)?;
        for symmetry in &settings.symmetry {
            for threads in &settings.threads {
                let mode = Mode { threads: *threads, symmetry: *symmetry };
                let mut ours: Option<Measured> = None;
                for checker in settings.checkers.iter().filter(|checker| checker.can(mode)) {
                    let checker = &checker.sized(ours.as_ref().map_or(0, |ours| ours.states));
                    match checker.measure(&model, mode, settings.runs, settings.seconds) {
                        Ok(found) => {
                            row(&instance.name, checker, mode, &found, ours.as_ref());
                            let same = |ours: &Measured| {
                                ours.holds == found.holds && (*symmetry || ours.states == found.states)
                            };
                            agree &= ours.as_ref().is_none_or(same);
                            ours.get_or_insert(found);
                        }
                        // Without our own figures there is nothing to compare with.
                        Err(message) if ours.is_none() => return Err(message),
                        Err(message) => println!("{:<18} {:<9} {message}", instance.name, checker.name()),
                    }
                }
            }
        }
    }
    println!("{}", if agree { "all agree" } else { "DISAGREEMENT in a verdict or an unreduced count" });
    Ok(agree)
}

fn row(name: &str, checker: &Checker, mode: Mode, found: &Measured, ours: Option<&Measured>) {
    let rate = |count: u64| count as f64 / found.exploration.max(0.001);
    let ratio = |theirs: f64, ours: f64| format!("{:.1}", theirs / ours.max(0.001));
    println!(
        "{name:<18} {:<9} {:>2} {:>3} {:>10} {:>11} {:>8.3} {:>8.3} {:>8.3} {:>11.0} {:>11.0} {:>8.0} {:>9} {:>9}{}",
        checker.name(),
        mode.threads,
        if mode.symmetry { "on" } else { "off" },
        found.states,
        found.fired,
        found.setup,
        found.exploration,
        found.run.wall,
        rate(found.states),
        rate(found.fired),
        found.bytes_per_state(),
        ours.map_or(String::new(), |ours| ratio(found.exploration, ours.exploration)),
        ours.map_or(String::new(), |ours| ratio(found.total(), ours.total())),
        if found.holds { "" } else { "  VIOLATED" },
    );
}

/// Whether memory is used as it should be.
fn memory(settings: &Settings, folder: &Path) -> Result<bool, String> {
    Ok(per_state(settings, folder)? & limits(settings, folder)?)
}

/// Bytes of resident memory per state beside the state itself, which takes one word: at most 20 with the table well
/// filled, at most 40 ever.
fn per_state(settings: &Settings, folder: &Path) -> Result<bool, String> {
    let mut fine = true;
    // The table has 2^26 entries in both: shortly after it grew, and at a load of two thirds.
    for (values, most) in [(31, 40.0), (34, 20.0)] {
        let instance = Instance::counters(5, values);
        let model = instance.write(folder)?;
        let mode = Mode { threads: settings.threads.iter().copied().max().unwrap_or(1), symmetry: false };
        let run =
            measure::run(&burnside(&settings.program, &model.to_string_lossy(), mode), settings.seconds)?;
        let states = f64::from(values).powi(5);
        let beside = run.peak as f64 / states - 8.0;
        let good = run.code == Some(0) && run.peak > 0 && beside <= most;
        println!(
            "{}: load {:.2}, {beside:.1} bytes per state beside the state, at most {most} allowed{}",
            instance.name,
            states / f64::from(1 << 26),
            if good { "" } else { "  WRONG" }
        );
        fine &= good;
    }
    Ok(fine)
}

/// 52 million states within 4 GB; and within 256 MB a clean stop after most of it was used.
fn limits(settings: &Settings, folder: &Path) -> Result<bool, String> {
    let instance = Instance::counters(5, 35);
    let model = instance.write(folder)?.to_string_lossy().into_owned();
    let mut fine = true;
    for (limit, bytes, code) in [("4G", 4u64 << 30, 0), ("256M", 256 << 20, 3)] {
        let mode = Mode { threads: settings.threads.iter().copied().max().unwrap_or(1), symmetry: false };
        let mut command = burnside(&settings.program, &model, mode);
        command.extend(["--memory".to_owned(), limit.to_owned()]);
        let run = measure::run(&command, settings.seconds)?;
        let used = run.peak as f64 / bytes as f64;
        let good = run.code == Some(code) && used <= 1.0 && (code == 0 || used >= 0.7);
        let (cpu, wall, percent) = (run.cpu, run.wall, 100.0 * used);
        println!(
            "{} --memory {limit}: exit code {:?}, {cpu:.1} s of processor, {wall:.1} s, {percent:.0}% of the limit{}",
            instance.name,
            run.code,
            if good { "" } else { "  WRONG" }
        );
        fine &= good;
    }
    Ok(fine)
}
