//! What loads, stores and atomics do to memory. It happens when the load/store unit takes the instruction, lane by
//! lane in ascending order; the unit takes instructions in the order of issue, so runs are deterministic.

use crate::kernel::address::{LOCAL_WINDOW, SHARED_WINDOW};
use crate::kernel::exec::{Value, atomic, space_of};
use crate::kernel::op::{AtomOp, Op, Space, Traced, Ty};
use crate::memory::device::DeviceFault;
use crate::sm::Sm;
use crate::sm::error::{AccessFault, RunError, Step, TOO_DEEP};
use crate::sm::program::MicroOp;
use crate::sm::scheduler::ones;

/// A memory instruction without the differences that do not matter here.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub space: Space,
    pub ty: Ty,
    pub elements: u8,
    pub offset: i64,
    pub kind: AccessKind,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Load,
    Store,
    Atomic(AtomOp),
}

impl Access {
    /// The access of a memory instruction.
    pub fn of(op: &Op) -> Option<Access> {
        let access = |space, ty, elements, offset, kind| Access {
            space,
            ty,
            elements,
            offset,
            kind,
        };
        match *op {
            Op::Ld(m) => Some(access(m.space, m.ty, m.vec, m.offset, AccessKind::Load)),
            Op::St(m) => Some(access(m.space, m.ty, m.vec, m.offset, AccessKind::Store)),
            Op::Atom {
                space,
                ty,
                op,
                offset,
            }
            | Op::Red {
                space,
                ty,
                op,
                offset,
            } => Some(access(space, ty, 1, offset, AccessKind::Atomic(op))),
            Op::Traced(traced) => {
                let (space, bytes) = traced.access()?;
                let (ty, elements) = match bytes {
                    1 => (Ty::B8, 1),
                    2 => (Ty::B16, 1),
                    _ => (Ty::B32, bytes / 4),
                };
                let kind = match traced {
                    Traced::Load(..) => AccessKind::Load,
                    Traced::Store(..) => AccessKind::Store,
                    // Which operation it is does not matter here.
                    _ => AccessKind::Atomic(AtomOp::Add),
                };
                Some(access(space, ty, elements, 0, kind))
            }
            _ => None,
        }
    }

    /// Bytes of one lane.
    pub fn bytes(&self) -> u64 {
        u64::from(self.ty.size_bytes()) * u64::from(self.elements)
    }
}

/// Lanes of an access by the space that they hit, and the addresses in that space.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    pub addresses: [u64; 32],
    pub shared: u32,
    pub local: u32,
    /// Global, or constant in device memory.
    pub device: u32,
    /// Parameters, or constants loaded through the constant cache.
    pub constant: u32,
}

fn resolve(access: &Access, base: &Value, lanes: u32, out: &mut Resolved) {
    for lane in 0..32 {
        out.addresses[lane] = base.get(lane).wrapping_add_signed(access.offset);
    }
    (out.shared, out.local, out.device, out.constant) = (0, 0, 0, 0);
    match access.space {
        Space::Shared => out.shared = lanes,
        Space::Local => out.local = lanes,
        Space::Global => out.device = lanes,
        Space::Param | Space::Const => out.constant = lanes,
        Space::Generic => {
            for lane in (0..32).filter(|lane| lanes >> lane & 1 == 1) {
                let bit = 1 << lane;
                match space_of(out.addresses[lane]) {
                    Space::Shared => {
                        out.addresses[lane] -= SHARED_WINDOW;
                        out.shared |= bit;
                    }
                    Space::Local => {
                        out.addresses[lane] -= LOCAL_WINDOW;
                        out.local |= bit;
                    }
                    _ => out.device |= bit,
                }
            }
        }
    }
}

impl Sm<'_> {
    /// Does the access of the instruction in `collector`; leaves its lanes and addresses in `resolved`.
    pub(super) fn access(&mut self, op: &MicroOp, access: &Access, id: u16, unit: u8) -> Step {
        if let Op::Traced(_) = op.op {
            return self.access_traced(op, access, id, unit);
        }
        let lanes = self.flights[id].lanes;
        let operands = &self.collectors.units[usize::from(unit)].operands;
        if op.moves {
            let slot = usize::from(self.flights[id].warp);
            (self.resolved.shared, self.resolved.device) = (0, 0);
            (self.resolved.local, self.resolved.constant) = (lanes, 0);
            for lane in 0..32 {
                let address = operands[0].get(lane);
                self.resolved.addresses[lane] = address;
                match access.kind {
                    AccessKind::Load => {
                        let value = self.local.read(slot, lane, address, 4);
                        self.flights[id].results[0][lane] = value as u32;
                    }
                    _ => {
                        let value = operands[1].get(lane) & 0xffff_ffff;
                        self.local.write(slot, lane, address, 4, value);
                    }
                }
            }
            return Ok(());
        }
        resolve(access, &operands[0], lanes, &mut self.resolved);
        self.enter_scratchpad(access, id)?;
        if self.access_words(access, id, unit) {
            return Ok(());
        }
        let size = u64::from(access.ty.size_bytes());
        let mut left = lanes;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            self.access_lane(op, access, id, unit, lane, size)
                .map_err(|fault| {
                    let flight = &self.flights[id];
                    let collector = &self.collectors.units[usize::from(unit)];
                    let formed = collector.operands[0].get(lane);
                    let place = self.place_of(flight.warp.into(), flight.pc);
                    // What the compiler saves at calls lies behind the stack pointer.
                    let saves = place.made && self.program.has_calls;
                    if saves && matches!(fault, AccessFault::Outside { space: "local", .. }) {
                        let problem = TOO_DEEP;
                        return Box::new(RunError::Stack { place, problem });
                    }
                    Box::new(RunError::Memory {
                        place,
                        lane: lane as u32,
                        address: formed.wrapping_add_signed(access.offset),
                        fault,
                    })
                })?;
        }
        Ok(())
    }

    /// The usual case: loads and stores of 32-bit words, all lanes in scratchpad or all in device memory. False
    /// when it is another case or some lane faults; then everything is done again, lane by lane.
    fn access_words(&mut self, access: &Access, id: u16, unit: u8) -> bool {
        if access.ty.size_bytes() != 4 || matches!(access.space, Space::Param | Space::Const) {
            return false;
        }
        let whole = access.bytes();
        let elements = usize::from(access.elements);
        let flight = &mut self.flights[id];
        let operands = &self.collectors.units[usize::from(unit)].operands;
        let addresses = &self.resolved.addresses;
        let lanes = flight.lanes;
        let aligned = |address: u64| address & (whole - 1) == 0;
        let slot = usize::from(flight.warp);
        let cta = usize::from(self.warps.cta_slot[slot]);
        match access.kind {
            AccessKind::Load if self.resolved.shared == lanes => {
                for lane in ones(lanes.into()) {
                    let address = addresses[lane];
                    let bytes = self.scratchpad.get(cta, address, whole);
                    let Some(bytes) = bytes.filter(|_| aligned(address)) else {
                        return false;
                    };
                    let cells = bytes.chunks_exact(4);
                    for (result, cell) in flight.results.iter_mut().zip(cells) {
                        result[lane] = little_endian(cell) as u32;
                    }
                }
            }
            AccessKind::Store if self.resolved.shared == lanes => {
                for lane in ones(lanes.into()) {
                    let address = addresses[lane];
                    let bytes = self.scratchpad.get_mut(cta, address, whole);
                    let Some(bytes) = bytes.filter(|_| aligned(address)) else {
                        return false;
                    };
                    let cells = bytes.chunks_exact_mut(4);
                    for (cell, value) in cells.zip(&operands[1..]) {
                        let new = value.lo[lane].to_le_bytes();
                        if let Some(rounds) = &mut self.rounds {
                            rounds.disturbed |= *cell != new;
                        }
                        cell.copy_from_slice(&new);
                    }
                }
            }
            AccessKind::Load if self.resolved.device == lanes => {
                for lane in ones(lanes.into()) {
                    let address = addresses[lane];
                    if address & (whole - 1) != 0 {
                        return false;
                    }
                    for element in 0..elements {
                        let Ok(value) = self.device.read(address + 4 * element as u64, 4) else {
                            return false;
                        };
                        flight.results[element][lane] = value as u32;
                    }
                }
            }
            _ => return false,
        }
        true
    }

    #[inline]
    fn access_lane(
        &mut self,
        op: &MicroOp,
        access: &Access,
        id: u16,
        unit: u8,
        lane: usize,
        size: u64,
    ) -> Result<(), AccessFault> {
        let base = self.resolved.addresses[lane];
        let whole = access.bytes();
        if base & (whole - 1) != 0 {
            return Err(AccessFault::Misaligned { size_bytes: whole });
        }
        let operand = |sm: &Self, i: usize| {
            let collector = &sm.collectors.units[usize::from(unit)];
            collector.operands[i].get(lane)
        };
        let wide = size == 8;
        for element in 0..usize::from(access.elements) {
            let address = base.wrapping_add(element as u64 * size);
            match access.kind {
                AccessKind::Load => {
                    let value = self.read_cell(access.space, id, lane, address, size)?;
                    let flight = &mut self.flights[id];
                    if wide {
                        flight.results[2 * element][lane] = value as u32;
                        flight.results[2 * element + 1][lane] = (value >> 32) as u32;
                    } else {
                        flight.results[element][lane] = sign_extend(access.ty, value as u32);
                    }
                }
                AccessKind::Store => {
                    let value = operand(self, 1 + element);
                    self.write_cell(access.space, id, lane, address, size, value)?;
                }
                AccessKind::Atomic(operation) => {
                    let old = self.read_cell(access.space, id, lane, address, size)?;
                    let c = match op.sources.len() {
                        3.. => operand(self, 2),
                        _ => 0,
                    };
                    let in_scratchpad = self.resolved.shared & 1 << lane != 0;
                    let b = operand(self, 1);
                    let new = atomic(operation, access.ty, in_scratchpad, old, b, c);
                    self.write_cell(access.space, id, lane, address, size, new)?;
                    if new != old {
                        self.worked_at = self.cycle;
                    }
                    let flight = &mut self.flights[id];
                    flight.results[0][lane] = old as u32;
                    flight.results[1][lane] = (old >> 32) as u32;
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn read_cell(
        &self,
        space: Space,
        id: u16,
        lane: usize,
        address: u64,
        size: u64,
    ) -> Result<u64, AccessFault> {
        let slot = usize::from(self.flights[id].warp);
        let bit = 1 << lane;
        if self.resolved.shared & bit != 0 {
            let cta = usize::from(self.warps.cta_slot[slot]);
            let cell = self.scratchpad.get(cta, address, size);
            Ok(little_endian(
                cell.ok_or_else(|| self.behind_scratchpad(size))?,
            ))
        } else if self.resolved.local & bit != 0 {
            self.check_local(address, size)?;
            Ok(self.local.read(slot, lane, address, size))
        } else if space == Space::Param {
            Ok(little_endian(cell(
                "parameter",
                self.params,
                address,
                size,
            )?))
        } else {
            self.device.read(address, size).map_err(device_fault)
        }
    }

    #[inline]
    fn write_cell(
        &mut self,
        space: Space,
        id: u16,
        lane: usize,
        address: u64,
        size: u64,
        value: u64,
    ) -> Result<(), AccessFault> {
        let slot = usize::from(self.flights[id].warp);
        let bit = 1 << lane;
        if self.resolved.shared & bit != 0 {
            let cta = usize::from(self.warps.cta_slot[slot]);
            let behind = self.behind_scratchpad(size);
            let cell = self.scratchpad.get_mut(cta, address, size).ok_or(behind)?;
            let new = &value.to_le_bytes()[..size as usize];
            if let Some(rounds) = &mut self.rounds {
                rounds.disturbed |= cell != new;
            }
            cell.copy_from_slice(new);
            Ok(())
        } else if self.resolved.local & bit != 0 {
            self.check_local(address, size)?;
            self.local.write(slot, lane, address, size, value);
            if let Some(rounds) = &mut self.rounds {
                rounds.stored(&self.flights[id], lane, address, value);
            }
            Ok(())
        } else if matches!(space, Space::Param | Space::Const) {
            Err(AccessFault::ReadOnly)
        } else {
            if let Some(rounds) = &mut self.rounds {
                let new = value & (u64::MAX >> (64 - 8 * size));
                rounds.disturbed |= self.device.read(address, size).ok() != Some(new);
            }
            (self.device.write(address, size, value)).map_err(device_fault)
        }
    }

    fn behind_scratchpad(&self, size_bytes: u64) -> AccessFault {
        AccessFault::Outside {
            space: "scratchpad",
            size_bytes,
            available_bytes: self.scratchpad.bytes_per_cta() as u64,
        }
    }

    fn check_local(&self, address: u64, size: u64) -> Result<(), AccessFault> {
        if self.local.holds(address, size) {
            return Ok(());
        }
        Err(AccessFault::Outside {
            space: "local",
            size_bytes: size,
            available_bytes: self.local.kernel_bytes(),
        })
    }
}

#[inline]
fn little_endian(cell: &[u8]) -> u64 {
    match *cell {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        _ => cell.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b)),
    }
}

#[inline]
fn cell<'a>(
    space: &'static str,
    bytes: &'a [u8],
    address: u64,
    size: u64,
) -> Result<&'a [u8], AccessFault> {
    let end = address.saturating_add(size);
    if end > bytes.len() as u64 {
        return Err(AccessFault::Outside {
            space,
            size_bytes: size,
            available_bytes: bytes.len() as u64,
        });
    }
    Ok(&bytes[address as usize..end as usize])
}

fn device_fault(fault: DeviceFault) -> AccessFault {
    match fault {
        DeviceFault::Fault(fault) => AccessFault::Global(fault),
        DeviceFault::ReadOnly => AccessFault::ReadOnly,
    }
}

/// A loaded element as a 32-bit register holds it.
#[inline]
fn sign_extend(ty: Ty, value: u32) -> u32 {
    match ty {
        Ty::S8 => value as i8 as u32,
        Ty::S16 => value as i16 as u32,
        _ => value,
    }
}
