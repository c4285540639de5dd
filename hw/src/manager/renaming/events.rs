//! Starts and ends, told one after the other: the table is walked for a warp that ends before its CTA ends, and before another
//! CTA has its slot.

use super::Renaming;
use crate::ids::WarpSlot;
use crate::rfv::rfv_top::{RfvTopIn, RfvTopOut};

/// What the hardware has not been told yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A CTA starts in this slot.
    CtaStart(u8),
    /// A warp has ended.
    WarpEnd(WarpSlot),
    /// All warps of the CTA have.
    CtaEnd(u8),
}

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
    pub(super) fn told(&mut self, pins: &RfvTopIn<NW, T, PACKS>, out: &RfvTopOut<NW, T, PACKS>) {
        let is_told = pins.cta_launch || pins.cta_exit || pins.exit && out.walk_grant;
        let told = match is_told {
            true => self.events.pop_front(),
            false => None,
        };
        match told {
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
    }

    /// Whether the CTA has not been told to start.
    pub(super) fn is_waiting(&self, cta: u8) -> bool {
        self.events.contains(&Event::CtaStart(cta))
    }
}
