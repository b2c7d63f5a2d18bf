//! The rule instances of a model, component by component.

use std::collections::BTreeMap;

use burnside_model::code::{Cell, DomainId, Instances, Interpreter, TypeKind};
use burnside_model::system::{Binder, Rule};

use crate::algebra::Refusal;
use crate::encoding::Encoding;

/// Rule instances beyond which a model is refused.
const MOST_INSTANCES: usize = 1 << 20;

/// A rule, and values of its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The rule, by its position in the model.
    pub rule: u32,
    /// The values of its parameters, in order: of `ruleset` and `choose`. Fewer where the next has none to choose from;
    /// such an instance can only go wrong.
    pub args: Vec<Cell>,
    /// The element of a symmetry domain that its outermost parameter of such a type is.
    pub component: Option<(DomainId, u32)>,
}

/// The rule instances of one component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// The element that their outermost parameter of a symmetry domain's type is; none for those without one.
    pub element: Option<(DomainId, u32)>,
    /// The instances, in order of the rules.
    pub instances: Vec<Instance>,
}

impl Encoding<'_> {
    /// All rule instances, by the element that their outermost parameter of a symmetry domain is. Those without one come
    /// first, then domain by domain, element by element.
    pub fn instances(&self) -> Result<Vec<Component>, Refusal> {
        let mut all = Vec::new();
        for (number, rule) in (0..).zip(&self.model.rules) {
            self.instances_of(number, rule, &rule.binders, &mut Vec::new(), &mut all)?;
        }
        let mut components: BTreeMap<_, Vec<Instance>> = BTreeMap::new();
        for instance in all {
            components.entry(instance.component).or_default().push(instance);
        }
        let component = |(element, instances)| Component { element, instances };
        Ok(components.into_iter().map(component).collect())
    }

    fn instances_of(
        &self,
        number: u32,
        rule: &Rule,
        binders: &[Binder],
        args: &mut Vec<Cell>,
        all: &mut Vec<Instance>,
    ) -> Result<(), Refusal> {
        if all.len() >= MOST_INSTANCES {
            let reason = format!("rule \"{}\" has too many instances", rule.name);
            return Err(Refusal { reason, span: Some(rule.span) });
        }
        let rest = binders.iter().position(|binder| !matches!(binder, Binder::Alias(..)));
        let Some(rest) = rest else {
            all.push(Instance { rule: number, args: args.clone(), component: self.component(rule, args) });
            return Ok(());
        };
        let before = all.len();
        match &binders[rest] {
            Binder::Choose(_, set) => {
                let capacity = match self.model.types[set.ty].kind {
                    TypeKind::Multiset { capacity, .. } => capacity,
                    _ => 0,
                };
                for slot in 0..Cell::from(capacity) {
                    args.push(slot);
                    self.instances_of(number, rule, &binders[rest + 1..], args, all)?;
                    args.pop();
                }
            }
            binder => {
                // A ruleset's range is constant, so any state will do to evaluate it.
                let mut interpreter = Interpreter::new(self.model, self.semantics);
                interpreter.enter(&rule.frame);
                if let Ok(Instances::Each(values)) = interpreter.bind(&rule.frame, binder) {
                    for value in values {
                        args.push(value);
                        self.instances_of(number, rule, &binders[rest + 1..], args, all)?;
                        args.pop();
                    }
                }
            }
        }
        if all.len() == before {
            all.push(Instance { rule: number, args: args.clone(), component: self.component(rule, args) });
        }
        Ok(())
    }

    /// The element that the outermost parameter of a symmetry domain's type is.
    fn component(&self, rule: &Rule, args: &[Cell]) -> Option<(DomainId, u32)> {
        let parameters = rule.binders.iter().filter(|binder| !matches!(binder, Binder::Alias(..)));
        parameters.zip(args).find_map(|(binder, value)| match binder {
            Binder::Each(each) => self.model.types.element(rule.frame[each.local].ty, *value),
            _ => None,
        })
    }
}
