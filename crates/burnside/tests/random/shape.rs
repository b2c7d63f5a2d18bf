//! The declarations of a random model: its domains, a few other types, and the state variables.

use burnside_model::Model;
use burnside_model::code::*;

use super::build::AT;
use super::rng::Rng;

/// The types there are to choose from.
pub struct Shape {
    /// One or two scalarsets or rings.
    pub domains: Vec<TypeId>,
    pub colour: TypeId,
    pub number: TypeId,
    pub union: Option<TypeId>,
    /// By global: whether even its id-free cells may be undefined.
    pub undefined: Vec<bool>,
}

/// What may occur.
#[derive(Clone, Copy)]
pub struct Options {
    /// Unions, multisets and rings, and expressions that may fault.
    pub extensions: bool,
}

impl Options {
    /// Without extensions, what rumur means.
    pub fn semantics(self) -> Semantics {
        let undefined = if self.extensions { Undefined::Cmurphi } else { Undefined::Error };
        Semantics { undefined, ..Semantics::default() }
    }
}

/// Declares types and variables.
pub fn shape(model: &mut Model, rng: &mut Rng, options: Options) -> Shape {
    let mut shape = types(model, rng, options);
    let wanted = 2 + rng.below(2);
    let mut bits = 0.0;
    for number in 0..wanted {
        let ty = variable(model, rng, &shape, options);
        let size = bits_of(&model.types, ty);
        if number > 0 && bits + size > 15.0 {
            continue;
        }
        bits += size;
        model.add_global(&format!("g{number}"), ty, AT).expect("small");
        shape.undefined.push(rng.chance(12));
    }
    shape
}

fn types(model: &mut Model, rng: &mut Rng, options: Options) -> Shape {
    let count = 1 + usize::from(rng.chance(30));
    let domains: Vec<_> = (0..count)
        .map(|number| {
            let kind = match options.extensions && rng.chance(35) {
                true => DomainKind::Ring,
                false => DomainKind::Full,
            };
            let most = if kind == DomainKind::Ring { 5 } else { 4 };
            let large = count == 1 && rng.chance(if kind == DomainKind::Ring { 40 } else { 12 });
            let size =
                if large { most - rng.below(most as usize - 3) as u32 } else { 2 + rng.below(2) as u32 };
            let name = format!("D{number}");
            model.types.domains.push(Domain { name: name.clone(), kind, size, span: AT });
            add(model, &name, TypeKind::Scalarset(DomainId(number as u32)))
        })
        .collect();
    let members = ["A", "B", "C"][..2 + rng.below(2)].iter().map(|&m| m.to_owned()).collect();
    let colour = add(model, "E", TypeKind::Enum(members));
    let number = add(model, "R", TypeKind::Range(0, 1 + rng.below(2) as i64));
    let union = (options.extensions && rng.chance(30)).then(|| {
        let mut members = domains.clone();
        if members.len() == 1 || rng.chance(30) {
            members.insert(rng.below(members.len() + 1), colour);
        }
        add(model, "U", TypeKind::Union(members))
    });
    Shape { domains, colour, number, union, undefined: Vec::new() }
}

fn add(model: &mut Model, name: &str, kind: TypeKind) -> TypeId {
    model.types.add(Some(name.to_owned()), kind).expect("small")
}

fn anonymous(model: &mut Model, kind: TypeKind) -> TypeId {
    model.types.add(None, kind).expect("small")
}

/// A simple type; more often than not one whose values are ids.
fn simple(rng: &mut Rng, shape: &Shape) -> TypeId {
    match rng.below(10) {
        0..=3 => *rng.pick(&shape.domains).expect("at least one"),
        4 => shape.union.unwrap_or(shape.domains[0]),
        5 | 6 => shape.colour,
        7 => shape.number,
        _ => Types::BOOL,
    }
}

fn small(rng: &mut Rng, shape: &Shape) -> TypeId {
    [shape.colour, shape.number, Types::BOOL][rng.below(3)]
}

fn record(model: &mut Model, rng: &mut Rng, shape: &Shape) -> TypeId {
    let types = [small(rng, shape), simple(rng, shape)];
    let fields =
        types.into_iter().enumerate().map(|(i, ty)| Field { name: format!("f{i}"), ty, offset: 0 }).collect();
    anonymous(model, TypeKind::Record(fields))
}

/// The type of one state variable.
fn variable(model: &mut Model, rng: &mut Rng, shape: &Shape, options: Options) -> TypeId {
    let domain = *rng.pick(&shape.domains).expect("at least one");
    match rng.below(if options.extensions { 16 } else { 14 }) {
        0..=2 => simple(rng, shape),
        3 | 4 => {
            let element = small(rng, shape);
            anonymous(model, TypeKind::Array { index: domain, element })
        }
        5..=7 => {
            let element = simple(rng, shape);
            anonymous(model, TypeKind::Array { index: domain, element })
        }
        8..=10 => {
            let element = record(model, rng, shape);
            anonymous(model, TypeKind::Array { index: domain, element })
        }
        11 | 12 => {
            let other = *rng.pick(&shape.domains).expect("at least one");
            let element = anonymous(model, TypeKind::Array { index: other, element: Types::BOOL });
            anonymous(model, TypeKind::Array { index: domain, element })
        }
        13 => {
            let index = shape.union.unwrap_or(shape.number);
            let element = simple(rng, shape);
            anonymous(model, TypeKind::Array { index, element })
        }
        _ => {
            let element = if rng.chance(70) { record(model, rng, shape) } else { simple(rng, shape) };
            let capacity = 2 + rng.below(2) as u32;
            anonymous(model, TypeKind::Multiset { capacity, element })
        }
    }
}

/// The logarithm of how many values a type has, undefined ones included.
fn bits_of(types: &Types, ty: TypeId) -> f64 {
    match &types[ty].kind {
        TypeKind::Array { index, element } => types.size(*index) as f64 * bits_of(types, *element),
        TypeKind::Record(fields) => fields.iter().map(|f| bits_of(types, f.ty)).sum(),
        TypeKind::Multiset { capacity, element } => f64::from(*capacity) * bits_of(types, *element),
        _ => (types.size(ty) as f64 + 0.5).log2(),
    }
}
