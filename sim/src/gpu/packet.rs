//! What travels between SMs and memory.

/// Whose a request is: where its answer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A miss of the first-level data cache; the address finds who waits.
    Fill,
    /// A load or atomic that goes past it: the instruction in flight.
    Bypass(u32),
    /// A store: the warp slot.
    Store(u8),
    /// Data of a dirty line that had to go: nobody waits for the answer.
    Evicted,
    /// A miss of the instruction cache.
    Fetch,
}

/// From an SM to a slice of the second level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// First byte.
    pub address: u64,
    /// The address without the bits that chose the slice.
    pub within: u64,
    /// Bytes of the line that a store writes.
    pub byte_mask: u128,
    /// Bytes.
    pub bytes: u32,
    /// The slice.
    pub slice: u32,
    /// The SM.
    pub sm: u16,
    /// A store.
    pub write: bool,
    /// An atomic operation.
    pub atomic: bool,
    /// Where the answer goes.
    pub origin: Origin,
}

/// From a slice to an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The SM.
    pub sm: u16,
    /// The request's address.
    pub address: u64,
    /// Where it goes.
    pub origin: Origin,
}
