//! Other threads that compute successors ahead of a search which takes states in the order in which they came.
//!
//! The search itself stays as it is: it looks at one state after the other, compares what they lead to with what is stored,
//! and stores it. Only the successors, which depend on nothing but the state, are computed before by whoever has time,
//! the searching thread included. So the stored states, their order, the runs and the counts are the same for every number
//! of threads. What was computed for a state that is superseded meanwhile is not used.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use burnside_model::Deadline;

use crate::batch::Batch;
use crate::moves::Moves;
use crate::places::Layout;

/// How many states are given away together: few at first, and then twice as many each time, up to this.
const TOGETHER: usize = 256;

/// How many such parts may be under way.
const PARTS: usize = 8;

/// What the threads share.
#[derive(Default)]
struct Shared {
    todo: Mutex<Todo>,
    /// Something is to be done, or it is over.
    more: Condvar,
    done: Mutex<HashMap<u64, Batch>>,
    /// Something is done.
    finished: Condvar,
    /// A thread has panicked.
    lost: AtomicBool,
}

#[derive(Default)]
struct Todo {
    parts: VecDeque<(u64, Batch)>,
    over: bool,
}

/// Threads go on after one of them has panicked; that one is reported when all are joined.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the searching thread knows of the others.
pub(crate) struct Ahead {
    shared: Arc<Shared>,
    /// How discrete states are packed.
    layout: Layout,
    /// The states that are not given away yet.
    gathered: Batch,
    /// The numbers of the parts under way, in order.
    under_way: VecDeque<u64>,
    /// The next number.
    next: u64,
    /// The first part under way, once its successors are computed.
    ready: Option<Batch>,
    /// Memory for the next ones.
    spare: Vec<Batch>,
    /// How many of the waiting states were given away.
    given: usize,
}

impl Drop for Ahead {
    fn drop(&mut self) {
        locked(&self.shared.todo).over = true;
        self.shared.more.notify_all();
    }
}

/// Another thread's side.
pub(crate) struct Helper(Arc<Shared>, Layout);

/// If a thread panics, nobody waits for it.
impl Drop for Helper {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // With the lock, so that who is about to wait sees it.
            let done = locked(&self.0.done);
            self.0.lost.store(true, Ordering::Relaxed);
            drop(done);
            self.0.finished.notify_all();
        }
    }
}

impl Helper {
    /// Computes successors until it is over.
    pub(crate) fn work(&self, moves: &mut Moves, deadline: Deadline) {
        loop {
            let mut todo = locked(&self.0.todo);
            let (number, mut batch) = loop {
                if todo.over {
                    return;
                }
                match todo.parts.pop_front() {
                    Some(part) => break part,
                    None => todo = self.0.more.wait(todo).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(todo);
            batch.compute(moves, &self.1, deadline);
            locked(&self.0.done).insert(number, batch);
            self.0.finished.notify_all();
        }
    }
}

impl Ahead {
    /// Nobody helps yet.
    pub(crate) fn new(layout: &Layout) -> Ahead {
        Ahead {
            shared: Arc::default(),
            layout: layout.clone(),
            gathered: Batch::default(),
            under_way: VecDeque::new(),
            next: 0,
            ready: None,
            spare: Vec::new(),
            given: 0,
        }
    }

    /// A side for another thread.
    pub(crate) fn helper(&self) -> Helper {
        Helper(self.shared.clone(), self.layout.clone())
    }

    /// If more waiting states may be given away: how many were.
    pub(crate) fn wants(&self) -> Option<usize> {
        (self.under_way.len() < PARTS).then_some(self.given)
    }

    /// The next of the waiting states is passed over.
    pub(crate) fn pass(&mut self) {
        self.given += 1;
    }

    /// Gives away the next of the waiting states.
    pub(crate) fn give(&mut self, (node, discrete): (u32, u32), key: &[u8], zone: &[u8]) {
        self.given += 1;
        self.gathered.add(node, discrete, key, zone);
        if self.gathered.len() < TOGETHER.min(2 << self.next.min(8)) {
            return;
        }
        let next = self.spare.pop().unwrap_or_default();
        let batch = std::mem::replace(&mut self.gathered, next);
        self.under_way.push_back(self.next);
        locked(&self.shared.todo).parts.push_back((self.next, batch));
        self.next += 1;
        self.shared.more.notify_one();
    }

    /// The first of the waiting states is taken.
    pub(crate) fn taken(&mut self) {
        self.given = self.given.saturating_sub(1);
    }

    /// The part that has a state with its successors, if it was given away; it is waited for, and other parts are computed
    /// meanwhile.
    pub(crate) fn batch_of(&mut self, node: u32, moves: &mut Moves, deadline: Deadline) -> Option<&Batch> {
        if self.gathered.has(node) {
            // Too few to give away: all that were given before are dealt with.
            self.gathered.clear();
            return None;
        }
        while let Some(number) = self.under_way.front().copied() {
            if self.ready.is_none() {
                self.ready = Some(self.wait_for(number, moves, deadline));
            }
            if self.ready.as_ref().is_some_and(|batch| batch.last() >= node) {
                break;
            }
            // The rest of it was superseded.
            self.under_way.pop_front();
            self.spare.extend(self.ready.take().map(Batch::cleared));
        }
        self.ready.as_ref().filter(|batch| batch.has(node))
    }

    fn wait_for(&mut self, number: u64, moves: &mut Moves, deadline: Deadline) -> Batch {
        loop {
            if let Some(batch) = locked(&self.shared.done).remove(&number) {
                return batch;
            }
            let part = locked(&self.shared.todo).parts.pop_front();
            match part {
                Some((mine, mut batch)) => {
                    batch.compute(moves, &self.layout, deadline);
                    if mine == number {
                        return batch;
                    }
                    locked(&self.shared.done).insert(mine, batch);
                }
                None => {
                    let mut done = locked(&self.shared.done);
                    while !done.contains_key(&number) {
                        assert!(!self.shared.lost.load(Ordering::Relaxed), "another thread has panicked");
                        done = self.shared.finished.wait(done).unwrap_or_else(PoisonError::into_inner);
                    }
                }
            }
        }
    }
}
