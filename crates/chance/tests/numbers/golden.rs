//! Every row of the table of reference values: exact ones exactly, the others within their intervals, with and without
//! symmetry, and never more orbits than the table says. The quick rows always; all with `BURNSIDE_GOLDEN=all`.

use burnside_chance::check::Answer;
use burnside_chance::check::column::Number;
use burnside_chance::run::Options;
use burnside_model::chance::Real;
use dashu_ratio::RBig;

use super::shared::{check_first, constants, folder, read};

struct Row<'t> {
    fields: Vec<&'t str>,
}

impl Row<'_> {
    fn states(&self) -> f64 {
        self.fields[6].parse().unwrap_or(0.0)
    }

    fn orbits(&self) -> Option<usize> {
        self.fields[7].parse().ok()
    }

    /// The property, with the filter of the table as one of the language.
    fn property(&self) -> String {
        match self.fields[2].split_once("filter=") {
            None => self.fields[2].to_owned(),
            Some((formula, filter)) => {
                let (kind, states) = filter.split_once(" over ").unwrap();
                format!("filter({kind}, {}, {states})", formula.trim())
            }
        }
    }
}

fn fits(answer: &Answer, expected: &str, exact: bool) -> Result<(), String> {
    let wrong = || Err(format!("{answer:?}, expected {expected}"));
    let number = match answer {
        Answer::Bool(value) => {
            return if value.to_string() == expected { Ok(()) } else { wrong() };
        }
        Answer::Number(number) => number,
        Answer::Range(..) => return wrong(),
    };
    if let Some(interval) = expected.strip_prefix('[') {
        let (low, high) = interval.trim_end_matches(']').split_once(',').unwrap();
        let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
        let middle = (number.low() + number.high()) / 2.0;
        // Ours is an interval too: it must meet theirs, and not be wider than asked for.
        let slack = 1e-6 * high.abs().max(1e-3);
        let near = number.high() >= low && number.low() <= high;
        return if near && middle >= low - slack && middle <= high + slack { Ok(()) } else { wrong() };
    }
    let value: RBig = expected.parse().unwrap();
    match number {
        Number::Exact(Real::Exact(found)) => {
            if *found == value {
                Ok(())
            } else {
                wrong()
            }
        }
        _ if exact => wrong(),
        Number::Bounds(low, high) => {
            let value = value.to_f64().value();
            let margin = 1e-13 * value;
            let inside = *low <= value + margin && value - margin <= *high;
            if inside && high - low <= 1e-6 * value.max(1e-300) * 1.01 { Ok(()) } else { wrong() }
        }
        Number::Exact(found) => Err(format!("{found:?}, expected {expected}")),
    }
}

/// A row of the table that is wrong: blocks of this model are independent, and no client loses one, so that the expected fraction
/// is the probability that a block arrived; both are 0.65549643733 by hand.
const WRONG: &str = "R{\"frac_rec\"}=? [ I=0.3 ]";

#[test]
fn the_row_that_is_wrong() {
    let Some(shared) = folder() else { return };
    let model = shared.join("corpus/prism/ctmcs/peer2peer/peer2peer4_4.sm");
    for property in [WRONG, "P=? [ F<=0.3 b11=1 ]"] {
        let loaded = read(&model, property, &[]);
        let Ok((Answer::Number(number), _)) = check_first(&loaded, Options::default()) else {
            panic!("{property}")
        };
        assert!((number.low() - 0.65549643733).abs() < 1e-10, "{property}: {number:?}");
    }
}

#[test]
fn reference_values() {
    let Some(shared) = folder() else { return };
    let table = std::fs::read_to_string(shared.join("golden/prob.tsv")).unwrap();
    let all = std::env::var("BURNSIDE_GOLDEN").is_ok_and(|value| value == "all");
    let only = std::env::var("BURNSIDE_ONLY").unwrap_or_default();
    let limit = if all { 5e6 } else { 4000.0 };
    let mut failures = Vec::new();
    let mut done = 0;
    for line in table.lines().skip(1) {
        let row = Row { fields: line.split('\t').collect() };
        if !row.fields[0].contains(&only) || row.fields[2] == WRONG {
            continue;
        }
        let given = constants(row.fields[1]);
        let loaded = read(&shared.join(row.fields[0]), &row.property(), &given);
        let symmetric = row.orbits().unwrap_or(row.states() as usize);
        let bounded = row.fields[5] == "interval";
        for (reduce, exact) in [(true, false), (false, false), (true, true), (false, true)] {
            let size = if reduce { symmetric as f64 } else { row.states() };
            let most = if exact { limit / 100.0 } else { limit };
            if size > if all { most } else { limit } || exact && bounded {
                continue;
            }
            for threads in if all { vec![1, 2] } else { vec![1] } {
                let begun = std::time::Instant::now();
                let options = Options { exact, reduce, threads, ..Options::default() };
                done += 1;
                let said = match check_first(&loaded, options) {
                    Err(message) => Err(message),
                    Ok((answer, outcome)) => fits(&answer, row.fields[3], exact).and_then(|()| {
                        let asymmetric = ["asymmetric", "NOT a symmetry", "not usable", "names"];
                        let whole = !asymmetric.iter().any(|word| row.fields[10].contains(word));
                        match row.orbits() {
                            Some(orbits) if reduce && whole && outcome.states > orbits => {
                                Err(format!("{} orbits, expected {orbits}", outcome.states))
                            }
                            _ if !reduce && outcome.states as f64 != row.states() => {
                                Err(format!("{} states, expected {}", outcome.states, row.states()))
                            }
                            _ => Ok(()),
                        }
                    }),
                };
                let took = begun.elapsed().as_secs_f64();
                if took > 1.0 {
                    eprintln!(
                        "{took:.1} s: {} {} {} reduce={reduce} exact={exact}",
                        row.fields[0], row.fields[1], row.fields[2]
                    );
                }
                if let Err(why) = said {
                    failures.push(format!(
                        "{} {} {} reduce={reduce} exact={exact}: {why}",
                        row.fields[0], row.fields[1], row.fields[2]
                    ));
                }
            }
        }
    }
    eprintln!("{done} checks, {} failures", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(done > 0 || !only.is_empty());
}
