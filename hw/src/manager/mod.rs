//! The run-time seam: what the SM asks the register hardware, once per cycle.
//!
//! The SM knows no scheme. It places a kernel, proposes one instruction per warp scheduler and cycle, and is
//! told whether each may issue and in which packs its registers lie.

mod baseline;
mod build;
mod locate;
mod paired;
mod recorder;
mod regmutex;
mod renaming;
mod rounds;
mod seam;
mod sharing;
mod spill_seam;
mod stack_seam;
mod stacks;
#[cfg(test)]
mod tests;
mod throttle_seam;
mod unit;

pub use build::{BuildError, STACK_PACKS, build, build_for_sms, renaming_hardware};
pub use recorder::{Recorder, Recording, Row};
pub use seam::{Answer, Decode, FlagSource, FlagWord, Place, RenamingCounts};
pub use spill_seam::{Pending, Relief, Spill};
pub use stack_seam::{Link, StackAsk, StackCounts, StackPacks, StackReply, Switch};
pub use throttle_seam::{StallWatch, Throttle};
pub use unit::Divergence;

use crate::clocked::PinDef;
use crate::ids::{ArchReg, CtaSlot, Pack, WarpSlot};
use arrayvec::ArrayVec;

/// Most registers one instruction names (a product of matrices: 4, 2 and 4 that it reads, 4 that it writes).
pub const MAX_REGS_PER_INST: usize = 14;

/// What an instruction does to the warp's share of the register file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegOp {
    /// Nothing but reading and writing registers.
    #[default]
    Access,
    /// Asks for the extended set (RegMutex III-A3).
    Acquire,
    /// Gives the extended set back (RegMutex III-A3).
    Release,
    /// Calls a function that pushes `saved` registers (CARS III-A).
    Call {
        /// How many.
        saved: u8,
    },
    /// Gives the next callee-saved register a pack of its own (CARS III-A).
    Push,
    /// Gives the one pushed last back.
    Pop,
    /// The last lanes return to the caller (CARS III-C).
    Return,
    /// Writes a register that comes back from memory (RFV 8.1).
    Refill,
}

/// One scheduler's proposal for this cycle.
#[derive(Clone, Debug, Default)]
pub struct IssueRequest {
    /// The warp that wants to issue.
    pub warp: WarpSlot,
    /// What it does to the register file.
    pub op: RegOp,
    /// The architected registers to locate: each 32-bit half of a pair on its own, sources first.
    pub regs: ArrayVec<ArchReg, MAX_REGS_PER_INST>,
    /// The highest byte of its CTA's scratchpad that it accesses, counted from the start of that; `None`: it accesses none, or
    /// CTAs do not share scratchpad.
    pub scratchpad: Option<u32>,
    /// Where each of `regs` stands in the instruction, for hardware that looks operands up one instruction word at a time.
    pub places: ArrayVec<Place, MAX_REGS_PER_INST>,
    /// The pir that covers the instruction (RFV 6.2); `None`: there is none.
    pub flags: Option<FlagSource>,
    /// It accesses the memory that all SMs share: global or local memory.
    pub memory: bool,
    /// What a written register had is still needed: only some of the lanes that the warp still has are written, or a later step of
    /// the instruction reads it.
    pub partial: bool,
    /// What a call, push or return brings along.
    pub stack: StackAsk,
}

/// The hardware's answer to one proposal.
#[derive(Clone, Debug, Default)]
pub struct IssueReply {
    /// Whether the instruction issues in this cycle. If not, the warp waits for [`CycleReply::wake`], but see `again`.
    pub granted: bool,
    /// The packs of `regs`, in order; filled only when granted.
    pub packs: ArrayVec<Pack, MAX_REGS_PER_INST>,
    /// Granted, but the packs come later, as [`Answer`]s with this number; `None`: `packs` has them.
    pub ticket: Option<u32>,
    /// Refused because the pir that covers the instruction is not known: it is to be fetched and shown at decode.
    pub missing_flags: bool,
    /// What the register stack says to a call, push or return.
    pub stack: StackReply,
    /// Refused because the hardware is still taking in an instruction of another scheduler: the warp may ask again in the next
    /// cycle.
    pub again: bool,
}

/// What happened in one cycle besides the answers to the proposals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CycleReply {
    /// Something was freed at the end of this cycle, or a warp was refused only because the other scheduler's
    /// request came first: refused warps may try again from the next cycle on.
    pub wake: bool,
    /// Decode is done with the word that was shown ([`Decode::word`]).
    pub word_done: bool,
}

/// Most warp schedulers of an SM.
pub const MAX_SCHEDULERS: usize = 4;

/// The warp that the hardware chooses for each scheduler; `None` where none is ready, or there is no such scheduler.
pub type Choice = [Option<WarpSlot>; MAX_SCHEDULERS];

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

/// Something a warp still holds; for leak checks at the end of a kernel and for hang reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The holder.
    pub warp: WarpSlot,
    /// What it holds, in words (for example `section 3`).
    pub what: String,
}

/// A unit inside a manager as a waveform or a recording sees it.
#[derive(Clone, Debug)]
pub struct UnitPins {
    /// Instance path of the unit inside the manager, as in the exported Verilog (for example `srp_allocator`).
    pub path: String,
    /// Name of the unit (`srp_allocator`, `register_mapper`, ...), the same for every instance of it.
    pub unit: String,
    /// The unit's parameters: `warps`, and `packs` for the mappers.
    pub parameters: Vec<(String, u64)>,
    /// Input pins.
    pub inputs: Vec<PinDef>,
    /// Output pins.
    pub outputs: Vec<PinDef>,
}

/// Receives the pins of every unit that was active, one row per evaluated clock cycle of the unit.
pub trait PinSink: Send {
    /// `unit` indexes [`RegisterManager::units`]; values are in the order of the pin lists. `edge` is true when
    /// the row ends in a rising edge and false for a look-up that leaves the state alone.
    fn row(&mut self, unit: usize, inputs: &[u64], outputs: &[u64], edge: bool);
}

/// The register hardware of one SM. Times are SM cycles; one call of [`RegisterManager::cycle`] is one cycle in
/// which somebody asks. Cycles without requests need not be told.
pub trait RegisterManager: Send {
    /// Places a kernel: everything is free afterwards.
    fn place(&mut self);

    /// One cycle: the proposal of each scheduler (`None`: nothing to issue), answered in `replies`, which has the
    /// same length. `cycle` is the SM cycle, used to alternate priority between schedulers.
    ///
    /// # Errors
    /// [`ManagerFault`] when a register has no pack or the backends diverge.
    fn cycle(
        &mut self,
        cycle: u64,
        requests: &[Option<IssueRequest>],
        replies: &mut [IssueReply],
    ) -> Result<CycleReply, ManagerFault>;

    /// Registers of instructions granted earlier that have been located since. Asked at the start of every cycle with a
    /// [`RegisterManager::cycle`].
    ///
    /// # Errors
    /// [`ManagerFault::Divergence`].
    fn answers(&mut self) -> Result<&[Answer], ManagerFault> {
        Ok(&[])
    }

    /// Whether an instruction of this scheduler is being taken in: it can propose none.
    fn is_busy(&self, _scheduler: usize) -> bool {
        false
    }

    /// What decode and the operand collectors say in the cycle of the next [`RegisterManager::cycle`].
    fn decode(&mut self, _decode: Decode) {}

    /// What was counted since the kernel was placed, by hardware that renames, up to SM cycle `end`.
    fn renaming_counts(&self, _end: u64) -> Option<RenamingCounts> {
        None
    }

    /// What dynamic warp execution says for the next cycle, where it is at work; then there must be a
    /// [`RegisterManager::cycle`] in every SM cycle, with a call of this before it.
    ///
    /// # Errors
    /// [`ManagerFault::Divergence`].
    fn throttle(&mut self) -> Result<Option<Throttle>, ManagerFault> {
        Ok(None)
    }

    /// What dynamic warp execution has to know in the cycle of the next [`RegisterManager::cycle`].
    fn watch_stalls(&mut self, _watch: StallWatch) {}

    /// Which of the `ready` warps (a bit per slot) each scheduler issues, where that is the hardware's to say; `None`: the
    /// schedulers of the SM choose. Asked before [`RegisterManager::cycle`], and again for another set.
    ///
    /// # Errors
    /// [`ManagerFault::Divergence`].
    fn choose(&mut self, _ready: u64) -> Result<Option<Choice>, ManagerFault> {
        Ok(None)
    }

    /// The pack that a return of this warp reads its link from; `None`: it has no register stack.
    ///
    /// # Errors
    /// [`ManagerFault::Divergence`].
    fn link_pack(&mut self, _warp: WarpSlot) -> Result<Option<Pack>, ManagerFault> {
        Ok(None)
    }

    /// Which of the warps that wait at a barrier (a bit per slot) is to give its registers up, because another one needs them;
    /// [`RegisterManager::switched_out`] when they have been saved.
    ///
    /// # Errors
    /// [`ManagerFault::Divergence`].
    fn switch_at_barrier(&mut self, _at_barrier: u64) -> Result<Option<Switch>, ManagerFault> {
        Ok(None)
    }

    /// The registers of this warp have been saved.
    fn switched_out(&mut self, _warp: WarpSlot) {}

    /// The barrier at which this warp waited is complete.
    fn passed_barrier(&mut self, _warp: WarpSlot) {}

    /// A warp that gave its registers up has them again: they are to be filled before it goes on.
    ///
    /// # Errors
    /// [`ManagerFault::Divergence`].
    fn resumes(&mut self) -> Result<Option<Switch>, ManagerFault> {
        Ok(None)
    }

    /// What was counted since the kernel was placed, by hardware with register stacks.
    fn stack_counts(&mut self) -> Option<StackCounts> {
        None
    }

    /// No warp can go on by itself, and nothing is on its way: who is to give registers up, or can have them back, so that one
    /// can. `None`: that would not help. [`RegisterManager::moved`] when it is done.
    fn relieve(&mut self, _pending: &Pending<'_>) -> Option<Relief> {
        None
    }

    /// A warp whose registers are in memory and for which there is room; it has it from now on. To be asked before each
    /// [`RegisterManager::cycle`] while there are such warps.
    fn refill(&mut self, _pending: &Pending<'_>) -> Option<Spill> {
        None
    }

    /// Whether [`RegisterManager::refill`] has one.
    fn can_refill(&self, _pending: &Pending<'_>) -> bool {
        false
    }

    /// A register that is to be saved is looked up, and its pack given back: an [`Answer`] with this ticket says where it is.
    fn save(&mut self, _warp: WarpSlot, _reg: ArchReg) -> u32 {
        0
    }

    /// The registers of this warp have been saved, or are back.
    fn moved(&mut self, _warp: WarpSlot) {}

    /// The warp has issued an instruction of its own.
    fn went_on(&mut self, _warp: WarpSlot) {}

    /// A warp starts in this slot.
    fn warp_started(&mut self, _warp: WarpSlot) {}

    /// The warp in this slot has ended, and nothing of it is on its way any more.
    fn warp_ended(&mut self, _warp: WarpSlot) {}

    /// All warps of the CTA in this slot have ended. CTA n has the warps from n times the warps of a CTA on.
    fn cta_ended(&mut self, _cta: CtaSlot) {}

    /// Whether something has started or ended of which the hardware is told at the next [`RegisterManager::cycle`]; then there
    /// must be one, also without proposals.
    fn has_news(&self) -> bool {
        false
    }

    /// What is held now, by warp.
    fn held(&self) -> Vec<Holding>;

    /// How many warps, from [`Holding::warp`] on, a holding may belong to: 1 where the hardware tells them apart.
    fn warps_per_holding(&self) -> u16 {
        1
    }

    /// Which of several things of one name ([`Holding::what`]) this warp holds, if it holds one: the number of its pair.
    fn resource_of(&self, _warp: WarpSlot) -> u16 {
        0
    }

    /// The units inside, with their pins.
    fn units(&self) -> Vec<UnitPins>;

    /// Sends the pins of every later evaluation to `sink`; `None` stops it.
    fn set_sink(&mut self, sink: Option<Box<dyn PinSink>>);
}

/// Which implementation of the units runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The plain Rust models.
    #[default]
    Model,
    /// The rust-hdl blocks.
    Rtl,
    /// Both, compared in every cycle.
    Lockstep,
    /// The exported Verilog, linked in by Verilator (cargo feature `verilog`).
    Verilog,
}

impl std::fmt::Display for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Backend::Model => "model",
            Backend::Rtl => "rtl",
            Backend::Lockstep => "lockstep",
            Backend::Verilog => "verilog",
        })
    }
}

/// Size of the machine's register hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Warp slots, 1 ..= 64.
    pub warps: u16,
    /// Physical warp-wide registers, 1 ..= 2048.
    pub packs: u16,
    /// Warp schedulers, 1 to 4.
    pub schedulers: u8,
}

/// Which manager a plan asks for, with the values that the compiler supplies at kernel launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManagerSpec {
    /// `Y = Coeff * Widx + X` (RegMutex III-B2, Figure 6a).
    Baseline {
        /// `Coeff`: architected registers per warp.
        regs_per_warp: u16,
    },
    /// RegMutex, Figure 6b.
    RegMutex {
        /// `|Bs|`.
        base_regs: u16,
        /// `|Es|`.
        ext_regs: u16,
        /// Sections of the shared register pool, 1 ..= warps.
        sections: u16,
        /// First pack of the pool.
        srp_offset: u16,
    },
    /// Paired-warps specialisation (RegMutex III-C).
    Paired {
        /// `|Bs|`.
        base_regs: u16,
        /// `|Es|`.
        ext_regs: u16,
        /// True: a bit per warp; false: the paper's bit per pair.
        safe: bool,
    },
    /// Resource sharing of registers (resource sharing, III-A) or of scratchpad (III-B), with the CTAs in the order of
    /// [`owf_top`](crate::owf::owf_top): lower ones of the pairs, unshared ones, upper ones.
    Sharing {
        /// Warps of a CTA.
        warps_per_cta: u16,
        /// `Rw t`: registers that a warp has for itself when it shares; all of them where scratchpad is shared.
        private_regs: u16,
        /// The other registers of a warp; 0 where scratchpad is shared.
        shared_regs: u16,
        /// `Rtb t`: bytes of scratchpad that a CTA has for itself when it shares scratchpad, below 2^17; `None`: registers are
        /// shared.
        private_bytes: Option<u32>,
        /// Pairs of CTAs, `S`.
        pairs: u16,
        /// CTAs without a partner, `U`.
        unshared: u16,
        /// True: the hardware chooses the warps, owners first (IV-A); false: the schedulers of the SM do.
        owner_first: bool,
        /// Dynamic warp execution (IV-C) on the SM of this number; `None`: non-owner warps access memory as they like.
        dynamic: Option<u16>,
    },
    /// Register file virtualization (RFV 6 to 8): packs are mapped when a register is written and given back when it is dead.
    Renaming {
        /// Warps of a CTA.
        warps_per_cta: u16,
        /// Registers of a thread that are renamed.
        regs: u16,
        /// CTAs that are resident at once.
        ctas: u16,
        /// How many packs the file has: 0 all of them, 1 to 3 GPU-shrink by 30, 40 and 50 %
        /// ([`kept_packs`](crate::rfv::free_list::kept_packs)).
        shrink: u8,
        /// N, registers that are not renamed: those below it lie at N x warp + id (7.1).
        exempt: u16,
        /// Entries of the cache of release flags: 0, 1, 2, 5 or 10 (7.2). With 0, each warp decodes each pir that it comes to.
        /// Only the plain model has one of 0.
        flag_entries: u8,
        /// Cycles in which a sub-array wakes: 1, 3 or 10 (9.2, Figure 11b), or 0: they never sleep. Only the plain model has
        /// 0, and 3 or 10 together with another cache or without flags.
        wake_up: u8,
        /// Hardware-only renaming (9.5): no flags; a pack is given back when its register is written anew in all lanes, or its
        /// warp ends.
        hardware_only: bool,
        /// The warps may want more packs than there are: an instruction waits for the packs that it needs before it issues, and a
        /// pending warp is spilled if none could go on (8.1).
        spills: bool,
    },
    /// CARS: a stack of registers behind those of each warp (CARS III).
    Stacks {
        /// Warps of a CTA.
        warps_per_cta: u16,
        /// Registers of a warp outside of its stack: the kernel's.
        base_regs: u16,
        /// Packs of a stack at each level, Low first, up to `top`.
        capacities: [u16; 8],
        /// The level that is High-watermark, 0 ..= 7.
        top: u8,
        /// The level of all CTAs; `None`: the hardware chooses (Figure 5).
        level: Option<u8>,
    },
}

impl ManagerSpec {
    /// The same for the SM of this number; what SMs have not to do with each other stays as it is.
    #[must_use]
    pub fn on_sm(mut self, sm: u16) -> Self {
        if let ManagerSpec::Sharing {
            dynamic: Some(number),
            ..
        } = &mut self
        {
            *number = sm;
        }
        self
    }
}
