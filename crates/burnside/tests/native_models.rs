//! Compiled code against the interpreter, on random models and on real ones: every batch must be the same.
//!
//! `BURNSIDE_MODELS` asks for more random models than the usual ones, `BURNSIDE_SEED` for others; `BURNSIDE_CORPUS`
//! names a folder of more real models; `BURNSIDE_MISMATCHES` one where to write the models that fail, made smaller.

#[allow(dead_code, unused_imports)]
mod random;

mod batches;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use burnside::Source;
use burnside_lang::murphi::{load, printer};
use burnside_model::code::{Semantics, Undefined};
use burnside_model::system::{Machine, Packed};
use burnside_model::{Model, Packing};

use batches::compare::{Compared, compare};
use batches::slips::{SLIPS, Slip, Slipping};
use random::{shape, shrink};

const ALL: shape::Options = shape::Options { extensions: true };

/// Both ways to treat copies of undefined values.
const SEMANTICS: [Undefined; 3] = Undefined::ALL;

/// The most states that are compared, of a random model and of a real one.
const MOST_STATES: (usize, usize) = (1000, 2000);

/// After so many failing models the rest is not looked at.
const ENOUGH: usize = 5;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn semantics(undefined: Undefined) -> Semantics {
    Semantics { undefined, ..Semantics::default() }
}

/// The model as the front end reads it: with places in a text.
fn read(model: &Model) -> Option<(String, Model)> {
    let text = printer::print(model);
    let (read, _) = load(&Source::new("random.m", &text), &[]);
    Some((text, read?))
}

fn interpreted<'m>(model: &'m Model, packing: &'m Packing, undefined: Undefined) -> Packed<'m, Machine<'m>> {
    Packed::new(Machine::new(model, semantics(undefined)), packing)
}

/// Compares the two on all states of a model, with each meaning of undefined copies.
fn examine(model: &Model, limit: usize) -> Result<Compared, String> {
    let Some(packing) = Packing::new(model) else { return Ok(Compared::default()) };
    let mut total = Compared::default();
    for undefined in SEMANTICS {
        // A panic of the compiler is a failure like any other, and gets a smaller model, too.
        let examined = std::panic::catch_unwind(|| {
            let native = burnside_native::Native::new(model, &packing, semantics(undefined))?;
            let mut reference = interpreted(model, &packing, undefined);
            compare(model, &packing, &mut reference, &mut native.runner(), limit)
        });
        let examined = examined.unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            Err(said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic").to_owned())
        });
        total += examined.map_err(|what| format!("undefined values: {undefined:?}; {what}"))?;
    }
    Ok(total)
}

/// A failing model made smaller, and what is wrong with it.
fn smaller(model: Model) -> String {
    let fails = |model: &Model| read(model).is_some_and(|(_, read)| examine(&read, MOST_STATES.0).is_err());
    let model = shrink::shrink(model, &fails);
    let (text, model) = read(&model).expect("it was read before");
    let what = examine(&model, MOST_STATES.0).err().unwrap_or_default();
    format!("-- {}\n\n{text}", what.replace('\n', "\n-- "))
}

fn keep(name: &str, text: &str) {
    if let Ok(folder) = std::env::var("BURNSIDE_MISMATCHES") {
        let folder = PathBuf::from(folder);
        std::fs::create_dir_all(&folder).expect("a folder for failing models");
        std::fs::write(folder.join(name), text).expect("a file for a failing model");
    }
}

#[test]
fn native_and_interpreted_batches_are_the_same() {
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 1200));
    let (next, failed) = (AtomicU64::new(first), Mutex::new(Vec::new()));
    let total = Mutex::new(Compared::default());
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + models || failed.lock().expect("no panic").len() >= ENOUGH {
                break;
            }
            let model = random::model(seed, ALL);
            let (_, read) = read(&model).expect("the front end reads what the printer wrote");
            match examine(&read, MOST_STATES.0) {
                Ok(compared) => *total.lock().expect("no panic") += compared,
                Err(_) => {
                    let text = smaller(model);
                    keep(&format!("seed{seed}.m"), &text);
                    failed.lock().expect("no panic").push(format!("seed {seed}\n{text}"));
                }
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    println!("{models} models: {:?}", total.into_inner().expect("no panic"));
    let failed = failed.into_inner().expect("no panic");
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
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
fn native_and_interpreted_batches_of_real_models_are_the_same() {
    let mut paths = Vec::new();
    models_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi"), &mut paths);
    if let Ok(corpus) = std::env::var("BURNSIDE_CORPUS") {
        models_below(Path::new(&corpus), &mut paths);
    }
    paths.sort();
    let (mut failed, mut total, mut compared_models) = (Vec::new(), Compared::default(), 0);
    for path in paths {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a readable model")).into_owned();
        let (Some(model), _) = load(&Source::new(path.display().to_string(), &text), &[]) else { continue };
        match examine(&model, MOST_STATES.1) {
            Ok(compared) => {
                total += compared;
                compared_models += 1;
            }
            Err(what) => {
                let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                keep(&file, &format!("-- {}\n\n{text}", what.replace('\n', "\n-- ")));
                failed.push(format!("{}: {what}", path.display()));
            }
        }
    }
    println!("{compared_models} models: {total:?}");
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

/// The comparison must notice every kind of slip.
#[test]
fn slips_are_noticed() {
    const MODELS: u64 = 2000;
    let mut unnoticed: Vec<Slip> = SLIPS.to_vec();
    for seed in 1..=MODELS {
        let (_, model) = read(&random::model(seed, ALL)).expect("the front end reads what the printer wrote");
        let packing = Packing::new(&model).expect("small types");
        let mut same = interpreted(&model, &packing, Undefined::Copy);
        let mut reference = interpreted(&model, &packing, Undefined::Copy);
        compare(&model, &packing, &mut reference, &mut same, 200)
            .expect("the interpreter agrees with itself");
        unnoticed.retain(|slip| {
            let mut reference = interpreted(&model, &packing, Undefined::Copy);
            let mut other = Slipping { inner: interpreted(&model, &packing, Undefined::Copy), slip: *slip };
            let noticed = compare(&model, &packing, &mut reference, &mut other, 200).is_err();
            if noticed {
                println!("{slip:?}: noticed by model {seed}");
            }
            !noticed
        });
        if unnoticed.is_empty() {
            return;
        }
    }
    panic!("{unnoticed:?}: not noticed by {MODELS} models");
}
