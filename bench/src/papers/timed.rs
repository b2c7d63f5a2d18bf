//! Figure 4, Table 1 and the claims in the text of the paper on symmetry in UPPAAL: timed models, with and without
//! symmetry.

use super::figure::Figure;
use super::{Algorithm, Constant, Row, Table};

/// The tables that are about timed models.
pub const TABLES: &[Table] = &[FISCHER, CLAIMS, COMPARISON];

const HENDRIKS: &str = "M. Hendriks, G. Behrmann, K. G. Larsen, P. Niebert and F. Vaandrager, *Adding Symmetry Reduction to \
    Uppaal* (FORMATS 2003); figures of the paper: a prototype of UPPAAL on an Athlon 2000+ with 3 GB";

/// The two columns of the paper.
pub const WITHOUT_AND_WITH: &[Algorithm] = &[
    Algorithm { name: "no reduction", column: Some(0), options: &["--reduce", "none"] },
    Algorithm { name: "reduction", column: Some(1), options: &[] },
];

const fn row(
    system: &'static str,
    model: &'static str,
    n: &'static [Constant],
    figures: &'static [Figure],
) -> Row {
    Row { system, model, constants: n, orbits: None, figures, violated: false }
}

const fn fischer(n: &'static [Constant], figures: &'static [Figure]) -> Row {
    let orbits = |c: &[Constant]| {
        let n = u128::from(c[0].1);
        (3 * n * n + 5 * n) / 2
    };
    Row { orbits: Some(orbits), ..row("Fischer", "fischer_set.xta", n, figures) }
}

/// The figure.
pub const FISCHER: Table = Table {
    name: "hendriks-figure-4",
    title: "Fischer's protocol, with and without symmetry",
    source: HENDRIKS,
    notes: "Figure 4 is a plot: time and memory over the number of processes. Of its values, the text names those for 20 \
        processes: those without symmetry are extrapolated, those with it are given as approximately one second and less \
        than 10 MB. `fischer_set.xta` is the protocol of the paper's Figure 2 without its redundant array; with symmetry, it \
        has (3n² + 5n) / 2 states.\n\n\
        ![Time and stored states over the number of processes](hendriks-figure-4.svg)",
    algorithms: WITHOUT_AND_WITH,
    rows: &[
        fischer(&[("N", 2)], &[]),
        fischer(&[("N", 3)], &[]),
        fischer(&[("N", 4)], &[]),
        fischer(&[("N", 5)], &[]),
        fischer(&[("N", 6)], &[]),
        fischer(&[("N", 7)], &[]),
        fischer(&[("N", 8)], &[]),
        fischer(&[("N", 9)], &[]),
        fischer(&[("N", 10)], &[]),
        fischer(&[("N", 11)], &[]),
        fischer(&[("N", 12)], &[]),
        fischer(&[("N", 15)], &[]),
        fischer(&[("N", 20)], &[Figure::new("1000 GB", "115 days"), Figure::new("<10 MB", "1s")]),
        fischer(&[("N", 30)], &[]),
        fischer(&[("N", 50)], &[]),
        fischer(&[("N", 70)], &[]),
        fischer(&[("N", 100)], &[]),
    ],
};

const fn csma(n: &'static [Constant], figures: &'static [Figure]) -> Row {
    row("CSMA/CD", "csmacd.xta", n, figures)
}

const fn timeout(n: &'static [Constant], figures: &'static [Figure]) -> Row {
    row("Timeout task", "timeout_task.xta", n, figures)
}

/// What the paper says of a size that it could just handle, or easily.
const LIMIT: Figure = Figure::new("", "limit");
const EASY: Figure = Figure::new("", "easily");
const NOTHING: Figure = Figure::new("", "");

const CLAIMS: Table = Table {
    name: "hendriks-claims",
    title: "CSMA/CD and a timeout task",
    source: HENDRIKS,
    notes: "The paper says in words how far it comes: without symmetry, \"approximately\" 10 stations of CSMA/CD and 6 \
        processes of the timeout task; with it, \"easily\" 50 and 30. `csmacd.xta` and `timeout_task.xta` are written after the \
        same sources, not the same models: in `timeout_task.xta`, each process has three clocks and any number of them may \
        crash. Asked is the invariant alone.",
    algorithms: WITHOUT_AND_WITH,
    rows: &[
        csma(&[("N", 3)], &[]),
        csma(&[("N", 4)], &[]),
        csma(&[("N", 5)], &[]),
        csma(&[("N", 6)], &[]),
        csma(&[("N", 7)], &[]),
        csma(&[("N", 8)], &[]),
        csma(&[("N", 10)], &[LIMIT, NOTHING]),
        csma(&[("N", 20)], &[]),
        csma(&[("N", 30)], &[]),
        csma(&[("N", 50)], &[NOTHING, EASY]),
        timeout(&[("N", 2)], &[]),
        timeout(&[("N", 3)], &[]),
        timeout(&[("N", 4)], &[]),
        timeout(&[("N", 5)], &[]),
        timeout(&[("N", 6)], &[LIMIT, NOTHING]),
        timeout(&[("N", 8)], &[]),
        timeout(&[("N", 30)], &[NOTHING, EASY]),
    ],
};

const fn agreement(n: &'static [Constant]) -> Row {
    row("Agreement", "agreement.xta", n, &[])
}

const fn bus(n: &'static [Constant], figures: &'static [Figure]) -> Row {
    row("Bus", "bus.xta", n, figures)
}

const fn train_gate(n: &'static [Constant]) -> Row {
    row("Train gate", "train_gate.xta", n, &[])
}

const fn gossip(n: &'static [Constant]) -> Row {
    row("Gossip", "gossip.xta", n, &[])
}

const fn token_ring(n: &'static [Constant]) -> Row {
    row("Token ring", "token_ring.xta", n, &[])
}

const COMPARISON: Table = Table {
    name: "hendriks-table-1",
    title: "Timed models, with and without symmetry",
    source: HENDRIKS,
    notes: "The shape of Table 1 on models of our own: the paper's are not printed. It varies a delay d of its agreement \
        algorithm with two processes:\n\n\
        | paper | time | memory |\n\
        |---|---:|---:|\n\
        | Agreement, d = 0 | 1 s / 3 s | 33 MB / 45 MB |\n\
        | Agreement, d = 1 | 21 s / 16 s | 294 MB / 180 MB |\n\
        | Agreement, d = 2 | 80 s / 23 s | 905 MB / 245 MB |\n\
        | Agreement, d = 3 | 231 s / 32 s | 2126 MB / 321 MB |\n\n\
        `agreement.xta` is much simpler, and the number of processes is varied in place of the delay. `bus.xta` is only how a \
        sender gets the bus of the audio/video protocol, beside the paper's figures for all of it. The token ring has \
        rotations, which the paper leaves to the future.",
    algorithms: WITHOUT_AND_WITH,
    rows: &[
        agreement(&[("N", 2)]),
        agreement(&[("N", 3)]),
        agreement(&[("N", 4)]),
        bus(&[("N", 2)], &[Figure::new("16 MB", "2s"), Figure::new("10 MB", "1s")]),
        bus(&[("N", 3)], &[Figure::new("1109 MB", "265s"), Figure::new("181 MB", "36s")]),
        bus(&[("N", 4)], &[]),
        bus(&[("N", 5)], &[]),
        bus(&[("N", 6)], &[]),
        bus(&[("N", 10)], &[]),
        train_gate(&[("N", 2)]),
        train_gate(&[("N", 3)]),
        train_gate(&[("N", 4)]),
        train_gate(&[("N", 5)]),
        gossip(&[("N", 2)]),
        gossip(&[("N", 3)]),
        gossip(&[("N", 4)]),
        token_ring(&[("N", 4)]),
        token_ring(&[("N", 6)]),
        token_ring(&[("N", 8)]),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_timed_model_with_a_query() {
        for table in TABLES {
            assert!(table.is_timed(), "{}", table.name);
            for row in table.rows {
                let words = row.arguments(std::path::Path::new(".."), &table.algorithms[0]);
                let files = words.iter().filter(|word| word.starts_with(".."));
                assert!(files.clone().count() == 2, "{words:?}");
                assert!(files.into_iter().all(|file| std::path::Path::new(file).is_file()), "{words:?}");
                assert!([0, 2].contains(&row.figures.len()), "{}", row.title());
            }
        }
    }
}
