//! Templates, labels of edges, and the system line.

use std::collections::HashMap;

use burnside_model::Span;

use super::{Parser, Read};
use crate::diag::{Diagnostic, codes};
use crate::tokens::Tok;
use crate::uppaal::ast::{Document, Edge, Expr, Ident, Item, Location, Template, Type};

/// Finds locations by name.
#[derive(Default)]
pub struct Naming {
    /// The position of each, and where it is declared.
    known: HashMap<String, (usize, Span)>,
    /// Where names stand, each with where its location is declared.
    mentions: Vec<(Span, Span)>,
}

impl Naming {
    /// Adds a name; an error if it is there.
    pub fn add(&mut self, name: &Ident, at: usize) -> Read<()> {
        if self.known.insert(name.name.clone(), (at, name.span)).is_some() {
            let message = format!("the location `{}` is declared twice", name.name);
            return Err(Box::new(Diagnostic::error(codes::DUPLICATE_NAME, name.span, message)));
        }
        Ok(())
    }

    /// The position of a location.
    pub fn find(&mut self, name: &Ident) -> Read<usize> {
        let Some((at, declared)) = self.known.get(&name.name).copied() else {
            let message = format!("there is no location `{}`", name.name);
            return Err(Box::new(Diagnostic::error(codes::UNKNOWN_NAME, name.span, message)));
        };
        self.mentions.push((name.span, declared));
        Ok(at)
    }

    /// The position of a location that is no branch point.
    fn location(&mut self, name: &Ident, locations: usize) -> Read<usize> {
        let at = self.find(name)?;
        if at >= locations {
            let message = format!("`{}` is a branch point, not a location", name.name);
            return Err(Box::new(Diagnostic::error(codes::WRONG_CLASS, name.span, message)));
        }
        Ok(at)
    }
}

/// Edges between locations: one that leads to a branch point, with every one that leads on from there. Weights say how
/// likely a branch is, not whether it is possible. Positions from `locations` on are those of branch points.
pub fn joined(edges: Vec<Edge>, locations: usize) -> Read<Vec<Edge>> {
    let (branches, edges): (Vec<Edge>, Vec<Edge>) =
        edges.into_iter().partition(|edge| edge.source >= locations);
    for branch in &branches {
        if branch.guard.is_some() || branch.sync.is_some() || branch.target >= locations {
            let message =
                "an edge from a branch point leads to a location, without guard and synchronisation";
            return Err(Box::new(Diagnostic::error(codes::UNEXPECTED_TOKEN, branch.span, message)));
        }
    }
    let whole = |edge: Edge| -> Vec<Edge> {
        if edge.target < locations {
            return vec![edge];
        }
        let from = branches.iter().filter(|branch| branch.source == edge.target);
        from.map(|branch| Edge {
            target: branch.target,
            selects: edge.selects.iter().chain(&branch.selects).cloned().collect(),
            updates: edge.updates.iter().chain(&branch.updates).cloned().collect(),
            ..edge.clone()
        })
        .collect()
    };
    Ok(edges.into_iter().flat_map(whole).collect())
}

impl Parser {
    /// A whole `.xta` file.
    pub fn document(&mut self) -> Read<Document> {
        let mut document = Document::default();
        loop {
            if *self.peek() == Tok::End {
                return self.unexpected("the line `system …;`");
            }
            if self.is_word("system") {
                break;
            }
            document.items.extend(self.items()?);
        }
        self.system(&mut document)?;
        document.uncontrollable = std::mem::take(&mut self.uncontrollable);
        Ok(document)
    }

    /// Declarations, templates and instantiations up to the system line or the end.
    pub fn items(&mut self) -> Read<Vec<Item>> {
        let mut items = Vec::new();
        loop {
            if *self.peek() == Tok::End || self.is_word("system") {
                return Ok(items);
            }
            if self.is_word("process") {
                items.push(Item::Template(self.process()?));
            } else if self.at_declaration() {
                items.extend(self.declarations()?.into_iter().map(Item::Declaration));
            } else {
                items.push(self.instantiation()?);
            }
        }
    }

    /// `system A, B < C;`
    pub fn system(&mut self, document: &mut Document) -> Read<()> {
        let start = self.expect_word("system")?;
        let mut groups = vec![Vec::new()];
        loop {
            let name = self.name()?;
            groups.last_mut().expect("never empty").push(name);
            if self.eat("<") {
                groups.push(Vec::new());
            } else if !self.eat(",") {
                break;
            }
        }
        document.system = groups;
        document.system_span = start.to(self.expect(";")?);
        // How a search proceeds or is drawn does not change what is true.
        while self.eat_word("progress") || self.eat_word("gantt") {
            self.braces()?;
        }
        self.end()
    }

    /// Passes over `{ … }`.
    fn braces(&mut self) -> Read<()> {
        self.expect("{")?;
        let mut open = 1;
        while open > 0 {
            match self.next().kind {
                Tok::Sign("{") => open += 1,
                Tok::Sign("}") => open -= 1,
                Tok::End => return self.unexpected("`}`"),
                _ => {}
            }
        }
        Ok(())
    }

    fn process(&mut self) -> Read<Template> {
        let start = self.next().span;
        let name = self.name()?;
        let params = if self.is("{") { Vec::new() } else { self.params()? };
        self.expect("{")?;
        let declarations = self.declarations()?;
        self.expect_word("state")?;
        let mut naming = Naming::default();
        let mut locations: Vec<Location> = Vec::new();
        loop {
            let name = self.name()?;
            naming.add(&name, locations.len())?;
            let mut invariant = None;
            if self.eat("{") {
                if !self.is(";") {
                    invariant = Some(self.conjunction()?);
                }
                if self.eat(";") {
                    // A rate says how likely a step is, not whether it is possible.
                    self.expr()?;
                    if self.eat(":") {
                        self.expr()?;
                    }
                }
                self.expect("}")?;
            }
            locations.push(Location { name, invariant, urgent: false, committed: false });
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        let mut points = 0;
        if self.eat_word("branchpoint") {
            loop {
                naming.add(&self.name()?, locations.len() + points)?;
                points += 1;
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        loop {
            let committed = self.is_word("commit");
            if !committed && !self.is_word("urgent") {
                break;
            }
            self.next();
            loop {
                let at = naming.location(&self.name()?, locations.len())?;
                if committed {
                    locations[at].committed = true;
                } else {
                    locations[at].urgent = true;
                }
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        self.expect_word("init")?;
        let initial = Some(naming.location(&self.name()?, locations.len())?);
        self.expect(";")?;
        let mut edges = Vec::new();
        if self.eat_word("trans") {
            let mut source = None;
            loop {
                let edge = self.edge(&mut naming, source)?;
                source = Some(edge.source);
                edges.push(edge);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        let span = start.to(self.expect("}")?);
        self.eat(";");
        let edges = joined(edges, locations.len())?;
        let mentions = naming.mentions;
        Ok(Template { name, params, declarations, locations, initial, edges, mentions, span })
    }

    fn edge(&mut self, naming: &mut Naming, before: Option<usize>) -> Read<Edge> {
        let start = self.span();
        let source = match before {
            Some(source) if self.is("->") || self.is("-u->") => source,
            _ => naming.find(&self.name()?)?,
        };
        if self.is("-u->") {
            let span = self.next().span;
            self.uncontrollable.push(span);
        } else {
            self.expect("->")?;
        }
        let target = naming.find(&self.name()?)?;
        let mut edge = Edge {
            source,
            target,
            selects: Vec::new(),
            guard: None,
            sync: None,
            updates: Vec::new(),
            span: start,
        };
        self.expect("{")?;
        loop {
            if self.eat("}") {
                break;
            }
            if self.eat_word("select") {
                edge.selects = self.selects()?;
            } else if self.eat_word("guard") {
                edge.guard = Some(self.conjunction()?);
            } else if self.eat_word("sync") {
                edge.sync = Some(self.sync()?);
            } else if self.eat_word("assign") {
                edge.updates = self.updates()?;
            } else if self.eat_word("probability") {
                self.expr()?;
            } else {
                return self.unexpected("`select`, `guard`, `sync`, `assign` or `}`");
            }
            self.expect(";")?;
        }
        edge.span = start.to(self.before());
        Ok(edge)
    }

    /// `i : T, j : T`
    pub fn selects(&mut self) -> Read<Vec<(Ident, Type)>> {
        let mut selects = Vec::new();
        loop {
            let name = self.name()?;
            self.expect(":")?;
            selects.push((name, self.ty()?));
            if !self.eat(",") {
                return Ok(selects);
            }
        }
    }

    /// `c[i]!` or `c[i]?`
    pub fn sync(&mut self) -> Read<(Expr, bool)> {
        let channel = self.postfix()?;
        if self.eat("!") {
            return Ok((channel, true));
        }
        if self.eat("?") {
            return Ok((channel, false));
        }
        self.unexpected("`!` or `?`")
    }

    /// `x = 0, f()`
    pub fn updates(&mut self) -> Read<Vec<Expr>> {
        let mut updates = Vec::new();
        loop {
            updates.push(self.expr()?);
            if !self.eat(",") {
                return Ok(updates);
            }
        }
    }

    /// A name that is the whole text.
    pub fn lone_name(&mut self) -> Read<Ident> {
        let name = self.name()?;
        self.end()?;
        Ok(name)
    }

    /// The name of a location that is the whole text. No other name can be meant, so it may be a word of the language.
    pub fn location_name(&mut self) -> Read<Ident> {
        let name = self.member()?;
        self.end()?;
        Ok(name)
    }
}
