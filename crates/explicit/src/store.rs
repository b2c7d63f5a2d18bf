//! The states met so far, packed.
//!
//! A cell takes as many bits as its type needs for its values and one more, *undefined*, which is 0. A record is the
//! number of the state it was reached from, then the packed cells; records have one length, stand in chunks that never
//! move, and are numbered in order of arrival. As a breadth-first search expands states in that order, the store is also
//! its queue. A hash table of numbers finds a state by its bytes.
//!
//! Memory is asked for before it is taken: a growing table counts twice, as both exist while it grows.

use burnside_model::Model;
use burnside_model::code::{Cell, UNDEFINED};
use hashbrown::HashTable;
use rapidhash::v3::rapidhash_v3;

/// The number of a stored state.
pub type StateId = u32;

/// The parent of a start state.
const NO_PARENT: u32 = u32::MAX;

/// Chunks are about this many bytes, but hold at least one state.
const CHUNK_BYTES: usize = 1 << 18;

/// There is no room for another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// How cells become bits.
#[derive(Clone, Debug)]
pub struct Packing {
    /// Per cell the least value, and the number of bits.
    cells: Vec<(i64, u32)>,
    /// Bytes per state.
    bytes: usize,
}

impl Packing {
    /// The packing of a model's states.
    pub fn new(model: &Model) -> Self {
        let cells: Vec<_> = model
            .state_cells()
            .iter()
            .map(|cell| {
                let size = model.types.size(cell.ty);
                (model.types.bounds(cell.ty).0, u64::BITS - size.leading_zeros())
            })
            .collect();
        let bits: usize = cells.iter().map(|(_, bits)| *bits as usize).sum();
        Packing { cells, bytes: bits.div_ceil(8) }
    }

    /// Bytes per state.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Appends the bytes of a state.
    ///
    /// # Panics
    /// If a cell holds what its type does not allow: two states must never become one.
    fn pack(&self, state: &[Cell], out: &mut Vec<u8>) {
        assert_eq!(state.len(), self.cells.len(), "a state of another model");
        let (mut buffer, mut filled) = (0u128, 0);
        for (value, (lo, bits)) in state.iter().zip(&self.cells) {
            let code = if *value == UNDEFINED { 0 } else { value.wrapping_sub(*lo).wrapping_add(1) as u64 };
            let fits = *bits == 64 || code >> bits == 0;
            assert!(fits && (code != 0 || *value == UNDEFINED), "a cell outside its type");
            buffer |= u128::from(code) << filled;
            filled += bits;
            while filled >= 8 {
                out.push(buffer as u8);
                buffer >>= 8;
                filled -= 8;
            }
        }
        if filled > 0 {
            out.push(buffer as u8);
        }
    }

    /// The state of packed bytes.
    fn unpack(&self, bytes: &[u8], out: &mut Vec<Cell>) {
        out.clear();
        let mut bytes = bytes.iter();
        let (mut buffer, mut filled) = (0u128, 0);
        for (lo, bits) in &self.cells {
            while filled < *bits {
                buffer |= u128::from(bytes.next().copied().unwrap_or(0)) << filled;
                filled += 8;
            }
            let code = (buffer & ((1u128 << bits) - 1)) as u64;
            buffer >>= bits;
            filled -= bits;
            out.push(if code == 0 { UNDEFINED } else { lo.wrapping_add(code.wrapping_sub(1) as i64) });
        }
    }
}

/// All states met so far.
pub struct Store {
    packing: Packing,
    /// Bytes per record.
    stride: usize,
    /// Records per chunk.
    per_chunk: usize,
    chunks: Vec<Vec<u8>>,
    len: u32,
    index: HashTable<u32>,
    /// Bytes that may be used.
    limit: u64,
    /// The packed state being looked up.
    scratch: Vec<u8>,
}

impl Store {
    /// An empty store that may take `limit` bytes.
    pub fn new(model: &Model, limit: Option<u64>) -> Self {
        let packing = Packing::new(model);
        let stride = packing.bytes() + 4;
        Store {
            stride,
            per_chunk: (CHUNK_BYTES / stride).max(1),
            packing,
            chunks: Vec::new(),
            len: 0,
            index: HashTable::new(),
            limit: limit.unwrap_or(u64::MAX),
            scratch: Vec::new(),
        }
    }

    /// How many states.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.chunks.len() * self.per_chunk * self.stride + self.index.allocation_size()) as u64
    }

    /// Bytes that may still be used.
    pub fn available(&self) -> u64 {
        self.limit.saturating_sub(self.memory())
    }

    /// The number of a state, if it is stored.
    pub fn find(&mut self, state: &[Cell]) -> Option<StateId> {
        self.scratch.clear();
        self.packing.pack(state, &mut self.scratch);
        let (key, hash) = (&self.scratch, rapidhash_v3(&self.scratch));
        let (chunks, per_chunk, stride) = (&self.chunks, self.per_chunk, self.stride);
        self.index.find(hash, |id| &record(chunks, per_chunk, stride, *id)[4..] == key).copied()
    }

    /// Stores a state, if it is new: its number, and whether it is.
    pub fn insert(&mut self, state: &[Cell], parent: Option<StateId>) -> Result<(StateId, bool), Full> {
        if let Some(id) = self.find(state) {
            return Ok((id, false));
        }
        self.reserve()?;
        let id = self.len;
        let Some(chunk) = self.chunks.last_mut() else { return Err(Full) };
        chunk.extend_from_slice(&parent.unwrap_or(NO_PARENT).to_le_bytes());
        chunk.extend_from_slice(&self.scratch);
        let (chunks, per_chunk, stride) = (&self.chunks, self.per_chunk, self.stride);
        self.index.insert_unique(rapidhash_v3(&self.scratch), id, |id| {
            rapidhash_v3(&record(chunks, per_chunk, stride, *id)[4..])
        });
        self.len += 1;
        Ok((id, true))
    }

    /// Makes room for one more record, or says that there is none.
    fn reserve(&mut self) -> Result<(), Full> {
        if self.len == NO_PARENT - 1 {
            return Err(Full);
        }
        if self.index.len() == self.index.capacity() {
            // The table doubles; the old one is freed only then.
            let doubled = 2 * self.index.allocation_size().max(64);
            if doubled as u64 > self.available() {
                return Err(Full);
            }
            let (chunks, per_chunk, stride) = (&self.chunks, self.per_chunk, self.stride);
            let hash = |id: &u32| rapidhash_v3(&record(chunks, per_chunk, stride, *id)[4..]);
            self.index.try_reserve(1, hash).map_err(|_| Full)?;
        }
        if self.len as usize == self.chunks.len() * self.per_chunk {
            let bytes = self.per_chunk * self.stride;
            if bytes as u64 > self.available() {
                return Err(Full);
            }
            let mut chunk = Vec::new();
            chunk.try_reserve_exact(bytes).map_err(|_| Full)?;
            self.chunks.push(chunk);
        }
        Ok(())
    }

    /// Reads a state.
    pub fn read(&self, id: StateId, state: &mut Vec<Cell>) {
        self.packing.unpack(&record(&self.chunks, self.per_chunk, self.stride, id)[4..], state);
    }

    /// The state from which a state was first reached; none for a start state.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        let record = record(&self.chunks, self.per_chunk, self.stride, id);
        let parent = u32::from_le_bytes([record[0], record[1], record[2], record[3]]);
        (parent != NO_PARENT).then_some(parent)
    }

    /// The states on the way from a start state to this one.
    pub fn path(&self, id: StateId) -> Vec<Vec<Cell>> {
        let ids = std::iter::successors(Some(id), |id| self.parent(*id));
        let mut path: Vec<_> = ids
            .map(|id| {
                let mut state = Vec::new();
                self.read(id, &mut state);
                state
            })
            .collect();
        path.reverse();
        path
    }
}

fn record(chunks: &[Vec<u8>], per_chunk: usize, stride: usize, id: StateId) -> &[u8] {
    let (chunk, at) = (id as usize / per_chunk, id as usize % per_chunk * stride);
    &chunks[chunk][at..at + stride]
}

#[cfg(test)]
mod tests {
    use super::*;
    use burnside_model::Span;
    use burnside_model::code::{TypeKind, Types};

    fn model() -> Model {
        let mut model = Model::default();
        let range = model.types.add(None, TypeKind::Range(-3, 9)).unwrap();
        let all = Types::INT;
        for (name, ty) in [("a", range), ("b", all), ("c", Types::BOOL), ("d", range)] {
            model.add_global(name, ty, Span::default()).unwrap();
        }
        model
    }

    #[test]
    fn states_come_back_as_they_went_in() {
        let mut store = Store::new(&model(), None);
        let states = [
            [-3, i64::MAX, 1, 9],
            [UNDEFINED, i64::MIN + 1, UNDEFINED, -3],
            [9, UNDEFINED, 0, UNDEFINED],
            [0, -1, 0, 0],
        ];
        for (i, state) in states.iter().enumerate() {
            assert_eq!(store.insert(state, i.checked_sub(1).map(|p| p as u32)), Ok((i as u32, true)));
        }
        for (i, state) in states.iter().enumerate() {
            assert_eq!(store.insert(state, None), Ok((i as u32, false)));
        }
        assert_eq!(store.path(3), states.map(|s| s.to_vec()));
    }

    #[test]
    fn the_limit_is_kept() {
        let mut store = Store::new(&model(), Some(3 << 20));
        let full = (0..).find_map(|i| store.insert(&[0, i, 0, 0], None).err().map(|_| i)).unwrap();
        assert!(full > 30_000, "{full} states");
        assert!(store.memory() <= 3 << 20);
        assert_eq!(store.find(&[0, 17, 0, 0]), Some(17));
    }
}
