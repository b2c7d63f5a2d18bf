//! `.xml` files to the syntax tree: every label is a text of its own, read where it stands in the file.

use std::collections::HashMap;

use burnside_model::Span;
use roxmltree::{Document as Xml, Node, ParsingOptions};

use super::ast::{Document, Edge, Ident, Item, Location, Template};
use super::lexer::Stretch;
use super::parser::{Parser, Read, joined};
use crate::diag::{Diagnostic, codes};
use crate::source::Source;

/// Reads an `.xml` file, with its queries if they are wanted; with every mistake of every label.
pub fn parse(source: &Source, queries: bool) -> (Document, Vec<Diagnostic>) {
    let (text, document, diagnostics) = (source.text(), Document::default(), Vec::new());
    let mut reader = Reader { text, document, diagnostics, queries };
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    match Xml::parse_with_options(source.text(), options) {
        Ok(xml) => reader.nta(xml.root_element()),
        Err(error) => {
            let at = error.pos();
            let line = (at.row as usize).saturating_sub(1);
            // Columns are characters.
            let rest = &source.text()[source.line_start(line).min(source.text().len())..];
            let before: usize =
                rest.chars().take(at.col.saturating_sub(1) as usize).map(char::len_utf8).sum();
            let start = source.text().len() - rest.len() + before;
            let width = rest[before..].chars().next().map_or(0, char::len_utf8);
            let message = format!("this is not well-formed XML: {error}");
            let span = Span::new(start, start + width);
            reader.diagnostics.push(Diagnostic::error(codes::BAD_XML, span, message));
        }
    }
    (reader.document, reader.diagnostics)
}

struct Reader<'s> {
    text: &'s str,
    document: Document,
    diagnostics: Vec<Diagnostic>,
    /// Whether its queries are read.
    queries: bool,
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn node_span(node: Node) -> Span {
    let range = node.range();
    Span::new(range.start, range.end)
}

impl<'s> Reader<'s> {
    fn nta(&mut self, root: Node) {
        if !root.has_tag_name("nta") {
            let message = format!("a UPPAAL model is an element `nta`, this is `{}`", root.tag_name().name());
            self.diagnostics.push(Diagnostic::error(codes::BAD_XML, head_of(root), message));
            return;
        }
        for node in root.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "declaration" | "instantiation" => {
                    let items = self.read(node, "the declarations", |p, _| whole(p, Parser::items));
                    self.document.items.extend(items.into_iter().flatten());
                }
                "template" => {
                    if let Some(template) = self.template(node) {
                        self.document.items.push(Item::Template(template));
                    }
                }
                "system" => {
                    let read = self.read(node, "the system declarations", |p, _| {
                        let mut document = Document { items: p.items()?, ..Document::default() };
                        p.system(&mut document)?;
                        Ok(document)
                    });
                    if let Some(read) = read {
                        self.document.items.extend(read.items);
                        self.document.system = read.system;
                        self.document.system_span = read.system_span;
                    }
                }
                "queries" if self.queries => {
                    for (number, query) in (1..).zip(node.children().filter(|n| n.has_tag_name("query"))) {
                        let Some(formula) = child(query, "formula") else { continue };
                        if let Some(stretch) = self.stretch(formula, &format!("query {number}")) {
                            self.document.queries.extend(Parser::queries_in(stretch));
                        }
                    }
                }
                "lsc" => self.unsupported(node, "live sequence charts are"),
                _ => {}
            }
        }
        if self.document.system.is_empty() && self.diagnostics.is_empty() {
            let message = "there is no line `system …;`";
            self.diagnostics.push(Diagnostic::error(codes::UNEXPECTED_TOKEN, head_of(root), message));
        }
    }

    fn unsupported(&mut self, node: Node, what: &str) {
        let message = format!("{what} not supported");
        self.diagnostics.push(Diagnostic::error(codes::NOT_SUPPORTED, head_of(node), message));
    }

    /// Reads the text of an element; nothing if it is empty or wrong.
    fn read<T>(
        &mut self,
        node: Node,
        label: &str,
        read: impl FnOnce(&mut Parser, &str) -> Read<T>,
    ) -> Option<T> {
        let stretch = self.stretch(node, label)?;
        let result = Parser::new(stretch).and_then(|mut parser| read(&mut parser, self.text));
        result.map_err(|diagnostic| self.diagnostics.push(*diagnostic)).ok()
    }

    /// The text of an element; nothing if it is empty.
    fn stretch(&mut self, node: Node, label: &str) -> Option<Stretch<'s>> {
        // All between the tags: texts, and the comments and CDATA between them.
        let start = node.first_child()?.range().start;
        let end = start + self.text[start..node.range().end].rfind("</")?;
        if self.text[start..end].trim().is_empty() {
            return None;
        }
        self.document.labels.push((Span::new(start, end), label.to_owned()));
        Some(Stretch { text: self.text, start, end, xml: true })
    }

    fn template(&mut self, node: Node) -> Option<Template> {
        let name =
            child(node, "name").and_then(|n| self.read(n, "the name of a template", |p, _| p.lone_name()));
        let Some(name) = name else {
            let message = "this template has no name";
            self.diagnostics.push(Diagnostic::error(codes::BAD_XML, head_of(node), message));
            return None;
        };
        let within = format!("template {}", name.name);
        let mut template = Template {
            params: Vec::new(),
            declarations: Vec::new(),
            locations: Vec::new(),
            initial: None,
            edges: Vec::new(),
            // In XML, edges refer to locations by number, not by name.
            mentions: Vec::new(),
            span: node_span(node),
            name,
        };
        if let Some(node) = child(node, "parameter") {
            let label = format!("the parameters of {within}");
            template.params =
                self.read(node, &label, |p, _| whole(p, Parser::param_list)).unwrap_or_default();
        }
        if let Some(node) = child(node, "declaration") {
            let label = format!("the declarations of {within}");
            template.declarations =
                self.read(node, &label, |p, _| whole(p, Parser::declarations)).unwrap_or_default();
        }
        let mut ids = HashMap::new();
        for state in node.children().filter(|n| n.has_tag_name("location")) {
            if let Some(id) = state.attribute("id") {
                ids.insert(id.to_owned(), template.locations.len());
            }
            let location = self.location(state, &within, template.locations.len());
            template.locations.push(location);
        }
        // Behind the locations come the branch points.
        let mut names: Vec<String> =
            template.locations.iter().map(|location| location.name.name.clone()).collect();
        for point in node.children().filter(|n| n.has_tag_name("branchpoint")) {
            let id = point.attribute("id").unwrap_or_default();
            ids.insert(id.to_owned(), names.len());
            names.push(format!("_{id}"));
        }
        let referred =
            |node: Option<Node>| node.and_then(|n| n.attribute("ref")).and_then(|id| ids.get(id)).copied();
        if let Some(init) = child(node, "init") {
            template.initial = referred(Some(init)).filter(|at| *at < template.locations.len());
            if template.initial.is_none() {
                let message = format!("the initial location of {within} is not there");
                self.diagnostics.push(Diagnostic::error(codes::NO_INITIAL_LOCATION, head_of(init), message));
            }
        }
        for edge in node.children().filter(|n| n.has_tag_name("transition")) {
            let (source, target) = (referred(child(edge, "source")), referred(child(edge, "target")));
            let (Some(source), Some(target)) = (source, target) else {
                let end = |name: &str, at: Option<usize>| match at {
                    Some(at) => names[at].clone(),
                    None => child(edge, name).and_then(|n| n.attribute("ref")).unwrap_or("?").to_owned(),
                };
                let (from, to) = (end("source", source), end("target", target));
                let message =
                    format!("the edge {from} → {to} in {within} does not lead from a location to a location");
                self.diagnostics.push(Diagnostic::error(codes::BAD_XML, head_of(edge), message));
                continue;
            };
            if edge.attribute("controllable") == Some("false") {
                self.document.uncontrollable.push(head_of(edge));
            }
            let place = format!("the edge {} → {} in {within}", names[source], names[target]);
            let edge = self.edge(edge, source, target, &place);
            template.edges.push(edge);
        }
        match joined(std::mem::take(&mut template.edges), template.locations.len()) {
            Ok(edges) => template.edges = edges,
            Err(mut diagnostic) => {
                diagnostic.message = format!("{} (in {within})", diagnostic.message);
                self.diagnostics.push(*diagnostic);
            }
        }
        Some(template)
    }

    fn location(&mut self, node: Node, within: &str, number: usize) -> Location {
        let label = format!("the name of a location in {within}");
        let name = child(node, "name").and_then(|n| self.read(n, &label, |p, _| p.location_name()));
        let name = name.unwrap_or_else(|| {
            let id = node.attribute("id").map_or_else(|| number.to_string(), str::to_owned);
            Ident { name: format!("_{id}"), span: head_of(node) }
        });
        let mut invariant = None;
        for text in node.children().filter(|n| n.has_tag_name("label")) {
            // A rate says how likely a step is, not whether it is possible.
            if text.attribute("kind") == Some("invariant") {
                let label = format!("the invariant of location {} in {within}", name.name);
                invariant = self.read(text, &label, |p, _| whole(p, Parser::conjunction));
            }
        }
        let (urgent, committed) = (child(node, "urgent").is_some(), child(node, "committed").is_some());
        Location { name, invariant, urgent, committed }
    }

    fn edge(&mut self, node: Node, source: usize, target: usize, place: &str) -> Edge {
        let span = head_of(node);
        let mut edge =
            Edge { source, target, selects: Vec::new(), guard: None, sync: None, updates: Vec::new(), span };
        for text in node.children().filter(|n| n.has_tag_name("label")) {
            match text.attribute("kind") {
                Some("select") => {
                    let selects =
                        self.read(text, &format!("the select of {place}"), |p, _| whole(p, Parser::selects));
                    edge.selects = selects.unwrap_or_default();
                }
                Some("guard") => {
                    let label = format!("the guard of {place}");
                    edge.guard = self.read(text, &label, |p, _| whole(p, Parser::conjunction));
                }
                Some("synchronisation") => {
                    let label = format!("the synchronisation of {place}");
                    edge.sync = self.read(text, &label, |p, _| whole(p, Parser::sync));
                }
                Some("assignment") => {
                    let updates =
                        self.read(text, &format!("the update of {place}"), |p, _| whole(p, Parser::updates));
                    edge.updates = updates.unwrap_or_default();
                }
                _ => {}
            }
        }
        edge
    }
}

/// Reads the whole text.
fn whole<T>(parser: &mut Parser, read: impl FnOnce(&mut Parser) -> Read<T>) -> Read<T> {
    let result = read(parser)?;
    parser.end()?;
    Ok(result)
}

/// The tag that opens an element.
fn head_of(node: Node) -> Span {
    let span = node_span(node);
    Span { start: span.start, end: span.start + 1 + node.tag_name().name().len() as u32 }
}
