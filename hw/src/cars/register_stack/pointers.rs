//! Where the pointers go, and which pack a request is about. Above the last pack of the window follows its first.

use crate::common::adder::Adder;
use crate::common::compare::Compare;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Moves RFP and RSP.
#[derive(LogicBlock, Inputs)]
pub struct Pointers<const PW: usize, const CW: usize> {
    /// The request.
    pub launch: Signal<In, bool>,
    /// The request.
    pub call: Signal<In, bool>,
    /// The request.
    pub push: Signal<In, bool>,
    /// The request.
    pub pop: Signal<In, bool>,
    /// The request.
    pub unwind: Signal<In, bool>,
    /// It is done.
    pub grant: Signal<In, bool>,
    /// It lacks room.
    pub trap: Signal<In, bool>,
    /// It needs a fill.
    pub fills: Signal<In, bool>,
    /// RFP of the warp.
    pub rfp: Signal<In, Bits<PW>>,
    /// RSP of the warp.
    pub rsp: Signal<In, Bits<PW>>,
    /// The caller's RFP.
    pub link: Signal<In, Bits<PW>>,
    /// First pack of the window.
    pub first: Signal<In, Bits<PW>>,
    /// Packs of the window.
    pub capacity: Signal<In, Bits<CW>>,
    /// Free ones.
    pub free: Signal<In, Bits<CW>>,
    /// Those that are not.
    pub resident: Signal<In, Bits<CW>>,
    /// The pack behind the last one of the window.
    pub behind: Signal<In, Bits<PW>>,
    /// Packs of the window below RSP.
    pub top_place: Signal<In, Bits<CW>>,
    /// The pack of the answer.
    pub pack: Signal<Out, Bits<PW>>,
    /// The caller's RFP for the link.
    pub new_link: Signal<Out, Bits<PW>>,
    /// RFP after the edge.
    pub new_rfp: Signal<Out, Bits<PW>>,
    /// RSP after the edge.
    pub new_rsp: Signal<Out, Bits<PW>>,
    size: Signal<Local, Bits<PW>>,
    free_wide: Signal<Local, Bits<PW>>,
    resident_wide: Signal<Local, Bits<PW>>,
    top_wide: Signal<Local, Bits<PW>>,
    last: Signal<Local, Bits<PW>>,
    up: Signal<Local, Bits<PW>>,
    down_from: Signal<Local, Bits<PW>>,
    down: Signal<Local, Bits<PW>>,
    link_down: Signal<Local, Bits<PW>>,
    bottom: Signal<Local, Bits<PW>>,
    place: Signal<Local, Bits<PW>>,
    names: Signal<Local, bool>,
    behind_free: Lazy<Adder<PW>>,
    straight: Lazy<Adder<PW>>,
    // A difference is a sum of the complement, turned over: it has no carry at its lowest place.
    around: Lazy<Adder<PW>>,
    goes_around: Lazy<Compare<PW>>,
    pack_bit: [Constant<Bits<PW>>; CW],
    no_pack: Constant<Bits<PW>>,
    one: Constant<Bits<PW>>,
}

impl<const PW: usize, const CW: usize> Default for Pointers<PW, CW> {
    fn default() -> Self {
        Self {
            launch: Signal::default(),
            call: Signal::default(),
            push: Signal::default(),
            pop: Signal::default(),
            unwind: Signal::default(),
            grant: Signal::default(),
            trap: Signal::default(),
            fills: Signal::default(),
            rfp: Signal::default(),
            rsp: Signal::default(),
            link: Signal::default(),
            first: Signal::default(),
            capacity: Signal::default(),
            free: Signal::default(),
            place: Signal::default(),
            names: Signal::default(),
            resident: Signal::default(),
            behind: Signal::default(),
            top_place: Signal::default(),
            pack: Signal::default(),
            new_link: Signal::default(),
            new_rfp: Signal::default(),
            new_rsp: Signal::default(),
            size: Signal::default(),
            free_wide: Signal::default(),
            resident_wide: Signal::default(),
            top_wide: Signal::default(),
            last: Signal::default(),
            up: Signal::default(),
            down_from: Signal::default(),
            down: Signal::default(),
            link_down: Signal::default(),
            bottom: Signal::default(),
            behind_free: Lazy::default(),
            straight: Lazy::default(),
            around: Lazy::default(),
            goes_around: Lazy::new(Compare::or_equal()),
            pack_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            no_pack: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
        }
    }
}

impl<const PW: usize, const CW: usize> Logic for Pointers<PW, CW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.size.next = self.no_pack.val();
        self.free_wide.next = self.no_pack.val();
        self.resident_wide.next = self.no_pack.val();
        self.top_wide.next = self.no_pack.val();
        for i in 0..CW {
            if self.capacity.val().get_bit(i) {
                self.size.next = self.size.val() | self.pack_bit[i].val();
            }
            if self.free.val().get_bit(i) {
                self.free_wide.next = self.free_wide.val() | self.pack_bit[i].val();
            }
            if self.resident.val().get_bit(i) {
                self.resident_wide.next = self.resident_wide.val() | self.pack_bit[i].val();
            }
            if self.top_place.val().get_bit(i) {
                self.top_wide.next = self.top_wide.val() | self.pack_bit[i].val();
            }
        }
        self.last.next = self.behind.val() - self.one.val();

        // A call and a push take the pack at RSP; a pop gives the one below it back, a return ends at the link.
        self.up.next = self.rsp.val() + self.one.val();
        if self.rsp.val() == self.last.val() {
            self.up.next = self.first.val();
        }
        self.down_from.next = self.rsp.val();
        if self.unwind.val() {
            self.down_from.next = self.rfp.val();
        }
        self.down.next = self.down_from.val() - self.one.val();
        if self.down_from.val() == self.first.val() {
            self.down.next = self.last.val();
        }
        // The free packs lie from RSP on, and behind them the bottom of the stack. Both ways there are gone while it is found out
        // which it is.
        self.behind_free.a.next = self.top_wide.val();
        self.behind_free.b.next = self.free_wide.val();
        self.goes_around.a.next = self.behind_free.sum.val();
        self.goes_around.b.next = self.size.val();
        self.straight.a.next = self.rsp.val();
        self.straight.b.next = self.free_wide.val();
        self.around.a.next = !self.rsp.val();
        self.around.b.next = self.resident_wide.val();
        self.bottom.next = self.straight.sum.val();
        if self.goes_around.above.val() {
            self.bottom.next = !self.around.sum.val();
        }
        // The caller's frame begins with its link.
        self.link_down.next = self.link.val() - self.one.val();
        if self.link.val() == self.first.val() {
            self.link_down.next = self.last.val();
        }

        // What it is about is chosen before it is known whether it is done.
        self.place.next = self.rsp.val();
        if self.pop.val() {
            self.place.next = self.down.val();
        }
        if self.unwind.val() {
            self.place.next = self.link_down.val();
        }
        self.names.next = self.fills.val()
            | (self.grant.val() & ((self.call.val() | self.push.val()) | self.pop.val()));
        self.pack.next = self.no_pack.val();
        self.new_link.next = self.no_pack.val();
        if self.names.val() {
            self.pack.next = self.place.val();
        }
        if self.trap.val() {
            self.pack.next = self.bottom.val();
        }
        if self.grant.val() & self.call.val() {
            self.new_link.next = self.rfp.val();
        }

        self.new_rfp.next = self.rfp.val();
        self.new_rsp.next = self.down.val();
        if self.launch.val() {
            self.new_rfp.next = self.first.val();
            self.new_rsp.next = self.first.val();
        }
        if self.call.val() {
            self.new_rfp.next = self.up.val();
        }
        if self.call.val() | self.push.val() {
            self.new_rsp.next = self.up.val();
        }
        if self.unwind.val() {
            self.new_rfp.next = self.link.val();
        }
    }
}
