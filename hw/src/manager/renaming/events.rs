//! Starts and ends, told one after the other: the table is walked for a warp that ends before its CTA ends, and before another
//! CTA has its slot. A warp whose flags have given back all needs no walk, and the hardware hears nothing of its end.

use super::Renaming;
use crate::ids::{ArchReg, WarpSlot};
use crate::manager::ManagerFault;
use crate::rfv::rfv_top::{RfvTopIn, RfvTopOut};

/// What the hardware has not been told yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A CTA starts in this slot.
    CtaStart(u8),
    /// A warp has ended.
    WarpEnd(WarpSlot),
    /// A warp has ended that has nothing mapped; with the cycles without `hold` until then.
    WarpEmpty(WarpSlot, u64),
    /// All warps of the CTA have.
    CtaEnd(u8),
}

/// Cycles without `hold` in which the last that a warp gave back is free: one in which it comes, one in which it goes on.
const GIVEN_BACK: u64 = 2;

impl<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
> Renaming<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY>
{
    /// Puts the next event on the pins.
    pub(super) fn tell(&self, pins: &mut RfvTopIn<NW, T, PACKS>) {
        match self.events.front() {
            Some(&Event::CtaStart(cta)) => {
                (pins.cta_launch, pins.launch_cta) = (true, cta);
                pins.need = self.placement.need;
            }
            Some(&Event::WarpEnd(warp)) => {
                (pins.exit, pins.warp) = (true, warp.0 as u8);
                pins.warp_cta = self.cta(warp);
            }
            Some(&Event::CtaEnd(cta)) if self.still => {
                (pins.cta_exit, pins.exit_cta) = (true, cta);
            }
            _ => {}
        }
    }

    /// Strikes out what has been told.
    pub(super) fn told(
        &mut self,
        pins: &RfvTopIn<NW, T, PACKS>,
        out: &RfvTopOut<NW, T, PACKS>,
    ) -> Result<(), ManagerFault> {
        self.unheld += u64::from(!pins.hold);
        let is_told = match self.events.front() {
            Some(&Event::WarpEmpty(_, since)) => self.unheld >= since + GIVEN_BACK,
            _ => pins.cta_launch || pins.cta_exit || pins.exit && out.walk_grant,
        };
        let told = match is_told {
            true => self.events.pop_front(),
            false => None,
        };
        match told {
            Some(Event::WarpEmpty(warp, _)) => {
                self.present &= !(1 << warp.0);
                let left = self.mapped[warp.index()];
                if left != 0 {
                    let reg = ArchReg(left.trailing_zeros() as u8);
                    return Err(ManagerFault::NotGivenBack { warp, reg });
                }
                // Others may have what it could still have claimed.
                if self.waits_for_packs() {
                    self.spilling.free();
                }
            }
            Some(Event::WarpEnd(warp)) => {
                self.present &= !(1 << warp.0);
                self.mapped[warp.index()] = 0;
                if self.waits_for_packs() {
                    self.spilling.free();
                }
            }
            Some(Event::CtaEnd(cta)) => {
                self.residents.end(cta);
                if self.waits_for_packs() {
                    self.spilling.free();
                }
            }
            _ => {}
        }
        self.still = !out.busy && !out.walk_grant;
        Ok(())
    }

    /// Whether the CTA has not been told to start.
    pub(super) fn is_waiting(&self, cta: u8) -> bool {
        self.events.contains(&Event::CtaStart(cta))
    }
}
