//! Traces of kernels in Accel-Sim's text format.

pub mod record;
