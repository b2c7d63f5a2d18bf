//! Zones as they are stored: only the minimal constraints, in as few bytes as they fit.
//!
//! Equal zones are equal words, so that packed zones can be shared and hashed. A zone is covered by a packed one if it
//! implies each of its constraints; for simulation they often tell, and where not, the zone is unpacked.

use super::bound::Bound;
use super::dbm::{Constraint, Zone};
use super::extrapolate::Limits;
use super::inclusion::separates;

/// A zone in few bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PackedZone {
    /// The dimension, the [form](Form), then for each constraint its two clocks and its bound.
    words: Box<[u16]>,
}

/// How many words the parts of a constraint take.
#[derive(Clone, Copy)]
struct Form {
    /// Two clocks: one word if each fits into a byte, else two.
    clocks: usize,
    /// A bound: one word if all fit, else two.
    bound: usize,
}

impl Form {
    fn encode(self) -> u16 {
        (self.clocks * 4 + self.bound) as u16
    }

    fn decode(word: u16) -> Form {
        Form { clocks: usize::from(word / 4), bound: usize::from(word % 4) }
    }
}

impl PackedZone {
    /// Packs a zone of at most 65,534 clocks.
    pub fn new(zone: &Zone) -> PackedZone {
        let dimension =
            u16::try_from(zone.dimension()).expect("a zone of so many clocks would not fit into memory");
        let constraints = zone.minimal_constraints();
        let narrow = constraints.iter().all(|c| i16::try_from(c.bound.raw()).is_ok());
        let form = Form { clocks: if dimension <= 256 { 1 } else { 2 }, bound: if narrow { 1 } else { 2 } };
        let mut words = Vec::with_capacity(2 + constraints.len() * (form.clocks + form.bound));
        words.extend([dimension, form.encode()]);
        for Constraint { left, right, bound } in constraints {
            match form.clocks {
                1 => words.push((left << 8 | right) as u16),
                _ => words.extend([left as u16, right as u16]),
            }
            let raw = bound.raw();
            match form.bound {
                1 => words.push(raw as u16),
                _ => words.extend([(raw >> 16) as u16, raw as u16]),
            }
        }
        PackedZone { words: words.into() }
    }

    /// How many clocks the zone has, with the reference.
    pub fn dimension(&self) -> usize {
        usize::from(self.words[0])
    }

    /// How many bytes it takes beside the handle itself.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }

    /// The constraints that are kept: the minimal ones.
    pub fn constraints(&self) -> impl Iterator<Item = Constraint> {
        let form = Form::decode(self.words[1]);
        self.words[2..].chunks_exact(form.clocks + form.bound).map(move |words| {
            let (clocks, bound) = words.split_at(form.clocks);
            let (left, right) = match *clocks {
                [both] => (both >> 8, both & 0xff),
                _ => (clocks[0], clocks[1]),
            };
            let raw = match *bound {
                [raw] => i32::from(raw as i16),
                _ => i32::from(bound[0] as i16) << 16 | i32::from(bound[1]),
            };
            Constraint::new(usize::from(left), usize::from(right), Bound::from_raw(raw))
        })
    }

    /// The zone. Cubic.
    pub fn unpack(&self) -> Zone {
        let mut zone = Zone::zero(self.dimension() - 1);
        self.unpack_into(&mut zone);
        zone
    }

    /// As [`unpack`](Self::unpack), into a zone over as many clocks, whatever it was.
    pub fn unpack_into(&self, zone: &mut Zone) {
        assert_eq!(self.dimension(), zone.dimension(), "zones over the same clocks");
        zone.make_universal();
        self.fill(zone);
    }

    /// Constrains all points to the zone: shortest paths along the constraints, which are taken up and down in turns,
    /// since clocks are often numbered in the order of their values (Yen 1970). What takes longer than closing any matrix
    /// is left to that.
    fn fill(&self, zone: &mut Zone) {
        let n = zone.dimension();
        let not_negative = (1..n).map(|clock| Constraint::new(0, clock, Bound::LE_ZERO));
        let steps: Vec<_> = not_negative.chain(self.constraints()).collect();
        if steps.last().is_some_and(|step| step.left == step.right) {
            zone.clear();
            return;
        }
        for _ in 0..=n * n / (4 * steps.len() + 1) {
            let turn = steps.iter().chain(steps.iter().rev());
            if !turn.fold(false, |changed, step| changed | zone.shorten(step)) {
                return;
            }
        }
        zone.close_rows(&(0..n).collect::<Vec<_>>());
    }

    /// Whether every point of `zone` is in this one.
    pub fn includes(&self, zone: &Zone) -> bool {
        assert_eq!(self.dimension(), zone.dimension(), "zones over the same clocks");
        zone.is_empty() || self.constraints().all(|constraint| zone.implies(constraint))
    }

    /// Whether every point of `zone` is simulated by a point of this one: `zone` ⊆ aLU(`self`); nothing if the
    /// constraints do not tell, and this zone must be unpacked. Most zones that are not are found by them.
    pub fn simulates_at_sight(&self, zone: &Zone, limits: &Limits) -> Option<bool> {
        assert_eq!(self.dimension(), zone.dimension(), "zones over the same clocks");
        if zone.is_empty() {
            return Some(true);
        }
        let refuted = self.constraints().any(|Constraint { left, right, bound }| {
            let minus_lower = limits.minus_lower[left];
            let (theirs, lowest) = (zone.at(left, right), zone.at(0, right));
            !minus_lower.is_infinite()
                && separates(bound, theirs, minus_lower, lowest, limits.minus_upper[right])
        });
        if refuted {
            return Some(false);
        }
        self.includes(zone).then_some(true)
    }
}
