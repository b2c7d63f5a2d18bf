//! Text to tokens. A text is a whole `.xta` file, or one label of an `.xml` file, whose entities (`&lt;`) are read as
//! the characters they stand for; every token knows its place in the file.

use burnside_model::Span;

use crate::diag::{Diagnostic, codes};
use crate::tokens::{Read, Tok, Token};

/// Longest first, where one begins with another.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "-->", "<<", ">>", "<=", ">=", "==", "!=", ":=", "+=", "-=", "*=", "/=", "%=", "|=", "&=",
    "^=", "&&", "||", "++", "--", "<?", ">?", "->", "-u->", "(", ")", "[", "]", "{", "}", "<", ">", "=", "!",
    "?", ":", ";", ",", ".", "+", "-", "*", "/", "%", "&", "|", "^", "'", "~", "#", "@",
];

/// What opens a part of an `.xml` file in which nothing stands for anything else.
const CDATA: &str = "<![CDATA[";

/// A stretch of a file.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'s> {
    pub text: &'s str,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Whether entities are to be resolved.
    pub xml: bool,
}

/// Cuts a stretch of a file into tokens; the last one is [`Tok::End`]. The first mistake ends it.
pub fn tokens(stretch: Stretch) -> Read<Vec<Token>> {
    let (tokens, mistakes) = tokens_and_mistakes(stretch);
    mistakes.into_iter().next().map_or(Ok(tokens), |mistake| Err(Box::new(mistake)))
}

/// As [`tokens`], with a [`Tok::Wrong`] for each mistake, in order.
pub fn tokens_and_mistakes(stretch: Stretch) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut mistakes = Vec::new();
    let chars = characters(stretch);
    let mut tokens = Vec::new();
    let mut at = 0;
    let place = |at: usize| chars.get(at).map_or(stretch.end, |(_, offset)| *offset);
    let one = |at: usize| chars.get(at).map_or('\0', |(c, _)| *c);
    while at < chars.len() {
        let start = at;
        let c = one(at);
        // A backslash at the end of a line only says that a query goes on.
        if c.is_whitespace() || c == '\u{feff}' || c == '\\' && matches!(one(at + 1), '\n' | '\r') {
            at += 1;
            continue;
        }
        if c == '/' && one(at + 1) == '/' {
            while at < chars.len() && one(at) != '\n' {
                at += 1;
            }
            continue;
        }
        if c == '/' && one(at + 1) == '*' {
            at += 2;
            while at < chars.len() && !(one(at) == '*' && one(at + 1) == '/') {
                at += 1;
            }
            if at >= chars.len() {
                let span = Span::new(place(start), place(start + 2));
                let message = "this comment is never closed";
                mistakes.push(Diagnostic::error(codes::UNTERMINATED_COMMENT, span, message));
                tokens.push(Token::new(Tok::Wrong, span));
            }
            at += 2;
            continue;
        }
        let kind = if c.is_alphabetic() || c == '_' {
            while one(at).is_alphanumeric() || one(at) == '_' {
                at += 1;
            }
            Tok::Word(chars[start..at].iter().map(|(c, _)| c).collect())
        } else if c.is_ascii_digit() {
            while one(at).is_ascii_digit() {
                at += 1;
            }
            let text: String = chars[start..at].iter().map(|(c, _)| c).collect();
            let span = Span::new(place(start), place(at));
            let digits = |mut at: usize| {
                while one(at).is_ascii_digit() {
                    at += 1;
                }
                at
            };
            let fraction = if one(at) == '.' && one(at + 1).is_ascii_digit() { digits(at + 1) } else { at };
            let signed = usize::from(matches!(one(fraction + 1), '+' | '-'));
            let power = matches!(one(fraction), 'e' | 'E') && one(fraction + 1 + signed).is_ascii_digit();
            let end = if power { digits(fraction + 1 + signed) } else { fraction };
            if end > at {
                at = end;
                Tok::Real(chars[start..at].iter().map(|(c, _)| c).collect())
            } else if let Ok(number) = text.parse::<i32>() {
                Tok::Int(i64::from(number))
            } else {
                let message = format!("{text} does not fit in 32 bits");
                mistakes.push(Diagnostic::error(codes::NUMBER_TOO_LARGE, span, message));
                Tok::Wrong
            }
        } else {
            let sign = SIGNS.iter().find(|sign| sign.chars().enumerate().all(|(i, c)| one(at + i) == c));
            if let Some(sign) = sign {
                at += sign.len();
                Tok::Sign(sign)
            } else {
                let span = Span::new(place(at), place(at + 1));
                let shown = if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
                let message = format!("`{shown}` has no meaning here");
                mistakes.push(Diagnostic::error(codes::UNEXPECTED_CHARACTER, span, message));
                at += 1;
                Tok::Wrong
            }
        };
        let end = place(at - 1) + last_width(stretch, place(at - 1));
        tokens.push(Token::new(kind, Span::new(place(start), end)));
    }
    tokens.push(Token::new(Tok::End, Span::new(stretch.end, stretch.end)));
    (tokens, mistakes)
}

/// How many bytes the character at an offset takes in the file.
fn last_width(stretch: Stretch, at: usize) -> usize {
    let rest = &stretch.text[at..stretch.end];
    match entity(rest).filter(|_| stretch.xml) {
        Some((_, length)) => length,
        None => rest.chars().next().map_or(0, char::len_utf8),
    }
}

/// The characters of a stretch, and where each one begins in the file.
fn characters(stretch: Stretch) -> Vec<(char, usize)> {
    let mut characters = Vec::with_capacity(stretch.end - stretch.start);
    let mut at = stretch.start;
    while at < stretch.end {
        let rest = &stretch.text[at..stretch.end];
        if let Some(inner) = rest.strip_prefix(CDATA).filter(|_| stretch.xml) {
            let start = at + CDATA.len();
            let length = inner.find("]]>").unwrap_or(inner.len());
            characters.extend(inner[..length].char_indices().map(|(offset, c)| (c, start + offset)));
            at = (start + length + "]]>".len()).min(stretch.end);
            continue;
        }
        if rest.starts_with("<!--") && stretch.xml {
            at += rest.find("-->").map_or(rest.len(), |end| end + "-->".len());
            continue;
        }
        let (c, length) = match entity(rest).filter(|_| stretch.xml) {
            Some(found) => found,
            None => {
                let c = rest.chars().next().unwrap_or(' ');
                (c, c.len_utf8())
            }
        };
        characters.push((c, at));
        at += length;
    }
    characters
}

/// The character that an entity at the beginning of the text stands for, and the entity's length.
fn entity(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('&')?;
    // None is longer than `#x10ffff`.
    let name = &rest[..rest.bytes().take(10).position(|byte| byte == b';')?];
    let c = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some((c, name.len() + 2))
}
