//! RegMutex with a shared pool, and paired warps with either lock.

use super::block::register_manager;
use super::ports::with_ports;
use super::sizes::{w16, w48, w64};
use crate::register_manager::adapter::manager_block;
use crate::regmutex::paired_top::rtl::{
    PairedTop16x512, PairedTop48x1024, PairedTop64x2048, SafePairedTop16x512, SafePairedTop48x1024,
    SafePairedTop64x2048,
};
use crate::regmutex::regmutex_top::rtl::{
    RegmutexTop16x512, RegmutexTop48x1024, RegmutexTop64x2048,
};
use rust_hdl::prelude::*;

register_manager! {
    blocks {
        /// RegMutex with a shared pool (III-A, III-B), 48 warps, 8 CTAs, 1024 packs (`gtx480`): 384 flip-flops.
        RegmutexManager48 of w48 { top: [RegmutexTop48x1024] }
        /// The same with 64 warps, 32 CTAs and 2048 packs (`v100`): 512 flip-flops.
        RegmutexManager64 of w64 { top: [RegmutexTop64x2048] }
        /// The same with 16 warps, 8 CTAs and 512 packs, for tests: 96 flip-flops.
        RegmutexManager16 of w16 { top: [RegmutexTop16x512] }
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
        clocked { top }
        unclocked {  }
        asks {
            top {
                clear, favor_b, section_count, base_regs, ext_regs, a_valid, a_warp, a_change, a_release, a_x0, a_x0_valid, a_x1,
                a_x1_valid, a_x2, a_x2_valid, a_x3, a_x3_valid, b_valid, b_warp, b_change, b_release, b_x0, b_x0_valid, b_x1,
                b_x1_valid, b_x2, b_x2_valid, b_x3, b_x3_valid
            }
        }
        asks_as {
            top.srp_offset = offset;
        }
        within {
        }
        answers {
            top {
                wake, a_grant, a_held, a_y0, a_y0_valid, a_y1, a_y1_valid, a_y2, a_y2_valid, a_y3, a_y3_valid, b_grant, b_held,
                b_y0, b_y0_valid, b_y1, b_y1_valid, b_y2, b_y2_valid, b_y3, b_y3_valid
            }
        }
        answers_as {
            a_answer = top.a_grant;
            b_answer = top.b_grant;
            a_y0_awake = top.a_y0_valid;
            a_y1_awake = top.a_y1_valid;
            a_y2_awake = top.a_y2_valid;
            a_y3_awake = top.a_y3_valid;
            b_y0_awake = top.b_y0_valid;
            b_y1_awake = top.b_y1_valid;
            b_y2_awake = top.b_y2_valid;
            b_y3_awake = top.b_y3_valid;
        }
        idle {
            all_1: [bool] = [true] =>
                memory_allowed, walk_grant, word_done, none_stalled;
            zero_1: [bool] = [false] =>
                pair_grant, sharing, compares, busy, pir, pbr, throttled, spill, stall_grant, woken_valid, served_b, trap,
                link_kernel, a_hit, a_miss, a_starved, a_stalled, a_launched, b_hit, b_miss, b_starved, b_stalled, b_launched;
            zero_2: [Bits<2>] = [0u64.into()] =>
                chosen_valid;
        }
        unread {
            bits {
                share_regs, share_scratchpad, sm_zero, pair, cta_launch, cta_exit, launch, exit, stall, freed, stall_cycle,
                hold, word_valid, a_exit, a_memory, a_scratch, a_link_kernel, a_urgent, a_flagged, b_exit, b_memory, b_scratch,
                b_link_kernel, b_urgent, b_flagged
            }
            buses {
                warps_per_cta, private_bytes, exempt, shrink, reserved, pack_count, partner, launch_cta, need, exit_cta, starts,
                warp, warp_cta, stall_warp, ready, zero_stalls, word, word_pc, word_slot, word_warp, word_cta, a_cta, a_address,
                a_op, a_base, a_first, a_capacity, a_fru, a_evicted, a_link, a_pir, a_slot, b_cta, b_address, b_op, b_base,
                b_first, b_capacity, b_fru, b_evicted, b_link, b_pir, b_slot
            }
        }
    }
}

register_manager! {
    blocks {
        /// Paired warps with the paper's lock, a bit per pair (RegMutex III-C), 48 warps, 8 CTAs, 1024 packs (`gtx480`):
        /// 24 flip-flops.
        PairedManager48 of w48 { top: [PairedTop48x1024] }
        /// The same with 64 warps, 32 CTAs and 2048 packs (`v100`): 32 flip-flops.
        PairedManager64 of w64 { top: [PairedTop64x2048] }
        /// The same with 16 warps, 8 CTAs and 512 packs, for tests: 8 flip-flops.
        PairedManager16 of w16 { top: [PairedTop16x512] }
        /// Paired warps with the safe lock, a bit per warp (RegMutex III-C), 48 warps, 8 CTAs, 1024 packs (`gtx480`): 48
        /// flip-flops.
        SafePairedManager48 of w48 { top: [SafePairedTop48x1024] }
        /// The same with 64 warps, 32 CTAs and 2048 packs (`v100`): 64 flip-flops.
        SafePairedManager64 of w64 { top: [SafePairedTop64x2048] }
        /// The same with 16 warps, 8 CTAs and 512 packs, for tests: 16 flip-flops.
        SafePairedManager16 of w16 { top: [SafePairedTop16x512] }
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
        clocked { top }
        unclocked {  }
        asks {
            top {
                clear, favor_b, base_regs, ext_regs, a_valid, a_warp, a_change, a_release, a_x0, a_x0_valid, a_x1, a_x1_valid,
                a_x2, a_x2_valid, a_x3, a_x3_valid, b_valid, b_warp, b_change, b_release, b_x0, b_x0_valid, b_x1, b_x1_valid,
                b_x2, b_x2_valid, b_x3, b_x3_valid
            }
        }
        asks_as {
        }
        within {
        }
        answers {
            top {
                wake, a_grant, a_held, a_y0, a_y0_valid, a_y1, a_y1_valid, a_y2, a_y2_valid, a_y3, a_y3_valid, b_grant, b_held,
                b_y0, b_y0_valid, b_y1, b_y1_valid, b_y2, b_y2_valid, b_y3, b_y3_valid
            }
        }
        answers_as {
            a_answer = top.a_grant;
            b_answer = top.b_grant;
            a_y0_awake = top.a_y0_valid;
            a_y1_awake = top.a_y1_valid;
            a_y2_awake = top.a_y2_valid;
            a_y3_awake = top.a_y3_valid;
            b_y0_awake = top.b_y0_valid;
            b_y1_awake = top.b_y1_valid;
            b_y2_awake = top.b_y2_valid;
            b_y3_awake = top.b_y3_valid;
        }
        idle {
            all_1: [bool] = [true] =>
                memory_allowed, walk_grant, word_done, none_stalled;
            zero_1: [bool] = [false] =>
                pair_grant, sharing, compares, busy, pir, pbr, throttled, spill, stall_grant, woken_valid, served_b, trap,
                link_kernel, a_hit, a_miss, a_starved, a_stalled, a_launched, b_hit, b_miss, b_starved, b_stalled, b_launched;
            zero_2: [Bits<2>] = [0u64.into()] =>
                chosen_valid;
        }
        unread {
            bits {
                share_regs, share_scratchpad, sm_zero, pair, cta_launch, cta_exit, launch, exit, stall, freed, stall_cycle,
                hold, word_valid, a_exit, a_memory, a_scratch, a_link_kernel, a_urgent, a_flagged, b_exit, b_memory, b_scratch,
                b_link_kernel, b_urgent, b_flagged
            }
            buses {
                section_count, offset, warps_per_cta, private_bytes, exempt, shrink, reserved, pack_count, partner, launch_cta,
                need, exit_cta, starts, warp, warp_cta, stall_warp, ready, zero_stalls, word, word_pc, word_slot, word_warp,
                word_cta, a_cta, a_address, a_op, a_base, a_first, a_capacity, a_fru, a_evicted, a_link, a_pir, a_slot, b_cta,
                b_address, b_op, b_base, b_first, b_capacity, b_fru, b_evicted, b_link, b_pir, b_slot
            }
        }
    }
}
