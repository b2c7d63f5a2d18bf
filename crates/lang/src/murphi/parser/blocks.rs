//! Blocks and their `end`: closing them, explaining a missing `end`, and skipping after a mistake.
//!
//! A bare `end` closes any block, so a missing one shows only much later, at the next rule or at the end of
//! the file. What tells the place is the layout: an `end` that is indented less than the block it closes
//! was probably meant for the block around it. Such pairs are remembered, and shown when an `end` turns out
//! to be missing; so are `else if`s, which open a block of their own where `elsif` would not.

use super::{Parser, Skip};
use crate::diag::{Diagnostic, codes};
use crate::murphi::token::Tok;
use burnside_model::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Alias,
    Choose,
    Exists,
    For,
    Forall,
    Function,
    If,
    Procedure,
    Record,
    Rule,
    Ruleset,
    StartState,
    Switch,
    While,
}

/// A block that waits for its `end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) block: Block,
    /// Its first keyword.
    pub(super) at: Span,
}

/// What may explain a missing `end`.
#[derive(Default)]
pub(super) struct Habits {
    /// Blocks closed by an `end` that is indented less than they are.
    outdented: Vec<Open>,
    /// The `if` of every `else if`.
    else_ifs: Vec<Span>,
}

impl Block {
    fn word(self) -> &'static str {
        match self {
            Block::Alias => "alias",
            Block::Choose => "choose",
            Block::Exists => "exists",
            Block::For => "for",
            Block::Forall => "forall",
            Block::Function => "function",
            Block::If => "if",
            Block::Procedure => "procedure",
            Block::Record => "record",
            Block::Rule => "rule",
            Block::Ruleset => "ruleset",
            Block::StartState => "startstate",
            Block::Switch => "switch",
            Block::While => "while",
        }
    }

    /// Is this the long form of its `end`?
    fn has_own_end(self, end: Tok) -> bool {
        match end {
            Tok::EndAlias => self == Block::Alias,
            Tok::EndExists => self == Block::Exists,
            Tok::EndFor => self == Block::For,
            Tok::EndForall => self == Block::Forall,
            Tok::EndFunction | Tok::EndProcedure => matches!(self, Block::Function | Block::Procedure),
            Tok::EndIf => self == Block::If,
            Tok::EndRecord => self == Block::Record,
            Tok::EndRule => self == Block::Rule,
            Tok::EndRuleset => self == Block::Ruleset,
            Tok::EndStartState => self == Block::StartState,
            Tok::EndSwitch => self == Block::Switch,
            Tok::EndWhile => self == Block::While,
            // The only long form that is not a keyword.
            Tok::Ident => self == Block::Choose,
            _ => false,
        }
    }
}

impl Parser<'_> {
    /// Parses a block: opens it, runs the parser of what is inside, closes it. The inside catches its own
    /// mistakes.
    pub(super) fn block<T>(&mut self, block: Block, at: Span, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.open.push(Open { block, at });
        let depth = self.open.len();
        let result = inside(self);
        self.open.truncate(depth);
        self.close();
        result
    }

    /// Is the next token some kind of `end`?
    pub(super) fn at_end(&self) -> bool {
        self.kind().is_end() || (self.is_open(Block::Choose) && self.at_word("endchoose"))
    }

    pub(super) fn is_open(&self, block: Block) -> bool {
        self.open.iter().any(|o| o.block == block)
    }

    /// Closes the innermost open block.
    pub(super) fn close(&mut self) {
        let at_end = self.at_end();
        let Some(open) = self.open.pop() else { return };
        let end = self.kind();
        if !at_end {
            self.missing_end(open);
        } else if end == Tok::End || open.block.has_own_end(end) {
            self.remember_layout(open);
            self.bump();
        } else if self.open.iter().any(|o| o.block.has_own_end(end)) {
            // It closes a block further out; that one comes to take it.
            self.missing_end(open);
        } else {
            let word = open.block.word();
            let message = format!("{} cannot close this `{word}`", self.found());
            let error = Diagnostic::error(codes::MISMATCHED_END, self.here(), message)
                .label(format!("expected `end` or `end{word}`"))
                .also(open.at, format!("this `{word}` is to be closed"))
                .help("every block is closed by `end`, or by `end` and its first word");
            self.report(error);
            self.bump();
        }
    }

    fn missing_end(&mut self, open: Open) {
        let word = open.block.word();
        let message = format!("this `{word}` is never closed: expected `end`, found {}", self.found());
        let mut error = Diagnostic::error(codes::MISSING_END, self.here(), message)
            .label("expected `end` before this")
            .also(open.at, format!("this `{word}` is never closed"));
        let inside = |at: Span| at.start > open.at.start;
        let suspect = self.habits.outdented.iter().find(|o| inside(o.at));
        let else_if = self.habits.else_ifs.iter().find(|at| match suspect {
            Some(suspect) => at.start > suspect.at.start,
            None => inside(**at),
        });
        if let Some(at) = else_if {
            error = error
                .also(*at, "this opens an `if` of its own")
                .help("`else if` needs an `end` of its own; `elsif` does not");
        } else if let Some(suspect) = suspect {
            let word = suspect.block.word();
            error = error
                .also(suspect.at, format!("perhaps this `{word}` lacks its `end`"))
                .help(format!("the `end` that closes this `{word}` is indented less than the `{word}`"));
        } else {
            error = error.help(format!("close it with `end` or `end{word}`"));
        }
        self.report(error);
    }

    fn remember_layout(&mut self, open: Open) {
        if let (Some(opener), Some(end)) = (self.indentation(open.at), self.indentation(self.here()))
            && end < opener
        {
            self.habits.outdented.push(open);
        }
    }

    /// How far the token at this place is indented; none if it is not the first of its line.
    fn indentation(&self, at: Span) -> Option<usize> {
        let start = self.source.line_start(self.source.line_index(at.start as usize));
        let before = self.source.slice(Span::new(start, at.start as usize));
        // Whoever mixes tabs and spaces sees no misplaced `end`s here, only no hint.
        before.chars().all(char::is_whitespace).then(|| before.chars().count())
    }

    /// Remembers `else if` on one line.
    pub(super) fn remember_else_if(&mut self, or_else: Span) {
        let between = Span { start: or_else.end, end: self.here().start };
        if self.kind() == Tok::If && !self.source.slice(between).contains('\n') {
            self.habits.else_ifs.push(self.here());
        }
    }

    /// Forgets what was seen in the last rule or function.
    pub(super) fn forget_layout(&mut self) {
        self.habits = Habits::default();
    }

    /// Skips to where the next statement, declaration or rule may begin, or to a token that satisfies
    /// `stop`, and forgets the quantifiers opened since `base` blocks were open.
    pub(super) fn skip(&mut self, base: usize, stop: impl Fn(Tok) -> bool) {
        let mut quantifiers = self.open.len().saturating_sub(base);
        self.open.truncate(base);
        loop {
            let kind = self.kind();
            match kind {
                Tok::Semi
                    if quantifiers > 0 && self.ahead(1) == Tok::Ident && self.ahead(2) == Tok::Colon => {}
                Tok::End | Tok::EndForall | Tok::EndExists if quantifiers > 0 => quantifiers -= 1,
                Tok::Forall | Tok::Exists => quantifiers += 1,
                Tok::Semi | Tok::Else | Tok::Elsif | Tok::Case | Tok::Begin => return,
                _ if quantifiers == 0 && stop(kind) => return,
                _ if kind.starts_stmt() || kind.starts_unit() || kind.starts_decls() || self.at_end() => {
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Runs a parser; after a mistake, skips to `stop` or the next statement.
    pub(super) fn recover<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, Skip>,
        stop: impl Fn(Tok) -> bool,
    ) -> Option<T> {
        let base = self.open.len();
        let result = parse(self).ok();
        if result.is_none() {
            self.skip(base, stop);
        }
        result
    }

    /// The same for an element of a list: if nothing at all was read, skips one token, so that the list
    /// comes to its end.
    pub(super) fn element<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, Skip>,
        stop: impl Fn(Tok) -> bool,
    ) -> Option<T> {
        let before = self.pos;
        let result = self.recover(parse, stop);
        if result.is_none() && self.pos == before {
            self.bump();
        }
        result
    }

    /// Skips to the next declaration, function or rule.
    pub(super) fn skip_to_unit(&mut self) {
        loop {
            self.bump();
            let kind = self.kind();
            if kind.starts_unit() || kind.starts_decls() || kind == Tok::Invariant {
                return;
            }
        }
    }
}
