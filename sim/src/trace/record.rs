//! What a trace of a kernel says, after reading: a header, static instructions, and per warp which of them it executed.

use arrayvec::ArrayVec;

/// Register that always reads zero, as traces name it.
pub const ZERO_REGISTER: u8 = 255;

/// The head of a kernel trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Mangled name of the kernel.
    pub name: String,
    /// Number of the launch, from 1.
    pub id: u64,
    /// CTAs in x, y, z; 1 or more each.
    pub grid: [u32; 3],
    /// Threads of a CTA in x, y, z; 1 or more each, at most 1024 together.
    pub block: [u32; 3],
    /// Scratchpad of a CTA, bytes, static and dynamic.
    pub scratchpad_bytes: u32,
    /// Registers of a thread.
    pub regs: u16,
    /// Compute capability times ten: 60 to 90.
    pub binary_version: u16,
    /// CUDA stream.
    pub stream: u64,
    /// Generic addresses of scratchpad start here.
    pub scratchpad_base: u64,
    /// Generic addresses of local memory start here.
    pub local_base: u64,
    /// Version of NVBit, as written.
    pub nvbit_version: String,
    /// Version of the tracer, 1 to 6.
    pub tracer_version: u8,
    /// Each instruction names its source line.
    pub has_lines: bool,
}

impl Header {
    /// CTAs of the grid.
    pub fn ctas(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }

    /// Number of the CTA at this place of the grid, x first.
    pub fn cta_number(&self, [x, y, z]: [u32; 3]) -> u64 {
        let [width, height, _] = self.grid.map(u64::from);
        (u64::from(z) * height + u64::from(y)) * width + u64::from(x)
    }

    /// Threads of a CTA.
    pub fn threads_per_cta(&self) -> u32 {
        self.block.iter().product()
    }

    /// Warps of a CTA.
    pub fn warps_per_cta(&self) -> u32 {
        self.threads_per_cta().div_ceil(32)
    }
}

/// Which memory an instruction names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Device memory.
    Global,
    /// Memory of one thread.
    Local,
    /// Scratchpad of the CTA.
    Shared,
    /// Any of these, by address.
    Generic,
}

/// What an instruction does, as far as its time depends on it. Classes are those of the hardware's units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Moves, conversions, shuffles, votes: the integer unit, or the single-precision one where there is no other.
    Alu,
    /// Integer arithmetic.
    Int,
    /// Single precision.
    Sp,
    /// Half precision, on the single-precision unit.
    Half,
    /// Double precision.
    Dp,
    /// Special functions.
    Sfu,
    /// Matrix products.
    Tensor,
    /// Branches and convergence.
    Branch,
    /// Textures and surfaces.
    Texture,
    /// The uniform datapath.
    Uniform,
    /// A load.
    Load(Space),
    /// A store.
    Store(Space),
    /// An atomic operation or reduction on that memory.
    Atomic(Space),
    /// A copy from device memory to scratchpad (LDGSTS).
    AsyncCopy,
    /// A barrier of the CTA.
    Barrier,
    /// A memory fence.
    Fence,
    /// The lanes of the mask end.
    Exit,
}

impl Class {
    /// The memory it accesses, if it does.
    pub fn space(self) -> Option<Space> {
        match self {
            Class::Load(space) | Class::Store(space) | Class::Atomic(space) => Some(space),
            Class::AsyncCopy => Some(Space::Global),
            _ => None,
        }
    }
}

/// Registers besides the vector registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OtherRegisters {
    /// `UR0` to `UR63`, a bit for each.
    pub uniform: u64,
    /// A bit for each of `P0` to `P7` from bit 0, `UP0` to `UP7` from bit 8, `B0` to `B15` from bit 16.
    pub flags: u64,
}

impl OtherRegisters {
    /// Their names, file by file.
    pub fn names(self) -> impl Iterator<Item = String> {
        let files = [
            ("UR", self.uniform),
            ("P", self.flags & 0xff),
            ("UP", self.flags >> 8 & 0xff),
            ("B", self.flags >> 16 & 0xffff),
        ];
        files.into_iter().flat_map(|(file, bits)| {
            let numbers = (0..u64::BITS).filter(move |number| bits >> number & 1 == 1);
            numbers.map(move |number| format!("{file}{number}"))
        })
    }
}

/// An instruction of the program, as every warp executes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StaticInst {
    /// Its address, bytes from the start of the kernel.
    pub pc: u64,
    /// The opcode with all modifiers, as written: `LDG.E.STRONG.GPU`.
    pub opcode: String,
    /// What it does.
    pub class: Class,
    /// First register of each destination.
    pub dsts: ArrayVec<u8, 4>,
    /// First register of each source.
    pub srcs: ArrayVec<u8, 8>,
    /// Destinations that are no vector registers, where the trace names them.
    pub other_dsts: OtherRegisters,
    /// Such sources.
    pub other_srcs: OtherRegisters,
    /// Bytes that a lane accesses; 0: it accesses no memory.
    pub width_bytes: u8,
    /// The immediate (tracer version 4 and later), else 0.
    pub immediate: u64,
    /// Source line, where the trace has it.
    pub line: Option<u32>,
}

impl StaticInst {
    /// Whether a load goes past the first-level cache (`.STRONG.GPU`, `.STRONG.SYS`).
    pub fn is_strong(&self) -> bool {
        self.opcode.contains(".STRONG.GPU") || self.opcode.contains(".STRONG.SYS")
    }

    /// Opcode and registers, destinations first, and of each vector registers first.
    pub fn text(&self) -> String {
        let name = |reg: &u8| match *reg {
            ZERO_REGISTER => "RZ".to_owned(),
            reg => format!("R{reg}"),
        };
        let dsts = self.dsts.iter().map(name).chain(self.other_dsts.names());
        let srcs = self.srcs.iter().map(name).chain(self.other_srcs.names());
        let regs: Vec<String> = dsts.chain(srcs).collect();
        match regs.is_empty() {
            true => self.opcode.clone(),
            false => format!("{} {}", self.opcode, regs.join(", ")),
        }
    }
}

/// Addresses of a warp's access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Addresses {
    /// The first active lane has `base`, every next lane up to the last active one `stride` more.
    Strided {
        /// Address of the first active lane.
        base: u64,
        /// Bytes from lane to lane.
        stride: i64,
    },
    /// One address per active lane, in ascending order of lanes.
    Listed(Box<[u64]>),
}

impl Addresses {
    /// That of the first active lane.
    pub fn first(&self) -> u64 {
        match self {
            Addresses::Strided { base, .. } => *base,
            Addresses::Listed(list) => list.first().copied().unwrap_or(0),
        }
    }

    /// First byte and bytes, if the lanes of `mask`, `width` bytes each, are known to access bytes that follow each other.
    pub fn contiguous(&self, mask: u32, width: u64) -> Option<(u64, u64)> {
        match self {
            Addresses::Strided { base, stride } => {
                let lanes = mask.count_ones();
                let without_gap = lanes == u32::BITS - mask.leading_zeros() - mask.trailing_zeros();
                let follows = u64::try_from(*stride) == Ok(width) && without_gap;
                follows.then_some((*base, u64::from(lanes) * width))
            }
            Addresses::Listed(_) => None,
        }
    }

    /// Writes the address of every lane of `mask` into `out`; the others are left alone.
    pub fn expand(&self, mask: u32, out: &mut [u64; 32]) {
        let mut left = mask;
        let first = mask.trailing_zeros();
        let mut nth = 0;
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            out[lane as usize] = match self {
                Addresses::Strided { base, stride } => {
                    base.wrapping_add_signed(stride.wrapping_mul(i64::from(lane - first)))
                }
                Addresses::Listed(list) => list.get(nth).copied().unwrap_or(0),
            };
            nth += 1;
        }
    }
}

/// No addresses.
pub const NO_ADDRESSES: u32 = u32::MAX;

/// One execution of an instruction by a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executed {
    /// Index of the instruction in [`Program::insts`].
    pub inst: u32,
    /// Lanes that execute it; 0 where a guard stopped all.
    pub mask: u32,
    /// Index into [`WarpTrace::addresses`], or [`NO_ADDRESSES`].
    pub addresses: u32,
}

/// What a warp executed, from its first instruction to its last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WarpTrace {
    /// Warp of the CTA, from 0.
    pub warp: u32,
    /// Its instructions, in order.
    pub insts: Vec<Executed>,
    /// Addresses of those that access memory.
    pub addresses: Vec<Addresses>,
}

/// What a CTA executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CtaTrace {
    /// Its place in the grid.
    pub index: [u32; 3],
    /// Its warps, in ascending order; a warp that the trace leaves out executed nothing.
    pub warps: Vec<WarpTrace>,
}

/// All static instructions met so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// In the order in which they were first met.
    pub insts: Vec<StaticInst>,
}

/// A line of a kernel list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Memory copied from host to device: address and bytes.
    CopyToDevice {
        /// Device address.
        address: u64,
        /// Length.
        bytes: u64,
    },
    /// A kernel trace, by file name beside the list.
    Kernel(String),
}
