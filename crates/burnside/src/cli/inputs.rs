//! What the commands read, and why they cannot.

use std::io::Read;
use std::path::{Path, PathBuf};

use burnside::{Failure, Language, Source};

use super::check::LanguageArg;
use super::terminal::{colored, error};

/// The text of a model; none if it is no text, which is said.
pub fn source(path: &Path) -> Result<Option<Source>, String> {
    let (name, bytes) = read(path)?;
    match Source::from_bytes(name, &bytes) {
        Ok(source) => Ok(Some(source)),
        Err(diagnostic) => {
            error(&diagnostic.render(&Source::new(path.to_string_lossy(), ""), false));
            Ok(None)
        }
    }
}

/// A model with the claims of another file, if one is given; nothing if one of them is no text, which is said.
pub fn claimed_source(
    model: &Path,
    claims: Option<&Path>,
    language: Option<LanguageArg>,
) -> Result<Option<Source>, String> {
    let Some(model) = source(model)? else { return Ok(None) };
    let Some(file) = claims else { return Ok(Some(model)) };
    if language.map_or_else(|| Language::of(&model), Language::from) != Language::Murphi {
        return Err("`--symmetry-file` is for Murphi models only".to_owned());
    }
    Ok(source(file)?.map(|claims| model.with_claims(claims.name(), claims.text())))
}

/// The queries of a timed model, if they are in a file of their own; none at all if that is no text, which is said.
pub fn queries(model: &Path, given: Option<&Path>, timed: bool) -> Result<Option<Option<Source>>, String> {
    match given.map(Path::to_owned).or_else(|| queries_beside(model).filter(|_| timed)) {
        Some(path) => Ok(source(&path)?.map(Some)),
        None => Ok(Some(None)),
    }
}

/// The file with queries beside a model, if there is one.
pub fn queries_beside(model: &Path) -> Option<PathBuf> {
    let beside = model.with_extension("q");
    (model != Path::new("-") && beside.is_file()).then_some(beside)
}

/// Says why there is no result.
pub fn fail(failure: &Failure, source: &Source) {
    match failure {
        Failure::Input(diagnostics) => {
            let color = colored(&std::io::stderr());
            for diagnostic in diagnostics {
                error(&diagnostic.render(source, color));
            }
        }
        Failure::Refused(message) => error(&format!("error: {message}\n")),
        other => error(&format!(
            "{}\n",
            other.to_string().replacen(
                "internal error:",
                "internal error, please report it with the model:",
                1
            )
        )),
    }
}

/// Reads a file, or standard input, up to what a model may have.
pub fn read(path: &Path) -> Result<(String, Vec<u8>), String> {
    let (name, read) = if path == Path::new("-") {
        ("<stdin>".to_owned(), read_some(std::io::stdin().lock()))
    } else {
        (path.to_string_lossy().into_owned(), std::fs::File::open(path).and_then(read_some))
    };
    let what = if name == "<stdin>" { "standard input" } else { &name };
    read.map_err(|e| format!("cannot read {what}: {e}")).map(|bytes| (name.clone(), bytes))
}

/// A byte more than is allowed is enough to know that there is too much.
fn read_some(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(burnside::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
