//! Every name of every model is renamed, and the model read again: it must be the same model but for that name.

use std::path::{Path, PathBuf};

use burnside_lang::names::{self, Names};
use burnside_lang::source::Source;
use burnside_lang::{murphi, uppaal};

/// What the new names begin with: no model has it.
const NEW: &str = "zqz";

/// The files below a folder whose names end so.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
}

/// The text with a symbol renamed.
fn renamed(text: &str, names: &Names, symbol: usize) -> String {
    let mut result = String::new();
    let mut done = 0;
    for place in names.places(symbol) {
        result.push_str(&text[done..place.start as usize]);
        assert_eq!(&text[place.start as usize..place.end as usize], names.symbols[symbol].name);
        result.push_str(NEW);
        done = place.start as usize;
    }
    result.push_str(&text[done..]);
    result
}

/// A model in words without places, the new names as they were.
fn plain(debug: &str) -> String {
    let debug = debug.replace(NEW, "");
    let mut parts = debug.split("Span { start: ");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
    }
    result
}

/// Renames some of the names of a model; how many.
fn check(name: &str, text: &str, names: &Names, read: impl Fn(&Source) -> Option<String>) -> usize {
    let Some(before) = read(&Source::new(name, text)).map(|debug| plain(&debug)) else { return 0 };
    // Of long lists, not all: a model is read once for each.
    let step = names.symbols.len() / 40 + 1;
    let mut done = 0;
    for symbol in (0..names.symbols.len()).step_by(step) {
        let changed = renamed(text, names, symbol);
        let after = read(&Source::new(name, &*changed)).map(|debug| plain(&debug));
        let of = &names.symbols[symbol];
        assert!(after.as_ref() == Some(&before), "{name}: renaming {} at {:?}", of.name, of.at);
        done += 1;
    }
    done
}

fn murphi_model(path: &Path) -> usize {
    let Ok(bytes) = std::fs::read(path) else { return 0 };
    let Ok(source) = Source::from_bytes(path.to_string_lossy(), &bytes) else { return 0 };
    let names = names::murphi(source.text(), &murphi::parse(&source).0);
    check(source.name(), source.text(), &names, |source| {
        murphi::load(source, &[]).0.map(|model| format!("{model:?}"))
    })
}

#[test]
fn every_murphi_name_can_be_renamed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    files(&root.join("models/murphi"), "m", &mut found);
    assert!(found.len() > 20);
    files(&root.join("../shared/corpus"), "m", &mut found);
    let done: usize = found.iter().map(|path| murphi_model(path)).sum();
    assert!(done > 500, "{done}");
}

#[test]
fn every_uppaal_name_can_be_renamed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    files(&root.join("models/uppaal"), "xta", &mut found);
    assert!(found.len() > 5);
    files(&root.join("../shared/corpus"), "xta", &mut found);
    let mut done = 0;
    for path in found {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let source = Source::new(path.to_string_lossy(), &*text);
        let names = names::uppaal(&text, &uppaal::parse(&source, true).0);
        done += check(source.name(), &text, &names, |source| {
            uppaal::load(source, &[]).0.map(|network| format!("{network:?}"))
        });
    }
    assert!(done > 100, "{done}");
}

/// A model in which a name hides others of every kind.
const HIDDEN: &str = "\
const n : 2;
type t : scalarset(n);
     r : record t : boolean; n : 0..n end;
var n_ : array [t] of r; x : t;
function x(x : t; var y : r) : r;
var t : boolean; n : r;
begin
  t := true;
  for n : t do y.n := 0; y.t := t; end;
  n.n := 1;
  alias t : n do t.n := y.n; end;
  return n;
end;
startstate
  for i : t do undefine n_[i]; x(i, n_[i]); end;
end;
ruleset x : t do
  rule exists t : t do !n_[t].t end ==> n_[x].t := forall x : t do x = x end; end;
end;
rule true ==> var n : t; begin n := x; x := n; end;
invariant forall x : t do isundefined(n_[x].t) | n_[x].n <= n end;
";

#[test]
fn names_that_hide_each_other() {
    let source = Source::new("hidden.m", HIDDEN);
    let (model, diagnostics) = murphi::load(&source, &[]);
    let shown: Vec<String> = diagnostics.iter().map(|d| d.render(&source, false)).collect();
    assert!(model.is_some(), "{}", shown.join("\n"));
    let names = names::murphi(HIDDEN, &murphi::parse(&source).0);
    let done = check("hidden.m", HIDDEN, &names, |source| {
        murphi::load(source, &[]).0.map(|model| format!("{model:?}"))
    });
    assert_eq!(done, names.symbols.len());
    // What can be used where: inside the function, the local hides the constant.
    let at = HIDDEN.find("n.n := 1").expect("it is there") as u32;
    let visible: Vec<&str> = names.visible(at).iter().map(|s| &*names.symbols[*s].detail).collect();
    assert!(visible.contains(&"r"), "{visible:?}");
    assert_eq!(names.visible(at).iter().filter(|s| names.symbols[**s].name == "n").count(), 1);
}

#[test]
fn a_text_with_mistakes_has_names() {
    let text = "const N : 3;\nvar x : 0..N; y : \nrule x < N ==> x := x + ; end;\ninvariant x < N;\n";
    let source = Source::new("broken.m", text);
    let (tree, diagnostics) = murphi::parse(&source);
    assert!(diagnostics.iter().any(|d| d.is_error()));
    let names = names::murphi(text, &tree);
    let n = names.symbols.iter().position(|symbol| symbol.name == "N").expect("it is declared");
    assert!(names.places(n).count() >= 3, "{names:?}");
}
