//! The crates depend on each other in one direction only: that of the path of a model from text to verdict. This is the
//! "may depend on" column of the table of crates, enforced.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Every crate that may exist, and the crates of ours that it may depend on.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("logic", &["model"]),
    ("lang", &["model", "logic"]),
    ("symmetry", &["model"]),
    ("native", &["model"]),
    ("explicit", &["model", "logic", "symmetry", "native"]),
    ("encode", &["model", "symmetry"]),
    ("symbolic", &["model", "logic", "symmetry", "encode"]),
    ("sat", &["model", "symmetry", "encode"]),
    ("counting", &["model", "logic", "symmetry"]),
    ("timed", &["model", "symmetry"]),
    ("chance", &["model", "logic", "symmetry"]),
    // Checks what the others claim, so it must know none of them.
    ("certify", &["model"]),
    ("report", &["model"]),
    // Editors see front ends, and no engine.
    ("lsp", &["model", "lang"]),
];

/// Our crates, by the names of their folders, each with those that it depends on. What only tests use is left out.
fn graph() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let short = |name: &str| name.strip_prefix("burnside-").unwrap_or(name).to_owned();
    let ours: BTreeSet<_> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("a list of dependencies");
            let names = dependencies
                .iter()
                .filter(|dependency| dependency["kind"] != "dev")
                .filter_map(|dependency| dependency["name"].as_str())
                .filter(|name| ours.contains(name))
                .map(short);
            (short(package["name"].as_str().expect("a name")), names.collect())
        })
        .collect()
}

#[test]
fn crates_depend_in_one_direction() {
    let graph = graph();
    assert!(graph.len() >= 6, "{graph:?}");
    for (name, dependencies) in &graph {
        let Some((_, allowed)) = MAY_DEPEND_ON.iter().find(|(known, _)| known == name) else {
            // The façade and what measures it may use everything.
            assert!(
                ["burnside", "bench", "conformance", "fuzz"].contains(&name.as_str()),
                "unknown crate {name}"
            );
            continue;
        };
        for dependency in dependencies {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not depend on {dependency}");
        }
    }
}

#[test]
fn the_table_itself_has_one_direction() {
    // A crate is listed once, in the order of the path: nothing may depend on what comes later.
    for (position, (name, allowed)) in MAY_DEPEND_ON.iter().enumerate() {
        for dependency in *allowed {
            let at = MAY_DEPEND_ON.iter().position(|(known, _)| known == dependency);
            assert!(at.is_some_and(|at| at < position), "{name} -> {dependency}");
        }
    }
}
