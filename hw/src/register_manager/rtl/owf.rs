//! Resource sharing with owner-warp-first scheduling.

use super::block::register_manager;
use super::ports::with_ports;
use super::sizes::{w16, w48, w64};
use crate::owf::owf_top::rtl::{OwfTop16x8x512, OwfTop48x8x1024, OwfTop64x32x2048};
use crate::register_manager::adapter::manager_block;
use rust_hdl::prelude::*;

register_manager! {
    blocks {
        /// Resource sharing with owner-warp-first scheduling (OWF III, IV), 48 warps, 8 CTAs, 1024 packs (`gtx480`): 958
        /// flip-flops.
        OwfManager48 of w48 { top: [OwfTop48x8x1024] }
        /// The same with 64 warps, 32 CTAs and 2048 packs (`v100`): 1882 flip-flops.
        OwfManager64 of w64 { top: [OwfTop64x32x2048] }
        /// The same with 16 warps, 8 CTAs and 512 packs, for tests: 254 flip-flops.
        OwfManager16 of w16 { top: [OwfTop16x8x512] }
    }
    idle_w16 {
        zero_3: [Bits<3>] = [0u64.into()] =>
            word_flags, chosen_cta;
        zero_4: [Bits<4>] = [0u64.into()] =>
            dry, a_served, b_served, woken;
        zero_6: [Bits<6>] = [0u64.into()] =>
            count, a_free, b_free;
        all_8: [Bits<8>] = [(u64::MAX >> 56).into()] =>
            may_issue;
        zero_9: [Bits<9>] = [0u64.into()] =>
            pack, link, a_rfp, a_rsp, a_link_pack, b_rfp, b_rsp, b_link_pack;
        zero_10: [Bits<10>] = [0u64.into()] =>
            free_packs;
        all_16: [Bits<16>] = [(u64::MAX >> 48).into()] =>
            powered, awake;
    }
    idle_w48 {
        zero_3: [Bits<3>] = [0u64.into()] =>
            word_flags, chosen_cta;
        zero_4: [Bits<4>] = [0u64.into()] =>
            dry, a_served, b_served;
        zero_6: [Bits<6>] = [0u64.into()] =>
            woken, count, a_free, b_free;
        all_8: [Bits<8>] = [(u64::MAX >> 56).into()] =>
            may_issue;
        zero_10: [Bits<10>] = [0u64.into()] =>
            pack, link, a_rfp, a_rsp, a_link_pack, b_rfp, b_rsp, b_link_pack;
        zero_11: [Bits<11>] = [0u64.into()] =>
            free_packs;
        all_16: [Bits<16>] = [(u64::MAX >> 48).into()] =>
            powered, awake;
    }
    idle_w64 {
        zero_3: [Bits<3>] = [0u64.into()] =>
            word_flags;
        zero_4: [Bits<4>] = [0u64.into()] =>
            dry, a_served, b_served;
        zero_5: [Bits<5>] = [0u64.into()] =>
            chosen_cta;
        zero_6: [Bits<6>] = [0u64.into()] =>
            woken, count, a_free, b_free;
        zero_11: [Bits<11>] = [0u64.into()] =>
            pack, link, a_rfp, a_rsp, a_link_pack, b_rfp, b_rsp, b_link_pack;
        zero_12: [Bits<12>] = [0u64.into()] =>
            free_packs;
        all_16: [Bits<16>] = [(u64::MAX >> 48).into()] =>
            powered, awake;
        all_32: [Bits<32>] = [(u64::MAX >> 32).into()] =>
            may_issue;
    }
    system {
        clocked { top }
        unclocked {  }
        asks {
            top {
                clear, favor_b, base_regs, ext_regs, share_regs, share_scratchpad, warps_per_cta, private_bytes, sm_zero, pair,
                partner, ready, zero_stalls, a_valid, a_warp, a_exit, a_memory, a_scratch, a_address, a_x0, a_x0_valid, a_x1,
                a_x1_valid, a_x2, a_x2_valid, a_x3, a_x3_valid, b_valid, b_warp, b_exit, b_memory, b_scratch, b_address, b_x0,
                b_x0_valid, b_x1, b_x1_valid, b_x2, b_x2_valid, b_x3, b_x3_valid
            }
        }
        asks_as {
            top.upper_offset = offset;
            top.exit = cta_exit;
            top.cta = exit_cta;
            top.launch = starts;
            top.stall = stall_cycle;
        }
        within {
        }
        answers {
            top {
                pair_grant, sharing, shared, owner, chosen_valid, chosen, memory_allowed, tenths, compares, stalls, a_grant,
                a_held, a_y0, a_y0_valid, a_y1, a_y1_valid, a_y2, a_y2_valid, a_y3, a_y3_valid, b_grant, b_held, b_y0, b_y0_valid,
                b_y1, b_y1_valid, b_y2, b_y2_valid, b_y3, b_y3_valid
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
                walk_grant, word_done, none_stalled;
            zero_1: [bool] = [false] =>
                wake, busy, pir, pbr, throttled, spill, stall_grant, woken_valid, served_b, trap, link_kernel, a_hit, a_miss,
                a_starved, a_stalled, a_launched, b_hit, b_miss, b_starved, b_stalled, b_launched;
        }
        unread {
            bits {
                cta_launch, launch, exit, stall, freed, hold, word_valid, a_change, a_release, a_link_kernel, a_urgent,
                a_flagged, b_change, b_release, b_link_kernel, b_urgent, b_flagged
            }
            buses {
                section_count, exempt, shrink, reserved, pack_count, launch_cta, need, warp, warp_cta, stall_warp, word, word_pc,
                word_slot, word_warp, word_cta, a_cta, a_op, a_base, a_first, a_capacity, a_fru, a_evicted, a_link, a_pir, a_slot,
                b_cta, b_op, b_base, b_first, b_capacity, b_fru, b_evicted, b_link, b_pir, b_slot
            }
        }
    }
}
