//! Which packs are not offered: those that a smaller register file does not have, and those of registers that are not
//! renamed. They are the same in every bank, so they are worked out once.

use super::kept_packs;
use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Of a bank of `C` chunks of `W` packs, the highest packs, which `shrink` leaves out, and the lowest, which are reserved.
/// `IW` is log2 `W`, `CW` log2 `C`; `PER` chunks are a sub-array; `RW` = `PW` + 1 bits hold 0 to all packs of a bank.
#[derive(LogicBlock, Inputs)]
pub struct Hidden<
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
    const RW: usize,
> {
    /// How many packs are offered.
    pub shrink: Signal<In, Bits<2>>,
    /// How many packs are reserved.
    pub reserved: Signal<In, Bits<RW>>,
    /// Chunks of which no pack is offered,
    pub skipped: [Signal<Out, bool>; C],
    /// and packs of the others that are not.
    pub hidden: [Signal<Out, Bits<W>>; C],
    /// Sub-arrays with a reserved pack.
    pub sub_arrays: Signal<Out, Bits<4>>,
    // All packs are reserved, or those of the chunks below this one and so many packs of this one.
    all: Signal<Local, bool>,
    chunk: Signal<Local, Bits<CW>>,
    place: Signal<Local, Bits<IW>>,
    from_chunk: Signal<Local, Bits<C>>,
    from_place: Signal<Local, Bits<W>>,
    below: [Signal<Local, bool>; C],
    part: [Signal<Local, Bits<W>>; C],
    above: [Signal<Local, bool>; C],
    cut: [Signal<Local, Bits<W>>; C],
    touched: Signal<Local, Bits<4>>,
    none: Constant<Bits<W>>,
    every: Constant<Bits<W>>,
    every_chunk: Constant<Bits<C>>,
    number: [Constant<Bits<CW>>; C],
    no_sub_array: Constant<Bits<4>>,
    sub_array: [Constant<Bits<4>>; 4],
    code: [Constant<Bits<2>>; 3],
    // Chunks that a file 30, 40 and 50 % smaller does not have at all, and packs of the chunk that it cuts.
    no_chunk_30: [Constant<bool>; C],
    no_chunk_40: [Constant<bool>; C],
    no_chunk_50: [Constant<bool>; C],
    cut_30: [Constant<Bits<W>>; C],
    cut_40: [Constant<Bits<W>>; C],
    cut_50: [Constant<Bits<W>>; C],
}

impl<
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
    const RW: usize,
> Default for Hidden<W, IW, C, CW, PER, PW, RW>
{
    fn default() -> Self {
        const { assert!(W == 1 << IW && C == 1 << CW && PW == IW + CW && RW == PW + 1) };
        let kept = |shrink: usize, chunk: usize| {
            let packs = kept_packs(C * W)[shrink];
            packs.saturating_sub(chunk * W).min(W)
        };
        let missing = |shrink| array::from_fn(|chunk| Constant::new(kept(shrink, chunk) == 0));
        let cut = |shrink| {
            array::from_fn(|chunk| {
                let all = u64::MAX >> (64 - W);
                let without = all & !((1u64 << kept(shrink, chunk)) - 1);
                Constant::new(if without == all { 0 } else { without }.into())
            })
        };
        Self {
            shrink: Signal::default(),
            reserved: Signal::default(),
            skipped: array::from_fn(|_| Signal::default()),
            hidden: array::from_fn(|_| Signal::default()),
            sub_arrays: Signal::default(),
            all: Signal::default(),
            chunk: Signal::default(),
            place: Signal::default(),
            from_chunk: Signal::default(),
            from_place: Signal::default(),
            below: array::from_fn(|_| Signal::default()),
            part: array::from_fn(|_| Signal::default()),
            above: array::from_fn(|_| Signal::default()),
            cut: array::from_fn(|_| Signal::default()),
            touched: Signal::default(),
            none: Constant::new(0u64.into()),
            every: Constant::new(Bits::mask()),
            every_chunk: Constant::new(Bits::mask()),
            number: array::from_fn(|k| Constant::new((k as u64).into())),
            no_sub_array: Constant::new(0u64.into()),
            sub_array: array::from_fn(|s| Constant::new((1u64 << s).into())),
            code: array::from_fn(|code| Constant::new((code as u64 + 1).into())),
            no_chunk_30: missing(1),
            no_chunk_40: missing(2),
            no_chunk_50: missing(3),
            cut_30: cut(1),
            cut_40: cut(2),
            cut_50: cut(3),
        }
    }
}

impl<
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
    const RW: usize,
> Logic for Hidden<W, IW, C, CW, PER, PW, RW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for p in PW..(PW + 1) {
            self.all.next = self.reserved.val().get_bit(p);
        }
        for i in IW..(IW + 1) {
            self.chunk.next = self.reserved.val().get_bits::<CW>(i);
        }
        self.place.next = self.reserved.val().get_bits::<IW>(0);
        self.from_chunk.next = self.every_chunk.val() << self.chunk.val();
        self.from_place.next = self.every.val() << self.place.val();
        for k in 0..C {
            self.below[k].next = self.all.val() | (!self.from_chunk.val().get_bit(k));
            self.part[k].next = self.none.val();
            if self.chunk.val() == self.number[k].val() {
                self.part[k].next = !self.from_place.val();
            }
            self.above[k].next = false;
            self.cut[k].next = self.none.val();
            if self.shrink.val() == self.code[0].val() {
                self.above[k].next = self.no_chunk_30[k].val();
                self.cut[k].next = self.cut_30[k].val();
            } else if self.shrink.val() == self.code[1].val() {
                self.above[k].next = self.no_chunk_40[k].val();
                self.cut[k].next = self.cut_40[k].val();
            } else if self.shrink.val() == self.code[2].val() {
                self.above[k].next = self.no_chunk_50[k].val();
                self.cut[k].next = self.cut_50[k].val();
            }
            self.skipped[k].next = self.above[k].val() | self.below[k].val();
            self.hidden[k].next = self.cut[k].val() | self.part[k].val();
        }
        // A sub-array with a reserved pack has its lowest one reserved.
        self.touched.next = self.no_sub_array.val();
        for p in PER..(PER + 1) {
            for s in 0..4 {
                if self.below[p * s].val() | self.part[p * s].val().get_bit(0) {
                    self.touched.next = self.touched.val() | self.sub_array[s].val();
                }
            }
        }
        self.sub_arrays.next = self.touched.val();
    }
}
