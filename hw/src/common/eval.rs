//! Steps a rust-hdl block without rust-hdl's threaded `Simulation`.

use rust_hdl::prelude::*;

/// Lets every signal of `block` settle. Returns the number of passes.
///
/// A block without combinational loops (rust-hdl's `check_all`, run in every unit's tests, refuses loops) settles
/// within a few passes per level of hierarchy; the bound is far above that.
pub fn settle<B: Block>(block: &mut B) -> u32 {
    for pass in 1..64 {
        block.update_all();
        if !block.has_changed() {
            return pass;
        }
    }
    64
}

/// Drives an input and takes the value over at once, so that the next `update` sees it.
#[inline]
pub fn drive<T: Synth>(signal: &mut Signal<In, T>, value: T) {
    signal.next = value;
    signal.update_all();
}

/// Drives an input bus with a number; bits above `N` are dropped, as at a port.
#[inline]
pub fn drive_bits<const N: usize>(signal: &mut Signal<In, Bits<N>>, value: u64) {
    drive(signal, Bits::from(value & (u64::MAX >> (64 - N))));
}

/// An output bus as a number.
#[inline]
pub fn read_bits<const N: usize>(signal: &Signal<Out, Bits<N>>) -> u64 {
    u64::from(signal.val())
}

/// One clock pulse on a block whose inputs are set: the rising edge, all settled. The falling edge is only driven: it changes no
/// state, so that it settles together with the next inputs. Between two pulses there must be a [`settle`].
#[macro_export]
#[doc(hidden)] // Public for the tests, which are a crate of their own.
macro_rules! pulse {
    ($block:expr) => {
        $crate::common::eval::drive(&mut $block.clock, true.into());
        $crate::common::eval::settle($block);
        $crate::common::eval::drive(&mut $block.clock, false.into());
    };
}
pub use crate::pulse;
