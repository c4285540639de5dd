//! One counter per CTA, two counters on their way that the ports share, and a comparison of the smallest balance with the free packs.

pub use super::adapter::Rtl;
use super::moved::Moved;
use super::smallest::Smallest;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Throttle of `N` CTAs, a power of two; `IW` is log2 `N`. `BW` bits hold a number of packs, `KW` is one
/// more. The ports are documented at [`CtaThrottleIn`](super::CtaThrottleIn) and [`CtaThrottleOut`](super::CtaThrottleOut).
#[derive(LogicBlock, Inputs)]
pub struct CtaThrottle<const N: usize, const IW: usize, const BW: usize, const KW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel.
    pub clear: Signal<In, bool>,
    /// Packs that may be assigned.
    pub pack_count: Signal<In, Bits<BW>>,
    /// A CTA starts.
    pub launch: Signal<In, bool>,
    /// Its slot.
    pub launch_cta: Signal<In, Bits<IW>>,
    /// What it needs.
    pub need: Signal<In, Bits<BW>>,
    /// A CTA ends.
    pub exit: Signal<In, bool>,
    /// Its slot.
    pub exit_cta: Signal<In, Bits<IW>>,
    /// Port that is restricted first.
    pub favor_b: Signal<In, bool>,
    /// CTA of port a.
    pub a_cta: Signal<In, Bits<IW>>,
    /// It takes a pack.
    pub a_take: Signal<In, bool>,
    /// It gives packs.
    pub a_give: Signal<In, Bits<2>>,
    /// CTA of port b.
    pub b_cta: Signal<In, Bits<IW>>,
    /// It takes a pack.
    pub b_take: Signal<In, bool>,
    /// It gives packs.
    pub b_give: Signal<In, Bits<2>>,
    /// CTAs that may issue on port a.
    pub a_may_issue: Signal<Out, Bits<N>>,
    /// CTAs that may issue on port b.
    pub b_may_issue: Signal<Out, Bits<N>>,
    /// The CTA with the smallest balance.
    pub chosen: Signal<Out, Bits<IW>>,
    /// Only it may issue.
    pub throttled: Signal<Out, bool>,
    /// Not even it has enough.
    pub spill: Signal<Out, bool>,
    /// Packs that are not assigned.
    pub free_packs: Signal<Out, Bits<BW>>,
    // State: a counter per CTA, a bit per active CTA, the number of free packs.
    balance: [DFF<Bits<BW>>; N],
    active: DFF<Bits<N>>,
    free: DFF<Bits<BW>>,
    tree: Lazy<Smallest<N, IW, BW, KW>>,
    smallest: Signal<Local, Bits<KW>>,
    any: Signal<Local, bool>,
    chosen_mask: Signal<Local, Bits<N>>,
    // The free packs against the smallest balance, from the top bit down: the bits, whether the numbers differ so far.
    left: Signal<Local, bool>,
    right: Signal<Local, bool>,
    differ: Signal<Local, bool>,
    more: Signal<Local, bool>,
    one_more: Signal<Local, bool>,
    free_key: Signal<Local, Bits<KW>>,
    open: Signal<Local, bool>,
    wide_open: Signal<Local, bool>,
    a_open: Signal<Local, bool>,
    b_open: Signal<Local, bool>,
    same_cta: Signal<Local, bool>,
    // Whether a port's low bit borrows, and whether it takes more than it gives.
    a_less: Signal<Local, bool>,
    a_down: Signal<Local, bool>,
    b_less: Signal<Local, bool>,
    b_down: Signal<Local, bool>,
    a_change: Signal<Local, Bits<4>>,
    b_change: Signal<Local, Bits<4>>,
    change: Signal<Local, Bits<4>>,
    a_added: Signal<Local, Bits<4>>,
    // The places of the ports' CTAs in the columns of the tree.
    a_place: Signal<Local, Bits<IW>>,
    b_place: Signal<Local, Bits<IW>>,
    a_old: Signal<Local, Bits<BW>>,
    b_old: Signal<Local, Bits<BW>>,
    a_moved: Lazy<Moved<BW>>,
    b_moved: Lazy<Moved<BW>>,
    free_moved: Lazy<Moved<BW>>,
    a_mask: Signal<Local, Bits<N>>,
    b_mask: Signal<Local, Bits<N>>,
    launched: Signal<Local, Bits<N>>,
    ended: Signal<Local, Bits<N>>,
    no_cta: Constant<Bits<IW>>,
    none: Constant<Bits<N>>,
    one: Constant<Bits<N>>,
    backwards: [Constant<Bits<IW>>; IW],
    no_packs: Constant<Bits<BW>>,
    pack_bit: [Constant<Bits<BW>>; BW],
    key_zero: Constant<Bits<KW>>,
    mirrored: [Constant<Bits<KW>>; BW],
    change_zero: Constant<Bits<4>>,
    change_bit: [Constant<Bits<4>>; 4],
}

/// 8 CTAs and 1024 packs (`gtx480`): 8 counters of 11 bits.
pub type CtaThrottle8x1024 = CtaThrottle<8, 3, 11, 12>;
/// 8 CTAs and 512 packs (`gtx480-half`, GPU-shrink).
pub type CtaThrottle8x512 = CtaThrottle<8, 3, 10, 11>;
/// 32 CTAs and 2048 packs (`v100`).
pub type CtaThrottle32x2048 = CtaThrottle<32, 5, 12, 13>;
/// 4 CTAs and 16 packs, for tests.
pub type CtaThrottle4x16 = CtaThrottle<4, 2, 5, 6>;

impl<const N: usize, const IW: usize, const BW: usize, const KW: usize> CtaThrottle<N, IW, BW, KW> {
    /// A throttle in its power-on state: no CTA, no free pack.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(N == 1 << IW && KW == BW + 1) };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            pack_count: Signal::default(),
            launch: Signal::default(),
            launch_cta: Signal::default(),
            need: Signal::default(),
            exit: Signal::default(),
            exit_cta: Signal::default(),
            favor_b: Signal::default(),
            a_cta: Signal::default(),
            a_take: Signal::default(),
            a_give: Signal::default(),
            b_cta: Signal::default(),
            b_take: Signal::default(),
            b_give: Signal::default(),
            a_may_issue: Signal::default(),
            b_may_issue: Signal::default(),
            chosen: Signal::default(),
            throttled: Signal::default(),
            spill: Signal::default(),
            free_packs: Signal::default(),
            balance: array::from_fn(|_| DFF::default()),
            active: DFF::default(),
            free: DFF::default(),
            differ: Signal::default(),
            right: Signal::default(),
            tree: Lazy::default(),
            left: Signal::default(),
            more: Signal::default(),
            one_more: Signal::default(),
            smallest: Signal::default(),
            free_key: Signal::default(),
            any: Signal::default(),
            chosen_mask: Signal::default(),
            open: Signal::default(),
            wide_open: Signal::default(),
            a_open: Signal::default(),
            b_open: Signal::default(),
            same_cta: Signal::default(),
            a_less: Signal::default(),
            a_down: Signal::default(),
            b_less: Signal::default(),
            b_down: Signal::default(),
            a_change: Signal::default(),
            b_change: Signal::default(),
            change: Signal::default(),
            a_added: Signal::default(),
            a_place: Signal::default(),
            b_place: Signal::default(),
            a_old: Signal::default(),
            b_old: Signal::default(),
            a_moved: Lazy::default(),
            b_moved: Lazy::default(),
            free_moved: Lazy::default(),
            a_mask: Signal::default(),
            b_mask: Signal::default(),
            launched: Signal::default(),
            ended: Signal::default(),
            no_cta: Constant::new(0u64.into()),
            none: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            backwards: array::from_fn(|j| Constant::new((1u64 << (IW - 1 - j)).into())),
            no_packs: Constant::new(0u64.into()),
            pack_bit: array::from_fn(|b| Constant::new((1u64 << b).into())),
            key_zero: Constant::new(0u64.into()),
            mirrored: array::from_fn(|b| Constant::new((1u64 << (BW - b)).into())),
            change_zero: Constant::new(0u64.into()),
            change_bit: array::from_fn(|b| Constant::new((1u64 << b).into())),
        }
    }
}

impl<const N: usize, const IW: usize, const BW: usize, const KW: usize> Default
    for CtaThrottle<N, IW, BW, KW>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, const IW: usize, const BW: usize, const KW: usize> Logic
    for CtaThrottle<N, IW, BW, KW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(self, clock, active, free);
        for i in 0..N {
            self.balance[i].clock.next = self.clock.val();
            self.balance[i].d.next = self.balance[i].q.val();
        }

        for i in 0..N {
            self.tree.balance[i].next = self.balance[i].q.val();
        }
        self.tree.active.next = self.active.q.val();
        self.smallest.next = self.tree.smallest.val();
        self.any.next = self.smallest.val().get_bit(0);
        self.chosen.next = self.no_cta.val();
        self.chosen_mask.next = self.none.val();
        if self.any.val() {
            self.chosen.next = self.tree.index.val();
            self.chosen_mask.next = self.one.val() << self.tree.index.val();
        }

        // More packs are free than the smallest balance, and not just one more: after the first bit that differs,
        // 1000 is one more than 0111. The second port must assume that the first has taken a pack.
        self.free_key.next = self.key_zero.val();
        for b in 0..BW {
            if self.free.q.val().get_bit(b) {
                self.free_key.next = self.free_key.val() | self.mirrored[b].val();
            }
        }
        self.differ.next = false;
        self.more.next = false;
        self.one_more.next = true;
        for b in 1..KW {
            self.left.next = self.free_key.val().get_bit(b);
            self.right.next = self.smallest.val().get_bit(b);
            if !self.differ.val() {
                self.more.next = self.left.val();
            }
            self.one_more.next = self.one_more.val()
                & ((!self.differ.val()) | (self.right.val() & (!self.left.val())));
            self.differ.next = self.differ.val() | (self.left.val() ^ self.right.val());
        }
        self.open.next = self.more.val() & self.differ.val();
        self.wide_open.next = self.open.val() & (!self.one_more.val());
        self.a_open.next = self.open.val();
        self.b_open.next = self.wide_open.val();
        if self.favor_b.val() {
            self.a_open.next = self.wide_open.val();
            self.b_open.next = self.open.val();
        }
        self.a_may_issue.next = self.chosen_mask.val();
        if self.a_open.val() {
            self.a_may_issue.next = self.active.q.val();
        }
        self.b_may_issue.next = self.chosen_mask.val();
        if self.b_open.val() {
            self.b_may_issue.next = self.active.q.val();
        }
        self.throttled.next = self.any.val() & (!self.open.val());
        self.spill.next = self.any.val() & (self.differ.val() & (!self.more.val()));
        self.free_packs.next = self.free.q.val();

        // What the ports take and give, in two's complement: only who takes and gives nothing goes down.
        self.a_less.next = self.a_take.val() & (!self.a_give.val().get_bit(0));
        self.a_down.next = self.a_less.val() & (!self.a_give.val().get_bit(1));
        self.b_less.next = self.b_take.val() & (!self.b_give.val().get_bit(0));
        self.b_down.next = self.b_less.val() & (!self.b_give.val().get_bit(1));
        self.a_change.next = self.change_zero.val();
        self.b_change.next = self.change_zero.val();
        for b in 0..1 {
            if self.a_give.val().get_bit(b) ^ self.a_take.val() {
                self.a_change.next = self.a_change.val() | self.change_bit[b].val();
            }
            if self.a_give.val().get_bit(b + 1) ^ self.a_less.val() {
                self.a_change.next = self.a_change.val() | self.change_bit[b + 1].val();
            }
            if self.b_give.val().get_bit(b) ^ self.b_take.val() {
                self.b_change.next = self.b_change.val() | self.change_bit[b].val();
            }
            if self.b_give.val().get_bit(b + 1) ^ self.b_less.val() {
                self.b_change.next = self.b_change.val() | self.change_bit[b + 1].val();
            }
        }
        for b in 2..4 {
            if self.a_down.val() {
                self.a_change.next = self.a_change.val() | self.change_bit[b].val();
            }
            if self.b_down.val() {
                self.b_change.next = self.b_change.val() | self.change_bit[b].val();
            }
        }
        self.change.next = self.a_change.val() + self.b_change.val();
        self.same_cta.next = self.a_cta.val() == self.b_cta.val();
        self.a_added.next = self.a_change.val();
        if self.same_cta.val() {
            self.a_added.next = self.change.val();
        }
        self.a_place.next = self.no_cta.val();
        self.b_place.next = self.no_cta.val();
        for j in 0..IW {
            if self.a_cta.val().get_bit(j) {
                self.a_place.next = self.a_place.val() | self.backwards[j].val();
            }
            if self.b_cta.val().get_bit(j) {
                self.b_place.next = self.b_place.val() | self.backwards[j].val();
            }
        }
        self.a_old.next = self.no_packs.val();
        self.b_old.next = self.no_packs.val();
        for b in 0..BW {
            if self.tree.column[b]
                .val()
                .get_bit(self.a_place.val().index())
            {
                self.a_old.next = self.a_old.val() | self.pack_bit[b].val();
            }
            if self.tree.column[b]
                .val()
                .get_bit(self.b_place.val().index())
            {
                self.b_old.next = self.b_old.val() | self.pack_bit[b].val();
            }
        }
        self.a_moved.old.next = self.a_old.val();
        self.a_moved.change.next = self.a_added.val();
        self.b_moved.old.next = self.b_old.val();
        self.b_moved.change.next = self.b_change.val();
        self.free_moved.old.next = self.free.q.val();
        self.free_moved.change.next = self.change.val();

        self.launched.next = self.none.val();
        if self.launch.val() {
            self.launched.next = self.one.val() << self.launch_cta.val();
        }
        self.ended.next = self.none.val();
        if self.exit.val() {
            self.ended.next = self.one.val() << self.exit_cta.val();
        }
        self.a_mask.next = self.one.val() << self.a_cta.val();
        self.b_mask.next = self.one.val() << self.b_cta.val();
        for i in 0..N {
            if self.launched.val().get_bit(i) {
                self.balance[i].d.next = self.need.val();
            } else if self.a_mask.val().get_bit(i) {
                self.balance[i].d.next = self.a_moved.now.val();
            } else if self.b_mask.val().get_bit(i) {
                self.balance[i].d.next = self.b_moved.now.val();
            }
        }
        if self.clear.val() {
            self.active.d.next = self.none.val();
            self.free.d.next = self.pack_count.val();
        } else {
            self.active.d.next = (self.active.q.val() & (!self.ended.val())) | self.launched.val();
            self.free.d.next = self.free_moved.now.val();
        }
    }
}
