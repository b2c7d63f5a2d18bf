//! A large model is read quickly: nobody waits for the front end.

use std::fmt::Write;
use std::time::{Duration, Instant};

use burnside_lang::murphi::load;
use burnside_lang::source::Source;

/// The lines of the largest model that must be read at once.
const LINES: usize = 5000;

/// One part of a protocol: an enum, a record, an array, two routines and some rules; about 75 lines.
fn part(text: &mut String, n: usize) {
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
    count{n} : 0..MAX;
    owner{n} : Node;

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

ruleset n : Node do
  rule \"request {n}\"
    state{n}[n] = Idle{n} & !full{n}(n) & count{n} < MAX
  ==>
  var sent : boolean;
  begin
    send{n}(n, owner{n}, count{n} % 4, sent);
    if sent then
      state{n}[n] := Waiting{n};
    elsif count{n} > 2 & (forall m : Node do m = n | state{n}[m] != Ready{n} end) then
      state{n}[n] := Ready{n};
    else
      count{n} := count{n} + 1;
    end;
  end;

  ruleset s : Slot do
    alias message : net{n}[n][s] do
      rule \"receive {n}\"
        !isundefined(message.kind) & message.dest = n
      ==>
      begin
        switch state{n}[n]
          case Idle{n}, Waiting{n}: state{n}[n] := Ready{n};
          case Ready{n}: state{n}[n] := Done{n}; owner{n} := message.from;
          else state{n}[n] := Idle{n};
        end;
        if count{n} > 0 then count{n} := count{n} - 1; end;
        undefine message;
      end;
    end;
  end;
end;

invariant \"one owner {n}\"
  forall a : Node; b : Node do
    state{n}[a] = Done{n} & state{n}[b] = Done{n} -> a = b | count{n} <= MAX
  end;
"
    )
    .unwrap();
}

/// A model of [`LINES`] lines. `padding` is the size of an array that every state has besides.
fn model(padding: usize) -> String {
    let mut text = String::from(
        "const N : 3; MAX : 7;
type Node : scalarset(N); Slot : 0..3; Value : 0..15;
",
    );
    writeln!(text, "var padding : array [0..{padding}] of boolean;").unwrap();
    let mut parts = 0;
    while text.lines().count() < LINES {
        part(&mut text, parts);
        parts += 1;
    }
    text.push_str("startstate begin\n  undefine padding;\n");
    for n in 0..parts {
        writeln!(text, "  undefine net{n}; count{n} := 0;").unwrap();
        writeln!(text, "  for n : Node do state{n}[n] := Idle{n}; owner{n} := n; end;").unwrap();
    }
    text.push_str("end;\n");
    text
}

fn read(name: &str, text: String) -> Duration {
    let lines = text.lines().count();
    let start = Instant::now();
    let source = Source::new(name, text);
    let (model, diagnostics) = load(&source, &[]);
    let time = start.elapsed();
    let errors: Vec<_> = diagnostics.iter().map(|d| d.render(&source, false)).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    println!("{name}: {lines} lines, {} rules, read in {time:?}", model.unwrap().rules.len());
    time
}

/// The limits are generous: they are for tests that run beside others, without optimisation.
#[test]
fn large_model() {
    let time = read("large.m", model(9));
    assert!(time < Duration::from_secs(1), "{time:?}");
}

/// The same where a state is as large as it may be: the work must not grow with it.
#[test]
fn large_state() {
    let time = read("large_state.m", model(999_999));
    assert!(time < Duration::from_secs(1), "{time:?}");
}

/// What is wrong in many places is not slow either.
#[test]
fn many_errors() {
    let text = model(9).replace("MAX : 7;", "");
    let source = Source::new("errors.m", text);
    let start = Instant::now();
    let (model, diagnostics) = load(&source, &[]);
    let time = start.elapsed();
    println!("errors.m: {} errors in {time:?}", diagnostics.len());
    assert!(model.is_none() && !diagnostics.is_empty());
    assert!(time < Duration::from_secs(1), "{time:?}");
}
