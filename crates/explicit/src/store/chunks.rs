//! Memory that grows without moving: items of a few words each, in chunks.
//!
//! All chunks have the size that the memory limit makes sensible. The directory of chunks has its final size from the
//! beginning; a chunk is made by the first thread that needs it. So several threads write and read without locks, and an
//! item stays where it is.

use std::sync::atomic::{AtomicU64, Ordering};

use super::pages::{Pieces, prefetch};

/// The most bytes of one chunk: two large pages. What is not touched of them takes no memory.
const CHUNK_BYTES: u64 = 4 << 20;

/// How much memory an unlimited store is prepared for.
const UNLIMITED: u64 = 1 << 40;

/// Items in chunks.
pub struct Chunks {
    directory: Pieces,
    /// Words per item.
    width: usize,
    /// Binary logarithm of the items in a chunk.
    items: u32,
}

impl Chunks {
    /// No items, but room for as many as fit into `limit` bytes.
    pub fn new(width: usize, limit: Option<u64>) -> Self {
        let bytes = 8 * width.max(1) as u64;
        let limit = limit.unwrap_or(UNLIMITED).min(UNLIMITED);
        let items = ((limit / 64).clamp(1 << 12, CHUNK_BYTES) / bytes).max(1).ilog2();
        let pieces = (limit / (bytes << items) + 1) as usize;
        Chunks { directory: Pieces::new(pieces, width << items), width, items }
    }

    /// The chunk of an item, and its number there.
    #[inline]
    fn locate(&self, item: u64) -> (usize, usize) {
        ((item >> self.items) as usize, (item & ((1 << self.items) - 1)) as usize)
    }

    /// The words of an item for which there is room.
    #[inline(always)]
    pub fn get(&self, item: u64) -> &[AtomicU64] {
        let (chunk, at) = self.locate(item);
        self.directory.get(chunk, at * self.width, self.width)
    }

    /// The items before `to`, in pieces.
    pub fn pieces(&self, to: u64) -> impl Iterator<Item = &[AtomicU64]> {
        let words = self.width << self.items;
        let mut left = to as usize * self.width;
        (0..).map_while(move |chunk| {
            let piece = self.directory.whole(chunk).filter(|_| left > 0)?;
            let taken = left.min(words);
            left -= taken;
            Some(&piece[..taken])
        })
    }

    /// Asks for an item that will be needed soon.
    #[inline(always)]
    pub fn ask(&self, item: u64) {
        if let [first, .., last] | [first @ last] = self.get(item) {
            prefetch(first);
            prefetch(last);
        }
    }

    /// Makes room for the items from `from` to before `to`.
    pub fn prepare(&self, from: u64, to: u64) {
        if from < to {
            for chunk in self.locate(from).0..=self.locate(to - 1).0 {
                self.directory.make(chunk);
            }
        }
    }

    #[inline(always)]
    pub fn write(&self, item: u64, words: &[u64]) {
        for (to, from) in self.get(item).iter().zip(words) {
            to.store(*from, Ordering::Relaxed);
        }
    }

    #[inline]
    pub fn read(&self, item: u64, words: &mut [u64]) {
        for (to, from) in words.iter_mut().zip(self.get(item)) {
            *to = from.load(Ordering::Relaxed);
        }
    }

    /// Whether an item consists of these words.
    #[inline(always)]
    pub fn equals(&self, item: u64, words: &[u64]) -> bool {
        self.get(item).iter().zip(words).all(|(a, b)| a.load(Ordering::Relaxed) == *b)
    }

    /// How many items there can be.
    pub fn capacity(&self) -> u64 {
        (self.directory.len() as u64) << self.items
    }

    /// Bytes of the chunks for this many items.
    pub fn bytes(&self, items: u64) -> u64 {
        (items.div_ceil(1 << self.items) << self.items) * 8 * self.width as u64
    }

    /// Forgets all items, but keeps the first chunk for others.
    pub fn clear(&mut self) {
        self.directory.keep_first();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_where_they_were_put() {
        for (width, limit) in [(1, None), (3, Some(1 << 16)), (700, Some(1 << 20)), (1, Some(1 << 18))] {
            let mut chunks = Chunks::new(width, limit);
            let count = 20_000.min(chunks.capacity());
            for item in 0..count {
                chunks.prepare(item, item + 1);
                chunks.write(item, &vec![item; width]);
            }
            let mut words = vec![0; width];
            for item in 0..count {
                chunks.read(item, &mut words);
                assert_eq!(words, vec![item; width]);
            }
            let allocated = |chunks: &Chunks| {
                let made = (0..chunks.directory.len()).filter_map(|chunk| chunks.directory.whole(chunk));
                made.map(|words| words.len() as u64 * 8).sum::<u64>()
            };
            assert_eq!(chunks.bytes(count), allocated(&chunks));
            chunks.clear();
            assert_eq!(chunks.bytes(1), allocated(&chunks));
        }
    }
}
