//! Which processes exist, how they begin and how they end.
//!
//! Process ids are given like a stack: a new process gets the number of those that run, and only the youngest can end.
//! A process that has come to its end waits until it is the youngest.

use std::collections::BTreeSet;

use burnside_model::Span;
use burnside_model::code::{ArithOp, Expr as Code, Stmt, TypeId};

use super::super::ast::Ref;
use super::super::symbols::{Shape, Var, bounds};
use super::{Instance, Lowerer, build};
use crate::diag::{Diagnostic, codes};
use crate::tokens::Read;

/// The most processes that Spin allows.
pub(in crate::promela) const MOST: u32 = 255;

/// How many there may be where no bound is found and none is given.
const POOL: u32 = 16;

impl Lowerer<'_> {
    /// The processes that run from the start, in the order of the text.
    pub(super) fn initial_processes(&mut self) -> Read<()> {
        let program = self.symbols.program;
        for (process, declared) in program.proctypes.iter().enumerate() {
            let Some(count) = &declared.active else { continue };
            let number = self.symbols.constant(count)?;
            if !(0..=i64::from(MOST)).contains(&number)
                || self.instances.len() as i64 + number > i64::from(MOST)
            {
                let message = format!("there are at most {MOST} processes");
                return Err(Box::new(Diagnostic::error(codes::BAD_SIZE, count.span, message)));
            }
            for _ in 0..number {
                let slot = self.instances.len() as u32;
                let args = vec![Some(0); declared.params.len()];
                self.instances.push(Instance {
                    slot,
                    process,
                    args,
                    runs: false,
                    initial: true,
                    followed: true,
                });
            }
        }
        if let Some(last) = self.instances.last_mut() {
            last.followed = false;
        }
        if self.instances.is_empty() {
            let message = "no process runs: there is no `init` and no `active` proctype";
            return Err(Box::new(Diagnostic::error(codes::NO_START_STATE, Span::default(), message)));
        }
        for number in 0..self.instances.len() {
            let entry = self.symbols.flows[self.instances[number].process].entry;
            self.counts.entry((number, entry)).or_default().insert(self.instances.len() as u32);
        }
        Ok(())
    }

    /// The most processes that may run at a time.
    pub(super) fn limit(&self) -> u32 {
        let initial = self.instances.iter().filter(|instance| instance.initial).count() as u32;
        self.settings.processes_max.unwrap_or(POOL.max(initial + POOL)).clamp(initial, MOST)
    }

    /// Finds out which processes may end: those whose last location can be reached, unless a younger one never ends.
    pub(super) fn find_deaths(&mut self) {
        let ends: Vec<bool> =
            (0..self.symbols.flows.len()).map(|process| self.reaches_end(process)).collect();
        let mut order: Vec<usize> = (0..self.instances.len()).collect();
        order.sort_by_key(|number| std::cmp::Reverse(self.instances[*number].slot));
        self.dies = vec![false; self.instances.len()];
        for number in order {
            let Instance { slot, process, followed, .. } = self.instances[number];
            let next_ends =
                (0..self.instances.len()).any(|o| self.instances[o].slot == slot + 1 && self.dies[o]);
            self.dies[number] = ends[process] && (!followed || next_ends);
        }
    }

    fn reaches_end(&self, process: usize) -> bool {
        let flow = &self.symbols.flows[process];
        let (mut seen, mut open) = (vec![false; flow.nodes.len()], vec![flow.entry]);
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(flow.nodes[node].trans.iter().map(|trans| trans.target));
            }
        }
        seen[flow.last]
    }

    pub(super) fn at_place(&self, number: usize) -> Option<burnside_model::code::Place> {
        let (id, ty) = self.storage.get(number)?.at?;
        Some(build::global(id, ty))
    }

    /// Whether a process is at a location.
    pub(super) fn at_node(&self, number: usize, node: usize) -> Code {
        match self.at_place(number) {
            Some(place) => {
                let ty = place.ty;
                build::eq(build::read(place), build::typed(node as i64 + 1, ty))
            }
            None => build::truth(false),
        }
    }

    /// Whether a process runs.
    fn runs(&self, number: usize) -> Code {
        match self.at_place(number) {
            Some(_) if self.instances[number].initial && !self.dies[number] => build::truth(true),
            Some(place) => {
                let ty = place.ty;
                build::not(build::eq(build::read(place), build::typed(0, ty)))
            }
            None => build::truth(false),
        }
    }

    /// Whether some process has this id.
    pub(super) fn alive(&self, slot: u32) -> Code {
        let all = (0..self.instances.len()).filter(|number| self.instances[*number].slot == slot);
        build::any(all.map(|number| self.runs(number)).collect())
    }

    fn slots(&self) -> u32 {
        self.instances.iter().map(|instance| instance.slot + 1).max().unwrap_or(0)
    }

    pub(super) fn number_of_processes(&self) -> Code {
        let all = (0..self.slots()).map(|slot| build::number(self.alive(slot)));
        all.fold(build::int(0), |sum, one| build::arith(ArithOp::Add, sum, one))
    }

    /// How many processes there may be when a process is at a location.
    pub(super) fn possible_counts(&self, number: usize, node: usize) -> BTreeSet<u32> {
        let sole = (0..self.instances.len()).all(|other| other == number || !self.instances[other].runs);
        if sole && !self.dies.iter().any(|dies| *dies) {
            return self.counts.get(&(number, node)).cloned().unwrap_or_default();
        }
        (self.instances[number].slot + 1..=self.slots()).collect()
    }

    /// The process that a `run` starts with this id; it may be new. The arguments that are not constant are none.
    pub(super) fn started(&mut self, slot: u32, process: usize, args: &[Option<i64>]) -> usize {
        let found = self.instances.iter().position(|i| i.slot == slot && i.process == process);
        let Some(number) = found else {
            let args = args.to_vec();
            self.instances.push(Instance {
                slot,
                process,
                args,
                runs: false,
                initial: false,
                followed: true,
            });
            self.dies.push(false);
            self.changed = true;
            return self.instances.len() - 1;
        };
        for (mine, given) in self.instances[number].args.iter_mut().zip(args) {
            if mine.is_some() && mine != given {
                *mine = None;
                self.changed = true;
            }
        }
        number
    }

    /// Begins a process: its location, parameters and variables.
    pub(super) fn begin(&mut self, number: usize, args: Option<&[Code]>) -> Read<Vec<Stmt>> {
        let Some(place) = self.at_place(number) else { return Ok(Vec::new()) };
        let process = self.instances[number].process;
        let entry = self.symbols.flows[process].entry;
        let ty = place.ty;
        let mut body = vec![build::assign(place, build::typed(entry as i64 + 1, ty))];
        let mut param = 0;
        for local in 0..self.symbols.locals[process].len() {
            let var: Var = self.symbols.locals[process][local].clone();
            if !var.param {
                let values = self.first_values(Some(number), &var, local)?;
                body.extend(values);
                continue;
            }
            let given = args.and_then(|args| args.get(param)).cloned();
            param += 1;
            let (Some(value), Some((id, ty)), Shape::Simple { base, .. }) =
                (given, self.storage[number].variables[local], &var.shape)
            else {
                continue;
            };
            let value = self.cut_to(value, bounds(base), ty);
            body.push(build::assign(build::global(id, ty), value));
        }
        Ok(body)
    }

    /// Ends a process: nothing of it is left.
    pub(super) fn finish(&self, number: usize) -> Vec<Stmt> {
        let mut body = Vec::new();
        let Some(place) = self.at_place(number) else { return body };
        let at_ty: TypeId = place.ty;
        body.push(build::assign(place, build::typed(0, at_ty)));
        for (id, ty) in self.storage[number].variables.iter().flatten() {
            self.fill(build::global(*id, *ty), 0, &mut body);
        }
        for channel in self.channels.iter().filter(|channel| channel.owner == Some(number)) {
            if let Some((length, messages)) = channel.storage {
                self.fill(build::global(length, channel.length_ty), 0, &mut body);
                self.fill(build::global(messages, channel.array_ty), 0, &mut body);
            }
        }
        body
    }

    /// The cells of a process's own variables with the values that they have when it begins, where those are constant.
    pub(super) fn first_cells(&mut self, number: usize) -> Read<Vec<(u32, i64)>> {
        let mut known = Vec::new();
        let process = self.instances[number].process;
        for local in 0..self.symbols.locals[process].len() {
            let var = self.symbols.locals[process][local].clone();
            let Some((id, ty)) = self.storage[number].variables[local] else { continue };
            if var.param || !self.model.types.is_simple(ty) {
                continue;
            }
            let cell = self.model.globals[id.0 as usize].offset;
            let value = match self.first_values(Some(number), &var, local)?.as_slice() {
                [] => Some(0),
                [Stmt { kind: burnside_model::code::StmtKind::Assign(_, value), .. }] => {
                    build::constant(value)
                }
                _ => None,
            };
            known.extend(value.map(|value| (cell, value)));
        }
        Ok(known)
    }

    /// The name of a step in a trace.
    pub(super) fn step_name(&self, number: usize, span: Span) -> String {
        let instance = &self.instances[number];
        let name = &self.symbols.program.proctypes[instance.process].name;
        let text = self.settings.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(60).collect();
        format!("{name}({}): {}", instance.slot, text.replace('"', "'"))
    }

    /// Refuses a use of a name that has no place.
    pub(super) fn not_assignable<T>(&self, name: &Ref) -> Read<T> {
        let message = format!("`{}` cannot be assigned to", name.name);
        Err(Box::new(Diagnostic::error(codes::NOT_A_PLACE, name.span, message)))
    }
}
