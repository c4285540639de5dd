//! The run-time seam: what the SM asks the register hardware, once per cycle.
//!
//! The SM knows no scheme. It places a kernel, proposes one instruction per warp scheduler and cycle, and is
//! told whether each may issue and in which packs its registers lie.

pub mod banker;
mod baseline;
mod build;
mod fault;
mod issue;
mod locate;
mod owner_first;
mod paired;
mod recorder;
mod regmutex;
mod renaming;
mod rounds;
mod seam;
mod sharing;
mod spec;
mod spill_seam;
mod stack_seam;
#[doc(hidden)] // Public for the tests, which are a crate of their own.
pub mod stacks;
mod throttle_seam;
#[doc(hidden)] // Public for the tests, which are a crate of their own.
pub mod unit;

pub use build::{
    BuildError, MOST_BASELINE_PACKS, RenamingVariant, STACK_PACKS, build, build_for_sms,
    renaming_hardware,
};
pub use fault::ManagerFault;
pub use issue::{CycleReply, IssueReply, IssueRequest, MAX_REGS_PER_INST, RegOp};
pub use recorder::{Recorder, Recording, Row};
pub use renaming::safety::MARGIN as WAIT_MARGIN;
pub use seam::{Answer, Decode, FlagSource, FlagWord, Place, RenamingCounts};
pub use spec::{Backend, Geometry, ManagerSpec};
pub use spill_seam::{Pending, Relief, Spill};
pub use stack_seam::{Link, StackAsk, StackCounts, StackPacks, StackReply, Switch};
pub use throttle_seam::{StallWatch, Throttle};
pub use unit::Divergence;

use crate::clocked::PinDef;
use crate::ids::{ArchReg, CtaSlot, Pack, WarpSlot};

/// Most warp schedulers of an SM.
pub const MAX_SCHEDULERS: usize = 4;

/// The warp that the hardware chooses for each scheduler; `None` where none is ready, or there is no such scheduler.
pub type Choice = [Option<WarpSlot>; MAX_SCHEDULERS];

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
    /// schedulers of the SM choose. The next instruction of the `acquiring` ones is an acquire. Asked before
    /// [`RegisterManager::cycle`], and again for another set.
    ///
    /// # Errors
    /// [`ManagerFault::Divergence`].
    fn choose(&mut self, _ready: u64, _acquiring: u64) -> Result<Option<Choice>, ManagerFault> {
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

    /// Release flags have given back all that the warp in this slot had mapped: it ends, and
    /// [`RegisterManager::warp_ended`] comes next for it.
    fn gave_all_back(&mut self, _warp: WarpSlot) {}

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
