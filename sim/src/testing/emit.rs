//! Building blocks: new registers, new blocks, instructions.

use arrayvec::ArrayVec;

use crate::kernel::op::{Space, Ty};
use crate::kernel::{
    Block, BlockId, Dst, Guard, Inst, Kernel, Line, MAX_SOURCES, Op, Operand, Param, Pred, Reg,
    RegSpace, Width,
};

/// An instruction without a guard.
pub fn inst(op: Op, dsts: &[Dst], srcs: &[Operand]) -> Inst {
    Inst {
        guard: None,
        op,
        dsts: dsts.iter().copied().collect::<ArrayVec<_, 4>>(),
        srcs: srcs.iter().copied().collect::<ArrayVec<_, MAX_SOURCES>>(),
        line: Line(0),
    }
}

/// A load or store of `vec` elements in `space`.
pub fn mem(space: Space, ty: Ty, vec: u8, offset: i64) -> crate::kernel::op::Mem {
    crate::kernel::op::Mem {
        space,
        ty,
        vec,
        offset,
        strong: false,
    }
}

/// A kernel under construction; new instructions go to the end of the last block.
pub struct Builder {
    blocks: Vec<Block>,
    regs: u16,
    preds: u16,
}

impl Builder {
    pub fn new() -> Self {
        Builder {
            blocks: vec![Block {
                label: "entry".into(),
                insts: Vec::new(),
            }],
            regs: 0,
            preds: 0,
        }
    }

    pub fn reg(&mut self, width: Width) -> Reg {
        self.regs += 1;
        Reg {
            index: self.regs - 1,
            width,
        }
    }

    pub fn pred(&mut self) -> Pred {
        self.preds += 1;
        Pred(self.preds - 1)
    }

    /// The block that instructions go to.
    pub fn current(&self) -> BlockId {
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Starts a block behind the last one.
    pub fn start_block(&mut self) -> BlockId {
        let label = format!("b{}", self.blocks.len());
        self.blocks.push(Block {
            label,
            insts: Vec::new(),
        });
        self.current()
    }

    pub fn push(&mut self, inst: Inst) {
        self.blocks
            .last_mut()
            .expect("has an entry")
            .insts
            .push(inst);
    }

    pub fn emit(&mut self, op: Op, dsts: &[Dst], srcs: &[Operand]) {
        self.push(inst(op, dsts, srcs));
    }

    pub fn branch(&mut self, guard: Option<Guard>, target: BlockId) {
        let mut branch = inst(Op::Bra(target), &[], &[]);
        branch.guard = guard;
        self.push(branch);
    }

    /// Points the branch at the end of `block` to `target`.
    pub fn patch(&mut self, block: BlockId, target: BlockId) {
        if let Some(last) = self.blocks[block.0 as usize].insts.last_mut() {
            last.op = Op::Bra(target);
        }
    }

    pub fn finish(self, name: String, shared_bytes: u32, local_bytes: u32) -> Kernel {
        let param = |name: &str, ty, offset_bytes, size_bytes| Param {
            name: name.into(),
            ty,
            offset_bytes,
            size_bytes,
            align_bytes: size_bytes,
        };
        Kernel {
            name,
            params: vec![param("out", Ty::U64, 0, 8), param("scalar", Ty::U32, 8, 4)],
            globals: Vec::new(),
            shared_bytes,
            local_bytes,
            regs: RegSpace::Virtual {
                regs: self.regs,
                preds: self.preds,
            },
            blocks: self.blocks,
            rounds: Vec::new(),
        }
    }
}

/// Puts a definition of every register and predicate before the entry block's instructions; how many there are.
#[cfg(test)]
pub fn define_everything(kernel: &mut Kernel) -> usize {
    use std::collections::BTreeSet;
    let all: BTreeSet<(u16, Width)> = kernel
        .blocks
        .iter()
        .flat_map(|b| &b.insts)
        .flat_map(|i| i.src_regs().chain(i.dst_regs()).collect::<Vec<_>>())
        .map(|r| (r.index, r.width))
        .collect();
    let RegSpace::Virtual { preds, .. } = kernel.regs else {
        return 0;
    };
    let regs = all.into_iter().map(|(index, width)| {
        let ty = if width == Width::W64 {
            Ty::B64
        } else {
            Ty::B32
        };
        inst(
            Op::Mov(ty),
            &[Dst::Reg(Reg { index, width })],
            &[Operand::Imm(0)],
        )
    });
    let preds =
        (0..preds).map(|p| inst(Op::Mov(Ty::Pred), &[Dst::Pred(Pred(p))], &[Operand::Imm(0)]));
    let definitions: Vec<Inst> = regs.chain(preds).collect();
    let count = definitions.len();
    kernel.blocks[0].insts.splice(0..0, definitions);
    count
}
