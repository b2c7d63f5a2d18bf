//! Circuits: and-inverter graphs, one more algebra in which `encode` makes its functions.
//!
//! A function is a reference: the number of a node, times two, plus one if it is negated. Node 0 is the constant *false*,
//! so reference 0 is *false* and 1 is *true*. Equal conjunctions are made once (structural hashing), and constants are
//! folded, as [`Algebra`] asks. Nothing is ever removed: a circuit lives as long as one question.

use std::collections::HashMap;
use std::convert::Infallible;

use burnside_encode::Algebra;

/// A function: twice the number of its node, plus one if negated.
pub type Ref = u32;

/// The function that is always false.
pub const FALSE: Ref = 0;
/// The function that is always true.
pub const TRUE: Ref = 1;

/// What marks a node as an input.
const INPUT: (Ref, Ref) = (Ref::MAX, Ref::MAX);

/// An and-inverter graph.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// The operands of each conjunction, by node; inputs are marked.
    nodes: Vec<(Ref, Ref)>,
    /// The node of each conjunction.
    known: HashMap<(Ref, Ref), Ref>,
}

impl Circuit {
    /// A circuit whose first inputs are so many bits of a state.
    pub fn new(bits: usize) -> Self {
        let mut circuit = Circuit { nodes: vec![INPUT], known: HashMap::new() };
        for _ in 0..bits {
            circuit.input();
        }
        circuit
    }

    /// One more input.
    pub fn input(&mut self) -> Ref {
        self.nodes.push(INPUT);
        (self.nodes.len() as Ref - 1) << 1
    }

    /// How many nodes there are, the constant included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The operands of a node; none if it is an input or the constant.
    pub fn operands(&self, node: u32) -> Option<(Ref, Ref)> {
        Some(self.nodes[node as usize]).filter(|operands| *operands != INPUT)
    }

    /// The bit of the state at this position.
    pub fn bit(&self, bit: usize) -> Ref {
        (bit as Ref + 1) << 1
    }

    pub fn both(&mut self, f: Ref, g: Ref) -> Ref {
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if f == FALSE || f == g ^ 1 {
            return FALSE;
        }
        if f == TRUE || f == g {
            return g;
        }
        if let Some(node) = self.known.get(&(f, g)) {
            return *node;
        }
        let node = (self.nodes.len() as Ref) << 1;
        self.nodes.push((f, g));
        self.known.insert((f, g), node);
        node
    }

    /// At least one of two.
    pub fn either(&mut self, f: Ref, g: Ref) -> Ref {
        self.both(f ^ 1, g ^ 1) ^ 1
    }

    /// `if c then f else g`
    pub fn choice(&mut self, c: Ref, f: Ref, g: Ref) -> Ref {
        if f == g || c == TRUE {
            return f;
        }
        if c == FALSE {
            return g;
        }
        let (yes, no) = (self.both(c, f), self.both(c ^ 1, g));
        self.either(yes, no)
    }

    /// All of them, by halves.
    pub fn all(&mut self, mut list: Vec<Ref>) -> Ref {
        while list.len() > 1 {
            list = list
                .chunks(2)
                .map(|pair| if let [f, g] = pair { self.both(*f, *g) } else { pair[0] })
                .collect();
        }
        list.pop().unwrap_or(TRUE)
    }

    pub fn any(&mut self, list: Vec<Ref>) -> Ref {
        self.all(list.into_iter().map(|f| f ^ 1).collect()) ^ 1
    }

    /// Whether bits, most significant first, are those of a number.
    pub fn equals(&mut self, bits: &[Ref], number: u64) -> Ref {
        let places = (0..bits.len()).rev();
        let literals = bits.iter().zip(places).map(|(bit, place)| bit ^ u32::from(number >> place & 1 == 0));
        let literals = literals.collect();
        self.all(literals)
    }
}

impl Algebra for Circuit {
    type F = Ref;
    type Error = Infallible;

    fn constant(&mut self, value: bool) -> Ref {
        Ref::from(value)
    }

    fn var(&mut self, bit: usize) -> Result<Ref, Infallible> {
        Ok(self.bit(bit))
    }

    fn not(&mut self, f: &Ref) -> Result<Ref, Infallible> {
        Ok(f ^ 1)
    }

    fn and(&mut self, f: &Ref, g: &Ref) -> Result<Ref, Infallible> {
        Ok(self.both(*f, *g))
    }

    fn or(&mut self, f: &Ref, g: &Ref) -> Result<Ref, Infallible> {
        Ok(self.either(*f, *g))
    }

    fn xor(&mut self, f: &Ref, g: &Ref) -> Result<Ref, Infallible> {
        Ok(self.choice(*f, *g ^ 1, *g))
    }

    fn ite(&mut self, c: &Ref, f: &Ref, g: &Ref) -> Result<Ref, Infallible> {
        Ok(self.choice(*c, *f, *g))
    }

    fn is_false(&self, f: &Ref) -> bool {
        *f == FALSE
    }

    fn is_true(&self, f: &Ref) -> bool {
        *f == TRUE
    }
}
