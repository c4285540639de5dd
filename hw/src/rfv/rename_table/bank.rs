//! A bank: reads a word, says what it means, writes what becomes of it.

use super::rows::Rows;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// `ROWS` words of `PW` bits, `BW` is `PW` - 2. A word is the number of a pack, whose two low bits are the number of
/// its bank. Those of a word that maps nothing are others, so no valid bit is needed.
#[derive(LogicBlock, Inputs)]
pub struct Bank<
    const ROWS: usize,
    const IW: usize,
    const HW: usize,
    const PW: usize,
    const BW: usize,
> {
    /// Rising edge writes.
    pub clock: Signal<In, Clock>,
    /// Upper bits of the row.
    pub warp: Signal<In, Bits<IW>>,
    /// Lower bits of the row.
    pub hi: Signal<In, Bits<HW>>,
    /// The register is released.
    pub unmap: Signal<In, bool>,
    /// The register is written.
    pub map: Signal<In, bool>,
    /// The word is made unmapped, whatever it is.
    pub wipe: Signal<In, bool>,
    /// And its pack is given back.
    pub wipe_gives: Signal<In, bool>,
    /// A free pack.
    pub offer: Signal<In, Bits<BW>>,
    /// There is one.
    pub offer_valid: Signal<In, bool>,
    /// The word, without the number of the bank.
    pub word: Signal<Out, Bits<BW>>,
    /// It maps a pack.
    pub mapped: Signal<Out, bool>,
    /// What a destination is mapped to.
    pub target: Signal<Out, Bits<BW>>,
    /// It is mapped.
    pub found: Signal<Out, bool>,
    /// The offer is taken.
    pub take: Signal<Out, bool>,
    /// The pack is given back.
    pub give: Signal<Out, bool>,
    /// Which one; 0 if none is.
    pub give_pack: Signal<Out, Bits<BW>>,
    memory: Lazy<Rows<ROWS, IW, HW, PW>>,
    is_mapped: Signal<Local, bool>,
    renew: Signal<Local, bool>,
    ends: Signal<Local, bool>,
    gives: Signal<Local, bool>,
    offered: Signal<Local, Bits<PW>>,
    becomes: Signal<Local, Bits<PW>>,
    answer: Signal<Local, Bits<BW>>,
    no_pack: Constant<Bits<BW>>,
    bank: Constant<Bits<2>>,
    bank_word: Constant<Bits<PW>>,
    unmapped: Constant<Bits<PW>>,
    word_bit: [Constant<Bits<PW>>; BW],
}

impl<const ROWS: usize, const IW: usize, const HW: usize, const PW: usize, const BW: usize>
    Bank<ROWS, IW, HW, PW, BW>
{
    /// Bank `bank`, 0 ..= 3, with nothing mapped.
    #[must_use]
    pub fn new(bank: u64) -> Self {
        const { assert!(PW == BW + 2) };
        let unmapped = 3 - bank;
        Self {
            clock: Signal::default(),
            warp: Signal::default(),
            hi: Signal::default(),
            unmap: Signal::default(),
            map: Signal::default(),
            wipe: Signal::default(),
            wipe_gives: Signal::default(),
            offer: Signal::default(),
            offer_valid: Signal::default(),
            word: Signal::default(),
            mapped: Signal::default(),
            target: Signal::default(),
            found: Signal::default(),
            take: Signal::default(),
            give: Signal::default(),
            give_pack: Signal::default(),
            memory: Lazy::new(Rows::new(unmapped)),
            is_mapped: Signal::default(),
            renew: Signal::default(),
            ends: Signal::default(),
            gives: Signal::default(),
            offered: Signal::default(),
            becomes: Signal::default(),
            answer: Signal::default(),
            no_pack: Constant::new(0u64.into()),
            bank: Constant::new(bank.into()),
            bank_word: Constant::new(bank.into()),
            unmapped: Constant::new(unmapped.into()),
            word_bit: array::from_fn(|i| Constant::new((1u64 << (i + 2)).into())),
        }
    }
}

impl<const ROWS: usize, const IW: usize, const HW: usize, const PW: usize, const BW: usize> Logic
    for Bank<ROWS, IW, HW, PW, BW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        clock!(self, clock, memory);
        self.memory.warp.next = self.warp.val();
        self.memory.hi.next = self.hi.val();
        self.is_mapped.next = self.memory.word.val().get_bits::<2>(0) == self.bank.val();
        // A register that is read last and written in one instruction keeps its pack where no other is free.
        self.renew.next = (self.map.val() & self.offer_valid.val())
            & (self.unmap.val() | (!self.is_mapped.val()));
        self.ends.next =
            (self.unmap.val() & self.is_mapped.val()) & (self.renew.val() | (!self.map.val()));
        self.offered.next = self.bank_word.val();
        for i in 0..BW {
            if self.offer.val().get_bit(i) {
                self.offered.next = self.offered.val() | self.word_bit[i].val();
            }
        }
        self.becomes.next = self.unmapped.val();
        self.answer.next = self.memory.word.val().get_bits::<BW>(2);
        if self.renew.val() {
            self.becomes.next = self.offered.val();
            self.answer.next = self.offer.val();
        }
        self.memory.write.next = (self.renew.val() | self.ends.val()) | self.wipe.val();
        self.memory.write_word.next = self.becomes.val();
        self.word.next = self.memory.word.val().get_bits::<BW>(2);
        self.mapped.next = self.is_mapped.val();
        self.target.next = self.answer.val();
        self.found.next = self.renew.val() | self.is_mapped.val();
        self.take.next = self.renew.val();
        self.gives.next =
            self.ends.val() | ((self.wipe.val() & self.wipe_gives.val()) & self.is_mapped.val());
        self.give.next = self.gives.val();
        self.give_pack.next = self.no_pack.val();
        if self.gives.val() {
            self.give_pack.next = self.memory.word.val().get_bits::<BW>(2);
        }
    }
}
