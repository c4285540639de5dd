//! Register stacks.

use super::block::register_manager;
use super::ports::with_ports;
use super::sizes::{w16, w48, w64};
use crate::cars::cars_top::rtl::{CarsTop16x512, CarsTop48x1024, CarsTop64x2048};
use crate::register_manager::adapter::manager_block;
use rust_hdl::prelude::*;

register_manager! {
    blocks {
        /// CARS with stacks of up to 63 packs (CARS III-A, IV-B), 48 warps, 8 CTAs, 1024 packs (`gtx480`): 1644
        /// flip-flops.
        CarsManager48 of w48 { top: [CarsTop48x1024] }
        /// The same with 64 warps, 32 CTAs and 2048 packs (`v100`): 2316 flip-flops.
        CarsManager64 of w64 { top: [CarsTop64x2048] }
        /// The same with 16 warps, 8 CTAs and 512 packs, for tests: 488 flip-flops.
        CarsManager16 of w16 { top: [CarsTop16x512] }
    }
    idle_w16 {
        zero_3: [Bits<3>] = [0u64.into()] =>
            word_flags, chosen_cta;
        zero_4: [Bits<4>] = [0u64.into()] =>
            tenths, dry, a_served, b_served;
        all_8: [Bits<8>] = [(u64::MAX >> 56).into()] =>
            may_issue;
        zero_8: [Bits<8>] = [0u64.into()] =>
            chosen;
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
        all_8: [Bits<8>] = [(u64::MAX >> 56).into()] =>
            may_issue;
        zero_10: [Bits<10>] = [0u64.into()] =>
            stalls;
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
        zero_10: [Bits<10>] = [0u64.into()] =>
            stalls;
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
                clear, favor_b, stall, stall_warp, a_valid, a_warp, a_op, a_base, a_first, a_capacity, a_fru, a_evicted, a_link,
                a_link_kernel, a_x0, a_x0_valid, a_x1, a_x1_valid, a_x2, a_x2_valid, a_x3, a_x3_valid, b_valid, b_warp, b_op,
                b_base, b_first, b_capacity, b_fru, b_evicted, b_link, b_link_kernel, b_x0, b_x0_valid, b_x1, b_x1_valid, b_x2,
                b_x2_valid, b_x3, b_x3_valid
            }
        }
        asks_as {
            top.wake = freed;
        }
        within {
        }
        answers {
            top {
                stall_grant, woken_valid, woken, served_b, trap, pack, count, link, link_kernel, a_grant, a_stalled, a_launched,
                a_rfp, a_rsp, a_free, a_link_pack, a_y0, a_y0_valid, a_y1, a_y1_valid, a_y2, a_y2_valid, a_y3, a_y3_valid,
                b_grant, b_stalled, b_launched, b_rfp, b_rsp, b_free, b_link_pack, b_y0, b_y0_valid, b_y1, b_y1_valid, b_y2,
                b_y2_valid, b_y3, b_y3_valid
            }
        }
        answers_as {
            none_stalled = top.empty;
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
                memory_allowed, walk_grant, word_done;
            zero_1: [bool] = [false] =>
                wake, pair_grant, sharing, compares, busy, pir, pbr, throttled, spill, a_held, a_hit, a_miss, a_starved, b_held,
                b_hit, b_miss, b_starved;
            zero_2: [Bits<2>] = [0u64.into()] =>
                chosen_valid;
        }
        unread {
            bits {
                share_regs, share_scratchpad, sm_zero, pair, cta_launch, cta_exit, launch, exit, stall_cycle, hold, word_valid,
                a_exit, a_memory, a_scratch, a_change, a_release, a_urgent, a_flagged, b_exit, b_memory, b_scratch, b_change,
                b_release, b_urgent, b_flagged
            }
            buses {
                section_count, base_regs, ext_regs, offset, warps_per_cta, private_bytes, exempt, shrink, reserved, pack_count,
                partner, launch_cta, need, exit_cta, starts, warp, warp_cta, ready, zero_stalls, word, word_pc, word_slot,
                word_warp, word_cta, a_cta, a_address, a_pir, a_slot, b_cta, b_address, b_pir, b_slot
            }
        }
    }
}
