//! Compiled code gives what the interpreter gives, in every state reached of every model in `models/murphi`.

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
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ext| ext == "m") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            for undefined in Undefined::ALL {
                common::compare(
                    &name,
                    &load(&path),
                    Semantics { undefined, ..Semantics::default() },
                    common::MAX_STATES,
                );
            }
        }
    }
}
