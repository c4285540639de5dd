//! What can go wrong with global memory, and how two images differ.

use std::fmt;

use thiserror::Error;

use super::MAX_TOTAL_BYTES;

/// An access that real hardware would answer with an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MemoryFault {
    /// Some byte of the access lies outside every allocation.
    #[error("access of {size_bytes} bytes at {addr:#x} is outside every allocation")]
    Unmapped {
        /// Address of the access.
        addr: u64,
        /// Size of the access in bytes.
        size_bytes: u64,
    },
    /// The address is not a multiple of the size of the access.
    #[error("access of {size_bytes} bytes at {addr:#x} is not naturally aligned")]
    Misaligned {
        /// Address of the access.
        addr: u64,
        /// Size of the access in bytes.
        size_bytes: u64,
    },
}

/// Why an allocation was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AllocationError {
    /// The name is taken; choose another.
    #[error("there is already an allocation named `{name}`")]
    DuplicateName {
        /// The name asked for.
        name: String,
    },
    /// An allocation holds at least one byte.
    #[error("allocation `{name}` has no bytes")]
    Empty {
        /// The name asked for.
        name: String,
    },
    /// A module-level variable overlaps another or lies outside its segment.
    #[error("variable `{name}` of {size_bytes} bytes cannot lie at {addr:#x}")]
    Misplaced {
        /// The variable.
        name: String,
        /// Its address.
        addr: u64,
        /// Its size, in bytes.
        size_bytes: u64,
    },
    /// The image would grow over [`MAX_TOTAL_BYTES`].
    #[error(
        "allocation `{name}` of {size_bytes} bytes exceeds the limit of {MAX_TOTAL_BYTES} bytes for all buffers"
    )]
    TooLarge {
        /// The name asked for.
        name: String,
        /// The size asked for, in bytes.
        size_bytes: u64,
    },
}

/// Where two images first differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The images do not have the same allocations.
    Layout {
        /// Index of the first allocation that differs in name, base or size, or that only one image has.
        index: usize,
    },
    /// An aligned 32-bit word differs.
    Word {
        /// Name of the allocation.
        allocation: String,
        /// Offset of the word from the base of the allocation, in bytes; a multiple of 4.
        offset_bytes: u64,
        /// The word in the left image; bytes behind the end of the allocation are 0.
        left: u32,
        /// The word in the right image.
        right: u32,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout { index } => {
                write!(f, "allocation number {index} differs in name, base or size")
            }
            Self::Word {
                allocation,
                offset_bytes,
                left,
                right,
            } => write!(
                f,
                "`{allocation}` differs first in the word at byte {offset_bytes}: {left:#010x} against {right:#010x}"
            ),
        }
    }
}
