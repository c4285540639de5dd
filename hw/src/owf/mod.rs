//! The hardware of resource sharing with owner-warp-first scheduling (Jatala, Anantpur, Karkare, HPDC 2016): sections III
//! to V.

pub mod cost;
pub mod dynamic_throttle;
pub mod owf_top;
pub mod pair_lock;
pub mod scratchpad_lock;
pub mod sharing;
pub mod warp_priority;
