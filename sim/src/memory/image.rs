//! The global memory of the simulated GPU: named allocations in a sparse 64-bit address space.
//!
//! Allocations lie one after the other from [`FIRST_BASE`] up, in the order in which they were made, each aligned to
//! [`ALIGNMENT_BYTES`] and followed by an unmapped guard of at least [`GUARD_BYTES`]. The same sequence of
//! allocations therefore always gives the same addresses, and an index that runs over the end of a buffer faults
//! instead of reading its neighbour.
//!
//! Values are little-endian. An access must be naturally aligned, as PTX demands.

use std::fmt;

mod fault;

pub use fault::{AllocationError, Difference, MemoryFault};

/// Address of the first allocation, in bytes. // assumed: above 4 GiB, so that an address cut to 32 bits faults
pub const FIRST_BASE: u64 = 0x1_0000_0000;
/// Address of the first module-level variable, in bytes; they have a segment of their own, below the buffers.
pub const MODULE_BASE: u64 = crate::kernel::address::MODULE_GLOBALS;
/// Alignment of every allocation, in bytes; what `cudaMalloc` guarantees.
pub const ALIGNMENT_BYTES: u64 = 256;
/// Least unmapped distance between two allocations, in bytes. // assumed
pub const GUARD_BYTES: u64 = 4096;
/// Most bytes that all allocations of one image may take together.
pub const MAX_TOTAL_BYTES: u64 = 1 << 30;

/// One named piece of global memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// Name, unique within its image.
    pub name: String,
    /// Address of the first byte, a multiple of [`ALIGNMENT_BYTES`].
    pub base: u64,
    /// Size in bytes, at least 1.
    pub size_bytes: u64,
}

impl Allocation {
    /// The address after the last byte.
    pub fn end(&self) -> u64 {
        self.base + self.size_bytes
    }
}

const GRANULE_SHIFT: u32 = ALIGNMENT_BYTES.trailing_zeros();

/// The contents of global memory.
///
/// Two images are equal when they have the same allocations in the same order with the same bytes.
#[derive(Clone, Default)]
pub struct MemoryImage {
    /// In order of address.
    allocations: Vec<Allocation>,
    buffers: Segment,
    module: Segment,
}

/// A range of addresses that is kept as one array.
#[derive(Clone, Default, PartialEq)]
struct Segment {
    /// All bytes, guards included (they stay zero and are never handed out).
    bytes: Vec<u8>,
    /// For every granule of `ALIGNMENT_BYTES`: how many of its first bytes are mapped. An aligned access never
    /// crosses a granule, so one look-up decides it.
    mapped: Vec<u16>,
}

impl Segment {
    /// Maps `size_bytes` behind all that is there; returns the offset.
    fn append(&mut self, size_bytes: u64) -> u64 {
        let offset = self.bytes.len() as u64;
        let room = size_bytes.next_multiple_of(ALIGNMENT_BYTES) + GUARD_BYTES;
        for first in (0..room).step_by(ALIGNMENT_BYTES as usize) {
            self.mapped
                .push(size_bytes.saturating_sub(first).min(ALIGNMENT_BYTES) as u16);
        }
        self.bytes.resize(self.bytes.len() + room as usize, 0);
        offset
    }

    /// Maps whole granules up to `end`, for variables that lie close together.
    fn grow_to(&mut self, end: u64) {
        let room = end.next_multiple_of(ALIGNMENT_BYTES) as usize;
        if room > self.bytes.len() {
            self.bytes.resize(room, 0);
            self.mapped
                .resize(room / ALIGNMENT_BYTES as usize, ALIGNMENT_BYTES as u16);
        }
    }
}

macro_rules! typed_access {
    ($($read:ident $write:ident $type:ty),*) => {$(
        #[doc = concat!("Reads a `", stringify!($type), "`.")]
        ///
        /// # Errors
        /// A fault where the access is outside the allocations or not naturally aligned.
        #[inline]
        pub fn $read(&self, addr: u64) -> Result<$type, MemoryFault> {
            const SIZE: usize = size_of::<$type>();
            let at = self.locate::<SIZE>(addr)?;
            match self.segment(addr).bytes.get(at..at + SIZE).and_then(|bytes| bytes.try_into().ok()) {
                Some(bytes) => Ok(<$type>::from_le_bytes(bytes)),
                None => Err(MemoryFault::Unmapped { addr, size_bytes: SIZE as u64 }),
            }
        }

        #[doc = concat!("Writes a `", stringify!($type), "`.")]
        ///
        /// # Errors
        /// A fault where the access is outside the allocations or not naturally aligned; nothing is written then.
        #[inline]
        pub fn $write(&mut self, addr: u64, value: $type) -> Result<(), MemoryFault> {
            const SIZE: usize = size_of::<$type>();
            let at = self.locate::<SIZE>(addr)?;
            match self.segment_mut(addr).bytes.get_mut(at..at + SIZE) {
                Some(bytes) => {
                    bytes.copy_from_slice(&value.to_le_bytes());
                    Ok(())
                }
                None => Err(MemoryFault::Unmapped { addr, size_bytes: SIZE as u64 }),
            }
        }
    )*};
}

impl MemoryImage {
    /// An image without allocations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a zeroed allocation behind the existing ones and returns its base address.
    ///
    /// # Errors
    /// The name is taken, the size is 0, or the image would exceed [`MAX_TOTAL_BYTES`].
    pub fn allocate(&mut self, name: &str, size_bytes: u64) -> Result<u64, AllocationError> {
        if self.allocation(name).is_some() {
            return Err(AllocationError::DuplicateName {
                name: name.to_owned(),
            });
        }
        if size_bytes == 0 {
            return Err(AllocationError::Empty {
                name: name.to_owned(),
            });
        }
        let held: u64 = self.allocations.iter().map(|a| a.size_bytes).sum();
        if size_bytes > MAX_TOTAL_BYTES - held {
            return Err(AllocationError::TooLarge {
                name: name.to_owned(),
                size_bytes,
            });
        }
        let base = FIRST_BASE + self.buffers.append(size_bytes);
        self.allocations.push(Allocation {
            name: name.to_owned(),
            base,
            size_bytes,
        });
        Ok(base)
    }

    /// Adds a module-level variable at the address that its reader gave it, from [`MODULE_BASE`] up. Between
    /// variables that share 256 bytes there is no guard.
    ///
    /// # Errors
    /// The name is taken, the size is 0, the place is taken or outside the segment, or the image is too large.
    pub fn place_variable(
        &mut self,
        name: &str,
        addr: u64,
        init: &[u8],
        size_bytes: u64,
    ) -> Result<(), AllocationError> {
        if self.allocation(name).is_some() {
            return Err(AllocationError::DuplicateName {
                name: name.to_owned(),
            });
        }
        if size_bytes == 0 || init.len() as u64 > size_bytes {
            return Err(AllocationError::Empty {
                name: name.to_owned(),
            });
        }
        let misplaced = || AllocationError::Misplaced {
            name: name.to_owned(),
            addr,
            size_bytes,
        };
        if size_bytes > MAX_TOTAL_BYTES || addr < MODULE_BASE || addr + size_bytes > FIRST_BASE {
            return Err(misplaced());
        }
        let index = self.allocations.partition_point(|a| a.base <= addr);
        let before = index.checked_sub(1).map(|i| &self.allocations[i]);
        let after = self.allocations.get(index);
        if before.is_some_and(|a| a.end() > addr)
            || after.is_some_and(|a| addr + size_bytes > a.base)
        {
            return Err(misplaced());
        }
        let at = (addr - MODULE_BASE) as usize;
        self.module.grow_to(addr - MODULE_BASE + size_bytes);
        self.module.bytes[at..at + init.len()].copy_from_slice(init);
        self.allocations.insert(
            index,
            Allocation {
                name: name.to_owned(),
                base: addr,
                size_bytes,
            },
        );
        Ok(())
    }

    #[inline]
    fn segment(&self, addr: u64) -> &Segment {
        if addr >= FIRST_BASE {
            &self.buffers
        } else {
            &self.module
        }
    }

    #[inline]
    fn segment_mut(&mut self, addr: u64) -> &mut Segment {
        if addr >= FIRST_BASE {
            &mut self.buffers
        } else {
            &mut self.module
        }
    }

    /// Offset of an address in its segment.
    #[inline]
    fn offset(addr: u64) -> u64 {
        addr.wrapping_sub(if addr >= FIRST_BASE {
            FIRST_BASE
        } else {
            MODULE_BASE
        })
    }

    /// The allocations in order of address.
    pub fn allocations(&self) -> &[Allocation] {
        &self.allocations
    }

    /// The allocation of that name.
    pub fn allocation(&self, name: &str) -> Option<&Allocation> {
        self.allocations.iter().find(|a| a.name == name)
    }

    /// The allocation that holds the byte at `addr`.
    pub fn allocation_at(&self, addr: u64) -> Option<&Allocation> {
        let after = self.allocations.partition_point(|a| a.base <= addr);
        self.allocations[..after].last().filter(|a| addr < a.end())
    }

    /// Says in words where `addr` is, for messages: inside an allocation, or how far behind which.
    pub fn describe(&self, addr: u64) -> String {
        let after = self.allocations.partition_point(|a| a.base <= addr);
        match self.allocations[..after].last() {
            None => format!("{addr:#x}, below every buffer"),
            Some(a) if addr < a.end() => {
                format!("{addr:#x}, byte {} of `{}`", addr - a.base, a.name)
            }
            Some(a) => format!(
                "{addr:#x}, {} bytes behind the end of `{}`",
                addr - a.end(),
                a.name
            ),
        }
    }

    typed_access!(
        read_u8 write_u8 u8,
        read_u16 write_u16 u16,
        read_u32 write_u32 u32,
        read_u64 write_u64 u64
    );

    /// The bytes from `addr` on, which may have any alignment.
    ///
    /// # Errors
    /// The range is not inside one allocation.
    pub fn slice(&self, addr: u64, size_bytes: u64) -> Result<&[u8], MemoryFault> {
        let at = self.locate_range(addr, size_bytes)?;
        Ok(&self.segment(addr).bytes[at..at + size_bytes as usize])
    }

    /// As [`MemoryImage::slice`], to write.
    ///
    /// # Errors
    /// The range is not inside one allocation.
    pub fn slice_mut(&mut self, addr: u64, size_bytes: u64) -> Result<&mut [u8], MemoryFault> {
        let at = self.locate_range(addr, size_bytes)?;
        Ok(&mut self.segment_mut(addr).bytes[at..at + size_bytes as usize])
    }

    /// The bytes of an allocation of this image.
    pub fn contents(&self, allocation: &Allocation) -> &[u8] {
        self.slice(allocation.base, allocation.size_bytes)
            .unwrap_or_default()
    }

    /// FNV-1a, 64 bit, over name, base, size and bytes of all allocations in order. The same on every machine.
    pub fn digest(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut feed = |bytes: &[u8]| {
            for &byte in bytes {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        };
        for allocation in &self.allocations {
            feed(&(allocation.name.len() as u64).to_le_bytes());
            feed(allocation.name.as_bytes());
            feed(&allocation.base.to_le_bytes());
            feed(&allocation.size_bytes.to_le_bytes());
            feed(self.contents(allocation));
        }
        hash
    }

    /// Where this image and `right` first differ, in order of address; `None` when they are equal.
    pub fn first_difference(&self, right: &Self) -> Option<Difference> {
        let count = self.allocations.len().max(right.allocations.len());
        for index in 0..count {
            let (Some(a), Some(b)) = (self.allocations.get(index), right.allocations.get(index))
            else {
                return Some(Difference::Layout { index });
            };
            if a != b {
                return Some(Difference::Layout { index });
            }
            let (ours, theirs) = (self.contents(a), right.contents(b));
            if let Some(byte) = ours.iter().zip(theirs).position(|(x, y)| x != y) {
                let word = byte & !3;
                let value = |bytes: &[u8]| {
                    bytes[word..]
                        .iter()
                        .take(4)
                        .rev()
                        .fold(0, |word: u32, &byte| word << 8 | u32::from(byte))
                };
                return Some(Difference::Word {
                    allocation: a.name.clone(),
                    offset_bytes: word as u64,
                    left: value(ours),
                    right: value(theirs),
                });
            }
        }
        None
    }

    #[inline]
    fn locate<const SIZE: usize>(&self, addr: u64) -> Result<usize, MemoryFault> {
        let size = SIZE as u64;
        let offset = Self::offset(addr);
        let mapped = self
            .segment(addr)
            .mapped
            .get((offset >> GRANULE_SHIFT) as usize)
            .copied()
            .unwrap_or(0);
        if !offset.is_multiple_of(size) {
            return Err(MemoryFault::Misaligned {
                addr,
                size_bytes: size,
            });
        }
        if offset % ALIGNMENT_BYTES + size > u64::from(mapped) {
            return Err(MemoryFault::Unmapped {
                addr,
                size_bytes: size,
            });
        }
        Ok(offset as usize)
    }

    fn locate_range(&self, addr: u64, size_bytes: u64) -> Result<usize, MemoryFault> {
        let fault = MemoryFault::Unmapped { addr, size_bytes };
        let inside = self.allocation_at(addr).ok_or(fault)?;
        if size_bytes > inside.end() - addr {
            return Err(fault);
        }
        Ok(Self::offset(addr) as usize)
    }
}

impl PartialEq for MemoryImage {
    fn eq(&self, right: &Self) -> bool {
        self.allocations == right.allocations
            && self.buffers == right.buffers
            && self.module == right.module
    }
}

impl Eq for MemoryImage {}

impl fmt::Debug for MemoryImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "MemoryImage {{ {:?}, digest {:#018x} }}",
            self.allocations,
            self.digest()
        )
    }
}

#[cfg(test)]
mod tests;
