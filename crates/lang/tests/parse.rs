//! The Murphi parser: what it reads, what it reports, and that nothing makes it fail.

use burnside_lang::diag::{Code, Diagnostic, codes};
use burnside_lang::murphi::ast::*;
use burnside_lang::murphi::parse;
use burnside_lang::source::Source;
use burnside_model::Span;

fn parsed(text: &str) -> (Model, Vec<Diagnostic>) {
    parse(&Source::new("test.m", text))
}

/// The model, which must be without any error or warning.
#[track_caller]
fn good(text: &str) -> Model {
    let source = Source::new("test.m", text);
    let (model, diags) = parse(&source);
    let shown: String = diags.iter().map(|d| d.render(&source, false)).collect();
    assert!(diags.is_empty(), "{shown}");
    model
}

fn errors(text: &str) -> Vec<Code> {
    parsed(text).1.iter().map(|d| d.code).collect()
}

fn rendered(text: &str) -> String {
    let source = Source::new("test.m", text);
    parse(&source).1.iter().map(|d| d.render(&source, false)).collect()
}

/// An expression with every operator in parentheses.
fn shown(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Name(name) => name.name.clone(),
        ExprKind::Undefined(_) => "UNDEFINED".into(),
        ExprKind::Field(e, field) => format!("{}.{}", shown(e), field.name),
        ExprKind::Index(e, index) => format!("{}[{}]", shown(e), shown(index)),
        ExprKind::Call(name, args) => {
            format!("{}({})", name.name, args.iter().map(shown).collect::<Vec<_>>().join(","))
        }
        ExprKind::Unary(op, e) => format!("({op:?} {})", shown(e)),
        ExprKind::Binary(op, a, b) => {
            let op = match op {
                BinaryOp::Arith(op) => format!("{op:?}"),
                BinaryOp::Order(op) => format!("{op:?}"),
                BinaryOp::Logic(op) => format!("{op:?}"),
                other => format!("{other:?}"),
            };
            format!("({} {op} {})", shown(a), shown(b))
        }
        ExprKind::Conditional(a, b, c) => format!("({} ? {} : {})", shown(a), shown(b), shown(c)),
        ExprKind::Quantified(kind, names, e) => format!("({kind:?} {} {})", names.len(), shown(e)),
        other => format!("{other:?}"),
    }
}

#[track_caller]
fn expr(text: &str) -> String {
    let model = good(&format!("invariant {text};"));
    match &model.items[0] {
        Item::Rule(Rule { kind: RuleKind::Property(property), .. }) => shown(&property.condition),
        other => panic!("{other:?}"),
    }
}

#[test]
fn precedence() {
    for (text, expected) in [
        ("!x = y", "(Not (x Eq y))"),
        ("!x & y", "((Not x) Amp y)"),
        ("-x * y", "((Neg x) Mul y)"),
        ("-x + y", "((Neg x) Add y)"),
        ("- ! x = y", "(Neg (Not (x Eq y)))"),
        ("~x * y", "((BitNot x) Mul y)"),
        ("a * -b * c", "((a Mul (Neg b)) Mul c)"),
        ("a - b - c", "((a Sub b) Sub c)"),
        ("a + b * c", "(a Add (b Mul c))"),
        ("a << b + c", "(a Shl (b Add c))"),
        ("a < b << c", "(a Lt (b Shl c))"),
        ("a = !b = c", "(a Eq (Not (b Eq c)))"),
        ("a | b & c", "(a Pipe (b Amp c))"),
        ("a | b ^ c & d", "(a Pipe (b Xor (c Amp d)))"),
        ("a || b && c | d", "(a Or (b And (c Pipe d)))"),
        ("a -> b || c", "(a Implies (b Or c))"),
        ("a -> b ? c : d", "((a Implies b) ? c : d)"),
        ("a ? b ? c : d : e", "(a ? (b ? c : d) : e)"),
        ("a[i].b = d.e[f(1, x,)]", "(a[i].b Eq d.e[f(1,x)])"),
        ("forall i : T do a end & b", "((Forall 1 a) Amp b)"),
    ] {
        assert_eq!(expr(text), expected, "{text}");
    }
    for text in ["a < b < c", "a -> b -> c", "a ? b : c ? d : e"] {
        assert_eq!(errors(&format!("invariant {text};")), [codes::NOT_ASSOCIATIVE], "{text}");
    }
}

#[test]
fn unicode_operators() {
    assert_eq!(expr("¬a ∧ b ∨ c → d"), "((((Not a) And b) Or c) Implies d)");
    assert_eq!(expr("a × b ÷ c − d ≤ e ∕ f"), "((((a Mul b) Div c) Sub d) Le (e Div f))");
    assert_eq!(
        expr("∀ i : T do a ≥ b end && ∃ i : T do a ≠ b end"),
        "((Forall 1 (a Ge b)) And (Exists 1 (a Ne b)))"
    );
    let model = good("rule “name” a ⇒ begin x ≔ 1 end");
    let Item::Rule(Rule { kind: RuleKind::Simple(rule), .. }) = &model.items[0] else { panic!() };
    assert_eq!(rule.name.as_ref().map(|t| t.value.as_str()), Some("name"));
    assert!(rule.guard.is_some());
}

#[test]
fn every_end() {
    for text in [
        "type R : record a : T; b : U; @record;",
        "function f(var a, b : T; c : U) : T; var x : T; begin return x @function;",
        "procedure p() begin @procedure;",
        "startstate begin if a then elsif b then else @if @startstate",
        "rule begin switch a case 1, 2: x := 1; case 3: else @switch @rule",
        "rule begin for i : T do @for; while a do @while; alias a : b; c : d do @alias @rule",
        "rule forall i : T do exists j := 0 to 9 by 2 do a @exists @forall ==> begin @rule",
        "ruleset i : T; j : U do alias a : b do rule @rule @alias; startstate @startstate @ruleset",
        "choose i : net[1] do rule begin multisetremove(i, net) @rule @choose",
    ] {
        good(&text.replace('@', "end"));
        let tail = |part: &str| part.trim_start_matches(|c: char| c.is_ascii_lowercase()).to_string();
        let mut parts = text.split('@');
        let first = parts.next().unwrap_or_default().to_string();
        let bare = parts.fold(first, |text, part| text + "END" + &tail(part));
        good(&bare);
    }
    good("procedure p() begin endfunction; function f() : T; begin endprocedure");
}

#[test]
fn both_dialects() {
    good("var cover, liveness : boolean; assume : boolean rule begin cover := true; liveness.x := 1 end");
    good(
        "var x : boolean; cover x; assume \"a\" x; liveness x \"b\"; rule begin cover (x); assume x \"m\" end",
    );
    good("rule 90 \"name\" x = 1 ==> begin end; rule 1 = x ==> begin end; rule 5 begin end");
    good("var choose, multiset, interleaved, undefined, program, in, pctl, externfun : boolean;");
    good("type M : multiset [3] of T; A : array interleaved [T] of T; R : record interleaved x : T end;");
    good(
        "rule begin multisetadd(a, m); multisetremovepred(i : m, m[i].x); x := multisetcount(i : m, true) end",
    );
    good("ruleset i : T : rule a ==> for j : T; k : T : x[j] := UNDEFINED end end end");
    good("rule f(x) ==> y := 1; end; rule f(x); end; rule x := 1 end; rule a[1].b[f(2)] ==> end");
    good("type E : enum { A, B, }; const a, b : 1; var x : union { T, U, } y : 0..1; CONST c : 0x1F d : 07");
    good("function f() : T var x : T; x := 1; return x; end; procedure p(); p(1, undefined,); end");
    good("rule begin put x + 1; put \"text\"; error \"message\"; clear a.b; undefine c[1]; return end");
    good(
        "rule begin assert \"before\" a; assert a \"after\"; invariant isundefined(x) & ismember(x, 0..3) end",
    );
}

#[test]
fn sections_and_spans() {
    let text = "rule begin end const N : 3; var x : 0..N; type T : boolean;";
    let model = good(text);
    assert_eq!(model.items.len(), 4);
    let Item::Decl(decl) = &model.items[2] else { panic!() };
    assert_eq!(&text[decl.span.start as usize..decl.span.end as usize], "x : 0..N");
}

#[test]
fn strings_and_numbers() {
    let model = good(r#"rule "\"a\\" begin x := 0x10 + 07; end"#);
    let Item::Rule(Rule { kind: RuleKind::Simple(rule), .. }) = &model.items[0] else { panic!() };
    assert_eq!(rule.name.as_ref().map(|t| t.value.as_str()), Some("\"a\\"));
    assert_eq!(errors("const N : 010;"), [codes::OCTAL_NUMBER]);
    assert_eq!(errors("const N : 09;"), [codes::BAD_NUMBER]);
    assert_eq!(errors("const N : 0x;"), [codes::BAD_NUMBER]);
    assert_eq!(errors("const N : 3x;"), [codes::BAD_NUMBER]);
    assert_eq!(errors("const N : 1.5;"), [codes::REAL_NUMBER]);
    assert_eq!(errors("const N : 999999999999999999999999999999999999999999;"), [codes::NUMBER_TOO_LARGE]);
    assert_eq!(errors("rule \"hello\\\" begin\n  x := 1;\nend;")[0], codes::UNTERMINATED_STRING);
    assert_eq!(errors("rule begin end /* "), [codes::UNTERMINATED_COMMENT]);
    assert_eq!(errors("var _x : boolean;"), [codes::LEADING_UNDERSCORE]);
    assert_eq!(errors("#include \"x\"\n"), [codes::UNKNOWN_DIRECTIVE]);
}

#[test]
fn mistakes_have_their_own_codes() {
    for (text, expected) in [
        ("rule begin if a x := 1; end; end;", codes::MISSING_THEN),
        ("rule begin while a x := 1; end; end;", codes::MISSING_DO),
        ("rule begin x = 1; end;", codes::EQUALS_FOR_ASSIGNMENT),
        ("rule begin if x := 1 then y := 1; end; end;", codes::ASSIGNMENT_FOR_EQUALS),
        ("rule begin x := 1 y := 1; end;", codes::MISSING_SEMICOLON),
        ("rule x = 1 begin y := 1; end;", codes::MISSING_ARROW),
        ("rule begin for i : T do endif; end;", codes::MISMATCHED_END),
        ("rule begin if a then endrule;", codes::MISSING_END),
        ("rule begin x := 1; rule begin end;", codes::MISSING_END),
        ("rule begin end; end;", codes::STRAY_END),
        ("var to : boolean;", codes::KEYWORD_AS_NAME),
        ("rule begin x + 1; end;", codes::NOT_A_STATEMENT),
        ("rule begin x := 1; var y : T; end;", codes::MISPLACED_DECLARATION),
        ("rule begin else x := 1; end;", codes::MISPLACED_CLAUSE),
        ("procedure p(a : T, b : T); begin end;", codes::WRONG_SEPARATOR),
        ("var x : real(4, 5);", codes::REAL_NUMBER),
        ("pctl [ true until <= 3 x ] < 1;", codes::PCTL_UNSUPPORTED),
        ("externfun f(a : T; b : T) : T \"f.h\"; rule begin end", codes::EXTERNAL_UNSUPPORTED),
        ("rule begin x := @; y := 1; end;", codes::UNEXPECTED_CHARACTER),
    ] {
        assert_eq!(errors(text), [expected], "{text}");
    }
    assert_eq!(errors("var : boolean;"), [codes::NAMELESS_DECLARATION]);
}

#[test]
fn independent_mistakes_are_all_reported() {
    let text = "
        const N = 3;
        var x : T; y boolean; z : T;
        rule begin
          x := ;
          a := forall i : T do a + end;
          if x then y = 1; end;
        end;
        rule begin z := 1 end;
        rule ) begin end;";
    assert_eq!(
        errors(text),
        [
            codes::UNEXPECTED_TOKEN,
            codes::UNEXPECTED_TOKEN,
            codes::UNEXPECTED_TOKEN,
            codes::UNEXPECTED_TOKEN,
            codes::EQUALS_FOR_ASSIGNMENT,
            codes::UNEXPECTED_TOKEN
        ]
    );
    assert_eq!(errors(&"rule begin x = 1; end;".repeat(100)).len(), 20);
}

#[test]
fn line_directives() {
    let text = "var x : boolean;\n#line 10 \"a.m\"\nrule begin\n  x = 1;\n# 50 \"b.m\" 2\nend;\n end;\n";
    let source = Source::new("test.m", text);
    let (_, diags) = parse(&source);
    let places: Vec<_> = diags.iter().map(|d| source.location(d.primary.0.start)).collect();
    let places: Vec<_> = places.iter().map(|l| (l.file, l.line, l.column)).collect();
    assert_eq!(places, [("a.m", 11, 5), ("b.m", 51, 2)]);
    assert!(diags[0].render(&source, false).contains("a.m:11:5"));
    assert!(diags[1].render(&source, false).contains("b.m:51:2"));
    let first = source.location(0);
    assert_eq!((first.file, first.line, first.column), ("test.m", 1, 1));
}

#[test]
fn bytes() {
    assert!(Source::from_bytes("m", b"var x : boolean;").is_ok());
    let error = Source::from_bytes("m", b"var\n x \xff").unwrap_err();
    assert_eq!(error.code, codes::NOT_UTF8);
    assert!(error.message.contains("line 2"));
    assert_eq!(Source::from_bytes("m", &vec![b' '; (16 << 20) + 1]).unwrap_err().code, codes::FILE_TOO_LARGE);
}

#[test]
fn deep_nesting_is_refused() {
    let repeat = |s: &str| s.repeat(100_000);
    for text in [
        format!("invariant {}x{};", repeat("("), repeat(")")),
        format!("invariant {}x;", repeat("!")),
        format!("invariant x{};", repeat(" + x")),
        format!("invariant x{};", repeat("[x")),
        format!("invariant x{};", repeat(".x")),
        format!("invariant {};", repeat("x ? x : (")),
        format!("invariant {};", repeat("forall i : T do ")),
        format!("rule begin {}", repeat("if x then ")),
        repeat("ruleset i : T do "),
        format!("var x : {}", repeat("array [T] of ")),
        format!("var x : {}", repeat("record a : ")),
    ] {
        assert_eq!(errors(&text), [codes::NESTED_TOO_DEEPLY], "{}", &text[..40]);
    }
    good(&format!("invariant {}x{};", "(".repeat(100), ")".repeat(100)));
    good(&format!("invariant x{};", " & x".repeat(900)));
    good(&format!("rule begin {} end;", "if x then elsif y then end;".repeat(10_000)));
}

#[test]
fn rendering_never_fails() {
    for text in ["", "\n", "x", "é\t“\n\n", "#line 3 \"f\"\n#line 9\n"] {
        let source = Source::new("test.m", text);
        for start in 0..12 {
            for end in 0..12 {
                let span = Span { start, end };
                let d = Diagnostic::error(codes::UNEXPECTED_TOKEN, span, "m").label("l").also(span, "s");
                assert!(d.render(&source, true).contains("E0101"));
            }
        }
    }
}

#[test]
fn codes_are_distinct_and_sorted() {
    let all: Vec<&str> = codes::ALL.iter().map(|(_, code, _)| code.0).collect();
    assert!(all.windows(2).all(|w| w[0] < w[1]));
}

#[test]
fn snapshot_of_a_missing_end() {
    insta::assert_snapshot!(rendered(
        "rule \"first\" x ==>
begin
  if x then
    y := 1;
end;

rule \"second\" begin
\ty = 2
end;
"
    ), @r#"
    error[E0102]: this `rule` is never closed: expected `end`, found `rule`
     --> test.m:7:1
      |
    1 | rule "first" x ==>
      | ---- this `rule` is never closed
    2 | begin
    3 |   if x then
      |   -- perhaps this `if` lacks its `end`
    ...
    7 | rule "second" begin
      | ^^^^ expected `end` before this
      |
      = help: the `end` that closes this `if` is indented less than the `if`
    error[E0107]: expected `:=`, found `=`
     --> test.m:8:4
      |
    8 |     y = 2
      |       ^ this only compares
      |
      = help: use `:=` to assign
    "#);
}

#[test]
fn snapshot_of_a_chain() {
    insta::assert_snapshot!(rendered("invariant \"ordered\" 0 <= x < N;"), @r#"
    error[E0111]: comparisons cannot be chained
     --> test.m:1:28
      |
    1 | invariant "ordered" 0 <= x < N;
      |                       --   ^
      |                       |
      |                       the first one is here
      |
      = help: write `a < b & b < c`, or put parentheses around one of them
    "#);
}
