//! What a run shows of itself: counters, a stall table, timelines, and signals for waveforms.

pub mod bandwidth;
pub mod cause;
pub mod counters;
pub mod probe;
pub mod stalls;
#[cfg(test)]
pub(crate) mod testing;
pub mod timeline;
pub mod watch;
pub mod wave;
