//! Federations: finite unions of zones, for sets that are not convex, such as the points where no guard holds.

use super::bound::Bound;
use super::dbm::Zone;
use super::point::Point;

/// A finite union of zones, none of them empty.
#[derive(Clone, Default, Debug)]
pub struct Federation {
    zones: Vec<Zone>,
}

impl Federation {
    pub fn none() -> Federation {
        Federation::default()
    }

    /// The zones, in no particular order. They may overlap.
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// Whether there is no point at all.
    pub fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    /// Adds the points of a zone. Zones that are included in another are left out.
    pub fn add(&mut self, zone: Zone) {
        if zone.is_empty() || self.zones.iter().any(|old| old.includes(&zone)) {
            return;
        }
        self.zones.retain(|old| !zone.includes(old));
        self.zones.push(zone);
    }

    /// Removes the points of a zone.
    pub fn subtract(&mut self, zone: &Zone) {
        let mut constraints = None;
        for mut rest in std::mem::take(&mut self.zones) {
            if rest.misses(zone) {
                self.zones.push(rest);
                continue;
            }
            if zone.includes(&rest) {
                continue;
            }
            let constraints = constraints.get_or_insert_with(|| zone.minimal_constraints());
            // One constraint after the other: what violates it is left over, in what satisfies those before.
            for constraint in constraints.iter() {
                if rest.implies(*constraint) {
                    continue;
                }
                let mut left_over = rest.clone();
                if left_over.constrain(constraint.negated()) {
                    self.zones.push(left_over);
                }
                if !rest.constrain(*constraint) {
                    break;
                }
            }
        }
    }

    /// Whether every point of the zone is in some zone of the union.
    pub fn includes(&self, zone: &Zone) -> bool {
        let mut rest = Federation::from(zone.clone());
        for part in &self.zones {
            rest.subtract(part);
            if rest.is_empty() {
                break;
            }
        }
        rest.is_empty()
    }

    /// Whether the point is in some zone of the union.
    pub fn contains(&self, point: &Point) -> bool {
        self.zones.iter().any(|zone| zone.contains(point))
    }
}

impl From<Zone> for Federation {
    fn from(zone: Zone) -> Federation {
        let zones = if zone.is_empty() { Vec::new() } else { vec![zone] };
        Federation { zones }
    }
}

impl Zone {
    /// Whether two opposite bounds show that the zones have no point in common. Not every such pair is recognised.
    fn misses(&self, other: &Zone) -> bool {
        let n = self.dimension();
        (0..n).any(|left| (0..n).any(|right| self.at(left, right) + other.at(right, left) < Bound::LE_ZERO))
    }
}
