//! Promela tokens.
//!
//! The lexer keeps line breaks as tokens, since the preprocessor that runs behind it works line by line. A token knows
//! where it was written, or for the text of a macro where the macro is used.

use burnside_model::Span;

use crate::diag::{Diagnostic, codes};
use crate::tokens::{Read, Tok, Token};

/// Longer signs first.
const SIGNS: &[&str] = &[
    "<->", "::", "->", "--", "++", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "!!", "??", "..", "<>",
    "[]", "##", "{", "}", "(", ")", "[", "]", ";", ",", ".", ":", "=", "+", "-", "*", "/", "%", "&", "|",
    "^", "~", "!", "?", "<", ">", "@", "#",
];

/// The tokens of a text, comments left out.
pub(super) fn tokens(text: &str) -> Read<Vec<Token>> {
    let bytes = text.as_bytes();
    let (mut at, mut found, mut spaced) = (0, Vec::new(), true);
    let fail = |code, start: usize, end: usize, message: String| {
        Err(Box::new(Diagnostic::error(code, Span::new(start, end), message)))
    };
    while at < bytes.len() {
        let (start, byte) = (at, bytes[at]);
        let rest = &text[at..];
        if byte == b'\n' {
            found.push(Token { kind: Tok::Line, span: Span::new(at, at + 1), spaced });
            at += 1;
            spaced = true;
            continue;
        }
        if byte == b'\\' && rest[1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
            // A line goes on in the next one.
            at += rest.find('\n').map_or(1, |end| end + 1);
            spaced = true;
            continue;
        }
        if byte.is_ascii_whitespace() {
            at += 1;
            spaced = true;
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            let Some(end) = comment.find("*/") else {
                return fail(codes::UNTERMINATED_COMMENT, at, at + 2, "this comment has no end".to_owned());
            };
            at += end + 4;
            spaced = true;
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            spaced = true;
            continue;
        }
        let kind = if byte.is_ascii_alphabetic() || byte == b'_' {
            at += rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            Tok::Word(text[start..at].to_owned())
        } else if byte.is_ascii_digit() {
            at += rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
            let digits = &text[start..at];
            let parsed = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
                Some(hex) => i64::from_str_radix(hex, 16),
                None => digits.parse(),
            };
            match parsed {
                Ok(number) if number <= i64::from(u32::MAX) => Tok::Int(number),
                Ok(_) => {
                    return fail(
                        codes::NUMBER_TOO_LARGE,
                        start,
                        at,
                        format!("{digits} does not fit in 32 bits"),
                    );
                }
                Err(_) => return fail(codes::BAD_NUMBER, start, at, format!("`{digits}` is not a number")),
            }
        } else if byte == b'"' {
            let mut end = at + 1;
            while end < bytes.len() && bytes[end] != b'"' && bytes[end] != b'\n' {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            if bytes.get(end) != Some(&b'"') {
                let end = text.floor_char_boundary(end.min(text.len()));
                return fail(
                    codes::UNTERMINATED_STRING,
                    start,
                    end,
                    "this string has no closing quote".to_owned(),
                );
            }
            at = end + 1;
            Tok::Text(text[start + 1..end].to_owned())
        } else if byte == b'\'' {
            let end = rest[1..].find('\'').map(|end| at + 1 + end);
            let number = end.and_then(|end| character(&text[at + 1..end]));
            match (end, number) {
                (Some(end), Some(number)) => {
                    at = end + 1;
                    Tok::Int(number)
                }
                _ => return fail(codes::BAD_NUMBER, at, at + 1, "this is not a character".to_owned()),
            }
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            at += sign.len();
            Tok::Sign(sign)
        } else {
            let character = rest.chars().next().unwrap_or(' ');
            let message = format!("the character `{character}` has no meaning in Promela");
            return fail(codes::UNEXPECTED_CHARACTER, at, at + character.len_utf8(), message);
        };
        found.push(Token { kind, span: Span::new(start, at), spaced });
        spaced = false;
    }
    let end = Span::new(text.len(), text.len());
    found.push(Token { kind: Tok::Line, span: end, spaced });
    found.push(Token { kind: Tok::End, span: end, spaced });
    Ok(found)
}

/// The value of a character as it is written between quotes.
fn character(written: &str) -> Option<i64> {
    let mut characters = written.chars();
    let value = match (characters.next()?, characters.next()) {
        ('\\', Some('n')) => '\n',
        ('\\', Some('t')) => '\t',
        ('\\', Some('r')) => '\r',
        ('\\', Some('0')) => '\0',
        ('\\', Some(other)) => other,
        (one, None) => one,
        _ => return None,
    };
    (characters.next().is_none()).then_some(i64::from(u32::from(value)))
}
