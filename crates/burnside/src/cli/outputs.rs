//! The files that a command writes: none of them is one that it reads, and each is written as a whole or not at all.

use std::path::Path;

/// The files of a command.
#[derive(Default)]
pub struct Outputs<'o> {
    writes: Vec<(&'static str, &'o Path)>,
    reads: Vec<(&'static str, &'o Path)>,
}

impl<'o> Outputs<'o> {
    /// An option that names a file to write, if it was given.
    pub fn writes(&mut self, option: &'static str, path: Option<&'o Path>) {
        self.writes.extend(path.map(|path| (option, path)));
    }

    /// A file that is read, if there is one.
    pub fn reads(&mut self, what: &'static str, path: Option<&'o Path>) {
        self.reads.extend(path.map(|path| (what, path)));
    }

    /// Whether a path stands for standard output.
    pub fn is_stdout(&self, path: Option<&Path>) -> bool {
        path == Some(Path::new("-"))
    }

    /// Before anything is opened: whether all can be written without losing something that is read.
    pub fn check(&self) -> Result<(), String> {
        for (number, (option, path)) in self.writes.iter().enumerate() {
            if self.is_stdout(Some(path)) {
                continue;
            }
            let shown = path.display();
            if let Some((what, _)) = self.reads.iter().find(|(_, read)| is_same(path, read)) {
                return Err(format!("`{option} {shown}` would overwrite {what}"));
            }
            if let Some((other, _)) = self.writes[..number].iter().find(|(_, file)| is_same(path, file)) {
                return Err(format!("`{option}` and `{other}` name the same file, {shown}"));
            }
            burnside::files::can_replace(path).map_err(|error| {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                match folder {
                    Some(folder) if !folder.is_dir() => {
                        format!("cannot write {shown}: there is no such folder")
                    }
                    _ => format!("cannot write {shown}: {error}"),
                }
            })?;
        }
        Ok(())
    }
}

/// Whether two paths name one file.
fn is_same(a: &Path, b: &Path) -> bool {
    if a == b {
        return true;
    }
    let (Ok(one), Ok(other)) = (std::fs::metadata(a), std::fs::metadata(b)) else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (one.dev(), one.ino()) == (other.dev(), other.ino()) && one.is_file()
    }
    #[cfg(not(unix))]
    {
        one.is_file() && other.is_file() && std::fs::canonicalize(a).ok() == std::fs::canonicalize(b).ok()
    }
}

/// Writes a file.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    burnside::files::replace(path, text.as_bytes())
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}
