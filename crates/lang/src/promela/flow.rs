//! The control flow of a proctype: locations, and the steps between them.
//!
//! Locations are Spin's states with merging off. `if`, `do` and labels have no step of their own: the first steps of all
//! options leave the location of the `if`. A block has a location, which its first steps leave; a loop at its beginning has
//! another one to come back to. A `goto` or `break` behind a statement belongs to that statement's
//! step; as the first statement of an option it is a step for itself.
//!
//! A step inside an `atomic` *holds* the control if it leads to another location inside one, so the last step and a jump to
//! the outside do not. A step between two locations of one `d_step` is marked as such.
//!
//! `{ main } unless { escape }`: the first steps of the escape leave every location of main, and every step of main is
//! blocked where one of them can be taken.

use std::collections::HashMap;

use burnside_model::Span;

use super::ast::{Expr, ExprKind, Proctype, Ref, Seq, Step, Stmt, StmtKind};
use crate::diag::{Diagnostic, codes};
use crate::tokens::Read;

#[derive(Clone, Debug)]
pub(super) struct Trans {
    pub step: Step,
    pub target: usize,
    /// Whether the process goes on without interruption.
    pub hold: bool,
    /// The `d_step` that it belongs to.
    pub dstep: Option<u32>,
    /// Whether it leads to another location of the same `d_step`.
    pub inside_dstep: bool,
    /// The escapes that block it, by their position in [`Flow::escapes`].
    pub unless: Vec<usize>,
    /// The escape that it is a first step of.
    escape: Option<usize>,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub trans: Vec<Trans>,
    /// Whether it is a valid end state.
    pub end: bool,
    pub accept: bool,
    pub progress: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub nodes: Vec<Node>,
    pub entry: usize,
    /// Where a process waits for its end.
    pub last: usize,
    pub labels: HashMap<String, usize>,
    pub escapes: Vec<Vec<Trans>>,
}

/// Where a step leads, and whether that is inside an `atomic` and which `d_step`.
#[derive(Clone, Copy)]
struct Target {
    node: usize,
    atomic: bool,
    dstep: Option<u32>,
}

#[derive(Clone)]
struct Around {
    atomic: bool,
    dstep: Option<u32>,
    leave: Option<Target>,
    escapes: Vec<usize>,
}

struct Builder {
    nodes: Vec<Node>,
    /// The node that one stands for.
    alias: Vec<Option<usize>>,
    labels: HashMap<String, Target>,
    escapes: Vec<Vec<Trans>>,
}

/// The control flow of a proctype.
pub(super) fn flow(process: &Proctype) -> Read<Flow> {
    let mut builder =
        Builder { nodes: Vec::new(), alias: Vec::new(), labels: HashMap::new(), escapes: Vec::new() };
    let around = Around { atomic: false, dstep: None, leave: None, escapes: Vec::new() };
    builder.declare(&process.body, &around)?;
    let last = builder.node(process.span);
    builder.nodes[last].end = true;
    let end = Target { node: last, atomic: false, dstep: None };
    builder.nodes[last].trans.push(step(Step::End, end, &around, process.span));
    let entry = builder.sequence(&process.body, end, &around)?.node;
    builder.finish(entry, last)
}

fn step(step: Step, target: Target, around: &Around, span: Span) -> Trans {
    let hold = around.atomic && target.atomic;
    let inside_dstep = around.dstep.is_some() && target.dstep == around.dstep;
    Trans {
        step,
        target: target.node,
        hold,
        dstep: around.dstep,
        inside_dstep,
        unless: Vec::new(),
        escape: None,
        span,
    }
}

impl Builder {
    fn node(&mut self, span: Span) -> usize {
        self.nodes.push(Node { span, ..Node::default() });
        self.alias.push(None);
        self.nodes.len() - 1
    }

    /// Makes a node for every label.
    fn declare(&mut self, body: &Seq, around: &Around) -> Read<()> {
        for stmt in body {
            for label in &stmt.labels {
                let node = self.node(stmt.span);
                let target = Target { node, atomic: around.atomic, dstep: around.dstep };
                if self.labels.insert(label.clone(), target).is_some() {
                    let message = format!("the label `{label}` is declared twice");
                    return Err(Box::new(Diagnostic::error(codes::DUPLICATE_NAME, stmt.span, message)));
                }
            }
            match &stmt.kind {
                StmtKind::If(options) | StmtKind::Do(options) => {
                    for option in options {
                        self.declare(option, around)?;
                    }
                }
                StmtKind::Atomic(inner) => self.declare(inner, &Around { atomic: true, ..around.clone() })?,
                StmtKind::DStep(inner) => self.declare(inner, &inside(around, stmt.span))?,
                StmtKind::Block(inner) => self.declare(inner, around)?,
                StmtKind::Unless(main, escape) => {
                    self.declare(main, around)?;
                    self.declare(escape, around)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn sequence(&mut self, body: &[Stmt], next: Target, around: &Around) -> Read<Target> {
        let mut next = next;
        for stmt in body.iter().rev() {
            next = self.entry(stmt, next, around)?;
        }
        Ok(next)
    }

    fn entry(&mut self, stmt: &Stmt, next: Target, around: &Around) -> Read<Target> {
        let here = |node| Target { node, atomic: around.atomic, dstep: around.dstep };
        let target = match &stmt.kind {
            StmtKind::Goto(_) | StmtKind::Break => self.jump(stmt, around)?,
            StmtKind::Nothing => next,
            StmtKind::Block(inner) if inner.is_empty() => next,
            StmtKind::Do(options) => {
                let node = self.node(stmt.span);
                let inner = Around { leave: Some(next), ..around.clone() };
                let mut all = Vec::new();
                for option in options {
                    all.extend(self.firsts(option, here(node), &inner)?);
                }
                self.nodes[node].trans = distinct(all);
                here(node)
            }
            StmtKind::Unless(main, escape) => {
                let number = self.escapes.len();
                self.escapes.push(Vec::new());
                // Their braces belong to the `unless`.
                let (main, escape) = (unwrapped(main), unwrapped(escape));
                let mut firsts = self.firsts(escape, next, around)?;
                firsts.iter_mut().filter(|t| t.escape.is_none()).for_each(|t| t.escape = Some(number));
                self.escapes[number] = firsts;
                let mut inner = around.clone();
                inner.escapes.push(number);
                here(self.sequence(main, next, &inner)?.node)
            }
            _ => {
                let node = self.node(stmt.span);
                // The labels are this node's already.
                let plain = Stmt { labels: Vec::new(), ..stmt.clone() };
                self.nodes[node].trans = distinct(self.firsts(&[plain], next, around)?);
                here(node)
            }
        };
        for label in &stmt.labels {
            let made = self.labels[label].node;
            self.alias[made] = Some(target.node);
        }
        Ok(target)
    }

    /// The first steps of a sequence, as they leave whatever location it begins at.
    fn firsts(&mut self, body: &[Stmt], next: Target, around: &Around) -> Read<Vec<Trans>> {
        let Some((first, rest)) = body.split_first() else { return Ok(Vec::new()) };
        let next = self.sequence(rest, next, around)?;
        if !first.labels.is_empty() || matches!(first.kind, StmtKind::Do(_) | StmtKind::Unless(..)) {
            let is_jump = matches!(first.kind, StmtKind::Goto(_) | StmtKind::Break);
            let entry = self.entry(first, next, around)?;
            if !is_jump {
                return Ok(self.nodes[self.resolve(entry.node).unwrap_or(entry.node)].trans.clone());
            }
            return Ok(self.guarded(vec![step(Step::Skip, entry, around, first.span)], around));
        }
        let one = |what: Step| vec![step(what, next, around, first.span)];
        let steps = match &first.kind {
            StmtKind::Step(what) => one(what.clone()),
            StmtKind::Goto(_) | StmtKind::Break => {
                let to = self.jump(first, around)?;
                vec![step(Step::Skip, to, around, first.span)]
            }
            StmtKind::If(options) => {
                let mut all = Vec::new();
                for option in options {
                    all.extend(self.firsts(option, next, around)?);
                }
                return Ok(all);
            }
            StmtKind::Block(inner) if inner.is_empty() => one(Step::Skip),
            StmtKind::Block(inner) => return self.firsts(inner, next, around),
            StmtKind::Atomic(inner) => {
                return self.firsts(inner, next, &Around { atomic: true, ..around.clone() });
            }
            StmtKind::DStep(inner) => return self.firsts(inner, next, &inside(around, first.span)),
            StmtKind::Nothing => one(Step::Skip),
            StmtKind::Do(_) | StmtKind::Unless(..) => Vec::new(),
        };
        Ok(self.guarded(steps, around))
    }

    /// Steps together with the escapes around them.
    fn guarded(&self, mut steps: Vec<Trans>, around: &Around) -> Vec<Trans> {
        for number in around.escapes.iter().rev() {
            steps.iter_mut().for_each(|t| t.unless.push(*number));
        }
        for number in around.escapes.iter().rev() {
            steps.extend(self.escapes[*number].iter().cloned());
        }
        distinct(steps)
    }

    fn jump(&self, stmt: &Stmt, around: &Around) -> Read<Target> {
        match &stmt.kind {
            StmtKind::Goto(label) => self.labels.get(label).copied().ok_or_else(|| {
                let message = format!("there is no label `{label}` in this proctype");
                Box::new(Diagnostic::error(codes::UNKNOWN_NAME, stmt.span, message))
            }),
            _ => around.leave.ok_or_else(|| {
                let message = "this `break` is not inside a `do`";
                Box::new(Diagnostic::error(codes::MISPLACED_CLAUSE, stmt.span, message))
            }),
        }
    }

    /// The node that one stands for; none if a `goto` leads to itself.
    fn resolve(&self, mut node: usize) -> Option<usize> {
        for _ in 0..=self.nodes.len() {
            match self.alias[node] {
                Some(other) => node = other,
                None => return Some(node),
            }
        }
        None
    }

    /// Leaves out what cannot be reached, and gives labels their meaning.
    fn finish(mut self, entry: usize, last: usize) -> Read<Flow> {
        let stuck = |span| {
            Box::new(Diagnostic::error(
                codes::MISPLACED_CLAUSE,
                span,
                "this `goto` leads to itself without a step",
            ))
        };
        let labels: Vec<(String, usize)> =
            self.labels.iter().map(|(label, target)| (label.clone(), target.node)).collect();
        for (label, made) in &labels {
            let node = self.resolve(*made).ok_or_else(|| stuck(self.nodes[*made].span))?;
            let node = &mut self.nodes[node];
            node.end |= label.starts_with("end");
            node.accept |= label.starts_with("accept");
            node.progress |= label.starts_with("progress");
        }
        let mut nodes = std::mem::take(&mut self.nodes);
        let mut escapes = std::mem::take(&mut self.escapes);
        self.nodes.resize(nodes.len(), Node::default());
        for trans in nodes.iter_mut().flat_map(|node| &mut node.trans).chain(escapes.iter_mut().flatten()) {
            trans.target = self.resolve(trans.target).ok_or_else(|| stuck(trans.span))?;
        }
        let entry = self.resolve(entry).ok_or_else(|| stuck(Span::default()))?;
        let labels =
            labels.into_iter().filter_map(|(label, made)| Some((label, self.resolve(made)?))).collect();
        Ok(Flow { nodes, entry, last, labels, escapes })
    }
}

fn inside(around: &Around, span: Span) -> Around {
    Around { atomic: true, dstep: Some(span.start + 1), ..around.clone() }
}

/// What is inside a single block without labels.
fn unwrapped(body: &[Stmt]) -> &[Stmt] {
    match body {
        [Stmt { kind: StmtKind::Block(inner), labels, .. }] if labels.is_empty() && !inner.is_empty() => {
            inner
        }
        other => other,
    }
}

/// Without the same escape twice.
fn distinct(steps: Vec<Trans>) -> Vec<Trans> {
    let mut seen: Vec<(usize, Span, usize)> = Vec::new();
    let mut kept = Vec::new();
    for trans in steps {
        if let Some(escape) = trans.escape {
            let key = (escape, trans.span, trans.target);
            if seen.contains(&key) {
                continue;
            }
            seen.push(key);
        }
        kept.push(trans);
    }
    kept
}

/// The `run` that a step consists of, if it is one.
pub(super) fn run_of(step: &Step) -> Option<(&str, &[Expr], Option<&Ref>)> {
    match step {
        Step::Cond(Expr { kind: ExprKind::Run(name, args), .. }) => Some((name, args, None)),
        Step::Assign(variable, Expr { kind: ExprKind::Run(name, args), .. }) => {
            Some((name, args, Some(variable)))
        }
        _ => None,
    }
}
