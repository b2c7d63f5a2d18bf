//! How long the inner parts of the search take: making the steps of a state, canonical forms, and storing states.
//!
//! `kernels [ROUNDS]`: for models with every kind of symmetry, nanoseconds per step, best of the rounds. *form*: the
//! canonical form of the state it leads to; *refined*: the same by the general method on unpacked states; *native* and
//! *interpreted*: the step itself; *insert*: the form into a store that grows.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use burnside::{Semantics, Source};
use burnside_bench::walk::{Walk, walk};
use burnside_explicit::store::{Reserve, Shape, Store};
use burnside_model::system::{Batch, Batcher, Machine, Packed};
use burnside_model::{Model, Packing};
use burnside_native::Native;
use burnside_symmetry::{Action, Canonicaliser, PackedCanonicaliser, PackedQuotient, verify};

/// Models and their constants: without ids, with ids in globals, with data that is permuted, with ids in locals.
const MODELS: &[(&str, &str)] = &[
    ("semaphore_mutex.m", "N=4"),
    ("semaphore_mutex.m", "N=8"),
    ("german_nodata.m", "N=4"),
    ("german_nodata.m", "N=8"),
    ("german.m", "N=4"),
    ("german.m", "N=8"),
    ("mcs_lock.m", "N=3"),
    ("mcs_lock.m", "N=4"),
    ("mcs_lock.m", "N=5"),
    ("mcs_lock.m", "N=8"),
];

/// How many states a kernel works on.
const STATES: usize = 20_000;

fn main() -> ExitCode {
    let rounds = std::env::args().nth(1).and_then(|rounds| rounds.parse().ok()).unwrap_or(5);
    println!(
        "{:<24} {:<12} {:>5} {:>7} {:>7} {:>7} {:>9} {:>7} {:>11}",
        "ns per step", "method", "words", "steps", "form", "refined", "insert", "native", "interpreted"
    );
    for (file, constants) in MODELS {
        if let Err(message) = measure(file, constants, rounds) {
            eprintln!("kernels: {file} {constants}: {message}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The best time of some rounds, in nanoseconds per item.
fn best(rounds: u32, items: usize, mut round: impl FnMut()) -> f64 {
    let times = (0..rounds.max(1)).map(|_| {
        let begun = Instant::now();
        round();
        begun.elapsed().as_nanos() as f64
    });
    times.fold(f64::INFINITY, f64::min) / items.max(1) as f64
}

fn load(file: &str, constants: &str) -> Result<Model, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/murphi").join(file);
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let (name, value) = constants.split_once('=').ok_or("constants are NAME=VALUE")?;
    let constants = [(name.to_owned(), value.to_owned())];
    burnside_lang::murphi::load(&Source::new(file, &text), &constants)
        .0
        .ok_or("the model has errors".to_owned())
}

fn measure(file: &str, constants: &str, rounds: u32) -> Result<(), String> {
    let model = load(file, constants)?;
    let packing = Packing::new(&model).ok_or("a cell is too large")?;
    let refused = verify::verify(&model);
    let domains: Vec<_> = (0..model.types.domains.len() as u32)
        .map(burnside_model::code::DomainId)
        .filter(|id| refused.iter().all(|refusal| refusal.domain != *id))
        .collect();
    let canonicaliser = PackedCanonicaliser::new(&packing, Action::new(&model, &domains));
    let machine = || Packed::new(Machine::new(&model, Semantics::default()), &packing);
    // The targets of steps from canonical states, before and after they are made canonical.
    let Walk { states, .. } = walk(&mut PackedQuotient::new(machine(), canonicaliser.clone()), STATES);
    let words = packing.words();
    let (mut targets, mut batch) = (Vec::new(), Batch::default());
    let mut system = machine();
    for state in states.chunks_exact(words) {
        batch.clear();
        system.successors(state, &mut batch).map_err(|_| "no deadline was set")?;
        targets.extend_from_slice(&batch.states);
    }
    let steps = targets.len() / words;
    let mut work = Vec::new();
    let copying = best(rounds, steps, || {
        work.clear();
        work.extend_from_slice(&targets);
    });
    let canonicalise = |canonicaliser: &mut PackedCanonicaliser, work: &mut Vec<u64>| {
        work.clear();
        work.extend_from_slice(&targets);
        for state in work.chunks_exact_mut(words) {
            canonicaliser.canonicalise(state);
        }
    };
    let mut warm = canonicaliser.clone();
    let forms = best(rounds, steps, || canonicalise(&mut warm, &mut work));
    let mut general = Canonicaliser::new(canonicaliser.action().clone());
    let (mut cells, mut form) = (Vec::new(), vec![0; words]);
    let refined = best(rounds, steps, || {
        for state in targets.chunks_exact(words) {
            packing.unpack(state, &mut cells);
            packing.pack(general.canonicalise(&cells), &mut form);
        }
    });
    let insert = best(rounds, steps, || {
        let mut store = Store::new(Shape::new(words, None));
        let mut reserve = Reserve::default();
        let added = work.chunks_exact(words).filter(|state| store.add(state, &mut reserve).is_ok()).count();
        assert_eq!(added, steps, "there is no limit");
    });
    let expand = |system: &mut dyn Batcher, batch: &mut Batch| {
        for state in states.chunks_exact(words) {
            batch.clear();
            let _ = system.successors(state, batch);
        }
    };
    let interpreted = best(rounds, steps, || expand(&mut system, &mut batch));
    let compiled = Native::new(&model, &packing, Semantics::default())?;
    let mut runner = compiled.runner();
    let native = best(rounds, steps, || expand(&mut runner, &mut batch));
    println!(
        "{:<24} {:<12} {words:>5} {steps:>7} {:>7.1} {refined:>7.1} {insert:>9.1} {native:>7.1} {interpreted:>11.1}",
        format!("{file} {constants}"),
        format!("{:?}", canonicaliser.method()),
        forms - copying,
    );
    Ok(())
}
