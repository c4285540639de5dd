//! One instruction: its guard, then the handler of its opcode.

use super::Lower;
use super::modifiers::Modifiers;
use crate::kernel::Guard;
use crate::kernel::ptx::ast::{Inst, OperandKind};
use crate::kernel::ptx::error::{Problem, Res};

/// Opcodes of PTX that are known and refused.
const REFUSED: [&str; 62] = [
    "tex",
    "tld4",
    "txq",
    "suld",
    "sust",
    "sured",
    "suq",
    "istypep",
    "wmma",
    "mma",
    "ldmatrix",
    "stmatrix",
    "movmatrix",
    "wgmma",
    "redux",
    "match",
    "elect",
    "cp",
    "mbarrier",
    "createpolicy",
    "multimem",
    "tcgen05",
    "mapa",
    "getctarank",
    "setmaxnreg",
    "griddepcontrol",
    "clusterlaunchcontrol",
    "alloca",
    "stacksave",
    "stackrestore",
    "discard",
    "applypriority",
    "st.async",
    "red.async",
    "vadd",
    "vsub",
    "vabsdiff",
    "vmin",
    "vmax",
    "vshl",
    "vshr",
    "vmad",
    "vset",
    "vadd2",
    "vadd4",
    "vsub2",
    "vavrg2",
    "vabsdiff2",
    "vmin2",
    "vmax2",
    "vset2",
    "vsub4",
    "vavrg4",
    "vabsdiff4",
    "vmin4",
    "vmax4",
    "vset4",
    "fns",
    "szext",
    "bmsk",
    "pmevent",
    "brkpt",
];

impl<'p, 's> Lower<'p, 's> {
    pub(super) fn instruction(&mut self, inst: &'p Inst<'s>) -> Res<()> {
        let guard = match inst.guard {
            Some((negated, name)) => Some(Guard {
                pred: self.predicate(name)?,
                negated,
            }),
            None => None,
        };
        self.build.guarded(guard);
        let done = self.operation(inst);
        self.build.unguarded();
        done
    }

    fn operation(&mut self, inst: &'p Inst<'s>) -> Res<()> {
        let m = &mut Modifiers::of(inst);
        match inst.opcode.text {
            "mov" => self.mov(inst, m),
            "cvta" => self.cvta(inst, m),
            "isspacep" => self.isspacep(inst, m),
            "cvt" => self.cvt(inst, m),
            "selp" => self.selp(inst, m),
            "slct" => self.slct(inst, m),

            "add" => self.add_or_sub(inst, m, true),
            "sub" => self.add_or_sub(inst, m, false),
            "addc" => self.with_carry(inst, m, true),
            "subc" => self.with_carry(inst, m, false),
            "mul" => self.mul(inst, m),
            "mad" => self.mad(inst, m),
            "madc" => self.madc(inst, m),
            "mul24" | "mad24" => self.mul24(inst, m),
            "div" => self.div(inst, m),
            "rem" | "sad" => self.rem_or_sad(inst, m),
            "abs" | "neg" => self.abs_or_neg(inst, m),
            "min" | "max" => self.min_or_max(inst, m),
            "popc" | "clz" | "brev" | "bfind" => self.bit_count(inst, m),
            "bfe" | "bfi" => self.bit_field(inst, m),
            "prmt" => self.prmt(inst, m),
            "dp4a" | "dp2a" => self.dot_product(inst, m),

            "and" | "or" | "xor" | "not" | "cnot" => self.logic(inst, m),
            "shl" | "shr" => self.shift(inst, m),
            "shf" => self.funnel_shift(inst, m),
            "lop3" => self.lop3(inst, m),

            "fma" => self.fma(inst, m),
            "rcp" | "sqrt" => self.rcp_or_sqrt(inst, m),
            "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" => self.approximation(inst, m),
            "copysign" => self.copysign(inst, m),
            "testp" => self.testp(inst, m),
            "setp" => self.setp(inst, m),
            "set" => self.set(inst, m),

            "ld" | "ldu" => self.ld(inst, m),
            "st" => self.st(inst, m),
            "atom" => self.atom(inst, m, true),
            "red" => self.atom(inst, m, false),
            "membar" | "fence" => self.fence(inst, m),
            "prefetch" | "prefetchu" | "nanosleep" => {
                self.note(
                    inst.span,
                    format!("`{}` changes only timing; it is left out", inst.opcode.text),
                );
                Ok(())
            }

            "shfl" => self.shfl(inst, m),
            "vote" => self.vote(inst, m),
            "activemask" => self.activemask(inst, m),
            "bar" | "barrier" => self.bar(inst, m),

            "bra" => self.bra(inst, m),
            "brx" => self.brx(inst, m),
            "ret" | "exit" | "trap" => self.leave(inst, m),
            "call" => self.call(inst, m),
            opcode => Err(unknown(inst, opcode)),
        }
    }
}

fn unknown(inst: &Inst<'_>, opcode: &str) -> Box<Problem> {
    if REFUSED.contains(&opcode) {
        let problem = Problem::new(
            inst.opcode.span,
            format!("instruction `{opcode}` is not supported"),
            "this instruction",
        );
        let texture = inst
            .operands
            .iter()
            .any(|operand| matches!(operand.kind, OperandKind::Coordinates));
        return match opcode {
            "tex" | "tld4" | "txq" | "suld" | "sust" | "sured" | "suq" => problem.help(
                "textures and surfaces are not modelled; read the data with `ld.global` instead",
            ),
            _ if texture => problem,
            _ => problem.help("use another kernel of this file, or rewrite the kernel without it"),
        };
    }
    Problem::new(
        inst.opcode.span,
        format!("unknown instruction `{opcode}`"),
        "not an instruction of the PTX ISA that this reader knows",
    )
    .help("check the spelling; if a newer PTX ISA has it, compile for an older target or rewrite the kernel without it")
}
