//! Every option with every way to check: used or refused by name, as the table says.

use burnside::table::{OF_LANGUAGES, TABLE, Way, refusal, refusal_for};
use burnside::{Language, ModelKind};

use super::program::{MURPHI, PRISM, PROMELA, PROPERTIES, QUERIES, TTS, UPPAAL, file, folder, said};

/// A value for each option, or nothing for a switch; by way where that matters.
fn value(option: &str, way: Way, test: &str) -> Vec<String> {
    let path = |name: &str| folder(test).join(name).to_string_lossy().into_owned();
    let one = |value: &str| vec![option.to_owned(), value.to_owned()];
    let sweep = format!("{}=2..3", if way == Way::Zones { "K" } else { "N" });
    match option {
        "-D" => one(if way == Way::Zones { "K=3" } else { "N=2" }),
        "--language" => one(language(way).name()),
        "--queries" if way == Way::Coverability => one(&file(test, "beside.prop", "1|1")),
        "--queries" => one(&path("light.q")),
        "--only" => one("1"),
        "--property" => one("P=? [ F true ]"),
        "--const" => one("N=2"),
        "--processes-max" => one("3"),
        "--init" => one("0|1"),
        "--target" => one("1|1"),
        "--precision" => one("1e-3"),
        "--run" => one("shortest"),
        "--engine" => match way {
            Way::Zones => one("zones"),
            Way::Chains => one("chains"),
            Way::Coverability => one("coverability"),
            _ if way.chosen_by().contains(&"--engine") => Vec::new(),
            _ => one("explicit"),
        },
        "--reduce"
            if way.chosen_by().contains(&"--reduce") || matches!(way, Way::Counting | Way::OneByOne) =>
        {
            Vec::new()
        }
        "--reduce" => one(if way == Way::Diagrams { "none" } else { "auto" }),
        "--detect" => one("off"),
        "--symmetry-file" => one(&file(test, "more.claims", "")),
        "--canon" => one("sorted"),
        "--order" => one("interleaved"),
        "--relation" => match way {
            Way::Related => one("quotient"),
            Way::Sorted => Vec::new(),
            _ => one("monolithic"),
        },
        "--local-order" if way == Way::Related => Vec::new(),
        "--local-order" => one("s=Busy,Idle"),
        "--search" if way == Way::Related => Vec::new(),
        "--search" => one("bfs"),
        "--alpha" => one("bubble"),
        "--sigma-steps" => one("1"),
        "--under" => one("100"),
        "--counters" if way == Way::OneByOne => Vec::new(),
        "--counters" => one("diagram"),
        "--method" => one("ic3"),
        "--threads" => one("1"),
        "--format" => one(&format!("junit={}", path("format.out"))),
        "--expect" => one("holds"),
        "--checkpoint" | "--certificate" | "--json" | "--html" => {
            one(&path(&format!("{}.out", &option[2..])))
        }
        "--checkpoint-every" => [one("1s"), vec!["--checkpoint".to_owned(), path("every.out")]].concat(),
        "--certificate-states" => [one("all"), vec!["--certificate".to_owned(), path("sample.out")]].concat(),
        // There is none to go on from: it is used if that is what is said.
        "--resume" => one(&path("missing")),
        "--memory" => one("1G"),
        "--time" => one("60s"),
        "--bound" => one("2"),
        "--deadlock" => one("off"),
        "--undefined" => one("error"),
        "--loop-limit" => one("100"),
        "--max-errors" => one("3"),
        "--trace" => one("full"),
        "--progress" => one("plain"),
        "--sweep" => one(&sweep),
        "--repeat" => [one("2"), vec!["--sweep".to_owned(), sweep]].concat(),
        "--write" => [one(&format!("csv={}", path("sweep.csv"))), vec!["--sweep".to_owned(), sweep]].concat(),
        "--exact" | "--reorder" | "--trust-symmetry" | "--compact" | "--rule-stats" | "--allow-empty"
        | "--quiet" => {
            vec![option.to_owned()]
        }
        other => panic!("a value for {other}"),
    }
}

/// A language of the models that a way is for.
fn language(way: Way) -> Language {
    match way.kind() {
        ModelKind::Rules => Language::Murphi,
        ModelKind::Timed => Language::Uppaal,
        ModelKind::Chance => Language::Prism,
        ModelKind::Threads => Language::Tts,
    }
}

#[test]
fn every_option_is_used_or_refused() {
    let test = "table";
    let murphi = file(test, "model.m", MURPHI);
    let uppaal = file(test, "light.xta", format!("const int K = 5;\n{UPPAAL}"));
    file(test, "light.q", QUERIES);
    let (prism, tts) = (file(test, "coin.prism", PRISM), file(test, "gate.tts", TTS));
    let properties = file(test, "coin.props", &PROPERTIES[..PROPERTIES.find('\n').unwrap_or(0)]);
    let mut refused = 0;
    for way in Way::ALL.into_iter().filter(|way| *way != Way::Custom) {
        let model: &[&str] = match way.kind() {
            ModelKind::Rules => &[&murphi],
            ModelKind::Timed => &[&uppaal],
            ModelKind::Chance => &[&prism, &properties],
            ModelKind::Threads => &[&tts],
        };
        for (option, ways, _) in TABLE {
            let given = value(option, way, test);
            let mut arguments = [&["check"], model].concat();
            arguments.extend(way.chosen_by());
            arguments.extend(given.iter().map(String::as_str));
            if given.is_empty() {
                continue;
            }
            let (code, text) = said(&arguments);
            let told = format!("{way:?} {arguments:?}: {code}\n{text}");
            // Options that need another one are refused with it, whichever is named.
            let name = match *option {
                "--checkpoint-every" => "--checkpoint",
                "--certificate-states" => "--certificate",
                "--sweep" | "--repeat" | "--write" => "-D",
                other => other,
            };
            let of_language = refusal_for(option, language(way));
            let by_language = of_language.is_some();
            match of_language.or_else(|| refusal(option, way)) {
                None if *option == "--resume" => {
                    assert!(code == 2 && text.contains("cannot resume"), "{told}")
                }
                None => assert!(matches!(code, 0 | 3), "{told}"),
                Some(why) => {
                    refused += 1;
                    assert!((by_language || !ways.contains(&way)) && why.contains(option), "{why}");
                    assert!(code == 2 && text.contains(&format!("`{name}")), "{told}");
                }
            }
        }
    }
    assert!(refused > 100, "{refused} pairs were refused");
}

/// A new option must be in the table.
#[test]
fn the_table_has_every_option_of_check() {
    let (_, help) = said(&["check", "--help"]);
    // What is said of an option is indented more.
    let indented = |line: &&str| line.len() - line.trim_start().len() <= 6;
    let options = help.lines().filter(indented).map(str::trim_start).filter(|line| line.starts_with('-'));
    let names = options.map(|line| {
        let long = line.split_whitespace().find(|word| word.starts_with("--")).unwrap_or("-D");
        long.trim_end_matches(',').to_owned()
    });
    let names: Vec<String> = names.filter(|name| name != "--help").collect();
    assert!(names.len() > 30, "{names:?}");
    for name in &names {
        assert!(TABLE.iter().any(|(option, ..)| option == name), "{name} is not in the table");
    }
    for (option, ..) in TABLE {
        assert!(names.iter().any(|name| name == option), "{option} is no option of `check`");
    }
}

/// What only some languages have is refused for all others, and used by these.
#[test]
fn options_of_languages() {
    let promela = file("languages", "mutex.pml", PROMELA);
    for (option, languages) in OF_LANGUAGES {
        let refused = refusal_for(option, Language::Promela);
        assert_eq!(refused.is_none(), languages.contains(&Language::Promela), "{option}");
        let given = value(option, Way::Explicit, "languages");
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let (code, text) = said(&[&["check", promela.as_str()], &given[..]].concat());
        match refused {
            None => assert_eq!(code, 0, "{option}: {text}"),
            Some(why) => assert!(code == 2 && text.contains(&why), "{option}: {text}"),
        }
    }
    let (code, text) = said(&["check", &promela, "--deadlock", "stuttering"]);
    assert!(code == 2 && text.contains("`--deadlock stuttering` is not for Promela models"), "{text}");
}

/// What the table cannot say: values that do not go together.
#[test]
fn values_that_do_not_fit_are_refused() {
    let murphi = file("values", "model.m", MURPHI);
    let uppaal = file("values", "light.xta", UPPAAL);
    for (model, arguments, message) in [
        (&murphi, &["--engine", "zones"][..], "`--engine zones` is not for models of rules"),
        (&uppaal, &["--engine", "bdd"], "`--engine bdd` is not for timed models"),
        (&uppaal, &["--rule-stats"], "`--rule-stats` is not for timed models"),
        (&uppaal, &["--reduce", "adaptive"], "this `--reduce` is not for timed models"),
        (&uppaal, &["--search", "saturation"], "a timed model has `--search bfs` and `--search dfs`"),
        (&murphi, &["--reduce", "none", "--trust-symmetry"], "`--trust-symmetry` is about symmetry"),
        (
            &murphi,
            &["--reduce", "adaptive", "--threads", "4"],
            "`--threads` is not possible with `--reduce adaptive`",
        ),
        (&murphi, &["--canon", "flood", "--threads", "4"], "`--canon flood` searches with one thread"),
    ] {
        let (code, text) = said(&[&["check", model.as_str()], arguments].concat());
        assert!(code == 2 && text.contains(message), "{arguments:?}: {text}");
    }
}
