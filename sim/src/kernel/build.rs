//! A small builder for kernels in tests and examples.
//!
//! ```
//! use regshare_sim::kernel::build::{KernelBuilder, imm};
//! use regshare_sim::kernel::{Op, Reg, modifier::Ty};
//!
//! let mut k = KernelBuilder::architected("seven", 4, 1);
//! k.op(Op::Mov(Ty::U32), [Reg::r32(0)], [imm(7)]);
//! k.exit();
//! let kernel = k.finish()?;
//! assert_eq!(kernel.blocks.len(), 1);
//! # Ok::<(), regshare_sim::kernel::verify::VerifyError>(())
//! ```

use super::modifier::Ty;
use super::verify::{VerifyError, verify};
use super::{
    Block, BlockId, Dst, Guard, Inst, Kernel, Line, Op, Operand, Param, Pred, Reg, RegSpace,
    Special,
};

/// A constant.
pub fn imm(bits: u64) -> Operand {
    Operand::Imm(bits)
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Self {
        Operand::Reg(reg)
    }
}

impl From<Pred> for Operand {
    fn from(pred: Pred) -> Self {
        Operand::Pred {
            pred,
            negated: false,
        }
    }
}

impl From<Special> for Operand {
    fn from(special: Special) -> Self {
        Operand::Special(special)
    }
}

impl From<Reg> for Dst {
    fn from(reg: Reg) -> Self {
        Dst::Reg(reg)
    }
}

impl From<Pred> for Dst {
    fn from(pred: Pred) -> Self {
        Dst::Pred(pred)
    }
}

/// Builds a kernel instruction by instruction. Blocks are numbered in the order in which they are begun; a
/// branch may name one that comes later.
#[derive(Clone, Debug)]
pub struct KernelBuilder {
    kernel: Kernel,
    guard: Option<Guard>,
}

impl KernelBuilder {
    fn new(name: &str, regs: RegSpace) -> Self {
        KernelBuilder {
            kernel: Kernel {
                name: name.to_owned(),
                params: Vec::new(),
                globals: Vec::new(),
                shared_bytes: 0,
                local_bytes: 0,
                regs,
                blocks: vec![Block {
                    label: "entry".to_owned(),
                    insts: Vec::new(),
                }],
                rounds: Vec::new(),
            },
            guard: None,
        }
    }

    /// A kernel on architected registers, with its entry block begun.
    pub fn architected(name: &str, regs: u16, preds: u16) -> Self {
        Self::new(name, RegSpace::Architected { regs, preds })
    }

    /// A kernel on virtual registers, with its entry block begun.
    pub fn virtual_regs(name: &str, regs: u16, preds: u16) -> Self {
        Self::new(name, RegSpace::Virtual { regs, preds })
    }

    /// Declares static scratchpad, bytes.
    pub fn shared(&mut self, bytes: u32) -> &mut Self {
        self.kernel.shared_bytes = bytes;
        self
    }

    /// Declares local memory per thread, bytes.
    pub fn local(&mut self, bytes: u32) -> &mut Self {
        self.kernel.local_bytes = bytes;
        self
    }

    /// Adds a scalar parameter, naturally aligned; returns its offset in bytes.
    pub fn param(&mut self, name: &str, ty: Ty) -> u32 {
        let size = ty.size_bytes();
        let end = self
            .kernel
            .params
            .last()
            .map_or(0, |p| p.offset_bytes + p.size_bytes);
        let offset_bytes = end.next_multiple_of(size.max(1));
        self.kernel.params.push(Param {
            name: name.to_owned(),
            ty,
            offset_bytes,
            size_bytes: size,
            align_bytes: size,
        });
        offset_bytes
    }

    /// Begins a block and returns its id.
    pub fn block(&mut self, label: &str) -> BlockId {
        let id = BlockId(self.kernel.blocks.len() as u32);
        self.kernel.blocks.push(Block {
            label: label.to_owned(),
            insts: Vec::new(),
        });
        id
    }

    /// Guards the next instruction.
    pub fn guard(&mut self, pred: Pred, negated: bool) -> &mut Self {
        self.guard = Some(Guard { pred, negated });
        self
    }

    /// Adds an instruction; its source line is its number in the kernel, from 1. At most 4 destinations and
    /// [`MAX_SOURCES`](super::MAX_SOURCES) sources are taken.
    pub fn op(
        &mut self,
        op: Op,
        dsts: impl IntoIterator<Item = impl Into<Dst>>,
        srcs: impl IntoIterator<Item = impl Into<Operand>>,
    ) -> &mut Self {
        let line: usize = self.kernel.blocks.iter().map(|b| b.insts.len()).sum();
        let inst = Inst {
            guard: self.guard.take(),
            op,
            dsts: dsts.into_iter().map(Into::into).take(4).collect(),
            srcs: srcs
                .into_iter()
                .map(Into::into)
                .take(super::MAX_SOURCES)
                .collect(),
            line: Line(line as u32 + 1),
        };
        if let Some(block) = self.kernel.blocks.last_mut() {
            block.insts.push(inst);
        }
        self
    }

    /// Adds an instruction without operands.
    pub fn plain(&mut self, op: Op) -> &mut Self {
        self.op(op, [] as [Dst; 0], [] as [Operand; 0])
    }

    /// Adds an instruction with sources only.
    pub fn effect(
        &mut self,
        op: Op,
        srcs: impl IntoIterator<Item = impl Into<Operand>>,
    ) -> &mut Self {
        self.op(op, [] as [Dst; 0], srcs)
    }

    /// Adds `exit`.
    pub fn exit(&mut self) -> &mut Self {
        self.plain(Op::Exit)
    }

    /// The kernel, verified.
    ///
    /// # Errors
    /// It is malformed.
    pub fn finish(&self) -> Result<Kernel, VerifyError> {
        verify(&self.kernel)?;
        Ok(self.kernel.clone())
    }
}
