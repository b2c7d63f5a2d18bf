//! Tokens: what the lexer cuts the text into.
//!
//! A token is a kind and a span; names, numbers and strings are read from the text when they are needed.
//! Only words that *both* dialects reserve are keywords here. The others (`cover`, `assume`, `liveness` of
//! rumur; `multiset`, `choose`, `undefined`, `pctl`, … of CMurphi) are names that the parser recognises by
//! their place.

use burnside_model::Span;

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Tok,
    pub span: Span,
}

macro_rules! kinds {
    ($($plain:ident $shown:literal)* ; $($word:ident $spelling:literal)* ; $($punct:ident $sign:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Tok {
            $(#[doc = $shown] $plain,)*
            $(#[doc = concat!("`", $spelling, "`")] $word,)*
            $(#[doc = concat!("`", $sign, "`")] $punct,)*
        }

        impl Tok {
            const WORDS: &[(&str, Tok)] = &[$(($spelling, Tok::$word),)*];

            /// How the keywords are spelled.
            pub fn keywords() -> impl Iterator<Item = &'static str> {
                Tok::WORDS.iter().map(|(spelling, _)| *spelling)
            }

            /// The keyword spelled so, in upper or lower case.
            pub fn keyword(word: &str) -> Option<Tok> {
                Tok::WORDS.iter().find(|(spelling, _)| word.eq_ignore_ascii_case(spelling)).map(|(_, tok)| *tok)
            }

            pub fn is_keyword(self) -> bool {
                matches!(self, $(Tok::$word)|*)
            }

            /// The token in the words of an error message.
            pub fn shown(self) -> &'static str {
                match self {
                    $(Tok::$plain => $shown,)*
                    $(Tok::$word => concat!("`", $spelling, "`"),)*
                    $(Tok::$punct => concat!("`", $sign, "`"),)*
                }
            }
        }
    };
}

kinds! {
    Ident "a name"
    Number "a number"
    Str "a string"
    // The lexer has reported it; the parser stays silent about it.
    Bad "something unreadable"
    Eof "the end of the file"
    ;
    Alias "alias"
    Array "array"
    Assert "assert"
    Begin "begin"
    Boolean "boolean"
    By "by"
    Case "case"
    Clear "clear"
    Const "const"
    Do "do"
    Else "else"
    Elsif "elsif"
    End "end"
    EndAlias "endalias"
    EndExists "endexists"
    EndFor "endfor"
    EndForall "endforall"
    EndFunction "endfunction"
    EndIf "endif"
    EndProcedure "endprocedure"
    EndRecord "endrecord"
    EndRule "endrule"
    EndRuleset "endruleset"
    EndStartState "endstartstate"
    EndSwitch "endswitch"
    EndWhile "endwhile"
    Enum "enum"
    Error "error"
    Exists "exists"
    False "false"
    For "for"
    Forall "forall"
    Function "function"
    If "if"
    Invariant "invariant"
    IsMember "ismember"
    IsUndefined "isundefined"
    Of "of"
    Procedure "procedure"
    Put "put"
    Real "real"
    Record "record"
    Return "return"
    Rule "rule"
    Ruleset "ruleset"
    Scalarset "scalarset"
    StartState "startstate"
    Switch "switch"
    Then "then"
    To "to"
    True "true"
    Type "type"
    Undefine "undefine"
    Union "union"
    Var "var"
    While "while"
    ;
    Arrow "==>"
    Assign ":="
    DotDot ".."
    Ge ">="
    Le "<="
    Ne "!="
    EqEq "=="
    Implies "->"
    Shl "<<"
    Shr ">>"
    AmpAmp "&&"
    PipePipe "||"
    Amp "&"
    Pipe "|"
    Caret "^"
    Tilde "~"
    Bang "!"
    Colon ":"
    Eq "="
    Lt "<"
    Gt ">"
    Plus "+"
    Minus "-"
    Star "*"
    Slash "/"
    Percent "%"
    Question "?"
    Semi ";"
    Comma ","
    Dot "."
    LParen "("
    RParen ")"
    LBracket "["
    RBracket "]"
    LBrace "{"
    RBrace "}"
}

impl Tok {
    /// Is it `end` or one of its longer forms?
    pub fn is_end(self) -> bool {
        use Tok::*;
        matches!(
            self,
            End | EndAlias
                | EndExists
                | EndFor
                | EndForall
                | EndFunction
                | EndIf
                | EndProcedure
                | EndRecord
                | EndRule
                | EndRuleset
                | EndStartState
                | EndSwitch
                | EndWhile
        )
    }

    /// Can an expression begin with it?
    pub fn starts_expr(self) -> bool {
        use Tok::*;
        matches!(
            self,
            Ident
                | Number
                | True
                | False
                | Forall
                | Exists
                | IsMember
                | IsUndefined
                | Bang
                | Tilde
                | Minus
                | Plus
                | LParen
        )
    }

    /// Does it begin a statement, other than one that begins with a name?
    pub fn starts_stmt(self) -> bool {
        use Tok::*;
        matches!(
            self,
            Alias | Assert | Clear | Error | For | If | Invariant | Put | Return | Switch | Undefine | While
        )
    }

    /// Does it begin something that cannot stand inside a body, so that a body must have ended before it?
    pub fn starts_unit(self) -> bool {
        matches!(self, Tok::Rule | Tok::Ruleset | Tok::StartState | Tok::Function | Tok::Procedure | Tok::Eof)
    }

    /// Does it begin a section of declarations?
    pub fn starts_decls(self) -> bool {
        matches!(self, Tok::Const | Tok::Type | Tok::Var)
    }
}
