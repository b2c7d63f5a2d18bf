use burnside_counting::*;
use burnside_model::code::{DomainId, Semantics};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let source = burnside_lang::source::Source::new("test.m", text);
    let constants: Vec<_> = args[2..]
        .iter()
        .map(|a| {
            let (n, v) = a.split_once('=').unwrap();
            (n.to_owned(), v.to_owned())
        })
        .collect();
    let model = burnside_lang::murphi::load(&source, &constants).0.unwrap();
    let begun = std::time::Instant::now();
    let all: Vec<_> = (0..model.types.domains.len() as u32).map(DomainId).collect();
    let (domains, refusals) = countable(&model, &all);
    println!("{refusals:?}");
    let counting = Counting::new(&model, Semantics::default(), &domains, 64);
    std::thread::scope(|s| {
        std::thread::Builder::new()
            .stack_size(1 << 30)
            .spawn_scoped(s, || {
                let mut reach = Reach::new(&counting, 1 << 26, None).expect("adds up");
                let found = reach.run();
                println!("{found:?}\n{:?} locals {}", begun.elapsed(), counting.locals());
            })
            .unwrap();
    });
}
