//! The functions of every model in `models/murphi` say what the interpreter does.

mod common;

use std::path::Path;

use burnside_lang::source::Source;
use burnside_model::Model;
use burnside_model::code::{Semantics, Undefined};

fn load(path: &Path) -> Model {
    let source = Source::from_bytes(path.display().to_string(), &std::fs::read(path).unwrap()).unwrap();
    burnside_lang::murphi::load(&source, &[]).0.expect("the model is in order")
}

#[test]
fn models_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi");
    let mut models = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ext| ext == "m") {
            let model = load(&path);
            for undefined in Undefined::ALL {
                let semantics = Semantics { undefined, ..Semantics::default() };
                let compared = common::compare(&model, semantics, 300, 1);
                assert!(compared.is_ok(), "{}: {}", path.display(), compared.unwrap_err());
                models += 1;
            }
        }
    }
    assert!(models > 30);
}
