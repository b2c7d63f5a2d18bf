//! `burnside explore`: a model that one can walk through.
//!
//! [`world`] is what a model of any language offers, with a file for each kind of model. [`search`] has the shortest ways,
//! random walks and the graph of orbits. [`session`] answers what the page asks. All steps are made by the reference
//! interpreters, never by an engine.

mod chance;
mod search;
mod session;
mod threads;
mod timed;
mod typed;
pub(crate) mod world;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use burnside_lang::source::Source;
use burnside_model::Cancel;
use serde_json::Value as Json;

use crate::runs::{Runs, query_classes};
use crate::subject::Beyond;
use crate::{Failure, Options};
use session::Session;
use world::World;

/// What is explored.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The model.
    pub source: Source,
    /// How it is read.
    pub options: Options,
    /// For threads of any number: how many there are at the start.
    pub threads: u32,
    /// Ends everything that goes on.
    pub cancel: Cancel,
    /// Ends the request that is being answered.
    pub stop: Arc<AtomicBool>,
}

/// Answers a request, by its name and what it asks.
pub type Answer<'a> = dyn FnMut(&str, &Json) -> Result<Json, String> + 'a;

impl Exploration {
    /// Reads the model, and hands `serve` what answers requests about it.
    pub fn run<R>(&self, serve: impl FnOnce(&mut Answer<'_>) -> R) -> Result<R, Failure> {
        let Exploration { source, options, .. } = self;
        let options = &*crate::meant(source, options);
        let (subject, _) = crate::load(source, options)?;
        let language = options.language_of(source);
        match &subject.beyond {
            Beyond::Network(network) => {
                let classes = query_classes(network, options, true);
                let mut world = timed::Timed::new(source, options, network, classes.classes.first())
                    .map_err(Failure::Refused)?;
                Ok(self.serve(&mut world, options, serve))
            }
            Beyond::Rules => {
                let runs = Runs::choose(&subject.model, options, false);
                let mut world = typed::Typed::new(source, language, options, &subject.model, &runs);
                Ok(self.serve(&mut world, options, serve))
            }
            Beyond::Chains(chains) => {
                let loaded = &chains.first;
                let model = loaded.model.as_ref().map_err(|mistakes| Failure::Input(mistakes.clone()))?;
                let stated: Vec<_> = loaded.properties.iter().flatten().cloned().collect();
                let mut world =
                    chance::Chance::new(source, &loaded.source, &options.constants, model, &stated);
                Ok(self.serve(&mut world, options, serve))
            }
            Beyond::Threads(threads) => {
                let mut world = threads::Threads::new(language.name(), threads, self.threads);
                Ok(self.serve(&mut world, options, serve))
            }
        }
    }

    fn serve<R>(
        &self,
        world: &mut dyn World,
        options: &Options,
        serve: impl FnOnce(&mut Answer<'_>) -> R,
    ) -> R {
        let mut session = Session::new(&self.source, options, world, self.cancel, self.stop.clone());
        serve(&mut |name, asked| session.answer(name, asked))
    }
}
