//! Random statements over a fixed set of variables.

use rand_chacha::ChaCha8Rng;
use rand_core::RngCore;

use super::emit::{Builder, inst, mem};
use super::{GenOptions, SLOT_BYTES};
use crate::kernel::op::{BarKind, Cmp, Part, ShflMode, Space, Ty};
use crate::kernel::{Dst, Guard, Kernel, Op, Operand, Pred, Reg, Special, Width};

pub(super) const LOCAL_BYTES: u32 = 32;

pub(super) struct Generator<'o> {
    pub(super) rng: ChaCha8Rng,
    pub(super) options: &'o GenOptions,
    pub(super) builder: Builder,
    pub(super) vars_32: Vec<Reg>,
    pub(super) vars_64: Vec<Reg>,
    preds: Vec<Pred>,
    pub(super) slot: Reg,
    pub(super) tid: Reg,
    may_exit: bool,
    /// Of a CTA.
    threads: u32,
}

pub fn kernel(mut rng: ChaCha8Rng, options: &GenOptions, seed: u64, threads: u32) -> Kernel {
    let mut builder = Builder::new();
    let may_exit = match options.barriers {
        true => seed / 5 % 3 == 1,
        false => rng.next_u32().is_multiple_of(2),
    };
    let slot = builder.reg(Width::W64);
    let tid = builder.reg(Width::W32);
    let mut generator = Generator {
        rng,
        options,
        vars_32: (0..options.vars_32.max(1))
            .map(|_| builder.reg(Width::W32))
            .collect(),
        vars_64: (0..options.vars_64)
            .map(|_| builder.reg(Width::W64))
            .collect(),
        preds: (0..options.vars_pred.max(1))
            .map(|_| builder.pred())
            .collect(),
        builder,
        slot,
        tid,
        may_exit,
        threads,
    };
    generator.prologue();
    for _ in 0..options.statements {
        generator.statement(0, true);
    }
    generator.epilogue();
    let shared_bytes = if options.barriers { 4 * threads } else { 0 };
    let local_bytes = if options.memory { LOCAL_BYTES } else { 0 };
    generator
        .builder
        .finish(format!("generated_{seed}"), shared_bytes, local_bytes)
}

pub(super) fn reg(r: Reg) -> Operand {
    Operand::Reg(r)
}

pub(super) fn if_true(pred: Pred) -> Operand {
    Operand::Pred {
        pred,
        negated: false,
    }
}

impl Generator<'_> {
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.rng.next_u32() as usize % n
    }

    pub(super) fn var(&mut self) -> Reg {
        let i = self.below(self.vars_32.len());
        self.vars_32[i]
    }

    pub(super) fn var_64(&mut self) -> Option<Reg> {
        let n = self.vars_64.len();
        (n > 0).then(|| self.below(n)).map(|i| self.vars_64[i])
    }

    pub(super) fn pred(&mut self) -> Pred {
        let i = self.below(self.preds.len());
        self.preds[i]
    }

    pub(super) fn source(&mut self) -> Operand {
        match self.below(6) {
            0 => Operand::Imm(u64::from(self.rng.next_u32() & 0xff)),
            1 => reg(self.tid),
            _ => reg(self.var()),
        }
    }

    fn prologue(&mut self) {
        let out = self.builder.reg(Width::W64);
        let scalar = self.builder.reg(Width::W32);
        let gid = self.builder.reg(Width::W32);
        let cta = self.builder.reg(Width::W32);
        let threads = self.builder.reg(Width::W32);
        let b = &mut self.builder;
        let load = |ty, offset| Op::Ld(mem(Space::Param, ty, 1, offset));
        b.emit(load(Ty::U64, 0), &[Dst::Reg(out)], &[Operand::Imm(0)]);
        b.emit(load(Ty::U32, 8), &[Dst::Reg(scalar)], &[Operand::Imm(0)]);
        for (r, special) in [
            (self.tid, Special::Tid(0)),
            (cta, Special::Ctaid(0)),
            (threads, Special::Ntid(0)),
        ] {
            let special = Operand::Special(special);
            b.emit(Op::Mov(Ty::U32), &[Dst::Reg(r)], &[special]);
        }
        let mad = |ty, part| Op::Mad {
            ty,
            part,
            sat: false,
        };
        let ids = [reg(cta), reg(threads), reg(self.tid)];
        b.emit(mad(Ty::U32, Part::Lo), &[Dst::Reg(gid)], &ids);
        let place = [reg(gid), Operand::Imm(SLOT_BYTES), reg(out)];
        b.emit(mad(Ty::U32, Part::Wide), &[Dst::Reg(self.slot)], &place);
        for (i, v) in self.vars_32.clone().into_iter().enumerate() {
            let factor = Operand::Imm(u64::from(self.rng.next_u32()));
            let start = [
                reg([scalar, gid, self.tid][i % 3]),
                factor,
                Operand::Imm(i as u64),
            ];
            self.builder
                .emit(mad(Ty::U32, Part::Lo), &[Dst::Reg(v)], &start);
        }
        for v in self.vars_64.clone() {
            let factor = Operand::Imm(u64::from(self.rng.next_u32()));
            let start = [reg(gid), factor, reg(out)];
            let op = mad(Ty::U32, Part::Wide);
            self.builder.emit(op, &[Dst::Reg(v)], &start);
            // The address of the buffer must not reach the results.
            let no_address = [reg(v), reg(out)];
            let op = Op::Sub {
                ty: Ty::U64,
                sat: false,
            };
            self.builder.emit(op, &[Dst::Reg(v)], &no_address);
        }
        for p in self.preds.clone() {
            self.compare_into(p);
        }
        // What a thread that ends leaves to the others.
        if self.options.barriers && self.may_exit {
            let own = self.builder.reg(Width::W32);
            let word = [reg(self.tid), Operand::Imm(2)];
            (self.builder).emit(Op::Shl(Ty::B32), &[Dst::Reg(own)], &word);
            let value = reg(self.tid);
            let op = Op::St(mem(Space::Shared, Ty::U32, 1, 0));
            self.builder.emit(op, &[], &[reg(own), value]);
        }
        if self.options.memory {
            for word in 0..i64::from(LOCAL_BYTES / 4) {
                let op = Op::St(mem(Space::Local, Ty::U32, 1, 4 * word));
                let value = reg(self.var());
                self.builder.emit(op, &[], &[Operand::Imm(0), value]);
            }
        }
    }

    /// Folds every variable into the results, so that a lost value shows.
    fn epilogue(&mut self) {
        let results = SLOT_BYTES as i64 / 16;
        let xor = |b: &mut Builder, ty, d: Reg, s: Reg| {
            b.emit(Op::Xor(ty), &[Dst::Reg(d)], &[reg(d), reg(s)]);
        };
        for (i, v) in self.vars_32.clone().into_iter().enumerate() {
            let i = i as i64;
            if i >= results {
                let first = self.vars_32[(i % results) as usize];
                let rotated = self.builder.reg(Width::W32);
                let rotate = Op::Shf {
                    left: true,
                    wrap: true,
                };
                let srcs = [reg(v), reg(v), Operand::Imm(1 + (i / results) as u64)];
                self.builder.emit(rotate, &[Dst::Reg(rotated)], &srcs);
                xor(&mut self.builder, Ty::B32, first, rotated);
            }
        }
        for i in 0..results.min(self.vars_32.len() as i64) {
            let v = self.vars_32[i as usize];
            let op = Op::St(mem(Space::Global, Ty::U32, 1, 4 * i));
            self.builder.emit(op, &[], &[reg(self.slot), reg(v)]);
        }
        let half = SLOT_BYTES as i64 / 2;
        for (i, v) in self.vars_64.clone().into_iter().enumerate() {
            let offset = half + 8 * (i as i64 % (half / 8));
            let op = Op::Atom {
                space: Space::Global,
                ty: Ty::U64,
                op: crate::kernel::op::AtomOp::Add,
                offset,
            };
            let old = self.builder.reg(Width::W64);
            self.builder
                .emit(op, &[Dst::Reg(old)], &[reg(self.slot), reg(v)]);
        }
        for (i, p) in self.preds.clone().into_iter().enumerate() {
            let bit = self.builder.reg(Width::W32);
            let srcs = [Operand::Imm(1 << i), Operand::Imm(0), if_true(p)];
            self.builder
                .emit(Op::Selp(Ty::U32), &[Dst::Reg(bit)], &srcs);
            let op = Op::Red {
                space: Space::Global,
                ty: Ty::U32,
                op: crate::kernel::op::AtomOp::Add,
                offset: 0,
            };
            self.builder.emit(op, &[], &[reg(self.slot), reg(bit)]);
        }
        self.builder.emit(Op::Exit, &[], &[]);
    }

    fn statement(&mut self, depth: u16, uniform: bool) {
        let nest = depth < self.options.max_depth;
        match self.below(16) {
            0 | 1 if nest => self.branch(depth),
            2 if nest => self.loop_(depth, uniform),
            3 if uniform && self.options.barriers => self.exchange(),
            4 if uniform && self.options.barriers && !self.may_exit => self.shuffle(),
            5 | 6 if self.options.memory => self.memory(),
            7 if self.may_exit => self.exit(),
            // More of both, or they seldom meet.
            10 if self.options.barriers && self.may_exit => self.exit(),
            11 | 12 if uniform && self.options.barriers && self.may_exit => self.exchange(),
            8 | 9 => {
                let p = self.pred();
                self.compare_into(p);
            }
            _ => {
                for _ in 0..1 + self.below(3) {
                    self.arithmetic();
                }
            }
        }
    }

    fn body(&mut self, depth: u16, uniform: bool) {
        for _ in 0..1 + self.below(3) {
            self.statement(depth + 1, uniform);
        }
    }

    fn branch(&mut self, depth: u16) {
        let pred = self.pred();
        let negated = self.below(2) == 0;
        let head = self.builder.current();
        self.builder.branch(Some(Guard { pred, negated }), head);
        self.builder.start_block();
        self.body(depth, false);
        if self.below(2) == 0 {
            let then_end = self.builder.current();
            self.builder.branch(None, then_end);
            let other = self.builder.start_block();
            self.builder.patch(head, other);
            self.body(depth, false);
            let join = self.builder.start_block();
            self.builder.patch(then_end, join);
        } else {
            let join = self.builder.start_block();
            self.builder.patch(head, join);
        }
    }

    /// A loop with a counter of its own; the trip count is the same for all lanes only where `uniform` asks for it.
    fn loop_(&mut self, depth: u16, uniform: bool) {
        let same = uniform && self.below(2) == 0;
        let counter = self.builder.reg(Width::W32);
        let trips = self.options.max_trips.max(1);
        let limit = if same {
            let value = 1 + self.below(trips as usize) as u64;
            self.builder.emit(
                Op::Mov(Ty::U32),
                &[Dst::Reg(counter)],
                &[Operand::Imm(value)],
            );
            true
        } else {
            let value = reg(self.var());
            self.builder.emit(
                Op::Rem(Ty::U32),
                &[Dst::Reg(counter)],
                &[value, Operand::Imm(u64::from(trips))],
            );
            false
        };
        let header = self.builder.start_block();
        self.body(depth, limit);
        let leave = (!same && self.below(2) == 0).then(|| {
            let guard = Guard {
                pred: self.pred(),
                negated: self.below(2) == 0,
            };
            let from = self.builder.current();
            self.builder.branch(Some(guard), from);
            self.builder.start_block();
            self.body(depth, false);
            from
        });
        let again = self.builder.pred();
        let minus_one = [reg(counter), Operand::Imm(u64::from(u32::MAX))];
        let add = Op::Add {
            ty: Ty::S32,
            sat: false,
        };
        self.builder.emit(add, &[Dst::Reg(counter)], &minus_one);
        let setp = Op::Setp {
            cmp: Cmp::Gt,
            ty: Ty::S32,
            ftz: false,
            combine: None,
        };
        self.builder
            .emit(setp, &[Dst::Pred(again)], &[reg(counter), Operand::Imm(0)]);
        let guard = Guard {
            pred: again,
            negated: false,
        };
        self.builder.branch(Some(guard), header);
        let behind = self.builder.start_block();
        if let Some(from) = leave {
            self.builder.patch(from, behind);
        }
    }

    fn exchange(&mut self) {
        let own = self.builder.reg(Width::W32);
        let other = self.builder.reg(Width::W32);
        let distance = Operand::Imm(1 + self.below(60) as u64);
        let (value, result, tid) = (reg(self.var()), self.var(), self.tid);
        let b = &mut self.builder;
        b.emit(
            Op::Shl(Ty::B32),
            &[Dst::Reg(own)],
            &[reg(tid), Operand::Imm(2)],
        );
        b.emit(
            Op::St(mem(Space::Shared, Ty::U32, 1, 0)),
            &[],
            &[reg(own), value],
        );
        b.emit(Op::Bar(BarKind::Sync), &[], &[Operand::Imm(0)]);
        let add = Op::Add {
            ty: Ty::U32,
            sat: false,
        };
        b.emit(add, &[Dst::Reg(other)], &[reg(tid), distance]);
        let threads = u64::from(self.threads);
        let (wrap, around) = match threads.is_power_of_two() {
            true => (Op::And(Ty::B32), threads - 1),
            false => (Op::Rem(Ty::U32), threads),
        };
        b.emit(
            wrap,
            &[Dst::Reg(other)],
            &[reg(other), Operand::Imm(around)],
        );
        b.emit(
            Op::Shl(Ty::B32),
            &[Dst::Reg(other)],
            &[reg(other), Operand::Imm(2)],
        );
        b.emit(
            Op::Ld(mem(Space::Shared, Ty::U32, 1, 0)),
            &[Dst::Reg(result)],
            &[reg(other)],
        );
        b.emit(Op::Bar(BarKind::Sync), &[], &[Operand::Imm(0)]);
    }

    fn shuffle(&mut self) {
        let (value, result) = (reg(self.var()), self.var());
        let lane_mask = Operand::Imm(1 << self.below(5));
        self.builder.emit(
            Op::Shfl(ShflMode::Bfly),
            &[Dst::Reg(result)],
            &[
                value,
                lane_mask,
                Operand::Imm(31),
                Operand::Imm(u64::from(u32::MAX)),
            ],
        );
    }

    fn exit(&mut self) {
        let p = self.builder.pred();
        let value = reg(self.var());
        let setp = Op::Setp {
            cmp: Cmp::Lt,
            ty: Ty::U32,
            ftz: false,
            combine: None,
        };
        let few = Operand::Imm(u64::from(u32::MAX / 8));
        self.builder.emit(setp, &[Dst::Pred(p)], &[value, few]);
        let mut exit = inst(Op::Exit, &[], &[]);
        exit.guard = Some(Guard {
            pred: p,
            negated: false,
        });
        self.builder.push(exit);
    }
}
