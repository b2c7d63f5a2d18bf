//! What a student sees: every wrong model under `errors`, in Murphi, UPPAAL's or PRISM's language, and its rendered diagnostics
//! beside it.
//!
//! The first line of a model is a comment with the codes of all its diagnostics in their order, what is wrong, and
//! perhaps the constants given from outside: `-- E0208: not a number (-D N=many)`. In UPPAAL's files it is a comment of theirs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::murphi::load;
use burnside_lang::prism;
use burnside_lang::source::Source;
use burnside_lang::uppaal;

/// Errors that no small file can show, and why.
const EXEMPT: &[(&str, &str)] = &[
    ("E1011", "seen when the model runs: tests/numbers of the engine"),
    ("E1013", "seen when the model runs: tests/numbers of the engine"),
    ("E1014", "seen when the model runs: tests/numbers of the engine"),
    ("E0907", "seen when the model runs: tests/timed of the program"),
    ("E0508", "it takes a second file: tests/claims.rs of the program"),
    ("E0010", "needs a file of 16 MiB; `file_too_large` makes one in memory"),
];

/// A wrong model and what is said about it.
struct Wrong {
    name: String,
    head: String,
    source: Source,
    diagnostics: Vec<Diagnostic>,
}

impl Wrong {
    fn read(path: &Path) -> Self {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(path).unwrap();
        let head = String::from_utf8(bytes.split(|b| *b == b'\n').next().unwrap().to_vec()).unwrap();
        let file = path.file_name().unwrap().to_str().unwrap();
        let (source, diagnostics) = match Source::from_bytes(file, &bytes) {
            Ok(source) => {
                if file.ends_with(".prism") {
                    return Wrong::prism(name, head, &source);
                }
                let (none, diagnostics) = if file.ends_with(".m") {
                    let (model, diagnostics) = load(&source, &given(&head));
                    (model.is_none(), diagnostics)
                } else {
                    let (network, diagnostics) = uppaal::load(&source, &given(&head));
                    (network.is_none(), diagnostics)
                };
                assert_eq!(none, diagnostics.iter().any(Diagnostic::is_error), "{name}");
                (source, diagnostics)
            }
            Err(diagnostic) => (Source::new(file, ""), vec![*diagnostic]),
        };
        Wrong { name, head, source, diagnostics }
    }

    /// A PRISM model; what follows a line `// properties` is a file of its own.
    fn prism(name: String, head: String, source: &Source) -> Self {
        let (model, properties) = source.text().split_once("// properties\n").unwrap_or((source.text(), ""));
        let model = Source::new(source.name(), model);
        let loaded = prism::load(&model, &[&Source::new(format!("{name}.props"), properties)], &given(&head));
        let mut diagnostics = loaded.model.err().unwrap_or_default();
        let missing = loaded.properties.into_iter().filter_map(Result::err);
        diagnostics.extend(missing.map(|missing| *missing.diagnostic));
        Wrong { name, head, source: loaded.source, diagnostics }
    }

    fn codes(&self) -> Vec<&'static str> {
        self.diagnostics.iter().map(|d| d.code.0).collect()
    }

    fn rendered(&self) -> String {
        let parts: Vec<_> = self.diagnostics.iter().map(|d| d.render(&self.source, false)).collect();
        parts.join("\n")
    }
}

/// The constants given from outside, as the first line says.
fn given(head: &str) -> Vec<(String, String)> {
    let Some((_, rest)) = head.split_once("(-D ") else { return Vec::new() };
    let (name, value) = rest.trim_end_matches(')').split_once('=').unwrap();
    vec![(name.to_owned(), value.to_owned())]
}

fn all() -> Vec<Wrong> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        path.extension().is_some_and(|e| e == "m" || e == "xta" || e == "xml" || e == "prism")
    });
    paths.sort();
    paths.iter().map(|path| Wrong::read(path)).collect()
}

/// One mistake gives one error, two independent ones give two.
#[test]
fn as_many_errors_as_mistakes() {
    let mut surprises = Vec::new();
    for wrong in all() {
        let (codes, _) = wrong.head.split_once(':').unwrap();
        let expected: Vec<_> =
            codes.trim_start_matches(['-', '/', '<', '!', ' ']).split_whitespace().collect();
        if wrong.codes() != expected {
            surprises.push(format!("{}\n{}", wrong.head, wrong.rendered()));
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

#[test]
fn rendered() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("errors");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for wrong in all() {
            insta::assert_snapshot!(wrong.name.clone(), wrong.rendered());
        }
    });
}

#[test]
fn every_error_is_exercised() {
    let seen: BTreeSet<_> = all().iter().flat_map(Wrong::codes).collect();
    let errors: BTreeSet<_> =
        codes::ALL.iter().map(|(_, code, _)| code.0).filter(|c| c.starts_with('E')).collect();
    let exempt: BTreeSet<_> = EXEMPT.iter().map(|(code, _)| *code).collect();
    let missing: Vec<_> = errors.difference(&seen).filter(|code| !exempt.contains(*code)).collect();
    assert!(missing.is_empty(), "no model shows {missing:?}");
    let needless: Vec<_> = exempt.intersection(&seen).collect();
    assert!(needless.is_empty(), "exempt, but shown: {needless:?}");
    assert!(seen.len() >= 30, "only {} codes", seen.len());
}

/// A message is one sentence that names the mistake; its place is inside the file.
#[test]
fn messages_are_sentences() {
    for wrong in all() {
        for d in &wrong.diagnostics {
            let whole = format!("{}: {}", wrong.name, d.message);
            assert!(!d.message.ends_with('.') && !d.message.contains('\n'), "{whole}");
            // In an `.xml` file the place is said too.
            let said = d.message.split(" (line ").next().unwrap_or_default();
            assert!(said.len() <= 120, "{whole}");
            let places = std::iter::once(&d.primary).chain(&d.secondary);
            let end = wrong.source.text().len() as u32;
            assert!(places.into_iter().all(|(span, _)| span.start <= span.end && span.end <= end), "{whole}");
        }
    }
}

#[test]
fn file_too_large() {
    let bytes = vec![b' '; burnside_lang::source::MAX_BYTES + 1];
    let error = Source::from_bytes("large.m", &bytes).unwrap_err();
    assert_eq!(error.code, codes::FILE_TOO_LARGE);
}

#[test]
fn constants_given_from_outside() {
    let text = "const N : 2; ON : false; FIRST : 1 + N;\nvar x : 0..N; startstate begin x := 0; end;";
    let source = Source::new("constants.m", text);
    let value = |given: &[(&str, &str)], name: &str| {
        let given: Vec<_> = given.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
        let (model, _) = load(&source, &given);
        model?.constants.iter().find(|c| c.name == name).map(|c| c.value)
    };
    assert_eq!(value(&[], "N"), Some(2));
    assert_eq!(value(&[("N", "5")], "N"), Some(5));
    assert_eq!(value(&[("N", "5")], "FIRST"), Some(6), "a constant made from it follows");
    assert_eq!(value(&[("N", "5"), ("N", "0x10")], "N"), Some(16), "the last one counts");
    assert_eq!(value(&[("FIRST", "-3")], "FIRST"), Some(-3));
    assert_eq!(value(&[("ON", "True")], "ON"), Some(1));
    for wrong in ["", "-", "--1", "+1", "1.5", "N", "99999999999999999999"] {
        assert_eq!(value(&[("N", wrong)], "N"), None, "{wrong}");
    }
}
