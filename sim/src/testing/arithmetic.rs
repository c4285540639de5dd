//! Random arithmetic, comparisons and memory accesses.

use super::SLOT_BYTES;
use super::emit::{inst, mem};
use super::statements::{Generator, LOCAL_BYTES, if_true, reg};
use crate::kernel::op::{Cmp, Fp, Part, Round, Space, Ty};
use crate::kernel::{Dst, Guard, Inst, Op, Operand, Pred, Reg, Width};

const EXACT: Fp = Fp {
    round: Round::Nearest,
    ftz: false,
    sat: false,
};

impl Generator<'_> {
    pub(super) fn memory(&mut self) {
        let words = SLOT_BYTES as usize / 4;
        let (space, base, words) = if self.below(3) == 0 {
            (Space::Local, Operand::Imm(0), LOCAL_BYTES as usize / 4)
        } else {
            (Space::Global, reg(self.slot), words)
        };
        let widest = if self.vars_32.len() < 4 { 1 } else { 4 };
        let vec = [1, 1, 2, 4][self.below(4)].min(widest);
        let offset = 4 * vec * self.below(words / vec);
        let access = mem(space, Ty::U32, vec as u8, offset as i64);
        let first = self.below(self.vars_32.len());
        let n = self.vars_32.len();
        let values: Vec<Reg> = (0..vec).map(|i| self.vars_32[(first + i) % n]).collect();
        let mut new = if self.below(2) == 0 {
            let dsts: Vec<Dst> = values.iter().map(|&r| Dst::Reg(r)).collect();
            inst(Op::Ld(access), &dsts, &[base])
        } else {
            let mut srcs = vec![base];
            srcs.extend(values.iter().map(|&r| reg(r)));
            inst(Op::St(access), &[], &srcs)
        };
        new.guard = self.guard();
        self.builder.push(new);
    }

    fn guard(&mut self) -> Option<Guard> {
        (self.options.guards && self.below(4) == 0).then(|| Guard {
            pred: self.pred(),
            negated: self.below(2) == 0,
        })
    }

    pub(super) fn compare_into(&mut self, p: Pred) {
        let cmps = [Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge];
        let setp = Op::Setp {
            cmp: cmps[self.below(6)],
            ty: if self.below(2) == 0 { Ty::U32 } else { Ty::S32 },
            ftz: false,
            combine: None,
        };
        // Low bits only, so that both outcomes happen.
        let low = self.builder.reg(Width::W32);
        let value = reg(self.var());
        let mask = Operand::Imm(7);
        self.builder
            .emit(Op::And(Ty::B32), &[Dst::Reg(low)], &[value, mask]);
        let bound = Operand::Imm(self.below(8) as u64);
        let mut new = inst(setp, &[Dst::Pred(p)], &[reg(low), bound]);
        if self.builder.current().0 > 0 {
            new.guard = self.guard();
        }
        self.builder.push(new);
    }
    pub(super) fn arithmetic(&mut self) {
        let new = match (self.below(16), self.var_64()) {
            (0..=4, Some(wide)) => self.arithmetic_64(wide),
            _ => self.arithmetic_32(),
        };
        self.builder.push(new);
    }

    fn arithmetic_32(&mut self) -> Inst {
        let d = Dst::Reg(self.var());
        let (a, b, c) = (reg(self.var()), self.source(), self.source());
        let add = |sat| Op::Add { ty: Ty::S32, sat };
        let sub = Op::Sub {
            ty: Ty::U32,
            sat: false,
        };
        let mul = Op::Mul {
            ty: Ty::U32,
            part: Part::Lo,
        };
        let mad = Op::Mad {
            ty: Ty::S32,
            part: Part::Lo,
            sat: false,
        };
        let p = self.pred();
        let mut new = match self.below(14) {
            0 => inst(add(false), &[d], &[a, b]),
            1 => inst(add(true), &[d], &[a, b]),
            2 => inst(sub, &[d], &[a, b]),
            3 => inst(mul, &[d], &[a, b]),
            4 => inst(mad, &[d], &[a, b, c]),
            5 => inst(Op::And(Ty::B32), &[d], &[a, b]),
            6 => inst(Op::Xor(Ty::B32), &[d], &[a, b]),
            7 => inst(Op::Min(Ty::S32), &[d], &[a, b]),
            8 => inst(Op::Shr(Ty::U32), &[d], &[a, Operand::Imm(3)]),
            9 => inst(Op::Selp(Ty::B32), &[d], &[a, b, if_true(p)]),
            10 => inst(Op::Mov(Ty::B32), &[d], &[a]),
            11 => inst(Op::FAdd(Ty::F32, EXACT), &[d], &[a, a]),
            12 => inst(Op::AddCarry(Ty::U32), &[d, Dst::Pred(p)], &[a, b]),
            _ => {
                let q = self.pred();
                inst(
                    Op::AddCarry(Ty::U32),
                    &[d, Dst::Pred(p)],
                    &[a, b, if_true(q)],
                )
            }
        };
        new.guard = self.guard();
        new
    }

    fn arithmetic_64(&mut self, wide: Reg) -> Inst {
        let d = Dst::Reg(wide);
        let a = self.var_64().map_or(Operand::Imm(5), reg);
        let b = reg(self.var());
        let c = reg(self.var());
        let mut new = match self.below(7) {
            0 => inst(
                Op::Add {
                    ty: Ty::U64,
                    sat: false,
                },
                &[d],
                &[a, reg(wide)],
            ),
            1 => inst(Op::Xor(Ty::B64), &[d], &[a, Operand::Imm(0x55)]),
            2 => inst(
                Op::Mul {
                    ty: Ty::U32,
                    part: Part::Wide,
                },
                &[d],
                &[b, c],
            ),
            3 => inst(Op::Pack(Ty::B64), &[d], &[b, c]),
            4 => {
                let (low, high) = (self.below(self.vars_32.len()), self.vars_32.len());
                let low_reg = self.vars_32[low];
                let high_reg = self.vars_32[(low + 1) % high];
                if low_reg == high_reg {
                    inst(Op::Mov(Ty::B64), &[d], &[a])
                } else {
                    let dsts = [Dst::Reg(low_reg), Dst::Reg(high_reg)];
                    inst(Op::Unpack(Ty::B64), &dsts, &[reg(wide)])
                }
            }
            5 => inst(Op::Mov(Ty::B64), &[d], &[a]),
            _ => inst(
                Op::Mad {
                    ty: Ty::U32,
                    part: Part::Wide,
                    sat: false,
                },
                &[d],
                &[b, c, reg(wide)],
            ),
        };
        new.guard = self.guard();
        new
    }
}
