//! Zeroed words, and how to ask for them early.
//!
//! A search looks at random places of its memory. With pages of the usual size, nearly each look would cost one in the
//! page table as well, so large pieces ask the system for large pages; where it has none, they are as good as any.

#![allow(unsafe_code)]

use std::ops::Deref;
use std::sync::atomic::AtomicU64;

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
