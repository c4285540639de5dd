//! Functions that stay functions: each is lowered by itself, with arguments and results as operands of its calls.

use super::call::{address_of, whole};
use super::globals::size_and_align;
use super::scope::{Place, Symbol};
use super::types::{bytes, width};
use super::{Lower, Program, Reached};
use crate::kernel::op::{BlockId, Op, Ty};
use crate::kernel::program::{
    ARGUMENT_WORDS, MAX_ARGUMENTS, Program as CallProgram, RESULTS_IN_REGISTERS, Unit,
};
use crate::kernel::ptx::ast::{Formal, Function, Operand as Written, Span, Stmt};
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::ptx::{params, tidy};
use crate::kernel::{Dst, Kernel, Operand, Reg, Width};

/// Most functions of a program.
const MAX_FUNCTIONS: usize = 1_000;

/// The kernel with that index and all functions that it calls; `None` if it calls none.
pub fn program(
    program: &Program<'_, '_>,
    entry: usize,
    room: &mut usize,
) -> Option<Result<CallProgram, Vec<Problem>>> {
    let body = program.file.functions[entry].body.as_ref()?;
    let calls = |stmt: &Stmt<'_>| matches!(stmt, Stmt::Inst(inst) if inst.opcode.text == "call");
    body.iter().any(calls).then(|| {
        let mut numbers = vec![entry];
        let mut units = Vec::new();
        while let Some(&index) = numbers.get(units.len()) {
            let mut lower = Lower::new(program, index, *room);
            lower.numbers = Some(numbers);
            let unit = lower.unit(entry).map_err(|problem| {
                lower.record(*problem);
                std::mem::take(&mut lower.problems)
            });
            *room = room.saturating_sub(lower.build.inst_count());
            numbers = lower.numbers.take().unwrap_or_default();
            units.push(unit?);
        }
        Ok(CallProgram { units })
    })
}

/// Says that something is not supported where calls stay calls.
pub fn unsupported(at: Span, what: &str) -> Box<Problem> {
    Problem::new(
        at,
        format!("{what} is not supported"),
        "calls can be inlined: choose a scheme that inlines",
    )
}

/// A piece of a `.param` variable that one register holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    offset: u64,
    ty: Ty,
}

/// The pieces of a parameter or result: one for a number, words for an array.
pub fn pieces(formal: &Formal<'_>) -> Res<Vec<Piece>> {
    let ty = formal.var.ty.ty;
    if formal.var.dims.is_empty() && formal.var.ty.vec == 1 {
        return Ok(vec![Piece { offset: 0, ty }]);
    }
    let (size, align) = size_and_align(&formal.var)?;
    let mut found = Vec::new();
    let mut offset = 0;
    while offset < size && found.len() <= MAX_ARGUMENTS {
        let fits = |ty: &Ty| {
            let bytes = bytes(*ty);
            offset + bytes <= size && offset % bytes == 0 && u64::from(align) >= bytes
        };
        let ty = [Ty::B64, Ty::B32, Ty::B16].into_iter().find(fits);
        let ty = ty.unwrap_or(Ty::B8);
        found.push(Piece { offset, ty });
        offset += bytes(ty);
    }
    Ok(found)
}

/// Where the pieces of the arguments go, or of the results: the first so many into registers, the others into words of local memory, of which all
/// together take so many bytes.
struct Passed {
    in_registers: usize,
    /// Of each of the others its first word, a pair's even.
    words: Vec<u16>,
    bytes: u64,
}

impl Passed {
    fn arguments(pieces: &[Piece]) -> Passed {
        Passed::new(pieces, MAX_ARGUMENTS)
    }

    fn results(pieces: &[Piece]) -> Passed {
        Passed::new(pieces, RESULTS_IN_REGISTERS)
    }

    fn new(pieces: &[Piece], most_in_registers: usize) -> Passed {
        let mut used = 0;
        let fits = |piece: &&Piece| {
            used += usize::from(width(piece.ty).regs());
            used <= ARGUMENT_WORDS
        };
        let first = pieces.iter().take(most_in_registers);
        let in_registers = first.take_while(fits).count();
        let mut next = 0_u16;
        let word = |piece: &Piece| {
            let regs = width(piece.ty).regs();
            let word = next.next_multiple_of(regs);
            next = word + regs;
            word
        };
        let words: Vec<u16> = pieces[in_registers..].iter().map(word).collect();
        Passed {
            in_registers,
            words,
            bytes: u64::from(next.next_multiple_of(STACK_WORDS) * 4),
        }
    }
}

/// Words to which the arguments in local memory are rounded, so that what lies behind them is aligned.
const STACK_WORDS: u16 = 4;

fn widths(pieces: &[Piece]) -> Vec<Width> {
    pieces.iter().map(|piece| width(piece.ty)).collect()
}

/// All pieces of the parameters, or of the results, in order.
fn all_pieces(formals: &[Formal<'_>], what: &str, at: Span) -> Res<Vec<Vec<Piece>>> {
    let all = formals.iter().map(pieces).collect::<Res<Vec<_>>>()?;
    let predicate = formals.iter().any(|f| f.var.ty.ty == Ty::Pred);
    if all.iter().map(Vec::len).sum::<usize>() > MAX_ARGUMENTS {
        return Err(unsupported(
            at,
            &format!(
                "more than {} bytes of {what}, or {MAX_ARGUMENTS} numbers,",
                4 * MAX_ARGUMENTS
            ),
        ));
    }
    if predicate {
        return Err(unsupported(at, "a predicate as argument or result"));
    }
    Ok(all)
}

impl<'p, 's> Lower<'p, 's> {
    /// Whether this is a function whose calls stay calls.
    pub(super) fn is_function(&self) -> bool {
        self.numbers.is_some() && !self.frame.is_entry
    }

    fn unit(&mut self, entry: usize) -> Res<Unit> {
        let index = self.frame.index;
        let function: &'p Function<'s> = &self.program.file.functions[index];
        let (mut arguments, mut results) = (Vec::new(), Vec::new());
        let code = if index == entry {
            self.assemble(function)?
        } else {
            self.reached = Reached::from(self.program, entry)?;
            (arguments, results) = self.function(function)?;
            self.build.finish();
            params::promote(&mut self.build, &mut self.storages, &mut self.local_bytes);
            if let Some(limit) = self.build.exceeded() {
                let what = format!("function `{}` is too large", function.name.text);
                return Err(Problem::new(function.name.span, what, limit));
            }
            super::check_local_bytes(function.name.span, self.local_bytes)?;
            let mut code = Kernel {
                name: function.name.text.to_owned(),
                params: Vec::new(),
                globals: Vec::new(),
                shared_bytes: 0,
                local_bytes: self.local_bytes as u32,
                regs: self.build.space(),
                blocks: self.build.take_blocks(),
                rounds: Vec::new(),
            };
            tidy::tidy(&mut code);
            code
        };
        if let Some(last) = self.problems.pop() {
            return Err(Box::new(last));
        }
        Ok(Unit {
            code,
            arguments,
            results,
            indirect: std::mem::take(&mut self.indirect),
        })
    }

    /// The body of a function between its arguments and its one return, where all its lanes meet.
    fn function(&mut self, function: &'p Function<'s>) -> Res<(Vec<Width>, Vec<Width>)> {
        let at = function.name.span;
        let params = all_pieces(&function.params, "arguments", at)?;
        let results = all_pieces(&function.results, "results", at)?;
        self.frame.is_entry = false;
        let after = self.build.label();
        self.frame.after = Some(after);
        self.frame.scopes.open();
        self.build.line = self.program.line(at);
        let mut word = 0;
        let mut arrived = Vec::new();
        let flat = params.concat();
        let passed = Passed::arguments(&flat);
        let flat_results = results.concat();
        let back = Passed::results(&flat_results);
        let (in_registers, on_stack) = flat.split_at(passed.in_registers);
        for piece in in_registers {
            let reg = self.build.reg(width(piece.ty));
            self.build.push(Op::Argument(word), &[Dst::Reg(reg)], &[]);
            word += reg.width.regs() as u8;
            arrived.push(reg);
        }
        self.local_bytes = passed.bytes + back.bytes;
        for (piece, word) in on_stack.iter().zip(&passed.words) {
            let reg = self.build.reg(width(piece.ty));
            let address = Operand::Imm(u64::from(*word) * 4);
            self.build
                .push(Op::Ld(whole(piece.ty)), &[Dst::Reg(reg)], &[address]);
            arrived.push(reg);
        }
        let mut arrived = arrived.into_iter();
        for (formal, pieces) in function.params.iter().zip(&params) {
            let symbol = self.bind(formal, None)?;
            for piece in pieces {
                let Some(reg) = arrived.next() else { continue };
                self.set_piece(symbol, *piece, reg);
            }
            self.frame.scopes.declare(formal.var.name, symbol)?;
        }
        let mut given = Vec::new();
        for formal in &function.results {
            let symbol = self.bind(formal, None)?;
            self.frame.scopes.declare(formal.var.name, symbol)?;
            given.push(symbol);
        }
        self.body(function)?;
        self.build.unguarded();
        self.build.place(after, "return");
        let mut values = Vec::new();
        for (symbol, pieces) in given.into_iter().zip(&results) {
            for piece in pieces {
                values.push(Operand::Reg(self.piece(symbol, *piece)));
            }
        }
        let (flat_results, behind) = flat_results.split_at(back.in_registers);
        let on_stack = values.split_off(back.in_registers);
        for ((value, piece), word) in on_stack.into_iter().zip(behind).zip(&back.words) {
            let address = Operand::Imm(passed.bytes + u64::from(*word) * 4);
            self.build
                .push(Op::St(whole(piece.ty)), &[], &[address, value]);
        }
        self.build.push(Op::Ret, &[], &values);
        Ok((widths(in_registers), widths(flat_results)))
    }

    /// Puts a register into a piece of what a symbol stands for.
    fn set_piece(&mut self, symbol: Symbol, piece: Piece, reg: Reg) {
        match symbol {
            Symbol::Register {
                place: Some(Place::General(to)),
                ty,
            } => self
                .build
                .push(Op::Mov(ty), &[Dst::Reg(to)], &[Operand::Reg(reg)]),
            _ => {
                let address = at_piece(symbol, piece);
                self.build
                    .push(Op::St(whole(piece.ty)), &[], &[address, Operand::Reg(reg)]);
            }
        }
    }

    /// A register with a piece of what a symbol stands for.
    fn piece(&mut self, symbol: Symbol, piece: Piece) -> Reg {
        if let Symbol::Register {
            place: Some(Place::General(reg)),
            ..
        } = symbol
        {
            return reg;
        }
        let reg = self.build.reg(width(piece.ty));
        self.build.push(
            Op::Ld(whole(piece.ty)),
            &[Dst::Reg(reg)],
            &[at_piece(symbol, piece)],
        );
        reg
    }

    pub(super) fn keep_call(
        &mut self,
        function: &'p Function<'s>,
        index: usize,
        results: &[Written<'s>],
        args: &[Written<'s>],
    ) -> Res<()> {
        let at = function.name.span;
        let param_pieces = all_pieces(&function.params, "arguments", at)?;
        let result_pieces = all_pieces(&function.results, "results", at)?;
        let mut values = Vec::new();
        for ((formal, actual), pieces) in function.params.iter().zip(args).zip(&param_pieces) {
            let ty = formal.var.ty.ty;
            let symbol = if formal.in_register || self.storage_named(actual).is_none() {
                let reg = self.build.reg(width(ty));
                let value = self.src(actual, ty)?;
                self.build.push(Op::Mov(ty), &[Dst::Reg(reg)], &[value]);
                Symbol::Register {
                    ty,
                    place: Some(Place::General(reg)),
                }
            } else {
                self.bind(formal, Some(actual))?
            };
            for piece in pieces {
                values.push(Operand::Reg(self.piece(symbol, *piece)));
            }
        }
        let number = self.number(index, at)?;
        let back: Vec<Reg> = result_pieces
            .iter()
            .flatten()
            .map(|piece| self.build.reg(width(piece.ty)))
            .collect();
        let passed = Passed::arguments(&param_pieces.concat());
        let flat_results = result_pieces.concat();
        let returned = Passed::results(&flat_results);
        let on_stack = values.split_off(passed.in_registers);
        let types = param_pieces.iter().flatten().skip(passed.in_registers);
        for ((value, word), piece) in on_stack.into_iter().zip(passed.words).zip(types) {
            self.build
                .push(Op::PassOnStack(word, piece.ty), &[], &[value]);
        }
        let (in_registers, behind) = back.split_at(returned.in_registers);
        let dsts: Vec<Dst> = in_registers.iter().map(|&reg| Dst::Reg(reg)).collect();
        self.build.push(Op::Call(BlockId(number)), &dsts, &values);
        let types = flat_results[returned.in_registers..].iter();
        for ((&reg, piece), word) in behind.iter().zip(types).zip(&returned.words) {
            // They lie behind the arguments.
            let word = word + (passed.bytes / 4) as u16;
            self.build
                .push(Op::TakeFromStack(word, piece.ty), &[Dst::Reg(reg)], &[]);
        }
        let mut back = back.into_iter();
        for ((formal, actual), pieces) in function.results.iter().zip(results).zip(&result_pieces) {
            let ty = formal.var.ty.ty;
            let storage = self.storage_named(actual);
            if let Some((_, found)) = storage {
                check_size(formal, actual, found)?;
            }
            for piece in pieces {
                let Some(reg) = back.next() else { continue };
                match storage {
                    Some((symbol, _)) => self.set_piece(symbol, *piece, reg),
                    None => {
                        let dst = self.dst(actual, ty)?;
                        self.build.push(Op::Mov(ty), &[dst], &[Operand::Reg(reg)]);
                    }
                }
            }
        }
        Ok(())
    }

    /// The number of a function, which it gets when it is first called.
    fn number(&mut self, index: usize, at: Span) -> Res<u32> {
        let numbers = self.numbers.get_or_insert_default();
        let known = numbers.iter().position(|&known| known == index);
        let number = known.unwrap_or_else(|| {
            numbers.push(index);
            numbers.len() - 1
        });
        if number > MAX_FUNCTIONS {
            return Err(unsupported(
                at,
                &format!("a program of more than {MAX_FUNCTIONS} functions"),
            ));
        }
        Ok(number as u32)
    }
}

/// Whether a result has room in the variable of `found` bytes that the call names for it.
fn check_size(formal: &Formal<'_>, actual: &Written<'_>, found: u64) -> Res<()> {
    let (wanted, _) = size_and_align(&formal.var)?;
    if found == wanted {
        return Ok(());
    }
    Err(Problem::new(
        actual.span,
        format!("{found} bytes for result `{}`", formal.var.name.text),
        format!("the function gives {wanted}"),
    ))
}

/// The address of a piece of a storage.
fn at_piece(symbol: Symbol, piece: Piece) -> Operand {
    match address_of(symbol) {
        Operand::Imm(address) => Operand::Imm(address + piece.offset),
        other => other,
    }
}
