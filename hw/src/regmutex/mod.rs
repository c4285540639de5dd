//! The hardware of RegMutex (III-B) and of its paired-warps specialisation (III-C).

pub mod paired_lock;
pub mod paired_mapper;
pub mod paired_top;
pub mod register_mapper;
pub mod regmutex_top;
pub mod srp_allocator;
