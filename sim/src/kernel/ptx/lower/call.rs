//! Calls, by inlining. Parameters are passed through storages (see [`crate::kernel::ptx::params`]) that caller and
//! callee share, or through registers.

use std::collections::HashMap;

use super::build::Label;
use super::globals::size_and_align;
use super::modifiers::Modifiers;
use super::scope::{Place, Scopes, Symbol};
use super::types::width;
use super::{Frame, Lower};
use crate::kernel::op::{Mem, Op, Space, Ty};
use crate::kernel::ptx::ast::{
    Formal, Function, Inst, Name, Operand as Written, OperandKind, Span,
};
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::ptx::params::{self, Storage};
use crate::kernel::{Dst, Guard, Operand};

/// Deepest chain of calls.
const MAX_CALL_DEPTH: usize = 32;
/// Most calls inlined into one kernel.
const MAX_INLINED_CALLS: usize = 5_000;
/// Most instructions of a kernel into which another call is inlined. // assumed: what registers are allocated for within a minute
const MAX_INLINED_INSTS: usize = 8_192;

impl<'p, 's> Lower<'p, 's> {
    /// Room for a `.param` variable.
    pub(super) fn storage(&mut self, size_bytes: u64, align_bytes: u32, at: Span) -> Res<Symbol> {
        let index = self.storages.len();
        if size_bytes > params::MAX_STORAGE_BYTES || index >= params::MAX_STORAGES {
            return Err(Problem::new(
                at,
                "too many bytes of call parameters",
                format!("at most {} bytes each", params::MAX_STORAGE_BYTES),
            ));
        }
        self.storages.push(Storage {
            size_bytes,
            align_bytes,
            local_address: None,
        });
        Ok(Symbol::Variable {
            space: Space::Param,
            address: params::marker(index),
            size_bytes,
            storage: Some(index),
        })
    }

    /// The address of a storage was taken: it must lie in local memory.
    pub(super) fn take_storage_address(&mut self, storage: usize) -> u64 {
        self.storages[storage].place(&mut self.local_bytes)
    }

    pub(super) fn call(&mut self, inst: &'p Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        m.take(".uni");
        m.end()?;
        let (results, rest): (&[Written<'s>], _) = match inst.operands.as_slice() {
            [
                Written {
                    kind: OperandKind::List(results),
                    ..
                },
                rest @ ..,
            ] => (results, rest),
            rest => (&[], rest),
        };
        let Some((callee, rest)) = rest.split_first() else {
            return Err(Problem::new(
                inst.span,
                "`call` names no function",
                "expected a function",
            ));
        };
        let name = self.name_of_operand(callee, "a function")?;
        let indirect = self.frame.scopes.find(name.text).is_some();
        let (args, rest): (&[Written<'s>], _) = match rest {
            [
                Written {
                    kind: OperandKind::List(args),
                    ..
                },
                rest @ ..,
            ] => (args, rest),
            rest => (&[], rest),
        };
        if indirect {
            return self.indirect_call(callee, results, args, rest);
        }
        if let Some(extra) = rest.first() {
            return Err(Problem::new(
                extra.span,
                "operand after the arguments of a direct call",
                "expected `;`",
            ));
        }
        let Some(index) = self.program.functions.get(name.text).copied() else {
            return Err(Problem::new(
                name.span,
                format!("function `{}` is not declared", name.text),
                "no `.func` of that name in this file",
            ));
        };
        let function: &'p Function<'s> = &self.program.file.functions[index];
        if function.is_entry {
            return Err(Problem::new(
                name.span,
                format!("`{}` is a kernel, which cannot be called", name.text),
                "expected a `.func`",
            ));
        }
        if function.body.is_none() {
            // Said once, however often it is called.
            return match self.missing.insert(index) {
                true => Err(self.program.no_body(name)),
                false => Ok(()),
            };
        }
        let skip = self.skip_if_guarded();
        self.direct_call(name, index, results, args)?;
        if let Some(skip) = skip {
            self.build.place(skip, "after_call");
        }
        Ok(())
    }

    /// A call of the function with that index, which is defined; `name` is what a problem with it names.
    pub(super) fn direct_call(
        &mut self,
        name: Name<'s>,
        index: usize,
        results: &[Written<'s>],
        args: &[Written<'s>],
    ) -> Res<()> {
        let function: &'p Function<'s> = &self.program.file.functions[index];
        check_count(name, "results", results.len(), function.results.len())?;
        check_count(name, "arguments", args.len(), function.params.len())?;
        if self.numbers.is_some() {
            return self.keep_call(function, index, results, args);
        }
        if self.calls.contains(&index) {
            return Err(refused(name, "a recursive call"));
        }
        if self.calls.len() > MAX_CALL_DEPTH
            || self.inlined >= MAX_INLINED_CALLS
            || self.build.inst_count() > MAX_INLINED_INSTS
        {
            let most = format!(
                "more than {MAX_INLINED_INSTS} instructions or {MAX_INLINED_CALLS} calls, or {MAX_CALL_DEPTH} deep"
            );
            return Err(refused(name, &most));
        }
        self.inlined += 1;
        self.inline(function, index, results, args)
    }

    /// A guarded call becomes a branch around it.
    pub(super) fn skip_if_guarded(&mut self) -> Option<Label> {
        let guard = self.build.guard()?;
        let label = self.build.label();
        self.build.guarded(Some(Guard {
            negated: !guard.negated,
            ..guard
        }));
        self.build
            .push(Op::Bra(self.branch_target(label)), &[], &[]);
        self.build.unguarded();
        Some(label)
    }

    fn inline(
        &mut self,
        function: &'p Function<'s>,
        index: usize,
        results: &[Written<'s>],
        args: &[Written<'s>],
    ) -> Res<()> {
        let mut scopes = Scopes::default();
        scopes.open();
        let line = self.build.line;
        for (formal, actual) in function.params.iter().zip(args) {
            let symbol = self.bind(formal, Some(actual))?;
            scopes.declare(formal.var.name, symbol)?;
        }
        let mut returned = Vec::with_capacity(results.len());
        for (formal, actual) in function.results.iter().zip(results) {
            let shared = self.storage_named(actual).is_some();
            let symbol = self.bind(formal, shared.then_some(actual))?;
            scopes.declare(formal.var.name, symbol)?;
            if !shared {
                returned.push((formal, actual, symbol));
            }
        }
        let after = self.build.label();
        let callee = Frame {
            index,
            scopes,
            labels: HashMap::new(),
            targets: HashMap::new(),
            callable: HashMap::new(),
            after: Some(after),
            is_entry: false,
        };
        let caller = std::mem::replace(&mut self.frame, callee);
        self.calls.push(index);
        let done = self.body(function);
        self.calls.pop();
        self.build.unguarded();
        self.frame = caller;
        self.build.line = line;
        self.build.place(after, "return");
        done?;
        for (formal, actual, symbol) in returned {
            self.copy_result(formal, actual, symbol)?;
        }
        Ok(())
    }

    /// The storage that an operand names, with its size.
    pub(super) fn storage_named(&mut self, operand: &Written<'s>) -> Option<(Symbol, u64)> {
        let OperandKind::Name(text) = operand.kind else {
            return None;
        };
        match self.frame.scopes.find(text) {
            Some(
                symbol @ Symbol::Variable {
                    storage: Some(_),
                    size_bytes,
                    ..
                },
            ) => Some((symbol, size_bytes)),
            _ => None,
        }
    }

    /// What a formal parameter or result stands for in the callee.
    pub(super) fn bind(
        &mut self,
        formal: &'p Formal<'s>,
        actual: Option<&Written<'s>>,
    ) -> Res<Symbol> {
        let name = formal.var.name;
        let ty = formal.var.ty.ty;
        if formal.in_register {
            let place = match ty {
                Ty::Pred => Place::Predicate(self.build.pred()),
                ty => Place::General(self.build.reg(width(ty))),
            };
            if let Some(actual) = actual {
                let value = self.src(actual, ty)?;
                self.build
                    .push(Op::Mov(ty), &[destination(place)], &[value]);
            }
            return Ok(Symbol::Register {
                ty,
                place: Some(place),
            });
        }
        let (size_bytes, align_bytes) = size_and_align(&formal.var)?;
        let Some(actual) = actual else {
            return self.storage(size_bytes, align_bytes, name.span);
        };
        if let Some((symbol, actual_bytes)) = self.storage_named(actual) {
            if actual_bytes != size_bytes {
                return Err(Problem::new(
                    actual.span,
                    format!("{actual_bytes} bytes passed as `{}`", name.text),
                    format!("the function takes {size_bytes}"),
                ));
            }
            return Ok(symbol);
        }
        if !formal.var.dims.is_empty() || formal.var.ty.vec != 1 {
            return Err(Problem::new(
                actual.span,
                format!("parameter `{}` is an array", name.text),
                "expected a `.param` variable",
            ));
        }
        let value = self.src(actual, ty)?;
        let symbol = self.storage(size_bytes, align_bytes, name.span)?;
        self.build
            .push(Op::St(whole(ty)), &[], &[address_of(symbol), value]);
        Ok(symbol)
    }

    fn copy_result(
        &mut self,
        formal: &'p Formal<'s>,
        actual: &Written<'s>,
        symbol: Symbol,
    ) -> Res<()> {
        let ty = formal.var.ty.ty;
        let dst = self.dst(actual, ty)?;
        match symbol {
            Symbol::Register {
                place: Some(Place::General(reg)),
                ..
            } => {
                self.build.push(Op::Mov(ty), &[dst], &[Operand::Reg(reg)]);
            }
            Symbol::Register {
                place: Some(Place::Predicate(pred)),
                ..
            } => {
                let value = Operand::Pred {
                    pred,
                    negated: false,
                };
                self.build.push(Op::Mov(ty), &[dst], &[value]);
            }
            symbol if formal.var.dims.is_empty() && formal.var.ty.vec == 1 => {
                self.build
                    .push(Op::Ld(whole(ty)), &[dst], &[address_of(symbol)]);
            }
            _ => {
                return Err(Problem::new(
                    actual.span,
                    format!("result `{}` is an array", formal.var.name.text),
                    "expected a `.param` variable",
                ));
            }
        }
        Ok(())
    }
}

pub(super) fn destination(place: Place) -> Dst {
    match place {
        Place::General(reg) => Dst::Reg(reg),
        Place::Predicate(pred) => Dst::Pred(pred),
    }
}

pub(super) fn whole(ty: Ty) -> Mem {
    Mem {
        space: Space::Local,
        ty,
        vec: 1,
        offset: 0,
        strong: false,
    }
}

pub(super) fn address_of(symbol: Symbol) -> Operand {
    match symbol {
        Symbol::Variable { address, .. } => Operand::Imm(address),
        Symbol::Register { .. } => Operand::Imm(0),
    }
}

fn check_count(name: Name<'_>, what: &str, found: usize, expected: usize) -> Res<()> {
    if found == expected {
        return Ok(());
    }
    Err(Problem::new(
        name.span,
        format!("`{}` is called with {found} {what}", name.text),
        format!("it has {expected}"),
    ))
}

/// Says that a call cannot be inlined.
fn refused(name: Name<'_>, what: &str) -> Box<Problem> {
    Problem::new(
        name.span,
        format!("{what}, `{}`", name.text),
        "this cannot be inlined",
    )
    .help("choose a scheme that keeps calls: --scheme abi-spill")
}
