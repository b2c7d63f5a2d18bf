//! Models that look symmetric and are not, or not quite: what `burnside symmetry` says of each, beside it.
//!
//! The first line of a model says what is wrong. Every one of them is also checked with and without symmetry.

use std::path::{Path, PathBuf};

use burnside::report::symmetry::text;
use burnside::{Limits, Options, Reduce, Source, check, symmetry};

fn all() -> Vec<(String, Source)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/asymmetric");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "m"));
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let source = Source::new(format!("{name}.m"), std::fs::read_to_string(path).unwrap());
        (name, source)
    };
    paths.iter().map(read).collect()
}

#[test]
fn explained() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("asymmetric");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, source) in all() {
            let analysis = symmetry(&source, &Options::default()).expect("a correct model");
            assert!(!analysis.breaks.is_empty(), "{name}: nothing is said to break");
            insta::assert_snapshot!(name, text(&analysis));
        }
    });
}

#[test]
fn verdicts_are_those_of_the_full_search() {
    for (name, source) in all() {
        let limits = Limits { max_errors: u64::MAX, ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let reduced = check(&source, &options).expect("a report");
        let full = check(&source, &Options { reduce: Reduce::None, ..options }).expect("a report");
        for (a, b) in full.properties.iter().zip(&reduced.properties) {
            assert_eq!((&a.name, a.verdict), (&b.name, b.verdict), "{name}");
        }
        assert!(reduced.full_states.is_none_or(|states| states == u128::from(full.states)), "{name}");
    }
}
