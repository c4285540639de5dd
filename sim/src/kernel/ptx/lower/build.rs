//! Blocks under construction. Until [`Builder::finish`] a branch names a [`Label`]; afterwards a block.

use std::collections::HashMap;

use crate::kernel::op::{BlockId, Op};
use crate::kernel::{Block, Dst, Guard, Inst, Line, Operand, Pred, Reg, RegSpace, Width};

/// Most instructions of one kernel, calls inlined.
const MAX_KERNEL_INSTS: usize = 200_000;

/// A place in the code, known before it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(pub u32);

/// A kernel's code under construction.
pub struct Builder {
    blocks: Vec<Block>,
    /// The last block ended with a jump; the next instruction starts a new one.
    closed: bool,
    label_blocks: Vec<Option<u32>>,
    names: HashMap<String, u32>,
    regs: u32,
    preds: u32,
    insts: usize,
    room: usize,
    guard: Option<Guard>,
    /// Source line of what is pushed.
    pub line: Line,
    carry: Option<Pred>,
}

impl Builder {
    /// `room`: instructions left in the budget of the file.
    pub fn new(room: usize) -> Self {
        let mut builder = Builder {
            blocks: Vec::new(),
            closed: false,
            label_blocks: Vec::new(),
            names: HashMap::new(),
            regs: 0,
            preds: 0,
            insts: 0,
            room: room.min(MAX_KERNEL_INSTS),
            guard: None,
            line: Line::default(),
            carry: None,
        };
        builder.start_block("entry");
        builder
    }

    pub fn inst_count(&self) -> usize {
        self.insts
    }

    /// The limit that the kernel went over, in words.
    pub fn exceeded(&self) -> Option<String> {
        if self.regs > u32::from(u16::MAX) || self.preds > u32::from(u16::MAX) {
            return Some(format!("more than {} virtual registers", u16::MAX));
        }
        (self.insts > self.room)
            .then(|| format!("more than {} instructions after inlining", self.room))
    }

    pub fn reg(&mut self, width: Width) -> Reg {
        let index = self.regs.min(u32::from(u16::MAX)) as u16;
        self.regs += 1;
        Reg { index, width }
    }

    pub fn pred(&mut self) -> Pred {
        let index = self.preds.min(u32::from(u16::MAX)) as u16;
        self.preds += 1;
        Pred(index)
    }

    /// The carry of `add.cc` and its kin: one bit for the whole thread, as in PTX.
    pub fn carry(&mut self) -> Pred {
        match self.carry {
            Some(carry) => carry,
            None => {
                let carry = self.pred();
                *self.carry.insert(carry)
            }
        }
    }

    pub fn space(&self) -> RegSpace {
        RegSpace::Virtual {
            regs: self.regs.min(u32::from(u16::MAX)) as u16,
            preds: self.preds.min(u32::from(u16::MAX)) as u16,
        }
    }

    pub fn label(&mut self) -> Label {
        self.label_blocks.push(None);
        Label(self.label_blocks.len() as u32 - 1)
    }

    /// Puts a label here, under a name unique in the kernel.
    pub fn place(&mut self, label: Label, name: &str) {
        let fresh = self
            .blocks
            .last()
            .is_some_and(|block| block.insts.is_empty());
        if !fresh {
            self.start_block(name);
        }
        self.label_blocks[label.0 as usize] = Some(self.blocks.len() as u32 - 1);
    }

    fn start_block(&mut self, name: &str) {
        self.closed = false;
        let label = self.unique(name);
        self.blocks.push(Block {
            label,
            insts: Vec::new(),
        });
    }

    fn unique(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        while self.names.contains_key(&candidate) {
            let used = self.names.entry(name.to_owned()).or_insert(0);
            *used += 1;
            candidate = format!("{name}_{used}");
        }
        self.names.insert(candidate.clone(), 0);
        candidate
    }

    pub fn guard(&self) -> Option<Guard> {
        self.guard
    }

    pub fn guarded(&mut self, guard: Option<Guard>) {
        self.guard = guard;
    }

    pub fn unguarded(&mut self) {
        self.guard = None;
    }

    /// Adds an instruction under the current guard.
    pub fn push(&mut self, op: Op, dsts: &[Dst], srcs: &[Operand]) {
        self.insts += 1;
        if self.insts > self.room {
            return;
        }
        if self.closed {
            self.start_block("bb");
        }
        let inst = Inst {
            guard: self.guard,
            op,
            dsts: dsts.iter().copied().collect(),
            srcs: srcs.iter().copied().collect(),
            line: self.line,
        };
        if let Some(block) = self.blocks.last_mut() {
            block.insts.push(inst);
        }
        self.closed = matches!(op, Op::Bra(_) | Op::Exit | Op::Ret);
    }

    /// Turns labels into blocks. All labels must have been placed.
    pub fn finish(&mut self) {
        if self
            .blocks
            .last()
            .is_some_and(|block| block.insts.is_empty())
        {
            self.guard = None;
            self.push(Op::Exit, &[], &[]);
        }
        for inst in self.blocks.iter_mut().flat_map(|block| &mut block.insts) {
            if let Op::Bra(BlockId(label)) = &mut inst.op {
                *label = self.label_blocks[*label as usize].unwrap_or(0);
            }
        }
    }

    pub fn blocks_mut(&mut self) -> &mut [Block] {
        &mut self.blocks
    }

    pub fn blocks_vec(&mut self) -> &mut Vec<Block> {
        &mut self.blocks
    }

    pub fn take_blocks(&mut self) -> Vec<Block> {
        std::mem::take(&mut self.blocks)
    }
}
