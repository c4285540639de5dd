//! The hardware of RegMutex (III-B) and of its paired-warps specialisation (III-C).

pub mod srp_allocator;
