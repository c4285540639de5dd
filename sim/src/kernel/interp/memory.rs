//! The memory spaces as one thread sees them.

use crate::kernel::op::{Mem, Space, Ty};
use crate::kernel::{GlobalVar, Kernel, address, exec};
use crate::memory::image::{MemoryFault, MemoryImage};

/// Global memory that a kernel runs on.
pub trait GlobalMemory {
    /// Reads `size_bytes` (1, 2, 4 or 8) bytes, little-endian, zero-extended.
    ///
    /// # Errors
    /// The access is misaligned or outside every allocation.
    fn read(&self, addr: u64, size_bytes: u32) -> Result<u64, MemoryFault>;

    /// Writes the low `size_bytes` (1, 2, 4 or 8) bytes of `value`.
    ///
    /// # Errors
    /// The access is misaligned or outside every allocation; nothing is written.
    fn write(&mut self, addr: u64, size_bytes: u32, value: u64) -> Result<(), MemoryFault>;
}

impl GlobalMemory for MemoryImage {
    fn read(&self, addr: u64, size_bytes: u32) -> Result<u64, MemoryFault> {
        match size_bytes {
            1 => self.read_u8(addr).map(u64::from),
            2 => self.read_u16(addr).map(u64::from),
            4 => self.read_u32(addr).map(u64::from),
            _ => self.read_u64(addr),
        }
    }

    fn write(&mut self, addr: u64, size_bytes: u32, value: u64) -> Result<(), MemoryFault> {
        match size_bytes {
            1 => self.write_u8(addr, value as u8),
            2 => self.write_u16(addr, value as u16),
            4 => self.write_u32(addr, value as u32),
            _ => self.write_u64(addr, value),
        }
    }
}

/// Why an access cannot be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccessFault {
    /// Outside the `size_bytes` bytes that the space has.
    #[error("{space:?} address {addr:#x} is outside the {size_bytes} bytes of the space")]
    OutOfBounds {
        /// The space.
        space: Space,
        /// Address in the space.
        addr: u64,
        /// Size of the space, bytes.
        size_bytes: u64,
    },
    /// The address is not a multiple of the size of the whole access.
    #[error("address {addr:#x} is not a multiple of the {size_bytes} bytes of the access")]
    Misaligned {
        /// Address in the space.
        addr: u64,
        /// Size of the access, bytes.
        size_bytes: u32,
    },
    /// Parameters and constants cannot be written.
    #[error("{space:?} address {addr:#x} is read only")]
    ReadOnly {
        /// The space.
        space: Space,
        /// Address in the space.
        addr: u64,
    },
    /// Global memory says no.
    #[error(transparent)]
    Global(#[from] MemoryFault),
}

/// Module-level variables of a kernel with their contents, at the addresses that its reader gave them: for a
/// global memory that does not hold them itself. Global memory is asked first.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ModuleMemory {
    vars: Vec<(GlobalVar, Vec<u8>)>,
}

impl ModuleMemory {
    /// The variables of `kernel` with their initial contents; the rest is zero.
    pub fn new(kernel: &Kernel) -> Self {
        let contents = |var: &GlobalVar| {
            let mut bytes = var.init.clone();
            bytes.resize(var.size_bytes as usize, 0);
            bytes
        };
        ModuleMemory {
            vars: kernel
                .globals
                .iter()
                .map(|var| (var.clone(), contents(var)))
                .collect(),
        }
    }

    /// The variable that holds the byte at `addr`, and its bytes.
    fn find(&self, addr: u64) -> Option<usize> {
        self.vars
            .iter()
            .position(|(var, _)| addr.wrapping_sub(var.address) < var.size_bytes)
    }

    /// Whether `addr` is in a variable of the constant bank.
    pub fn is_constant(&self, addr: u64) -> bool {
        self.find(addr)
            .is_some_and(|found| self.vars[found].0.constant)
    }

    /// Reads from a variable; `None` where `addr` is in none.
    pub fn read(&self, addr: u64, size_bytes: u32) -> Option<Result<u64, AccessFault>> {
        let (var, bytes) = &self.vars[self.find(addr)?];
        let at = (addr - var.address) as usize;
        Some(read_bytes(bytes, at as u64, size_bytes, Space::Global))
    }

    /// Writes to a variable; `None` where `addr` is in none.
    pub fn write(
        &mut self,
        addr: u64,
        size_bytes: u32,
        value: u64,
    ) -> Option<Result<(), AccessFault>> {
        let found = self.find(addr)?;
        let (var, bytes) = &mut self.vars[found];
        let at = addr - var.address;
        Some(write_bytes(bytes, at, size_bytes, value, Space::Global))
    }
}

pub(super) fn read_bytes(
    bytes: &[u8],
    at: u64,
    size_bytes: u32,
    space: Space,
) -> Result<u64, AccessFault> {
    let range = usize::try_from(at)
        .ok()
        .and_then(|start| bytes.get(start..start.checked_add(size_bytes as usize)?));
    match range {
        Some(range) => Ok(range.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b))),
        None => Err(AccessFault::OutOfBounds {
            space,
            addr: at,
            size_bytes: bytes.len() as u64,
        }),
    }
}

pub(super) fn write_bytes(
    bytes: &mut [u8],
    at: u64,
    size_bytes: u32,
    value: u64,
    space: Space,
) -> Result<(), AccessFault> {
    let size = bytes.len() as u64;
    let range = usize::try_from(at)
        .ok()
        .and_then(|start| bytes.get_mut(start..start.checked_add(size_bytes as usize)?));
    match range {
        Some(range) => {
            range.copy_from_slice(&value.to_le_bytes()[..size_bytes as usize]);
            Ok(())
        }
        None => Err(AccessFault::OutOfBounds {
            space,
            addr: at,
            size_bytes: size,
        }),
    }
}

/// All spaces of one thread.
pub(super) struct Spaces<'a, M> {
    pub global: &'a mut M,
    pub module: &'a mut ModuleMemory,
    pub shared: &'a mut [u8],
    pub local: &'a mut [u8],
    pub params: &'a [u8],
}

impl<M: GlobalMemory> Spaces<'_, M> {
    /// The space behind a generic address, and the address in it.
    fn resolve(space: Space, addr: u64) -> (Space, u64) {
        if space != Space::Generic {
            return (space, addr);
        }
        match exec::space_of(addr) {
            Space::Shared => (Space::Shared, addr - address::SHARED_WINDOW),
            Space::Local => (Space::Local, addr - address::LOCAL_WINDOW),
            other => (other, addr),
        }
    }

    /// Reads one element; `addr` includes the offset.
    pub fn read(&self, space: Space, addr: u64, size_bytes: u32) -> Result<u64, AccessFault> {
        let (space, at) = Self::resolve(space, addr);
        match space {
            Space::Shared => read_bytes(self.shared, at, size_bytes, space),
            Space::Local => read_bytes(self.local, at, size_bytes, space),
            Space::Param => read_bytes(self.params, at, size_bytes, space),
            Space::Global | Space::Const | Space::Generic => {
                match self.global.read(at, size_bytes) {
                    Err(fault @ MemoryFault::Unmapped { .. }) => self
                        .module
                        .read(at, size_bytes)
                        .unwrap_or(Err(fault.into())),
                    other => Ok(other?),
                }
            }
        }
    }

    /// Writes one element; `addr` includes the offset.
    pub fn write(
        &mut self,
        space: Space,
        addr: u64,
        size_bytes: u32,
        value: u64,
    ) -> Result<(), AccessFault> {
        let (space, at) = Self::resolve(space, addr);
        match space {
            Space::Shared => write_bytes(self.shared, at, size_bytes, value, space),
            Space::Local => write_bytes(self.local, at, size_bytes, value, space),
            Space::Param | Space::Const => Err(AccessFault::ReadOnly { space, addr: at }),
            Space::Global | Space::Generic if self.module.is_constant(at) => {
                Err(AccessFault::ReadOnly {
                    space: Space::Const,
                    addr: at,
                })
            }
            Space::Global | Space::Generic => match self.global.write(at, size_bytes, value) {
                Err(fault @ MemoryFault::Unmapped { .. }) => self
                    .module
                    .write(at, size_bytes, value)
                    .unwrap_or(Err(fault.into())),
                other => Ok(other?),
            },
        }
    }
}

/// Natural alignment of a whole access, vectors included.
pub(super) fn check_alignment(mem: Mem, addr: u64) -> Result<(), AccessFault> {
    let size_bytes = mem.ty.size_bytes() * u32::from(mem.vec);
    if addr.is_multiple_of(u64::from(size_bytes)) {
        Ok(())
    } else {
        Err(AccessFault::Misaligned { addr, size_bytes })
    }
}

/// A loaded element as a register holds it: signed sub-word types are sign-extended to 32 bits.
pub fn extend(ty: Ty, bits: u64) -> u64 {
    match ty {
        Ty::S8 => u64::from(bits as i8 as u32),
        Ty::S16 => u64::from(bits as i16 as u32),
        _ => bits,
    }
}
