//! Adaptive symmetry reduction on models written by hand.

use burnside_explicit::{Config, Exploration, adaptive};
use burnside_lang::murphi::load;
use burnside_lang::source::Source;
use burnside_model::code::{Domain, DomainId, Semantics, TypeKind};
use burnside_model::system::{Machine, Packed};
use burnside_model::{Limits, Model, Packing, Span, Verdict};
use burnside_symmetry::partial::{Invariance, Young, invariance};

const PRIORITY: &str = include_str!("../../../models/murphi/readers_writer_priority.m");

/// The model, its type `Process` being a symmetry domain.
fn processes(text: &str, constants: &[(&str, &str)]) -> Model {
    let constants: Vec<_> = constants.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let (model, diagnostics) = load(&Source::new("test.m", text), &constants);
    let mut model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let process = model.types.ids().find(|ty| model.types[*ty].name.as_deref() == Some("Process"));
    let process = process.expect("a type of processes");
    if let TypeKind::Range(lo, hi) = model.types[process].kind {
        let size = (hi - lo + 1) as u32;
        let domain = Domain { name: "Process".to_owned(), size, span: Span::default() };
        model.types.attach(domain, (0..size).collect(), &[(process, lo)]);
    }
    model
}

fn search(model: &Model, left: &Invariance) -> Exploration {
    let packing = Packing::new(model).expect("small cells");
    let limits = Limits { max_errors: u64::MAX, ..Limits::default() };
    let config = Config { limits, ..Config::default() };
    let task = adaptive::Task { model, packing: &packing, invariance: left, config: &config, trial: false };
    let young = Young::new(model, &left.domains).expect("a small state");
    let mut batcher = Packed::new(Machine::new(model, Semantics::default()), &packing);
    adaptive::check(&task, young, &mut batcher, &mut ()).expect("no trial")
}

/// Figures 10 and 11 of the survey.
#[test]
fn readers_and_a_writer_have_nine_abstract_states() {
    let model = processes(PRIORITY, &[]);
    let left = invariance(&model, &[DomainId(0)]);
    let blocks: Vec<_> = left.rules.iter().map(|rule| rule.blocks()).collect();
    let (all, readers) = (vec![vec![0, 1, 2]], vec![vec![0, 1], vec![2]]);
    assert_eq!(blocks, [all.clone(), all.clone(), readers.clone(), all.clone()]);
    assert_eq!(left.properties[0].blocks(), readers, "the invariant names the writer");
    assert_eq!(left.properties[1].blocks(), all);
    let found = search(&model, &left);
    assert_eq!(found.states, 9);
    assert_eq!(found.full_states, Some(22));
    assert!(found.properties.iter().all(|p| p.verdict() == Verdict::Holds));
}

/// With more processes there are few more abstract states.
#[test]
fn more_readers_add_few_abstract_states() {
    let counts = ["4", "5", "6", "7"].map(|n| {
        let model = processes(PRIORITY, &[("N", n)]);
        let found = search(&model, &invariance(&model, &[DomainId(0)]));
        (found.states, found.full_states)
    });
    assert_eq!(counts, [(15, Some(62)), (23, Some(178)), (33, Some(518)), (45, Some(1522))]);
}
