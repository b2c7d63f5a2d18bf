//! What the commands read, and why they cannot.

use std::io::Read;
use std::path::{Path, PathBuf};

use burnside::{Failure, Language, Source};

use super::args::LanguageArg;
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

/// What is asked of a model outside of its own file.
#[derive(Default)]
pub struct Asked {
    /// The file beside it, or the one that was named.
    pub queries: Option<Source>,
    /// The properties of a probabilistic model.
    pub properties: Vec<Source>,
}

impl Asked {
    /// Reads the files; none at all if one is no text, which is said.
    pub fn read(
        model: &Path,
        language: Language,
        queries: Option<&Path>,
        properties: Option<&Path>,
    ) -> Result<Option<Asked>, String> {
        let mut asked = Asked::default();
        if let Some(path) = queries.map(Path::to_owned).or_else(|| queries_beside(model, language)) {
            let Some(queries) = source(&path)? else { return Ok(None) };
            asked.queries = Some(queries);
        }
        if let Some(path) = properties {
            if language != Language::Prism {
                return Err(format!("a file of properties is for {} only", Language::Prism.of_models()));
            }
            let Some(properties) = source(path)? else { return Ok(None) };
            asked.properties.push(properties);
        }
        Ok(Some(asked))
    }
}

/// The file beside a model that has what is asked of it, if there is one.
pub fn queries_beside(model: &Path, language: Language) -> Option<PathBuf> {
    let beside = model.with_extension(language.ending_of_queries()?);
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
