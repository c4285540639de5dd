//! What was given back, on its way to the free list and to the throttle.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// One register: packs that the table gives back in a cycle are free two cycles later, when the operands that lay there have
/// been read. `BW` bits are a pack of a bank, `TW` a CTA.
#[derive(LogicBlock, Inputs)]
pub struct Returns<const BW: usize, const TW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Nothing is on its way.
    pub clear: Signal<In, bool>,
    /// What is on its way stays in the next cycle.
    pub hold: Signal<In, bool>,
    /// What comes is of a warp that ends: nobody is to read it.
    pub walking: Signal<In, bool>,
    /// Banks that get a pack back.
    pub give: Signal<In, Bits<4>>,
    /// The packs.
    pub given: [Signal<In, Bits<BW>>; 4],
    /// Offers that are taken.
    pub take: Signal<In, Bits<4>>,
    /// The CTA that gives and takes.
    pub cta: Signal<In, Bits<TW>>,
    /// Banks whose pack becomes free.
    pub free: Signal<Out, Bits<4>>,
    /// The packs.
    pub freed: [Signal<Out, Bits<BW>>; 4],
    /// The CTA that takes one, or gives the fourth of four back.
    pub a_cta: Signal<Out, Bits<TW>>,
    /// It takes one.
    pub a_take: Signal<Out, bool>,
    /// It gives one.
    pub a_give: Signal<Out, Bits<2>>,
    /// The CTA that gives back.
    pub b_cta: Signal<Out, Bits<TW>>,
    /// How many, three at most.
    pub b_give: Signal<Out, Bits<2>>,
    /// Low, for what the units can and RFV does not want: partial definitions, a second taker, a favoured port.
    pub never: Signal<Out, bool>,
    banks: DFF<Bits<4>>,
    packs: [DFF<Bits<BW>>; 4],
    giver: DFF<Bits<TW>>,
    of_walk: DFF<bool>,
    held: DFF<bool>,
    leaves: Signal<Local, bool>,
    leaving: Signal<Local, Bits<4>>,
    four: Signal<Local, bool>,
    count: Signal<Local, Bits<2>>,
    no_bank: Constant<Bits<4>>,
    none: Constant<Bits<2>>,
    one: Constant<Bits<2>>,
    three: Constant<Bits<2>>,
    no: Constant<bool>,
}

impl<const BW: usize, const TW: usize> Default for Returns<BW, TW> {
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            hold: Signal::default(),
            walking: Signal::default(),
            give: Signal::default(),
            given: Default::default(),
            take: Signal::default(),
            cta: Signal::default(),
            free: Signal::default(),
            freed: Default::default(),
            a_cta: Signal::default(),
            a_take: Signal::default(),
            a_give: Signal::default(),
            b_cta: Signal::default(),
            b_give: Signal::default(),
            never: Signal::default(),
            banks: DFF::default(),
            packs: array::from_fn(|_| DFF::default()),
            giver: DFF::default(),
            of_walk: DFF::default(),
            held: DFF::default(),
            leaves: Signal::default(),
            leaving: Signal::default(),
            four: Signal::default(),
            count: Signal::default(),
            no_bank: Constant::new(0u64.into()),
            none: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            three: Constant::new(3u64.into()),
            no: Constant::new(false),
        }
    }
}

impl<const BW: usize, const TW: usize> Logic for Returns<BW, TW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(self, clock, banks, giver, of_walk, held);
        for b in 0..4 {
            self.packs[b].clock.next = self.clock.val();
            self.packs[b].d.next = self.packs[b].q.val();
            self.freed[b].next = self.packs[b].q.val();
        }
        self.held.d.next = self.hold.val();
        self.leaves.next = self.of_walk.q.val() | (!self.held.q.val());
        self.leaving.next = self.no_bank.val();
        if self.leaves.val() {
            self.leaving.next = self.banks.q.val();
        }
        self.free.next = self.leaving.val();

        // Four come of a row of a warp that ends only. Then nothing is taken, port a of the throttle is free, and its CTA is
        // that warp's.
        self.four.next = self.leaving.val().all();
        self.count.next = self.none.val();
        for b in 0..4 {
            if self.leaving.val().get_bit(b) {
                self.count.next = self.count.val() + self.one.val();
            }
        }
        self.b_cta.next = self.giver.q.val();
        self.b_give.next = self.count.val();
        self.a_cta.next = self.cta.val();
        self.a_take.next = self.take.val().any();
        self.a_give.next = self.none.val();
        if self.four.val() {
            self.b_give.next = self.three.val();
            self.a_give.next = self.one.val();
        }

        self.never.next = self.no.val();

        // While something stays nothing comes: nothing was taken in when `hold` was high.
        if self.leaves.val() {
            self.banks.d.next = self.give.val();
            self.giver.d.next = self.cta.val();
            self.of_walk.d.next = self.walking.val();
            for b in 0..4 {
                self.packs[b].d.next = self.given[b].val();
            }
        }
        if self.clear.val() {
            self.banks.d.next = self.no_bank.val();
        }
    }
}
