//! Checks one property and says what it cost: `values MODEL CONSTANTS PROPERTY [none] [exact]`. For `bench/chance`.

use burnside_chance::run::{Options, Runner};
use burnside_lang::prism::load;
use burnside_lang::source::Source;

/// CPU seconds of this process, from the kernel's table.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or("");
    let fields: Vec<f64> = after.split_whitespace().map(|field| field.parse().unwrap_or(0.0)).collect();
    (fields.get(11).unwrap_or(&0.0) + fields.get(12).unwrap_or(&0.0)) / 100.0
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, constants, property, rest @ ..] = arguments.as_slice() else {
        eprintln!("values MODEL CONSTANTS PROPERTY [none] [exact]");
        std::process::exit(2);
    };
    let text = std::fs::read_to_string(model).unwrap_or_else(|error| panic!("{model}: {error}"));
    let pairs = constants.split(',').filter_map(|pair| pair.split_once('='));
    let given: Vec<(String, String)> =
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let loaded =
        load(&Source::new(model.as_str(), text), &[&Source::new("property", property.as_str())], &given);
    let found =
        loaded.model.as_ref().unwrap_or_else(|errors| panic!("{}", errors[0].render(&loaded.source, false)));
    let options = Options {
        reduce: !rest.iter().any(|word| word == "none"),
        exact: rest.iter().any(|word| word == "exact"),
        ..Options::default()
    };
    for property in loaded.properties.iter().flatten() {
        let outcome = Runner::new(found, options.clone()).check(property);
        let group =
            outcome.symmetry.as_ref().map_or("none".to_owned(), |symmetry| symmetry.structure.clone());
        println!(
            "{:.2}\t{}\t{}\t{:.2}\t{:.2}\t{}\t{:?}",
            cpu(),
            outcome.states,
            group,
            outcome.built.as_secs_f64(),
            outcome.checked.as_secs_f64(),
            outcome.sweeps,
            outcome.answer
        );
    }
}
