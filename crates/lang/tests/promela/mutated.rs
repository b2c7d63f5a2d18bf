//! Mutated models end in an error or a model, never in a panic. `BURNSIDE_MODELS=200000` tries more.

use burnside_lang::promela::{self, Settings};
use burnside_lang::source::Source;

const SEEDS: &[&str] = &[
    include_str!("../../../../models/promela/mutex.pml"),
    include_str!("../../../../models/promela/ping.pml"),
    "#define N 3\nmtype = { a, b };\nchan c[N] = [2] of { mtype, byte };\ntypedef T { byte x; bool f[2] };\nT t[2];\n\
     proctype P(byte i; chan d) { byte n; do :: d!a(n); n++ :: d?b,n -> t[i].x = n :: else -> break od }\n\
     init { byte k; atomic { do :: k < 2 -> run P(k, c[k]); k++ :: else -> break od }; timeout -> assert(t[0].x < 9) }",
];

const WORDS: &[&str] = &[
    "do",
    "od",
    "if",
    "fi",
    "::",
    "->",
    ";",
    "{",
    "}",
    "(",
    ")",
    "atomic",
    "d_step",
    "goto L",
    "L:",
    "else",
    "run P(0, c[0])",
    "timeout",
    "unless",
    "_pid",
    "0",
    "255",
    "c!",
    "c?",
    "[",
    "]",
    "byte q;",
    "&&",
    "!",
    "#if",
    "#endif",
    "assert(0)",
];

#[test]
fn no_panic() {
    let most: u64 = std::env::var("BURNSIDE_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let try_all = move || {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut below = |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % bound as u64) as usize
        };
        let mut accepted = 0;
        for number in 0..most {
            let seed = SEEDS[below(SEEDS.len())];
            let mut parts: Vec<&str> = seed.split_inclusive([' ', '\n', ';', '(']).collect();
            for _ in 0..1 + below(3) {
                let at = below(parts.len());
                match below(4) {
                    0 => drop(parts.remove(at)),
                    1 => parts.insert(at, WORDS[below(WORDS.len())]),
                    2 => parts[at] = WORDS[below(WORDS.len())],
                    _ => parts.insert(at, parts[below(parts.len())]),
                }
            }
            let text = parts.join(" ");
            let (model, diagnostics) =
                promela::load(&Source::new("test.pml", text.clone()), &[], &Settings::default());
            assert!(model.is_some() || !diagnostics.is_empty(), "{number}: {text}");
            accepted += u64::from(model.is_some());
        }
        assert!(accepted > 0);
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(try_all).expect("a thread");
    assert!(thread.join().is_ok(), "a model made the front end panic");
}
