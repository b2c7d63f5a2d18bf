//! A model that could not be checked, because of itself or of the options: the same formats say why.

use serde::Serialize;
use serde_json::json;

use crate::{Place, Report, Warning};

/// What became of a model.
#[derive(Clone, Copy, Debug)]
pub enum Checked<'r> {
    /// It was checked.
    Report(&'r Report),
    /// It could not be.
    Rejected(&'r Rejected),
}

/// A model that could not be checked.
#[derive(Clone, Debug, Default)]
pub struct Rejected {
    /// Its file name.
    pub model: String,
    /// What is wrong in it; warnings are among them.
    pub diagnostics: Vec<Warning>,
    /// Why it is rejected, if that is not a mistake in it.
    pub reason: Option<String>,
}

impl Rejected {
    /// The first reason, in a line.
    #[must_use]
    pub fn first(&self) -> String {
        let error = self.diagnostics.iter().find(|d| is_error(d));
        let first = error.map(|error| format!("{}: {}", error.code, error.message));
        first.or_else(|| self.reason.clone()).unwrap_or_else(|| "the model cannot be read".to_owned())
    }

    /// All of it as JSON text that ends with a line break; `docs/schemas/error-1.json` says what is in it.
    #[must_use]
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct Found<'d> {
            code: &'d str,
            severity: &'d str,
            message: &'d str,
            place: Option<&'d Place>,
        }
        let found = |d: &'_ Warning| -> serde_json::Value {
            json!(Found {
                code: &d.code,
                severity: if is_error(d) { "error" } else { "warning" },
                message: &d.message,
                place: d.place.as_ref(),
            })
        };
        let diagnostics: Vec<_> = self.diagnostics.iter().map(found).collect();
        let json = json!({
            "schema": "burnside/error-1",
            "model": self.model,
            "verdict": "error",
            "reason": self.reason,
            "diagnostics": diagnostics,
        });
        format!("{json:#}\n")
    }
}

/// Whether something is a mistake, not only a warning: by its code.
pub(super) fn is_error(diagnostic: &Warning) -> bool {
    diagnostic.code.starts_with('E')
}
