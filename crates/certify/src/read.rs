//! Certificates from text.

use std::fmt;

use burnside_model::DeadlockMode;
use burnside_model::code::{Cell, UNDEFINED, Undefined};

use crate::format::{Certificate, Claim, Domain, Entry, FIRST_LINE, Generator, Images, Move, Values};

/// Why a text is no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from one.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads a certificate. That it is damaged is noticed here.
pub fn read(text: &str) -> Result<Certificate, ReadError> {
    let mut certificate = Certificate {
        model: 0,
        constants: Vec::new(),
        undefined: Undefined::Copy,
        loop_limit: 0,
        deadlock: DeadlockMode::default(),
        domains: Vec::new(),
        generators: Vec::new(),
        claims: Vec::new(),
        starts: Vec::new(),
        states: Vec::new(),
    };
    let (mut at, mut ended, mut lines) = (0, false, 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let error = |message: &str| ReadError { line: number + 1, message: message.to_owned() };
        lines = number + 1;
        let content = line.trim_end_matches('\n');
        if ended {
            return Err(error("there is something after the end"));
        }
        if number == 0 {
            if content != FIRST_LINE {
                return Err(error("this is no certificate"));
            }
        } else if let Some(hash) = content.strip_prefix("end ") {
            if u64::from_str_radix(hash, 16) != Ok(crate::hash(&text[..at])) {
                return Err(error("the certificate is damaged: its hash is another one"));
            }
            ended = true;
        } else {
            let understood = item(&mut certificate, content);
            understood.ok_or_else(|| error(&format!("`{}` is not understood", shortened(content))))?;
        }
        at += line.len();
    }
    if !ended {
        return Err(ReadError { line: lines, message: "the certificate has no end".to_owned() });
    }
    Ok(certificate)
}

fn shortened(line: &str) -> String {
    line.chars().take(60).collect()
}

fn item(certificate: &mut Certificate, line: &str) -> Option<()> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "model" => certificate.model = u64::from_str_radix(rest, 16).ok()?,
        "constant" => {
            let (name, value) = rest.split_once(' ')?;
            certificate.constants.push((name.to_owned(), value.to_owned()));
        }
        "undefined" => {
            certificate.undefined = Undefined::ALL.into_iter().find(|undefined| undefined.name() == rest)?
        }
        "loop-limit" => certificate.loop_limit = rest.parse().ok()?,
        "deadlock" => {
            certificate.deadlock = match rest {
                "off" => DeadlockMode::Off,
                "stuck" => DeadlockMode::Stuck,
                "stuttering" => DeadlockMode::Stuttering,
                _ => return None,
            }
        }
        "domain" => certificate.domains.push(domain(rest)?),
        "generator" => {
            let (permutation, why) = rest.split_once(' ').unwrap_or((rest, ""));
            certificate.generators.push(Generator { images: images(permutation)?, why: why.to_owned() });
        }
        "claim" => certificate.claims.push(match rest.split_once(' ') {
            Some(("property", position)) => Claim::Property(position.parse().ok()?),
            None if rest == "no-error" => Claim::NoError,
            None if rest == "no-deadlock" => Claim::NoDeadlock,
            _ => return None,
        }),
        "start" => certificate.starts.extend(moves(rest)?),
        "state" => {
            let cells: Option<Vec<Cell>> = rest.split_ascii_whitespace().map(cell).collect();
            certificate.states.push(Entry { cells: cells?, moves: None });
        }
        "next" => {
            let last = certificate.states.last_mut().filter(|entry| entry.moves.is_none())?;
            last.moves = Some(moves(rest)?);
        }
        _ => return None,
    }
    Some(())
}

fn domain(text: &str) -> Option<Domain> {
    let (kind, rest) = text.split_once(' ')?;
    let (first, rest) = rest.split_once(' ')?;
    match kind {
        "declared" => Some(Domain { values: Values::Declared(first.parse().ok()?), name: rest.to_owned() }),
        "attached" => {
            let (types, name) = rest.split_once(' ')?;
            let types: Option<Vec<_>> = types
                .split(',')
                .map(|ty| {
                    let (ty, first) = ty.split_once('@')?;
                    Some((ty.parse().ok()?, first.parse().ok()?))
                })
                .collect();
            Some(Domain { values: Values::Attached(numbers(first)?, types?), name: name.to_owned() })
        }
        _ => None,
    }
}

fn cell(text: &str) -> Option<Cell> {
    if text == "_" { Some(UNDEFINED) } else { text.parse().ok().filter(|value| *value != UNDEFINED) }
}

fn moves(text: &str) -> Option<Vec<Move>> {
    let step = |text: &str| match text.split_once(':') {
        Some((to, permutation)) => Some(Move { to: to.parse().ok()?, images: Some(images(permutation)?) }),
        None => Some(Move { to: text.parse().ok()?, images: None }),
    };
    text.split_ascii_whitespace().map(step).collect()
}

fn images(text: &str) -> Option<Images> {
    text.split('/').map(numbers).collect()
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split(',').map(|number| number.parse().ok()).collect()
}
