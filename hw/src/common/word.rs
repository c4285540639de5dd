//! Shifts and slices of words of up to 32 bits in a machine word, to the same result as rust-hdl's, which allocates for each.
//!
//! `#[machine_words]` puts them into an `update`; Verilog is written from what stands in the source.

use rust_hdl::prelude::*;

pub use regshare_hw_macros::machine_words;

/// How far a word is shifted.
pub trait Places {
    /// Places.
    fn places(self) -> u64;
}

impl Places for u64 {
    #[inline]
    fn places(self) -> u64 {
        self
    }
}

impl<const M: usize> Places for Bits<M> {
    #[inline]
    fn places(self) -> u64 {
        self.to_u64()
    }
}

/// Widest word that rust-hdl keeps in a machine word.
const MACHINE_BITS: usize = 32;

/// A shift of a machine word by any number of places.
#[inline]
fn shifted(by: u64, shift: impl Fn(u32) -> Option<u64>) -> u64 {
    u32::try_from(by).ok().and_then(shift).unwrap_or(0)
}

/// The lowest `width_bits` bits.
#[inline]
fn mask(width_bits: usize) -> u64 {
    (1 << width_bits) - 1
}

/// `word << by`.
#[inline]
pub fn up<const N: usize>(word: Bits<N>, by: impl Places) -> Bits<N> {
    let by = by.places();
    if N > MACHINE_BITS {
        return word << by;
    }
    let value = shifted(by, |by| word.to_u64().checked_shl(by));
    Bits::from(value & mask(N))
}

/// `word >> by`.
#[inline]
pub fn down<const N: usize>(word: Bits<N>, by: impl Places) -> Bits<N> {
    let by = by.places();
    if N > MACHINE_BITS {
        return word >> by;
    }
    Bits::from(shifted(by, |by| word.to_u64().checked_shr(by)))
}

/// `word.get_bits::<M>(place)`.
#[inline]
pub fn slice<const M: usize, const N: usize>(word: Bits<N>, place: usize) -> Bits<M> {
    if N > MACHINE_BITS {
        return word.get_bits::<M>(place);
    }
    assert!(place <= N, "a slice at {place} of {N} bits");
    let value = shifted(place as u64, |by| word.to_u64().checked_shr(by));
    // Beyond 32 bits rust-hdl has another kind of word, which `From` knows.
    Bits::from(if M < N { value & mask(M) } else { value })
}
