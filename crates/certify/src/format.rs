//! The certificate as data, and as text: one line per item, the last with a hash of all lines before.

use std::fmt::{self, Write};

use burnside_model::DeadlockMode;
use burnside_model::code::{Cell, UNDEFINED, Undefined};

/// The images of all elements, by domain.
pub type Images = Vec<Vec<u32>>;

/// A symmetry domain that the permutations move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    pub name: String,
    /// Its position among the domains that the model declares; if it declares none such, the values that are its
    /// elements.
    pub values: Values,
}

/// Which values are the elements of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Those of a scalarset, by its position in the model.
    Declared(u32),
    /// Values of ranges and enums: how far each is from the first, and the types with the first one's value there.
    Attached(Vec<u32>, Vec<(u32, i64)>),
}

/// A permutation that generates the group, and why it is a symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    /// The permutation.
    pub images: Images,
    /// The reason, in one line; for people.
    pub why: String,
}

/// The permutation that leads from a concrete state to a listed one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The listed state, by its position.
    pub to: usize,
    /// The permutation; none moves nothing.
    pub images: Option<Images>,
}

/// A listed state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub cells: Vec<Cell>,
    /// For each step to a state, in the order of the interpreter, where it leads; none if the state is not in the sample.
    pub moves: Option<Vec<Move>>,
}

/// What is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The property at this position, an invariant or cover, holds.
    Property(usize),
    /// Nothing goes wrong at run time.
    NoError,
    /// No state is a deadlock.
    NoDeadlock,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The hash of the model's text.
    pub model: u64,
    /// Constants that were given another value.
    pub constants: Vec<(String, String)>,
    /// What may be done with an undefined value.
    pub undefined: Undefined,
    /// The most iterations of one `while` loop.
    pub loop_limit: u64,
    /// What counts as a deadlock.
    pub deadlock: DeadlockMode,
    /// The domains, in the order of the images of permutations.
    pub domains: Vec<Domain>,
    pub generators: Vec<Generator>,
    pub claims: Vec<Claim>,
    /// For each start state, in the order of the interpreter.
    pub starts: Vec<Move>,
    pub states: Vec<Entry>,
}

pub(crate) const FIRST_LINE: &str = "burnside certificate 1";

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.lines();
        writeln!(f, "{text}end {:016x}", crate::hash(&text))
    }
}

impl Certificate {
    /// All lines but the last.
    fn lines(&self) -> String {
        let mut text = format!("{FIRST_LINE}\nmodel {:016x}\n", self.model);
        for (name, value) in &self.constants {
            let _ = writeln!(text, "constant {name} {value}");
        }
        let undefined = self.undefined.name();
        let deadlock = match self.deadlock {
            DeadlockMode::Off => "off",
            DeadlockMode::Stuck => "stuck",
            DeadlockMode::Stuttering => "stuttering",
        };
        let _ = writeln!(text, "undefined {undefined}\nloop-limit {}\ndeadlock {deadlock}", self.loop_limit);
        for domain in &self.domains {
            let values = match &domain.values {
                Values::Declared(position) => format!("declared {position}"),
                Values::Attached(offsets, types) => {
                    let types: Vec<_> = types.iter().map(|(ty, first)| format!("{ty}@{first}")).collect();
                    format!("attached {} {}", list(offsets), types.join(","))
                }
            };
            let _ = writeln!(text, "domain {values} {}", domain.name);
        }
        for generator in &self.generators {
            let _ = writeln!(text, "generator {} {}", show(&generator.images), generator.why);
        }
        for claim in &self.claims {
            let _ = match claim {
                Claim::Property(property) => writeln!(text, "claim property {property}"),
                Claim::NoError => writeln!(text, "claim no-error"),
                Claim::NoDeadlock => writeln!(text, "claim no-deadlock"),
            };
        }
        moves(&mut text, "start", &self.starts);
        for entry in &self.states {
            text.push_str("state");
            for cell in &entry.cells {
                let _ = if *cell == UNDEFINED { write!(text, " _") } else { write!(text, " {cell}") };
            }
            text.push('\n');
            if let Some(next) = &entry.moves {
                moves(&mut text, "next", next);
            }
        }
        text
    }
}

fn moves(text: &mut String, word: &str, moves: &[Move]) {
    text.push_str(word);
    for step in moves {
        let _ = match &step.images {
            Some(images) => write!(text, " {}:{}", step.to, show(images)),
            None => write!(text, " {}", step.to),
        };
    }
    text.push('\n');
}

fn list(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// `1,0,2/0,1`: the images of one domain after the other.
fn show(images: &Images) -> String {
    images.iter().map(|images| list(images)).collect::<Vec<_>>().join("/")
}
