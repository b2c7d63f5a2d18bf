//! Steps to rules.
//!
//! Outside of `atomic` a step is a rule. Inside, one rule executes all steps up to the end of the sequence, or up to where
//! the process cannot go on: the states between are not states of the model, as they are none of Spin's. Every way through
//! is a rule; what it needs on the way is an `assume`, so that the rule is enabled exactly where the way can be gone. What
//! constants decide is decided here: a loop that counts to a constant is spelled out.
//!
//! A way that comes to the same undecided place again is cut there: the control is held by that process until a further
//! rule goes on from there. Such a state is one more than Spin has.

use std::collections::HashMap;

use burnside_model::Span;
use burnside_model::code::{Expr as Code, Frame, Stmt, StmtKind, Types};
use burnside_model::system::Rule;

use super::super::ast::Step;
use super::super::ast::{Arg, Expr, ExprKind, Ref};
use super::super::flow::{Trans, run_of};
use super::exprs::{Context, Located};
use super::processes::MOST;
use super::{Lowerer, build};
use crate::diag::{Diagnostic, codes};
use crate::tokens::Read;

/// The most steps that one rule executes.
const LONGEST: u32 = 2_000;

/// The most undecided choices on one way.
const CHOICES: u32 = 12;

/// The most rules of a model.
const MOST_RULES: usize = 60_000;

/// The beginning of a way.
#[derive(Clone)]
struct Path {
    /// The process that moves, and what is known of the state.
    cx: Context,
    node: usize,
    guard: Vec<Code>,
    body: Vec<Stmt>,
    /// How many processes there are, if that is known.
    count: Option<u32>,
    /// The processes that were started, by their numbers.
    created: Vec<usize>,
    /// Whether nothing was executed yet.
    first: bool,
    inside_dstep: bool,
    steps: u32,
    choices: u32,
    /// The undecided places on the way.
    visited: Vec<(usize, usize, HashMap<u32, i64>)>,
    name: String,
    span: Span,
    /// Whether it goes on where the control was held.
    held: bool,
    /// Whether it asks for a timeout.
    timeout: bool,
    /// Whether hidden variables were written.
    hidden: bool,
}

impl Path {
    /// Goes on only where a condition holds; `false` if it never does.
    fn require(&mut self, condition: Code) -> bool {
        if build::is_false(&condition) {
            return false;
        }
        if build::is_true(&condition) {
            return true;
        }
        if self.first {
            self.guard.push(condition);
        } else {
            let span = condition.span;
            self.body.push(Stmt { kind: StmtKind::Assume(condition), span });
        }
        true
    }
}

impl Lowerer<'_> {
    pub(super) fn rules(&mut self) -> Read<()> {
        for number in 0..self.storage.len() {
            let entry = self.symbols.flows[self.instances[number].process].entry;
            self.rest(number, entry);
        }
        while let Some((number, node)) = self.waiting.pop() {
            self.from(number, node, false)?;
            while let Some((number, node, dstep)) = self.cuts.pop() {
                let _ = dstep;
                self.from(number, node, true)?;
            }
        }
        if self.changed {
            return Ok(());
        }
        self.hold_others();
        self.valid_end();
        self.timeout_function();
        Ok(())
    }

    /// Notes that a process may wait at a location.
    fn rest(&mut self, number: usize, node: usize) {
        if number < self.storage.len() && self.resting.insert((number, node)) {
            self.waiting.push((number, node));
        }
    }

    /// The rules that begin at a location.
    fn from(&mut self, number: usize, node: usize, held: bool) -> Read<()> {
        let mut cx = self.context(Some(number));
        let flow = &self.symbols.flows[self.instances[number].process];
        let returns =
            flow.nodes.iter().any(|other| other.trans.iter().any(|trans| trans.target == flow.entry));
        if node == flow.entry && !returns {
            cx.known = self.first_cells(number)?.into_iter().collect();
        }
        let counts = self.possible_counts(number, node);
        let mut guard = vec![self.at_node(number, node)];
        if held {
            guard.extend(self.holds(number));
        }
        let (name, span) = (String::new(), Span::default());
        let path = Path {
            cx,
            node,
            guard,
            body: Vec::new(),
            count: if counts.len() == 1 { counts.first().copied() } else { None },
            created: Vec::new(),
            first: true,
            inside_dstep: held && self.is_inside_dstep(number, node),
            steps: 0,
            choices: 0,
            visited: Vec::new(),
            name,
            span,
            held,
            timeout: false,
            hidden: false,
        };
        self.expand(path)
    }

    /// Whether a location is one in the middle of a `d_step`.
    fn is_inside_dstep(&self, number: usize, node: usize) -> bool {
        let flow = &self.symbols.flows[self.instances[number].process];
        flow.nodes.iter().any(|other| other.trans.iter().any(|t| t.target == node && t.inside_dstep))
    }

    /// All ways on from where a path is.
    fn expand(&mut self, mut path: Path) -> Read<()> {
        let number = path.cx.instance.unwrap_or(0);
        let process = self.instances[number].process;
        let steps = self.symbols.flows[process].nodes[path.node].trans.clone();
        let mut can = Vec::new();
        for trans in &steps {
            can.push(self.executable(&path.cx, number, trans, path.count)?);
        }
        let others: Vec<Code> = steps
            .iter()
            .zip(&can)
            .filter(|(t, _)| !matches!(t.step, Step::Else))
            .map(|(_, c)| c.clone())
            .collect();
        let no_other = build::not(build::any(others));
        for (trans, can) in steps.iter().zip(&mut can) {
            if matches!(trans.step, Step::Else) {
                *can = build::and(can.clone(), no_other.clone());
            }
        }
        let open = can.iter().filter(|c| !build::is_false(c)).count();
        let decided = open <= 1 && can.iter().all(|c| build::constant(c).is_some());
        if !path.first && !decided {
            // A loop that counts is somewhere else each time.
            let here = (number, path.node, path.cx.known.clone());
            if path.visited.contains(&here) || path.choices >= CHOICES {
                return self.cut(path);
            }
            path.visited.push(here);
            path.choices += u32::from(open > 1);
        }
        if path.steps > LONGEST {
            return self.cut(path);
        }
        if self.model.rules.len() > MOST_RULES {
            let message = "this model has too many ways through its atomic sequences";
            return Err(Box::new(Diagnostic::error(codes::STATE_TOO_LARGE, path.span, message)));
        }
        for (position, trans) in steps.iter().enumerate() {
            if build::is_false(&can[position]) && !self.may_shake_hands(trans) {
                continue;
            }
            let mut one = path.clone();
            // The first option that can be executed is the one that is, in a `d_step`.
            let earlier =
                (0..position).filter(|other| trans.dstep.is_some() && steps[*other].dstep == trans.dstep);
            let mut possible = true;
            for other in earlier {
                possible &= one.require(build::not(can[other].clone()));
            }
            if matches!(trans.step, Step::Else) {
                possible &= one.require(no_other.clone());
            }
            if possible && self.may_step(&mut one, number, trans)? {
                self.take(one, number, trans)?;
            }
        }
        if path.first {
            return Ok(());
        }
        if path.require(build::not(build::any(can))) {
            return match path.inside_dstep {
                true => {
                    self.fail(path, "a statement in the middle of this d_step cannot be executed".to_owned());
                    Ok(())
                }
                false => self.leaf(path),
            };
        }
        Ok(())
    }

    /// Whether a step is a rendezvous, which is looked at with its partner.
    fn may_shake_hands(&self, trans: &Trans) -> bool {
        matches!(trans.step, Step::Send { .. })
    }

    /// Requires what a step needs besides its own condition.
    fn may_step(&mut self, path: &mut Path, number: usize, trans: &Trans) -> Read<bool> {
        let cx = path.cx.clone();
        let blocked = self.escapes(&cx, number, trans)?;
        let provided = self.provided(&cx, number)?;
        Ok(path.require(build::not(blocked)) && path.require(provided))
    }

    /// Whether an escape around a step can be taken.
    fn escapes(&mut self, cx: &Context, number: usize, trans: &Trans) -> Read<Code> {
        let process = self.instances[number].process;
        let mut all = Vec::new();
        for escape in &trans.unless {
            for first in self.symbols.flows[process].escapes[*escape].clone() {
                all.push(self.step_executable(cx, number, &first, None)?);
            }
        }
        Ok(build::any(all))
    }

    pub(super) fn provided(&mut self, cx: &Context, number: usize) -> Read<Code> {
        let process = self.instances[number].process;
        match self.symbols.program.proctypes[process].provided.clone() {
            Some(condition) => self.condition(cx, &condition),
            None => Ok(build::truth(true)),
        }
    }

    /// Whether a step can be executed; an `else` where nothing else is in its way.
    fn executable(&mut self, cx: &Context, number: usize, trans: &Trans, count: Option<u32>) -> Read<Code> {
        let own = self.step_executable(cx, number, trans, count)?;
        let blocked = self.escapes(cx, number, trans)?;
        let provided = self.provided(cx, number)?;
        Ok(build::all(vec![own, build::not(blocked), provided]))
    }

    fn step_executable(&mut self, cx: &Context, number: usize, trans: &Trans, _: Option<u32>) -> Read<Code> {
        if run_of(&trans.step).is_some() {
            return Ok(build::truth(true));
        }
        match &trans.step {
            Step::Skip | Step::Assign(..) | Step::Assert(_) | Step::Else => Ok(build::truth(true)),
            Step::Cond(e) => self.condition(cx, e),
            Step::Receive { chan, args, random, .. } => self.can_receive(cx, chan, args, *random),
            Step::Send { chan, args, .. } => self.can_send(cx, number, chan, args),
            Step::End => Ok(self.can_end(number)),
        }
    }

    fn can_end(&self, number: usize) -> Code {
        match self.dies[number] {
            true => build::not(self.alive(self.instances[number].slot + 1)),
            false => build::truth(false),
        }
    }

    fn can_send(&mut self, cx: &Context, number: usize, chan: &Ref, args: &[Expr]) -> Read<Code> {
        let mut ways = Vec::new();
        for (condition, channel) in self.channels_of(cx, chan)? {
            let capacity = i64::from(self.channels[channel].capacity);
            if capacity > 0 {
                let length = self.length_of(channel, cx);
                let room = build::order(burnside_model::code::OrderOp::Lt, length, build::int(capacity));
                ways.push(build::and(condition, room));
                continue;
            }
            let values = self.sent(cx, channel, chan, args)?;
            for partner in self.partners(channel, number)? {
                let met = self.meets(&partner, &values)?;
                ways.push(build::and(condition.clone(), met));
            }
        }
        Ok(build::any(ways))
    }

    /// The values of a message, as the channel stores them.
    fn sent(&mut self, cx: &Context, channel: usize, chan: &Ref, args: &[Expr]) -> Read<Vec<Code>> {
        self.check_arity(channel, args.len(), chan)?;
        let mut values = Vec::new();
        for (field, arg) in args.iter().enumerate() {
            let (ty, whole) = self.channels[channel].fields[field];
            let value = self.value(cx, arg)?;
            values.push(self.cut_to(value, whole, ty));
        }
        for field in args.len()..self.channels[channel].fields.len() {
            values.push(build::typed(0, self.channels[channel].fields[field].0));
        }
        Ok(values)
    }

    /// All receives from a rendezvous channel by other processes.
    fn partners(&mut self, channel: usize, sender: usize) -> Read<Vec<Partner>> {
        let mut found = Vec::new();
        for number in 0..self.storage.len() {
            if number == sender {
                continue;
            }
            let cx = self.context(Some(number));
            let flow = self.symbols.flows[self.instances[number].process].clone();
            for (node, location) in flow.nodes.iter().enumerate() {
                for trans in &location.trans {
                    let Step::Receive { chan, args, .. } = &trans.step else { continue };
                    for (condition, mine) in self.channels_of(&cx, chan)? {
                        if mine == channel {
                            self.check_arity(channel, args.len(), chan)?;
                            let (trans, args) = (trans.clone(), args.clone());
                            found.push(Partner { number, node, trans, args, condition });
                        }
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether a partner is ready for a message.
    fn meets(&mut self, partner: &Partner, values: &[Code]) -> Read<Code> {
        let cx = self.context(Some(partner.number));
        let matches = self.matches(&cx, &partner.args, values)?;
        let blocked = self.escapes(&cx, partner.number, &partner.trans)?;
        let provided = self.provided(&cx, partner.number)?;
        let at = self.at_node(partner.number, partner.node);
        Ok(build::all(vec![at, partner.condition.clone(), matches, build::not(blocked), provided]))
    }

    /// Executes a step and goes on behind it.
    fn take(&mut self, mut path: Path, number: usize, trans: &Trans) -> Read<()> {
        if path.first {
            path.name = self.step_name(number, trans.span);
            path.span = trans.span;
        }
        if let Some((name, args, result)) = run_of(&trans.step) {
            let (name, args, result) = (name.to_owned(), args.to_vec(), result.cloned());
            return self.run(path, trans, &name, &args, result.as_ref());
        }
        match &trans.step {
            Step::Skip | Step::Else => self.go(path, trans),
            Step::Cond(e) => {
                let cx = path.cx.clone();
                let condition = self.condition(&cx, e)?;
                path.timeout |= asks_timeout(e);
                if path.require(condition) { self.go(path, trans) } else { Ok(()) }
            }
            Step::Assign(name, e) => {
                let cx = path.cx.clone();
                let value = self.value(&cx, e)?;
                self.store(&mut path, name, value)?;
                self.go(path, trans)
            }
            Step::Assert(e) => {
                let cx = path.cx.clone();
                let condition = self.condition(&cx, e)?;
                let mut failing = path.clone();
                if failing.require(build::not(condition)) {
                    let text =
                        self.settings.text.get(e.span.start as usize..e.span.end as usize).unwrap_or("");
                    self.fail(failing, format!("assertion violated: {text}"));
                }
                self.go(path, trans)
            }
            Step::Receive { chan, args, random, keep } => {
                self.receive(path, trans, chan, args, *random, *keep)
            }
            Step::Send { chan, args, sorted } => self.send(path, number, trans, chan, args, *sorted),
            Step::End => {
                let can = self.can_end(number);
                if path.require(can) {
                    path.body.extend(self.finish(number));
                    self.emit(path);
                }
                Ok(())
            }
        }
    }

    /// Goes to where a step leads, and on if it holds the control.
    fn go(&mut self, mut path: Path, trans: &Trans) -> Read<()> {
        path.node = trans.target;
        path.first = false;
        path.steps += 1;
        path.inside_dstep = trans.inside_dstep;
        if trans.hold { self.expand(path) } else { self.leaf(path) }
    }

    /// Assigns to a variable.
    fn store(&mut self, path: &mut Path, name: &Ref, value: Code) -> Read<()> {
        let cx = path.cx.clone();
        let process = cx.instance.map(|instance| self.instances[instance].process);
        path.hidden |= self.symbols.find(process, name)?.scratch;
        let Located::Place { place, cell, whole } = self.locate(&cx, name)? else {
            return self.not_assignable(name);
        };
        let value = self.cut_to(value, whole, place.ty);
        match (cell, build::constant(&value)) {
            (Some(cell), Some(value)) => drop(path.cx.known.insert(cell, value)),
            (Some(cell), None) => drop(path.cx.known.remove(&cell)),
            // Any element may have changed.
            (None, _) => path.cx.known.clear(),
        }
        path.body.push(build::assign(place, value));
        Ok(())
    }

    fn receive(
        &mut self,
        path: Path,
        trans: &Trans,
        chan: &Ref,
        args: &[Arg],
        random: bool,
        keep: bool,
    ) -> Read<()> {
        let cx = path.cx.clone();
        for (condition, channel) in self.channels_of(&cx, chan)? {
            let capacity = self.channels[channel].capacity;
            for at in 0..if random { capacity } else { capacity.min(1) } {
                let mut one = path.clone();
                let there = self.received_at(&cx, channel, args, at, random)?;
                if !one.require(condition.clone()) || !one.require(there) {
                    continue;
                }
                let values = self.values_at(channel, i64::from(at));
                self.store_all(&mut one, args, &values)?;
                if !keep {
                    self.remove(channel, at, &mut one.body);
                    self.forget_channel(&mut one, channel);
                }
                self.go(one, trans)?;
            }
        }
        Ok(())
    }

    fn store_all(&mut self, path: &mut Path, args: &[Arg], values: &[Code]) -> Read<()> {
        for (arg, value) in args.iter().zip(values) {
            if let Arg::Store(name) = arg
                && self.symbols.mtype(name).is_none()
            {
                self.store(path, name, value.clone())?;
            }
        }
        Ok(())
    }

    /// Nothing is known any more of a channel's cells.
    fn forget_channel(&self, path: &mut Path, channel: usize) {
        for id in self.channels[channel].storage.into_iter().flat_map(|(a, b)| [a, b]) {
            let global = &self.model.globals[id.0 as usize];
            let cells = global.offset..global.offset + self.model.types[global.ty].cells;
            path.cx.known.retain(|cell, _| !cells.contains(cell));
        }
    }

    fn send(
        &mut self,
        path: Path,
        number: usize,
        trans: &Trans,
        chan: &Ref,
        args: &[Expr],
        sorted: bool,
    ) -> Read<()> {
        let cx = path.cx.clone();
        for (condition, channel) in self.channels_of(&cx, chan)? {
            let values = self.sent(&cx, channel, chan, args)?;
            let capacity = i64::from(self.channels[channel].capacity);
            let mut one = path.clone();
            if !one.require(condition) {
                continue;
            }
            if capacity > 0 {
                let length = self.length_of(channel, &cx);
                let room = build::order(burnside_model::code::OrderOp::Lt, length, build::int(capacity));
                if one.require(room) {
                    self.append(channel, &values, sorted, &mut one.body);
                    self.forget_channel(&mut one, channel);
                    self.go(one, trans)?;
                }
                continue;
            }
            for partner in self.partners(channel, number)? {
                let met = self.meets(&partner, &values)?;
                let mut both = one.clone();
                if both.require(met) {
                    self.shake_hands(both, number, trans, &partner, &values)?;
                }
            }
        }
        Ok(())
    }

    /// Sender and receiver take one step together; the control goes to the receiver.
    fn shake_hands(
        &mut self,
        mut path: Path,
        number: usize,
        trans: &Trans,
        partner: &Partner,
        values: &[Code],
    ) -> Read<()> {
        if let Some(place) = self.at_place(number) {
            let ty = place.ty;
            path.body.push(build::assign(place, build::typed(trans.target as i64 + 1, ty)));
        }
        self.rest(number, trans.target);
        path.name = format!("{} to {}", path.name, self.step_name(partner.number, partner.trans.span));
        path.cx.instance = Some(partner.number);
        path.first = false;
        self.store_all(&mut path, &partner.args, values)?;
        self.go(path, &partner.trans)
    }

    fn run(
        &mut self,
        path: Path,
        trans: &Trans,
        name: &str,
        args: &[Expr],
        result: Option<&Ref>,
    ) -> Read<()> {
        let number = path.cx.instance.unwrap_or(0);
        let process = self.symbols.process(name, trans.span)?;
        if !std::mem::replace(&mut self.instances[number].runs, true) {
            self.changed = true;
        }
        let cx = path.cx.clone();
        let mut values = Vec::new();
        for arg in args {
            values.push(self.value(&cx, arg)?);
        }
        let counts = match path.count {
            Some(count) => std::iter::once(count).collect(),
            None => self.possible_counts(number, path.node),
        };
        let several = counts.len() > 1;
        for slot in counts {
            let mut one = path.clone();
            if several && (!one.require(self.alive(slot - 1)) || !one.require(build::not(self.alive(slot)))) {
                continue;
            }
            if slot >= self.limit() {
                if self.limit() < MOST {
                    one.name = self.step_name(number, trans.span);
                    self.fail(one, format!("{}{}", super::super::TOO_MANY, self.limit()));
                }
                continue;
            }
            let constants: Vec<Option<i64>> = values.iter().map(build::constant).collect();
            let started = self.started(slot, process, &constants);
            let begun =
                if started < self.storage.len() { self.begin(started, Some(&values))? } else { Vec::new() };
            one.body.extend(begun);
            one.created.push(started);
            one.count = Some(slot + 1);
            if let Some(result) = result {
                self.store(&mut one, result, build::int(i64::from(slot)))?;
            }
            self.go(one, trans)?;
        }
        Ok(())
    }

    /// Ends a rule where its process may wait.
    fn leaf(&mut self, mut path: Path) -> Read<()> {
        let number = path.cx.instance.unwrap_or(0);
        if let Some(place) = self.at_place(number) {
            let ty = place.ty;
            path.body.push(build::assign(place, build::typed(path.node as i64 + 1, ty)));
        }
        self.rest(number, path.node);
        self.count_at(&path, number);
        self.emit(path);
        Ok(())
    }

    fn count_at(&mut self, path: &Path, number: usize) {
        if let Some(count) = path.count {
            self.changed |= self.counts.entry((number, path.node)).or_default().insert(count);
            for created in &path.created {
                let followed = self.instances[*created].slot + 1 < count;
                if !followed && std::mem::replace(&mut self.instances[*created].followed, false) {
                    self.changed = true;
                }
            }
        }
    }

    /// Ends a rule in the middle of a sequence; its process keeps the control.
    fn cut(&mut self, mut path: Path) -> Read<()> {
        let number = path.cx.instance.unwrap_or(0);
        let holder = self.holder();
        if let Some(place) = self.at_place(number) {
            let ty = place.ty;
            path.body.push(build::assign(place, build::typed(path.node as i64 + 1, ty)));
        }
        let ty = holder.ty;
        path.body.push(build::assign(holder, build::typed(i64::from(self.instances[number].slot) + 1, ty)));
        self.count_at(&path, number);
        let cut = (number, path.node, path.inside_dstep);
        path.held = true;
        if self.resting.insert((number + (1 << 24), path.node)) {
            self.cuts.push(cut);
        }
        self.emit_as(path, true);
        Ok(())
    }

    fn holder(&mut self) -> burnside_model::code::Place {
        let (id, ty) = match self.holder {
            Some(holder) => holder,
            None => {
                let ty = self.range_ty(0, i64::from(MOST));
                let id = self.model.add_global("holder", ty, Span::default());
                let made = (id.unwrap_or(burnside_model::code::GlobalId(0)), ty);
                if let Some(start) = self.model.starts.first_mut() {
                    start.body.push(build::assign(build::global(made.0, ty), build::typed(0, ty)));
                }
                self.holder = Some(made);
                made
            }
        };
        build::global(id, ty)
    }

    fn holds(&mut self, number: usize) -> Option<Code> {
        let holder = self.holder();
        let ty = holder.ty;
        Some(build::eq(build::read(holder), build::typed(i64::from(self.instances[number].slot) + 1, ty)))
    }

    /// Ends a rule with an error.
    fn fail(&mut self, mut path: Path, message: String) {
        path.body.push(Stmt { kind: StmtKind::Error(message), span: path.span });
        self.emit_as(path, true);
    }

    fn emit(&mut self, path: Path) {
        self.emit_as(path, false);
    }

    fn emit_as(&mut self, mut path: Path, keeps: bool) {
        if path.held && !keeps {
            let holder = self.holder();
            let ty = holder.ty;
            path.body.push(build::assign(holder, build::typed(0, ty)));
        }
        if path.hidden && !keeps {
            self.hide(&mut path.body);
        }
        if path.timeout {
            self.timeouts.push(self.model.rules.len());
        }
        // A rule that begins where the control is held is not kept from running by that.
        if path.held && path.guard.len() > 1 && self.begins_held(&path.guard) {
            self.held.push(self.model.rules.len());
        }
        let guard = Some(build::all(path.guard));
        let (named, binders, frame, fairness) = (true, Vec::new(), Frame::default(), None);
        let (name, body, span) = (path.name, path.body, path.span);
        self.model.rules.push(Rule { name, named, binders, frame, guard, body, fairness, span });
    }

    fn begins_held(&self, guard: &[Code]) -> bool {
        let Some((id, _)) = self.holder else { return false };
        guard.iter().any(|part| match &part.kind {
            burnside_model::code::ExprKind::Eq(a, _) => matches!(&a.kind,
                burnside_model::code::ExprKind::Read(place)
                    if place.kind == burnside_model::code::PlaceKind::Global(id)),
            _ => false,
        })
    }

    /// Hidden variables are no part of a state: they are forgotten at the end of a rule. What only `init` sets up stays.
    fn hide(&self, body: &mut Vec<Stmt>) {
        for (var, place) in self.symbols.globals.iter().zip(&self.globals.variables) {
            if let (true, Some((id, ty))) = (var.scratch, place) {
                self.fill(build::global(*id, *ty), 0, body);
            }
        }
    }

    /// While a process holds the control, no other moves.
    fn hold_others(&mut self) {
        let Some((id, ty)) = self.holder else { return };
        for (number, rule) in self.model.rules.iter_mut().enumerate() {
            if !self.held.contains(&number)
                && let Some(guard) = rule.guard.take()
            {
                let free = build::eq(build::read(build::global(id, ty)), build::typed(0, ty));
                rule.guard = Some(build::and(free, guard));
            }
        }
    }

    /// The function that says whether anything but a timeout can happen.
    fn timeout_function(&mut self) {
        if !self.asked {
            return;
        }
        let rules = self.model.rules.iter().enumerate();
        let guards = rules
            .filter(|(number, rule)| !self.timeouts.contains(number) && rule.name != super::super::VALID_END);
        let can = build::any(guards.filter_map(|(_, rule)| rule.guard.clone()).collect());
        let kind = StmtKind::Return(Some(burnside_model::code::Operand::Value(can)));
        let body = vec![Stmt { kind, span: Span::default() }];
        self.model.functions.push(burnside_model::code::Function {
            name: "something_can_happen".to_owned(),
            params: 0,
            by_reference: Vec::new(),
            result: Some(Types::BOOL),
            frame: Frame::default(),
            body,
            span: Span::default(),
        });
    }

    /// A valid end state is no deadlock: it has a step to itself.
    fn valid_end(&mut self) {
        let mut all = Vec::new();
        for number in 0..self.storage.len() {
            let flow = &self.symbols.flows[self.instances[number].process];
            let Some(place) = self.at_place(number) else { continue };
            let ends =
                flow.nodes.iter().enumerate().filter(|(_, node)| node.end).map(|(node, _)| node as i64 + 1);
            let mut valid: Vec<Code> = Vec::new();
            if !self.instances[number].initial || self.dies[number] {
                valid.push(build::eq(build::read(place.clone()), build::typed(0, place.ty)));
            }
            valid
                .extend(ends.map(|node| build::eq(build::read(place.clone()), build::typed(node, place.ty))));
            all.push(build::any(valid));
        }
        let (name, named) = (super::super::VALID_END.to_owned(), true);
        let (binders, frame, guard) = (Vec::new(), Frame::default(), Some(build::all(all)));
        let (body, fairness, span) = (Vec::new(), None, Span::default());
        self.model.rules.push(Rule { name, named, binders, frame, guard, body, fairness, span });
    }
}

/// A receive that a rendezvous may meet.
struct Partner {
    number: usize,
    node: usize,
    trans: Trans,
    args: Vec<Arg>,
    condition: Code,
}

/// Whether an expression asks for a timeout.
fn asks_timeout(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Timeout => true,
        ExprKind::Unary(_, a) => asks_timeout(a),
        ExprKind::Binary(_, a, b) => asks_timeout(a) || asks_timeout(b),
        ExprKind::Cond(a, b, c) => asks_timeout(a) || asks_timeout(b) || asks_timeout(c),
        _ => false,
    }
}
