//! Thread transition systems and Boolean programs by others, with the verdicts that other tools give.
//!
//! `BURNSIDE_TIME=60` gives each that many seconds; the usual tests give one, and say what was not decided.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use burnside_counting::coverability::{Bounds, Coverability, decide, is_violation};
use burnside_lang::boolean::{self, tts};
use burnside_lang::source::Source;
use burnside_model::Deadline;
use burnside_model::threads::ThreadSystem;

fn shared() -> Option<PathBuf> {
    let near = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let far = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../../shared");
    [near, far].into_iter().find(|folder| folder.join("golden/tts.tsv").exists())
}

fn seconds() -> u64 {
    std::env::var("BURNSIDE_TIME").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// The verdict in the words of the tables; what it rests on is checked.
fn verdict(system: &ThreadSystem) -> (&'static str, Duration) {
    let begun = Instant::now();
    let deadline = Deadline::new(Some(Duration::from_secs(seconds())), None);
    let bounds = Bounds { deadline, memory: None };
    let (decided, _) = decide(system, bounds, &mut |_| ());
    let word = match decided {
        Coverability::Safe(certificate) => {
            assert_eq!(certificate.check(system), Ok(()));
            "SUCCESSFUL"
        }
        Coverability::Unsafe { run, .. } => {
            assert!(is_violation(&run, system), "{run:?}");
            "FAILED"
        }
        Coverability::Unknown(_) => "UNKNOWN",
    };
    (word, begun.elapsed())
}

fn compare(name: &str, expected: &str, system: &ThreadSystem, wrong: &mut Vec<String>) {
    let (found, time) = verdict(system);
    if std::env::var("BURNSIDE_TIME").is_ok() {
        eprintln!("{name}: {found} in {time:?}, {} steps", system.steps.len());
    }
    match found {
        "UNKNOWN" => eprintln!("{name}: not decided in {} s", seconds()),
        _ if found != expected => wrong.push(format!("{name}: {found}, expected {expected}")),
        _ => {}
    }
}

#[test]
fn thread_systems_of_bfc() {
    let Some(shared) = shared() else { return eprintln!("skipped: no corpus beside the checkout") };
    let golden = std::fs::read_to_string(shared.join("golden/tts.tsv")).expect("readable");
    let mut wrong = Vec::new();
    for row in golden.lines().skip(2) {
        let fields: Vec<&str> = row.split('\t').collect();
        let (name, options, expected, target) = (fields[0], fields[2], fields[3], fields[4]);
        let path = shared.join("corpus/tts").join(format!("{name}.tts"));
        let source = Source::new(path.to_string_lossy(), std::fs::read_to_string(&path).expect("readable"));
        let words: Vec<&str> = options.split_whitespace().collect();
        let given = |option: &str| {
            words.iter().position(|word| *word == option).map(|at| words[at + 1].trim_matches('"'))
        };
        // Without `--target` BFC computes what can be covered, and nothing is violated.
        let target = given("--target").map(|_| target);
        let system = tts::load(&source, given("--init"), target);
        match system {
            Ok(system) => compare(name, expected, &system, &mut wrong),
            // A step with `~>` between its two sides is refused by name.
            Err(mistake) if name == "memleak_01" && mistake.message.contains("not supported") => {}
            Err(mistake) => wrong.push(format!("{name}: {}", mistake.render(&source, false))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn boolean_programs_of_satabs() {
    let Some(shared) = shared() else { return eprintln!("skipped: no corpus beside the checkout") };
    let golden = std::fs::read_to_string(shared.join("golden/bp.tsv")).expect("readable");
    let mut wrong = Vec::new();
    for row in golden.lines().skip(2) {
        let fields: Vec<&str> = row.split('\t').collect();
        let (name, options) = (fields[0], fields[2]);
        // Where SATABS does not say, what was found with a few threads must not be contradicted.
        let small = fields[3..7].iter().any(|found| found.starts_with("unsafe"));
        let expected = match fields[1] {
            "-" if small => "FAILED",
            "-" => continue,
            said => said,
        };
        let label = options.split_whitespace().skip_while(|word| *word != "-l").nth(1);
        let path = shared.join("corpus/bp").join(name);
        let source = Source::new(path.to_string_lossy(), std::fs::read_to_string(&path).expect("readable"));
        match boolean::load(&source, label).map(|threads| threads.system) {
            Ok(system) => compare(name, expected, &system, &mut wrong),
            Err(mistake) => wrong.push(format!("{name}: {}", mistake.render(&source, false))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
