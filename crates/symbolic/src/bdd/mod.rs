//! Decision diagrams, and the only folder that names the package they come from.
//!
//! Reduced ordered binary decision diagrams with complement edges and one terminal. Every operation may run out of
//! nodes: the room is fixed when a [`Manager`] is made, from a memory limit. An operation that runs out collects
//! garbage and tries once more; then it is an error that the caller can report, never an abort.
//!
//! Operations recurse over the levels: use [`burnside_model::stack::diagram_thread`] around everything that touches a diagram.

pub mod rows;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::ops::{Add, Shl, Shr};

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::{AllocResult, FxHasher, IsFloatingPoint, OptBool, SatCountCache};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel as _,
    InnerNode as _, Manager as _, ManagerRef, Node, Subst,
};

use burnside_model::Count;

/// A variable, by its number. Until reordered, the number is also the level: 0 is at the top.
pub type Var = u32;

/// There is no room for another node, even after collecting garbage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfNodes {
    /// Nodes that were live.
    pub nodes: usize,
}

impl std::fmt::Display for OutOfNodes {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "no room for more than {} nodes of decision diagrams", self.nodes)
    }
}

impl std::error::Error for OutOfNodes {}

/// What an operation on diagrams gives.
pub type Result<T> = std::result::Result<T, OutOfNodes>;

/// A Boolean function. Equal functions are equal handles; cloning is cheap.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bdd(BCDDFunction);

impl Hash for Bdd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

/// Where diagrams live.
pub struct Manager {
    manager: BCDDManagerRef,
    /// Bytes that there are.
    memory: usize,
    /// Nodes that fit.
    capacity: usize,
    /// The most nodes seen, garbage included.
    peak: Cell<usize>,
    /// The most nodes seen just after a collection.
    live_peak: Cell<usize>,
    /// The number of nodes at which collecting garbage is worth its price.
    threshold: Cell<usize>,
    /// The least that it can be.
    few: usize,
    /// Told of new peaks.
    observer: Option<Observer>,
    /// If variables are reordered between steps: how far that is.
    reordering: Option<RefCell<Reordering>>,
    /// Constants, made once.
    constants: [Bdd; 2],
    /// Variables, those that were asked for.
    vars: RefCell<Vec<Option<Bdd>>>,
}

/// The search for a better order of variables: neighbouring blocks are exchanged where that makes diagrams smaller.
struct Reordering {
    /// Variables that stay together, in their order.
    blocks: Vec<Vec<Var>>,
    /// The number of nodes at which it is worth trying again.
    threshold: usize,
}

/// Receives the peaks of [`Manager::peaks`].
type Observer = Box<dyn Fn((usize, usize))>;

/// A renaming of variables, made once so that its results are remembered from one use to the next.
pub struct Renaming(Subst<BCDDFunction>);

/// What a node takes: itself, and its share of the tables that find it, which keep the most they ever had for each level.
const BYTES_PER_NODE: usize = 64;
/// What an entry of the table of results takes.
const BYTES_PER_RESULT: usize = 20;
/// More results than this are not worth the memory.
const MOST_RESULTS: usize = 1 << 23;
/// With fewer nodes than this, or than results that would be forgotten, collecting garbage is not worth it.
const FEW_NODES: usize = 1 << 18;
/// So many nodes can always be counted.
const FEW_TO_COUNT: usize = 1 << 17;
/// With fewer nodes than this, a better order is not looked for.
const FEW_TO_REORDER: usize = 1 << 12;
/// Above more levels than this, a renaming does not say what stays.
const MOST_STAYING: u32 = 1 << 11;
/// The most passes over all blocks in a row.
const REORDER_PASSES: usize = 4;

impl Manager {
    /// Room for as many nodes as fit into so many bytes, with this many variables.
    pub fn new(variables: usize, memory: usize) -> Self {
        // The table of results is filled at once: small for few variables, which mostly have small diagrams. One that is too
        // small for the diagrams costs far more than one that is too large.
        let wanted = 1 << (12 + variables / 6).clamp(16, MOST_RESULTS.ilog2() as usize);
        let results = (memory / 8 / BYTES_PER_RESULT).clamp(1 << 10, wanted);
        let results = 1 << results.ilog2();
        let capacity = (memory.saturating_sub(results * BYTES_PER_RESULT) / BYTES_PER_NODE)
            .clamp(1 << 10, u32::MAX as usize / 2 - 2);
        let manager = new_manager(capacity, results, 1);
        let constants = manager.with_manager_exclusive(|inner| {
            inner.add_vars(variables as Var);
            [Bdd(BCDDFunction::f(inner)), Bdd(BCDDFunction::t(inner))]
        });
        Self {
            manager,
            memory,
            capacity,
            peak: Cell::new(0),
            live_peak: Cell::new(0),
            threshold: Cell::new(FEW_NODES.max(results).min(capacity / 2)),
            few: FEW_NODES.max(results),
            observer: None,
            reordering: None,
            constants,
            vars: RefCell::default(),
        }
    }

    /// The function that is always so.
    pub fn constant(&self, value: bool) -> Bdd {
        self.constants[usize::from(value)].clone()
    }

    /// The function that is what the variable is.
    pub fn var(&self, var: Var) -> Result<Bdd> {
        if let Some(Some(known)) = self.vars.borrow().get(var as usize) {
            return Ok(known.clone());
        }
        let made = self.retry(|| self.manager.with_manager_shared(|inner| BCDDFunction::var(inner, var)))?;
        let mut vars = self.vars.borrow_mut();
        let length = vars.len().max(var as usize + 1);
        vars.resize(length, None);
        vars[var as usize] = Some(made.clone());
        Ok(made)
    }

    /// The variable or its negation.
    pub fn literal(&self, var: Var, positive: bool) -> Result<Bdd> {
        let bdd = self.var(var)?;
        Ok(if positive { bdd } else { bdd.not() })
    }

    /// A conjunction of literals: one assignment, or what to restrict by.
    pub fn cube(&self, literals: impl IntoIterator<Item = (Var, bool)>) -> Result<Bdd> {
        let mut literals: Vec<_> = literals.into_iter().collect();
        literals.sort_unstable_by_key(|&(var, _)| std::cmp::Reverse(self.level(var)));
        literals
            .into_iter()
            .try_fold(self.constant(true), |cube, (var, positive)| self.literal(var, positive)?.and(&cube))
    }

    /// A set of variables, as the quantifiers take it.
    pub fn variables(&self, vars: impl IntoIterator<Item = Var>) -> Result<Bdd> {
        self.cube(vars.into_iter().map(|var| (var, true)))
    }

    /// The renaming of each first variable to its second, all at once.
    pub fn renaming(&self, pairs: &[(Var, Var)]) -> Result<Renaming> {
        let changes = pairs.iter().map(|&(from, to)| Ok((from, self.var(to)?)));
        self.substitution(changes.collect::<Result<_>>()?)
    }

    /// The replacement of each variable by a function, all at once.
    pub fn substitution(&self, mut changes: Vec<(Var, Bdd)>) -> Result<Renaming> {
        // Variables above that stay are looked up at every use, unless they are said to stay.
        let lowest = changes.iter().map(|(var, _)| self.level(*var)).max().unwrap_or(0);
        if lowest < MOST_STAYING {
            let changed: HashSet<Var> = changes.iter().map(|(var, _)| *var).collect();
            let all = self.manager.with_manager_shared(|inner| {
                (0..lowest).map(|level| inner.level_to_var(level)).collect::<Vec<_>>()
            });
            for var in all.into_iter().filter(|var| !changed.contains(var)) {
                changes.push((var, self.var(var)?));
            }
        }
        let (from, to) = changes.into_iter().map(|(var, by)| (var, by.0)).unzip();
        Ok(Renaming(Subst::new(from, to)))
    }

    /// The renaming that exchanges the variables of each pair.
    pub fn exchange(&self, pairs: &[(Var, Var)]) -> Result<Renaming> {
        let both: Vec<_> = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        self.renaming(&both)
    }

    pub fn variable_count(&self) -> usize {
        self.manager.with_manager_shared(|inner| inner.num_vars()) as usize
    }

    /// Where the variable is in the order now; 0 is the top.
    pub fn level(&self, var: Var) -> u32 {
        self.manager.with_manager_shared(|inner| inner.var_to_level(var))
    }

    /// The bytes that diagrams may take.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// How many nodes fit.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Whether assignments of what there is can be counted without using much more memory than nodes do: a count is kept
    /// for every node.
    pub fn can_count(&self) -> bool {
        self.nodes() <= (self.capacity / 6).max(FEW_TO_COUNT)
    }

    /// Nodes there are now (nearly), garbage included; also noted for the peak.
    pub fn nodes(&self) -> usize {
        let nodes = self.manager.with_manager_shared(|inner| inner.approx_num_inner_nodes());
        if nodes > self.peak.get() {
            self.peak.set(nodes);
            self.observer.iter().for_each(|observer| observer(self.peaks()));
        }
        nodes
    }

    /// Whom to tell of the peaks as they grow.
    pub fn observe(&mut self, observer: impl Fn((usize, usize)) + 'static) {
        self.observer = Some(Box::new(observer));
    }

    /// The most nodes seen by [`Self::nodes`] and the collections: with garbage, and without.
    pub fn peaks(&self) -> (usize, usize) {
        (self.peak.get(), self.live_peak.get())
    }

    /// Collects garbage, which also forgets all results; gives the nodes that are left.
    pub fn collect(&self) -> usize {
        self.nodes();
        // Exclusively: a collection that is under way in the background would make this one do nothing.
        self.manager.with_manager_exclusive(|inner| inner.gc());
        let live = self.nodes();
        self.live_peak.set(self.live_peak.get().max(live));
        self.threshold.set((2 * live).max(self.few).min(self.capacity / 2).max(live + live / 4));
        live
    }

    /// Collects garbage where there may be enough of it: to be called between the steps of a search.
    pub fn tidy(&self) {
        let nodes = self.nodes();
        if nodes >= self.threshold.get() {
            self.collect();
        }
        if let Some(reordering) = &self.reordering {
            let mut reordering = reordering.borrow_mut();
            if nodes >= reordering.threshold {
                self.reorder(&mut reordering);
            }
        }
    }

    /// From now on looks for better orders in [`Self::tidy`]. The blocks are in the order that there is.
    pub fn reorder_between_steps(&mut self, blocks: Vec<Vec<Var>>) {
        self.reordering = Some(RefCell::new(Reordering { blocks, threshold: FEW_TO_REORDER }));
    }

    /// Exchanges neighbouring blocks as long as that pays.
    fn reorder(&self, reordering: &mut Reordering) {
        let mut least = self.collect();
        // Exchanging levels needs room for new nodes.
        let has_room = least < self.capacity / 4;
        for _ in 0..REORDER_PASSES {
            let before = least;
            for at in (1..reordering.blocks.len()).filter(|_| has_room) {
                let exchange = |blocks: &mut [Vec<Var>]| {
                    blocks.swap(at - 1, at);
                    self.arrange(&blocks[at - 1..=at].concat());
                    self.collect()
                };
                match exchange(&mut reordering.blocks) {
                    fewer if fewer < least => least = fewer,
                    _ => _ = exchange(&mut reordering.blocks),
                }
            }
            if least + before / 20 > before {
                break;
            }
        }
        reordering.threshold = (4 * least).max(FEW_TO_REORDER);
    }

    /// Puts variables that are neighbours into this order.
    fn arrange(&self, order: &[Var]) {
        self.manager.with_manager_exclusive(|inner| oxidd_reorder::set_var_order_seq(inner, order));
    }

    /// Runs an operation, once more after collecting garbage where there was no room.
    fn retry(&self, operation: impl Fn() -> AllocResult<BCDDFunction>) -> Result<Bdd> {
        operation()
            .or_else(|_| {
                self.collect();
                operation()
            })
            .map(Bdd)
            .map_err(|_| OutOfNodes { nodes: self.nodes() })
    }
}

impl Bdd {
    /// The negation, at no cost.
    pub fn not(&self) -> Self {
        // With complement edges a negation makes no node, so it cannot run out of them.
        self.0.not().map_or_else(|_| unreachable!("a negation makes no node"), Self)
    }

    pub fn and(&self, other: &Self) -> Result<Self> {
        self.retry(|| self.0.and(&other.0))
    }

    pub fn or(&self, other: &Self) -> Result<Self> {
        self.retry(|| self.0.or(&other.0))
    }

    pub fn xor(&self, other: &Self) -> Result<Self> {
        self.retry(|| self.0.xor(&other.0))
    }

    pub fn equals(&self, other: &Self) -> Result<Self> {
        self.retry(|| self.0.equiv(&other.0))
    }

    /// This and not the other: the difference of sets.
    pub fn minus(&self, other: &Self) -> Result<Self> {
        self.retry(|| other.0.imp_strict(&self.0))
    }

    /// The first where this holds, else the second.
    pub fn ite(&self, then: &Self, other: &Self) -> Result<Self> {
        self.retry(|| self.0.ite(&then.0, &other.0))
    }

    /// Whether it is so for some values of the variables (see [`Manager::variables`]).
    pub fn exists(&self, variables: &Self) -> Result<Self> {
        self.retry(|| self.0.exists(&variables.0))
    }

    /// Whether it is so for all values of the variables.
    pub fn forall(&self, variables: &Self) -> Result<Self> {
        self.retry(|| self.0.forall(&variables.0))
    }

    /// Whether both are so for some values of the variables, without making the conjunction.
    pub fn and_exists(&self, other: &Self, variables: &Self) -> Result<Self> {
        self.retry(|| self.0.apply_exists(BooleanOperator::And, &other.0, &variables.0))
    }

    /// What is left when the variables of a cube have its values.
    pub fn restrict(&self, cube: &Self) -> Result<Self> {
        self.retry(|| self.0.restrict(&cube.0))
    }

    /// The function with its variables renamed.
    pub fn rename(&self, renaming: &Renaming) -> Result<Self> {
        self.retry(|| self.0.substitute(&renaming.0))
    }

    /// Whether it is never so: the empty set.
    pub fn is_false(&self) -> bool {
        !self.0.satisfiable()
    }

    pub fn is_true(&self) -> bool {
        self.0.valid()
    }

    /// Whether this implies the other: a subset.
    pub fn implies(&self, other: &Self) -> Result<bool> {
        Ok(self.minus(other)?.is_false())
    }

    /// Nodes of this function, the terminal included.
    pub fn size(&self) -> usize {
        self.0.node_count()
    }

    /// In how many assignments of so many variables, among them all that it depends on, it is so.
    pub fn count(&self, variables: usize) -> Count {
        Counter::new(variables).count(self)
    }

    /// Some assignment in which it is so, as a value per variable; `false` where it does not matter.
    pub fn pick(&self) -> Option<Vec<bool>> {
        let cube = self.0.pick_cube(|_, _, _| false)?;
        Some(cube.into_iter().map(|value| value == OptBool::True).collect())
    }

    /// The first variable in the order that it depends on.
    pub fn top(&self) -> Option<Var> {
        self.0.with_manager_shared(|inner, edge| {
            let level = inner.get_node(edge).level();
            (level < inner.num_levels()).then(|| inner.level_to_var(level))
        })
    }

    /// What is left of it when the first variable that it depends on is true, and when it is false.
    pub fn cofactors(&self) -> Option<(Self, Self)> {
        self.0.cofactors().map(|(so, not)| (Self(so), Self(not)))
    }

    /// The variables that it depends on.
    pub fn support(&self) -> HashSet<Var> {
        self.0.with_manager_shared(|inner, root| {
            let mut levels = HashSet::new();
            let mut seen = HashSet::new();
            let mut left = vec![root];
            while let Some(edge) = left.pop() {
                if let Node::Inner(node) = inner.get_node(edge)
                    && seen.insert(edge.node_id())
                {
                    levels.insert(node.level());
                    left.extend(node.children());
                }
            }
            levels.into_iter().map(|level| inner.level_to_var(level)).collect()
        })
    }

    /// Whether it is so when each variable has its value.
    pub fn eval(&self, values: &[bool]) -> bool {
        self.0.eval(values.iter().enumerate().map(|(var, &value)| (var as Var, value)))
    }

    /// As [`Manager::retry`], where there is no manager at hand.
    fn retry(&self, operation: impl Fn() -> AllocResult<BCDDFunction>) -> Result<Self> {
        operation()
            .or_else(|_| {
                self.0.manager_ref().with_manager_exclusive(|inner| inner.gc());
                operation()
            })
            .map(Self)
            .map_err(|_| OutOfNodes { nodes: self.0.with_manager_shared(|inner, _| inner.num_inner_nodes()) })
    }
}

/// Counts the assignments of several functions of so many variables; what they have in common is counted once.
pub struct Counter {
    variables: u32,
    small: SatCountCache<u128, std::hash::BuildHasherDefault<FxHasher>>,
    large: SatCountCache<Exact, std::hash::BuildHasherDefault<FxHasher>>,
}

impl Counter {
    /// For functions of so many variables.
    pub fn new(variables: usize) -> Self {
        Self { variables: variables as u32, small: SatCountCache::default(), large: SatCountCache::default() }
    }

    /// In how many assignments it is so.
    pub fn count(&mut self, function: &Bdd) -> Count {
        if self.variables < 127 {
            Count::from(function.0.sat_count(self.variables, &mut self.small))
        } else {
            function.0.sat_count(self.variables, &mut self.large).0
        }
    }
}

/// A count with what counting assignments asks of a number.
#[derive(Clone)]
struct Exact(Count);

impl From<u32> for Exact {
    fn from(value: u32) -> Self {
        Exact(value.into())
    }
}

impl Add for Exact {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Exact(self.0 + other.0)
    }
}

impl Shl<u32> for Exact {
    type Output = Self;

    fn shl(self, bits: u32) -> Self {
        Exact(self.0 << bits)
    }
}

impl Shr<u32> for Exact {
    type Output = Self;

    fn shr(self, bits: u32) -> Self {
        Exact(self.0 >> bits)
    }
}

impl IsFloatingPoint for Exact {
    const FLOATING_POINT: bool = false;
    const MIN_EXP: i32 = 0;
}

#[cfg(test)]
mod tests {
    use super::{Counter, Manager};
    use burnside_model::stack::{diagram_thread, in_thread};

    /// Pairs that lie far apart: exponential until they are brought together.
    #[test]
    fn a_better_order_is_found() {
        let pairs = 9;
        let mut manager = Manager::new(2 * pairs, 1 << 24);
        manager.reorder_between_steps((0..2 * pairs as u32).map(|var| vec![var]).collect());
        let mut some = manager.constant(false);
        for pair in 0..pairs as u32 {
            let [one, other] = [pair, pair + pairs as u32].map(|var| manager.var(var).unwrap());
            some = some.or(&one.and(&other).unwrap()).unwrap();
        }
        let (size, count) = (some.size(), some.count(2 * pairs));
        assert!(size > 500);
        while manager.nodes() < super::FEW_TO_REORDER {
            let garbage = manager.nodes() as u32;
            let bit = |var: u32| garbage >> var & 1 == 1;
            let cube = (0..2 * pairs as u32).map(|var| (var, bit(var)));
            some.xor(&manager.cube(cube).unwrap()).unwrap();
        }
        manager.tidy();
        assert!(some.size() < size / 2, "{} of {size} nodes", some.size());
        assert!(some.count(2 * pairs) == count);
        let values = some.pick().unwrap();
        assert!(some.eval(&values) && !some.eval(&vec![false; 2 * pairs]));
    }

    /// Each operation against its truth table.
    #[test]
    fn operations_do_what_they_say() {
        let manager = Manager::new(4, 1 << 22);
        let [a, b, c] = [0, 1, 2].map(|var| manager.var(var).unwrap());
        let values = |number: usize| (0..4).map(|var| number >> var & 1 == 1).collect::<Vec<_>>();
        let quantified = manager.variables([1]).unwrap();
        let swap = manager.exchange(&[(0, 2)]).unwrap();
        let f = a.ite(&b, &c).unwrap();
        for number in 0..16 {
            let v = values(number);
            let (x, y, z) = (v[0], v[1], v[2]);
            assert_eq!(a.and(&b).unwrap().eval(&v), x && y);
            assert_eq!(a.or(&b).unwrap().eval(&v), x || y);
            assert_eq!(a.xor(&b).unwrap().eval(&v), x != y);
            assert_eq!(a.equals(&b).unwrap().eval(&v), x == y);
            assert_eq!(a.minus(&b).unwrap().eval(&v), x && !y);
            assert_eq!(f.eval(&v), if x { y } else { z });
            assert_eq!(f.exists(&quantified).unwrap().eval(&v), x || z);
            assert_eq!(f.forall(&quantified).unwrap().eval(&v), !x && z);
            assert_eq!(f.and_exists(&b.not(), &quantified).unwrap().eval(&v), !x && z);
            assert_eq!(f.rename(&swap).unwrap().eval(&v), if z { y } else { x });
            assert_eq!(f.restrict(&manager.cube([(1, false), (2, true)]).unwrap()).unwrap().eval(&v), !x);
        }
        assert_eq!(f.count(4).to_u64(), Some(8));
        let mut counter = Counter::new(200);
        assert!([&f, &a, &f].map(|g| counter.count(g) == g.count(200)).into_iter().all(|same| same));
        assert_eq!(f.count(200).to_string(), (burnside_model::Count::from(1u32) << 199).to_string());
        assert_eq!(f.size(), 4);
        assert!(a.and(&b).unwrap().implies(&f).unwrap());
        assert!(f.eval(&f.pick().unwrap()));
        assert!(manager.constant(false).pick().is_none());
    }

    /// An exploding function ends in an error, and what there was is still right.
    #[test]
    fn running_out_of_nodes_is_an_error() {
        let pairs = 40;
        let manager = Manager::new(2 * pairs, 1 << 20);
        let mut sum = manager.constant(true);
        let ended = (0..pairs as u32).find_map(|i| {
            let equal = manager.var(i).unwrap().equals(&manager.var(i + pairs as u32).unwrap()).unwrap();
            match sum.and(&equal) {
                Ok(more) => {
                    sum = more;
                    None
                }
                Err(error) => Some(error),
            }
        });
        assert!(ended.is_some_and(|error| error.nodes <= manager.capacity()));
        assert!(sum.eval(&vec![true; 2 * pairs]));
        drop(sum);
        assert!(manager.collect() < 1000);
    }

    /// As many levels as a large model has, each with a call on the stack.
    #[test]
    fn many_levels_do_not_overflow_the_stack() {
        let levels = 100_000;
        let size = in_thread(diagram_thread(), || {
            let manager = Manager::new(levels, 1 << 26);
            let cube = manager.cube((0..levels as u32).map(|var| (var, true))).unwrap();
            let even = manager.variables((0..levels as u32).step_by(2)).unwrap();
            (cube.size(), cube.exists(&even).unwrap().size())
        });
        assert_eq!(size.unwrap(), (levels + 1, levels / 2 + 1));
    }
}
