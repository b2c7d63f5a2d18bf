//! Random small networks with scalars, as UPPAAL text.

/// A small generator of numbers; whether models are to be small: few clocks are compared; and whether differences are.
pub struct Random(u64, bool, bool);

impl Random {
    pub fn new(seed: u64, small: bool, differences: bool) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, small, differences)
    }

    fn clock(&mut self) -> &'static str {
        if self.1 { self.one(&["x", "x", "g"]) } else { self.one(&["x", "y", "g"]) }
    }

    fn difference(&mut self) -> &'static str {
        self.one(&["x - y", "y - x", "x - g", "g - y"])
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A model and its queries. If `closed`, no clock is compared strictly.
pub fn network(seed: u64, closed: bool) -> (String, String) {
    let (text, mut r) = automata(seed, closed, false, false);
    let r = &mut r;
    let goal = goal(r);
    let timed = r.one(&["P(i).x > 2", "P(i).x <= 1 && P(i).y >= 2", "g < 1"]);
    let (two, pair) = (two(r), pair(r));
    let queries = format!(
        "E<> {goal}\nA[] not deadlock\nE<> exists (i : id_t) P(i).L2 && ({timed})\n\
         A[] forall (i : id_t) P(i).L1 imply P(i).x <= 3\nE<> {two}\nA[] {pair}\n"
    );
    (text, suited(seed, queries))
}

/// A model in which clocks stand still in some locations, and its queries. No clock is compared strictly.
pub fn with_stopwatches(seed: u64) -> (String, String) {
    let (mut text, mut queries) = network(seed, true);
    let rate = ["x' == 0", "x' == k", "y' == 0 && x' == 1", "g' == b"][(seed % 4) as usize];
    // The second location, whether it has an invariant or not.
    text = text.replacen(", L1 {", &format!(", L1 {{ {rate} && "), 1);
    text = text.replacen(", L1,", &format!(", L1 {{ {rate} }},"), 1);
    queries.push_str("A[] forall (i : id_t) P(i).L2 imply P(i).y <= 4\n");
    (text, queries)
}

/// Something of two processes, of which the first must be somewhere whatever the second is.
fn two(r: &mut Random) -> String {
    let body = match r.below(4) {
        0 => "P(i).L1 && !P(j).L1 && P(j).k == 1",
        1 => "P(i).L2 && P(j).L1 && P(i).x >= 2 && P(j).x <= 2",
        2 => "(exists (m : id_t) P(m).L2 && s == m) && P(j).y >= P(i).k",
        _ => "P(i).L1 && (exists (m : id_t) P(m).L2 && s == m) && P(j).y >= 1 && i != j",
    };
    format!("exists (i : id_t) exists (j : id_t) {body}")
}

/// Something of all pairs of processes.
fn pair(r: &mut Random) -> String {
    let (body, end) = match r.below(4) {
        0 => ("P(i).L1 && P(j).L1", "i == j"),
        1 => ("P(i).L2 && P(j).L2 && P(i).x >= 1 && P(j).x >= 1", "i == j"),
        2 => ("P(i).L1", "P(j).x > 0"),
        _ => ("!(P(i).L0 or P(j).L0) && P(j).x >= 1", "P(i).x > 0"),
    };
    format!("forall (i : id_t) forall (j : id_t) {body} imply {end}")
}

/// A text without scalars in arrays, for two of five seeds: there, what a scalar has is moved by a shorter way.
fn suited(seed: u64, text: String) -> String {
    let replaced = [
        ("id_t arr[id_t];\n", ""),
        ("  id_t old = arr[i];\n  arr[i] = s;\n  s = old;\n", "  s = i;\n"),
        ("sum (i : id_t) (arr[i] == s)", "sum (i : id_t) (i == s)"),
        ("for (j : id_t) arr[j] = i;", "s = i;"),
        ("arr[me] == s", "s == me"),
        ("arr[i] == s", "s == i"),
        ("arr[me] = s", "k = 1 - k"),
        ("s = arr[me]", "s = me"),
        ("arr[s] = me", "s = me"),
    ];
    match seed % 5 < 2 {
        true => replaced.iter().fold(text, |text, (from, to)| text.replace(from, to)),
        false => text,
    }
}

/// A model and queries with goals that take some time. If `closed`, no clock is compared strictly.
pub fn with_timed_goals(seed: u64, closed: bool) -> (String, String) {
    let (text, mut r) = automata(seed, closed, false, false);
    let r = &mut r;
    let (above, within) = if closed { (">=", "<=") } else { (">", "<") };
    let plain = goal(r);
    let (location, constant) = (1 + r.below(2), 1 + r.below(4));
    let queries = format!(
        "E<> {plain}\nE<> exists (i : id_t) P(i).L{location} && P(i).y {above} {constant}\n\
         E<> g {above} {constant} && exists (i : id_t) P(i).L{location} && P(i).x {within} {}\nA[] b imply g {within} {constant}\n",
        r.below(3)
    );
    (text, suited(seed, queries))
}

/// A model in which many ways lead to the goals, short ones that take long and long ones that are fast, and its queries. If
/// `closed`, no clock is compared strictly.
pub fn journeys(seed: u64, closed: bool) -> (String, String) {
    let mut random = Random::new(seed, false, false);
    let r = &mut random;
    let mut edges = Vec::new();
    for number in 0..9 {
        let source = if number < 5 { number } else { r.below(4) };
        let target = if r.chance(15) { r.below(5) } else { (source + 1 + r.below(3)).min(5) };
        let op = if closed || r.chance(70) { ">=" } else { ">" };
        let least = (r.below(4) + target.saturating_sub(source)).min(5);
        let mut guard = format!("{} {op} {least}", r.one(&["x", "x", "y"]));
        if r.chance(25) {
            guard.push_str(r.one(&[" && free", " && x <= 4", " && y <= 5", " && v < 2", " && v > 0"]));
        }
        let mut updates = vec![r.one(&["x = 0", "x = 0", "x = 0, y = 0", "y = 0", "x = 1"])];
        if r.chance(30) {
            updates.push(r.one(&["free = !free", "v = v == 2 ? 0 : v + 1", "last = me"]));
        }
        edges.push(format!("    L{source} -> L{target} {{ guard {guard}; assign {}; }}", updates.join(", ")));
    }
    let invariant = if r.chance(50) { " { x <= 5 }" } else { "" };
    let text = format!(
        "typedef scalar[2] id_t;\nbool free = true;\nint[0,2] v;\nid_t last;\nclock g;\nprocess P(const id_t me) {{\n  \
         clock x, y;\n  state L0, L1{invariant}, L2, L3{invariant}, L4, L5;\n  init L0;\n  trans\n{};\n}}\nsystem P;\n",
        edges.join(",\n")
    );
    let op = if closed { "<=" } else { "<" };
    let queries = format!(
        "E<> exists (i : id_t) P(i).L5\nE<> exists (i : id_t) P(i).L4 && P(i).y {op} 1 && v == {}\n\
         A[] forall (i : id_t) not (P(i).L3 && {} && P(i).y >= {})\nA[] not deadlock\n",
        r.below(3),
        r.one(&["free", "v == 1", "last != i"]),
        r.below(5)
    );
    (text, queries)
}

/// A small model, and queries about what happens at last or forever.
pub fn small_network(seed: u64, closed: bool) -> (String, String) {
    let (text, mut r) = automata(seed, closed, true, false);
    let r = &mut r;
    let (first, second) = (condition(r), condition(r));
    let (from, to) = (condition(r), condition(r));
    let (some, all) = (condition(r), condition(r));
    let stuck = format!("deadlock && {}", condition(r));
    let queries = format!("E[] {first}\nA<> {second}\n{from} --> {to}\nE<> {some}\nA[] {all}\nE<> {stuck}\n");
    (text, suited(seed, queries))
}

/// A model that compares differences of clocks, never strictly, and its queries.
pub fn with_differences(seed: u64) -> (String, String) {
    let (text, mut r) = automata(seed, true, false, true);
    let r = &mut r;
    let difference = format!("{} {} {}", r.difference(), r.one(&["<=", ">="]), r.below(4) as i64 - 1);
    let difference = difference.replace('x', "P(i).x").replace('y', "P(i).y");
    let goal = goal(r);
    let queries =
        format!("E<> {goal}\nE<> exists (i : id_t) P(i).L2 && {difference}\nA[] not deadlock\nA<> {goal}\n");
    (text, suited(seed, queries))
}

/// A condition of any kind.
fn condition(r: &mut Random) -> String {
    let plain = goal(r);
    match r.below(6) {
        0 => format!("not ({plain})"),
        1 => format!("(forall (i : id_t) P(i).{} or P(i).L0)", r.one(&["L1", "L2"])),
        2 => format!(
            "(exists (i : id_t) P(i).L{} && P(i).x {} {})",
            r.below(3),
            r.one(&["<=", ">", "=="]),
            r.below(3)
        ),
        3 => format!("(g {} {} or {plain})", r.one(&["<", ">="]), r.below(3)),
        4 if r.chance(30) => "not deadlock".to_owned(),
        _ => plain.to_owned(),
    }
}

fn goal(r: &mut Random) -> &'static str {
    r.one(&[
        "exists (i : id_t) P(i).L2 && b",
        "forall (i : id_t) P(i).L2",
        "v == 2",
        "exists (i : id_t) P(i).L1 && arr[i] == s",
        "exists (i : id_t) P(i).k == 1 && s == i",
        "exists (i : id_t) exists (j : id_t) i != j && P(i).L1 && P(j).L1",
    ])
}

fn automata(seed: u64, closed: bool, small: bool, differences: bool) -> (String, Random) {
    let mut random = Random::new(seed, small, differences);
    let r = &mut random;
    let n = if small { 2 } else { 2 + r.below(2) };
    let mut text = format!(
        "typedef scalar[{n}] id_t;\nbool b;\nint[0,2] v;\nid_t s;\nid_t arr[id_t];\nclock g;\n\
         chan c;\nbroadcast chan bc;\nurgent chan u;\nchan own[id_t];\n"
    );
    if r.chance(20) {
        text.push_str(r.one(&["chan priority c < default;\n", "chan priority default < bc;\n"]));
    }
    text.push_str(
        "void swap(id_t i) {\n  id_t old = arr[i];\n  arr[i] = s;\n  s = old;\n}\n\
         int count() { return sum (i : id_t) (arr[i] == s); }\n\
         void all(id_t i) { for (j : id_t) arr[j] = i; }\n",
    );
    text.push_str(&process(r, "P(const id_t me)", true, closed));
    let mut system = "P".to_owned();
    if !small && r.chance(50) {
        text.push_str(&process(r, "Q()", false, closed));
        system = r.one(&["P, Q", "Q, P"]).to_owned();
    }
    text.push_str(&format!("system {system};\n"));
    (suited(seed, text), random)
}

fn process(r: &mut Random, head: &str, owner: bool, closed: bool) -> String {
    let mut text = format!("process {head} {{\n  clock x, y;\n  int[0,1] k;\n");
    let invariant = |r: &mut Random, below: bool| {
        let bound = r.below(4) + 1;
        // Small networks are asked what happens forever: they must not be able to wait everywhere.
        if r.chance(if r.1 { 85 } else { 40 }) {
            let op = if closed || r.chance(60) { "<=" } else { "<" };
            format!(" {{ {} {op} {bound} }}", r.clock())
        } else if below && r.chance(15) {
            format!(" {{ {} >= 1 }}", r.clock())
        } else {
            String::new()
        }
    };
    let (first, second, third) = (invariant(r, false), invariant(r, true), invariant(r, true));
    text.push_str(&format!("  state L0{first}, L1{second}, L2{third};\n"));
    if r.chance(15) {
        text.push_str(r.one(&["  commit L1;\n", "  urgent L1;\n", "  commit L2;\n"]));
    }
    text.push_str("  init L0;\n  trans\n");
    let edges = if r.1 { 5 + r.below(4) } else { 3 + r.below(4) };
    let lines: Vec<String> = (0..edges).map(|number| edge(r, number, owner, closed)).collect();
    text.push_str(&lines.join(",\n"));
    text.push_str(";\n}\n");
    text
}

fn edge(r: &mut Random, number: u64, owner: bool, closed: bool) -> String {
    let source = if number < 3 { number } else { r.below(3) };
    let target = r.below(3);
    let select = r.chance(20);
    let sync = if r.chance(45) {
        let names: &[&str] = if owner {
            &["c!", "c?", "bc!", "bc?", "u!", "u?", "own[me]?"]
        } else {
            &["c!", "c?", "bc!", "bc?", "u?", "own[s]!"]
        };
        r.one(names).to_owned()
    } else {
        String::new()
    };
    // Who does not hear a broadcast since a clock is late is told by a strict condition.
    let timed = !sync.starts_with('u') && (sync != "bc?" || !closed);
    let mut guards = Vec::new();
    if timed && r.chance(if r.1 { 35 } else { 60 }) {
        let op = if closed { r.one(&["<=", ">=", "=="]) } else { r.one(&["<=", ">=", "<", ">", "=="]) };
        guards.push(format!("{} {op} {}", r.clock(), r.below(4)));
    }
    if timed && r.2 && r.chance(50) {
        let (difference, op) = (r.difference(), r.one(&["<=", ">=", "=="]));
        guards.push(format!("{difference} {op} {}", r.below(5) as i64 - 2));
    }
    if r.chance(if r.1 { 20 } else { 40 }) {
        let own: &[&str] =
            &["b", "!b", "v == 0", "v < 2", "k == 0", "s == me", "s != me", "arr[me] == s", "count() == 1"];
        let other: &[&str] =
            &["b", "!b", "v == 1", "v < 2", "k == 0", "count() > 0", "forall (i : id_t) arr[i] == s"];
        guards.push(r.one(if owner { own } else { other }).to_owned());
    }
    if select && r.chance(50) {
        guards.push("j != s".to_owned());
    }
    let mut updates = Vec::new();
    for _ in 0..r.below(4) {
        let shared: &[&str] =
            &["b = !b", "v = v == 2 ? 0 : v + 1", "x = 0", "y = 0", "x = 1", "k = 1 - k", "g = 0", "x = 0"];
        let own: &[&str] = &["s = me", "arr[me] = s", "s = arr[me]", "swap(me)", "all(me)", "arr[s] = me"];
        let pick = if owner && r.chance(40) { r.one(own) } else { r.one(shared) };
        // Every receiver of a broadcast carries out its own.
        if sync != "bc?" || matches!(pick, "x = 0" | "y = 0" | "k = 1 - k" | "arr[me] = s") || r.chance(10) {
            updates.push(pick.to_owned());
        }
    }
    if select {
        updates.push("s = j".to_owned());
    }
    let part =
        |word: &str, text: String| if text.is_empty() { String::new() } else { format!(" {word} {text};") };
    format!(
        "    L{source} -> L{target} {{{}{}{}{} }}",
        part("select", if select { "j : id_t".to_owned() } else { String::new() }),
        part("guard", guards.join(" && ")),
        part("sync", sync),
        part("assign", updates.join(", ")),
    )
}
