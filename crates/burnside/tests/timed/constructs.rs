//! Every construct of UPPAAL's language: a small model, and queries whose answers would be others if the construct meant
//! something else. `+` stands before a query that holds, `-` before one that does not.
//!
//! Planted bugs that each fail a test here: of the reasons why a process does not hear a broadcast only one; limits of clocks
//! from one side although receivers have conditions on them; receivers compared only with those that take the same edge.

use burnside::{Options, Reduce, Source, Verdict, check};

/// A model and what is asked of it.
type Case = (&'static str, String, &'static [&'static str]);

/// Checks the cases with symmetry and without.
fn answered(cases: &[Case], file: &str) {
    let mut wrong = Vec::new();
    for (construct, text, queries) in cases {
        let asked: Vec<&str> = queries.iter().map(|query| &query[1..]).collect();
        let expected = queries.iter().map(|query| match query.as_bytes()[0] {
            b'+' => Verdict::Holds,
            _ => Verdict::Violated,
        });
        let expected: Vec<Verdict> = expected.collect();
        for reduce in [Reduce::Auto, Reduce::None] {
            let queries = Some(Source::new("model.q", asked.join("\n")));
            let options = Options { queries, reduce, ..Options::default() };
            match check(&Source::new(file, text), &options) {
                Ok(report) => {
                    let found: Vec<_> = report.properties.iter().map(|property| property.verdict).collect();
                    if found[..found.len().min(expected.len())] != expected {
                        wrong.push(format!("{construct} ({reduce:?}): {found:?}, not {expected:?}\n{text}"));
                    }
                }
                Err(failure) => wrong.push(format!("{construct}: {failure:?}\n{text}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A process with three locations and these edges, after global declarations.
fn one(global: &str, edges: &str) -> String {
    format!("{global} process P() {{ clock x; state A, B, C; init A; trans {edges}; }} system P;")
}

/// A process that takes one step, with this update, after global declarations.
fn step(global: &str, update: &str) -> String {
    one(global, &format!("A -> B {{ assign {update}; }}"))
}

#[test]
fn types_and_values() {
    let cases: Vec<Case> = vec![
        ("int has 16 bits", step("int v = 32766;", "v++"), &["+E<> v == 32767"]),
        (
            "const int has 32 bits",
            step(
                "const int BIG = 100000; const int A[2] = { 70000, 2 }; int v;",
                "v = BIG / 10 + A[0] / 70000",
            ),
            &["+E<> v == 10001"],
        ),
        (
            "a constant above 16 bits as a time",
            one("const int BIG = 100000;", "A -> B { guard x >= BIG; }, A -> C { guard x > BIG; }"),
            &["+E<> P.B && P.x == BIG", "-E<> P.C && P.x == BIG", "+A[] P.B imply P.x >= 100000"],
        ),
        (
            "a range begins with 0 or its least",
            step("int[-3,3] a; int[2,5] b; int[-5,-2] c;", "a = a"),
            &["+A[] a == 0 && b == 2 && c == -5"],
        ),
        (
            "bool from int",
            step("bool b = 7; int v;", "v = b + true, b = !v"),
            &["+E<> v == 2 && !b", "-E<> v == 8"],
        ),
        (
            "integers as conditions",
            one("int v = 2;", "A -> B { guard v; }, A -> C { guard !v; }"),
            &["+E<> P.B", "-E<> P.C"],
        ),
        (
            "typedef of an array and of a struct",
            step(
                "typedef int[0,9] row_t[2]; typedef struct { row_t r; bool b; } s_t; s_t s[2] = { { { 1, 2 }, false }, { { 3, 4 }, true } };",
                "s[0] = s[1], s[1].r[0] = 9",
            ),
            &[
                "+E<> s[0].r[0] == 3 && s[1].r[0] == 9 && s[0].b",
                "+E<> s[0] == s[1] imply P.A",
                "-A[] s[0] != s[1] && P.A",
            ],
        ),
        (
            "fields by name",
            step("struct { int a; int b; } s = { b: 2, a: 1 };", "s.a += 10 * s.b"),
            &["+E<> s.a == 21"],
        ),
        (
            "arrays of arrays, by size and by type",
            step(
                "typedef int[1,2] t; int m[t][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; int v;",
                "v = m[2][0] * 10 + m[1][2]",
            ),
            &["+E<> v == 43"],
        ),
        ("an array over bool", step("int m[bool] = { 5, 6 };", "m[true] += m[false]"), &["+E<> m[1] == 11"]),
        (
            "each scalar[N] is another type",
            step("typedef scalar[2] a_t; typedef scalar[2] b_t; a_t a; b_t b;", "a = a"),
            &["+E<> exists (i : a_t) i != a"],
        ),
        ("meta", step("meta int v; meta bool b[2];", "v = 3, b[1] = true"), &["+E<> v == 3 && b[1]"]),
        (
            "a constant that a function computes",
            step("int twice(int n) { return 2 * n; } const int N = twice(3); int a[N];", "a[N - 1] = 4"),
            &["+E<> a[5] == 4"],
        ),
        (
            "an initial value from constants",
            step("const int N = 3; const int a[2] = { N, N * N }; int v = a[1] + N;", "v++"),
            &["+E<> v == 13", "-E<> v == 11"],
        ),
        (
            "shadowing",
            one(
                "int v = 1; int f(int v) { { int v = 5; v++; } return v; }",
                "A -> B { select v : int[7,7]; guard f(v) == 7; }, B -> C { guard v == 1; }",
            ),
            &["+E<> P.C"],
        ),
        (
            "a clock in a struct and in an array",
            one(
                "struct { clock t; int n; } s; clock c[int[1,2]];",
                "A -> B { guard s.t >= 2 && c[2] <= 3; assign c[1] = 0; }",
            ),
            &["+E<> P.B && s.t == 3 && c[1] == 0", "-E<> P.B && c[2] - c[1] > 3"],
        ),
    ];
    answered(&cases, "model.xta");
}

#[test]
fn expressions() {
    let value = |expr: &str| step("int v; bool b; int a[3] = { 1, 2, 4 };", &format!("v = {expr}"));
    let cases: Vec<Case> = vec![
        ("division and remainder of negatives", value("(-7) / 2 * 100 + (-7) % 2"), &["+E<> v == -301"]),
        ("shifts", value("(1 << 4) + (-8 >> 1)"), &["+E<> v == 12"]),
        ("bits", value("(6 & 3) * 100 + (6 | 3) * 10 + (6 ^ 3)"), &["+E<> v == 275"]),
        ("bits bind weaker than comparisons", value("(6 & 3 == 3)"), &["+E<> v == 0 && P.B", "-E<> v == 1"]),
        ("minimum and maximum", value("(3 <? 5) * 10 + (3 >? 5 - 1)"), &["+E<> v == 34"]),
        ("a choice, and its sides", value("true ? 1 : false ? 2 : 3"), &["+E<> v == 1"]),
        ("a choice with `and` inside", value("(1 == 1 ? 2 > 1 and 1 > 2 : true) ? 5 : 6"), &["+E<> v == 6"]),
        ("abs", value("abs(-3) * 10 + abs(4)"), &["+E<> v == 34"]),
        ("assignment as a value", step("int v; int w;", "v = (w = 3) + w"), &["+E<> v == 6 && w == 3"]),
        (
            "assignments from the right",
            step("int v = 9; int w = 8;", "v = w = 0"),
            &["+E<> v == 0 && w == 0"],
        ),
        (
            "++ before and after",
            step("int v = 5; int a; int b; int c;", "a = v++, b = ++v, c = v-- - --v"),
            &["+E<> a == 5 && b == 7 && c == 2 && v == 5"],
        ),
        (
            "compound assignments",
            step(
                "int v = 7; int w = 12;",
                "v += 3, v -= 1, v *= 4, v /= 5, v %= 4, w &= 10, w |= 1, w ^= 3, w <<= 2, w >>= 1",
            ),
            &["+E<> v == 3 && w == 20"],
        ),
        ("`:=` and `=`", step("int v; int w;", "v := 1, w = 2"), &["+E<> v == 1 && w == 2"]),
        (
            "the right side is looked at only if it decides",
            one(
                "int i = 3; int a[3];",
                "A -> B { guard i < 3 && a[i] == 0; }, A -> C { guard i >= 3 || a[i] == 0; }",
            ),
            &["+E<> P.C", "-E<> P.B"],
        ),
        (
            "what an operand does not reached is not done",
            step("int v; int w;", "w = (false && v++ > 0) + (true || v++ > 0) + (false imply v++ > 0)"),
            &["+E<> w == 2", "+A[] v == 0"],
        ),
        (
            "`and` binds as `&&` does",
            one("", "A -> B { guard true || false and false; }, A -> C { guard not false == false; }"),
            &["+E<> P.B", "-E<> P.C"],
        ),
        (
            "`imply` and `or`",
            one("", "A -> B { guard false imply false; }, A -> C { guard true imply false or false; }"),
            &["+E<> P.B", "-E<> P.C"],
        ),
        (
            "xor",
            one("", "A -> B { guard true xor false; }, A -> C { guard 2 xor 3; }"),
            &["+E<> P.B", "-E<> P.C"],
        ),
        (
            "forall and exists go as far as they can",
            one(
                "int a[3] = { 1, 2, 3 };",
                "A -> B { guard forall (i : int[0,2]) a[i] > 0 && a[i] < 4; }, A -> C { guard exists (i : int[0,2]) a[i] == 2 && i == 2; }",
            ),
            &["+E<> P.B", "-E<> P.C"],
        ),
        ("sum", value("sum (i : int[0,2]) (a[i] > 1) * a[i]"), &["+E<> v == 6"]),
        (
            "sum of a sum",
            value("sum (i : int[0,2]) sum (j : int[0,2]) (j <= i ? a[j] : 0)"),
            &["+E<> v == 11"],
        ),
        (
            "a sum over scalars",
            step("typedef scalar[3] t; int n[t]; int v;", "v = sum (i : t) (n[i] + 2)"),
            &["+E<> v == 6"],
        ),
        (
            "structs and arrays compared as a whole",
            one(
                "int a[2] = { 1, 2 }; int b[2] = { 1, 2 }; struct { int n; } s, t;",
                "A -> B { guard a == b && s == t; assign b[1] = 3; }, B -> C { guard a != b; }",
            ),
            &["+E<> P.C"],
        ),
        (
            "an array passed by value is a copy",
            step("int a[2] = { 1, 2 }; int f(int b[2]) { b[0] = 9; return b[0] + b[1]; } int v;", "v = f(a)"),
            &["+E<> v == 11", "+A[] a[0] == 1"],
        ),
        (
            "a struct returned",
            step(
                "typedef struct { int n; int m; } s_t; s_t s; s_t make(int n) { s_t t = { n, n + 1 }; return t; }",
                "s = make(4)",
            ),
            &["+E<> s.n == 4 && s.m == 5"],
        ),
    ];
    answered(&cases, "model.xta");
}

#[test]
fn statements_and_functions() {
    let cases: Vec<Case> = vec![
        ("for with several counters", step("int s; void f() { int i, j; for (i = 0, j = 10; i < j; i++, j -= 2) s += j - i; }", "f()"), &["+E<> s == 10 + 7 + 4 + 1"]),
        ("for over a type, nested", step("int s; void f() { for (i : int[0,2]) for (j : int[0,2]) if (j <= i) s += 10 * i + j; }", "f()"), &["+E<> s == 0 + 10 + 11 + 20 + 21 + 22"]),
        ("a loop left by return", step("int s; int f() { int i = 0; while (true) { i++; if (i * i > 20) return i; } return 0; }", "s = f()"), &["+E<> s == 5"]),
        ("do at least once", step("int s; void f() { do { s++; } while (s < 0); }", "f()"), &["+E<> s == 1", "-E<> s == 2"]),
        ("while with a side effect", step("int s; int n; void f() { while (n++ < 3) s += n; }", "f()"), &["+E<> s == 6 && n == 4"]),
        ("else belongs to the nearest if", step("int s = 5; void f() { if (true) if (false) s = 1; else s = 2; }", "f()"), &["+E<> s == 2"]),
        ("references to a part of an array", step("int a[3] = { 1, 2, 3 }; void swap(int &p, int &q) { int t = p; p = q; q = t; }", "swap(a[0], a[2])"), &["+E<> a[0] == 3 && a[2] == 1"]),
        ("a constant reference", step("typedef struct { int n; } s_t; s_t s = { 4 }; int v; int f(const s_t &t, const int &k) { return t.n * k; }", "v = f(s, v)"), &["+A[] v == 0"]),
        ("constant arrays for arrays of constants", step("const int c[2] = { 3, 4 }; int d[2] = { 5, 6 }; int f(const int a[2]) { return a[0] + a[1]; } int v;", "v = f(c) * 100 + f(d)"), &["+E<> v == 711"]),
        ("a function calls another", step("int f(int n) { return n + 1; } int g(int n) { return f(f(n)) * 2; } int v;", "v = g(3)"), &["+E<> v == 10"]),
        ("a reference passed on", step("void inc(int &n) { n++; } void twice(int &n) { inc(n); inc(n); } int v;", "twice(v)"), &["+E<> v == 2"]),
        ("locals begin anew", step("int v; int f() { int n; n++; return n; }", "v = f() + f()"), &["+E<> v == 2"]),
        ("a clock set by a function", one("clock y; void reset(clock &c) { c = 2; }", "A -> B { guard x >= 5; assign reset(y); }"), &["+E<> P.B && y == 2", "-E<> P.B && y < 2"]),
        ("a function in a guard and in an invariant", "int v = 3; int bound() { return v + 1; } process P() { clock x; state A { x <= bound() }, B; init A; trans A -> B { guard x >= bound(); }; } system P;".to_owned(), &["+E<> P.B && P.x == 4", "-E<> P.A && P.x > 4"]),
        ("a process's own function and names in a query", "process P(const int[0,1] me, int k) { int n = me; int more(int by) { return n + by; } const int K = 7; state A; init A; } Q(const int[0,1] i) = P(i, 5); system Q;".to_owned(), &["+A[] Q(1).more(2) == 3 && Q(0).more(2) == 2", "+A[] Q(0).K == 7 && Q(1).n == 1 && Q(1).me == 1 && Q(1).k == 5"]),
    ];
    answered(&cases, "model.xta");
}

#[test]
fn automata() {
    let cases: Vec<Case> = vec![
        ("select of several values", one("int v;", "A -> B { select i : int[1,2], j : int[3,4]; guard i + j == 5; assign v = 10 * i + j; }"), &["+E<> v == 14", "+E<> v == 23", "-E<> v == 13"]),
        ("guards are looked at before any update", "int v; chan c; process Q() { state D, E; init D; trans D -> E { sync c!; assign v = 1; }; } process P() { state A, B; init A; trans A -> B { guard v == 0; sync c?; }; } system P, Q;".to_owned(), &["+E<> P.B"]),
        ("the sender's update first", "int v = 1; chan c; process Q() { state D, E; init D; trans D -> E { sync c!; assign v = v + 1; }; } process P() { state A, B; init A; trans A -> B { sync c?; assign v = v * 3; }; } system P, Q;".to_owned(), &["+A[] P.B imply v == 6", "+E<> P.B"]),
        ("a channel needs both sides, in two processes", "chan c; process P() { state A, B; init A; trans A -> B { sync c!; }, A -> B { sync c?; }; } system P;".to_owned(), &["-E<> P.B", "+A[] deadlock"]),
        ("broadcast: all that can, in the order of the system line", "int v; broadcast chan c; process S() { state D, E; init D; trans D -> E { sync c!; assign v = 1; }; } process R(const int k) { state A, B; init A; trans A -> B { sync c?; assign v = v * 10 + k; }; } R1 = R(2); R2 = R(3); system S, R2, R1;".to_owned(), &["+A[] S.E imply v == 132", "+E<> S.E && R1.B && R2.B"]),
        ("broadcast: nobody need receive, and who cannot is left out", "bool b; broadcast chan c; process S() { state D, E; init D; trans D -> E { sync c!; }; } process R() { state A, B; init A; trans A -> B { guard b; sync c?; }; } system S, R;".to_owned(), &["+E<> S.E", "-E<> R.B"]),
        ("broadcast: one of several edges", "broadcast chan c; process S() { state D, E; init D; trans D -> E { sync c!; }; } process R() { state A, B, C; init A; trans A -> B { sync c?; }, A -> C { sync c?; }; } system S, R;".to_owned(), &["+E<> R.B", "+E<> R.C", "-E<> S.E && R.A"]),
        ("broadcast: receivers by their clocks", "broadcast chan c; process S() { state D, E; urgent E; init D; trans D -> E { sync c!; }; } process R() { clock x; state A, B; init A; trans A -> B { guard x >= 2 && x <= 4; sync c?; }; } system S, R;".to_owned(), &["+E<> R.B && R.x == 2", "+E<> S.E && R.A && R.x < 2", "+E<> S.E && R.A && R.x > 4", "-E<> R.B && R.x < 2", "+A[] S.E && R.A imply R.x >= 0", "+A<> S.E imply true", "-A[] not (S.E && R.A)"]),
        // Who comes with a late clock does not stand for who comes early.
        ("broadcast: receivers by their clocks, reached in two ways", "broadcast chan c; bool in; process S() { state D, E; urgent E; init D; trans D -> E { guard in; sync c!; }; } process R() { clock x; state I { x <= 5 }, K, A, B; init I; trans I -> A { guard x == 5; assign in = true; }, I -> K { }, K -> A { assign x = 0, in = true; }, A -> B { guard x >= 2; sync c?; }; } system S, R;".to_owned(), &["+E<> S.E && R.A", "+E<> S.E && R.B", "+A[] S.E && R.A imply R.x < 2"]),
        ("broadcast: a receiver that may, must", "broadcast chan c; clock t; process S() { clock y; state D { y <= 3 }, E; init D; trans D -> E { guard y >= 3; sync c!; assign t = 0; }; } process R() { clock x; state A, B, C; init A; trans A -> B { guard x <= 3; sync c?; }, A -> C { guard x > 2; sync c?; }; } system S, R;".to_owned(), &["+E<> R.B", "+E<> R.C", "-E<> S.E && R.A"]),
        ("an urgent channel", "urgent chan c; clock t; bool b; process S() { state D, E; init D; trans D -> E { sync c!; }; } process R() { clock x; state A, B, C; init A; trans A -> B { guard x == 2; }, B -> C { sync c?; }; } system S, R;".to_owned(), &["+A[] R.B imply R.x == 2", "+E<> R.C"]),
        ("an urgent broadcast channel", "urgent broadcast chan c; clock t; process S() { state D, E; init D; trans D -> E { sync c!; }; } system S;".to_owned(), &["+A[] S.D imply t == 0", "+A<> S.E"]),
        ("an urgent location", "clock t; process P() { state A, B; urgent A; init A; trans A -> B { }; } process Q() { state D, E; init D; trans D -> E { }; } system P, Q;".to_owned(), &["+A[] P.A imply t == 0", "+E<> P.A && Q.E"]),
        ("a committed location", "clock t; process P() { state A, B, C; commit B; init A; trans A -> B { }, B -> C { }; } process Q() { state D, E; init D; trans D -> E { }; } system P, Q;".to_owned(), &["-E<> P.A && Q.E && P.B", "+E<> P.B && Q.D && t > 3", "+E<> P.B && Q.E", "-E<> P.B && deadlock"]),
        ("a committed location takes part", "chan c; process P() { state A, B; commit A; init A; trans A -> B { sync c?; }; } process Q() { state D, E; init D; trans D -> E { sync c!; }, D -> E { }; } system P, Q;".to_owned(), &["+A[] Q.E imply P.B"]),
        ("an invariant ends a stay", "process P() { clock x; state A { x <= 4 }, B; init A; trans A -> B { guard x >= 2; }; } system P;".to_owned(), &["+A[] P.A imply P.x <= 4", "+A<> P.B", "+E<> P.A && P.x == 4"]),
        ("a strict invariant", "process P() { clock x; state A { x < 4 }, B; init A; trans A -> B { }; } system P;".to_owned(), &["-E<> P.A && P.x == 4", "+E<> P.A && P.x > 3"]),
        ("an invariant of variables and clocks", "int v = 2; process P() { clock x; state A { v == 2 && x <= v * 3 && (v > 5 imply x <= 1) }, B; init A; trans A -> B { }, A -> A { assign v = 7; }; } system P;".to_owned(), &["+A[] P.A imply P.x <= 6 && v == 2", "+E<> P.A && P.x == 6"]),
        ("an invariant for all of an array of clocks", "clock c[2]; process P() { state A { forall (i : int[0,1]) c[i] <= i + 1 }, B; init A; trans A -> B { }; } system P;".to_owned(), &["-E<> P.A && c[1] > 1", "+E<> P.A && c[0] == 1"]),
        ("an invariant from below", "process P() { clock x; state A, B { x >= 3 && x <= 5 }; init A; trans A -> B { }; } system P;".to_owned(), &["-E<> P.B && P.x < 3", "+E<> P.B && P.x == 3", "-A<> P.B"]),
        ("a target's invariant forbids the step", "process P() { clock x; state A, B { x <= 2 }; init A; trans A -> B { guard x >= 2; }; } system P;".to_owned(), &["+E<> P.B", "-E<> P.B && P.x > 2", "-A[] P.A imply P.x <= 2"]),
        ("a target's invariant forbids it after updates", "int v; process P() { state A, B { v == 0 }; init A; trans A -> B { assign v = 1; }; } system P;".to_owned(), &["-E<> P.B", "+A[] v == 0"]),
        ("no step and no time is a deadlock", "process P() { clock x; state A { x <= 2 }; init A; trans A -> A { guard x > 2; }; } system P;".to_owned(), &["+E<> deadlock", "-A[] not deadlock"]),
        ("clocks set to integers", one("int v = 3;", "A -> B { guard x >= 7; assign x = v + 1; }, B -> C { guard x == 6; }"), &["+A[] P.B imply P.x >= 4", "+E<> P.C && P.x == 6"]),
        ("guards on differences of clocks, either way round", "clock y; ".to_owned() + &one("", "A -> B { guard x >= 2; assign y = 0; }, B -> C { guard 2 <= x - y && y < x; }"), &["+E<> P.C", "+A[] P.C imply P.x - y >= 2"]),
        ("a branch point is a choice", "int v; process P() { state A, B, C; branchpoint D; init A; trans A -> D { assign v = 1; }, D -> B { probability 3; assign v += 10; }, D -> C { probability 0; assign v += 20; }; } system P;".to_owned(), &["+A[] P.B imply v == 11", "+E<> P.B", "+E<> P.C && v == 21"]),
        ("rates of locations are passed over", "process P() { clock x; state A { ; 3 }, B { x <= 5 ; 1 }; init A; trans A -> B { }; } system P;".to_owned(), &["+E<> P.B"]),
        ("progress measures and charts are passed over", "int v; process P() { state A; init A; } system P; progress { v; } gantt { A : v -> 1; }".to_owned(), &["+A[] P.A"]),
    ];
    answered(&cases, "model.xta");
}

#[test]
fn instances_and_priorities() {
    let cases: Vec<Case> = vec![
        ("partial instances of partial instances", "int v; process T(int &r, const int a, const int b, const int[0,1] i) { state A, B; init A; trans A -> B { guard i == 1; assign r = 10 * a + b; }; } U(const int k, const int[0,1] j) = T(v, k, 2 * k, j); P(const int[0,1] j) = U(3, j); system P;".to_owned(), &["+E<> v == 36 && P(1).B", "-E<> P(0).B"]),
        ("an argument indexed by an open parameter", "const int d[2] = { 4, 7 }; process T(const int k) { clock x; state A { x <= k }, B; init A; trans A -> B { guard x >= k; }; } P(const int[0,1] i) = T(d[i]); system P;".to_owned(), &["+E<> P(1).B && P(1).x == 7", "-E<> P(0).A && P(0).x > 4"]),
        ("references to a channel, clock, integer and arrays", "chan c[2]; broadcast chan all; clock t[2]; int v; int a[2]; process S(chan &o, chan &b) { state A, B, C; init A; trans A -> B { sync o!; }, B -> C { sync b!; }; } process R(chan &in[2], clock &x, int &n, int &m[2]) { state A, B; init A; trans A -> B { sync in[1]?; assign x = 0, n = 4, m[1] = 5; }; } P = S(c[1], all); Q = R(c, t[1], v, a); system P, Q;".to_owned(), &["+E<> v == 4 && a[1] == 5 && Q.B && t[1] == 0 && t[0] > 3", "+A[] P.B imply Q.B", "+E<> P.C"]),
        ("a reference parameter left to a partial instance", "int v, w; process T(int &n, const int k) { state A, B; init A; trans A -> B { assign n = k; }; } U(int &m) = T(m, 6); P = U(w); system P;".to_owned(), &["+E<> w == 6", "+A[] v == 0"]),
        ("open parameters, two of them", "int v; process P(const int[0,1] i, const int[5,6] j) { state A, B; init A; trans A -> B { guard v == 0; assign v = 10 * i + j; }; } system P;".to_owned(), &["+E<> v == 16 && P(1, 6).B", "+A[] v == 15 imply P(1, 5).B"]),
        ("open parameters over scalars", "typedef scalar[3] id; id last; bool set; process P(const id me) { state A, B; init A; trans A -> B { guard !set; assign set = true, last = me; }; } system P;".to_owned(), &["+A[] forall (i : id) P(i).B imply last == i", "-A[] !set"]),
        ("the value of a parameter of another process", "process P(const int n) { int v = n; state A; init A; } Q = P(3); system Q;".to_owned(), &["+A[] Q.v == 3"]),
        ("process priorities", "process Q() { clock x; state D, E; init D; trans D -> E { guard x >= 2; }; } process P() { clock y; state A, B; init A; trans A -> B { guard y >= 2 && y < 3; }; } system Q < P;".to_owned(), &["+E<> Q.E && P.A && Q.x >= 3", "-E<> Q.E && P.A && Q.x < 3", "+E<> P.B && Q.D"]),
        ("process priorities: the highest of those who take part", "chan c; process Q() { state D, E; init D; trans D -> E { sync c!; }; } process M() { state F, G; init F; trans F -> G { }; } process P() { state A, B; init A; trans A -> B { sync c?; }; } system Q < M < P;".to_owned(), &["+A[] M.G imply Q.E && P.B", "+E<> M.G"]),
        ("channel priorities, with the default between", "broadcast chan low, high[2], other; chan priority low < default < high; process L() { state A, B; init A; trans A -> B { sync low!; }; } process H() { state A, B; init A; trans A -> B { sync high[1]!; }; } process N() { state A, B; init A; trans A -> B { sync other!; }; } process I() { state A, B; init A; trans A -> B { }; } system L, H, N, I;".to_owned(), &["+A[] L.B imply H.B && N.B && I.B", "+A[] N.B || I.B imply H.B", "+E<> N.B && I.A", "+E<> I.B && N.A", "+E<> L.B"]),
        ("channel priorities: channels of a process have the default", "broadcast chan low; chan priority low < default; process P() { broadcast chan own; state A, B, C; init A; trans A -> B { sync own!; }, A -> C { sync low!; }; } system P;".to_owned(), &["+E<> P.B", "-E<> P.C"]),
        ("channels come before processes", "broadcast chan a, b; chan priority a < b; process Q() { state D, E; init D; trans D -> E { sync b!; }; } process P() { state A, B; init A; trans A -> B { sync a!; }; } system Q < P;".to_owned(), &["+A[] P.B imply Q.E", "+E<> P.B"]),
        ("a type that is a channel", "typedef chan c_t; urgent c_t c; broadcast c_t b; clock t; process P() { state A, B, C; init A; trans A -> B { sync b!; }, B -> C { sync c!; }; } process Q() { state D, E; init D; trans D -> E { sync c?; }; } system P, Q;".to_owned(), &["+E<> P.C && Q.E", "+E<> P.A && t > 1"]),
        ("an array of channels, indexed by a variable and a selection", "chan c[3]; int v = 1; process P() { state A, B; init A; trans A -> B { sync c[v + 1]!; }; } process Q() { int got; state D, E; init D; trans D -> E { select i : int[0,2]; sync c[i]?; assign got = i; }; } system P, Q;".to_owned(), &["+A[] Q.E imply Q.got == 2", "+E<> Q.E"]),
    ];
    answered(&cases, "model.xta");
}

/// What goes wrong while a model runs is a violation, and says where.
#[test]
fn errors_at_run_time_have_a_place() {
    let cases = [
        ("range", step("int[0,2] v = 2;", "v++"), "3 is outside the range 0 .. 2 of `v`"),
        ("16 bits", step("int v = 32767;", "v++"), "32768 is outside the range -32768 .. 32767 of `v`"),
        ("index", step("int a[2]; int i = 2;", "a[i] = 1"), "index 2 is outside `a`, which is indexed by 0 .. 1"),
        ("index in a guard", one("int a[2]; int i = -1;", "A -> B { guard a[i] == 0; }"), "index -1 is outside `a`"),
        ("division", step("int v; int w;", "v = 1 / w"), "division by zero"),
        ("remainder", step("int v; int w;", "v %= w"), "by zero"),
        ("shift", step("int v; int w = -1;", "v = 1 << w"), "-1 is outside the range 0 .. 31"),
        ("argument", step("int v; int f(int[0,3] n) { return n; }", "v = f(4)"), "outside the range 0 .. 3"),
        ("result", step("int v; int[0,3] f(int n) { return n; }", "v = f(4)"), "outside the range 0 .. 3"),
        ("clock", step("clock t; int v = -1;", "t = v"), "outside the range"),
        ("loop", step("void f() { while (true) { } }", "f()"), "loop"),
        ("invariant", "int v = 0; process P() { clock x; state A, B { x <= 1 / v }; init A; trans A -> B { }; } system P;".to_owned(), "division by zero"),
        ("start", "int w = 0; int v = 1 / w; process P() { state A; init A; } system P;".to_owned(), "division by zero"),
    ];
    for (name, text, message) in cases {
        let queries = Some(Source::new("model.q", "A[] true"));
        let checked = check(&Source::new("model.xta", &text), &Options { queries, ..Options::default() });
        let report = checked.unwrap_or_else(|failure| panic!("{name}: {failure:?}\n{text}"));
        let wrong = report.properties.iter().find(|property| property.verdict == Verdict::Violated);
        let wrong = wrong.unwrap_or_else(|| panic!("{name}: {:?}\n{text}", report.properties));
        let violation = &wrong.violations[0];
        assert!(violation.message.contains(message), "{name}: {}", violation.message);
        assert!(violation.place.is_some(), "{name} has no place");
    }
}

/// Regression: if no state is first, everything held.
#[test]
fn an_invariant_that_forbids_the_start_is_an_error() {
    for (global, invariant) in [("", "x >= 1"), ("int v = 3;", "x <= 2 && v < 3"), ("clock y = 4;", "y <= 3")]
    {
        let text =
            format!("{global} process P() {{ clock x; state A {{ {invariant} }}; init A; }} system P;");
        let checked = check(&Source::new("model.xta", &text), &Options::default());
        let Err(burnside::Failure::Input(found)) = checked else { panic!("{text}: {checked:?}") };
        assert_eq!(found[0].code.0, "E0907");
        assert!(found[0].message.contains("of location A in process P"), "{}", found[0].message);
    }
}

/// What version 3 wrote otherwise: constants without a type, parameters by reference, commas in guards and invariants.
#[test]
fn the_syntax_of_version_3() {
    let text = "
        const N 2, D[2] { 3, 5 };
        const M -1;
        clock t; chan go, stop; int v := N; urgent chan now;
        process P(chan a, b; clock x; int n; const k) {
            const L 7;
            state S { x <= 5, n >= 0 }, T, U;
            commit T;
            init S;
            trans S -> T { guard x >= 1, n == 2; sync a!; assign x := 0, n := n + k; },
                -> U { guard n == 100; },
                T -> U { sync b!; assign n := n + L + D[1] + M; };
        }
        process Q {
            state A, B, C;
            init A;
            trans A -> B { sync go?; }, B -> C { sync stop?; };
        }
        P1 := P(go, stop, t, v, 10);
        system P1, Q;";
    let cases: Vec<Case> = vec![(
        "version 3",
        text.to_owned(),
        &["+E<> P1.U && Q.C && v == 23", "-E<> P1.S && t > 5", "+A[] P1.T imply t == 0"],
    )];
    answered(&cases, "model.xta");
    answered(&cases, "model.ta");
}

/// A query may go on in the next line: inside brackets, before or after an operator, or after a backslash.
#[test]
fn queries_over_several_lines() {
    let text = one("int v;", "A -> B { assign v = 1; }");
    let queries = "//This file was generated from UPPAAL\n\n/*\nFirst\n*/\nE<> P.B\n\nA[] v == 0 imply\n  P.A\n/*\n*/\nE<> (P.B &&\n v == 1)\nA[] P.A \\\n  || P.B\nP.A --> P.A\n  or P.B\nE[] P.A;\n";
    let options = Options { queries: Some(Source::new("model.q", queries)), ..Options::default() };
    let report = check(&Source::new("model.xta", &text), &options).unwrap();
    let found: Vec<_> = report.properties.iter().map(|property| property.verdict).collect();
    assert_eq!(found, [Verdict::Holds; 6]);
}

/// Processes that receive a broadcast in other ways than each other: the order of the system line matters, and renaming
/// them would change what happens. Regression: only instances that take the same edge with the same selection were looked at.
#[test]
fn receivers_that_do_not_commute_are_not_exchanged() {
    let different_edges = "
        typedef scalar[2] id_t;
        int v; bool first; id_t early; broadcast chan all;
        process S() { state A, B; init A; trans A -> B { guard first; sync all!; }; }
        process P(const id_t me) {
            state A, B, C;
            init A;
            trans
                A -> B { guard !first; assign first = true, early = me; },
                A -> C { sync all?; assign v = 1; },
                B -> C { sync all?; assign v = 2; };
        }
        system S, P;";
    let different_selections = "
        typedef scalar[2] id_t;
        int v; int mine[id_t]; broadcast chan all;
        process S() { state A, B; init A; trans A -> B { sync all!; }; }
        process P(const id_t me) {
            state A, B;
            init A;
            trans A -> B { select k : int[1,2]; sync all?; assign v = k, mine[me] = k; };
        }
        system S, P;";
    let same_on_other_channels = "
        typedef scalar[2] id_t;
        int v; broadcast chan one, two;
        process S() { state A, B; init A; trans A -> B { sync one!; }, A -> B { sync two!; }; }
        process P(const id_t me) {
            state A, B;
            init A;
            trans A -> B { sync one?; assign v = 1; }, A -> B { sync two?; assign v = 2; };
        }
        system S, P;";
    // What is reached without symmetry is that either comes last.
    let cases: Vec<Case> = vec![
        ("edges", different_edges.to_owned(), &["+E<> S.B && v == 2", "+E<> S.B && v == 1"]),
        (
            "selections",
            different_selections.to_owned(),
            &[
                "+E<> S.B && v == 1 && exists (i : id_t) mine[i] == 2",
                "-E<> S.B && forall (i : id_t) mine[i] != v",
            ],
        ),
        ("channels", same_on_other_channels.to_owned(), &["+E<> v == 1", "+E<> v == 2"]),
    ];
    answered(&cases, "model.xta");
    let reduced = |text: &str| {
        let options = Options { queries: Some(Source::new("model.q", "A[] true")), ..Options::default() };
        let report = check(&Source::new("model.xta", text), &options).unwrap();
        let shown = report.warnings.iter().any(|warning| warning.code == "W0204");
        assert_eq!(shown, report.reduction == "none", "{:?}", report.warnings);
        report.reduction != "none"
    };
    assert!(!reduced(different_edges) && !reduced(different_selections));
    assert!(reduced(same_on_other_channels));
}

/// Regression: the values of a parameter were exchanged although their channels had different priorities, and a step that
/// was left out as a copy of another was the only one possible.
#[test]
fn channels_of_other_priority_are_not_exchanged() {
    let process = "bool set; process P(const int[0,2] me) { state A, B; init A; trans A -> B { sync c[me]!; assign set = true; }; } system P;";
    let queries: &'static [&'static str] = &[
        "-A[] not set",
        "+E<> forall (i : int[0,2]) P(i).B",
        "+E<> (exists (i : int[0,2]) P(i).B) && (exists (i : int[0,2]) P(i).A)",
    ];
    for (priorities, order) in [
        ("chan priority c[0] < default;", "2"),
        ("chan priority c[0] < c[1] < c[2];", "1"),
        ("chan priority c[0] < c[1], c[2];", "1"),
        ("chan priority c;", "6"),
        ("", "6"),
    ] {
        let text = format!("broadcast chan c[3]; {priorities} {process}");
        answered(&[("priorities", text.clone(), queries)], "model.xta");
        let options = Options { queries: Some(Source::new("model.q", "A[] true")), ..Options::default() };
        let report = check(&Source::new("model.xta", &text), &options).unwrap();
        assert_eq!(report.symmetry.order, order, "{priorities}");
    }
}

/// The order in which a sum is computed makes no difference. Regression: a sum of conditions, which are no numbers in
/// Murphi, kept the scalars of UPPAAL's own example from being exchanged.
#[test]
fn sums_over_scalars_tell_nothing_apart() {
    let text = "
        typedef scalar[3] id_t;
        int balance[id_t]; bool set; id_t last;
        int of(id_t i) { return 2 * balance[i]; }
        process P(const id_t me) {
            clock x;
            state A, B;
            init A;
            trans
                A -> B { guard !set; assign set = true, last = me, balance[me] = -3; },
                B -> A { guard x >= 1; assign set = false, balance[me] = 4, x = 0; };
        }
        system P;";
    let queries: &'static [&'static str] = &[
        "+A[] (sum (i : id_t) P(i).B) <= 1",
        "-A[] (sum (i : id_t) balance[i]) != 12",
        "-A[] (sum (i : id_t) of(i)) < 24",
        "+A[] (sum (i : id_t) (balance[i] > 0 ? 1 : 0)) + (sum (i : id_t) (balance[i] < 0)) <= 3",
    ];
    answered(&[("sums", text.to_owned(), queries)], "model.xta");
    for query in queries {
        let options = Options { queries: Some(Source::new("model.q", &query[1..])), ..Options::default() };
        let report = check(&Source::new("model.xta", text), &options).unwrap();
        assert_eq!(report.symmetry.order, "6", "{query} {:?}", report.warnings);
    }
}

/// An edge of an `.xml` file with these labels.
fn edge(from: &str, to: &str, labels: &[(&str, &str)]) -> String {
    let labels: Vec<String> = labels
        .iter()
        .map(|(kind, text)| format!("<label kind=\"{kind}\" x=\"-34\" y=\"17\">{text}</label>"))
        .collect();
    format!(
        "<transition id=\"t{from}{to}\"><source ref=\"{from}\"/><target ref=\"{to}\"/>{}<nail x=\"1\" y=\"2\"/></transition>",
        labels.join("\n")
    )
}

/// What editors write: a header, places on the page, comments, empty labels, entities, CDATA.
fn written(edges: &[String]) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta>
  <declaration>// Place global declarations here.
broadcast chan go; // tick &amp; tock
int v;<!-- a note --> int w = 1;
<![CDATA[bool less(int a, int b) {{ return a < b && b > 0; }}]]>
clock t;</declaration>
  <template>
    <name x=\"5\" y=\"5\">Task</name>
    <parameter>const int[0,1] id, int &amp;shared</parameter>
    <declaration>clock x;</declaration>
    <location id=\"id0\" x=\"0\" y=\"0\" color=\"#ff00ff\"><name x=\"-10\" y=\"-30\">Idle</name>
      <label kind=\"invariant\" x=\"-10\" y=\"15\">x &lt;= 5 // at most
        &amp;&amp; less(0, w)</label>
      <label kind=\"exponentialrate\">0.5</label><label kind=\"comments\">x &lt; nothing</label></location>
    <location id=\"id1\" x=\"100\" y=\"0\"><name>select</name><urgent/></location>
    <location id=\"id2\" x=\"100\" y=\"0\"><label kind=\"invariant\"></label><committed/></location>
    <branchpoint id=\"id3\" x=\"1\" y=\"2\"/>
    <init ref=\"id0\"/>
    {}
  </template>
  <system>// instances
T0 = Task(0, v);
T1 = Task(1, v);
system T0, T1;
gantt {{ T0: v == 1 -> 1; }}
  </system>
  <queries>
    <option key=\"--diagnostic\" value=\"0\"/>
    <query><formula>E&lt;&gt; T0.select and T1.select and t == 5</formula><comment>both</comment>
      <result outcome=\"success\" type=\"quality\" timestamp=\"2024-01-01\"/></query>
    <query><formula></formula><comment/></query>
    <query><formula>/* nobody
      waits longer */
      A[] T0.Idle imply T0.x &lt;= 5</formula><comment/></query>
    <query><formula>A[] v &lt;= 1</formula></query>
    <query><formula>E&lt;&gt; v == 22</formula></query>
  </queries>
</nta>
",
        edges.join("\n    ")
    )
}

#[test]
fn files_as_editors_write_them() {
    let edges = [
        edge(
            "id0",
            "id3",
            &[
                ("select", "k : int[1,2]"),
                ("guard", "x &gt;= 2 &amp;&amp; v == 0"),
                ("synchronisation", "go!"),
                ("assignment", "shared = k,\nx := 0"),
                ("comments", "not read &lt;"),
            ],
        ),
        edge("id3", "id1", &[("probability", "3"), ("assignment", "")]),
        edge("id3", "id2", &[("probability", "1"), ("assignment", "shared += 10 * k")]),
        edge("id0", "id1", &[("guard", ""), ("synchronisation", "go?")]),
        edge("id2", "id0", &[]),
    ];
    let text = written(&edges);
    for (what, text) in [
        ("plain", text.clone()),
        ("a byte order mark", format!("\u{feff}{text}")),
        ("lines of Windows", text.replace('\n', "\r\n")),
        ("without a head", text[text.find("<nta>").unwrap()..].to_owned()),
    ] {
        let checked = check(&Source::new("model.xml", &text), &Options::default());
        let report = checked.unwrap_or_else(|failure| panic!("{what}: {failure:?}"));
        let found: Vec<_> = report.properties.iter().map(|property| property.verdict).collect();
        let expected = [Verdict::Holds, Verdict::Holds, Verdict::Violated, Verdict::Holds];
        assert_eq!(found, expected, "{what}");
        assert!(
            report.properties[1].name.contains("T0.Idle imply T0.x <= 5"),
            "{}",
            report.properties[1].name
        );
    }
    // The queries of another file are asked in place of its own, which need not be right then.
    let wrong = text.replace("A[] v &lt;= 1", "Pr[&lt;=10](&lt;&gt; v == 1)");
    let refused = check(&Source::new("model.xml", &wrong), &Options::default()).unwrap();
    let errors: Vec<_> = refused.properties.iter().filter_map(|p| p.error.as_ref()).collect();
    assert!(errors.len() == 1 && errors[0].contains("statistical"), "{errors:?}");
    let queries = Some(Source::new("model.q", "E<> v == 2"));
    let report =
        check(&Source::new("model.xml", &wrong), &Options { queries, ..Options::default() }).unwrap();
    assert_eq!(report.verdict, Verdict::Holds);
}

/// Texts with parts left out, doubled, exchanged and changed: whatever comes of them, it is said, with a place in the
/// file, and nothing panics.
#[test]
fn no_text_is_too_wrong_to_be_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/uppaal");
    let mut texts: Vec<(String, String)> = vec![("model.xml".to_owned(), written(&[]))];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "xta") {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            texts.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
    texts.sort();
    let count = std::env::var("BURNSIDE_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(1500);
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as usize % limit.max(1)
    };
    const PIECES: &[&str] = &[
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ",",
        "=",
        "!",
        "?",
        "<",
        "-",
        "int",
        "clock",
        "chan",
        "const",
        "9999999999",
        "-1",
        "0",
        "typedef",
        "struct",
        "scalar[2]",
        "&",
        "&lt;",
        "forall (i : int[0,1])",
        "x'",
        "é",
        "\u{0}",
        "\\",
        "/*",
        "system",
        "process",
        "->",
        "]]>",
        "<![CDATA[",
        "default",
        "priority",
        "select",
        "trans",
        "state",
        ".",
        "::",
    ];
    let (mut good, mut bad) = (0, 0);
    for number in 0..count {
        let (name, text) = &texts[number % texts.len()];
        let words: Vec<&str> =
            text.split_inclusive([' ', '\n', ';', ',', '(', ')', '{', '}', '<', '>']).collect();
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        for _ in 0..1 + below(3) {
            let (at, other) = (below(words.len()), below(words.len()));
            match below(5) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[other].clone()),
                2 => words.swap(at, other),
                3 => words[at] = PIECES[below(PIECES.len())].to_owned(),
                _ => words.insert(at, PIECES[below(PIECES.len())].to_owned()),
            }
        }
        let text = words.concat();
        let source = Source::new(name.as_str(), &text);
        let read = std::panic::catch_unwind(|| burnside_lang::uppaal::load(&source, &[]));
        let Ok((network, diagnostics)) = read else { panic!("{name}\n{text}") };
        for diagnostic in &diagnostics {
            assert!(
                diagnostic.primary.0.end as usize <= text.len()
                    && !diagnostic.render(&source, false).is_empty()
            );
        }
        assert_eq!(
            network.is_none(),
            diagnostics.iter().any(burnside_lang::diag::Diagnostic::is_error),
            "{text}"
        );
        if network.is_none() {
            bad += 1;
            continue;
        }
        good += 1;
        if good % 8 == 0 {
            let limits =
                burnside::Limits { time: Some(std::time::Duration::from_millis(10)), ..Default::default() };
            let queries = Some(Source::new("model.q", "A[] not deadlock\nA<> false"));
            let checked = check(&source, &Options { queries, limits, ..Options::default() });
            assert!(!matches!(checked, Err(burnside::Failure::Internal(_))), "{text}");
        }
    }
    assert!(good * 20 > count && bad * 3 > count, "{good} {bad}");
}

/// Expressions inside each other, or in a row, are read or refused.
#[test]
fn depth_is_refused_before_the_stack_is() {
    let texts = [
        one("", &format!("A -> B {{ guard {}1{}; }}", "(".repeat(50_000), ")".repeat(50_000))),
        one("", &format!("A -> B {{ guard {}1; }}", "!".repeat(50_000))),
        one("", &format!("A -> B {{ guard 1{}; }}", " + 1".repeat(50_000))),
        one("int a[1];", &format!("A -> B {{ guard a{}; }}", "[0]".repeat(50_000))),
        one("int v;", &format!("A -> B {{ assign {}1; }}", "v = ".repeat(50_000))),
        one(&format!("void f() {{ {} }}", "if (true) ".repeat(50_000)), "A -> B { }"),
        one(&format!("void f() {{ {}{} }}", "{".repeat(50_000), "}".repeat(50_000)), "A -> B { }"),
        one(&format!("int v{};", "[1]".repeat(50_000)), "A -> B { }"),
        one(&format!("{}int a;{}v;", "struct { ".repeat(50_000), "} ".repeat(50_000)), "A -> B { }"),
    ];
    for text in texts {
        let checked = check(&Source::new("model.xta", &text), &Options::default());
        assert!(matches!(checked, Err(burnside::Failure::Input(_))), "{}", &text[..60]);
    }
    let long = one("", &format!("A -> B {{ guard 1{} == 3001; }}", " + 1".repeat(3000)));
    let cases: Vec<Case> = vec![("a long sum", long, &["+E<> P.B"])];
    answered(&cases, "model.xta");
}

/// What models of others have beyond the basics.
#[test]
fn more_of_the_language() {
    let fireflies = "
        const int N = 9;
        broadcast chan flash;
        process Fly(const int[1,N] id) {
            clock x;
            state Wait { x <= 10 };
            init Wait;
            trans
                Wait -> Wait { guard x >= 10; sync flash!; assign x = 0; },
                Wait -> Wait { guard x >= 6; sync flash?; assign x = 0; },
                Wait -> Wait { guard x < 6; sync flash?; };
        }
        system Fly;";
    let cases: Vec<Case> = vec![
        (
            "clocks compared with a sum",
            one("clock y;", "A -> B { guard x < y + 3 && y >= 1; }, B -> C { guard x + 2 <= 5; assign y = 0; }"),
            &["+E<> P.C && P.x == 3", "-E<> P.C && P.x > 3 + y", "+A[] P.x <= y + 3", "+E<> P.x - y >= 1 + 1"],
        ),
        (
            "an empty range",
            one(
                "const int N = 0; typedef int[1,N] none; int[0,9] v;
                 void f() { for (i : none) v = 9; for (j : int[3,2]) v = 9; }",
                "A -> B { guard forall (i : none) false; assign v = 1, f(); }, A -> C { select i : none; }",
            ),
            &["+E<> P.B && v == 1", "-E<> P.C", "-E<> exists (i : none) true", "+A[] (sum (i : int[2,1]) 5) == 0"],
        ),
        ("a quantifier with `in`", step("int a[3];", "a[1] = 4"), &["+E<> exists (i in int[0,2]) a[i] == 4"]),
        (
            "a parameter that is assigned to",
            "process T(int[0,5] n, const int k) { state A, B; init A; trans A -> A { guard n > k; assign n--; }, A -> B { guard n == k; }; }
             P = T(3, 1); Q = T(5, 4); system P, Q;"
                .to_owned(),
            &["+E<> P.B && P.n == 1", "+E<> Q.B && Q.n == 4", "-E<> P.n == 0", "+A[] Q.n >= 4"],
        ),
        (
            "edges of the environment",
            "process P() { state A, B; init A; trans A -u-> B { }; } system P;".to_owned(),
            &["+E<> P.B"],
        ),
        (
            "real numbers beside",
            one(
                "double cost = 1.5; const double RATE = 2.0e-3; hybrid clock h; int v;",
                "A -> B { assign cost = cost * RATE + v, v = 2; }",
            )
            .replace("state A,", "state A { h' == 0.5 && x <= 3 },"),
            &["+E<> P.B && v == 2", "+A[] P.A imply P.x <= 3"],
        ),
        ("fireflies", fireflies.to_owned(), &["+A[] forall (i : int[1,N]) Fly(i).x <= 10"]),
    ];
    answered(&cases, "model.xta");
}
