//! Wrong answers, one kind at a time: a comparison that does not notice one of them proves nothing.

use burnside_model::code::Fault;
use burnside_model::system::{Batch, Batcher, SideEffects, TimeUp};
use burnside_model::{Deadline, Span};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// The last step is missing.
    LostSuccessor,
    /// The first two steps come in the other order.
    OtherOrder,
    /// One bit of a state is wrong.
    WrongBit,
    /// A step that changes nothing is not said to.
    LostStutter,
    /// A step that an assumption excludes is forgotten.
    LostDrop,
    /// An error is forgotten.
    LostFault,
    /// An error is at another place.
    WrongSpan,
    /// An error has other words.
    WrongMessage,
    /// An error is not said to be in the guard, or is said to be.
    WrongPlace,
    /// The instance that goes wrong is another.
    WrongArgument,
    /// A property that fails holds.
    LostViolation,
    /// An error in a property is forgotten.
    LostPropertyFault,
    /// Nothing was covered.
    LostCover,
    /// No undefined value was copied.
    LostCopy,
}

/// All of them.
pub const SLIPS: [Slip; 14] = [
    Slip::LostSuccessor,
    Slip::OtherOrder,
    Slip::WrongBit,
    Slip::LostStutter,
    Slip::LostDrop,
    Slip::LostFault,
    Slip::WrongSpan,
    Slip::WrongMessage,
    Slip::WrongPlace,
    Slip::WrongArgument,
    Slip::LostViolation,
    Slip::LostPropertyFault,
    Slip::LostCover,
    Slip::LostCopy,
];

/// A system that makes one kind of slip.
pub struct Slipping<B> {
    pub inner: B,
    pub slip: Slip,
}

impl<B: Batcher> Batcher for Slipping<B> {
    fn words(&self) -> usize {
        self.inner.words()
    }

    fn initial(&mut self, batch: &mut Batch) -> Result<(), TimeUp> {
        self.inner.initial(batch)
    }

    fn successors(&mut self, state: &[u64], batch: &mut Batch) -> Result<(), TimeUp> {
        self.inner.successors(state, batch)?;
        let words = self.words();
        let steps = batch.rules.len();
        match (self.slip, batch.faults.last_mut()) {
            (Slip::LostSuccessor, _) if steps > 0 => {
                batch.states.truncate((steps - 1) * words);
                batch.rules.truncate(steps - 1);
                batch.stutters.truncate(steps - 1);
            }
            (Slip::OtherOrder, _) if steps > 1 => {
                let (first, second) = batch.states.split_at_mut(words);
                first.swap_with_slice(&mut second[..words]);
                batch.rules.swap(0, 1);
                batch.stutters.swap(0, 1);
            }
            (Slip::WrongBit, _) => {
                if let Some(word) = batch.states.last_mut() {
                    *word ^= 1;
                }
            }
            (Slip::LostStutter, _) => batch.stutters.fill(false),
            (Slip::LostDrop, _) => batch.dropped.clear(),
            (Slip::LostFault, _) => drop(batch.faults.pop()),
            (Slip::WrongSpan, Some(last)) => last.fault.span = Span::default(),
            (Slip::WrongMessage, Some(last)) => last.fault.message.push('!'),
            (Slip::WrongPlace, Some(last)) => last.in_guard = !last.in_guard,
            (Slip::WrongArgument, Some(last)) => last.args.iter_mut().for_each(|arg| *arg = 0),
            _ => {}
        }
        Ok(())
    }

    fn holds(&mut self, property: usize, state: &[u64]) -> Result<Result<u64, Fault>, TimeUp> {
        let held = self.inner.holds(property, state)?;
        Ok(match (self.slip, held) {
            (Slip::LostViolation, Ok(0)) | (Slip::LostPropertyFault, Err(_)) => Ok(1),
            (_, held) => held,
        })
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.inner.set_deadline(deadline);
    }

    fn side_effects(&mut self) -> SideEffects {
        let mut effects = self.inner.side_effects();
        match self.slip {
            Slip::LostCover => effects.covered.fill(0),
            Slip::LostCopy => effects.undefined_copies.clear(),
            _ => {}
        }
        effects
    }
}
