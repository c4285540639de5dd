//! Why register hardware cannot be built.

use crate::manager::Backend;
use crate::verilog::VerilogError;

/// Why a manager cannot be built. Nothing is placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The hardware comes for 8, 48 and 64 warps.
    #[error("{0} warps per SM: the register hardware supports 1 to 64")]
    Warps(u16),
    /// The hardware comes for 512, 1024 and 2048 packs, the baseline's for 4096 and 16,384 too.
    #[error("{packs} packs per SM: the register hardware supports 1 to {most}")]
    Packs {
        /// Packs of the SM.
        packs: u16,
        /// The most that this hardware comes for.
        most: u16,
    },
    /// The units have two request ports, and are clocked twice in a cycle at most.
    #[error("{0} warp schedulers: the register hardware serves 1 to 4")]
    Schedulers(u8),
    /// Register counts have 8 bits.
    #[error("{what} is {value}: at most 255 registers per thread exist")]
    Registers {
        /// Which count.
        what: &'static str,
        /// Its value.
        value: u16,
    },
    /// RegMutex needs a section, and there are never more than warps.
    #[error("{sections} sections of the shared register pool: 1 to {warps} are possible")]
    Sections {
        /// What was asked for.
        sections: u16,
        /// Warps of the SM.
        warps: u16,
    },
    /// More CTAs than the hardware of resource sharing has slots.
    #[error(
        "{ctas} CTAs of {warps_per_cta} warps: the hardware of resource sharing has {slots} CTA slots, and CTAs of {most} warps \
         at most can share"
    )]
    Ctas {
        /// What was asked for.
        ctas: u16,
        /// Warps of each.
        warps_per_cta: u16,
        /// CTA slots.
        slots: u16,
        /// Half the warp slots.
        most: u16,
    },
    /// The hardware chooses for two schedulers, or twice for two.
    #[error(
        "the hardware that chooses owner warps first serves 2 or 4 warp schedulers, the machine has {0}"
    )]
    OwnerFirst(u8),
    /// The registers of the pairs do not fit.
    #[error("resource sharing needs {needed} packs, the register file has {packs}")]
    Shared {
        /// Packs of all CTAs.
        needed: u32,
        /// Packs of the SM.
        packs: u16,
    },
    /// Addresses in a CTA's scratchpad have 17 bits.
    #[error("{0} private bytes of scratchpad: the hardware of resource sharing counts to 131071")]
    PrivateBytes(u32),
    /// The renaming table has 63 registers of each warp.
    #[error("{0} registers of a thread are renamed: the renaming table has 63")]
    Renamed(u16),
    /// A variant of renaming for which there is no RTL.
    #[error(
        "{what}: there is only a model of that, the backend `{backend}` cannot run it; leave --backend out. There is hardware with \
         a flag cache of 0, 1, 2, 5 or 10 entries, or hardware-only, each with a wake-up of 1, 3 or 10 cycles"
    )]
    ModelOnly {
        /// The variant.
        what: String,
        /// What was asked for.
        backend: Backend,
    },
    /// The papers' latencies of power gating.
    #[error(
        "a wake-up of {0} cycles: the power gate comes with 1, 3 and 10, and as a model with 0"
    )]
    WakeUp(u8),
    /// A variant of renaming for a small machine.
    #[error(
        "{what} comes for 48 warps, 1024 packs and 8 CTAs, for 64, 2048 and 32, and for half the packs of either"
    )]
    LargeOnly {
        /// The variant.
        what: String,
    },
    /// The renaming hardware comes for whole register files.
    #[error(
        "{packs} packs, {warps} warps and {ctas} CTAs per SM: the hardware of register file virtualization comes for 256 packs \
         with 4 warps and 4 CTAs, 512 with 16 and 8, 1024 with 48 and 8, 2048 with 64 and 32, and half the packs of the last two"
    )]
    Renaming {
        /// Packs of the SM.
        packs: u16,
        /// Its warps.
        warps: u16,
        /// CTAs that are to be resident.
        ctas: u16,
    },
    /// Two kinds of locks could wait for each other.
    #[error("resource sharing shares registers or scratchpad of a kernel, not both")]
    BothShared,
    /// The stacks of CARS have 63 packs at most, and one warp must fit.
    #[error(
        "a warp with its register stack needs {needed} packs of {packs}, and a stack has {most} at most"
    )]
    Stack {
        /// Base registers and largest stack of a warp.
        needed: u32,
        /// Packs of the SM.
        packs: u16,
        /// Packs of the largest stack.
        most: u16,
    },
    /// The units do not run as Verilog.
    #[error(transparent)]
    Verilog(#[from] VerilogError),
    /// The pool ends beyond the register file.
    #[error("the shared register pool ends at pack {end}, the register file at {packs}")]
    Pool {
        /// First pack behind the pool.
        end: u32,
        /// Packs of the SM.
        packs: u16,
    },
}
