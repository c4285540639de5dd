//! The masks dealt out to the schedulers, and a choice per scheduler.

pub use super::adapter::Rtl;
use super::deal::Deal;
use super::oldest_first::OldestFirst;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Choice for `NW` warps and `S` schedulers with `N` = `NW` / `S` warps each, a power of two or three times
/// one; `S` is a power of two. `M` is `N` - 1, `H` is
/// `N` / 2, `NODES` is 2 `N` - 1, `IW` is ceil(log2 `NW`), `OW` is `S` x `IW`. The ports are documented at
/// [`WarpPriorityIn`](super::WarpPriorityIn) and [`WarpPriorityOut`](super::WarpPriorityOut).
#[derive(LogicBlock, Inputs)]
pub struct WarpPriority<
    const NW: usize,
    const S: usize,
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const IW: usize,
    const OW: usize,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel; wins over `launch`.
    pub clear: Signal<In, bool>,
    /// Slots in which a warp starts.
    pub launch: Signal<In, Bits<NW>>,
    /// Warps that can issue.
    pub ready: Signal<In, Bits<NW>>,
    /// Warps that share.
    pub shared: Signal<In, Bits<NW>>,
    /// Of those, the owners.
    pub owner: Signal<In, Bits<NW>>,
    /// Schedulers with a ready warp.
    pub chosen_valid: Signal<Out, Bits<S>>,
    /// The slot that each issues.
    pub chosen: Signal<Out, Bits<OW>>,
    launches: Lazy<Deal<NW, S, N>>,
    readies: Lazy<Deal<NW, S, N>>,
    sharers: Lazy<Deal<NW, S, N>>,
    owners: Lazy<Deal<NW, S, N>>,
    scheduler: [Lazy<OldestFirst<N, M, H, NODES, IW>>; S],
    valid_mask: Signal<Local, Bits<S>>,
    slots: Signal<Local, Bits<OW>>,
    bit: [Constant<Bits<S>>; S],
    nobody: Constant<Bits<S>>,
    slot_bit: [Constant<Bits<OW>>; OW],
    no_slots: Constant<Bits<OW>>,
}

/// 48 warps and 2 schedulers (`gtx480`, `fermi14`): 552 flip-flops.
pub type WarpPriority48x2 = WarpPriority<48, 2, 24, 23, 12, 47, 6, 12>;
/// 48 warps and 4 schedulers (`rtx3070`): 264 flip-flops.
pub type WarpPriority48x4 = WarpPriority<48, 4, 12, 11, 6, 23, 6, 24>;
/// 64 warps and 4 schedulers (`v100`): 480 flip-flops.
pub type WarpPriority64x4 = WarpPriority<64, 4, 16, 15, 8, 31, 6, 24>;
/// 8 warps and 2 schedulers: 12 flip-flops.
pub type WarpPriority8x2 = WarpPriority<8, 2, 4, 3, 2, 7, 3, 6>;

impl<
    const NW: usize,
    const S: usize,
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const IW: usize,
    const OW: usize,
> WarpPriority<NW, S, N, M, H, NODES, IW, OW>
{
    /// A block in its power-on state: a lower slot counts as older.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(S.is_power_of_two() && NW == S * N && NW <= 1 << IW && OW == S * IW) };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            launch: Signal::default(),
            ready: Signal::default(),
            shared: Signal::default(),
            owner: Signal::default(),
            chosen_valid: Signal::default(),
            chosen: Signal::default(),
            launches: Lazy::default(),
            readies: Lazy::default(),
            sharers: Lazy::default(),
            owners: Lazy::default(),
            scheduler: array::from_fn(|s| Lazy::new(OldestFirst::new(s, S))),
            valid_mask: Signal::default(),
            slots: Signal::default(),
            bit: array::from_fn(|s| Constant::new((1u64 << s).into())),
            nobody: Constant::new(0u64.into()),
            slot_bit: array::from_fn(|at| Constant::new((1u64 << at).into())),
            no_slots: Constant::new(0u64.into()),
        }
    }
}

impl<
    const NW: usize,
    const S: usize,
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const IW: usize,
    const OW: usize,
> Default for WarpPriority<NW, S, N, M, H, NODES, IW, OW>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<
    const NW: usize,
    const S: usize,
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const IW: usize,
    const OW: usize,
> Logic for WarpPriority<NW, S, N, M, H, NODES, IW, OW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.launches.mask.next = self.launch.val();
        self.readies.mask.next = self.ready.val();
        self.sharers.mask.next = self.shared.val();
        self.owners.mask.next = self.owner.val();
        for s in 0..S {
            self.scheduler[s].clock.next = self.clock.val();
            self.scheduler[s].clear.next = self.clear.val();
            self.scheduler[s].launch.next = self.launches.hand[s].val();
            self.scheduler[s].ready.next = self.readies.hand[s].val();
            self.scheduler[s].shared.next = self.sharers.hand[s].val();
            self.scheduler[s].owner.next = self.owners.hand[s].val();
        }
        self.valid_mask.next = self.nobody.val();
        self.slots.next = self.no_slots.val();
        for s in 0..S {
            if self.scheduler[s].valid.val() {
                self.valid_mask.next = self.valid_mask.val() | self.bit[s].val();
            }
        }
        for n in IW..(IW + 1) {
            for s in 0..S {
                for b in 0..IW {
                    if self.scheduler[s].chosen.val().get_bit(b) {
                        self.slots.next = self.slots.val() | self.slot_bit[(n * s) + b].val();
                    }
                }
            }
        }
        self.chosen_valid.next = self.valid_mask.val();
        self.chosen.next = self.slots.val();
    }
}
