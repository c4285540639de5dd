//! The average of a level after one more CTA.

use crate::common::adder::Adder;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// An exponentially weighted average: an eighth of it makes room for an eighth of what is new. The first is taken as it is.
/// `L` is 2 to the `LW`, `ROUNDS` is `L` - 2, `NODES` is 2 `L` - 2.
#[derive(LogicBlock, Inputs)]
pub struct Measure<const L: usize, const LW: usize, const ROUNDS: usize, const NODES: usize> {
    /// Averages in cycles,
    pub average: [Signal<In, Bits<32>>; L],
    /// and the levels that have one.
    pub measured: Signal<In, Bits<L>>,
    /// Level of the CTA.
    pub level: Signal<In, Bits<LW>>,
    /// Cycles that it took.
    pub cycles: Signal<In, Bits<32>>,
    /// Average of its level from now on.
    pub mean: Signal<Out, Bits<32>>,
    // A tree of multiplexers, the averages first: the lowest bit of the level selects among neighbours.
    selected: [Signal<Local, Bits<32>>; NODES],
    old: Signal<Local, Bits<32>>,
    old_eighth: Signal<Local, Bits<32>>,
    new_eighth: Signal<Local, Bits<32>>,
    less: Signal<Local, Bits<32>>,
    differ: Signal<Local, Bits<32>>,
    carry: Signal<Local, Bits<32>>,
    adder: Lazy<Adder<32>>,
    from_level: Signal<Local, Bits<L>>,
    level_bit: [Constant<Bits<LW>>; ROUNDS],
    top_bit: Constant<Bits<LW>>,
    one: Constant<Bits<L>>,
    carry_in: Constant<Bits<32>>,
}

impl<const L: usize, const LW: usize, const ROUNDS: usize, const NODES: usize> Default
    for Measure<L, LW, ROUNDS, NODES>
{
    fn default() -> Self {
        const { assert!(L == 1 << LW && ROUNDS == L - 2 && NODES == 2 * L - 2) };
        // Half of the multiplexers are selected by bit 0, half of the rest by bit 1, ..
        let bit = |i: usize| LW - 1 - (L - 1 - i).ilog2() as usize;
        Self {
            average: array::from_fn(|_| Signal::default()),
            measured: Signal::default(),
            level: Signal::default(),
            cycles: Signal::default(),
            mean: Signal::default(),
            selected: array::from_fn(|_| Signal::default()),
            old: Signal::default(),
            old_eighth: Signal::default(),
            new_eighth: Signal::default(),
            less: Signal::default(),
            differ: Signal::default(),
            carry: Signal::default(),
            adder: Lazy::default(),
            from_level: Signal::default(),
            level_bit: array::from_fn(|i| Constant::new((1u64 << bit(i)).into())),
            top_bit: Constant::new((L as u64 / 2).into()),
            one: Constant::new(1u64.into()),
            carry_in: Constant::new(1u64.into()),
        }
    }
}

impl<const L: usize, const LW: usize, const ROUNDS: usize, const NODES: usize> Logic
    for Measure<L, LW, ROUNDS, NODES>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for i in 0..L {
            self.selected[i].next = self.average[i].val();
        }
        for n in L..(L + 1) {
            for i in 0..ROUNDS {
                self.selected[n + i].next = self.selected[2 * i].val();
                if (self.level.val() & self.level_bit[i].val()).any() {
                    self.selected[n + i].next = self.selected[(2 * i) + 1].val();
                }
            }
        }
        for n in NODES..(NODES + 1) {
            self.old.next = self.selected[n - 2].val();
            if (self.level.val() & self.top_bit.val()).any() {
                self.old.next = self.selected[n - 1].val();
            }
        }
        // Seven eighths and one eighth of what 32 bits hold: three numbers to two, two to one.
        self.old_eighth.next = self.old.val() >> 3;
        self.new_eighth.next = self.cycles.val() >> 3;
        self.less.next = !self.old_eighth.val();
        self.differ.next = self.old.val() ^ self.less.val();
        self.carry.next =
            (self.differ.val() & self.new_eighth.val()) | ((!self.differ.val()) & self.old.val());
        self.adder.a.next = self.differ.val() ^ self.new_eighth.val();
        self.adder.b.next = (self.carry.val() << 1) | self.carry_in.val();
        self.from_level.next = self.measured.val() >> self.level.val();
        self.mean.next = self.cycles.val();
        if (self.from_level.val() & self.one.val()).any() {
            self.mean.next = self.adder.sum.val();
        }
    }
}
