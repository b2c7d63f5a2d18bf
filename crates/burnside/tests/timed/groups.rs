//! Symmetry that nobody declared, and one group per query.
//!
//! Planted mistakes that each fail a test here: constants that differ taken for names where they are numbers; a variable
//! narrowed to what is assigned first; a class of queries searched with the group of another.

use burnside::{Options, Reduce, Report, Source, Verdict, check, symmetry};

use super::{options, report};

/// Fischer's protocol with a plain integer, and numbers that are written out.
fn fischer(processes: usize, id: &str) -> String {
    format!(
        "typedef int[1,{processes}] id_t; {id} id;
        process P(const id_t pid) {{
            clock x; const int k = 2;
            state A, req {{ x <= k }}, wait, cs;
            init A;
            trans
                A -> req {{ guard id == 0; assign x = 0; }},
                req -> wait {{ guard x <= k; assign x = 0, id = pid; }},
                wait -> req {{ guard id == 0; assign x = 0; }},
                wait -> cs {{ guard x > k && id == pid; }},
                cs -> A {{ assign id = 0; }};
        }}
        system P;"
    )
}

const EXCLUSION: &str = "A[] forall (i : id_t) forall (j : id_t) P(i).cs && P(j).cs imply i == j";

fn orders(report: &Report) -> Vec<(String, String)> {
    report.runs.iter().map(|run| (run.symmetry.clone(), run.states.clone())).collect()
}

#[test]
fn plain_integers_get_the_values_that_they_take() {
    let found = report(&fischer(6, "int"), EXCLUSION);
    let declared = report(&fischer(6, "int[0,6]"), EXCLUSION);
    assert_eq!((found.verdict, found.states), (Verdict::Holds, 54));
    assert_eq!((declared.states, declared.symmetry.order.as_str()), (54, "720"));
    assert_eq!(found.symmetry.order, "720");
    // What is computed may have any value.
    let counted = fischer(6, "int").replace("id = 0;", "id = id - id;");
    assert_eq!(report(&counted, EXCLUSION).symmetry.order, "1");
    // A value outside of what others take is a value.
    let far = fischer(3, "int").replace("assign id = 0;", "assign id = 300;");
    let found = report(&far, "E<> id == 300\nE<> id == 299");
    let verdicts: Vec<_> = found.properties.iter().map(|p| p.verdict).collect();
    assert_eq!(verdicts, [Verdict::Holds, Verdict::Violated]);
}

/// Each query is answered under the group that it leaves, and those that differ in names only once.
#[test]
fn one_group_per_query() {
    let model = fischer(4, "int");
    let queries = format!(
        "{EXCLUSION}\nE<> P(1).cs\nE<> P(3).cs\nP(2).req --> P(2).wait\nP(4).req --> P(4).wait\nE<> P(1).cs && id == 1\nE<> P(2).cs && id == 1"
    );
    let found = report(&model, &queries);
    let without =
        check(&Source::new("model.xta", &model), &Options { reduce: Reduce::None, ..options(&queries) });
    let verdicts = |report: &Report| report.properties.iter().map(|p| p.verdict).collect::<Vec<_>>();
    assert_eq!(verdicts(&found), verdicts(&without.unwrap()));
    let reasons: Vec<_> = found.properties.iter().map(|p| p.reason.clone().unwrap_or_default()).collect();
    assert_eq!(reasons[2], "by symmetry, as query 2");
    assert_eq!(reasons[4], "by symmetry, as query 4");
    assert!(reasons[1].is_empty() && reasons[6].is_empty(), "{reasons:?}");
    // The run is that of the process that is named, and its times are those of an execution.
    let run = found.properties[2].witness.as_ref().unwrap().trace.text(Default::default());
    assert!(run.contains("P(3): wait -> cs") && !run.contains("P(1)"), "{run}");
    let runs = orders(&found);
    assert!(runs.len() >= 2 && runs[0].0.starts_with("S4") && runs[1].0.starts_with("S3"), "{runs:?}");
    let groups = symmetry(&Source::new("model.xta", &model), &options(&queries)).unwrap();
    assert_eq!(groups.symmetry.order, "24");
    assert!(groups.properties.iter().any(|group| group.property == "E<> P(3).cs" && group.order == "6"));
}

/// Numbers are not names: `x` is compared with them, or they are counted with.
#[test]
fn numbers_are_no_names() {
    let model =
        fischer(3, "int").replace("int id;", "int id; int[0,7] v;").replace("id = pid", "id = pid, v = 2");
    let found = report(&model, "E<> v == 2\nE<> v == 3\nE<> v == 1\nE<> P(1).x == 1\nE<> P(1).x == 2");
    let verdicts: Vec<_> = found.properties.iter().map(|p| p.verdict).collect();
    use Verdict::{Holds, Violated};
    assert_eq!(verdicts, [Holds, Violated, Violated, Holds, Holds]);
    assert!(found.properties.iter().all(|p| p.reason.as_ref().is_none_or(|why| !why.contains("symmetry"))));
}
