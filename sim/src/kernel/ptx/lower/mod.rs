//! From the tree to kernels: names become registers and addresses, types are checked, calls are inlined.

mod address;
mod arith;
mod bits;
mod build;
mod call;
mod control;
mod convert;
mod dispatch;
mod float;
mod function;
mod globals;
mod indirect;
mod memory;
mod missing;
mod modifiers;
mod moves;
mod operand;
mod reach;
mod scope;
mod sync;
mod types;

use std::collections::{BTreeSet, HashMap};

use super::ast::{File, Function, Name, Span, Stmt, Variable};
use super::error::{MAX_PROBLEMS, Problem, Res};
use super::{LaunchBounds, Note};
use crate::kernel::op::{BlockId, Op, Space};
use crate::kernel::program::Program as CallProgram;
use crate::kernel::verify::MAX_LOCAL_BYTES;
use crate::kernel::{Kernel, Line, Param};
pub(super) use build::Builder;
use build::Label;
use globals::Globals;
pub(super) use globals::size_and_align;
use reach::Reached;
pub(super) use scope::Scopes;
use scope::Symbol;
pub(super) use types::bytes;

/// Most instructions of all kernels of a file together, calls inlined.
const MAX_FILE_INSTS: usize = 500_000;

/// Most bytes of kernel parameters (PTX ISA 5.1.6.1: 32764 since 8.1, 4352 before).
const MAX_PARAM_BYTES: u64 = 32_764;

/// A kernel that was lowered or not.
pub struct Lowered {
    pub name: String,
    pub line: Line,
    pub bounds: LaunchBounds,
    pub notes: Vec<Note>,
    pub kernel: Result<Kernel, Vec<Problem>>,
    /// The kernel with its functions; `None`: it calls none.
    pub program: Option<Result<CallProgram, Vec<Problem>>>,
}

/// What all kernels of a file share.
pub(super) struct Program<'p, 's> {
    file: &'p File<'s>,
    functions: HashMap<&'s str, usize>,
    globals: Globals<'p, 's>,
    /// Functions whose address is taken somewhere in the file, in its order.
    taken: Vec<usize>,
    line_starts: Vec<usize>,
}

impl Program<'_, '_> {
    fn line(&self, span: Span) -> Line {
        let line = self
            .line_starts
            .partition_point(|start| *start <= span.start);
        Line(u32::try_from(line).unwrap_or(u32::MAX))
    }
}

/// Lowers every kernel of a file, whose lines begin at `line_starts`.
pub fn file(file: &File<'_>, line_starts: Vec<usize>) -> Result<Vec<Lowered>, Vec<Problem>> {
    let functions = functions(file)?;
    let program = Program {
        file,
        taken: indirect::taken(file, &functions),
        globals: Globals::lay_out(file, &functions).map_err(|problem| vec![*problem])?,
        functions,
        line_starts,
    };
    let mut room = MAX_FILE_INSTS;
    let entries = file.functions.iter().enumerate();
    Ok(entries
        .filter(|(_, function)| function.is_entry && function.body.is_some())
        .map(|(index, function)| {
            let mut lower = Lower::new(&program, index, room);
            let kernel = lower.kernel(function);
            room = room.saturating_sub(lower.build.inst_count());
            Lowered {
                name: function.name.text.to_owned(),
                line: program.line(function.name.span),
                bounds: function.bounds,
                notes: lower.notes,
                kernel,
                program: function::program(&program, index, &mut room),
            }
        })
        .collect())
}

/// The functions by name; a definition wins over its declarations.
fn functions<'s>(file: &File<'s>) -> Result<HashMap<&'s str, usize>, Vec<Problem>> {
    let mut found: HashMap<&'s str, usize> = HashMap::new();
    let mut problems = Vec::new();
    for (index, function) in file.functions.iter().enumerate() {
        let name = function.name;
        match found
            .get(name.text)
            .map(|earlier| &file.functions[*earlier])
        {
            Some(earlier) if earlier.body.is_some() && function.body.is_some() => {
                if problems.len() < MAX_PROBLEMS {
                    problems.push(*Problem::new(
                        name.span,
                        format!("function `{}` is defined twice", name.text),
                        "second definition",
                    ));
                }
            }
            Some(earlier) if earlier.body.is_some() => {}
            _ => {
                found.insert(name.text, index);
            }
        }
    }
    if problems.is_empty() {
        Ok(found)
    } else {
        Err(problems)
    }
}

/// The function being lowered: the kernel, or a call inlined into it.
struct Frame<'p, 's> {
    index: usize,
    scopes: Scopes<'s>,
    labels: HashMap<(usize, &'s str), Label>,
    targets: HashMap<(usize, &'s str), &'p [super::ast::Name<'s>]>,
    /// What calls through addresses name to say what they can call.
    callable: HashMap<(usize, &'s str), &'p Stmt<'s>>,
    /// Where `ret` goes; `None` in the kernel itself.
    after: Option<Label>,
    is_entry: bool,
}

/// Lowers one kernel.
struct Lower<'p, 's> {
    program: &'p Program<'p, 's>,
    frame: Frame<'p, 's>,
    build: Builder,
    reached: Reached<'p, 's>,
    /// Functions being inlined, outermost first.
    calls: Vec<usize>,
    /// Calls stay calls: the functions that are called, by number; `None`: they are inlined.
    numbers: Option<Vec<usize>>,
    /// Lines with calls through addresses.
    indirect: BTreeSet<Line>,
    /// Functions without a body that are called.
    missing: BTreeSet<usize>,
    inlined: usize,
    local_bytes: u64,
    storages: Vec<super::params::Storage>,
    problems: Vec<Problem>,
    notes: Vec<Note>,
}

impl<'p, 's> Lower<'p, 's> {
    fn new(program: &'p Program<'p, 's>, index: usize, room: usize) -> Self {
        Lower {
            program,
            frame: Frame {
                index,
                scopes: Scopes::default(),
                labels: HashMap::new(),
                targets: HashMap::new(),
                callable: HashMap::new(),
                after: None,
                is_entry: true,
            },
            build: Builder::new(room),
            reached: Reached::default(),
            calls: vec![index],
            numbers: None,
            indirect: BTreeSet::new(),
            missing: BTreeSet::new(),
            inlined: 0,
            local_bytes: 0,
            storages: Vec::new(),
            problems: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn kernel(&mut self, function: &'p Function<'s>) -> Result<Kernel, Vec<Problem>> {
        match self.assemble(function) {
            Ok(kernel) if self.problems.is_empty() => Ok(kernel),
            Ok(_) => Err(std::mem::take(&mut self.problems)),
            Err(problem) => {
                self.record(*problem);
                Err(std::mem::take(&mut self.problems))
            }
        }
    }

    fn assemble(&mut self, function: &'p Function<'s>) -> Res<Kernel> {
        self.reached = Reached::from(self.program, self.frame.index)?;
        let params = self.kernel_params(function)?;
        self.body(function)?;
        self.build.finish();
        if let Some(limit) = self.build.exceeded() {
            return Err(Problem::new(
                function.name.span,
                format!("kernel `{}` is too large", function.name.text),
                limit,
            ));
        }
        if let Some(last) = self.problems.pop() {
            return Err(Box::new(last));
        }
        let globals = self.program.globals.reached(&self.reached.names)?;
        super::params::promote(&mut self.build, &mut self.storages, &mut self.local_bytes);
        if let Some(limit) = self.build.exceeded() {
            return Err(Problem::new(
                function.name.span,
                format!("kernel `{}` is too large", function.name.text),
                limit,
            ));
        }
        check_local_bytes(function.name.span, self.local_bytes)?;
        let mut kernel = Kernel {
            name: function.name.text.to_owned(),
            params,
            globals,
            shared_bytes: self.reached.shared_bytes,
            local_bytes: self.local_bytes as u32,
            regs: self.build.space(),
            blocks: self.build.take_blocks(),
            rounds: Vec::new(),
        };
        super::tidy::tidy(&mut kernel);
        Ok(kernel)
    }

    fn kernel_params(&mut self, function: &'p Function<'s>) -> Res<Vec<Param>> {
        self.frame.scopes.open();
        let mut end = 0_u64;
        let mut params = Vec::new();
        for formal in &function.params {
            let variable = &formal.var;
            if formal.in_register {
                return Err(Problem::new(
                    variable.name.span,
                    "a kernel parameter cannot be a register",
                    "expected `.param`",
                ));
            }
            let (size_bytes, align_bytes) = globals::size_and_align(variable)?;
            let offset = end.next_multiple_of(u64::from(align_bytes));
            end = offset + size_bytes;
            if end > MAX_PARAM_BYTES {
                return Err(Problem::new(
                    variable.name.span,
                    "too many bytes of parameters",
                    format!("at most {MAX_PARAM_BYTES}"),
                ));
            }
            self.declare(variable, Symbol::variable(Space::Param, offset, size_bytes))?;
            params.push(Param {
                name: variable.name.text.to_owned(),
                ty: variable.ty.ty,
                offset_bytes: offset as u32,
                size_bytes: size_bytes as u32,
                align_bytes,
            });
        }
        Ok(params)
    }

    fn declare(&mut self, variable: &Variable<'s>, symbol: Symbol) -> Res<()> {
        self.frame.scopes.declare(variable.name, symbol)
    }

    fn record(&mut self, problem: Problem) {
        // A function inlined twice has its problem once.
        if self.problems.len() < MAX_PROBLEMS && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn note(&mut self, span: Span, text: String) {
        let note = Note {
            line: self.program.line(span),
            text,
        };
        if !self.notes.contains(&note) && self.notes.len() < MAX_PROBLEMS {
            self.notes.push(note);
        }
    }

    /// The statements of a function, into the current frame.
    fn body(&mut self, function: &'p Function<'s>) -> Res<()> {
        let Some(body) = &function.body else {
            return Ok(());
        };
        self.find_labels(body);
        self.frame.scopes.open();
        for (index, stmt) in body.iter().enumerate() {
            if self.problems.len() >= MAX_PROBLEMS || self.build.exceeded().is_some() {
                break;
            }
            if let Err(problem) = self.statement(stmt, index) {
                self.record(*problem);
            }
        }
        self.frame.scopes.close();
        if self.frame.after.is_none() {
            self.build.unguarded();
            self.build.push(Op::Exit, &[], &[]);
        }
        Ok(())
    }

    fn statement(&mut self, stmt: &'p Stmt<'s>, index: usize) -> Res<()> {
        match stmt {
            Stmt::Open => self.frame.scopes.open(),
            Stmt::Close => self.frame.scopes.close(),
            Stmt::Reg { name, ty, count } => {
                if ty.vec != 1 {
                    return Err(Problem::new(
                        name.span,
                        "vector registers are not supported",
                        "declare one register per element",
                    ));
                }
                return self.frame.scopes.declare_registers(*name, ty.ty, *count);
            }
            Stmt::Var(variable) => return self.function_variable(variable, index),
            Stmt::Label(name) => {
                let label = self.frame.labels[&(self.frame.scopes.id(), name.text)];
                self.build.place(label, name.text);
            }
            Stmt::Targets { .. } | Stmt::Prototype { .. } | Stmt::CallTargets { .. } => {}
            Stmt::Inst(inst) => {
                self.build.line = self.program.line(inst.opcode.span);
                return self.instruction(inst);
            }
        }
        Ok(())
    }

    fn find_labels(&mut self, body: &'p [Stmt<'s>]) {
        // Numbers scopes as `Scopes::open` will.
        let mut ids = self.frame.scopes.future_ids();
        for stmt in body {
            let at = |name: &Name<'s>| (ids.id(), name.text);
            let (name, again) = match stmt {
                Stmt::Label(name) => {
                    let label = self.build.label();
                    (name, self.frame.labels.insert(at(name), label).is_some())
                }
                Stmt::Targets { name, targets } => {
                    (name, self.frame.targets.insert(at(name), targets).is_some())
                }
                Stmt::Prototype { name, .. } | Stmt::CallTargets { name, .. } => {
                    (name, self.frame.callable.insert(at(name), stmt).is_some())
                }
                Stmt::Open => {
                    ids.open();
                    continue;
                }
                Stmt::Close => {
                    ids.close();
                    continue;
                }
                _ => continue,
            };
            if again {
                self.record(*Problem::new(
                    name.span,
                    format!("label `{}` is defined twice", name.text),
                    "second definition in this scope",
                ));
            }
        }
    }

    fn function_variable(&mut self, variable: &'p Variable<'s>, index: usize) -> Res<()> {
        if variable.init.is_some() {
            return Err(Problem::new(
                variable.name.span,
                "a variable inside a function cannot have an initial value",
                "move it to module level",
            ));
        }
        let (size_bytes, align_bytes) = globals::size_and_align(variable)?;
        let symbol = match variable.space {
            Space::Shared => {
                let offset = self.reached.shared_in_function[&(self.frame.index, index)];
                Symbol::variable(Space::Shared, offset, size_bytes)
            }
            Space::Local => {
                let offset = self.local_bytes.next_multiple_of(u64::from(align_bytes));
                self.local_bytes = offset + size_bytes;
                Symbol::variable(Space::Local, offset, size_bytes)
            }
            Space::Param => self.storage(size_bytes, align_bytes, variable.name.span)?,
            _ => {
                return Err(Problem::new(
                    variable.name.span,
                    "global and constant variables inside functions are not supported",
                    "move it to module level",
                ));
            }
        };
        self.declare(variable, symbol)
    }

    fn branch_target(&self, label: Label) -> BlockId {
        BlockId(label.0)
    }
}

/// Refuses more local memory than a thread has.
fn check_local_bytes(at: Span, local_bytes: u64) -> Res<()> {
    let most = u64::from(MAX_LOCAL_BYTES);
    if local_bytes > most {
        return Err(Problem::new(
            at,
            format!("{local_bytes} bytes of local memory per thread are too many"),
            format!("a thread has at most {most}"),
        )
        .help("make its `.local` variables smaller, or put them into a buffer in global memory"));
    }
    Ok(())
}
