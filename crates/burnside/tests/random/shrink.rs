//! A failing model made smaller: rules, properties and statements are left out one at a time while it still fails.

use burnside_model::Model;
use burnside_model::code::{Block, StmtKind};

/// The smallest model found that still fails.
pub fn shrink(mut model: Model, fails: &dyn Fn(&Model) -> bool) -> Model {
    loop {
        let smaller = candidates(&model).into_iter().find(|candidate| fails(candidate));
        match smaller {
            Some(smaller) => model = smaller,
            None => return model,
        }
    }
}

/// Models with one thing less.
fn candidates(model: &Model) -> Vec<Model> {
    let mut found = Vec::new();
    let mut add = |change: &dyn Fn(&mut Model)| {
        let mut smaller = model.clone();
        change(&mut smaller);
        found.push(smaller);
    };
    for i in 0..model.rules.len() {
        add(&|m| drop(m.rules.remove(i)));
        if model.rules[i].guard.is_some() {
            add(&|m| m.rules[i].guard = None);
        }
    }
    if !covers(model) {
        for i in 0..model.properties.len() {
            add(&|m| drop(m.properties.remove(i)));
        }
    }
    for i in 0..model.rules.len() {
        for body in smaller_blocks(&model.rules[i].body) {
            add(&|m| m.rules[i].body = body.clone());
        }
    }
    for i in 0..model.starts.len() {
        for body in smaller_blocks(&model.starts[i].body) {
            add(&|m| m.starts[i].body = body.clone());
        }
    }
    found
}

/// Whether statements refer to properties by position.
fn covers(model: &Model) -> bool {
    model.properties.iter().any(|p| p.condition.is_none())
}

/// The block without one statement, or with one replaced by what is inside.
fn smaller_blocks(block: &Block) -> Vec<Block> {
    let mut found = Vec::new();
    for i in 0..block.len() {
        let mut rest = block.clone();
        let stmt = rest.remove(i);
        found.push(rest);
        let inside: Vec<&Block> = match &stmt.kind {
            StmtKind::If(arms, otherwise) => arms.iter().map(|(_, b)| b).chain([otherwise]).collect(),
            StmtKind::Switch(_, cases, otherwise) => {
                cases.iter().map(|(_, b)| b).chain([otherwise]).collect()
            }
            _ => Vec::new(),
        };
        for inner in inside {
            let mut replaced = block.clone();
            replaced.splice(i..=i, inner.iter().cloned());
            found.push(replaced);
        }
        if let StmtKind::For(each, inner) = &stmt.kind {
            for inner in smaller_blocks(inner).into_iter().filter(|b| !b.is_empty()) {
                let mut replaced = block.clone();
                replaced[i].kind = StmtKind::For(each.clone(), inner);
                found.push(replaced);
            }
        }
    }
    found
}
