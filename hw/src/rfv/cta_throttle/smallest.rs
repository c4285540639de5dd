//! A tree that finds the smallest balance bit by bit.

use rust_hdl::prelude::*;
use std::array;

/// The CTA with the smallest balance of `N`, a power of two; the lowest slot of equals. `IW` is log2 `N`, `NODES` is
/// 2 `N` - 1, `KW` is one more than `BW`.
#[derive(LogicBlock)]
pub struct Smallest<
    const N: usize,
    const IW: usize,
    const NODES: usize,
    const BW: usize,
    const KW: usize,
> {
    /// What each CTA may still need.
    pub balance: [Signal<In, Bits<BW>>; N],
    /// The slots that have a CTA.
    pub active: Signal<In, Bits<N>>,
    /// The smallest balance as a key: its top bit is bit 1, and bit 0 says that there is a CTA.
    pub smallest: Signal<Out, Bits<KW>>,
    /// Its slot; any if there is no CTA.
    pub index: Signal<Out, Bits<IW>>,
    // Leaves first, the root last.
    key: [Signal<Local, Bits<KW>>; NODES],
    slot: [Signal<Local, Bits<IW>>; NODES],
    // Two keys at a bit: the bits, whether the keys differ so far, which one is followed, and its bit.
    left: Signal<Local, bool>,
    right: Signal<Local, bool>,
    differ: Signal<Local, bool>,
    right_wins: Signal<Local, bool>,
    winner: Signal<Local, bool>,
    number: [Constant<Bits<IW>>; N],
    key_zero: Constant<Bits<KW>>,
    key_bit: [Constant<Bits<KW>>; KW],
    mirrored: [Constant<Bits<KW>>; BW],
}

impl<const N: usize, const IW: usize, const NODES: usize, const BW: usize, const KW: usize> Default
    for Smallest<N, IW, NODES, BW, KW>
{
    fn default() -> Self {
        const { assert!(N == 1 << IW && NODES == 2 * N - 1 && KW == BW + 1) };
        Self {
            balance: array::from_fn(|_| Signal::default()),
            active: Signal::default(),
            smallest: Signal::default(),
            index: Signal::default(),
            key: array::from_fn(|_| Signal::default()),
            slot: array::from_fn(|_| Signal::default()),
            left: Signal::default(),
            right: Signal::default(),
            differ: Signal::default(),
            right_wins: Signal::default(),
            winner: Signal::default(),
            number: array::from_fn(|i| Constant::new((i as u64).into())),
            key_zero: Constant::new(0u64.into()),
            key_bit: array::from_fn(|b| Constant::new((1u64 << b).into())),
            mirrored: array::from_fn(|b| Constant::new((1u64 << (BW - b)).into())),
        }
    }
}

impl<const N: usize, const IW: usize, const NODES: usize, const BW: usize, const KW: usize> Logic
    for Smallest<N, IW, NODES, BW, KW>
{
    #[hdl_gen]
    fn update(&mut self) {
        // The smallest balance: of two the left one, unless the right one is smaller. From the top bit down, so the bits
        // of the smaller one are known one by one, and the next level of the tree need not wait for the last.
        for i in 0..N {
            self.slot[i].next = self.number[i].val();
            self.key[i].next = self.key_zero.val();
            if self.active.val().get_bit(i) {
                self.key[i].next = self.key_bit[0].val();
            }
            for b in 0..BW {
                if self.balance[i].val().get_bit(b) {
                    self.key[i].next = self.key[i].val() | self.mirrored[b].val();
                }
            }
        }
        for n in N..(N + 1) {
            for i in 0..(N - 1) {
                // A slot with a CTA is before one without.
                self.left.next = self.key[2 * i].val().get_bit(0);
                self.right.next = self.key[(2 * i) + 1].val().get_bit(0);
                self.differ.next = self.left.val() ^ self.right.val();
                self.right_wins.next = self.right.val();
                self.key[n + i].next = self.key_zero.val();
                if self.left.val() | self.right.val() {
                    self.key[n + i].next = self.key_bit[0].val();
                }
                // While they do not differ it does not matter which one is followed.
                for b in 1..KW {
                    self.left.next = self.key[2 * i].val().get_bit(b);
                    self.right.next = self.key[(2 * i) + 1].val().get_bit(b);
                    if !self.differ.val() {
                        self.right_wins.next = self.left.val();
                    }
                    self.differ.next = self.differ.val() | (self.left.val() ^ self.right.val());
                    self.winner.next = self.left.val();
                    if self.right_wins.val() {
                        self.winner.next = self.right.val();
                    }
                    if self.winner.val() {
                        self.key[n + i].next = self.key[n + i].val() | self.key_bit[b].val();
                    }
                }
                self.slot[n + i].next = self.slot[2 * i].val();
                if self.right_wins.val() & self.differ.val() {
                    self.slot[n + i].next = self.slot[(2 * i) + 1].val();
                }
            }
        }
        for n in NODES..(NODES + 1) {
            self.smallest.next = self.key[n - 1].val();
            self.index.next = self.slot[n - 1].val();
        }
    }
}
