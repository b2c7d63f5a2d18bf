//! What is shown between the lines: where symmetry breaks, and what can be started.

use lsp_types::{CodeLens, Command, InlayHint, InlayHintLabel, InlayHintTooltip, Position, Range, Uri};

use crate::document::Document;
use crate::programs;

/// The longest hint that is shown; the rest is said when it is pointed at.
const MOST: usize = 60;

/// Where symmetry breaks, inside a range.
pub(crate) fn hints(document: &Document, range: Range) -> Vec<InlayHint> {
    let Some(symmetry) = &document.symmetry else { return Vec::new() };
    let mut found: Vec<InlayHint> = Vec::new();
    for place in &symmetry.breaks {
        let offset = document.text.offset_of(place.line, place.column);
        let line = document.text.position(offset).line;
        if line < range.start.line || line > range.end.line {
            continue;
        }
        // At the end of the line, where it does not move the text.
        let position = document.text.position(document.text.offset(Position { line, character: u32::MAX }));
        let mut label = format!("⊘ {}", place.message);
        if label.chars().count() > MOST {
            label = label.chars().take(MOST - 1).chain(['…']).collect();
        }
        if let Some(known) = found.iter_mut().find(|hint| hint.position == position) {
            if let Some(InlayHintTooltip::String(tip)) = &mut known.tooltip {
                tip.push('\n');
                tip.push_str(&place.message);
            }
            continue;
        }
        found.push(InlayHint {
            position,
            label: InlayHintLabel::String(label),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(place.message.clone())),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        });
    }
    found
}

/// What can be started: on top of the text, with the group once it is known.
pub(crate) fn lenses(document: &Document, uri: &Uri) -> Vec<CodeLens> {
    let top = Position { line: 0, character: 0 };
    let lens = |title: String, command: &str| CodeLens {
        range: Range { start: top, end: top },
        command: Some(Command {
            title,
            command: command.to_owned(),
            arguments: Some(vec![serde_json::Value::String(uri.as_str().to_owned())]),
        }),
        data: None,
    };
    let mut lenses =
        vec![lens("check".to_owned(), programs::CHECK), lens("explore".to_owned(), programs::EXPLORE)];
    if let Some(symmetry) = &document.symmetry {
        lenses.push(lens(format!("symmetry {}", symmetry.group), programs::SYMMETRY));
    }
    lenses
}
