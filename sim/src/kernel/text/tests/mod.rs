//! Printing and reading.

mod messages;
mod round_trip;
