//! From source text to something that can be checked, whatever the language.
//!
//! The language is the one that was asked for, or else the one of the file name; a text without a telling name, such as
//! standard input, is recognised by its content. A new language is a folder beside this file and an entry here.

use burnside_model::{Model, Network, Span};

use crate::diag::{Diagnostic, codes};
use crate::source::{MAX_BYTES, Source};
use crate::{murphi, promela, uppaal};

/// A language that models are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// Murphi, in the dialects of rumur and CMurphi, with extensions.
    Murphi,
    /// UPPAAL, as XML or as text.
    Uppaal,
    /// Promela, Spin's language.
    Promela,
}

/// How the names of files end, by language.
const ENDINGS: &[(&str, Language)] = &[
    (".m", Language::Murphi),
    (".murphi", Language::Murphi),
    (".xta", Language::Uppaal),
    (".ta", Language::Uppaal),
    (".xml", Language::Uppaal),
];

/// How a line may begin in UPPAAL's textual format, and in no Murphi model.
const UPPAAL_WORDS: &[&str] = &["process", "system", "clock", "chan", "broadcast", "urgent"];

impl Language {
    /// All of them.
    pub const ALL: [Language; 3] = [Language::Murphi, Language::Uppaal, Language::Promela];

    /// A stable name, for JSON and the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Murphi => "murphi",
            Language::Uppaal => "uppaal",
            Language::Promela => "promela",
        }
    }

    /// The language of a text: by its name, or else by its content.
    #[must_use]
    pub fn of(source: &Source) -> Language {
        if promela::is_promela(source.name()) {
            return Language::Promela;
        }
        let named = ENDINGS.iter().find(|(end, _)| source.name().ends_with(end));
        named.map_or_else(|| Language::of_text(source.text()), |(_, language)| *language)
    }

    fn of_text(text: &str) -> Language {
        let text = text.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        let begins = |line: &str, words: &[&str]| {
            let word: String = line.trim_start().chars().take_while(|c| c.is_alphanumeric()).collect();
            words.contains(&&*word.to_ascii_lowercase())
        };
        // Both have declarations of types and constants; only one has rules.
        let murphi = text.lines().any(|line| begins(line, &["startstate", "rule", "ruleset", "var"]));
        let uppaal = text.starts_with('<') || text.lines().any(|line| begins(line, UPPAAL_WORDS));
        if uppaal && !murphi || text.starts_with('<') { Language::Uppaal } else { Language::Murphi }
    }
}

/// A model that was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Loaded {
    /// Rules and properties.
    Model(Model),
    /// Timed automata.
    Network(Network),
}

/// What to read a model with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'r> {
    /// The language, if it is not to be recognised.
    pub language: Option<Language>,
    /// Constants of the model that are given another value, as name and text.
    pub constants: &'r [(String, String)],
    /// For a language whose properties may be in another file: that file.
    pub queries: Option<&'r Source>,
    /// For Promela: the most processes at a time, where no bound is found.
    pub processes: Option<u32>,
}

/// What is wrong with a text.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether they point into the file of the queries.
    pub in_queries: bool,
}

/// Reads a model; warnings come with it.
pub fn load(source: &Source, request: Request<'_>) -> Result<(Loaded, Vec<Diagnostic>), Rejected> {
    let rejected = |diagnostics| Rejected { diagnostics, in_queries: false };
    if let Some(text) = [Some(source), request.queries].into_iter().flatten().find(|text| text.is_cut()) {
        let message = format!("{} is too large: at most {MAX_BYTES} bytes are read", text.name());
        let error = Diagnostic::error(codes::FILE_TOO_LARGE, Span::default(), message);
        return Err(rejected(vec![error]));
    }
    match (request.language.unwrap_or_else(|| Language::of(source)), request.queries) {
        (Language::Murphi, _) => match murphi::load(source, request.constants) {
            (Some(model), diagnostics) => Ok((Loaded::Model(model), diagnostics)),
            (None, diagnostics) => Err(rejected(diagnostics)),
        },
        (Language::Promela, _) => {
            let settings = promela::Settings::with_processes(request.processes);
            match promela::load(source, request.constants, &settings) {
                (Some(model), diagnostics) => Ok((Loaded::Model(model), diagnostics)),
                (None, diagnostics) => Err(rejected(diagnostics)),
            }
        }
        (Language::Uppaal, None) => match uppaal::load(source, request.constants) {
            (Some(network), diagnostics) => Ok((Loaded::Network(network), diagnostics)),
            (None, diagnostics) => Err(rejected(diagnostics)),
        },
        (Language::Uppaal, Some(queries)) => {
            match uppaal::load_with_queries(source, queries, request.constants) {
                (Some(network), diagnostics, _) => Ok((Loaded::Network(network), diagnostics)),
                (None, diagnostics, asked) if asked.is_empty() => Err(rejected(diagnostics)),
                (None, _, asked) => Err(Rejected { diagnostics: asked, in_queries: true }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_recognised() {
        let of = |name: &str, text: &str| Language::of(&Source::new(name, text)).name();
        assert_eq!(of("a.m", "<nta/>"), "murphi", "a name says more than a text");
        assert_eq!(of("a.xta", ""), "uppaal");
        assert_eq!(of("a.pml", ""), "promela");
        assert_eq!(of("<stdin>", " \u{feff}<?xml version=\"1.0\"?>"), "uppaal");
        assert_eq!(of("<stdin>", "// a comment\nclock x;\nprocess P() {}\nsystem P;\n"), "uppaal");
        assert_eq!(of("<stdin>", "var system : boolean;\nstartstate end;\n"), "murphi");
        assert_eq!(of("<stdin>", "-- clock\nconst N : 3;\nrule true ==> end;"), "murphi");
    }
}
