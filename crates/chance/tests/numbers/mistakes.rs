//! Mistakes that show only when a model runs: each has a message with its place and its state, and nothing is silently 0 or
//! infinite.

use burnside_chance::check::Answer;
use burnside_chance::run::{Options, Runner};
use burnside_chance::step::ProblemKind;
use burnside_lang::prism::load;
use burnside_lang::source::Source;

fn problem(model: &str, property: &str) -> (ProblemKind, String) {
    let loaded = load(&Source::new("wrong.prism", model), &[&Source::new("properties", property)], &[]);
    let model = loaded.model.as_ref().unwrap_or_else(|e| panic!("{}", e[0].render(&loaded.source, false)));
    let property = loaded.properties[0].as_ref().unwrap_or_else(|m| panic!("{}", m.diagnostic.message));
    let problem = Runner::new(model, Options::default()).check(property).answer.unwrap_err();
    (problem.kind, problem.message.clone())
}

#[test]
fn wrong_weights_ranges_and_rewards() {
    let module = |kind: &str, line: &str| {
        format!("{kind}\nmodule m\n  x : [0..2];\n  [] {line};\nendmodule\nrewards x<2 : x-1; endrewards\n")
    };
    let reach = "P=? [ F x=2 ]";
    let rows = [
        (module("dtmc", "x<2 -> 0.5:(x'=x+1) + 0.4:(x'=0)"), reach, ProblemKind::Weight, "sum up to 0.9"),
        (module("dtmc", "x<2 -> 1.5:(x'=x+1) + -0.5:(x'=0)"), reach, ProblemKind::Weight, "is 1.5"),
        (module("dtmc", "x<2 -> 0/x:(x'=x+1) + 1:(x'=0)"), reach, ProblemKind::Weight, "is not a number"),
        (module("ctmc", "x<2 -> 1/x:(x'=x+1)"), reach, ProblemKind::Weight, "is infinite"),
        (module("ctmc", "x<2 -> x-1:(x'=x+1)"), reach, ProblemKind::Weight, "is -1"),
        (module("dtmc", "true -> (x'=x+1)"), reach, ProblemKind::Range, "`x` would become 3"),
        (module("dtmc", "x<2 -> (x'=x+1)"), "R=? [ F x=2 ]", ProblemKind::Reward, "is -1"),
        (module("dtmc", "x<2 -> (x'=mod(x,x))"), reach, ProblemKind::Arithmetic, "`mod` is not positive"),
        (module("dtmc", "x<2 -> (x'=x+1)"), "P=? [ X F x=2 ]", ProblemKind::Property, "not supported"),
        (
            module("dtmc", "x<2 -> (x'=x+1)"),
            "filter(min, P=? [ F x=2 ], x>2)",
            ProblemKind::Property,
            "no reachable state",
        ),
    ];
    for (model, property, kind, said) in rows {
        let (found, message) = problem(&model, property);
        assert!(found == kind && message.contains(said), "{message}\n{model}");
    }
}

#[test]
fn unreachable_goals_are_infinitely_far() {
    let model =
        "dtmc\nmodule m\n  x : [0..2];\n  [] x<1 -> (x'=x+1);\nendmodule\nrewards true : 1; endrewards\n";
    let loaded =
        load(&Source::new("m.prism", model), &[&Source::new("p", "R=? [ F x=2 ]; P=? [ F x=2 ];")], &[]);
    let values: Vec<f64> = loaded
        .properties
        .iter()
        .flatten()
        .map(|property| {
            match Runner::new(loaded.model.as_ref().unwrap(), Options::default()).check(property).answer {
                Ok(Answer::Number(number)) => number.low(),
                other => panic!("{other:?}"),
            }
        })
        .collect();
    assert_eq!(values, [f64::INFINITY, 0.0]);
}
