//! Every operation there is.

use crate::kernel::exec::signature;
use crate::kernel::op::*;

const TYPES: [Ty; 19] = [
    Ty::B8,
    Ty::B16,
    Ty::B32,
    Ty::B64,
    Ty::U8,
    Ty::U16,
    Ty::U32,
    Ty::U64,
    Ty::S8,
    Ty::S16,
    Ty::S32,
    Ty::S64,
    Ty::F16,
    Ty::F16x2,
    Ty::Bf16,
    Ty::Bf16x2,
    Ty::F32,
    Ty::F64,
    Ty::Pred,
];
const BOTH: [bool; 2] = [false, true];
const ROUNDS: [Round; 4] = [Round::Nearest, Round::Zero, Round::Down, Round::Up];
const PARTS: [Part; 3] = [Part::Lo, Part::Hi, Part::Wide];
const SPACES: [Space; 6] = [
    Space::Generic,
    Space::Global,
    Space::Shared,
    Space::Local,
    Space::Param,
    Space::Const,
];
const COMPARISONS: [Cmp; 14] = [
    Cmp::Eq,
    Cmp::Ne,
    Cmp::Lt,
    Cmp::Le,
    Cmp::Gt,
    Cmp::Ge,
    Cmp::Equ,
    Cmp::Neu,
    Cmp::Ltu,
    Cmp::Leu,
    Cmp::Gtu,
    Cmp::Geu,
    Cmp::Num,
    Cmp::Nan,
];
const COMBINES: [Option<BoolOp>; 4] =
    [None, Some(BoolOp::And), Some(BoolOp::Or), Some(BoolOp::Xor)];
const ATOMICS: [AtomOp; 10] = [
    AtomOp::Add,
    AtomOp::Min,
    AtomOp::Max,
    AtomOp::And,
    AtomOp::Or,
    AtomOp::Xor,
    AtomOp::Exch,
    AtomOp::Cas,
    AtomOp::Inc,
    AtomOp::Dec,
];
const PRMT_MODES: [PrmtMode; 7] = [
    PrmtMode::Index,
    PrmtMode::F4e,
    PrmtMode::B4e,
    PrmtMode::Rc8,
    PrmtMode::Ecl,
    PrmtMode::Ecr,
    PrmtMode::Rc16,
];
const PROPERTIES: [TestProp; 6] = [
    TestProp::Finite,
    TestProp::Infinite,
    TestProp::Number,
    TestProp::NotANumber,
    TestProp::Normal,
    TestProp::Subnormal,
];
const BARRIERS: [BarKind; 5] = [
    BarKind::Sync,
    BarKind::Arrive,
    BarKind::RedPopc,
    BarKind::RedAnd,
    BarKind::RedOr,
];
fn precisions() -> Vec<Precision> {
    let ieee = ROUNDS.into_iter().map(Precision::Ieee);
    [Precision::Approx, Precision::Full]
        .into_iter()
        .chain(ieee)
        .collect()
}

fn float_modifiers() -> Vec<Fp> {
    let mut all = Vec::new();
    for round in ROUNDS {
        for ftz in BOTH {
            for sat in BOTH {
                all.push(Fp { round, ftz, sat });
            }
        }
    }
    all
}

/// Operations with one type.
fn of_type(ty: Ty, all: &mut Vec<Op>) {
    all.extend([
        Op::Mov(ty),
        Op::Pack(ty),
        Op::Unpack(ty),
        Op::Selp(ty),
        Op::AddCarry(ty),
        Op::SubCarry(ty),
        Op::Div(ty),
        Op::Rem(ty),
        Op::Abs(ty),
        Op::Neg(ty),
        Op::Min(ty),
        Op::Max(ty),
        Op::Sad(ty),
        Op::Popc(ty),
        Op::Clz(ty),
        Op::Brev(ty),
        Op::Bfe(ty),
        Op::Bfi(ty),
        Op::And(ty),
        Op::Or(ty),
        Op::Xor(ty),
        Op::Not(ty),
        Op::Cnot(ty),
        Op::Shl(ty),
        Op::Shr(ty),
        Op::Tanh(ty),
        Op::Copysign(ty),
    ]);
    for part in PARTS {
        all.extend([Op::Mul { ty, part }, Op::MadCarry { ty, part }]);
        all.extend(BOTH.map(|sat| Op::Mad { ty, part, sat }));
    }
    for on in BOTH {
        all.extend([
            Op::Add { ty, sat: on },
            Op::Sub { ty, sat: on },
            Op::Mul24 { ty, hi: on },
            Op::Bfind { ty, shiftamt: on },
            Op::FAbs { ty, ftz: on },
            Op::FNeg { ty, ftz: on },
            Op::Rsqrt { ty, ftz: on },
            Op::Ex2 { ty, ftz: on },
        ]);
        all.extend(BOTH.map(|sat| Op::Mad24 { ty, hi: on, sat }));
        all.extend(BOTH.map(|nan| Op::FMin { ty, ftz: on, nan }));
        all.extend(BOTH.map(|nan| Op::FMax { ty, ftz: on, nan }));
        for precision in precisions() {
            let ftz = on;
            all.extend([
                Op::FDiv { ty, precision, ftz },
                Op::Rcp { ty, precision, ftz },
                Op::Sqrt { ty, precision, ftz },
            ]);
        }
    }
    for fp in float_modifiers() {
        all.extend([
            Op::FAdd(ty, fp),
            Op::FSub(ty, fp),
            Op::FMul(ty, fp),
            Op::Fma(ty, fp),
        ]);
    }
    all.extend(PROPERTIES.map(|property| Op::Testp(ty, property)));
    for cmp in COMPARISONS {
        for combine in COMBINES {
            for ftz in BOTH {
                all.push(Op::Setp {
                    cmp,
                    ty,
                    ftz,
                    combine,
                });
            }
        }
    }
}

fn of_two_types(ty: Ty, other: Ty, all: &mut Vec<Op>) {
    all.push(Op::Dp4a(ty, other));
    for on in BOTH {
        all.push(Op::Slct(ty, other, on));
        all.push(Op::Dp2a {
            a: ty,
            b: other,
            hi: on,
        });
        for sat in BOTH {
            for integral in BOTH {
                for round in ROUNDS.map(Some).into_iter().chain([None]) {
                    all.push(Op::Cvt {
                        to: ty,
                        from: other,
                        round,
                        integral,
                        ftz: on,
                        sat,
                    });
                }
            }
        }
    }
    for cmp in [Cmp::Lt, Cmp::Neu] {
        for combine in COMBINES {
            all.push(Op::Set {
                to: ty,
                cmp,
                ty: other,
                ftz: false,
                combine,
            });
        }
    }
}

fn memory(space: Space, ty: Ty, all: &mut Vec<Op>) {
    for vec in [1, 2, 4] {
        let mem = Mem {
            space,
            ty,
            vec,
            offset: 0,
            strong: false,
        };
        let strong = Mem {
            strong: true,
            ..mem
        };
        all.extend([Op::Ld(mem), Op::Ld(strong), Op::St(mem)]);
    }
    for op in ATOMICS {
        let offset = 0;
        all.push(Op::Atom {
            space,
            ty,
            op,
            offset,
        });
        all.push(Op::Red {
            space,
            ty,
            op,
            offset,
        });
    }
}

/// Every legal operation, with offset 0 and branch target 0.
pub(crate) fn all_ops() -> Vec<Op> {
    let mut all = vec![
        Op::Membar,
        Op::Activemask,
        Op::WarpSync,
        Op::Bra(BlockId(0)),
        Op::Exit,
        Op::Push,
        Op::Pop,
        Op::Trap,
        Op::Nop,
        Op::Acquire,
        Op::Release,
        Op::Pir,
        Op::Pbr,
    ];
    all.extend(Traced::examples().map(Op::Traced));
    for ty in TYPES {
        of_type(ty, &mut all);
        for other in TYPES {
            of_two_types(ty, other, &mut all);
        }
        for space in SPACES {
            memory(space, ty, &mut all);
        }
    }
    for space in SPACES {
        all.extend([
            Op::CvtaToGeneric(space),
            Op::CvtaFromGeneric(space),
            Op::Isspacep(space),
        ]);
    }
    for left in BOTH {
        all.extend(BOTH.map(|wrap| Op::Shf { left, wrap }));
    }
    for ftz in BOTH {
        all.extend([Op::Sin { ftz }, Op::Cos { ftz }, Op::Lg2 { ftz }]);
    }
    all.extend([0, 1, 0x0F, 0x96, 0xE8, 0xFF].map(Op::Lop3));
    all.extend(PRMT_MODES.map(Op::Prmt));
    all.extend(BARRIERS.map(Op::Bar));
    all.extend([ShflMode::Up, ShflMode::Down, ShflMode::Bfly, ShflMode::Idx].map(Op::Shfl));
    all.extend(
        [
            VoteMode::All,
            VoteMode::Any,
            VoteMode::Uni,
            VoteMode::Ballot,
        ]
        .map(Op::Vote),
    );
    all.retain(|op| signature(op).is_ok());
    all
}
