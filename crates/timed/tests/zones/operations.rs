//! Guards, time, assignments and other clocks: each operation against what it does to points.

use burnside_timed::zone::{Bound, Constraint, Extrapolation, PackedZone, Point, Relation, Zone};

use crate::oracle::{closed, extrapolated, feasible, holds, matrix, satisfies};
use crate::random::{Random, Size};
use crate::subject::Subject;
use crate::{Verdict, ensure};

/// How many points are looked at where not all are.
const SAMPLE: usize = 60;

/// Whether the kernel says that a point is in a zone.
fn inside(zone: &Zone, point: &[i64], step: i64) -> bool {
    zone.contains(&Point { denominator: step, numerators: point.to_vec() })
}

/// The zone is canonical, and has the points that it should have, of some that are looked at.
fn agrees(random: &mut Random, size: Size, zone: &Zone, expected: impl Fn(&[i64]) -> bool) -> Verdict {
    canonical(zone)?;
    for _ in 0..SAMPLE {
        let point = random.point(size);
        let (is, should) = (inside(zone, &point, size.step()), expected(&point));
        ensure!(is == should, "{point:?}/{} in {zone:?}: {is}", size.step());
    }
    Ok(())
}

/// No path is tighter than a bound, and the empty zone is only the one that there is.
pub fn canonical(zone: &Zone) -> Verdict {
    if zone.is_empty() {
        let cells = (0..zone.dimension()).flat_map(|left| zone.row(left));
        ensure!(cells.into_iter().all(|bound| *bound == Bound::LT_ZERO), "an empty zone is {zone:?}");
        return Ok(());
    }
    let cells = matrix(zone);
    ensure!(
        (0..cells.len()).all(|clock| cells[clock][clock] == Some((0, false))),
        "the diagonal of {zone:?}"
    );
    ensure!(cells == closed(cells.clone()), "{zone:?} is not canonical: {cells:?}");
    Ok(())
}

/// Whether the constraints hold for some value of one clock, in place of that of the point.
fn for_some(constraints: &[Constraint], clock: usize, point: &[i64], size: Size) -> bool {
    // Half steps: there is one between any two points of the grid.
    let step = 2 * size.step();
    let mut point: Vec<_> = point.iter().map(|value| value * 2).collect();
    let end = (size.far() + i64::from(size.greatest) + 1) * step;
    (0..=end).any(|value| {
        point[clock] = value;
        satisfies(constraints, &point, step)
    })
}

/// Whether the constraints hold after some time, in half steps forwards or backwards.
fn at_some_time(constraints: &[Constraint], point: &[i64], size: Size, direction: i64) -> bool {
    let step = 2 * size.step();
    (0..=(size.far() + 1) * step).any(|time| {
        let clock = |(clock, value): (usize, &i64)| if clock == 0 { 0 } else { 2 * value + direction * time };
        let point: Vec<_> = point.iter().enumerate().map(clock).collect();
        satisfies(constraints, &point, step)
    })
}

/// Constraints one by one, all at once, and by intersection; emptiness; `admits` and `implies`.
pub fn constraints(random: &mut Random, subject: Subject) -> Verdict {
    let size = random.size();
    let all = random.constraints(size);
    let zone = subject.zone(size.clocks, &all);
    agrees(random, size, &zone, |point| satisfies(&all, point, size.step()))?;
    let any = feasible(size.clocks, &all, 1);
    ensure!(zone.is_empty() != any, "{all:?} gives {zone:?}");

    let (first, second) = all.split_at(random.below(all.len() + 1));
    let mut joined = subject.zone(size.clocks, first);
    ensure!(subject.constrain_all(&mut joined, second) == any, "{first:?} and then {second:?}");
    ensure!(joined == zone, "{first:?} and then {second:?} gives {joined:?}, not {zone:?}");
    let mut joined = subject.zone(size.clocks, first);
    let other = subject.zone(size.clocks, second);
    ensure!(subject.intersect(&mut joined, &other) == any, "{first:?} and {second:?}");
    ensure!(joined == zone, "{first:?} and {second:?} gives {joined:?}, not {zone:?}");

    let one = random.constraint(size);
    let with = |one: Constraint| feasible(size.clocks, &[&all[..], &[one]].concat(), 1);
    ensure!(zone.admits(one) == with(one) || !any, "{zone:?} and {one:?}");
    ensure!(zone.implies(one) != with(one.negated()) || !any, "{zone:?} within {one:?}");
    Ok(())
}

/// Equal sets are equal matrices, whatever constraints they are made of.
pub fn equality(random: &mut Random, subject: Subject) -> Verdict {
    let size = random.size();
    let all = random.constraints(size);
    let zone = subject.zone(size.clocks, &all);
    let mut others: Vec<_> = all.iter().copied().filter(|_| random.chance(90)).collect();
    others.extend((0..2).map(|_| random.constraint(size)).filter(|c| zone.implies(*c)));
    random.shuffle(&mut others);
    let other = subject.zone(size.clocks, &others);
    let within = |inner: &[Constraint], outer: &[Constraint]| {
        outer.iter().all(|c| !feasible(size.clocks, &[inner, &[c.negated()]].concat(), 1))
    };
    let empty = !feasible(size.clocks, &all, 1);
    let (includes, included) = (empty || within(&all, &others), other.is_empty() || within(&others, &all));
    ensure!((zone == other) == (includes && included), "{all:?} and {others:?}: {zone:?} and {other:?}");
    ensure!(subject.includes(&other, &zone) == includes, "{other:?} includes {zone:?}: {includes}");
    let relation = match (includes, included) {
        (true, true) => Relation::Equal,
        (true, false) => Relation::Includes,
        (false, true) => Relation::Included,
        (false, false) => Relation::Incomparable,
    };
    ensure!(other.relation(&zone) == relation, "{other:?} and {zone:?} are {relation:?}");
    Ok(())
}

/// Time that passes, forwards and backwards.
pub fn time(random: &mut Random, subject: Subject) -> Verdict {
    let size = random.size();
    let all = random.constraints(size);
    let mut later = subject.zone(size.clocks, &all);
    let mut earlier = later.clone();
    subject.up(&mut later);
    agrees(random, size, &later, |point| at_some_time(&all, point, size, -1))?;
    subject.down(&mut earlier);
    agrees(random, size, &earlier, |point| at_some_time(&all, point, size, 1))
}

/// Clocks set to constants, to each other, and to anything.
pub fn assignments(random: &mut Random, subject: Subject) -> Verdict {
    let size = random.size();
    let all = random.constraints(size);
    let zone = subject.zone(size.clocks, &all);
    let clock = 1 + random.below(size.clocks);
    let value = random.below(size.greatest as usize + 1) as i32;
    let mut set = zone.clone();
    subject.reset(&mut set, clock, value);
    let is = |point: &[i64]| point[clock] == i64::from(value) * size.step();
    // Few points have that very value: as many more are given it.
    agrees(random, size, &set, |point| is(point) && for_some(&all, clock, point, size))?;
    for _ in 0..SAMPLE / 4 {
        let mut point = random.point(size);
        point[clock] = i64::from(value) * size.step();
        let should = for_some(&all, clock, &point, size);
        ensure!(inside(&set, &point, size.step()) == should, "x{clock} := {value} in {zone:?} at {point:?}");
    }

    let source = 1 + random.below(size.clocks);
    let mut copied = zone.clone();
    subject.copy(&mut copied, clock, source);
    canonical(&copied)?;
    for _ in 0..SAMPLE / 4 {
        let mut point = random.point(size);
        ensure!(
            !inside(&copied, &point, size.step()) || point[clock] == point[source],
            "x{clock} := x{source} in {zone:?} at {point:?}"
        );
        point[clock] = point[source];
        let mut should = satisfies(&all, &point, size.step());
        should |= clock != source && for_some(&all, clock, &point, size);
        ensure!(
            inside(&copied, &point, size.step()) == should,
            "x{clock} := x{source} in {zone:?} at {point:?}"
        );
    }

    let mut freed = zone.clone();
    subject.free(&mut freed, clock);
    agrees(random, size, &freed, |point| for_some(&all, clock, point, size))
}

/// Clocks renamed, left out and added.
pub fn other_clocks(random: &mut Random, subject: Subject) -> Verdict {
    let size = random.size();
    let all = random.constraints(size);
    let zone = subject.zone(size.clocks, &all);
    let mut to: Vec<usize> = (0..=size.clocks).collect();
    random.shuffle(&mut to[1..]);
    let renamed = subject.permuted(&zone, &to);
    let before = |point: &[i64]| to.iter().map(|new| point[*new]).collect::<Vec<_>>();
    agrees(random, size, &renamed, |point| satisfies(&all, &before(point), size.step()))?;

    let keep = &to[2..];
    let fewer = zone.selected(keep);
    let left_out = to[1];
    canonical(&fewer)?;
    for _ in 0..SAMPLE {
        let point = random.point(size);
        let kept: Vec<_> = [0].iter().chain(keep).map(|clock| point[*clock]).collect();
        let should = for_some(&all, left_out, &point, size);
        ensure!(inside(&fewer, &kept, size.step()) == should, "{zone:?} without x{left_out} at {point:?}");
    }
    let more = subject.spread(&fewer, keep, size.clocks);
    let mut freed = zone.clone();
    freed.free(left_out);
    ensure!(more == freed, "{zone:?} without x{left_out} and with it again is {more:?}");
    Ok(())
}

/// The point that is found is in the zone, and one is found if there are any.
pub fn points(random: &mut Random, subject: Subject) -> Verdict {
    let size = random.size();
    let all = random.constraints(size);
    let zone = subject.zone(size.clocks, &all);
    let point = subject.a_point(&zone);
    ensure!(point.is_some() == feasible(size.clocks, &all, 1), "a point of {zone:?}: {point:?}");
    ensure!(
        point.as_ref().is_none_or(|p| satisfies(&all, &p.numerators, p.denominator)),
        "{point:?} in {zone:?}"
    );
    let least = Point::least(size.clocks, &all);
    ensure!(least.is_some() == point.is_some(), "a point with {all:?}: {least:?}");
    ensure!(
        least.as_ref().is_none_or(|p| satisfies(&all, &p.numerators, p.denominator)),
        "{least:?} with {all:?}"
    );
    Ok(())
}

/// Many operations after each other, with more clocks: a point goes along, and is never lost; at the end, what is done in
/// several ways gives the same.
pub fn walks(random: &mut Random, subject: Subject) -> Verdict {
    let size = Size { clocks: 2 + random.below(8), greatest: 4 };
    let mut zone = Zone::zero(size.clocks);
    let mut point = vec![0; size.clocks + 1];
    const STEP: i64 = 4;
    for _ in 0..3 * size.clocks {
        let clock = 1 + random.below(size.clocks);
        match random.below(7) {
            0 | 1 => {
                subject.up(&mut zone);
                let time = random.below(12) as i64;
                point[1..].iter_mut().for_each(|value| *value += time);
            }
            2 => {
                subject.down(&mut zone);
                let time = random.below(point[1..].iter().min().copied().unwrap_or(0) as usize + 1) as i64;
                point[1..].iter_mut().for_each(|value| *value -= time);
            }
            3 => {
                let value = random.below(4);
                subject.reset(&mut zone, clock, value as i32);
                point[clock] = value as i64 * STEP;
            }
            4 => {
                let source = 1 + random.below(size.clocks);
                subject.copy(&mut zone, clock, source);
                point[clock] = point[source];
            }
            5 => {
                subject.free(&mut zone, clock);
                point[clock] = random.below(20) as i64;
            }
            _ => {
                let some: Vec<_> = (0..3).map(|_| random.constraint(size)).collect();
                let some: Vec<_> = some.into_iter().filter(|c| holds(c, &point, STEP)).collect();
                ensure!(subject.constrain_all(&mut zone, &some), "{point:?} is lost");
            }
        }
        canonical(&zone)?;
        ensure!(inside(&zone, &point, STEP), "{point:?} is lost in {zone:?}");
    }
    same_in_other_ways(random, size, &zone)
}

/// A zone packed, renamed and back, built again from its constraints, intersected with another, and extrapolated.
fn same_in_other_ways(random: &mut Random, size: Size, zone: &Zone) -> Verdict {
    let mut to: Vec<usize> = (0..=size.clocks).collect();
    random.shuffle(&mut to[1..]);
    let renamed = zone.permuted(&to);
    ensure!(PackedZone::new(&renamed).unpack() == renamed, "{renamed:?} packed");
    ensure!(renamed.selected(&to[1..]) == *zone, "{zone:?} renamed by {to:?} and back");

    let mut constraints = zone.minimal_constraints();
    random.shuffle(&mut constraints);
    let mut built = Zone::universal(size.clocks);
    ensure!(built.constrain_all(&constraints) && built == *zone, "{zone:?} from its constraints: {built:?}");

    let some: Vec<_> = (0..4).map(|_| random.constraint(size)).collect();
    let mut one_by_one = zone.clone();
    some.iter().for_each(|constraint| _ = one_by_one.constrain(*constraint));
    let mut other = Zone::universal(size.clocks);
    other.constrain_all(&some);
    let mut intersected = zone.clone();
    intersected.intersect(&other);
    ensure!(intersected == one_by_one, "{zone:?} and {some:?}: {intersected:?}, {one_by_one:?}");

    let guards = random.limits(size);
    for how in Extrapolation::ALL {
        let mut larger = zone.clone();
        larger.extrapolate(how, &guards.limits());
        ensure!(matrix(&larger) == extrapolated(zone, how, &guards), "{how:?} of {zone:?}: {larger:?}");
        let simulates = zone.simulates(&larger, &guards.limits());
        ensure!(simulates, "{zone:?} does not simulate {how:?}, with {guards:?}: {larger:?}");
    }
    Ok(())
}
