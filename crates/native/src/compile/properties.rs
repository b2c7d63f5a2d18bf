//! Properties: the condition, in all instances.

use burnside_model::code::Expr;
use burnside_model::system::{Binder, Property, PropertyKind};
use cranelift_codegen::ir::{Function, InstBuilder, Signature, types};
use cranelift_frontend::FunctionBuilderContext;

use super::start::start;
use super::{Emit, Run, Signatures, Unit, unsupported};

/// Compiles a property's condition into a function that says in how many instances it holds (0 or 1 for all), or −1.
pub(crate) fn property(
    unit: &Unit<'_>,
    signatures: &Signatures<Signature>,
    property: &Property,
    condition: &Expr,
    function: &mut Function,
    memory: &mut FunctionBuilderContext,
) -> Run<()> {
    let mut emit = start(unit, signatures, function, memory);
    emit.locals = vec![None; property.frame.locals.len()];
    let redo = emit.b.create_block();
    emit.b.set_cold_block(redo);
    // What an assumption inside means depends on the kind: the interpreter knows.
    (emit.redo, emit.excluded) = (redo, redo);
    emit.reset_depth();
    let held = emit.b.declare_var(types::I64);
    let all = property.kind != PropertyKind::Cover;
    let start = emit.iconst(i64::from(all));
    emit.b.def_var(held, start);
    let cost = unit.cost_expr(condition).saturating_add(8);
    emit.conditions(&property.binders, cost, &mut |this| {
        let holds = this.eval_cond(condition)?;
        let holds = this.cond_val(holds);
        let holds = this.register(holds);
        let so_far = this.b.use_var(held);
        let now = if all { this.b.ins().band(so_far, holds) } else { this.b.ins().iadd(so_far, holds) };
        this.b.def_var(held, now);
        Ok(())
    })?;
    if !emit.written_cells.is_empty() || !emit.written.is_empty() {
        return Err(unsupported("a condition that changes the state"));
    }
    emit.settle();
    let result = emit.b.use_var(held);
    emit.b.ins().return_(&[result]);
    emit.b.switch_to_block(redo);
    let none = emit.iconst(-1);
    emit.b.ins().return_(&[none]);
    emit.b.seal_all_blocks();
    emit.b.finalize(unit.target);
    Ok(())
}

impl Emit<'_, '_> {
    /// The walk over a property's binders, around a condition of this size.
    fn conditions(
        &mut self,
        binders: &[Binder],
        size: u64,
        leaf: &mut dyn FnMut(&mut Self) -> Run<()>,
    ) -> Run<()> {
        let Some((binder, inner)) = binders.split_first() else { return leaf(self) };
        let cost = inner
            .iter()
            .fold(size, |cost, binder| cost.saturating_mul(self.unit.instances(binder).unwrap_or(u64::MAX)));
        match binder {
            Binder::Alias(local, operand) => {
                self.bind_alias(*local, operand)?;
                self.conditions(inner, size, leaf)
            }
            Binder::Choose(local, set) => {
                let ty = set.ty;
                let set = self.place(set)?;
                self.settle();
                self.each_of(self.unit.multiset(ty).0, cost, &mut |this, slot| {
                    let used = this.in_use(&set, ty, slot);
                    this.when(used, |this| {
                        this.bind_value(*local, slot);
                        this.conditions(inner, size, leaf)
                    })
                })
            }
            Binder::Each(each) => self.each(each, cost, &mut |this, value| {
                this.bind_value(each.local, value);
                this.conditions(inner, size, leaf)
            }),
        }
    }
}
