//! Traps that other kernels fell into, and corners.

use std::collections::HashSet;

use burnside_timed::zone::{Bound, Constraint, Extrapolation, Federation, Limits, PackedZone, Point, Zone};

/// All points, constrained.
fn zone(clocks: usize, constraints: &[Constraint]) -> Zone {
    let mut zone = Zone::universal(clocks);
    constraints.iter().for_each(|constraint| _ = zone.constrain(*constraint));
    zone
}

#[test]
fn below_and_at_least_the_same_constant_is_empty() {
    assert!(zone(1, &[Constraint::below(1, 1), Constraint::at_least(1, 1)]).is_empty());
    assert!(zone(1, &[Constraint::at_most(1, 1), Constraint::above(1, 1)]).is_empty());
    assert!(!zone(1, &[Constraint::at_most(1, 1), Constraint::at_least(1, 1)]).is_empty());
}

#[test]
fn contradictions_that_do_not_touch_the_reference_are_found() {
    let cycle = [(1, 2, Bound::lt(1)), (2, 3, Bound::le(1)), (3, 1, Bound::le(-2))];
    let cycle = cycle.map(|(left, right, bound)| Constraint::new(left, right, bound));
    assert!(zone(3, &cycle).is_empty());
    let mut one = zone(3, &cycle[..2]);
    assert!(!one.is_empty());
    assert!(!one.intersect(&zone(3, &cycle[2..])) && one.is_empty());
    assert_eq!(Point::least(3, &cycle), None);
}

#[test]
fn bounds_are_ordered_and_add_up() {
    let ordered =
        [Bound::lt(-1), Bound::le(-1), Bound::LT_ZERO, Bound::LE_ZERO, Bound::lt(7), Bound::INFINITY];
    assert!(ordered.is_sorted());
    assert_eq!(Bound::lt(2) + Bound::le(-3), Bound::lt(-1));
    assert_eq!(Bound::le(2) + Bound::le(-3), Bound::le(-1));
    assert_eq!(Bound::lt(2) + Bound::lt(3), Bound::lt(5));
    assert_eq!(Bound::INFINITY + Bound::le(-3), Bound::INFINITY);
    assert_eq!(!Bound::le(3), Bound::lt(-3));
    assert_eq!(!Bound::lt(-3), Bound::le(3));
    assert!((Bound::le(5).value(), Bound::lt(-5).value()) == (Some(5), Some(-5)));
}

#[test]
fn sums_do_not_wrap() {
    let (great, small) = (Bound::le(Bound::MAX_VALUE), Bound::le(-Bound::MAX_VALUE));
    assert_eq!(great + great, Bound::INFINITY);
    assert_eq!(great + small, Bound::LE_ZERO);
    assert!(small + small < small && small + small + small == small + small);
    assert_eq!((Bound::le(i32::MAX), Bound::lt(i32::MIN)), (Bound::INFINITY, small + small));
    // The same where whole rows are added up.
    let step = |clock| Constraint::new(clock, clock + 1, small);
    let steps: Vec<_> = (1..9).map(step).collect();
    let mut chain = Zone::universal(9);
    assert!(chain.constrain_all(&steps) && chain == PackedZone::new(&chain).unpack());
    assert!(chain.at(1, 3) == small + small && chain.at(1, 9) == small + small);
    // A clock that stays behind by more than can be written: the zone is larger than it should be.
    let mut zone = Zone::zero(2);
    for _ in 0..4 {
        zone.up();
        assert!(zone.constrain(Constraint::at_least(1, Bound::MAX_VALUE)));
        assert!(zone.constrain(Constraint::at_most(1, Bound::MAX_VALUE)));
        zone.reset(1, 0);
    }
    assert!(!zone.is_empty() && zone.at(2, 1).is_infinite());
}

#[test]
fn without_clocks_there_is_one_point() {
    let mut zone = Zone::zero(0);
    zone.up();
    zone.down();
    assert!(zone == Zone::universal(0) && !zone.is_empty());
    assert_eq!(PackedZone::new(&zone).unpack(), zone);
    assert!(zone.simulates(&zone, &Limits::none(0)));
    assert!(Federation::from(zone.clone()).includes(&zone));
    assert!(!zone.constrain(Constraint::new(0, 0, Bound::LT_ZERO)));
    assert_eq!(PackedZone::new(&zone).unpack(), zone);
}

#[test]
fn a_clock_without_limits_is_freed() {
    let constraints =
        [Constraint::at_least(1, 2), Constraint::new(2, 1, Bound::le(-1)), Constraint::at_most(1, 3)];
    for how in Extrapolation::ALL {
        let mut zone = zone(2, &constraints);
        zone.extrapolate(how, &Limits::none(2));
        assert_eq!(zone, Zone::universal(2), "{how:?}");
    }
}

#[test]
fn simulated_where_extrapolation_does_not_reach() {
    // Not convex: x = y, or both above the limit.
    let mut limits = Limits::none(2);
    for clock in 1..=2 {
        limits.raise_lower(clock, 1);
        limits.raise_upper(clock, 1);
    }
    let mut line = Zone::zero(2);
    line.up();
    let apart = zone(2, &[Constraint::above(1, 1), Constraint::above(2, 1)]);
    assert!(line.simulates(&apart, &limits) && !line.includes(&apart));
    assert!(!line.simulates(&Zone::universal(2), &limits));
    let mut larger = line.clone();
    larger.extrapolate(Extrapolation::LUPlus, &limits);
    assert!(!larger.includes(&apart));
}

#[test]
fn infinitely_many_zones_become_few() {
    // A loop that resets one clock each time it is at 1: the other runs away.
    let mut limits = Limits::none(2);
    limits.raise_lower(1, 1);
    limits.raise_upper(1, 1);
    limits.raise_lower(2, 5);
    let mut seen = HashSet::new();
    let mut zone = Zone::zero(2);
    zone.up();
    while seen.insert(PackedZone::new(&zone)) {
        zone.constrain_all(&[Constraint::at_least(1, 1), Constraint::at_most(1, 1)]);
        zone.reset(1, 0);
        zone.up();
        zone.extrapolate(Extrapolation::LUPlus, &limits);
    }
    assert_eq!(seen.len(), 7);
}

#[test]
fn points_of_a_run_are_exact() {
    // Steps at times 1, 2, 3: after more than 2; before 1 has passed since; at least 1 after the first.
    let run = [
        Constraint::above(1, 2),
        Constraint::new(2, 1, Bound::lt(1)),
        Constraint::new(1, 2, Bound::lt(0)),
        Constraint::new(1, 3, Bound::le(-1)),
    ];
    let point = Point::least(3, &run).expect("a run");
    assert_eq!((point.denominator, point.numerators), (3, vec![0, 7, 8, 10]));
}

#[test]
fn many_clocks_and_great_constants_are_packed() {
    for (clocks, constant) in [(255, 16_383), (255, 16_384), (256, 7), (300, Bound::MAX_VALUE)] {
        let mut zone = Zone::zero(clocks);
        for clock in 1..=clocks {
            zone.up();
            zone.reset(clock, 0);
        }
        zone.constrain(Constraint::at_least(5, constant));
        zone.constrain(Constraint::new(clocks, clocks - 3, Bound::lt(-2)));
        let packed = PackedZone::new(&zone);
        assert_eq!(packed.unpack(), zone);
        assert!(packed.includes(&zone) && !packed.includes(&Zone::universal(clocks)));
        assert!(packed.bytes() < 10 * clocks, "{} bytes for {clocks} clocks", packed.bytes());
    }
}

/// Constants at which a bound takes a byte more, and clocks that have any value, which are not stored.
#[test]
fn packing_at_the_limits_of_bytes() {
    for value in [62, 63, 64, 65, 16_382, 16_383, 16_384, 1 << 20] {
        for clocks in [3, 20, 300] {
            for bound in [Bound::lt(value), Bound::le(value)] {
                let last = clocks - 1;
                let constraints = [
                    Constraint::new(1, 0, bound),
                    Constraint::new(1, last, bound),
                    Constraint::at_least(last, value),
                    Constraint::new(0, 1, Bound::lt(-value / 2)),
                ];
                let zone = zone(clocks, &constraints);
                assert!(!zone.is_empty());
                let packed = [PackedZone::new(&zone), PackedZone::minimal(&zone)];
                assert!(packed.iter().all(|packed| packed.unpack() == zone), "{value} {clocks}");
                assert!(packed.iter().all(|packed| packed.includes(&zone)), "{value} {clocks}");
            }
        }
    }
}

#[test]
fn free_clocks_are_bounded_by_nothing() {
    // The last is free; the first two are not: one is bounded, the other has no bound of its own but follows it.
    let zone =
        zone(4, &[Constraint::at_most(1, 5), Constraint::new(1, 2, Bound::le(0)), Constraint::above(3, 0)]);
    assert_eq!(zone.free_clocks(), [false, false, false, false, true]);
    let mut freed = zone.clone();
    freed.free_all(&[false, true, false, false, false]);
    assert_eq!(freed.free_clocks(), [false, true, true, false, true]);
    assert_eq!(Zone::zero(2).never_greater(), [2, 2, 2]);
}
