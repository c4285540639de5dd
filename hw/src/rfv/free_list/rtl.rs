//! Four banks side by side.

pub use super::adapter::{Rtl, Rtl64, Rtl512, Rtl1024, Rtl2048};
use super::bank::Bank;
use super::split::Split;
use rust_hdl::prelude::*;
use std::array;

/// Free list of four banks. A bank has `C` chunks of `W` packs, a sub-array `PER` chunks, so that no word is wider than 32
/// bits. `G` is `W` / 4, `IW` is log2 `W`, `CW` is log2 `C`, `ROUNDS` is `C` - 2, `LESS` is 2 `C` - 2; `PW` = `IW` + `CW`
/// bits are a pack of a bank. The ports are documented at [`FreeListIn`](super::FreeListIn) and
/// [`FreeListOut`](super::FreeListOut).
#[derive(LogicBlock)]
pub struct FreeList<
    const W: usize,
    const G: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const ROUNDS: usize,
    const LESS: usize,
    const PW: usize,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel.
    pub clear: Signal<In, bool>,
    /// How many packs are offered.
    pub shrink: Signal<In, Bits<2>>,
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
    /// Sub-arrays with a pack in use.
    pub occupied: Signal<Out, Bits<16>>,
    /// Sub-arrays of the offers.
    pub request: Signal<Out, Bits<16>>,
    split: Split,
    bank: [Bank<W, G, IW, C, CW, PER, ROUNDS, LESS, PW>; 4],
    valid_mask: Signal<Local, Bits<4>>,
    occupied_mask: Signal<Local, Bits<16>>,
    request_mask: Signal<Local, Bits<16>>,
    none: Constant<Bits<16>>,
    position: [Constant<Bits<16>>; 16],
    no_bank: Constant<Bits<4>>,
    number: [Constant<Bits<4>>; 4],
}

/// 512 packs (`gtx480-half`): 512 flip-flops.
pub type FreeList512 = FreeList<32, 8, 5, 4, 2, 1, 2, 6, 7>;
/// 1024 packs (`gtx480`, `fermi16`): 1,024 flip-flops.
pub type FreeList1024 = FreeList<32, 8, 5, 8, 3, 2, 6, 14, 8>;
/// 2048 packs (`v100`): 2,048 flip-flops.
pub type FreeList2048 = FreeList<32, 8, 5, 16, 4, 4, 14, 30, 9>;
/// 64 packs, for tests.
pub type FreeList64 = FreeList<4, 1, 2, 4, 2, 1, 2, 6, 4>;

impl<
    const W: usize,
    const G: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const ROUNDS: usize,
    const LESS: usize,
    const PW: usize,
> FreeList<W, G, IW, C, CW, PER, ROUNDS, LESS, PW>
{
    /// A free list in its power-on state: all packs are free.
    #[must_use]
    pub fn new() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            shrink: Signal::default(),
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
            split: Split::default(),
            bank: array::from_fn(|_| Bank::default()),
            valid_mask: Signal::default(),
            occupied_mask: Signal::default(),
            request_mask: Signal::default(),
            none: Constant::new(0u64.into()),
            position: array::from_fn(|i| Constant::new((1u64 << i).into())),
            no_bank: Constant::new(0u64.into()),
            number: array::from_fn(|b| Constant::new((1u64 << b).into())),
        }
    }
}

impl<
    const W: usize,
    const G: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const ROUNDS: usize,
    const LESS: usize,
    const PW: usize,
> Default for FreeList<W, G, IW, C, CW, PER, ROUNDS, LESS, PW>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<
    const W: usize,
    const G: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const ROUNDS: usize,
    const LESS: usize,
    const PW: usize,
> Logic for FreeList<W, G, IW, C, CW, PER, ROUNDS, LESS, PW>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.split.awake.next = self.awake.val();
        self.split.take.next = self.take.val();
        self.split.give.next = self.give.val();
        for b in 0..4 {
            self.bank[b].clock.next = self.clock.val();
            self.bank[b].clear.next = self.clear.val();
            self.bank[b].awake.next = self.split.bank_awake[b].val();
            self.bank[b].take.next = self.split.bank_take[b].val();
            self.bank[b].give.next = self.split.bank_give[b].val();
            self.bank[b].shrink.next = self.shrink.val();
        }
        self.bank[0].given.next = self.give0.val();
        self.bank[1].given.next = self.give1.val();
        self.bank[2].given.next = self.give2.val();
        self.bank[3].given.next = self.give3.val();
        self.offer0.next = self.bank[0].offer.val();
        self.offer1.next = self.bank[1].offer.val();
        self.offer2.next = self.bank[2].offer.val();
        self.offer3.next = self.bank[3].offer.val();

        self.valid_mask.next = self.no_bank.val();
        self.occupied_mask.next = self.none.val();
        self.request_mask.next = self.none.val();
        for b in 0..4 {
            if self.bank[b].valid.val() {
                self.valid_mask.next = self.valid_mask.val() | self.number[b].val();
            }
            for s in 0..4 {
                if self.bank[b].occupied.val().get_bit(s) {
                    self.occupied_mask.next =
                        self.occupied_mask.val() | self.position[(4 * b) + s].val();
                }
                if self.bank[b].request.val().get_bit(s) {
                    self.request_mask.next =
                        self.request_mask.val() | self.position[(4 * b) + s].val();
                }
            }
        }
        self.offer_valid.next = self.valid_mask.val();
        self.occupied.next = self.occupied_mask.val();
        self.request.next = self.request_mask.val();
    }
}
