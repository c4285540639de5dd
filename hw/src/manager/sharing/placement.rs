//! Where CTAs, pairs of warps and their registers are, fixed for a kernel.

use crate::ids::WarpSlot;

/// What the compiler and the launch fix for a kernel.
#[derive(Clone, Copy, Debug)]
pub(in crate::manager) struct Placement {
    pub(in crate::manager) warps_per_cta: u8,
    pub(in crate::manager) private_regs: u8,
    pub(in crate::manager) shared_regs: u8,
    /// Scratchpad is shared, and of it a CTA has so many bytes for itself.
    pub(in crate::manager) private_bytes: Option<u32>,
    pub(in crate::manager) pairs: u8,
    pub(in crate::manager) unshared: u8,
    pub(in crate::manager) owner_first: bool,
    /// Dynamic warp execution, on the SM of this number.
    pub(in crate::manager) dynamic: Option<u16>,
}

impl Placement {
    /// The CTA of a warp.
    pub(super) fn cta(self, warp: WarpSlot) -> u8 {
        (warp.0 / u16::from(self.warps_per_cta)) as u8
    }

    /// Distance of the two warps of a pair, in slots: the lower CTAs and the unshared ones lie between.
    pub(super) fn distance(self) -> u16 {
        u16::from(self.pairs + self.unshared) * u16::from(self.warps_per_cta)
    }

    /// The other warp of the pair; none of an unshared warp.
    pub(super) fn partner(self, warp: u16) -> Option<u16> {
        let paired = u16::from(self.pairs) * u16::from(self.warps_per_cta);
        let distance = self.distance();
        if warp < paired {
            Some(warp + distance)
        } else if (distance..distance + paired).contains(&warp) {
            Some(warp - distance)
        } else {
            None
        }
    }
}
