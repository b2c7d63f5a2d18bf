//! Models: declarations, modules, rewards and how modules are composed.

use burnside_model::Span;
use burnside_model::chance::Kind;

use super::super::ast::{
    Body, Branch, Command, ConstType, Domain, Expr, ExprKind, Model, Module, Name, Reward, RewardItem,
    System, Variable,
};
use super::super::lexer::Tok;
use super::{Parsed, Parser};
use crate::diag::codes;

impl Parser {
    pub(super) fn model(mut self) -> Parsed<Model> {
        let mut model = Model::default();
        loop {
            let span = self.span();
            let word = match self.peek().clone() {
                Tok::End => return Ok(model),
                Tok::Word(word) => word,
                _ => return Err(self.unexpected("a declaration")),
            };
            self.next();
            match word.as_str() {
                "dtmc" | "probabilistic" => self.kind(&mut model, Kind::Dtmc, span)?,
                "mdp" | "nondeterministic" => self.kind(&mut model, Kind::Mdp, span)?,
                "ctmc" | "stochastic" => self.kind(&mut model, Kind::Ctmc, span)?,
                "pta" | "pomdp" | "popta" | "smg" | "csg" | "imdp" | "idtmc" | "stpg" | "ma" => {
                    return Err(self.unsupported(span, &format!("models of kind `{word}` are")));
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
                        return Err(self.error(codes::DUPLICATE_NAME, span, "a second `init … endinit`"));
                    }
                    model.init = Some(self.expr()?);
                    self.word("endinit")?;
                }
                "system" => {
                    if matches!(self.peek(), Tok::Quoted(_)) {
                        return Err(self.unsupported(self.span(), "named `system` blocks are"));
                    }
                    model.system = Some(self.system()?);
                    self.word("endsystem")?;
                }
                "player" => return Err(self.unsupported(span, "games are")),
                "observables" | "observable" => return Err(self.unsupported(span, "partial observation is")),
                _ => {
                    let message = format!("`{word}` does not begin a declaration");
                    let found = self.error(codes::UNEXPECTED_TOKEN, span, message);
                    return Err(Box::new(found.help("a PRISM model has a kind (`dtmc`, `mdp` or `ctmc`), constants, formulas, labels, modules and rewards")));
                }
            }
        }
    }

    fn kind(&self, model: &mut Model, kind: Kind, span: Span) -> Parsed<()> {
        if model.kind.is_some() {
            return Err(self.error(codes::DUPLICATE_NAME, span, "the kind of the model is given twice"));
        }
        model.kind = Some(kind);
        Ok(())
    }

    /// `x : [0..5] init 0;`
    fn variable(&mut self) -> Parsed<Variable> {
        let name = self.name("the name of a variable")?;
        self.sign(":")?;
        let domain = if self.take_word("bool") {
            Domain::Bool
        } else if self.take_word("int") {
            Domain::Int
        } else if self.is_word("clock") {
            return Err(self.unsupported(self.span(), "clocks are"));
        } else {
            self.sign("[")?;
            let low = self.expr()?;
            self.sign("..")?;
            let high = self.expr()?;
            self.sign("]")?;
            Domain::Range(low, high)
        };
        let init = if self.take_word("init") { Some(self.expr()?) } else { None };
        self.sign(";")?;
        Ok(Variable { name, domain, init })
    }

    fn module(&mut self) -> Parsed<Module> {
        let name = self.name("the name of a module")?;
        if self.take_sign("=") {
            let of = self.name("the name of a module")?;
            self.sign("[")?;
            let mut pairs = Vec::new();
            while !self.is_sign("]") {
                let from = self.renamed()?;
                self.sign("=")?;
                pairs.push((from, self.renamed()?));
                if !self.take_sign(",") {
                    break;
                }
            }
            self.sign("]")?;
            self.word("endmodule")?;
            return Ok(Module { name, body: Body::Renamed(of, pairs) });
        }
        let (mut variables, mut commands) = (Vec::new(), Vec::new());
        loop {
            if self.take_word("endmodule") {
                return Ok(Module { name, body: Body::Own(variables, commands) });
            } else if self.is_sign("[") {
                commands.push(self.command()?);
            } else if self.is_word("invariant") {
                return Err(self.unsupported(self.span(), "invariants of clocks are"));
            } else if matches!(self.peek(), Tok::Word(_)) && matches!(self.peek_at(1), Tok::Sign(":")) {
                variables.push(self.variable()?);
            } else if self.peek() == &Tok::End {
                let message = format!("module `{}` is never closed", name.text);
                let found = self.error(codes::MISSING_END, name.span, message);
                return Err(Box::new(found.help("write `endmodule` after its last command")));
            } else {
                return Err(self.unexpected("a variable, a command or `endmodule`"));
            }
        }
    }

    /// A name in a renaming; the functions `min` and `max` may be renamed to each other.
    fn renamed(&mut self) -> Parsed<Name> {
        match self.peek().clone() {
            Tok::Word(text) if matches!(text.as_str(), "min" | "max") => {
                let span = self.next().span;
                Ok(Name { text, span })
            }
            _ => self.name("a name"),
        }
    }

    fn command(&mut self) -> Parsed<Command> {
        let start = self.span();
        self.sign("[")?;
        let action = if self.is_sign("]") { None } else { Some(self.name("the name of an action")?) };
        self.sign("]")?;
        let guard = self.expr()?;
        self.sign("->")?;
        let mut branches = Vec::new();
        loop {
            branches.push(self.branch()?);
            if !self.take_sign("+") {
                break;
            }
        }
        self.sign(";")?;
        Ok(Command { action, guard, branches, span: self.since(start) })
    }

    fn branch(&mut self) -> Parsed<Branch> {
        let start = self.span();
        if self.is_sign("[") {
            return Err(self.unsupported(start, "intervals of probabilities are"));
        }
        let mut weight = None;
        if !self.begins_update() {
            weight = Some(self.expr()?);
            self.sign(":")?;
        }
        let mut updates = Vec::new();
        if !self.take_word("true") {
            loop {
                self.sign("(")?;
                let name = self.name("the name of a variable")?;
                self.sign("'")?;
                self.sign("=")?;
                let value = self.expr()?;
                self.sign(")")?;
                updates.push((name, value));
                if !self.take_sign("&") {
                    break;
                }
            }
        }
        Ok(Branch { weight, updates, span: self.since(start) })
    }

    /// Whether `(x'=…` or a bare `true` stands here.
    fn begins_update(&self) -> bool {
        let update = self.is_sign("(")
            && matches!(self.peek_at(1), Tok::Word(_))
            && matches!(self.peek_at(2), Tok::Sign("'"));
        update || self.is_word("true") && matches!(self.peek_at(1), Tok::Sign(";" | "+"))
    }

    fn rewards(&mut self) -> Parsed<Reward> {
        let name = if matches!(self.peek(), Tok::Quoted(_)) { self.quoted()? } else { Name::default() };
        let mut items = Vec::new();
        while !self.take_word("endrewards") {
            let start = self.span();
            let action = if self.take_sign("[") {
                let action = if self.is_sign("]") { None } else { Some(self.name("the name of an action")?) };
                self.sign("]")?;
                Some(action)
            } else {
                None
            };
            let guard = self.expr()?;
            self.sign(":")?;
            let value = self.expr()?;
            self.sign(";")?;
            items.push(RewardItem { action, guard, value, span: self.since(start) });
        }
        Ok(Reward { name, items })
    }

    fn system(&mut self) -> Parsed<System> {
        let mut parts = vec![self.interleaved()?];
        while self.take_sign("||") {
            parts.push(self.interleaved()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { System::Full(parts) })
    }

    fn interleaved(&mut self) -> Parsed<System> {
        let mut parts = vec![self.parallel()?];
        while self.take_sign("|||") {
            parts.push(self.parallel()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { System::Interleaved(parts) })
    }

    fn parallel(&mut self) -> Parsed<System> {
        let mut left = self.hidden()?;
        while self.is_sign("|") {
            self.next();
            self.sign("[")?;
            let actions = self.actions("]")?;
            self.sign("|")?;
            left = System::Parallel(actions, Box::new([left, self.hidden()?]));
        }
        Ok(left)
    }

    fn hidden(&mut self) -> Parsed<System> {
        let mut found = if self.take_sign("(") {
            let inner = self.system()?;
            self.sign(")")?;
            inner
        } else {
            System::Module(self.name("the name of a module")?)
        };
        loop {
            if self.take_sign("/") {
                self.sign("{")?;
                found = System::Hide(Box::new(found), self.actions("}")?);
            } else if self.take_sign("{") {
                let mut pairs = Vec::new();
                while !self.is_sign("}") {
                    let from = self.name("an action")?;
                    self.sign("<")?;
                    self.sign("-")?;
                    pairs.push((from, self.name("an action")?));
                    if !self.take_sign(",") {
                        break;
                    }
                }
                self.sign("}")?;
                found = System::Rename(Box::new(found), pairs);
            } else {
                return Ok(found);
            }
        }
    }

    fn actions(&mut self, end: &str) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        while !self.is_sign(end) {
            names.push(self.name("an action")?);
            if !self.take_sign(",") {
                break;
            }
        }
        self.sign(end)?;
        Ok(names)
    }
}

impl Expr {
    pub(super) fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { kind: Box::new(kind), span }
    }
}
