//! The symmetry of a model, without exploring it: as text, JSON and a picture.

mod svg;

use std::fmt::Write;

use serde::Serialize;

use crate::text::order;
use crate::{SymmetryReport, Warning, generators};

pub(crate) use svg::escape;
pub use svg::svg;

/// What is symmetric in a model, and what is not.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The model's file name.
    pub model: String,
    pub symmetry: SymmetryReport,
    pub factors: Vec<Factor>,
    /// The properties that are decided under a smaller group.
    pub properties: Vec<PropertyGroup>,
    pub variables: Vec<Orbit>,
    /// The orbits of the rules' instances.
    pub rules: Vec<Orbit>,
    /// What breaks symmetry, and where.
    pub breaks: Vec<Warning>,
}

/// A set of interchangeable values.
#[derive(Clone, Debug, Serialize)]
pub struct Factor {
    /// The type, or the part of it.
    pub name: String,
    /// `declared`, `detected` or `claimed`.
    pub derived: String,
    pub verified: bool,
    pub elements: Vec<String>,
    /// Other values of its types, which are in orbits of their own.
    pub fixed: Vec<String>,
}

/// A property with a group of its own.
#[derive(Clone, Debug, Serialize)]
pub struct PropertyGroup {
    pub property: String,
    /// The structure of the group.
    pub structure: String,
    /// Its order, in decimal.
    pub order: String,
}

/// What the group moves onto each other.
#[derive(Clone, Debug, Serialize)]
pub struct Orbit {
    /// What they are together: the rule, or the first variable.
    pub name: String,
    pub members: Vec<String>,
}

/// The analysis as text that ends with a line break.
pub fn text(analysis: &Analysis) -> String {
    let symmetry = &analysis.symmetry;
    let mut text = String::new();
    for found in &analysis.breaks {
        let _ = writeln!(text, "{}", found.snippet.trim_end());
        text.push('\n');
    }
    text.push_str(&group(analysis));
    for factor in &analysis.factors {
        let sure = if factor.verified { "verified" } else { "not verified" };
        let _ = write!(text, "  {}, {sure}: {{{}}}", factor.derived, factor.elements.join(", "));
        match factor.fixed.as_slice() {
            [] => text.push('\n'),
            fixed => {
                let _ = writeln!(text, " are interchangeable, but not {}", fixed.join(", "));
            }
        }
    }
    if !symmetry.generators.is_empty() {
        let _ = writeln!(text, "  generators: {}", symmetry.generators.join(" "));
    }
    symmetry.judged.iter().for_each(|generator| text.push_str(&generator.text()));
    if symmetry.judged.iter().any(|generator| generator.claimed && generator.verdict != "verified") {
        text.push_str(
            "  what is not verified is only used by `check --trust-symmetry`, and then nothing `holds`\n",
        );
    }
    for property in &analysis.properties {
        let _ = writeln!(
            text,
            "  for \"{}\": {} of order {}",
            property.property,
            property.structure,
            order(&property.order)
        );
    }
    let moved = |orbits: &[Orbit]| orbits.iter().filter(|orbit| orbit.members.len() > 1).count();
    let count = |orbits: &[Orbit]| orbits.iter().map(|orbit| orbit.members.len()).sum::<usize>();
    if moved(&analysis.variables) > 0 || moved(&analysis.rules) > 0 {
        let _ = writeln!(
            text,
            "  {} variables in {} orbits, {} rule instances in {} orbits",
            count(&analysis.variables),
            analysis.variables.len(),
            count(&analysis.rules),
            analysis.rules.len()
        );
        let _ = writeln!(text, "  at best {} times fewer states", order(&symmetry.order));
    }
    text
}

/// The group in a line.
#[must_use]
pub fn group(analysis: &Analysis) -> String {
    let symmetry = &analysis.symmetry;
    format!("{}: symmetry {} of order {}\n", analysis.model, symmetry.structure, order(&symmetry.order))
}

/// The analysis as JSON text that ends with a line break.
pub fn json(analysis: &Analysis) -> Result<String, serde_json::Error> {
    #[derive(Serialize)]
    struct Json<'a> {
        model: &'a str,
        symmetry: Group<'a>,
        factors: &'a [Factor],
        properties: &'a [PropertyGroup],
        variables: &'a [Orbit],
        rules: &'a [Orbit],
        judged: Vec<generators::Json<'a>>,
        breaks: Vec<Found<'a>>,
    }
    #[derive(Serialize)]
    struct Group<'a> {
        generators: &'a [String],
        structure: &'a str,
        order: &'a str,
        verified: bool,
        derived: &'a str,
    }
    #[derive(Serialize)]
    struct Found<'a> {
        code: &'a str,
        message: &'a str,
        place: Option<&'a crate::Place>,
    }
    let symmetry = &analysis.symmetry;
    let found = |w: &'_ Warning| (w.code.clone(), w.message.clone(), w.place.clone());
    let breaks: Vec<_> = analysis.breaks.iter().map(found).collect();
    let mut text = serde_json::to_string_pretty(&Json {
        model: &analysis.model,
        symmetry: Group {
            generators: &symmetry.generators,
            structure: &symmetry.structure,
            order: &symmetry.order,
            verified: symmetry.verified,
            derived: &symmetry.derived,
        },
        factors: &analysis.factors,
        properties: &analysis.properties,
        variables: &analysis.variables,
        rules: &analysis.rules,
        judged: symmetry.judged.iter().map(generators::Json::new).collect(),
        breaks: breaks
            .iter()
            .map(|(code, message, place)| Found { code, message, place: place.as_ref() })
            .collect(),
    })?;
    text.push('\n');
    Ok(text)
}
