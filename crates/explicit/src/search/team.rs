//! Threads that do one job together, then wait for the next.
//!
//! The leader is the thread that searches; the others are its members. [`Team::begin`] gives all members a job, the
//! leader does its own share, and [`Team::end`] waits until every member is done. A member that panics makes the leader
//! panic; a leader that goes away dismisses the members.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What all threads do at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// Expand states of the level.
    Expand,
    /// Touch the pages of a new table.
    Touch,
    /// Fill a new table.
    Refill,
}

#[derive(Default)]
struct State {
    /// Counts the jobs.
    round: u64,
    job: Option<Job>,
    members: usize,
    /// Members that have not finished the job.
    busy: usize,
    failed: bool,
    dismissed: bool,
}

/// The leader's side and the members' side.
#[derive(Default)]
pub(super) struct Team {
    state: Mutex<State>,
    changed: Condvar,
}

/// Dismisses the members when the leader goes away.
pub(super) struct Dismiss<'t>(pub &'t Team);

impl Drop for Dismiss<'_> {
    fn drop(&mut self) {
        self.0.lock().dismissed = true;
        self.0.changed.notify_all();
    }
}

/// Tells the leader when a member panics.
struct Alarm<'t>(&'t Team);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().failed = true;
            self.0.changed.notify_all();
        }
    }
}

impl Team {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(
        &self,
        state: MutexGuard<'s, State>,
        while_true: impl FnMut(&mut State) -> bool,
    ) -> MutexGuard<'s, State> {
        self.changed.wait_while(state, while_true).unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts one more member, before it starts; gives its number, from one, and the last job it has missed.
    pub fn join(&self) -> (usize, u64) {
        let mut state = self.lock();
        state.members += 1;
        (state.members, state.round)
    }

    /// One member less: it could not start.
    pub fn leave(&self) {
        self.lock().members -= 1;
    }

    pub fn members(&self) -> usize {
        self.lock().members
    }

    /// The life of a member that has missed the jobs up to `round`.
    pub fn serve(&self, mut round: u64, mut work: impl FnMut(Job)) {
        let _alarm = Alarm(self);
        loop {
            let state = self.wait(self.lock(), |state| state.round == round && !state.dismissed);
            let Some(job) = state.job.filter(|_| !state.dismissed) else { return };
            round = state.round;
            drop(state);
            work(job);
            self.lock().busy -= 1;
            self.changed.notify_all();
        }
    }

    /// Gives all members a job.
    pub fn begin(&self, job: Job) {
        let mut state = self.lock();
        state.round += 1;
        state.job = Some(job);
        state.busy = state.members;
        drop(state);
        self.changed.notify_all();
    }

    /// Waits for all members.
    ///
    /// # Panics
    /// If a member did.
    pub fn end(&self) {
        let state = self.wait(self.lock(), |state| state.busy > 0 && !state.failed);
        assert!(!state.failed, "a thread of the search failed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A team of three; the members do this, the leader does that.
    fn team(member: impl Fn(Job) + Sync, leader: impl FnOnce(&Team)) {
        let team = Team::default();
        std::thread::scope(|scope| {
            let _dismiss = Dismiss(&team);
            for _ in 0..2 {
                let (_, round) = team.join();
                let (team, member) = (&team, &member);
                scope.spawn(move || team.serve(round, member));
            }
            leader(&team);
        });
    }

    #[test]
    fn all_do_each_job_once() {
        let done = AtomicUsize::new(0);
        let member = |_| {
            done.fetch_add(1, Ordering::Relaxed);
        };
        team(member, |team| {
            for round in 1..=100 {
                team.begin(Job::Expand);
                team.end();
                assert_eq!(done.load(Ordering::Relaxed), 2 * round);
            }
        });
    }

    #[test]
    fn nobody_waits_for_one_that_failed() {
        let work = |team: &Team| {
            team.begin(Job::Refill);
            team.end();
        };
        assert!(catch_unwind(|| team(|_| panic!("a member fails"), work)).is_err());
        let leader = |_: &Team| panic!("the leader fails");
        assert!(catch_unwind(AssertUnwindSafe(|| team(|_| {}, leader))).is_err());
    }
}
