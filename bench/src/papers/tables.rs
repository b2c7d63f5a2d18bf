//! The tables, as the papers print them.

use super::figure::Figure;
use super::{Algorithm, Constant, Row, Table};

/// The tables that are about models.
pub const TABLES: &[Table] = &[MUTEX, LOCKS, PETERSON, GENERIC, FUTUREBUS, ARBITER];

const APPOLD: &str = "C. Appold, *Efficient Symmetry Reduction and the Use of State Symmetries for Symbolic Model Checking* \
    (GandALF 2010); figures of the paper: Sviss with CUDD on a Core 2 with 2.4 GHz and 3 GB";

/// The algorithms of Appold's tables, the same with sorting as the paper does it, and what is worth knowing beside them.
const COMPONENT_WISE: &[Algorithm] = &[
    Algorithm {
        name: "old: dynamic, bubble sort",
        column: Some(0),
        options: &["--engine", "bdd", "--reduce", "dynamic", "--alpha", "bubble", "--search", "bfs"],
    },
    Algorithm {
        name: "dynamic, our sorting, chaining",
        column: None,
        options: &["--engine", "bdd", "--reduce", "dynamic"],
    },
    Algorithm {
        name: "new: component",
        column: Some(1),
        options: &["--engine", "bdd", "--reduce", "component"],
    },
    Algorithm {
        name: "new + state symmetries",
        column: Some(2),
        options: &["--engine", "bdd", "--reduce", "component+state"],
    },
    Algorithm {
        name: "the same, bubble sort",
        column: None,
        options: &["--engine", "bdd", "--reduce", "component+state", "--alpha", "bubble"],
    },
    Algorithm {
        name: "unreduced, chaining",
        column: None,
        options: &["--engine", "bdd", "--reduce", "none"],
    },
    Algorithm { name: "counting", column: None, options: &["--engine", "count"] },
    Algorithm { name: "default", column: None, options: &[] },
];

const fn mutex(n: &'static [Constant], figures: &'static [Figure]) -> Row {
    Row {
        system: "Mutex",
        model: "token_mutex.m",
        constants: n,
        orbits: Some(|c| 3 * number(c, 0)),
        figures,
        violated: false,
    }
}

const MUTEX: Table = Table {
    name: "appold-1",
    title: "Mutual exclusion by a token",
    source: APPOLD,
    notes: "`token_mutex.m` is the paper's synchronization skeleton; every process may own the token at first, as the \
        skeleton does not say which one does. It has 3n orbits.",
    algorithms: COMPONENT_WISE,
    rows: &[
        mutex(
            &[("N", 200)],
            &[Figure::new("337,709", "4:25m"), Figure::new("54,684", "22s"), Figure::new("54,684", "14s")],
        ),
        mutex(
            &[("N", 400)],
            &[
                Figure::new("2,044,109", "56:32m"),
                Figure::new("189,702", "3:53m"),
                Figure::new("189,702", "1:50m"),
            ],
        ),
        mutex(
            &[("N", 600)],
            &[
                Figure::new("2,932,995", "4:39h"),
                Figure::new("405,133", "13:34m"),
                Figure::new("405,133", "6:26m"),
            ],
        ),
        mutex(
            &[("N", 800)],
            &[
                Figure::new("5,190,561", "14:10h"),
                Figure::new("700,120", "33:35m"),
                Figure::new("700,120", "17:11m"),
            ],
        ),
    ],
};

const fn lock(n: &'static [Constant], figures: &'static [Figure]) -> Row {
    Row {
        system: "MCSLock",
        model: "mcs_lock_abstract.m",
        constants: n,
        orbits: None,
        figures,
        violated: false,
    }
}

const fn ccp(n: &'static [Constant], figures: &'static [Figure]) -> Row {
    Row { system: "CCP", model: "german_nodata.m", constants: n, orbits: None, figures, violated: false }
}

const LOCKS: Table = Table {
    name: "appold-2",
    title: "A queuing lock and a cache coherence protocol",
    source: APPOLD,
    notes: "The paper prints neither program. `mcs_lock_abstract.m` has 9 local states and one global id; \
        `german_nodata.m` is German's protocol without data, with 288 local states. So nodes need not agree with the \
        paper's.",
    algorithms: COMPONENT_WISE,
    rows: &[
        lock(
            &[("N", 10)],
            &[Figure::new("24,251", "3s"), Figure::new("9,333", "2s"), Figure::new("8,870", "1s")],
        ),
        lock(
            &[("N", 20)],
            &[Figure::new("143,715", "2:43m"), Figure::new("55,013", "1:20m"), Figure::new("51,145", "55s")],
        ),
        lock(
            &[("N", 40)],
            &[
                Figure::new("786,310", "1:41h"),
                Figure::new("446,849", "1:04h"),
                Figure::new("426,068", "33:05m"),
            ],
        ),
        lock(
            &[("N", 60)],
            &[
                Figure::new("2,087,657", "15:56h"),
                Figure::new("1,744,207", "12:00h"),
                Figure::new("1,693,866", "5:28h"),
            ],
        ),
        ccp(
            &[("N", 10)],
            &[Figure::new("358,127", "2:49m"), Figure::new("69,462", "52s"), Figure::new("73,898", "51s")],
        ),
        ccp(
            &[("N", 20)],
            &[
                Figure::new("2,429,642", "1:41h"),
                Figure::new("355,394", "43:37m"),
                Figure::new("366,758", "43:32m"),
            ],
        ),
        ccp(
            &[("N", 25)],
            &[
                Figure::new("4,424,644", "5:35h"),
                Figure::new("651,706", "2:47h"),
                Figure::new("666,619", "2:45h"),
            ],
        ),
        ccp(
            &[("N", 30)],
            &[
                Figure::new("7,220,011", "14:36h"),
                Figure::new("1,100,968", "8:36h"),
                Figure::new("1,119,322", "8:33h"),
            ],
        ),
    ],
};

const fn peterson(n: &'static [Constant], figures: &'static [Figure]) -> Row {
    Row { system: "Peterson", model: "peterson.m", constants: n, orbits: None, figures, violated: false }
}

const fn readers_writers(n: &'static [Constant], figures: &'static [Figure]) -> Row {
    let orbits = |c: &[Constant]| {
        let n = number(c, 0);
        (n + 1) * (n + 1) * (n + 2) / 2 + n * (n + 1)
    };
    Row {
        system: "Readers-Writers",
        model: "readers_writers.m",
        constants: n,
        orbits: Some(orbits),
        figures,
        violated: false,
    }
}

const PETERSON: Table = Table {
    name: "appold-3",
    title: "Peterson's protocol, and readers and writers",
    source: APPOLD,
    notes: "`peterson.m` has n - 1 global ids and 4n local states. `readers_writers.m` has n readers and n writers, as \
        the paper's n means, and (n+1)²(n+2)/2 + n(n+1) orbits. Both check more invariants than the paper.",
    algorithms: COMPONENT_WISE,
    rows: &[
        peterson(
            &[("N", 6)],
            &[
                Figure::new("81,931,144", "3:22m"),
                Figure::new("186,246", "22s"),
                Figure::new("186,246", "21s"),
            ],
        ),
        peterson(
            &[("N", 8)],
            &[
                Figure::new("mem ov", "—"),
                Figure::new("2,385,546", "10:24m"),
                Figure::new("2,385,546", "10:05m"),
            ],
        ),
        peterson(
            &[("N", 10)],
            &[
                Figure::new("mem ov", "—"),
                Figure::new("12,810,763", "1:40h"),
                Figure::new("12,505,489", "1:36h"),
            ],
        ),
        peterson(
            &[("N", 12)],
            &[
                Figure::new("mem ov", "—"),
                Figure::new("66,938,967", "13:22h"),
                Figure::new("65,887,889", "12:54h"),
            ],
        ),
        readers_writers(
            &[("N", 40)],
            &[Figure::new("65,139", "3:30m"), Figure::new("18,586", "5s"), Figure::new("18,586", "2s")],
        ),
        readers_writers(
            &[("N", 100)],
            &[
                Figure::new("393,939", "7:53h"),
                Figure::new("100,546", "1:41m"),
                Figure::new("100,546", "43s"),
            ],
        ),
        readers_writers(
            &[("N", 200)],
            &[
                Figure::new(">1,500,000", ">24h"),
                Figure::new("381,146", "21:25m"),
                Figure::new("381,146", "6:40m"),
            ],
        ),
        readers_writers(
            &[("N", 400)],
            &[
                Figure::new(">2,000,000", ">36h"),
                Figure::new("1,482,346", "4:54h"),
                Figure::new("1,482,346", "1:14h"),
            ],
        ),
    ],
};

const fn semaphore(constants: &'static [Constant], figures: &'static [Figure]) -> Row {
    let orbits = |c: &[Constant]| {
        let (n, l) = (number(c, 0), number(c, 1));
        // Nobody is critical, or one process is.
        choose(n + l - 2, n).saturating_add(choose(n + l - 3, n - 1))
    };
    Row {
        system: "MUTEX",
        model: "semaphore_mutex.m",
        constants,
        orbits: Some(orbits),
        figures,
        violated: false,
    }
}

const fn fine_lock(constants: &'static [Constant], figures: &'static [Figure]) -> Row {
    Row { system: "MCS-LOCK", model: "mcs_lock_28.m", constants, orbits: None, figures, violated: false }
}

const GENERIC: Table = Table {
    name: "emerson-wahl-2",
    title: "Unique, multiple and generic representatives",
    source: "E. A. Emerson and T. Wahl, *On Combining Symmetry Reduction and Symbolic Representation for Efficient Model \
        Checking* (CHARME 2003); figures of the paper: CUDD on a PC with 1.4 GHz and 256 MB",
    notes: "`semaphore_mutex.m` is the paper's first example, with n processes and l local states. Of the second, the \
        paper prints no program: `mcs_lock_28.m` has its 28 local states. Generic representatives are \
        counters of extended local states; the time includes that of reaching these with other diagrams first.",
    algorithms: &[
        Algorithm {
            name: "unique: orbit relation",
            column: Some(0),
            options: &["--engine", "bdd", "--reduce", "orbit-relation"],
        },
        Algorithm {
            name: "multiple representatives",
            column: Some(1),
            options: &["--engine", "bdd", "--reduce", "multiple-representatives"],
        },
        Algorithm {
            name: "component + state",
            column: None,
            options: &["--engine", "bdd", "--reduce", "component+state"],
        },
        Algorithm {
            name: "unreduced, chaining",
            column: None,
            options: &["--engine", "bdd", "--reduce", "none"],
        },
        Algorithm {
            name: "generic: counters in decision diagrams",
            column: Some(2),
            options: &["--engine", "count", "--counters", "bdd"],
        },
        Algorithm { name: "counting", column: None, options: &["--engine", "count"] },
        Algorithm { name: "default", column: None, options: &[] },
    ],
    rows: &[
        semaphore(
            &[("N", 8), ("L", 4)],
            &[Figure::new("114,894", "8.2s"), Figure::new("2,211", "0.0s"), Figure::new("703", "0.0s")],
        ),
        semaphore(
            &[("N", 6), ("L", 5)],
            &[Figure::new("2,152,710", "137.3s"), Figure::new("6,612", "0.1s"), Figure::new("690", "0.0s")],
        ),
        semaphore(
            &[("N", 16), ("L", 16)],
            &[Figure::new("—", ">15h"), Figure::new("132,377", "6.6s"), Figure::new("4,876", "0.0s")],
        ),
        semaphore(
            &[("N", 64), ("L", 16)],
            &[Figure::new("—", "—"), Figure::new("599,561", "198.8s"), Figure::new("6,972", "0.1s")],
        ),
        semaphore(
            &[("N", 128), ("L", 128)],
            &[Figure::new("—", "—"), Figure::new("—", ">15h"), Figure::new("69,060", "10.4s")],
        ),
        semaphore(
            &[("N", 256), ("L", 128)],
            &[Figure::new("—", "—"), Figure::new("—", "—"), Figure::new("78,060", "12.6s")],
        ),
        fine_lock(
            &[("N", 3)],
            &[Figure::new("113,188", "2.4s"), Figure::new("30,614", "0.2s"), Figure::new("1,340", "0.0s")],
        ),
        fine_lock(
            &[("N", 4)],
            &[
                Figure::new("9,478,195", "4386.7s"),
                Figure::new("75,604", "0.5s"),
                Figure::new("2,608", "0.0s"),
            ],
        ),
        fine_lock(
            &[("N", 8)],
            &[Figure::new("—", ">15h"), Figure::new("272,080", "15.4s"), Figure::new("7,320", "0.3s")],
        ),
        fine_lock(
            &[("N", 16)],
            &[Figure::new("—", "—"), Figure::new("2,417,477", "5055.3s"), Figure::new("24,094", "2.7s")],
        ),
        fine_lock(
            &[("N", 20)],
            &[Figure::new("—", "—"), Figure::new("—", ">15h"), Figure::new("34,170", "5.0s")],
        ),
        fine_lock(
            &[("N", 60)],
            &[Figure::new("—", "—"), Figure::new("—", "—"), Figure::new("293,981", "266.8s")],
        ),
    ],
};

const BARNER: &str = "S. Barner and O. Grumberg, *Combining Symmetry Reduction and Under-Approximation for Symbolic Model \
    Checking* (CAV 2002); figures of the paper: RuleBase, with reordering";

const fn futurebus(constants: &'static [Constant], figures: &'static [Figure]) -> Row {
    Row { system: "Futurebus", model: "futurebus.m", constants, orbits: None, figures, violated: true }
}

const FUTUREBUS: Table = Table {
    name: "barner-grumberg-5",
    title: "Liveness on the model restricted to representatives",
    source: BARNER,
    notes: "Figure 5. Nodes are those of the transition relation: of all states, and between the representatives. The paper prints \
        no program: `futurebus.m` is like it in size, nine bits per processor; the formula that is refuted says that the bus is used \
        again and again.",
    algorithms: &[
        Algorithm {
            name: "classic: one relation",
            column: Some(0),
            options: &["--engine", "bdd", "--reduce", "none", "--relation", "monolithic"],
        },
        Algorithm {
            name: "Live_Rep",
            column: Some(1),
            options: &["--engine", "bdd", "--reduce", "on-the-fly", "--relation", "monolithic"],
        },
        Algorithm {
            name: "unreduced, chaining",
            column: None,
            options: &["--engine", "bdd", "--reduce", "none"],
        },
        Algorithm {
            name: "Live_Rep, partitioned",
            column: None,
            options: &["--engine", "bdd", "--reduce", "on-the-fly"],
        },
    ],
    rows: &[
        futurebus(
            &[("N", 5), ("Eager", 1)],
            &[Figure::new("144,069", "132s"), Figure::new("122,769", "101s")],
        ),
        futurebus(
            &[("N", 6), ("Eager", 1)],
            &[Figure::new("260,625", "607s"), Figure::new("219,572", "265s")],
        ),
        futurebus(
            &[("N", 7), ("Eager", 1)],
            &[Figure::new("418,701", "2852s"), Figure::new("379,428", "704s")],
        ),
        futurebus(
            &[("N", 8), ("Eager", 1)],
            &[Figure::new("839,055", "8470s"), Figure::new("457,781", "3313s")],
        ),
        futurebus(
            &[("N", 9), ("Eager", 1)],
            &[Figure::new("1,935,394", "81171s"), Figure::new("819,871", "4571s")],
        ),
        futurebus(&[("N", 10), ("Eager", 1)], &[Figure::new("mem ov", "—"), Figure::new("642,083", "4909s")]),
    ],
};

const fn arbiter(constants: &'static [Constant], violated: bool, figures: &'static [Figure]) -> Row {
    let system = if violated { "Arbiter, failed" } else { "Arbiter, passed" };
    Row { system, model: "arbiter.m", constants, orbits: None, figures, violated }
}

const ARBITER: Table = Table {
    name: "barner-grumberg-6",
    title: "Representatives on the fly, with hints",
    source: BARNER,
    notes: "Figure 6; in place of nodes the paper prints memory. It prints no program: `arbiter.m` is like it in size, ten bits per \
        client; the second constant breaks it. Without symmetry, no orbits are left out (`--sigma-steps 0`).",
    algorithms: &[
        Algorithm {
            name: "on the fly, without symmetry",
            column: Some(0),
            options: &["--engine", "bdd", "--reduce", "on-the-fly", "--sigma-steps", "0"],
        },
        Algorithm {
            name: "the same with hints",
            column: Some(1),
            options: &[
                "--engine",
                "bdd",
                "--reduce",
                "on-the-fly",
                "--sigma-steps",
                "0",
                "--symmetry-file",
                "models/claims/arbiter_hints.claims",
            ],
        },
        Algorithm {
            name: "Hints_Sym",
            column: Some(2),
            options: &[
                "--engine",
                "bdd",
                "--reduce",
                "on-the-fly",
                "--sigma-steps",
                "1",
                "--symmetry-file",
                "models/claims/arbiter_hints.claims",
            ],
        },
        Algorithm {
            name: "Symmetry_MC",
            column: None,
            options: &["--engine", "bdd", "--reduce", "on-the-fly"],
        },
        Algorithm {
            name: "unreduced, chaining",
            column: None,
            options: &["--engine", "bdd", "--reduce", "none"],
        },
        Algorithm { name: "default", column: None, options: &[] },
    ],
    rows: &[
        arbiter(
            &[("N", 6), ("Faulty", 0)],
            false,
            &[Figure::new("40M", "53s"), Figure::new("40M", "39s"), Figure::new("40M", "42s")],
        ),
        arbiter(
            &[("N", 6), ("Faulty", 1)],
            true,
            &[Figure::new("52M", "213s"), Figure::new("41M", "64s"), Figure::new("87M", "51s")],
        ),
        arbiter(
            &[("N", 8), ("Faulty", 0)],
            false,
            &[Figure::new("64M", "581s"), Figure::new("49M", "255s"), Figure::new("87M", "179s")],
        ),
        arbiter(
            &[("N", 8), ("Faulty", 1)],
            true,
            &[Figure::new("71M", "745s"), Figure::new("71M", "524s"), Figure::new("83M", "292s")],
        ),
        arbiter(
            &[("N", 10), ("Faulty", 0)],
            false,
            &[Figure::new("94M", "1470s"), Figure::new("67M", "598s"), Figure::new("92M", "358s")],
        ),
        arbiter(
            &[("N", 10), ("Faulty", 1)],
            true,
            &[Figure::new("93M", "1106s"), Figure::new("73M", "740s"), Figure::new("91M", "520s")],
        ),
    ],
};

/// The value of a constant, by its position.
fn number(constants: &[Constant], at: usize) -> u128 {
    constants[at].1.into()
}

/// How many subsets with k elements a set with n elements has; the greatest number if that is too small for it.
fn choose(n: u128, k: u128) -> u128 {
    let mut result: u128 = 1;
    for i in 0..k.min(n - k) {
        match result.checked_mul(n - i) {
            Some(product) => result = product / (i + 1),
            None => return u128::MAX,
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orbits(row: &Row, constants: &[Constant]) -> u128 {
        row.orbits.expect("a formula")(constants)
    }

    #[test]
    fn orbits_by_formulas() {
        assert_eq!(orbits(&MUTEX.rows[0], &[("N", 200)]), 600);
        let counts = [10, 40, 100, 400].map(|n| orbits(&PETERSON.rows[4], &[("N", n)]));
        assert_eq!(counts, [836, 36_941, 530_351, 32_481_401]);
        assert_eq!(orbits(&GENERIC.rows[0], &[("N", 8), ("L", 4)]), 81);
        assert_eq!(orbits(&GENERIC.rows[0], &[("N", 6), ("L", 5)]), 140);
    }

    #[test]
    fn every_row_has_the_columns_of_its_paper() {
        for table in TABLES {
            for row in table.rows {
                let columns = table.algorithms.iter().flat_map(|algorithm| algorithm.column);
                let last = row.figures.len() - 1;
                assert!(columns.max() == Some(last), "{} {}", table.name, row.title());
            }
        }
        assert_eq!(GENERIC.rows[1].title(), "MUTEX 6, 5");
    }
}
