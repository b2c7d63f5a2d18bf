//! From source text to something that can be checked, whatever the language.
//!
//! The language is the one that was asked for, or else the one of the file name; a text without a telling name, such as
//! standard input, is recognised by its content. A new language is a folder beside this file and an entry here.

use burnside_model::{Model, Network, Span};

use crate::boolean::{self, Threads};
use crate::diag::{Diagnostic, codes};
use crate::prism::{self, Sweep};
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
    /// PRISM's language of probabilistic models.
    Prism,
    /// Promela, Spin's language.
    Promela,
    /// Boolean programs.
    Boolean,
    /// Thread transition systems.
    Tts,
}

/// What a language describes, which decides the engines and options there are for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Rules that change variables.
    Rules,
    /// Timed automata.
    Timed,
    /// Markov chains and decision processes.
    Chance,
    /// Any number of threads.
    Threads,
}

impl Kind {
    /// What models of it are called.
    #[must_use]
    pub fn of_models(self) -> &'static str {
        match self {
            Kind::Rules => "models of rules",
            Kind::Timed => "timed models",
            Kind::Chance => "PRISM models",
            Kind::Threads => "systems of threads",
        }
    }
}

/// How the names of files end, by language; PRISM before Promela, with which it shares one.
const ENDINGS: &[(&str, Language)] = &[
    ("m", Language::Murphi),
    ("murphi", Language::Murphi),
    ("xta", Language::Uppaal),
    ("ta", Language::Uppaal),
    ("xml", Language::Uppaal),
    ("prism", Language::Prism),
    ("pm", Language::Prism),
    ("nm", Language::Prism),
    ("sm", Language::Prism),
    ("mdp", Language::Prism),
    ("dtmc", Language::Prism),
    ("ctmc", Language::Prism),
    ("pml", Language::Promela),
    ("prom", Language::Promela),
    ("promela", Language::Promela),
    ("spin", Language::Promela),
    ("p", Language::Promela),
    ("bp", Language::Boolean),
    ("tts", Language::Tts),
];

/// How a line may begin in one language, and in no Murphi model.
const WORDS: &[(&str, Language)] = &[
    ("process", Language::Uppaal),
    ("system", Language::Uppaal),
    ("clock", Language::Uppaal),
    ("chan", Language::Uppaal),
    ("broadcast", Language::Uppaal),
    ("urgent", Language::Uppaal),
    ("dtmc", Language::Prism),
    ("mdp", Language::Prism),
    ("ctmc", Language::Prism),
    ("probabilistic", Language::Prism),
    ("nondeterministic", Language::Prism),
    ("stochastic", Language::Prism),
    ("pta", Language::Prism),
    ("pomdp", Language::Prism),
    ("module", Language::Prism),
    ("proctype", Language::Promela),
    ("active", Language::Promela),
    ("mtype", Language::Promela),
    ("decl", Language::Boolean),
];

impl Language {
    /// All of them.
    pub const ALL: [Language; 6] = [
        Language::Murphi,
        Language::Uppaal,
        Language::Prism,
        Language::Promela,
        Language::Boolean,
        Language::Tts,
    ];

    /// A stable name, for JSON and the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Murphi => "murphi",
            Language::Uppaal => "uppaal",
            Language::Prism => "prism",
            Language::Promela => "promela",
            Language::Boolean => "boolean",
            Language::Tts => "tts",
        }
    }

    /// What a model of it is called.
    #[must_use]
    pub fn of_models(self) -> &'static str {
        match self {
            Language::Murphi => "Murphi models",
            Language::Uppaal => "UPPAAL models",
            Language::Prism => "PRISM models",
            Language::Promela => "Promela models",
            Language::Boolean => "Boolean programs",
            Language::Tts => "thread transition systems",
        }
    }

    /// What it describes.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Language::Murphi | Language::Promela => Kind::Rules,
            Language::Uppaal => Kind::Timed,
            Language::Prism => Kind::Chance,
            Language::Boolean | Language::Tts => Kind::Threads,
        }
    }

    /// How the file beside a model ends that has what is asked of it, if the language has such files.
    #[must_use]
    pub fn ending_of_queries(self) -> Option<&'static str> {
        match self {
            Language::Uppaal => Some("q"),
            Language::Tts => Some("prop"),
            _ => None,
        }
    }

    /// The language of a text: by its name, or else by its content.
    #[must_use]
    pub fn of(source: &Source) -> Language {
        let ending = source.name().rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        let named = ending.and_then(|ending| ENDINGS.iter().find(|(known, _)| *known == ending));
        match named {
            // Some call Promela models so.
            Some(("pm", _)) if source.text().contains("proctype") => Language::Promela,
            Some((_, language)) => *language,
            None => Language::of_text(source.text()),
        }
    }

    fn of_text(text: &str) -> Language {
        let text = text.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        if text.starts_with('<') {
            return Language::Uppaal;
        }
        let first = |line: &str| -> String {
            let word = line.trim_start().chars().take_while(|c| c.is_alphanumeric());
            word.collect::<String>().to_ascii_lowercase()
        };
        // All have declarations of types and constants; only one has rules.
        let murphi = ["startstate", "rule", "ruleset", "var"];
        if text.lines().any(|line| murphi.contains(&&*first(line))) {
            return Language::Murphi;
        }
        let known = |line: &str| WORDS.iter().find(|(word, _)| *word == first(line));
        text.lines().find_map(known).map_or(Language::Murphi, |(_, language)| *language)
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
    /// A Markov chain or decision process for each combination of constants, with its properties.
    Chains(Box<Chains>),
    /// Any number of threads.
    Threads(Threads),
}

/// A probabilistic model and its properties, with all values that are asked for of its constants.
#[derive(Clone, Debug)]
pub struct Chains {
    /// How each is read.
    pub sweep: Sweep,
    /// The first one, which has been read.
    pub first: prism::Loaded,
}

impl Chains {
    fn read(
        source: &Source,
        properties: &[Source],
        constants: &[(String, String)],
    ) -> Result<Chains, Rejected> {
        let sweep = Sweep::new(source, properties, constants).map_err(|message| {
            let mistake = Diagnostic::error(codes::UNKNOWN_CONSTANT, Span::default(), message);
            Rejected { diagnostics: vec![mistake], text: None }
        })?;
        let mut first = sweep.load(&sweep.combinations()[0]);
        if let Err(diagnostics) = &mut first.model {
            return Err(Rejected {
                diagnostics: std::mem::take(diagnostics),
                text: Some(Box::new(first.source)),
            });
        }
        Ok(Chains { sweep, first })
    }

    /// What is asked of each combination.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        let asked = |name: &str, text: &str, span: Span| {
            // Without a name it has a number.
            let named = name.parse::<u32>().is_err();
            Asked { name: if named { name } else { text }.to_owned(), named, text: text.to_owned(), span }
        };
        let each = self.first.properties.iter().map(|property| match property {
            Ok(property) => asked(&property.name, &property.text, property.span),
            Err(missing) => asked(&missing.name, &missing.text, missing.diagnostic.primary.0),
        });
        each.collect()
    }
}

/// A property as it is written.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The name that its author gave it, or its text.
    pub name: String,
    /// Whether its author gave it a name.
    pub named: bool,
    /// Its text.
    pub text: String,
    /// Where it is.
    pub span: Span,
}

/// What to read a model with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'r> {
    /// The language, if it is not to be recognised.
    pub language: Option<Language>,
    /// Constants of the model that are given another value, as name and text.
    pub constants: &'r [(String, String)],
    /// For a language whose properties may be in the file beside the model: that file.
    pub queries: Option<&'r Source>,
    /// For PRISM: the properties.
    pub properties: &'r [Source],
    /// For thread transition systems: where threads begin, if not as the model says.
    pub init: Option<&'r str>,
    /// For threads: what must not be reached, if not as the model says.
    pub target: Option<&'r str>,
    /// For Promela: the most processes at a time, where no bound is found.
    pub processes: Option<u32>,
}

/// What is wrong with a text.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The text that they point into, if it is not that of the model.
    pub text: Option<Box<Source>>,
}

/// Reads a model; warnings come with it.
pub fn load(source: &Source, request: Request<'_>) -> Result<(Loaded, Vec<Diagnostic>), Rejected> {
    let rejected = |diagnostics| Rejected { diagnostics, text: None };
    let texts = [Some(source), request.queries].into_iter().flatten().chain(request.properties);
    if let Some(text) = texts.into_iter().find(|text| text.is_cut()) {
        let message = format!("{} is too large: at most {MAX_BYTES} bytes are read", text.name());
        let error = Diagnostic::error(codes::FILE_TOO_LARGE, Span::default(), message);
        return Err(rejected(vec![error]));
    }
    let model = |(model, diagnostics): (Option<Model>, Vec<Diagnostic>)| match model {
        Some(model) => Ok((Loaded::Model(model), diagnostics)),
        None => Err(rejected(diagnostics)),
    };
    let threads = |read: Result<Threads, Box<Diagnostic>>| match read {
        Ok(threads) => Ok((Loaded::Threads(threads), Vec::new())),
        Err(mistake) => Err(rejected(vec![*mistake])),
    };
    let (constants, target) = (request.constants, request.target);
    match request.language.unwrap_or_else(|| Language::of(source)) {
        Language::Murphi => model(murphi::load(source, constants)),
        Language::Promela => {
            let settings = promela::Settings::with_processes(request.processes);
            model(promela::load(source, constants, &settings))
        }
        Language::Uppaal => timed(source, &request),
        Language::Prism => {
            let chains = Chains::read(source, request.properties, constants)?;
            Ok((Loaded::Chains(Box::new(chains)), Vec::new()))
        }
        Language::Boolean => threads(boolean::load(source, target)),
        Language::Tts => {
            let target = target.or(request.queries.map(Source::text));
            threads(boolean::load_tts(source, request.init, target))
        }
    }
}

/// Reads timed automata and their queries.
fn timed(source: &Source, request: &Request<'_>) -> Result<(Loaded, Vec<Diagnostic>), Rejected> {
    let rejected = |diagnostics| Err(Rejected { diagnostics, text: None });
    let Some(queries) = request.queries else {
        return match uppaal::load(source, request.constants) {
            (Some(network), diagnostics) => Ok((Loaded::Network(network), diagnostics)),
            (None, diagnostics) => rejected(diagnostics),
        };
    };
    match uppaal::load_with_queries(source, queries, request.constants) {
        (Some(network), diagnostics, _) => Ok((Loaded::Network(network), diagnostics)),
        (None, diagnostics, asked) if asked.is_empty() => rejected(diagnostics),
        (None, _, asked) => Err(Rejected { diagnostics: asked, text: Some(Box::new(queries.clone())) }),
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
        assert_eq!(of("a.pm", "dtmc"), "prism");
        assert_eq!(of("a.pm", "active proctype P() {}"), "promela");
        assert_eq!((of("a.BP", ""), of("a.tts", "")), ("boolean", "tts"));
        assert_eq!(of("<stdin>", "// a coin\nmdp\nmodule m x : bool; endmodule"), "prism");
        assert_eq!(of("<stdin>", "#define N 3\nactive [N] proctype P() { skip }"), "promela");
        assert_eq!(of("<stdin>", "decl g;\nvoid main() begin skip; end"), "boolean");
        assert_eq!(of("<stdin>", " \u{feff}<?xml version=\"1.0\"?>"), "uppaal");
        assert_eq!(of("<stdin>", "// a comment\nclock x;\nprocess P() {}\nsystem P;\n"), "uppaal");
        assert_eq!(of("<stdin>", "var system : boolean;\nstartstate end;\n"), "murphi");
        assert_eq!(of("<stdin>", "-- clock\nconst N : 3;\nrule true ==> end;"), "murphi");
    }
}
