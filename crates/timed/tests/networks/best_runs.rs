//! Orders of search and the best runs of random networks: depth first gives the same answers; shortest runs are as short as
//! those of a search that stores all zones as they are; fastest runs are as fast as those with clocks that take integers,
//! and as `inf` says of a clock that is never set.

use std::time::Duration;

use burnside_model::code::{DomainId, Expr, Frame};
use burnside_model::network::QueryKind;
use burnside_model::{Deadline, Network, Verdict};
use burnside_timed::check::{Best, Bounds, Checked, How, Wanted, check};
use burnside_timed::conditions::mentions_deadlock;
use burnside_timed::explore::{Abstraction, Covering, Explorer};
use burnside_timed::limits::Observed;
use burnside_timed::live::Claim;
use burnside_timed::verify::{detect_parameters, verify};
use burnside_timed::waiting::Order;

use super::{integers, load, loaded, models, random, verdicts};

fn bounds() -> Bounds {
    Bounds { memory: Some(1 << 18), deadline: Deadline::new(Some(Duration::from_secs(2)), None) }
}

/// A random network with every symmetry, and none.
fn subject(seed: u64, text: String, queries: &str) -> (String, Network, Vec<Vec<DomainId>>) {
    let (text, mut network) = loaded(seed, text, queries);
    detect_parameters(&mut network);
    let (domains, _) = verify(&network);
    let ways = if domains.is_empty() { vec![Vec::new()] } else { vec![Vec::new(), domains] };
    (text, network, ways)
}

fn checked(network: &Network, domains: &[DomainId], how: How, context: &str) -> Option<Checked> {
    let checked = check(network, domains, how)
        .unwrap_or_else(|wrong| panic!("{wrong}\n{how:?} {domains:?}\n{context}"));
    checked.limit.is_none().then_some(checked)
}

#[test]
fn depth_first_gives_the_same_answers() {
    let (mut compared, mut other_runs) = (0, 0);
    for seed in 0..models() / 3 {
        let (text, mut queries) = random::network(seed, seed % 2 == 0);
        queries.push_str("sup: g, v\ninf{b}: g\n");
        let (text, network, ways) = subject(seed, text, &queries);
        for domains in &ways {
            let first = How::from(bounds());
            let Some(breadth) = checked(&network, domains, first, &text) else { continue };
            let deep = How { order: Order::Depth, ..How::from(bounds()) };
            let Some(depth) = checked(&network, domains, deep, &text) else { continue };
            // What goes wrong may do so before or after a goal is met.
            if breadth.fault.is_some() || depth.fault.is_some() {
                assert_eq!(breadth.fault.is_some(), depth.fault.is_some(), "{seed}\n{text}");
                continue;
            }
            assert_eq!(verdicts(&breadth), verdicts(&depth), "{seed} {domains:?}\n{text}\n{queries}");
            let values =
                |checked: &Checked| checked.answers[4..].iter().map(|a| a.reason.clone()).collect::<Vec<_>>();
            assert_eq!(values(&breadth), values(&depth), "{seed} {domains:?}\n{text}\n{queries}");
            compared += 1;
            let run = |checked: &Checked| checked.answers[0].run.clone();
            other_runs += u64::from(run(&breadth) != run(&depth));
        }
    }
    println!("{compared} compared, {other_runs} with other runs");
    assert!(compared > models() / 3 && other_runs * 20 > models(), "{compared} {other_runs}");
}

/// What a query looks for.
fn goal(kind: &QueryKind) -> Option<(&Expr, bool)> {
    match kind {
        QueryKind::Possibly(p) => Some((p, true)),
        QueryKind::Invariantly(p) => Some((p, false)),
        _ => None,
    }
}

/// The fewest steps to the goal of a query, by a search in which nothing covers anything else.
fn fewest_steps(network: &Network, query: usize) -> Option<usize> {
    let asked = &network.queries[query];
    let (frame, (expr, holds)): (&Frame, _) = (&asked.frame, goal(&asked.kind)?);
    let observed = Observed {
        conditions: vec![(frame, expr, holds)],
        both: mentions_deadlock(network, expr),
        ..Observed::default()
    };
    let plain = Abstraction { extrapolation: None, local: false, covering: Covering::Equality };
    let mut explorer = Explorer::observing(network, &[], plain, &observed).ok()?;
    let mut new = 0..explorer.store.nodes.len() as u32;
    loop {
        for node in new {
            let (state, zone) = explorer.state_of(node);
            let claim = Claim { frame, expr, holds };
            if !claim.points(&mut explorer.moves.stepper, &state, &zone).ok()?.is_empty() {
                let mut at = node;
                let path = std::iter::from_fn(|| {
                    at = explorer.store.nodes[at as usize].parent.0;
                    Some(at)
                });
                return Some(if node == 0 { 0 } else { 1 + path.take_while(|node| *node != 0).count() });
            }
        }
        if explorer.store.nodes.len() > 3000 {
            return None;
        }
        new = explorer.expand().ok()??;
    }
}

#[test]
fn shortest_runs_are_shortest() {
    let (mut compared, mut shorter) = ([0; 2], 0);
    for seed in 0..models() / 2 {
        let (text, queries) = match seed % 4 {
            0 => random::with_timed_goals(seed, false),
            1 => random::journeys(seed, false),
            _ => random::network(seed, seed % 2 == 0),
        };
        let (text, network, ways) = subject(seed, text, &queries);
        for (way, domains) in ways.iter().enumerate() {
            let how = How { run: Wanted::Shortest, ..How::from(bounds()) };
            let deep = How { order: Order::Depth, ..How::from(bounds()) };
            let Some(found) = checked(&network, domains, how, &text) else { continue };
            let first = checked(&network, domains, deep, &text);
            for (query, answer) in found.answers.iter().enumerate() {
                let Some(run) = answer.run.as_ref().filter(|_| found.fault.is_none()) else { continue };
                assert_eq!(answer.best, Some(Best::Steps(run.steps.len())), "{seed} {query}\n{text}");
                let Some(fewest) = fewest_steps(&network, query) else { continue };
                assert_eq!(run.steps.len(), fewest, "{seed} {query} {domains:?}\n{text}\n{queries}");
                compared[way] += 1;
                let first = first.as_ref().and_then(|first| first.answers[query].run.as_ref());
                shorter += u64::from(first.is_some_and(|first| first.steps.len() > fewest));
            }
        }
    }
    println!("{compared:?} compared, {shorter} shorter than the first");
    assert!(
        compared.iter().all(|count| *count > models() / 2) && shorter * 10 > models(),
        "{compared:?} {shorter}"
    );
}

/// The fastest run to the goal of each query, with its verdict.
fn fastest(network: &Network, domains: &[DomainId], text: &str) -> Option<Checked> {
    let how = How { run: Wanted::Fastest, ..How::from(bounds()) };
    checked(network, domains, how, text).filter(|checked| checked.fault.is_none())
}

#[test]
fn fastest_runs_with_integers() {
    let (mut compared, mut waits) = ([0; 2], 0);
    for seed in 0..models() / 2 {
        let differences = seed % 4 == 1;
        let (text, queries) = match seed % 4 {
            0 => random::with_timed_goals(seed, true),
            1 => random::with_differences(seed),
            _ => random::journeys(seed, true),
        };
        let (text, network, ways) = subject(seed, text, &queries);
        let found = ways.iter().map(|domains| fastest(&network, domains, &text));
        let found: Vec<Option<Checked>> = found.collect();
        for query in 0..if differences { 2 } else { 3 } {
            if !found.iter().flatten().any(|found| found.answers[query].run.is_some()) {
                continue;
            }
            let Some(expected) = integers::least_time(&network, query, differences) else { continue };
            for (way, found) in found.iter().enumerate() {
                let Some(found) = found else { continue };
                let least = found.answers[query].best.map(|best| match best {
                    Best::Time { least, taken: true } => i64::from(least),
                    other => panic!("{seed} {query}: {other:?}\n{text}"),
                });
                assert_eq!(least, expected, "{seed} {query} {way}\n{text}\n{queries}");
                compared[way] += 1;
                waits += u64::from(expected.is_some_and(|time| time > 0));
            }
        }
    }
    println!("{compared:?} compared, {waits} take time");
    assert!(
        compared.iter().all(|count| count * 5 > models()) && waits * 4 > models(),
        "{compared:?} {waits}"
    );
}

/// Who goes on early can go on once more, though later than anybody is stuck who goes on late.
#[test]
fn a_deadlock_for_being_late() {
    let text = "
        process P() {
            clock x, y;
            state A, B, C;
            init A;
            trans A -> B { assign y = 0; }, B -> C { guard x <= 9 && y >= 4; }, C -> C { };
        }
        system P;";
    let network = load(text, "A[] not deadlock");
    let found = fastest(&network, &[], text).unwrap();
    assert_eq!(found.answers[0].best, Some(Best::Time { least: 5, taken: false }));
}

#[test]
fn fastest_runs_and_the_least_time() {
    let (mut compared, mut approached) = ([0; 2], 0);
    for seed in 0..models() / 3 {
        let closed = seed % 3 == 0;
        let (text, queries) = match seed % 2 {
            0 => random::with_timed_goals(seed, closed),
            _ => random::journeys(seed, closed),
        };
        let asked = queries.lines().filter_map(|line| match line.strip_prefix("A[] ") {
            Some(never) => Some(format!("not ({never})")),
            None => line.strip_prefix("E<> ").map(str::to_owned),
        });
        let asked: Vec<String> = asked.collect();
        let infima: Vec<String> = asked.iter().map(|goal| format!("inf{{{goal}}}: time")).collect();
        let timed = text.replace("clock g;", "clock g, time;");
        let oracle = load(&timed, &infima.join("\n"));
        let Some(infima) = checked(&oracle, &[], How::from(bounds()), &timed) else { continue };
        let goals: Vec<String> = asked.iter().map(|goal| format!("E<> {goal}")).collect();
        let (text, network, ways) = subject(seed, text, &goals.join("\n"));
        for (way, domains) in ways.iter().enumerate() {
            let Some(found) = fastest(&network, domains, &text) else { continue };
            for (answer, infimum) in found.answers.iter().zip(&infima.answers) {
                let words = match answer.best {
                    None => "the condition never holds".to_owned(),
                    Some(Best::Time { least, taken: true }) => least.to_string(),
                    Some(Best::Time { least, taken: false }) => format!("above {least}, never equal"),
                    Some(other) => panic!("{other:?}"),
                };
                assert_eq!(answer.verdict == Verdict::Holds, answer.best.is_some(), "{seed}\n{text}");
                assert_eq!(Some(words), infimum.reason, "{seed} {domains:?}\n{text}\n{goals:?}");
                compared[way] += u64::from(answer.best.is_some());
                approached += u64::from(matches!(answer.best, Some(Best::Time { taken: false, .. })));
            }
        }
    }
    println!("{compared:?} compared, {approached} only approach the least time");
    assert!(
        compared.iter().all(|count| count * 4 > models()) && approached * 20 > models(),
        "{compared:?} {approached}"
    );
}
