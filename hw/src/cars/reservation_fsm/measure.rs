//! The average of a level after one more CTA.

use rust_hdl::prelude::*;
use std::array;

/// An exponentially weighted average: an eighth of it makes room for an eighth of what is new. The first is taken as it is.
#[derive(LogicBlock)]
pub struct Measure<const L: usize, const LW: usize> {
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
    old: Signal<Local, Bits<32>>,
    old_eighth: Signal<Local, Bits<32>>,
    new_eighth: Signal<Local, Bits<32>>,
    rest: Signal<Local, Bits<32>>,
    sum: Signal<Local, Bits<32>>,
    from_level: Signal<Local, Bits<L>>,
    number: [Constant<Bits<LW>>; L],
    one: Constant<Bits<L>>,
    no_cycles: Constant<Bits<32>>,
}

impl<const L: usize, const LW: usize> Default for Measure<L, LW> {
    fn default() -> Self {
        Self {
            average: array::from_fn(|_| Signal::default()),
            measured: Signal::default(),
            level: Signal::default(),
            cycles: Signal::default(),
            mean: Signal::default(),
            old: Signal::default(),
            old_eighth: Signal::default(),
            new_eighth: Signal::default(),
            rest: Signal::default(),
            sum: Signal::default(),
            from_level: Signal::default(),
            number: array::from_fn(|i| Constant::new((i as u64).into())),
            one: Constant::new(1u64.into()),
            no_cycles: Constant::new(0u64.into()),
        }
    }
}

impl<const L: usize, const LW: usize> Logic for Measure<L, LW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.old.next = self.no_cycles.val();
        for i in 0..L {
            if self.level.val() == self.number[i].val() {
                self.old.next = self.average[i].val();
            }
        }
        self.old_eighth.next = self.old.val() >> 3;
        self.new_eighth.next = self.cycles.val() >> 3;
        // At most 7/8 and 1/8 of what 32 bits hold.
        self.rest.next = self.old.val() - self.old_eighth.val();
        self.sum.next = self.rest.val() + self.new_eighth.val();
        self.from_level.next = self.measured.val() >> self.level.val();
        self.mean.next = self.cycles.val();
        if (self.from_level.val() & self.one.val()).any() {
            self.mean.next = self.sum.val();
        }
    }
}
