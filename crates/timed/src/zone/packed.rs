//! Zones as they are stored, in few bytes: a matrix of small numbers over the clocks that are bounded at all if these are
//! few, otherwise the minimal constraints.
//!
//! Equal zones are equal bytes, so that packed zones can be shared and hashed. A zone is covered by a packed one if it
//! implies each of its constraints; for simulation they often tell, and where not, the zone is unpacked.

use super::bound::Bound;
use super::dbm::{Constraint, Zone};
use super::extrapolate::Limits;
use super::inclusion::separates;

/// More bounded clocks than this are not stored as a matrix: it would take too many bytes.
const FEW: usize = 11;

/// A zone in few bytes, its own or among others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PackedZone<B = Box<[u8]>> {
    /// The dimension in two bytes, and the [form](Form). Then for each constraint its two clocks and its bound; or how many
    /// clocks a matrix has, which, and its cells with those of the reference.
    bytes: B,
}

/// A stored matrix.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'b> {
    /// Its clocks, ascending.
    pub clocks: &'b [u8],
    /// Its cells row by row, those of the reference first.
    pub cells: &'b [u8],
    /// How many bytes a cell takes: 1 or 2.
    pub width: usize,
}

/// How many bytes the parts take.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Form {
    /// The number of a clock, in a constraint; 0 for a matrix, where it takes one.
    clock: usize,
    bound: usize,
}

impl Form {
    fn encode(self) -> u8 {
        (self.clock * 8 + self.bound) as u8
    }

    fn decode(byte: u8) -> Form {
        Form { clock: usize::from(byte / 8), bound: usize::from(byte % 8) }
    }

    fn is_matrix(self) -> bool {
        self.clock == 0
    }
}

/// How many bytes a number takes, at least 1, at most 4; the greatest of each width is kept for no bound.
fn width(raw: i32) -> usize {
    let fits = |bits: u32| raw >= -(1 << (bits - 1)) && raw < (1 << (bits - 1)) - 1;
    [1, 2].into_iter().find(|width| fits(8 * width)).unwrap_or(4) as usize
}

/// Adds a bound in so many bytes.
fn write(bound: Bound, width: usize, to: &mut Vec<u8>) {
    let none = i32::MAX >> (8 * (4 - width));
    let raw = if bound.is_infinite() { none } else { bound.raw() };
    to.extend_from_slice(&raw.to_le_bytes()[..width]);
}

/// The bound that some bytes are.
#[inline]
fn read(bytes: &[u8]) -> Bound {
    match *bytes {
        [a] if a as i8 == i8::MAX => Bound::INFINITY,
        [a] => Bound::from_raw(i32::from(a as i8)),
        [a, b] if i16::from_le_bytes([a, b]) == i16::MAX => Bound::INFINITY,
        [a, b] => Bound::from_raw(i32::from(i16::from_le_bytes([a, b]))),
        [a, b, c, d] if i32::from_le_bytes([a, b, c, d]) != i32::MAX => {
            Bound::from_raw(i32::from_le_bytes([a, b, c, d]))
        }
        _ => Bound::INFINITY,
    }
}

impl PackedZone {
    /// Packs a zone of at most 65,534 clocks.
    pub fn new(zone: &Zone) -> PackedZone {
        let mut bytes = Vec::new();
        pack(zone, &mut bytes);
        PackedZone { bytes: bytes.into() }
    }

    /// As [`new`](Self::new), always as the minimal constraints.
    pub fn minimal(zone: &Zone) -> PackedZone {
        let mut bytes = Vec::new();
        pack_minimal(zone, &mut bytes);
        PackedZone { bytes: bytes.into() }
    }
}

impl<'b> PackedZone<&'b [u8]> {
    /// The packed zone that some bytes are, which [`pack`] wrote.
    pub fn of(bytes: &'b [u8]) -> Self {
        PackedZone { bytes }
    }

    /// The matrix, if it is stored as one.
    #[inline]
    pub fn as_matrix(&self) -> Option<Matrix<'b>> {
        let form = self.form();
        if !form.is_matrix() {
            return None;
        }
        let (clocks, cells) = self.bytes[4..].split_at(usize::from(self.bytes[3]));
        Some(Matrix { clocks, cells, width: form.bound })
    }
}

/// Adds the bytes of a packed zone of at most 65,534 clocks.
pub fn pack(zone: &Zone, to: &mut Vec<u8>) {
    if !pack_matrix(zone, to) {
        pack_minimal(zone, to);
    }
}

/// As a matrix, if few clocks are bounded, by small numbers; whether that was so.
fn pack_matrix(zone: &Zone, to: &mut Vec<u8>) -> bool {
    let free = zone.free_clocks();
    let few = free.iter().skip(1).filter(|free| !**free).count();
    if zone.is_empty() || few > FEW || zone.dimension() > 256 {
        return false;
    }
    let mut bounded = [0; FEW + 1];
    let clocks = (1..zone.dimension()).filter(|clock| !free[*clock]);
    bounded[1..].iter_mut().zip(clocks).for_each(|(to, clock)| *to = clock);
    let bounded = &bounded[..=few];
    let cells = || bounded.iter().flat_map(|left| bounded.iter().map(|right| zone.at(*left, *right)));
    let bound = cells().filter(|cell| !cell.is_infinite()).map(|cell| width(cell.raw())).max().unwrap_or(1);
    if bound > 2 {
        return false;
    }
    to.extend_from_slice(&(zone.dimension() as u16).to_le_bytes());
    to.extend([Form { clock: 0, bound }.encode(), few as u8]);
    to.extend(bounded[1..].iter().map(|clock| *clock as u8));
    cells().for_each(|cell| write(cell, bound, to));
    true
}

fn pack_minimal(zone: &Zone, to: &mut Vec<u8>) {
    let dimension =
        u16::try_from(zone.dimension()).expect("a zone of so many clocks would not fit into memory");
    let constraints = zone.minimal_constraints();
    let bound = constraints.iter().map(|c| width(c.bound.raw())).max().unwrap_or(1);
    let form = Form { clock: if dimension <= 256 { 1 } else { 2 }, bound };
    to.extend_from_slice(&dimension.to_le_bytes());
    to.push(form.encode());
    for Constraint { left, right, bound } in constraints {
        for clock in [left, right] {
            to.extend_from_slice(&(clock as u16).to_le_bytes()[..form.clock]);
        }
        write(bound, form.bound, to);
    }
}

impl<B: AsRef<[u8]>> PackedZone<B> {
    /// How many clocks the zone has, with the reference.
    pub fn dimension(&self) -> usize {
        let bytes = self.bytes.as_ref();
        usize::from(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    /// How many bytes it takes beside the handle itself.
    pub fn bytes(&self) -> usize {
        self.bytes.as_ref().len()
    }

    fn form(&self) -> Form {
        Form::decode(self.bytes.as_ref()[2])
    }

    /// The minimal constraints, if that is how it is stored.
    fn kept(&self) -> impl Iterator<Item = Constraint> {
        let form = self.form();
        let bytes = if form.is_matrix() { &[][..] } else { &self.bytes.as_ref()[3..] };
        bytes.chunks_exact(2 * form.clock + form.bound).map(move |bytes| {
            let (clocks, bound) = bytes.split_at(2 * form.clock);
            let (left, right) = match *clocks {
                [left, right] => (u16::from(left), u16::from(right)),
                _ => (u16::from_le_bytes([clocks[0], clocks[1]]), u16::from_le_bytes([clocks[2], clocks[3]])),
            };
            Constraint::new(usize::from(left), usize::from(right), read(bound))
        })
    }

    /// The clocks of a matrix, and its cells row by row, those of the reference first.
    fn matrix(&self) -> (&[u8], &[u8]) {
        let bytes = self.bytes.as_ref();
        let few = if self.form().is_matrix() { usize::from(bytes[3]) } else { return (&[], &[]) };
        bytes[4..].split_at(few)
    }

    /// The bounds of a matrix.
    fn cells(&self) -> impl Iterator<Item = Constraint> {
        let (width, (clocks, cells)) = (self.form().bound, self.matrix());
        let number = |at: usize| if at == 0 { 0 } else { usize::from(clocks[at - 1]) };
        let rows = cells.chunks_exact((clocks.len() + 1) * width).enumerate();
        rows.flat_map(move |(left, row)| {
            let bounds = row.chunks_exact(width).map(read).enumerate();
            let bounds = bounds.filter(move |(right, bound)| *right != left && !bound.is_infinite());
            bounds.map(move |(right, bound)| Constraint::new(number(left), number(right), bound))
        })
    }

    /// The constraints that are kept.
    pub fn constraints(&self) -> impl Iterator<Item = Constraint> {
        self.kept().chain(self.cells())
    }

    /// The zone. Cubic unless it is stored as a matrix.
    pub fn unpack(&self) -> Zone {
        let mut zone = Zone::zero(self.dimension() - 1);
        self.unpack_into(&mut zone);
        zone
    }

    /// As [`unpack`](Self::unpack), into a zone over as many clocks, whatever it was.
    pub fn unpack_into(&self, zone: &mut Zone) {
        assert_eq!(self.dimension(), zone.dimension(), "zones over the same clocks");
        zone.make_universal();
        if !self.form().is_matrix() {
            return self.fill(zone);
        }
        let (width, (clocks, cells)) = (self.form().bound, self.matrix());
        let rows = cells.chunks_exact((clocks.len() + 1) * width);
        for (left, cells) in [0].iter().chain(clocks).zip(rows) {
            let row = zone.row_mut(usize::from(*left));
            let mut cells = cells.chunks_exact(width).map(read);
            // Against a clock that has any value, as against the reference.
            row.fill(cells.next().unwrap_or(Bound::INFINITY));
            cells.zip(clocks).for_each(|(cell, right)| row[usize::from(*right)] = cell);
        }
    }

    /// Constrains all points to the zone: shortest paths along the constraints, which are taken up and down in turns,
    /// since clocks are often numbered in the order of their values (Yen 1970). What takes longer than closing any matrix
    /// is left to that.
    fn fill(&self, zone: &mut Zone) {
        let n = zone.dimension();
        let not_negative = (1..n).map(|clock| Constraint::new(0, clock, Bound::LE_ZERO));
        let steps: Vec<_> = not_negative.chain(self.kept()).collect();
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
        let refutes = |Constraint { left, right, bound }: Constraint| {
            let minus_lower = limits.minus_lower[left];
            let (theirs, lowest) = (zone.at(left, right), zone.at(0, right));
            !minus_lower.is_infinite()
                && separates(bound, theirs, minus_lower, lowest, limits.minus_upper[right])
        };
        if self.form().is_matrix() {
            // Unpacking it takes no longer than comparing.
            return self.cells().any(refutes).then_some(false);
        }
        if self.kept().any(refutes) {
            return Some(false);
        }
        self.includes(zone).then_some(true)
    }
}
