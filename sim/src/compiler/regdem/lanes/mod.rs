//! How the numbers in a register differ from lane to lane of a warp, for what it costs to use them as addresses.
//!
//! 1. [`value`]: a stride from lane to lane, and of the rest how many different values there are and how far apart.
//! 2. `evaluate`: what an instruction makes of that.
//! 3. `places`: registers, and the words in which the compiler keeps them.
//! 4. `parted`: where lanes meet that took different ways.
//! 5. [`addresses`]: all of it along all paths.
//!
//! The predictor weighs accesses with this; nothing that must be right depends on it.

mod evaluate;
mod flow;
mod parted;
mod places;
pub mod value;

pub use flow::addresses;
pub use value::Value;

#[cfg(test)]
mod tests;
