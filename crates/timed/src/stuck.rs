//! Where steps can be taken, and where none ever can.

use burnside_model::code::Cell;

use crate::conditions::Run;
use crate::steps::{Outcome, Standing, Stepper, Within};
use crate::zone::{Bound, Constraint, Federation, Zone};

/// The points from which a step leads to where the invariant holds, of those where its guard does.
pub fn enabled_before(mut enabled: Zone, outcome: &Outcome, standing: &Standing) -> Option<Zone> {
    if !standing.allowed {
        return None;
    }
    // What the invariant of the target asks of the clocks before they are set.
    let set = |clock: usize| {
        outcome.resets.iter().rev().find(|(reset, _)| *reset == clock).map(|(_, value)| *value)
    };
    let mut asked = Vec::new();
    for Constraint { left, right, bound } in &standing.invariant {
        let (a, b) = (set(*left), set(*right));
        let Some(value) = bound.value() else { continue };
        let value = value - a.unwrap_or(0) + b.unwrap_or(0);
        let bound = if bound.is_strict() { Bound::lt(value) } else { Bound::le(value) };
        let side = |clock: usize, set: Option<i32>| if set.is_some() { 0 } else { clock };
        let (left, right) = (side(*left, a), side(*right, b));
        if left != right {
            asked.push(Constraint::new(left, right, bound));
        } else if bound < Bound::LE_ZERO {
            return None;
        }
    }
    enabled.constrain_all(&asked).then_some(enabled)
}

/// The points of a zone from which no step can ever be taken, as [`Moves::stuck`](crate::moves::Moves::stuck), in a state that
/// is not stored.
pub fn stuck_at(stepper: &mut Stepper, state: &[Cell], zone: &Zone) -> Run<Federation> {
    let mut stuck = Federation::from(zone.clone());
    let still = stepper.standing(state)?.still;
    let mut steps = stepper.steps_within(state, Within::Zone(zone))?;
    let still = still || stepper.is_urgent(&steps);
    steps.sort_by_key(|step| step.guard.len());
    for step in steps {
        if stuck.is_empty() {
            break;
        }
        let mut enabled = zone.clone();
        if !enabled.constrain_all(&step.guard) {
            continue;
        }
        let outcome = stepper.take(state, &step)?;
        let standing = stepper.standing(&outcome.state)?;
        if let Some(mut enabled) = enabled_before(enabled, &outcome, &standing) {
            if !still {
                enabled.down();
            }
            stuck.subtract(&enabled);
        }
    }
    Ok(stuck)
}
