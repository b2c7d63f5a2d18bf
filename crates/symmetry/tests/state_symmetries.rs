//! Of the steps that a symmetry of a state maps to each other one is kept: on random states, where elements have equal data
//! and still are no twins, as a variable, another element or a pair tells them apart.

mod common;

use std::collections::HashSet;

use burnside_lang::murphi::load;
use burnside_lang::source::Source;
use burnside_model::Packing;
use burnside_model::code::Semantics;
use burnside_model::system::{Batch, Batcher, Machine, Packed};
use burnside_symmetry::{Action, PackedCanonicaliser, PackedQuotient, verify};
use common::{Random, random_state};

/// What variables there are beside the data, and how many elements.
fn text(size: u32, variables: &str) -> String {
    format!(
        "type P: scalarset({size}); Q: scalarset(2);
         var data: array [P] of 0..1; {variables}
         startstate undefine data; end;
         ruleset p: P do
           rule \"set\" data[p] := 1; end;
           rule \"clear\" isundefined(data[p]) | data[p] = 1 ==> data[p] := 0; end;
         end;
         ruleset p: P; q: P do
           rule \"exchange\" p != q ==> data[p] := 1; data[q] := 0; end;
         end;"
    )
}

#[test]
fn no_step_is_lost() {
    let mut random = Random(0x51de);
    for variables in [
        "",
        "owner: P;",
        "next: array [P] of P;",
        "near: array [P] of array [P] of boolean;",
        "next: array [P] of P; owner: P; last: P;",
        "owner: array [Q] of P; mine: array [P] of Q;",
        "who: array [P] of array [Q] of P;",
    ] {
        for size in 2..=5 {
            let source = Source::new("states.m", text(size, variables));
            let model = load(&source, &[]).0.expect("a correct model");
            assert!(verify::verify(&model).is_empty());
            let packing = Packing::new(&model).expect("small types");
            let domains: Vec<_> =
                (0..model.types.domains.len() as u32).map(burnside_model::code::DomainId).collect();
            let forms = PackedCanonicaliser::new(&packing, Action::new(&model, &domains));
            let quotient = |wanted| {
                let machine = Packed::new(Machine::new(&model, Semantics::default()), &packing);
                PackedQuotient::new(machine, forms.clone()).with_state_symmetries(wanted)
            };
            let (mut with, mut without) = (quotient(true), quotient(false));
            let (mut alike, mut form) = (0, forms.clone());
            for i in 0..200 {
                let mut state = vec![0; packing.words()];
                packing.pack(&random_state(&model, &mut random, [0, 1, 4, 7][i % 4]), &mut state);
                // Also states that are no forms: twins need not be neighbours then, but those that are found are twins.
                if i % 3 > 0 {
                    form.canonicalise(&mut state);
                }
                let (mut a, mut b) = (Batch::default(), Batch::default());
                with.successors(&state, &mut a).expect("no deadline");
                without.successors(&state, &mut b).expect("no deadline");
                let steps = |batch: &Batch| -> HashSet<(Vec<u64>, u32)> {
                    let states = batch.states.chunks_exact(packing.words()).map(<[u64]>::to_vec);
                    states.zip(batch.rules.iter().copied()).collect()
                };
                assert_eq!(steps(&a), steps(&b), "{size} elements, {variables}");
                let mut fired = [&a.rules[..], &a.alike[..]].concat();
                fired.sort_unstable();
                b.rules.sort_unstable();
                assert_eq!(fired, b.rules, "{size} elements, {variables}");
                alike += a.alike.len();
            }
            assert!(alike > 0, "{size} elements, {variables}");
        }
    }
}
