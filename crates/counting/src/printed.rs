//! The program that counts with all properties of the model, for whoever reads it, or another checker.

use burnside_model::Model;
use burnside_model::system::{FormulaKind, PropertyKind};

use crate::check::{Obstacle, Task, countable_on_sets, reach, with_much_stack};
use crate::program::{Form, obstacle, written};
use crate::temporal::{over_counters, stated};

/// The program that counts the elements of a model. Formulas must speak of all elements alike.
pub fn printed(model: &Model, task: &Task, form: Form) -> Result<Model, Obstacle> {
    let (with_conditions, formulas) = stated(model)?;
    let counting = countable_on_sets(&with_conditions, task)?;
    // Where nothing changes matters to what is enabled, and to formulas.
    let stutters = task.deadlock == burnside_model::DeadlockMode::Stuck || !formulas.is_empty();
    let mut program = with_much_stack(|| {
        let mut reach = reach(&counting, task)?;
        let program = written(&counting, &mut reach, stutters, form)
            .map_err(|stopped| Obstacle { reason: stopped.reason().to_owned(), span: None })?;
        match obstacle(&counting, &reach, form) {
            Some(obstacle) => Err(obstacle),
            None => Ok(program.model),
        }
    })?;
    let conditions = program.properties.clone();
    for (number, formula) in formulas {
        let of = &model.properties[number];
        let property = &mut program.properties[number];
        let formula = over_counters(&formula, &conditions);
        (property.kind, property.name, property.named) = (of.kind, of.name.clone(), of.named);
        (property.condition, property.formula) = match (of.kind, formula.kind) {
            (PropertyKind::Liveness, FormulaKind::Atom(condition)) => (Some(condition), None),
            (_, kind) => (None, Some(burnside_model::system::Formula { kind, span: formula.span })),
        };
    }
    program.properties.truncate(model.properties.len());
    Ok(program)
}
