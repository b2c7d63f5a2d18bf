//! The values of `--sweep`: `N=2..8`, `N=2..16:2`, `N=2,4,8`, and several constants one after the other.

/// The most checks of one sweep.
const MOST: usize = 10_000;

/// Constants and the values that they take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The constants.
    pub names: Vec<String>,
    /// The values of each.
    values: Vec<Vec<String>>,
}

impl Grid {
    /// All combinations; the first constant varies fastest.
    pub fn points(&self) -> Vec<Vec<String>> {
        let all: usize = self.values.iter().map(Vec::len).product();
        let point = |number: usize| {
            let mut rest = number;
            let value = |values: &Vec<String>| {
                let value = values[rest % values.len()].clone();
                rest /= values.len();
                value
            };
            self.values.iter().map(value).collect()
        };
        (0..all).map(point).collect()
    }
}

/// Reads a grid.
pub fn parse(text: &str) -> Result<Grid, String> {
    let mut grid = Grid { names: Vec::new(), values: Vec::new() };
    for piece in text.split(',') {
        let values = match piece.split_once('=') {
            Some((name, values)) => {
                let name = name.trim();
                if name.is_empty() || grid.names.iter().any(|known| known == name) {
                    return Err(format!("`{piece}` has no name, or one that is there already"));
                }
                grid.names.push(name.to_owned());
                grid.values.push(Vec::new());
                values
            }
            None => piece,
        };
        let Some(list) = grid.values.last_mut() else {
            return Err(format!("`{text}` names no constant: write for example N=2..8"));
        };
        list.extend(range(values.trim())?);
        if list.len() > MOST {
            return Err(format!("more than {MOST} values"));
        }
    }
    let cells = grid.values.iter().try_fold(1usize, |cells, values| cells.checked_mul(values.len()));
    match cells {
        Some(1..=MOST) => Ok(grid),
        _ => Err(format!("these are more than {MOST} combinations")),
    }
}

/// `2..8`, `2..16:2`, or one value.
fn range(text: &str) -> Result<Vec<String>, String> {
    let Some((from, rest)) = text.split_once("..") else {
        return if text.is_empty() {
            Err("a value is missing".to_owned())
        } else {
            Ok(vec![text.to_owned()])
        };
    };
    let (to, step) = rest.split_once(':').unwrap_or((rest, "1"));
    let number = |part: &str| part.trim().parse::<i64>().ok();
    let wrong = || format!("`{text}` is no range: write FROM..TO or FROM..TO:STEP, for example 2..8");
    let (from, to, step) =
        (number(from).ok_or_else(wrong)?, number(to).ok_or_else(wrong)?, number(step).ok_or_else(wrong)?);
    if from > to || step < 1 {
        return Err(wrong());
    }
    let step = usize::try_from(step).map_err(|_| wrong())?;
    let values: Vec<String> =
        (from..=to).step_by(step).take(MOST + 1).map(|value| value.to_string()).collect();
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Vec<String> {
        parse(text).expect("a grid").points().iter().map(|point| point.join(" ")).collect()
    }

    #[test]
    fn ranges_lists_and_steps() {
        assert_eq!(points("N=2..4"), ["2", "3", "4"]);
        assert_eq!(points("N=2..7:2"), ["2", "4", "6"]);
        assert_eq!(points("N=1,4,8..9"), ["1", "4", "8", "9"]);
        assert_eq!(points("K=a,b"), ["a", "b"]);
        assert_eq!(points("N=-1..0"), ["-1", "0"]);
        assert_eq!(points("N=2..3,M=5..6"), ["2 5", "3 5", "2 6", "3 6"]);
        assert_eq!(points("A=1..2,B=1,C=1..2"), ["1 1 1", "2 1 1", "1 1 2", "2 1 2"]);
    }

    #[test]
    fn what_is_no_grid() {
        for text in
            ["2..8", "N=8..2", "N=2..8:0", "N=", "N=1..2,N=3", "N=0..99999", "N=1..999,M=1..999", "=3"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
