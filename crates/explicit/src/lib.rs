//! Explicit-state search: the reachable states one by one.
//!
//! [`check`] is the engine: several threads explore a system breadth-first ([`search`]), keeping every state they meet
//! in a packed [`store`]; then liveness is decided on what is stored ([`liveness`]). It knows nothing of symmetry or of
//! how the model is carried out: a reduced system is a system, and every thread has its own [`Batcher`]. What it adds to
//! the waist is the trait [`Indexed`], which liveness needs to follow one process through steps that rename processes.

pub mod adaptive;
mod checkpoint;
mod conclude;
mod indexed;
pub mod liveness;
pub mod search;
mod shares;
pub mod store;
pub mod temporal;

use std::path::PathBuf;
use std::time::Duration;

use burnside_model::code::Cell;
use burnside_model::system::Batcher;
use burnside_model::{DeadlockMode, Limit, Limits, Model, Packing};

pub use burnside_model::findings::{Ending, Findings, Known, PropertyResult, Witness};
pub use burnside_model::{Events, Progress};
pub use checkpoint::CheckpointError;
pub use indexed::{Indexed, Move, MoveSink};
use store::{Shape, Store};
use temporal::Early;

/// What to look for, when to stop, and how.
#[derive(Clone, Debug)]
pub struct Config {
    pub limits: Limits,
    /// What counts as a deadlock.
    pub deadlock: DeadlockMode,
    pub threads: usize,
    /// Whether only hashes of the states are kept.
    pub compact: bool,
    /// Where to write checkpoints, and how often at most.
    pub checkpoint: Option<(PathBuf, Duration)>,
    /// The checkpoint to go on from.
    pub resume: Option<PathBuf>,
    /// Whether the stored states are wanted in the end.
    pub keep: bool,
    /// Why temporal formulas are not to be decided, if they are not.
    pub without_formulas: Option<String>,
    /// From how many states on violations of LTL are looked for before everything is explored. Where there are fewer,
    /// everything is decided.
    pub early: u64,
    /// A hash of the model and of all settings on which the result depends, for checkpoints.
    pub identity: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            limits: Limits::default(),
            deadlock: DeadlockMode::default(),
            threads: 1,
            compact: false,
            checkpoint: None,
            resume: None,
            keep: false,
            without_formulas: None,
            early: 1 << 15,
            identity: 0,
        }
    }
}

/// Explores a system and decides its properties.
///
/// `make` makes what carries out the system, one per thread; `indexed` is the same system for liveness.
pub fn check<B: Batcher, L: Indexed>(
    model: &Model,
    packing: &Packing,
    make: &mut dyn FnMut() -> B,
    indexed: &mut L,
    config: &Config,
    events: &mut dyn Events,
) -> Result<Findings, CheckpointError> {
    let shape = Shape { compact: config.compact, ..Shape::new(packing.words(), config.limits.memory) };
    let mut early = Early::new(model, packing, indexed, config);
    let explored =
        search::explore(model, Store::new(shape), make, config, events, &mut |store| early.look(store))?;
    let early = early.finish(&explored);
    if !config.compact {
        return Ok(conclude::conclude(explored, early, model, packing, indexed, config));
    }
    if explored.found.is_empty() {
        return Ok(conclude::compact(&explored));
    }
    confirm(explored, model, packing, make, indexed, config)
}

/// The same for a system whose states are words of its own, of which `unpack` makes states of the model. Liveness is not
/// decided.
pub fn check_words<B: Batcher>(
    model: &Model,
    words: usize,
    unpack: &dyn Fn(&[u64]) -> Vec<Cell>,
    make: &mut dyn FnMut() -> B,
    config: &Config,
    events: &mut dyn Events,
) -> Result<Findings, CheckpointError> {
    let store = Store::new(Shape::new(words, config.limits.memory));
    let explored = search::explore(model, store, make, config, events, &mut |_| 0)?;
    Ok(conclude::results(explored, unpack, &mut |_| Ok(conclude::Decisions::default())))
}

/// A compact search found a violation. It is real, as every state was reached by steps of the model, but there are no
/// parents to tell its run: an exact search down to where it was found does.
fn confirm<B: Batcher, L: Indexed>(
    compact: search::Explored,
    model: &Model,
    packing: &Packing,
    make: &mut dyn FnMut() -> B,
    indexed: &mut L,
    config: &Config,
) -> Result<Findings, CheckpointError> {
    let deepest = compact.store.levels().len().saturating_sub(2) as u64;
    let mut config = Config { compact: false, ..config.clone() };
    config.limits.bound = Some(config.limits.bound.map_or(deepest, |bound| bound.min(deepest)));
    config.limits.time = compact.deadline.left();
    // Its memory is needed now.
    let limit = compact.limit;
    let unconfirmed = Findings { unconfirmed: Some(deepest), ..conclude::compact(&compact) };
    drop(compact);
    // What the model printed was printed before.
    let exact = check(model, packing, make, indexed, &config, &mut ())?;
    if exact.properties.iter().any(|property| matches!(property.known, Known::Violated(_))) {
        return Ok(Findings {
            limit: if exact.limit == Some(Limit::Bound) { limit } else { exact.limit },
            ..exact
        });
    }
    Ok(Findings { limit: exact.limit, ..unconfirmed })
}
