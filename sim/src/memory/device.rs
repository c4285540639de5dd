//! Device memory as loads and stores see it: the memory image and the kernel's module-level variables.

use super::image::{FIRST_BASE, MemoryFault, MemoryImage};
use crate::kernel::GlobalVar;

#[derive(Clone, Debug)]
struct Variable {
    address: u64,
    size_bytes: u64,
    constant: bool,
    /// Contents; `None` when the image holds the variable.
    bytes: Option<Vec<u8>>,
}

/// Why device memory refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceFault {
    /// Unmapped or misaligned.
    Fault(MemoryFault),
    /// A store to the constant bank.
    ReadOnly,
}

/// Device memory.
#[derive(Clone, Debug, Default)]
pub struct DeviceMemory {
    image: MemoryImage,
    variables: Vec<Variable>,
}

impl DeviceMemory {
    /// The image, and those variables that it does not hold yet with their initial contents.
    pub fn new(image: MemoryImage, variables: &[GlobalVar]) -> Self {
        let variables = variables
            .iter()
            .map(|var| {
                let held = (image.allocation(&var.name)).is_some_and(|a| a.base == var.address);
                let contents = || {
                    let mut bytes = var.init.clone();
                    bytes.resize(var.size_bytes as usize, 0);
                    bytes
                };
                Variable {
                    address: var.address,
                    size_bytes: var.size_bytes,
                    constant: var.constant,
                    bytes: (!held).then(contents),
                }
            })
            .collect();
        DeviceMemory { image, variables }
    }

    /// The image after the run.
    pub fn into_image(self) -> MemoryImage {
        self.image
    }

    /// Reads `bytes` (1, 2, 4 or 8), little-endian.
    ///
    /// # Errors
    /// Unmapped or misaligned.
    #[inline]
    pub fn read(&self, address: u64, bytes: u64) -> Result<u64, DeviceFault> {
        if address < FIRST_BASE
            && let Some(variable) = self.variable(address)
            && let Some(contents) = &self.variables[variable].bytes
        {
            let range = range(&self.variables[variable], address, bytes)?;
            let cell = &contents[range];
            return Ok(cell.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b)));
        }
        match bytes {
            1 => self.image.read_u8(address).map(u64::from),
            2 => self.image.read_u16(address).map(u64::from),
            4 => self.image.read_u32(address).map(u64::from),
            _ => self.image.read_u64(address),
        }
        .map_err(DeviceFault::Fault)
    }

    /// Writes the low `bytes` (1, 2, 4 or 8) of `value`.
    ///
    /// # Errors
    /// Unmapped, misaligned or constant.
    #[inline]
    pub fn write(&mut self, address: u64, bytes: u64, value: u64) -> Result<(), DeviceFault> {
        if address < FIRST_BASE
            && let Some(index) = self.variable(address)
        {
            let variable = &mut self.variables[index];
            if variable.constant {
                return Err(DeviceFault::ReadOnly);
            }
            let range = range(variable, address, bytes)?;
            if let Some(contents) = &mut variable.bytes {
                contents[range].copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
                return Ok(());
            }
        }
        match bytes {
            1 => self.image.write_u8(address, value as u8),
            2 => self.image.write_u16(address, value as u16),
            4 => self.image.write_u32(address, value as u32),
            _ => self.image.write_u64(address, value),
        }
        .map_err(DeviceFault::Fault)
    }

    fn variable(&self, address: u64) -> Option<usize> {
        self.variables
            .iter()
            .position(|v| address.wrapping_sub(v.address) < v.size_bytes)
    }
}

fn range(
    variable: &Variable,
    address: u64,
    bytes: u64,
) -> Result<std::ops::Range<usize>, DeviceFault> {
    let at = address - variable.address;
    if at + bytes > variable.size_bytes {
        return Err(DeviceFault::Fault(MemoryFault::Unmapped {
            addr: address,
            size_bytes: bytes,
        }));
    }
    Ok(at as usize..(at + bytes) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(constant: bool) -> GlobalVar {
        GlobalVar {
            name: "table".to_owned(),
            address: 0x4000_0000,
            size_bytes: 8,
            init: vec![1, 2],
            constant,
        }
    }

    #[test]
    fn variable_starts_with_its_contents_and_zeros() {
        let memory = DeviceMemory::new(MemoryImage::new(), &[variable(true)]);
        assert_eq!(memory.read(0x4000_0000, 8), Ok(0x0201));
        assert!(memory.read(0x4000_0008, 1).is_err());
    }

    #[test]
    fn constant_variable_cannot_be_written() {
        let mut memory = DeviceMemory::new(MemoryImage::new(), &[variable(true)]);
        assert_eq!(memory.write(0x4000_0000, 4, 5), Err(DeviceFault::ReadOnly));
        let mut memory = DeviceMemory::new(MemoryImage::new(), &[variable(false)]);
        assert_eq!(memory.write(0x4000_0004, 4, 5), Ok(()));
        assert_eq!(memory.read(0x4000_0004, 4), Ok(5));
    }

    #[test]
    fn buffers_are_those_of_the_image() {
        let mut image = MemoryImage::new();
        let base = image.allocate("a", 16).unwrap();
        let mut memory = DeviceMemory::new(image, &[]);
        memory.write(base + 8, 4, 7).unwrap();
        assert_eq!(memory.read(base + 8, 8), Ok(7));
        assert_eq!(memory.into_image().read_u32(base + 8), Ok(7));
    }
}
