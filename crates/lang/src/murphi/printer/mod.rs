//! A typed model back to Murphi text.
//!
//! The text says what the model means, not how it was written: constants are folded, conversions are implicit, every
//! rule has its own nest of `ruleset`, `alias` and `choose`, local types have become global ones. Reading the text
//! and printing again gives the same text. Where both peers have a construct, both read what is printed here: every
//! declaration and statement ends in a semicolon, bodies begin with `begin`, nested expressions have parentheses.
//!
//! Names are kept. Only what must have a name and has none gets one (scalarsets and enums, whose members may be
//! declared once only), and of two things that meet in the global scope because a local type was moved there, the
//! later is renamed.

mod code;
mod temporal;

use std::collections::HashSet;

use burnside_model::Model;
use burnside_model::code::{DomainId, Frame, Function, LocalId, TypeId, TypeKind, Types};
use burnside_model::system::{Binder, Constant, Property, PropertyKind, Rule, Strength};

/// The model as Murphi text.
pub fn print(model: &Model) -> String {
    let names = Names::new(model);
    let mut printer = Printer { model, names, out: String::new(), indent: 0 };
    printer.model();
    printer.out
}

/// What the types and their members are called: one namespace with constants, variables and routines.
struct Names {
    taken: HashSet<String>,
    /// By type id.
    types: Vec<Option<String>>,
    /// By type id: the members of enums.
    members: Vec<Vec<String>>,
}

impl Names {
    fn new(model: &Model) -> Names {
        let mut names = Names { taken: HashSet::new(), types: Vec::new(), members: Vec::new() };
        names.taken.extend(model.constants.iter().map(|c| c.name.clone()));
        names.taken.extend(model.globals.iter().map(|g| g.name.clone()));
        names.taken.extend(model.functions.iter().map(|f| f.name.clone()));
        let types = &model.types;
        for ty in types.ids() {
            let (name, members) = match (&types[ty].name, &types[ty].kind) {
                (_, TypeKind::Bool) => (Some("boolean".to_owned()), Vec::new()),
                (name, TypeKind::Enum(members)) => {
                    let name = names.fresh(name.as_deref().unwrap_or(&format!("Enum{}", ty.0)));
                    (Some(name), members.iter().map(|m| names.fresh(m)).collect())
                }
                (None, TypeKind::Scalarset(domain)) => {
                    let name = &types.domain(*domain).name;
                    let made = format!("Scalarset{}", ty.0);
                    (Some(names.fresh(if name.is_empty() { &made } else { name })), Vec::new())
                }
                (Some(name), _) => (Some(names.fresh(name)), Vec::new()),
                (None, _) => (None, Vec::new()),
            };
            names.types.push(name);
            names.members.push(members);
        }
        names
    }

    /// The name itself, or if it is taken one that is not.
    fn fresh(&mut self, name: &str) -> String {
        let mut fresh = name.to_owned();
        let mut number = 2;
        while !self.taken.insert(fresh.clone()) {
            fresh = format!("{name}_{number}");
            number += 1;
        }
        fresh
    }
}

struct Printer<'m> {
    model: &'m Model,
    names: Names,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n("  ", self.indent));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// The lines that `inner` prints, one step further in.
    fn inside(&mut self, inner: impl FnOnce(&mut Self)) {
        self.indent += 1;
        inner(self);
        self.indent -= 1;
    }

    /// A heading with lines below it, if there are any.
    fn section(&mut self, heading: &str, lines: &[String]) {
        if !lines.is_empty() {
            self.line(heading);
            self.inside(|p| lines.iter().for_each(|line| p.line(line)));
        }
    }

    /// The whole model, in an order in which every name is declared before it is used.
    fn model(&mut self) {
        let model = self.model;
        let (numbers, others): (Vec<_>, Vec<_>) =
            model.constants.iter().partition(|c| model.types.is_integer(c.ty));
        self.constants(&numbers);
        self.types();
        self.constants(&others);
        for claim in &model.claims {
            self.line(&format!("symmetry {};", self.type_text(claim.ty)));
        }
        for generator in &model.generators {
            let cycles: Vec<_> = (generator.cycles(&model.types).iter())
                .map(|cycle| {
                    let element = |value: &i64| match model.types[generator.ty].kind {
                        TypeKind::Scalarset(_) => value.to_string(),
                        _ => self.constant(generator.ty, *value),
                    };
                    format!("({})", cycle.iter().map(element).collect::<Vec<_>>().join(" "))
                })
                .collect();
            let (name, ty) = (code::quoted(&generator.name), self.type_text(generator.ty));
            self.line(&format!("generator {name} of {ty} = {};", cycles.concat()));
        }
        let globals: Vec<_> =
            model.globals.iter().map(|g| format!("{} : {};", g.name, self.type_text(g.ty))).collect();
        self.section("var", &globals);
        model.functions.iter().for_each(|function| self.function(function));
        model.starts.iter().for_each(|start| self.rule("startstate", start));
        model.rules.iter().for_each(|rule| self.rule("rule", rule));
        for fairness in &model.fairness {
            let (strength, ty) = (fairness.strength.name(), self.type_text(fairness.ty));
            self.line(&format!("\nfairness {strength} {ty};"));
        }
        model.properties.iter().for_each(|property| self.property(property));
        for hint in &model.hints {
            let condition = self.expr(&hint.frame, &hint.condition, &mut HashSet::new());
            self.line(&format!("\nhint {} {condition};", code::quoted(&hint.name)));
        }
    }

    fn constants(&mut self, constants: &[&Constant]) {
        let lines: Vec<_> =
            constants.iter().map(|c| format!("{} : {};", c.name, self.constant(c.ty, c.value))).collect();
        self.section("const", &lines);
    }

    fn types(&mut self) {
        let types = &self.model.types;
        let mut domains: Vec<DomainId> = Vec::new();
        let mut lines = Vec::new();
        for ty in types.ids().filter(|ty| *ty != Types::BOOL) {
            let Some(name) = &self.names.types[ty.0 as usize] else { continue };
            if let TypeKind::Scalarset(domain) = types[ty].kind {
                debug_assert!(!domains.contains(&domain), "a domain has one type");
                domains.push(domain);
            }
            lines.push(format!("{name} : {};", self.shape(ty)));
        }
        self.section("type", &lines);
    }

    /// A type where it is used: its name, or its shape.
    fn type_text(&self, ty: TypeId) -> String {
        self.names.types[ty.0 as usize].clone().unwrap_or_else(|| self.shape(ty))
    }

    fn shape(&self, ty: TypeId) -> String {
        match &self.model.types[ty].kind {
            TypeKind::Bool => "boolean".to_owned(),
            TypeKind::Enum(_) => format!("enum {{ {} }}", self.names.members[ty.0 as usize].join(", ")),
            TypeKind::Range(lo, hi) => format!("{lo} .. {hi}"),
            TypeKind::Scalarset(domain) => {
                let domain = self.model.types.domain(*domain);
                format!("{}({})", domain.kind.keyword(), domain.size)
            }
            TypeKind::Union(members) => {
                let members: Vec<_> = members.iter().map(|m| self.type_text(*m)).collect();
                format!("union {{ {} }}", members.join(", "))
            }
            TypeKind::Array { index, element } => {
                format!("array [{}] of {}", self.type_text(*index), self.type_text(*element))
            }
            TypeKind::Record(fields) => {
                let fields: String =
                    fields.iter().map(|f| format!("{} : {}; ", f.name, self.type_text(f.ty))).collect();
                format!("record {fields}end")
            }
            TypeKind::Multiset { capacity, element } => {
                format!("multiset [{capacity}] of {}", self.type_text(*element))
            }
        }
    }

    fn function(&mut self, function: &Function) {
        let params: Vec<_> = (0..function.params as usize)
            .map(|i| {
                let local = &function.frame.locals[i];
                let var = if function.by_reference.get(i) == Some(&true) { "var " } else { "" };
                format!("{var}{} : {}", local.name, self.type_text(local.ty))
            })
            .collect();
        let (name, params) = (&function.name, params.join("; "));
        self.out.push('\n');
        match function.result {
            Some(ty) => self.line(&format!("function {name}({params}) : {};", self.type_text(ty))),
            None => self.line(&format!("procedure {name}({params});")),
        }
        let mut bound = (0..function.params).map(LocalId).collect();
        let body = self.block_text(&function.frame, &function.body, &mut bound);
        self.body(&function.frame, &bound, &body);
    }

    /// The variables of a body, then the body; it has been printed already, to know which locals it binds itself.
    fn body(&mut self, frame: &Frame, bound: &HashSet<LocalId>, body: &str) {
        let variables: Vec<_> = (0..frame.locals.len() as u32)
            .map(LocalId)
            .filter(|local| !bound.contains(local))
            .map(|local| format!("{} : {};", frame[local].name, self.type_text(frame[local].ty)))
            .collect();
        self.section("var", &variables);
        self.line("begin");
        self.out.push_str(body);
        self.line("end;");
    }

    fn rule(&mut self, keyword: &str, rule: &Rule) {
        let name = if rule.named { format!(" {}", code::quoted(&rule.name)) } else { String::new() };
        self.out.push('\n');
        self.nested(&rule.frame, &rule.binders, |printer, bound| {
            let fair = match rule.fairness {
                None => "",
                Some(Strength::Weak) => "fair ",
                Some(Strength::Strong) => "strong fair ",
            };
            printer.line(&format!("{fair}{keyword}{name}"));
            if let Some(guard) = &rule.guard {
                let guard = printer.expr(&rule.frame, guard, bound);
                printer.inside(|p| p.line(&guard));
                printer.line("==>");
            }
            let body = printer.block_text(&rule.frame, &rule.body, bound);
            printer.body(&rule.frame, bound, &body);
        });
    }

    fn property(&mut self, property: &Property) {
        let keyword = match property.kind {
            PropertyKind::Invariant => "invariant",
            PropertyKind::Assume => "assume",
            PropertyKind::Cover => "cover",
            PropertyKind::Liveness => "liveness",
            PropertyKind::Fairness => "fairness",
            PropertyKind::Ctl => "ctl",
            PropertyKind::Ltl => "ltl",
            PropertyKind::NoFault | PropertyKind::NoDeadlock => return,
            PropertyKind::Elsewhere | PropertyKind::Quantitative => return,
        };
        // A `cover` statement stands where it is evaluated.
        if property.is_statement() {
            return;
        }
        let name = if property.named { format!(" {}", code::quoted(&property.name)) } else { String::new() };
        self.out.push('\n');
        self.nested(&property.frame, &property.binders, |printer, bound| {
            let condition = property.condition.iter().map(|e| printer.expr(&property.frame, e, bound)).next();
            let formula = || property.formula.iter().map(|f| printer.formula(&property.frame, f)).next();
            let stated = condition.or_else(formula).unwrap_or_default();
            printer.line(&format!("{keyword}{name}"));
            printer.inside(|p| p.line(&format!("{stated};")));
        });
    }

    /// What surrounds a rule or property, around what `inner` prints.
    fn nested(
        &mut self,
        frame: &Frame,
        binders: &[Binder],
        inner: impl FnOnce(&mut Self, &mut HashSet<LocalId>),
    ) {
        let mut bound = HashSet::new();
        for binder in binders {
            let (local, heading) = match binder {
                Binder::Each(each) => {
                    (each.local, format!("ruleset {} do", self.loop_text(frame, each, &mut bound)))
                }
                Binder::Alias(local, target) => {
                    let target = self.operand(frame, target, &mut bound);
                    (*local, format!("alias {} : {target} do", frame[*local].name))
                }
                Binder::Choose(local, set) => {
                    let set = self.place(frame, set, &mut bound);
                    (*local, format!("choose {} : {set} do", frame[*local].name))
                }
            };
            bound.insert(local);
            self.line(&heading);
            self.indent += 1;
        }
        inner(self, &mut bound);
        for _ in binders {
            self.indent -= 1;
            self.line("end;");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burnside_model::Span;
    use burnside_model::code::{Domain, DomainKind};

    #[test]
    fn names_are_made_where_needed_and_kept_where_possible() {
        let mut model = Model::default();
        let at = Span::default();
        model.types.domains.push(Domain { name: String::new(), kind: DomainKind::Full, size: 3, span: at });
        let set = model.types.add(None, TypeKind::Scalarset(DomainId(0))).unwrap();
        let e = model.types.add(None, TypeKind::Enum(vec!["A".into(), "x".into()])).unwrap();
        let a = model.types.add(None, TypeKind::Array { index: set, element: e }).unwrap();
        model.add_global("x", a, at).unwrap();
        let expected = "type\n  Scalarset2 : scalarset(3);\n  Enum3 : enum { A, x_2 };\nvar\n  x : array [Scalarset2] of Enum3;\n";
        assert_eq!(print(&model), expected);
    }
}
