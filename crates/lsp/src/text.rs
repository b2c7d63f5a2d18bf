//! Positions: the protocol counts lines, and UTF-16 units in a line; everything else here counts bytes.

use burnside_model::Span;
use lsp_types::{Position, Range};

/// A text with its line table.
#[derive(Clone, Debug)]
pub struct Text {
    text: String,
    /// Where lines begin; never empty.
    lines: Vec<u32>,
}

/// What an edit did: bytes from `start` up to `end` gave way to `length` others.
#[derive(Clone, Copy, Debug)]
pub struct Edit {
    /// The first byte.
    pub start: u32,
    /// One past the last byte that went.
    pub end: u32,
    /// How many came.
    pub length: u32,
}

impl Edit {
    /// Where an offset is after the edit; one inside of what went is at its beginning.
    #[must_use]
    pub fn moved(&self, offset: u32) -> u32 {
        if offset >= self.end { offset - self.end + self.start + self.length } else { offset.min(self.start) }
    }
}

impl Text {
    /// A text.
    #[must_use]
    pub fn new(text: String) -> Self {
        let mut lines = vec![0];
        lines.extend(text.match_indices('\n').map(|(at, _)| at as u32 + 1));
        Text { text, lines }
    }

    /// All of it.
    #[must_use]
    pub fn all(&self) -> &str {
        &self.text
    }

    /// A stretch of it; what does not fit is cut.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The offset of a position; one beyond the end of its line is that end.
    #[must_use]
    pub fn offset(&self, position: Position) -> u32 {
        let line = position.line as usize;
        let Some(start) = self.lines.get(line).map(|start| *start as usize) else {
            return self.text.len() as u32;
        };
        let end = self.lines.get(line + 1).map_or(self.text.len(), |next| *next as usize);
        let content = self.text[start..end].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (at, c) in content.char_indices() {
            if units >= position.character {
                return (start + at) as u32;
            }
            units += c.len_utf16() as u32;
        }
        (start + content.len()) as u32
    }

    /// The position of an offset; one that does not fit is moved until it does.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let offset = self.text.floor_char_boundary(offset as usize);
        let line = self.lines.partition_point(|start| *start as usize <= offset).saturating_sub(1);
        let before = &self.text[self.lines[line] as usize..offset];
        Position { line: line as u32, character: before.encode_utf16().count() as u32 }
    }

    /// The range of a span.
    #[must_use]
    pub fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end.max(span.start)) }
    }

    /// The offset of a line and a character in it, both counted from one.
    #[must_use]
    pub fn offset_of(&self, line: u32, column: u32) -> u32 {
        let Some(start) = self.lines.get(line.saturating_sub(1) as usize) else {
            return self.text.len() as u32;
        };
        let rest = &self.text[*start as usize..];
        let at = rest.char_indices().nth(column.saturating_sub(1) as usize);
        start + at.map_or(rest.len(), |(at, _)| at) as u32
    }

    /// Replaces a range, or everything.
    pub fn replace(&mut self, range: Option<Range>, with: &str) -> Edit {
        let (start, end) = match range {
            Some(range) => (self.offset(range.start), self.offset(range.end)),
            None => (0, self.text.len() as u32),
        };
        let end = end.max(start);
        self.text.replace_range(start as usize..end as usize, with);
        let edit = Edit { start, end, length: with.len() as u32 };
        // Lines before the edit stay, those behind it move, and those inside are found again.
        let kept = self.lines.partition_point(|line| *line <= start);
        let behind: Vec<u32> =
            self.lines[kept..].iter().filter(|line| **line > end).map(|line| edit.moved(*line)).collect();
        self.lines.truncate(kept);
        self.lines.extend(with.match_indices('\n').map(|(at, _)| start + at as u32 + 1));
        self.lines.extend(behind);
        edit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn positions_count_utf16() {
        let text = Text::new("aé\r\n𝒳b\n".to_owned());
        assert_eq!(text.offset(at(0, 2)), 3);
        assert_eq!(text.offset(at(0, 99)), 3, "before the line break");
        assert_eq!(text.offset(at(1, 2)), 9);
        assert_eq!(text.position(9), at(1, 2));
        assert_eq!(text.offset(at(7, 0)), 11);
        assert_eq!(text.position(99), at(2, 0));
    }

    #[test]
    fn line_tables_follow_edits() {
        let mut text = Text::new("one\ntwo\nthree\n".to_owned());
        let edits = [
            (at(0, 1), at(1, 1), "x\ny\n"),
            (at(0, 0), at(0, 0), "\n"),
            (at(3, 0), at(9, 0), ""),
            (at(1, 0), at(1, 0), "a\nb"),
        ];
        for (start, end, with) in edits {
            text.replace(Some(Range { start, end }), with);
            assert_eq!(text.lines, Text::new(text.all().to_owned()).lines, "{:?}", text.all());
        }
    }
}
