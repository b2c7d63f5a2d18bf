//! The program, and models for it.

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// Three processes that take turns: small, and everything can be asked of it.
pub const MURPHI: &str = "const N : 3; type P : scalarset(N); S : enum { Idle, Busy };
var s : array [P] of S; n : 0..N;
startstate for i : P do s[i] := Idle; end; n := 0; end;
ruleset i : P do
  rule \"enter\" s[i] = Idle ==> s[i] := Busy; n := n + 1; end;
  rule \"leave\" s[i] = Busy ==> s[i] := Idle; n := n - 1; end;
end;
invariant \"few\" n <= N;";

/// So many counters that no engine comes to an end; the counters differ, so that nothing is symmetric.
pub const ENDLESS: &str = "const N : 24; type R : 0..15; var a, b, c, d, e, f, g, h, i, j, k, l : R; m : 0..65535;
startstate a := 0; b := 0; c := 0; d := 0; e := 0; f := 0; g := 0; h := 0; i := 0; j := 0; k := 0; l := 0; m := 0;
end;
rule \"a\" a := (a + 1) % 16; m := (m * 17 + a) % 65536; end;
rule \"b\" b := (b + a) % 16; m := (m * 19 + b) % 65536; end;
rule \"c\" c := (c + b + 1) % 16; m := (m * 23 + c) % 65536; end;
rule \"d\" d := (d + c * 3) % 16; end; rule \"e\" e := (e + d + 5) % 16; end;
rule \"f\" f := (f + e * 7) % 16; end; rule \"g\" g := (g + f + 3) % 16; end;
rule \"h\" h := (h * 3 + g) % 16; end; rule \"i\" i := (i + h * 5 + 1) % 16; end;
rule \"j\" j := (j + i) % 16; end; rule \"k\" k := (k + j * 9) % 16; end; rule \"l\" l := (l + k + 1) % 16; end;
invariant \"any\" a >= 0;";

/// A light and its queries.
pub const UPPAAL: &str = "clock x;
process Light() { state Off, On { x <= 5 }; init Off;
  trans Off -> On { assign x := 0; }, On -> Off { guard x >= 2; }; }
L = Light(); system L;";
/// What is asked of the light.
pub const QUERIES: &str = "A[] not deadlock\nE<> L.On\n";

/// Processes with clocks that are never compared by each other: as many zones as there are interleavings.
pub fn endless_uppaal() -> (String, String) {
    let template = "process P(const int[0, 9] i, const int bound) { clock x; state A, B, C { x <= bound };
        init A; trans A -> B { guard x >= i; assign x := 0; }, B -> C { guard x > i; assign x := 0; },
        C -> A { guard x >= bound - 1; assign x := 0; }; }\n";
    let names: Vec<String> = (0..9).map(|i| format!("p{i}")).collect();
    let instances: String = (0..9).map(|i| format!("p{i} = P({i}, {});\n", 10 + 3 * i)).collect();
    let text = format!("{template}{instances}system {};\n", names.join(", "));
    (
        text,
        "A[] not (p0.C and p1.C and p2.C and p3.C and p4.C and p5.C and p6.C and p7.C and p8.C)\n".to_owned(),
    )
}

/// A coin that is thrown until it has shown heads several times in a row.
pub const PRISM: &str = "dtmc
const int N = 3;
module coin
  x : [0..N] init 0;
  [] x<N -> 0.5:(x'=x+1) + 0.5:(x'=0);
  [] x=N -> true;
endmodule
label \"done\" = x=N;
";
/// What is asked of the coin.
pub const PROPERTIES: &str = "\"ends\": P>=1 [ F \"done\" ];\nR=? [ I=3 ];\n";

/// Threads that never get past a gate that is closed.
pub const TTS: &str = "2 3\n0 0 -> 0 1\n1 1 -> 1 2\n#target 0|2\n";

/// Two processes of which one may be in its critical section.
pub const PROMELA: &str = "bool busy;
active [2] proctype P() {
  do :: atomic { !busy -> busy = true }; busy = false od
}
";

/// As many states as there are, in a probabilistic model; nothing is symmetric.
pub fn endless_prism() -> String {
    let modules = (1..=12).map(|i| {
        format!(
            "module m{i}\n  x{i} : [0..{0}] init 0;\n  [] true -> 0.5:(x{i}'=mod(x{i}+1,{0})) + 0.5:(x{i}'=mod(x{i}*{i}+1,{0}));\nendmodule\n",
            12 + i
        )
    });
    format!("dtmc\n{}", modules.collect::<String>())
}

/// Threads of which many must come together: as many minimal elements as there are ways to spread them.
pub fn endless_tts() -> String {
    let steps = (0..8).map(|i| format!("0 {i} -> 1 {}\n1 {i} -> 0 {}\n", i + 1, i + 1));
    format!("2 9\n{}#target 0|{}\n", steps.collect::<String>(), vec!["8"; 30].join(","))
}

/// Processes with counters, without an end.
pub const ENDLESS_PROMELA: &str = "active [5] proctype P() { byte a; do :: a++ :: a = a * 3 od }\n";

/// Models of all kinds that have no end, with every engine: the arguments of `check`.
pub fn endless(test: &str) -> Vec<Vec<String>> {
    let murphi = file(test, "endless.m", ENDLESS);
    let (text, queries) = endless_uppaal();
    let uppaal = file(test, "endless.xta", text);
    file(test, "endless.q", queries);
    let prism = file(test, "endless.prism", endless_prism());
    let tts = file(test, "endless.tts", endless_tts());
    let promela = file(test, "endless.pml", ENDLESS_PROMELA);
    let engines = super::stopping::ENGINES.iter().map(|engine| [&[murphi.as_str()], *engine].concat());
    let others = [
        vec![uppaal.as_str()],
        vec![prism.as_str(), "--property", "P=? [ F x1=x2&x3=13 ]"],
        vec![tts.as_str()],
        vec![promela.as_str()],
    ];
    let owned = |way: Vec<&str>| way.into_iter().map(str::to_owned).collect();
    engines.chain(others).map(owned).collect()
}

/// A folder of a test.
pub fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("burnside-hall-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A file in the folder of a test.
pub fn file(test: &str, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder(test).join(name);
    std::fs::write(&path, content).expect("a file");
    path.to_string_lossy().into_owned()
}

/// Starts the program.
pub fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Runs the program to its end.
pub fn burnside(arguments: &[&str]) -> Output {
    start(arguments).wait_with_output().expect("the program ends")
}

/// The exit code and everything that was written.
pub fn said(arguments: &[&str]) -> (i32, String) {
    let output = burnside(arguments);
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}
