//! Zeroed words, and how to ask for them early.
//!
//! A search looks at random places of its memory. With pages of the usual size, nearly each look would cost one in the
//! page table as well, so large pieces ask the system for large pages; where it has none, they are as good as any.

#![allow(unsafe_code)]

use std::ops::Deref;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

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

/// Where pieces of memory of the same size begin that are made one after the other, by any thread, and stay.
pub struct Pieces {
    /// Null for those that are not made yet; the others belong to `owners`.
    starts: Box<[AtomicPtr<AtomicU64>]>,
    owners: Box<[OnceLock<Pages>]>,
    /// Words of a piece.
    words: usize,
}

impl Pieces {
    /// So many pieces of so many words, none of them made.
    pub fn new(pieces: usize, words: usize) -> Self {
        Pieces {
            starts: (0..pieces).map(|_| AtomicPtr::default()).collect(),
            owners: (0..pieces).map(|_| OnceLock::new()).collect(),
            words,
        }
    }

    /// How many there can be.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Some words of a piece that is made.
    #[inline(always)]
    pub fn get(&self, piece: usize, from: usize, count: usize) -> &[AtomicU64] {
        let start = self.starts[piece].load(Ordering::Acquire);
        assert!(!start.is_null() && from + count <= self.words);
        // SAFETY: the piece has that many words, atomic ones, and is not freed while `self` is borrowed.
        unsafe { std::slice::from_raw_parts(start.add(from), count) }
    }

    /// All words of a piece, if it is made.
    pub fn whole(&self, piece: usize) -> Option<&[AtomicU64]> {
        self.owners.get(piece)?.get().map(|pages| &**pages)
    }

    /// Makes a piece, if there is none and there is memory for it. Many a store never gets beyond its first: that one
    /// is not dense.
    pub fn make(&self, piece: usize) {
        let made = self.owners[piece].get_or_init(|| Pages::new(self.words, piece > 0).unwrap_or_default());
        if made.len() == self.words {
            self.starts[piece].store(made.as_ptr().cast_mut(), Ordering::Release);
        }
    }

    /// Gives back all pieces but the first.
    pub fn keep_first(&mut self) {
        for (start, owner) in self.starts.iter_mut().zip(&mut self.owners).skip(1) {
            *start.get_mut() = std::ptr::null_mut();
            if owner.take().is_none() {
                break;
            }
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
