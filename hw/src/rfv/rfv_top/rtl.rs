//! The six units of RFV, joined as the SM sees them.

pub use super::adapter::{
    Rtl, Rtl4, Rtl4x63x256, Rtl16x63x512, Rtl48, Rtl48x16x1024, Rtl48x63x1024, Rtl64, Rtl64x63x2048,
};
use super::admission::Admission;
use super::decode::{Duty, End};
use super::entry::{Candidate, Entry};
use super::power::Ready;
use super::returns::Returns;
pub use super::sizes::*;
use super::stage::Stage;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use crate::rfv::cta_throttle::rtl::CtaThrottle;
use crate::rfv::flag_decoder::rtl::FlagDecoder;
use crate::rfv::free_list::rtl::FreeList;
use crate::rfv::power_gate::rtl::PowerGate;
use crate::rfv::release_flag_cache::rtl::ReleaseFlagCache;
use crate::rfv::rename_table::rtl::RenameTable;
use rust_hdl::prelude::*;

/// RFV of one SM with two schedulers, `NW` warps and `T` CTA slots, numbered by `IW` and `TW` bits. From `HW` to `BW` the
/// parameters are those of [`RenameTable`], from `W` to `FW` those of [`FreeList`], whose `IW` is `LW` and whose `PW` is `BW`,
/// `QW` and `KW` those of [`CtaThrottle`], then those of [`PowerGate`]. With `HARDWARE_ONLY` 1 there are neither flags nor throttle
/// (9.5). The next three are those of [`ReleaseFlagCache`]; with `UNCACHED` 1 nothing asks it: an instruction brings its flags
/// in bits 2:0 of its slot. The ports are documented at
/// [`RfvTopIn`](super::RfvTopIn) and [`RfvTopOut`](super::RfvTopOut).
#[derive(LogicBlock, Inputs, Default)]
pub struct RfvTop<
    const NW: usize,
    const T: usize,
    const IW: usize,
    const TW: usize,
    const HW: usize,
    const RW: usize,
    const ROWS: usize,
    const SHORT: usize,
    const PW: usize,
    const BW: usize,
    const W: usize,
    const LW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const FW: usize,
    const QW: usize,
    const KW: usize,
    const WAIT: usize,
    const GW: usize,
    const HARDWARE_ONLY: usize = 0,
    const ENTRIES: usize = 10,
    const EW: usize = 4,
    const TAG: usize = 13,
    const UNCACHED: usize = 0,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Starts a kernel.
    pub clear: Signal<In, bool>,
    /// Registers that are not renamed.
    pub exempt: Signal<In, Bits<6>>,
    /// How many packs the file has.
    pub shrink: Signal<In, Bits<2>>,
    /// Packs of a bank that hold exempt registers.
    pub reserved: Signal<In, Bits<FW>>,
    /// Packs that may be assigned.
    pub pack_count: Signal<In, Bits<QW>>,
    /// A CTA starts.
    pub cta_launch: Signal<In, bool>,
    /// Its slot.
    pub launch_cta: Signal<In, Bits<TW>>,
    /// What it needs in the worst case.
    pub need: Signal<In, Bits<QW>>,
    /// A CTA ends.
    pub cta_exit: Signal<In, bool>,
    /// Its slot.
    pub exit_cta: Signal<In, Bits<TW>>,
    /// A warp starts.
    pub launch: Signal<In, bool>,
    /// A warp ends.
    pub exit: Signal<In, bool>,
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// Its CTA.
    pub warp_cta: Signal<In, Bits<TW>>,
    /// Operands that were answered are still to be read.
    pub hold: Signal<In, bool>,
    /// A word arrives.
    pub word_valid: Signal<In, bool>,
    /// The word.
    pub word: Signal<In, Bits<64>>,
    /// Its program counter.
    pub word_pc: Signal<In, Bits<16>>,
    /// Instruction whose flags are shown.
    pub word_slot: Signal<In, Bits<5>>,
    /// The warp that fetched it.
    pub word_warp: Signal<In, Bits<IW>>,
    /// The CTA of that warp.
    pub word_cta: Signal<In, Bits<TW>>,
    /// Port b goes first.
    pub favor_b: Signal<In, bool>,
    /// Port a issues.
    pub a_valid: Signal<In, bool>,
    /// Its warp.
    pub a_warp: Signal<In, Bits<IW>>,
    /// The CTA of that warp.
    pub a_cta: Signal<In, Bits<TW>>,
    /// The throttle does not hold it back.
    pub a_urgent: Signal<In, bool>,
    /// A pir covers it.
    pub a_flagged: Signal<In, bool>,
    /// Program counter of the pir.
    pub a_pir: Signal<In, Bits<16>>,
    /// Instruction after it.
    pub a_slot: Signal<In, Bits<5>>,
    /// Register of its first source.
    pub a_x0: Signal<In, Bits<6>>,
    /// It has one.
    pub a_x0_valid: Signal<In, bool>,
    /// Register of its second source.
    pub a_x1: Signal<In, Bits<6>>,
    /// It has one.
    pub a_x1_valid: Signal<In, bool>,
    /// Register of its third source.
    pub a_x2: Signal<In, Bits<6>>,
    /// It has one.
    pub a_x2_valid: Signal<In, bool>,
    /// Register of its destination.
    pub a_x3: Signal<In, Bits<6>>,
    /// It has one.
    pub a_x3_valid: Signal<In, bool>,
    /// Port b issues.
    pub b_valid: Signal<In, bool>,
    /// Its warp.
    pub b_warp: Signal<In, Bits<IW>>,
    /// The CTA of that warp.
    pub b_cta: Signal<In, Bits<TW>>,
    /// The throttle does not hold it back.
    pub b_urgent: Signal<In, bool>,
    /// A pir covers it.
    pub b_flagged: Signal<In, bool>,
    /// Program counter of the pir.
    pub b_pir: Signal<In, Bits<16>>,
    /// Instruction after it.
    pub b_slot: Signal<In, Bits<5>>,
    /// Register of its first source.
    pub b_x0: Signal<In, Bits<6>>,
    /// It has one.
    pub b_x0_valid: Signal<In, bool>,
    /// Register of its second source.
    pub b_x1: Signal<In, Bits<6>>,
    /// It has one.
    pub b_x1_valid: Signal<In, bool>,
    /// Register of its third source.
    pub b_x2: Signal<In, Bits<6>>,
    /// It has one.
    pub b_x2_valid: Signal<In, bool>,
    /// Register of its destination.
    pub b_x3: Signal<In, Bits<6>>,
    /// It has one.
    pub b_x3_valid: Signal<In, bool>,
    /// The start or end is taken in.
    pub walk_grant: Signal<Out, bool>,
    /// It goes on.
    pub busy: Signal<Out, bool>,
    /// The word is a pir.
    pub pir: Signal<Out, bool>,
    /// The word is a pbr.
    pub pbr: Signal<Out, bool>,
    /// Flags of that instruction.
    pub word_flags: Signal<Out, Bits<3>>,
    /// Decode is done with the word.
    pub word_done: Signal<Out, bool>,
    /// CTAs that may issue.
    pub may_issue: Signal<Out, Bits<T>>,
    /// CTA with the smallest balance.
    pub chosen: Signal<Out, Bits<TW>>,
    /// Only that one may issue.
    pub throttled: Signal<Out, bool>,
    /// It may run short.
    pub spill: Signal<Out, bool>,
    /// Packs that are not assigned.
    pub free_packs: Signal<Out, Bits<QW>>,
    /// Banks without a free pack.
    pub dry: Signal<Out, Bits<4>>,
    /// Sub-arrays with power.
    pub powered: Signal<Out, Bits<16>>,
    /// Sub-arrays that can be used.
    pub awake: Signal<Out, Bits<16>>,
    /// The cache holds the pir of port a.
    pub a_hit: Signal<Out, bool>,
    /// Port a waits for it.
    pub a_miss: Signal<Out, bool>,
    /// Operands of port a that are looked up.
    pub a_served: Signal<Out, Bits<4>>,
    /// Port a goes on.
    pub a_grant: Signal<Out, bool>,
    /// The answer is for port a.
    pub a_answer: Signal<Out, bool>,
    /// The cache holds the pir of port b.
    pub b_hit: Signal<Out, bool>,
    /// Port b waits for it.
    pub b_miss: Signal<Out, bool>,
    /// Operands of port b that are looked up.
    pub b_served: Signal<Out, Bits<4>>,
    /// Port b goes on.
    pub b_grant: Signal<Out, bool>,
    /// The answer is for port b.
    pub b_answer: Signal<Out, bool>,
    /// Pack of the first source.
    pub y0: Signal<Out, Bits<PW>>,
    /// It has one.
    pub y0_valid: Signal<Out, bool>,
    /// Its sub-array is awake.
    pub y0_awake: Signal<Out, bool>,
    /// Pack of the second source.
    pub y1: Signal<Out, Bits<PW>>,
    /// It has one.
    pub y1_valid: Signal<Out, bool>,
    /// Its sub-array is awake.
    pub y1_awake: Signal<Out, bool>,
    /// Pack of the third source.
    pub y2: Signal<Out, Bits<PW>>,
    /// It has one.
    pub y2_valid: Signal<Out, bool>,
    /// Its sub-array is awake.
    pub y2_awake: Signal<Out, bool>,
    /// Pack of the destination.
    pub y3: Signal<Out, Bits<PW>>,
    /// It has one.
    pub y3_valid: Signal<Out, bool>,
    /// Its sub-array is awake.
    pub y3_awake: Signal<Out, bool>,
    /// The destination got none.
    pub starved: Signal<Out, bool>,
    decoder: Lazy<FlagDecoder>,
    duty: Lazy<Duty>,
    finish: Lazy<End>,
    cache: Lazy<ReleaseFlagCache<ENTRIES, EW, TAG>>,
    a_port: Lazy<Candidate<T, TW>>,
    b_port: Lazy<Candidate<T, TW>>,
    entry: Lazy<Entry<IW, TW, HARDWARE_ONLY>>,
    names: Lazy<RenameTable<NW, IW, HW, RW, ROWS, SHORT, PW, BW, HARDWARE_ONLY>>,
    stage: Lazy<Stage<TW>>,
    packs: Lazy<FreeList<W, LW, C, CW, PER, BW, FW>>,
    back: Lazy<Returns<BW, TW>>,
    throttle: Lazy<CtaThrottle<T, TW, QW, KW>>,
    gate: Lazy<PowerGate<WAIT, GW>>,
    usable: Lazy<Ready>,
    admission: Lazy<Admission<T, TW, HARDWARE_ONLY>>,
}

impl<
    const NW: usize,
    const T: usize,
    const IW: usize,
    const TW: usize,
    const HW: usize,
    const RW: usize,
    const ROWS: usize,
    const SHORT: usize,
    const PW: usize,
    const BW: usize,
    const W: usize,
    const LW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const FW: usize,
    const QW: usize,
    const KW: usize,
    const WAIT: usize,
    const GW: usize,
    const HARDWARE_ONLY: usize,
    const ENTRIES: usize,
    const EW: usize,
    const TAG: usize,
    const UNCACHED: usize,
> Logic
    for RfvTop<
        NW,
        T,
        IW,
        TW,
        HW,
        RW,
        ROWS,
        SHORT,
        PW,
        BW,
        W,
        LW,
        C,
        CW,
        PER,
        FW,
        QW,
        KW,
        WAIT,
        GW,
        HARDWARE_ONLY,
        ENTRIES,
        EW,
        TAG,
        UNCACHED,
    >
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        clock!(
            self, clock, cache, names, stage, packs, back, throttle, gate
        );
        // Decode: a pir is kept, a pbr asks as long as it has ids.
        self.decoder.word.next = self.word.val();
        self.decoder.slot.next = self.word_slot.val();
        self.decoder.turn.next = self.stage.turn.val();
        self.pir.next = self.decoder.pir.val();
        self.pbr.next = self.decoder.pbr.val();
        self.word_flags.next = self.decoder.flags.val();
        self.duty.valid.next = self.word_valid.val();
        self.duty.clear.next = self.clear.val();
        self.duty.pir.next = self.decoder.pir.val();
        self.duty.pbr.next = self.decoder.pbr.val();
        self.duty.turns.next = self.decoder.turns.val();
        self.word_done.next = self.finish.done.val();
        self.finish.valid.next = self.word_valid.val();
        self.finish.clear.next = self.clear.val();
        self.finish.asks.next = self.duty.asks.val();
        self.finish.pbr_ends.next = self.stage.pbr_ends.val();
        self.cache.clear.next = self.clear.val();
        for _i in 0..(1 - UNCACHED) {
            self.cache.fill.next = self.duty.fill.val();
        }
        for _i in 0..UNCACHED {
            self.cache.fill.next = self.duty.fill.val() & self.back.never.val();
        }
        self.cache.fill_pc.next = self.word_pc.val();
        self.cache.fill_payload.next = self.decoder.payload.val();
        // Issue: who may be taken in, and who is. Without a cache each brings its flags, and waits for no pir; what nothing fills
        // finds nothing, so its flags are none.
        self.admission.counted.next = self.throttle.a_may_issue.val();
        self.admission.with_one_less.next = self.throttle.b_may_issue.val();
        self.admission.throttled.next = self.throttle.throttled.val();
        self.admission.chosen.next = self.throttle.chosen.val();
        self.admission.assigning.next = self.stage.destination.val();
        self.admission.cta.next = self.stage.cta.val();
        self.may_issue.next = self.admission.may_issue.val();
        self.cache.a_pc.next = self.a_pir.val();
        self.cache.a_slot.next = self.a_slot.val();
        for _i in 0..(1 - UNCACHED) {
            self.a_hit.next = self.cache.a_hit.val();
        }
        for _i in 0..UNCACHED {
            self.a_hit.next = self.back.never.val();
        }
        self.a_port.valid.next = self.a_valid.val();
        self.a_port.cta.next = self.a_cta.val();
        self.a_port.urgent.next = self.a_urgent.val();
        for _i in 0..(1 - UNCACHED) {
            self.a_port.flagged.next = self.a_flagged.val();
        }
        for _i in 0..UNCACHED {
            self.a_port.flagged.next = self.back.never.val();
        }
        self.a_port.hit.next = self.cache.a_hit.val();
        self.a_port.may_issue.next = self.admission.may_issue.val();
        self.a_port.begun.next = self.stage.a_begun.val();
        self.a_miss.next = self.a_port.miss.val();
        self.entry.a_can.next = self.a_port.can.val();
        self.entry.flagged[0].next = self.a_flagged.val();
        for _i in 0..(1 - UNCACHED) {
            self.entry.found[0].next = self.cache.a_flags.val();
        }
        for _i in 0..UNCACHED {
            self.entry.found[0].next =
                self.cache.a_flags.val() | self.a_slot.val().get_bits::<3>(0);
        }
        self.entry.some_lanes[0].next = self.a_slot.val().get_bit(0);
        self.entry.warp[2].next = self.a_warp.val();
        self.entry.cta[2].next = self.a_cta.val();
        self.entry.a_x[0].next = self.a_x0.val();
        self.entry.a_valid[0].next = self.a_x0_valid.val();
        self.entry.a_x[1].next = self.a_x1.val();
        self.entry.a_valid[1].next = self.a_x1_valid.val();
        self.entry.a_x[2].next = self.a_x2.val();
        self.entry.a_valid[2].next = self.a_x2_valid.val();
        self.entry.a_x[3].next = self.a_x3.val();
        self.entry.a_valid[3].next = self.a_x3_valid.val();
        self.a_served.next = self.stage.a_served.val();
        self.a_grant.next = self.stage.a_grant.val();
        self.a_answer.next = self.stage.a_answer.val();
        self.cache.b_pc.next = self.b_pir.val();
        self.cache.b_slot.next = self.b_slot.val();
        for _i in 0..(1 - UNCACHED) {
            self.b_hit.next = self.cache.b_hit.val();
        }
        for _i in 0..UNCACHED {
            self.b_hit.next = self.back.never.val();
        }
        self.b_port.valid.next = self.b_valid.val();
        self.b_port.cta.next = self.b_cta.val();
        self.b_port.urgent.next = self.b_urgent.val();
        for _i in 0..(1 - UNCACHED) {
            self.b_port.flagged.next = self.b_flagged.val();
        }
        for _i in 0..UNCACHED {
            self.b_port.flagged.next = self.back.never.val();
        }
        self.b_port.hit.next = self.cache.b_hit.val();
        self.b_port.may_issue.next = self.admission.may_issue.val();
        self.b_port.begun.next = self.stage.b_begun.val();
        self.b_miss.next = self.b_port.miss.val();
        self.entry.b_can.next = self.b_port.can.val();
        self.entry.flagged[1].next = self.b_flagged.val();
        for _i in 0..(1 - UNCACHED) {
            self.entry.found[1].next = self.cache.b_flags.val();
        }
        for _i in 0..UNCACHED {
            self.entry.found[1].next =
                self.cache.b_flags.val() | self.b_slot.val().get_bits::<3>(0);
        }
        self.entry.some_lanes[1].next = self.b_slot.val().get_bit(0);
        self.entry.warp[3].next = self.b_warp.val();
        self.entry.cta[3].next = self.b_cta.val();
        self.entry.b_x[0].next = self.b_x0.val();
        self.entry.b_valid[0].next = self.b_x0_valid.val();
        self.entry.b_x[1].next = self.b_x1.val();
        self.entry.b_valid[1].next = self.b_x1_valid.val();
        self.entry.b_x[2].next = self.b_x2.val();
        self.entry.b_valid[2].next = self.b_x2_valid.val();
        self.entry.b_x[3].next = self.b_x3.val();
        self.entry.b_valid[3].next = self.b_x3_valid.val();
        self.b_served.next = self.stage.b_served.val();
        self.b_grant.next = self.stage.b_grant.val();
        self.b_answer.next = self.stage.b_answer.val();
        self.entry.clear.next = self.clear.val();
        self.entry.hold.next = self.hold.val();
        self.entry.walking.next = self.stage.walking.val();
        self.entry.begun.next = self.stage.begun.val();
        self.entry.done.next = self.stage.done.val();
        self.entry.flags.next = self.stage.flags.val();
        self.entry.favor_b.next = self.favor_b.val();
        self.entry.launch.next = self.launch.val();
        self.entry.ends.next = self.exit.val();
        self.entry.warp[0].next = self.warp.val();
        self.entry.cta[0].next = self.warp_cta.val();
        self.entry.warp[1].next = self.word_warp.val();
        self.entry.cta[1].next = self.word_cta.val();
        self.entry.pbr.next = self.duty.asks.val();
        self.entry.id[0].next = self.decoder.x0.val();
        self.entry.id_valid[0].next = self.decoder.x0_valid.val();
        self.entry.id[1].next = self.decoder.x1.val();
        self.entry.id_valid[1].next = self.decoder.x1_valid.val();
        self.entry.id[2].next = self.decoder.x2.val();
        self.entry.id_valid[2].next = self.decoder.x2_valid.val();
        self.walk_grant.next = self.entry.walk.val();
        // The table, with what the free list offers.
        self.names.clear.next = self.clear.val();
        self.names.exempt.next = self.exempt.val();
        self.names.warp.next = self.entry.who_warp.val();
        self.names.launch.next = self.entry.walk_starts.val();
        self.names.exit.next = self.entry.walk_ends.val();
        self.names.x0.next = self.entry.x[0].val();
        self.names.x0_valid.next = self.entry.valid[0].val();
        self.names.x0_release.next = self.entry.last[0].val();
        self.names.x1.next = self.entry.x[1].val();
        self.names.x1_valid.next = self.entry.valid[1].val();
        self.names.x1_release.next = self.entry.last[1].val();
        self.names.x2.next = self.entry.x[2].val();
        self.names.x2_valid.next = self.entry.valid[2].val();
        self.names.x2_release.next = self.entry.last[2].val();
        self.names.x3.next = self.entry.x[3].val();
        self.names.x3_valid.next = self.entry.valid[3].val();
        self.names.x3_partial.next = self.entry.partial.val();
        self.names.offer_valid.next = self.packs.offer_valid.val();
        self.names.offer0.next = self.packs.offer0.val();
        self.names.offer1.next = self.packs.offer1.val();
        self.names.offer2.next = self.packs.offer2.val();
        self.names.offer3.next = self.packs.offer3.val();
        self.stage.clear.next = self.clear.val();
        self.stage.open.next = self.entry.open.val();
        self.stage.who.next = self.entry.who.val();
        self.stage.who_cta.next = self.entry.who_cta.val();
        self.stage.who_flags.next = self.entry.who_flags.val();
        self.stage.was_done.next = self.entry.was_done.val();
        self.stage.wanted.next = self.entry.wanted.val();
        self.stage.served.next = self.names.served.val();
        self.stage.turns.next = self.decoder.turns.val();
        self.stage.walk.next = self.entry.walk.val();
        self.stage.walks_on.next = self.names.busy.val();
        self.busy.next = self.stage.walking.val();
        self.y0.next = self.names.y0.val();
        self.y0_valid.next = self.names.y0_valid.val();
        self.usable.valid[0].next = self.names.y0_valid.val();
        self.y0_awake.next = self.usable.ready[0].val();
        self.y1.next = self.names.y1.val();
        self.y1_valid.next = self.names.y1_valid.val();
        self.usable.valid[1].next = self.names.y1_valid.val();
        self.y1_awake.next = self.usable.ready[1].val();
        self.y2.next = self.names.y2.val();
        self.y2_valid.next = self.names.y2_valid.val();
        self.usable.valid[2].next = self.names.y2_valid.val();
        self.y2_awake.next = self.usable.ready[2].val();
        self.y3.next = self.names.y3.val();
        self.y3_valid.next = self.names.y3_valid.val();
        self.usable.valid[3].next = self.names.y3_valid.val();
        self.y3_awake.next = self.usable.ready[3].val();
        self.usable.bank[0].next = self.names.y0.val().get_bits::<2>(0);
        self.usable.bank[1].next = self.names.y1.val().get_bits::<2>(0);
        self.usable.bank[2].next = self.names.y2.val().get_bits::<2>(0);
        self.usable.bank[3].next = self.names.y3.val().get_bits::<2>(0);
        for top in BW..(BW + 1) {
            self.usable.sub_array[0].next = self.names.y0.val().get_bits::<2>(top);
            self.usable.sub_array[1].next = self.names.y1.val().get_bits::<2>(top);
            self.usable.sub_array[2].next = self.names.y2.val().get_bits::<2>(top);
            self.usable.sub_array[3].next = self.names.y3.val().get_bits::<2>(top);
        }
        self.usable.awake.next = self.gate.awake.val();
        self.starved.next = self.names.starved.val();
        // What is taken and given back, to the free list and the throttle at the same edge.
        self.back.clear.next = self.clear.val();
        self.back.hold.next = self.hold.val();
        self.back.walking.next = self.stage.walking.val();
        self.back.give.next = self.names.give.val();
        self.back.given[0].next = self.names.give0.val();
        self.back.given[1].next = self.names.give1.val();
        self.back.given[2].next = self.names.give2.val();
        self.back.given[3].next = self.names.give3.val();
        self.back.take.next = self.names.take.val();
        self.back.cta.next = self.stage.cta.val();
        self.packs.clear.next = self.clear.val();
        self.packs.shrink.next = self.shrink.val();
        self.packs.reserved.next = self.reserved.val();
        self.packs.awake.next = self.gate.awake.val();
        self.packs.take.next = self.names.take.val();
        self.packs.give.next = self.back.free.val();
        self.packs.give0.next = self.back.freed[0].val();
        self.packs.give1.next = self.back.freed[1].val();
        self.packs.give2.next = self.back.freed[2].val();
        self.packs.give3.next = self.back.freed[3].val();
        self.dry.next = !self.packs.offer_valid.val();
        self.throttle.clear.next = self.clear.val();
        self.throttle.pack_count.next = self.pack_count.val();
        self.throttle.launch.next = self.cta_launch.val();
        self.throttle.launch_cta.next = self.launch_cta.val();
        self.throttle.need.next = self.need.val();
        self.throttle.exit.next = self.cta_exit.val();
        self.throttle.exit_cta.next = self.exit_cta.val();
        self.throttle.favor_b.next = self.back.never.val();
        self.throttle.a_cta.next = self.back.a_cta.val();
        self.throttle.a_take.next = self.back.a_take.val();
        self.throttle.a_give.next = self.back.a_give.val();
        self.throttle.b_cta.next = self.back.b_cta.val();
        self.throttle.b_give.next = self.back.b_give.val();
        self.throttle.b_take.next = self.back.never.val();
        self.chosen.next = self.throttle.chosen.val();
        self.admission.spilling.next = self.throttle.spill.val();
        self.throttled.next = self.admission.closed.val();
        self.spill.next = self.admission.spill.val();
        self.free_packs.next = self.throttle.free_packs.val();
        self.gate.clear.next = self.clear.val();
        self.gate.occupied.next = self.packs.occupied.val();
        self.gate.request.next = self.packs.request.val();
        self.powered.next = self.gate.powered.val();
        self.awake.next = self.gate.awake.val();
    }
}
