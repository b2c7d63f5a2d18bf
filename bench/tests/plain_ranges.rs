//! Every model with scalarsets, rewritten with plain ranges, has the same group and the same orbits.

use std::path::Path;

use burnside::{Detect, Options, Source, check};
use burnside_bench::plain::{NoPlain, plain_ranges};

#[test]
fn detection_finds_what_was_declared() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models/murphi"));
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of models") {
        let path = entry.expect("an entry").path();
        let source = Source::from_bytes(path.to_string_lossy(), &std::fs::read(&path).expect("a model"));
        let source = source.expect("text");
        // A ring is no range in disguise: its rotations are not looked for.
        if source.text().contains("ring(") {
            continue;
        }
        let text = match plain_ranges(&source, &[]) {
            Ok(text) => text,
            Err(NoPlain::NoScalarset) => continue,
            Err(other @ (NoPlain::Wrong | NoPlain::Refused(_))) => panic!("{}: {other:?}", path.display()),
        };
        let declared = check(&source, &Options::default()).expect("a report");
        let plain = Source::new("plain.m", text);
        let detected = check(&plain, &Options::default()).expect("a report");
        let name = path.display();
        assert_eq!(declared.verdict, detected.verdict, "{name}");
        assert_eq!(declared.symmetry.order, detected.symmetry.order, "{name}");
        assert_eq!(detected.symmetry.derived, "detected", "{name}");
        assert_eq!(declared.states, detected.states, "{name}");
        assert_eq!(declared.full_states, detected.full_states, "{name}");
        let off = check(&plain, &Options { detect: Detect::Off, ..Options::default() }).expect("a report");
        assert_eq!((off.verdict, off.reduction.as_str()), (declared.verdict, "none"), "{name}");
        compared += 1;
    }
    assert!(compared >= 12, "{compared}");
}
