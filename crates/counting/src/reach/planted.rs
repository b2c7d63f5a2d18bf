//! Mistakes that counting can make. What finds none in the real thing must find each of these: a test of the tests on
//! random countable models.

use burnside_model::code::Semantics;
use burnside_model::system::{Batch, Batcher};
use burnside_model::{Count, Deadline};

use super::*;
use crate::Counters;
use crate::parts::countable;
use crate::random;
use crate::rows::{Outcome as _, Row, shorten};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    /// Two elements in the same local state are taken for one, on sets.
    NumbersForgotten,
    /// The same, one by one.
    NumbersForgottenOneByOne,
    /// A rule does not see elements that it does not name.
    Blind,
    /// Nor does it move them.
    NoBroadcast,
    /// Pointers are not followed to the elements that they hold.
    NotFollowed,
    /// Which pointers hold an element cannot be seen.
    MarksNotSeen,
    /// What a loop looks at does not tell elements apart.
    SeenForgotten,
    /// Nor does one of the things that quantifiers ask.
    AtomForgotten,
    /// A rule names one element less.
    ParameterForgotten,
}

const MISTAKES: [Mistake; 9] = [
    Mistake::NumbersForgotten,
    Mistake::NumbersForgottenOneByOne,
    Mistake::Blind,
    Mistake::NoBroadcast,
    Mistake::NotFollowed,
    Mistake::MarksNotSeen,
    Mistake::SeenForgotten,
    Mistake::AtomForgotten,
    Mistake::ParameterForgotten,
];

fn break_rule(relevance: &mut Relevance<'_>, mistake: Mistake) {
    match mistake {
        Mistake::Blind => {
            (relevance.asks, relevance.loops) = (false, false);
            relevance.atoms.clear();
            relevance.seen.clear();
        }
        Mistake::NoBroadcast => relevance.loops = false,
        Mistake::NotFollowed => relevance.followed.clear(),
        Mistake::MarksNotSeen => relevance.mentioned.clear(),
        Mistake::SeenForgotten => relevance.seen.clear(),
        Mistake::AtomForgotten => drop(relevance.atoms.pop()),
        Mistake::ParameterForgotten => relevance.parameters = relevance.parameters.saturating_sub(1),
        _ => {}
    }
}

/// What is found, with or without a mistake; nothing if it is noticed at once, or if it cannot be made.
fn found(model: &burnside_model::Model, mistake: Option<Mistake>) -> Option<(Count, Vec<bool>)> {
    let domains: Vec<_> = (0..model.types.domains.len() as u32).map(burnside_model::code::DomainId).collect();
    let (domains, _) = countable(model, &domains);
    let mut counting = Counting::new(model, Semantics::default(), &domains, 16);
    counting.many?;
    if mistake == Some(Mistake::NumbersForgottenOneByOne) {
        counting.many = Some(1);
        return one_by_one(&counting);
    }
    let mut reach = Reach::new(&counting, 1 << 20, Deadline::NEVER)?;
    if let Some(mistake) = mistake {
        for rule in 0..model.rules.len() {
            let mut relevance = of_rule(model, &counting.parts.domains, rule);
            break_rule(&mut relevance, mistake);
            reach.rules[rule] = Seen::new(&counting, relevance);
        }
        if mistake == Mistake::NumbersForgotten {
            reach.many = 1;
        }
    }
    let findings = reach.run().ok()?;
    let mut verdicts: Vec<bool> = findings.judged.iter().map(|judged| judged.met.is_some()).collect();
    verdicts.extend([findings.stuck.is_some(), findings.disabled.is_some(), findings.wrong.is_empty()]);
    Some((findings.orbits, verdicts))
}

fn one_by_one(counting: &Counting<'_>) -> Option<(Count, Vec<bool>)> {
    let mut counters = Counters::new(counting);
    let (mut seen, mut todo, mut batch) = (std::collections::HashSet::new(), Vec::new(), Batch::default());
    counters.initial(&mut batch).ok()?;
    loop {
        for words in batch.states.chunks(counting.words()) {
            if seen.insert(words.to_vec()) {
                todo.push(words.to_vec());
            }
        }
        batch.clear();
        let Some(words) = todo.pop() else { return Some((Count::from(seen.len() as u64), Vec::new())) };
        counters.successors(&words, &mut batch).ok()?;
    }
}

#[test]
fn every_mistake_is_caught() {
    for mistake in MISTAKES {
        let caught = (0..4000).any(|seed| {
            let source = burnside_lang::source::Source::new("random.m", random::model(seed));
            let (Some(model), _) = burnside_lang::murphi::load(&source, &[]) else { return false };
            let Some(right) = found(&model, None).filter(|(orbits, _)| *orbits < Count::from(500u32)) else {
                return false;
            };
            let Some(wrong) = found(&model, Some(mistake)) else { return false };
            right.0 != wrong.0 || !wrong.1.is_empty() && right.1 != wrong.1
        });
        assert!(caught, "{mistake:?}");
    }
}

/// Cases that differ are never put together.
#[test]
fn tables_say_the_same_when_they_are_short() {
    let said = |holds: bool| crate::cases::Said::Holds(holds);
    let row = |a: u32, b: u32, holds: bool| Row {
        numbers: [(vec![1], (a, a)), (vec![2, 3], (b, if b == 2 { u32::MAX } else { b }))].into(),
        outcome: said(holds),
    };
    let rows: Vec<_> = (0..4).flat_map(|a| (0..3).map(move |b| row(a, b, a >= 2))).collect();
    let short = shorten(rows.clone()).expect("they do not contradict each other");
    assert_eq!(short.len(), 2, "{short:?}");
    assert!(short.iter().all(|row| row.numbers.len() == 1 && row.outcome.with(&row.outcome).is_some()));
    let both = shorten([rows, vec![row(0, 0, true)]].concat());
    assert!(both.is_none(), "{both:?}");
}
