//! A tree that finds the smallest balance bit by bit, all nodes of a level at once.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// The CTA with the smallest balance of `N`, a power of two; the lowest slot of equals. `IW` is log2 `N`, `KW` is one more
/// than `BW`. Words have a place per slot, and slot `i` has the place that is `i` read backwards: so two halves of a word
/// hold neighbours.
#[derive(LogicBlock, Inputs)]
pub struct Smallest<const N: usize, const IW: usize, const BW: usize, const KW: usize> {
    /// What each CTA may still need.
    pub balance: [Signal<In, Bits<BW>>; N],
    /// The slots that have a CTA.
    pub active: Signal<In, Bits<N>>,
    /// The balances: a word per bit, a place per slot.
    pub column: [Signal<Out, Bits<N>>; BW],
    /// The smallest balance as a key: its top bit is bit 1, and bit 0 says that there is a CTA.
    pub smallest: Signal<Out, Bits<KW>>,
    /// Its slot; any if there is no CTA.
    pub index: Signal<Out, Bits<IW>>,
    // A key per node of a level: a word per bit. The left half of a level is compared with its right half.
    key: [Signal<Local, Bits<N>>; KW],
    slot: [Signal<Local, Bits<N>>; IW],
    // Pairs of keys at a bit: the bits, whether the keys differ so far, which one is followed.
    left: Signal<Local, Bits<N>>,
    right: Signal<Local, Bits<N>>,
    differ: Signal<Local, Bits<N>>,
    right_wins: Signal<Local, Bits<N>>,
    half: [Constant<Bits<IW>>; IW],
    nothing: Constant<Bits<N>>,
    place_bit: [Constant<Bits<N>>; N],
    key_zero: Constant<Bits<KW>>,
    key_bit: [Constant<Bits<KW>>; KW],
    no_slot: Constant<Bits<IW>>,
    slot_bit: [Constant<Bits<IW>>; IW],
}

impl<const N: usize, const IW: usize, const BW: usize, const KW: usize> Default
    for Smallest<N, IW, BW, KW>
{
    fn default() -> Self {
        const { assert!(N == 1 << IW && KW == BW + 1) };
        Self {
            balance: array::from_fn(|_| Signal::default()),
            active: Signal::default(),
            column: array::from_fn(|_| Signal::default()),
            smallest: Signal::default(),
            index: Signal::default(),
            key: array::from_fn(|_| Signal::default()),
            slot: array::from_fn(|_| Signal::default()),
            left: Signal::default(),
            right: Signal::default(),
            differ: Signal::default(),
            right_wins: Signal::default(),
            half: array::from_fn(|level| Constant::new(((N >> (level + 1)) as u64).into())),
            nothing: Constant::new(0u64.into()),
            place_bit: array::from_fn(|i| {
                let place = i.reverse_bits() >> (usize::BITS as usize - IW);
                Constant::new((1u64 << place).into())
            }),
            key_zero: Constant::new(0u64.into()),
            key_bit: array::from_fn(|b| Constant::new((1u64 << b).into())),
            no_slot: Constant::new(0u64.into()),
            slot_bit: array::from_fn(|b| Constant::new((1u64 << b).into())),
        }
    }
}

impl<const N: usize, const IW: usize, const BW: usize, const KW: usize> Logic
    for Smallest<N, IW, BW, KW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.key[0].next = self.nothing.val();
        for i in 0..N {
            if self.active.val().get_bit(i) {
                self.key[0].next = self.key[0].val() | self.place_bit[i].val();
            }
        }
        for top in BW..(BW + 1) {
            for b in 0..BW {
                self.key[top - b].next = self.nothing.val();
                for i in 0..N {
                    if self.balance[i].val().get_bit(b) {
                        self.key[top - b].next = self.key[top - b].val() | self.place_bit[i].val();
                    }
                }
                self.column[b].next = self.key[top - b].val();
            }
        }
        for j in 0..IW {
            self.slot[j].next = self.nothing.val();
        }
        // The smallest balance: of two the left one, unless the right one is smaller. From the top bit down, so the bits
        // of the smaller one are known one by one, and the next level of the tree need not wait for the last.
        for level in 0..IW {
            // A slot with a CTA is before one without.
            self.left.next = self.key[0].val();
            self.right.next = self.key[0].val() >> self.half[level].val();
            self.differ.next = self.left.val() ^ self.right.val();
            self.right_wins.next = self.right.val();
            self.key[0].next = self.left.val() | self.right.val();
            // While they do not differ it does not matter which one is followed.
            for b in 1..BW {
                self.left.next = self.key[b].val();
                self.right.next = self.key[b].val() >> self.half[level].val();
                self.right_wins.next = (self.right_wins.val() & self.differ.val())
                    | (self.left.val() & (!self.differ.val()));
                self.differ.next = self.differ.val() | (self.left.val() ^ self.right.val());
                self.key[b].next = (self.left.val() & (!self.right_wins.val()))
                    | (self.right.val() & self.right_wins.val());
            }
            // The last bit decides at once.
            for b in BW..KW {
                self.left.next = self.key[b].val();
                self.right.next = self.key[b].val() >> self.half[level].val();
                self.right_wins.next = (self.right_wins.val() & self.differ.val())
                    | ((self.left.val() & (!self.right.val())) & (!self.differ.val()));
                self.key[b].next = (self.left.val() & (!self.right_wins.val()))
                    | (self.right.val() & self.right_wins.val());
            }
            for j in 0..IW {
                self.left.next = self.slot[j].val();
                self.right.next = self.slot[j].val() >> self.half[level].val();
                self.slot[j].next = (self.left.val() & (!self.right_wins.val()))
                    | (self.right.val() & self.right_wins.val());
            }
            self.slot[level].next = self.right_wins.val();
        }
        self.smallest.next = self.key_zero.val();
        for b in 0..KW {
            if self.key[b].val().get_bit(0) {
                self.smallest.next = self.smallest.val() | self.key_bit[b].val();
            }
        }
        self.index.next = self.no_slot.val();
        for j in 0..IW {
            if self.slot[j].val().get_bit(0) {
                self.index.next = self.index.val() | self.slot_bit[j].val();
            }
        }
    }
}
