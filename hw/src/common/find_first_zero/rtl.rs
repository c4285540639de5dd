//! The shipped search: a tree of balanced four-way choices, depth log2 `NW`.

use super::{FindFirstZeroIn, FindFirstZeroOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive_bits, read_bits};
use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Groups of four that the tree always has room for: 4 x 16 = 64 mask bits.
const LEAVES: usize = 16;

/// Log-depth search: three levels of balanced four-way choices. `GROUPS` is `NW / 4`, `IW` is ceil(log2 `NW`).
#[derive(LogicBlock, Inputs)]
pub struct FindFirstZero<const NW: usize, const GROUPS: usize, const IW: usize> {
    /// The mask to search, bit 0 first.
    pub mask: Signal<In, Bits<NW>>,
    /// High if some bit of the mask is zero.
    pub found: Signal<Out, bool>,
    /// The lowest zero bit; 0 while `found` is low.
    pub index: Signal<Out, Bits<IW>>,
    group_low: [Signal<Local, bool>; GROUPS],
    group_found: [Signal<Local, bool>; LEAVES],
    group_index: [Signal<Local, Bits<IW>>; LEAVES],
    quad_low: [Signal<Local, bool>; 4],
    quad_found: [Signal<Local, bool>; 4],
    quad_index: [Signal<Local, Bits<IW>>; 4],
    low: Signal<Local, bool>,
    number: [Constant<Bits<IW>>; NW],
    zero: Constant<Bits<IW>>,
}

/// For 48 warps.
pub type FindFirstZero48 = FindFirstZero<48, 12, 6>;
/// For 64 warps.
pub type FindFirstZero64 = FindFirstZero<64, 16, 6>;
/// For 8 warps: small enough for a monolithic proof.
pub type FindFirstZero8 = FindFirstZero<8, 2, 3>;

impl<const NW: usize, const GROUPS: usize, const IW: usize> FindFirstZero<NW, GROUPS, IW> {
    /// A search over `NW` bits.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(NW == 4 * GROUPS && GROUPS <= LEAVES && NW <= 1 << IW) };
        Self {
            mask: Signal::default(),
            found: Signal::default(),
            index: Signal::default(),
            group_low: array::from_fn(|_| Signal::default()),
            group_found: array::from_fn(|_| Signal::default()),
            group_index: array::from_fn(|_| Signal::default()),
            quad_low: array::from_fn(|_| Signal::default()),
            quad_found: array::from_fn(|_| Signal::default()),
            quad_index: array::from_fn(|_| Signal::default()),
            low: Signal::default(),
            number: array::from_fn(|i| Constant::new((i as u64).into())),
            zero: Constant::new(0u64.into()),
        }
    }
}

impl<const NW: usize, const GROUPS: usize, const IW: usize> Default
    for FindFirstZero<NW, GROUPS, IW>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const NW: usize, const GROUPS: usize, const IW: usize> Logic
    for FindFirstZero<NW, GROUPS, IW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for g in 0..LEAVES {
            self.group_found[g].next = false;
            self.group_index[g].next = self.zero.val();
        }
        for g in 0..GROUPS {
            self.group_low[g].next =
                !(self.mask.val().get_bit(4 * g) & self.mask.val().get_bit((4 * g) + 1));
            self.group_found[g].next = self.group_low[g].val()
                | (!(self.mask.val().get_bit((4 * g) + 2) & self.mask.val().get_bit((4 * g) + 3)));
            if self.group_low[g].val() {
                if self.mask.val().get_bit(4 * g) {
                    self.group_index[g].next = self.number[(4 * g) + 1].val();
                } else {
                    self.group_index[g].next = self.number[4 * g].val();
                }
            } else {
                if self.mask.val().get_bit((4 * g) + 2) {
                    self.group_index[g].next = self.number[(4 * g) + 3].val();
                } else {
                    self.group_index[g].next = self.number[(4 * g) + 2].val();
                }
            }
        }
        for q in 0..4 {
            self.quad_low[q].next =
                self.group_found[4 * q].val() | self.group_found[(4 * q) + 1].val();
            self.quad_found[q].next = self.quad_low[q].val()
                | (self.group_found[(4 * q) + 2].val() | self.group_found[(4 * q) + 3].val());
            if self.quad_low[q].val() {
                if self.group_found[4 * q].val() {
                    self.quad_index[q].next = self.group_index[4 * q].val();
                } else {
                    self.quad_index[q].next = self.group_index[(4 * q) + 1].val();
                }
            } else {
                if self.group_found[(4 * q) + 2].val() {
                    self.quad_index[q].next = self.group_index[(4 * q) + 2].val();
                } else {
                    self.quad_index[q].next = self.group_index[(4 * q) + 3].val();
                }
            }
        }
        self.low.next = self.quad_found[0].val() | self.quad_found[1].val();
        self.found.next = self.low.val() | (self.quad_found[2].val() | self.quad_found[3].val());
        if self.low.val() {
            if self.quad_found[0].val() {
                self.index.next = self.quad_index[0].val();
            } else {
                self.index.next = self.quad_index[1].val();
            }
        } else if self.quad_found[2].val() {
            self.index.next = self.quad_index[2].val();
        } else if self.quad_found[3].val() {
            self.index.next = self.quad_index[3].val();
        } else {
            self.index.next = self.zero.val();
        }
    }
}

/// The tree behind the same interface as the model.
pub struct Rtl<const NW: usize, const GROUPS: usize, const IW: usize> {
    block: Box<FindFirstZero<NW, GROUPS, IW>>,
}

impl<const NW: usize, const GROUPS: usize, const IW: usize> Default for Rtl<NW, GROUPS, IW> {
    fn default() -> Self {
        let mut block = Box::new(FindFirstZero::new());
        block.connect_all();
        Self { block }
    }
}

impl<const NW: usize, const GROUPS: usize, const IW: usize> Clocked for Rtl<NW, GROUPS, IW> {
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
