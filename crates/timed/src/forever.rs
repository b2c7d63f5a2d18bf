//! Answers to `E[]`, `A<>` and `-->`: a search for a run in which a condition holds forever, and the run that shows it.
//!
//! For `p --> q` the runs begin wherever `p` holds and `q` does not, so all states are found first. Then, and for the other
//! two from the start, [`Live`] follows the states in which the condition holds.

use burnside_model::code::{DomainId, Stop};
use burnside_model::network::QueryKind;
use burnside_model::{Network, Verdict};

use crate::check::{Answer, Checked, How, Wrong, begun_wrong, exceeded, failed};
use crate::conditions::Run;
use crate::explore::{Abstraction, Covering, Explorer};
use crate::lasso::{Prefix, lasso};
use crate::limits::Observed;
use crate::live::{Claim, Live, Outcome, Root};
use crate::reach::explore;
use crate::run::steps_to;
use crate::zone::Extrapolation;

/// Keeps everything that can be told apart by guards and steps, also infinite runs.
const EXACT: Abstraction =
    Abstraction { extrapolation: Some(Extrapolation::MPlus), local: true, covering: Covering::Inclusion };

/// Answers `E[]`, `A<>` or `-->`.
pub(crate) fn live(
    network: &Network,
    domains: &[DomainId],
    query: usize,
    how: How,
    checked: &mut Checked,
) -> Result<(), Wrong> {
    let asked = &network.queries[query];
    let conditions = asked.kind.exprs().into_iter().map(|expr| (&asked.frame, expr, true)).collect();
    let observed = Observed { conditions, ..Observed::default() };
    let mut explorer = match Explorer::observing(network, domains, EXACT, &observed) {
        Ok(explorer) => explorer.in_order(how.order).until(how.bounds.deadline),
        Err(stop) => return begun_wrong(stop, checked),
    };
    let claim = |expr, holds| Claim { frame: &asked.frame, expr, holds };
    let (claim, begins, example) = match &asked.kind {
        QueryKind::PotentiallyAlways(p) => (claim(p, true), Vec::new(), true),
        QueryKind::Eventually(p) => (claim(p, false), Vec::new(), false),
        QueryKind::LeadsTo(p, q) => (claim(q, false), vec![claim(p, true), claim(q, false)], false),
        _ => return Err("a query of another kind".to_owned()),
    };
    let begun = if begins.is_empty() {
        at_start(&mut explorer)
    } else {
        loop {
            if let Some(limit) = exceeded(&explorer, how.bounds) {
                checked.limit = Some(limit);
                checked.count(&explorer, 0);
                return Ok(());
            }
            match explorer.expand() {
                Ok(Some(_)) => {}
                Ok(None) => break wherever(&mut explorer, &begins),
                Err(stop) => break Err(stop),
            }
        }
    };
    let roots = match begun {
        Ok(roots) => roots,
        Err(stop) => return failed(&mut explorer, stop, checked),
    };
    let mut search = Live::new(&mut explorer, claim, roots);
    let found = search.search(how.bounds);
    let stored = search.stored();
    let answer = |found: bool| if found == example { Verdict::Holds } else { Verdict::Violated };
    match found {
        Ok(Outcome::None) => checked.answers[query].verdict = answer(false),
        Ok(Outcome::Limit(limit)) => checked.limit = Some(limit),
        Ok(Outcome::Found(found)) => {
            let wrong = |_: Stop| "a run that was found cannot be executed".to_owned();
            let root = search.root(&found).node;
            let (steps, back) = match root {
                Some(node) => steps_to(search.explorer(), node).map_err(wrong)?,
                None => (
                    Vec::new(),
                    search.explorer().moves.representatives.as_ref().map(|r| r.action.identity()),
                ),
            };
            let prefix = Prefix { steps, back, moment: root.is_some() };
            let run = lasso(&mut search, &found, &prefix, &begins, claim)
                .map_err(wrong)?
                .ok_or("a run that was found is none")?;
            checked.answers[query] = Answer::shown(answer(true), run);
        }
        Err(stop) => {
            // The plain search shows how to get there.
            explore(network, domains, &[], false, how, checked)?;
            if checked.goes_on() {
                failed(&mut explorer, stop, checked)?;
            }
            return Ok(());
        }
    }
    checked.count(&explorer, stored);
    Ok(())
}

/// Runs begin at the start.
fn at_start(explorer: &mut Explorer) -> Run<Vec<Root>> {
    let start = explorer.moves.stepper.start()?;
    let entry = explorer.moves.entry(start)?;
    Ok(entry.into_iter().map(|(state, zone, _)| Root { node: None, state, zone }).collect())
}

/// Runs begin wherever some conditions hold.
fn wherever(explorer: &mut Explorer, begins: &[Claim]) -> Run<Vec<Root>> {
    let mut roots = Vec::new();
    for number in 0..explorer.store.nodes.len() as u32 {
        if explorer.store.nodes[number as usize].superseded {
            continue;
        }
        let (state, zone) = explorer.state_of(number);
        let mut zones = vec![zone];
        for claim in begins {
            let mut both = Vec::new();
            for zone in &zones {
                both.extend_from_slice(claim.points(&mut explorer.moves.stepper, &state, zone)?.zones());
            }
            zones = both;
        }
        roots.extend(zones.into_iter().map(|zone| Root { node: Some(number), state: state.clone(), zone }));
    }
    Ok(roots)
}
