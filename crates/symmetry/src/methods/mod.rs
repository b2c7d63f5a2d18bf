//! Other ways to choose representatives, by the names of the systems that introduced them, for comparison.
//!
//! Whatever state of its orbit stands for a state, a search is sound; if it is not the same one for the whole orbit, less
//! is saved. These work on unpacked states and are written for clarity: the fast form is the default one.
//! Source: survey, §4.3 and §4.4.

mod first_seen;
mod flood;
mod invariant;
mod local_search;
mod markers;
mod segmented;
mod sorted;

use burnside_model::code::Cell;

use self::first_seen::FirstSeen;
use self::flood::Flood;
use self::local_search::LocalSearch;
use self::markers::Markers;
use self::segmented::Segmented;
use self::sorted::Sorted;
use crate::action::Action;
use crate::canonical::Exhaustive;

/// How representatives are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Canon {
    /// The exact form: sorting, colour refinement, search.
    #[default]
    Refine,
    /// The least state of the orbit, by trying every permutation (Murphi).
    Exhaustive,
    /// Sorted by what is not an id (SymmSpin): several representatives per orbit.
    Sorted,
    /// The least of all that are sorted so (SymmSpin).
    Segmented,
    /// The first state of the orbit that is met, found by a hash that is the same for the orbit (SMC).
    FirstSeen,
    /// The same, but the whole orbit is added to the reached states (ProB).
    Flood,
    /// The first state with the same marker, which is another's at times: approximate (ProB).
    Markers,
    /// Exchanges of neighbours as long as the state becomes less (TopSPIN): several representatives per orbit.
    LocalSearch,
}

impl Canon {
    /// All of them.
    pub const ALL: [Canon; 8] = [
        Canon::Refine,
        Canon::Exhaustive,
        Canon::Sorted,
        Canon::Segmented,
        Canon::FirstSeen,
        Canon::Flood,
        Canon::Markers,
        Canon::LocalSearch,
    ];

    /// Its name, as in `--canon`.
    pub fn name(self) -> &'static str {
        match self {
            Canon::Refine => "refine",
            Canon::Exhaustive => "exhaustive",
            Canon::Sorted => "sorted",
            Canon::Segmented => "segmented",
            Canon::FirstSeen => "first-seen",
            Canon::Flood => "flood",
            Canon::Markers => "markers",
            Canon::LocalSearch => "local-search",
        }
    }

    /// Whether each orbit has one representative.
    pub fn is_exact(self) -> bool {
        !matches!(self, Canon::Sorted | Canon::Markers | Canon::LocalSearch)
    }

    /// Whether states of different orbits may be taken for one.
    pub fn is_approximate(self) -> bool {
        self == Canon::Markers
    }

    /// Whether what stands for a state depends on what was met before.
    pub fn remembers(self) -> bool {
        matches!(self, Canon::FirstSeen | Canon::Flood | Canon::Markers)
    }

    /// Whether it works for groups of all permutations only.
    pub fn sorts(self) -> bool {
        matches!(self, Canon::Sorted | Canon::Segmented)
    }

    /// Whether all permutations may have to be tried.
    pub fn enumerates(self) -> bool {
        matches!(self, Canon::Exhaustive | Canon::Segmented | Canon::Flood)
    }
}

/// Chooses a state to stand for each.
pub(crate) trait Choose {
    /// Puts what stands for `state` into `chosen`: a state of its orbit, unless the way is approximate.
    fn choose(&mut self, state: &[Cell], chosen: &mut Vec<Cell>);
}

/// One of the other ways; clones share what they remember.
#[derive(Clone, Debug)]
pub(crate) enum Other {
    Exhaustive(Exhaustive),
    Sorted(Sorted),
    Segmented(Segmented),
    FirstSeen(Box<FirstSeen>),
    Flood(Flood),
    Markers(Markers),
    LocalSearch(LocalSearch),
}

impl Other {
    /// `None` for the default way.
    pub fn new(canon: Canon, action: &Action) -> Option<Self> {
        let action = action.clone();
        Some(match canon {
            Canon::Refine => return None,
            Canon::Exhaustive => Other::Exhaustive(Exhaustive::new(action)),
            Canon::Sorted => Other::Sorted(Sorted::new(action)),
            Canon::Segmented => Other::Segmented(Segmented::new(action)),
            Canon::FirstSeen => Other::FirstSeen(Box::new(FirstSeen::new(action))),
            Canon::Flood => Other::Flood(Flood::new(action)),
            Canon::Markers => Other::Markers(Markers::new(action)),
            Canon::LocalSearch => Other::LocalSearch(LocalSearch::new(action)),
        })
    }

    /// How many states were reached, where that is not what is stored.
    pub fn reached(&self) -> Option<u64> {
        match self {
            Other::Flood(flood) => Some(flood.reached()),
            _ => None,
        }
    }
}

impl Choose for Other {
    fn choose(&mut self, state: &[Cell], chosen: &mut Vec<Cell>) {
        match self {
            Other::Exhaustive(way) => way.choose(state, chosen),
            Other::Sorted(way) => way.choose(state, chosen),
            Other::Segmented(way) => way.choose(state, chosen),
            Other::FirstSeen(way) => way.choose(state, chosen),
            Other::Flood(way) => way.choose(state, chosen),
            Other::Markers(way) => way.choose(state, chosen),
            Other::LocalSearch(way) => way.choose(state, chosen),
        }
    }
}

impl Choose for Exhaustive {
    fn choose(&mut self, state: &[Cell], chosen: &mut Vec<Cell>) {
        *chosen = self.canonicalise(state).0;
    }
}
