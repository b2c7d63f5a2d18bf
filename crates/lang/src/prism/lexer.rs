//! Text to tokens. Words of the language are names that the parser recognises.

use burnside_model::Span;

use crate::diag::{Diagnostic, codes};
use crate::tokens::{Read, Tok, Token};

/// Longest first, where one begins with another.
const SIGNS: &[&str] = &[
    "<=>", "|||", "||", "=>", "<=", ">=", "!=", "->", "..", "(", ")", "[", "]", "{", "}", "<", ">", "=", "!",
    "?", ":", ";", ",", "+", "-", "*", "/", "&", "|", "^", "'", "#",
];

/// Cuts a text into tokens; the last one is [`Tok::End`]. The text begins `base` bytes into the source.
pub fn tokens(text: &str, base: usize) -> Read<Vec<Token>> {
    let bytes = text.as_bytes();
    let span = |start: usize, end: usize| Span::new(base + start, base + end);
    let mut tokens = Vec::new();
    let mut at = 0;
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    while at < bytes.len() {
        let start = at;
        let rest = &text[at..];
        let c = rest.chars().next().unwrap_or(' ');
        if c.is_whitespace() || c == '\u{feff}' {
            at += c.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("/*") {
            let Some(end) = rest.find("*/") else {
                let span = span(start, start + 2);
                let found = Diagnostic::error(codes::UNTERMINATED_COMMENT, span, "this comment never ends");
                return Err(Box::new(found.help("close it with `*/`")));
            };
            at += end + 2;
            continue;
        }
        let kind = if c.is_ascii_alphabetic() || c == '_' {
            while bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
                at += 1;
            }
            Tok::Word(text[start..at].to_owned())
        } else if c.is_ascii_digit() || c == '.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
            at = digits(at);
            let mut whole = true;
            if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
                (at, whole) = (digits(at + 1), false);
            }
            if matches!(bytes.get(at), Some(b'e' | b'E')) {
                let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
                if bytes.get(at + 1 + sign).is_some_and(u8::is_ascii_digit) {
                    (at, whole) = (digits(at + 1 + sign), false);
                }
            }
            let written = &text[start..at];
            match written.parse() {
                Ok(number) if whole => Tok::Int(number),
                _ => Tok::Real(written.to_owned()),
            }
        } else if c == '"' {
            let end = text[at + 1..].find(['"', '\n']).map(|end| at + 1 + end);
            let Some(end) = end.filter(|end| bytes[*end] == b'"') else {
                let span = span(start, start + 1);
                let found =
                    Diagnostic::error(codes::UNTERMINATED_STRING, span, "this name has no closing quote");
                return Err(Box::new(found.help("close it with `\"` in the same line")));
            };
            at = end + 1;
            Tok::Text(text[start + 1..end].to_owned())
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            at += sign.len();
            Tok::Sign(sign)
        } else {
            let span = span(start, start + c.len_utf8());
            let message = format!("`{c}` has no meaning in PRISM's language");
            return Err(Box::new(Diagnostic::error(codes::UNEXPECTED_CHARACTER, span, message)));
        };
        tokens.push(Token::new(kind, span(start, at)));
    }
    tokens.push(Token::new(Tok::End, span(text.len(), text.len())));
    Ok(tokens)
}
