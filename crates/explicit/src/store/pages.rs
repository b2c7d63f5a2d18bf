//! Zeroed words, and how to ask for them early.
//!
//! A search looks at random places of its memory. With pages of the usual size, nearly each look would cost one in the
//! page table as well, so large pieces ask the system for large pages; where it has none, they are as good as any.

#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use memmap2::MmapMut;

/// Bytes of a large page; less than that is taken from the heap.
const LARGE: usize = 2 << 20;

/// Zeroed words that stay where they are.
pub struct Pages {
    /// What `_owner` owns; never given out for longer than a borrow of `self`.
    words: &'static [AtomicU64],
    _owner: Owner,
}

enum Owner {
    Heap { _words: Box<[u64]> },
    Mapped { _map: MmapMut },
}

impl Pages {
    /// So many words; `None` if there is no memory for them. Those of a large piece are not touched yet; `dense` says that
    /// most of them will be.
    pub fn new(words: usize, dense: bool) -> Option<Self> {
        let bytes = words.checked_mul(8)?;
        if bytes < LARGE {
            let mut made: Vec<u64> = Vec::new();
            made.try_reserve_exact(words).ok()?;
            made.resize(words, 0);
            let mut made = made.into_boxed_slice();
            let start = made.as_mut_ptr().cast();
            // SAFETY: as below.
            let words = unsafe { std::slice::from_raw_parts(start, words) };
            return Some(Pages { words, _owner: Owner::Heap { _words: made } });
        }
        let mut map = MmapMut::map_anon(bytes).ok()?;
        #[cfg(target_os = "linux")]
        if dense {
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        let start = map.as_mut_ptr().cast();
        // SAFETY: that memory is as long, aligned to pages, zeroed, lives as long as the owner and is used through this
        // slice only, in which atomic words have the layout of plain ones.
        let words = unsafe { std::slice::from_raw_parts(start, words) };
        Some(Pages { words, _owner: Owner::Mapped { _map: map } })
    }
}

/// Pieces of memory of the same size that are made one after the other, by any thread, and stay.
pub struct Pieces {
    /// Where they begin, as addresses; 0 for those that are not made yet. There may be very many, so what is not used of
    /// this is not touched.
    starts: Pages,
    owners: Mutex<BTreeMap<usize, Pages>>,
    /// Words of a piece.
    words: usize,
}

impl Pieces {
    /// So many pieces of so many words, none of them made.
    pub fn new(pieces: usize, words: usize) -> Self {
        Pieces { starts: Pages::new(pieces, false).unwrap_or_default(), owners: Mutex::default(), words }
    }

    /// How many there can be.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Some words of a piece that is made.
    #[inline(always)]
    pub fn get(&self, piece: usize, from: usize, count: usize) -> &[AtomicU64] {
        let start = self.start(piece);
        assert!(!start.is_null() && from + count <= self.words);
        // SAFETY: the piece has that many words, atomic ones, and is not freed while `self` is borrowed.
        unsafe { std::slice::from_raw_parts(start.add(from), count) }
    }

    #[inline(always)]
    fn start(&self, piece: usize) -> *const AtomicU64 {
        std::ptr::with_exposed_provenance(self.starts[piece].load(Ordering::Acquire) as usize)
    }

    /// All words of a piece, if it is made.
    pub fn whole(&self, piece: usize) -> Option<&[AtomicU64]> {
        (piece < self.len() && !self.start(piece).is_null()).then(|| self.get(piece, 0, self.words))
    }

    /// Makes a piece, if there is none and there is memory for it. Many a store never gets beyond its first: that one
    /// is not dense.
    pub fn make(&self, piece: usize) {
        if !self.start(piece).is_null() {
            return;
        }
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Vacant(vacant) = owners.entry(piece)
            && let Some(made) = Pages::new(self.words, piece > 0)
        {
            let start = vacant.insert(made).as_ptr().expose_provenance();
            self.starts[piece].store(start as u64, Ordering::Release);
        }
    }

    /// Gives back all pieces but the first.
    pub fn keep_first(&mut self) {
        let owners = self.owners.get_mut().unwrap_or_else(PoisonError::into_inner);
        for piece in owners.split_off(&1).into_keys() {
            self.starts[piece].store(0, Ordering::Relaxed);
        }
    }
}

impl Default for Pages {
    fn default() -> Self {
        Pages { words: &[], _owner: Owner::Heap { _words: Box::default() } }
    }
}

impl Deref for Pages {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        self.words
    }
}

/// Asks for a word that will be needed soon.
#[inline]
pub fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint; it has no effect that a program could see.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{0}]", in(reg) word, options(nostack, readonly, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = word;
}
