//! Extrapolation and simulation against their definitions.

use burnside_timed::zone::{Constraint, Extrapolation, Zone};

use crate::operations::canonical;
use crate::oracle::{Guards, extrapolated, matrix, satisfies, simulated};
use crate::random::{Random, Size};
use crate::subject::Subject;
use crate::{Verdict, ensure};

/// Each extrapolation is the one of the paper; larger than the zone; the same when done again; and each of its points is
/// simulated by one of the zone.
pub fn extrapolations(random: &mut Random, subject: Subject) -> Verdict {
    let size = random.size();
    let all = random.constraints(size);
    let guards = random.limits(size);
    let zone = subject.zone(size.clocks, &all);
    let mut results = Vec::new();
    for how in Extrapolation::ALL {
        let mut larger = zone.clone();
        subject.extrapolate(&mut larger, how, &guards);
        canonical(&larger)?;
        ensure!(subject.includes(&larger, &zone), "{how:?} of {zone:?} with {guards:?}: {larger:?}");
        ensure!(larger.is_empty() == zone.is_empty(), "{how:?} of {zone:?}: {larger:?}");
        let mut again = larger.clone();
        subject.extrapolate(&mut again, how, &guards);
        ensure!(again == larger, "{how:?} of {zone:?} with {guards:?}: {larger:?}, then {again:?}");
        let seen = match how {
            Extrapolation::M | Extrapolation::MPlus => guards.merged(),
            Extrapolation::LU | Extrapolation::LUPlus => guards.clone(),
        };
        for _ in 0..40 {
            let point = random.point(size);
            ensure!(
                !satisfies(&larger.minimal_constraints(), &point, size.step())
                    || simulated(&all, &seen, &point, size.step()),
                "{how:?} of {zone:?} with {guards:?} has {point:?}"
            );
        }
        if !zone.is_empty() {
            let expected = extrapolated(&zone, how, &guards);
            ensure!(matrix(&larger) == expected, "{how:?} of {zone:?} with {guards:?}: {larger:?}");
            finite(&larger, &guards)?;
        }
        results.push(larger);
    }
    let [m, m_plus, lu, lu_plus] = &results[..] else { unreachable!("four of them") };
    let ordered = m_plus.includes(m) && lu.includes(m) && lu_plus.includes(m_plus) && lu_plus.includes(lu);
    ensure!(ordered, "of {zone:?} with {guards:?}: {results:?}");
    Ok(())
}

/// All simulated points are in the larger zone.
pub fn simulated_points(random: &mut Random, subject: Subject) -> Verdict {
    let size = random.size();
    let all = random.constraints(size);
    let guards = random.limits(size);
    let zone = subject.zone(size.clocks, &all);
    let larger = zone.simulated(&guards.limits());
    canonical(&larger)?;
    for _ in 0..40 {
        let point = random.point(size);
        ensure!(
            satisfies(&larger.minimal_constraints(), &point, size.step())
                || !simulated(&all, &guards, &point, size.step()),
            "{larger:?} around {zone:?} with {guards:?} lacks {point:?}"
        );
    }
    Ok(())
}

/// Bounds are sums of limits, one for each clock at most, so there are finitely many zones.
fn finite(zone: &Zone, guards: &Guards) -> Verdict {
    let greatest = i64::from(guards.lower.iter().chain(&guards.upper).flatten().max().copied().unwrap_or(0));
    let cells = matrix(zone);
    let within =
        cells.iter().flatten().flatten().all(|(value, _)| value.abs() <= greatest * zone.clocks() as i64);
    ensure!(within, "{zone:?} is beyond {guards:?}");
    Ok(())
}

/// A zone that another may simulate: a part of one of its extrapolations, or any.
fn candidate(random: &mut Random, size: Size, zone: &Zone, guards: &Guards) -> Vec<Constraint> {
    if random.chance(20) {
        return random.constraints(size);
    }
    let mut larger = zone.clone();
    if random.chance(70) {
        larger.extrapolate(Extrapolation::LUPlus, &guards.limits());
    }
    let mut constraints = larger.minimal_constraints();
    if random.chance(50) && !constraints.is_empty() {
        constraints.remove(random.below(constraints.len()));
    }
    constraints.extend((0..random.below(3)).map(|_| random.constraint(size)));
    constraints
}

/// Simulation against its definition, at all points of the grid.
pub fn simulation(random: &mut Random, subject: Subject) -> Verdict {
    simulation_of(random, subject).map(|_| ())
}

/// The same, with whether there is simulation, and inclusion.
pub fn simulation_of(random: &mut Random, subject: Subject) -> Result<(bool, bool), String> {
    let sizes = [(1, 4), (2, 2), (2, 2), (2, 3), (2, 3), (3, 1)];
    let (clocks, greatest) = sizes[random.below(sizes.len())];
    let size = Size { clocks, greatest };
    let guards = random.limits(size);
    let mine = random.constraints(size);
    let zone = subject.zone(clocks, &mine);
    let theirs = candidate(random, size, &zone, &guards);
    let other = subject.zone(clocks, &theirs);
    let step = size.step();
    let escaped =
        size.grid().find(|point| satisfies(&theirs, point, step) && !simulated(&mine, &guards, point, step));
    let is = subject.simulates(&zone, &other, &guards);
    ensure!(is == escaped.is_none(), "{zone:?} simulates {other:?} with {guards:?}: {is}, but {escaped:?}");
    Ok((is, zone.includes(&other)))
}
