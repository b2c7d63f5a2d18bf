//! The book's commands, run: a block of commands that is followed by a block of output must write it.
//!
//! Times, sizes in memory and rates are masked, and columns are not aligned. A block may leave lines out; those that it has must
//! be there in its order. Commands on files that only the reader has are not run, nor is what takes long in a debug build.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::program::folder;

/// Too long for a debug build.
const SLOW: &[&str] = &["burnside compare", "-D N=$N", "peterson_live.m -D N=6"];

/// A command and what the page shows of its output.
struct Shown {
    page: String,
    commands: String,
    output: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// The blocks of a page: their language, text and position.
fn blocks(text: &str) -> Vec<(String, String, usize, usize)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, usize, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some((language, from, begun))) => {
                blocks.push((language, text[from..at].to_owned(), begun, end));
            }
            (Some(language), None) => open = Some((language.trim().to_owned(), end, at)),
            (None, still) => open = still,
        }
        at = end;
    }
    blocks
}

/// What the pages show.
fn shown() -> Vec<Shown> {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(root().join("docs/src"))
        .expect("the book")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    pages.push(root().join("README.md"));
    pages.sort();
    let mut all = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        let page = page.file_name().expect("a name").to_string_lossy().into_owned();
        for pair in blocks(&text).windows(2) {
            let [(first, commands, _, end), (second, output, begun, _)] = pair else { continue };
            let between = text[*end..*begun].trim();
            if first == "sh" && second == "text" && between.len() < 100 && commands.contains("burnside") {
                all.push(Shown { page: page.clone(), commands: commands.clone(), output: output.clone() });
            }
        }
    }
    all
}

/// Whether all files that the commands name are there, and none takes long.
fn can_run(commands: &str) -> bool {
    let files =
        commands.split_whitespace().filter(|word| word.starts_with("models/") || word.ends_with(".m"));
    let there = files.clone().all(|file| root().join(file).exists());
    there && files.count() > 0 && !SLOW.iter().any(|slow| commands.contains(slow))
}

/// A line without what depends on the machine.
fn masked(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |word: &str| word.trim_end_matches(',').replace([',', '.'], "").parse::<u64>().is_ok();
    let mut kept = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).map_or("", |word| word.trim_end_matches([',', ':', ')']));
        let of_machine = matches!(next, "s" | "KB" | "MB" | "GB" | "states/s" | "nodes" | "ms");
        kept.push(if number(word) && of_machine { "#" } else { *word });
    }
    let text = kept.join(" ");
    ["KB", "MB", "GB"].iter().fold(text, |text, unit| text.replace(&format!("# {unit}"), "# memory"))
}

#[test]
fn the_book_tells_what_the_program_does() {
    let place = folder("book");
    let models = place.join("models");
    if !models.exists() {
        #[cfg(unix)]
        std::os::unix::fs::symlink(root().join("models"), &models).expect("a link");
    }
    let program = Path::new(env!("CARGO_BIN_EXE_burnside")).parent().expect("a folder").to_owned();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let (mut wrong, mut ran) = (Vec::new(), 0);
    for Shown { page, commands, output } in shown() {
        let commands = commands.replace("cargo run --release -p burnside --", "burnside");
        if !can_run(&commands) {
            continue;
        }
        ran += 1;
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{{ {commands}\n}} 2>&1")]).current_dir(&place).env("PATH", &path);
        let written = shell.output().expect("a shell").stdout;
        let written = String::from_utf8_lossy(&written).into_owned();
        // Pages break long lines.
        let words = written.lines().map(masked).collect::<Vec<_>>().join(" ");
        let mut rest = words.as_str();
        let parts = output.lines().flat_map(|line| line.split('…')).map(str::trim);
        for line in parts.filter(|line| !line.is_empty() && *line != "...") {
            match rest.split_once(&masked(line)) {
                Some((_, after)) => rest = after,
                None => {
                    wrong.push(format!("{page}: {commands}does not write\n    {line}\nbut\n{written}"));
                    break;
                }
            }
        }
    }
    assert!(ran >= 6, "only {ran} commands were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
