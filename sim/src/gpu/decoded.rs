//! An instruction as the pipeline sees it: its unit, its times, its registers.

use super::machine::{GpuMachine, Unit};
use crate::trace::barrier::BarrierUse;
use crate::trace::record::{Class, OtherRegisters, Space, StaticInst};
use arrayvec::ArrayVec;

/// Latches on the way to a class of units, in the order in which the generic collectors look at them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Single precision.
    Sp,
    /// Special functions.
    Sfu,
    /// Loads and stores.
    Mem,
    /// Double precision.
    Dp,
    /// Integers.
    Int,
    /// Branches and convergence.
    Branch,
    /// Textures.
    Texture,
    /// Matrix products.
    Tensor,
    /// The uniform datapath.
    Uniform,
}

/// Number of [`Kind`]s.
pub const KINDS: usize = 9;

/// Words of [`Registers`].
const WORDS: usize = 6;

/// A set of registers: the 256 vector registers, then uniform ones, then predicates and the like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers([u64; WORDS]);

impl Registers {
    /// Adds registers that are no vector registers.
    fn insert_others(&mut self, others: OtherRegisters) {
        self.0[4] |= others.uniform;
        self.0[5] |= others.flags;
    }

    /// Adds a vector register.
    pub fn insert(&mut self, reg: u8) {
        self.0[usize::from(reg >> 6)] |= 1 << (reg & 63);
    }

    /// Takes registers out.
    pub fn remove_all(&mut self, other: &Registers) {
        (0..WORDS).for_each(|i| self.0[i] &= !other.0[i]);
    }

    /// Adds registers.
    pub fn insert_all(&mut self, other: &Registers) {
        (0..WORDS).for_each(|i| self.0[i] |= other.0[i]);
    }

    /// Whether both have a register.
    pub fn meets(&self, other: &Registers) -> bool {
        // Without a branch for each word.
        (0..WORDS).fold(0, |common, i| common | self.0[i] & other.0[i]) != 0
    }

    /// What is in both.
    pub fn both(&self, other: &Registers) -> Registers {
        Registers(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// Their names, vector registers first.
    pub fn names(&self) -> Vec<String> {
        let is_in = |reg: &u8| self.0[usize::from(reg >> 6)] >> (reg & 63) & 1 == 1;
        let vector = (0..=u8::MAX).filter(is_in).map(|reg| format!("R{reg}"));
        let others = OtherRegisters {
            uniform: self.0[4],
            flags: self.0[5],
        };
        vector.chain(others.names()).collect()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }
}

/// A decoded instruction.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// Where it goes.
    pub kind: Kind,
    /// Cycles in the unit.
    pub latency: u16,
    /// Cycles before the unit takes the next.
    pub interval: u16,
    /// What it does.
    pub class: Class,
    /// Registers read and written.
    pub touched: Registers,
    /// Registers read.
    pub read: Registers,
    /// Registers written.
    pub written: Registers,
    /// Its sources; a register that is named twice is read once.
    pub srcs: ArrayVec<u8, 8>,
    /// Its destinations.
    pub dsts: ArrayVec<u8, 4>,
    /// Bytes that a lane accesses.
    pub width: u8,
    /// Its loads go past the first-level cache.
    pub bypasses: bool,
    /// What it does at a barrier, if it is one.
    pub barrier: Option<BarrierUse>,
    /// Program counter, bytes.
    pub pc: u64,
}

impl Decoded {
    /// Decodes an instruction for a machine.
    pub fn new(inst: &StaticInst, machine: &GpuMachine) -> Decoded {
        let units = &machine.units;
        let int = match units.int.count {
            0 => (Kind::Sp, units.int),
            _ => (Kind::Int, units.int),
        };
        let once = Unit {
            latency: 1,
            interval: 1,
            ..units.int
        };
        let (kind, unit) = match inst.class {
            Class::Alu | Class::Int => int,
            Class::Sp => (Kind::Sp, units.sp),
            Class::Half => {
                let interval = (units.sp.interval / 2).max(1);
                (
                    Kind::Sp,
                    Unit {
                        interval,
                        ..units.sp
                    },
                )
            }
            Class::Dp if units.dp.count == 0 => (Kind::Sfu, units.dp),
            Class::Dp => (Kind::Dp, units.dp),
            Class::Sfu => (Kind::Sfu, units.sfu),
            Class::Tensor => (Kind::Tensor, units.tensor),
            Class::Branch => (Kind::Branch, units.branch),
            Class::Texture => (Kind::Texture, units.texture),
            Class::Uniform => (Kind::Uniform, units.uniform),
            Class::Barrier | Class::Exit => (int.0, once),
            Class::Load(_)
            | Class::Store(_)
            | Class::Atomic(_)
            | Class::AsyncCopy
            | Class::Fence => (Kind::Mem, once),
        };
        let (mut read, mut written) = (Registers::default(), Registers::default());
        inst.srcs.iter().for_each(|&reg| read.insert(reg));
        // The others are not read through collectors, and are in none of their banks: they are only waited for.
        read.insert_others(inst.other_srcs);
        // A store is over when it was sent, and nothing tells that it has written.
        if !matches!(inst.class, Class::Store(_)) {
            inst.dsts.iter().for_each(|&reg| written.insert(reg));
            written.insert_others(inst.other_dsts);
        }
        let mut srcs = ArrayVec::new();
        for &reg in &inst.srcs {
            if !srcs.contains(&reg) {
                srcs.push(reg);
            }
        }
        let mut touched = read;
        touched.insert_all(&written);
        let device = matches!(inst.class, Class::Load(Space::Global | Space::Generic));
        Decoded {
            kind,
            latency: unit.latency as u16,
            interval: unit.interval as u16,
            class: inst.class,
            touched,
            read,
            written,
            srcs,
            dsts: inst.dsts.clone(),
            width: inst.width_bytes,
            bypasses: matches!(inst.class, Class::Atomic(_)) || device && inst.is_strong(),
            barrier: inst.barrier(),
            pc: inst.pc,
        }
    }

    /// Whether later instructions wait long for its result: a load from device or local memory.
    pub fn is_long(&self) -> bool {
        matches!(
            self.class,
            Class::Load(Space::Global | Space::Local | Space::Generic) | Class::Atomic(_)
        )
    }
}
