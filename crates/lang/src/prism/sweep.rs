//! Constants with ranges: `N=2:5` and `K=0:10:50` stand for all of these values, and a model is read once for each
//! combination.

use std::cmp::Ordering;

use burnside_model::chance::Real;

use super::{Loaded, load};
use crate::source::Source;

/// The most combinations of values.
const MOST: usize = 100_000;

/// A model and its properties, to be read with each combination of the values of constants.
#[derive(Clone, Debug)]
pub struct Sweep {
    model: Source,
    properties: Vec<Source>,
    combinations: Vec<Combination>,
}

/// Values of constants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Combination {
    /// All that are given.
    given: Vec<(String, String)>,
    /// Those of them that came from a range.
    pub swept: Vec<(String, String)>,
}

impl Sweep {
    /// All combinations of the values of these constants; an error says which is no range.
    pub fn new(model: &Source, properties: &[Source], given: &[(String, String)]) -> Result<Sweep, String> {
        let mut combinations = vec![Combination::default()];
        for (name, value) in given {
            let values = values(name, value)?;
            let swept = value.contains(':');
            let extended = combinations.iter().flat_map(|known| {
                values.iter().map(move |value| {
                    let mut next = known.clone();
                    next.given.push((name.clone(), value.clone()));
                    next.swept.extend(swept.then(|| (name.clone(), value.clone())));
                    next
                })
            });
            combinations = extended.take(MOST + 1).collect();
            if combinations.len() > MOST {
                return Err(format!("there are more than {MOST} combinations of constants"));
            }
        }
        Ok(Sweep { model: model.clone(), properties: properties.to_vec(), combinations })
    }

    /// The combinations; at least one.
    #[must_use]
    pub fn combinations(&self) -> &[Combination] {
        &self.combinations
    }

    /// Reads the model with one of the combinations.
    #[must_use]
    pub fn load(&self, combination: &Combination) -> Loaded {
        let properties: Vec<&Source> = self.properties.iter().collect();
        load(&self.model, &properties, &combination.given)
    }
}

/// The values that a text stands for.
fn values(name: &str, text: &str) -> Result<Vec<String>, String> {
    let no_range = || format!("`{text}` is no range for `{name}`: write low:high or low:step:high");
    match text.split(':').collect::<Vec<_>>().as_slice() {
        [_] => Ok(vec![text.to_owned()]),
        [low, high] => range(low, "1", high).ok_or_else(no_range),
        [low, step, high] => range(low, step, high).ok_or_else(no_range),
        _ => Err(no_range()),
    }
}

fn range(low: &str, step: &str, high: &str) -> Option<Vec<String>> {
    let (mut at, step, high) = (Real::decimal(low)?, Real::decimal(step)?, Real::decimal(high)?);
    if step.compare(&Real::from(0)) != Some(Ordering::Greater) {
        return None;
    }
    let mut values = Vec::new();
    while at.compare(&high) != Some(Ordering::Greater) && values.len() <= MOST {
        values.push(match &at {
            Real::Exact(value) => value.to_string(),
            Real::Float(value) => value.to_string(),
        });
        at = at.add(&step);
    }
    (!values.is_empty()).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(given: &[(&str, &str)]) -> Result<Vec<Combination>, String> {
        let given: Vec<_> = given.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        Sweep::new(&Source::new("m.prism", ""), &[], &given).map(|sweep| sweep.combinations)
    }

    #[test]
    fn ranges_are_all_their_values() {
        let swept = |given: &[(&str, &str)]| -> Vec<String> {
            let texts = all(given).unwrap().into_iter().map(|one| {
                let values: Vec<String> = one.swept.iter().map(|(n, v)| format!("{n}={v}")).collect();
                values.join(",")
            });
            texts.collect()
        };
        assert_eq!(swept(&[("N", "2:4")]), ["N=2", "N=3", "N=4"]);
        assert_eq!(swept(&[("N", "2:4:9"), ("K", "7")]), ["N=2", "N=6"]);
        assert_eq!(swept(&[("N", "1:2"), ("K", "5:6")]), ["N=1,K=5", "N=1,K=6", "N=2,K=5", "N=2,K=6"]);
        assert_eq!(swept(&[]), [""]);
        for wrong in ["1:", "3:1", "1:0:5", "1:-1:5", "1:2:3:4", "a:b"] {
            assert!(all(&[("N", wrong)]).is_err(), "{wrong}");
        }
        assert!(all(&[("N", "1:400"), ("K", "1:400")]).unwrap_err().contains("100000"));
    }
}
