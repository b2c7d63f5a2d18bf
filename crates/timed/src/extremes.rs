//! `sup` and `inf`: the greatest or least values that integers and clocks take where a condition holds.
//!
//! Integers are read off discrete states. Values of a clock are kept apart up to a limit, which is doubled until what
//! was found is below it; a clock that grows without bound within one zone has no greatest value.

use burnside_model::Network;
use burnside_model::Verdict;
use burnside_model::code::{DomainId, Expr};
use burnside_model::network::{Query, QueryKind};

use crate::check::{Checked, How, Wrong, begun_wrong, exceeded, failed};
use crate::conditions::{Run, mentions_deadlock};
use crate::explore::{Abstraction, Explorer};
use crate::limits::Observed;
use crate::live::Claim;
use crate::zone::{Bound, Federation, Zone};

/// Clocks are not kept apart beyond this.
const MAX_LIMIT: i32 = 1 << 16;

/// The extreme of an expression so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extreme {
    None,
    /// A value, and whether it is taken or only approached.
    Value(i64, bool),
    /// There is no greatest value.
    Infinite,
}

/// Answers a `sup`, `inf` or `bounds`.
pub fn answer(
    network: &Network,
    domains: &[DomainId],
    query: usize,
    how: How,
    checked: &mut Checked,
) -> Result<(), Wrong> {
    let asked = &network.queries[query];
    let (condition, exprs, sides) = match &asked.kind {
        QueryKind::Sup(condition, exprs) => (condition, exprs, &[true][..]),
        QueryKind::Inf(condition, exprs) => (condition, exprs, &[false][..]),
        QueryKind::Bounds(condition, exprs) => (condition, exprs, &[false, true][..]),
        _ => return Err("a query of another kind".to_owned()),
    };
    let mut words: Vec<Vec<String>> = vec![Vec::new(); exprs.len()];
    for sup in sides {
        let Some(found) = one_side(network, domains, query, (condition.as_ref(), exprs, *sup), how, checked)?
        else {
            return Ok(());
        };
        words.iter_mut().zip(found).for_each(|(words, found)| words.push(in_words(found, *sup)));
    }
    let words: Vec<String> = words.into_iter().map(|sides| sides.join(" to ")).collect();
    let answer = &mut checked.answers[query];
    answer.verdict = Verdict::Holds;
    answer.reason = Some(words.join(", "));
    Ok(())
}

/// The greatest or least values, if they were found.
fn one_side(
    network: &Network,
    domains: &[DomainId],
    query: usize,
    (condition, exprs, sup): (Option<&Expr>, &[Expr], bool),
    how: How,
    checked: &mut Checked,
) -> Result<Option<Vec<Extreme>>, Wrong> {
    let asked = &network.queries[query];
    let mut limit = 1;
    loop {
        let observed = Observed {
            conditions: condition.iter().map(|expr| (&asked.frame, *expr, true)).collect(),
            both: condition.is_some_and(|expr| mentions_deadlock(network, expr)),
            exprs: exprs.iter().map(|expr| (&asked.frame, expr)).collect(),
            limit,
            timer: None,
        };
        let mut explorer = match Explorer::observing(network, domains, Abstraction::default(), &observed) {
            Ok(explorer) => explorer.in_order(how.order).until(how.bounds.deadline),
            Err(stop) => return begun_wrong(stop, checked).map(|()| None),
        };
        let mut found = vec![Extreme::None; exprs.len()];
        let mut new = 0..explorer.store.nodes.len() as u32;
        loop {
            for node in new.clone() {
                if let Err(stop) = look(&mut explorer, asked, condition, exprs, sup, node, &mut found) {
                    return failed(&mut explorer, stop, checked).map(|()| None);
                }
            }
            if let Some(limit) = exceeded(&explorer, how.bounds) {
                checked.limit = Some(limit);
                return Ok(None);
            }
            match explorer.expand() {
                Ok(Some(nodes)) => new = nodes,
                Ok(None) => break,
                Err(stop) => return failed(&mut explorer, stop, checked).map(|()| None),
            }
        }
        checked.count(&explorer, 0);
        // The greatest of the values that the limit may hide.
        let hidden = exprs.iter().zip(&found).filter(|(expr, _)| network.reads_clock(expr));
        let hidden = hidden.filter_map(|(_, found)| match found {
            Extreme::Value(value, _) if *value >= i64::from(limit) => Some(*value),
            _ => None,
        });
        let Some(beyond) = hidden.max() else { return Ok(Some(found)) };
        if beyond >= i64::from(MAX_LIMIT) {
            let reason = format!("clocks are not followed beyond {MAX_LIMIT}, and one comes to {beyond}");
            checked.answers[query].reason = Some(reason);
            return Ok(None);
        }
        limit = (2 * limit).max(beyond as i32 + 1);
    }
}

fn in_words(found: Extreme, sup: bool) -> String {
    match found {
        Extreme::None => "the condition never holds".to_owned(),
        Extreme::Value(value, true) => value.to_string(),
        Extreme::Value(value, false) => {
            format!("{} {value}, never equal", if sup { "below" } else { "above" })
        }
        Extreme::Infinite => "without bound".to_owned(),
    }
}

/// Looks at a stored state.
fn look(
    explorer: &mut Explorer,
    asked: &Query,
    condition: Option<&Expr>,
    exprs: &[Expr],
    sup: bool,
    node: u32,
    found: &mut [Extreme],
) -> Run<()> {
    let network = explorer.moves.stepper.network;
    let (state, zone) = explorer.state_of(node);
    let zones = match condition {
        Some(expr) => Claim { frame: &asked.frame, expr, holds: true }.points(
            &mut explorer.moves.stepper,
            &state,
            &zone,
        )?,
        None => Federation::from(zone),
    };
    if zones.is_empty() {
        return Ok(());
    }
    let mut conditions = explorer.moves.stepper.conditions(&state);
    conditions.interpreter.enter(&asked.frame);
    for (expr, found) in exprs.iter().zip(found) {
        if !network.reads_clock(expr) {
            let value = conditions.interpreter.eval(&asked.frame, expr)?;
            further(found, Extreme::Value(value, true), sup);
            continue;
        }
        let clock = conditions.clock(&asked.frame, expr)?;
        for zone in zones.zones() {
            further(found, extreme_of(zone, clock, sup), sup);
        }
    }
    Ok(())
}

/// The extreme of a clock in a zone.
fn extreme_of(zone: &Zone, clock: usize, sup: bool) -> Extreme {
    let bound: Bound = if sup { zone.at(clock, 0) } else { zone.at(0, clock) };
    match bound.value() {
        None => Extreme::Infinite,
        Some(value) => Extreme::Value(i64::from(if sup { value } else { -value }), !bound.is_strict()),
    }
}

/// Keeps the more extreme one.
fn further(found: &mut Extreme, new: Extreme, sup: bool) {
    let replaces = match (*found, new) {
        (Extreme::Infinite, _) | (_, Extreme::None) => false,
        (Extreme::None, _) | (_, Extreme::Infinite) => true,
        (Extreme::Value(old, taken), Extreme::Value(new, now)) => {
            let better = if sup { new > old } else { new < old };
            better || new == old && now && !taken
        }
    };
    if replaces {
        *found = new;
    }
}
