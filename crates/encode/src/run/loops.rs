//! Loops over values: all of a type's, or those between two numbers.

use burnside_model::code::{FaultKind, Frame, Loop, LoopRange};

use super::{Run, Runner};
use crate::algebra::Algebra;
use crate::number::Number;

/// What is done for each value of a loop's variable, which is set, in the states where it takes that value.
type Each<'e, 'r, 'm, A> = dyn FnMut(&mut Runner<'r, 'm, A>, &<A as Algebra>::F) -> Run<(), A> + 'e;

impl<'r, 'm, A: Algebra> Runner<'r, 'm, A> {
    /// Does something for all values of a loop's variable, in order.
    pub fn iterate(
        &mut self,
        frame: &'m Frame,
        each: &'m Loop,
        body: &mut Each<'_, 'r, 'm, A>,
    ) -> Run<(), A> {
        let always = self.alg.constant(true);
        match &each.range {
            LoopRange::Type(ty) => {
                let (lo, hi) = self.types().bounds(*ty);
                for value in lo..=hi {
                    self.tick(each.span)?;
                    self.set_constant(frame, each.local, value);
                    body(self, &always)?;
                }
                Ok(())
            }
            LoopRange::Span(from, to, by) => {
                let (from, to) = (self.eval(frame, from)?, self.eval(frame, to)?);
                let by = match by {
                    Some(by) => self.eval(frame, by)?,
                    None => Number::constant(self.alg, 1),
                };
                if matches!(each.range, LoopRange::Span(_, _, None)) {
                    return self.upwards(frame, each, &from, &to, body);
                }
                let zero = by.is(self.alg, 0)?;
                self.fail_if(&zero, FaultKind::Loop, each.span)?;
                self.stepwise(frame, each, &from, &to, &by, body)
            }
        }
    }

    /// From one number up to another, one by one.
    fn upwards(
        &mut self,
        frame: &'m Frame,
        each: &'m Loop,
        from: &Number<A>,
        to: &Number<A>,
        body: &mut Each<'_, 'r, 'm, A>,
    ) -> Run<(), A> {
        for value in from.lo..=to.hi {
            self.tick(each.span)?;
            let at = Number::constant(self.alg, value);
            let (below, above) = (at.less(self.alg, from)?, to.less(self.alg, &at)?);
            let outside = self.alg.or(&below, &above)?;
            let inside = self.alg.not(&outside)?;
            self.only_if(&inside, |s| {
                s.set_constant(frame, each.local, value as i64);
                body(s, &inside)
            })?;
        }
        Ok(())
    }

    /// From one number to another in steps: for each first number and each step that there may be.
    fn stepwise(
        &mut self,
        frame: &'m Frame,
        each: &'m Loop,
        from: &Number<A>,
        to: &Number<A>,
        by: &Number<A>,
        body: &mut Each<'_, 'r, 'm, A>,
    ) -> Run<(), A> {
        for step in by.lo..=by.hi {
            for first in from.lo..=from.hi {
                self.tick(each.span)?;
                let (a, b) = (by.is(self.alg, step)?, from.is(self.alg, first)?);
                let these = self.alg.and(&a, &b)?;
                if step != 0 {
                    self.only_if(&these, |s| s.steps(frame, each, (first, step, &these), to, body))?;
                }
            }
        }
        Ok(())
    }

    /// From a known first number in known steps, in the states given with them.
    fn steps(
        &mut self,
        frame: &'m Frame,
        each: &'m Loop,
        (first, step, these): (i128, i128, &A::F),
        to: &Number<A>,
        body: &mut Each<'_, 'r, 'm, A>,
    ) -> Run<(), A> {
        let start = Number::constant(self.alg, first);
        let away = if step > 0 { to.less(self.alg, &start)? } else { start.less(self.alg, to)? };
        self.fail_if(&away, FaultKind::Loop, each.span)?;
        let mut value = first;
        while if step > 0 { value <= to.hi } else { value >= to.lo } {
            self.tick(each.span)?;
            let at = Number::constant(self.alg, value);
            let past = if step > 0 { to.less(self.alg, &at)? } else { at.less(self.alg, to)? };
            let inside = self.alg.not(&past)?;
            let here = self.alg.and(&inside, these)?;
            self.only_if(&inside, |s| {
                s.set_constant(frame, each.local, value as i64);
                body(s, &here)
            })?;
            value += step;
        }
        Ok(())
    }
}
