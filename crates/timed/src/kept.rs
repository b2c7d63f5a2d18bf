//! Memory that is kept for a while: of what is not needed any more, and of zones that were looked at lately.

use burnside_model::code::Cell;

use crate::zone::{Bound, PackedZone, Zone};

/// States and zones that are not needed any more: their memory is used again.
#[derive(Default)]
pub(crate) struct Spare {
    states: Vec<Vec<Cell>>,
    zones: Vec<Zone>,
}

impl Spare {
    pub(crate) fn state(&mut self) -> Vec<Cell> {
        let mut state = self.states.pop().unwrap_or_default();
        state.clear();
        state
    }

    /// A copy of a zone.
    pub(crate) fn zone(&mut self, of: &Zone) -> Zone {
        match self.zones.pop() {
            Some(mut zone) => {
                zone.clone_from(of);
                zone
            }
            None => of.clone(),
        }
    }

    /// A zone over the same clocks.
    pub(crate) fn any_zone(&mut self, as_of: &Zone) -> Zone {
        self.zones.pop().unwrap_or_else(|| as_of.clone())
    }

    /// They are not needed any more.
    pub(crate) fn give(&mut self, state: Vec<Cell>, zone: Zone) {
        if self.zones.len() < 8 {
            self.states.push(state);
            self.zones.push(zone);
        }
    }
}

/// How many bytes unpacked zones may take at least: most searches never unpack a zone twice.
pub(crate) const UNPACKED: usize = 1 << 25;

/// Zones of nodes that were looked at lately, each in the place that its number has.
pub(crate) struct Unpacked {
    zones: Vec<Option<(u32, Zone)>>,
    /// How many bytes one takes, about.
    each: usize,
}

impl Unpacked {
    /// For zones with so many rows.
    pub(crate) fn new(dimension: usize) -> Self {
        let each = size_of::<Bound>() * dimension * dimension + 64;
        Unpacked { zones: (0..64).map(|_| None).collect(), each }
    }

    /// Makes room for the zones of so many nodes, or for as many as take some bytes.
    pub(crate) fn grow(&mut self, nodes: usize, bytes: usize) {
        // Twice as many: then each has another place.
        let more = 2 * self.zones.len();
        if nodes >= self.zones.len() && more * self.each <= bytes {
            self.zones.clear();
            self.zones.resize_with(more, || None);
        }
    }

    /// The zone of a node, if it was looked at lately.
    pub(crate) fn known(&self, number: u32) -> Option<&Zone> {
        let at = number as usize & (self.zones.len() - 1);
        self.zones[at].as_ref().filter(|(known, _)| *known == number).map(|(_, zone)| zone)
    }

    /// The zone of a node, unpacked if it is not known.
    pub(crate) fn zone(&mut self, number: u32, packed: &PackedZone<&[u8]>) -> &Zone {
        let at = number as usize & (self.zones.len() - 1);
        let (known, zone) = self.zones[at].get_or_insert_with(|| (number, packed.unpack()));
        if *known != number {
            *known = number;
            packed.unpack_into(zone);
        }
        zone
    }
}
