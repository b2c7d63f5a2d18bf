//! Certificates cover all states of real models, and none that was altered is accepted.

use std::path::{Path, PathBuf};

use burnside::{Detect, Options, Reduce, Scope, Source, Verification, check, verify_certificate};
use burnside_certify::{Certificate, Claim, Domain, Generator, Values, read};

/// Models with one domain, with two, with ids in locals, with data, and without symmetry.
const MODELS: [&str; 6] = [
    "token_mutex.m",
    "readers_writers.m",
    "mcs_lock_abstract.m",
    "german_nodata.m",
    "peterson.m",
    "dining.m",
];

fn model(name: &str) -> Source {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi").join(name);
    Source::new(name, std::fs::read_to_string(path).expect("a model"))
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("burnside-{}-{name}.certificate", std::process::id()))
}

/// The certificate of a check of all there is, as text.
fn certificate(source: &Source, test: &str, options: Options) -> String {
    let path = file(&format!("{test}-{}", source.name()));
    let mut options = Options { certificate: Some(path.clone()), ..options };
    options.limits.max_errors = u64::MAX;
    check(source, &options).expect("a check");
    let text = std::fs::read_to_string(&path).expect("a certificate");
    let _ = std::fs::remove_file(path);
    text
}

fn rejected(source: &Source, certificate: &str) -> bool {
    matches!(verify_certificate(source, certificate, Scope::Listed), Verification::Rejected(_))
}

/// Alters a certificate that is otherwise whole; whether it is rejected then.
fn altered(source: &Source, good: &Certificate, alter: impl FnOnce(&mut Certificate)) -> bool {
    let mut bad = good.clone();
    alter(&mut bad);
    assert_ne!(bad, *good, "nothing was altered");
    rejected(source, &bad.to_string())
}

#[test]
fn certificates_cover_all_states() {
    for name in MODELS {
        let source = model(name);
        let text = certificate(&source, "all", Options::default());
        for scope in [Scope::Listed, Scope::Orbits] {
            let Verification::Accepted(accepted) = verify_certificate(&source, &text, scope) else {
                panic!("{name}: {:?}", verify_certificate(&source, &text, scope));
            };
            assert!(accepted.is_full() && accepted.states > 0, "{name}: {accepted:?}");
        }
        assert_eq!(read(&text).expect("it is read").to_string(), text, "{name}: it is printed as it was");
    }
}

/// Of every line, one character.
#[test]
fn damage_is_noticed() {
    let source = model("token_mutex.m");
    let text = certificate(&source, "damage", Options::default());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let middle = at + line.len() / 2;
        let replaced = if &text[middle..=middle] == "7" { "8" } else { "7" };
        let bad = format!("{}{replaced}{}", &text[..middle], &text[middle + 1..]);
        let found = verify_certificate(&source, &bad, Scope::Listed);
        let accepted = matches!(found, Verification::Accepted(_));
        assert!(!accepted, "accepted with another {line}");
        let cut = format!("{}{}", &text[..at], &text[at + line.len()..]);
        assert!(!matches!(verify_certificate(&source, &cut, Scope::Listed), Verification::Accepted(_)));
        at += line.len();
    }
    assert!(matches!(
        verify_certificate(&source, "something else\n", Scope::Listed),
        Verification::NoCertificate(_)
    ));
}

/// What is altered is wrong in itself, not only in its hash.
#[test]
fn no_altered_entry_is_accepted() {
    for name in MODELS {
        let source = model(name);
        let good = read(&certificate(&source, "altered", Options::default())).expect("it is read");
        let some = |n: usize| (0..n).step_by(1 + n / 12);
        for state in some(good.states.len()) {
            for cell in some(good.states[state].cells.len()) {
                let change = |c: &mut Certificate| c.states[state].cells[cell] += 1;
                assert!(altered(&source, &good, change), "{name}: state {state}, cell {cell}");
            }
            assert!(
                altered(&source, &good, |c| drop(c.states.remove(state))),
                "{name}: without state {state}"
            );
            let moves = good.states[state].moves.as_ref().map_or(0, Vec::len);
            for step in some(moves) {
                let change = |c: &mut Certificate| {
                    let moves = c.states[state].moves.as_mut().expect("there are some");
                    moves[step].to = (moves[step].to + 1) % good.states.len();
                };
                assert!(altered(&source, &good, change), "{name}: state {state}, step {step}");
                let entry = &good.states[state].moves.as_ref().expect("there are some")[step];
                if let Some(images) = &entry.images {
                    let domain =
                        images.iter().position(|images| images.len() > 1).expect("it moves something");
                    let change = |c: &mut Certificate| {
                        let moves = c.states[state].moves.as_mut().expect("there are some");
                        let images = moves[step].images.as_mut().expect("it moves something");
                        images[domain][0] = images[domain][1];
                    };
                    assert!(altered(&source, &good, change), "{name}: permutation of {state}, {step}");
                }
            }
            let drop_step = |c: &mut Certificate| c.states[state].moves = Some(Vec::new());
            assert!(moves == 0 || altered(&source, &good, drop_step), "{name}: no steps from {state}");
        }
        assert!(altered(&source, &good, |c| drop(c.starts.pop())), "{name}: a start state less");
        assert!(altered(&source, &good, |c| c.model ^= 1), "{name}: another model");
        assert!(altered(&source, &good, |c| c.claims.push(Claim::Property(99))), "{name}: a claim too many");
        for generator in 0..good.generators.len() {
            let not_bijective = |c: &mut Certificate| {
                let images = &mut c.generators[generator].images;
                let domain = images.iter().position(|images| images.len() > 1).expect("it moves something");
                images[domain][0] = images[domain][1];
            };
            assert!(altered(&source, &good, not_bijective), "{name}: generator {generator}");
            let nothing = |c: &mut Certificate| {
                c.generators[generator].images.iter_mut().for_each(|images| images.sort_unstable());
            };
            assert!(altered(&source, &good, nothing), "{name}: generator {generator} moves nothing");
            let fewer = |c: &mut Certificate| drop(c.generators.remove(generator));
            assert!(altered(&source, &good, fewer), "{name}: without generator {generator}");
        }
        for domain in 0..good.domains.len() {
            let change = |c: &mut Certificate| c.domains[domain].values = Values::Declared(9);
            assert!(altered(&source, &good, change), "{name}: domain {domain}");
        }
    }
}

/// Images exchanged: the permutation is one, but leads elsewhere.
#[test]
fn a_wrong_permutation_is_rejected() {
    let source = model("peterson.m");
    let good = read(&certificate(&source, "permutation", Options::default())).expect("it is read");
    let (mut tried, mut noticed) = (0, 0);
    for (state, entry) in good.states.iter().enumerate() {
        for step in 0..entry.moves.as_ref().map_or(0, Vec::len) {
            if entry.moves.as_ref().expect("a full one")[step].images.is_none() {
                continue;
            }
            tried += 1;
            noticed += usize::from(altered(&source, &good, |c| {
                let images = c.states[state].moves.as_mut().expect("a full one")[step].images.as_mut();
                images.expect("it moves something")[0].swap(0, 1);
            }));
        }
    }
    // Where the state does not change under the exchange, it is right as well.
    assert!(tried > 20 && noticed * 2 > tried, "{noticed} of {tried}");
}

#[test]
fn false_claims_are_rejected() {
    let source = model("dining.m");
    let good = read(&certificate(&source, "claims", Options::default())).expect("it is read");
    assert!(!good.claims.contains(&Claim::NoDeadlock), "the model has a deadlock");
    assert!(altered(&source, &good, |c| c.claims.push(Claim::NoDeadlock)));
}

/// Where the condition of a property has no value there is an error at run time, also if that property is not claimed; and
/// what has no value is not claimed either.
#[test]
fn claims_about_conditions_without_values_are_rejected() {
    let source = Source::new(
        "valueless.m",
        "var x, y: boolean; startstate begin y := false; end;
        rule \"flip\" begin y := !y; end;
        liveness \"lives\" x; invariant \"holds\" x; invariant \"fine\" y | !y;",
    );
    let good = read(&certificate(&source, "valueless", Options::default())).expect("it is read");
    assert_eq!(good.claims, [Claim::Property(2), Claim::NoDeadlock]);
    assert!(altered(&source, &good, |c| c.claims.push(Claim::Property(1))));
    assert!(altered(&source, &good, |c| c.claims.push(Claim::NoError)));
    let lives = Source::new("lives.m", source.text().replace("invariant \"holds\" x;", ""));
    let good = read(&certificate(&lives, "lives", Options::default())).expect("it is read");
    assert!(altered(&lives, &good, |c| c.claims.push(Claim::NoError)));
}

/// The processes of this model are no symmetry: the writer is not like the readers.
#[test]
fn a_permutation_that_is_no_symmetry_is_rejected() {
    let source = model("readers_writer_priority.m");
    let options = Options { reduce: Reduce::None, ..Options::default() };
    let good = read(&certificate(&source, "priority", options)).expect("it is read");
    let model = burnside_lang::murphi::load(&source, &[]).0.expect("a model");
    let process = model.types.ids().find(|ty| model.types[*ty].name.as_deref() == Some("Process"));
    let values = Values::Attached(vec![0, 1, 2], vec![(process.expect("a type").0, 1)]);
    let with = |images: Vec<u32>| {
        let mut claimed = good.clone();
        claimed.domains.push(Domain { name: "Process".to_owned(), values: values.clone() });
        claimed.generators.push(Generator { images: vec![images], why: "it looks like one".to_owned() });
        claimed.to_string()
    };
    assert!(rejected(&source, &with(vec![2, 1, 0])), "a reader becomes the writer");
    let readers = verify_certificate(&source, &with(vec![1, 0, 2]), Scope::Orbits);
    assert!(matches!(readers, Verification::Accepted(_)), "{readers:?}");
}

/// Symmetry that was detected is certified as well, and so is a sample.
#[test]
fn detected_symmetry_and_samples() {
    let text = model("readers_writers.m").text().replace("scalarset(N)", "1..N");
    let source = Source::new("ranges.m", text);
    let full = certificate(&source, "detected", Options::default());
    assert!(full.contains("domain attached"), "{}", &full[..600]);
    assert!(matches!(verify_certificate(&source, &full, Scope::Orbits), Verification::Accepted(_)));
    let options = Options { certificate_states: Some(7), ..Options::default() };
    let sample = certificate(&source, "sample", options);
    match verify_certificate(&source, &sample, Scope::Listed) {
        Verification::Accepted(accepted) => {
            assert_eq!((accepted.expanded, accepted.is_full()), (7, false), "{accepted:?}");
        }
        other => panic!("{other:?}"),
    }
}

/// A certificate made for a symmetric model, with the hash of a sibling in which one of four states of an orbit goes wrong. At
/// the listed states there may be nothing to see; what is accepted as a proof is checked at all states.
#[test]
fn a_certificate_of_a_symmetric_sibling_is_no_proof() {
    let text = |guard: &str| {
        format!(
            "type P: 0..3; var a: array [P] of boolean; s: 0..1;
            startstate begin for p: P do a[p] := false; end; s := 0; end;
            ruleset p: P do rule \"flip\" s = 0 ==> begin a[p] := !a[p]; end; end;
            rule \"bad\" {guard} ==> begin s := 1; end;
            invariant \"never\" s = 0;"
        )
    };
    let symmetric = Source::new("symmetric.m", text("s = 1"));
    let good = read(&certificate(&symmetric, "sibling", Options::default())).expect("a certificate");
    assert!(!good.generators.is_empty() && good.claims.contains(&Claim::Property(0)), "{good:?}");
    let mut passed = 0;
    for only in 0..4 {
        let guard = format!("forall p: P do a[p] = (p = {only}) end");
        let sibling = Source::new("sibling.m", text(&guard));
        let own = certificate(&sibling, "own", Options { reduce: Reduce::None, ..Options::default() });
        let mut forged = good.clone();
        forged.model = read(&own).expect("a certificate").model;
        let forged = forged.to_string();
        assert!(matches!(verify_certificate(&sibling, &forged, Scope::Orbits), Verification::Rejected(_)));
        if let Verification::Accepted(accepted) = verify_certificate(&sibling, &forged, Scope::Listed) {
            passed += 1;
            assert!(accepted.gap().is_some(), "{guard}: accepted as a proof");
        }
    }
    assert!(passed > 0, "the listed states show it: the test shows nothing");
}

/// Through the command line: accepted, rejected, no certificate.
#[test]
fn exit_codes() {
    let path = file("exit-codes");
    let text = certificate(&model("token_mutex.m"), "exit", Options::default());
    let run = |text: &str, model: &str, args: &[&str]| {
        std::fs::write(&path, text).expect("a file");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_burnside"));
        command.arg("verify-certificate").arg(folder.join(model)).arg(&path).args(args);
        let output = command.output().expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, said) = run(&text, "token_mutex.m", &["--orbits"]);
    assert!(code == Some(0) && said.contains("accepted"), "{said}");
    assert_eq!(run(&text, "token_mutex.m", &["--quiet"]), (Some(0), String::new()));
    let (code, said) = run(&text, "token_mutex.m", &["--listed"]);
    assert!(code == Some(3) && said.contains("no proof"), "{said}");
    let options = Options { certificate_states: Some(2), ..Options::default() };
    let sample = certificate(&model("token_mutex.m"), "sample-exit", options);
    let (code, said) = run(&sample, "token_mutex.m", &[]);
    assert!(code == Some(3) && said.contains("no proof: it is a sample"), "{said}");
    assert_eq!(run(&sample, "token_mutex.m", &["--quiet"]), (Some(3), String::new()));
    let (code, said) = run(&text, "peterson.m", &[]);
    assert!(code == Some(1) && said.contains("rejected: it is for another model"), "{said}");
    assert_eq!(run(&text.replace("claim", "clown"), "token_mutex.m", &[]).0, Some(1));
    assert_eq!(run("nonsense", "token_mutex.m", &[]).0, Some(2));
    assert_eq!(run(&text, "no_such_model.m", &[]).0, Some(2));
    let _ = std::fs::remove_file(path);
}

/// Loops between numbers are taken for loops over processes: those who read the certificate need not know.
#[test]
fn counted_loops() {
    let source = Source::new(
        "loops.m",
        "type P: 0..2; var a: array [P] of boolean;
        startstate begin for i := 0 to 2 do a[i] := false; end; end;
        ruleset p: P do rule \"set\" !a[p] ==> begin a[p] := true; end; end;
        rule \"reset\" forall i := 0 to 2 do a[i] end ==> begin for i := 0 to 2 do a[i] := false; end; end;",
    );
    let text = certificate(&source, "loops", Options::default());
    let result = verify_certificate(&source, &text, Scope::Orbits);
    assert!(matches!(&result, Verification::Accepted(a) if a.states == 4), "{result:?}\n{text}");
}

/// A quantifier over elements evaluates all its instances, one over a range only until it is decided: what a certificate
/// calls elements is executed as what the model says.
#[test]
fn what_is_executed_is_the_model_as_read() {
    let source = Source::new(
        "quantifier.m",
        "type P: 0..1; var a: array [P] of boolean;
        startstate begin a[0] := true; end;
        rule \"some\" exists i: P do a[i] end ==> begin a[0] := true; end;",
    );
    let text = certificate(&source, "as-read", Options { detect: Detect::Off, ..Options::default() });
    let mut good = read(&text).expect("a certificate");
    let (model, _) = burnside_lang::murphi::load(&source, &[]);
    let model = model.expect("a model");
    let range = |ty: &burnside_model::code::TypeId| model.types[*ty].name.as_deref() == Some("P");
    let ty = model.types.ids().find(range).expect("the range");
    let values = Values::Attached(vec![0, 1], vec![(ty.0, 0)]);
    good.domains.push(Domain { name: "P".to_owned(), values });
    let result = verify_certificate(&source, &good.to_string(), Scope::Listed);
    assert!(matches!(&result, Verification::Accepted(a) if a.states == 1), "{result:?}");
}

/// A protocol that is proved for every size.
const LOCK: &str = "
const N: 3;
type Client: scalarset(N);
var link: array [Client] of boolean; free: boolean;
startstate for c: Client do link[c] := false; end; free := true; end;
ruleset c: Client do
  rule \"connect\" free ==> link[c] := true; free := false; end;
  rule \"disconnect\" link[c] ==> link[c] := false; free := true; end;
end;
invariant \"one\" forall a: Client do forall b: Client do link[a] & link[b] -> a = b end end;
";

#[test]
fn a_proof_for_every_size_is_checked_again() {
    let source = burnside::Source::new("lock.m", LOCK);
    let proved = burnside::prove(&source, &burnside::ProveOptions::default()).expect("it is proved");
    assert_eq!(proved.verdict, burnside::Verdict::Holds, "{}", proved.text);
    let certificate = proved.certificate.expect("there is a certificate");
    let said = burnside::verify_proof(&source, &certificate).expect("it is right");
    assert!(said.contains("enumerated"), "{said}");
    // A weaker invariant, a smaller bound, a line left out, another model.
    let without_one = |word: &str| {
        let mut lines: Vec<&str> = certificate.lines().collect();
        let at = lines.iter().rposition(|line| line.starts_with(word)).expect("such a line");
        lines.remove(at);
        lines.join("\n")
    };
    let lowered = certificate.replace(&format!("bound Client {}", proved.bound[0].1), "bound Client 1");
    for damaged in [without_one("invariant"), without_one("end"), lowered, without_one("bound")] {
        assert!(burnside::verify_proof(&source, &damaged).is_err(), "{damaged}");
    }
    let other = burnside::Source::new("lock.m", LOCK.replace("free := false", "free := true"));
    assert!(burnside::verify_proof(&other, &certificate).is_err());
}

#[test]
fn an_invariant_can_be_pasted_into_the_model() {
    let source = burnside::Source::new("lock.m", LOCK);
    let proved = burnside::prove(&source, &burnside::ProveOptions::default()).expect("it is proved");
    let pasted: String = proved.invariant.iter().map(|clause| format!("invariant {clause};\n")).collect();
    let again = burnside::Source::new("lock.m", format!("{LOCK}{pasted}"));
    let report = burnside::check(&again, &burnside::Options::default()).expect("it is checked");
    assert_eq!(report.verdict, burnside::Verdict::Holds);
}

#[test]
fn a_wrong_lemma_is_named() {
    let source = burnside::Source::new("lock.m", LOCK);
    let lemma = "invariant \"nobody\" forall c: Client do !link[c] end;".to_owned();
    let options = burnside::ProveOptions {
        lemmas: Some(("lemmas.m".to_owned(), lemma)),
        ..burnside::ProveOptions::default()
    };
    let proved = burnside::prove(&source, &options).expect("it is decided");
    assert_eq!(proved.verdict, burnside::Verdict::Violated);
    assert!(proved.text.contains("the lemma \"nobody\" is wrong"), "{}", proved.text);
}

#[test]
fn a_vacuous_model_is_called_so() {
    let text = "const N: 2; type P: scalarset(N); var a: array [P] of boolean;
startstate for p: P do a[p] := false; end; end;
ruleset p: P do rule \"never\" a[p] ==> a[p] := false; end; end;";
    let source = burnside::Source::new("vacuous.m", text);
    let proved = burnside::prove(&source, &burnside::ProveOptions::default()).expect("it is decided");
    assert!(proved.text.contains("states no invariant"), "{}", proved.text);
    assert!(proved.text.contains("vacuous"), "{}", proved.text);
}
