//! CTAs that share scratchpad: an instruction that accesses it says how far before it issues.
//!
//! The address is taken from the register file when the instruction is proposed; nothing that it depends on is on its way then.
//! So whoever may not have the common bytes waits with the issue, as for a register, and never blocks the load/store unit.
//! The cycle in which hardware would form the address before it asks is not counted. // assumed

use crate::kernel::address::SHARED_WINDOW;
use crate::kernel::exec::{Value, space_of};
use crate::kernel::op::{Op, Space};
use crate::sm::Sm;
use crate::sm::access::Access;
use crate::sm::error::{RunError, Step};
use crate::sm::program::{MicroOp, Source, Unit};
use crate::sm::scheduler::ones;

impl Sm<'_> {
    /// The highest byte of the scratchpad that the next instruction of the warp accesses, where that matters.
    pub(super) fn scratchpad_wanted(&self, slot: usize, op: &MicroOp) -> Option<u32> {
        if !self.scratchpad.is_shared() || op.unit != Unit::Ldst {
            return None;
        }
        let access = Access::of(&op.op)?;
        if !matches!(access.space, Space::Shared | Space::Generic) {
            return None;
        }
        if let Op::Traced(_) = op.op {
            return self.traced_scratchpad(slot, op, &access);
        }
        let lanes = self.active_lanes(slot, op);
        let mut base = Value::splat(0);
        self.source_value(slot, op, op.sources.first()?, &mut base);
        let highest = |lane: usize| {
            let address = base.get(lane).wrapping_add_signed(access.offset);
            let address = match access.space {
                Space::Generic if space_of(address) == Space::Shared => address - SHARED_WINDOW,
                Space::Generic => return None,
                _ => address,
            };
            Some(address.saturating_add(access.bytes() - 1))
        };
        let highest = ones(lanes.into()).filter_map(highest).max()?;
        Some(u32::try_from(highest).unwrap_or(u32::MAX))
    }

    /// What the source has in the register file now.
    fn source_value(&self, slot: usize, op: &MicroOp, source: &Source, out: &mut Value) {
        match *source {
            Source::Register { first, wide, .. } => {
                let reg = |half: u8| op.request.regs[usize::from(first + half)];
                out.lo = self.registers.peek(slot, reg(0));
                if wide {
                    out.hi = self.registers.peek(slot, reg(1));
                }
            }
            Source::Constant { value, .. } => {
                out.lo = [value as u32; 32];
                out.hi = [(value >> 32) as u32; 32];
            }
            Source::Special(special) => {
                let warp = usize::from(self.warps.warp_in_cta[slot]);
                let cta = usize::from(self.warps.cta_slot[slot]);
                let index = self.ctas.slots[cta].index;
                self.special.read(special, warp, index, self.cycle, out);
            }
        }
    }

    /// The access in `resolved` begins: it must be the CTA's right to have the bytes.
    pub(super) fn enter_scratchpad(&mut self, access: &Access, id: u16) -> Step {
        if !self.scratchpad.is_shared() || self.resolved.shared == 0 {
            return Ok(());
        }
        let lanes = ones(self.resolved.shared.into());
        let highest =
            lanes.map(|lane| self.resolved.addresses[lane].saturating_add(access.bytes() - 1));
        let slot = usize::from(self.flights[id].warp);
        let cta = usize::from(self.warps.cta_slot[slot]);
        (self.scratchpad.enter(cta, highest.max().unwrap_or(0))).map_err(|used| {
            Box::new(RunError::ForeignScratchpad {
                place: self.place_of(slot, self.flights[id].pc),
                cta: self.ctas.slots[used.0].number,
            })
        })
    }
}
