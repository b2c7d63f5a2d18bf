//! Tables, data and plots of a sweep that is written down.

use super::*;

fn cell(times: &[f64], states: &str) -> Cell {
    Cell {
        verdict: "holds".to_owned(),
        times: times.to_vec(),
        states: Some(states.to_owned()),
        counted: "orbits".to_owned(),
        full_states: Some("1200".to_owned()),
        peak_memory: Some(3 << 20),
        ..Cell::default()
    }
}

fn sweep() -> Sweep {
    let stopped =
        Cell { verdict: "unknown".to_owned(), limit: Some("time".to_owned()), ..cell(&[2.0], "99") };
    Sweep {
        model: "a_b.m".to_owned(),
        parameters: vec!["N".to_owned()],
        points: ["2", "3", "4"].map(|n| vec![n.to_owned()]).to_vec(),
        series: vec!["explicit auto".to_owned()],
        cells: vec![vec![Some(cell(&[0.0131, 0.0119, 0.0125], "7")), Some(stopped), None]],
        limits: "2 s, 2 GB".to_owned(),
        interrupted: false,
    }
}

#[test]
fn small_times_have_digits_that_differ() {
    let shown = [0.000_123, 0.00456, 0.0781, 0.999_9, 1.234, 61.0].map(seconds);
    assert_eq!(shown, ["0.12 ms", "4.56 ms", "78.1 ms", "1.00 s", "1.23 s", "61.0 s"]);
}

#[test]
fn a_text_has_median_spread_and_what_was_not_tried() {
    let expected = "\
N  verdict         time (median)       least – most  orbits  states  memory
2  holds                 12.5 ms  11.9 ms – 13.1 ms       7   1,200  3.0 MB
3  stopped (time)       > 2.00 s                  –      99   1,200  3.0 MB
4  –                           –                  –       –       –       –

A check that was stopped (2 s, 2 GB) ends its column; – was not tried.
";
    assert_eq!(text(&sweep()), expected);
}

#[test]
fn latex_has_rules_and_no_commands_of_the_model() {
    let text = latex(&sweep());
    assert!(text.contains("\\toprule") && text.contains("\\bottomrule"), "{text}");
    assert!(text.contains("3 & stopped (time) & $>$ 2.00 s & --"), "{text}");
    let mut two = sweep();
    two.series = vec!["a_1".to_owned(), "b".to_owned()];
    two.cells.push(vec![Some(Cell { peak_nodes: Some(77), ..cell(&[1.0], "5") }), None, None]);
    let text = latex(&two);
    assert!(text.contains("\\multicolumn{2}{c}{a\\_1} & \\multicolumn{2}{c}{b}"), "{text}");
    assert!(text.contains("\\cmidrule(lr){2-3}"), "{text}");
    assert!(text.contains("N & time & orbits & time & peak nodes"), "{text}");
}

#[test]
fn data_has_a_row_per_check() {
    let mut sweep = sweep();
    sweep.series = vec!["a, \"b\"".to_owned()];
    let text = csv(&sweep);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "the check that was not made has none: {text}");
    assert!(
        lines[1].starts_with("\"a, \"\"b\"\"\",2,holds,,3,0.0125,0.0119,0.0131,orbits,7,1200,"),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_str(&json(&sweep).expect("JSON")).expect("JSON");
    assert_eq!(json["cells"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["cells"][0]["point"]["N"], "2");
}

#[test]
fn a_plot_says_what_its_scales_are() {
    let picture = svg(&sweep());
    for part in ["time [s], logarithmic scale", "orbits, logarithmic scale", ">10 ms<", ">N<", ">4<"] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    assert!(roxmltree::Document::parse(&picture).is_ok());
    assert!(picture.contains("(stopped)"));
    let one = Sweep { points: vec![vec!["x".to_owned()]], ..sweep() };
    assert!(roxmltree::Document::parse(&svg(&one)).is_ok());
    let nothing = Sweep { cells: vec![vec![None; 3]], ..sweep() };
    assert!(roxmltree::Document::parse(&svg(&nothing)).is_ok());
}
