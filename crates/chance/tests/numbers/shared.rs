//! Models by others, beside the checkout; tests skip what is not there.

use std::path::PathBuf;

use burnside_chance::check::Answer;
use burnside_chance::run::{Options, Outcome, Runner};
use burnside_lang::prism::{Loaded, load};
use burnside_lang::source::Source;

/// The folder with models and reference values, if it is there.
pub fn folder() -> Option<PathBuf> {
    let mut at = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    while at.pop() {
        let shared = at.join("shared");
        if shared.join("golden/prob.tsv").is_file() {
            return Some(shared);
        }
    }
    eprintln!("skipped: there is no folder with reference values");
    None
}

/// Constants such as `N=2,K=3`.
pub fn constants(text: &str) -> Vec<(String, String)> {
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

/// A model file with properties.
pub fn read(model: &PathBuf, properties: &str, given: &[(String, String)]) -> Loaded {
    let text = std::fs::read_to_string(model).unwrap_or_else(|e| panic!("{}: {e}", model.display()));
    let source = Source::new(model.to_string_lossy(), text);
    load(&source, &[&Source::new("properties", properties)], given)
}

/// The first property.
pub fn check_first(loaded: &Loaded, options: Options) -> Result<(Answer, Outcome), String> {
    let model = loaded.model.as_ref().map_err(|errors| errors[0].render(&loaded.source, false))?;
    let property = loaded.properties.first().ok_or("no property")?;
    let property = property.as_ref().map_err(|missing| missing.diagnostic.render(&loaded.source, false))?;
    let outcome = Runner::new(model, options).check(property);
    match &outcome.answer {
        Ok(answer) => Ok((answer.clone(), outcome)),
        Err(problem) => Err(problem.message.clone()),
    }
}
