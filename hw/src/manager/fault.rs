//! Why the register hardware could not go on.

use super::RegOp;
use crate::ids::{ArchReg, CtaSlot, WarpSlot};

/// Why the register hardware could not go on. Each is a defect of a compiler pass or of the hardware.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManagerFault {
    /// A register without a pack was named, for example an extended one outside the acquire state.
    #[error("warp {warp} names register r{reg}, which has no physical register now")]
    Unmapped {
        /// The warp that named it.
        warp: WarpSlot,
        /// The architected register.
        reg: ArchReg,
    },
    /// The flag of an exit says that nothing is mapped any more, and something is.
    #[error(
        "warp {warp} ends with register r{reg} mapped, which its release flags were to give back"
    )]
    NotGivenBack {
        /// The warp that ended.
        warp: WarpSlot,
        /// The lowest such register.
        reg: ArchReg,
    },
    /// Two CTAs were to share, and the hardware refuses the pair.
    #[error("CTA slots {lower} and {upper} cannot share: the register hardware refuses the pair")]
    NoPair {
        /// Slot of the lower CTA.
        lower: CtaSlot,
        /// Slot of the upper CTA.
        upper: CtaSlot,
    },
    /// A push without a call, or a return to nowhere.
    #[error(
        "warp {warp}: the register stack refuses {op:?}: there is no frame for it, or it does not fit the whole stack"
    )]
    IllegalStack {
        /// The warp.
        warp: WarpSlot,
        /// What it asked for.
        op: RegOp,
    },
    /// Model and RTL disagree (backend `lockstep`).
    #[error("{unit}: model and RTL disagree in active cycle {cycle}: {detail}")]
    Divergence {
        /// Instance path of the unit.
        unit: String,
        /// The unit's own count of evaluated cycles.
        cycle: u64,
        /// Pins with both values.
        detail: String,
    },
}
