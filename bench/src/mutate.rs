//! Mutated models: byte flips, token swaps, truncations and their kin, reproducible from a seed.

/// A small random number generator (splitmix64).
pub struct Random(u64);

impl Random {
    /// A generator; equal seeds give equal numbers.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n` (0 if there is none).
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.number() % n as u64) as usize }
    }
}

/// Words that are likely to upset a parser or a type checker.
const WORDS: &[&str] = &[
    "end",
    "rule",
    "begin",
    "undefined",
    "scalarset(3)",
    "multiset [2] of boolean",
    "forall i : 0 .. 3 do",
    "==>",
    ":=",
    "-1",
    "0",
    "9223372036854775807",
    "0x7fffffffffffffff",
    "(",
    ")",
    "[",
    "]",
    "union { }",
    "while true do",
    "return",
    "alias a : 1 do",
    "for i := 0 to 1000000000 do",
    "1 / 0",
    "<<",
    "\"",
    "/*",
    "--",
    ";",
    "enum { }",
    "ctl AG",
    "ltl",
    "A [",
    "U",
    "<->",
    "fair",
    "fairness weak",
    "clear",
];

/// One to four mutations of a text.
pub fn mutate(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=random.below(4) {
        mutate_once(&mut bytes, random);
    }
    bytes
}

fn mutate_once(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(8) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes.truncate(at),
        2 => {
            let length = random.below(60).min(bytes.len() - at);
            bytes.drain(at..at + length);
        }
        3 => {
            let word = WORDS[random.below(WORDS.len())];
            bytes.splice(at..at, format!(" {word} ").bytes());
        }
        4 => {
            // A stretch twice.
            let length = random.below(200).min(bytes.len() - at);
            let again = bytes[at..at + length].to_vec();
            bytes.splice(at..at, again);
        }
        5 => {
            let tokens = tokens(bytes);
            let token = tokens[random.below(tokens.len())].clone();
            let word = WORDS[random.below(WORDS.len())];
            bytes.splice(token, word.bytes());
        }
        _ => swap_tokens(bytes, random),
    }
}

fn swap_tokens(bytes: &mut Vec<u8>, random: &mut Random) {
    let tokens = tokens(bytes);
    let (a, b) = (tokens[random.below(tokens.len())].clone(), tokens[random.below(tokens.len())].clone());
    let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
    if first.end <= second.start {
        let (x, y) = (bytes[first.clone()].to_vec(), bytes[second.clone()].to_vec());
        bytes.splice(second, x);
        bytes.splice(first, y);
    }
}

/// Words, numbers, and single other characters; never empty.
fn tokens(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let length = bytes[at..].iter().take_while(|byte| word(**byte)).count().max(1);
        if !bytes[at].is_ascii_whitespace() {
            tokens.push(at..at + length);
        }
        at += length;
    }
    if tokens.is_empty() {
        tokens.push(0..bytes.len());
    }
    tokens
}
