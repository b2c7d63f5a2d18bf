//! Which name means which declaration: for editors.
//!
//! This walks the syntax tree with the scopes of the language and looks at no types but those that a field needs. So it
//! works on what the parser could read of a text with mistakes, and finds every use of a name, also where the model
//! cannot be lowered. The lowering has the last word on what is correct; a test renames every name of every model and
//! lowers it again, so that both agree on scopes.

mod murphi;
mod uppaal;

use std::collections::HashMap;

use burnside_model::Span;

pub use murphi::names as murphi;
pub use uppaal::names as uppaal;

/// What kind of thing a name is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A constant.
    Constant,
    /// A type.
    Type,
    /// A variable, clock or channel.
    Variable,
    /// A parameter of a routine or template, or a name bound by a ruleset, loop, quantifier or selection.
    Parameter,
    /// A short name for a place or value.
    Alias,
    /// A member of an enum.
    Member,
    /// A field of a record.
    Field,
    /// A function or procedure.
    Routine,
    /// A template, or an instance of one.
    Template,
    /// A location of a template.
    Location,
}

impl Kind {
    /// In words, as a hover begins.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Kind::Constant => "constant",
            Kind::Type => "type",
            Kind::Variable => "variable",
            Kind::Parameter => "parameter",
            Kind::Alias => "alias",
            Kind::Member => "member of an enum",
            Kind::Field => "field",
            Kind::Routine => "routine",
            Kind::Template => "process template",
            Kind::Location => "location",
        }
    }
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Where it is declared: the name alone.
    pub at: Span,
    /// The whole declaration: for a routine or template with its body.
    pub whole: Span,
    /// Where in the text it can be used by its bare name. Empty for a field.
    pub scope: Span,
    /// The declaration in a line: its type or head, from the text.
    pub detail: String,
    /// What it has inside.
    pub form: Form,
    space: Space,
}

/// What of a type is needed to find fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A record, with its fields as positions among the symbols; or a process with what can be asked of it.
    Record(Vec<usize>),
    /// An array or multiset of these.
    Array(Box<Form>),
    /// The type, or template, with this position among the symbols.
    Named(usize),
    /// Nothing with fields.
    Plain,
}

/// Names of different spaces do not hide each other. UPPAAL has only one space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Space {
    Value,
    Type,
    Routine,
}

/// All names of a text.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The declared names, in the order in which they become known.
    pub symbols: Vec<Symbol>,
    /// Every place where a name stands, declarations included, with the position of its symbol; in the order of the text.
    pub uses: Vec<(Span, usize)>,
}

impl Names {
    /// The name at an offset, its end included.
    #[must_use]
    pub fn at(&self, offset: u32) -> Option<(Span, usize)> {
        let after = self.uses.partition_point(|(span, _)| span.start <= offset);
        let found = self.uses[..after].iter().rev().take(2).find(|(span, _)| offset <= span.end);
        found.copied()
    }

    /// Where a symbol stands.
    pub fn places(&self, symbol: usize) -> impl Iterator<Item = Span> + '_ {
        self.uses.iter().filter(move |(_, of)| *of == symbol).map(|(span, _)| *span)
    }

    /// The symbols that can be used by name at an offset; what is hidden by another is left out.
    #[must_use]
    pub fn visible(&self, offset: u32) -> Vec<usize> {
        let inside = |symbol: &Symbol| symbol.scope.start <= offset && offset < symbol.scope.end;
        let mut best: HashMap<(Space, &str), usize> = HashMap::new();
        for (number, symbol) in self.symbols.iter().enumerate().filter(|(_, symbol)| inside(symbol)) {
            let inner = best.entry((symbol.space, &symbol.name)).or_insert(number);
            if self.symbols[*inner].scope.end >= symbol.scope.end {
                *inner = number;
            }
        }
        let mut found: Vec<usize> = best.into_values().collect();
        found.sort_unstable();
        found
    }

    /// The fields that a form has, behind names and, if `element`, inside arrays.
    #[must_use]
    pub fn fields<'n>(&'n self, form: &'n Form) -> &'n [usize] {
        match self.settled(form) {
            Form::Record(fields) => fields,
            _ => &[],
        }
    }

    /// What an element of a form is.
    #[must_use]
    pub fn element<'n>(&'n self, form: &'n Form) -> &'n Form {
        match self.settled(form) {
            Form::Array(element) => element,
            _ => &Form::Plain,
        }
    }

    /// A form that is no name.
    fn settled<'n>(&'n self, mut form: &'n Form) -> &'n Form {
        // A name stands for what was declared before it, so this ends; a wrong text cannot make it longer than this.
        for _ in 0..=self.symbols.len() {
            match form {
                Form::Named(symbol) => form = &self.symbols[*symbol].form,
                _ => return form,
            }
        }
        &Form::Plain
    }
}

/// Collects names while a tree is walked.
struct Collector<'t> {
    text: &'t str,
    names: Names,
    /// By where they are declared: a tree may contain a declaration twice.
    declared: HashMap<u32, usize>,
    scopes: Vec<HashMap<(Space, String), usize>>,
}

impl<'t> Collector<'t> {
    fn new(text: &'t str) -> Self {
        Collector { text, names: Names::default(), declared: HashMap::new(), scopes: vec![HashMap::new()] }
    }

    fn open(&mut self) {
        self.scopes.push(HashMap::new());
    }

    /// Ends the innermost scope at an offset of the text.
    fn close(&mut self, end: u32) {
        for symbol in self.scopes.pop().into_iter().flat_map(HashMap::into_values) {
            self.names.symbols[symbol].scope.end = end;
        }
    }

    /// Declares a name in the innermost scope.
    fn declare(&mut self, space: Space, kind: Kind, name: (&str, Span), whole: Span, form: Form) -> usize {
        let number = self.record(space, kind, name, whole, form);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert((space, name.0.to_owned()), number);
        }
        number
    }

    /// The same for a name that is no name by itself, such as a field.
    fn record(
        &mut self,
        space: Space,
        kind: Kind,
        (name, at): (&str, Span),
        whole: Span,
        form: Form,
    ) -> usize {
        if let Some(known) = self.declared.get(&at.start) {
            return *known;
        }
        let number = self.names.symbols.len();
        self.declared.insert(at.start, number);
        let scope = match kind {
            Kind::Field => Span { start: at.end, end: at.end },
            _ => Span { start: at.end, end: self.text.len() as u32 },
        };
        let detail = String::new();
        self.names.symbols.push(Symbol {
            name: name.to_owned(),
            kind,
            at,
            whole,
            scope,
            detail,
            form,
            space,
        });
        self.names.uses.push((at, number));
        number
    }

    /// What a name stands for here.
    fn find(&self, space: Space, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(&(space, name.to_owned())).copied())
    }

    /// Notes that a name is used, if it is known.
    fn used(&mut self, space: Space, name: &str, at: Span) -> Option<usize> {
        let found = self.find(space, name)?;
        self.names.uses.push((at, found));
        Some(found)
    }

    /// Notes the use of a field; gives what it is.
    fn field(&mut self, of: &Form, name: &str, at: Span) -> Form {
        let fields = self.names.fields(of);
        let Some(field) = fields.iter().copied().find(|field| self.names.symbols[*field].name == name) else {
            return Form::Plain;
        };
        self.names.uses.push((at, field));
        self.names.symbols[field].form.clone()
    }

    /// A stretch of the text in one line.
    fn line(&self, span: Span) -> String {
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        const MOST: usize = 400;
        if line.len() > MOST {
            line.truncate(line.floor_char_boundary(MOST));
            line.push('…');
        }
        line
    }

    fn finish(mut self) -> Names {
        self.names.uses.sort_unstable_by_key(|(span, symbol)| (span.start, span.end, *symbol));
        self.names.uses.dedup();
        self.names
    }
}
