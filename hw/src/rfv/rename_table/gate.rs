//! What the request of a cycle may do: ask, start a walk, or nothing while one goes on.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Admits requests, and takes walks from word to word. `HW` bits count a warp's words in a bank.
#[derive(LogicBlock, Inputs)]
pub struct Gate<const NW: usize, const IW: usize, const HW: usize> {
    /// Nothing is asked.
    pub clear: Signal<In, bool>,
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// It starts.
    pub launch: Signal<In, bool>,
    /// It ends.
    pub exit: Signal<In, bool>,
    /// Operands that are wanted.
    pub valid: [Signal<In, bool>; 4],
    /// A walk is at a word.
    pub walks: Signal<In, bool>,
    /// Which one.
    pub hi: Signal<In, Bits<HW>>,
    /// The walk goes on after it.
    pub busy: Signal<Out, bool>,
    /// A walk is at a word after this edge.
    pub walk_next: Signal<Out, bool>,
    /// Operands that are asked for.
    pub asked: [Signal<Out, bool>; 4],
    /// Those of a warp that exists.
    pub wanted: [Signal<Out, bool>; 4],
    /// Banks 0 to 2 make their word unmapped.
    pub wipe: Signal<Out, bool>,
    /// Bank 3 does.
    pub wipe_3: Signal<Out, bool>,
    wide_warp: Signal<Local, Bits<7>>,
    exists: Signal<Local, bool>,
    ends: Signal<Local, bool>,
    goes_on: Signal<Local, bool>,
    open: Signal<Local, bool>,
    free: Signal<Local, bool>,
    ask: [Signal<Local, bool>; 4],
    no_warp: Constant<Bits<7>>,
    warp_bit: [Constant<Bits<7>>; IW],
    warps: Constant<Bits<7>>,
    last: Constant<Bits<HW>>,
    short: Constant<bool>,
}

impl<const NW: usize, const IW: usize, const HW: usize> Default for Gate<NW, IW, HW> {
    fn default() -> Self {
        const { assert!(NW <= 1 << IW && IW <= 6) };
        Self {
            clear: Signal::default(),
            warp: Signal::default(),
            launch: Signal::default(),
            exit: Signal::default(),
            valid: Default::default(),
            walks: Signal::default(),
            hi: Signal::default(),
            busy: Signal::default(),
            walk_next: Signal::default(),
            asked: Default::default(),
            wanted: Default::default(),
            wipe: Signal::default(),
            wipe_3: Signal::default(),
            wide_warp: Signal::default(),
            exists: Signal::default(),
            ends: Signal::default(),
            goes_on: Signal::default(),
            open: Signal::default(),
            free: Signal::default(),
            ask: Default::default(),
            no_warp: Constant::new(0u64.into()),
            warp_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            warps: Constant::new((NW as u64).into()),
            last: Constant::new(Bits::mask()),
            short: Constant::new(HW == 4),
        }
    }
}

impl<const NW: usize, const IW: usize, const HW: usize> Logic for Gate<NW, IW, HW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.wide_warp.next = self.no_warp.val();
        for i in 0..IW {
            if self.warp.val().get_bit(i) {
                self.wide_warp.next = self.wide_warp.val() | self.warp_bit[i].val();
            }
        }
        self.exists.next = self.wide_warp.val() < self.warps.val();
        self.ends.next = self.hi.val() == self.last.val();
        self.goes_on.next = self.walks.val() & (!self.ends.val());
        self.busy.next = self.goes_on.val();
        self.free.next = (!self.goes_on.val()) & (!self.clear.val());
        self.walk_next.next = (self.goes_on.val() & (!self.clear.val()))
            | ((self.free.val() & self.exists.val()) & (self.launch.val() | self.exit.val()));
        self.open.next = self.free.val() & (!(self.launch.val() | self.exit.val()));
        for i in 0..4 {
            self.ask[i].next = self.valid[i].val() & self.open.val();
            self.asked[i].next = self.ask[i].val();
            self.wanted[i].next = self.ask[i].val() & self.exists.val();
        }
        // Bank 3 has a word less of each warp if all 63 registers have one.
        self.wipe.next = self.walks.val();
        self.wipe_3.next = self.walks.val() & (!(self.ends.val() & self.short.val()));
    }
}
