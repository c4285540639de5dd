//! How far the one that was taken in is, and what the answer of the next cycle belongs to.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// The state of the table's stage. `TW` bits number a CTA. Of `who`, 0 is nobody, 1 the pbr, 2 port a, 3 port b.
#[derive(LogicBlock, Inputs)]
pub struct Stage<const TW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Nobody has begun.
    pub clear: Signal<In, bool>,
    /// Something may be taken in; if not, all stays.
    pub open: Signal<In, bool>,
    /// Who is.
    pub who: Signal<In, Bits<2>>,
    /// The CTA of its warp.
    pub who_cta: Signal<In, Bits<TW>>,
    /// Its flags.
    pub who_flags: Signal<In, Bits<3>>,
    /// Operands of it that were served before.
    pub was_done: Signal<In, Bits<4>>,
    /// Operands that it wants now.
    pub wanted: Signal<In, Bits<4>>,
    /// Operands that are served now.
    pub served: Signal<In, Bits<4>>,
    /// Turns of the pbr.
    pub turns: Signal<In, Bits<2>>,
    /// A warp's start or end is taken in,
    pub walk: Signal<In, bool>,
    /// or goes on.
    pub walks_on: Signal<In, bool>,
    /// Who has begun and wants more.
    pub begun: Signal<Out, Bits<2>>,
    /// It is port a,
    pub a_begun: Signal<Out, bool>,
    /// or port b.
    pub b_begun: Signal<Out, bool>,
    /// Operands of it that were served.
    pub done: Signal<Out, Bits<4>>,
    /// Its flags.
    pub flags: Signal<Out, Bits<3>>,
    /// Which three ids of the pbr.
    pub turn: Signal<Out, Bits<2>>,
    /// Who was served in the cycle before: port a,
    pub a_answer: Signal<Out, bool>,
    /// port b.
    pub b_answer: Signal<Out, bool>,
    /// A destination was.
    pub destination: Signal<Out, bool>,
    /// The CTA that was.
    pub cta: Signal<Out, Bits<TW>>,
    /// A row of a warp that starts or ends is answered.
    pub walking: Signal<Out, bool>,
    /// The pbr has been served.
    pub pbr_ends: Signal<Out, bool>,
    /// Operands of port a that are served.
    pub a_served: Signal<Out, Bits<4>>,
    /// Port a goes on.
    pub a_grant: Signal<Out, bool>,
    /// Operands of port b that are served.
    pub b_served: Signal<Out, Bits<4>>,
    /// Port b goes on.
    pub b_grant: Signal<Out, bool>,
    begun_now: DFF<Bits<2>>,
    done_now: DFF<Bits<4>>,
    flags_now: DFF<Bits<3>>,
    turn_now: DFF<Bits<2>>,
    answered: DFF<Bits<2>>,
    wrote: DFF<bool>,
    cta_now: DFF<Bits<TW>>,
    rows: DFF<bool>,
    left: Signal<Local, Bits<4>>,
    all: Signal<Local, bool>,
    next_turn: Signal<Local, Bits<2>>,
    more_turns: Signal<Local, bool>,
    nobody: Constant<Bits<2>>,
    is_pbr: Constant<Bits<2>>,
    is_a: Constant<Bits<2>>,
    is_b: Constant<Bits<2>>,
    no_operand: Constant<Bits<4>>,
    first_turn: Constant<Bits<2>>,
    one_turn: Constant<Bits<2>>,
}

impl<const TW: usize> Default for Stage<TW> {
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            open: Signal::default(),
            who: Signal::default(),
            who_cta: Signal::default(),
            who_flags: Signal::default(),
            was_done: Signal::default(),
            wanted: Signal::default(),
            served: Signal::default(),
            turns: Signal::default(),
            walk: Signal::default(),
            walks_on: Signal::default(),
            begun: Signal::default(),
            a_begun: Signal::default(),
            b_begun: Signal::default(),
            done: Signal::default(),
            flags: Signal::default(),
            turn: Signal::default(),
            a_answer: Signal::default(),
            b_answer: Signal::default(),
            destination: Signal::default(),
            cta: Signal::default(),
            walking: Signal::default(),
            pbr_ends: Signal::default(),
            a_served: Signal::default(),
            a_grant: Signal::default(),
            b_served: Signal::default(),
            b_grant: Signal::default(),
            begun_now: DFF::default(),
            done_now: DFF::default(),
            flags_now: DFF::default(),
            turn_now: DFF::default(),
            answered: DFF::default(),
            wrote: DFF::default(),
            cta_now: DFF::default(),
            rows: DFF::default(),
            left: Signal::default(),
            all: Signal::default(),
            next_turn: Signal::default(),
            more_turns: Signal::default(),
            nobody: Constant::new(0u64.into()),
            is_pbr: Constant::new(1u64.into()),
            is_a: Constant::new(2u64.into()),
            is_b: Constant::new(3u64.into()),
            no_operand: Constant::new(0u64.into()),
            first_turn: Constant::new(0u64.into()),
            one_turn: Constant::new(1u64.into()),
        }
    }
}

impl<const TW: usize> Logic for Stage<TW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(
            self, clock, begun_now, done_now, flags_now, turn_now, answered, wrote, cta_now, rows
        );
        self.begun.next = self.begun_now.q.val();
        self.a_begun.next = self.begun_now.q.val() == self.is_a.val();
        self.b_begun.next = self.begun_now.q.val() == self.is_b.val();
        self.done.next = self.done_now.q.val();
        self.flags.next = self.flags_now.q.val();
        self.turn.next = self.turn_now.q.val();
        self.a_answer.next = self.answered.q.val() == self.is_a.val();
        self.b_answer.next = self.answered.q.val() == self.is_b.val();
        self.destination.next = self.wrote.q.val();
        self.cta.next = self.cta_now.q.val();
        self.walking.next = self.rows.q.val();

        self.left.next = self.wanted.val() & (!self.served.val());
        self.all.next = !(self.left.val().any());
        // There are three turns at most, so the next one never wraps.
        self.next_turn.next = self.turn_now.q.val() + self.one_turn.val();
        self.more_turns.next = self.next_turn.val() < self.turns.val();
        self.pbr_ends.next =
            ((self.who.val() == self.is_pbr.val()) & self.all.val()) & (!self.more_turns.val());
        self.a_grant.next = (self.who.val() == self.is_a.val()) & self.all.val();
        self.b_grant.next = (self.who.val() == self.is_b.val()) & self.all.val();
        self.a_served.next = self.no_operand.val();
        if self.who.val() == self.is_a.val() {
            self.a_served.next = self.served.val();
        }
        self.b_served.next = self.no_operand.val();
        if self.who.val() == self.is_b.val() {
            self.b_served.next = self.served.val();
        }

        if self.clear.val() {
            self.begun_now.d.next = self.nobody.val();
            self.turn_now.d.next = self.first_turn.val();
        } else if self.open.val() {
            self.begun_now.d.next = self.nobody.val();
            self.turn_now.d.next = self.first_turn.val();
            self.flags_now.d.next = self.who_flags.val();
            self.done_now.d.next = self.was_done.val() | self.served.val();
            if !self.all.val() {
                self.begun_now.d.next = self.who.val();
                if self.who.val() == self.is_pbr.val() {
                    self.turn_now.d.next = self.turn_now.q.val();
                }
            } else if (self.who.val() == self.is_pbr.val()) & self.more_turns.val() {
                self.begun_now.d.next = self.who.val();
                self.turn_now.d.next = self.next_turn.val();
                self.done_now.d.next = self.no_operand.val();
            }
        }
        self.answered.d.next = self.who.val();
        self.wrote.d.next = self.served.val().get_bit(3);
        if self.walk.val() | (self.who.val() != self.nobody.val()) {
            self.cta_now.d.next = self.who_cta.val();
        }
        self.rows.d.next = (!self.clear.val()) & (self.walk.val() | self.walks_on.val());
    }
}
