//! Random models whose elements can be counted, as Murphi text.
//!
//! One or two scalarsets; locals that hold no ids, some of them in records; pointers, alone, in an array or a record, or of
//! a union of both scalarsets; plain globals. Rules name up to two elements; guards ask of them, of pointers, and of all
//! elements by quantifiers, which may be nested or count to two; bodies assign, follow pointers and broadcast. Nothing
//! tells elements apart, so that every model is symmetric.

/// Splitmix64.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// A scalarset and its locals.
struct Set {
    name: &'static str,
    size: usize,
    /// A local of three values: what comes before and behind the index.
    place: (&'static str, &'static str),
    /// A local boolean, likewise.
    flag: Option<(&'static str, &'static str)>,
}

/// A pointer, and the scalarset that it points to.
struct Pointer {
    text: String,
    set: usize,
    /// Whether it has a union's type.
    union: bool,
}

struct Writer {
    rng: Rng,
    sets: Vec<Set>,
    pointers: Vec<Pointer>,
    /// Whether there is a function that adds up.
    adds: bool,
    /// Names of variables that were bound so far.
    bound: usize,
}

/// An element that can be named, by its scalarset.
type Names = Vec<(usize, String)>;

/// The model of a seed.
pub fn model(seed: u64) -> String {
    writer(seed).text()
}

/// The model of a seed with more properties, several of which may be false, or have no value in some states.
#[allow(dead_code, reason = "not every test needs it")]
pub fn with_several_properties(seed: u64) -> String {
    let mut writer = writer(seed);
    writer.sets.iter_mut().for_each(|set| set.size = set.size.min(3));
    let mut text = writer.text();
    for i in 10..12 + writer.rng.below(4) {
        let kind = *writer.rng.pick(&["invariant", "invariant", "liveness", "cover"]);
        let mut condition = match writer.rng.below(3) {
            0 => writer.without_value().unwrap_or_else(|| writer.condition(&Names::new(), 1)),
            _ => writer.condition(&Names::new(), 1),
        };
        if writer.rng.chance(40) {
            condition = format!("!({condition})");
        }
        text += &format!("{kind} \"q{i}\" {condition};\n");
    }
    text
}

/// A smaller model with temporal properties, and sometimes with fairness that is not about single elements.
#[allow(dead_code, reason = "not every test needs it")]
pub fn temporal(seed: u64) -> String {
    let mut writer = writer(seed);
    writer.sets.iter_mut().for_each(|set| set.size = set.size.min(3));
    let mut text = writer.text();
    if writer.rng.chance(25) {
        text = text.replacen("\nrule \"r", "\nfair rule \"r", 1);
    }
    if writer.rng.chance(20) {
        text += &format!("fairness \"f\" {};\n", writer.condition(&Names::new(), 1));
    }
    for i in 0..2 + writer.rng.below(3) {
        let depth = 1 + writer.rng.below(3);
        text += &format!("ctl \"c{i}\" {};\n", writer.formula(&Names::new(), depth, false));
    }
    if writer.rng.chance(60) {
        let set = writer.rng.below(writer.sets.len());
        let name = (set, writer.fresh());
        let around = writer.rng.chance(50).then(|| name.clone());
        let condition = writer.condition(&around.iter().cloned().collect(), 1);
        let liveness = format!("liveness \"l\" {condition};\n");
        text += &match around {
            Some((set, name)) => format!("ruleset {name} : {} do {liveness} end;\n", writer.sets[set].name),
            None => liveness,
        };
    }
    text
}

fn writer(seed: u64) -> Writer {
    let mut rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut sets =
        vec![Set { name: "P", size: 2 + rng.below(3), place: ("at[", "]"), flag: Some(("on[", "]")) }];
    if rng.chance(30) {
        sets[0].flag = None;
    }
    if rng.chance(45) {
        let place = if rng.chance(50) { ("job[", "]") } else { ("own[", "].job") };
        let flag = (place.1 == "].job").then_some(("own[", "].up"));
        sets.push(Set { name: "Q", size: 2 + rng.below(2), place, flag });
    }
    let mut writer = Writer { rng, sets, pointers: Vec::new(), adds: false, bound: 0 };
    writer.declare_pointers();
    writer
}

impl Writer {
    fn declare_pointers(&mut self) {
        let count = [0, 1, 1, 2, 2, 3][self.rng.below(6)];
        for i in 0..count {
            let set = self.rng.below(self.sets.len());
            let union = self.sets.len() > 1 && self.rng.chance(8);
            let text = match self.rng.below(5) {
                0 if !union => format!("held{i}[{}]", self.rng.below(2)),
                1 if !union => format!("box{i}.who"),
                _ => format!("t{i}"),
            };
            self.pointers.push(Pointer { text, set, union });
        }
    }

    fn text(&mut self) -> String {
        self.adds = self.rng.chance(6);
        let mut text = String::from("type\n  C : enum { a, b, c };\n");
        for set in &self.sets {
            text += &format!("  {} : scalarset({});\n", set.name, set.size);
        }
        if self.pointers.iter().any(|pointer| pointer.union) {
            text += "  U : union { P, Q };\n";
        }
        text += "var\n  g : 0 .. 2;\n  h : boolean;\n";
        for set in &self.sets {
            match set.place.0 {
                "own[" => text += "  own : array [Q] of record job : C; up : boolean; end;\n",
                before => {
                    text += &format!("  {} : array [{}] of C;\n", before.trim_end_matches('['), set.name)
                }
            }
            if set.flag == Some(("on[", "]")) {
                text += "  on : array [P] of boolean;\n";
            }
        }
        for (i, pointer) in self.pointers.iter().enumerate() {
            let ty = if pointer.union { "U" } else { self.sets[pointer.set].name };
            text += &match pointer.text.as_bytes()[0] {
                b'h' => format!("  held{i} : array [0 .. 1] of {ty};\n"),
                b'b' => format!("  box{i} : record who : {ty}; full : boolean; end;\n"),
                _ => format!("  t{i} : {ty};\n"),
            };
        }
        if self.adds {
            text += "function many() : 0 .. 4;\nvar n : 0 .. 4;\nbegin\n  n := 0;\n  for e : P do if at[e] = a \
                     then n := n + 1; end; end;\n  return n;\nend;\n";
        }
        text += "function busy(e : P) : boolean;\nbegin\n  return at[e] != a;\nend;\n";
        text += &self.start();
        for i in 0..2 + self.rng.below(4) {
            text += &self.rule(i);
        }
        for i in 0..1 + self.rng.below(3) {
            text += &self.property(i);
        }
        text
    }

    fn start(&mut self) -> String {
        let mut body = format!("  g := {};\n  h := false;\n", self.rng.below(2));
        for i in 0..self.sets.len() {
            let Set { name, place, flag, .. } = self.sets[i];
            body += &format!("  for e : {name} do\n    {}e{} := a;\n", place.0, place.1);
            if let Some(flag) = flag {
                body += &format!("    {}e{} := false;\n", flag.0, flag.1);
            }
            body += "  end;\n";
        }
        let owner = self.pointers.iter().position(|pointer| pointer.set == 0);
        match owner {
            Some(pointer) if self.rng.chance(40) => {
                body += &format!("  {} := owner;\n", self.pointers[pointer].text);
                format!("ruleset owner : P do startstate \"start\"\nbegin\n{body}end; end;\n")
            }
            _ => format!("startstate \"start\"\nbegin\n{body}end;\n"),
        }
    }

    fn fresh(&mut self) -> String {
        self.bound += 1;
        format!("x{}", self.bound)
    }

    /// A condition about an element.
    fn local(&mut self, (set, name): &(usize, String)) -> String {
        let Set { place, flag, .. } = self.sets[*set];
        let held: Vec<_> = self.pointers.iter().filter(|p| p.set == *set).map(|p| p.text.clone()).collect();
        match (self.rng.below(6), flag) {
            (0, Some(flag)) => format!("{}{name}{}", flag.0, flag.1),
            (1, _) if !held.is_empty() => {
                let pointer = self.rng.pick(&held);
                format!("(!isundefined({pointer}) & {pointer} = {name})")
            }
            (2, _) if *set == 0 => format!("busy({name})"),
            (3, _) => format!("{}{name}{} != {}", place.0, place.1, self.rng.pick(&["a", "b", "c"])),
            _ => format!("{}{name}{} = {}", place.0, place.1, self.rng.pick(&["a", "b", "c"])),
        }
    }

    /// A condition that has no value where a pointer is undefined.
    fn without_value(&mut self) -> Option<String> {
        let pointers: Vec<_> = self.pointers.iter().filter(|pointer| !pointer.union).collect();
        if pointers.is_empty() {
            return None;
        }
        let Pointer { text, set, .. } = self.rng.pick(&pointers);
        let (text, set) = (text.clone(), *set);
        Some(self.local(&(set, text)))
    }

    fn condition(&mut self, names: &Names, depth: usize) -> String {
        if depth > 0 && self.rng.chance(45) {
            let (x, y) = (self.condition(names, depth - 1), self.condition(names, depth - 1));
            return match self.rng.below(4) {
                0 => format!("({x} | {y})"),
                1 => format!("!({x})"),
                2 => format!("({x} -> {y})"),
                _ => format!("({x} & {y})"),
            };
        }
        match self.rng.below(9) {
            0 => format!("g = {}", self.rng.below(3)),
            1 => "h".to_owned(),
            2 | 3 => self.quantified(names, depth),
            4 if !self.pointers.is_empty() => {
                let (i, j) = (self.rng.below(self.pointers.len()), self.rng.below(self.pointers.len()));
                let (p, q) = (&self.pointers[i], &self.pointers[j]);
                match i != j && p.set == q.set && p.union == q.union {
                    true => format!("(!isundefined({0}) & !isundefined({1}) & {0} = {1})", p.text, q.text),
                    false => format!("isundefined({})", p.text),
                }
            }
            5 if !self.pointers.is_empty() => {
                let i = self.rng.below(self.pointers.len());
                let Pointer { text, set, union } = &self.pointers[i];
                let (text, set, union) = (text.clone(), *set, *union);
                match union {
                    true => format!("!isundefined({text})"),
                    false => format!("(!isundefined({text}) & {})", self.local(&(set, text.clone()))),
                }
            }
            6 if self.adds => format!("many() = {}", self.rng.below(3)),
            _ if !names.is_empty() => {
                let name = self.rng.pick(names).clone();
                self.local(&name)
            }
            _ => self.quantified(names, depth),
        }
    }

    fn quantified(&mut self, names: &Names, depth: usize) -> String {
        let set = self.rng.below(self.sets.len());
        let (word, own) = (*self.rng.pick(&["exists", "forall"]), self.sets[set].name);
        let name = (set, self.fresh());
        let mut body = self.local(&name);
        if depth > 0 && self.rng.chance(25) {
            // Of two different ones.
            let other = (set, self.fresh());
            let (first, second) = (self.local(&name), self.local(&other));
            let (x, y) = (&name.1, &other.1);
            body = format!("exists {y} : {own} do {x} != {y} & {first} & {second} end");
        } else if depth > 0 && self.rng.chance(40) {
            let mut inner = names.clone();
            inner.push(name.clone());
            let more = self.condition(&inner, depth - 1);
            body = format!("({body} {} {more})", self.rng.pick(&["&", "|", "->"]));
        }
        let others: Vec<_> = names.iter().filter(|(s, _)| *s == set).cloned().collect();
        if !others.is_empty() && self.rng.chance(40) {
            let other = &self.rng.pick(&others).1;
            body =
                format!("({} {} {other} {} {body})", name.1, "!=", if word == "exists" { "&" } else { "->" });
        }
        format!("{word} {} : {own} do {body} end", name.1)
    }

    /// What is done to an element.
    fn change(&mut self, (set, name): &(usize, String)) -> String {
        let Set { place, flag, .. } = self.sets[*set];
        match (flag, self.rng.below(4)) {
            (Some(flag), 0) => format!("{0}{name}{1} := !{0}{name}{1};", flag.0, flag.1),
            (Some(flag), 1) => {
                format!("{}{name}{} := {}{name}{} = b;", flag.0, flag.1, place.0, place.1)
            }
            _ => format!("{}{name}{} := {};", place.0, place.1, self.rng.pick(&["a", "b", "c"])),
        }
    }

    fn statement(&mut self, names: &Names, depth: usize) -> String {
        let pointer = (!self.pointers.is_empty()).then(|| self.rng.below(self.pointers.len()));
        match (self.rng.below(14), pointer) {
            (0, _) => "g := (g + 1) % 3;".to_owned(),
            (1, _) => "h := !h;".to_owned(),
            (2, _) if depth > 0 => {
                let (condition, inner) = (self.condition(names, 1), self.statement(names, depth - 1));
                let otherwise = self.statement(names, depth - 1);
                format!("if {condition} then {inner} else {otherwise} end;")
            }
            (3, _) => self.broadcast(names),
            (4 | 5, Some(i)) => {
                let Pointer { text, set, .. } = &self.pointers[i];
                match names.iter().find(|(s, _)| s == set) {
                    Some((_, name)) => format!("{text} := {name};"),
                    None => format!("undefine {text};"),
                }
            }
            (6, Some(i)) => format!("undefine {};", self.pointers[i].text),
            (7, Some(i)) => {
                let j = self.rng.below(self.pointers.len());
                let (p, q) = (&self.pointers[i], &self.pointers[j]);
                match p.set == q.set && p.union == q.union {
                    true => format!("if !isundefined({1}) then {0} := {1}; end;", p.text, q.text),
                    false => format!("undefine {};", p.text),
                }
            }
            (8, Some(i)) if !self.pointers[i].union => {
                let (set, text) = (self.pointers[i].set, self.pointers[i].text.clone());
                let change = self.change(&(set, text.clone()));
                format!("if !isundefined({text}) then {change} end;")
            }
            (9, _) if self.rng.chance(30) => {
                let condition = self.condition(names, 1);
                format!("assert {condition} | g = 0 \"as it should be\";")
            }
            _ => match names.is_empty() {
                true => "g := 0;".to_owned(),
                false => {
                    let name = self.rng.pick(names).clone();
                    self.change(&name)
                }
            },
        }
    }

    /// Something that is done to all elements.
    fn broadcast(&mut self, names: &Names) -> String {
        let set = self.rng.below(self.sets.len());
        let element = (set, self.fresh());
        let (name, own) = (element.1.clone(), self.sets[set].name);
        let (condition, change) = (self.local(&element), self.change(&element));
        let others: Vec<_> = names.iter().filter(|(s, _)| *s == set).cloned().collect();
        let body = match self.rng.below(4) {
            0 => change,
            1 if !others.is_empty() => {
                format!("if {name} != {} then {change} end;", self.rng.pick(&others).1)
            }
            _ => format!("if {condition} then {change} end;"),
        };
        format!("for {name} : {own} do {body} end;")
    }

    fn rule(&mut self, number: usize) -> String {
        let names: Names = (0..[0, 1, 1, 1, 1, 2][self.rng.below(6)])
            .map(|_| (self.rng.below(self.sets.len()), self.fresh()))
            .collect();
        let mut guard = self.condition(&names, 2);
        if let Some(name) = names.first() {
            guard = format!("{} & {guard}", self.local(&name.clone()));
        }
        let body: Vec<_> = (0..1 + self.rng.below(3)).map(|_| self.statement(&names, 1)).collect();
        let rule = format!("rule \"r{number}\"\n  {guard}\n==>\nbegin\n  {}\nend;", body.join("\n  "));
        names.iter().rev().fold(rule, |rule, (set, name)| {
            format!("ruleset {name} : {} do {rule} end;", self.sets[*set].name)
        }) + "\n"
    }

    /// A condition of a formula; now and then one that has no value everywhere.
    fn atom(&mut self, names: &Names) -> String {
        let pointers: Vec<_> = self.pointers.iter().filter(|p| !p.union).collect();
        if !pointers.is_empty() && self.rng.chance(2) {
            let Pointer { text, set, .. } = self.rng.pick(&pointers);
            let place = self.sets[*set].place;
            return format!("({}{text}{} = b)", place.0, place.1);
        }
        format!("({})", self.condition(names, 1))
    }

    /// A formula about these elements; quantifiers are outside temporal operators.
    fn formula(&mut self, names: &Names, depth: usize, inside: bool) -> String {
        if depth == 0 {
            return self.atom(names);
        }
        if !inside && names.len() < 2 && self.rng.chance(50) {
            let set = self.rng.below(self.sets.len());
            let (word, own) = (*self.rng.pick(&["exists", "forall"]), self.sets[set].name);
            let name = self.fresh();
            let mut inner = names.clone();
            inner.push((set, name.clone()));
            return format!("({word} {name} : {own} do {} end)", self.formula(&inner, depth, false));
        }
        let temporal = inside || self.rng.chance(75);
        let f = self.formula(names, depth - 1, temporal);
        let g = self.formula(names, depth - 1, temporal);
        if !temporal {
            let all = [
                format!("(!{f})"),
                format!("({f} -> {g})"),
                format!("({f} & {g})"),
                format!("({f} <-> {g})"),
            ];
            return self.rng.pick(&all).clone();
        }
        let unary = *self.rng.pick(&["AX", "EX", "AF", "EF", "AG", "EG", "AG", "AF", "EY", "EP"]);
        let (paths, binary) = (*self.rng.pick(&["A", "E"]), *self.rng.pick(&["U", "R", "W"]));
        match self.rng.below(10) {
            0..=5 => format!("({unary} {f})"),
            6 | 7 => format!("({paths} [ {f} {binary} {g} ])"),
            8 => format!("({f} -> {g})"),
            _ => format!("(!{f})"),
        }
    }

    fn property(&mut self, number: usize) -> String {
        let mut condition = self.condition(&Names::new(), 2);
        if self.rng.chance(20) {
            return format!("cover \"p{number}\" {condition};\n");
        }
        for _ in 0..self.rng.below(3) {
            condition = format!("({condition}) | {}", self.condition(&Names::new(), 1));
        }
        format!("invariant \"p{number}\" {condition};\n")
    }
}
