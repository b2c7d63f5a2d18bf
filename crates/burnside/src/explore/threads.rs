//! Boolean programs and thread transition systems, with a given number of threads at the start.
//!
//! Threads have no identity, so a state is the shared state and how many threads are in each local state: an orbit
//! already. The program may have any number of threads; a walk begins with some number of them.

use burnside_lang::boolean;
use burnside_model::Deadline;
use burnside_model::threads::{Population, ThreadState, ThreadStep, ThreadSystem, ThreadTarget, covers};

use super::world::{Facts, Move, Orbit, StateId, States, Status, Told, View, World};

/// A shared state, and the threads.
type Configuration = (ThreadState, Population);

/// The most ways to place the threads at the start, and to move them in one broadcast.
const MOST: usize = 1000;

/// A system of threads to walk.
pub(crate) struct Threads<'m> {
    language: &'static str,
    system: &'m ThreadSystem,
    /// What must not be reached, in words.
    claim: &'m str,
    /// How many threads of any number there are at the start.
    count: u32,
    states: States<Configuration>,
    terms: Vec<ThreadTarget>,
}

impl<'m> Threads<'m> {
    /// A system with so many threads at the start.
    pub fn new(language: &'static str, threads: &'m boolean::Threads, count: u32) -> Self {
        let (system, claim) = (&threads.system, threads.claim.as_str());
        Threads { language, system, claim, count, states: States::new(), terms: Vec::new() }
    }

    fn state(&self, number: StateId) -> Told<Configuration> {
        self.states.get(number).cloned().ok_or_else(|| format!("there is no state {number}"))
    }

    fn holds(target: &ThreadTarget, (shared, threads): &Configuration) -> bool {
        target.shared == *shared && covers(threads, &target.locals)
    }
}

/// Takes a thread away; false if there is none.
fn take(threads: &mut Population, local: ThreadState) -> bool {
    let Some(count) = threads.get_mut(&local) else { return false };
    *count -= 1;
    if *count == 0 {
        threads.remove(&local);
    }
    true
}

fn add(threads: &mut Population, local: ThreadState, count: u32) {
    if count > 0 {
        *threads.entry(local).or_default() += count;
    }
}

/// All ways to put so many threads into these places.
fn placed(count: u32, places: &[ThreadState]) -> Vec<Population> {
    match places {
        [] if count == 0 => vec![Population::new()],
        [] => Vec::new(),
        [only] => vec![Population::from([(*only, count)]).into_iter().filter(|(_, n)| *n > 0).collect()],
        [first, rest @ ..] => {
            let mut all = Vec::new();
            for here in (0..=count).rev() {
                for mut others in placed(count - here, rest) {
                    add(&mut others, *first, here);
                    all.push(others);
                    if all.len() >= MOST {
                        return all;
                    }
                }
            }
            all
        }
    }
}

/// What a step makes of the threads: several, where a broadcast leaves a choice.
fn after(step: &ThreadStep, threads: &Population) -> Vec<Population> {
    let mut others = threads.clone();
    if !take(&mut others, step.local.0) {
        return Vec::new();
    }
    let mut all = vec![Population::new()];
    for (local, count) in others {
        let mut next = Vec::new();
        for before in &all {
            for part in placed(count, &step.goes(local)) {
                let mut together = before.clone();
                part.iter().for_each(|(local, count)| add(&mut together, *local, *count));
                next.push(together);
            }
        }
        next.truncate(MOST);
        all = next;
    }
    for threads in &mut all {
        add(threads, step.local.1, 1);
        if let Some(spawned) = step.spawned {
            add(threads, spawned, 1);
        }
    }
    all.sort();
    all.dedup();
    all
}

/// `2|3,3`: a shared state, and local states with a thread in each.
fn target(text: &str) -> Option<ThreadTarget> {
    let (shared, locals) = text.split_once('|').unwrap_or((text, ""));
    let mut population = Population::new();
    for local in locals.split(',').map(str::trim).filter(|local| !local.is_empty()) {
        add(&mut population, local.parse().ok()?, 1);
    }
    Some(ThreadTarget { shared: shared.trim().parse().ok()?, locals: population })
}

impl World for Threads<'_> {
    fn facts(&self) -> Facts {
        Facts {
            language: self.language.to_owned(),
            symmetry: Some(("all permutations of the threads".to_owned(), String::new())),
            example: "1|2,2".to_owned(),
            ..Facts::default()
        }
    }

    fn set_deadline(&mut self, _deadline: Deadline) {}

    fn starts(&mut self) -> Told<Vec<Move>> {
        let start = &self.system.start;
        let count = if start.unbounded.is_empty() { 0 } else { self.count };
        let mut moves = Vec::new();
        for mut threads in placed(count, &start.unbounded) {
            start.fixed.iter().for_each(|(local, count)| add(&mut threads, *local, *count));
            moves.push(Move {
                rule: "start".to_owned(),
                parameters: Vec::new(),
                process: None,
                place: None,
                note: None,
                chance: None,
                to: Ok(self.states.number((start.shared, threads))),
            });
        }
        Ok(moves)
    }

    fn moves(&mut self, state: StateId) -> Told<Vec<Move>> {
        let (shared, threads) = self.state(state)?;
        let mut moves = Vec::new();
        for step in self.system.steps.iter().filter(|step| step.shared.0 == shared) {
            let arrow = if step.spawned.is_some() { "+>" } else { "->" };
            let to = step.spawned.unwrap_or(step.local.1);
            for next in after(step, &threads) {
                moves.push(Move {
                    rule: format!("{shared} {} {arrow} {} {to}", step.local.0, step.shared.1),
                    parameters: Vec::new(),
                    process: Some(format!("a thread in {}", step.local.0)),
                    place: None,
                    note: None,
                    chance: None,
                    to: Ok(self.states.number((step.shared.1, next))),
                });
            }
        }
        Ok(moves)
    }

    fn view(&mut self, state: StateId) -> View {
        let Ok((shared, threads)) = self.state(state) else { return View::default() };
        let values = burnside_report::threads::values(shared, &threads);
        View { values, ..View::default() }
    }

    fn statuses(&mut self, state: StateId) -> Told<Vec<Status>> {
        let configuration = self.state(state)?;
        let status = self.system.target.as_ref().map(|target| Status {
            name: self.claim.to_owned(),
            kind: "invariant",
            holds: Some(!Self::holds(target, &configuration)),
            why: Self::holds(target, &configuration).then(|| "the target is covered here".to_owned()),
            place: None,
        });
        Ok(status.into_iter().collect())
    }

    fn orbit(&mut self, state: StateId) -> Told<Option<Orbit>> {
        // Where threads are only counted, a state stands for itself.
        Ok(Some(Orbit { representative: state, permutation: String::new(), size: None }))
    }

    fn term(&mut self, text: &str) -> Told<usize> {
        let target = target(text).ok_or("a condition is `shared|local,local`, as with `--target`")?;
        self.terms.push(target);
        Ok(self.terms.len() - 1)
    }

    fn value(&mut self, term: usize, state: StateId) -> Told<String> {
        let configuration = self.state(state)?;
        let target = self.terms.get(term).ok_or("there is no such condition")?;
        Ok(Self::holds(target, &configuration).to_string())
    }
}
