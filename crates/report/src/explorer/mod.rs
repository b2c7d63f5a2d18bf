//! The page of the explorer: what a browser loads from `burnside explore`.
//!
//! It shares its drawing with the report: states as trees, lanes, the source. In development builds the files are read from
//! where they are, so that a change is seen when the page is loaded again; otherwise they are part of the program.

use std::borrow::Cow;

/// A file of the page.
pub struct File {
    /// Its media type.
    pub kind: &'static str,
    /// Its text.
    pub text: Cow<'static, str>,
}

/// The files: their names, where they are in the source, and their texts.
macro_rules! files {
    ($($name:literal $kind:literal $path:literal),* $(,)?) => {
        const FILES: &[(&str, &str, &str, &str)] = &[$(($name, $kind, $path, include_str!($path))),*];
    };
}

files! {
    "" "text/html; charset=utf-8" "page.html",
    "base.css" "text/css; charset=utf-8" "../html/style.css",
    "explorer.css" "text/css; charset=utf-8" "explorer.css",
    "elements.js" "text/javascript; charset=utf-8" "../html/elements.js",
    "values.js" "text/javascript; charset=utf-8" "../html/values.js",
    "lanes.js" "text/javascript; charset=utf-8" "../html/lanes.js",
    "walk.js" "text/javascript; charset=utf-8" "walk.js",
    "panels.js" "text/javascript; charset=utf-8" "panels.js",
    "graph.js" "text/javascript; charset=utf-8" "graph.js",
    "explorer.js" "text/javascript; charset=utf-8" "explorer.js",
}

/// A file of the page, by its name; the page itself has none.
pub fn file(name: &str) -> Option<File> {
    let (_, kind, path, text) = FILES.iter().find(|(known, ..)| *known == name)?;
    Some(File { kind, text: current(path).map_or(Cow::Borrowed(*text), Cow::Owned) })
}

/// The text of a file as it is now, in development.
fn current(path: &str) -> Option<String> {
    if !cfg!(debug_assertions) {
        return None;
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/explorer");
    std::fs::read_to_string(std::path::Path::new(folder).join(path)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_all_its_files_and_asks_for_nothing_else() {
        let page = file("").expect("a page").text;
        for (name, ..) in FILES.iter().filter(|(name, ..)| !name.is_empty()) {
            assert!(page.contains(&format!("\"{name}\"")), "the page does not use {name}");
        }
        for (name, _, _, text) in FILES {
            let text = text.replace("http://www.w3.org/2000/svg", "");
            for outside in ["http://", "https://", "@import", "url("] {
                assert!(!text.contains(outside), "{name} mentions {outside}");
            }
        }
        assert!(file("../html/style.css").is_none() && file("nothing").is_none());
    }
}
