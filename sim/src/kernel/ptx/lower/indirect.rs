//! Calls through addresses: a comparison with the address of each function that can be meant, and a direct call of it.
//!
//! A function has an address where nothing else is. Which functions a call can mean, its last operand says: those of a
//! `.calltargets` or of a table; or all whose address is taken somewhere in the file and that take and give what a
//! `.callprototype` says. Lanes with different targets run them one after the other, and meet behind the call. A lane whose
//! address is of none of them stops the run.

use std::collections::{BTreeSet, HashMap};

use super::function::pieces;
use super::globals::size_and_align;
use super::{Lower, Program};
use crate::kernel::address::FUNCTIONS;
use crate::kernel::op::{Cmp, Op, Ty};
use crate::kernel::ptx::ast::{
    File, Formal, Function, Init, Inst, Name, Operand as Written, OperandKind, Stmt,
};
use crate::kernel::ptx::constant::{self, Expr};
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::{Dst, Guard, Operand};

/// Most functions that a call through an address can mean. // assumed: beyond, the comparisons cost more than the call
const MAX_CALLEES: usize = 256;

/// What stands for the function with that index.
pub fn address(function: usize) -> u64 {
    FUNCTIONS + 16 * function as u64
}

/// Says that the address of a function stands where it cannot.
pub fn no_address(name: Name<'_>) -> Box<Problem> {
    Problem::new(
        name.span,
        format!("the address of function `{}` here", name.text),
        "expected it alone, as 64 bits",
    )
}

/// Functions whose address some instruction or initial value takes.
pub fn taken(file: &File<'_>, functions: &HashMap<&str, usize>) -> Vec<usize> {
    let mut found = BTreeSet::new();
    let mut note = |expr: &Expr<'_>| {
        let symbol = constant::address(expr).ok().and_then(|a| a.symbol);
        found.extend(symbol.and_then(|name| functions.get(name.text)));
    };
    for variable in &file.variables {
        let mut open: Vec<&Init<'_>> = variable.init.iter().collect();
        while let Some(init) = open.pop() {
            match init {
                Init::List(values, _) => open.extend(values),
                Init::Value(expr) => note(expr),
            }
        }
    }
    let bodies = file.functions.iter().filter_map(|f| f.body.as_ref());
    for stmt in bodies.flatten() {
        let Stmt::Inst(inst) = stmt else { continue };
        if inst.opcode.text != "call" {
            found.extend(names(inst).filter_map(|text| functions.get(text)));
        }
    }
    found.into_iter().collect()
}

fn names<'s>(inst: &Inst<'s>) -> impl Iterator<Item = &'s str> {
    inst.operands
        .iter()
        .filter_map(|operand| match &operand.kind {
            OperandKind::Name(text) => Some(*text),
            OperandKind::Const(expr) => constant::address(expr).ok()?.symbol.map(|name| name.text),
            _ => None,
        })
}

impl<'p, 's> Lower<'p, 's> {
    /// `call (results), address, (arguments), what_it_can_be;`
    pub(super) fn indirect_call(
        &mut self,
        callee: &Written<'s>,
        results: &[Written<'s>],
        args: &[Written<'s>],
        rest: &[Written<'s>],
    ) -> Res<()> {
        let [can_be] = rest else {
            return Err(Problem::new(
                callee.span,
                "a call through a register says what it can call",
                "expected a `.callprototype`, a `.calltargets` or a table of functions as the last operand",
            ));
        };
        let can_be = self.name_of_operand(can_be, "a `.callprototype` or `.calltargets`")?;
        if let Some(Stmt::Prototype {
            results: gives,
            params: takes,
            ..
        }) = self.callable(can_be)
        {
            let whose = format!("prototype `{}`", can_be.text);
            self.suits(can_be, &whose, "argument", (args, takes))?;
            self.suits(can_be, &whose, "result", (results, gives))?;
        }
        let callees = self.callees(can_be)?;
        for &index in &callees {
            let function: &'p Function<'s> = &self.program.file.functions[index];
            let whose = format!("function `{}`", function.name.text);
            self.suits(can_be, &whose, "argument", (args, &function.params))?;
            self.suits(can_be, &whose, "result", (results, &function.results))?;
        }
        let target = self.src(callee, Ty::U64)?;
        if self.numbers.is_some() {
            self.indirect.insert(self.build.line);
        }
        let skip = self.skip_if_guarded();
        let after = self.build.label();
        let line = self.build.line;
        for &index in &callees {
            let other = self.build.label();
            self.unless_equal(target, index, Op::Bra(self.branch_target(other)), &[]);
            let name = self.program.file.functions[index].name;
            self.direct_call(
                Name {
                    text: name.text,
                    span: can_be.span,
                },
                index,
                results,
                args,
            )?;
            self.build.line = line;
            self.build
                .push(Op::Bra(self.branch_target(after)), &[], &[]);
            self.build.place(other, "other_callee");
        }
        // Who is left has the address of none: so it has not that of the last.
        let last = callees.last().copied().unwrap_or_default();
        self.unless_equal(target, last, Op::Trap, &[target]);
        self.build.place(after, "after_callees");
        if let Some(skip) = skip {
            self.build.place(skip, "after_call");
        }
        Ok(())
    }

    /// Does `op` in the lanes whose target is not that function.
    fn unless_equal(&mut self, target: Operand, index: usize, op: Op, srcs: &[Operand]) {
        let differs = self.build.pred();
        let compare = Op::Setp {
            cmp: Cmp::Ne,
            ty: Ty::U64,
            ftz: false,
            combine: None,
        };
        let function = Operand::Imm(address(index));
        self.build
            .push(compare, &[Dst::Pred(differs)], &[target, function]);
        self.build.guarded(Some(Guard {
            pred: differs,
            negated: false,
        }));
        self.build.push(op, &[], srcs);
        self.build.unguarded();
    }

    /// The `.callprototype` or `.calltargets` of that name.
    fn callable(&self, name: Name<'s>) -> Option<&'p Stmt<'s>> {
        let mut scopes = self.frame.scopes.open_ids();
        scopes.find_map(|id| self.frame.callable.get(&(id, name.text)).copied())
    }

    /// Whether a call has as many arguments, or results, as its prototype or a function that it can mean, and variables of the same
    /// sizes.
    fn suits(
        &mut self,
        can_be: Name<'s>,
        whose: &str,
        what: &str,
        (actual, formal): (&[Written<'s>], &[Formal<'s>]),
    ) -> Res<()> {
        let cure = format!(
            "the call and {whose} have the same parameters in the same order: correct one of them"
        );
        let count = |n: usize| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        if actual.len() != formal.len() {
            return Err(Problem::new(
                can_be.span,
                format!("a call with {}", count(actual.len())),
                format!("{whose} has {}", count(formal.len())),
            )
            .help(cure));
        }
        for (number, (actual, formal)) in actual.iter().zip(formal).enumerate() {
            // Of an array without an extent any number of bytes will do.
            let Ok((wanted, _)) = size_and_align(&formal.var) else {
                continue;
            };
            if let Some((_, found)) = self.storage_named(actual)
                && found != wanted
            {
                return Err(Problem::new(
                    actual.span,
                    format!("{what} {} has {found} bytes", number + 1),
                    format!("{whose} has {wanted} there"),
                )
                .help(cure));
            }
        }
        Ok(())
    }

    /// The functions that a call can mean by what its last operand names; at least one.
    fn callees(&self, can_be: Name<'s>) -> Res<Vec<usize>> {
        let program = self.program;
        let callees = match self.callable(can_be) {
            Some(Stmt::Prototype {
                results, params, ..
            }) => {
                let fits = |index: &&usize| {
                    let function = &program.file.functions[**index];
                    takes(&function.params, params) && takes(&function.results, results)
                };
                program.taken.iter().filter(fits).copied().collect()
            }
            Some(Stmt::CallTargets { targets, .. }) => targets
                .iter()
                .map(|target| program.function(*target))
                .collect::<Res<Vec<usize>>>()?,
            _ => program.table(can_be)?,
        };
        let mut seen = BTreeSet::new();
        let callees: Vec<usize> = callees.into_iter().filter(|f| seen.insert(*f)).collect();
        if callees.is_empty() {
            return Err(Problem::new(
                can_be.span,
                format!(
                    "there is no function that a call with `{}` could call",
                    can_be.text
                ),
                "none that takes and gives this has its address taken in a given file",
            )
            .help("link the file that defines it: --link FILE, or several files on `run`"));
        }
        if callees.len() > MAX_CALLEES {
            return Err(Problem::new(
                can_be.span,
                format!("this call can mean {} functions", callees.len()),
                format!("at most {MAX_CALLEES}"),
            )
            .help("name those that it can mean in a `.calltargets`"));
        }
        let mut functions = callees.iter().map(|&index| &program.file.functions[index]);
        match functions.find(|function| function.body.is_none()) {
            Some(Function { name, .. }) => Err(program.no_body(Name {
                text: name.text,
                span: can_be.span,
            })),
            None => Ok(callees),
        }
    }
}

impl<'s> Program<'_, 's> {
    fn function(&self, name: Name<'s>) -> Res<usize> {
        let found = self.functions.get(name.text).copied();
        let found = found.filter(|&index| !self.file.functions[index].is_entry);
        found.ok_or_else(|| {
            Problem::new(
                name.span,
                format!("`{}` is no function", name.text),
                "expected a `.func` of this file",
            )
        })
    }

    /// The functions in the initial value of a module-level variable.
    fn table(&self, name: Name<'s>) -> Res<Vec<usize>> {
        let none = || {
            Problem::new(
                name.span,
                format!("`{}` does not say what can be called", name.text),
                "expected a `.callprototype`, a `.calltargets` or a table of functions",
            )
        };
        let variable = self.globals.find(name.text).ok_or_else(none)?;
        let Some(Init::List(values, _)) = &variable.init else {
            return Err(none());
        };
        let function = |value: &Init<'s>| match value {
            Init::Value(expr) => {
                let symbol = constant::address(expr)?.symbol.ok_or_else(none)?;
                self.function(symbol)
            }
            Init::List(..) => Err(none()),
        };
        values.iter().map(function).collect()
    }
}

/// Whether parameters or results are of the same sizes.
fn takes(formals: &[Formal<'_>], wanted: &[Formal<'_>]) -> bool {
    let same = |(a, b): (&Formal<'_>, &Formal<'_>)| {
        let sizes = |formal| {
            let pieces = pieces(formal).unwrap_or_default();
            let size = size_and_align(&formal.var).map(|(size, _)| size);
            (size.ok(), pieces.len())
        };
        sizes(a) == sizes(b)
    };
    formals.len() == wanted.len() && formals.iter().zip(wanted).all(same)
}
