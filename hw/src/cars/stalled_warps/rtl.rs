//! The list as a circle of warp indices, and a bit per warp so that a look-up needs no search.

use super::{StalledWarpsIn, StalledWarpsOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use crate::common::lazy::{Inputs, Lazy};
use crate::common::one_hot::OneHot;
use crate::common::set_reset::SetReset;
use crate::common::table::MarkedTable;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// List of stalled warps, first in, first out. `IW` is ceil(log2 `NW`). The ports are documented at
/// [`StalledWarpsIn`] and [`StalledWarpsOut`].
#[derive(LogicBlock, Inputs)]
pub struct StalledWarps<const NW: usize, const IW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel; wins over everything else.
    pub clear: Signal<In, bool>,
    /// Puts `stall_warp` at the end.
    pub stall: Signal<In, bool>,
    /// The warp to stall.
    pub stall_warp: Signal<In, Bits<IW>>,
    /// Takes the first warp away.
    pub wake: Signal<In, bool>,
    /// Warp looked up by scheduler a.
    pub a_warp: Signal<In, Bits<IW>>,
    /// Warp looked up by scheduler b.
    pub b_warp: Signal<In, Bits<IW>>,
    /// The warp is in the list after the edge.
    pub stall_grant: Signal<Out, bool>,
    /// A warp is woken.
    pub woken_valid: Signal<Out, bool>,
    /// The warp that is woken.
    pub woken: Signal<Out, Bits<IW>>,
    /// No warp is stalled.
    pub empty: Signal<Out, bool>,
    /// `a_warp` is stalled.
    pub a_stalled: Signal<Out, bool>,
    /// `b_warp` is stalled.
    pub b_stalled: Signal<Out, bool>,
    // State: a bit per warp that is stalled; the list as a circle, its first entry and the one behind its last.
    stalled: Lazy<SetReset<NW>>,
    list: Lazy<MarkedTable<NW, IW, IW>>,
    pushed: Lazy<OneHot<NW, IW>>,
    head: DFF<Bits<IW>>,
    tail: DFF<Bits<IW>>,
    from_a: Signal<Local, Bits<NW>>,
    from_b: Signal<Local, Bits<NW>>,
    from_stall: Signal<Local, Bits<NW>>,
    after_stall: Signal<Local, Bits<NW>>,
    first: Signal<Local, Bits<IW>>,
    any_stalled: Signal<Local, bool>,
    wakes: Signal<Local, bool>,
    exists: Signal<Local, bool>,
    known: Signal<Local, bool>,
    leaves: Signal<Local, bool>,
    asked: Signal<Local, bool>,
    adds: Signal<Local, bool>,
    added: Lazy<OneHot<NW, IW>>,
    removed: Lazy<OneHot<NW, IW>>,
    one: Constant<Bits<NW>>,
    all: Constant<Bits<NW>>,
    zero: Constant<Bits<IW>>,
    one_up: Constant<Bits<IW>>,
    last: Constant<Bits<IW>>,
}

/// 48 warps: 348 flip-flops.
pub type StalledWarps48 = StalledWarps<48, 6>;
/// 64 warps (`v100`): 460 flip-flops.
pub type StalledWarps64 = StalledWarps<64, 6>;
/// 8 warps.
pub type StalledWarps8 = StalledWarps<8, 3>;

impl<const NW: usize, const IW: usize> StalledWarps<NW, IW> {
    /// A block in its power-on state.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(NW <= 1 << IW && NW > 1 << (IW - 1)) };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            stall: Signal::default(),
            stall_warp: Signal::default(),
            wake: Signal::default(),
            a_warp: Signal::default(),
            b_warp: Signal::default(),
            stall_grant: Signal::default(),
            woken_valid: Signal::default(),
            woken: Signal::default(),
            empty: Signal::default(),
            a_stalled: Signal::default(),
            b_stalled: Signal::default(),
            stalled: Lazy::new(SetReset::reset_wins()),
            list: Lazy::default(),
            pushed: Lazy::default(),
            head: DFF::default(),
            tail: DFF::default(),
            from_a: Signal::default(),
            from_b: Signal::default(),
            from_stall: Signal::default(),
            after_stall: Signal::default(),
            first: Signal::default(),
            any_stalled: Signal::default(),
            wakes: Signal::default(),
            exists: Signal::default(),
            known: Signal::default(),
            leaves: Signal::default(),
            asked: Signal::default(),
            adds: Signal::default(),
            added: Lazy::default(),
            removed: Lazy::default(),
            one: Constant::new(1u64.into()),
            all: Constant::new(Bits::mask()),
            zero: Constant::new(0u64.into()),
            one_up: Constant::new(1u64.into()),
            last: Constant::new((NW as u64 - 1).into()),
        }
    }
}

impl<const NW: usize, const IW: usize> Default for StalledWarps<NW, IW> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const NW: usize, const IW: usize> Logic for StalledWarps<NW, IW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(self, clock, head, tail);
        clock!(self, clock, stalled, list);

        // Above the last warp there are zeros: a warp that does not exist is not stalled and cannot be.
        self.from_a.next = self.stalled.q.val() >> self.a_warp.val();
        self.from_b.next = self.stalled.q.val() >> self.b_warp.val();
        self.from_stall.next = self.stalled.q.val() >> self.stall_warp.val();
        self.after_stall.next = self.all.val() >> self.stall_warp.val();
        self.a_stalled.next = (self.from_a.val() & self.one.val()).any();
        self.b_stalled.next = (self.from_b.val() & self.one.val()).any();
        self.any_stalled.next = self.stalled.q.val().any();
        self.empty.next = !self.any_stalled.val();

        // The list has room for all warps and holds none twice, so it never overflows; it is empty exactly if no bit
        // is set.
        self.list.row.next = self.head.q.val();
        self.first.next = self.list.word.val();
        self.wakes.next = (self.wake.val() & self.any_stalled.val()) & (!self.clear.val());
        self.woken_valid.next = self.wakes.val();
        self.woken.next = self.zero.val();
        if self.wakes.val() {
            self.woken.next = self.first.val();
        }
        self.removed.valid.next = self.wakes.val();
        self.removed.index.next = self.first.val();
        self.removed.all.next = self.clear.val();
        self.exists.next = (self.after_stall.val() & self.one.val()).any();
        self.known.next = (self.from_stall.val() & self.one.val()).any();
        self.leaves.next = self.wakes.val() & (self.first.val() == self.stall_warp.val());
        self.asked.next = (self.stall.val() & (!self.clear.val())) & self.exists.val();
        self.stall_grant.next = self.asked.val() & (!self.leaves.val());
        // A warp that leaves is in the list, so it is known.
        self.adds.next = self.asked.val() & (!self.known.val());
        self.pushed.valid.next = self.adds.val();
        self.pushed.index.next = self.tail.q.val();
        self.pushed.all.next = false;
        self.list.write.next = self.pushed.place.val();
        self.list.write_word.next = self.stall_warp.val();

        self.added.valid.next = self.adds.val();
        self.added.index.next = self.stall_warp.val();
        self.added.all.next = false;
        self.stalled.set.next = self.added.place.val();
        self.stalled.reset.next = self.removed.place.val();
        if self.wakes.val() {
            self.head.d.next = self.head.q.val() + self.one_up.val();
        }
        if self.clear.val() | (self.wakes.val() & (self.head.q.val() == self.last.val())) {
            self.head.d.next = self.zero.val();
        }
        if self.adds.val() {
            self.tail.d.next = self.tail.q.val() + self.one_up.val();
        }
        if self.clear.val() | (self.adds.val() & (self.tail.q.val() == self.last.val())) {
            self.tail.d.next = self.zero.val();
        }
    }
}

/// The block behind the same interface as the model.
pub struct Rtl<const NW: usize, const IW: usize> {
    block: Box<StalledWarps<NW, IW>>,
    evaluated: Option<(StalledWarpsIn<NW>, StalledWarpsOut<NW>)>,
}

impl<const NW: usize, const IW: usize> Default for Rtl<NW, IW> {
    fn default() -> Self {
        let mut block = Box::new(StalledWarps::new());
        block.connect_all();
        settle(&mut *block);
        Self {
            block,
            evaluated: None,
        }
    }
}

impl<const NW: usize, const IW: usize> Clocked for Rtl<NW, IW> {
    type In = StalledWarpsIn<NW>;
    type Out = StalledWarpsOut<NW>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        if let Some((last, out)) = self.evaluated
            && last == *pins
        {
            return out;
        }
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive(&mut block.stall, pins.stall);
        drive_bits(&mut block.stall_warp, pins.stall_warp.into());
        drive(&mut block.wake, pins.wake);
        drive_bits(&mut block.a_warp, pins.a_warp.into());
        drive_bits(&mut block.b_warp, pins.b_warp.into());
        settle(block);
        let out = StalledWarpsOut {
            stall_grant: block.stall_grant.val(),
            woken_valid: block.woken_valid.val(),
            woken: read_bits(&block.woken) as u8,
            empty: block.empty.val(),
            a_stalled: block.a_stalled.val(),
            b_stalled: block.b_stalled.val(),
        };
        self.evaluated = Some((*pins, out));
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        let block = &mut *self.block;
        // Nothing is remembered of a cycle without a grant, a wake-up or a clear.
        if out.stall_grant || out.woken_valid || pins.clear {
            pulse!(block);
            self.evaluated = None;
        }
        out
    }
}
