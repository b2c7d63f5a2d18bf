//! The engine for any number of threads: which configurations can be covered.

use burnside_counting::coverability::{Bounds, Coverability, Figures, decide, is_violation};
use burnside_lang::Kind;
use burnside_model::findings::{Ending, Findings, Known, OwnSymmetry, PropertyResult, Witness};
use burnside_model::system::PropertyKind;
use burnside_model::{Events, Progress};

use super::{Engine, Task};
use crate::Failure;

/// Computes minimal configurations backwards from what must not be reached.
pub(crate) struct Threads;

impl Engine for Threads {
    fn name(&self) -> &'static str {
        "coverability"
    }

    fn explores(&self) -> Kind {
        Kind::Threads
    }

    /// A proof and a run are both checked before anyone sees them.
    fn run(&self, task: &Task<'_>, events: &mut dyn Events) -> Result<Option<Findings>, Failure> {
        let Some(threads) = task.threads else { return Ok(None) };
        let bounds = Bounds { deadline: task.limits.deadline(), memory: task.limits.memory };
        let stored = |figures: &Figures| (figures.elements + figures.configurations) as u64;
        let mut told = |figures: &Figures| {
            let unit = Some("minimal elements");
            events.progress(&Progress { unit, states: figures.elements as u64, ..Progress::default() });
        };
        let (decided, figures) = decide(&threads.system, bounds, &mut told);
        let (mut limit, mut reason) = (None, None);
        let known = match decided {
            Coverability::Safe(certificate) => {
                if let Err(flaw) = certificate.check(&threads.system) {
                    return Err(Failure::Internal(format!("the certificate is no proof: {flaw:?}")));
                }
                let elements = certificate.elements.len();
                reason = Some(format!(
                    "safe for any number of threads: {elements} minimal elements, certificate checked"
                ));
                Known::Holds
            }
            Coverability::Unsafe { run, least } => {
                if !is_violation(&run, &threads.system) {
                    return Err(Failure::Internal("a run that was found cannot be executed".to_owned()));
                }
                let number: u32 = run.start.values().sum();
                let fewest = if least { "no fewer do" } else { "fewer were not ruled out" };
                let message = format!("reached with {number} threads at the start ({fewest})");
                let ending = Ending::Threads { run: Box::new(run), message };
                Known::Violated(vec![Witness { path: Vec::new(), ending }])
            }
            Coverability::Unknown(why) => {
                limit = Some(why);
                Known::Unknown
            }
        };
        let property = PropertyResult::new(Some(0), &threads.claim, PropertyKind::Invariant, known);
        Ok(Some(Findings {
            properties: vec![PropertyResult { reason, ..property }],
            states: stored(&figures).into(),
            limit,
            complete: limit.is_none(),
            own: Some(OwnSymmetry {
                reduction: "counting",
                derived: "declared",
                structure: "all permutations of any number of threads".to_owned(),
                order: "unbounded".to_owned(),
                generators: Vec::new(),
                counts: true,
            }),
            ..Findings::default()
        }))
    }
}
