//! Models to measure: real ones with constants of our choice, and one of a known size.

use std::path::{Path, PathBuf};

/// A model with its constants written into it, so that every checker reads the same text.
#[derive(Clone, Debug)]
pub struct Instance {
    /// How it is called in tables.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Instance {
    /// The model in a file, with constants as in `N=4,M=2`.
    pub fn read(path: &Path, constants: &str) -> Result<Instance, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        for (name, value) in constants.split(',').filter_map(|pair| pair.split_once('=')) {
            text = with_constant(&text, name.trim(), value.trim())
                .ok_or_else(|| format!("{}: no constant {name}", path.display()))?;
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = if constants.is_empty() { stem.into_owned() } else { format!("{stem} {constants}") };
        Ok(Instance { name, text })
    }

    /// A model by `PATH` or `PATH:CONSTANTS`.
    pub fn parse(argument: &str) -> Result<Instance, String> {
        match argument.rsplit_once(':') {
            Some((path, constants)) if constants.contains('=') => Instance::read(Path::new(path), constants),
            _ => Instance::read(Path::new(argument), ""),
        }
    }

    /// Independent counters: `values` to the power of `counters` states, each with one step per counter.
    pub fn counters(counters: u32, values: u32) -> Instance {
        let text = format!(
            "const Counters: {counters}; Values: {values};\n\
             type Counter: 1..Counters; Value: 0..Values-1;\n\
             var count: array [Counter] of Value;\n\
             startstate for c: Counter do count[c] := 0; end; end;\n\
             ruleset c: Counter do\n\
             \x20 rule \"up\" count[c] < Values-1 ==> count[c] := count[c] + 1; end;\n\
             \x20 rule \"wrap\" count[c] = Values-1 ==> count[c] := 0; end;\n\
             end;\n\
             invariant \"in range\" count[1] < Values;\n"
        );
        Instance { name: format!("counters {values}^{counters}"), text }
    }

    /// Writes it to a folder; where it is.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, String> {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let path = folder.join(self.name.chars().map(plain).collect::<String>() + ".m");
        std::fs::write(&path, &self.text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }
}

/// The text with the number in `NAME : number` replaced, where that first begins a declaration.
fn with_constant(text: &str, name: &str, value: &str) -> Option<String> {
    for (at, _) in text.match_indices(name) {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let begins = before.trim_end_matches([' ', '\t']);
        if !(begins.is_empty() || begins.ends_with(['\n', ';']) || begins.to_lowercase().ends_with("const")) {
            continue;
        }
        let Some(rest) = after.trim_start().strip_prefix(':') else { continue };
        let number = rest.trim_start();
        let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        if end > 0 {
            return Some(format!("{before}{name}: {value}{}", &number[end..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_replaced_where_they_are_declared() {
        let text = "-- N: 7 here\nconst\n  N: 2;\n  Max : 3;\n";
        assert_eq!(with_constant(text, "N", "5").unwrap(), "-- N: 7 here\nconst\n  N: 5;\n  Max : 3;\n");
        assert_eq!(with_constant(text, "Max", "4").unwrap(), "-- N: 7 here\nconst\n  N: 2;\n  Max: 4;\n");
        assert_eq!(with_constant("const N : 7;", "N", "8").unwrap(), "const N: 8;");
        assert_eq!(with_constant(text, "M", "4"), None);
    }

    #[test]
    fn the_synthetic_model_has_its_states() {
        let text = Instance::counters(3, 4).text;
        let source = burnside::Source::new("counters.m", &text);
        let options = burnside::Options { detect: burnside::Detect::Off, ..burnside::Options::default() };
        let report = burnside::check(&source, &options).expect("a correct model");
        assert_eq!((report.states, report.rules_fired), (64, Some(192)));
    }
}
