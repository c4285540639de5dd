//! What a run shows of itself: counters, and signals for waveforms.

pub mod counters;
pub mod probe;
pub mod wave;
