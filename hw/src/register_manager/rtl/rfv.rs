//! Register file virtualization.

use super::block::register_manager;
use super::ports::with_ports;
use super::renaming::{RfvAnswer, RfvIds};
use super::sizes::{w16, w48, w64};
use crate::register_manager::adapter::manager_block;
use crate::rfv::rfv_top::rtl::{RfvTop16x63x512, RfvTop48x63x1024, RfvTop64x63x2048};
use rust_hdl::prelude::*;

register_manager! {
    blocks {
        /// Register file virtualization with 63 registers (RFV 6 to 8), 48 warps, 8 CTAs, 1024 packs (`gtx480`): 1281
        /// flip-flops, 30,910 bits in memories.
        RfvManager48 of w48 {
            ids_a: [RfvIds], ids_b: [RfvIds], top: [RfvTop48x63x1024], answer_a: [RfvAnswer<10>], answer_b: [RfvAnswer<10>]
        }
        /// The same with 64 warps, 32 CTAs and 2048 packs (`v100`): 2634 flip-flops, 45,022 bits in memories.
        RfvManager64 of w64 {
            ids_a: [RfvIds], ids_b: [RfvIds], top: [RfvTop64x63x2048], answer_a: [RfvAnswer<11>], answer_b: [RfvAnswer<11>]
        }
        /// The same with 16 warps, 8 CTAs and 512 packs, for tests: 752 flip-flops, 9742 bits in memories.
        RfvManager16 of w16 {
            ids_a: [RfvIds], ids_b: [RfvIds], top: [RfvTop16x63x512], answer_a: [RfvAnswer<9>], answer_b: [RfvAnswer<9>]
        }
    }
    idle_w16 {
        zero_4: [Bits<4>] = [0u64.into()] =>
            tenths, woken;
        zero_6: [Bits<6>] = [0u64.into()] =>
            count, a_free, b_free;
        zero_8: [Bits<8>] = [0u64.into()] =>
            chosen;
        zero_9: [Bits<9>] = [0u64.into()] =>
            pack, link, a_rfp, a_rsp, a_link_pack, b_rfp, b_rsp, b_link_pack;
        zero_10: [Bits<10>] = [0u64.into()] =>
            stalls;
        zero_16: [Bits<16>] = [0u64.into()] =>
            shared, owner;
    }
    idle_w48 {
        zero_4: [Bits<4>] = [0u64.into()] =>
            tenths;
        zero_6: [Bits<6>] = [0u64.into()] =>
            woken, count, a_free, b_free;
        zero_10: [Bits<10>] = [0u64.into()] =>
            stalls, pack, link, a_rfp, a_rsp, a_link_pack, b_rfp, b_rsp, b_link_pack;
        zero_12: [Bits<12>] = [0u64.into()] =>
            chosen;
        zero_48: [Bits<48>] = [0u64.into()] =>
            shared, owner;
    }
    idle_w64 {
        zero_4: [Bits<4>] = [0u64.into()] =>
            tenths;
        zero_6: [Bits<6>] = [0u64.into()] =>
            woken, count, a_free, b_free;
        zero_10: [Bits<10>] = [0u64.into()] =>
            stalls;
        zero_11: [Bits<11>] = [0u64.into()] =>
            pack, link, a_rfp, a_rsp, a_link_pack, b_rfp, b_rsp, b_link_pack;
        zero_12: [Bits<12>] = [0u64.into()] =>
            chosen;
        zero_64: [Bits<64>] = [0u64.into()] =>
            shared, owner;
    }
    system {
        clocked { top }
        unclocked {  }
        asks {
            top {
                clear, favor_b, exempt, shrink, reserved, pack_count, cta_launch, launch_cta, need, cta_exit, exit_cta, launch,
                exit, warp, warp_cta, hold, word_valid, word, word_pc, word_slot, word_warp, word_cta, a_valid, a_warp, a_cta,
                a_urgent, a_flagged, a_pir, a_slot, a_x0_valid, a_x1_valid, a_x2_valid, a_x3_valid, b_valid, b_warp, b_cta,
                b_urgent, b_flagged, b_pir, b_slot, b_x0_valid, b_x1_valid, b_x2_valid, b_x3_valid
            }
        }
        asks_as {
            ids_a.x0 = a_x0;
            ids_a.x1 = a_x1;
            ids_a.x2 = a_x2;
            ids_a.x3 = a_x3;
            ids_b.x0 = b_x0;
            ids_b.x1 = b_x1;
            ids_b.x2 = b_x2;
            ids_b.x3 = b_x3;
        }
        within {
            top.a_x0 = ids_a.r0;
            top.a_x1 = ids_a.r1;
            top.a_x2 = ids_a.r2;
            top.a_x3 = ids_a.r3;
            top.b_x0 = ids_b.r0;
            top.b_x1 = ids_b.r1;
            top.b_x2 = ids_b.r2;
            top.b_x3 = ids_b.r3;
            answer_a.answers = top.a_answer;
            answer_a.starved = top.starved;
            answer_a.y0 = top.y0;
            answer_a.y0_valid = top.y0_valid;
            answer_a.y0_awake = top.y0_awake;
            answer_a.y1 = top.y1;
            answer_a.y1_valid = top.y1_valid;
            answer_a.y1_awake = top.y1_awake;
            answer_a.y2 = top.y2;
            answer_a.y2_valid = top.y2_valid;
            answer_a.y2_awake = top.y2_awake;
            answer_a.y3 = top.y3;
            answer_a.y3_valid = top.y3_valid;
            answer_a.y3_awake = top.y3_awake;
            answer_b.answers = top.b_answer;
            answer_b.starved = top.starved;
            answer_b.y0 = top.y0;
            answer_b.y0_valid = top.y0_valid;
            answer_b.y0_awake = top.y0_awake;
            answer_b.y1 = top.y1;
            answer_b.y1_valid = top.y1_valid;
            answer_b.y1_awake = top.y1_awake;
            answer_b.y2 = top.y2;
            answer_b.y2_valid = top.y2_valid;
            answer_b.y2_awake = top.y2_awake;
            answer_b.y3 = top.y3;
            answer_b.y3_valid = top.y3_valid;
            answer_b.y3_awake = top.y3_awake;
        }
        answers {
            top {
                walk_grant, busy, pir, pbr, word_flags, word_done, may_issue, throttled, spill, free_packs, dry, powered, awake,
                a_grant, a_answer, a_served, a_hit, a_miss, b_grant, b_answer, b_served, b_hit, b_miss
            }
        }
        answers_as {
            chosen_cta = top.chosen;
            a_starved = answer_a.own_starved;
            a_y0 = answer_a.own_y0;
            a_y0_valid = answer_a.own_y0_valid;
            a_y0_awake = answer_a.own_y0_awake;
            a_y1 = answer_a.own_y1;
            a_y1_valid = answer_a.own_y1_valid;
            a_y1_awake = answer_a.own_y1_awake;
            a_y2 = answer_a.own_y2;
            a_y2_valid = answer_a.own_y2_valid;
            a_y2_awake = answer_a.own_y2_awake;
            a_y3 = answer_a.own_y3;
            a_y3_valid = answer_a.own_y3_valid;
            a_y3_awake = answer_a.own_y3_awake;
            b_starved = answer_b.own_starved;
            b_y0 = answer_b.own_y0;
            b_y0_valid = answer_b.own_y0_valid;
            b_y0_awake = answer_b.own_y0_awake;
            b_y1 = answer_b.own_y1;
            b_y1_valid = answer_b.own_y1_valid;
            b_y1_awake = answer_b.own_y1_awake;
            b_y2 = answer_b.own_y2;
            b_y2_valid = answer_b.own_y2_valid;
            b_y2_awake = answer_b.own_y2_awake;
            b_y3 = answer_b.own_y3;
            b_y3_valid = answer_b.own_y3_valid;
            b_y3_awake = answer_b.own_y3_awake;
        }
        idle {
            all_1: [bool] = [true] =>
                memory_allowed, none_stalled;
            zero_1: [bool] = [false] =>
                wake, pair_grant, sharing, compares, stall_grant, woken_valid, served_b, trap, link_kernel, a_held, a_stalled,
                a_launched, b_held, b_stalled, b_launched;
            zero_2: [Bits<2>] = [0u64.into()] =>
                chosen_valid;
        }
        unread {
            bits {
                share_regs, share_scratchpad, sm_zero, pair, stall, freed, stall_cycle, a_exit, a_memory, a_scratch, a_change,
                a_release, a_link_kernel, b_exit, b_memory, b_scratch, b_change, b_release, b_link_kernel
            }
            buses {
                section_count, base_regs, ext_regs, offset, warps_per_cta, private_bytes, partner, starts, stall_warp, ready,
                zero_stalls, a_address, a_op, a_base, a_first, a_capacity, a_fru, a_evicted, a_link, b_address, b_op, b_base,
                b_first, b_capacity, b_fru, b_evicted, b_link
            }
        }
    }
}
