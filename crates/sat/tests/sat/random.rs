//! Random protocols in and around the fragment. IC3 must agree with a search of all states at each size. What is proved for
//! every size must hold at all sizes up to the bound and three more, and what is violated at one size must hold below.
//!
//! `BURNSIDE_MODELS=3000 cargo test --release -p burnside-sat --test sat random` for more of them.

use burnside_lang::murphi::load;
use burnside_lang::source::Source;
use burnside_model::code::Semantics;
use burnside_model::{Deadline, DeadlockMode};
use burnside_sat::fixed::{Decided, decide, verified};
use burnside_sat::prove::Verdict;
use burnside_sat::system::{Question, System};

use crate::{at, holds, proof};

/// A small generator of random numbers (xorshift).
pub struct Rng(u64);

impl Rng {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    pub fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A condition about process `i` and perhaps another one.
pub fn condition(rng: &mut Rng, i: &str, depth: u32) -> String {
    let choice = rng.below(if depth == 0 { 7 } else { 11 });
    match choice {
        0 => format!("s[{i}] = {}", rng.one(&["A", "B", "C"])),
        1 => format!("s[{i}] != {}", rng.one(&["A", "B", "C"])),
        2 => rng.one(&["x", "!x"]).to_owned(),
        3 => format!("{}f[{i}]", rng.one(&["", "!"])),
        4 => format!("(!isundefined(g) & g {} {i})", rng.one(&["=", "!="])),
        5 => rng.one(&["isundefined(g)", "!isundefined(g)"]).to_owned(),
        6 => format!("(!isundefined(d[{i}]) & d[{i}] {} {i})", rng.one(&["=", "!="])),
        7 => format!("({} & {})", condition(rng, i, depth - 1), condition(rng, i, depth - 1)),
        8 => format!("({} | {})", condition(rng, i, depth - 1), condition(rng, i, depth - 1)),
        9 => format!("forall j: P do j = {i} | {} end", condition(rng, "j", depth - 1)),
        _ => format!("exists j: P do j != {i} & {} end", condition(rng, "j", depth - 1)),
    }
}

/// A statement of process `i`.
pub fn statement(rng: &mut Rng, i: &str) -> String {
    match rng.below(9) {
        0 | 1 => format!("s[{i}] := {};", rng.one(&["A", "B", "C"])),
        2 => format!("x := {};", rng.one(&["true", "false", "!x"])),
        3 => format!("f[{i}] := {};", rng.one(&["true", "false", "!f[i]"]).replace("[i]", &format!("[{i}]"))),
        4 => format!("g := {i};"),
        5 => "undefine g;".to_owned(),
        6 => format!("d[{i}] := {};", if rng.below(2) == 0 { i } else { "g" }),
        7 => format!("for j: P do if {} then s[j] := A; f[j] := false; end; end;", condition(rng, "j", 0)),
        _ => format!("if {} then s[{i}] := B; else x := false; end;", condition(rng, i, 1)),
    }
}

/// Numbers that depend on a seed.
pub fn seeded(seed: u64) -> Rng {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..8 {
        rng.below(2);
    }
    rng
}

fn protocol(seed: u64) -> String {
    let mut rng = seeded(seed);
    let mut text = "const N: 3;
type P: scalarset(N); S: enum { A, B, C };
var s: array [P] of S; f: array [P] of boolean; d: array [P] of P; g: P; x: boolean;
startstate for i: P do s[i] := A; f[i] := false; undefine d[i]; end; undefine g; x := false; end;\n"
        .to_owned();
    for _ in 0..2 + rng.below(4) {
        let guard = condition(&mut rng, "i", 2);
        let body: String = (0..1 + rng.below(3)).map(|_| statement(&mut rng, "i")).collect();
        text += &format!("ruleset i: P do rule {guard} ==> {body} end; end;\n");
    }
    let bad = (condition(&mut rng, "i", 0), condition(&mut rng, "k", 0));
    text + &format!("invariant forall i: P do forall k: P do i != k -> !({} & {}) end end;\n", bad.0, bad.1)
}

pub fn models() -> u64 {
    std::env::var("BURNSIDE_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

#[test]
fn ic3_agrees_with_a_search_of_all_states() {
    let question = Question { semantics: Semantics::default(), deadlock: DeadlockMode::Off };
    let (mut held, mut violated) = (0, 0);
    for seed in 0..models() {
        let text = protocol(seed);
        let source = Source::new("random.m", text.clone());
        for size in [2, 3] {
            let model = at(&source, size);
            let Some(expected) = holds(&model, 5_000) else { continue };
            for action in [None, verified(&model)] {
                let mut system = System::new(&model, question).expect("it is encoded");
                let found = decide(&mut system, action.as_ref(), question, Deadline::NEVER, &mut |_| {});
                match found.unwrap_or_else(|wrong| panic!("seed {seed}: {}\n{text}", wrong.reason)).decided {
                    Decided::Holds(_) => assert!(expected, "seed {seed} at {size}\n{text}"),
                    Decided::Violated(_) => assert!(!expected, "seed {seed} at {size}\n{text}"),
                    Decided::Unknown(_) => panic!("there was no limit"),
                }
            }
            *if expected { &mut held } else { &mut violated } += 1;
        }
    }
    assert!(held > 5 && violated > 5, "{held} {violated}");
}

#[test]
fn proofs_for_every_size_are_right() {
    let (mut proved, mut violated, mut open) = (0, 0, 0);
    for seed in 1000..1000 + models() {
        let text = protocol(seed);
        let source = Source::new("random.m", text.clone());
        assert!(load(&source, &[]).0.is_some(), "{text}");
        match proof(&source, 5) {
            Verdict::ForAll(proof) => {
                proved += 1;
                for size in 1..=proof.bound[0] + 3 {
                    assert_ne!(
                        holds(&at(&source, size), 5_000),
                        Some(false),
                        "seed {seed} at {size}\n{text}"
                    );
                }
            }
            Verdict::Violated(size, _) => {
                violated += 1;
                for smaller in 1..size {
                    assert_ne!(holds(&at(&source, smaller), 20_000), Some(false), "seed {seed}\n{text}");
                }
                assert_ne!(holds(&at(&source, size), 20_000), Some(true), "seed {seed}\n{text}");
            }
            Verdict::Open(..) => open += 1,
        }
    }
    println!("{proved} proved, {violated} violated, {open} open");
    assert!(proved > 5 && violated > 5, "{proved} {violated} {open}");
}
