//! The search as a chain, one stage per bit: small source, depth `NW`. Not used by any unit; kept to compare with.

use super::{FindFirstZeroIn, FindFirstZeroOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive_bits, read_bits};
use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Linear search. `IW` is ceil(log2 `NW`).
#[derive(LogicBlock, Inputs)]
pub struct LinearFindFirstZero<const NW: usize, const IW: usize> {
    /// The mask to search, bit 0 first.
    pub mask: Signal<In, Bits<NW>>,
    /// High if some bit of the mask is zero.
    pub found: Signal<Out, bool>,
    /// The lowest zero bit; 0 while `found` is low.
    pub index: Signal<Out, Bits<IW>>,
    hit: Signal<Local, bool>,
    first: Signal<Local, Bits<IW>>,
    number: [Constant<Bits<IW>>; NW],
    zero: Constant<Bits<IW>>,
}

/// For 48 warps.
pub type LinearFindFirstZero48 = LinearFindFirstZero<48, 6>;
/// For 64 warps.
pub type LinearFindFirstZero64 = LinearFindFirstZero<64, 6>;

impl<const NW: usize, const IW: usize> LinearFindFirstZero<NW, IW> {
    /// A search over `NW` bits.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(NW <= 1 << IW) };
        Self {
            mask: Signal::default(),
            found: Signal::default(),
            index: Signal::default(),
            hit: Signal::default(),
            first: Signal::default(),
            number: array::from_fn(|i| Constant::new((i as u64).into())),
            zero: Constant::new(0u64.into()),
        }
    }
}

impl<const NW: usize, const IW: usize> Default for LinearFindFirstZero<NW, IW> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const NW: usize, const IW: usize> Logic for LinearFindFirstZero<NW, IW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.hit.next = false;
        self.first.next = self.zero.val();
        for i in 0..NW {
            if (!self.hit.val()) & (!self.mask.val().get_bit(i)) {
                self.hit.next = true;
                self.first.next = self.number[i].val();
            }
        }
        self.found.next = self.hit.val();
        self.index.next = self.first.val();
    }
}

/// The chain behind the same interface as the model.
pub struct Rtl<const NW: usize, const IW: usize> {
    block: Box<LinearFindFirstZero<NW, IW>>,
}

impl<const NW: usize, const IW: usize> Default for Rtl<NW, IW> {
    fn default() -> Self {
        let mut block = Box::new(LinearFindFirstZero::new());
        block.connect_all();
        Self { block }
    }
}

impl<const NW: usize, const IW: usize> Clocked for Rtl<NW, IW> {
    type In = FindFirstZeroIn<NW>;
    type Out = FindFirstZeroOut<NW>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        drive_bits(&mut self.block.mask, pins.mask);
        self.block.update();
        FindFirstZeroOut {
            found: self.block.found.val(),
            index: read_bits(&self.block.index) as u8,
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        self.outputs(pins)
    }
}
