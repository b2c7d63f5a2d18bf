//! Source text and its line table: from byte offsets, which everything inside uses, to file, line and column,
//! which people use.
//!
//! A model often comes out of a preprocessor, which leaves `#line 12 "file.m"` or `# 12 "file.m"` behind. A
//! position is given in the file such a directive names. A directive is a line of its own; lines of that
//! shape inside a block comment count too, as the comment was removed if a preprocessor wrote the directive.

use crate::diag::{Diagnostic, codes};
use burnside_model::Span;

/// Longer files are refused: no model written by hand comes near, and offsets must fit 32 bits.
pub const MAX_BYTES: usize = 16 << 20;

/// A text and where its lines begin.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    /// Offset of the first byte of every line; never empty.
    lines: Vec<u32>,
    /// In the order of the text.
    directives: Vec<Directive>,
    /// Where claims about the model begin that are not in its own file.
    claims: Option<u32>,
    /// Whether there was more text than is read.
    cut: bool,
}

/// From the line with index `from` on, lines belong to `file` and are counted from `line`.
#[derive(Clone, Debug)]
struct Directive {
    from: usize,
    line: u32,
    file: Option<String>,
}

/// A position for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location<'a> {
    /// The file, as named by the last line directive that names one.
    pub file: &'a str,
    /// Counted from one.
    pub line: u32,
    /// Characters, counted from one.
    pub column: u32,
}

impl Source {
    /// A source with this name, of text at most [`MAX_BYTES`] long; longer text is refused when it is loaded.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text: String = text.into();
        let cut = text.len() > MAX_BYTES;
        text.truncate(text.floor_char_boundary(MAX_BYTES));
        let mut lines = vec![0];
        lines.extend(text.match_indices('\n').map(|(at, _)| at as u32 + 1));
        let mut directives = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if let Some((line, file)) = line_directive(line) {
                directives.push(Directive { from: index + 1, line, file });
            }
        }
        Source { name: name.into(), text, lines, directives, claims: None, cut }
    }

    /// The same with claims from another file: `symmetry`, `generator` and `hint` declarations.
    #[must_use]
    pub fn with_claims(&self, file: &str, text: &str) -> Self {
        // A directive is a line of its own, and so is what follows it.
        let begun = format!("{}\n", self.text);
        let claims = begun.len() as u32;
        let file = file.replace('"', "'");
        let both = Source::new(self.name.clone(), format!("{begun}#line 1 \"{file}\"\n{text}\n"));
        Source { claims: Some(claims), ..both }
    }

    /// Where such claims begin.
    pub(crate) fn claims(&self) -> Option<u32> {
        self.claims
    }

    /// A source from the bytes of a file: must be UTF-8, but for comments, and not longer than [`MAX_BYTES`].
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        let name = name.into();
        if bytes.len() > MAX_BYTES {
            let message = format!("{name} is too large: {} bytes, at most {MAX_BYTES} are read", bytes.len());
            return Err(Box::new(Diagnostic::error(codes::FILE_TOO_LARGE, Span::default(), message)));
        }
        let Err(error) = std::str::from_utf8(bytes) else {
            return Ok(Source::new(name, String::from_utf8_lossy(bytes)));
        };
        let text = String::from_utf8_lossy(bytes);
        if in_comments(&text) {
            return Ok(Source::new(name, text));
        }
        let at = error.valid_up_to();
        let line = 1 + bytes[..at].iter().filter(|&&b| b == b'\n').count();
        let message = format!("{name}, line {line}: byte 0x{:02x} is not valid UTF-8", bytes[at]);
        Err(Box::new(
            Diagnostic::error(codes::NOT_UTF8, Span::default(), message).help("save the file as UTF-8 text"),
        ))
    }

    /// Whether text was cut: there was more than [`MAX_BYTES`].
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span; a span that does not fit is cut until it does.
    pub fn slice(&self, span: Span) -> &str {
        let (start, end) = self.clamp(span);
        &self.text[start..end]
    }

    /// Where a byte offset is, in the terms of the line directives; an offset past the end is the end.
    pub fn location(&self, offset: u32) -> Location<'_> {
        let offset = self.clamp(Span { start: offset, end: offset }).0;
        let index = self.line_index(offset);
        let column = self.text[self.line_start(index)..offset].chars().count() as u32 + 1;
        let (file, line) = self.presented(index);
        Location { file, line, column }
    }

    /// The span as a range that can be sliced: inside the text, at character boundaries, not negative.
    pub(crate) fn clamp(&self, span: Span) -> (usize, usize) {
        let start = self.text.floor_char_boundary(span.start as usize);
        let end = self.text.ceil_char_boundary((span.end as usize).min(self.text.len()));
        (start, end.max(start))
    }

    /// The index, from zero, of the line an offset is in.
    pub(crate) fn line_index(&self, offset: usize) -> usize {
        self.lines.partition_point(|&start| start as usize <= offset).saturating_sub(1)
    }

    /// The offset of the first byte of a line.
    pub(crate) fn line_start(&self, index: usize) -> usize {
        self.lines.get(index).map_or(self.text.len(), |&start| start as usize)
    }

    /// The file and the number of a line as line directives say.
    pub(crate) fn presented(&self, index: usize) -> (&str, u32) {
        let before = &self.directives[..self.stretch(index)];
        let file = before.iter().rev().find_map(|d| d.file.as_deref()).unwrap_or(&self.name);
        let line = match before.last() {
            Some(d) => d.line.saturating_add((index - d.from) as u32),
            None => index as u32 + 1,
        };
        (file, line)
    }

    /// How many line directives come before a line: lines with the same number are counted in one stretch.
    pub(crate) fn stretch(&self, index: usize) -> usize {
        self.directives.partition_point(|d| d.from <= index)
    }
}

/// Whether every replacement character stands in a comment of some language: what it replaced does not matter there. Where
/// `--` is no comment, the character is one that no lexer takes.
fn in_comments(text: &str) -> bool {
    const BLOCKS: [(&str, &str); 2] = [("/*", "*/"), ("<!--", "-->")];
    let mut rest = text;
    while let Some(strange) = rest.find('\u{fffd}') {
        let line = rest.find("--").into_iter().chain(rest.find("//")).min();
        let block = BLOCKS.iter().filter_map(|(open, close)| Some((rest.find(open)?, *open, *close))).min();
        rest = match (line, block) {
            (_, Some((at, open, close))) if at < strange && line.is_none_or(|line| at <= line) => {
                let inside = &rest[at + open.len()..];
                inside.find(close).map_or("", |end| &inside[end + close.len()..])
            }
            (Some(at), _) if at < strange => rest[at..].split_once('\n').map_or("", |(_, after)| after),
            _ => return false,
        };
    }
    true
}

/// Reads `#line 12 "file"` or `# 12 "file"`, where the file may be missing; a file name may be followed by
/// the flags of a C preprocessor.
fn line_directive(line: &str) -> Option<(u32, Option<String>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let file = rest[digits..].trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"'));
    Some((number, file.map(|(name, _)| name.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_other_encodings_may_stand_in_comments() {
        let read = |text: &[u8]| Source::from_bytes("m.m", text).is_ok();
        assert!(read(b"var x : 0..1; -- caf\xe9\nstartstate end;"));
        assert!(read(b"/* \xe9\n\xe9 */ var x : 0..1; // \xe9"));
        assert!(read(b"<!-- \xe9 --><nta></nta>"));
        assert!(!read(b"var caf\xe9 : 0..1;"));
        assert!(!read(b"/* \xe9 */ var caf\xe9 : 0..1; -- \xe9"));
        assert!(!read(b"-- a comment\nvar caf\xe9 : 0..1;"));
    }
}
