//! Steps of single elements that change nothing else, applied at once as often as possible.

use std::sync::Arc;

use super::{Closed, Found, Reach, Star, Steady, names, population};
use crate::diagram::{Map, Set};
use crate::population::Population;

impl Reach<'_> {
    /// The local states that an element gets to while the globals stay as they are, its own among them.
    pub(super) fn star(&mut self, globals: u32, local: u32) -> Found<Arc<Star>> {
        if let Some(star) = self.stars.get(&(globals, local)) {
            return Ok(Arc::clone(star));
        }
        let (mut star, mut next) = (vec![local], 0);
        while let Some(local) = star.get(next).copied() {
            next += 1;
            for rule in 0..self.rules.len() {
                if !self.rules[rule].is_local() {
                    continue;
                }
                let effects = self.execute(rule, Population { globals, counts: vec![(local, 1)] })?;
                for effect in &effects.steps {
                    if let (Some(after), [(_, to)]) = (effect.globals, &effect.named[..])
                        && after == globals
                        && !star.contains(to)
                    {
                        star.push(*to);
                    }
                }
            }
        }
        star.sort_unstable();
        let star = Arc::new(star);
        self.stars.insert((globals, local), Arc::clone(&star));
        Ok(star)
    }

    /// The star of a local state, each value with whether its own star has all greater ones.
    pub(super) fn closed(&mut self, globals: u32, local: u32) -> Found<Arc<Closed>> {
        if let Some(closed) = self.closed.get(&(globals, local)) {
            return Ok(Arc::clone(closed));
        }
        let star = self.star(globals, local)?;
        let mut closed = Closed::with_capacity(star.len());
        for (i, value) in star.iter().enumerate() {
            let own = self.star(globals, *value)?;
            closed.push((*value, star[i + 1..].iter().all(|other| own.binary_search(other).is_ok())));
        }
        let closed = Arc::new(closed);
        self.closed.insert((globals, local), Arc::clone(&closed));
        Ok(closed)
    }

    /// What is reached by rules that are applied at once: every element on its own.
    pub(super) fn closure(&mut self, globals: u32, set: Set) -> Found<Set> {
        let Some((value, down, right)) = self.diagrams.open(set) else { return Ok(set) };
        if let Some(closure) = self.closures.get(&(globals, set)) {
            return Ok(*closure);
        }
        let rest = self.closure(globals, right)?;
        let down = self.closure(globals, down)?;
        let star = self.closed(globals, value)?;
        let moved = self.diagrams.insert_any(&star, down, &mut Map::default())?;
        let closure = self.diagrams.union(rest, moved)?;
        self.closures.insert((globals, set), closure);
        Ok(closure)
    }

    /// The same, also by rules that see others but neither change what they look like nor the globals.
    pub(super) fn saturate(&mut self, globals: u32, set: Set) -> Found<Set> {
        let mut set = self.closure(globals, set)?;
        loop {
            let before = set;
            for rule in 0..self.rules.len() {
                if !self.rules[rule].is_steady() {
                    continue;
                }
                for (looks, part) in self.sort(rule, globals, set)?.iter() {
                    let (done, stars, closed) = (Map::default(), Map::default(), Map::default());
                    let mut steady = Steady { rule, globals, looks, done, stars, closed };
                    let more = self.steady(&mut steady, *part)?;
                    set = self.diagrams.union(set, more)?;
                }
            }
            if set == before {
                return Ok(set);
            }
            set = self.closure(globals, set)?;
        }
    }

    /// What is reached from states with these looks by one rule alone, while the looks stay as they are.
    pub(super) fn steady(&mut self, steady: &mut Steady<'_>, set: Set) -> Found<Set> {
        let Some((value, down, right)) = self.diagrams.open(set) else { return Ok(set) };
        if let Some(closure) = steady.done.get(&set) {
            return Ok(*closure);
        }
        let rest = self.steady(steady, right)?;
        let down = self.steady(steady, down)?;
        let star = self.steady_closed(steady, value)?;
        let moved = self.diagrams.insert_any(&star, down, &mut Map::default())?;
        let closure = self.diagrams.union(rest, moved)?;
        steady.done.insert(set, closure);
        Ok(closure)
    }

    /// Where an element gets to by one rule alone, while the looks stay as they are; its own local state among them.
    pub(super) fn steady_star(&mut self, steady: &mut Steady<'_>, local: u32) -> Found<Arc<Star>> {
        if let Some(star) = steady.stars.get(&local) {
            return Ok(Arc::clone(star));
        }
        let Steady { rule, globals, looks, .. } = *steady;
        let look = self.rules[rule].view.look(self.counting, globals, local);
        let mut others = looks.clone();
        if let Some(at) = others.iter().position(|(other, _)| *other == look) {
            others[at].1 -= 1;
        }
        let (mut star, mut next) = (vec![local], 0);
        while let Some(local) = star.get(next).copied() {
            next += 1;
            let effects = self.execute(rule, population(globals, &[local], &others))?;
            for effect in effects.steps.iter().filter(|effect| names(effect, &[local])) {
                let to = effect.named[0].1;
                if effect.globals == Some(globals)
                    && !star.contains(&to)
                    && self.rules[rule].view.look(self.counting, globals, to) == look
                {
                    star.push(to);
                }
            }
        }
        star.sort_unstable();
        let star = Arc::new(star);
        steady.stars.insert(local, Arc::clone(&star));
        Ok(star)
    }

    /// As [`Self::closed`].
    pub(super) fn steady_closed(&mut self, steady: &mut Steady<'_>, local: u32) -> Found<Arc<Closed>> {
        if let Some(closed) = steady.closed.get(&local) {
            return Ok(Arc::clone(closed));
        }
        let star = self.steady_star(steady, local)?;
        let mut closed = Closed::with_capacity(star.len());
        for (i, value) in star.iter().enumerate() {
            let own = self.steady_star(steady, *value)?;
            closed.push((*value, star[i + 1..].iter().all(|other| own.binary_search(other).is_ok())));
        }
        let closed = Arc::new(closed);
        steady.closed.insert(local, Arc::clone(&closed));
        Ok(closed)
    }
}
