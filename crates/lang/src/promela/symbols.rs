//! Variables with their shapes, and the classes of values that flow between them.
//!
//! Promela has numbers only. To see symmetry, values must be told apart by what they stand for: a variable that holds
//! process ids, and is only compared, copied, sent and used as an index, gets the type of process ids; one that holds
//! message types the type of those. So values that meet are united (in the manner of Steensgaard's analysis, channels
//! with the fields of their messages), and a class in which somebody computes is one of plain numbers.
//!
//! Plain variables get the range of the values that they are ever given, by intervals; a variable that counts gets the
//! whole range of its declared type.

use std::collections::HashMap;

use burnside_model::Span;
use burnside_model::code::ArithOp;

use super::ast::{Arg, BaseType, BinOp, Expr, ExprKind, Init, Program, Ref, Step, UnOp, VarDecl};
use super::flow::Flow;
use crate::diag::{Diagnostic, codes};
use crate::tokens::Read;

/// A class of values, by its position.
pub(super) type Class = usize;

/// What a variable is made of.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Simple { base: BaseType, class: Class },
    Array { index: Class, length: u32, element: Box<Shape> },
    Record { name: String, fields: Vec<(String, Shape)> },
}

/// A channel that a declaration makes.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub capacity: u32,
    pub fields: Vec<BaseType>,
    /// The class of the channel's name.
    pub class: Class,
}

#[derive(Clone, Debug)]
pub(super) struct Var {
    pub decl: VarDecl,
    pub shape: Shape,
    /// The channels that it is initialised with.
    pub site: Option<Site>,
    /// Whether it is ever assigned, received into or redirected.
    pub assigned: bool,
    pub param: bool,
    /// Whether it is hidden and more than set up by `init`: then no state keeps its value.
    pub scratch: bool,
}

/// What a class of values is.
#[derive(Clone, Debug, Default)]
struct Info {
    parent: Option<Class>,
    /// Somebody computes with the values.
    arithmetic: bool,
    pid: bool,
    mtype: bool,
    chan: bool,
    /// The classes of the fields of messages, for channels.
    fields: Vec<Class>,
    interval: (i64, i64),
    /// For fields: what they are declared as.
    declared: Vec<(i64, i64)>,
}

/// What the values of a class stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Number,
    Pid,
    Mtype,
    Chan,
}

pub(super) struct Symbols<'p> {
    pub program: &'p Program,
    pub flows: Vec<Flow>,
    pub globals: Vec<Var>,
    /// Per proctype, parameters first.
    pub locals: Vec<Vec<Var>>,
    typedefs: HashMap<String, Vec<(String, Shape)>>,
    classes: Vec<Info>,
    changed: bool,
    /// How many processes there may be at a time.
    pub pids: u32,
}

/// What is known of the value of an expression.
#[derive(Clone, Copy)]
enum Value {
    Class(Class),
    Literal,
    Mtype,
    Pid,
    Number,
}

/// The least and greatest value of a type.
pub(super) fn bounds(base: &BaseType) -> (i64, i64) {
    match base {
        BaseType::Bit => (0, 1),
        BaseType::Byte(_) | BaseType::Mtype | BaseType::Chan => (0, 255),
        BaseType::Short => (-32768, 32767),
        BaseType::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
        BaseType::Unsigned(bits) => (0, (1 << bits) - 1),
        BaseType::Named(_) => (0, 0),
    }
}

/// The types that are at most so many cells.
const LONGEST: i64 = 65_536;

impl<'p> Symbols<'p> {
    pub fn new(program: &'p Program, flows: Vec<Flow>) -> Read<Self> {
        let mut symbols = Symbols {
            program,
            flows,
            globals: Vec::new(),
            locals: Vec::new(),
            typedefs: HashMap::new(),
            classes: Vec::new(),
            changed: false,
            pids: 255,
        };
        for (name, fields) in &program.typedefs {
            let mut shapes: Vec<(String, Shape)> = Vec::new();
            for field in fields {
                if shapes.iter().any(|(other, _)| *other == field.name) {
                    let message = format!("the field `{}` is declared twice", field.name);
                    return Err(Box::new(Diagnostic::error(codes::DUPLICATE_FIELD, field.span, message)));
                }
                shapes.push((field.name.clone(), symbols.shape(field)?));
            }
            symbols.typedefs.insert(name.clone(), shapes);
        }
        for decl in &program.globals {
            let var = symbols.var(decl, false)?;
            if symbols.globals.iter().any(|other| other.decl.name == decl.name) {
                let message = format!("`{}` is declared twice", decl.name);
                return Err(Box::new(Diagnostic::error(codes::DUPLICATE_NAME, decl.span, message)));
            }
            symbols.globals.push(var);
        }
        for process in &program.proctypes {
            let mut vars = Vec::new();
            for (decl, param) in
                process.params.iter().map(|p| (p, true)).chain(process.locals.iter().map(|l| (l, false)))
            {
                vars.push(symbols.var(decl, param)?);
            }
            symbols.locals.push(vars);
        }
        symbols.unite_all()?;
        Ok(symbols)
    }

    fn class(&mut self) -> Class {
        self.classes.push(Info::default());
        self.classes.len() - 1
    }

    fn var(&mut self, decl: &VarDecl, param: bool) -> Read<Var> {
        let shape = self.shape(decl)?;
        let mut site = None;
        if let Init::Channel(capacity, fields) = &decl.init {
            let size = self.constant(capacity)?;
            if !(0..=255).contains(&size) {
                let message = "a channel holds 0 to 255 messages";
                return Err(Box::new(Diagnostic::error(codes::BAD_SIZE, capacity.span, message)));
            }
            let class = leaf(&shape);
            let made: Vec<Class> = fields.iter().map(|_| self.class()).collect();
            for (field, base) in made.iter().zip(fields) {
                self.classes[*field].chan |= *base == BaseType::Chan;
                self.classes[*field].mtype |= *base == BaseType::Mtype;
                self.classes[*field].pid |= *base == BaseType::Byte(true);
                self.classes[*field].declared.push(bounds(base));
            }
            self.classes[class].fields = made;
            site = Some(Site { capacity: size as u32, fields: fields.clone(), class });
        }
        Ok(Var { decl: decl.clone(), shape, site, assigned: false, param, scratch: false })
    }

    fn shape(&mut self, decl: &VarDecl) -> Read<Shape> {
        let element = match &decl.ty {
            BaseType::Named(name) => {
                let Some(fields) = self.typedefs.get(name).cloned() else {
                    let message = format!("`{name}` is not a type");
                    return Err(Box::new(Diagnostic::error(codes::UNKNOWN_TYPE, decl.span, message)));
                };
                Shape::Record { name: name.clone(), fields }
            }
            base => {
                let class = self.class();
                self.classes[class].chan = *base == BaseType::Chan;
                self.classes[class].mtype = *base == BaseType::Mtype;
                self.classes[class].pid = *base == BaseType::Byte(true);
                Shape::Simple { base: base.clone(), class }
            }
        };
        let Some(length) = &decl.length else { return Ok(element) };
        let size = self.constant(length)?;
        if !(1..=LONGEST).contains(&size) {
            let message = format!("an array has 1 to {LONGEST} elements, not {size}");
            return Err(Box::new(Diagnostic::error(codes::BAD_SIZE, length.span, message)));
        }
        Ok(Shape::Array { index: self.class(), length: size as u32, element: Box::new(element) })
    }

    /// The value of an expression that is known before anything runs.
    pub fn constant(&self, expr: &Expr) -> Read<i64> {
        let unknown = || {
            let message = "this must be a constant";
            Box::new(Diagnostic::error(codes::NOT_CONSTANT, expr.span, message))
        };
        match &expr.kind {
            ExprKind::Const(value) => Ok(*value),
            ExprKind::Read(name) => self.mtype(name).ok_or_else(unknown),
            ExprKind::Unary(op, a) => Ok(unary(*op, self.constant(a)?)),
            ExprKind::Binary(op, a, b) => {
                binary(*op, self.constant(a)?, self.constant(b)?).ok_or_else(unknown)
            }
            ExprKind::Cond(c, a, b) => self.constant(if self.constant(c)? != 0 { a } else { b }),
            _ => Err(unknown()),
        }
    }

    /// The number of a message type, if the name is one.
    pub fn mtype(&self, name: &Ref) -> Option<i64> {
        let plain = !name.local && name.index.is_none() && name.field.is_none();
        let hidden = self.globals.iter().any(|global| global.decl.name == name.name);
        let at = self.program.mtypes.iter().position(|mtype| plain && !hidden && *mtype == name.name)?;
        Some(at as i64 + 1)
    }

    /// The variable that a name stands for in a proctype.
    pub fn find(&self, process: Option<usize>, name: &Ref) -> Read<&Var> {
        let found = match (name.local, process) {
            (true, Some(process)) => self.locals[process].iter().find(|var| var.decl.unique == name.name),
            _ => self.globals.iter().find(|var| var.decl.name == name.name),
        };
        found.ok_or_else(|| {
            let message = format!("nothing declares `{}`", name.name);
            Box::new(Diagnostic::error(codes::UNKNOWN_NAME, name.span, message))
        })
    }

    fn find_mut(&mut self, process: Option<usize>, name: &Ref) -> Option<&mut Var> {
        match (name.local, process) {
            (true, Some(process)) => self.locals[process].iter_mut().find(|var| var.decl.unique == name.name),
            _ => self.globals.iter_mut().find(|var| var.decl.name == name.name),
        }
    }

    /// The proctype of this name.
    pub fn process(&self, name: &str, span: Span) -> Read<usize> {
        self.program.proctypes.iter().position(|process| process.name == name).ok_or_else(|| {
            let message = format!("there is no proctype `{name}`");
            Box::new(Diagnostic::error(codes::UNKNOWN_NAME, span, message))
        })
    }

    pub fn root(&self, mut class: Class) -> Class {
        while let Some(parent) = self.classes[class].parent {
            class = parent;
        }
        class
    }

    fn unite(&mut self, a: Class, b: Class) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let other = std::mem::take(&mut self.classes[b]);
        self.classes[b].parent = Some(a);
        self.classes[b].interval = other.interval;
        let mine = &mut self.classes[a];
        mine.arithmetic |= other.arithmetic;
        mine.pid |= other.pid;
        mine.mtype |= other.mtype;
        mine.chan |= other.chan;
        mine.declared.extend(other.declared);
        let fields = mine.fields.clone();
        if fields.len() < other.fields.len() {
            mine.fields.extend(other.fields[fields.len()..].iter().copied());
        }
        for (x, y) in fields.into_iter().zip(other.fields) {
            self.unite(x, y);
        }
    }

    /// What the values of a class stand for.
    pub fn sort(&self, class: Class) -> Sort {
        let info = &self.classes[self.root(class)];
        match (info.chan, info.pid, info.mtype) {
            (true, false, false) => Sort::Chan,
            (false, true, false) if !info.arithmetic => Sort::Pid,
            (false, false, true) if !info.arithmetic && !self.program.mtypes.is_empty() => Sort::Mtype,
            _ => Sort::Number,
        }
    }

    /// The least and greatest value that a variable of this class is ever given.
    pub fn interval(&self, class: Class) -> (i64, i64) {
        self.classes[class].interval
    }

    /// The classes of the fields of the messages of a channel.
    pub fn fields(&self, class: Class) -> Vec<Class> {
        self.classes[self.root(class)].fields.clone()
    }

    fn meet(&mut self, a: Value, b: Value) {
        let (class, other) = match (a, b) {
            (Value::Class(a), Value::Class(b)) => return self.unite(a, b),
            (Value::Class(class), other) | (other, Value::Class(class)) => (self.root(class), other),
            _ => return,
        };
        let info = &mut self.classes[class];
        match other {
            Value::Mtype => info.mtype = true,
            Value::Pid => info.pid = true,
            Value::Number => info.arithmetic = true,
            Value::Literal | Value::Class(_) => {}
        }
    }

    fn compute(&mut self, value: Value) {
        if let Value::Class(class) = value {
            let root = self.root(class);
            self.classes[root].arithmetic = true;
        }
    }

    /// The class of a place; its indices meet the classes of the arrays'.
    fn place(&mut self, process: Option<usize>, name: &Ref) -> Read<Class> {
        let shape = self.find(process, name)?.shape.clone();
        self.inside(process, &shape, name)
    }

    fn inside(&mut self, process: Option<usize>, shape: &Shape, name: &Ref) -> Read<Class> {
        let shape = match (shape, &name.index) {
            (Shape::Array { index, element, .. }, Some(at)) => {
                let value = self.value(process, at)?;
                self.meet(Value::Class(*index), value);
                element
            }
            // An array without an index is its first element.
            (Shape::Array { element, .. }, None) => element,
            (other, None) => other,
            (_, Some(at)) => {
                let message = format!("`{}` is not an array", name.name);
                return Err(Box::new(Diagnostic::error(codes::NOT_AN_ARRAY, at.span, message)));
            }
        };
        match (shape, &name.field) {
            (Shape::Simple { class, .. }, None) => Ok(*class),
            (Shape::Record { fields, name: ty }, Some(field)) => {
                let Some((_, inner)) = fields.iter().find(|(mine, _)| *mine == field.name) else {
                    let message = format!("`{ty}` has no field `{}`", field.name);
                    return Err(Box::new(Diagnostic::error(codes::UNKNOWN_FIELD, field.span, message)));
                };
                let inner = inner.clone();
                self.inside(process, &inner, field)
            }
            (_, Some(field)) => {
                let message = format!("`{}` is not of a type with fields", name.name);
                Err(Box::new(Diagnostic::error(codes::NOT_A_RECORD, field.span, message)))
            }
            (_, None) => {
                let message = format!("`{}` is not a single value", name.name);
                Err(Box::new(Diagnostic::error(codes::NOT_SIMPLE, name.span, message)))
            }
        }
    }

    fn value(&mut self, process: Option<usize>, expr: &Expr) -> Read<Value> {
        Ok(match &expr.kind {
            ExprKind::Const(_) => Value::Literal,
            ExprKind::Read(name) => match self.mtype(name) {
                Some(_) => Value::Mtype,
                None => Value::Class(self.place(process, name)?),
            },
            ExprKind::Pid => Value::Pid,
            ExprKind::Run(name, args) => {
                let callee = self.process(name, expr.span)?;
                let params: Vec<Class> =
                    self.locals[callee].iter().filter(|var| var.param).map(|var| leaf(&var.shape)).collect();
                if params.len() != args.len() {
                    let message = format!("`{name}` has {} parameters, not {}", params.len(), args.len());
                    return Err(Box::new(Diagnostic::error(codes::ARGUMENT_COUNT, expr.span, message)));
                }
                for (param, arg) in params.into_iter().zip(args) {
                    let value = self.value(process, arg)?;
                    self.meet(Value::Class(param), value);
                }
                Value::Pid
            }
            ExprKind::Unary(op, a) => {
                let value = self.value(process, a)?;
                if *op != UnOp::Not {
                    self.compute(value);
                }
                match (op, value) {
                    (UnOp::Neg, Value::Literal) => Value::Literal,
                    _ => Value::Number,
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(process, a)?, self.value(process, b)?);
                match op {
                    BinOp::Eq | BinOp::Ne => self.meet(a, b),
                    BinOp::And | BinOp::Or => {}
                    _ => {
                        self.compute(a);
                        self.compute(b);
                    }
                }
                match (op, a, b) {
                    (
                        BinOp::Arith(ArithOp::Add | ArithOp::Sub | ArithOp::Mul | ArithOp::Div),
                        Value::Literal,
                        Value::Literal,
                    ) => Value::Literal,
                    _ => Value::Number,
                }
            }
            ExprKind::Cond(c, a, b) => {
                self.value(process, c)?;
                let (a, b) = (self.value(process, a)?, self.value(process, b)?);
                self.meet(a, b);
                match a {
                    Value::Literal => b,
                    _ => a,
                }
            }
            ExprKind::Channel(_, chan) => {
                self.place(process, chan)?;
                Value::Number
            }
            ExprKind::Poll(chan, args, _) => {
                self.receive(process, chan, args, false)?;
                Value::Number
            }
            ExprKind::Processes | ExprKind::Timeout | ExprKind::NoProgress => Value::Number,
            ExprKind::At(_, pid, _) => {
                if let Some(pid) = pid {
                    self.value(process, pid)?;
                }
                Value::Number
            }
            ExprKind::Remote(name, pid, variable) => {
                if let Some(pid) = pid {
                    self.value(process, pid)?;
                }
                let owner = self.process(name, expr.span)?;
                Value::Class(self.place(Some(owner), &local(variable))?)
            }
        })
    }

    fn receive(&mut self, process: Option<usize>, chan: &Ref, args: &[Arg], stores: bool) -> Read<()> {
        let class = self.place(process, chan)?;
        self.arity(class, args.len());
        let fields = self.fields(class);
        for (field, arg) in fields.into_iter().zip(args) {
            let value = match arg {
                Arg::Ignore => continue,
                Arg::Match(expr) => self.value(process, expr)?,
                Arg::Store(name) => match self.mtype(name) {
                    Some(_) => Value::Mtype,
                    None => {
                        if stores {
                            self.mark(process, name);
                        }
                        Value::Class(self.place(process, name)?)
                    }
                },
            };
            self.meet(Value::Class(field), value);
        }
        Ok(())
    }

    /// The channels of a class have at least so many fields.
    fn arity(&mut self, class: Class, fields: usize) {
        let root = self.root(class);
        while self.classes[root].fields.len() < fields {
            let field = self.class();
            self.classes[root].fields.push(field);
        }
    }

    fn mark(&mut self, process: Option<usize>, name: &Ref) {
        let by_init = process.is_some_and(|process| self.program.proctypes[process].name == "init");
        if let Some(var) = self.find_mut(process, name) {
            var.assigned = true;
            var.scratch |= var.decl.hidden && !by_init;
        }
    }

    /// Lets the values of all code meet.
    fn unite_all(&mut self) -> Read<()> {
        let program = self.program;
        for decl in &program.globals {
            self.initial(None, decl)?;
        }
        for (number, process) in program.proctypes.iter().enumerate() {
            for decl in &process.locals {
                self.initial(Some(number), decl)?;
            }
            if let Some(provided) = &process.provided {
                self.value(Some(number), provided)?;
            }
            let flow = self.flows[number].clone();
            for trans in flow.nodes.iter().flat_map(|node| &node.trans) {
                match &trans.step {
                    Step::Cond(e) | Step::Assert(e) => drop(self.value(Some(number), e)?),
                    Step::Assign(name, e) => {
                        self.mark(Some(number), name);
                        let (place, value) = (self.place(Some(number), name)?, self.value(Some(number), e)?);
                        self.meet(Value::Class(place), value);
                    }
                    Step::Send { chan, args, sorted } => {
                        let class = self.place(Some(number), chan)?;
                        self.arity(class, args.len());
                        for (field, arg) in self.fields(class).into_iter().zip(args) {
                            let value = self.value(Some(number), arg)?;
                            self.meet(Value::Class(field), value);
                            if *sorted {
                                self.compute(Value::Class(field));
                            }
                        }
                    }
                    Step::Receive { chan, args, keep: _, .. } => {
                        self.receive(Some(number), chan, args, true)?;
                    }
                    Step::Skip | Step::Else | Step::End => {}
                }
            }
        }
        for (_, _, formula, _) in &program.ltl {
            for atom in atoms(formula) {
                self.value(None, atom)?;
            }
        }
        Ok(())
    }

    fn initial(&mut self, process: Option<usize>, decl: &VarDecl) -> Read<()> {
        let name = Ref {
            local: process.is_some(),
            name: decl.unique.clone(),
            index: None,
            field: None,
            span: decl.span,
        };
        let values: Vec<&Expr> = match &decl.init {
            Init::Value(value) => vec![value],
            Init::Values(values) => values.iter().collect(),
            _ => return Ok(()),
        };
        for value in values {
            let value = self.value(process, value)?;
            if let Ok(place) = self.place(process, &name) {
                self.meet(Value::Class(place), value);
            }
        }
        Ok(())
    }
}

/// The variable of another process is one of its locals.
pub(super) fn local(name: &Ref) -> Ref {
    Ref { local: true, ..name.clone() }
}

/// The class of the simple values in a shape.
pub(super) fn leaf(shape: &Shape) -> Class {
    match shape {
        Shape::Simple { class, .. } => *class,
        Shape::Array { element, .. } => leaf(element),
        Shape::Record { fields, .. } => fields.first().map_or(0, |(_, shape)| leaf(shape)),
    }
}

pub(super) fn atoms(formula: &super::ast::Ltl) -> Vec<&Expr> {
    use super::ast::Ltl;
    match formula {
        Ltl::Atom(atom) => vec![atom],
        Ltl::Not(a) | Ltl::Unary(_, a) => atoms(a),
        Ltl::Binary(_, a, b) => atoms(a).into_iter().chain(atoms(b)).collect(),
    }
}

pub(super) fn unary(op: UnOp, a: i64) -> i64 {
    match op {
        UnOp::Not => i64::from(a == 0),
        UnOp::Neg => wrap(-a),
        UnOp::BitNot => wrap(!a),
    }
}

/// A result of 32 bits, as Spin computes.
pub(super) fn wrap(value: i64) -> i64 {
    i64::from(value as i32)
}

pub(super) fn binary(op: BinOp, a: i64, b: i64) -> Option<i64> {
    let value = match op {
        BinOp::Arith(ArithOp::Shl | ArithOp::Shr) if !(0..32).contains(&b) => return None,
        BinOp::Arith(op) => op.apply(a, b)?,
        BinOp::Order(op) => i64::from(op.apply(a, b)),
        BinOp::Eq => i64::from(a == b),
        BinOp::Ne => i64::from(a != b),
        BinOp::And => i64::from(a != 0 && b != 0),
        BinOp::Or => i64::from(a != 0 || b != 0),
    };
    Some(wrap(value))
}

mod intervals;
pub(super) use intervals::arithmetic;
