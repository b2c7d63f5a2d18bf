//! The typed model: variables, functions, rules, properties.

use std::collections::HashMap;

use super::temporal::{Formula, ProcessFairness, Strength};
use crate::Span;
use crate::code::{
    Block, DomainId, Expr, Frame, Function, GlobalId, LocalId, Loop, Operand, Place, TypeId, TypeKind, Types,
};

/// A global variable: part of every state.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    pub name: String,
    pub ty: TypeId,
    /// Its first cell in the state.
    pub offset: u32,
    pub span: Span,
}

/// A constant, after overrides: kept for reports and printing.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub name: String,
    pub value: i64,
    pub ty: TypeId,
}

/// What surrounds a rule, start state or property, from the outside in.
#[derive(Clone, Debug, PartialEq)]
pub enum Binder {
    /// One instance per value: `ruleset`.
    Each(Loop),
    Alias(LocalId, Operand),
    /// One instance per slot of a multiset that is in use: `choose`.
    Choose(LocalId, Place),
}

/// A rule or a start state.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The given name, or its number: `rule 3`.
    pub name: String,
    /// Whether the name was given.
    pub named: bool,
    /// What surrounds it.
    pub binders: Vec<Binder>,
    /// Locals, binders' variables included.
    pub frame: Frame,
    /// When it is enabled; always, if absent.
    pub guard: Option<Expr>,
    pub body: Block,
    /// How fair the runs of temporal properties are to each of its instances: `fair rule`.
    pub fairness: Option<Strength>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Holds in every reachable state.
    Invariant,
    /// States where it does not hold are left out of the model.
    Assume,
    /// Holds in some reachable state.
    Cover,
    /// From every reachable state, a state where it holds is reachable.
    Liveness,
    /// No assertion fails, no error statement is reached and nothing goes wrong at run time.
    NoFault,
    /// No reachable state is a deadlock.
    NoDeadlock,
    /// A formula of CTL holds in every start state.
    Ctl,
    /// A formula of LTL holds for every run.
    Ltl,
    /// A probability or an expected value has some value, or keeps a bound.
    Quantitative,
    /// No claim: temporal properties speak only of runs in which each instance holds again and again.
    Fairness,
    /// Not decided in this exploration.
    Elsewhere,
}

impl PropertyKind {
    /// Whether there is a verdict on it.
    #[must_use]
    pub fn is_decided(self) -> bool {
        !matches!(self, PropertyKind::Assume | PropertyKind::Fairness | PropertyKind::Elsewhere)
    }

    /// A stable name, for JSON and text.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Invariant => "invariant",
            PropertyKind::Assume => "assume",
            PropertyKind::Cover => "cover",
            PropertyKind::Liveness => "liveness",
            PropertyKind::NoFault => "error",
            PropertyKind::NoDeadlock => "deadlock",
            PropertyKind::Ctl => "ctl",
            PropertyKind::Ltl => "ltl",
            PropertyKind::Quantitative => "quantitative",
            PropertyKind::Fairness => "fairness",
            PropertyKind::Elsewhere => "elsewhere",
        }
    }
}

/// A property that the model states.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The given name, or kind and number: `invariant 2`.
    pub name: String,
    /// Whether the name was given.
    pub named: bool,
    pub kind: PropertyKind,
    /// What surrounds it: for all values, except that one instance suffices for a cover.
    pub binders: Vec<Binder>,
    /// The binders' variables and those bound inside.
    pub frame: Frame,
    /// The condition; absent for a `cover` statement, which is evaluated where it stands, and for a temporal property.
    pub condition: Option<Expr>,
    /// The formula of a temporal property.
    pub formula: Option<Formula>,
    pub span: Span,
}

/// `symmetry T;`: the author's claim that the values of a range or enum are interchangeable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub ty: TypeId,
    pub span: Span,
}

/// `generator "g" of T = …;`: the author's claim that one permutation of the values of a type is a symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    pub name: String,
    /// The type: a scalarset, ring, range or enum.
    pub ty: TypeId,
    /// Where each value goes, from the least on.
    pub images: Vec<i64>,
    pub span: Span,
}

/// `hint "h" expr;`: where the author would step from first.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    pub name: String,
    /// The variables bound inside.
    pub frame: Frame,
    pub condition: Expr,
    pub span: Span,
}

impl Generator {
    /// The cycles of two or more values, each from its least value on.
    pub fn cycles(&self, types: &Types) -> Vec<Vec<i64>> {
        let (lo, _) = types.bounds(self.ty);
        let mut seen = vec![false; self.images.len()];
        let mut cycles = Vec::new();
        for start in 0..self.images.len() {
            let (mut at, mut cycle) = (start, Vec::new());
            while !std::mem::replace(&mut seen[at], true) {
                cycle.push(lo + at as i64);
                at = (self.images[at] - lo) as usize;
            }
            if cycle.len() > 1 {
                cycles.push(cycle);
            }
        }
        cycles
    }
}

/// A model, ready to run. Guards and conditions have no side effects: what they call writes no state variable. Only an
/// invariant may call functions that do; it is evaluated on a copy of the state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Constants, in order of declaration.
    pub constants: Vec<Constant>,
    /// Types and symmetry domains.
    pub types: Types,
    /// State variables, in order of declaration.
    pub globals: Vec<Global>,
    /// Functions and procedures.
    pub functions: Vec<Function>,
    /// Start states; their guards are absent.
    pub starts: Vec<Rule>,
    pub rules: Vec<Rule>,
    pub properties: Vec<Property>,
    /// The processes that runs of temporal properties are fair to.
    pub fairness: Vec<ProcessFairness>,
    /// Claims of symmetry.
    pub claims: Vec<Claim>,
    /// Single permutations that are claimed.
    pub generators: Vec<Generator>,
    /// Where to step from first, then, and so on, for searches that follow hints.
    pub hints: Vec<Hint>,
    /// State variables that were found to be the elements of a symmetry domain, in the order of the state.
    pub mirrored: Option<(DomainId, Vec<GlobalId>)>,
    /// Cells per state.
    pub cells: u32,
}

impl Model {
    /// Adds a state variable. `None` if the state would have too many cells.
    pub fn add_global(&mut self, name: &str, ty: TypeId, span: Span) -> Option<GlobalId> {
        let offset = self.cells;
        let cells = u64::from(offset) + u64::from(self.types[ty].cells);
        if cells > crate::code::MAX_CELLS {
            return None;
        }
        self.cells = cells as u32;
        self.globals.push(Global { name: name.to_owned(), ty, offset, span });
        Some(GlobalId(self.globals.len() as u32 - 1))
    }

    /// The name of an element of a symmetry domain: of a value, or of a variable.
    pub fn element_name(&self, domain: DomainId, element: u32) -> String {
        match &self.mirrored {
            Some((of, globals)) if *of == domain => {
                let global = globals.get(element as usize).and_then(|id| self.globals.get(id.0 as usize));
                global.map_or_else(|| element.to_string(), |global| global.name.clone())
            }
            _ => self.types.element_name(domain, element),
        }
    }

    /// Every cell of the state: how it is named and what it holds.
    pub fn state_cells(&self) -> Vec<StateCell> {
        let mut cells = Vec::with_capacity(self.cells as usize);
        for global in &self.globals {
            let path = Path { name: global.name.clone(), family: global.name.clone(), indices: Vec::new() };
            self.describe_cells(global.ty, &path, &mut cells, None);
        }
        let mut families: HashMap<String, u32> = HashMap::new();
        (0..)
            .zip(cells)
            .map(|(number, (path, ty, slot))| {
                let family = *families.entry(path.family).or_insert(number);
                StateCell { name: path.name, ty, slot, indices: path.indices, family }
            })
            .collect()
    }

    fn describe_cells(
        &self,
        ty: TypeId,
        path: &Path,
        cells: &mut Vec<(Path, TypeId, Option<u32>)>,
        slot: Option<u32>,
    ) {
        match &self.types[ty].kind {
            TypeKind::Array { index, element } => {
                let (lo, hi) = self.types.bounds(*index);
                for i in lo..=hi {
                    let path = path.index(&self.types.show(*index, i), self.types.element(*index, i));
                    self.describe_cells(*element, &path, cells, slot);
                }
            }
            TypeKind::Record(fields) => {
                for field in fields {
                    self.describe_cells(field.ty, &path.field(&field.name), cells, slot);
                }
            }
            TypeKind::Multiset { capacity, element } => {
                for i in 0..*capacity {
                    let used = cells.len() as u32;
                    let path = path.index(&i.to_string(), None);
                    cells.push((path.clone(), Types::BOOL, Some(used)));
                    self.describe_cells(*element, &path, cells, Some(used));
                }
            }
            _ => cells.push((path.clone(), ty, slot)),
        }
    }
}

/// The way to a cell, or to several.
#[derive(Clone)]
struct Path {
    name: String,
    /// The name with domains in place of their elements.
    family: String,
    /// The domain elements.
    indices: Vec<(DomainId, u32)>,
}

impl Path {
    fn field(&self, field: &str) -> Self {
        let further = |name: &str| format!("{name}.{field}");
        Path { name: further(&self.name), family: further(&self.family), indices: self.indices.clone() }
    }

    fn index(&self, index: &str, element: Option<(DomainId, u32)>) -> Self {
        let kind = element.map_or_else(|| index.to_owned(), |(domain, _)| format!("{domain:?}"));
        Path {
            name: format!("{}[{index}]", self.name),
            family: format!("{}[{kind}]", self.family),
            indices: self.indices.iter().copied().chain(element).collect(),
        }
    }
}

/// One cell of the state.
#[derive(Clone, Debug, PartialEq)]
pub struct StateCell {
    /// The variable, with fields and indices, as a trace shows it.
    pub name: String,
    /// The simple type of its content.
    pub ty: TypeId,
    /// Inside a multiset: the cell that says whether the slot is in use (which may be this one).
    pub slot: Option<u32>,
    /// The domain elements among the array indices on the way to it, from the outside in.
    pub indices: Vec<(DomainId, u32)>,
    /// The first cell to which the way is the same but for those elements.
    pub family: u32,
}
