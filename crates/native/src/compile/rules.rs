//! Rules: the walk over instances around guard and body.
//!
//! The leading conjuncts of a guard that do not mention a rule's inner parameters are tested before those are bound: if
//! they are false, no inner instance is enabled, and if they cannot be evaluated, all inner instances go to the
//! interpreter.

use burnside_model::code::Part;
use std::ops::Range;

use burnside_model::code::*;
use burnside_model::system::{Binder, Property, Rule};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block as Target, FuncRef, Function, InstBuilder, Signature, types};
use cranelift_frontend::FunctionBuilderContext;

use super::start::start;
use super::values::{Cond, Val};
use super::{Emit, Redo, Run, Signatures, Unit};
use crate::context::{self, offset};

/// A rule in the making.
pub(super) struct RuleAt<'r> {
    pub index: u32,
    rule: &'r Rule,
    /// The guard, as conjuncts.
    guard: Vec<&'r Expr>,
    /// The binders whose locals each conjunct needs: as many as these from the outside.
    needs: Vec<usize>,
    /// The functions that decide assumptions.
    pub assumptions: &'r [FuncRef],
    /// Whether there are cover statements.
    pub covers: bool,
    /// Where the function ends.
    end: Target,
}

/// Compiles rules into a function that adds their steps to the batch.
pub(crate) fn rules(
    unit: &Unit<'_>,
    signatures: &Signatures<Signature>,
    rules: Range<usize>,
    function: &mut Function,
    memory: &mut FunctionBuilderContext,
    assumptions: &[FuncRef],
) -> Run<()> {
    let mut emit = start(unit, signatures, function, memory);
    let covers = unit.model.properties.iter().any(Property::is_statement);
    for index in rules {
        let rule = &unit.model.rules[index];
        emit.locals = vec![None; rule.frame.locals.len()];
        let end = emit.b.create_block();
        let guard = rule.guard.as_ref().map_or(Vec::new(), |guard| guard.operands(LogicOp::And));
        let needs = guard.iter().map(|expr| needed(&rule.binders, expr)).collect();
        let at = RuleAt { index: index as u32, rule, guard, needs, assumptions, covers, end };
        emit.binders(&at, 0, 0, &mut Vec::new())?;
        emit.b.ins().jump(end, &[]);
        emit.b.switch_to_block(end);
    }
    emit.b.ins().return_(&[]);
    emit.fill_redo_blocks();
    emit.b.seal_all_blocks();
    emit.b.finalize(unit.target);
    Ok(())
}

/// Makes a function that leaves all instances of a rule to the interpreter.
pub(crate) fn fallback(
    unit: &Unit<'_>,
    signatures: &Signatures<Signature>,
    index: u32,
    function: &mut Function,
    memory: &mut FunctionBuilderContext,
) {
    let mut emit = start(unit, signatures, function, memory);
    let end = emit.b.create_block();
    let all = emit.redo_block(index, &[], end);
    emit.b.ins().jump(all, &[]);
    emit.b.switch_to_block(end);
    emit.b.ins().return_(&[]);
    emit.fill_redo_blocks();
    emit.b.seal_all_blocks();
    emit.b.finalize(unit.target);
}

/// How many binders must be bound before an expression can be evaluated.
fn needed(binders: &[Binder], expr: &Expr) -> usize {
    let local = |binder: &Binder| match binder {
        Binder::Each(Loop { local, .. }) | Binder::Alias(local, _) | Binder::Choose(local, _) => *local,
    };
    binders.iter().rposition(|binder| Part::Expr(expr).mentions(local(binder))).map_or(0, |i| i + 1)
}

impl<'e, 'b> Emit<'e, 'b> {
    /// The block that leaves the instances with these first parameters to the interpreter and goes on at `next`.
    fn redo_block(&mut self, rule: u32, args: &[Val], next: Target) -> Target {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        let helper = context::redo as *const () as i64;
        self.pending.push(Redo { block, rule, args: args.to_vec(), next, helper });
        block
    }

    /// Fills the blocks of [`Self::redo_block`], once the way through the function has ended.
    fn fill_redo_blocks(&mut self) {
        for Redo { block, rule, args, next, helper } in std::mem::take(&mut self.pending) {
            self.b.switch_to_block(block);
            let room = self.b.ins().load(types::I64, self.flags.constant, self.context, offset::ARGS);
            for (i, arg) in args.iter().enumerate() {
                let arg = self.register(*arg);
                self.b.ins().store(self.flags.context, arg, room, i as i32 * 8);
            }
            let (rule, count) = (self.iconst(i64::from(rule)), self.iconst(args.len() as i64));
            let signature = self.signatures.two;
            self.call_helper(signature, helper, &[rule, count]);
            self.b.ins().jump(next, &[]);
        }
    }

    /// Whether binders from here on cannot go wrong.
    fn harmless(&self, binders: &[Binder]) -> bool {
        binders.iter().all(|binder| match binder {
            Binder::Each(each) => {
                self.unit.values(each).is_some() || matches!(each.range, LoopRange::Type(_))
            }
            Binder::Alias(_, Operand::Place(place)) | Binder::Choose(_, place) => plain(place),
            Binder::Alias(_, Operand::Value(_)) => false,
        })
    }

    /// Tests a conjunction: on to the next block if it holds, to `next` if it does not.
    fn test(&mut self, guard: &[&Expr], next: Target) -> Run<()> {
        let mut holds = Cond::Const(true);
        let mut cost = 0;
        for expr in guard {
            let straight = self.unit.straight(expr);
            let size = straight.unwrap_or(1000);
            if cost + size > 30 {
                self.go_if(holds, next);
                (holds, cost) = (Cond::Const(true), 0);
            }
            cost += size;
            let now = self.masked(holds, |this| this.eval_cond(expr))?;
            holds = self.and(holds, now);
        }
        self.go_if(holds, next);
        Ok(())
    }

    /// Goes on if a condition holds, or there is poison: then to the interpreter.
    fn go_if(&mut self, holds: Cond, next: Target) {
        let on = match holds {
            Cond::Const(true) => return self.settle(),
            Cond::Const(false) => None,
            Cond::Is(holds) => Some(holds),
        };
        let going = self.b.create_block();
        let on = match (on, self.poison) {
            (Some(holds), Some(poison)) => self.b.ins().bor(holds, poison),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => {
                self.b.ins().jump(next, &[]);
                self.b.switch_to_block(going);
                return;
            }
        };
        self.b.ins().brif(on, going, &[], next, &[]);
        self.b.switch_to_block(going);
        self.settle();
    }

    /// The walk over a rule's binders from the one at `depth` on; the first `tested` conjuncts are known to hold.
    fn binders(&mut self, at: &RuleAt<'_>, depth: usize, mut tested: usize, args: &mut Vec<Val>) -> Run<()> {
        let Some(binder) = at.rule.binders.get(depth) else { return self.instance(at, tested, args) };
        let after = self.b.create_block();
        let before = self.known.mark();
        self.redo = self.redo_block(at.index, args, after);
        self.excluded = after;
        self.source_again();
        if self.harmless(&at.rule.binders[depth..]) {
            let ready = at.needs[tested..].iter().take_while(|needs| **needs <= depth).count();
            if ready > 0 {
                self.test(&at.guard[tested..tested + ready], after)?;
                tested += ready;
            }
        }
        match binder {
            Binder::Alias(local, operand) => {
                self.bind_alias(*local, operand)?;
                self.settle();
                self.binders(at, depth + 1, tested, args)?;
            }
            Binder::Choose(local, set) => {
                let ty = set.ty;
                let set = self.place(set)?;
                self.settle();
                let capacity = self.unit.multiset(ty).0;
                let cost = self.unit.cost_rule(at.rule, depth + 1);
                let body = &mut |this: &mut Self, slot: Val| {
                    this.state = this.source;
                    this.flags.state = this.flags.constant;
                    let used = this.in_use(&set, ty, slot);
                    this.when(used, |this| this.inner(at, depth, tested, args, *local, slot))
                };
                if (capacity as u64).saturating_mul(cost) <= self.unit.unroll_rules {
                    for slot in 0..capacity {
                        body(self, Val::constant(slot))?;
                    }
                } else {
                    self.rolled(Val::constant(0), Val::constant(capacity - 1), 1, body)?;
                }
            }
            Binder::Each(each) => {
                let cost = self.unit.cost_rule(at.rule, depth + 1);
                let values = self.unit.values(each);
                let many = values.as_ref().map_or(u64::MAX, |values| values.len() as u64);
                if many.saturating_mul(cost) <= self.unit.unroll_rules || many <= 1 {
                    for value in values.unwrap_or_default() {
                        self.inner(at, depth, tested, args, each.local, Val::constant(value))?;
                    }
                } else {
                    let (first, last, by) = match (&values, &each.range) {
                        (Some(values), _) => {
                            let (first, last) = (values[0], values[values.len() - 1]);
                            (first, last, values.get(1).map_or(1, |second| second - first))
                        }
                        (None, LoopRange::Type(ty)) => {
                            let (lo, hi) = self.unit.model.types.bounds(*ty);
                            (lo, hi, 1)
                        }
                        (None, LoopRange::Span(..)) => {
                            return Err(super::unsupported("a range of very many values"));
                        }
                    };
                    let (first, last) = (Val::constant(first), Val::constant(last));
                    self.rolled(first, last, by, &mut |this, value| {
                        this.tick(at.end);
                        this.inner(at, depth, tested, args, each.local, value)
                    })?;
                }
            }
        }
        self.settle();
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(after);
        self.known.back(before);
        Ok(())
    }

    /// The instances with one more parameter bound.
    fn inner(
        &mut self,
        at: &RuleAt<'_>,
        depth: usize,
        tested: usize,
        args: &mut Vec<Val>,
        local: LocalId,
        value: Val,
    ) -> Run<()> {
        let outer = (self.redo, self.excluded, self.locals.clone());
        self.bind_value(local, value);
        args.push(value);
        self.binders(at, depth + 1, tested, args)?;
        args.pop();
        (self.redo, self.excluded, self.locals) = outer;
        self.source_again();
        Ok(())
    }

    /// Reads the state before the step.
    fn source_again(&mut self) {
        self.state = self.source;
        self.flags.state = self.flags.constant;
        self.in_body = false;
    }

    /// Looks at the clock now and then.
    fn tick(&mut self, end: Target) {
        let ticks = self.b.ins().load(types::I64, self.flags.context, self.context, offset::TICKS);
        let ticks = self.b.ins().iadd_imm_s(ticks, -1);
        self.b.ins().store(self.flags.context, ticks, self.context, offset::TICKS);
        let due = self.compare_imm(IntCC::SignedLessThan, ticks, 0);
        let (look, next) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(look);
        self.b.ins().brif(due, look, &[], next, &[]);
        self.b.switch_to_block(look);
        let signature = self.signatures.none_to_one;
        if let Some(late) = self.call_helper(signature, context::late as *const () as i64, &[]) {
            self.b.ins().brif(late, end, &[], next, &[]);
        }
        self.b.switch_to_block(next);
    }

    /// One instance: guard, body, and what comes of it.
    fn instance(&mut self, at: &RuleAt<'_>, tested: usize, args: &[Val]) -> Run<()> {
        let next = self.b.create_block();
        let before = self.known.mark();
        self.redo = self.redo_block(at.index, args, next);
        self.excluded = next;
        self.source_again();
        self.reset_depth();
        self.test(&at.guard[tested..], next)?;
        self.begin_body(at);
        if at.covers {
            // What it covers does not count if it is run again.
            self.redo = self.redo_block(at.index, args, next);
            if let Some(redo) = self.pending.last_mut() {
                redo.helper = context::redo_body as *const () as i64;
            }
        }
        let exit = self.b.create_block();
        let bound = self.locals.clone();
        self.returns =
            Some(super::Return { exit, bounds: super::arith::FULL, simple: None, aggregate: None });
        self.apart(|this| {
            this.declare_locals(&at.rule.frame)?;
            this.block(&at.rule.body)?;
            this.settle();
            this.b.ins().jump(exit, &[]);
            Ok(())
        })?;
        self.b.switch_to_block(exit);
        self.commit(at, next)?;
        self.release_slots(0);
        self.locals = bound;
        self.returns = None;
        self.b.switch_to_block(next);
        self.known.back(before);
        self.source_again();
        Ok(())
    }
}

/// Whether a place is always there.
fn plain(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Global(_) | PlaceKind::Local(_) => true,
        PlaceKind::Field(base, _) => plain(base),
        _ => false,
    }
}
