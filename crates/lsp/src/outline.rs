//! The outline of a text: declarations, rules and properties, nested as they stand.

use burnside_lang::murphi::ast::{Item, Model, PropertyKind, Rule, RuleKind, Text};
use burnside_lang::names::Kind;
use burnside_model::Span;
use burnside_model::system::Logic;
use lsp_types::{DocumentSymbol, SymbolKind};

use crate::document::{Document, icon};

/// Something without a name of its own, or with a string for one.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// How it is shown.
    pub name: String,
    pub kind: SymbolKind,
    /// What is marked when it is chosen.
    pub at: Span,
    pub whole: Span,
}

/// The rules, start states and properties of a Murphi model.
pub(crate) fn rules(tree: &Model) -> Vec<Entry> {
    let mut found = Vec::new();
    for item in &tree.items {
        if let Item::Rule(rule) = item {
            collect(rule, &mut found);
        }
    }
    found
}

fn collect(rule: &Rule, found: &mut Vec<Entry>) {
    let mut add = |word: &str, name: Option<&Text>, kind: SymbolKind| {
        let first = Span { start: rule.span.start, end: rule.span.start + word.len() as u32 };
        found.push(Entry {
            name: name.map_or_else(|| word.to_owned(), |name| format!("{word} {}", name.value)),
            kind,
            at: name.map_or(first, |name| name.span),
            whole: rule.span,
        });
    };
    match &rule.kind {
        RuleKind::Simple(simple) => add("rule", simple.name.as_ref(), SymbolKind::EVENT),
        RuleKind::StartState { name, .. } => add("startstate", name.as_ref(), SymbolKind::CONSTRUCTOR),
        RuleKind::Property(property) => {
            let word = match property.kind {
                PropertyKind::Assert => "assert",
                PropertyKind::Assume => "assume",
                PropertyKind::Cover => "cover",
                PropertyKind::Invariant => "invariant",
                PropertyKind::Liveness => "liveness",
            };
            add(word, property.name.as_ref(), SymbolKind::BOOLEAN);
        }
        RuleKind::Temporal(logic, name, _) => {
            let word = if *logic == Logic::Ctl { "ctl" } else { "ltl" };
            add(word, name.as_ref(), SymbolKind::BOOLEAN);
        }
        RuleKind::Fairness(name, _) => add("fairness", Some(name), SymbolKind::BOOLEAN),
        RuleKind::Ruleset(_, rules) | RuleKind::Alias(_, rules) | RuleKind::Choose(_, _, rules) => {
            rules.iter().for_each(|rule| collect(rule, found));
        }
    }
}

/// The outline.
#[allow(deprecated)] // The field `deprecated` has to be given.
pub(crate) fn outline(document: &Document) -> Vec<DocumentSymbol> {
    let text = &document.text;
    let shown = |kind| !matches!(kind, Kind::Parameter | Kind::Alias | Kind::Member | Kind::Field);
    let declared = document.names.symbols.iter().filter(|symbol| shown(symbol.kind));
    let declared = declared.map(|symbol| Entry {
        name: symbol.name.clone(),
        kind: icon(symbol.kind),
        at: symbol.at,
        whole: symbol.whole.to(symbol.at),
    });
    let mut entries: Vec<Entry> = declared.chain(document.entries.iter().cloned()).collect();
    // The ones around others come first.
    entries.sort_by_key(|entry| (entry.whole.start, std::cmp::Reverse(entry.whole.end), entry.at.start));
    let mut open: Vec<(u32, DocumentSymbol)> = Vec::new();
    let mut done: Vec<DocumentSymbol> = Vec::new();
    let mut close = |open: &mut Vec<(u32, DocumentSymbol)>, before: u32| {
        while open.last().is_some_and(|(end, _)| *end <= before) {
            let Some((_, symbol)) = open.pop() else { break };
            match open.last_mut() {
                Some((_, outer)) => outer.children.get_or_insert_default().push(symbol),
                None => done.push(symbol),
            }
        }
    };
    for entry in entries {
        // Several names of one declaration are side by side.
        let side_by_side = open
            .last()
            .is_some_and(|(end, outer)| *end == entry.whole.end && outer.range == text.range(entry.whole));
        close(&mut open, if side_by_side { entry.whole.end } else { entry.whole.start });
        let symbol = DocumentSymbol {
            name: if entry.name.is_empty() { "?".to_owned() } else { entry.name },
            detail: None,
            kind: entry.kind,
            tags: None,
            deprecated: None,
            range: text.range(entry.whole),
            selection_range: text.range(entry.at),
            children: None,
        };
        open.push((entry.whole.end, symbol));
    }
    close(&mut open, u32::MAX);
    done
}
