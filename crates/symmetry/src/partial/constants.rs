//! Constants that name elements become variables.
//!
//! A rule that names an element behaves as if it read a variable that holds it and that nothing ever writes. If the rule
//! with such variables is symmetric, so is the rule as it was under all permutations that leave these variables as they
//! are: those that fix the elements named. In the same way, comparing an element with a number reads a table that says
//! for which elements the comparison holds; the permutations to keep are those that do not change the table. So what is
//! known to be symmetric about rules with constants rests on the proof for rules without.

use burnside_model::code::{
    Arg, Block, Call, Cell, DomainId, Expr, ExprKind, GlobalId, Loop, LoopRange, Operand, OrderOp, Place, PlaceKind, Stmt,
    StmtKind, TypeId, TypeKind, Types, UNDEFINED,
};
use burnside_model::system::{Binder, Property, Rule};
use burnside_model::{Model, Span};

/// What a variable stands for.
#[derive(Clone, Debug, PartialEq)]
enum Hidden {
    /// This value of this type.
    Value(TypeId, Cell),
    /// For which values of this type a comparison with a number holds.
    Compared(TypeId, OrderOp, Cell),
}

/// The model with constants turned into variables, as far as rules have been given.
pub(super) struct Named {
    /// The model: functions and variables; rules and properties are the caller's to add.
    pub model: Model,
    hidden: Vec<(Hidden, GlobalId)>,
    /// What the body at hand uses.
    used: Vec<Hidden>,
    /// The functions it reaches.
    reached: Vec<u32>,
}

impl Named {
    /// Nothing replaced yet.
    pub fn new(model: &Model) -> Self {
        let model = Model { rules: Vec::new(), properties: Vec::new(), starts: Vec::new(), ..model.clone() };
        Named { model, hidden: Vec::new(), used: Vec::new(), reached: Vec::new() }
    }

    /// The rule with variables for constants, and those in the functions that it calls.
    pub fn rule(&mut self, rule: &Rule) -> Rule {
        let mut rule = rule.clone();
        self.binders(&mut rule.binders);
        rule.guard.iter_mut().for_each(|guard| self.expr(guard));
        self.block(&mut rule.body);
        self.functions();
        rule
    }

    /// The property, likewise.
    pub fn property(&mut self, property: &Property) -> Property {
        let mut property = property.clone();
        self.binders(&mut property.binders);
        property.condition.iter_mut().for_each(|condition| self.expr(condition));
        self.functions();
        property
    }

    /// Whether what was replaced tells two elements of a domain apart.
    pub fn apart(&self, domain: DomainId, a: u32, b: u32) -> bool {
        self.used.iter().any(|hidden| {
            let (Hidden::Value(ty, _) | Hidden::Compared(ty, ..)) = hidden;
            let types = &self.model.types;
            let all = types.domains_of(*ty);
            let mut places = all.iter().filter(|(of, _)| *of == domain);
            places.any(|(_, first)| {
                let value = |element: u32| first + i64::from(types.offset(domain, element));
                let says = |element: u32| match hidden {
                    Hidden::Value(_, named) => value(element) == *named,
                    Hidden::Compared(_, op, with) => op.apply(value(element), *with),
                };
                says(a) != says(b)
            })
        })
    }

    /// The functions reached, and what they reach.
    fn functions(&mut self) {
        let mut next = 0;
        while let Some(function) = self.reached.get(next).copied() {
            next += 1;
            let Some(function) = self.model.functions.get_mut(function as usize) else { continue };
            let mut body = std::mem::take(&mut function.body);
            self.block(&mut body);
            let function = self.reached[next - 1];
            self.model.functions[function as usize].body = body;
        }
    }

    /// The variable that stands for this, with its type.
    fn variable(&mut self, what: Hidden) -> Option<(GlobalId, TypeId)> {
        if !self.used.contains(&what) {
            self.used.push(what.clone());
        }
        let known = self.hidden.iter().find(|(hidden, _)| *hidden == what).map(|(_, global)| *global);
        let global = match (known, &what) {
            (Some(global), _) => global,
            (None, Hidden::Value(ty, _)) => self.model.add_global("", *ty, Span::default())?,
            (None, Hidden::Compared(index, ..)) => {
                let kind = TypeKind::Array { index: *index, element: Types::BOOL };
                let table = self.model.types.add(None, kind)?;
                self.model.add_global("", table, Span::default())?
            }
        };
        if known.is_none() {
            self.hidden.push((what, global));
        }
        Some((global, self.model.globals[global.0 as usize].ty))
    }

    /// What replaces a constant of a type, if it is an element.
    fn constant(&mut self, ty: TypeId, e: &Expr) -> Option<Expr> {
        let ExprKind::Const(value) = e.kind else { return None };
        self.model.types.element(ty, value)?;
        let (global, ty) = self.variable(Hidden::Value(ty, value))?;
        let kind = ExprKind::Read(Place { kind: PlaceKind::Global(global), ty, span: e.span });
        Some(Expr { kind, ty, span: e.span })
    }

    /// What replaces the comparison of an element with a number.
    fn comparison(&mut self, op: OrderOp, a: &Expr, b: &Expr) -> Option<Expr> {
        let (element, op, with) = match (&a.kind, &b.kind) {
            (_, ExprKind::Const(with)) => (a, op, *with),
            (ExprKind::Const(with), _) => (b, mirrored(op), *with),
            _ => return None,
        };
        if self.model.types.domains_of(element.ty).is_empty() || with == UNDEFINED {
            return None;
        }
        let (global, ty) = self.variable(Hidden::Compared(element.ty, op, with))?;
        let mut element = element.clone();
        self.expr(&mut element);
        let span = element.span;
        let table = Place { kind: PlaceKind::Global(global), ty, span };
        let kind = PlaceKind::Index(Box::new(table), Box::new(element));
        let place = Place { kind, ty: Types::BOOL, span };
        Some(Expr { kind: ExprKind::Read(place), ty: Types::BOOL, span })
    }

    /// An expression whose value is used as one of this type: a number may be an element there.
    fn expr_as(&mut self, ty: TypeId, e: &mut Expr) {
        match self.constant(ty, e) {
            Some(replaced) => *e = replaced,
            None => self.expr(e),
        }
    }

    fn binders(&mut self, binders: &mut [Binder]) {
        for binder in binders {
            match binder {
                Binder::Each(each) => self.range(each),
                Binder::Alias(_, target) => self.operand(target),
                Binder::Choose(_, set) => self.place(set),
            }
        }
    }

    fn block(&mut self, block: &mut Block) {
        block.iter_mut().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Assign(target, value) => {
                self.place(target);
                self.expr_as(target.ty, value);
            }
            StmtKind::Copy(target, source) => {
                self.place(target);
                self.place(source);
            }
            StmtKind::Undefine(target) | StmtKind::Clear(target) => self.place(target),
            StmtKind::If(arms, otherwise) => {
                for (condition, body) in arms {
                    self.expr(condition);
                    self.block(body);
                }
                self.block(otherwise);
            }
            StmtKind::Switch(subject, cases, otherwise) => {
                self.expr(subject);
                for (values, body) in cases {
                    values.iter_mut().for_each(|value| self.expr_as(subject.ty, value));
                    self.block(body);
                }
                self.block(otherwise);
            }
            StmtKind::For(each, body) => {
                self.range(each);
                self.block(body);
            }
            StmtKind::While(condition, body) => {
                self.expr(condition);
                self.block(body);
            }
            StmtKind::Call(call) => self.call(call),
            StmtKind::Alias(_, target, body) => {
                self.operand(target);
                self.block(body);
            }
            StmtKind::Return(None) | StmtKind::PutText(_) | StmtKind::Error(_) => {}
            StmtKind::Return(Some(value)) | StmtKind::Put(value, _) => self.operand(value),
            StmtKind::Assert(e, _) | StmtKind::Assume(e) | StmtKind::Cover(e, _) => self.expr(e),
            StmtKind::MultisetAdd(element, set) => {
                self.operand(element);
                self.place(set);
            }
            StmtKind::MultisetRemove(e, set) | StmtKind::MultisetRemovePred(_, set, e) => {
                self.place(set);
                self.expr(e);
            }
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        let replaced = match &e.kind {
            ExprKind::Const(_) => self.constant(e.ty, e),
            ExprKind::Order(op, a, b) => self.comparison(*op, a, b),
            _ => None,
        };
        if let Some(replaced) = replaced {
            *e = replaced;
            return;
        }
        match &mut e.kind {
            ExprKind::Const(_) => {}
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => self.place(place),
            ExprKind::Not(a)
            | ExprKind::Neg(a)
            | ExprKind::BitNot(a)
            | ExprKind::IsMember(a, _)
            | ExprKind::Convert(a) => self.expr(a),
            ExprKind::Arith(_, a, b)
            | ExprKind::Order(_, a, b)
            | ExprKind::Logic(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Eq(a, b) | ExprKind::Ne(a, b) => {
                let types = (a.ty, b.ty);
                self.expr_as(types.1, a);
                self.expr_as(types.0, b);
            }
            ExprKind::Same(a, b, _) => {
                self.place(a);
                self.place(b);
            }
            ExprKind::Cond(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Quantified(_, each, body) => {
                self.range(each);
                self.expr(body);
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::Count(_, set, condition) => {
                self.place(set);
                self.expr(condition);
            }
        }
    }

    fn place(&mut self, place: &mut Place) {
        match &mut place.kind {
            PlaceKind::Global(_) | PlaceKind::Local(_) => {}
            PlaceKind::Index(base, e) => {
                self.place(base);
                match self.model.types[base.ty].kind {
                    TypeKind::Array { index, .. } => self.expr_as(index, e),
                    _ => self.expr(e),
                }
            }
            PlaceKind::Slot(base, e) => {
                self.place(base);
                self.expr(e);
            }
            PlaceKind::Field(base, _) => self.place(base),
            PlaceKind::Call(call) => self.call(call),
            PlaceKind::Cond(c, a, b) => {
                self.expr(c);
                self.place(a);
                self.place(b);
            }
        }
    }

    fn operand(&mut self, operand: &mut Operand) {
        match operand {
            Operand::Value(e) => self.expr(e),
            Operand::Place(place) => self.place(place),
        }
    }

    fn range(&mut self, each: &mut Loop) {
        if let LoopRange::Span(from, to, by) = &mut each.range {
            for e in [Some(from), Some(to), by.as_mut()].into_iter().flatten() {
                self.expr(e);
            }
        }
    }

    fn call(&mut self, call: &mut Call) {
        let function = self.model.functions.get(call.function as usize);
        let types: Vec<TypeId> =
            function.map_or(Vec::new(), |function| function.frame.locals.iter().map(|local| local.ty).collect());
        for (i, arg) in call.args.iter_mut().enumerate() {
            match arg {
                Arg::Value(e) => self.expr_as(types.get(i).copied().unwrap_or(e.ty), e),
                Arg::Reference(place) => self.place(place),
                Arg::Undefined => {}
            }
        }
        if !self.reached.contains(&call.function) {
            self.reached.push(call.function);
        }
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: OrderOp) -> OrderOp {
    match op {
        OrderOp::Lt => OrderOp::Gt,
        OrderOp::Le => OrderOp::Ge,
        OrderOp::Gt => OrderOp::Lt,
        OrderOp::Ge => OrderOp::Le,
    }
}
