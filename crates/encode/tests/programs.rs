//! Random programs: statements of every kind, one after and inside the other, over a fixed set of variables and
//! routines. Most go wrong somewhere, and the functions must say exactly where.

mod common;

use burnside_lang::source::Source;
use burnside_model::code::{Semantics, Undefined};
use common::Random;

const DECLARATIONS: &str = "
type id: scalarset(3); num: 0 .. 3; col: enum { red, green }; who: union { id, col, num };
  rec: record n: num; w: who; row: array [num] of boolean; end; bag: multiset [2] of num;
var x: num; y: -2 .. 5; b: boolean; i: id; w: who; r: array [id] of rec; a: array [num] of num; s: bag;
  t: array [who] of boolean;
procedure bump(var v: num); begin if v = 2 then return; end; v := v + 1; end;
procedure fix(var q: rec; k: num); begin
  alias c: q.n do if isundefined(c) then c := k; return; end; end;
  for j: num do if !isundefined(q.row[j]) & q.row[j] then q.n := j; return; end; q.row[j] := k = j; end; end;
function pick(q: rec): num; begin if !isundefined(q.w) & ismember(q.w, num) then return q.w; end; return q.n; end;
function make(k: num): rec; var q: rec; begin q.n := k; if k > 1 then q.w := red; return q; end; q.w := k; return q; end;
function sum(k: num): 0 .. 6; begin if k = 0 then return 0; end; return k + sum(k - 1); end;
function seek(k: num): num; var at: num; begin
  at := 0; while a[at] != k do x := at; if at = 3 then return 0; end; at := at + 1; end; return at; end;
startstate x := 0; y := 1; b := true; clear a; undefine i; undefine w; undefine s; undefine r; undefine t; end;
startstate for j: id do i := j; r[j].n := 2; r[j].w := j; for k: num do r[j].row[k] := k = 1; end; end;
  x := 3; y := -2; b := false; for k: num do a[k] := 3 - k; end; w := green; clear t;
  multisetadd(1, s); multisetadd(3, s); end;
";

/// Writes programs.
struct Writer {
    random: Random,
    /// Whether functions that change the state may be called: not in conditions of rules.
    body: bool,
    /// Loop variables in scope, by their type.
    ids: Vec<String>,
    nums: Vec<String>,
    fresh: usize,
}

impl Writer {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.random.below(of.len())]
    }

    fn variable(&mut self) -> String {
        self.fresh += 1;
        format!("v{}", self.fresh)
    }

    fn id(&mut self) -> String {
        match self.random.below(3) {
            0 => "i".to_owned(),
            _ if self.ids.is_empty() => "i".to_owned(),
            _ => self.ids[self.random.below(self.ids.len())].clone(),
        }
    }

    fn record(&mut self, depth: usize) -> String {
        match self.random.below(6) {
            0 if depth > 0 => format!("make({})", self.number(depth - 1)),
            1 if depth > 0 => {
                let (c, a, b) = (self.truth(depth - 1), self.record(depth - 1), self.record(depth - 1));
                format!("({c} ? {a} : {b})")
            }
            _ => format!("r[{}]", self.id()),
        }
    }

    /// A place of type `num`.
    fn place(&mut self, depth: usize) -> String {
        match self.random.below(6) {
            0 | 1 => "x".to_owned(),
            2 => format!("r[{}].n", self.id()),
            _ if depth == 0 => "x".to_owned(),
            _ => format!("a[{}]", self.number(depth - 1)),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(6) {
                0 => "y".to_owned(),
                1 => self.random.below(4).to_string(),
                2 if !self.nums.is_empty() => self.nums[self.random.below(self.nums.len())].clone(),
                _ => self.place(0),
            };
        }
        let depth = depth - 1;
        match self.random.below(14) {
            0 => format!("sum({})", self.number(depth)),
            1 if self.body => format!("seek({})", self.number(depth)),
            2 => {
                let q = format!("r[{}]", self.id());
                format!("pick({q})")
            }
            3 => format!("({} ? {} : {})", self.truth(depth), self.number(depth), self.number(depth)),
            4 => {
                let v = self.variable();
                format!(
                    "multisetcount({v}: s, s[{v}] {} {})",
                    self.pick(&["<", "=", ">="]),
                    self.number(depth)
                )
            }
            5 => format!("(-{})", self.number(depth)),
            6 | 7 => self.number(0),
            _ => {
                let op = self.pick(&["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"]);
                format!("({} {op} {})", self.number(depth), self.number(depth))
            }
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        if depth == 0 {
            let place = self.pick(&["i", "w", "x", "r[i].w", "t[w]"]);
            return match self.random.below(4) {
                0 => "b".to_owned(),
                1 => format!("isundefined({place})"),
                2 => format!("(x < {})", self.random.below(4)),
                _ => "t[w]".to_owned(),
            };
        }
        let depth = depth - 1;
        match self.random.below(12) {
            0 => format!("!({})", self.truth(depth)),
            1..=3 => {
                let op = self.pick(&["&", "|", "->"]);
                format!("(({}) {op} ({}))", self.truth(depth), self.truth(depth))
            }
            4 => format!("ismember(w, {})", self.pick(&["id", "col", "num"])),
            5 => format!("({} = {})", self.record(depth), self.record(depth)),
            6 | 7 => {
                let v = self.variable();
                let quantifier = self.pick(&["forall", "exists"]);
                if self.random.below(2) == 0 {
                    self.ids.push(v.clone());
                    let body = self.truth(depth);
                    self.ids.pop();
                    format!("({quantifier} {v}: id do {body} end)")
                } else {
                    let (from, to) = (self.number(0), self.number(0));
                    self.nums.push(v.clone());
                    let body = self.truth(depth);
                    self.nums.pop();
                    format!("({quantifier} {v} := {from} to {to} do {body} end)")
                }
            }
            8 => format!("(i {} {})", self.pick(&["=", "!="]), self.id()),
            _ => {
                let op = self.pick(&["<", "<=", ">", ">=", "=", "!="]);
                format!("({} {op} {})", self.number(depth), self.number(depth))
            }
        }
    }

    fn block(&mut self, depth: usize) -> String {
        (0..1 + self.random.below(3)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 14 } else { 20 }) {
            0..=2 => format!("{} := {}; ", self.place(1), self.number(2)),
            3 => format!("y := {}; ", self.number(2)),
            4 => format!("b := {}; ", self.truth(2)),
            5 => {
                let id = self.id();
                format!("{} := {id}; ", self.pick(&["i", "w", "r[i].w"]))
            }
            6 => format!("w := {}; ", self.number(1)),
            7 => {
                let id = self.id();
                let place = self.pick(&["i", "w", "x", "s", "t", "r[i].n", "a[x]"]);
                match self.random.below(4) {
                    0 => format!("undefine r[{id}]; "),
                    1 => format!("undefine {place}; "),
                    _ => format!("clear {}; ", self.pick(&["a", "t", "x", "s"])),
                }
            }
            8 => format!("r[{}] := {}; ", self.id(), self.record(1)),
            9 => format!("multisetadd({}, s); ", self.number(1)),
            10 => {
                let v = self.variable();
                format!("multisetremovepred({v}: s, s[{v}] {} {}); ", self.pick(&["<", "="]), self.number(1))
            }
            11 => format!("bump({}); ", self.place(1)),
            12 => format!("fix(r[{}], {}); ", self.id(), self.number(1)),
            13 => match self.random.below(4) {
                0 => format!("assert {}; ", self.truth(1)),
                1 => format!("assume {}; ", self.truth(1)),
                2 => format!("t[w] := {}; ", self.truth(1)),
                _ => format!("cover {}; ", self.truth(1)),
            },
            14 | 15 => {
                let (c, d) = (self.truth(2), self.truth(1));
                let (p, q, o) = (self.block(depth - 1), self.block(depth - 1), self.block(depth - 1));
                format!("if {c} then {p}elsif {d} then {q}else {o}end; ")
            }
            16 => {
                let (subject, case, other) = (self.number(1), self.number(1), self.number(0));
                let (p, q) = (self.block(depth - 1), self.block(depth - 1));
                format!("switch {subject} case {case}, 1: {p}case {other}: {q}else {}end; ", self.block(0))
            }
            17 => {
                let v = self.variable();
                if self.random.below(2) == 0 {
                    self.ids.push(v.clone());
                    let body = self.block(depth - 1);
                    self.ids.pop();
                    format!("for {v}: id do {body}end; ")
                } else {
                    let (from, to) = (self.number(1), self.number(1));
                    let by = match self.random.below(3) {
                        0 => format!(" by {}", self.pick(&["1", "-1", "2", "y", "x"])),
                        _ => String::new(),
                    };
                    self.nums.push(v.clone());
                    let body = self.block(depth - 1);
                    self.nums.pop();
                    format!("for {v} := {from} to {to}{by} do {body}end; ")
                }
            }
            18 => {
                let c = self.truth(1);
                let step = self.pick(&["x := x + 1; ", "y := y - 1; ", "b := !b; "]);
                format!("while {c} & x < 3 do {}{step}end; ", self.block(depth - 1))
            }
            _ => match self.random.below(3) {
                0 => format!("if {} then return; end; ", self.truth(1)),
                1 => {
                    let v = self.variable();
                    let place = self.place(1);
                    self.nums.push(v.clone());
                    let body = self.block(depth - 1);
                    self.nums.pop();
                    format!("alias {v}: {place} do {v} := {}; {body}end; ", self.number(1))
                }
                _ => format!("if {} then error \"e\"; end; ", self.truth(2)),
            },
        }
    }

    fn rule(&mut self, number: usize) -> String {
        let (open, close) = match self.random.below(4) {
            0 => {
                self.ids.push("p".to_owned());
                ("ruleset p: id do ", "end; ")
            }
            1 => {
                self.nums.push("s[c]".to_owned());
                ("choose c: s do ", "end; ")
            }
            2 => {
                self.nums.push("z".to_owned());
                ("alias z: a[x] do ", "end; ")
            }
            _ => ("", ""),
        };
        self.body = false;
        let guard = self.truth(2);
        self.body = true;
        let body = self.block(2);
        self.ids.clear();
        self.nums.clear();
        format!("{open}rule \"{number}\" {guard} ==> {body}end; {close}\n")
    }
}

fn program(seed: u64) -> String {
    let (ids, nums) = (Vec::new(), Vec::new());
    let mut writer = Writer { random: Random::new(seed), body: false, ids, nums, fresh: 0 };
    let mut text = DECLARATIONS.to_owned();
    for number in 0..4 {
        text += &writer.rule(number);
    }
    writer.body = false;
    text += &format!("invariant \"i\" {};\n", writer.truth(3));
    if seed.is_multiple_of(5) {
        text += &format!("assume \"a\" {};\n", writer.truth(2));
    }
    text
}

#[test]
fn random_programs_agree() {
    let number = |variable: &str, otherwise: u64| {
        std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (first, programs) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 300));
    let (mut states, mut read, mut refused) = (0, 0, Vec::new());
    for seed in first..first + programs {
        let text = program(seed);
        let (model, diagnostics) = burnside_lang::murphi::load(&Source::new("program.m", &text), &[]);
        let Some(model) = model else {
            refused.push(format!("{seed}: {:?}", diagnostics.first().map(|d| &d.message)));
            continue;
        };
        read += 1;
        let undefined = Undefined::ALL[seed as usize % 3];
        let semantics = Semantics { undefined, loop_limit: 12, call_depth: 6 };
        match common::compare(&model, semantics, 100, seed) {
            Ok(compared) => states += compared,
            Err(what) => panic!("seed {seed}: {what}\n{text}"),
        }
    }
    println!("{read} programs, {states} states");
    assert!(read * 2 > programs, "{}", refused.join("\n"));
}
