//! Makes the functions of a model: intermediate code one after the other, machine code on all cores.
//!
//! Cranelift's optimiser is left out: what it could do (fold constants, drop checks) is done while the intermediate code is
//! made, with more knowledge, and its merging of common loads across a large function costs more in spilled registers
//! than it gains. Measured on cache3, eadash and sci: without it code is as fast or faster and made in 2/3 of the time.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use burnside_model::code::Semantics;
use burnside_model::system::PropertyKind;
use burnside_model::{Model, Packing, Span};
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{Function, Signature, UserFuncName};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleReloc, default_libcall_names};

use crate::compile::{self, Signatures, Unit, Unsupported};
use crate::context::Tables;

/// Instructions below which other threads are not worth their start.
const FEW: usize = 4000;

/// The size of rules that become one function.
const GROUP: u64 = 2_000;

/// Finished code.
pub(crate) struct Made {
    pub module: JITModule,
    pub rules: Vec<FuncId>,
    pub properties: Vec<Option<FuncId>>,
    pub sites: HashMap<Span, u32>,
    pub most_steps: usize,
    pub fallbacks: Vec<(String, String)>,
}

/// Makes all functions of a model.
pub(crate) fn make(
    model: &Model,
    packing: &Packing,
    semantics: Semantics,
    tables: &Tables,
) -> Result<Made, String> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", "none"),
        ("is_pic", "false"),
        ("enable_verifier", verify),
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
    ] {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let isa = cranelift_native::builder()
        .map_err(str::to_owned)?
        .finish(settings::Flags::new(flags))
        .map_err(|error| error.to_string())?;
    let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    let table = tables.cells.as_ptr() as i64;
    let mut maker = Maker {
        signatures: Signatures::new(module.isa().default_call_conv()),
        unit: Unit::new(model, packing, semantics, table, module),
        fallbacks: Vec::new(),
    };
    let (rules, properties) = loop {
        let made = maker.all()?;
        if !maker.unit.again() {
            break made;
        }
        maker.fallbacks.clear();
    };
    let Maker { unit, fallbacks, .. } = maker;
    let most_steps = unit.most_steps.unwrap_or(0) as usize;
    let mut module = unit.module.into_inner();
    finish(&mut module, unit.finished.into_inner())?;
    Ok(Made { module, rules, properties, sites: unit.sites.into_inner(), most_steps, fallbacks })
}

/// A function's intermediate code, or its machine code.
type Piece = (FuncId, cranelift_codegen::Context);

/// Makes the functions.
struct Maker<'m> {
    signatures: Signatures<Signature>,
    unit: Unit<'m>,
    fallbacks: Vec<(String, String)>,
}

/// What a function is made with.
struct Workshop<'w, 'm> {
    signatures: &'w Signatures<Signature>,
    unit: &'w Unit<'m>,
    function: &'w mut Function,
    memory: &'w mut FunctionBuilderContext,
}

impl Maker<'_> {
    /// Makes a function of a context and a state; inside, why that was not possible.
    fn function(
        &mut self,
        returns: bool,
        make: impl FnOnce(Workshop<'_, '_>) -> Result<(), Unsupported>,
    ) -> Result<Result<FuncId, String>, String> {
        let signature = if returns { &self.signatures.one_to_one } else { &self.signatures.one };
        let mut context = self.unit.module.borrow().make_context();
        context.func.signature = signature.clone();
        let made = make(Workshop {
            signatures: &self.signatures,
            unit: &self.unit,
            function: &mut context.func,
            memory: &mut FunctionBuilderContext::new(),
        });
        if let Err(Unsupported(why)) = made {
            return Ok(Err(why));
        }
        let id = self.unit.module.borrow_mut().declare_anonymous_function(&context.func.signature);
        let id = id.map_err(|error| error.to_string())?;
        context.func.name = UserFuncName::user(0, id.as_u32());
        self.unit.finished.borrow_mut().push((id, context));
        Ok(Ok(id))
    }

    fn all(&mut self) -> Result<(Vec<FuncId>, Vec<Option<FuncId>>), String> {
        let model = self.unit.model;
        let mut properties = Vec::new();
        for property in &model.properties {
            let Some(condition) = &property.condition else {
                properties.push(None);
                continue;
            };
            let made = self.function(true, |workshop| {
                let Workshop { unit, signatures, function, memory } = workshop;
                unit.in_property(|| {
                    compile::property(unit, signatures, property, condition, function, memory)
                })
            })?;
            if let Err(why) = &made {
                self.fallbacks.push((property.name.clone(), why.clone()));
            }
            properties.push(made.ok());
        }
        let assumptions: Option<Vec<FuncId>> = std::iter::zip(&model.properties, &properties)
            .filter(|(property, _)| property.kind == PropertyKind::Assume && property.condition.is_some())
            .map(|(_, code)| *code)
            .collect();
        let mut rules = Vec::new();
        for group in self.groups() {
            match self.rules(group.clone(), assumptions.as_deref())? {
                Ok(id) => rules.push(id),
                // Those of them that can be compiled are, each for itself.
                Err(_) => {
                    for index in group {
                        rules.push(match self.rules(index..index + 1, assumptions.as_deref())? {
                            Ok(id) => id,
                            Err(why) => self.fallback(index, why)?,
                        });
                    }
                }
            }
        }
        Ok((rules, properties))
    }

    /// Rules that become one function: a call for each would cost more than many a guard.
    fn groups(&self) -> Vec<Range<usize>> {
        let mut groups: Vec<Range<usize>> = Vec::new();
        let mut size = 0;
        for (index, rule) in self.unit.model.rules.iter().enumerate() {
            let cost = self.unit.cost_rule(rule, 0);
            size += cost;
            match groups.last_mut() {
                Some(group) if size <= GROUP => group.end = index + 1,
                _ => {
                    groups.push(index..index + 1);
                    size = cost;
                }
            }
        }
        groups
    }

    fn rules(
        &mut self,
        rules: Range<usize>,
        assumptions: Option<&[FuncId]>,
    ) -> Result<Result<FuncId, String>, String> {
        let Some(assumptions) = assumptions else {
            return Ok(Err("an assumption is left to the interpreter".to_owned()));
        };
        self.function(false, |workshop| {
            let Workshop { unit, signatures, function, memory } = workshop;
            let mut module = unit.module.borrow_mut();
            let assumptions = assumptions.iter().map(|id| module.declare_func_in_func(*id, function));
            let assumptions: Vec<_> = assumptions.collect();
            drop(module);
            compile::rules(unit, signatures, rules, function, memory, &assumptions)
        })
    }

    /// Leaves a rule to the interpreter, which may make anything undefined.
    fn fallback(&mut self, index: usize, why: String) -> Result<FuncId, String> {
        self.fallbacks.push((self.unit.model.rules[index].name.clone(), why));
        self.unit.defined.lose_all();
        self.function(false, |workshop| {
            let Workshop { unit, signatures, function, memory } = workshop;
            compile::fallback(unit, signatures, index as u32, function, memory);
            Ok(())
        })?
    }
}

/// A function's machine code, and where addresses are to be filled in.
struct Code {
    id: FuncId,
    alignment: u64,
    bytes: Vec<u8>,
    relocations: Vec<ModuleReloc>,
}

/// Functions to be compiled, and those that are.
struct Work {
    pieces: Vec<Mutex<Option<Piece>>>,
    next: AtomicUsize,
    done: Mutex<Vec<(usize, Code)>>,
}

/// Makes machine code of all functions.
fn finish(module: &mut JITModule, mut functions: Vec<Piece>) -> Result<(), String> {
    let size = |(_, context): &Piece| context.func.dfg.num_insts();
    let total: usize = functions.iter().map(size).sum();
    functions.sort_by_key(|piece| std::cmp::Reverse(size(piece)));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get()).min(functions.len());
    let threads = if total < FEW { 1 } else { threads.min(8) };
    let pieces = functions.into_iter().map(|piece| Mutex::new(Some(piece))).collect();
    let work = Work { pieces, next: AtomicUsize::new(0), done: Mutex::default() };
    let isa = module.isa();
    let results = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| work.compile(isa))).collect();
        let mut results = vec![work.compile(isa)];
        for other in others {
            results.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    });
    results.into_iter().collect::<Result<(), String>>()?;
    let mut done = work.done.into_inner().map_err(|error| error.to_string())?;
    // The same layout in every run.
    done.sort_by_key(|(number, _)| *number);
    for (_, Code { id, alignment, bytes, relocations }) in done {
        module
            .define_function_bytes(id, alignment, &bytes, &relocations)
            .map_err(|error| error.to_string())?;
    }
    module.finalize_definitions().map_err(|error| error.to_string())
}

impl Work {
    /// Makes machine code of pieces until there are none left. The intermediate code of each is given up at once: that of a
    /// large model takes much more memory than its machine code.
    fn compile(&self, isa: &dyn TargetIsa) -> Result<(), String> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = self.pieces.get(number) else { return Ok(()) };
            let Some(piece) = piece.lock().map_err(|error| error.to_string())?.take() else { continue };
            let code = machine_code(piece, isa)?;
            self.done.lock().map_err(|error| error.to_string())?.push((number, code));
        }
    }
}

fn machine_code((id, mut context): Piece, isa: &dyn TargetIsa) -> Result<Code, String> {
    context.compile(isa, &mut ControlPlane::default()).map_err(|error| format!("{:?}", error.inner))?;
    let code = context.compiled_code().ok_or("a function has no code")?;
    let relocations = code.buffer.relocs().iter();
    let relocations = relocations.map(|found| ModuleReloc::from_mach_reloc(found, &context.func, id));
    Ok(Code {
        id,
        alignment: u64::from(code.buffer.alignment),
        bytes: code.code_buffer().to_vec(),
        relocations: relocations.collect(),
    })
}
