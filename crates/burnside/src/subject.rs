//! What is checked: something that was read, whatever its language.

use burnside_lang::boolean::Threads;
use burnside_lang::source::Source;
use burnside_lang::{Chains, Kind, Loaded};
use burnside_model::findings::{Checks, Known, PropertyResult};
use burnside_model::network::{Query, QueryKind};
use burnside_model::system::{Property, PropertyKind};
use burnside_model::{Model, Network, Span};
use burnside_timed::check::{Checked, Wanted};

use crate::runs::Runs;
use crate::{Failure, Options};

/// What is checked.
pub(crate) struct Subject {
    /// What all models have: properties and constants. Of a timed model, its variables and rules as well.
    pub model: Model,
    /// What rules cannot say.
    pub beyond: Beyond,
}

/// What a model is beside rules.
pub(crate) enum Beyond {
    /// Nothing else.
    Rules,
    Network(Box<Network>),
    Chains(Box<Chains>),
    Threads(Threads),
}

impl Subject {
    /// What was read.
    pub fn new(loaded: Loaded) -> Result<Subject, Failure> {
        Ok(match loaded {
            Loaded::Model(model) => Subject { model, beyond: Beyond::Rules },
            Loaded::Network(network) => {
                Subject { model: network.model.clone(), beyond: Beyond::Network(Box::new(network)) }
            }
            Loaded::Chains(chains) => {
                let combinations = chains.sweep.combinations().len();
                let asked = chains.asked();
                let each = asked
                    .iter()
                    .map(|asked| claim(&asked.name, asked.named, PropertyKind::Quantitative, asked.span));
                let each: Vec<Property> = each.collect();
                let properties = (0..combinations).flat_map(|_| each.iter().cloned()).collect();
                Subject { model: Model { properties, ..Model::default() }, beyond: Beyond::Chains(chains) }
            }
            Loaded::Threads(threads) => {
                let claims = threads.system.target.iter();
                let claims =
                    claims.map(|_| claim(&threads.claim, true, PropertyKind::Invariant, Span::default()));
                let model = Model { properties: claims.collect(), ..Model::default() };
                Subject { model, beyond: Beyond::Threads(threads) }
            }
            _ => return Err(Failure::Refused("no engine checks models of this language".to_owned())),
        })
    }

    /// What kind of model it is.
    pub fn kind(&self) -> Kind {
        match self.beyond {
            Beyond::Rules => Kind::Rules,
            Beyond::Network(_) => Kind::Timed,
            Beyond::Chains(_) => Kind::Chance,
            Beyond::Threads(_) => Kind::Threads,
        }
    }

    /// The timed automata, if it is a timed model.
    pub fn network(&self) -> Option<&Network> {
        match &self.beyond {
            Beyond::Network(network) => Some(network),
            _ => None,
        }
    }

    /// The rules alone, for what is done with nothing but rules.
    pub fn rules(&self, what: &str) -> Result<&Model, Failure> {
        if let Beyond::Rules = self.beyond {
            return Ok(&self.model);
        }
        let of = self.kind().of_models();
        Err(Failure::Refused(format!("{what} not possible for {of}")))
    }

    /// The text that places are in.
    pub fn text<'s>(&'s self, source: &'s Source) -> &'s Source {
        match &self.beyond {
            Beyond::Chains(chains) => &chains.first.source,
            _ => source,
        }
    }

    /// Why there is nothing to check, if so.
    pub fn nothing_to_check(&self) -> Option<String> {
        let (why, help) = match &self.beyond {
            Beyond::Rules if self.model.starts.is_empty() => ("the model has no start state", ""),
            Beyond::Network(network) if network.queries.is_empty() => (
                "the model has no queries",
                "write them into the model or a file beside it that ends in `.q`, or name one with `--queries`; ",
            ),
            Beyond::Chains(_) if self.model.properties.is_empty() => (
                "there is no property",
                "give a file of them behind the model, or `--property 'P=? [ F \"done\" ]'`; ",
            ),
            Beyond::Threads(_) if self.model.properties.is_empty() => (
                "nothing is said that must not be reached",
                "write it into a file beside the model that ends in `.prop`, or give `--target`; ",
            ),
            _ => return None,
        };
        Some(format!("there is nothing to check: {why}\nhelp: {help}`--allow-empty` accepts that"))
    }

    /// Why options do not fit what is asked, if so.
    pub fn refuses(&self, options: &Options) -> Option<String> {
        let network = self.network().filter(|_| options.run != Wanted::First)?;
        let reached =
            |query: &Query| matches!(query.kind, QueryKind::Possibly(_) | QueryKind::Invariantly(_));
        let idle = !network.queries.iter().any(reached);
        idle.then(|| "`--run` is for `E<>` and `A[]`, of which there are none".to_owned())
    }

    /// Everything that is asked, of which nothing is known.
    pub fn unknown(&self, options: &Options) -> Vec<PropertyResult> {
        match &self.beyond {
            Beyond::Network(network) => Checked::unknown(network).findings(network, options.run).properties,
            Beyond::Rules => {
                let checks = Checks::new(&self.model, options.deadlock);
                checks.list.iter().map(|check| check.conclude(Vec::new(), 0, false, false)).collect()
            }
            Beyond::Chains(_) | Beyond::Threads(_) => {
                let properties = self.model.properties.iter().enumerate();
                let unknown = properties.map(|(at, property)| {
                    PropertyResult::new(Some(at), &property.name, property.kind, Known::Unknown)
                });
                unknown.collect()
            }
        }
    }

    /// The explorations that it needs; `adapts` if symmetry that only some rules break may be used.
    pub fn runs(&self, options: &Options, adapts: bool) -> Runs {
        match &self.beyond {
            Beyond::Rules => Runs::choose(&self.model, options, adapts),
            Beyond::Network(network) => Runs::timed(network, options, true),
            Beyond::Chains(_) | Beyond::Threads(_) => Runs::single(&self.model, self.kind(), options),
        }
    }

    /// The exploration of it as it is.
    pub fn plain(&self, options: &Options) -> Runs {
        match &self.beyond {
            Beyond::Rules => Runs::plain(&self.model, options, false),
            Beyond::Network(network) => Runs::timed(network, options, false),
            Beyond::Chains(_) | Beyond::Threads(_) => self.runs(options, false),
        }
    }
}

/// Something that is asked in the words of another language.
fn claim(name: &str, named: bool, kind: PropertyKind, span: Span) -> Property {
    Property {
        name: name.to_owned(),
        named,
        kind,
        binders: Vec::new(),
        frame: Default::default(),
        condition: None,
        formula: None,
        span,
    }
}
