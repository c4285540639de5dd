//! What happens in a run, event by event, for tables and timelines. Signals, for waveforms, are in [`super::probe`].

use super::cause::Cause;
use super::probe::ProbeError;
use crate::kernel::Line;
use crate::kernel::ptx::Files;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// An instruction of the program that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstDef {
    /// Its source line; that of a neighbour where the compiler put the instruction in.
    pub line: Line,
    /// The instruction in the text form.
    pub text: String,
    /// The compiler put it in: acquire, release, a word of release flags.
    pub inserted: bool,
    /// Its address, if it is of a trace: then its program counter is only its place among the instructions met so far.
    pub address: Option<u64>,
}

impl InstDef {
    /// What it is called by: its address if it has one, else its program counter.
    pub fn named(&self, pc: u32) -> String {
        self.address
            .map_or_else(|| pc.to_string(), |address| format!("{address:#06x}"))
    }
}

/// What runs on what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The program; an instruction's index is its program counter.
    pub insts: Vec<InstDef>,
    /// The files that its lines are of, if these are of several.
    pub files: Files,
    /// Schedulers of the SM.
    pub schedulers: usize,
    /// Warp slots of the SM.
    pub warp_slots: usize,
    /// Warps of a CTA: CTA slot c has the warp slots from c times this on.
    pub warps_per_cta: usize,
}

/// Issue slots of one scheduler, and who they are put down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// How many: cycles in a row.
    pub cycles: u64,
    /// The scheduler.
    pub scheduler: usize,
    /// Where they went.
    pub cause: Cause,
    /// The warp slot: who issued, was refused or, of the warps that came furthest, the oldest. `None`: there is none.
    pub warp: Option<usize>,
    /// The program counter of its instruction: the one that issued or could not. `None`: the warp has ended, or there is none.
    pub pc: Option<u32>,
}

/// What each warp does in a cycle: a bit per warp slot, in one mask at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct States {
    /// By [`Cause`], in its order; of `no warp` there is none. Last those that are ready and of which the scheduler chose another.
    pub masks: [u64; 13],
}

impl States {
    /// Index in the masks of the warps that are ready and were not chosen, in the place of `no warp`.
    pub const NOT_CHOSEN: usize = Cause::NoWarp as usize;

    /// What the masks are called.
    pub fn names() -> [&'static str; 13] {
        std::array::from_fn(|index| match index {
            States::NOT_CHOSEN => "not chosen",
            index => Cause::ALL[index].name(),
        })
    }
}

/// Something of the register hardware that is held by one warp at a time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thing {
    /// What the hardware calls it, for example `section 3`.
    pub what: String,
    /// Which of those with that name.
    pub number: u16,
    /// How many warps, from the one that is named on, the holder may be: 1 where the hardware tells them apart.
    pub holders: u16,
}

/// What an access to memory is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Data in global memory.
    Global,
    /// A register that a function, or a register stack, saves or restores.
    SpillFill,
    /// Other data in local memory.
    OtherLocal,
}

/// What happens in the pipeline. Within a cycle, events come in the order of the stages, last first (docs/sm.md).
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A CTA was launched into this CTA slot.
    CtaStarted {
        /// CTA slot.
        slot: usize,
        /// Number in the grid.
        number: u64,
    },
    /// The CTA in this slot has ended; nothing of it is on its way.
    CtaEnded {
        /// CTA slot.
        slot: usize,
    },
    /// All lanes of a warp have ended.
    WarpEnded {
        /// Warp slot.
        warp: usize,
    },
    /// Instructions are fetched into an empty buffer.
    Fetched {
        /// Warp slot.
        warp: usize,
        /// Their program counters, without words that warps pass over.
        pcs: &'a [u32],
    },
    /// What was fetched is in the instruction buffer.
    Decoded {
        /// Warp slot.
        warp: usize,
    },
    /// What the warps do in this cycle, before anything issues; also told of the first of several skipped cycles.
    States {
        /// By warp slot.
        states: &'a States,
        /// Program counters, by warp slot.
        pcs: &'a [u32],
    },
    /// An instruction issues.
    Issued {
        /// Warp slot.
        warp: usize,
        /// Program counter.
        pc: u32,
        /// The instruction in flight, a number used again later; `None`: it is done.
        flight: Option<u16>,
    },
    /// A word of release flags that takes an instruction's place has been decoded.
    WordDecoded {
        /// Warp slot.
        warp: usize,
        /// Program counter.
        pc: u32,
    },
    /// All schedulers have had their turn.
    IssueDone {
        /// What is held, and by which warp; `None`: the register hardware was not asked.
        held: Option<&'a BTreeSet<(Thing, usize)>>,
        /// Packs that are mapped, of hardware that renames; `None` of others.
        packs: Option<u64>,
    },
    /// An instruction leaves its collector unit and enters its execution unit.
    Started {
        /// As in [`Event::Issued`].
        flight: u16,
    },
    /// The first-level cache takes an access to a line, without those to scratchpad and parameters.
    LineAccessed {
        /// What for.
        purpose: Purpose,
    },
    /// Its result is there and waits for write-back.
    Result {
        /// As in [`Event::Issued`].
        flight: u16,
    },
    /// It has ended.
    Finished {
        /// As in [`Event::Issued`].
        flight: u16,
    },
}

/// Watches a run. Unlike a [`super::probe::Probe`] it lets the SM skip cycles in which nothing changes.
pub trait Watcher: Send {
    /// Before the first cycle.
    ///
    /// # Errors
    /// The watcher cannot record.
    fn begin(&mut self, listing: &Listing) -> Result<(), ProbeError>;

    /// Instructions that a trace brings while it runs, behind those that are known.
    fn more(&mut self, _insts: &[InstDef]) {}

    /// Whether it wants the events of the pipeline; without, they are not gathered.
    fn wants_pipeline(&self) -> bool {
        false
    }

    /// Whether it wants to see all SMs that run a launch, one after the other in each cycle; else it sees the first.
    fn sees_all_sms(&self) -> bool {
        false
    }

    /// Something happens in `cycle`.
    fn event(&mut self, _cycle: u64, _event: &Event) {}

    /// Issue slots from `cycle` on.
    fn slots(&mut self, cycle: u64, slots: Slots);

    /// After the last cycle; also after a run that failed.
    ///
    /// # Errors
    /// The watcher cannot record.
    fn end(&mut self, cycles: u64) -> Result<(), ProbeError>;
}

/// A watcher as the options of a run hold it: its owner looks at it after the run.
pub type SharedWatcher = Arc<Mutex<dyn Watcher>>;
