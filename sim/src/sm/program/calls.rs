//! What calls and register stacks add to a decoded kernel: requests of the stack, and the trap handler's instructions.

use super::MicroOp;
use crate::compiler::calls::pushes_at;
use crate::kernel::op::{Mem, Op, Space, Ty};
use crate::kernel::{Dst, Inst, Kernel, Line, Operand, Reg};
use crate::sm::scoreboard::RegMask;
use regshare_hw::manager::RegOp;

/// Where the instructions behind the kernel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackOps {
    /// The store of a pack.
    pub save: u32,
    /// The load of a pack.
    pub fill: u32,
    /// The return from a call whose lanes have all ended.
    pub unwind: u32,
}

/// The return that a warp issues for a call that has ended by `exit`, when others of its lanes go on.
pub fn unwinding() -> Inst {
    Inst {
        guard: None,
        op: Op::Ret,
        dsts: Default::default(),
        srcs: Default::default(),
        line: Line(0),
    }
}

/// The instructions of a trap handler: a store of a pack to local memory, and a load. Address and pack are given as they issue.
pub fn moves() -> [Inst; 2] {
    let word = Mem {
        space: Space::Local,
        ty: Ty::B32,
        vec: 1,
        offset: 0,
        strong: false,
    };
    let register = |index| Operand::Reg(Reg::r32(index));
    let inst = |op, result: Option<u16>, srcs: &[Operand]| Inst {
        guard: None,
        op,
        dsts: (result.into_iter())
            .map(|index| Dst::Reg(Reg::r32(index)))
            .collect(),
        srcs: srcs.iter().copied().collect(),
        line: Line(0),
    };
    [
        inst(Op::St(word), None, &[Operand::Imm(0), register(0)]),
        inst(Op::Ld(word), Some(0), &[Operand::Imm(0)]),
    ]
}

/// What the register stack is asked by calls, returns, pushes and pops.
pub fn concern_stack(kernel: &Kernel, inst: &Inst, op: &mut MicroOp) {
    op.request.op = match inst.op {
        Op::Call(to) => RegOp::Call {
            saved: pushes_at(kernel, to).min(255) as u8,
        },
        Op::Ret => RegOp::Return,
        Op::Push => {
            // Nothing is read: the name gets another pack.
            op.request.regs.clear();
            op.write_mask = op.read_mask;
            RegOp::Push
        }
        Op::Pop => {
            op.request.regs.clear();
            RegOp::Pop
        }
        _ => return,
    };
    op.read_mask = RegMask::default();
    op.reads = 0;
    op.asks = true;
}
