//! Dialogues with the server, as an editor leads them.

use crate::common::{Editor, MURPHI, UPPAAL};
use serde_json::{Value, json};

/// The position of the n-th place where a text stands.
fn place(text: &str, of: &str, n: usize) -> Value {
    let at = text.match_indices(of).nth(n).expect("it is there").0;
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": line, "character": text[start..at].encode_utf16().count() })
}

#[test]
fn an_edit_to_an_error_and_back() {
    let mut editor = Editor::new();
    editor.open("a.m", "murphi", MURPHI);
    assert_eq!(editor.diagnostics("a.m"), json!([]));
    let at = place(MURPHI, "State; -- of each", 0);
    let end = json!({ "line": at["line"], "character": at["character"].as_u64().expect("a number") + 5 });
    editor.change("a.m", json!([{ "range": { "start": at, "end": end }, "text": "Stat" }]));
    let found = editor.diagnostics("a.m");
    assert_eq!(found[0]["code"], "E0202", "{found}");
    assert_eq!(found[0]["range"]["start"], at);
    assert!(found[0]["message"].as_str().expect("a text").contains("State"), "{found}");
    let end = json!({ "line": at["line"], "character": at["character"].as_u64().expect("a number") + 4 });
    editor.change("a.m", json!([{ "range": { "start": at, "end": end }, "text": "State" }]));
    assert_eq!(editor.diagnostics("a.m"), json!([]));
    editor.end();
}

#[test]
fn hover_says_type_value_and_symmetry() {
    let mut editor = Editor::new();
    editor.open("a.m", "murphi", MURPHI);
    let hover = |editor: &mut Editor, of: &str, n: usize| -> String {
        let answer = editor.at("textDocument/hover", "a.m", place(MURPHI, of, n));
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let constant = hover(&mut editor, "N + M", 0);
    assert!(constant.contains("const N : 3"), "{constant}");
    let computed = hover(&mut editor, "Both", 0);
    assert!(computed.contains("N + M") && computed.contains("value `5`"), "{computed}");
    editor.wait_for_symmetry();
    let variable = hover(&mut editor, "state[p] := Idle", 0);
    assert!(variable.contains("var state : array [Proc] of State"), "{variable}");
    assert!(variable.contains("`Proc`: 3 interchangeable"), "{variable}");
    let field = hover(&mut editor, "kind := ", 0);
    assert!(field.contains("field") && field.contains("kind : State"), "{field}");
    assert_eq!(hover(&mut editor, "startstate", 0), "");
    editor.end();
}

#[test]
fn names_are_found_and_renamed() {
    let mut editor = Editor::new();
    editor.open("a.m", "murphi", MURPHI);
    let used = place(MURPHI, "state[p] := Idle", 0);
    let found = editor.at("textDocument/definition", "a.m", used.clone());
    assert_eq!(found["range"]["start"], place(MURPHI, "state : array", 0));
    let mut params = editor.position("a.m", used.clone());
    params["context"] = json!({ "includeDeclaration": true });
    let places = editor.ask("textDocument/references", params);
    let count = MURPHI.matches("state").count() - MURPHI.matches("startstate").count();
    assert_eq!(places.as_array().map(Vec::len), Some(count), "{places}");
    let mut params = editor.position("a.m", used.clone());
    params["newName"] = json!("mode");
    let edit = editor.ask("textDocument/rename", params);
    let changes = edit["changes"].as_object().expect("changes");
    let edits = changes.values().next().expect("one file").as_array().expect("edits").clone();
    assert_eq!(edits.len(), count);
    // Applied from the end on, the text is as good as before.
    for edit in edits.iter().rev() {
        editor.change("a.m", json!([{ "range": edit["range"], "text": edit["newText"] }]));
    }
    assert_eq!(editor.diagnostics("a.m"), json!([]));
    let answer = editor.at("textDocument/hover", "a.m", used);
    assert!(answer["contents"]["value"].as_str().expect("a text").contains("var mode"));
    editor.end();
}

#[test]
fn a_name_that_would_change_a_meaning_is_refused() {
    let mut editor = Editor::new();
    editor.open("a.m", "murphi", MURPHI);
    for (new, why) in [("box", "mean something else"), ("while", ""), ("1x", "not a name"), ("p", "mean")] {
        let mut params = editor.position("a.m", place(MURPHI, "state[p] := Idle", 0));
        params["newName"] = json!(new);
        let refused = editor.refused("textDocument/rename", params);
        assert!(refused.contains(why), "{new}: {refused}");
    }
    editor.end();
}

#[test]
fn completion_knows_names_and_fields() {
    let mut editor = Editor::new();
    editor.open("a.m", "murphi", MURPHI);
    let labels = |answer: &Value| -> Vec<String> {
        let items = answer.as_array().expect("a list").iter();
        items.map(|item| item["label"].as_str().expect("a text").to_owned()).collect()
    };
    let inside = place(MURPHI, "state[p] := Idle", 0);
    let found = labels(&editor.at("textDocument/completion", "a.m", inside));
    for name in ["state", "p", "N", "Idle", "box", "for", "endruleset"] {
        assert!(found.iter().any(|label| label == name), "{name}: {found:?}");
    }
    assert!(!found.contains(&"kind".to_owned()));
    // Behind a dot, in a line that does not parse.
    let at = place(MURPHI, "state[p] := Idle", 0);
    editor.change("a.m", json!([{ "range": { "start": at, "end": at }, "text": "box[p]." }]));
    let behind = json!({ "line": at["line"], "character": at["character"].as_u64().expect("a number") + 7 });
    let found = labels(&editor.at("textDocument/completion", "a.m", behind));
    assert_eq!(found, ["kind", "hops"]);
    editor.end();
}

#[test]
fn outline_lenses_and_hints() {
    let mut editor = Editor::new();
    editor.open("a.m", "murphi", MURPHI);
    let document = json!({ "textDocument": { "uri": Editor::uri("a.m") } });
    let outline = editor.ask("textDocument/documentSymbol", document.clone());
    let names: Vec<&str> =
        outline.as_array().expect("a list").iter().filter_map(|symbol| symbol["name"].as_str()).collect();
    for name in ["N", "Proc", "state", "reset", "startstate", "rule go", "invariant safe"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    editor.wait_for_symmetry();
    let lenses = editor.ask("textDocument/codeLens", document.clone());
    let titles: Vec<&str> = lenses
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|lens| lens["command"]["title"].as_str())
        .collect();
    assert_eq!(titles, ["check", "explore", "symmetry S3(Proc)"]);
    let mut params = document;
    params["range"] =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = editor.ask("textDocument/inlayHint", params);
    assert_eq!(hints[0]["label"], "⊘ told apart");
    assert_eq!(hints[0]["position"]["line"], 3);
    editor.end();
}

#[test]
fn uppaal_has_the_same() {
    let mut editor = Editor::new();
    editor.open("a.xta", "uppaal", UPPAAL);
    assert_eq!(editor.diagnostics("a.xta"), json!([]));
    let answer = editor.at("textDocument/hover", "a.xta", place(UPPAAL, "N-1", 0));
    assert!(answer["contents"]["value"].as_str().expect("a text").contains("const int N"), "{answer}");
    // A location, from the edge to its declaration.
    let found = editor.at("textDocument/definition", "a.xta", place(UPPAAL, "wait { guard", 0));
    assert_eq!(found["range"]["start"], place(UPPAAL, "wait {", 0));
    let mut params = editor.position("a.xta", place(UPPAAL, "busy;", 0));
    params["newName"] = json!("taken");
    let edit = editor.ask("textDocument/rename", params);
    let edits = edit["changes"].as_object().and_then(|c| c.values().next()?.as_array().cloned());
    assert_eq!(edits.map(|edits| edits.len()), Some(UPPAAL.matches("busy").count()));
    // The names of the last text that could be read are still there.
    let at = place(UPPAAL, "busy = true", 0);
    editor.change("a.xta", json!([{ "range": { "start": at, "end": at }, "text": "+ " }]));
    assert_eq!(editor.diagnostics("a.xta")[0]["severity"], 1);
    let moved = json!({ "line": at["line"], "character": at["character"].as_u64().expect("a number") + 2 });
    let found = editor.at("textDocument/definition", "a.xta", moved);
    assert_eq!(found["range"]["start"], place(UPPAAL, "busy;", 0));
    editor.end();
}

#[test]
fn wrong_requests_are_answered() {
    let mut editor = Editor::new();
    let refused = editor.refused("textDocument/hover", json!({}));
    assert!(refused.contains("textDocument"), "{refused}");
    let params = editor.position("other.m", json!({ "line": 0, "character": 0 }));
    assert!(editor.refused("textDocument/hover", params).contains("not open"));
    assert!(editor.refused("burnside/nothing", json!({})).contains("not supported"));
    let params = json!({ "command": "burnside.format", "arguments": [] });
    assert!(editor.refused("workspace/executeCommand", params).contains("burnside.format"));
    editor.end();
}
