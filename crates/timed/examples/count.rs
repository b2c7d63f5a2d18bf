use burnside_lang::{source::Source, uppaal};
use burnside_timed::explore::*;
use burnside_timed::zone::Extrapolation;
use burnside_model::code::DomainId;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let source = Source::new(args[1].clone(), text);
    let (network, d) = uppaal::load(&source, &[("N".into(), args[2].clone())]);
    for d in d { println!("{}", d.render(&source, false)); }
    let network = network.unwrap();
    let domains: Vec<DomainId> = if args[3] == "sym" { (0..network.model.types.domains.len() as u32).map(DomainId).collect() } else { vec![] };
    let abs = match args[4].as_str() {
        "lu" => Abstraction { extrapolation: Some(Extrapolation::LUPlus), local: true, covering: Covering::Inclusion },
        "lueq" => Abstraction { extrapolation: Some(Extrapolation::LUPlus), local: true, covering: Covering::Equality },
        "meq" => Abstraction { extrapolation: Some(Extrapolation::M), local: false, covering: Covering::Equality },
        _ => Abstraction::default(),
    };
    let t = std::time::Instant::now();
    let mut e = Explorer::new(&network, &domains, abs).ok().unwrap();
    while e.expand().ok().unwrap().is_some() {}
    println!("{} N={} {} {}: stored {} discrete {} nodes {} {:?}", args[1], args[2], args[3], args[4], e.stored(), e.discrete.len(), e.nodes.len(), t.elapsed());
}
