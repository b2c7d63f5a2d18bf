//! The sizes of the orbit relation in the survey's Table 1, exactly.
//!
//! One bit vector per component, most significant first, no constraint on its range; *concatenated* orders the bits by
//! component, *interleaved* by significance, and the two copies of a bit are neighbours in both.

use burnside_model::code::DomainKind;
use burnside_model::stack::{diagram_thread, in_thread};
use burnside_symbolic::bdd::Manager;
use burnside_symbolic::reduce::orbit_relation::orbit_relation;
use burnside_symbolic::reduce::space::{Cell, Domain, Space};

#[derive(Clone, Copy)]
enum Order {
    Concatenated,
    Interleaved,
}

/// Nodes of the orbit relation of n components with l local states, the terminal included.
fn size(n: u32, l: u32, order: Order) -> usize {
    let width = l.next_power_of_two().ilog2();
    let place = |component: u32, bit: u32| match order {
        Order::Concatenated => component * width + bit,
        Order::Interleaved => bit * n + component,
    };
    let bits = |component: u32, copy: u32| (0..width).map(|bit| 2 * place(component, bit) + copy).collect();
    let cell = |component: u32| Cell {
        indices: vec![(0, component as usize)],
        bits: [bits(component, 0), bits(component, 1)],
        ..Cell::default()
    };
    let domains = vec![Domain { kind: DomainKind::Full, size: n as usize }];
    let space = Space::new(domains, (0..n).map(cell).collect()).unwrap();
    in_thread(diagram_thread(), move || {
        let manager = Manager::new(2 * (n * width) as usize, 1 << 30);
        orbit_relation(&manager, &space).unwrap().size()
    })
    .unwrap()
}

#[test]
fn sizes_in_the_surveys_table_1() {
    for (n, l, concatenated, interleaved) in [
        (3, 4, 160, 131),
        (5, 4, 934, 2_373),
        (3, 8, 1_403, 363),
        (5, 8, 31_249, 40_655),
        (3, 10, 9_174, 601),
    ] {
        assert_eq!(size(n, l, Order::Concatenated), concatenated, "concatenated, n = {n}, l = {l}");
        assert_eq!(size(n, l, Order::Interleaved), interleaved, "interleaved, n = {n}, l = {l}");
    }
    assert_eq!(size(10, 4, Order::Concatenated), 11_997);
    assert_eq!(size(6, 8, Order::Concatenated), 109_304);
    assert_eq!(size(5, 10, Order::Interleaved), 113_101);
    assert_eq!(size(6, 8, Order::Interleaved), 527_227);
    assert_eq!(size(5, 10, Order::Concatenated), 923_652);
}

#[test]
#[ignore = "takes minutes"]
fn large_sizes_in_the_surveys_table_1() {
    assert_eq!(size(6, 10, Order::Interleaved), 2_366_661);
    assert_eq!(size(10, 4, Order::Interleaved), 2_341_690);
}
