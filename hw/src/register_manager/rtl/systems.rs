//! What each system reads, what it drives, and what it leaves idle or unread.

use super::baseline::BaselinePort;
use super::block::register_manager;
use super::ports::with_ports;
use super::rfv::{RfvAnswer, RfvIds};
use crate::cars::cars_top::rtl::CarsTop48x1024;
use crate::owf::owf_top::rtl::OwfTop48x8x1024;
use crate::register_manager::adapter::manager_block;
use crate::regmutex::paired_top::rtl::{PairedTop48x1024, SafePairedTop48x1024};
use crate::regmutex::regmutex_top::rtl::RegmutexTop48x1024;
use crate::rfv::rfv_top::rtl::RfvTop48x63x1024;
use rust_hdl::prelude::*;

with_ports!(register_manager {
    /// No sharing: `Y = Coeff * Widx + X` on each port (RegMutex III-B2, Figure 6a). No flip-flops.
    BaselineManager48;
    children { port_a: [BaselinePort], port_b: [BaselinePort] }
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
    unread {
        bits {
            favor_b, share_regs, share_scratchpad, sm_zero, pair, cta_launch, cta_exit, launch, exit, stall, freed,
            stall_cycle, hold, word_valid, a_exit, a_memory, a_scratch, a_change, a_release, a_link_kernel, a_flagged, b_exit,
            b_memory, b_scratch, b_change, b_release, b_link_kernel, b_flagged
        }
        buses {
            section_count, ext_regs, offset, warps_per_cta, private_bytes, exempt, shrink, reserved, pack_count, partner,
            launch_cta, need, exit_cta, starts, warp, warp_cta, stall_warp, ready, zero_stalls, word, word_pc, word_slot,
            word_warp, word_cta, a_cta, a_address, a_op, a_base, a_first, a_capacity, a_fru, a_evicted, a_link, a_pir, a_slot,
            b_cta, b_address, b_op, b_base, b_first, b_capacity, b_fru, b_evicted, b_link, b_pir, b_slot
        }
    }
});

with_ports!(register_manager {
    /// RegMutex with a shared pool (III-A, III-B): 384 flip-flops.
    RegmutexManager48;
    children { top: [RegmutexTop48x1024] }
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
    unread {
        bits {
            share_regs, share_scratchpad, sm_zero, pair, cta_launch, cta_exit, launch, exit, stall, freed, stall_cycle, hold,
            word_valid, a_exit, a_memory, a_scratch, a_link_kernel, a_flagged, b_exit, b_memory, b_scratch, b_link_kernel,
            b_flagged
        }
        buses {
            warps_per_cta, private_bytes, exempt, shrink, reserved, pack_count, partner, launch_cta, need, exit_cta, starts,
            warp, warp_cta, stall_warp, ready, zero_stalls, word, word_pc, word_slot, word_warp, word_cta, a_cta, a_address,
            a_op, a_base, a_first, a_capacity, a_fru, a_evicted, a_link, a_pir, a_slot, b_cta, b_address, b_op, b_base,
            b_first, b_capacity, b_fru, b_evicted, b_link, b_pir, b_slot
        }
    }
});

with_ports!(register_manager {
    /// Paired warps with the paper's lock, a bit per pair (RegMutex III-C): 24 flip-flops.
    PairedManager48;
    children { top: [PairedTop48x1024] }
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
    unread {
        bits {
            share_regs, share_scratchpad, sm_zero, pair, cta_launch, cta_exit, launch, exit, stall, freed, stall_cycle, hold,
            word_valid, a_exit, a_memory, a_scratch, a_link_kernel, a_flagged, b_exit, b_memory, b_scratch, b_link_kernel,
            b_flagged
        }
        buses {
            section_count, offset, warps_per_cta, private_bytes, exempt, shrink, reserved, pack_count, partner, launch_cta,
            need, exit_cta, starts, warp, warp_cta, stall_warp, ready, zero_stalls, word, word_pc, word_slot, word_warp,
            word_cta, a_cta, a_address, a_op, a_base, a_first, a_capacity, a_fru, a_evicted, a_link, a_pir, a_slot, b_cta,
            b_address, b_op, b_base, b_first, b_capacity, b_fru, b_evicted, b_link, b_pir, b_slot
        }
    }
});

with_ports!(register_manager {
    /// Paired warps with the safe lock, a bit per warp (RegMutex III-C): 48 flip-flops.
    SafePairedManager48;
    children { top: [SafePairedTop48x1024] }
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
    unread {
        bits {
            share_regs, share_scratchpad, sm_zero, pair, cta_launch, cta_exit, launch, exit, stall, freed, stall_cycle, hold,
            word_valid, a_exit, a_memory, a_scratch, a_link_kernel, a_flagged, b_exit, b_memory, b_scratch, b_link_kernel,
            b_flagged
        }
        buses {
            section_count, offset, warps_per_cta, private_bytes, exempt, shrink, reserved, pack_count, partner, launch_cta,
            need, exit_cta, starts, warp, warp_cta, stall_warp, ready, zero_stalls, word, word_pc, word_slot, word_warp,
            word_cta, a_cta, a_address, a_op, a_base, a_first, a_capacity, a_fru, a_evicted, a_link, a_pir, a_slot, b_cta,
            b_address, b_op, b_base, b_first, b_capacity, b_fru, b_evicted, b_link, b_pir, b_slot
        }
    }
});

with_ports!(register_manager {
    /// Resource sharing with owner-warp-first scheduling (OWF III, IV): 958 flip-flops.
    OwfManager48;
    children { top: [OwfTop48x8x1024] }
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
    unread {
        bits {
            cta_launch, launch, exit, stall, freed, hold, word_valid, a_change, a_release, a_link_kernel, a_flagged, b_change,
            b_release, b_link_kernel, b_flagged
        }
        buses {
            section_count, exempt, shrink, reserved, pack_count, launch_cta, need, warp, warp_cta, stall_warp, word, word_pc,
            word_slot, word_warp, word_cta, a_cta, a_op, a_base, a_first, a_capacity, a_fru, a_evicted, a_link, a_pir, a_slot,
            b_cta, b_op, b_base, b_first, b_capacity, b_fru, b_evicted, b_link, b_pir, b_slot
        }
    }
});

with_ports!(register_manager {
    /// Register file virtualization with 63 registers (RFV 6 to 8): 1281 flip-flops, 30,910 bits in memories.
    RfvManager48;
    children { ids_a: [RfvIds], ids_b: [RfvIds], top: [RfvTop48x63x1024], answer_a: [RfvAnswer], answer_b: [RfvAnswer] }
    clocked { top }
    unclocked {  }
    asks {
        top {
            clear, favor_b, exempt, shrink, reserved, pack_count, cta_launch, launch_cta, need, cta_exit, exit_cta, launch,
            exit, warp, warp_cta, hold, word_valid, word, word_pc, word_slot, word_warp, word_cta, a_valid, a_warp, a_cta,
            a_flagged, a_pir, a_slot, a_x0_valid, a_x1_valid, a_x2_valid, a_x3_valid, b_valid, b_warp, b_cta, b_flagged,
            b_pir, b_slot, b_x0_valid, b_x1_valid, b_x2_valid, b_x3_valid
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
});

with_ports!(register_manager {
    /// CARS with stacks of up to 63 packs (CARS III-A, IV-B): 1644 flip-flops.
    CarsManager48;
    children { top: [CarsTop48x1024] }
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
    unread {
        bits {
            share_regs, share_scratchpad, sm_zero, pair, cta_launch, cta_exit, launch, exit, stall_cycle, hold, word_valid,
            a_exit, a_memory, a_scratch, a_change, a_release, a_flagged, b_exit, b_memory, b_scratch, b_change, b_release,
            b_flagged
        }
        buses {
            section_count, base_regs, ext_regs, offset, warps_per_cta, private_bytes, exempt, shrink, reserved, pack_count,
            partner, launch_cta, need, exit_cta, starts, warp, warp_cta, ready, zero_stalls, word, word_pc, word_slot,
            word_warp, word_cta, a_cta, a_address, a_pir, a_slot, b_cta, b_address, b_pir, b_slot
        }
    }
});
