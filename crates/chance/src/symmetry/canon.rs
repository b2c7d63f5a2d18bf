//! Representatives of orbits.
//!
//! Permutations whose supports meet form a part of the group; different parts are independent. In a part, exchanges that share
//! a block of variables make all permutations of the blocks: the blocks are **sorted**. Families of blocks inside the blocks
//! of another are sorted first (wreath products). Two families that cross like **rows and columns** are handled together:
//! rows are ordered by what no exchange changes, the columns are sorted for each order of the rows that ties leave open,
//! and the least result counts. Any other part is **enumerated** if it is small; if not, the largest family of it is used.

use burnside_model::chance::Model;

use super::normal::Perm;

/// Something that moves: a variable, or a value of a variable that holds ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Point {
    Var(u32),
    Value(u32, i64),
}

/// Blocks of points that can be permuted in every way; the points of all blocks correspond in their order.
#[derive(Clone, Debug)]
struct Family {
    blocks: Vec<Vec<Point>>,
}

/// Rows and columns: by row and column, the variables of a cell.
#[derive(Clone, Debug)]
struct Grid {
    cells: Vec<Vec<Vec<u32>>>,
    /// Bits of a cell and the least value, if cells are single variables and a column of them fits a word.
    packed: Option<(u32, i64)>,
}

/// The most columns that are ordered as words.
const WORDS: usize = 32;

#[derive(Clone, Debug)]
enum Part {
    /// Sorted one after the other, inner ones first.
    Sorted(Vec<Family>),
    Grid(Grid),
    Listed(Vec<Perm>),
}

/// Chooses representatives.
#[derive(Clone, Debug)]
pub struct Canon {
    parts: Vec<Part>,
    lows: Vec<i64>,
    unused: Vec<String>,
}

/// Space for one thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    keys: Vec<i64>,
    order: Vec<u32>,
    state: Vec<i64>,
    best: Vec<i64>,
    grid: GridScratch,
}

#[derive(Clone, Debug, Default)]
struct GridScratch {
    codes: Vec<i64>,
    columns: Vec<Vec<i64>>,
    best: Vec<Vec<i64>>,
}

/// Larger groups are not enumerated.
const LISTED: usize = 5040;

impl Canon {
    /// For the group that some verified permutations generate.
    pub fn new(model: &Model, perms: &[Perm]) -> Canon {
        let lows = model.variables.iter().map(|v| v.low).collect();
        let mut canon = Canon { parts: Vec::new(), lows, unused: Vec::new() };
        for part in independent(perms) {
            canon.add(model, &part);
        }
        canon
    }

    fn add(&mut self, model: &Model, perms: &[Perm]) {
        if let Some(families) = families(model, perms) {
            if let Some(sorted) = nested(&families) {
                self.parts.push(Part::Sorted(sorted));
                return;
            }
            if let [rows, columns] = families.as_slice()
                && let Some(grid) = crossing(model, rows, columns)
            {
                self.parts.push(Part::Grid(grid));
                return;
            }
        }
        let mut kept = perms.to_vec();
        while !kept.is_empty() {
            if let Some(elements) = elements(&kept) {
                if kept.len() < perms.len() {
                    self.unused
                        .push("a group is too large for its kind; only a part of it is used".to_owned());
                }
                self.parts.push(Part::Listed(elements));
                return;
            }
            let fewer = families(model, perms).and_then(|families| {
                let largest = families.into_iter().max_by_key(|family| family.blocks.len())?;
                (largest.blocks.len() > 4).then_some(largest)
            });
            if let Some(largest) = fewer {
                self.unused.push(
                    "a group is too large for its kind; only its largest family of blocks is used".to_owned(),
                );
                self.parts.push(Part::Sorted(vec![largest]));
                return;
            }
            kept.pop();
        }
    }

    /// Whether every state is its own representative.
    pub fn is_trivial(&self) -> bool {
        self.parts.is_empty()
    }

    /// What is not used, and why.
    pub fn unused(&self) -> &[String] {
        &self.unused
    }

    /// What group it is, in words.
    pub fn structure(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Sorted(families) => {
                let mut names: Vec<String> = Vec::new();
                let outer = families.last().map_or(0, |f| f.blocks.len());
                let inner: Vec<usize> =
                    families[..families.len() - 1].iter().map(|f| f.blocks.len()).collect();
                if inner.is_empty() {
                    names.push(format!("S{outer}"));
                } else if inner.len() == outer && inner.iter().all(|k| *k == inner[0]) {
                    names.push(format!("S{} wr S{outer}", inner[0]));
                } else {
                    names.push(format!("blocks of order {}", part.order().unwrap_or(0)));
                }
                names.join(" x ")
            }
            Part::Grid(grid) => format!("S{} x S{} (rows x columns)", grid.cells.len(), grid.cells[0].len()),
            Part::Listed(elements) => {
                let order = elements.len();
                let cyclic = elements.iter().any(|e| {
                    let mut power = e.clone();
                    let mut count = 1;
                    while !power.is_identity() {
                        power = power.then(e);
                        count += 1;
                    }
                    count == order
                });
                if cyclic { format!("C{order}") } else { format!("order {order}") }
            }
        });
        parts.collect::<Vec<_>>().join(" x ")
    }

    /// How many elements the group has, in decimal.
    pub fn order(&self) -> String {
        let product = self.parts.iter().try_fold(1u128, |product, part| product.checked_mul(part.order()?));
        product.map_or_else(|| "more than 10^38".to_owned(), |product| product.to_string())
    }

    /// How many elements the group has, or the most that can be counted.
    pub(super) fn size(&self) -> u128 {
        let product = self.parts.iter().try_fold(1u128, |product, part| product.checked_mul(part.order()?));
        product.unwrap_or(u128::MAX)
    }

    /// Space for one thread.
    pub fn scratch(&self) -> Scratch {
        Scratch::default()
    }

    /// Turns a state into the representative of its orbit.
    pub fn apply(&self, state: &mut [i64], scratch: &mut Scratch) {
        for part in &self.parts {
            match part {
                Part::Sorted(families) => families.iter().for_each(|family| {
                    family.sort(state, scratch);
                }),
                Part::Grid(grid) => match grid.packed {
                    Some((bits, low)) => grid.order_words(state, bits, low),
                    None => {
                        grid.order(state, &mut scratch.grid);
                    }
                },
                Part::Listed(elements) => self.least(elements, state, scratch),
            }
        }
    }

    fn image(&self, perm: &Perm, state: &[i64], image: &mut [i64]) {
        for (variable, value) in state.iter().enumerate() {
            let to = perm.vars[variable] as usize;
            let offset = value - self.lows[variable];
            let mapped = perm.values[variable].as_ref().map_or(offset, |map| i64::from(map[offset as usize]));
            image[to] = self.lows[to] + mapped;
        }
    }

    fn least(&self, elements: &[Perm], state: &mut [i64], scratch: &mut Scratch) {
        scratch.best.clear();
        scratch.best.extend_from_slice(state);
        scratch.state.clear();
        scratch.state.extend_from_slice(state);
        for element in elements {
            self.image(element, state, &mut scratch.state);
            if scratch.state < scratch.best {
                std::mem::swap(&mut scratch.state, &mut scratch.best);
            }
        }
        state.copy_from_slice(&scratch.best);
    }

    /// How many states the orbit of a representative has; none if that does not fit.
    pub fn orbit_size(&self, state: &[i64]) -> Option<u128> {
        let mut scratch = Scratch::default();
        let mut product = 1u128;
        for part in &self.parts {
            let size = match part {
                Part::Sorted(families) => {
                    let mut copy = state.to_vec();
                    families.iter().try_fold(1u128, |product, family| {
                        product.checked_mul(family.sort(&mut copy, &mut scratch)?)
                    })?
                }
                Part::Grid(grid) => grid.order(&mut state.to_vec(), &mut scratch.grid)?,
                Part::Listed(elements) => {
                    let mut image = state.to_vec();
                    let stay = elements.iter().filter(|element| {
                        self.image(element, state, &mut image);
                        image == state
                    });
                    elements.len() as u128 / stay.count() as u128
                }
            };
            product = product.checked_mul(size)?;
        }
        Some(product)
    }
}

fn factorial(n: usize) -> Option<u128> {
    (1..=n as u128).try_fold(1u128, u128::checked_mul)
}

impl Part {
    fn order(&self) -> Option<u128> {
        match self {
            Part::Sorted(families) => families
                .iter()
                .try_fold(1u128, |product, family| product.checked_mul(factorial(family.blocks.len())?)),
            Part::Grid(grid) => factorial(grid.cells.len())?.checked_mul(factorial(grid.cells[0].len())?),
            Part::Listed(elements) => Some(elements.len() as u128),
        }
    }
}

impl Family {
    /// Sorts the blocks; in how many different orders they could be.
    fn sort(&self, state: &mut [i64], scratch: &mut Scratch) -> Option<u128> {
        let width = self.blocks[0].len();
        scratch.keys.clear();
        for block in &self.blocks {
            scratch.keys.extend(block.iter().map(|point| match point {
                Point::Var(v) => state[*v as usize],
                Point::Value(v, value) => i64::from(state[*v as usize] == *value),
            }));
        }
        let keys = &scratch.keys;
        let key = |block: u32| &keys[block as usize * width..(block as usize + 1) * width];
        scratch.order.clear();
        scratch.order.extend(0..self.blocks.len() as u32);
        // Few blocks, mostly sorted: insertion.
        for end in 1..scratch.order.len() {
            let mut at = end;
            while at > 0 && key(scratch.order[at - 1]) > key(scratch.order[at]) {
                scratch.order.swap(at - 1, at);
                at -= 1;
            }
        }
        for (block, from) in self.blocks.iter().zip(&scratch.order) {
            for (point, value) in block.iter().zip(key(*from)) {
                match point {
                    Point::Var(v) => state[*v as usize] = *value,
                    Point::Value(v, id) => {
                        if *value == 1 {
                            state[*v as usize] = *id;
                        }
                    }
                }
            }
        }
        let mut ways = factorial(self.blocks.len())?;
        let mut run = 1u128;
        for pair in scratch.order.windows(2) {
            run = if key(pair[0]) == key(pair[1]) { run + 1 } else { 1 };
            ways /= run;
        }
        Some(ways)
    }
}

impl Grid {
    /// Orders rows and columns, each column as one word; the same idea as [`Grid::order`], without counting.
    fn order_words(&self, state: &mut [i64], bits: u32, low: i64) {
        let (rows, columns) = (self.cells.len(), self.cells[0].len());
        let mut cells = [[0u64; WORDS]; 8];
        for (row, line) in self.cells.iter().enumerate() {
            for (column, cell) in line.iter().enumerate() {
                cells[row][column] = (state[cell[0] as usize] - low) as u64;
            }
        }
        let stir = |x: u64| (x ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(29);
        let mut seen = [0u64; WORDS];
        for row in &cells[..rows] {
            for column in 0..columns {
                seen[column] = seen[column].wrapping_add(stir(row[column]));
            }
        }
        let mut order = [(0u64, 0usize); 8];
        for row in 0..rows {
            let key = (0..columns).fold(0u64, |sum, column| {
                sum.wrapping_add(stir(cells[row][column].wrapping_mul(0x2545_f491) ^ stir(seen[column])))
            });
            order[row] = (key, row);
        }
        let order = &mut order[..rows];
        order.sort_unstable();
        let mut picked = [0usize; 8];
        let mut classes = [0usize; 8];
        let mut class = 0;
        for index in 0..rows {
            picked[index] = order[index].1;
            if index > 0 && order[index].0 != order[index - 1].0 {
                class = index;
            }
            classes[index] = class;
        }
        let sorted: [(u64, usize); 8] =
            std::array::from_fn(|index| order.get(index).copied().unwrap_or_default());
        let mut best = [u64::MAX; WORDS];
        loop {
            let mut words = [0u64; WORDS];
            for row in picked[..rows].iter() {
                for (word, cell) in words[..columns].iter_mut().zip(&cells[*row]) {
                    *word = *word << bits | cell;
                }
            }
            words[..columns].sort_unstable();
            if words[..columns] < best[..columns] {
                best = words;
            }
            if !next_within(&mut picked[..rows], &classes[..rows], &sorted[..rows]) {
                break;
            }
        }
        let mask = (1u64 << bits) - 1;
        for (row, line) in self.cells.iter().enumerate() {
            let shift = bits * (rows - 1 - row) as u32;
            for (cell, word) in line.iter().zip(&best) {
                state[cell[0] as usize] = low + (word >> shift & mask) as i64;
            }
        }
    }

    /// Orders rows and columns; how many different grids that could be.
    fn order(&self, state: &mut [i64], scratch: &mut GridScratch) -> Option<u128> {
        let (rows, columns) = (self.cells.len(), self.cells[0].len());
        // One number per cell.
        scratch.codes.clear();
        for row in &self.cells {
            for cell in row {
                let code = cell
                    .iter()
                    .fold(0i64, |code, v| code.wrapping_mul(0x1_0003).wrapping_add(state[*v as usize]));
                scratch.codes.push(code);
            }
        }
        let codes = &scratch.codes;
        let at = |row: usize, column: usize| codes[row * columns + column];
        let stir = |x: i64| (x.wrapping_add(0x1234_5671)).wrapping_mul(0x5851_f42d_4c95_7f2d) ^ x >> 7;
        // What no exchange changes: rows by their cells, each seen with the other cells of its column.
        let mut column_keys = [0i64; 64];
        for (column, key) in column_keys.iter_mut().enumerate().take(columns.min(64)) {
            *key = (0..rows).fold(0i64, |sum, row| sum.wrapping_add(stir(at(row, column))));
        }
        let row_key = |row: usize| {
            (0..columns).fold(0i64, |sum, column| {
                let seen = if column < 64 { column_keys[column] } else { 0 };
                sum.wrapping_add(stir(stir(at(row, column)) ^ stir(seen).rotate_left(9)))
            })
        };
        let mut order: Vec<(i64, usize)> = (0..rows).map(|row| (row_key(row), row)).collect();
        order.sort_unstable();
        let mut picked: Vec<usize> = order.iter().map(|(_, row)| *row).collect();
        let classes: Vec<usize> = {
            let mut class = 0;
            (0..rows)
                .map(|index| {
                    if index > 0 && order[index].0 != order[index - 1].0 {
                        class = index;
                    }
                    class
                })
                .collect()
        };
        let mut same = 0u128;
        scratch.best.clear();
        let mut chosen = picked.clone();
        loop {
            scratch.columns.resize(columns, Vec::new());
            for (column, list) in scratch.columns.iter_mut().enumerate() {
                list.clear();
                list.extend(picked.iter().map(|row| at(*row, column)));
            }
            scratch.columns.sort_unstable();
            match (scratch.best.is_empty(), scratch.columns.cmp(&scratch.best)) {
                (true, _) | (_, std::cmp::Ordering::Less) => {
                    scratch.best.clone_from(&scratch.columns);
                    chosen.clone_from(&picked);
                    same = 1;
                }
                (_, std::cmp::Ordering::Equal) => same += 1,
                _ => {}
            }
            if !next_within(&mut picked, &classes, &order) {
                break;
            }
        }
        // The columns in the order of the best.
        let mut sorted: Vec<usize> = (0..columns).collect();
        sorted.sort_by(|a, b| {
            let key = |column: usize| chosen.iter().map(move |row| at(*row, column));
            key(*a).cmp(key(*b))
        });
        let before = state.to_vec();
        for (row, from_row) in chosen.iter().enumerate() {
            for (column, from_column) in sorted.iter().enumerate() {
                for (to, from) in self.cells[row][column].iter().zip(&self.cells[*from_row][*from_column]) {
                    state[*to as usize] = before[*from as usize];
                }
            }
        }
        let mut stay = same;
        let mut run = 1u128;
        for pair in scratch.best.windows(2) {
            run = if pair[0] == pair[1] { run + 1 } else { 1 };
            stay = stay.checked_mul(run)?;
        }
        Some(factorial(rows)?.checked_mul(factorial(columns)?)? / stay)
    }
}

/// The next order of rows that differs only among rows with equal keys.
fn next_within<K>(picked: &mut [usize], classes: &[usize], order: &[(K, usize)]) -> bool {
    let mut end = picked.len();
    while end > 0 {
        let begin = classes[end - 1];
        if next_order(&mut picked[begin..end]) {
            return true;
        }
        for index in begin..end {
            picked[index] = order[index].1;
        }
        end = begin;
    }
    false
}

/// The next order of some numbers; false after the last one.
fn next_order(list: &mut [usize]) -> bool {
    let Some(at) = (1..list.len()).rev().find(|i| list[i - 1] < list[*i]) else { return false };
    let pivot = list[at - 1];
    let Some(other) = (at..list.len()).rev().find(|i| list[*i] > pivot) else { return false };
    list.swap(at - 1, other);
    list[at..].reverse();
    true
}

/// Permutations by parts with disjoint supports.
fn independent(perms: &[Perm]) -> Vec<Vec<Perm>> {
    let support = |perm: &Perm| -> Vec<usize> {
        (0..perm.vars.len()).filter(|v| perm.vars[*v] as usize != *v || perm.values[*v].is_some()).collect()
    };
    let mut parts: Vec<(Vec<usize>, Vec<Perm>)> = Vec::new();
    for perm in perms {
        let mut merged = (support(perm), vec![perm.clone()]);
        let (meeting, apart) =
            parts.into_iter().partition(|(known, _)| known.iter().any(|v| merged.0.contains(v)));
        parts = apart;
        let meeting: Vec<(Vec<usize>, Vec<Perm>)> = meeting;
        let own = merged.1.remove(0);
        for (more, others) in meeting {
            merged.0.extend(more);
            merged.1.extend(others);
        }
        merged.1.push(own);
        parts.push(merged);
    }
    parts.into_iter().map(|(_, perms)| perms).collect()
}

/// Where an exchange sends points; none if it is no exchange of variables and of values of variables that stay.
fn exchange(model: &Model, perm: &Perm) -> Option<Vec<(Point, Point)>> {
    if !perm.then(perm).is_identity() {
        return None;
    }
    let mut pairs = Vec::new();
    for (variable, to) in perm.vars.iter().enumerate() {
        let low = model.variables[variable].low;
        match (&perm.values[variable], *to as usize == variable) {
            (None, true) => {}
            (None, false) => pairs.push((Point::Var(variable as u32), Point::Var(*to))),
            (Some(values), true) => {
                for (from, to) in values.iter().enumerate().filter(|(from, to)| *from as u32 != **to) {
                    let variable = variable as u32;
                    pairs.push((
                        Point::Value(variable, low + from as i64),
                        Point::Value(variable, low + i64::from(*to)),
                    ));
                }
            }
            (Some(_), false) => return None,
        }
    }
    Some(pairs)
}

/// Families of blocks, if all permutations are exchanges of blocks.
fn families(model: &Model, perms: &[Perm]) -> Option<Vec<Family>> {
    let mut exchanges: Vec<Vec<(Point, Point)>> = Vec::new();
    for perm in perms {
        exchanges.push(exchange(model, perm)?);
    }
    let mut found: Vec<Family> = Vec::new();
    let mut used = vec![false; exchanges.len()];
    for first in 0..exchanges.len() {
        if used[first] {
            continue;
        }
        used[first] = true;
        let image =
            |of: usize, point: &Point| exchanges[of].iter().find(|(a, _)| a == point).map(|(_, b)| *b);
        let support = |of: usize| -> Vec<Point> { exchanges[of].iter().map(|(a, _)| *a).collect() };
        let is_side = |of: usize, points: &[Point]| {
            points.len() * 2 == exchanges[of].len()
                && points.iter().all(|p| image(of, p).is_some_and(|q| !points.contains(&q)))
        };
        // A block is what two exchanges share; alone, any choice of one point of each pair will do.
        let shared = (0..exchanges.len()).filter(|other| !used[*other]).find_map(|other| {
            let own = support(first);
            let both: Vec<Point> = support(other).into_iter().filter(|p| own.contains(p)).collect();
            (is_side(first, &both) && is_side(other, &both)).then_some(both)
        });
        let mut base = shared
            .unwrap_or_else(|| exchanges[first].iter().filter(|(a, b)| a < b).map(|(a, _)| *a).collect());
        base.sort_unstable();
        let second: Vec<Point> = base.iter().filter_map(|p| image(first, p)).collect();
        let mut family = Family { blocks: vec![base, second] };
        loop {
            let mut grown = false;
            let open: Vec<usize> = (0..exchanges.len()).filter(|other| !used[*other]).collect();
            for other in open {
                let from = family.blocks.iter().position(|block| {
                    is_side(other, block)
                        && block.iter().all(|p| {
                            image(other, p)
                                .is_some_and(|q| !family.blocks.iter().any(|known| known.contains(&q)))
                        })
                });
                if let Some(from) = from {
                    let block: Vec<Point> =
                        family.blocks[from].iter().filter_map(|p| image(other, p)).collect();
                    family.blocks.push(block);
                    used[other] = true;
                    grown = true;
                }
            }
            if !grown {
                break;
            }
        }
        found.push(family);
    }
    Some(found)
}

/// Families in the order in which they are sorted, if each two are apart or one lies in a block of the other. Copies in the
/// other blocks are added: they belong to the group, as the blocks can be exchanged.
fn nested(families: &[Family]) -> Option<Vec<Family>> {
    let mut all: Vec<Family> = families.to_vec();
    all.sort_by_key(|family| family.blocks[0].len() * family.blocks.len());
    let mut index = 0;
    let mut result: Vec<Family> = Vec::new();
    while index < all.len() {
        let outer = all[index].clone();
        let inside =
            |block: &Vec<Point>, family: &Family| family.blocks.iter().flatten().all(|p| block.contains(p));
        let meets = |family: &Family| {
            family.blocks.iter().flatten().any(|p| outer.blocks.iter().any(|block| block.contains(p)))
        };
        let points = |family: &Family| {
            let mut points: Vec<Point> = family.blocks.iter().flatten().copied().collect();
            points.sort_unstable();
            points
        };
        // Inner families with their copies; a copy takes the place of a family on the same points, so that all correspond.
        let mut aligned: Vec<Family> = Vec::new();
        for inner in result.iter().filter(|inner| meets(inner)) {
            let home = outer.blocks.iter().position(|block| inside(block, inner))?;
            if aligned.iter().any(|known| points(known) == points(inner)) {
                continue;
            }
            for block in &outer.blocks {
                let moved = |p: &Point| outer.blocks[home].iter().position(|q| q == p).map(|at| block[at]);
                let blocks: Option<Vec<Vec<Point>>> =
                    inner.blocks.iter().map(|b| b.iter().map(moved).collect::<Option<Vec<_>>>()).collect();
                aligned.push(Family { blocks: blocks? });
            }
        }
        result.retain(|inner| !meets(inner));
        result.extend(aligned);
        result.push(outer);
        index += 1;
    }
    Some(result)
}

/// Rows and columns, if every block of one family meets every block of the other in as many variables.
fn crossing(model: &Model, a: &Family, b: &Family) -> Option<Grid> {
    let (rows, columns) = if a.blocks.len() <= b.blocks.len() { (a, b) } else { (b, a) };
    if rows.blocks.len() > 7 {
        return None;
    }
    let total = rows.blocks.len() * rows.blocks[0].len();
    if total != columns.blocks.len() * columns.blocks[0].len() {
        return None;
    }
    // The cell of the first row and a column fixes the order of the cells below it.
    let mut cells = Vec::new();
    for row in &rows.blocks {
        let mut line = Vec::new();
        for column in &columns.blocks {
            // In the order of the row, which corresponds to that of the other rows.
            let cell: Vec<Point> = row.iter().copied().filter(|p| column.contains(p)).collect();
            line.push(cell);
        }
        cells.push(line);
    }
    let size = cells[0][0].len();
    if size == 0 || cells.iter().flatten().any(|cell| cell.len() != size) {
        return None;
    }
    // Both exchanges must map cells to cells, point by point.
    for (r, row) in rows.blocks.iter().enumerate() {
        for c in 0..columns.blocks.len() {
            for (place, point) in cells[0][c].iter().enumerate() {
                let at = rows.blocks[0].iter().position(|p| p == point)?;
                if cells[r][c][place] != row[at] {
                    return None;
                }
                let across = cells[r][0][place];
                let at = columns.blocks[0].iter().position(|p| *p == across)?;
                if cells[r][c][place] != columns.blocks[c][at] {
                    return None;
                }
            }
        }
    }
    let variable = |point: &Point| match point {
        Point::Var(v) => Some(*v),
        Point::Value(..) => None,
    };
    let cells: Option<Vec<Vec<Vec<u32>>>> = cells
        .iter()
        .map(|row| {
            row.iter()
                .map(|cell| cell.iter().map(variable).collect::<Option<Vec<_>>>())
                .collect::<Option<Vec<_>>>()
        })
        .collect();
    let cells = cells?;
    let first = &model.variables[cells[0][0][0] as usize];
    let bits = u64::BITS - (first.size() - 1).leading_zeros();
    let fits = size == 1 && bits as usize * cells.len() <= 64 && cells[0].len() <= WORDS;
    Some(Grid { packed: fits.then_some((bits, first.low)), cells })
}

/// All elements of a group, if they are not too many.
fn elements(perms: &[Perm]) -> Option<Vec<Perm>> {
    let identity =
        Perm { vars: (0..perms[0].vars.len() as u32).collect(), values: vec![None; perms[0].vars.len()] };
    let mut known = std::collections::HashSet::from([identity.flat()]);
    let mut all = vec![identity];
    let mut next = 0;
    while next < all.len() {
        for perm in perms {
            let product = all[next].then(perm);
            if known.insert(product.flat()) {
                if all.len() >= LISTED {
                    return None;
                }
                all.push(product);
            }
        }
        next += 1;
    }
    Some(all)
}
