//! The survey's Table 1: how large the orbit relation is as a decision diagram, for full symmetry of n components with l
//! local states each and nothing else, in two orders of variables.
//!
//! One bit vector per component, most significant first, no constraint on its range; *concatenated* orders the bits by
//! component, *interleaved* by significance, and the two copies of a bit are neighbours in both. Sizes count nodes with
//! complement edges, the one terminal included; the survey's come out exactly. Peaks depend on the package.

use burnside_model::code::DomainKind;
use burnside_model::stack::{diagram_thread, in_thread};
use burnside_symbolic::bdd::Manager;
use burnside_symbolic::reduce::orbit_relation::orbit_relation;
use burnside_symbolic::reduce::space::{Cell, Domain, Space};

/// The name of the table.
pub const NAME: &str = "survey-1";

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// `concatenated` or `interleaved`.
    pub order: &'static str,
    /// Components.
    pub n: u32,
    /// Local states.
    pub l: u32,
    /// The size of the relation in the survey, if it could be built.
    pub size: Option<usize>,
    /// The most nodes at a time in the survey.
    pub peak: Option<usize>,
}

const fn entry(order: &'static str, n: u32, l: u32, size: usize, peak: usize) -> Entry {
    Entry { order, n, l, size: Some(size), peak: Some(peak) }
}

/// The table.
pub const ENTRIES: &[Entry] = &[
    entry("concatenated", 3, 4, 160, 395),
    entry("concatenated", 5, 4, 934, 4_691),
    entry("concatenated", 10, 4, 11_997, 835_493),
    entry("concatenated", 3, 8, 1_403, 2_888),
    entry("concatenated", 5, 8, 31_249, 218_653),
    entry("concatenated", 6, 8, 109_304, 2_070_148),
    entry("concatenated", 3, 10, 9_174, 19_429),
    entry("concatenated", 5, 10, 923_652, 7_644_943),
    Entry { order: "concatenated", n: 6, l: 10, size: None, peak: None },
    entry("interleaved", 3, 4, 131, 263),
    entry("interleaved", 5, 4, 2_373, 6_232),
    entry("interleaved", 10, 4, 2_341_690, 20_445_935),
    entry("interleaved", 3, 8, 363, 588),
    entry("interleaved", 5, 8, 40_655, 62_750),
    entry("interleaved", 6, 8, 527_227, 965_863),
    entry("interleaved", 3, 10, 601, 1_002),
    entry("interleaved", 5, 10, 113_101, 153_913),
    entry("interleaved", 6, 10, 2_366_661, 3_401_045),
];

/// The size of the relation, and the most nodes at a time, garbage included.
pub fn build(order: &str, n: u32, l: u32, memory: usize) -> Result<(usize, usize), String> {
    let width = l.next_power_of_two().ilog2();
    let place = |component: u32, bit: u32| match order {
        "concatenated" => component * width + bit,
        _ => bit * n + component,
    };
    let bits = |component: u32, copy: u32| (0..width).map(|bit| 2 * place(component, bit) + copy).collect();
    let cell = |component: u32| Cell {
        indices: vec![(0, component as usize)],
        bits: [bits(component, 0), bits(component, 1)],
        ..Cell::default()
    };
    let domains = vec![Domain { kind: DomainKind::Full, size: n as usize }];
    let space = Space::new(domains, (0..n).map(cell).collect()).map_err(|error| format!("{error:?}"))?;
    let built = in_thread(diagram_thread(), move || {
        let manager = Manager::new(2 * (n * width) as usize, memory);
        let size = orbit_relation(&manager, &space).map(|relation| relation.size());
        manager.nodes();
        size.map(|size| (size, manager.peaks().0)).map_err(|_| "memory".to_owned())
    });
    built.map_err(|error| error.to_string())?
}
