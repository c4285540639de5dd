//! Storage of `.param` variables in calls.
//!
//! While lowering, an access to one is a local load or store at a marker address. Afterwards each variable whose
//! accesses fall into fixed slots becomes one virtual register per slot; one whose address was taken, or that is
//! accessed in overlapping pieces, is given room in local memory.

use std::collections::{BTreeMap, HashMap};

use super::lower::Builder;
use crate::kernel::op::{Mem, Op, Space, Ty};
use crate::kernel::{Dst, Inst, Operand, Reg, Width};

/// Largest `.param` variable of a call, bytes.
pub const MAX_STORAGE_BYTES: u64 = 1 << 20;
/// Most such variables in one kernel.
pub const MAX_STORAGES: usize = 1 << 16;

/// Marker addresses start here, above every local address.
const MARKER: u64 = 1 << 40;
const MARKER_SHIFT: u32 = MAX_STORAGE_BYTES.trailing_zeros() + 1;

/// Address that stands for the first byte of a storage.
pub fn marker(storage: usize) -> u64 {
    MARKER + ((storage as u64) << MARKER_SHIFT)
}

/// A `.param` variable of a call.
pub struct Storage {
    /// Size, bytes.
    pub size_bytes: u64,
    /// Alignment, bytes.
    pub align_bytes: u32,
    /// Address in local memory, if it must have one.
    pub local_address: Option<u64>,
}

impl Storage {
    /// Gives it room at the end of local memory, once.
    pub fn place(&mut self, local_bytes: &mut u64) -> u64 {
        match self.local_address {
            Some(address) => address,
            None => {
                let address = local_bytes.next_multiple_of(u64::from(self.align_bytes));
                *local_bytes = address + self.size_bytes;
                *self.local_address.insert(address)
            }
        }
    }
}

/// An access to a storage.
#[derive(Clone, Copy)]
struct Access {
    storage: usize,
    offset: u64,
    mem: Mem,
}

fn access(inst: &Inst) -> Option<Access> {
    let (Op::Ld(mem) | Op::St(mem)) = inst.op else {
        return None;
    };
    let Some(Operand::Imm(address)) = inst.srcs.first() else {
        return None;
    };
    if mem.space != Space::Local || *address < MARKER {
        return None;
    }
    let relative = *address - MARKER;
    Some(Access {
        storage: (relative >> MARKER_SHIFT) as usize,
        offset: relative & ((1 << MARKER_SHIFT) - 1),
        mem,
    })
}

/// Slots of one storage: size by offset.
type Slots = BTreeMap<u64, u64>;

/// Replaces marker addresses.
pub fn promote(build: &mut Builder, storages: &mut [Storage], local_bytes: &mut u64) {
    let mut slots: Vec<Option<Slots>> = storages
        .iter()
        .map(|s| s.local_address.is_none().then(Slots::new))
        .collect();
    for inst in build.blocks_mut().iter().flat_map(|block| &block.insts) {
        let Some(access) = access(inst) else { continue };
        let size = size_of(access.mem.ty);
        for element in 0..u64::from(access.mem.vec) {
            let offset = access.offset + element * size;
            let found = &mut slots[access.storage];
            if let Some(known) = found
                && *known.entry(offset).or_insert(size) != size
            {
                *found = None;
            }
        }
    }
    for (storage, found) in slots.iter_mut().enumerate() {
        let overlaps = found.as_ref().is_some_and(|slots| {
            slots
                .iter()
                .zip(slots.keys().skip(1))
                .any(|((start, size), next)| start + size > *next)
        });
        if overlaps || found.is_none() {
            *found = None;
            storages[storage].place(local_bytes);
        }
    }
    let mut blocks = std::mem::take(build.blocks_vec());
    let mut registers = HashMap::new();
    for block in &mut blocks {
        let mut rewritten = Vec::with_capacity(block.insts.len());
        for mut inst in std::mem::take(&mut block.insts) {
            match access(&inst) {
                None => rewritten.push(inst),
                Some(access) if slots[access.storage].is_none() => {
                    let address = storages[access.storage].local_address.unwrap_or(0);
                    inst.srcs[0] = Operand::Imm(address + access.offset);
                    rewritten.push(inst);
                }
                Some(access) => {
                    let mut register = |element: usize| {
                        let size = size_of(access.mem.ty);
                        let offset = access.offset + element as u64 * size;
                        let width = if size == 8 { Width::W64 } else { Width::W32 };
                        *registers
                            .entry((access.storage, offset))
                            .or_insert_with(|| build.reg(width))
                    };
                    copies(&inst, access.mem, &mut register, &mut rewritten);
                }
            }
        }
        block.insts = rewritten;
    }
    *build.blocks_vec() = blocks;
}

/// The moves that stand for an access to registers.
fn copies(inst: &Inst, mem: Mem, register: &mut dyn FnMut(usize) -> Reg, out: &mut Vec<Inst>) {
    let copy = |op, dst, src| Inst {
        guard: inst.guard,
        op,
        dsts: [dst].into_iter().collect(),
        srcs: [src].into_iter().collect(),
        line: inst.line,
    };
    if matches!(inst.op, Op::Ld(_)) {
        for (element, dst) in inst.dsts.iter().enumerate() {
            out.push(copy(narrow(mem.ty), *dst, Operand::Reg(register(element))));
        }
    } else {
        for (element, src) in inst.srcs[1..].iter().enumerate() {
            let op = Op::Mov(word(mem.ty));
            out.push(copy(op, Dst::Reg(register(element)), *src));
        }
    }
}

/// What a load does to the register that holds a slot: small types are extended as from memory.
fn narrow(ty: Ty) -> Op {
    let convert = |to, from| Op::Cvt {
        to,
        from,
        round: None,
        integral: false,
        ftz: false,
        sat: false,
    };
    match ty {
        Ty::B8 | Ty::U8 => convert(Ty::U32, Ty::U8),
        Ty::S8 => convert(Ty::S32, Ty::S8),
        Ty::B16 | Ty::U16 | Ty::F16 | Ty::Bf16 => convert(Ty::U32, Ty::U16),
        Ty::S16 => convert(Ty::S32, Ty::S16),
        ty => Op::Mov(word(ty)),
    }
}

fn word(ty: Ty) -> Ty {
    if size_of(ty) == 8 { Ty::B64 } else { Ty::B32 }
}

fn size_of(ty: Ty) -> u64 {
    super::lower::bytes(ty)
}
