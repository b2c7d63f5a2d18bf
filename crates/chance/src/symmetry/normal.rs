//! Normal forms: commands and expressions as shared trees in which equal means equal up to the order of commutative operators.
//!
//! Trees are interned: two trees are equal if and only if their numbers are, so that a permutation is verified by computing
//! the numbers of all images. A test `x=c` of a guard is used in the rest of its command: with `s=1` in the guard, `s'=s+1`
//! is `s'=2`. A variable whose remaining uses are comparisons with and assignments of constants holds *ids*: its values may
//! be permuted too.

use std::collections::{BTreeMap, HashMap};

use burnside_model::chance::{Binary, Expr, Function, Initial, Model, Real, Value, eval};

use super::keeps_initial;

/// A permutation of variables and of the values of those that hold ids.
#[derive(Clone, Debug, PartialEq)]
pub struct Perm {
    /// By variable, its image.
    pub vars: Vec<u32>,
    /// By variable, the images of its values as offsets from the least one; none: each to itself.
    pub values: Vec<Option<Vec<u32>>>,
}

impl Perm {
    pub fn apply(&self, model: &Model, state: &[i64], image: &mut [i64]) {
        for (variable, value) in state.iter().enumerate() {
            let to = self.vars[variable] as usize;
            let offset = value - model.variables[variable].low;
            let mapped = match &self.values[variable] {
                Some(values) => i64::from(values[offset as usize]),
                None => offset,
            };
            image[to] = model.variables[to].low + mapped;
        }
    }

    /// First this, then another.
    pub fn then(&self, other: &Perm) -> Perm {
        let vars: Vec<u32> = self.vars.iter().map(|v| other.vars[*v as usize]).collect();
        let values = self.values.iter().enumerate().map(|(variable, own)| {
            let next = &other.values[self.vars[variable] as usize];
            match (own, next) {
                (None, None) => None,
                (Some(own), None) => Some(own.clone()),
                (None, Some(next)) => Some(next.clone()),
                (Some(own), Some(next)) => Some(own.iter().map(|v| next[*v as usize]).collect()),
            }
        });
        let values =
            values.map(|map| map.filter(|map| map.iter().enumerate().any(|(i, v)| i as u32 != *v))).collect();
        Perm { vars, values }
    }

    pub fn is_identity(&self) -> bool {
        self.values.iter().all(Option::is_none) && self.vars.iter().enumerate().all(|(i, v)| i as u32 == *v)
    }

    /// All images in one list.
    pub fn flat(&self) -> Vec<u32> {
        let mut all = self.vars.clone();
        for values in &self.values {
            match values {
                Some(values) => all.extend(values),
                None => all.push(u32::MAX),
            }
        }
        all
    }

    /// What moves, in words.
    pub fn words(&self, model: &Model) -> String {
        let name = |v: usize| model.variables[v].name.as_str();
        let mut parts = Vec::new();
        let mut seen = vec![false; self.vars.len()];
        for start in 0..self.vars.len() {
            if seen[start] || self.vars[start] as usize == start {
                continue;
            }
            let mut cycle = Vec::new();
            let mut at = start;
            while !seen[at] {
                seen[at] = true;
                cycle.push(name(at));
                at = self.vars[at] as usize;
            }
            parts.push(format!("({})", cycle.join(" ")));
        }
        for (variable, values) in self.values.iter().enumerate() {
            if values.is_some() {
                parts.push(format!("values of {}", name(variable)));
            }
        }
        parts.join("")
    }
}

/// A node: what it is, and its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    pub op: Op,
    /// Its operands; sorted where their order does not matter.
    pub children: Vec<u32>,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    Var(u32),
    /// A value of a class of variables that hold ids.
    Id(u32, u32),
    Const(String),
    All,
    Any,
    Not,
    Same,
    AllSame,
    Less,
    AtMost,
    Sum,
    Product,
    Quotient,
    Choice,
    Call(Function),
    Command,
    Branch,
    Update,
    Slot,
    Step,
    Earned(u32),
    Atom(u32),
}

impl Op {
    /// Whether the order of operands matters.
    pub fn ordered(&self) -> bool {
        match self {
            Op::Less | Op::AtMost | Op::Quotient | Op::Choice | Op::Update | Op::Earned(_) => true,
            Op::Call(function) => !matches!(function, Function::Min | Function::Max),
            _ => false,
        }
    }
}

/// An expression in normal form, before it is interned.
#[derive(Clone, Debug)]
enum Tree {
    Var(u32),
    Id(u32, u32),
    Const(String),
    Op(Op, Vec<Tree>),
}

/// A model in normal form.
pub struct Normal<'m> {
    pub(super) model: &'m Model,
    nodes: Vec<Node>,
    numbers: HashMap<Node, u32>,
    /// By variable, its class if it holds ids.
    pub(super) class_of: Vec<Option<u32>>,
    steps: Vec<Tree>,
    earned: Vec<Tree>,
    atoms: Vec<Tree>,
    identity: Option<Vec<u32>>,
}

/// Synchronisations with more combinations of commands stay as they are.
const MAX_COMBINED: usize = 16;

/// What a guard says of variables.
type Facts = BTreeMap<u32, i64>;

impl<'m> Normal<'m> {
    /// The normal form of a model with some rewards, and of atoms; values of variables that hold ids may be permuted if `ids`.
    pub fn new(model: &'m Model, rewards: &[u32], atoms: &[&Expr], ids: bool) -> Normal<'m> {
        let mut normal = Normal {
            model,
            nodes: Vec::new(),
            numbers: HashMap::new(),
            class_of: Vec::new(),
            steps: Vec::new(),
            earned: Vec::new(),
            atoms: Vec::new(),
            identity: None,
        };
        normal.class_of =
            if ids { normal.classes(rewards, atoms) } else { vec![None; model.variables.len()] };
        let commands: Vec<Tree> = (0..model.commands.len()).map(|index| normal.command(index)).collect();
        for sync in &model.synchronisations {
            let mut parts: Vec<Tree> = match normal.combined(sync) {
                Some(commands) => commands,
                None => sync
                    .slots
                    .iter()
                    .map(|slot| {
                        Tree::Op(Op::Slot, slot.iter().map(|c| commands[*c as usize].clone()).collect())
                    })
                    .collect(),
            };
            for structure in rewards {
                for item in &model.rewards[*structure as usize].items {
                    if item.action == Some(sync.action) {
                        parts.push(normal.item(*structure, item));
                    }
                }
            }
            normal.steps.push(Tree::Op(Op::Step, parts));
        }
        for structure in rewards {
            for item in model.rewards[*structure as usize].items.iter().filter(|item| item.action.is_none()) {
                let item = normal.item(*structure, item);
                normal.earned.push(item);
            }
        }
        for (index, atom) in atoms.iter().enumerate() {
            let tree = normal.tree(atom, &Facts::new());
            normal.atoms.push(Tree::Op(Op::Atom(index as u32), vec![tree]));
        }
        if let Initial::Where(condition) = &model.initial {
            let tree = normal.tree(condition, &Facts::new());
            normal.atoms.push(Tree::Op(Op::Atom(u32::MAX), vec![tree]));
        }
        normal
    }

    /// All nodes of the model as it is, and those of its steps, rewards and atoms.
    pub fn interned(&mut self) -> (Vec<u32>, &[Node]) {
        let roots = self.roots(None);
        (roots, &self.nodes)
    }

    /// Whether a permutation is a symmetry.
    pub fn verify(&mut self, perm: &Perm) -> bool {
        let model = self.model;
        for (variable, declared) in model.variables.iter().enumerate() {
            let image = &model.variables[perm.vars[variable] as usize];
            let ids = perm.values[variable].is_some();
            if declared.size() != image.size()
                || declared.boolean != image.boolean
                || !ids && declared.low != image.low
                || ids && self.class_of[variable].is_none()
            {
                return false;
            }
        }
        if !keeps_initial(model, perm, self) {
            return false;
        }
        let identity = match self.identity.take() {
            Some(roots) => roots,
            None => self.roots(None),
        };
        let image = self.roots(Some(perm));
        let same = image == identity;
        self.identity = Some(identity);
        same
    }

    /// Whether an expression is mapped to itself.
    pub fn same(&mut self, expr: &Expr, perm: &Perm) -> bool {
        let tree = self.tree(expr, &Facts::new());
        self.intern(&tree, None) == self.intern(&tree, Some(perm))
    }

    /// The numbers of all steps, rewards and atoms, sorted.
    fn roots(&mut self, perm: Option<&Perm>) -> Vec<u32> {
        let all: Vec<Tree> = [
            std::mem::take(&mut self.steps),
            std::mem::take(&mut self.earned),
            std::mem::take(&mut self.atoms),
        ]
        .concat();
        let mut numbers: Vec<u32> = all.iter().map(|tree| self.intern(tree, perm)).collect();
        for tree in all {
            match &tree {
                Tree::Op(Op::Step, _) => self.steps.push(tree),
                Tree::Op(Op::Earned(_), _) => self.earned.push(tree),
                _ => self.atoms.push(tree),
            }
        }
        numbers.sort_unstable();
        numbers
    }

    fn intern(&mut self, tree: &Tree, perm: Option<&Perm>) -> u32 {
        let node = match tree {
            Tree::Var(v) => {
                Node { op: Op::Var(perm.map_or(*v, |perm| perm.vars[*v as usize])), children: Vec::new() }
            }
            Tree::Id(variable, value) => {
                let (to, value) = match perm {
                    None => (*variable, *value),
                    Some(perm) => {
                        let map = &perm.values[*variable as usize];
                        let mapped = map.as_ref().map_or(*value, |map| map[*value as usize]);
                        (perm.vars[*variable as usize], mapped)
                    }
                };
                let class = self.class_of[to as usize].unwrap_or(to);
                Node { op: Op::Id(class, value), children: Vec::new() }
            }
            Tree::Const(text) => Node { op: Op::Const(text.clone()), children: Vec::new() },
            Tree::Op(op, parts) => {
                let mut children: Vec<u32> = parts.iter().map(|part| self.intern(part, perm)).collect();
                if !op.ordered() {
                    children.sort_unstable();
                }
                if matches!(op, Op::All | Op::Any | Op::AllSame) {
                    children.dedup();
                }
                Node { op: op.clone(), children }
            }
        };
        if let Some(number) = self.numbers.get(&node) {
            return *number;
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node.clone());
        self.numbers.insert(node, number);
        number
    }

    fn item(&self, structure: u32, item: &burnside_model::chance::RewardItem) -> Tree {
        let mut facts = Facts::new();
        facts_of(&item.guard, self.model, &mut facts);
        let guard = self.tree(&item.guard, &Facts::new());
        let value = self.tree(&item.value, &facts);
        Tree::Op(Op::Earned(structure), vec![guard, value])
    }

    fn command(&self, index: usize) -> Tree {
        let command = &self.model.commands[index];
        let mut facts = Facts::new();
        facts_of(&command.guard, self.model, &mut facts);
        let mut parts = vec![match self.tree(&command.guard, &Facts::new()) {
            all @ Tree::Op(Op::All, _) => all,
            other => Tree::Op(Op::All, vec![other]),
        }];
        for branch in &command.branches {
            let mut children = vec![Tree::Op(Op::Product, vec![self.tree(&branch.weight, &facts)])];
            children.extend(self.updates(&branch.updates, &facts));
            parts.push(Tree::Op(Op::Branch, children));
        }
        Tree::Op(Op::Command, parts)
    }

    /// A synchronisation of few commands as plain commands: what one participant tests the others need not.
    fn combined(&self, sync: &burnside_model::chance::Synchronisation) -> Option<Vec<Tree>> {
        if sync.slots.len() < 2 {
            return None;
        }
        let mut combinations: Vec<Vec<u32>> = vec![Vec::new()];
        for slot in &sync.slots {
            combinations = combinations
                .iter()
                .flat_map(|known| slot.iter().map(|command| [&known[..], &[*command]].concat()))
                .collect();
            if combinations.len() > MAX_COMBINED {
                return None;
            }
        }
        combinations.iter().map(|commands| self.combination(commands)).collect()
    }

    /// Commands that are taken together, as one.
    fn combination(&self, commands: &[u32]) -> Option<Tree> {
        let all = |index: &u32| &self.model.commands[*index as usize];
        let mut facts = Facts::new();
        let mut guards = Vec::new();
        for command in commands.iter().map(all) {
            facts_of(&command.guard, self.model, &mut facts);
            match self.tree(&command.guard, &Facts::new()) {
                Tree::Op(Op::All, parts) => guards.extend(parts),
                other => guards.push(other),
            }
        }
        let mut branches: Vec<(Vec<Tree>, Vec<Tree>)> = vec![(Vec::new(), Vec::new())];
        for command in commands.iter().map(all) {
            let mut extended = Vec::new();
            for (weights, updates) in &branches {
                for branch in &command.branches {
                    let (mut weights, mut updates) = (weights.clone(), updates.clone());
                    weights.push(self.tree(&branch.weight, &facts));
                    updates.extend(self.updates(&branch.updates, &facts));
                    extended.push((weights, updates));
                }
            }
            branches = extended;
            if branches.len() > 4 * MAX_COMBINED {
                return None;
            }
        }
        let mut parts = vec![Tree::Op(Op::All, guards)];
        for (weights, updates) in branches {
            // A factor 1 says nothing.
            let weights =
                weights.into_iter().filter(|w| !matches!(w, Tree::Const(one) if one == "1")).collect();
            parts.push(Tree::Op(Op::Branch, [vec![Tree::Op(Op::Product, weights)], updates].concat()));
        }
        Some(Tree::Op(Op::Command, parts))
    }

    /// Updates in normal form, without those that change nothing.
    fn updates(&self, updates: &[(u32, Expr)], facts: &Facts) -> Vec<Tree> {
        let changes = updates.iter().filter(|(variable, value)| match value {
            Expr::Var(same) => same != variable,
            Expr::Int(c) => facts.get(variable) != Some(c),
            _ => true,
        });
        changes
            .map(|(variable, value)| {
                Tree::Op(Op::Update, vec![Tree::Var(*variable), self.assigned(*variable, value, facts)])
            })
            .collect()
    }

    fn assigned(&self, variable: u32, value: &Expr, facts: &Facts) -> Tree {
        let value = simplified(value, facts);
        match (&value, self.class_of.get(variable as usize).copied().flatten()) {
            (Expr::Int(c), Some(_)) => {
                Tree::Id(variable, (c - self.model.variables[variable as usize].low) as u32)
            }
            _ => self.tree(&value, &Facts::new()),
        }
    }

    /// An expression in normal form.
    fn tree(&self, expr: &Expr, facts: &Facts) -> Tree {
        let expr = if facts.is_empty() { expr.clone() } else { simplified(expr, facts) };
        let go = |e: &Expr| self.tree(e, &Facts::new());
        let op = |op: Op, parts: Vec<Tree>| Tree::Op(op, parts);
        let negative = |e: Tree| Tree::Op(Op::Product, vec![Tree::Const("-1".to_owned()), e]);
        match &expr {
            Expr::Bool(b) => Tree::Const(b.to_string()),
            Expr::Int(i) => Tree::Const(i.to_string()),
            Expr::Real(Real::Exact(r)) => Tree::Const(r.to_string()),
            Expr::Real(Real::Float(r)) => Tree::Const(format!("{r:?}f")),
            Expr::Var(v) => Tree::Var(*v),
            Expr::Not(e) => match go(e) {
                Tree::Op(Op::Not, mut inner) => inner.remove(0),
                other => op(Op::Not, vec![other]),
            },
            Expr::Neg(e) => negative(go(e)),
            Expr::Binary(Binary::And, ..) => self.conjunction(&expr),
            Expr::Binary(Binary::Or, ..) => flat(Op::Any, &expr, Binary::Or, &go),
            Expr::Binary(Binary::Implies, a, b) => op(Op::Any, vec![op(Op::Not, vec![go(a)]), go(b)]),
            Expr::Binary(Binary::Eq | Binary::Iff, a, b) => self.same_tree(a, b),
            Expr::Binary(Binary::Ne, a, b) => op(Op::Not, vec![self.same_tree(a, b)]),
            Expr::Binary(Binary::Lt, a, b) => op(Op::Less, vec![go(a), go(b)]),
            Expr::Binary(Binary::Gt, a, b) => op(Op::Less, vec![go(b), go(a)]),
            Expr::Binary(Binary::Le, a, b) => op(Op::AtMost, vec![go(a), go(b)]),
            Expr::Binary(Binary::Ge, a, b) => op(Op::AtMost, vec![go(b), go(a)]),
            Expr::Binary(Binary::Add, ..) => flat(Op::Sum, &expr, Binary::Add, &go),
            Expr::Binary(Binary::Sub, a, b) => op(Op::Sum, vec![go(a), negative(go(b))]),
            Expr::Binary(Binary::Mul, ..) => flat(Op::Product, &expr, Binary::Mul, &go),
            Expr::Binary(Binary::Div, a, b) => op(Op::Quotient, vec![go(a), go(b)]),
            Expr::If(parts) => op(Op::Choice, parts.iter().map(go).collect()),
            Expr::Call(function, arguments) => op(Op::Call(*function), arguments.iter().map(go).collect()),
            Expr::IsInitial => Tree::Const("init".to_owned()),
            Expr::IsDeadlock => Tree::Const("deadlock".to_owned()),
            Expr::Nested(_) | Expr::Column(..) => Tree::Const("operator".to_owned()),
        }
    }

    fn same_tree(&self, a: &Expr, b: &Expr) -> Tree {
        let class = |v: u32| self.class_of.get(v as usize).copied().flatten();
        match (a, b) {
            (Expr::Var(v), Expr::Int(c)) | (Expr::Int(c), Expr::Var(v)) if class(*v).is_some() => {
                let declared = &self.model.variables[*v as usize];
                if *c < declared.low || *c > declared.high {
                    return Tree::Const("false".to_owned());
                }
                Tree::Op(Op::Same, vec![Tree::Var(*v), Tree::Id(*v, (c - declared.low) as u32)])
            }
            _ => Tree::Op(Op::Same, vec![self.tree(a, &Facts::new()), self.tree(b, &Facts::new())]),
        }
    }

    /// A conjunction; chains of equal variables, `a=b & b=c`, say that all of them are equal.
    fn conjunction(&self, expr: &Expr) -> Tree {
        let mut parts = Vec::new();
        crate::build::conjuncts(expr, &mut parts);
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut trees = Vec::new();
        for part in parts {
            if let Expr::Binary(Binary::Eq | Binary::Iff, a, b) = part
                && let (Expr::Var(a), Expr::Var(b)) = (&**a, &**b)
            {
                let mut joined = vec![*a, *b];
                groups.retain(|group| {
                    let meets = group.contains(a) || group.contains(b);
                    if meets {
                        joined.extend(group);
                    }
                    !meets
                });
                joined.sort_unstable();
                joined.dedup();
                groups.push(joined);
            } else {
                trees.push(self.tree(part, &Facts::new()));
            }
        }
        for group in groups {
            trees.push(Tree::Op(Op::AllSame, group.into_iter().map(Tree::Var).collect()));
        }
        Tree::Op(Op::All, trees)
    }

    /// Which variables hold ids: compared with constants or each other, assigned constants or each other, and nothing else.
    fn classes(&self, rewards: &[u32], atoms: &[&Expr]) -> Vec<Option<u32>> {
        let model = self.model;
        let count = model.variables.len();
        let mut fits: Vec<bool> =
            model.variables.iter().map(|v| !v.boolean && v.size() <= 64 && v.size() > 1).collect();
        let mut links: Vec<(u32, u32)> = Vec::new();
        let mut visit = |expr: &Expr| uses(expr, &mut fits, &mut links);
        let mut assigned = Vec::new();
        for command in &model.commands {
            visit(&command.guard);
            let mut facts = Facts::new();
            facts_of(&command.guard, model, &mut facts);
            for branch in &command.branches {
                visit(&simplified(&branch.weight, &facts));
                for (variable, value) in &branch.updates {
                    match simplified(value, &facts) {
                        Expr::Int(_) => {}
                        Expr::Var(other) => assigned.push((*variable, Some(other))),
                        value => {
                            visit(&value);
                            assigned.push((*variable, None));
                        }
                    }
                }
            }
        }
        for structure in rewards {
            for item in &model.rewards[*structure as usize].items {
                visit(&item.guard);
                let mut facts = Facts::new();
                facts_of(&item.guard, model, &mut facts);
                visit(&simplified(&item.value, &facts));
            }
        }
        atoms.iter().for_each(|atom| visit(atom));
        if let Initial::Where(condition) = &model.initial {
            visit(condition);
        }
        for (variable, other) in assigned {
            match other {
                Some(other) => links.push((variable, other)),
                None => fits[variable as usize] = false,
            }
        }
        let mut class: Vec<u32> = (0..count as u32).collect();
        loop {
            let mut changed = false;
            for (a, b) in &links {
                let (x, y) = (*a as usize, *b as usize);
                let alike = model.variables[x].size() == model.variables[y].size()
                    && model.variables[x].low == model.variables[y].low;
                if fits[x] != fits[y] || !alike && fits[x] {
                    (fits[x], fits[y]) = (false, false);
                    changed = true;
                }
                let least = class[x].min(class[y]);
                changed |= class[x] != least || class[y] != least;
                (class[x], class[y]) = (least, least);
            }
            if !changed {
                break;
            }
        }
        (0..count).map(|v| fits[v].then_some(class[v])).collect()
    }
}

/// Marks variables that are used as more than ids.
fn uses(expr: &Expr, fits: &mut [bool], links: &mut Vec<(u32, u32)>) {
    match expr {
        Expr::Var(v) => fits[*v as usize] = false,
        Expr::Binary(Binary::Eq | Binary::Ne, a, b) => match (&**a, &**b) {
            (Expr::Var(_), Expr::Int(_)) | (Expr::Int(_), Expr::Var(_)) => {}
            (Expr::Var(a), Expr::Var(b)) => links.push((*a, *b)),
            _ => {
                uses(a, fits, links);
                uses(b, fits, links);
            }
        },
        Expr::Not(e) | Expr::Neg(e) => uses(e, fits, links),
        Expr::Binary(_, a, b) => {
            uses(a, fits, links);
            uses(b, fits, links);
        }
        Expr::If(parts) => parts.iter().for_each(|part| uses(part, fits, links)),
        Expr::Call(_, arguments) => arguments.iter().for_each(|argument| uses(argument, fits, links)),
        _ => {}
    }
}

fn flat(op: Op, expr: &Expr, same: Binary, go: &impl Fn(&Expr) -> Tree) -> Tree {
    fn collect<'e>(expr: &'e Expr, same: Binary, found: &mut Vec<&'e Expr>) {
        match expr {
            Expr::Binary(op, a, b) if *op == same => {
                collect(a, same, found);
                collect(b, same, found);
            }
            _ => found.push(expr),
        }
    }
    let mut parts = Vec::new();
    collect(expr, same, &mut parts);
    Tree::Op(op, parts.into_iter().map(go).collect())
}

/// The tests `x = c` that a guard requires.
fn facts_of(guard: &Expr, model: &Model, facts: &mut Facts) {
    let mut parts = Vec::new();
    crate::build::conjuncts(guard, &mut parts);
    for part in parts {
        if let Expr::Binary(Binary::Eq, a, b) = part
            && let (Expr::Var(v), Expr::Int(c)) | (Expr::Int(c), Expr::Var(v)) = (&**a, &**b)
            && !model.variables[*v as usize].boolean
        {
            facts.insert(*v, *c);
        }
    }
}

/// An expression with known variables replaced, and constant parts evaluated.
fn simplified(expr: &Expr, facts: &Facts) -> Expr {
    let go = |e: &Expr| Box::new(simplified(e, facts));
    let constant = |e: &Expr| matches!(e, Expr::Bool(_) | Expr::Int(_) | Expr::Real(_));
    let (found, known) = match expr {
        Expr::Var(v) => return facts.get(v).map_or_else(|| expr.clone(), |c| Expr::Int(*c)),
        Expr::Not(e) => {
            let e = go(e);
            let known = constant(&e);
            (Expr::Not(e), known)
        }
        Expr::Neg(e) => {
            let e = go(e);
            let known = constant(&e);
            (Expr::Neg(e), known)
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = (go(a), go(b));
            let known = constant(&a) && constant(&b);
            (Expr::Binary(*op, a, b), known)
        }
        Expr::If(parts) => {
            let parts = [*go(&parts[0]), *go(&parts[1]), *go(&parts[2])];
            let known = parts.iter().all(constant);
            (Expr::If(Box::new(parts)), known)
        }
        Expr::Call(function, arguments) => {
            let arguments: Vec<Expr> = arguments.iter().map(|e| *go(e)).collect();
            let known = arguments.iter().all(constant);
            (Expr::Call(*function, arguments), known)
        }
        other => return other.clone(),
    };
    if !known {
        return found;
    }
    match eval(&found, &[], &|_| false) {
        Ok(Value::Bool(b)) => Expr::Bool(b),
        Ok(Value::Int(i)) => Expr::Int(i),
        Ok(Value::Real(r)) => Expr::Real(r),
        Err(_) => found,
    }
}
