//! Whatever is typed, nothing crashes: random edits of models, after each of which everything is asked at a random place.
//!
//! Asked are more than 10,000 edits: `BURNSIDE_EDITS` edits of each language.

use crate::common::{MURPHI, UPPAAL};
use burnside_lsp::document::{Document, Language};
use burnside_lsp::probe;
use lsp_types::{Position, Range};

/// A small generator of numbers: xorshift.
struct Rng(u64);

impl Rng {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

/// What is typed besides single characters.
const PIECES: &[&str] = &[
    "end",
    ";",
    "begin",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ".",
    "..",
    ":=",
    "==>",
    "->",
    "const",
    "type",
    "var",
    "record",
    "forall p : Proc do",
    "ruleset",
    "é",
    "𝒳",
    "\n",
    "\r\n",
    "\"",
    "/*",
    "--",
    "//",
    "0",
    "9999999999",
    "P.",
    "state",
    "process",
    "system",
    "clock",
    "int[0,",
    "exists",
    "if",
    "else",
    "&",
    "",
];

fn random_position(rng: &mut Rng, document: &Document) -> Position {
    let lines = document.text.all().matches('\n').count() + 2;
    Position { line: rng.below(lines) as u32, character: rng.below(50) as u32 }
}

fn edits(language: Language, model: &str, seed: u64, count: usize) {
    let mut rng = Rng(seed);
    let mut document = Document::new(language, "a".to_owned(), model.to_owned());
    document.read();
    for round in 0..count {
        // A text that is nothing but mistakes teaches little.
        if round % 40 == 0 || document.text.all().len() > 3000 {
            document.edit(None, model);
            document.read();
        }
        let from = random_position(&mut rng, &document);
        let to = match rng.below(10) {
            0 => random_position(&mut rng, &document),
            1..5 => Position { character: from.character + rng.below(4) as u32, ..from },
            _ => from,
        };
        let with = PIECES[rng.below(PIECES.len())];
        document.edit(Some(Range { start: from, end: to }), with);
        // Several edits may come before a text is read.
        if rng.below(4) == 0 {
            probe(&document, random_position(&mut rng, &document));
        }
        document.read();
        probe(&document, random_position(&mut rng, &document));
        for diagnostic in &document.diagnostics {
            let end = document.text.all().len() as u32;
            assert!(diagnostic.primary.0.start <= end, "{diagnostic:?}");
        }
    }
}

fn count() -> usize {
    std::env::var("BURNSIDE_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(5_500)
}

#[test]
fn random_edits_of_murphi() {
    edits(Language::Murphi, MURPHI, 0x9e37_79b9_7f4a_7c15, count());
}

#[test]
fn random_edits_of_uppaal() {
    edits(Language::Uppaal, UPPAAL, 0x2545_f491_4f6c_dd1d, count());
}
