//! Why a run ends before the kernel does.

use crate::compiler::cfg::CfgError;
use crate::kernel::Line;
use crate::kernel::ptx::Files;
use crate::memory::image::MemoryFault;
use crate::observe::probe::ProbeError;
use crate::sm::hang::Hang;
use regshare_hw::ids::{ArchReg, Pack, WarpSlot};
use regshare_hw::manager::{Holding, ManagerFault};
use std::collections::BTreeSet;
use std::sync::Arc;
use thiserror::Error;

/// What recursion ends with when local memory has no room left for another frame.
pub(super) const TOO_DEEP: &str =
    "recursion is too deep: the stack of a thread in local memory is full";

/// What it ends with when no frame needs room there.
pub(super) const TOO_MANY_CALLS: &str =
    "recursion is too deep: 1024 calls are open, as many as there can be";

/// A place in the program and the warp that was there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file of the line, where a program of several was run; see [`RunError::in_files`].
    pub file: Option<Arc<str>>,
    /// Line of the kernel's source; of an instruction that a compiler pass has made, that of the next one from the source, 0
    /// if none follows.
    pub line: Line,
    /// Whether a compiler pass has made the instruction.
    pub made: bool,
    /// Index of the instruction in the kernel, all blocks in order.
    pub index: u32,
    /// CTA, its number in the grid.
    pub cta: u64,
    /// Warp of the CTA.
    pub warp: u32,
    /// Warp slot of the SM.
    pub slot: WarpSlot,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Place {
            line: Line(line),
            index,
            ..
        } = self;
        let of_file = match &self.file {
            Some(file) => format!(" of {file}"),
            None => String::new(),
        };
        match (self.made, line) {
            (true, 0) => write!(f, "instruction {index} (made by the compiler)")?,
            (true, _) => write!(
                f,
                "instruction {index} (made by the compiler, before line {line}{of_file})"
            )?,
            (false, _) => write!(f, "line {line}{of_file} (instruction {index})")?,
        }
        write!(
            f,
            ", CTA {}, warp {} (slot {})",
            self.cta, self.warp, self.slot
        )
    }
}

/// Who wrote a pack last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// CTA, its number in the grid.
    pub cta: u64,
    /// Warp of the CTA.
    pub warp: u32,
    /// The warp's register.
    pub reg: ArchReg,
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "r{} of CTA {}, warp {}", self.reg, self.cta, self.warp)
    }
}

/// Why an access to memory is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AccessFault {
    /// Global or constant memory.
    #[error("{0}")]
    Global(#[from] MemoryFault),
    /// Behind the end of the CTA's scratchpad, of the thread's local memory or of the parameters.
    #[error(
        "access of {size_bytes} bytes lies outside the {available_bytes} bytes of {space} memory"
    )]
    Outside {
        /// The space.
        space: &'static str,
        /// Size of the access, bytes.
        size_bytes: u64,
        /// Size of the space, bytes.
        available_bytes: u64,
    },
    /// The address is not a multiple of the size of the access.
    #[error("access of {size_bytes} bytes is not naturally aligned")]
    Misaligned {
        /// Size of the access, bytes.
        size_bytes: u64,
    },
    /// A store to memory that can only be read.
    #[error("constant memory cannot be written")]
    ReadOnly,
}

/// A launch that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LaunchFault {
    /// The kernel has no control-flow graph.
    #[error(transparent)]
    Cfg(#[from] CfgError),
    /// The kernel still names virtual registers; run register allocation.
    #[error("kernel `{0}` has no architected registers yet; run register allocation first")]
    NotAllocated(String),
    /// The grid or the block has no threads, or the block more than 1024.
    #[error(
        "grid {grid:?} of blocks {block:?} cannot be launched; each needs 1 or more in every direction, a block at most 1024 threads"
    )]
    Shape {
        /// CTAs in x, y, z.
        grid: [u32; 3],
        /// Threads of a CTA in x, y, z.
        block: [u32; 3],
    },
    /// The plan's CTAs do not fit into the machine's warp slots; plan for this block and machine.
    #[error(
        "{ctas} CTAs of {warps_per_cta} warps do not fit in {warps} warp slots; plan for this block and machine"
    )]
    DoesNotFit {
        /// CTAs that the plan wants resident.
        ctas: u16,
        /// Warps of a CTA.
        warps_per_cta: u32,
        /// Warp slots.
        warps: u16,
    },
    /// The kernel wants more parameter bytes than the launch brings.
    #[error("the kernel takes {needed} bytes of parameters, the launch brings {given}")]
    Params {
        /// Bytes that the kernel declares.
        needed: usize,
        /// Bytes given.
        given: usize,
    },
    /// More than the simulator keeps per instruction or warp.
    #[error("{what}: {found}, of at most {limit}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
    /// An instruction that does not have the operands of its operation.
    #[error("line {}: {problem}", line.0)]
    Instruction {
        /// Where.
        line: Line,
        /// What is wrong.
        problem: String,
    },
    /// So many SMs cannot run it together.
    #[error("{0}")]
    Sms(String),
    /// The register hardware does not exist in this size.
    #[error("{0}")]
    Hardware(String),
}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    /// The kernel cannot be started like this.
    #[error("cannot launch: {0}")]
    Launch(#[from] LaunchFault),
    /// A thread accessed memory that it may not.
    #[error("memory fault at {place}, lane {lane}, address {address:#x}: {fault}")]
    Memory {
        /// Where.
        place: Place,
        /// Lane of the warp.
        lane: u32,
        /// The address that the thread formed.
        address: u64,
        /// What is wrong with it.
        fault: AccessFault,
    },
    /// The register hardware led to a pack that somebody else wrote last: its mapping is wrong.
    #[error("{place}: r{reg} was read from pack {pack}, which belongs to {}", match found { Some(owner) => owner.to_string(), None => "nobody".to_owned() })]
    ForeignRegister {
        /// Who read.
        place: Place,
        /// The register that the instruction names.
        reg: ArchReg,
        /// The pack that was read.
        pack: Pack,
        /// Who wrote it last.
        found: Option<Owner>,
    },
    /// A lane has written a register whose pack holds only what other lanes have written since: it was released too early.
    #[error("{place}: lane {lane} has written r{reg}, and its value has been given back")]
    LostLane {
        /// Who read.
        place: Place,
        /// The register that the instruction names.
        reg: ArchReg,
        /// The first such lane.
        lane: u8,
    },
    /// A register that the warp has written has no pack: it was released too early.
    #[error("{place}: r{reg} has been written, and has no pack any more")]
    LostRegister {
        /// Who read.
        place: Place,
        /// The register that the instruction names.
        reg: ArchReg,
    },
    /// The hardware let a CTA use scratchpad that its partner uses: its locks are wrong.
    #[error("{place}: accesses scratchpad that CTA {cta} uses")]
    ForeignScratchpad {
        /// Who accesses it.
        place: Place,
        /// The partner, its number in the grid.
        cta: u64,
    },
    /// The register hardware named a pack that the machine does not have.
    #[error("{place}: r{reg} was mapped to pack {pack}, of {packs}")]
    NoSuchPack {
        /// Who asked.
        place: Place,
        /// The register that the instruction names.
        reg: ArchReg,
        /// The pack it was mapped to.
        pack: Pack,
        /// Packs of the SM.
        packs: u16,
    },
    /// The register hardware could not go on.
    #[error("register hardware, cycle {cycle}: {fault}")]
    Manager {
        /// SM cycle.
        cycle: u64,
        /// What happened.
        fault: ManagerFault,
    },
    /// A lane called through an address at which there is no function that takes and gives what the call says.
    #[error(
        "a call of an address where there is no function that it could call, at {place}, lane {lane}; give it the address of a function that \
         takes and gives what the call's prototype says"
    )]
    NoFunction {
        /// Where.
        place: Place,
        /// Lane of the warp, the first that did.
        lane: u32,
    },
    /// A warp executed `trap`.
    #[error("trap at {0}")]
    Trap(Place),
    /// A warp returned outside of a function.
    #[error("a return outside of a function at {0}")]
    Return(Place),
    /// A register stack was misused.
    #[error("{place}: {problem}")]
    Stack {
        /// Where.
        place: Place,
        /// What is wrong.
        problem: &'static str,
    },
    /// The trace that a run follows has become another since it was lifted, or was lifted wrongly.
    #[error("{message}")]
    Trace {
        /// Where and what.
        message: String,
    },
    /// A barrier was misused.
    #[error("{place}: barrier {number}: {problem}")]
    Barrier {
        /// Where.
        place: Place,
        /// Number of the barrier.
        number: u32,
        /// What is wrong.
        problem: &'static str,
    },
    /// No warp can ever go on.
    #[error("{0}")]
    Hang(Box<Hang>),
    /// The SM has work in every cycle, nothing is on its way, and no instruction issues.
    #[error(
        "no instruction has issued for {cycles} cycles, and nothing is on its way that could let one issue: the fault is the \
         scheme's, not the kernel's\n{state}"
    )]
    Livelock {
        /// So many.
        cycles: u32,
        /// What each warp was doing.
        state: Box<Hang>,
    },
    /// All warps go round in loops that wait for other threads, or wait for those.
    #[error(
        "for {cycles} cycles nothing has been done but to go round in loops that wait for what no thread writes; whoever is waited for has \
         ended, waits itself, is never chosen to issue, or has not been launched\n{state}"
    )]
    WaitsForEver {
        /// So many.
        cycles: u64,
        /// Lines of the rounds in which warps have been found, if that is how it is known.
        rounds: Vec<BTreeSet<Line>>,
        /// What each warp was doing.
        state: Box<Hang>,
    },
    /// The run takes longer than allowed; raise the limit.
    #[error(
        "the kernel has not ended after {limit} cycles; raise the cycle limit if it should run longer\n{state}"
    )]
    CycleLimit {
        /// The limit, cycles.
        limit: u64,
        /// What each warp was doing.
        state: Box<Hang>,
    },
    /// Something was still held or busy when everything had ended.
    #[error("at the end of the kernel: {0}")]
    Leak(String),
    /// Warps still hold registers although their CTA has ended.
    #[error("CTA {cta} has ended, but {}", held.iter().map(|h| format!("warp slot {} holds {}", h.warp, h.what)).collect::<Vec<_>>().join(", "))]
    Held {
        /// CTA, its number in the grid.
        cta: u64,
        /// What is held.
        held: Vec<Holding>,
    },
    /// It happened on one of several SMs.
    #[error("SM {sm}: {cause}")]
    OnSm {
        /// Number of the SM, from 0.
        sm: usize,
        /// What.
        cause: Box<RunError>,
    },
    /// The probe could not record.
    #[error("waveform: {0}")]
    Probe(#[from] ProbeError),
}

impl RunError {
    /// The same with the names of the files that its lines are of, and their numbers there, if the program is of several.
    #[must_use]
    pub fn in_files(mut self, files: &Files) -> Self {
        for place in self.places() {
            if let Some((file, line)) = files.place(place.line) {
                (place.file, place.line) = (Some(Arc::clone(file)), line);
            }
        }
        if let RunError::Launch(LaunchFault::Instruction { line, problem }) = &mut self
            && let Some((file, own)) = files.place(*line)
        {
            *line = own;
            problem.push_str(&format!(" (in {file})"));
        }
        self
    }

    fn places(&mut self) -> Vec<&mut Place> {
        match self {
            RunError::Memory { place, .. }
            | RunError::ForeignRegister { place, .. }
            | RunError::LostRegister { place, .. }
            | RunError::LostLane { place, .. }
            | RunError::ForeignScratchpad { place, .. }
            | RunError::NoSuchPack { place, .. }
            | RunError::NoFunction { place, .. }
            | RunError::Stack { place, .. }
            | RunError::Barrier { place, .. }
            | RunError::Trap(place)
            | RunError::Return(place) => vec![place],
            RunError::Hang(hang)
            | RunError::Livelock { state: hang, .. }
            | RunError::WaitsForEver { state: hang, .. }
            | RunError::CycleLimit { state: hang, .. } => {
                hang.warps.iter_mut().map(|warp| &mut warp.place).collect()
            }
            RunError::OnSm { cause, .. } => cause.places(),
            RunError::Launch(_)
            | RunError::Manager { .. }
            | RunError::Trace { .. }
            | RunError::Leak(_)
            | RunError::Held { .. }
            | RunError::Probe(_) => Vec::new(),
        }
    }
}

/// Result of a step of the pipeline.
pub(super) type Step<T = ()> = Result<T, Box<RunError>>;
