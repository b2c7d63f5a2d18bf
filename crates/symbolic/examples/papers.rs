//! Times of the component-wise reductions on the systems of paper 000.
//!
//! `papers mutex|rw N [dynamic|levels|component|state|none] [insertion|bubble] [order of the local states, such as 201] [first|last]`

#[path = "../tests/systems/mod.rs"]
mod systems;

use std::ops::ControlFlow;
use std::time::Instant;

use burnside_model::stack::{diagram_thread, in_thread};
use burnside_symbolic::bdd::Manager;
use burnside_symbolic::reduce::alpha::{Alpha, Sorting};
use burnside_symbolic::reduce::component;
use burnside_symbolic::reduce::dynamic;
use burnside_symbolic::reduce::order::LocalOrder;
use burnside_symbolic::reduce::space::Which;
use burnside_symbolic::reduce::{Image, Relations};

fn main() {
    in_thread(diagram_thread(), run).unwrap();
}

fn run() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument =
        |at: usize, default: &'static str| arguments.get(at).map_or(default, String::as_str).to_owned();
    let n: usize = argument(1, "50").parse().unwrap();
    let is_mutex = argument(0, "mutex") == "mutex";
    let (space, variables) = if is_mutex {
        systems::mutex_space(n, argument(5, "first") == "first")
    } else {
        systems::readers_writers_space(n)
    };
    let manager = Manager::new(variables, 2 << 30);
    let build = if is_mutex { systems::mutex } else { systems::readers_writers };
    let mut system = build(&manager, space.clone()).unwrap();
    let sorting = if argument(3, "insertion") == "bubble" { Sorting::Bubble } else { Sorting::Insertion };
    let codes: Vec<u64> = argument(4, "012").chars().map(|c| u64::from(c.to_digit(10).unwrap())).collect();
    let order = LocalOrder::default().with(0, &codes).unwrap();
    let order = if is_mutex { order } else { order.with(1, &codes).unwrap() };
    let start = Instant::now();
    let alpha = Alpha::new(&manager, &space, &order, Which::Current, sorting).unwrap();
    println!("moves after {:.2?}", start.elapsed());
    let mut found = 0;
    let initial = system.initial.clone();
    let observe = |_: &_| {
        found += 1;
        Ok(ControlFlow::Continue(()))
    };
    let reached = match argument(2, "state").as_str() {
        "dynamic" => dynamic::by_chaining(&manager, &mut system, &alpha, &initial, observe).unwrap(),
        "levels" => dynamic::by_levels(&manager, &mut system, &alpha, &initial, observe).unwrap(),
        "component" => component::reachable(&manager, &mut system, &alpha, false, &initial, observe).unwrap(),
        "none" => {
            let mut reached = initial;
            loop {
                let before = reached.clone();
                for at in 0..system.parts().len() {
                    let image = system.part(at).unwrap().image(&reached).unwrap();
                    reached = reached.or(&image).unwrap();
                }
                if reached == before {
                    break reached;
                }
            }
        }
        _ => component::reachable(&manager, &mut system, &alpha, true, &initial, observe).unwrap(),
    };
    manager.nodes();
    println!(
        "{} representatives in {:.2?}, {found} sets, {} nodes in the end, peaks {:?}",
        reached.count(space.variables(Which::Current).count()),
        start.elapsed(),
        reached.size(),
        manager.peaks()
    );
}
