//! Certificates: made from what a search stored, and checked by a crate that knows nothing of it.

use std::collections::HashMap;
use std::ops::ControlFlow;

use burnside_certify::{Accepted, Certificate, Claim, Domain, Entry, Generator, Move, Scope, Values};
use burnside_lang::diag::Diagnostic;
use burnside_lang::source::Source;
use burnside_model::code::{Cell, DomainId, Semantics, TypeKind};
use burnside_model::findings::{Findings, Known, PropertyResult};
use burnside_model::system::{Machine, Outcome, PropertyKind, Sink, TimeUp};
use burnside_model::{Model, System};
use burnside_symmetry::{Action, Canonical, PackedCanonicaliser};

use crate::{Failure, Options, load, on_large_stack};

/// What a certificate is made from.
pub(crate) struct Writer<'w> {
    pub source: &'w Source,
    /// The model that was explored, with what is interchangeable attached.
    pub model: &'w Model,
    /// The model as it was read.
    pub original: &'w Model,
    pub options: &'w Options,
    /// The domains whose symmetry was used.
    pub domains: &'w [DomainId],
}

impl Writer<'_> {
    /// The certificate; nothing if the search was not complete.
    pub fn certificate(
        &self,
        exploration: &Findings,
        mut canonicaliser: Option<PackedCanonicaliser>,
    ) -> Result<Option<Certificate>, Failure> {
        let (true, Some(stored)) = (exploration.complete, &exploration.stored) else { return Ok(None) };
        let numbers: HashMap<&[Cell], usize> =
            stored.iter().enumerate().map(|(number, state)| (state.as_slice(), number)).collect();
        let mut lead = |state: &[Cell]| {
            let (form, images) = match &mut canonicaliser {
                None => (state.to_vec(), None),
                Some(canonicaliser) => {
                    let (form, permutation) = canonicaliser.canonical(state);
                    (form, (!permutation.is_identity()).then(|| permutation.images().to_vec()))
                }
            };
            numbers.get(form.as_slice()).map(|to| Move { to: *to, images })
        };
        let wrong = || {
            let message = "no certificate is possible: a successor's representative is not the stored one";
            Failure::Refused(message.to_owned())
        };
        let mut machine = Machine::new(self.model, self.options.semantics);
        let starts = moves(&mut lead, &mut |sink| machine.initial(sink)).ok_or_else(wrong)?;
        let mut states = Vec::with_capacity(stored.len());
        for (number, cells) in stored.iter().enumerate() {
            let moves = match self.is_sampled(number, stored.len()) {
                true => {
                    Some(moves(&mut lead, &mut |sink| machine.successors(cells, sink)).ok_or_else(wrong)?)
                }
                false => None,
            };
            states.push(Entry { cells: cells.clone(), moves });
        }
        Ok(Some(Certificate {
            model: burnside_certify::hash(self.source.text()),
            constants: self.options.constants.clone(),
            undefined_is_error: self.options.semantics.undefined_is_error,
            loop_limit: self.options.semantics.loop_limit,
            deadlock: self.options.deadlock,
            domains: self.domains.iter().map(|domain| self.domain(*domain)).collect(),
            generators: canonicaliser
                .map_or(Vec::new(), |canonicaliser| self.generators(canonicaliser.action())),
            claims: claims(exploration),
            starts,
            states,
        }))
    }

    /// Whether a state's successors are listed: so many of them, evenly spread.
    fn is_sampled(&self, number: usize, states: usize) -> bool {
        let Some(wanted) = self.options.certificate_states else { return true };
        let share = |number: usize| number as u128 * wanted.min(states) as u128 / states as u128;
        share(number) != share(number + 1)
    }

    fn domain(&self, domain: DomainId) -> Domain {
        let types = &self.model.types;
        // Types that were made up for loops are unknown to whoever reads the model again, and in no state.
        let attached: Vec<(u32, i64)> = (self.original.types.ids())
            .filter(|ty| matches!(types[*ty].kind, TypeKind::Range(..) | TypeKind::Enum(_)))
            .flat_map(|ty| types.domains_of(ty).into_iter().map(move |(of, first)| (of, ty.0, first)))
            .filter(|(of, ..)| *of == domain)
            .map(|(_, ty, first)| (ty, first))
            .collect();
        let name = types.domain(domain).name.clone();
        if attached.is_empty() {
            return Domain { name, values: Values::Declared(domain.0) };
        }
        let offsets = (0..types.domain(domain).size).map(|element| types.offset(domain, element)).collect();
        Domain { name, values: Values::Attached(offsets, attached) }
    }

    fn generators(&self, action: &Action) -> Vec<Generator> {
        let types = &self.model.types;
        let generator = |permutation: burnside_symmetry::Permutation| {
            let moved = |(domain, images): (&DomainId, &Vec<u32>)| {
                let elements = (0..).zip(images).filter(|(i, image)| i != *image).map(|(i, _)| i);
                elements.map(|i| types.element_name(*domain, i)).collect::<Vec<_>>()
            };
            let moved: Vec<_> = self.domains.iter().zip(permutation.images()).flat_map(moved).collect();
            let from = if self.domains.iter().any(|d| matches!(self.domain(*d).values, Values::Attached(..)))
            {
                "detected"
            } else {
                "declared"
            };
            let why = format!("moves {}: {from}; no statement tells them apart", moved.join(" "));
            Generator { images: permutation.images().to_vec(), why }
        };
        action.generators().into_iter().map(generator).collect()
    }
}

/// Where the steps lead.
fn moves(
    lead: &mut dyn FnMut(&[Cell]) -> Option<Move>,
    steps: &mut dyn FnMut(&mut Sink<'_>) -> Result<(), TimeUp>,
) -> Option<Vec<Move>> {
    let (mut moves, mut complete) = (Vec::new(), true);
    let ran = steps(&mut |step| {
        if let Outcome::State(state) = step.outcome {
            match lead(state) {
                Some(step) => moves.push(step),
                None => complete = false,
            }
        }
        ControlFlow::Continue(())
    });
    (ran.is_ok() && complete).then_some(moves)
}

/// What holds, of what a certificate can show.
fn claims(exploration: &Findings) -> Vec<Claim> {
    let holds = exploration.properties.iter().filter(|property| property.known == Known::Holds);
    let claim = |property: &PropertyResult| match (property.kind, property.index) {
        (PropertyKind::Invariant | PropertyKind::Cover, Some(index)) => Some(Claim::Property(index)),
        (PropertyKind::NoFault, _) => Some(Claim::NoError),
        (PropertyKind::NoDeadlock, _) => Some(Claim::NoDeadlock),
        _ => None,
    };
    holds.filter_map(claim).collect()
}

/// What comes of checking a certificate.
#[derive(Clone, Debug)]
pub enum Verification {
    /// It is right.
    Accepted(Accepted),
    /// It is not, and why.
    Rejected(String),
    /// The model has errors.
    Input(Vec<Diagnostic>),
    /// The text is no certificate at all.
    NoCertificate(String),
}

/// Checks a certificate against a model, with nothing but the front end and the reference interpreter.
pub fn verify_certificate(source: &Source, certificate: &str, scope: Scope) -> Verification {
    on_large_stack("verify", || verify(source, certificate, scope)).unwrap_or_else(Verification::Rejected)
}

fn verify(source: &Source, certificate: &str, scope: Scope) -> Verification {
    let certificate = match burnside_certify::read(certificate) {
        Ok(certificate) => certificate,
        Err(error) if error.line <= 1 => return Verification::NoCertificate(error.to_string()),
        Err(error) => return Verification::Rejected(error.to_string()),
    };
    if certificate.model != burnside_certify::hash(source.text()) {
        return Verification::Rejected("it is for another model, or an earlier version of it".to_owned());
    }
    let semantics = Semantics { undefined_is_error: certificate.undefined_is_error, ..Semantics::default() };
    let options = Options { constants: certificate.constants.clone(), semantics, ..Options::default() };
    let model = match load(source, &options) {
        Ok((subject, _)) => subject.model,
        Err(Failure::Input(diagnostics)) => return Verification::Input(diagnostics),
        Err(_) => return Verification::Rejected("the model cannot be read".to_owned()),
    };
    match burnside_certify::check(&model, &certificate, scope) {
        Ok(accepted) => Verification::Accepted(accepted),
        Err(rejected) => Verification::Rejected(rejected.to_string()),
    }
}
