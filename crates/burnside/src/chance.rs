//! Probabilistic models: from a PRISM model and its properties to values, as text and as JSON.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use burnside_chance::check::Answer;
use burnside_chance::check::column::Number;
use burnside_chance::run::{Options, Outcome, Runner};
use burnside_chance::step::{Problem, ProblemKind};
use burnside_chance::symmetry::Subject;
use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::prism::{self, Loaded};
use burnside_lang::source::Source;
use burnside_model::chance::{Model, Real};
use serde_json::{Map, Value, json};

use crate::exit;

/// Whether a model is written in PRISM's language: by its name, or because its first word is a kind of model.
pub fn is_prism(source: &Source) -> bool {
    const ENDINGS: &[&str] = &[".prism", ".pm", ".nm", ".sm", ".mdp", ".dtmc", ".ctmc"];
    const KINDS: &[&str] =
        &["dtmc", "mdp", "ctmc", "probabilistic", "nondeterministic", "stochastic", "pta", "pomdp"];
    // Some call Promela models so.
    let promela = source.name().ends_with(".pm") && source.text().contains("proctype");
    if !promela && ENDINGS.iter().any(|end| source.name().ends_with(end)) {
        return true;
    }
    let lines = source.text().trim_start_matches('\u{feff}').lines().map(str::trim);
    let first = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with("//"));
    first.and_then(|line| line.split_whitespace().next()).is_some_and(|word| KINDS.contains(&word))
}

/// What is asked of a probabilistic model.
#[derive(Clone, Debug)]
pub struct ChanceTask<'s> {
    /// The model.
    pub model: &'s Source,
    /// Its properties, from files and from the command line.
    pub properties: &'s [&'s Source],
    /// Constants; a value `1:5` or `1:2:9` is a range, and all values of it are checked.
    pub constants: &'s [(String, String)],
    /// How to check.
    pub options: Options,
    /// Whether messages have colours.
    pub color: bool,
}

/// A property and what was found out about it.
#[derive(Debug)]
pub struct Checked {
    /// Its name, or its number.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The values of constants that were swept.
    pub constants: Vec<(String, String)>,
    /// The outcome; none if the property is wrong.
    pub outcome: Option<Outcome>,
    /// What is wrong, rendered.
    pub message: Option<String>,
}

/// The results of a probabilistic model.
#[derive(Debug)]
pub struct ChanceReport {
    /// The name of the model.
    pub model: String,
    /// The kind of the model.
    pub kind: &'static str,
    /// All properties, for all values of constants.
    pub properties: Vec<Checked>,
    /// How long it took.
    pub took: Duration,
}

/// Checks all properties of a probabilistic model; an error is a rendered message.
pub fn check_chance(task: &ChanceTask) -> Result<ChanceReport, String> {
    let begun = Instant::now();
    let mut report = ChanceReport {
        model: task.model.name().to_owned(),
        kind: "",
        properties: Vec::new(),
        took: Duration::ZERO,
    };
    for (constants, swept) in combinations(task.constants)? {
        let loaded = prism::load(task.model, task.properties, &constants);
        let model = model_of(&loaded, task.color)?;
        report.kind = model.kind.word();
        let mut runner = Runner::new(model, task.options.clone());
        for property in &loaded.properties {
            let checked = match property {
                Err(missing) => Checked {
                    name: missing.name.clone(),
                    text: missing.text.clone(),
                    constants: swept.clone(),
                    outcome: None,
                    message: Some(missing.diagnostic.render(&loaded.source, task.color)),
                },
                Ok(property) => {
                    let outcome = runner.check(property);
                    let message = outcome.answer.as_ref().err();
                    let message = message.map(|p| diagnostic(p, model).render(&loaded.source, task.color));
                    Checked {
                        name: property.name.clone(),
                        text: property.text.clone(),
                        constants: swept.clone(),
                        outcome: Some(outcome),
                        message,
                    }
                }
            };
            report.properties.push(checked);
        }
    }
    report.took = begun.elapsed();
    Ok(report)
}

fn model_of(loaded: &Loaded, color: bool) -> Result<&Model, String> {
    loaded.model.as_ref().map_err(|diagnostics| {
        diagnostics.iter().map(|d| d.render(&loaded.source, color)).collect::<Vec<_>>().join("\n")
    })
}

/// Constants, and those of them that came from a range.
type Combination = (Vec<(String, String)>, Vec<(String, String)>);

/// All combinations of the values of ranges.
fn combinations(constants: &[(String, String)]) -> Result<Vec<Combination>, String> {
    let mut all: Vec<Combination> = vec![(Vec::new(), Vec::new())];
    for (name, value) in constants {
        let parts: Vec<&str> = value.split(':').collect();
        let values = match parts.as_slice() {
            [_] => vec![value.clone()],
            [low, high] => {
                range(low, "1", high).ok_or_else(|| format!("`{value}` is no range for `{name}`"))?
            }
            [low, step, high] => {
                range(low, step, high).ok_or_else(|| format!("`{value}` is no range for `{name}`"))?
            }
            _ => return Err(format!("`{value}` is no range for `{name}`: write low:high or low:step:high")),
        };
        let swept = parts.len() > 1;
        let mut extended = Vec::new();
        for (known, shown) in &all {
            for value in &values {
                let (mut known, mut shown) = (known.clone(), shown.clone());
                known.push((name.clone(), value.clone()));
                if swept {
                    shown.push((name.clone(), value.clone()));
                }
                extended.push((known, shown));
            }
        }
        all = extended;
        if all.len() > 100_000 {
            return Err("more than 100,000 combinations of constants".to_owned());
        }
    }
    Ok(all)
}

fn range(low: &str, step: &str, high: &str) -> Option<Vec<String>> {
    let (mut at, step, high) = (Real::decimal(low)?, Real::decimal(step)?, Real::decimal(high)?);
    if step == Real::from(0) {
        return None;
    }
    let mut values = Vec::new();
    while at.compare(&high) != Some(std::cmp::Ordering::Greater) && values.len() <= 100_000 {
        values.push(match &at {
            Real::Exact(value) => value.to_string(),
            Real::Float(value) => value.to_string(),
        });
        at = at.add(&step);
    }
    (!values.is_empty()).then_some(values)
}

/// A mistake that showed when the model ran, with its place and state.
fn diagnostic(problem: &Problem, model: &Model) -> Diagnostic {
    let code = match problem.kind {
        ProblemKind::Weight => codes::WRONG_WEIGHT,
        ProblemKind::Range => codes::OUT_OF_RANGE,
        ProblemKind::Reward => codes::WRONG_REWARD,
        ProblemKind::Arithmetic => codes::STATE_ARITHMETIC,
        ProblemKind::Property | ProblemKind::Limit => codes::WRONG_PROPERTY,
    };
    let found = Diagnostic::error(code, problem.span, problem.message.clone());
    if problem.state.is_empty() {
        return found;
    }
    let values = model.variables.iter().zip(&problem.state).map(|(variable, value)| {
        if variable.boolean {
            format!("{}={}", variable.name, *value != 0)
        } else {
            format!("{}={value}", variable.name)
        }
    });
    let mut shown: Vec<String> = values.collect();
    if shown.len() > 24 {
        shown.truncate(24);
        shown.push("…".to_owned());
    }
    found.help(format!("in the state {}", shown.join(", ")))
}

/// A number with the digits that are certain.
fn digits(number: &Number) -> String {
    match number {
        Number::Exact(Real::Exact(value)) => value.to_string(),
        Number::Exact(Real::Float(value)) => plain(*value),
        Number::Bounds(low, high) if low == high && (low.is_infinite() || *low == 0.0) => plain(*low),
        Number::Bounds(low, high) => {
            for count in (0..16).rev() {
                let (a, b) = (format!("{low:.count$e}"), format!("{high:.count$e}"));
                if a == b {
                    return a.parse::<f64>().map_or(a, plain);
                }
            }
            plain(((low + high) / 2.0 * 1e3).round() / 1e3)
        }
    }
}

fn plain(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value != 0.0 && (value.abs() < 1e-5 || value.abs() >= 1e15) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

fn end(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { json!(plain(value)) }
}

impl ChanceReport {
    /// The exit code: 2 if something is wrong, 1 if a bound is violated, 3 at a limit.
    pub fn exit_code(&self) -> u8 {
        let limit = |checked: &Checked| {
            let problem = checked.outcome.as_ref().and_then(|outcome| outcome.answer.as_ref().err());
            problem.is_some_and(|problem| problem.kind == ProblemKind::Limit)
        };
        let violated = |checked: &Checked| {
            matches!(checked.outcome.as_ref().map(|outcome| &outcome.answer), Some(Ok(Answer::Bool(false))))
        };
        if self.properties.iter().any(|checked| checked.message.is_some() && !limit(checked)) {
            exit::WRONG_INPUT
        } else if self.properties.iter().any(violated) {
            exit::VIOLATED
        } else if self.properties.iter().any(limit) {
            exit::UNKNOWN
        } else {
            exit::HOLDS
        }
    }

    /// The results for people.
    pub fn text(&self) -> String {
        let mut text = format!("model: {} ({})\n", self.model, self.kind);
        for checked in &self.properties {
            let given: Vec<String> =
                checked.constants.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let given = if given.is_empty() { String::new() } else { format!(" [{}]", given.join(", ")) };
            let _ = writeln!(text, "\n{}: {}{given}", checked.name, checked.text);
            if let Some(message) = &checked.message {
                let _ = write!(text, "{message}");
            }
            let Some(outcome) = &checked.outcome else { continue };
            match &outcome.answer {
                Err(_) => continue,
                Ok(Answer::Bool(true)) => text.push_str("  result: true\n"),
                Ok(Answer::Bool(false)) => text.push_str("  result: false\n"),
                Ok(Answer::Number(number)) => {
                    let _ = writeln!(text, "  result: {}", digits(number));
                    match number {
                        Number::Exact(value) if value.exact().is_some_and(|value| !value.is_int()) => {
                            let _ = writeln!(text, "          about {}", plain(value.to_f64()));
                        }
                        Number::Bounds(low, high) if low != high => {
                            let _ = writeln!(text, "          between {} and {}", plain(*low), plain(*high));
                        }
                        _ => {}
                    }
                }
                Ok(Answer::Range(least, greatest)) => {
                    let _ = writeln!(
                        text,
                        "  result: from {} to {} over the initial states",
                        digits(least),
                        digits(greatest)
                    );
                }
            }
            match (&outcome.symmetry, outcome.represented) {
                (Some(found), represented) => {
                    let whole = represented.map_or(String::new(), |whole| {
                        let factor = whole as f64 / outcome.states as f64;
                        format!(" of {whole} states (factor {factor:.1})")
                    });
                    let _ = writeln!(
                        text,
                        "  orbits: {}{whole}, {} transitions; symmetry: {}, order {}",
                        outcome.states, outcome.transitions, found.structure, found.order
                    );
                }
                (None, _) => {
                    let _ =
                        writeln!(text, "  states: {}, {} transitions", outcome.states, outcome.transitions);
                }
            }
            for why in outcome.broken.iter().take(3) {
                let _ = writeln!(text, "  note: {why}");
            }
            if outcome.broken.len() > 3 {
                let _ = writeln!(text, "  note: and {} more", outcome.broken.len() - 3);
            }
            if outcome.deadlocks > 0 {
                let _ = writeln!(text, "  note: {} deadlocks have a step to themselves", outcome.deadlocks);
            }
            if outcome.became_exact {
                text.push_str("  note: the value is so near to the bound that exact numbers decided\n");
            }
            let (built, checked) = (outcome.built.as_secs_f64(), outcome.checked.as_secs_f64());
            let _ = writeln!(
                text,
                "  time: {built:.3} s to build, {checked:.3} s to check, {} sweeps",
                outcome.sweeps
            );
        }
        text
    }

    /// The results for scripts.
    pub fn json(&self) -> String {
        let properties: Vec<Value> = self.properties.iter().map(Checked::json).collect();
        let report = json!({
            "tool": "burnside",
            "version": env!("CARGO_PKG_VERSION"),
            "model": self.model,
            "kind": self.kind,
            "properties": properties,
            "seconds": self.took.as_secs_f64(),
            "exit_code": self.exit_code(),
        });
        format!("{report:#}\n")
    }
}

impl Checked {
    fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("name".to_owned(), json!(self.name));
        object.insert("text".to_owned(), json!(self.text));
        let constants: Map<String, Value> =
            self.constants.iter().map(|(n, v)| (n.clone(), json!(v))).collect();
        object.insert("constants".to_owned(), Value::Object(constants));
        let Some(outcome) = &self.outcome else {
            object.insert("error".to_owned(), json!(self.message));
            return Value::Object(object);
        };
        match &outcome.answer {
            Err(_) => {
                object.insert("error".to_owned(), json!(self.message));
                return Value::Object(object);
            }
            Ok(Answer::Bool(value)) => {
                object.insert("verdict".to_owned(), json!(if *value { "holds" } else { "violated" }));
                object.insert("value".to_owned(), json!(value.to_string()));
            }
            Ok(Answer::Number(number)) => {
                object.insert("value".to_owned(), json!(digits(number)));
                object.insert("exact".to_owned(), json!(matches!(number, Number::Exact(_))));
                object.insert("interval".to_owned(), json!([end(number.low()), end(number.high())]));
            }
            Ok(Answer::Range(least, greatest)) => {
                object.insert("range".to_owned(), json!([digits(least), digits(greatest)]));
                object.insert("interval".to_owned(), json!([end(least.low()), end(greatest.high())]));
            }
        }
        let whole = match &outcome.symmetry {
            Some(_) => outcome.represented,
            None => Some(outcome.states as u128),
        };
        object.insert("states".to_owned(), whole.map_or(Value::Null, |whole| json!(whole.to_string())));
        object.insert("orbits".to_owned(), json!(outcome.states));
        object.insert("choices".to_owned(), json!(outcome.choices));
        object.insert("transitions".to_owned(), json!(outcome.transitions));
        let factor = whole.map(|whole| whole as f64 / outcome.states as f64);
        object.insert("factor".to_owned(), json!(factor));
        let symmetry = outcome.symmetry.as_ref().map(|found| {
            json!({"structure": found.structure, "order": found.order, "generators": found.words, "verified": true})
        });
        object.insert("symmetry".to_owned(), json!(symmetry));
        object.insert("not_used".to_owned(), json!(outcome.broken));
        object.insert("deadlocks".to_owned(), json!(outcome.deadlocks));
        object.insert("iterations".to_owned(), json!(outcome.sweeps));
        object.insert("build_seconds".to_owned(), json!(outcome.built.as_secs_f64()));
        object.insert("check_seconds".to_owned(), json!(outcome.checked.as_secs_f64()));
        Value::Object(object)
    }
}

/// What is symmetric in a probabilistic model, and which rewards break it; an error is a rendered message.
pub fn chance_symmetry(
    source: &Source,
    constants: &[(String, String)],
    color: bool,
) -> Result<String, String> {
    let loaded = prism::load(source, &[], constants);
    let model = model_of(&loaded, color)?;
    let mut subject = Subject::new(model);
    let (found, broken) = subject.find(&[], &[]);
    let mut text = format!("model: {} ({})\n", source.name(), model.kind.word());
    match &found {
        None => text.push_str("symmetry: none\n"),
        Some(found) => {
            let _ = writeln!(
                text,
                "symmetry: {}, order {}, verified on all commands",
                found.structure, found.order
            );
            for words in &found.words {
                let _ = writeln!(text, "  {words}");
            }
        }
    }
    for why in broken {
        let _ = writeln!(text, "note: {why}");
    }
    for (index, reward) in model.rewards.iter().enumerate() {
        let (with, _) = subject.find(&[], &[index as u32]);
        let order = |found: &Option<burnside_chance::symmetry::Found>| {
            found.as_ref().map_or("1".to_owned(), |found| found.order.clone())
        };
        let said = if order(&with) == order(&found) {
            "keeps it".to_owned()
        } else {
            format!("leaves order {}", order(&with))
        };
        let _ = writeln!(text, "rewards \"{}\": {said}", reward.name);
    }
    Ok(text)
}
