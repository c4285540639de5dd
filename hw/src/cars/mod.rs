//! The hardware of CARS, concurrency-aware register stacks (IV-B).

pub mod cost;
pub mod stalled_warps;
pub mod table;
