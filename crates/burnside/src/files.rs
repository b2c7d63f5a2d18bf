//! Files that are written as a whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces a file: its new content is written beside it under another name, and then renamed. What cannot be renamed
/// over, such as a pipe or a terminal, is written to.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let special = fs::metadata(path).is_ok_and(|existing| !existing.is_file());
    if special {
        return fs::write(path, content);
    }
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = beside(&target)?;
    let written = fs::File::create(&beside).and_then(|mut file| {
        file.write_all(content)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, &target)).inspect_err(|_| {
        let _ = fs::remove_file(&beside);
    })
}

/// Whether a file can be written: its folder is there, and takes new files.
pub fn can_replace(path: &Path) -> io::Result<()> {
    if let Ok(existing) = fs::metadata(path) {
        if existing.is_dir() {
            return Err(io::Error::other("it is a folder"));
        }
        if !existing.is_file() {
            return Ok(());
        }
    }
    let beside = beside(path)?;
    fs::File::create(&beside)?;
    fs::remove_file(&beside)
}

/// A name beside a file that nobody else uses.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it has no name"))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.new", std::process::id()));
    Ok(path.with_file_name(hidden))
}
