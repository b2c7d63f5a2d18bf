//! Packed zones and federations.

use burnside_timed::zone::{Federation, PackedZone, Point, Probe, Zone, pack};

use crate::oracle::satisfies;
use crate::random::{Random, Size};
use crate::subject::Subject;
use crate::{Verdict, ensure};

/// A packed zone is the zone; of minimal constraints none can be left out; tests on it are those on the zone, in both forms.
pub fn packing(random: &mut Random, subject: Subject) -> Verdict {
    let size = random.size();
    let zone = subject.zone(size.clocks, &random.constraints(size));
    let constraints = subject.constraints(&zone);
    ensure!(subject.zone(size.clocks, &constraints) == zone, "{zone:?} from {constraints:?}");
    for left_out in 0..constraints.len() {
        let mut others = constraints.clone();
        others.remove(left_out);
        ensure!(subject.zone(size.clocks, &others) != zone, "{zone:?} does not need all of {constraints:?}");
    }
    let minimal = PackedZone::minimal(&zone);
    ensure!(minimal.constraints().eq(zone.minimal_constraints()), "{zone:?} is stored as {minimal:?}");

    let mut other = subject.zone(size.clocks, &random.constraints(size));
    if random.chance(50) {
        other.intersect(&zone);
    }
    let guards = random.limits(size);
    for packed in [PackedZone::new(&zone), minimal] {
        let mut unpacked = other.clone();
        packed.unpack_into(&mut unpacked);
        ensure!(unpacked == zone && packed.unpack() == zone, "{zone:?} is stored as {packed:?}");
        ensure!(
            packed.includes(&other) == subject.includes(&zone, &other),
            "{zone:?} packed includes {other:?}"
        );
        ensure!(
            packed
                .simulates_at_sight(&other, &guards.limits())
                .is_none_or(|is| is == subject.simulates(&zone, &other, &guards)),
            "{zone:?} packed simulates {other:?}"
        );
    }
    Ok(())
}

/// Comparisons with stored matrices are those with the zones, also where constants are about the greatest of a width; where
/// they do not tell, some clock that is read is not stored.
pub fn probes(random: &mut Random, _: Subject) -> Verdict {
    let greatest = [2, 5, 61, 63, 66, 400, 16_382, 16_384][random.below(8)];
    let size = Size { clocks: 1 + random.below(5), greatest };
    let mut zone = |about: &Zone| {
        let mut zone = about.clone();
        for _ in 0..random.below(3 * size.clocks) {
            let constraint = random.constraint(size);
            if zone.admits(constraint) {
                zone.constrain(constraint);
            }
        }
        if random.chance(30) {
            zone.up();
        }
        if random.chance(30) {
            zone.free(1 + random.below(size.clocks));
        }
        zone
    };
    let about = zone(&Zone::universal(size.clocks));
    let stored: Vec<Zone> = (0..4).map(|_| zone(&about)).collect();
    let new = zone(&about);
    let guards = random.limits(size);
    let limits = guards.limits();
    let mut probe = Probe::default();
    probe.renew();
    for old in &stored {
        let mut bytes = Vec::new();
        pack(old, &mut bytes);
        let packed = PackedZone::of(&bytes[..]);
        let Some(matrix) = packed.as_matrix() else { continue };
        let covered = probe.is_covered(&matrix, &new, &limits);
        ensure!(covered == old.simulates(&new, &limits), "{old:?} stored simulates {new:?}: {covered}");
        let covers = probe.covers(&matrix, &new, &limits);
        ensure!(
            covers.is_none_or(|is| is == new.simulates(old, &limits)),
            "{new:?} simulates {old:?} stored: {covers:?}"
        );
        let read = |clock: usize| limits.both(clock).is_some() && !matrix.clocks.contains(&(clock as u8));
        ensure!(covers.is_some() || (1..=size.clocks).any(read), "{new:?} and {old:?} are not compared");
    }
    Ok(())
}

/// Zones of more clocks, whose bounds differ little, are found again when they are unpacked.
pub fn tangles(random: &mut Random, _: Subject) -> Verdict {
    let size = Size { clocks: 3 + random.below(9), greatest: random.below(2) as i32 };
    let mut zone = Zone::universal(size.clocks);
    for _ in 0..size.clocks + random.below(2 * size.clocks) {
        let constraint = random.constraint(size);
        if zone.admits(constraint) {
            zone.constrain(constraint);
        }
    }
    for packed in [PackedZone::new(&zone), PackedZone::minimal(&zone)] {
        ensure!(packed.unpack() == zone, "{zone:?} is stored as {packed:?}");
    }
    Ok(())
}

/// A federation has the points that were added and not subtracted since; and includes a zone if it has all its points.
pub fn federations(random: &mut Random, subject: Subject) -> Verdict {
    let size = [Size { clocks: 1, greatest: 4 }, Size { clocks: 2, greatest: 2 }][random.below(2)];
    let mut federation = Federation::none();
    let mut steps = Vec::new();
    for step in 0..1 + random.below(5) {
        let constraints = random.constraints(size);
        let zone = subject.zone(size.clocks, &constraints);
        let adds = step == 0 || random.chance(40);
        match adds {
            true => federation.add(zone),
            false => subject.subtract(&mut federation, &zone),
        }
        steps.push((adds, constraints));
    }
    let expected = |point: &[i64]| {
        let last = steps.iter().rev().find(|(_, constraints)| satisfies(constraints, point, size.step()));
        last.is_some_and(|(adds, _)| *adds)
    };
    let of = random.constraints(size);
    let (mut any, mut all) = (false, true);
    for point in size.grid() {
        let should = expected(&point);
        any |= should;
        all &= should || !satisfies(&of, &point, size.step());
        let is = federation.contains(&Point { denominator: size.step(), numerators: point.clone() });
        ensure!(is == should, "{point:?}/{} after {steps:?}: {is}", size.step());
    }
    ensure!(federation.is_empty() != any, "{steps:?} gives {federation:?}");
    let zone = subject.zone(size.clocks, &of);
    ensure!(federation.includes(&zone) == all, "{federation:?} includes {zone:?}: {all}");
    Ok(())
}
