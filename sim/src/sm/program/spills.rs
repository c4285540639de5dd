//! The instructions that save a register of a pending warp and bring it back (RFV 8.1): behind the kernel, two for each register.

use super::MicroOp;
use crate::kernel::op::{Mem, Op, Space, Ty};
use crate::kernel::{Dst, Inst, Line, Operand, Reg};
use crate::sm::scoreboard::RegMask;
use regshare_hw::manager::{Place, RegOp};
use regshare_hw::rfv::flag_decoder::OPERANDS;

/// Where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpillOps {
    /// The store of register 0; then come its load, the store of register 1, and so on.
    pub first: u32,
}

impl SpillOps {
    /// The store of a register, or its load.
    pub fn of(self, saves: bool, reg: u32) -> u32 {
        self.first + 2 * reg + u32::from(!saves)
    }
}

/// A store of the register to local memory, and a load. The address is given as they issue.
pub fn moves(reg: u16) -> [Inst; 2] {
    let word = Mem {
        space: Space::Local,
        ty: Ty::B32,
        vec: 1,
        offset: 0,
        strong: false,
    };
    let register = Reg::r32(reg);
    let inst = |op, result: Option<Reg>, srcs: &[Operand]| Inst {
        guard: None,
        op,
        dsts: result.into_iter().map(Dst::Reg).collect(),
        srcs: srcs.iter().copied().collect(),
        line: Line(0),
    };
    [
        inst(
            Op::St(word),
            None,
            &[Operand::Imm(0), Operand::Reg(register)],
        ),
        inst(Op::Ld(word), Some(register), &[Operand::Imm(0)]),
    ]
}

/// A store is not shown to the hardware as an instruction, but looked up as a pbr is. Its warp does nothing else, so that the
/// scoreboard has nothing to say.
pub fn concern_spill(op: &mut MicroOp) {
    (op.moves, op.spills) = (true, true);
    op.asks = op.reads == 0;
    (op.read_mask, op.write_mask) = (RegMask::default(), RegMask::default());
    if op.asks {
        op.request.op = RegOp::Refill;
        op.request.places.push(Place {
            step: 0,
            pin: OPERANDS as u8,
            flagged: false,
        });
    }
}
