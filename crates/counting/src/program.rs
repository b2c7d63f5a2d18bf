//! The program that counts: a plain model without symmetry, whose states are the orbits of another model.
//!
//! This is the generic program of E. A. Emerson and T. Wahl ("On Combining Symmetry Reduction and Symbolic Representation
//! for Efficient Model Checking", CHARME 2003, Section 4): one counter per local state, one rule per way in which a rule of
//! the model moves elements between local states. It differs in that counters are of *extended* local states (which
//! pointers hold the element is a part of them), which is right for any number of pointers; guards may ask anything that
//! depends on how many elements look alike; and all others may move, too. The local states, and the values of globals,
//! are those that are reached.

use std::collections::{BTreeMap, BTreeSet};

use burnside_model::Model;
use burnside_model::code::{
    ArithOp, Cell, Expr, ExprKind, Frame, GlobalId, LogicOp, OrderOp, Part, Place, PlaceKind, Stmt, StmtKind,
    Storage, TypeId, TypeKind, Types, UNDEFINED,
};
use burnside_model::system::{Property, PropertyKind, Rule};

use crate::cases::{Action, Key, Said, domain_of, mentioned};
use crate::counters::Counting;
use crate::parts::{MARKS, POINTS};
use crate::population::Population;
use crate::reach::{Found, Reach, Stopped};
use crate::rows::{Class, Interval, Outcome, Row, shorten};
use crate::terms::{AT, arith, assign, constant, entry, equal, int, logic, not, order, read, sum};
use crate::view::variable;

mod located;

use located::Located;
pub(crate) use located::obstacle;

/// A model that counts, and what its states mean.
#[derive(Clone, Debug)]
pub struct Program {
    pub model: Model,
    /// For each counted domain, the local state that each counter is of.
    locals: Vec<Vec<u32>>,
    /// The globals that vary, by position, and the values that its variable stands for; then the variable.
    variables: Vec<(usize, Vec<Cell>)>,
    /// The globals, where they do not vary.
    fixed: Vec<Cell>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Local states, extended by which pointers hold the element.
    #[default]
    Extended,
    /// Locations; beside the counters, there is the location of whoever the only pointer holds.
    Paper,
}

/// The program that counts the elements of a model. With `stutters`, it also has the rules that change nothing, which
/// matter to whether a rule is enabled, and to formulas.
pub fn program(counting: &Counting<'_>, reach: &mut Reach<'_>, stutters: bool) -> Result<Program, Stopped> {
    written(counting, reach, stutters, Form::Extended)
}

/// The same in some form; that of the paper is right where there is no [`obstacle`].
pub(crate) fn written(
    counting: &Counting<'_>,
    reach: &mut Reach<'_>,
    stutters: bool,
    form: Form,
) -> Result<Program, Stopped> {
    reach.forget()?;
    let starts = reach.waiting();
    reach.explore()?;
    let mut writer = Writer::new(counting, reach, stutters, form);
    starts.iter().for_each(|start| writer.start(start));
    for (rule, _, fault) in &reach.failed_starts {
        let body = vec![Stmt { kind: StmtKind::Error(fault.message.clone()), span: AT }];
        let name = counting.model.starts[*rule as usize].name.clone();
        writer.program.model.starts.push(plain(name, None, body));
    }
    for rule in 0..counting.model.rules.len() {
        writer.rule(reach, rule)?;
    }
    for property in 0..counting.model.properties.len() {
        writer.property(reach, property)?;
    }
    Ok(writer.program)
}

impl Program {
    /// The population that a state of the program is.
    pub fn population(&self, counting: &Counting<'_>, state: &[Cell]) -> Population {
        let (mut at, mut counts) = (0, Vec::new());
        for locals in &self.locals {
            counts.extend(locals.iter().zip(&state[at..]).map(|(local, count)| (*local, *count as u32)));
            at += locals.len();
        }
        counts.retain(|(_, count)| *count > 0);
        let mut globals = self.fixed.clone();
        for ((position, values), value) in self.variables.iter().zip(&state[at..]) {
            globals[*position] = values[*value as usize];
        }
        Population { globals: counting.register.number(globals), counts }
    }
}

struct Writer<'w> {
    counting: &'w Counting<'w>,
    program: Program,
    stutters: bool,
    /// The variable of each position among the globals that varies.
    at: BTreeMap<usize, usize>,
    reached: Vec<(u32, crate::diagram::Set)>,
    /// If locations are counted.
    located: Option<Located>,
}

/// A rule without parameters.
fn plain(name: String, guard: Option<Expr>, body: Vec<Stmt>) -> Rule {
    let frame = Frame::default();
    Rule { name, named: true, binders: Vec::new(), frame, guard, body, fairness: None, span: AT }
}

/// A name for something.
fn identifier(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let mut name = String::new();
    for c in plain {
        if c != '_' || !name.ends_with('_') {
            name.push(c);
        }
    }
    name.trim_end_matches('_').to_owned()
}

/// The same name, or a longer one that is not taken.
fn fresh(taken: &mut BTreeSet<String>, name: String) -> String {
    let mut free = name.clone();
    let mut number = 2;
    while !taken.insert(free.to_lowercase()) {
        free = format!("{name}_{number}");
        number += 1;
    }
    free
}

impl<'w> Writer<'w> {
    fn new(counting: &'w Counting<'w>, reach: &Reach<'_>, stutters: bool, form: Form) -> Self {
        let reached: Vec<_> = reach.reached.iter().map(|(globals, set)| (*globals, *set)).collect();
        let parts = &counting.parts;
        let mut locals = vec![BTreeSet::new(); parts.domains.len()];
        let mut values = vec![BTreeSet::new(); parts.globals.len()];
        for (globals, set) in &reached {
            for local in reach.diagrams.values(*set) {
                locals[domain_of(local)].insert(local);
            }
            for (value, seen) in counting.register.globals(*globals).into_iter().zip(&mut values) {
                seen.insert(value);
            }
        }
        let locals: Vec<Vec<u32>> = locals.into_iter().map(|locals| locals.into_iter().collect()).collect();
        let fixed = values.iter().map(|values| values.first().copied().unwrap_or(UNDEFINED)).collect();
        let program = Program { model: Model::default(), locals, variables: Vec::new(), fixed };
        let held = parts.pointers.first().filter(|_| form == Form::Paper).and_then(|pointer| {
            let of = counting.model.types.domains_of(pointer.ty);
            of.iter().find_map(|(of, _)| parts.domains.iter().position(|domain| domain == of))
        });
        let located = held.map(|domain| Located::new(counting, domain, &program.locals[domain]));
        let mut writer = Writer { counting, program, stutters, at: BTreeMap::new(), reached, located };
        writer.declare(values);
        writer
    }

    fn declare(&mut self, values: Vec<BTreeSet<Cell>>) {
        let Counting { model, parts, .. } = self.counting;
        let (mut taken, mut held) = (BTreeSet::new(), None);
        for (domain, locals) in self.program.locals.clone().iter().enumerate() {
            let of = model.types.domain(parts.domains[domain]);
            let located = self.located.as_ref().filter(|located| located.domain == domain);
            let counted: Vec<u32> = match located {
                Some(located) => located.firsts().into_iter().map(|at| locals[at]).collect(),
                None => locals.clone(),
            };
            let names = self.names(domain, &counted, located.is_some());
            let prefix = identifier(&of.name);
            let members = names.into_iter().map(|name| fresh(&mut taken, format!("{prefix}_{name}")));
            let kind = TypeKind::Enum(members.collect());
            let name = fresh(&mut taken, format!("{prefix}_state"));
            let index = self.add(Some(name), kind);
            let element = self.add(None, TypeKind::Range(0, of.size.into()));
            let array = self.add(None, TypeKind::Array { index, element });
            let name = fresh(&mut taken, format!("count_{prefix}"));
            self.program.model.add_global(&name, array, AT);
            if let (Some(located), Some(pointer)) = (&self.located, parts.pointers.first())
                && located.domain == domain
            {
                let cell = &model.state_cells()[parts.globals[pointer.global] as usize];
                held = Some((fresh(&mut taken, identifier(&cell.name)), index));
            }
        }
        let cells = model.state_cells();
        for (position, values) in values.into_iter().enumerate().filter(|(_, values)| values.len() > 1) {
            let cell = &cells[parts.globals[position] as usize];
            let name = fresh(&mut taken, identifier(&cell.name));
            let truth = cell.ty == Types::BOOL && !values.contains(&UNDEFINED);
            let members = values.iter().map(|value| {
                let text = match *value {
                    POINTS => "somebody".to_owned(),
                    UNDEFINED => "undefined".to_owned(),
                    value => identifier(&model.types.show(cell.ty, value).replace('-', "minus ")),
                };
                fresh(&mut taken, format!("{name}_{text}"))
            });
            let ty = match truth {
                true => Types::BOOL,
                false => {
                    let members = members.collect();
                    self.add(None, TypeKind::Enum(members))
                }
            };
            self.at.insert(position, self.program.variables.len());
            self.program.variables.push((position, values.into_iter().collect()));
            self.program.model.add_global(&name, ty, AT);
        }
        if let (Some(located), Some((name, ty))) = (&mut self.located, held) {
            located.variable = self.program.model.globals.len();
            self.program.model.add_global(&name, ty, AT);
        }
    }

    /// A new type: all of them are small.
    fn add(&mut self, name: Option<String>, kind: TypeKind) -> TypeId {
        self.program.model.types.add(name, kind).unwrap_or(Types::INT)
    }

    /// What local states are called: by the values of the cells in which they differ, and by the pointers that hold them.
    fn names(&self, domain: usize, locals: &[u32], located: bool) -> Vec<String> {
        let Counting { model, parts, register, .. } = self.counting;
        let cells = model.state_cells();
        let contents: Vec<Vec<Cell>> = locals.iter().map(|local| register.cells(*local).1).collect();
        let own = parts.locals[domain].first().map_or(&[][..], |cells| cells);
        let vary: Vec<usize> =
            (0..own.len()).filter(|at| contents.iter().any(|c| c[*at] != contents[0][*at])).collect();
        let name = |content: &Vec<Cell>| {
            let mut words = Vec::new();
            for at in &vary {
                let cell = &cells[own[*at] as usize];
                let value = model.types.show(cell.ty, content[*at]).replace('-', "minus ");
                let index = cell.indices.first().map(|(d, e)| format!("[{}]", model.element_name(*d, *e)));
                let field = cell.name.replacen(&index.unwrap_or_default(), "", 1);
                match vary.len() == 1 {
                    true => words.push(value),
                    false => words.push(format!("{field} {value}")),
                }
            }
            for (i, pointer) in parts.pointers.iter().enumerate().filter(|_| !located) {
                if content[own.len() + i / MARKS] >> (i % MARKS) & 1 == 1 {
                    words.push(cells[parts.globals[pointer.global] as usize].name.clone());
                }
            }
            if words.is_empty() { "any".to_owned() } else { identifier(&words.join(" ")) }
        };
        contents.iter().map(name).collect()
    }

    fn global(&self, number: usize) -> Place {
        let ty = self.program.model.globals[number].ty;
        Place { kind: PlaceKind::Global(GlobalId(number as u32)), ty, span: AT }
    }

    /// The position of the counter of a local state.
    fn index(&self, local: u32) -> usize {
        let at = || self.program.locals[domain_of(local)].binary_search(&local).unwrap_or(0);
        self.location(local).map_or_else(at, |(location, _)| location)
    }

    /// The counter of a local state.
    fn counter(&self, local: u32) -> Place {
        entry(&self.program.model.types, self.global(domain_of(local)), self.index(local) as i64)
    }

    fn name(&self, local: u32) -> String {
        let (domain, at) = (domain_of(local), self.index(local));
        let types = &self.program.model.types;
        let name = match types[self.global(domain).ty].kind {
            TypeKind::Array { index, .. } => types.show(index, at as i64),
            _ => String::new(),
        };
        match self.location(local) {
            Some((_, true)) => format!("the held {name}"),
            _ => name,
        }
    }

    /// A variable, and a value of a global as one of it; nothing if the global does not vary.
    fn variable(&self, position: usize, value: Cell) -> Option<(Place, Expr)> {
        let number = *self.at.get(&position)?;
        let place = self.global(self.program.locals.len() + number);
        let at = self.program.variables[number].1.iter().position(|other| *other == value)?;
        let value = constant(place.ty, at as i64);
        Some((place, value))
    }

    fn start(&mut self, start: &Population) {
        let mut body = Vec::new();
        for local in self.program.locals.iter().flatten().filter(|local| self.first(**local) == **local) {
            let sharing = self.sharing(*local);
            let counts = start.counts.iter().filter(|(other, _)| sharing.contains(other));
            body.push(assign(self.counter(*local), int(counts.map(|(_, count)| *count).sum())));
        }
        body.extend(self.begin(&start.counts));
        for (position, value) in self.counting.register.globals(start.globals).into_iter().enumerate() {
            body.extend(self.variable(position, value).map(|(place, value)| assign(place, value)));
        }
        self.program.model.starts.push(plain("start".to_owned(), None, body));
    }

    /// The values of the globals that are mentioned.
    fn seen(&self, mentioned: &BTreeSet<u32>, globals: u32) -> Vec<(usize, Cell)> {
        let Counting { model, parts, register, .. } = self.counting;
        let contents = register.globals(globals).into_iter().enumerate();
        contents.filter(|(at, _)| mentioned.contains(&variable(model, parts.globals[*at]))).collect()
    }

    /// Cases by what is taken and by the globals that matter, in few rows.
    fn table<T: Outcome>(
        &self,
        mentioned: &BTreeSet<u32>,
        cases: Vec<(Key, Row<T>)>,
    ) -> Found<Vec<(Case, Vec<Row<T>>)>> {
        let mut table: BTreeMap<Case, Vec<Row<T>>> = BTreeMap::new();
        for ((named, taken, globals), row) in cases {
            table.entry((named, taken, self.seen(mentioned, globals))).or_default().push(row);
        }
        let short = |(case, rows)| Ok((case, shorten(rows).ok_or(Stopped::Uneven)?));
        table.into_iter().map(short).collect()
    }

    /// The condition that a case is at hand.
    fn guard(&self, (_, taken, globals): &Case, numbers: &BTreeMap<Class, Interval>) -> Vec<Expr> {
        let mut all = Vec::new();
        for (position, value) in globals {
            let Some((place, value)) = self.variable(*position, *value) else { continue };
            all.push(match place.ty == Types::BOOL {
                true if value.kind == constant(Types::BOOL, 0).kind => not(read(place)),
                true => read(place),
                false => equal(read(place), value),
            });
        }
        for same in taken.chunk_by(|a, b| a == b) {
            all.push(self.at_least(same[0], same.len() as u32));
        }
        for (class, interval) in numbers {
            let taken = taken.iter().filter(|local| class.contains(local)).count() as u32;
            self.within(class, (interval.0 + taken, interval.1.saturating_add(taken)), &mut all);
        }
        all
    }

    /// That so many elements are in these local states.
    fn within(&self, class: &Class, (mut least, mut most): Interval, all: &mut Vec<Expr>) {
        let domain = class.first().map_or(0, |local| domain_of(*local));
        let size = self.counting.model.types.domain(self.counting.parts.domains[domain]).size;
        let mut class = class.clone();
        let others: Class =
            self.program.locals[domain].iter().filter(|local| !class.contains(local)).copied().collect();
        if others.len() < class.len() {
            (least, most, class) = (size.saturating_sub(most), size.saturating_sub(least), others);
        }
        let each = |term: &dyn Fn(Expr) -> Expr| self.terms(&class).into_iter().map(term).collect();
        let total = || sum(self.terms(&class));
        match (least, most.min(size)) {
            (0, most) if most == size => {}
            (0, 0) => all.extend::<Vec<_>>(each(&|count| equal(count, int(0)))),
            (1, most) if most == size => {
                all.push(logic(LogicOp::Or, each(&|count| order(OrderOp::Gt, count, int(0)))));
            }
            (least, most) if least == most => all.push(equal(total(), int(least))),
            (least, most) => {
                if least > 0 {
                    all.push(order(OrderOp::Ge, total(), int(least)));
                }
                if most < size {
                    all.push(order(OrderOp::Le, total(), int(most)));
                }
            }
        }
    }

    fn rule(&mut self, reach: &mut Reach<'_>, rule: usize) -> Found<()> {
        let mentioned = mentioned(self.counting.model, Part::of_rule(&self.counting.model.rules[rule]));
        let locals: Vec<u32> = self.program.locals.concat();
        let mut cases = Vec::new();
        for (globals, set) in self.reached.clone() {
            reach.in_time()?;
            reach.cases(globals, set, rule, &locals, &mut cases)?;
        }
        for (case, rows) in self.table(&mentioned, cases)? {
            for Row { numbers, outcome } in rows {
                for action in outcome {
                    self.action(rule, &case, &numbers, action);
                }
            }
        }
        Ok(())
    }

    fn action(&mut self, rule: usize, case: &Case, numbers: &BTreeMap<Class, Interval>, action: Action) {
        let mut frame = Frame::default();
        let mut body = Vec::new();
        match action {
            Action::Step { stutters: true, .. } if !self.stutters => return,
            Action::Step { changes, moves, others, .. } => {
                self.moves(&mut frame, &mut body, &moves, &others);
                for (position, value) in changes {
                    body.extend(self.variable(position, value).map(|(place, value)| assign(place, value)));
                }
            }
            Action::Dropped => {
                let never = constant(Types::BOOL, 0);
                body.push(Stmt { kind: StmtKind::Assume(never), span: AT });
            }
            Action::Fault(message) => body.push(Stmt { kind: StmtKind::Error(message), span: AT }),
        }
        let named: Vec<String> = case.0.iter().map(|local| self.name(*local)).collect();
        let of = &self.counting.model.rules[rule].name;
        let name = if named.is_empty() { of.clone() } else { format!("{of}: {}", named.join(", ")) };
        let guard = self.guard(case, numbers);
        let guard = (!guard.is_empty()).then(|| logic(LogicOp::And, guard));
        self.program.model.rules.push(Rule { frame, ..plain(name, guard, body) });
    }

    /// Elements move from local state to local state.
    fn moves(
        &self,
        frame: &mut Frame,
        body: &mut Vec<Stmt>,
        moves: &[(u32, u32)],
        others: &BTreeMap<u32, u32>,
    ) {
        let goes = |local: u32| others.get(&local).copied().unwrap_or(local);
        let mut after: BTreeMap<u32, (Vec<u32>, i64)> = BTreeMap::new();
        // Where a move would lead to a local state that is never reached, nobody is in the first place.
        let known = |local: u32| self.program.locals[domain_of(local)].binary_search(&local).is_ok();
        for local in self.program.locals.iter().flatten().filter(|local| known(goes(**local))) {
            after.entry(self.first(goes(*local))).or_default().0.push(*local);
        }
        for (from, to) in moves {
            after.entry(self.first(goes(*from))).or_default().1 -= 1;
            after.entry(self.first(*to)).or_default().1 += 1;
        }
        // What nobody goes to any more.
        for local in self.program.locals.iter().flatten() {
            after.entry(self.first(*local)).or_default();
        }
        let mut late = Vec::new();
        let broadcast = others.iter().any(|(from, to)| from != to);
        for (local, (from, more)) in after {
            if from == self.sharing(local) && more == 0 {
                continue;
            }
            let mut value = sum(self.terms(&from));
            if more != 0 {
                let op = if more > 0 { ArithOp::Add } else { ArithOp::Sub };
                value = arith(op, value, int(more.unsigned_abs() as u32));
            }
            let counter = self.counter(local);
            if !broadcast {
                body.push(assign(counter, value));
                continue;
            }
            // All are computed before any is written.
            let name = format!("n{}", frame.locals.len());
            let ty = counter.ty;
            let kept = frame.add(&name, ty, 1, Storage::Value);
            let place = Place { kind: PlaceKind::Local(kept), ty, span: AT };
            body.push(assign(place.clone(), value));
            late.push(assign(counter, read(place)));
        }
        body.append(&mut late);
        body.extend(self.follow(moves, &goes));
    }

    fn property(&mut self, reach: &mut Reach<'_>, property: usize) -> Found<()> {
        let model = self.counting.model;
        let Property { name, named, kind, .. } = &model.properties[property];
        let mentioned = mentioned(model, Part::of_property(&model.properties[property]));
        let locals: Vec<u32> = self.program.locals.concat();
        let mut cases = Vec::new();
        for (globals, set) in self.reached.clone() {
            reach.in_time()?;
            reach.verdicts(globals, set, property, &locals, &mut cases)?;
        }
        let cover = *kind == PropertyKind::Cover;
        let (mut told, mut wrong) = (Vec::new(), Vec::new());
        for (case, rows) in self.table(&mentioned, cases)? {
            for Row { numbers, outcome } in rows {
                let guard = logic(LogicOp::And, self.guard(&case, &numbers));
                match outcome {
                    Said::Holds(holds) if holds == cover => told.push(guard),
                    Said::Holds(_) => {}
                    Said::Fault => wrong.push(guard),
                }
            }
        }
        let mut condition = match told.is_empty() {
            true => constant(Types::BOOL, (!cover).into()),
            false if cover => logic(LogicOp::Or, told),
            false => not(logic(LogicOp::Or, told)),
        };
        if !wrong.is_empty() {
            // Where the condition has no value, neither has this.
            let divisor = Expr {
                kind: ExprKind::Cond(Box::new(logic(LogicOp::Or, wrong)), Box::new(int(0)), Box::new(int(1))),
                ty: Types::INT,
                span: AT,
            };
            let defined = equal(arith(ArithOp::Div, int(1), divisor), int(1));
            condition = logic(LogicOp::And, vec![defined, condition]);
        }
        self.program.model.properties.push(Property {
            name: name.clone(),
            named: *named,
            kind: *kind,
            binders: Vec::new(),
            frame: Frame::default(),
            condition: Some(condition),
            formula: None,
            span: AT,
        });
        Ok(())
    }
}

/// What is named, what is taken, and the globals that matter.
type Case = (Vec<u32>, Vec<u32>, Vec<(usize, Cell)>);
