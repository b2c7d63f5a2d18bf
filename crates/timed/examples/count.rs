//! (scratch)
use burnside_lang::{source::Source, uppaal};
use burnside_timed::explore::*;
use burnside_timed::check::*;
use burnside_timed::zone::Extrapolation;
use burnside_model::code::DomainId;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let source = Source::new(args[1].clone(), text);
    let over = [("N".to_owned(), args[2].clone())];
    let q = std::fs::read_to_string(args[1].replace(".xta", ".q")).unwrap_or_default();
    let q = Source::new("q", q);
    let (network, d, e) = uppaal::load_with_queries(&source, &q, &over);
    for d in d { println!("{}", d.render(&source, false)); }
    for d in e { println!("{}", d.render(&q, false)); }
    let network = network.unwrap();
    let domains: Vec<DomainId> = if args[3] == "sym" { 
        let (d, r) = burnside_timed::verify::verify(&network);
        for r in r { println!("refused {}", r.reason); }
        d } else { vec![] };
    let t = std::time::Instant::now();
    if args[4] == "check" {
        let c = check(&network, &domains, Bounds::default());
        match c {
            Err(e) => println!("WRONG {e}"),
            Ok(c) => {
                for (q, a) in network.queries.iter().zip(&c.answers) {
                    println!("{}: {:?} {:?} steps {:?}", q.text, a.verdict, a.reason, a.run.as_ref().map(|r| (r.denominator, r.steps.iter().map(|s| (s.time, s.taken.iter().map(|t| (t.instance, network.model.rules[t.edge as usize].name.clone())).collect::<Vec<_>>())).collect::<Vec<_>>(), r.end)));
                }
                println!("stored {} fault {:?} {:?}", c.stored, c.fault, t.elapsed());
            }
        }
        return;
    }
    let abs = match args[4].as_str() {
        "lu" => Abstraction { extrapolation: Some(Extrapolation::LUPlus), local: true, covering: Covering::Inclusion },
        "lueq" => Abstraction { extrapolation: Some(Extrapolation::LUPlus), local: true, covering: Covering::Equality },
        "meq" => Abstraction { extrapolation: Some(Extrapolation::M), local: false, covering: Covering::Equality },
        _ => Abstraction::default(),
    };
    let mut e = Explorer::new(&network, &domains, abs).ok().unwrap();
    while e.expand().ok().unwrap().is_some() {}
    println!("{} N={} {} {}: stored {} discrete {} nodes {} {:?}", args[1], args[2], args[3], args[4], e.stored(), e.discrete.len(), e.nodes.len(), t.elapsed());
}
