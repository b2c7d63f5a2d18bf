//! Errors and warnings as values, and how they are shown.
//!
//! A diagnostic names one kind of mistake by its code, points at one place and perhaps at others, and says
//! in words a student understands what to do. Nothing is printed here: the front ends collect diagnostics,
//! the caller renders them. All codes stand in one table, [`codes::ALL`], from which the documentation is
//! made. E00xx are lexical, E01xx syntactic, E02xx to E10xx belong to the checker, W01xx are warnings.

use crate::source::Source;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use burnside_model::Span;

/// The kind of a mistake, for example `E0101`; it never changes its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub &'static str);

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, but may not mean what its author thinks.
    Warning,
    Note,
}

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub code: Code,
    /// One line: what is wrong.
    pub message: String,
    /// Where, and a few words beside the place; they may be empty. The default span is no place: the whole file.
    pub primary: (Span, String),
    /// Other places that explain the mistake.
    pub secondary: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message.into())
    }

    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message.into())
    }

    pub fn note(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, span, message.into())
    }

    fn new(severity: Severity, code: Code, span: Span, message: String) -> Self {
        let primary = (span, String::new());
        Diagnostic { severity, code, message, primary, secondary: Vec::new(), help: None }
    }

    /// Adds words beside the place.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.primary.1 = label.into();
        self
    }

    /// Adds another place.
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.secondary.push((span, label.into()));
        self
    }

    /// Adds what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Does it make the model unusable?
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The diagnostic as text, with the source lines it speaks of; never fails, whatever the spans are.
    pub fn render(&self, source: &Source, color: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level.primary_title(self.message.as_str()).id(self.code.0);
        let nowhere = self.primary.0 == Span::default() && self.secondary.is_empty();
        let mut group = Group::with_title(title);
        if nowhere || source.text().trim().is_empty() {
            group = group.element(Origin::path(source.name()));
        } else {
            for window in self.windows(source) {
                group = window.add_to(group, source);
            }
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let mut text = renderer.render(&[group]);
        text.push('\n');
        text
    }

    /// The places, sorted into stretches of lines that are numbered alike; the one of the primary is first.
    fn windows(&self, source: &Source) -> Vec<Window<'_>> {
        let mut windows: Vec<Window> = Vec::new();
        let primary = (AnnotationKind::Primary, self.primary.0, self.primary.1.as_str());
        let others =
            self.secondary.iter().map(|(span, label)| (AnnotationKind::Context, *span, label.as_str()));
        for (kind, span, label) in std::iter::once(primary).chain(others) {
            let (start, end) = visible(source, span);
            let (first, last) = (source.line_index(start), source.line_index(end));
            let stretch = source.stretch(first);
            // A span across a line directive, or a very long one, is shown up to the end of its first line.
            let (end, last) = if source.stretch(last) == stretch && last - first < MAX_LINES {
                (end, last)
            } else {
                (source.line_start(first + 1), first)
            };
            let mark = Mark { kind, start, end, label };
            match windows.iter_mut().find(|w| w.stretch == stretch) {
                Some(w) => {
                    (w.first, w.last) = (w.first.min(first), w.last.max(last));
                    w.marks.push(mark);
                }
                None => windows.push(Window { stretch, first, last, marks: vec![mark] }),
            }
        }
        windows
    }
}

/// A span over more lines than this is shown by its first line.
const MAX_LINES: usize = 100;

/// Of a longer part of the text, in bytes, only the position is shown.
const MAX_WINDOW: usize = 1 << 16;

/// Lines `first` to `last` of the source, and what to mark in them.
struct Window<'a> {
    stretch: usize,
    first: usize,
    last: usize,
    marks: Vec<Mark<'a>>,
}

/// One marked place, in offsets of the whole text.
struct Mark<'a> {
    kind: AnnotationKind,
    start: usize,
    end: usize,
    label: &'a str,
}

impl<'a> Window<'a> {
    fn add_to<'s: 'a>(self, group: Group<'a>, source: &'s Source) -> Group<'a> {
        let (from, to) = (source.line_start(self.first), source.line_start(self.last + 1));
        if to - from > MAX_WINDOW {
            // A line of such a length was not written by hand, and would fill the screen.
            let start = self.marks.first().map_or(from, |mark| mark.start);
            let at = source.location(start as u32);
            let origin = Origin::path(at.file).line(at.line as usize).char_column(at.column as usize);
            return group.element(origin);
        }
        let (file, line) = source.presented(self.first);
        let marks = self.marks.into_iter().map(|m| {
            let mark = m.kind.span(m.start - from..m.end - from);
            if m.label.is_empty() { mark } else { mark.label(m.label) }
        });
        let snippet = Snippet::source(&source.text()[from..to]).path(file).line_start(line as usize);
        group.element(snippet.annotations(marks))
    }
}

/// The span as a range of the text in which there is something to see: the end of the text is shown just
/// after its last visible character, and a trailing line break is left out.
fn visible(source: &Source, span: Span) -> (usize, usize) {
    let (start, end) = source.clamp(span);
    let text = source.text();
    if text[start..].trim().is_empty() {
        let end = text.trim_end().len();
        return (end, end);
    }
    (start, start + text[start..end].trim_end().len())
}

/// The table of all codes.
pub mod codes {
    use super::Code;

    macro_rules! table {
        ($($name:ident $code:literal $meaning:literal)*) => {
            $(#[doc = $meaning] pub const $name: Code = Code($code);)*

            /// Name, code and meaning of every kind of mistake, in the order of the codes.
            pub const ALL: &[(&str, Code, &str)] = &[$((stringify!($name), $name, $meaning),)*];
        };
    }

    table! {
        UNEXPECTED_CHARACTER "E0001" "A character that has no meaning in the language."
        UNTERMINATED_STRING "E0002" "A string without its closing quote."
        UNTERMINATED_COMMENT "E0003" "A comment `/*` without its `*/`."
        BAD_NUMBER "E0004" "A malformed number, such as `09` or `0x`."
        NUMBER_TOO_LARGE "E0005" "A number that no integer type can hold."
        LEADING_UNDERSCORE "E0006" "A name that begins with an underscore."
        REAL_NUMBER "E0007" "Real numbers and the type `real` are not supported."
        UNKNOWN_DIRECTIVE "E0008" "A preprocessor directive that was not expanded."
        NOT_UTF8 "E0009" "The file is not UTF-8 text."
        FILE_TOO_LARGE "E0010" "The file is larger than any model may be."
        UNEXPECTED_TOKEN "E0101" "Something else is expected at this place."
        MISSING_END "E0102" "A block that is never closed by `end`."
        MISMATCHED_END "E0103" "The `end…` keyword of another kind of block."
        STRAY_END "E0104" "An `end` that closes nothing."
        MISSING_THEN "E0105" "An `if` or `elsif` without `then`."
        MISSING_DO "E0106" "A loop, quantifier or group of rules without `do`."
        EQUALS_FOR_ASSIGNMENT "E0107" "`=` where a value is assigned: it only compares."
        ASSIGNMENT_FOR_EQUALS "E0108" "`:=` where values are compared: it only assigns."
        MISSING_SEMICOLON "E0109" "Two statements without a semicolon between them."
        MISSING_ARROW "E0110" "The condition of a rule without `==>` after it."
        NOT_ASSOCIATIVE "E0111" "Operators that need parentheses, such as `a < b < c`."
        KEYWORD_AS_NAME "E0112" "A word of the language used as a name."
        NOT_A_STATEMENT "E0113" "An expression where a statement is expected."
        MISPLACED_DECLARATION "E0114" "A declaration among the statements."
        MISPLACED_CLAUSE "E0115" "An `else`, `elsif` or `case` that belongs to nothing."
        WRONG_SEPARATOR "E0116" "A comma where a semicolon is needed, or the other way round."
        NESTED_TOO_DEEPLY "E0117" "Nesting deeper, or an expression longer, than can be handled."
        PCTL_UNSUPPORTED "E0118" "PCTL formulas are not supported."
        EXTERNAL_UNSUPPORTED "E0119" "Functions and procedures written in C are not supported."
        UNKNOWN_NAME "E0201" "A name that nothing declares, or that is declared later."
        UNKNOWN_TYPE "E0202" "A type that nothing declares, or that is declared later."
        UNKNOWN_FUNCTION "E0203" "A function or procedure that nothing declares, or that is declared later."
        DUPLICATE_NAME "E0204" "A name that is declared twice."
        DUPLICATE_FIELD "E0205" "A field that is declared twice."
        UNKNOWN_FIELD "E0206" "A field that the record does not have."
        UNKNOWN_CONSTANT "E0207" "An override of a constant that the model does not have."
        BAD_OVERRIDE "E0208" "An override whose value is not one of the constant's type."
        WRONG_CLASS "E0209" "A type or function where a value is expected, or the other way round."
        ASSIGNMENT_TYPE "E0301" "A value assigned to a variable of another type."
        NOT_BOOLEAN "E0302" "A condition that is not a boolean."
        NOT_INTEGER "E0303" "Arithmetic or order on something other than integers."
        NOT_COMPARABLE "E0304" "A comparison of values of different types."
        INDEX_TYPE "E0305" "An index of another type than the array's."
        NOT_AN_ARRAY "E0306" "An index into something that is not an array."
        NOT_A_RECORD "E0307" "A field of something that is not a record."
        ARGUMENT_TYPE "E0308" "An argument of another type than the parameter's."
        ARGUMENT_COUNT "E0309" "Too few or too many arguments."
        NO_RESULT "E0310" "A procedure used as a value."
        RETURN_TYPE "E0311" "A result of another type than the function's."
        RETURN_VALUE "E0312" "A value returned from a rule or procedure."
        RETURN_NOTHING "E0313" "A function that returns without a value."
        NOT_SIMPLE "E0314" "A record, array or multiset where a single value is expected."
        BRANCH_TYPES "E0315" "A choice between values of different types."
        NOT_A_MULTISET "E0316" "A multiset operation on something else."
        INDEX_OF_ARRAY "E0317" "An array whose index type is not a simple type."
        BAD_UNION "E0318" "A union member that is not a simple type, or is there twice."
        NOT_CONSTANT "E0401" "A value that must be known before the model runs."
        EMPTY_RANGE "E0402" "A range whose upper bound is below its lower one."
        BAD_SIZE "E0403" "The size of a scalarset, ring or multiset that is not a positive number."
        BAD_STEP "E0404" "A loop whose step is zero or leads away from its end."
        CONSTANT_ARITHMETIC "E0405" "Constant arithmetic that divides by zero or leaves 64 bits."
        SCALARSET_ARITHMETIC "E0501" "Arithmetic on the elements of a scalarset or ring."
        SCALARSET_ORDER "E0502" "Order between the elements of a scalarset or ring."
        MULTISET_INDEX "E0503" "A multiset index used for anything but indexing its multiset."
        BAD_CLAIM "E0504" "A claim of symmetry about a type that is neither a range nor an enum."
        NOT_A_RING "E0505" "A neighbour of something that is not an element of a ring."
        RING_DISTANCE "E0506" "A distance on a ring that is not a constant integer."
        BAD_GENERATOR "E0507" "A claimed permutation that is none: something is not an element of its type, or is there twice."
        NOT_A_CLAIM "E0508" "Something other than claims of symmetry and hints in a file of them."
        NOT_A_PLACE "E0601" "Something that cannot be assigned to."
        READ_ONLY "E0602" "Something that must not be assigned to."
        LIVENESS_STATEMENT "E0603" "A liveness property among the statements."
        SIDE_EFFECT "E0604" "A condition that calls a function with side effects."
        UNDEFINED_VALUE "E0605" "The word `undefined` where a value is needed."
        VAR_ARGUMENT "E0606" "An argument for a `var` parameter that is not a variable of its type."
        TEMPORAL_OPERATOR "E0701" "A temporal operator inside an ordinary expression."
        WRONG_LOGIC "E0702" "A temporal operator that the logic of the formula does not have."
        TEMPORAL_NAME "E0703" "A name of the model that is a temporal operator in a formula."
        QUANTIFIED_FORMULA "E0704" "A quantifier over formulas inside a temporal operator."
        TEMPORAL_GROUP "E0705" "A temporal property or fairness constraint inside an `alias` or a `choose`."
        BAD_FAIRNESS "E0706" "Fairness to the values of a type that no rule has a parameter of."
        STATE_TOO_LARGE "E0801" "A type, or all variables together, with too many cells."
        BAD_XML "E0901" "An `.xml` file that is not well-formed, or is not a UPPAAL model."
        NOT_SUPPORTED "E0902" "A part of the language that is not supported."
        BAD_PREFIX "E0903" "A word such as `urgent` before a type that cannot have it."
        CLOCK_CONDITION "E0904" "A condition on clocks where it cannot stand, or of a kind that has no zone."
        OPEN_PARAMETER "E0905" "A parameter of a template that is given no value and cannot range over all of them."
        NO_INITIAL_LOCATION "E0906" "A template without an initial location."
        FORBIDDEN_START "E0907" "An invariant that does not hold at the start, so that there is no first state."
        UNDEFINED_CONSTANT "E1001" "A constant without a value that the model or a property needs."
        CYCLIC_DEFINITION "E1002" "A constant, formula, module or property that is defined by itself."
        PRISM_UNSUPPORTED "E1003" "A part of PRISM's language that is not supported."
        WRONG_PROPERTY "E1004" "A property that does not fit the model, such as a strategy in a Markov chain or a steady state in an mdp."
        FOREIGN_VARIABLE "E1005" "A module that changes a variable of another module, or a synchronised command that changes a global one."
        BAD_RENAMING "E1006" "A renaming that forgets a variable, or gives one name twice."
        BAD_COMPOSITION "E1007" "A `system … endsystem` that forgets a module, or has one twice."
        BAD_BOUND "E1008" "A bound on time, steps, probability or reward that is negative, empty, or not a number."
        WRONG_WEIGHT "E1011" "Probabilities that do not sum up to one, or a probability or rate that is negative, infinite or not a number."
        OUT_OF_RANGE "E1012" "An update that leaves the range of its variable."
        WRONG_REWARD "E1013" "A reward that is negative, infinite or not a number."
        STATE_ARITHMETIC "E1014" "Arithmetic without a result in a state that can be reached."
        NAMELESS_DECLARATION "W0101" "A declaration without a name declares nothing."
        OCTAL_NUMBER "W0102" "A number with a leading zero is octal."
        STRING_ACROSS_LINES "W0103" "A string that goes on in the next line."
        PRIORITY_IGNORED "W0201" "Rule priorities are ignored."
        NO_START_STATE "W0202" "A model without a start state has no states."
        UNDEFINED_COPIED "W0203" "An undefined value is copied or compared when the model runs."
        SYMMETRY_REFUSED "W0204" "A scalarset, a ring or a claim of symmetry that is not used for reduction, as it is not known to be one; or is used only in part, as some rules tell its elements apart ([Partial symmetry](partial-symmetry.md))."
        NO_FAIR_RUN "W0205" "A start state has no fair run, so that whatever a formula claims of all its runs holds."
        CONDITION_WRITES "W0206" "The condition of a rule, or an invariant, calls a function that changes the state."
        EDGE_OF_THE_OTHER "W0207" "An edge that is not controllable: queries about what is possible treat it like any other edge."
        CLAIM_LEFT_OUT "W0208" "A never claim, which is not checked: nothing plainly holds."
    }
}
