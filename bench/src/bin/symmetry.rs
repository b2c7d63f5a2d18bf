//! What it costs to choose the representative of an orbit, in every way there is.
//!
//! `symmetry [--rounds K] [MODEL[:CONSTANTS]...]`: nanoseconds per state, best of the rounds, on states of random runs of
//! our models without ids, with ids in globals, with data that is permuted and with ids in locals, and of the models
//! given. Ways that would have to try too many permutations are left out. *with* and *without*: nanoseconds per step of
//! compiled code to representatives, with and without looking for steps that a symmetry of the state maps to each other.
//! Then the targets, all measured in this run.
//!
//! The default way works on packed states; the others on unpacked ones, and unpacking is part of their cost.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use burnside::{Canon, Semantics, Source};
use burnside_bench::instance::Instance;
use burnside_bench::walk::stroll;
use burnside_model::code::DomainId;
use burnside_model::system::{Batch, Batcher, Machine, Packed};
use burnside_model::{Model, Packing};
use burnside_native::Native;
use burnside_symmetry::{Action, PackedCanonicaliser, PackedQuotient, verify};

const USAGE: &str = "usage: symmetry [--rounds K] [MODEL.m[:N=4]...]";

/// Our models and their constants.
const MODELS: &[(&str, &str)] = &[
    ("semaphore_mutex.m", "N=8"),
    ("semaphore_mutex.m", "N=16"),
    ("german_nodata.m", "N=8"),
    ("german.m", "N=4"),
    ("mcs_lock.m", "N=4"),
    ("mcs_lock.m", "N=8"),
    ("mcs_lock.m", "N=16"),
];

/// How many states are brought into form.
const STATES: usize = 10_000;

/// How long one way may take in one round.
const ROUND: Duration = Duration::from_millis(300);

/// The most permutations that are tried.
const MOST_PERMUTATIONS: u128 = 50_000;

/// What a model's states cost, by way; where it was not measured, nothing.
struct Row {
    name: String,
    costs: [Option<f64>; Canon::ALL.len()],
}

impl Row {
    fn cost(&self, canon: Canon) -> Option<f64> {
        Canon::ALL.iter().position(|c| *c == canon).and_then(|at| self.costs[at])
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("symmetry: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/murphi");
    let ours = MODELS.iter().map(|(file, constants)| Instance::read(&folder.join(file), constants));
    let mut instances = ours.collect::<Result<Vec<_>, _>>()?;
    let (mut rounds, mut args) = (5, std::env::args().skip(1));
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--rounds" => rounds = args.next().and_then(|k| k.parse().ok()).ok_or(USAGE)?,
            option if option.starts_with('-') => return Err(USAGE.to_owned()),
            model => instances.push(Instance::parse(model)?),
        }
    }
    print!("{:<22} {:<10}", "ns per state", "method");
    Canon::ALL.iter().for_each(|canon| print!(" {:>12}", canon.name()));
    println!(" {:>9} {:>9}", "with", "without");
    let rows: Vec<_> = instances.iter().map(|i| measure(i, rounds)).collect::<Result<_, _>>()?;
    Ok(targets(&rows))
}

fn measure(instance: &Instance, rounds: u32) -> Result<Row, String> {
    let source = Source::new(&instance.name, &instance.text);
    let model = burnside_lang::murphi::load(&source, &[]).0.ok_or("a model has errors")?;
    let packing = Packing::new(&model).ok_or("a cell is too large")?;
    let action = Action::new(&model, &domains(&model));
    let machine = Machine::new(&model, Semantics::default());
    let states = stroll(&mut Packed::new(machine, &packing), STATES);
    let few = action.order().is_some_and(|order| order <= MOST_PERMUTATIONS);
    let costs = Canon::ALL.map(|canon| {
        let measured = few || !canon.enumerates();
        measured.then(|| {
            let way = || PackedCanonicaliser::with(&packing, action.clone(), canon);
            (0..rounds.max(1)).map(|_| once(way(), &states, packing.words())).fold(f64::INFINITY, f64::min)
        })
    });
    let method = format!("{:?}", PackedCanonicaliser::new(&packing, action.clone()).method());
    print!("{:<22} {:<10}", instance.name, method);
    for cost in costs {
        print!(" {:>12}", cost.map_or("-".to_owned(), |cost| format!("{cost:.0}")));
    }
    let native = Native::new(&model, &packing, Semantics::default())?;
    let mut exact = PackedCanonicaliser::new(&packing, action);
    let mut states = states;
    for state in states.chunks_exact_mut(packing.words()) {
        exact.canonicalise(state);
    }
    for wanted in [true, false] {
        let quotient = PackedQuotient::new(native.runner(), exact.clone());
        let mut quotient = quotient.with_state_symmetries(wanted);
        let best = (0..rounds.max(1)).map(|_| steps(&mut quotient, &states, packing.words()));
        print!(" {:>9.0}", best.fold(f64::INFINITY, f64::min));
    }
    println!();
    Ok(Row { name: instance.name.clone(), costs })
}

/// The domains that are symmetric.
fn domains(model: &Model) -> Vec<DomainId> {
    let refused = verify::verify(model);
    let all = (0..model.types.domains.len() as u32).map(DomainId);
    all.filter(|id| refused.iter().all(|refusal| refusal.domain != *id)).collect()
}

/// Nanoseconds per state, of as many as the time allows.
fn once(mut way: PackedCanonicaliser, states: &[u64], words: usize) -> f64 {
    let mut work = states.to_vec();
    let begun = Instant::now();
    let mut done = 0;
    // The clock is read rarely.
    for states in work.chunks_mut(words * 16) {
        for state in states.chunks_exact_mut(words) {
            way.canonicalise(state);
            done += 1;
        }
        if begun.elapsed() > ROUND {
            break;
        }
    }
    begun.elapsed().as_nanos() as f64 / f64::from(done.max(1))
}

/// Nanoseconds per step from these states.
fn steps(system: &mut dyn Batcher, states: &[u64], words: usize) -> f64 {
    let (mut batch, mut done) = (Batch::default(), 0);
    let begun = Instant::now();
    for state in states.chunks_exact(words) {
        batch.clear();
        let _ = system.successors(state, &mut batch);
        done += batch.rules.len() + batch.alike.len();
    }
    begun.elapsed().as_nanos() as f64 / done.max(1) as f64
}

/// Says which targets are met; whether all are.
fn targets(rows: &[Row]) -> bool {
    let mut all = true;
    let mut target = |what: String, met: bool| {
        println!("{} {what}", if met { "PASS" } else { "MISS" });
        all &= met;
    };
    let cost = |name: &str, canon| rows.iter().find(|row| row.name == name).and_then(|row| row.cost(canon));
    if let (Some(refine), Some(all)) =
        (cost("mcs_lock N=8", Canon::Refine), cost("mcs_lock N=8", Canon::Exhaustive))
    {
        let ratio = all / refine;
        target(
            format!("refine is {ratio:.0} times faster than exhaustive on mcs_lock N=8: at least 500"),
            ratio >= 500.0,
        );
    }
    for row in rows {
        if let (Some(refine), Some(segmented)) = (row.cost(Canon::Refine), row.cost(Canon::Segmented)) {
            let ratio = refine / segmented;
            target(
                format!("refine costs {ratio:.2} of segmented on {}: at most 1.2", row.name),
                ratio <= 1.2,
            );
        }
    }
    if let Some(cost) = cost("mcs_lock N=16", Canon::Refine) {
        target(
            format!("{cost:.0} ns per state of mcs_lock N=16, ids in locals: at most 5000"),
            cost <= 5000.0,
        );
    }
    if let Some(cost) = cost("semaphore_mutex N=16", Canon::Refine) {
        target(format!("{cost:.0} ns per state of semaphore_mutex N=16, no ids: at most 300"), cost <= 300.0);
    }
    all
}
