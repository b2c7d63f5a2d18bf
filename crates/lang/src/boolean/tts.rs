//! Thread transition systems, as BFC reads them.
//!
//! The first line has the numbers of shared and of local states. Every other line is a step: `0 1 -> 2 3` from shared
//! state 0 and local state 1 to 2 and 3, followed by `4 ~> 5` for every broadcast; with `+>` the thread stays in its local
//! state and starts one in local state 3. A line `#init 0|1/2` or `#target 2|3,3` says where it begins and what must not
//! be reached, where the options do not. Other text behind `#` is a comment.

use burnside_model::Span;
use burnside_model::threads::{Population, ThreadStart, ThreadState, ThreadStep, ThreadSystem, ThreadTarget};

use crate::diag::{Diagnostic, codes};
use crate::source::Source;

type Read<T> = Result<T, Box<Diagnostic>>;

fn wrong<T>(span: Span, message: impl Into<String>) -> Read<T> {
    Err(Box::new(Diagnostic::error(codes::UNEXPECTED_TOKEN, span, message)))
}

/// Reads a system. `init` and `target` are what the command line or a file beside says, if it does.
pub fn load(source: &Source, init: Option<&str>, target: Option<&str>) -> Read<ThreadSystem> {
    let mut system = ThreadSystem::default();
    let (mut sizes, mut at) = (None, 0);
    let (mut own_init, mut own_target) = (None, None);
    for line in source.text().split('\n') {
        let begin = at;
        at += line.len() + 1;
        let (code, comment) = line.split_once('#').unwrap_or((line, ""));
        for (word, into) in [("init", &mut own_init), ("target", &mut own_target)] {
            if let Some(text) = comment.trim_start().strip_prefix(word)
                && text.starts_with([' ', '\t'])
            {
                *into = Some(text.trim().to_owned());
            }
        }
        let words = words(code, begin);
        if words.is_empty() {
            continue;
        }
        let Some((shared, locals)) = sizes else {
            let [shared, locals] = words.as_slice() else {
                let (_, span) = words[0];
                return wrong(span, "the numbers of shared and of local states are expected here");
            };
            sizes = Some((number(shared)?, number(locals)?));
            continue;
        };
        let step = step(&words)?;
        for state in [step.shared.0, step.shared.1] {
            if state >= shared {
                return wrong(words[0].1, format!("there is no shared state {state}: there are {shared}"));
            }
        }
        let passive = step.passive.iter().flat_map(|(from, to)| to.iter().chain([from]));
        let mentioned = [step.local.0, step.local.1].into_iter().chain(step.spawned).chain(passive.copied());
        for state in mentioned {
            // Some systems name one more than they say they have.
            if state > locals {
                return wrong(words[0].1, format!("there is no local state {state}: there are {locals}"));
            }
        }
        system.steps.push(step);
    }
    let Some((shared, locals)) = sizes else {
        return wrong(Span::default(), "the file is empty");
    };
    (system.shared, system.locals) = (shared, locals);
    system.start = match init.or(own_init.as_deref()) {
        Some(text) => start(text)?,
        None => ThreadStart { shared: 0, fixed: Population::new(), unbounded: vec![0] },
    };
    system.target = target.or(own_target.as_deref()).map(self::target).transpose()?;
    Ok(system)
}

fn words(line: &str, begin: usize) -> Vec<(&str, Span)> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in line.split_whitespace() {
        let start = line[at..].find(word).map_or(at, |offset| at + offset);
        at = start + word.len();
        found.push((word, Span::new(begin + start, begin + at)));
    }
    found
}

fn number((word, span): &(&str, Span)) -> Read<u32> {
    word.parse().or_else(|_| wrong(*span, format!("a number is expected here, not `{word}`")))
}

fn step(words: &[(&str, Span)]) -> Read<ThreadStep> {
    let [shared, local, arrow, to_shared, to_local, rest @ ..] = words else {
        let end = words.last().map_or(Span::default(), |(_, span)| *span);
        return wrong(words[0].1.to(end), "a step is `shared local -> shared local`");
    };
    let (s, l, t, m) = (number(shared)?, number(local)?, number(to_shared)?, number(to_local)?);
    let mut step = match arrow.0 {
        "->" => ThreadStep { shared: (s, t), local: (l, m), spawned: None, passive: Default::default() },
        "+>" => ThreadStep { shared: (s, t), local: (l, l), spawned: Some(m), passive: Default::default() },
        "~>" => {
            let message = "a step with `~>` between its two sides is not supported";
            return Err(Box::new(Diagnostic::error(codes::NOT_SUPPORTED, arrow.1, message)));
        }
        other => return wrong(arrow.1, format!("`->` or `+>` is expected here, not `{other}`")),
    };
    for broadcast in rest.chunks(3) {
        let [from, arrow, to] = broadcast else {
            return wrong(broadcast[0].1, "a broadcast is `local ~> local`");
        };
        if arrow.0 != "~>" {
            return wrong(arrow.1, format!("`~>` is expected here, not `{}`", arrow.0));
        }
        let to = number(to)?;
        let all = step.passive.entry(number(from)?).or_default();
        if !all.contains(&to) {
            all.push(to);
        }
    }
    Ok(step)
}

fn states(text: &str) -> Read<Vec<ThreadState>> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| number(&(part, Span::default()))).collect()
}

fn counted(states: Vec<ThreadState>) -> Population {
    let mut population = Population::new();
    states.into_iter().for_each(|state| *population.entry(state).or_default() += 1);
    population
}

/// `0|1,2/3`: shared state 0, threads in 1 and 2, and any number in 3. The parts with threads may be missing; `B` and `U`
/// may stand for `|` and `/`.
pub fn start(text: &str) -> Read<ThreadStart> {
    let text = text.trim().replace('B', "|").replace('U', "/");
    let (rest, unbounded) = text.split_once('/').unwrap_or((&text, ""));
    let (shared, fixed) = rest.split_once('|').unwrap_or((rest, ""));
    let shared = number(&(shared.trim(), Span::default()))?;
    Ok(ThreadStart { shared, fixed: counted(states(fixed)?), unbounded: states(unbounded)? })
}

/// `2|3,3`: shared state 2 and at least two threads in local state 3.
pub fn target(text: &str) -> Read<ThreadTarget> {
    let text = text.trim();
    let (shared, locals) = text.split_once('|').unwrap_or((text, ""));
    let shared = number(&(shared.trim(), Span::default()))?;
    Ok(ThreadTarget { shared, locals: counted(states(locals)?) })
}
