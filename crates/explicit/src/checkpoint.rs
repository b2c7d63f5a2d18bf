//! A search on disk, between two levels.
//!
//! The file is a sequence of 64-bit words, least byte first: what it is and its version; the identity of the model and of
//! all settings on which the result depends; what was counted and found; the levels; the words and the parent of every
//! state; and at last a hash of it all. The table is not in it: it is filled again. The file is written under another
//! name first, so that there is always a whole one.
//!
//! Of a violation only its place is written: what went wrong there is found by running the model once more.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use burnside_model::Span;
use burnside_model::system::{Batch, Batcher};

use crate::search::tally::{Found, Tally};
use crate::store::{Full, Store, hash};
use burnside_model::findings::{Checks, Ending};

/// `BURNSIDE`, as a word.
const MAGIC: u64 = u64::from_le_bytes(*b"BURNSIDE");

/// The version of the format.
const VERSION: u64 = 1;

/// Words that are hashed together.
const BLOCK: usize = 1 << 12;

/// Why a search cannot be resumed.
#[derive(Debug)]
pub enum CheckpointError {
    /// The file cannot be read.
    Unreadable(io::Error),
    /// It is no checkpoint, or not a whole one.
    Damaged,
    /// It was written by a version with another format.
    OtherVersion,
    /// It was written for another model or with other settings.
    OtherSettings,
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Unreadable(error) => write!(f, "{error}"),
            CheckpointError::Damaged => write!(f, "it is not a checkpoint, or not a whole one"),
            CheckpointError::OtherVersion => write!(f, "it was written by another version of Burnside"),
            CheckpointError::OtherSettings => {
                write!(f, "it was written for another model, or with other constants or options")
            }
        }
    }
}

impl std::error::Error for CheckpointError {}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => CheckpointError::Damaged,
            _ => CheckpointError::Unreadable(error),
        }
    }
}

/// What is known when a level is complete, besides its states.
pub(crate) struct Settled {
    pub tally: Tally,
    /// How many violations were found.
    pub found: usize,
    /// How many levels have a beginning.
    pub levels: usize,
}

/// What a checkpoint depends on.
pub(crate) struct Checkpoint<'c> {
    /// A hash of the model and the settings.
    pub identity: u64,
    pub checks: &'c Checks,
}

impl Checkpoint<'_> {
    /// Writes a file, all or nothing.
    pub fn write(&self, path: &Path, store: &Store, settled: &Settled, found: &[Found]) -> io::Result<()> {
        let mut name = path.as_os_str().to_owned();
        name.push(".new");
        let mut out = Out { file: BufWriter::new(File::create(&name)?), block: Vec::new(), sum: 0 };
        let levels = &store.levels()[..settled.levels];
        let states = levels.last().copied().unwrap_or(0);
        for word in [MAGIC, VERSION, self.identity, store.words() as u64, states] {
            out.word(word)?;
        }
        out.list(levels)?;
        let tally = &settled.tally;
        out.word(tally.rules_fired)?;
        out.list(&tally.per_rule)?;
        out.list(&tally.covered)?;
        let full = tally.full_states.unwrap_or(0);
        for word in [u64::from(tally.full_states.is_some()), full as u64, (full >> 64) as u64] {
            out.word(word)?;
        }
        let spans: Vec<_> =
            tally.copies.iter().flat_map(|span| [span.start.into(), span.end.into()]).collect();
        out.list(&spans)?;
        let found = &found[..settled.found];
        out.word(found.len() as u64)?;
        for found in found {
            out.list(&place(found))?;
        }
        let mut words = vec![0; store.words()];
        for state in 0..states {
            store.read(state, &mut words);
            for word in &words {
                out.word(*word)?;
            }
            out.word(store.parent(state).map_or(0, |parent| parent + 1))?;
        }
        out.end()?;
        std::fs::rename(&name, path)
    }

    /// Reads a file into an empty store whose table is to be filled afterwards; `None` if the store is too small.
    pub fn read<B: Batcher>(
        &self,
        path: &Path,
        store: &mut Store,
        batcher: &mut B,
    ) -> Result<Option<(Tally, Vec<Found>)>, CheckpointError> {
        let file = BufReader::new(File::open(path).map_err(CheckpointError::Unreadable)?);
        let mut from = In { file, block: Vec::new(), sum: 0 };
        if from.word()? != MAGIC {
            return Err(CheckpointError::Damaged);
        }
        if from.word()? != VERSION {
            return Err(CheckpointError::OtherVersion);
        }
        if from.word()? != self.identity || from.word()? != store.words() as u64 {
            return Err(CheckpointError::OtherSettings);
        }
        let states = from.word()?;
        store.restore_levels(from.list()?);
        let mut tally = Tally::new(0, 0);
        tally.rules_fired = from.word()?;
        tally.per_rule = from.list()?;
        tally.covered = from.list()?;
        let (known, low, high) = (from.word()?, from.word()?, from.word()?);
        tally.full_states = (known == 1).then_some(u128::from(high) << 64 | u128::from(low));
        let spans = from.list()?;
        tally.copies = spans
            .as_chunks::<2>()
            .0
            .iter()
            .map(|[start, end]| Span { start: *start as u32, end: *end as u32 })
            .collect();
        let places = (0..from.word()?).map(|_| from.list()).collect::<Result<Vec<_>, _>>()?;
        let mut words = vec![0; store.words()];
        for _ in 0..states {
            for word in &mut words {
                *word = from.word()?;
            }
            let parent = from.word()?.checked_sub(1);
            if store.restore(&words, parent) == Err(Full) {
                return Ok(None);
            }
        }
        from.end()?;
        store.restored();
        let found = places.iter().map(|place| self.found_again(place, store, batcher));
        let found = found.collect::<Option<Vec<_>>>().ok_or(CheckpointError::Damaged)?;
        Ok(Some((tally, found)))
    }

    /// A violation from its place.
    fn found_again<B: Batcher>(&self, place: &[u64], store: &Store, batcher: &mut B) -> Option<Found> {
        let [at, late, check, kind, number, args @ ..] = place else { return None };
        let (at, mut words) = (at.checked_sub(1), Vec::new());
        if let Some(at) = at {
            words = vec![0; store.words()];
            store.read(at, &mut words);
        }
        let ending = match *kind {
            0 | 1 => {
                let mut batch = Batch::default();
                let ran = match at {
                    Some(_) => batcher.successors(&words, &mut batch),
                    None => batcher.initial(&mut batch),
                };
                ran.ok()?;
                let args: Vec<_> = args.iter().map(|arg| *arg as i64).collect();
                let fault = batch.faults.into_iter().find(|fault| {
                    (u64::from(fault.rule), &fault.args, u64::from(fault.in_guard)) == (*number, &args, *kind)
                })?;
                let (rule, in_guard) = (fault.rule, fault.in_guard);
                Ending::Fault { fault: fault.fault, rule, args, in_guard }
            }
            2 => {
                let property = *number as usize;
                Ending::PropertyFault { fault: batcher.holds(property, &words).ok()?.err()?, property }
            }
            3 => Ending::Invariant,
            _ => Ending::Deadlock,
        };
        let check = usize::try_from(*check).ok().filter(|check| *check < self.checks.list.len())?;
        Some(Found { at, late: *late == 1, words, check, ending })
    }
}

/// Where a violation is.
fn place(found: &Found) -> Vec<u64> {
    let (kind, number, args) = match &found.ending {
        Ending::Fault { rule, args, in_guard, .. } => {
            (u64::from(*in_guard), u64::from(*rule), args.as_slice())
        }
        Ending::PropertyFault { property, .. } => (2, *property as u64, &[][..]),
        Ending::Invariant => (3, 0, &[][..]),
        // Liveness is decided after the search, formulas elsewhere.
        Ending::Deadlock
        | Ending::NeverAgain { .. }
        | Ending::Temporal(_)
        | Ending::Timed { .. }
        | Ending::Threads { .. } => (4, 0, &[][..]),
    };
    let mut words =
        vec![found.at.map_or(0, |at| at + 1), found.late.into(), found.check as u64, kind, number];
    words.extend(args.iter().map(|arg| *arg as u64));
    words
}

/// A file being written.
struct Out {
    file: BufWriter<File>,
    block: Vec<u64>,
    sum: u64,
}

impl Out {
    fn word(&mut self, word: u64) -> io::Result<()> {
        add(&mut self.block, &mut self.sum, word);
        self.file.write_all(&word.to_le_bytes())
    }

    fn list(&mut self, words: &[u64]) -> io::Result<()> {
        self.word(words.len() as u64)?;
        words.iter().try_for_each(|word| self.word(*word))
    }

    fn end(mut self) -> io::Result<()> {
        let sum = hash(&[self.sum, hash(&self.block)]);
        self.file.write_all(&sum.to_le_bytes())?;
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}

/// A file being read.
struct In {
    file: BufReader<File>,
    block: Vec<u64>,
    sum: u64,
}

impl In {
    fn word(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.file.read_exact(&mut bytes)?;
        let word = u64::from_le_bytes(bytes);
        add(&mut self.block, &mut self.sum, word);
        Ok(word)
    }

    fn list(&mut self) -> io::Result<Vec<u64>> {
        (0..self.word()?).map(|_| self.word()).collect()
    }

    fn end(&mut self) -> Result<(), CheckpointError> {
        let sum = hash(&[self.sum, hash(&self.block)]);
        if self.word()? == sum { Ok(()) } else { Err(CheckpointError::Damaged) }
    }
}

/// Adds a word to the hash of all.
fn add(block: &mut Vec<u64>, sum: &mut u64, word: u64) {
    block.push(word);
    if block.len() == BLOCK {
        *sum = hash(&[*sum, hash(block)]);
        block.clear();
    }
}
