//! In a model of 10,000 lines, the mistakes of an edit are there before anybody notices a wait: in 200 ms.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::common::Editor;
use serde_json::json;

/// So long it may take. Unoptimised, as tests usually are, ten times as long.
const MOST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 2000 } else { 200 });

/// A protocol over and over, with other names: enums, records, arrays, routines and rules.
fn model(lines: usize) -> String {
    let mut text =
        "const MAX : 7;\ntype Node : scalarset(3);\n     Slot : 0..3;\n     Value : scalarset(2);\n"
            .to_owned();
    for n in 0.. {
        if text.matches('\n').count() >= lines {
            break;
        }
        write!(
            text,
            "-- Part {n}.
type State{n} : enum {{ Idle{n}, Waiting{n}, Ready{n}, Done{n} }};
     Message{n} : record
       from, dest : Node;
       kind : State{n};
       hops : 0..MAX;
       payload : array [Slot] of Value;
     end;
var state{n} : array [Node] of State{n};
    net{n} : array [Node] of array [Slot] of Message{n};
function full{n}(n : Node) : boolean;
var found : boolean;
begin
  found := true;
  for s : Slot do
    if isundefined(net{n}[n][s].kind) | net{n}[n][s].hops = MAX then
      found := false;
    end;
  end;
  return found;
end;
procedure send{n}(src, dst : Node; value : Value; var sent : boolean);
var message : Message{n};
begin
  clear message;
  message.from := src;
  message.dest := dst;
  message.kind := Waiting{n};
  for s : Slot do
    message.payload[s] := value;
  end;
  sent := false;
  for s : Slot do
    if !sent & isundefined(net{n}[dst][s].kind) then
      net{n}[dst][s] := message;
      sent := true;
    end;
  end;
end;
ruleset n : Node; m : Node; v : Value do
  rule \"send {n}\"
    state{n}[n] = Idle{n} & !full{n}(m)
  ==>
  var sent : boolean;
  begin
    send{n}(n, m, v, sent);
    if sent then state{n}[n] := Waiting{n}; end;
  end;
end;
startstate \"start {n}\"
  for n : Node do
    state{n}[n] := Idle{n};
    undefine net{n}[n];
  end;
end;
invariant \"waits {n}\"
  forall n : Node do state{n}[n] = Waiting{n} -> exists m : Node do full{n}(m) | n != m end end;
"
        )
        .expect("a string takes it");
    }
    text
}

#[test]
fn mistakes_are_found_at_once() {
    let text = model(10_000);
    let middle = text.lines().count() / 2;
    let mut editor = Editor::new();
    editor.open("large.m", "murphi", &text);
    assert_eq!(editor.diagnostics("large.m"), json!([]));
    // The best of some: the machine may have other things to do.
    let mut best = [Duration::MAX; 2];
    for round in 0..8 {
        let at = json!({ "line": middle + round, "character": 0 });
        let begun = Instant::now();
        editor.change("large.m", json!([{ "range": { "start": at, "end": at }, "text": "-- a\nfoo\n" }]));
        assert_ne!(editor.diagnostics("large.m"), json!([]));
        best[0] = best[0].min(begun.elapsed());
        let end = json!({ "line": middle + round + 2, "character": 0 });
        let begun = Instant::now();
        editor.change("large.m", json!([{ "range": { "start": at, "end": end }, "text": "" }]));
        assert_eq!(editor.diagnostics("large.m"), json!([]));
        best[1] = best[1].min(begun.elapsed());
    }
    println!("{} lines: with a mistake {:?}, without {:?}", text.lines().count(), best[0], best[1]);
    assert!(best.iter().all(|time| *time < MOST), "{best:?}");
    editor.end();
}
