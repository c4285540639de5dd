//! What can be wrong with a trace, told with file, line and cure.

use std::fmt;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use super::opcode::Generation;

/// Why a trace was refused.
pub struct TraceError(Box<Inner>);

struct Inner {
    file: PathBuf,
    line: u64,
    kind: TraceErrorKind,
}

/// What is wrong; [`TraceErrorKind::cure`] says what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TraceErrorKind {
    /// The operating system could not open or read the file.
    #[error("cannot be read: {message}")]
    Io {
        /// What the system says.
        message: String,
    },
    /// It is no file.
    #[error("is a folder")]
    Folder,
    /// The packed data are damaged or cut off.
    #[error("cannot be unpacked as {format}: {message}")]
    Unpack {
        /// `xz` or `zstd`.
        format: &'static str,
        /// What the unpacker says.
        message: String,
    },
    /// A line longer than any that a tracer writes.
    #[error("the line is longer than {limit} bytes")]
    LongLine {
        /// The limit.
        limit: usize,
    },
    /// The file ends too early.
    #[error("the file ends {place}")]
    Truncated {
        /// Inside what.
        place: String,
    },
    /// A head line that must be there is not.
    #[error("the head lacks `-{field} = ..`")]
    MissingField {
        /// The field.
        field: &'static str,
    },
    /// A head line stands twice.
    #[error("the head has `-{field} = ..` a second time")]
    RepeatedField {
        /// The field.
        field: &'static str,
    },
    /// A value of the wrong kind or out of range.
    #[error("{what} is {found:?}, not {expected}")]
    BadValue {
        /// What the value is.
        what: String,
        /// The text.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// The line is not what may stand there.
    #[error("{found:?} where {expected} should be")]
    Unexpected {
        /// The text.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A CTA or warp comes twice.
    #[error("{what} comes a second time")]
    Repeated {
        /// CTA or warp.
        what: String,
    },
    /// More or fewer instructions than announced.
    #[error("warp {warp} has {found} instructions, not the {announced} of its `insts =` line")]
    WrongCount {
        /// Warp of the CTA.
        warp: u32,
        /// As announced.
        announced: u64,
        /// As counted.
        found: u64,
    },
    /// The last instruction of a warp ends no lane, or lanes never end.
    #[error("warp {warp} ends without EXIT of lanes {lanes:#010x}")]
    MissingExit {
        /// Warp of the CTA.
        warp: u32,
        /// The lanes that never end.
        lanes: u32,
    },
    /// An instruction after the end of its lanes.
    #[error("lanes {lanes:#010x} of warp {warp} execute after their EXIT")]
    AfterExit {
        /// Warp of the CTA.
        warp: u32,
        /// The lanes.
        lanes: u32,
    },
    /// Lanes beyond the threads of the CTA.
    #[error("the mask has lanes {lanes:#010x}, beyond the threads of the CTA")]
    NoSuchLanes {
        /// The lanes.
        lanes: u32,
    },
    /// The hardware that the kernel was traced on has no such instruction.
    #[error("unknown opcode {opcode} for {generation}")]
    UnknownOpcode {
        /// Without modifiers.
        opcode: String,
        /// The hardware.
        generation: Generation,
    },
    /// A register beyond those of the kernel.
    #[error("register R{register} is out of range: the kernel has {registers} registers")]
    RegisterRange {
        /// As written.
        register: u64,
        /// As the head says.
        registers: u16,
    },
    /// An operand of several registers that begins among those of the kernel and ends beyond them.
    #[error(
        "{opcode} has R{first} to R{last}, and R{last} is out of range: the kernel has {registers} registers"
    )]
    WideRange {
        /// The opcode with modifiers.
        opcode: String,
        /// As written.
        first: u8,
        /// What the opcode makes of it.
        last: u16,
        /// As the head says.
        registers: u16,
    },
    /// A register that no kernel can have.
    #[error(
        "register R{register} is out of range: registers are R0 to R254, and R255 or RZ for zero"
    )]
    NoSuchRegister {
        /// As written.
        register: u64,
    },
    /// A memory instruction without addresses.
    #[error("{opcode} accesses memory, but the line has no addresses")]
    NoAddresses {
        /// The opcode with modifiers.
        opcode: String,
    },
    /// Base and stride only fit lanes side by side.
    #[error(
        "base and stride cannot give the addresses of lanes {mask:#010x}, which are not side by side"
    )]
    StrideWithGaps {
        /// The mask of the line.
        mask: u32,
    },
    /// A list names a kernel trace in a way that Accel-Sim does not take for one either.
    #[error(
        "{found:?} is no name of a kernel trace in a list: that begins with `kernel`, has `.traceg` in it and no folder"
    )]
    KernelName {
        /// The line.
        found: String,
    },
    /// A list names a kernel trace that is not there.
    #[error("{name}: cannot be read: {message}")]
    NoKernelFile {
        /// As the list has it.
        name: String,
        /// What the system says.
        message: String,
    },
    /// A list without a kernel.
    #[error("the list names no kernel")]
    NoKernels,
    /// The trace has fewer CTAs than the grid.
    #[error("the file ends after {found} of {grid} CTAs")]
    MissingCtas {
        /// As read.
        found: u64,
        /// As the head says.
        grid: u64,
    },
}

impl TraceErrorKind {
    /// What to do about it.
    pub fn cure(&self) -> String {
        use TraceErrorKind::*;
        match self {
            Io { .. } => "check that the file is there and may be read; the names in a kernel list are relative to the list".into(),
            Folder => "give the list of kernels in it, `kernelslist.g`, or one of its kernel traces (`.traceg`)".into(),
            Unpack { .. } | Truncated { .. } | MissingCtas { .. } => {
                "copy or trace it again: the file is damaged or cut off".into()
            }
            LongLine { .. } => "give a kernel trace (`.traceg`) in text form, plain or packed as xz or zstd".into(),
            MissingField { field } => format!("add `-{field} = ..` to the head, or trace the kernel again"),
            RepeatedField { .. } => "keep one of the two lines".into(),
            BadValue { .. } | Unexpected { .. } => {
                "write the line as the tracer does (docs/traces.md describes each), or trace the kernel again".into()
            }
            Repeated { .. } => "keep one of the two; each CTA and each warp stands in a trace once".into(),
            WrongCount { .. } => "trace the kernel again, or correct the `insts =` line".into(),
            MissingExit { .. } => "trace the kernel to its end: every lane of a warp must execute EXIT".into(),
            AfterExit { .. } => "trace the kernel again: a lane ends with its EXIT".into(),
            NoSuchLanes { .. } => "trace the kernel again, or correct `-block dim`".into(),
            UnknownOpcode { opcode, .. } => format!(
                "check `-binary version`, or say what it does with `--unknown-opcode {opcode}=CLASS`"
            ),
            RegisterRange { .. } | WideRange { .. } => {
                "correct `-nregs` to the registers that the kernel was compiled for, or allow it with `--undeclared-registers`".into()
            }
            NoSuchRegister { .. } => "correct the line, or trace the kernel again".into(),
            NoAddresses { .. } => "trace the kernel again: the access size must not be 0".into(),
            StrideWithGaps { .. } => "list the addresses (mode 0) or give base and differences (mode 2)".into(),
            KernelName { .. } => {
                "rename the file so, lay it beside the list, and name it there by its new name; Accel-Sim has the same rule".into()
            }
            NoKernelFile { .. } => "lay the file beside the list, or take the line out of it".into(),
            NoKernels => {
                "add a line with the name of a kernel trace, such as `kernel-1.traceg`; the tracer's `post-traces-processing` \
                 writes the whole list".into()
            }
        }
    }

    /// Puts the place to it.
    pub fn at(self, file: &Path, line: u64) -> TraceError {
        TraceError(Box::new(Inner {
            file: file.to_owned(),
            line,
            kind: self,
        }))
    }
}

impl TraceError {
    /// What is wrong.
    pub fn kind(&self) -> &TraceErrorKind {
        &self.0.kind
    }

    /// The file, as it was named to the reader.
    pub fn file(&self) -> &Path {
        &self.0.file
    }

    /// The line, from 1; 0: the file as a whole.
    pub fn line(&self) -> u64 {
        self.0.line
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { file, line, kind } = &*self.0;
        match line {
            0 => write!(f, "{}: {kind}", file.display()),
            _ => write!(f, "{}:{line}: {kind}", file.display()),
        }
    }
}

impl fmt::Debug for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for TraceError {}

impl Diagnostic for TraceError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.0.kind.cure()))
    }
}
