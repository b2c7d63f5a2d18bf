//! What all functions of a model share, and what is unrolled or put in.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use burnside_model::code::*;
use burnside_model::system::Binder;
use burnside_model::{Model, Packing, Span};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};

use super::cells::{Shape, ShapeKey};
use super::defined::Defined;
use super::routines::{Key, Routine};

/// A model to be compiled.
pub(crate) struct Unit<'m> {
    pub model: &'m Model,
    pub packing: &'m Packing,
    pub semantics: Semantics,
    /// What need not be checked when it is read.
    pub defined: Defined,
    pub target: TargetFrontendConfig,
    /// The address of [`crate::context::Tables::cells`].
    pub cell_table: i64,
    /// Loops are unrolled up to this size.
    pub unroll: Cell<u64>,
    /// Rulesets are unrolled up to this size.
    pub unroll_rules: u64,
    /// The most steps from one state, if they are so few that there is room for all before they are computed.
    pub most_steps: Option<u64>,
    /// Places where an undefined value may be copied or compared.
    pub sites: RefCell<HashMap<Span, u32>>,
    /// The size of each function's body, calls included.
    pub function_costs: Vec<u64>,
    /// Which functions may return an undefined value.
    pub returns_undefined: Vec<bool>,
    /// Which functions call themselves.
    pub recursive: Vec<bool>,
    /// Which functions become functions of their own; the others are put in where they are called.
    pub outlined: Vec<bool>,
    /// How the bits of places with indices are found, as far as that was asked.
    pub(super) shapes: RefCell<HashMap<ShapeKey, Shape>>,
    /// Those made so far.
    pub routines: RefCell<HashMap<Key, Routine>>,
    /// Where functions are declared.
    pub module: RefCell<JITModule>,
    /// Functions whose intermediate code is complete.
    pub finished: RefCell<Vec<(FuncId, cranelift_codegen::Context)>>,
}

/// Part of a conversion: values from `lo` to `hi` get `delta` added, or cannot be converted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub lo: i64,
    pub hi: i64,
    pub delta: Option<i64>,
}

/// The size up to which a loop in a body or a guard is unrolled.
pub(super) const UNROLL: u64 = 200;
/// The same for properties, all of them together and each.
const UNROLL_PROPERTIES: u64 = 6_000;
const UNROLL_PROPERTY: u64 = 1_500;
/// The size up to which rulesets are unrolled, for all rules together.
const UNROLL_RULES: u64 = 6_000;

/// The size of all rules, with all calls put in, above which larger functions are not.
const LARGE: u64 = 12_000;
/// The size of such larger functions.
const OUTLINE: u64 = 60;

/// Steps from one state for which room is made beforehand.
const MOST_STEPS: u64 = 1 << 12;

/// More than any limit.
pub(super) const ENDLESS: u64 = 1 << 40;

impl<'m> Unit<'m> {
    pub fn new(
        model: &'m Model,
        packing: &'m Packing,
        semantics: Semantics,
        cell_table: i64,
        module: JITModule,
    ) -> Self {
        let target = module.target_config();
        let mut unit = Unit {
            model,
            packing,
            semantics,
            defined: Defined::at_start(model, semantics),
            target,
            cell_table,
            unroll: Cell::new(UNROLL),
            unroll_rules: (UNROLL_RULES / (model.rules.len() as u64 + 1)).clamp(300, 2_000),
            most_steps: None,
            sites: RefCell::default(),
            function_costs: Vec::new(),
            returns_undefined: model
                .functions
                .iter()
                .map(|function| returns_undefined(&semantics, &model.types, &function.body))
                .collect(),
            recursive: Vec::new(),
            outlined: Vec::new(),
            shapes: RefCell::default(),
            routines: RefCell::default(),
            module: RefCell::new(module),
            finished: RefCell::default(),
        };
        unit.most_steps = unit.steps().filter(|steps| *steps <= MOST_STEPS);
        unit.plan(u64::MAX);
        let total = model.rules.iter().map(|rule| unit.cost_block(&rule.body)).fold(0, u64::saturating_add);
        if total > LARGE {
            // An unrolled instance would need routines of its own.
            unit.unroll_rules = 0;
            unit.plan(OUTLINE);
        }
        unit
    }

    /// The most steps from one state: as many as there are instances of rules.
    fn steps(&self) -> Option<u64> {
        self.model.rules.iter().try_fold(0u64, |sum, rule| {
            let each = rule.binders.iter().try_fold(1u64, |n, binder| n.checked_mul(self.instances(binder)?));
            sum.checked_add(each?)
        })
    }

    /// The most instances of a binder, if that is known and they are not very many.
    pub fn instances(&self, binder: &Binder) -> Option<u64> {
        match binder {
            Binder::Each(each) => self.values(each).map(|values| values.len() as u64),
            Binder::Choose(_, set) => u64::try_from(self.multiset(set.ty).0).ok(),
            Binder::Alias(..) => Some(1),
        }
    }

    /// Makes code of a property, of which there are fewer than of rules: larger loops are unrolled in it.
    pub fn in_property<T>(&self, make: impl FnOnce() -> T) -> T {
        let each = UNROLL_PROPERTIES / (self.model.properties.len() as u64).max(1);
        self.unroll.set(each.clamp(UNROLL, UNROLL_PROPERTY));
        let made = make();
        self.unroll.set(UNROLL);
        made
    }

    /// Begins again if cells became undefined that were taken to be always defined; whether that is so.
    pub fn again(&mut self) -> bool {
        let again = self.defined.settle();
        if again {
            self.routines.get_mut().clear();
            self.finished.get_mut().clear();
        }
        again
    }

    /// Decides which functions are put in where they are called: those up to a size. A function calls only itself and
    /// those before it.
    fn plan(&mut self, outline: u64) {
        let functions = &self.model.functions;
        self.function_costs = vec![0; functions.len()];
        self.recursive = vec![false; functions.len()];
        self.outlined = vec![false; functions.len()];
        for (i, function) in functions.iter().enumerate() {
            self.function_costs[i] = ENDLESS;
            let cost = self.cost_block(&function.body);
            self.recursive[i] = cost >= ENDLESS;
            self.outlined[i] = self.recursive[i] || cost > outline;
            self.function_costs[i] = if self.outlined[i] { 10 } else { cost };
        }
    }

    /// The number of a place where an undefined value may be copied or compared.
    pub fn site(&self, span: Span) -> u32 {
        let mut sites = self.sites.borrow_mut();
        let next = sites.len() as u32;
        *sites.entry(span).or_insert(next)
    }

    /// The bits of a cell of this type.
    pub fn width(&self, ty: TypeId) -> u8 {
        (64 - self.model.types.size(ty).leading_zeros()).max(1) as u8
    }

    /// The range of a function's simple result.
    pub fn result_bounds(&self, function: &Function) -> (i64, i64) {
        self.model.types.bounds(function.result.unwrap_or(Types::INT))
    }

    /// Capacity and cells per slot.
    pub fn multiset(&self, ty: TypeId) -> (i64, i64) {
        match self.model.types[ty].kind {
            TypeKind::Multiset { capacity, element } => {
                (i64::from(capacity), i64::from(self.model.types[element].cells) + 1)
            }
            _ => (0, 1),
        }
    }

    /// How values of one type become those of another: see the interpreter's `convert`.
    pub(super) fn conversion(&self, from: TypeId, to: TypeId) -> Vec<Piece> {
        let types = &self.model.types;
        let mut pieces = Vec::new();
        let mut piece = |member: TypeId, lo: i64, hi: i64, delta: i64| {
            let least = types.bounds(member).0;
            let integer = types.is_integer(member);
            if let Some(offset) = types.union_offset(to, member) {
                let delta = offset.wrapping_sub(least).wrapping_add(delta);
                pieces.push(Piece { lo, hi, delta: Some(delta) });
            } else if types.same(member, to) || (integer && types.is_integer(to)) {
                pieces.push(Piece { lo, hi, delta: Some(delta) });
            } else if let TypeKind::Union(members) = &types[to].kind
                && let Some(range) = members.iter().find(|m| integer && types.is_integer(**m))
            {
                let (least, most) = types.bounds(*range);
                let offset = types.union_offset(to, *range).unwrap_or(0);
                let (from, until) = (lo.max(least.wrapping_sub(delta)), hi.min(most.wrapping_sub(delta)));
                if from > until {
                    pieces.push(Piece { lo, hi, delta: None });
                    return;
                }
                if lo < from {
                    pieces.push(Piece { lo, hi: from - 1, delta: None });
                }
                pieces.push(Piece { lo: from, hi: until, delta: Some(offset - least + delta) });
                if until < hi {
                    pieces.push(Piece { lo: until + 1, hi, delta: None });
                }
            } else {
                pieces.push(Piece { lo, hi, delta: None });
            }
        };
        match &types[from].kind {
            TypeKind::Union(members) => {
                let mut at = 0;
                for m in members {
                    let size = types.size(*m) as i64;
                    if size > 0 {
                        piece(*m, at, at + size - 1, types.bounds(*m).0 - at);
                    }
                    at += size;
                }
            }
            _ => piece(from, i64::MIN + 1, i64::MAX, 0),
        }
        pieces
    }

    /// The values of a loop, if they are known and not too many to list.
    pub fn values(&self, each: &Loop) -> Option<Vec<i64>> {
        let known = |e: &Expr| match &e.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Neg(e) => match e.kind {
                ExprKind::Const(value) => value.checked_neg(),
                _ => None,
            },
            _ => None,
        };
        let (from, to, by) = match &each.range {
            LoopRange::Type(ty) => {
                let (lo, hi) = self.model.types.bounds(*ty);
                (lo, hi, 1)
            }
            LoopRange::Span(from, to, None) => (known(from)?, known(to)?, 1),
            LoopRange::Span(from, to, Some(by)) => {
                let (from, to, by) = (known(from)?, known(to)?, known(by)?);
                if by == 0 || (from != to && (by > 0) != (from < to)) {
                    return None;
                }
                (from, to, by)
            }
        };
        let left = (i128::from(to) - i128::from(from)) / i128::from(by) + 1;
        if from > to && by == 1 {
            return Some(Vec::new());
        }
        (left <= 4096).then(|| (0..left as i64).map(|i| from + i * by).collect())
    }
}

/// Whether some `return` in a block may return an undefined value.
fn returns_undefined(semantics: &Semantics, types: &Types, block: &Block) -> bool {
    let within = |block: &Block| returns_undefined(semantics, types, block);
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Return(Some(Operand::Value(e))) => {
            semantics.returns_undefined(types, e) && !matches!(e.kind, ExprKind::Const(_))
        }
        StmtKind::If(arms, otherwise) => arms.iter().any(|(_, block)| within(block)) || within(otherwise),
        StmtKind::Switch(_, cases, otherwise) => {
            cases.iter().any(|(_, block)| within(block)) || within(otherwise)
        }
        StmtKind::For(_, block) | StmtKind::While(_, block) | StmtKind::Alias(_, _, block) => within(block),
        _ => false,
    })
}
