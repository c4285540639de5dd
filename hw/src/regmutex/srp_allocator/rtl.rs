//! Masks and table as in RegMutex III-B1: 2 `NW` + `NW` ceil(log2 `NW`) flip-flops, nothing else is remembered.

use super::{SrpAllocatorIn, SrpAllocatorOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, read_bits, settle};
use crate::common::find_first_zero::rtl::FindFirstZero;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::table::DualTable;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// Allocator of the sections of the shared register pool. `GROUPS` is `NW / 4`, `IW` is ceil(log2 `NW`), `CW` is
/// ceil(log2 (`NW` + 1)). The ports are documented at [`SrpAllocatorIn`] and [`SrpAllocatorOut`].
#[derive(LogicBlock, Inputs)]
pub struct SrpAllocator<const NW: usize, const GROUPS: usize, const IW: usize, const CW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel; wins over both ports.
    pub clear: Signal<In, bool>,
    /// Sections that exist; read with `clear`.
    pub section_count: Signal<In, Bits<CW>>,
    /// Port that wins a tie.
    pub favor_b: Signal<In, bool>,
    /// Port a asks.
    pub a_valid: Signal<In, bool>,
    /// 0 acquire, 1 release.
    pub a_release: Signal<In, bool>,
    /// Warp asked about.
    pub a_warp: Signal<In, Bits<IW>>,
    /// Port b asks.
    pub b_valid: Signal<In, bool>,
    /// 0 acquire, 1 release.
    pub b_release: Signal<In, bool>,
    /// Warp asked about.
    pub b_warp: Signal<In, Bits<IW>>,
    /// Port a is served.
    pub a_grant: Signal<Out, bool>,
    /// `a_warp` holds a section.
    pub a_held: Signal<Out, bool>,
    /// Its section.
    pub a_section: Signal<Out, Bits<IW>>,
    /// Port b is served.
    pub b_grant: Signal<Out, bool>,
    /// `b_warp` holds a section.
    pub b_held: Signal<Out, bool>,
    /// Its section.
    pub b_section: Signal<Out, Bits<IW>>,
    // State: a bit per warp that holds, a bit per section that is taken, the section of each warp.
    warp_status: DFF<Bits<NW>>,
    srp: DFF<Bits<NW>>,
    lut: Lazy<DualTable<NW, IW, IW>>,
    finder: Lazy<FindFirstZero<NW, GROUPS, IW>>,
    a_onehot: Signal<Local, Bits<NW>>,
    b_onehot: Signal<Local, Bits<NW>>,
    a_holds: Signal<Local, bool>,
    b_holds: Signal<Local, bool>,
    same_warp: Signal<Local, bool>,
    a_asks: Signal<Local, bool>,
    b_asks: Signal<Local, bool>,
    a_frees: Signal<Local, bool>,
    b_frees: Signal<Local, bool>,
    a_wants: Signal<Local, bool>,
    b_wants: Signal<Local, bool>,
    may_take: Signal<Local, bool>,
    a_freed: Signal<Local, bool>,
    b_freed: Signal<Local, bool>,
    a_taken: Signal<Local, bool>,
    b_taken: Signal<Local, bool>,
    served_section: Signal<Local, Bits<IW>>,
    warp_toggle: Signal<Local, Bits<NW>>,
    section_toggle: Signal<Local, Bits<NW>>,
    none: Constant<Bits<NW>>,
    one: Constant<Bits<NW>>,
    ones: Constant<Bits<NW>>,
    section_zero: Constant<Bits<IW>>,
}

/// 48 warps (`gtx480`): 384 flip-flops.
pub type SrpAllocator48 = SrpAllocator<48, 12, 6, 6>;
/// 64 warps: 512 flip-flops.
pub type SrpAllocator64 = SrpAllocator<64, 16, 6, 7>;
/// 8 warps: small enough for a monolithic proof.
pub type SrpAllocator8 = SrpAllocator<8, 2, 3, 4>;

impl<const NW: usize, const GROUPS: usize, const IW: usize, const CW: usize>
    SrpAllocator<NW, GROUPS, IW, CW>
{
    /// An allocator in its power-on state: nothing held, all `NW` sections free.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(NW < 1 << CW && NW <= 1 << IW) };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            section_count: Signal::default(),
            favor_b: Signal::default(),
            a_valid: Signal::default(),
            a_release: Signal::default(),
            a_warp: Signal::default(),
            b_valid: Signal::default(),
            b_release: Signal::default(),
            b_warp: Signal::default(),
            a_grant: Signal::default(),
            a_held: Signal::default(),
            a_section: Signal::default(),
            b_grant: Signal::default(),
            b_held: Signal::default(),
            b_section: Signal::default(),
            warp_status: DFF::default(),
            srp: DFF::default(),
            lut: Lazy::default(),
            finder: Lazy::default(),
            a_onehot: Signal::default(),
            b_onehot: Signal::default(),
            a_holds: Signal::default(),
            b_holds: Signal::default(),
            same_warp: Signal::default(),
            a_asks: Signal::default(),
            b_asks: Signal::default(),
            a_frees: Signal::default(),
            b_frees: Signal::default(),
            a_wants: Signal::default(),
            b_wants: Signal::default(),
            may_take: Signal::default(),
            a_freed: Signal::default(),
            b_freed: Signal::default(),
            a_taken: Signal::default(),
            b_taken: Signal::default(),
            served_section: Signal::default(),
            warp_toggle: Signal::default(),
            section_toggle: Signal::default(),
            none: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
            ones: Constant::new(Bits::mask()),
            section_zero: Constant::new(0u64.into()),
        }
    }
}

impl<const NW: usize, const GROUPS: usize, const IW: usize, const CW: usize> Default
    for SrpAllocator<NW, GROUPS, IW, CW>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const NW: usize, const GROUPS: usize, const IW: usize, const CW: usize> Logic
    for SrpAllocator<NW, GROUPS, IW, CW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(self, clock, warp_status, srp);
        clock!(self, clock, lut);
        self.finder.mask.next = self.srp.q.val();
        self.lut.a_row.next = self.a_warp.val();
        self.lut.b_row.next = self.b_warp.val();

        // A warp that does not exist decodes to no bit at all: it holds nothing and is refused.
        self.a_onehot.next = self.one.val() << self.a_warp.val();
        self.b_onehot.next = self.one.val() << self.b_warp.val();
        self.a_holds.next = (self.warp_status.q.val() & self.a_onehot.val()).any();
        self.b_holds.next = (self.warp_status.q.val() & self.b_onehot.val()).any();
        self.same_warp.next = self.a_valid.val() & (self.a_warp.val() == self.b_warp.val());
        self.a_asks.next = (self.a_valid.val() & (!self.clear.val())) & self.a_onehot.val().any();
        self.b_asks.next = ((self.b_valid.val() & (!self.clear.val())) & self.b_onehot.val().any())
            & (!self.same_warp.val());

        // What would change the state; the rest is granted as it is.
        self.a_frees.next = (self.a_asks.val() & self.a_release.val()) & self.a_holds.val();
        self.b_frees.next = (self.b_asks.val() & self.b_release.val()) & self.b_holds.val();
        self.a_wants.next = (self.a_asks.val() & (!self.a_release.val())) & (!self.a_holds.val());
        self.b_wants.next = (self.b_asks.val() & (!self.b_release.val())) & (!self.b_holds.val());

        // One change per cycle: release before acquire, then the favoured port.
        self.a_freed.next = self.a_frees.val() & (!(self.b_frees.val() & self.favor_b.val()));
        self.b_freed.next = self.b_frees.val() & (!(self.a_frees.val() & (!self.favor_b.val())));
        self.may_take.next = self.finder.found.val() & (!(self.a_frees.val() | self.b_frees.val()));
        self.a_taken.next = (self.a_wants.val() & self.may_take.val())
            & (!(self.b_wants.val() & self.favor_b.val()));
        self.b_taken.next = (self.b_wants.val() & self.may_take.val())
            & (!(self.a_wants.val() & (!self.favor_b.val())));

        self.a_grant.next = (self.a_freed.val() | self.a_taken.val())
            | (self.a_asks.val() & (self.a_release.val() ^ self.a_holds.val()));
        self.b_grant.next = (self.b_freed.val() | self.b_taken.val())
            | (self.b_asks.val() & (self.b_release.val() ^ self.b_holds.val()));
        self.a_held.next = self.a_holds.val();
        self.b_held.next = self.b_holds.val();
        self.a_section.next = self.section_zero.val();
        if self.a_holds.val() {
            self.a_section.next = self.lut.a_word.val();
        } else if self.a_taken.val() {
            self.a_section.next = self.finder.index.val();
        }
        self.b_section.next = self.section_zero.val();
        if self.b_holds.val() {
            self.b_section.next = self.lut.b_word.val();
        } else if self.b_taken.val() {
            self.b_section.next = self.finder.index.val();
        }

        self.lut.write.next = self.a_taken.val() | self.b_taken.val();
        self.lut.write_word.next = self.finder.index.val();
        self.lut.write_row.next = self.a_warp.val();
        self.served_section.next = self.finder.index.val();
        self.warp_toggle.next = self.none.val();
        self.section_toggle.next = self.none.val();
        if self.a_freed.val() | self.a_taken.val() {
            self.warp_toggle.next = self.a_onehot.val();
            self.served_section.next = self.a_section.val();
            self.section_toggle.next = self.one.val() << self.served_section.val();
        } else if self.b_freed.val() | self.b_taken.val() {
            self.warp_toggle.next = self.b_onehot.val();
            self.lut.write_row.next = self.b_warp.val();
            self.served_section.next = self.b_section.val();
            self.section_toggle.next = self.one.val() << self.served_section.val();
        }
        if self.clear.val() {
            self.warp_status.d.next = self.none.val();
            self.srp.d.next = self.ones.val() << self.section_count.val();
        } else {
            self.warp_status.d.next = self.warp_status.q.val() ^ self.warp_toggle.val();
            self.srp.d.next = self.srp.q.val() ^ self.section_toggle.val();
        }
    }
}

/// The block behind the same interface as the model.
pub struct Rtl<const NW: usize, const GROUPS: usize, const IW: usize, const CW: usize> {
    block: Box<SrpAllocator<NW, GROUPS, IW, CW>>,
    evaluated: Option<(SrpAllocatorIn<NW>, SrpAllocatorOut<NW>)>,
}

impl<const NW: usize, const GROUPS: usize, const IW: usize, const CW: usize> Default
    for Rtl<NW, GROUPS, IW, CW>
{
    fn default() -> Self {
        let mut block = Box::new(SrpAllocator::new());
        block.connect_all();
        settle(&mut *block);
        Self {
            block,
            evaluated: None,
        }
    }
}

impl<const NW: usize, const GROUPS: usize, const IW: usize, const CW: usize> Clocked
    for Rtl<NW, GROUPS, IW, CW>
{
    type In = SrpAllocatorIn<NW>;
    type Out = SrpAllocatorOut<NW>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        if let Some((last, out)) = self.evaluated
            && last == *pins
        {
            return out;
        }
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive_bits(&mut block.section_count, pins.section_count.into());
        drive(&mut block.favor_b, pins.favor_b);
        drive(&mut block.a_valid, pins.a_valid);
        drive(&mut block.a_release, pins.a_release);
        drive_bits(&mut block.a_warp, pins.a_warp.into());
        drive(&mut block.b_valid, pins.b_valid);
        drive(&mut block.b_release, pins.b_release);
        drive_bits(&mut block.b_warp, pins.b_warp.into());
        // Only the table lies between inputs and outputs; the search sees nothing but the SRP mask, which waits
        // for the edge. So: hand the rows to the table, read it, and evaluate with what it says.
        drive_bits(&mut block.lut.a_row, pins.a_warp.into());
        drive_bits(&mut block.lut.b_row, pins.b_warp.into());
        block.lut.update();
        block.update();
        let out = SrpAllocatorOut {
            a_grant: block.a_grant.val(),
            a_held: block.a_held.val(),
            a_section: read_bits(&block.a_section) as u8,
            b_grant: block.b_grant.val(),
            b_held: block.b_held.val(),
            b_section: read_bits(&block.b_section) as u8,
        };
        self.evaluated = Some((*pins, out));
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        let block = &mut *self.block;
        // With every D equal to its Q and no write to the table, the edge would change nothing.
        let idle = block.warp_status.d.next == block.warp_status.q.val()
            && block.srp.d.next == block.srp.q.val()
            && !block.lut.write.next;
        if !idle {
            block.rising_edge();
            self.evaluated = None;
        }
        out
    }
}

impl<const NW: usize, const GROUPS: usize, const IW: usize, const CW: usize>
    SrpAllocator<NW, GROUPS, IW, CW>
{
    /// A rising edge after an evaluation, as rust-hdl's settling does it, but without the passes that only find
    /// out that nothing moves any more. A test holds it against plain settling.
    fn rising_edge(&mut self) {
        self.registers_take_inputs();
        drive(&mut self.clock, true.into());
        self.update();
        self.registers_take_inputs();
        self.warp_status.update();
        self.srp.update();
        self.lut.update();
        drive(&mut self.clock, false.into());
        self.update();
        self.registers_take_inputs();
        // The search sees the new SRP mask.
        self.finder.update_all();
        self.finder.update();
    }

    fn registers_take_inputs(&mut self) {
        self.warp_status.update_all();
        self.srp.update_all();
        self.lut.update_all();
    }
}
