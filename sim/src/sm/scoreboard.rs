//! The scoreboard: what each warp's instructions in flight still have to read and to write.
//!
//! An instruction waits while a register or predicate that it reads or writes has a write pending (RAW, WAW), or
//! a register that it writes has a read pending (WAR): operands are read from the physical registers only when the
//! collector gets its bank. Predicates are read at issue, so they have no WAR hazard.

use crate::sm::program::MicroOp;

/// A set of architected registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegMask([u64; 4]);

impl RegMask {
    /// All registers from `first` on.
    pub fn from_index(first: u16) -> Self {
        let mut mask = RegMask::default();
        (first..256).for_each(|reg| mask.insert(reg));
        mask
    }

    /// One register.
    pub fn only(reg: u16) -> Self {
        let mut mask = RegMask::default();
        mask.insert(reg);
        mask
    }

    #[inline]
    pub fn insert(&mut self, reg: u16) {
        self.0[usize::from(reg >> 6) & 3] |= 1 << (reg & 63);
    }

    #[inline]
    pub fn remove(&mut self, reg: u16) {
        self.0[usize::from(reg >> 6) & 3] &= !(1 << (reg & 63));
    }

    #[inline]
    pub fn contains(&self, reg: u16) -> bool {
        self.0[usize::from(reg >> 6) & 3] >> (reg & 63) & 1 == 1
    }

    #[inline]
    pub fn insert_all(&mut self, other: &RegMask) {
        for i in 0..4 {
            self.0[i] |= other.0[i];
        }
    }

    #[inline]
    pub fn remove_all(&mut self, other: &RegMask) {
        for i in 0..4 {
            self.0[i] &= !other.0[i];
        }
    }

    #[inline]
    pub fn meets(&self, other: &RegMask) -> bool {
        (0..4).any(|i| self.0[i] & other.0[i] != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// The registers of both sets.
    pub fn and(&self, other: &RegMask) -> RegMask {
        RegMask(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

/// Why an instruction has to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hazard {
    /// It need not.
    None,
    /// For the result of a load or atomic.
    Memory,
    /// For anything else.
    Other,
}

#[derive(Clone, Debug)]
struct WarpBoard {
    writes: RegMask,
    loads: RegMask,
    reads: RegMask,
    read_counts: [u8; 256],
    pred_writes: u64,
}

/// Scoreboard of all warp slots.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    warps: Vec<WarpBoard>,
}

impl Scoreboard {
    pub fn new(warps: usize) -> Self {
        let clear = WarpBoard {
            writes: RegMask::default(),
            loads: RegMask::default(),
            reads: RegMask::default(),
            read_counts: [0; 256],
            pred_writes: 0,
        };
        Scoreboard {
            warps: vec![clear; warps],
        }
    }

    /// Whether `op` may issue for `warp`.
    #[inline]
    pub fn hazard(&self, warp: usize, op: &MicroOp) -> Hazard {
        let board = &self.warps[warp];
        let written = board.writes.meets(&op.read_mask) || board.writes.meets(&op.write_mask);
        if !written
            && !board.reads.meets(&op.write_mask)
            && board.pred_writes & (op.pred_reads | op.pred_writes) == 0
        {
            return Hazard::None;
        }
        if board.loads.meets(&op.read_mask) || board.loads.meets(&op.write_mask) {
            Hazard::Memory
        } else {
            Hazard::Other
        }
    }

    /// Registers below 64 of a warp that are still to be written, a bit each.
    pub fn written(&self, warp: usize) -> u64 {
        self.warps[warp].writes.0[0]
    }

    /// Whether a register of `set` is still to be read or written.
    pub fn is_pending(&self, warp: usize, set: &RegMask) -> bool {
        let board = &self.warps[warp];
        board.writes.meets(set) || board.reads.meets(set)
    }

    /// `op` has issued and will read and write; `is_load` when its results come from memory.
    #[inline]
    pub fn reserve(&mut self, warp: usize, op: &MicroOp, is_load: bool) {
        let board = &mut self.warps[warp];
        board.writes.insert_all(&op.write_mask);
        if is_load {
            board.loads.insert_all(&op.write_mask);
        }
        board.pred_writes |= op.pred_writes;
        for reg in &op.request.regs[..usize::from(op.reads)] {
            board.read_counts[reg.index()] += 1;
            board.reads.insert(reg.0.into());
        }
    }

    /// A register has been read; returns whether that was the last pending read of it.
    #[inline]
    pub fn read_done(&mut self, warp: usize, reg: u8) -> bool {
        let board = &mut self.warps[warp];
        let count = &mut board.read_counts[usize::from(reg)];
        *count -= 1;
        if *count == 0 {
            board.reads.remove(reg.into());
        }
        *count == 0
    }

    /// A register has been written.
    #[inline]
    pub fn write_done(&mut self, warp: usize, reg: u8) {
        let board = &mut self.warps[warp];
        board.writes.remove(reg.into());
        board.loads.remove(reg.into());
    }

    /// Predicates have been written.
    #[inline]
    pub fn preds_done(&mut self, warp: usize, preds: u64) {
        self.warps[warp].pred_writes &= !preds;
    }

    /// Whether nothing is pending.
    pub fn is_clear(&self) -> bool {
        self.warps
            .iter()
            .all(|b| b.writes.is_empty() && b.reads.is_empty() && b.pred_writes == 0)
    }
}
