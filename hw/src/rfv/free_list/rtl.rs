//! Four banks side by side.

pub use super::adapter::{Rtl, Rtl64, Rtl512, Rtl1024, Rtl2048};
use super::bank::Bank;
use super::hidden::Hidden;
use super::split::{Join, Split};
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// Free list of four banks. A bank has `C` chunks of `W` packs, a sub-array `PER` chunks, so that no word is wider than 32
/// bits. `IW` is log2 `W`, `CW` is log2 `C`; `PW` = `IW` + `CW` bits are a pack of a bank, `RW` = `PW` + 1 a number of packs. The
/// ports are documented at [`FreeListIn`](super::FreeListIn) and [`FreeListOut`](super::FreeListOut).
#[derive(LogicBlock, Inputs)]
pub struct FreeList<
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
    const RW: usize,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel.
    pub clear: Signal<In, bool>,
    /// How many packs are offered.
    pub shrink: Signal<In, Bits<2>>,
    /// Packs at the bottom of a bank that are not offered.
    pub reserved: Signal<In, Bits<RW>>,
    /// Sub-arrays that can be used.
    pub awake: Signal<In, Bits<16>>,
    /// Banks whose offer is taken.
    pub take: Signal<In, Bits<4>>,
    /// Banks to which a pack is given back.
    pub give: Signal<In, Bits<4>>,
    /// Pack given to bank 0.
    pub give0: Signal<In, Bits<PW>>,
    /// Pack given to bank 1.
    pub give1: Signal<In, Bits<PW>>,
    /// Pack given to bank 2.
    pub give2: Signal<In, Bits<PW>>,
    /// Pack given to bank 3.
    pub give3: Signal<In, Bits<PW>>,
    /// Banks that offer a pack.
    pub offer_valid: Signal<Out, Bits<4>>,
    /// Offer of bank 0.
    pub offer0: Signal<Out, Bits<PW>>,
    /// Offer of bank 1.
    pub offer1: Signal<Out, Bits<PW>>,
    /// Offer of bank 2.
    pub offer2: Signal<Out, Bits<PW>>,
    /// Offer of bank 3.
    pub offer3: Signal<Out, Bits<PW>>,
    /// Sub-arrays with a pack in use, or reserved.
    pub occupied: Signal<Out, Bits<16>>,
    /// Sub-arrays of the offers.
    pub request: Signal<Out, Bits<16>>,
    left_out: Lazy<Hidden<W, IW, C, CW, PER, PW, RW>>,
    split: Lazy<Split>,
    bank_0: Lazy<Bank<W, IW, C, CW, PER, PW>>,
    bank_1: Lazy<Bank<W, IW, C, CW, PER, PW>>,
    bank_2: Lazy<Bank<W, IW, C, CW, PER, PW>>,
    bank_3: Lazy<Bank<W, IW, C, CW, PER, PW>>,
    banks: Lazy<Join>,
}

/// 512 packs (`gtx480-half`): 512 flip-flops.
pub type FreeList512 = FreeList<32, 5, 4, 2, 1, 7, 8>;
/// 1024 packs (`gtx480`, `fermi16`): 1,024 flip-flops.
pub type FreeList1024 = FreeList<32, 5, 8, 3, 2, 8, 9>;
/// 2048 packs (`v100`): 2,048 flip-flops.
pub type FreeList2048 = FreeList<32, 5, 16, 4, 4, 9, 10>;
/// 64 packs, for tests.
pub type FreeList64 = FreeList<4, 2, 4, 2, 1, 4, 5>;

impl<
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
    const RW: usize,
> FreeList<W, IW, C, CW, PER, PW, RW>
{
    /// A free list in its power-on state: all packs are free.
    #[must_use]
    pub fn new() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            shrink: Signal::default(),
            reserved: Signal::default(),
            awake: Signal::default(),
            take: Signal::default(),
            give: Signal::default(),
            give0: Signal::default(),
            give1: Signal::default(),
            give2: Signal::default(),
            give3: Signal::default(),
            offer_valid: Signal::default(),
            offer0: Signal::default(),
            offer1: Signal::default(),
            offer2: Signal::default(),
            offer3: Signal::default(),
            occupied: Signal::default(),
            request: Signal::default(),
            left_out: Lazy::default(),
            split: Lazy::default(),
            bank_0: Lazy::default(),
            bank_1: Lazy::default(),
            bank_2: Lazy::default(),
            bank_3: Lazy::default(),
            banks: Lazy::default(),
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
> Default for FreeList<W, IW, C, CW, PER, PW, RW>
{
    fn default() -> Self {
        Self::new()
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
> Logic for FreeList<W, IW, C, CW, PER, PW, RW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.left_out.shrink.next = self.shrink.val();
        self.left_out.reserved.next = self.reserved.val();
        self.split.awake.next = self.awake.val();
        self.split.take.next = self.take.val();
        self.split.give.next = self.give.val();
        clock!(self, clock, bank_0, bank_1, bank_2, bank_3);
        // What is left out is the same in all banks.
        for k in 0..C {
            self.bank_0.hidden[k].next = self.left_out.hidden[k].val();
            self.bank_0.skipped[k].next = self.left_out.skipped[k].val();
            self.bank_1.hidden[k].next = self.left_out.hidden[k].val();
            self.bank_1.skipped[k].next = self.left_out.skipped[k].val();
            self.bank_2.hidden[k].next = self.left_out.hidden[k].val();
            self.bank_2.skipped[k].next = self.left_out.skipped[k].val();
            self.bank_3.hidden[k].next = self.left_out.hidden[k].val();
            self.bank_3.skipped[k].next = self.left_out.skipped[k].val();
        }
        self.bank_0.clear.next = self.clear.val();
        self.bank_0.awake.next = self.split.bank_awake[0].val();
        self.bank_0.take.next = self.split.bank_take[0].val();
        self.bank_0.give.next = self.split.bank_give[0].val();
        self.bank_0.given.next = self.give0.val();
        self.bank_0.reserved.next = self.left_out.sub_arrays.val();
        self.offer0.next = self.bank_0.offer.val();
        self.banks.valid[0].next = self.bank_0.valid.val();
        self.banks.occupied[0].next = self.bank_0.occupied.val();
        self.banks.request[0].next = self.bank_0.request.val();
        self.bank_1.clear.next = self.clear.val();
        self.bank_1.awake.next = self.split.bank_awake[1].val();
        self.bank_1.take.next = self.split.bank_take[1].val();
        self.bank_1.give.next = self.split.bank_give[1].val();
        self.bank_1.given.next = self.give1.val();
        self.bank_1.reserved.next = self.left_out.sub_arrays.val();
        self.offer1.next = self.bank_1.offer.val();
        self.banks.valid[1].next = self.bank_1.valid.val();
        self.banks.occupied[1].next = self.bank_1.occupied.val();
        self.banks.request[1].next = self.bank_1.request.val();
        self.bank_2.clear.next = self.clear.val();
        self.bank_2.awake.next = self.split.bank_awake[2].val();
        self.bank_2.take.next = self.split.bank_take[2].val();
        self.bank_2.give.next = self.split.bank_give[2].val();
        self.bank_2.given.next = self.give2.val();
        self.bank_2.reserved.next = self.left_out.sub_arrays.val();
        self.offer2.next = self.bank_2.offer.val();
        self.banks.valid[2].next = self.bank_2.valid.val();
        self.banks.occupied[2].next = self.bank_2.occupied.val();
        self.banks.request[2].next = self.bank_2.request.val();
        self.bank_3.clear.next = self.clear.val();
        self.bank_3.awake.next = self.split.bank_awake[3].val();
        self.bank_3.take.next = self.split.bank_take[3].val();
        self.bank_3.give.next = self.split.bank_give[3].val();
        self.bank_3.given.next = self.give3.val();
        self.bank_3.reserved.next = self.left_out.sub_arrays.val();
        self.offer3.next = self.bank_3.offer.val();
        self.banks.valid[3].next = self.bank_3.valid.val();
        self.banks.occupied[3].next = self.bank_3.occupied.val();
        self.banks.request[3].next = self.bank_3.request.val();
        self.offer_valid.next = self.banks.offer_valid.val();
        self.occupied.next = self.banks.all_occupied.val();
        self.request.next = self.banks.all_request.val();
    }
}
