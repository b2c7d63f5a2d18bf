//! Partly symmetric models: a random model in which some rules, and perhaps a property, tell the elements of a domain
//! apart: they name one, compare two, count on from one, or go by the order of all.

use burnside_model::Model;
use burnside_model::code::*;
use burnside_model::system::{Binder, PropertyKind};

use super::build::*;
use super::planted::with_ordered_loop;
use super::rng::Rng;

/// The model with asymmetry; `None` if it has no place for what was chosen.
pub fn asymmetric(model: &Model, seed: u64) -> Option<Model> {
    // Adaptive search is for full symmetry.
    if model.types.domains.iter().any(|domain| domain.kind == DomainKind::Ring) {
        return None;
    }
    let mut rng = Rng::new(seed ^ 0xA5A5);
    let mut model = model.clone();
    for property in &mut model.properties {
        // Adaptive reduction is for reachability.
        if property.kind == PropertyKind::Liveness {
            property.kind = if rng.chance(50) { PropertyKind::Invariant } else { PropertyKind::Cover };
        }
    }
    let wanted = 1 + rng.below(2);
    let mut done = 0;
    for _ in 0..8 {
        if done < wanted && change(&mut model, &mut rng).is_some() {
            done += 1;
        }
    }
    if rng.chance(25) {
        tell_in_property(&mut model, &mut rng);
    }
    (done > 0).then_some(model)
}

/// Makes one rule asymmetric.
fn change(model: &mut Model, rng: &mut Rng) -> Option<()> {
    let rule = rng.below(model.rules.len());
    let types = model.types.clone();
    let parameters = parameters(&types, &model.rules[rule].binders, &model.rules[rule].frame);
    match rng.below(9) {
        0..=2 => {
            let (local, ty) = *rng.pick(&parameters)?;
            let condition = about(&types, rng, read_local(model, rule, local), ty);
            strengthen(model, rule, condition);
        }
        3 => {
            let [(a, _), .., (b, _)] = parameters[..] else { return None };
            let (a, b) = (read_local(model, rule, a), read_local(model, rule, b));
            strengthen(model, rule, order(OrderOp::Lt, a, b));
        }
        4 => {
            let target = id_variable(model, rng)?;
            let value = element(&types, rng, target.ty);
            model.rules[rule].body.push(stmt(StmtKind::Assign(target, value)));
        }
        5 | 6 => {
            let target = array_over_ids(model, rng)?;
            let (lo, hi) = types.bounds(target.ty);
            let value = constant(target.ty, lo + rng.below((hi - lo + 1) as usize) as i64);
            let assign = stmt(StmtKind::Assign(target, value));
            let at = rng.below(model.rules[rule].body.len() + 1);
            model.rules[rule].body.insert(at, assign);
        }
        7 => {
            // The next element, if there is one.
            let (local, ty) = *rng.pick(&parameters)?;
            let target = id_variable(model, rng).filter(|target| target.ty == ty)?;
            let (_, hi) = types.bounds(ty);
            let below = order(OrderOp::Lt, read_local(model, rule, local), constant(Types::INT, hi));
            let next = arith(ArithOp::Add, read_local(model, rule, local), int(1));
            let assign = stmt(StmtKind::Assign(target, next));
            model.rules[rule].body.push(stmt(StmtKind::If(vec![(below, vec![assign])], Vec::new())));
        }
        _ => *model = with_ordered_loop(model)?,
    }
    Some(())
}

/// Makes a property asymmetric.
fn tell_in_property(model: &mut Model, rng: &mut Rng) -> Option<()> {
    let types = model.types.clone();
    let number = rng.below(model.properties.len());
    let property = model.properties.get_mut(number)?;
    let (local, ty) = *rng.pick(&parameters(&types, &property.binders, &property.frame))?;
    let subject = read(super::build::local(&property.frame, local));
    let told = about(&types, rng, subject, ty);
    let condition = property.condition.take()?;
    property.condition = Some(logic(LogicOp::Or, condition, told));
    Some(())
}

/// Which element this is.
fn about(types: &Types, rng: &mut Rng, subject: Expr, ty: TypeId) -> Expr {
    let named = element(types, rng, ty);
    match rng.below(4) {
        0 => eq(subject, named),
        1 => not(eq(subject, named)),
        2 => order(OrderOp::Lt, subject, named),
        _ => order(OrderOp::Le, named, subject),
    }
}

fn element(types: &Types, rng: &mut Rng, ty: TypeId) -> Expr {
    constant(ty, rng.below(types.size(ty) as usize) as i64)
}

fn parameters(types: &Types, binders: &[Binder], frame: &Frame) -> Vec<(LocalId, TypeId)> {
    let ids = |binder: &Binder| match binder {
        Binder::Each(each) => Some((each.local, frame[each.local].ty)),
        _ => None,
    };
    let scalarset = |(_, ty): &(_, TypeId)| matches!(types[*ty].kind, TypeKind::Scalarset(_));
    binders.iter().filter_map(ids).filter(scalarset).collect()
}

fn read_local(model: &Model, rule: usize, id: LocalId) -> Expr {
    read(local(&model.rules[rule].frame, id))
}

fn strengthen(model: &mut Model, rule: usize, condition: Expr) {
    let rule = &mut model.rules[rule];
    rule.guard = Some(match rule.guard.take() {
        Some(guard) => and(condition, guard),
        None => condition,
    });
}

fn global(model: &Model, number: usize) -> Place {
    let ty = model.globals[number].ty;
    Place { kind: PlaceKind::Global(GlobalId(number as u32)), ty, span: AT }
}

/// A variable that holds an element.
fn id_variable(model: &Model, rng: &mut Rng) -> Option<Place> {
    let holds =
        |number: &usize| matches!(model.types[model.globals[*number].ty].kind, TypeKind::Scalarset(_));
    let found: Vec<usize> = (0..model.globals.len()).filter(holds).collect();
    rng.pick(&found).map(|number| global(model, *number))
}

/// One entry, of a simple type without ids, of an array over a domain.
fn array_over_ids(model: &Model, rng: &mut Rng) -> Option<Place> {
    let types = &model.types;
    let found: Vec<(usize, TypeId)> = (0..model.globals.len())
        .filter_map(|number| match types[model.globals[number].ty].kind {
            TypeKind::Array { index, element }
                if matches!(types[index].kind, TypeKind::Scalarset(_))
                    && types.is_simple(element)
                    && types.domains_of(element).is_empty() =>
            {
                Some((number, index))
            }
            _ => None,
        })
        .collect();
    let (number, ty) = *rng.pick(&found)?;
    Some(index(types, global(model, number), element(types, rng, ty)))
}

/// The model with plain ranges in place of scalarsets; `None` if it has unions, which have no ranges as members.
pub fn with_ranges(model: &Model) -> Option<Model> {
    let mut types = Types::default();
    for ty in model.types.ids().skip(2) {
        let def = &model.types[ty];
        let kind = match &def.kind {
            TypeKind::Union(_) => return None,
            TypeKind::Scalarset(domain) => {
                TypeKind::Range(0, i64::from(model.types.domain(*domain).size) - 1)
            }
            kind => kind.clone(),
        };
        types.add(def.name.clone(), kind)?;
    }
    Some(Model { types, ..model.clone() })
}
