//! Text to tokens.
//!
//! The lexer never fails: what it cannot read is reported and becomes a [`Tok::Bad`], about which the parser
//! says nothing more. Numbers follow rumur (decimal, `0x` hexadecimal, leading-zero octal); strings may be
//! written with typographic quotes; every operator that has a mathematical sign may be written with it.

use super::parser::MAX_ERRORS;
use super::token::{Tok, Token};
use crate::diag::{Diagnostic, codes};
use crate::source::Source;
use burnside_model::Span;

/// The tokens of a text, the last one [`Tok::Eof`], and what was wrong.
pub fn lex(source: &Source) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { text: source.text(), pos: 0, solid: None, unclosed: false, diags: Vec::new() };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank();
        let start = lexer.pos;
        let Some(c) = lexer.peek() else { break };
        let kind = lexer.token(c);
        lexer.solid = Some(lexer.pos);
        tokens.push(Token { kind, span: Span::new(start, lexer.pos) });
    }
    tokens.push(Token { kind: Tok::Eof, span: Span::new(lexer.pos, lexer.pos) });
    (tokens, lexer.diags)
}

/// The value of a number that was lexed without an error.
pub fn number_value(text: &str) -> Option<i128> {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    i128::from_str_radix(digits, radix).ok()
}

/// What stands between the quotes of a string token, with `\"`, `\\`, `\n` and `\t` replaced.
pub fn string_value(text: &str) -> String {
    let quote = |c| matches!(c, '"' | '“' | '”');
    let inner = text.strip_prefix(quote).unwrap_or(text);
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    let mut value = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('\\', Some(next @ ('"' | '“' | '”' | '\\'))) => value.push(next),
            ('\\', Some('n')) => value.push('\n'),
            ('\\', Some('t')) => value.push('\t'),
            _ => {
                value.push(c);
                continue;
            }
        }
        chars.next();
    }
    value
}

struct Lexer<'a> {
    text: &'a str,
    /// The next byte to read.
    pos: usize,
    /// The end of the last token, to know whether a `#` is the first on its line.
    solid: Option<usize>,
    /// No closing quote follows: a string was found that is never closed.
    unclosed: bool,
    diags: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.pos..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Moves past the characters that satisfy the condition.
    fn skip_while(&mut self, condition: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.pos += rest.find(|c| !condition(c)).unwrap_or(rest.len());
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        if !self.is_full() {
            self.diags.push(diagnostic);
        }
    }

    /// Would another error be too many?
    fn is_full(&self) -> bool {
        self.diags.len() >= 2 * MAX_ERRORS
    }

    /// Skips white space, comments and directives.
    fn skip_blank(&mut self) {
        loop {
            self.skip_while(|c| c.is_ascii_whitespace() || c == '\x0b' || c == '\u{feff}');
            if self.rest().starts_with("--") {
                self.skip_while(|c| c != '\n');
            } else if self.rest().starts_with("//") {
                let at = Span::new(self.pos, self.pos + 2);
                self.error(
                    Diagnostic::error(codes::UNEXPECTED_CHARACTER, at, "`//` does not begin a comment")
                        .help("write `--` to comment out the rest of a line"),
                );
                self.skip_while(|c| c != '\n');
            } else if self.rest().starts_with("/*") {
                self.block_comment();
            } else if self.rest().starts_with('#') && self.first_on_line() {
                self.directive();
            } else {
                return;
            }
        }
    }

    fn first_on_line(&self) -> bool {
        self.solid.is_none_or(|end| self.text[end..self.pos].contains('\n'))
    }

    fn block_comment(&mut self) {
        match self.rest()[2..].find("*/") {
            Some(length) => self.pos += length + 4,
            None => {
                let at = Span::new(self.pos, self.pos + 2);
                self.error(
                    Diagnostic::error(codes::UNTERMINATED_COMMENT, at, "this comment is never closed")
                        .label("opened here")
                        .help("end it with `*/`"),
                );
                self.pos = self.text.len();
            }
        }
    }

    /// Skips a line that begins with `#`; the source has read its line number, if it is a line directive.
    fn directive(&mut self) {
        let start = self.pos;
        self.skip_while(|c| c != '\n');
        let word = self.text[start + 1..self.pos].split_whitespace().next().unwrap_or("");
        let harmless = ["", "line", "pragma", "ident"].contains(&word);
        if !harmless && !word.starts_with(|c: char| c.is_ascii_digit()) {
            let message = format!("`#{word}` is a directive of a preprocessor, not of the language");
            self.error(
                Diagnostic::error(codes::UNKNOWN_DIRECTIVE, Span::new(start, self.pos), message)
                    .help("run the file through the preprocessor first, for example with `cpp -P`"),
            );
        }
    }

    /// Reads the token that begins with `c`, the character at the current position.
    fn token(&mut self, c: char) -> Tok {
        match c {
            'a'..='z' | 'A'..='Z' | '_' => self.word(),
            '0'..='9' => self.number(),
            '"' | '“' => self.string(c),
            _ => self.operator(c),
        }
    }

    fn word(&mut self) -> Tok {
        let start = self.pos;
        self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_');
        let word = &self.text[start..self.pos];
        if word.starts_with('_') {
            let message = format!("the name `{word}` begins with an underscore");
            let better = word.trim_start_matches('_');
            let help = match better.starts_with(|c: char| c.is_ascii_alphabetic()) {
                true => format!("begin names with a letter: `{better}`"),
                false => "begin names with a letter".to_string(),
            };
            let at = Span::new(start, self.pos);
            self.error(Diagnostic::error(codes::LEADING_UNDERSCORE, at, message).help(help));
            return Tok::Ident;
        }
        Tok::keyword(word).unwrap_or(Tok::Ident)
    }

    fn number(&mut self) -> Tok {
        let start = self.pos;
        let hex = self.rest().starts_with("0x") || self.rest().starts_with("0X");
        if hex {
            self.pos += 2;
            self.skip_while(|c| c.is_ascii_hexdigit());
        } else {
            self.skip_while(|c| c.is_ascii_digit());
        }
        let end = self.pos;
        if !hex && self.fraction() {
            let at = Span::new(start, self.pos);
            self.error(real_number(at));
            return Tok::Number;
        }
        // `3do` is a number and a keyword; `3x` is a mistake.
        self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if Tok::keyword(&self.text[end..self.pos]).is_some() {
            self.pos = end;
        }
        let text = &self.text[start..self.pos];
        let at = Span::new(start, self.pos);
        if self.pos > end || (hex && end == start + 2) {
            let message = format!("`{}` is neither a number nor a name", excerpt(text));
            self.error(Diagnostic::error(codes::BAD_NUMBER, at, message).help("names begin with a letter"));
            return Tok::Bad;
        } else if !hex && text.len() > 1 && text.starts_with('0') {
            self.octal(at);
        } else if number_value(text).is_none() {
            self.too_large(at);
        }
        Tok::Number
    }

    /// A number with a leading zero: octal for rumur, as in C, and here; CMurphi reads it as decimal.
    fn octal(&mut self, at: Span) {
        let text = &self.text[at.start as usize..at.end as usize];
        let decimal = text.trim_start_matches('0');
        let decimal = if decimal.is_empty() { "0" } else { decimal };
        if text.contains(['8', '9']) {
            let message = format!("`{}` is not an octal number", excerpt(text));
            let help = format!(
                "a leading zero makes a number octal, with digits from 0 to 7; for the decimal number write `{}`",
                excerpt(decimal)
            );
            self.error(Diagnostic::error(codes::BAD_NUMBER, at, message).help(help));
        } else if let Some(value) = number_value(text) {
            // Up to seven both readings agree.
            if value > 7 {
                let message = format!("`{}` is octal: its value is {value}", excerpt(text));
                let help = format!("for the decimal number write `{}`", excerpt(decimal));
                self.error(Diagnostic::warning(codes::OCTAL_NUMBER, at, message).help(help));
            }
        } else {
            self.too_large(at);
        }
    }

    fn too_large(&mut self, at: Span) {
        self.error(
            Diagnostic::error(codes::NUMBER_TOO_LARGE, at, "this number is too large")
                .help("numbers must fit 64 bits with a sign: at most 9223372036854775807"),
        );
    }

    /// Skips `.5`, but not the dots of `1..5`.
    fn fraction(&mut self) -> bool {
        let mut chars = self.rest().chars();
        let found = chars.next() == Some('.') && chars.next().is_some_and(|c| c.is_ascii_digit());
        if found {
            self.pos += 1;
            self.skip_while(|c| c.is_ascii_digit());
        }
        found
    }

    /// A string ends at the next `"`, or, if it began with a typographic quote, at such a one.
    fn string(&mut self, opener: char) -> Tok {
        let start = self.pos;
        let (mut escaped, mut quote_escaped) = (false, false);
        let rest = self.rest();
        let reach = if self.unclosed { rest.find('\n').unwrap_or(rest.len()) } else { rest.len() };
        let end = rest[..reach].char_indices().skip(1).find_map(|(at, c)| {
            let closes = c == '"' || (c == '”' && opener == '“');
            if closes && !escaped {
                return Some(at + c.len_utf8());
            }
            quote_escaped |= closes;
            escaped = c == '\\' && !escaped;
            None
        });
        if let Some(length) = end {
            self.pos += length;
            let at = Span::new(start, self.pos);
            if self.text[start..self.pos].contains('\n') {
                self.error(
                    Diagnostic::warning(
                        codes::STRING_ACROSS_LINES,
                        at,
                        "this string goes on in the next line",
                    )
                    .help("if it should not, its closing quote is missing"),
                );
            }
            return Tok::Str;
        }
        self.unclosed = true;
        // Go on after the line, so that the rest of the text is still read.
        self.skip_while(|c| c != '\n');
        let at = Span::new(start, start + opener.len_utf8());
        let error = Diagnostic::error(codes::UNTERMINATED_STRING, at, "this string is never closed")
            .label("opened here");
        self.error(if quote_escaped {
            error.help("`\\\"` is a quote inside the string; for a backslash at its end write `\\\\`")
        } else {
            error.help("end it with `\"`")
        });
        Tok::Str
    }

    fn operator(&mut self, c: char) -> Tok {
        let start = self.pos;
        if c == '.' && !self.rest().starts_with("..") && self.fraction() {
            self.error(real_number(Span::new(start, self.pos)));
            return Tok::Number;
        }
        if let Some((tok, length)) = sign(self.rest()) {
            self.pos += length;
            return tok;
        }
        self.pos += c.len_utf8();
        if self.is_full() {
            return Tok::Bad;
        }
        let shown = if c.is_control() || c.is_whitespace() {
            format!("U+{:04X}", c as u32)
        } else {
            format!("`{c}`")
        };
        let at = Span::new(start, self.pos);
        let error =
            Diagnostic::error(codes::UNEXPECTED_CHARACTER, at, format!("unexpected character {shown}"));
        self.error(match c {
            '\'' | '`' | '”' | '‘' | '’' => error.help("strings are written in double quotes"),
            '#' => error.help("a line directive must stand on a line of its own"),
            c if c.is_alphabetic() => error.help("names are made of the letters a to z, digits and `_`"),
            c if c.is_whitespace() => error.help("use an ordinary space"),
            _ => error,
        });
        Tok::Bad
    }
}

/// The longest operator or bracket the text begins with, and its length in bytes.
fn sign(text: &str) -> Option<(Tok, usize)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    let second = chars.next().unwrap_or(' ');
    let pair = match (first, second) {
        ('=', '=') if chars.next() == Some('>') => return Some((Tok::Arrow, 3)),
        ('=', '=') => Some(Tok::EqEq),
        (':', '=') => Some(Tok::Assign),
        ('.', '.') => Some(Tok::DotDot),
        ('>', '=') => Some(Tok::Ge),
        ('<', '=') => Some(Tok::Le),
        ('!', '=') => Some(Tok::Ne),
        ('-', '>') => Some(Tok::Implies),
        ('<', '<') => Some(Tok::Shl),
        ('>', '>') => Some(Tok::Shr),
        ('&', '&') => Some(Tok::AmpAmp),
        ('|', '|') => Some(Tok::PipePipe),
        _ => None,
    };
    if let Some(tok) = pair {
        return Some((tok, 2));
    }
    let tok = match first {
        '&' => Tok::Amp,
        '|' => Tok::Pipe,
        '^' => Tok::Caret,
        '~' => Tok::Tilde,
        '!' | '¬' => Tok::Bang,
        ':' => Tok::Colon,
        '=' => Tok::Eq,
        '<' => Tok::Lt,
        '>' => Tok::Gt,
        '+' => Tok::Plus,
        '-' | '−' => Tok::Minus,
        '*' | '×' => Tok::Star,
        '/' | '÷' | '∕' => Tok::Slash,
        '%' => Tok::Percent,
        '?' => Tok::Question,
        ';' => Tok::Semi,
        ',' => Tok::Comma,
        '.' => Tok::Dot,
        '(' => Tok::LParen,
        ')' => Tok::RParen,
        '[' => Tok::LBracket,
        ']' => Tok::RBracket,
        '{' => Tok::LBrace,
        '}' => Tok::RBrace,
        '≔' => Tok::Assign,
        '≥' => Tok::Ge,
        '≤' => Tok::Le,
        '≠' => Tok::Ne,
        '→' => Tok::Implies,
        '⇒' => Tok::Arrow,
        '∧' => Tok::AmpAmp,
        '∨' => Tok::PipePipe,
        '∀' => Tok::Forall,
        '∃' => Tok::Exists,
        _ => return None,
    };
    Some((tok, first.len_utf8()))
}

fn real_number(at: Span) -> Diagnostic {
    Diagnostic::error(codes::REAL_NUMBER, at, "real numbers are not supported")
        .help("use an integer, for example by counting in hundredths")
}

/// Short enough for a message.
fn excerpt(text: &str) -> &str {
    &text[..text.floor_char_boundary(40)]
}
