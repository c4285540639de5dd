//! No sharing: an issue port, and the manager of two.

use super::block::register_manager;
use super::ports::with_ports;
use super::sizes::{w16, w48, w64};
use crate::common::lazy::{Inputs, Lazy};
use crate::common::reg_map::rtl::RegMap;
use crate::common::word::machine_words;
use crate::register_manager::adapter::manager_block;
use rust_hdl::prelude::*;

/// Every instruction goes on, but for the cycle in which a kernel starts; its registers are where the baseline has them
/// (RegMutex III-B2, Figure 6a). Combinational. The parameters are those of [`RegMap`].
#[derive(LogicBlock, Inputs, Default)]
pub struct BaselinePort<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> {
    /// A kernel starts.
    pub clear: Signal<In, bool>,
    /// Registers per warp.
    pub coeff: Signal<In, Bits<8>>,
    /// An instruction is issued.
    pub valid: Signal<In, bool>,
    /// Its warp.
    pub warp: Signal<In, Bits<IW>>,
    /// Architected register of its first source.
    pub x0: Signal<In, Bits<8>>,
    /// It has one.
    pub x0_valid: Signal<In, bool>,
    /// Architected register of its second source.
    pub x1: Signal<In, Bits<8>>,
    /// It has one.
    pub x1_valid: Signal<In, bool>,
    /// Architected register of its third source.
    pub x2: Signal<In, Bits<8>>,
    /// It has one.
    pub x2_valid: Signal<In, bool>,
    /// Architected register of its destination.
    pub x3: Signal<In, Bits<8>>,
    /// It has one.
    pub x3_valid: Signal<In, bool>,
    /// It goes on.
    pub grant: Signal<Out, bool>,
    /// Pack of its first source.
    pub y0: Signal<Out, Bits<PW>>,
    /// It exists.
    pub y0_valid: Signal<Out, bool>,
    /// Pack of its second source.
    pub y1: Signal<Out, Bits<PW>>,
    /// It exists.
    pub y1_valid: Signal<Out, bool>,
    /// Pack of its third source.
    pub y2: Signal<Out, Bits<PW>>,
    /// It exists.
    pub y2_valid: Signal<Out, bool>,
    /// Pack of its destination.
    pub y3: Signal<Out, Bits<PW>>,
    /// It exists.
    pub y3_valid: Signal<Out, bool>,
    map: Lazy<RegMap<NW, IW, PACKS, PW>>,
    goes: Signal<Local, bool>,
}

impl<const NW: usize, const IW: usize, const PACKS: usize, const PW: usize> Logic
    for BaselinePort<NW, IW, PACKS, PW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.goes.next = self.valid.val() & (!self.clear.val());
        self.grant.next = self.goes.val();
        self.map.widx.next = self.warp.val();
        self.map.coeff.next = self.coeff.val();
        self.map.x0.next = self.x0.val();
        self.map.x0_valid.next = self.x0_valid.val() & self.goes.val();
        self.map.x1.next = self.x1.val();
        self.map.x1_valid.next = self.x1_valid.val() & self.goes.val();
        self.map.x2.next = self.x2.val();
        self.map.x2_valid.next = self.x2_valid.val() & self.goes.val();
        self.map.x3.next = self.x3.val();
        self.map.x3_valid.next = self.x3_valid.val() & self.goes.val();
        self.y0.next = self.map.y0.val();
        self.y0_valid.next = self.map.y0_valid.val();
        self.y1.next = self.map.y1.val();
        self.y1_valid.next = self.map.y1_valid.val();
        self.y2.next = self.map.y2.val();
        self.y2_valid.next = self.map.y2_valid.val();
        self.y3.next = self.map.y3.val();
        self.y3_valid.next = self.map.y3_valid.val();
    }
}

register_manager! {
    blocks {
        /// No sharing: `Y = Coeff * Widx + X` on each port (RegMutex III-B2, Figure 6a). No flip-flops.
        BaselineManager48 of w48 { port_a: [BaselinePort<48, 6, 1024, 10>], port_b: [BaselinePort<48, 6, 1024, 10>] }
        /// The same with 64 warps, 32 CTAs and 2048 packs (`v100`).
        BaselineManager64 of w64 { port_a: [BaselinePort<64, 6, 2048, 11>], port_b: [BaselinePort<64, 6, 2048, 11>] }
        /// The same with 16 warps, 8 CTAs and 512 packs, for tests.
        BaselineManager16 of w16 { port_a: [BaselinePort<16, 4, 512, 9>], port_b: [BaselinePort<16, 4, 512, 9>] }
    }
    idle_w16 {
        zero_3: [Bits<3>] = [0u64.into()] =>
            word_flags, chosen_cta;
        zero_4: [Bits<4>] = [0u64.into()] =>
            tenths, dry, a_served, b_served, woken;
        zero_6: [Bits<6>] = [0u64.into()] =>
            count, a_free, b_free;
        all_8: [Bits<8>] = [(u64::MAX >> 56).into()] =>
            may_issue;
        zero_8: [Bits<8>] = [0u64.into()] =>
            chosen;
        zero_9: [Bits<9>] = [0u64.into()] =>
            pack, link, a_rfp, a_rsp, a_link_pack, b_rfp, b_rsp, b_link_pack;
        zero_10: [Bits<10>] = [0u64.into()] =>
            stalls, free_packs;
        all_16: [Bits<16>] = [(u64::MAX >> 48).into()] =>
            powered, awake;
        zero_16: [Bits<16>] = [0u64.into()] =>
            shared, owner;
    }
    idle_w48 {
        zero_3: [Bits<3>] = [0u64.into()] =>
            word_flags, chosen_cta;
        zero_4: [Bits<4>] = [0u64.into()] =>
            tenths, dry, a_served, b_served;
        zero_6: [Bits<6>] = [0u64.into()] =>
            woken, count, a_free, b_free;
        all_8: [Bits<8>] = [(u64::MAX >> 56).into()] =>
            may_issue;
        zero_10: [Bits<10>] = [0u64.into()] =>
            stalls, pack, link, a_rfp, a_rsp, a_link_pack, b_rfp, b_rsp, b_link_pack;
        zero_11: [Bits<11>] = [0u64.into()] =>
            free_packs;
        zero_12: [Bits<12>] = [0u64.into()] =>
            chosen;
        all_16: [Bits<16>] = [(u64::MAX >> 48).into()] =>
            powered, awake;
        zero_48: [Bits<48>] = [0u64.into()] =>
            shared, owner;
    }
    idle_w64 {
        zero_3: [Bits<3>] = [0u64.into()] =>
            word_flags;
        zero_4: [Bits<4>] = [0u64.into()] =>
            tenths, dry, a_served, b_served;
        zero_5: [Bits<5>] = [0u64.into()] =>
            chosen_cta;
        zero_6: [Bits<6>] = [0u64.into()] =>
            woken, count, a_free, b_free;
        zero_10: [Bits<10>] = [0u64.into()] =>
            stalls;
        zero_11: [Bits<11>] = [0u64.into()] =>
            pack, link, a_rfp, a_rsp, a_link_pack, b_rfp, b_rsp, b_link_pack;
        zero_12: [Bits<12>] = [0u64.into()] =>
            free_packs, chosen;
        all_16: [Bits<16>] = [(u64::MAX >> 48).into()] =>
            powered, awake;
        all_32: [Bits<32>] = [(u64::MAX >> 32).into()] =>
            may_issue;
        zero_64: [Bits<64>] = [0u64.into()] =>
            shared, owner;
    }
    system {
        clocked {  }
        unclocked { unused_clock }
        asks {
        }
        asks_as {
            port_a.clear = clear;
            port_a.coeff = base_regs;
            port_a.valid = a_valid;
            port_a.warp = a_warp;
            port_a.x0 = a_x0;
            port_a.x0_valid = a_x0_valid;
            port_a.x1 = a_x1;
            port_a.x1_valid = a_x1_valid;
            port_a.x2 = a_x2;
            port_a.x2_valid = a_x2_valid;
            port_a.x3 = a_x3;
            port_a.x3_valid = a_x3_valid;
            port_b.clear = clear;
            port_b.coeff = base_regs;
            port_b.valid = b_valid;
            port_b.warp = b_warp;
            port_b.x0 = b_x0;
            port_b.x0_valid = b_x0_valid;
            port_b.x1 = b_x1;
            port_b.x1_valid = b_x1_valid;
            port_b.x2 = b_x2;
            port_b.x2_valid = b_x2_valid;
            port_b.x3 = b_x3;
            port_b.x3_valid = b_x3_valid;
        }
        within {
        }
        answers {
        }
        answers_as {
            a_grant = port_a.grant;
            a_answer = port_a.grant;
            a_y0 = port_a.y0;
            a_y0_valid = port_a.y0_valid;
            a_y1 = port_a.y1;
            a_y1_valid = port_a.y1_valid;
            a_y2 = port_a.y2;
            a_y2_valid = port_a.y2_valid;
            a_y3 = port_a.y3;
            a_y3_valid = port_a.y3_valid;
            b_grant = port_b.grant;
            b_answer = port_b.grant;
            b_y0 = port_b.y0;
            b_y0_valid = port_b.y0_valid;
            b_y1 = port_b.y1;
            b_y1_valid = port_b.y1_valid;
            b_y2 = port_b.y2;
            b_y2_valid = port_b.y2_valid;
            b_y3 = port_b.y3;
            b_y3_valid = port_b.y3_valid;
            a_y0_awake = port_a.y0_valid;
            a_y1_awake = port_a.y1_valid;
            a_y2_awake = port_a.y2_valid;
            a_y3_awake = port_a.y3_valid;
            b_y0_awake = port_b.y0_valid;
            b_y1_awake = port_b.y1_valid;
            b_y2_awake = port_b.y2_valid;
            b_y3_awake = port_b.y3_valid;
        }
        idle {
            all_1: [bool] = [true] =>
                memory_allowed, walk_grant, word_done, none_stalled;
            zero_1: [bool] = [false] =>
                wake, pair_grant, sharing, compares, busy, pir, pbr, throttled, spill, stall_grant, woken_valid, served_b, trap,
                link_kernel, a_held, a_hit, a_miss, a_starved, a_stalled, a_launched, b_held, b_hit, b_miss, b_starved, b_stalled,
                b_launched;
            zero_2: [Bits<2>] = [0u64.into()] =>
                chosen_valid;
        }
        unread {
            bits {
                favor_b, share_regs, share_scratchpad, sm_zero, pair, cta_launch, cta_exit, launch, exit, stall, freed,
                stall_cycle, hold, word_valid, a_exit, a_memory, a_scratch, a_change, a_release, a_link_kernel, a_urgent,
                a_flagged, b_exit, b_memory, b_scratch, b_change, b_release, b_link_kernel, b_urgent, b_flagged
            }
            buses {
                section_count, ext_regs, offset, warps_per_cta, private_bytes, exempt, shrink, reserved, pack_count, partner,
                launch_cta, need, exit_cta, starts, warp, warp_cta, stall_warp, ready, zero_stalls, word, word_pc, word_slot,
                word_warp, word_cta, a_cta, a_address, a_op, a_base, a_first, a_capacity, a_fru, a_evicted, a_link, a_pir, a_slot,
                b_cta, b_address, b_op, b_base, b_first, b_capacity, b_fru, b_evicted, b_link, b_pir, b_slot
            }
        }
    }
}
