//! Models: declarations, modules, rewards and how modules are composed.

use burnside_model::Span;
use burnside_model::chance::Kind;

use super::super::ast::{
    Body, Branch, Command, ConstType, Domain, Expr, ExprKind, Model, Module, Name, Reward, RewardItem,
    System, Variable,
};
use super::Parser;
use crate::diag::{Diagnostic, codes};
use crate::tokens::{Read, Tok};

impl Parser {
    pub(super) fn model(mut self) -> Read<Model> {
        let mut model = Model::default();
        loop {
            let span = self.span();
            let word = match self.peek().clone() {
                Tok::End => return Ok(model),
                Tok::Word(word) => word,
                _ => return self.unexpected("a declaration"),
            };
            self.next();
            match word.as_str() {
                "dtmc" | "probabilistic" => self.kind(&mut model, Kind::Dtmc, span)?,
                "mdp" | "nondeterministic" => self.kind(&mut model, Kind::Mdp, span)?,
                "ctmc" | "stochastic" => self.kind(&mut model, Kind::Ctmc, span)?,
                "pta" | "pomdp" | "popta" | "smg" | "csg" | "imdp" | "idtmc" | "stpg" | "ma" => {
                    return self.unsupported(span, &format!("models of kind `{word}` are"));
                }
                "const" => model.constants.push(self.constant(ConstType::Int)?),
                "rate" | "prob" => model.constants.push(self.constant(ConstType::Double)?),
                "formula" => model.formulas.push(self.formula()?),
                "label" => model.labels.push(self.label()?),
                "global" => model.globals.push(self.variable()?),
                "module" => model.modules.push(self.module()?),
                "rewards" => model.rewards.push(self.rewards()?),
                "init" => {
                    if model.init.is_some() {
                        return self.fail(codes::DUPLICATE_NAME, span, "a second `init … endinit`");
                    }
                    model.init = Some(self.expr()?);
                    self.expect_word("endinit")?;
                }
                "system" => {
                    if matches!(self.peek(), Tok::Text(_)) {
                        return self.unsupported(self.span(), "named `system` blocks are");
                    }
                    model.system = Some(self.system()?);
                    self.expect_word("endsystem")?;
                }
                "player" => return self.unsupported(span, "games are"),
                "observables" | "observable" => return self.unsupported(span, "partial observation is"),
                _ => {
                    let message = format!("`{word}` does not begin a declaration");
                    let found = Diagnostic::error(codes::UNEXPECTED_TOKEN, span, message);
                    return Err(Box::new(found.help("a PRISM model has a kind (`dtmc`, `mdp` or `ctmc`), constants, formulas, labels, modules and rewards")));
                }
            }
        }
    }

    fn kind(&self, model: &mut Model, kind: Kind, span: Span) -> Read<()> {
        if model.kind.is_some() {
            return self.fail(codes::DUPLICATE_NAME, span, "the kind of the model is given twice");
        }
        model.kind = Some(kind);
        Ok(())
    }

    /// `x : [0..5] init 0;`
    fn variable(&mut self) -> Read<Variable> {
        let name = self.name("the name of a variable")?;
        self.expect(":")?;
        let domain = if self.eat_word("bool") {
            Domain::Bool
        } else if self.eat_word("int") {
            Domain::Int
        } else if self.is_word("clock") {
            return self.unsupported(self.span(), "clocks are");
        } else {
            self.expect("[")?;
            let low = self.expr()?;
            self.expect("..")?;
            let high = self.expr()?;
            self.expect("]")?;
            Domain::Range(low, high)
        };
        let init = if self.eat_word("init") { Some(self.expr()?) } else { None };
        self.expect(";")?;
        Ok(Variable { name, domain, init })
    }

    fn module(&mut self) -> Read<Module> {
        let name = self.name("the name of a module")?;
        if self.eat("=") {
            let of = self.name("the name of a module")?;
            self.expect("[")?;
            let mut pairs = Vec::new();
            while !self.is("]") {
                let from = self.renamed()?;
                self.expect("=")?;
                pairs.push((from, self.renamed()?));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("]")?;
            self.expect_word("endmodule")?;
            return Ok(Module { name, body: Body::Renamed(of, pairs) });
        }
        let (mut variables, mut commands) = (Vec::new(), Vec::new());
        loop {
            if self.eat_word("endmodule") {
                return Ok(Module { name, body: Body::Own(variables, commands) });
            } else if self.is("[") {
                commands.push(self.command()?);
            } else if self.is_word("invariant") {
                return self.unsupported(self.span(), "invariants of clocks are");
            } else if matches!(self.peek(), Tok::Word(_)) && matches!(self.peek_at(1), Tok::Sign(":")) {
                variables.push(self.variable()?);
            } else if self.peek() == &Tok::End {
                let message = format!("module `{}` is never closed", name.text);
                let found = Diagnostic::error(codes::MISSING_END, name.span, message);
                return Err(Box::new(found.help("write `endmodule` after its last command")));
            } else {
                return self.unexpected("a variable, a command or `endmodule`");
            }
        }
    }

    /// A name in a renaming; the functions `min` and `max` may be renamed to each other.
    fn renamed(&mut self) -> Read<Name> {
        match self.peek().clone() {
            Tok::Word(text) if matches!(text.as_str(), "min" | "max") => {
                let span = self.next().span;
                Ok(Name { text, span })
            }
            _ => self.name("a name"),
        }
    }

    fn command(&mut self) -> Read<Command> {
        let start = self.span();
        self.expect("[")?;
        let action = if self.is("]") { None } else { Some(self.name("the name of an action")?) };
        self.expect("]")?;
        let guard = self.expr()?;
        self.expect("->")?;
        let mut branches = Vec::new();
        loop {
            branches.push(self.branch()?);
            if !self.eat("+") {
                break;
            }
        }
        self.expect(";")?;
        Ok(Command { action, guard, branches, span: self.since(start) })
    }

    fn branch(&mut self) -> Read<Branch> {
        let start = self.span();
        if self.is("[") {
            return self.unsupported(start, "intervals of probabilities are");
        }
        let mut weight = None;
        if !self.begins_update() {
            weight = Some(self.expr()?);
            self.expect(":")?;
        }
        let mut updates = Vec::new();
        if !self.eat_word("true") {
            loop {
                self.expect("(")?;
                let name = self.name("the name of a variable")?;
                self.expect("'")?;
                self.expect("=")?;
                let value = self.expr()?;
                self.expect(")")?;
                updates.push((name, value));
                if !self.eat("&") {
                    break;
                }
            }
        }
        Ok(Branch { weight, updates, span: self.since(start) })
    }

    /// Whether `(x'=…` or a bare `true` stands here.
    fn begins_update(&self) -> bool {
        let update = self.is("(")
            && matches!(self.peek_at(1), Tok::Word(_))
            && matches!(self.peek_at(2), Tok::Sign("'"));
        update || self.is_word("true") && matches!(self.peek_at(1), Tok::Sign(";" | "+"))
    }

    fn rewards(&mut self) -> Read<Reward> {
        let name = if matches!(self.peek(), Tok::Text(_)) { self.quoted()? } else { Name::default() };
        let mut items = Vec::new();
        while !self.eat_word("endrewards") {
            let start = self.span();
            let action = if self.eat("[") {
                let action = if self.is("]") { None } else { Some(self.name("the name of an action")?) };
                self.expect("]")?;
                Some(action)
            } else {
                None
            };
            let guard = self.expr()?;
            self.expect(":")?;
            let value = self.expr()?;
            self.expect(";")?;
            items.push(RewardItem { action, guard, value, span: self.since(start) });
        }
        Ok(Reward { name, items })
    }

    fn system(&mut self) -> Read<System> {
        let mut parts = vec![self.interleaved()?];
        while self.eat("||") {
            parts.push(self.interleaved()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { System::Full(parts) })
    }

    fn interleaved(&mut self) -> Read<System> {
        let mut parts = vec![self.parallel()?];
        while self.eat("|||") {
            parts.push(self.parallel()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { System::Interleaved(parts) })
    }

    fn parallel(&mut self) -> Read<System> {
        let mut left = self.hidden()?;
        while self.is("|") {
            self.next();
            self.expect("[")?;
            let actions = self.actions("]")?;
            self.expect("|")?;
            left = System::Parallel(actions, Box::new([left, self.hidden()?]));
        }
        Ok(left)
    }

    fn hidden(&mut self) -> Read<System> {
        let mut found = if self.eat("(") {
            let inner = self.system()?;
            self.expect(")")?;
            inner
        } else {
            System::Module(self.name("the name of a module")?)
        };
        loop {
            if self.eat("/") {
                self.expect("{")?;
                found = System::Hide(Box::new(found), self.actions("}")?);
            } else if self.eat("{") {
                let mut pairs = Vec::new();
                while !self.is("}") {
                    let from = self.name("an action")?;
                    self.expect("<")?;
                    self.expect("-")?;
                    pairs.push((from, self.name("an action")?));
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect("}")?;
                found = System::Rename(Box::new(found), pairs);
            } else {
                return Ok(found);
            }
        }
    }

    fn actions(&mut self, end: &str) -> Read<Vec<Name>> {
        let mut names = Vec::new();
        while !self.is(end) {
            names.push(self.name("an action")?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(end)?;
        Ok(names)
    }
}

impl Expr {
    pub(super) fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { kind: Box::new(kind), span }
    }
}
