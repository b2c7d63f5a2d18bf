//! PRISM's own regression lines: `// RESULT: v` before a property says what its value is.

use std::path::Path;

use burnside_chance::check::Answer;
use burnside_chance::run::{Options, Runner};
use burnside_lang::prism::load;
use burnside_lang::source::Source;

use super::shared::{constants, folder};

/// A value as PRISM's files write it.
fn number(text: &str) -> Option<f64> {
    let text = text.split('=').next()?.trim().trim_start_matches('~');
    match text {
        "Infinity" | "Inf" => return Some(f64::INFINITY),
        "-Infinity" => return Some(f64::NEG_INFINITY),
        _ => {}
    }
    match text.split_once('/') {
        Some((a, b)) => Some(big(a)? / big(b)?),
        None => big(text),
    }
}

fn big(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

fn agrees(answer: &Answer, expected: &str) -> bool {
    match answer {
        Answer::Bool(value) => value.to_string() == expected,
        Answer::Number(found) => match number(expected) {
            Some(value) if value.is_infinite() => found.low() == value,
            Some(value) => {
                let margin = 1e-5 * value.abs().max(1e-8);
                found.low() <= value + margin && found.high() >= value - margin
            }
            None => false,
        },
        Answer::Range(..) => false,
    }
}

/// A property with the results that are expected for constants.
struct Expected {
    results: Vec<(Vec<(String, String)>, String)>,
}

/// The results before each property, by the offset of the property.
fn expectations(text: &str) -> Vec<(usize, Expected)> {
    let mut found = Vec::new();
    let mut results = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if let Some(rest) = trimmed.strip_prefix("//") {
            let rest = rest.trim();
            if let Some(rest) = rest.strip_prefix("RESULT") {
                let rest = rest.trim();
                let (given, rest) = match rest.strip_prefix('(') {
                    Some(rest) => rest.split_once(')').unwrap_or(("", rest)),
                    None => ("", rest),
                };
                let value = rest.trim().trim_start_matches(':').trim().to_owned();
                results.push((constants(given), value));
            }
        } else if !trimmed.is_empty()
            && !results.is_empty()
            && !trimmed.starts_with("const")
            && !trimmed.starts_with("label")
        {
            found.push((offset, Expected { results: std::mem::take(&mut results) }));
        }
        offset += line.len();
    }
    found
}

/// The constants of all runs of a file.
fn runs(folder: &Path, props: &str) -> Vec<Vec<(String, String)>> {
    let Ok(text) = std::fs::read_to_string(folder.join(format!("{props}.args"))) else {
        return vec![Vec::new()];
    };
    let mut found: Vec<Vec<(String, String)>> = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        let words: Vec<_> = line.split_whitespace().collect();
        let given = words.iter().position(|word| *word == "-const").and_then(|at| words.get(at + 1));
        let given = constants(given.unwrap_or(&""));
        let mut all = vec![Vec::new()];
        for (name, value) in given {
            let values: Vec<String> = match value.split_once(':') {
                Some((low, high)) => {
                    let (low, high): (i64, i64) = (low.parse().unwrap(), high.parse().unwrap());
                    (low..=high).map(|value| value.to_string()).collect()
                }
                None => vec![value],
            };
            let extended = all.iter().flat_map(|known: &Vec<(String, String)>| {
                let name = name.clone();
                values.iter().map(move |value| {
                    let mut more = known.clone();
                    more.push((name.clone(), value.clone()));
                    more
                })
            });
            all = extended.collect();
        }
        for run in all {
            if !found.contains(&run) {
                found.push(run);
            }
        }
    }
    if found.is_empty() { vec![Vec::new()] } else { found }
}

#[test]
fn regression_lines() {
    let Some(shared) = folder() else { return };
    let base = shared.join("corpus/prism/prism-tests");
    let index = std::fs::read_to_string(base.join("INDEX.tsv")).unwrap();
    let only = std::env::var("BURNSIDE_ONLY").unwrap_or_default();
    let (mut agree, mut refused, mut wrong) = ([0; 4], [0; 4], Vec::new());
    let mut said = Vec::new();
    for line in index.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let tier: usize = fields[4].parse().unwrap();
        if tier == 3 || !fields[0].contains(&only) {
            continue;
        }
        let model = Source::new(fields[1], std::fs::read_to_string(base.join(fields[1])).unwrap());
        let text = std::fs::read_to_string(base.join(fields[0])).unwrap();
        let expected = expectations(&text);
        let first = runs(&base, fields[0]);
        for (run, given) in first.iter().enumerate() {
            // Constants that only the results mention.
            let mut all: Vec<Vec<(String, String)>> = Vec::new();
            for (_, property) in &expected {
                for (more, _) in &property.results {
                    let mut merged = given.clone();
                    let known = |name: &str| given.iter().any(|(g, _)| g == name);
                    merged.extend(more.iter().filter(|(name, _)| !known(name)).cloned());
                    if !all.contains(&merged) {
                        all.push(merged);
                    }
                }
            }
            for given in all {
                let loaded = load(&model, &[&Source::new(fields[0], text.clone())], &given);
                let start = loaded.source.text().len() - text.len();
                for (offset, property) in &expected {
                    for (needed, value) in &property.results {
                        let fits = needed.iter().all(|(name, value)| {
                            given.iter().all(|(known, other)| {
                                known != name
                                    || number(other) == number(value) && other.len() == value.len()
                                    || other == value
                            })
                        });
                        let unspecific = needed.is_empty() && run > 0;
                        if !fits || unspecific {
                            continue;
                        }
                        let outcome: Result<Answer, String> = match &loaded.model {
                            Err(errors) => Err(errors[0].message.clone()),
                            Ok(model) => {
                                let at = |span: burnside_model::Span| span.start as usize >= start + offset;
                                let next = expected
                                    .iter()
                                    .map(|(o, _)| *o)
                                    .find(|o| o > offset)
                                    .unwrap_or(usize::MAX - start);
                                let mine = loaded.properties.iter().find_map(|p| match p {
                                    Ok(p) => (at(p.span) && (p.span.start as usize) < start + next)
                                        .then_some(Ok(p)),
                                    Err(m) => (at(m.diagnostic.primary.0)
                                        && (m.diagnostic.primary.0.start as usize) < start + next)
                                        .then(|| Err(m.diagnostic.message.clone())),
                                });
                                match mine {
                                    None => Err("no property here".to_owned()),
                                    Some(Err(message)) => Err(message),
                                    Some(Ok(property)) => Runner::new(model, Options::default())
                                        .check(property)
                                        .answer
                                        .map_err(|problem| problem.message),
                                }
                            }
                        };
                        let place = format!("{}:{}", fields[0], text[..*offset].lines().count() + 1);
                        match outcome {
                            Err(message) if value.starts_with("Error") => {
                                let _ = message;
                                agree[tier] += 1;
                            }
                            Err(message) => {
                                refused[tier] += 1;
                                said.push(format!("refused {place} {given:?}: {message}"));
                            }
                            Ok(_) if value == "?" => agree[tier] += 1,
                            Ok(answer) if agrees(&answer, value) => agree[tier] += 1,
                            Ok(answer) => {
                                wrong.push(format!("{place} {given:?}: {answer:?}, expected {value}"))
                            }
                        }
                    }
                }
            }
        }
    }
    eprintln!("{}", said.join("\n"));
    eprintln!(
        "tier 1: {} agree, {} refused; tier 2: {} agree, {} refused; {} wrong",
        agree[1],
        refused[1],
        agree[2],
        refused[2],
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
