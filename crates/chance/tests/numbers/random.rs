//! Random models with symmetric modules, globals that hold ids, synchronisation and rewards: the quotient has the values of the
//! whole model, exactly; the bounds of iteration contain them; and for small decision processes the optimum over all
//! strategies, tried one by one, is the same. `BURNSIDE_MODELS=2000` for more than the usual number of models.

use burnside_chance::build::{Build, build};
use burnside_chance::check::column::Number;
use burnside_chance::check::{Answer, Checker};
use burnside_chance::run::{Options, Runner};
use burnside_chance::{Chain, symmetry::Subject};
use burnside_lang::prism::{Loaded, load};
use burnside_lang::source::Source;
use burnside_model::chance::{Kind, Model, Property};

/// A small generator of numbers (xorshift), so that every model can be made again.
pub struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.roll(list.len() as u64) as usize]
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.roll(100) < percent
    }
}

/// A model whose modules are copies of one, or nearly.
fn model(dice: &mut Dice) -> String {
    let kind = dice.pick(&["dtmc", "mdp", "mdp", "ctmc"]);
    let count = 2 + dice.roll(3);
    let rate = kind == "ctmc";
    let mut text = format!("{kind}\nglobal g : [0..2];\nglobal turn : [0..{count}];\n");
    let commands: Vec<(String, String, String)> = (0..2 + dice.roll(3))
        .map(|_| {
            let sync = dice.chance(20);
            let guard = dice.pick(&[
                "x#=0",
                "x#=1",
                "x#<2",
                "x#=0 & g<2",
                "x#=1 & turn=#",
                "x#!=2 & turn!=#",
                "b# & x#=0",
                "!b#",
            ]);
            let updates = ["(x#'=1)", "(x#'=min(x#+1,2))", "(x#'=0)", "(b#'=!b#)", "(x#'=2) & (b#'=true)"];
            let global = ["", " & (g'=min(g+1,2))", " & (turn'=#)", " & (turn'=0)"];
            let mut one = || {
                let local = dice.pick(&updates).to_owned();
                let more = if sync { "" } else { dice.pick(&global) };
                format!("{local}{more}")
            };
            let (first, second) = (one(), one());
            let weights = if rate { ["2", "1/3", "x#+1"] } else { ["1/2", "1/3", "(x#+1)/4"] };
            let weight = dice.pick(&weights);
            let body = match (dice.chance(60), rate) {
                (true, false) => format!("{weight} : {first} + 1-{weight} : {second}"),
                (true, true) => format!("{weight} : {first} + 1 : {second}"),
                (false, true) => format!("{weight} : {first}"),
                (false, false) => first,
            };
            (if sync { "[a]" } else { "[]" }.to_owned(), guard.to_owned(), body)
        })
        .collect();
    let odd = dice.chance(25).then(|| dice.roll(count));
    for module in 1..=count {
        text += &format!("module m{module}\n  x{module} : [0..2];\n  b{module} : bool;\n");
        for (action, guard, body) in &commands {
            let body = if odd == Some(module - 1) { body.replace("1/3", "1/4") } else { body.clone() };
            let line = format!("  {action} {guard} -> {body};\n").replace('#', &module.to_string());
            text += &line;
        }
        text += "endmodule\n";
    }
    let all = |form: &str, join: &str| {
        let parts: Vec<_> = (1..=count).map(|m| form.replace('#', &m.to_string())).collect();
        parts.join(join)
    };
    text += &format!("label \"all\" = {};\n", all("x#=2", " & "));
    text += &format!("label \"some\" = {};\n", all("(x#=2 & b#)", " | "));
    text += "label \"one\" = x1=2;\n";
    text += &format!("rewards \"r\"\n  g=1 : 2;\n  [a] true : 3;\n  [] {} : 1;\n", all("b#", " | "));
    if dice.chance(20) {
        text += "  x1=1 : 1;\n";
    }
    text + "endrewards\n"
}

const PROPERTIES: &str = "P=? [ F \"all\" ]; P=? [ F<=3 \"some\" ]; P=? [ !\"some\" U \"one\" ]; P=? [ G !\"all\" ]; \
    R{\"r\"}=? [ F \"some\" ]; P=? [ F g=2 ]; P=? [ X g=1 ]; R{\"r\"}=? [ C<=3 ]; S=? [ \"some\" ]; R{\"r\"}=? [ F \"one\" ];";

fn loaded(text: &str) -> Loaded {
    let source = Source::new("random.prism", text);
    let mdp = text.starts_with("mdp");
    let properties = if mdp {
        let both = |word: &str| {
            PROPERTIES.replace("P=?", &format!("P{word}=?")).replace("}=?", &format!("}}{word}=?"))
        };
        format!("{}{}", both("min"), both("max")).replace("S=? [ \"some\" ];", "")
    } else if text.starts_with("ctmc") {
        PROPERTIES.replace("P=? [ F<=3 \"some\" ];", "").replace("R{\"r\"}=? [ C<=3 ];", "")
    } else {
        PROPERTIES.to_owned()
    };
    load(&source, &[&Source::new("properties", properties)], &[])
}

fn properties(loaded: &Loaded) -> Vec<&Property> {
    loaded
        .properties
        .iter()
        .map(|p| p.as_ref().unwrap_or_else(|m| panic!("{}", m.diagnostic.render(&loaded.source, false))))
        .collect()
}

fn shown(answer: &Result<Answer, Box<burnside_chance::step::Problem>>) -> String {
    match answer {
        Ok(answer) => format!("{answer:?}"),
        Err(problem) => format!("error: {}", problem.message),
    }
}

#[test]
fn quotients_have_the_values_of_whole_models() {
    let count: u64 = std::env::var("BURNSIDE_MODELS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let (mut reduced, mut values) = (0, 0);
    for seed in 1..=count {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let text = model(&mut dice);
        let loaded = loaded(&text);
        let model = loaded
            .model
            .as_ref()
            .unwrap_or_else(|e| panic!("{}\n{text}", e[0].render(&loaded.source, false)));
        let options = |exact, reduce| Options { exact, reduce, ..Options::default() };
        let mut whole = Runner::new(model, options(true, false));
        let mut orbits = Runner::new(model, options(true, true));
        let mut near = Runner::new(model, options(false, true));
        for property in properties(&loaded) {
            let (all, quotient, bounds) =
                (whole.check(property), orbits.check(property), near.check(property));
            assert_eq!(shown(&all.answer), shown(&quotient.answer), "seed {seed}: {}\n{text}", property.text);
            if quotient.symmetry.is_some() {
                reduced += 1;
                assert_eq!(
                    quotient.represented,
                    Some(all.states as u128),
                    "seed {seed}: {}\n{text}",
                    property.text
                );
            }
            if let (Ok(Answer::Number(exact)), Ok(Answer::Number(bounds))) = (&all.answer, &bounds.answer) {
                values += 1;
                let value = exact.low();
                let inside = bounds.low() <= value * (1.0 + 1e-12) + 1e-15
                    && bounds.high() >= value * (1.0 - 1e-12) - 1e-15;
                assert!(
                    value.is_infinite() && bounds.low() == value || inside,
                    "seed {seed}: {} {exact:?} {bounds:?}\n{text}",
                    property.text
                );
            }
        }
        if model.kind == Kind::Mdp {
            every_strategy(model, &loaded, seed);
        }
    }
    assert!(reduced * 4 > count && values > count, "{reduced} reduced, {values} values");
}

/// The least and greatest probability to reach `"all"`, over all strategies without memory, each by plain iteration.
fn every_strategy(model: &Model, loaded: &Loaded, seed: u64) {
    let chain = whole(model);
    let choices: Vec<usize> = (0..chain.len()).map(|s| chain.choices_of(s).len()).collect();
    let count = choices.iter().try_fold(1usize, |product, n| product.checked_mul(*n)).unwrap_or(usize::MAX);
    if count > 300 || chain.len() > 40 {
        return;
    }
    let label = &model.labels.iter().find(|(name, _)| name == "all").unwrap().1;
    let mut state = vec![0; model.variables.len()];
    let goal: Vec<bool> = (0..chain.len())
        .map(|s| {
            chain.states.unpack(s as u32, &mut state);
            let boolean = |v: u32| model.variables[v as usize].boolean;
            burnside_model::chance::eval(label, &state, &boolean).unwrap().truth()
        })
        .collect();
    let (mut least, mut greatest) = (f64::INFINITY, 0.0f64);
    for mut number in 0..count {
        let strategy: Vec<usize> = choices
            .iter()
            .enumerate()
            .map(|(s, n)| {
                let picked = number % n;
                number /= n;
                chain.rows[s] as usize + picked
            })
            .collect();
        let mut x: Vec<f64> = goal.iter().map(|g| f64::from(u8::from(*g))).collect();
        for _ in 0..3000 {
            for s in (0..chain.len()).filter(|s| !goal[*s]) {
                x[s] = chain
                    .branches_of(strategy[s])
                    .map(|b| chain.weights[b] * x[chain.targets[b] as usize])
                    .sum();
            }
        }
        let value = x[chain.initial[0] as usize];
        least = least.min(value);
        greatest = greatest.max(value);
    }
    for (text, expected) in [("Pmin=? [ F \"all\" ]", least), ("Pmax=? [ F \"all\" ]", greatest)] {
        let property = properties(loaded).into_iter().find(|p| p.text == text).unwrap();
        let outcome = Runner::new(model, Options::default()).check(property);
        let Ok(Answer::Number(number)) = outcome.answer else { panic!("seed {seed}: {text}") };
        assert!(
            (number.low() - expected).abs() < 1e-4,
            "seed {seed}: {text}: {number:?}, {expected} by trying all"
        );
    }
}

fn how<'b>(canon: Option<&'b burnside_chance::symmetry::Canon>, rewards: &'b [u32]) -> Build<'b> {
    Build { canon, rewards, exact: true, threads: 1, max_states: 1 << 20, deadline: Default::default() }
}

fn whole(model: &Model) -> Chain {
    build(model, &how(None, &[]), &mut |_| ()).unwrap()
}

const PLANTED: &str = "mdp\nmodule a\n x1 : [0..3];\n [] x1=0 -> 1/2:(x1'=1) + 1/2:(x1'=2);\n [t] x1=1 -> (x1'=0);\n [] x1=1 -> (x1'=3);\nendmodule\n\
    module b = a [x1=x2, t=s] endmodule\nlabel \"end\" = x1>=2 & x2>=2;\nlabel \"good\" = x1=2 & x2=2;\nrewards \"r\" [t] true : 1; [s] true : 1; true : 1; endrewards\n";

/// Mistakes in the quotient that the comparison above must notice.
#[test]
fn planted_mistakes_are_noticed() {
    let source = Source::new("planted.prism", PLANTED);
    let text = "Pmax=? [ F \"good\" ]; R{\"r\"}max=? [ C<=4 ]; Pmin=? [ F<=2 x1=2 | x2=2 ]; R{\"r\"}min=? [ F \"end\" ];";
    let loaded = load(&source, &[&Source::new("properties", text)], &[]);
    let model = loaded.model.as_ref().unwrap();
    let (found, _) = Subject::new(model).find(&[], &[0]);
    let found = found.expect("the two modules are alike");
    let good = build(model, &how(Some(&found.canon), &[0]), &mut |_| ()).unwrap();
    let values = |chain: &Chain| -> Vec<String> {
        let mut checker = Checker::new(model, chain, 1e-6);
        properties(&loaded).iter().map(|p| format!("{:?}", checker.check(p).ok())).collect()
    };
    let right = values(&good);
    let all = build(model, &how(None, &[0]), &mut |_| ()).unwrap();
    assert_eq!(right, values(&all));
    assert!(good.len() < all.len());
    let initial = good.initial[0] as usize;
    // Choices that were merged though they differ: one of them is lost.
    let merged = (0..good.len()).flat_map(|state| good.choices_of(state).skip(1)).any(|choice| {
        let mut merged = good.clone();
        let (from, to) = (good.branches_of(choice - 1), good.branches_of(choice));
        let alike = from.len() == to.len();
        for (a, b) in from.zip(to) {
            merged.targets[b] = good.targets[a];
        }
        alike && right != values(&merged)
    });
    assert!(merged, "merged choices");
    // A reward that was forgotten.
    let mut forgotten = good.clone();
    forgotten.rewards[0].exact_choice.iter_mut().for_each(|r| *r = dashu_ratio::RBig::ZERO);
    forgotten.rewards[0].choice.iter_mut().for_each(|r| *r = 0.0);
    assert_ne!(right, values(&forgotten), "forgotten reward");
    // Two branches to one orbit, of which one was lost.
    let mut lost = good.clone();
    let branch = lost.branches_of(lost.rows[initial] as usize).start;
    let half = dashu_ratio::RBig::from_parts(1.into(), 4u8.into());
    lost.weights[branch] = 0.25;
    lost.exact.as_mut().unwrap()[branch] = half;
    assert_ne!(right, values(&lost), "lost multiplicity");
    // A deadlock is no end component with a way out.
    let mut stuck = good.clone();
    stuck.targets.iter_mut().for_each(|target| {
        if *target as usize != initial {
            *target = initial as u32;
        }
    });
    assert_ne!(right, values(&stuck), "wrong end component");
}

/// A model that is symmetric but for one probability, one reward, or the property: each must be noticed. The last property is
/// kept by exchanging the modules and the values 1 and 2.
#[test]
fn traps_are_not_reduced() {
    let text = "dtmc\nmodule a\n x1 : [0..2];\n [] x1=0 -> 1/2:(x1'=1) + 1/2:(x1'=2);\nendmodule\nmodule b\n x2 : [0..2];\n [] x2=0 -> P:(x2'=1) + 1-P:(x2'=2);\nendmodule\n\
        rewards \"even\" x1=1 : 1; x2=1 : 1; endrewards\nrewards \"odd\" x1=1 : 1; endrewards\n";
    let properties = "P=? [ F x1=1 & x2=1 ]; P=? [ F x1=1 ]; R{\"even\"}=? [ C<=5 ]; R{\"odd\"}=? [ C<=5 ]; P=? [ F x1=1 & x2=2 ];";
    for (probability, expected) in [("1/2", [true, false, true, false, true]), ("1/3", [false; 5])] {
        let source = Source::new("trap.prism", text.replace('P', probability));
        let loaded = load(&source, &[&Source::new("properties", properties)], &[]);
        let model = loaded.model.as_ref().unwrap();
        for (property, symmetric) in self::properties(&loaded).into_iter().zip(expected) {
            let options = Options { exact: true, ..Options::default() };
            let outcome = Runner::new(model, options.clone()).check(property);
            assert_eq!(outcome.symmetry.is_some(), symmetric, "{probability}: {}", property.text);
            let whole = Runner::new(model, Options { reduce: false, ..options }).check(property);
            assert_eq!(shown(&outcome.answer), shown(&whole.answer), "{}", property.text);
            assert!(matches!(outcome.answer, Ok(Answer::Number(Number::Exact(_)))));
        }
    }
}
