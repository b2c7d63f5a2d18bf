//! Tables of what happens in which case, made short.
//!
//! A case is told by how many elements of each class there are. What does not matter is left out: first classes whose
//! numbers change nothing, then neighbouring numbers with the same outcome become one interval. Cases that do not
//! occur may be treated like any other.

use std::collections::{BTreeMap, BTreeSet};

/// What happens in a case. Outcomes that say nothing different agree, and can be put together.
pub(crate) trait Outcome: Clone {
    /// Both together, if they agree.
    fn with(&self, other: &Self) -> Option<Self>;
}

/// At least and at most so many; `u32::MAX` is no limit.
pub(crate) type Interval = (u32, u32);

/// The local states that look alike.
pub(crate) type Class = Vec<u32>;

/// Numbers of elements by class, and what happens there.
#[derive(Clone, Debug)]
pub(crate) struct Row<T> {
    pub numbers: BTreeMap<Class, Interval>,
    pub outcome: T,
}

/// The same in few rows; nothing if two rows contradict each other.
pub(crate) fn shorten<T: Outcome>(rows: Vec<Row<T>>) -> Option<Vec<Row<T>>> {
    let mut classes: Vec<Class> = {
        let all: BTreeSet<&Class> = rows.iter().flat_map(|row| row.numbers.keys()).collect();
        all.into_iter().cloned().collect()
    };
    let mut rows = together(rows)?;
    // Large classes are tedious to write down: these first.
    classes.sort_by_key(|class| std::cmp::Reverse(class.len()));
    for class in &classes {
        let without = rows.iter().map(|row| {
            let mut row = row.clone();
            row.numbers.remove(class);
            row
        });
        if let Some(fewer) = together(without.collect()) {
            rows = fewer;
        }
    }
    while let Some(fewer) = classes.iter().find_map(|class| join(&rows, class)) {
        rows = fewer;
    }
    Some(rows)
}

/// Rows with the same numbers become one; nothing if they do not agree.
fn together<T: Outcome>(rows: Vec<Row<T>>) -> Option<Vec<Row<T>>> {
    let mut all: BTreeMap<BTreeMap<Class, Interval>, T> = BTreeMap::new();
    for row in rows {
        let outcome = match all.get(&row.numbers) {
            Some(known) => known.with(&row.outcome)?,
            None => row.outcome,
        };
        all.insert(row.numbers, outcome);
    }
    Some(all.into_iter().map(|(numbers, outcome)| Row { numbers, outcome }).collect())
}

/// The same rows where neighbouring intervals of a class are one; nothing if there are none.
fn join<T: Outcome>(rows: &[Row<T>], class: &Class) -> Option<Vec<Row<T>>> {
    let mut by_rest: BTreeMap<BTreeMap<Class, Interval>, Vec<(Interval, T)>> = BTreeMap::new();
    for row in rows {
        let mut rest = row.numbers.clone();
        let interval = rest.remove(class)?;
        by_rest.entry(rest).or_default().push((interval, row.outcome.clone()));
    }
    let (mut joined, mut fewer) = (Vec::new(), false);
    for (rest, mut cases) in by_rest {
        cases.sort_by_key(|(interval, _)| *interval);
        let mut kept: Vec<(Interval, T)> = Vec::new();
        for (interval, outcome) in cases {
            if let Some((last, known)) = kept.last_mut()
                && last.1.checked_add(1) == Some(interval.0)
                && let Some(both) = known.with(&outcome)
            {
                (last.1, *known, fewer) = (interval.1, both, true);
                continue;
            }
            kept.push((interval, outcome));
        }
        joined.extend(kept.into_iter().map(|(interval, outcome)| {
            let mut numbers = rest.clone();
            numbers.insert(class.clone(), interval);
            Row { numbers, outcome }
        }));
    }
    fewer.then_some(joined)
}
