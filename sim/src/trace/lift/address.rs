//! Addresses of a trace, as the SM has them.

use crate::kernel::address::WINDOW_BYTES;
use crate::kernel::op::Space;
use crate::trace::record::Header;

/// Most local memory of a thread that is kept apart; addresses beyond wrap around. // assumed: more than kernels have registers
pub const MOST_LOCAL_BYTES: u64 = 4096;

/// Where the windows of generic addresses lie.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    scratchpad_base: u64,
    scratchpad_bytes: u64,
    local_base: u64,
}

impl Windows {
    /// As the head says.
    pub fn of(header: &Header) -> Windows {
        Windows {
            scratchpad_base: header.scratchpad_base,
            scratchpad_bytes: header.scratchpad_bytes.into(),
            local_base: header.local_base,
        }
    }

    /// The memory that an address means, and the address in it. Scratchpad and local memory count from 0; they stand in
    /// traces with their windows or without.
    #[inline]
    pub fn find(&self, space: Space, address: u64) -> (Space, u64) {
        let inside = |base: u64| base != 0 && address.wrapping_sub(base) < WINDOW_BYTES;
        match space {
            Space::Shared if inside(self.scratchpad_base) => {
                (space, self.in_scratchpad(address - self.scratchpad_base))
            }
            Space::Shared => (space, self.in_scratchpad(address)),
            Space::Local if inside(self.local_base) => (space, address - self.local_base),
            Space::Local => (space, address),
            Space::Generic if inside(self.scratchpad_base) => (
                Space::Shared,
                self.in_scratchpad(address - self.scratchpad_base),
            ),
            Space::Generic if inside(self.local_base) => (Space::Local, address - self.local_base),
            _ => (space, address),
        }
    }

    /// No CTA has more scratchpad than the head says.
    fn in_scratchpad(&self, offset: u64) -> u64 {
        match self.scratchpad_bytes {
            0 => offset,
            bytes => offset % bytes,
        }
    }
}
