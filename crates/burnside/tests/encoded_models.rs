//! Models as Boolean functions against the interpreter, on random models and on real ones: in every state compared,
//! every rule instance and property must come to the same.
//!
//! `BURNSIDE_MODELS` asks for more random models than the usual ones, `BURNSIDE_SEED` for others; `BURNSIDE_CORPUS`
//! names a folder of more real models.

#[path = "../../encode/tests/common/mod.rs"]
mod encoded;
#[allow(dead_code, unused_imports)]
mod random;

use std::path::{Path, PathBuf};

use burnside::Source;
use burnside_lang::murphi::{load, printer};
use burnside_model::Model;
use burnside_model::code::{Semantics, Undefined};

use random::{shape, shrink};

const ALL: shape::Options = shape::Options { extensions: true };

/// The most states that are compared, of a random model and of a real one.
const MOST_STATES: (usize, usize) = (300, 200);

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The model as the front end reads it: with places in a text.
fn read(model: &Model) -> Option<(String, Model)> {
    let text = printer::print(model);
    let (read, _) = load(&Source::new("random.m", &text), &[]);
    Some((text, read?))
}

/// Compares a model, with each meaning of undefined copies. A panic is a failure like any other.
fn examine(model: &Model, most: usize, seed: u64) -> Result<usize, String> {
    let mut states = 0;
    for undefined in Undefined::ALL {
        let semantics = Semantics { undefined, ..Semantics::default() };
        let compared = std::panic::catch_unwind(|| encoded::compare(model, semantics, most, seed));
        states += compared.unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            Err(said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic").to_owned())
        })?;
    }
    Ok(states)
}

#[test]
fn functions_of_random_models_agree() {
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 500));
    let mut states = 0;
    for seed in first..first + models {
        let model = random::model(seed, ALL);
        let (_, as_read) = read(&model).expect("the front end reads what the printer wrote");
        match examine(&as_read, MOST_STATES.0, seed) {
            Ok(compared) => states += compared,
            Err(_) => {
                let fails = |model: &Model| {
                    read(model).is_some_and(|(_, read)| examine(&read, MOST_STATES.0, seed).is_err())
                };
                let (text, model) = read(&shrink::shrink(model, &fails)).expect("it was read before");
                let what = examine(&model, MOST_STATES.0, seed).err().unwrap_or_default();
                panic!("seed {seed}: {what}\n\n{text}");
            }
        }
    }
    println!("{models} models, {states} states");
}

/// All Murphi models below a folder.
fn models_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            models_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "m") {
            found.push(path);
        }
    }
}

#[test]
fn functions_of_other_models_agree() {
    let Ok(corpus) = std::env::var("BURNSIDE_CORPUS") else { return };
    let mut paths = Vec::new();
    models_below(Path::new(&corpus), &mut paths);
    paths.sort();
    let (mut failed, mut agreed) = (Vec::new(), 0);
    for path in paths {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a readable model")).into_owned();
        let (Some(model), _) = load(&Source::new(path.display().to_string(), &text), &[]) else { continue };
        let start = std::time::Instant::now();
        let examined = examine(&model, MOST_STATES.1, 1);
        println!("{} {:.1} s {examined:?}", path.display(), start.elapsed().as_secs_f64());
        match examined {
            Ok(_) => agreed += 1,
            Err(what) => failed.push(format!("{}: {what}", path.display())),
        }
    }
    println!("{agreed} models agree");
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
