//! Steps the block as its pins are driven.

use super::rtl::RfvTop;
use super::{RfvTopIn, RfvTopOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// The block behind the same interface as its model.
pub struct Rtl<
    const PACKS: usize,
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
    block: Box<
        RfvTop<
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
        >,
    >,
}

/// As [`RfvTop48x63x1024`](super::rtl::RfvTop48x63x1024).
pub type Rtl48x63x1024 =
    Rtl<1024, 48, 8, 6, 3, 4, 10, 768, 720, 10, 8, 32, 5, 8, 3, 2, 9, 11, 12, 1, 1>;
/// As [`RfvTop48x16x1024`](super::rtl::RfvTop48x16x1024).
pub type Rtl48x16x1024 =
    Rtl<1024, 48, 8, 6, 3, 2, 8, 192, 192, 10, 8, 32, 5, 8, 3, 2, 9, 11, 12, 1, 1>;
/// As [`RfvTop64x63x2048`](super::rtl::RfvTop64x63x2048).
pub type Rtl64x63x2048 =
    Rtl<2048, 64, 32, 6, 5, 4, 10, 1024, 960, 11, 9, 32, 5, 16, 4, 4, 10, 12, 13, 1, 1>;
/// As [`RfvTop16x63x512`](super::rtl::RfvTop16x63x512).
pub type Rtl16x63x512 =
    Rtl<512, 16, 8, 4, 3, 4, 8, 256, 240, 9, 7, 32, 5, 4, 2, 1, 8, 10, 11, 1, 1>;
/// As [`RfvTop4x63x256`](super::rtl::RfvTop4x63x256).
pub type Rtl4x63x256 = Rtl<256, 4, 4, 2, 2, 4, 6, 64, 60, 8, 6, 16, 4, 4, 2, 1, 7, 9, 10, 3, 2>;
/// [`Rtl48x63x1024`] with its last parameters left open, as [`RfvTop48`](super::rtl::RfvTop48).
pub type Rtl48<
    const WAIT: usize,
    const GW: usize,
    const HARDWARE_ONLY: usize,
    const ENTRIES: usize,
    const EW: usize,
    const TAG: usize,
    const UNCACHED: usize = 0,
> = Rtl<
    1024,
    48,
    8,
    6,
    3,
    4,
    10,
    768,
    720,
    10,
    8,
    32,
    5,
    8,
    3,
    2,
    9,
    11,
    12,
    WAIT,
    GW,
    HARDWARE_ONLY,
    ENTRIES,
    EW,
    TAG,
    UNCACHED,
>;
/// [`Rtl64x63x2048`] with its last parameters left open.
pub type Rtl64<
    const WAIT: usize,
    const GW: usize,
    const HARDWARE_ONLY: usize,
    const ENTRIES: usize,
    const EW: usize,
    const TAG: usize,
    const UNCACHED: usize = 0,
> = Rtl<
    2048,
    64,
    32,
    6,
    5,
    4,
    10,
    1024,
    960,
    11,
    9,
    32,
    5,
    16,
    4,
    4,
    10,
    12,
    13,
    WAIT,
    GW,
    HARDWARE_ONLY,
    ENTRIES,
    EW,
    TAG,
    UNCACHED,
>;
/// [`Rtl4x63x256`] with its last parameters left open.
pub type Rtl4<
    const WAIT: usize,
    const GW: usize,
    const HARDWARE_ONLY: usize,
    const ENTRIES: usize,
    const EW: usize,
    const TAG: usize,
    const UNCACHED: usize = 0,
> = Rtl<
    256,
    4,
    4,
    2,
    2,
    4,
    6,
    64,
    60,
    8,
    6,
    16,
    4,
    4,
    2,
    1,
    7,
    9,
    10,
    WAIT,
    GW,
    HARDWARE_ONLY,
    ENTRIES,
    EW,
    TAG,
    UNCACHED,
>;

impl<
    const PACKS: usize,
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
> Default
    for Rtl<
        PACKS,
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
    fn default() -> Self {
        const { assert!(PACKS == 1 << PW && PACKS == 4 * C * W && QW == PW + 1 && FW == BW + 1) };
        let mut block = Box::new(RfvTop::default());
        block.connect_all();
        settle(&mut *block);
        Self { block }
    }
}

impl<
    const PACKS: usize,
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
> Clocked
    for Rtl<
        PACKS,
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
    type In = RfvTopIn<NW, T, PACKS>;
    type Out = RfvTopOut<NW, T, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive_bits(&mut block.exempt, pins.exempt.into());
        drive_bits(&mut block.shrink, pins.shrink.into());
        drive_bits(&mut block.reserved, pins.reserved.into());
        drive_bits(&mut block.pack_count, pins.pack_count.into());
        drive(&mut block.cta_launch, pins.cta_launch);
        drive_bits(&mut block.launch_cta, pins.launch_cta.into());
        drive_bits(&mut block.need, pins.need.into());
        drive(&mut block.cta_exit, pins.cta_exit);
        drive_bits(&mut block.exit_cta, pins.exit_cta.into());
        drive(&mut block.launch, pins.launch);
        drive(&mut block.exit, pins.exit);
        drive_bits(&mut block.warp, pins.warp.into());
        drive_bits(&mut block.warp_cta, pins.warp_cta.into());
        drive(&mut block.hold, pins.hold);
        drive(&mut block.word_valid, pins.word_valid);
        drive_bits(&mut block.word, pins.word);
        drive_bits(&mut block.word_pc, pins.word_pc.into());
        drive_bits(&mut block.word_slot, pins.word_slot.into());
        drive_bits(&mut block.word_warp, pins.word_warp.into());
        drive_bits(&mut block.word_cta, pins.word_cta.into());
        drive(&mut block.favor_b, pins.favor_b);
        drive(&mut block.a_valid, pins.a_valid);
        drive_bits(&mut block.a_warp, pins.a_warp.into());
        drive_bits(&mut block.a_cta, pins.a_cta.into());
        drive(&mut block.a_urgent, pins.a_urgent);
        drive(&mut block.a_flagged, pins.a_flagged);
        drive_bits(&mut block.a_pir, pins.a_pir.into());
        drive_bits(&mut block.a_slot, pins.a_slot.into());
        drive_bits(&mut block.a_x0, pins.a_x0.into());
        drive(&mut block.a_x0_valid, pins.a_x0_valid);
        drive_bits(&mut block.a_x1, pins.a_x1.into());
        drive(&mut block.a_x1_valid, pins.a_x1_valid);
        drive_bits(&mut block.a_x2, pins.a_x2.into());
        drive(&mut block.a_x2_valid, pins.a_x2_valid);
        drive_bits(&mut block.a_x3, pins.a_x3.into());
        drive(&mut block.a_x3_valid, pins.a_x3_valid);
        drive(&mut block.b_valid, pins.b_valid);
        drive_bits(&mut block.b_warp, pins.b_warp.into());
        drive_bits(&mut block.b_cta, pins.b_cta.into());
        drive(&mut block.b_urgent, pins.b_urgent);
        drive(&mut block.b_flagged, pins.b_flagged);
        drive_bits(&mut block.b_pir, pins.b_pir.into());
        drive_bits(&mut block.b_slot, pins.b_slot.into());
        drive_bits(&mut block.b_x0, pins.b_x0.into());
        drive(&mut block.b_x0_valid, pins.b_x0_valid);
        drive_bits(&mut block.b_x1, pins.b_x1.into());
        drive(&mut block.b_x1_valid, pins.b_x1_valid);
        drive_bits(&mut block.b_x2, pins.b_x2.into());
        drive(&mut block.b_x2_valid, pins.b_x2_valid);
        drive_bits(&mut block.b_x3, pins.b_x3.into());
        drive(&mut block.b_x3_valid, pins.b_x3_valid);
        settle(block);
        RfvTopOut {
            walk_grant: block.walk_grant.val(),
            busy: block.busy.val(),
            pir: block.pir.val(),
            pbr: block.pbr.val(),
            word_flags: read_bits(&block.word_flags) as u8,
            word_done: block.word_done.val(),
            may_issue: read_bits(&block.may_issue),
            chosen: read_bits(&block.chosen) as u8,
            throttled: block.throttled.val(),
            spill: block.spill.val(),
            free_packs: read_bits(&block.free_packs) as u16,
            dry: read_bits(&block.dry) as u8,
            powered: read_bits(&block.powered) as u16,
            awake: read_bits(&block.awake) as u16,
            a_hit: block.a_hit.val(),
            a_miss: block.a_miss.val(),
            a_served: read_bits(&block.a_served) as u8,
            a_grant: block.a_grant.val(),
            a_answer: block.a_answer.val(),
            b_hit: block.b_hit.val(),
            b_miss: block.b_miss.val(),
            b_served: read_bits(&block.b_served) as u8,
            b_grant: block.b_grant.val(),
            b_answer: block.b_answer.val(),
            y0: read_bits(&block.y0) as u16,
            y0_valid: block.y0_valid.val(),
            y0_awake: block.y0_awake.val(),
            y1: read_bits(&block.y1) as u16,
            y1_valid: block.y1_valid.val(),
            y1_awake: block.y1_awake.val(),
            y2: read_bits(&block.y2) as u16,
            y2_valid: block.y2_valid.val(),
            y2_awake: block.y2_awake.val(),
            y3: read_bits(&block.y3) as u16,
            y3_valid: block.y3_valid.val(),
            y3_awake: block.y3_awake.val(),
            starved: block.starved.val(),
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        pulse!(&mut *self.block);
        out
    }
}
