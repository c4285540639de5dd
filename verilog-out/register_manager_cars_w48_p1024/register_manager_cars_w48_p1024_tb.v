// Self-checking bench of register_manager_cars_w48_p1024. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module register_manager_cars_w48_p1024_tb #(parameter VECTORS = "register_manager_cars_w48_p1024_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg favor_b;
    reg favor_b_field;
    reg [5:0] section_count;
    reg [5:0] section_count_field;
    reg [7:0] base_regs;
    reg [7:0] base_regs_field;
    reg [7:0] ext_regs;
    reg [7:0] ext_regs_field;
    reg [9:0] offset;
    reg [9:0] offset_field;
    reg share_regs;
    reg share_regs_field;
    reg share_scratchpad;
    reg share_scratchpad_field;
    reg [4:0] warps_per_cta;
    reg [4:0] warps_per_cta_field;
    reg [16:0] private_bytes;
    reg [16:0] private_bytes_field;
    reg sm_zero;
    reg sm_zero_field;
    reg [5:0] exempt;
    reg [5:0] exempt_field;
    reg [1:0] shrink;
    reg [1:0] shrink_field;
    reg [8:0] reserved;
    reg [8:0] reserved_field;
    reg [10:0] pack_count;
    reg [10:0] pack_count_field;
    reg pair;
    reg pair_field;
    reg [2:0] partner;
    reg [2:0] partner_field;
    reg cta_launch;
    reg cta_launch_field;
    reg [2:0] launch_cta;
    reg [2:0] launch_cta_field;
    reg [10:0] need;
    reg [10:0] need_field;
    reg cta_exit;
    reg cta_exit_field;
    reg [2:0] exit_cta;
    reg [2:0] exit_cta_field;
    reg [47:0] starts;
    reg [47:0] starts_field;
    reg launch;
    reg launch_field;
    reg exit;
    reg exit_field;
    reg [5:0] warp;
    reg [5:0] warp_field;
    reg [2:0] warp_cta;
    reg [2:0] warp_cta_field;
    reg stall;
    reg stall_field;
    reg [5:0] stall_warp;
    reg [5:0] stall_warp_field;
    reg freed;
    reg freed_field;
    reg [47:0] ready;
    reg [47:0] ready_field;
    reg stall_cycle;
    reg stall_cycle_field;
    reg [9:0] zero_stalls;
    reg [9:0] zero_stalls_field;
    reg hold;
    reg hold_field;
    reg word_valid;
    reg word_valid_field;
    reg [63:0] word;
    reg [63:0] word_field;
    reg [15:0] word_pc;
    reg [15:0] word_pc_field;
    reg [4:0] word_slot;
    reg [4:0] word_slot_field;
    reg [5:0] word_warp;
    reg [5:0] word_warp_field;
    reg [2:0] word_cta;
    reg [2:0] word_cta_field;
    reg a_valid;
    reg a_valid_field;
    reg [5:0] a_warp;
    reg [5:0] a_warp_field;
    reg [2:0] a_cta;
    reg [2:0] a_cta_field;
    reg a_exit;
    reg a_exit_field;
    reg a_memory;
    reg a_memory_field;
    reg a_scratch;
    reg a_scratch_field;
    reg [16:0] a_address;
    reg [16:0] a_address_field;
    reg a_change;
    reg a_change_field;
    reg a_release;
    reg a_release_field;
    reg [2:0] a_op;
    reg [2:0] a_op_field;
    reg [9:0] a_base;
    reg [9:0] a_base_field;
    reg [9:0] a_first;
    reg [9:0] a_first_field;
    reg [5:0] a_capacity;
    reg [5:0] a_capacity_field;
    reg [5:0] a_fru;
    reg [5:0] a_fru_field;
    reg [5:0] a_evicted;
    reg [5:0] a_evicted_field;
    reg [9:0] a_link;
    reg [9:0] a_link_field;
    reg a_link_kernel;
    reg a_link_kernel_field;
    reg a_urgent;
    reg a_urgent_field;
    reg a_flagged;
    reg a_flagged_field;
    reg [15:0] a_pir;
    reg [15:0] a_pir_field;
    reg [4:0] a_slot;
    reg [4:0] a_slot_field;
    reg [7:0] a_x0;
    reg [7:0] a_x0_field;
    reg a_x0_valid;
    reg a_x0_valid_field;
    reg [7:0] a_x1;
    reg [7:0] a_x1_field;
    reg a_x1_valid;
    reg a_x1_valid_field;
    reg [7:0] a_x2;
    reg [7:0] a_x2_field;
    reg a_x2_valid;
    reg a_x2_valid_field;
    reg [7:0] a_x3;
    reg [7:0] a_x3_field;
    reg a_x3_valid;
    reg a_x3_valid_field;
    reg b_valid;
    reg b_valid_field;
    reg [5:0] b_warp;
    reg [5:0] b_warp_field;
    reg [2:0] b_cta;
    reg [2:0] b_cta_field;
    reg b_exit;
    reg b_exit_field;
    reg b_memory;
    reg b_memory_field;
    reg b_scratch;
    reg b_scratch_field;
    reg [16:0] b_address;
    reg [16:0] b_address_field;
    reg b_change;
    reg b_change_field;
    reg b_release;
    reg b_release_field;
    reg [2:0] b_op;
    reg [2:0] b_op_field;
    reg [9:0] b_base;
    reg [9:0] b_base_field;
    reg [9:0] b_first;
    reg [9:0] b_first_field;
    reg [5:0] b_capacity;
    reg [5:0] b_capacity_field;
    reg [5:0] b_fru;
    reg [5:0] b_fru_field;
    reg [5:0] b_evicted;
    reg [5:0] b_evicted_field;
    reg [9:0] b_link;
    reg [9:0] b_link_field;
    reg b_link_kernel;
    reg b_link_kernel_field;
    reg b_urgent;
    reg b_urgent_field;
    reg b_flagged;
    reg b_flagged_field;
    reg [15:0] b_pir;
    reg [15:0] b_pir_field;
    reg [4:0] b_slot;
    reg [4:0] b_slot_field;
    reg [7:0] b_x0;
    reg [7:0] b_x0_field;
    reg b_x0_valid;
    reg b_x0_valid_field;
    reg [7:0] b_x1;
    reg [7:0] b_x1_field;
    reg b_x1_valid;
    reg b_x1_valid_field;
    reg [7:0] b_x2;
    reg [7:0] b_x2_field;
    reg b_x2_valid;
    reg b_x2_valid_field;
    reg [7:0] b_x3;
    reg [7:0] b_x3_field;
    reg b_x3_valid;
    reg b_x3_valid_field;
    wire wake;
    reg wake_expected;
    reg wake_expected_field;
    wire pair_grant;
    reg pair_grant_expected;
    reg pair_grant_expected_field;
    wire sharing;
    reg sharing_expected;
    reg sharing_expected_field;
    wire [47:0] shared;
    reg [47:0] shared_expected;
    reg [47:0] shared_expected_field;
    wire [47:0] owner;
    reg [47:0] owner_expected;
    reg [47:0] owner_expected_field;
    wire [1:0] chosen_valid;
    reg [1:0] chosen_valid_expected;
    reg [1:0] chosen_valid_expected_field;
    wire [11:0] chosen;
    reg [11:0] chosen_expected;
    reg [11:0] chosen_expected_field;
    wire memory_allowed;
    reg memory_allowed_expected;
    reg memory_allowed_expected_field;
    wire [3:0] tenths;
    reg [3:0] tenths_expected;
    reg [3:0] tenths_expected_field;
    wire compares;
    reg compares_expected;
    reg compares_expected_field;
    wire [9:0] stalls;
    reg [9:0] stalls_expected;
    reg [9:0] stalls_expected_field;
    wire walk_grant;
    reg walk_grant_expected;
    reg walk_grant_expected_field;
    wire busy;
    reg busy_expected;
    reg busy_expected_field;
    wire pir;
    reg pir_expected;
    reg pir_expected_field;
    wire pbr;
    reg pbr_expected;
    reg pbr_expected_field;
    wire [2:0] word_flags;
    reg [2:0] word_flags_expected;
    reg [2:0] word_flags_expected_field;
    wire word_done;
    reg word_done_expected;
    reg word_done_expected_field;
    wire [7:0] may_issue;
    reg [7:0] may_issue_expected;
    reg [7:0] may_issue_expected_field;
    wire [2:0] chosen_cta;
    reg [2:0] chosen_cta_expected;
    reg [2:0] chosen_cta_expected_field;
    wire throttled;
    reg throttled_expected;
    reg throttled_expected_field;
    wire spill;
    reg spill_expected;
    reg spill_expected_field;
    wire [10:0] free_packs;
    reg [10:0] free_packs_expected;
    reg [10:0] free_packs_expected_field;
    wire [3:0] dry;
    reg [3:0] dry_expected;
    reg [3:0] dry_expected_field;
    wire [15:0] powered;
    reg [15:0] powered_expected;
    reg [15:0] powered_expected_field;
    wire [15:0] awake;
    reg [15:0] awake_expected;
    reg [15:0] awake_expected_field;
    wire stall_grant;
    reg stall_grant_expected;
    reg stall_grant_expected_field;
    wire woken_valid;
    reg woken_valid_expected;
    reg woken_valid_expected_field;
    wire [5:0] woken;
    reg [5:0] woken_expected;
    reg [5:0] woken_expected_field;
    wire none_stalled;
    reg none_stalled_expected;
    reg none_stalled_expected_field;
    wire served_b;
    reg served_b_expected;
    reg served_b_expected_field;
    wire trap;
    reg trap_expected;
    reg trap_expected_field;
    wire [9:0] pack;
    reg [9:0] pack_expected;
    reg [9:0] pack_expected_field;
    wire [5:0] count;
    reg [5:0] count_expected;
    reg [5:0] count_expected_field;
    wire [9:0] link;
    reg [9:0] link_expected;
    reg [9:0] link_expected_field;
    wire link_kernel;
    reg link_kernel_expected;
    reg link_kernel_expected_field;
    wire a_grant;
    reg a_grant_expected;
    reg a_grant_expected_field;
    wire a_answer;
    reg a_answer_expected;
    reg a_answer_expected_field;
    wire a_held;
    reg a_held_expected;
    reg a_held_expected_field;
    wire [3:0] a_served;
    reg [3:0] a_served_expected;
    reg [3:0] a_served_expected_field;
    wire a_hit;
    reg a_hit_expected;
    reg a_hit_expected_field;
    wire a_miss;
    reg a_miss_expected;
    reg a_miss_expected_field;
    wire a_starved;
    reg a_starved_expected;
    reg a_starved_expected_field;
    wire a_stalled;
    reg a_stalled_expected;
    reg a_stalled_expected_field;
    wire a_launched;
    reg a_launched_expected;
    reg a_launched_expected_field;
    wire [9:0] a_rfp;
    reg [9:0] a_rfp_expected;
    reg [9:0] a_rfp_expected_field;
    wire [9:0] a_rsp;
    reg [9:0] a_rsp_expected;
    reg [9:0] a_rsp_expected_field;
    wire [5:0] a_free;
    reg [5:0] a_free_expected;
    reg [5:0] a_free_expected_field;
    wire [9:0] a_link_pack;
    reg [9:0] a_link_pack_expected;
    reg [9:0] a_link_pack_expected_field;
    wire [9:0] a_y0;
    reg [9:0] a_y0_expected;
    reg [9:0] a_y0_expected_field;
    wire a_y0_valid;
    reg a_y0_valid_expected;
    reg a_y0_valid_expected_field;
    wire a_y0_awake;
    reg a_y0_awake_expected;
    reg a_y0_awake_expected_field;
    wire [9:0] a_y1;
    reg [9:0] a_y1_expected;
    reg [9:0] a_y1_expected_field;
    wire a_y1_valid;
    reg a_y1_valid_expected;
    reg a_y1_valid_expected_field;
    wire a_y1_awake;
    reg a_y1_awake_expected;
    reg a_y1_awake_expected_field;
    wire [9:0] a_y2;
    reg [9:0] a_y2_expected;
    reg [9:0] a_y2_expected_field;
    wire a_y2_valid;
    reg a_y2_valid_expected;
    reg a_y2_valid_expected_field;
    wire a_y2_awake;
    reg a_y2_awake_expected;
    reg a_y2_awake_expected_field;
    wire [9:0] a_y3;
    reg [9:0] a_y3_expected;
    reg [9:0] a_y3_expected_field;
    wire a_y3_valid;
    reg a_y3_valid_expected;
    reg a_y3_valid_expected_field;
    wire a_y3_awake;
    reg a_y3_awake_expected;
    reg a_y3_awake_expected_field;
    wire b_grant;
    reg b_grant_expected;
    reg b_grant_expected_field;
    wire b_answer;
    reg b_answer_expected;
    reg b_answer_expected_field;
    wire b_held;
    reg b_held_expected;
    reg b_held_expected_field;
    wire [3:0] b_served;
    reg [3:0] b_served_expected;
    reg [3:0] b_served_expected_field;
    wire b_hit;
    reg b_hit_expected;
    reg b_hit_expected_field;
    wire b_miss;
    reg b_miss_expected;
    reg b_miss_expected_field;
    wire b_starved;
    reg b_starved_expected;
    reg b_starved_expected_field;
    wire b_stalled;
    reg b_stalled_expected;
    reg b_stalled_expected_field;
    wire b_launched;
    reg b_launched_expected;
    reg b_launched_expected_field;
    wire [9:0] b_rfp;
    reg [9:0] b_rfp_expected;
    reg [9:0] b_rfp_expected_field;
    wire [9:0] b_rsp;
    reg [9:0] b_rsp_expected;
    reg [9:0] b_rsp_expected_field;
    wire [5:0] b_free;
    reg [5:0] b_free_expected;
    reg [5:0] b_free_expected_field;
    wire [9:0] b_link_pack;
    reg [9:0] b_link_pack_expected;
    reg [9:0] b_link_pack_expected_field;
    wire [9:0] b_y0;
    reg [9:0] b_y0_expected;
    reg [9:0] b_y0_expected_field;
    wire b_y0_valid;
    reg b_y0_valid_expected;
    reg b_y0_valid_expected_field;
    wire b_y0_awake;
    reg b_y0_awake_expected;
    reg b_y0_awake_expected_field;
    wire [9:0] b_y1;
    reg [9:0] b_y1_expected;
    reg [9:0] b_y1_expected_field;
    wire b_y1_valid;
    reg b_y1_valid_expected;
    reg b_y1_valid_expected_field;
    wire b_y1_awake;
    reg b_y1_awake_expected;
    reg b_y1_awake_expected_field;
    wire [9:0] b_y2;
    reg [9:0] b_y2_expected;
    reg [9:0] b_y2_expected_field;
    wire b_y2_valid;
    reg b_y2_valid_expected;
    reg b_y2_valid_expected_field;
    wire b_y2_awake;
    reg b_y2_awake_expected;
    reg b_y2_awake_expected_field;
    wire [9:0] b_y3;
    reg [9:0] b_y3_expected;
    reg [9:0] b_y3_expected_field;
    wire b_y3_valid;
    reg b_y3_valid_expected;
    reg b_y3_valid_expected_field;
    wire b_y3_awake;
    reg b_y3_awake_expected;
    reg b_y3_awake_expected_field;
    reg at_edge;
    reg at_edge_field;
    reg more;
    reg start;
    reg strobe;
    reg finish;
    integer file;
    integer fields;
    integer row;
    integer errors;

    register_manager_cars_w48_p1024 uut (
        .clock(clock),
        .clear(clear),
        .favor_b(favor_b),
        .section_count(section_count),
        .base_regs(base_regs),
        .ext_regs(ext_regs),
        .offset(offset),
        .share_regs(share_regs),
        .share_scratchpad(share_scratchpad),
        .warps_per_cta(warps_per_cta),
        .private_bytes(private_bytes),
        .sm_zero(sm_zero),
        .exempt(exempt),
        .shrink(shrink),
        .reserved(reserved),
        .pack_count(pack_count),
        .pair(pair),
        .partner(partner),
        .cta_launch(cta_launch),
        .launch_cta(launch_cta),
        .need(need),
        .cta_exit(cta_exit),
        .exit_cta(exit_cta),
        .starts(starts),
        .launch(launch),
        .exit(exit),
        .warp(warp),
        .warp_cta(warp_cta),
        .stall(stall),
        .stall_warp(stall_warp),
        .freed(freed),
        .ready(ready),
        .stall_cycle(stall_cycle),
        .zero_stalls(zero_stalls),
        .hold(hold),
        .word_valid(word_valid),
        .word(word),
        .word_pc(word_pc),
        .word_slot(word_slot),
        .word_warp(word_warp),
        .word_cta(word_cta),
        .a_valid(a_valid),
        .a_warp(a_warp),
        .a_cta(a_cta),
        .a_exit(a_exit),
        .a_memory(a_memory),
        .a_scratch(a_scratch),
        .a_address(a_address),
        .a_change(a_change),
        .a_release(a_release),
        .a_op(a_op),
        .a_base(a_base),
        .a_first(a_first),
        .a_capacity(a_capacity),
        .a_fru(a_fru),
        .a_evicted(a_evicted),
        .a_link(a_link),
        .a_link_kernel(a_link_kernel),
        .a_urgent(a_urgent),
        .a_flagged(a_flagged),
        .a_pir(a_pir),
        .a_slot(a_slot),
        .a_x0(a_x0),
        .a_x0_valid(a_x0_valid),
        .a_x1(a_x1),
        .a_x1_valid(a_x1_valid),
        .a_x2(a_x2),
        .a_x2_valid(a_x2_valid),
        .a_x3(a_x3),
        .a_x3_valid(a_x3_valid),
        .b_valid(b_valid),
        .b_warp(b_warp),
        .b_cta(b_cta),
        .b_exit(b_exit),
        .b_memory(b_memory),
        .b_scratch(b_scratch),
        .b_address(b_address),
        .b_change(b_change),
        .b_release(b_release),
        .b_op(b_op),
        .b_base(b_base),
        .b_first(b_first),
        .b_capacity(b_capacity),
        .b_fru(b_fru),
        .b_evicted(b_evicted),
        .b_link(b_link),
        .b_link_kernel(b_link_kernel),
        .b_urgent(b_urgent),
        .b_flagged(b_flagged),
        .b_pir(b_pir),
        .b_slot(b_slot),
        .b_x0(b_x0),
        .b_x0_valid(b_x0_valid),
        .b_x1(b_x1),
        .b_x1_valid(b_x1_valid),
        .b_x2(b_x2),
        .b_x2_valid(b_x2_valid),
        .b_x3(b_x3),
        .b_x3_valid(b_x3_valid),
        .wake(wake),
        .pair_grant(pair_grant),
        .sharing(sharing),
        .shared(shared),
        .owner(owner),
        .chosen_valid(chosen_valid),
        .chosen(chosen),
        .memory_allowed(memory_allowed),
        .tenths(tenths),
        .compares(compares),
        .stalls(stalls),
        .walk_grant(walk_grant),
        .busy(busy),
        .pir(pir),
        .pbr(pbr),
        .word_flags(word_flags),
        .word_done(word_done),
        .may_issue(may_issue),
        .chosen_cta(chosen_cta),
        .throttled(throttled),
        .spill(spill),
        .free_packs(free_packs),
        .dry(dry),
        .powered(powered),
        .awake(awake),
        .stall_grant(stall_grant),
        .woken_valid(woken_valid),
        .woken(woken),
        .none_stalled(none_stalled),
        .served_b(served_b),
        .trap(trap),
        .pack(pack),
        .count(count),
        .link(link),
        .link_kernel(link_kernel),
        .a_grant(a_grant),
        .a_answer(a_answer),
        .a_held(a_held),
        .a_served(a_served),
        .a_hit(a_hit),
        .a_miss(a_miss),
        .a_starved(a_starved),
        .a_stalled(a_stalled),
        .a_launched(a_launched),
        .a_rfp(a_rfp),
        .a_rsp(a_rsp),
        .a_free(a_free),
        .a_link_pack(a_link_pack),
        .a_y0(a_y0),
        .a_y0_valid(a_y0_valid),
        .a_y0_awake(a_y0_awake),
        .a_y1(a_y1),
        .a_y1_valid(a_y1_valid),
        .a_y1_awake(a_y1_awake),
        .a_y2(a_y2),
        .a_y2_valid(a_y2_valid),
        .a_y2_awake(a_y2_awake),
        .a_y3(a_y3),
        .a_y3_valid(a_y3_valid),
        .a_y3_awake(a_y3_awake),
        .b_grant(b_grant),
        .b_answer(b_answer),
        .b_held(b_held),
        .b_served(b_served),
        .b_hit(b_hit),
        .b_miss(b_miss),
        .b_starved(b_starved),
        .b_stalled(b_stalled),
        .b_launched(b_launched),
        .b_rfp(b_rfp),
        .b_rsp(b_rsp),
        .b_free(b_free),
        .b_link_pack(b_link_pack),
        .b_y0(b_y0),
        .b_y0_valid(b_y0_valid),
        .b_y0_awake(b_y0_awake),
        .b_y1(b_y1),
        .b_y1_valid(b_y1_valid),
        .b_y1_awake(b_y1_awake),
        .b_y2(b_y2),
        .b_y2_valid(b_y2_valid),
        .b_y2_awake(b_y2_awake),
        .b_y3(b_y3),
        .b_y3_valid(b_y3_valid),
        .b_y3_awake(b_y3_awake)
    );

    wire wrong = (wake !== wake_expected)
        || (pair_grant !== pair_grant_expected)
        || (sharing !== sharing_expected)
        || (shared !== shared_expected)
        || (owner !== owner_expected)
        || (chosen_valid !== chosen_valid_expected)
        || (chosen !== chosen_expected)
        || (memory_allowed !== memory_allowed_expected)
        || (tenths !== tenths_expected)
        || (compares !== compares_expected)
        || (stalls !== stalls_expected)
        || (walk_grant !== walk_grant_expected)
        || (busy !== busy_expected)
        || (pir !== pir_expected)
        || (pbr !== pbr_expected)
        || (word_flags !== word_flags_expected)
        || (word_done !== word_done_expected)
        || (may_issue !== may_issue_expected)
        || (chosen_cta !== chosen_cta_expected)
        || (throttled !== throttled_expected)
        || (spill !== spill_expected)
        || (free_packs !== free_packs_expected)
        || (dry !== dry_expected)
        || (powered !== powered_expected)
        || (awake !== awake_expected)
        || (stall_grant !== stall_grant_expected)
        || (woken_valid !== woken_valid_expected)
        || (woken !== woken_expected)
        || (none_stalled !== none_stalled_expected)
        || (served_b !== served_b_expected)
        || (trap !== trap_expected)
        || (pack !== pack_expected)
        || (count !== count_expected)
        || (link !== link_expected)
        || (link_kernel !== link_kernel_expected)
        || (a_grant !== a_grant_expected)
        || (a_answer !== a_answer_expected)
        || (a_held !== a_held_expected)
        || (a_served !== a_served_expected)
        || (a_hit !== a_hit_expected)
        || (a_miss !== a_miss_expected)
        || (a_starved !== a_starved_expected)
        || (a_stalled !== a_stalled_expected)
        || (a_launched !== a_launched_expected)
        || (a_rfp !== a_rfp_expected)
        || (a_rsp !== a_rsp_expected)
        || (a_free !== a_free_expected)
        || (a_link_pack !== a_link_pack_expected)
        || (a_y0 !== a_y0_expected)
        || (a_y0_valid !== a_y0_valid_expected)
        || (a_y0_awake !== a_y0_awake_expected)
        || (a_y1 !== a_y1_expected)
        || (a_y1_valid !== a_y1_valid_expected)
        || (a_y1_awake !== a_y1_awake_expected)
        || (a_y2 !== a_y2_expected)
        || (a_y2_valid !== a_y2_valid_expected)
        || (a_y2_awake !== a_y2_awake_expected)
        || (a_y3 !== a_y3_expected)
        || (a_y3_valid !== a_y3_valid_expected)
        || (a_y3_awake !== a_y3_awake_expected)
        || (b_grant !== b_grant_expected)
        || (b_answer !== b_answer_expected)
        || (b_held !== b_held_expected)
        || (b_served !== b_served_expected)
        || (b_hit !== b_hit_expected)
        || (b_miss !== b_miss_expected)
        || (b_starved !== b_starved_expected)
        || (b_stalled !== b_stalled_expected)
        || (b_launched !== b_launched_expected)
        || (b_rfp !== b_rfp_expected)
        || (b_rsp !== b_rsp_expected)
        || (b_free !== b_free_expected)
        || (b_link_pack !== b_link_pack_expected)
        || (b_y0 !== b_y0_expected)
        || (b_y0_valid !== b_y0_valid_expected)
        || (b_y0_awake !== b_y0_awake_expected)
        || (b_y1 !== b_y1_expected)
        || (b_y1_valid !== b_y1_valid_expected)
        || (b_y1_awake !== b_y1_awake_expected)
        || (b_y2 !== b_y2_expected)
        || (b_y2_valid !== b_y2_valid_expected)
        || (b_y2_awake !== b_y2_awake_expected)
        || (b_y3 !== b_y3_expected)
        || (b_y3_valid !== b_y3_valid_expected)
        || (b_y3_awake !== b_y3_awake_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (wake !== wake_expected)
                $display("register_manager_cars_w48_p1024 row %0d: wake is %h, expected %h", row, wake, wake_expected);
            if (pair_grant !== pair_grant_expected)
                $display("register_manager_cars_w48_p1024 row %0d: pair_grant is %h, expected %h", row, pair_grant, pair_grant_expected);
            if (sharing !== sharing_expected)
                $display("register_manager_cars_w48_p1024 row %0d: sharing is %h, expected %h", row, sharing, sharing_expected);
            if (shared !== shared_expected)
                $display("register_manager_cars_w48_p1024 row %0d: shared is %h, expected %h", row, shared, shared_expected);
            if (owner !== owner_expected)
                $display("register_manager_cars_w48_p1024 row %0d: owner is %h, expected %h", row, owner, owner_expected);
            if (chosen_valid !== chosen_valid_expected)
                $display("register_manager_cars_w48_p1024 row %0d: chosen_valid is %h, expected %h", row, chosen_valid, chosen_valid_expected);
            if (chosen !== chosen_expected)
                $display("register_manager_cars_w48_p1024 row %0d: chosen is %h, expected %h", row, chosen, chosen_expected);
            if (memory_allowed !== memory_allowed_expected)
                $display("register_manager_cars_w48_p1024 row %0d: memory_allowed is %h, expected %h", row, memory_allowed, memory_allowed_expected);
            if (tenths !== tenths_expected)
                $display("register_manager_cars_w48_p1024 row %0d: tenths is %h, expected %h", row, tenths, tenths_expected);
            if (compares !== compares_expected)
                $display("register_manager_cars_w48_p1024 row %0d: compares is %h, expected %h", row, compares, compares_expected);
            if (stalls !== stalls_expected)
                $display("register_manager_cars_w48_p1024 row %0d: stalls is %h, expected %h", row, stalls, stalls_expected);
            if (walk_grant !== walk_grant_expected)
                $display("register_manager_cars_w48_p1024 row %0d: walk_grant is %h, expected %h", row, walk_grant, walk_grant_expected);
            if (busy !== busy_expected)
                $display("register_manager_cars_w48_p1024 row %0d: busy is %h, expected %h", row, busy, busy_expected);
            if (pir !== pir_expected)
                $display("register_manager_cars_w48_p1024 row %0d: pir is %h, expected %h", row, pir, pir_expected);
            if (pbr !== pbr_expected)
                $display("register_manager_cars_w48_p1024 row %0d: pbr is %h, expected %h", row, pbr, pbr_expected);
            if (word_flags !== word_flags_expected)
                $display("register_manager_cars_w48_p1024 row %0d: word_flags is %h, expected %h", row, word_flags, word_flags_expected);
            if (word_done !== word_done_expected)
                $display("register_manager_cars_w48_p1024 row %0d: word_done is %h, expected %h", row, word_done, word_done_expected);
            if (may_issue !== may_issue_expected)
                $display("register_manager_cars_w48_p1024 row %0d: may_issue is %h, expected %h", row, may_issue, may_issue_expected);
            if (chosen_cta !== chosen_cta_expected)
                $display("register_manager_cars_w48_p1024 row %0d: chosen_cta is %h, expected %h", row, chosen_cta, chosen_cta_expected);
            if (throttled !== throttled_expected)
                $display("register_manager_cars_w48_p1024 row %0d: throttled is %h, expected %h", row, throttled, throttled_expected);
            if (spill !== spill_expected)
                $display("register_manager_cars_w48_p1024 row %0d: spill is %h, expected %h", row, spill, spill_expected);
            if (free_packs !== free_packs_expected)
                $display("register_manager_cars_w48_p1024 row %0d: free_packs is %h, expected %h", row, free_packs, free_packs_expected);
            if (dry !== dry_expected)
                $display("register_manager_cars_w48_p1024 row %0d: dry is %h, expected %h", row, dry, dry_expected);
            if (powered !== powered_expected)
                $display("register_manager_cars_w48_p1024 row %0d: powered is %h, expected %h", row, powered, powered_expected);
            if (awake !== awake_expected)
                $display("register_manager_cars_w48_p1024 row %0d: awake is %h, expected %h", row, awake, awake_expected);
            if (stall_grant !== stall_grant_expected)
                $display("register_manager_cars_w48_p1024 row %0d: stall_grant is %h, expected %h", row, stall_grant, stall_grant_expected);
            if (woken_valid !== woken_valid_expected)
                $display("register_manager_cars_w48_p1024 row %0d: woken_valid is %h, expected %h", row, woken_valid, woken_valid_expected);
            if (woken !== woken_expected)
                $display("register_manager_cars_w48_p1024 row %0d: woken is %h, expected %h", row, woken, woken_expected);
            if (none_stalled !== none_stalled_expected)
                $display("register_manager_cars_w48_p1024 row %0d: none_stalled is %h, expected %h", row, none_stalled, none_stalled_expected);
            if (served_b !== served_b_expected)
                $display("register_manager_cars_w48_p1024 row %0d: served_b is %h, expected %h", row, served_b, served_b_expected);
            if (trap !== trap_expected)
                $display("register_manager_cars_w48_p1024 row %0d: trap is %h, expected %h", row, trap, trap_expected);
            if (pack !== pack_expected)
                $display("register_manager_cars_w48_p1024 row %0d: pack is %h, expected %h", row, pack, pack_expected);
            if (count !== count_expected)
                $display("register_manager_cars_w48_p1024 row %0d: count is %h, expected %h", row, count, count_expected);
            if (link !== link_expected)
                $display("register_manager_cars_w48_p1024 row %0d: link is %h, expected %h", row, link, link_expected);
            if (link_kernel !== link_kernel_expected)
                $display("register_manager_cars_w48_p1024 row %0d: link_kernel is %h, expected %h", row, link_kernel, link_kernel_expected);
            if (a_grant !== a_grant_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_grant is %h, expected %h", row, a_grant, a_grant_expected);
            if (a_answer !== a_answer_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_answer is %h, expected %h", row, a_answer, a_answer_expected);
            if (a_held !== a_held_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_held is %h, expected %h", row, a_held, a_held_expected);
            if (a_served !== a_served_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_served is %h, expected %h", row, a_served, a_served_expected);
            if (a_hit !== a_hit_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_hit is %h, expected %h", row, a_hit, a_hit_expected);
            if (a_miss !== a_miss_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_miss is %h, expected %h", row, a_miss, a_miss_expected);
            if (a_starved !== a_starved_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_starved is %h, expected %h", row, a_starved, a_starved_expected);
            if (a_stalled !== a_stalled_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_stalled is %h, expected %h", row, a_stalled, a_stalled_expected);
            if (a_launched !== a_launched_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_launched is %h, expected %h", row, a_launched, a_launched_expected);
            if (a_rfp !== a_rfp_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_rfp is %h, expected %h", row, a_rfp, a_rfp_expected);
            if (a_rsp !== a_rsp_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_rsp is %h, expected %h", row, a_rsp, a_rsp_expected);
            if (a_free !== a_free_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_free is %h, expected %h", row, a_free, a_free_expected);
            if (a_link_pack !== a_link_pack_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_link_pack is %h, expected %h", row, a_link_pack, a_link_pack_expected);
            if (a_y0 !== a_y0_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_y0 is %h, expected %h", row, a_y0, a_y0_expected);
            if (a_y0_valid !== a_y0_valid_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_y0_valid is %h, expected %h", row, a_y0_valid, a_y0_valid_expected);
            if (a_y0_awake !== a_y0_awake_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_y0_awake is %h, expected %h", row, a_y0_awake, a_y0_awake_expected);
            if (a_y1 !== a_y1_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_y1 is %h, expected %h", row, a_y1, a_y1_expected);
            if (a_y1_valid !== a_y1_valid_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_y1_valid is %h, expected %h", row, a_y1_valid, a_y1_valid_expected);
            if (a_y1_awake !== a_y1_awake_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_y1_awake is %h, expected %h", row, a_y1_awake, a_y1_awake_expected);
            if (a_y2 !== a_y2_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_y2 is %h, expected %h", row, a_y2, a_y2_expected);
            if (a_y2_valid !== a_y2_valid_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_y2_valid is %h, expected %h", row, a_y2_valid, a_y2_valid_expected);
            if (a_y2_awake !== a_y2_awake_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_y2_awake is %h, expected %h", row, a_y2_awake, a_y2_awake_expected);
            if (a_y3 !== a_y3_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_y3 is %h, expected %h", row, a_y3, a_y3_expected);
            if (a_y3_valid !== a_y3_valid_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_y3_valid is %h, expected %h", row, a_y3_valid, a_y3_valid_expected);
            if (a_y3_awake !== a_y3_awake_expected)
                $display("register_manager_cars_w48_p1024 row %0d: a_y3_awake is %h, expected %h", row, a_y3_awake, a_y3_awake_expected);
            if (b_grant !== b_grant_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_grant is %h, expected %h", row, b_grant, b_grant_expected);
            if (b_answer !== b_answer_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_answer is %h, expected %h", row, b_answer, b_answer_expected);
            if (b_held !== b_held_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_held is %h, expected %h", row, b_held, b_held_expected);
            if (b_served !== b_served_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_served is %h, expected %h", row, b_served, b_served_expected);
            if (b_hit !== b_hit_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_hit is %h, expected %h", row, b_hit, b_hit_expected);
            if (b_miss !== b_miss_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_miss is %h, expected %h", row, b_miss, b_miss_expected);
            if (b_starved !== b_starved_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_starved is %h, expected %h", row, b_starved, b_starved_expected);
            if (b_stalled !== b_stalled_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_stalled is %h, expected %h", row, b_stalled, b_stalled_expected);
            if (b_launched !== b_launched_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_launched is %h, expected %h", row, b_launched, b_launched_expected);
            if (b_rfp !== b_rfp_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_rfp is %h, expected %h", row, b_rfp, b_rfp_expected);
            if (b_rsp !== b_rsp_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_rsp is %h, expected %h", row, b_rsp, b_rsp_expected);
            if (b_free !== b_free_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_free is %h, expected %h", row, b_free, b_free_expected);
            if (b_link_pack !== b_link_pack_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_link_pack is %h, expected %h", row, b_link_pack, b_link_pack_expected);
            if (b_y0 !== b_y0_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_y0 is %h, expected %h", row, b_y0, b_y0_expected);
            if (b_y0_valid !== b_y0_valid_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_y0_valid is %h, expected %h", row, b_y0_valid, b_y0_valid_expected);
            if (b_y0_awake !== b_y0_awake_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_y0_awake is %h, expected %h", row, b_y0_awake, b_y0_awake_expected);
            if (b_y1 !== b_y1_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_y1 is %h, expected %h", row, b_y1, b_y1_expected);
            if (b_y1_valid !== b_y1_valid_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_y1_valid is %h, expected %h", row, b_y1_valid, b_y1_valid_expected);
            if (b_y1_awake !== b_y1_awake_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_y1_awake is %h, expected %h", row, b_y1_awake, b_y1_awake_expected);
            if (b_y2 !== b_y2_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_y2 is %h, expected %h", row, b_y2, b_y2_expected);
            if (b_y2_valid !== b_y2_valid_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_y2_valid is %h, expected %h", row, b_y2_valid, b_y2_valid_expected);
            if (b_y2_awake !== b_y2_awake_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_y2_awake is %h, expected %h", row, b_y2_awake, b_y2_awake_expected);
            if (b_y3 !== b_y3_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_y3 is %h, expected %h", row, b_y3, b_y3_expected);
            if (b_y3_valid !== b_y3_valid_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_y3_valid is %h, expected %h", row, b_y3_valid, b_y3_valid_expected);
            if (b_y3_awake !== b_y3_awake_expected)
                $display("register_manager_cars_w48_p1024 row %0d: b_y3_awake is %h, expected %h", row, b_y3_awake, b_y3_awake_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS register_manager_cars_w48_p1024: %0d rows", row);
        else $display("FAIL register_manager_cars_w48_p1024: %0d of %0d rows differ", errors, row);
    end

    initial begin
        row = 0;
        start = 1'b0;
        strobe = 1'b0;
        finish = 1'b0;
        clock = 1'b0;
        file = $fopen(VECTORS, "r");
        more = file != 0;
        #1 start = 1'b1;
        while (more) begin
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                favor_b_field,
                section_count_field,
                base_regs_field,
                ext_regs_field,
                offset_field,
                share_regs_field,
                share_scratchpad_field,
                warps_per_cta_field,
                private_bytes_field,
                sm_zero_field,
                exempt_field,
                shrink_field,
                reserved_field,
                pack_count_field,
                pair_field,
                partner_field,
                cta_launch_field,
                launch_cta_field,
                need_field,
                cta_exit_field,
                exit_cta_field,
                starts_field,
                launch_field,
                exit_field,
                warp_field,
                warp_cta_field,
                stall_field,
                stall_warp_field,
                freed_field,
                ready_field,
                stall_cycle_field,
                zero_stalls_field,
                hold_field,
                word_valid_field,
                word_field,
                word_pc_field,
                word_slot_field,
                word_warp_field,
                word_cta_field,
                a_valid_field,
                a_warp_field,
                a_cta_field,
                a_exit_field,
                a_memory_field,
                a_scratch_field,
                a_address_field,
                a_change_field,
                a_release_field,
                a_op_field,
                a_base_field,
                a_first_field,
                a_capacity_field,
                a_fru_field,
                a_evicted_field,
                a_link_field,
                a_link_kernel_field,
                a_urgent_field,
                a_flagged_field,
                a_pir_field,
                a_slot_field,
                a_x0_field,
                a_x0_valid_field,
                a_x1_field,
                a_x1_valid_field,
                a_x2_field,
                a_x2_valid_field,
                a_x3_field,
                a_x3_valid_field,
                b_valid_field,
                b_warp_field,
                b_cta_field,
                b_exit_field,
                b_memory_field,
                b_scratch_field,
                b_address_field,
                b_change_field,
                b_release_field,
                b_op_field,
                b_base_field,
                b_first_field,
                b_capacity_field,
                b_fru_field,
                b_evicted_field,
                b_link_field,
                b_link_kernel_field,
                b_urgent_field,
                b_flagged_field,
                b_pir_field,
                b_slot_field,
                b_x0_field,
                b_x0_valid_field,
                b_x1_field,
                b_x1_valid_field,
                b_x2_field,
                b_x2_valid_field,
                b_x3_field,
                b_x3_valid_field,
                wake_expected_field,
                pair_grant_expected_field,
                sharing_expected_field,
                shared_expected_field,
                owner_expected_field,
                chosen_valid_expected_field,
                chosen_expected_field,
                memory_allowed_expected_field,
                tenths_expected_field,
                compares_expected_field,
                stalls_expected_field,
                walk_grant_expected_field,
                busy_expected_field,
                pir_expected_field,
                pbr_expected_field,
                word_flags_expected_field,
                word_done_expected_field,
                may_issue_expected_field,
                chosen_cta_expected_field,
                throttled_expected_field,
                spill_expected_field,
                free_packs_expected_field,
                dry_expected_field,
                powered_expected_field,
                awake_expected_field,
                stall_grant_expected_field,
                woken_valid_expected_field,
                woken_expected_field,
                none_stalled_expected_field,
                served_b_expected_field,
                trap_expected_field,
                pack_expected_field,
                count_expected_field,
                link_expected_field,
                link_kernel_expected_field,
                a_grant_expected_field,
                a_answer_expected_field,
                a_held_expected_field,
                a_served_expected_field,
                a_hit_expected_field,
                a_miss_expected_field,
                a_starved_expected_field,
                a_stalled_expected_field,
                a_launched_expected_field,
                a_rfp_expected_field,
                a_rsp_expected_field,
                a_free_expected_field,
                a_link_pack_expected_field,
                a_y0_expected_field,
                a_y0_valid_expected_field,
                a_y0_awake_expected_field,
                a_y1_expected_field,
                a_y1_valid_expected_field,
                a_y1_awake_expected_field,
                a_y2_expected_field,
                a_y2_valid_expected_field,
                a_y2_awake_expected_field,
                a_y3_expected_field,
                a_y3_valid_expected_field,
                a_y3_awake_expected_field,
                b_grant_expected_field,
                b_answer_expected_field,
                b_held_expected_field,
                b_served_expected_field,
                b_hit_expected_field,
                b_miss_expected_field,
                b_starved_expected_field,
                b_stalled_expected_field,
                b_launched_expected_field,
                b_rfp_expected_field,
                b_rsp_expected_field,
                b_free_expected_field,
                b_link_pack_expected_field,
                b_y0_expected_field,
                b_y0_valid_expected_field,
                b_y0_awake_expected_field,
                b_y1_expected_field,
                b_y1_valid_expected_field,
                b_y1_awake_expected_field,
                b_y2_expected_field,
                b_y2_valid_expected_field,
                b_y2_awake_expected_field,
                b_y3_expected_field,
                b_y3_valid_expected_field,
                b_y3_awake_expected_field);
            more = fields == 184;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                favor_b = favor_b_field;
                section_count = section_count_field;
                base_regs = base_regs_field;
                ext_regs = ext_regs_field;
                offset = offset_field;
                share_regs = share_regs_field;
                share_scratchpad = share_scratchpad_field;
                warps_per_cta = warps_per_cta_field;
                private_bytes = private_bytes_field;
                sm_zero = sm_zero_field;
                exempt = exempt_field;
                shrink = shrink_field;
                reserved = reserved_field;
                pack_count = pack_count_field;
                pair = pair_field;
                partner = partner_field;
                cta_launch = cta_launch_field;
                launch_cta = launch_cta_field;
                need = need_field;
                cta_exit = cta_exit_field;
                exit_cta = exit_cta_field;
                starts = starts_field;
                launch = launch_field;
                exit = exit_field;
                warp = warp_field;
                warp_cta = warp_cta_field;
                stall = stall_field;
                stall_warp = stall_warp_field;
                freed = freed_field;
                ready = ready_field;
                stall_cycle = stall_cycle_field;
                zero_stalls = zero_stalls_field;
                hold = hold_field;
                word_valid = word_valid_field;
                word = word_field;
                word_pc = word_pc_field;
                word_slot = word_slot_field;
                word_warp = word_warp_field;
                word_cta = word_cta_field;
                a_valid = a_valid_field;
                a_warp = a_warp_field;
                a_cta = a_cta_field;
                a_exit = a_exit_field;
                a_memory = a_memory_field;
                a_scratch = a_scratch_field;
                a_address = a_address_field;
                a_change = a_change_field;
                a_release = a_release_field;
                a_op = a_op_field;
                a_base = a_base_field;
                a_first = a_first_field;
                a_capacity = a_capacity_field;
                a_fru = a_fru_field;
                a_evicted = a_evicted_field;
                a_link = a_link_field;
                a_link_kernel = a_link_kernel_field;
                a_urgent = a_urgent_field;
                a_flagged = a_flagged_field;
                a_pir = a_pir_field;
                a_slot = a_slot_field;
                a_x0 = a_x0_field;
                a_x0_valid = a_x0_valid_field;
                a_x1 = a_x1_field;
                a_x1_valid = a_x1_valid_field;
                a_x2 = a_x2_field;
                a_x2_valid = a_x2_valid_field;
                a_x3 = a_x3_field;
                a_x3_valid = a_x3_valid_field;
                b_valid = b_valid_field;
                b_warp = b_warp_field;
                b_cta = b_cta_field;
                b_exit = b_exit_field;
                b_memory = b_memory_field;
                b_scratch = b_scratch_field;
                b_address = b_address_field;
                b_change = b_change_field;
                b_release = b_release_field;
                b_op = b_op_field;
                b_base = b_base_field;
                b_first = b_first_field;
                b_capacity = b_capacity_field;
                b_fru = b_fru_field;
                b_evicted = b_evicted_field;
                b_link = b_link_field;
                b_link_kernel = b_link_kernel_field;
                b_urgent = b_urgent_field;
                b_flagged = b_flagged_field;
                b_pir = b_pir_field;
                b_slot = b_slot_field;
                b_x0 = b_x0_field;
                b_x0_valid = b_x0_valid_field;
                b_x1 = b_x1_field;
                b_x1_valid = b_x1_valid_field;
                b_x2 = b_x2_field;
                b_x2_valid = b_x2_valid_field;
                b_x3 = b_x3_field;
                b_x3_valid = b_x3_valid_field;
                wake_expected = wake_expected_field;
                pair_grant_expected = pair_grant_expected_field;
                sharing_expected = sharing_expected_field;
                shared_expected = shared_expected_field;
                owner_expected = owner_expected_field;
                chosen_valid_expected = chosen_valid_expected_field;
                chosen_expected = chosen_expected_field;
                memory_allowed_expected = memory_allowed_expected_field;
                tenths_expected = tenths_expected_field;
                compares_expected = compares_expected_field;
                stalls_expected = stalls_expected_field;
                walk_grant_expected = walk_grant_expected_field;
                busy_expected = busy_expected_field;
                pir_expected = pir_expected_field;
                pbr_expected = pbr_expected_field;
                word_flags_expected = word_flags_expected_field;
                word_done_expected = word_done_expected_field;
                may_issue_expected = may_issue_expected_field;
                chosen_cta_expected = chosen_cta_expected_field;
                throttled_expected = throttled_expected_field;
                spill_expected = spill_expected_field;
                free_packs_expected = free_packs_expected_field;
                dry_expected = dry_expected_field;
                powered_expected = powered_expected_field;
                awake_expected = awake_expected_field;
                stall_grant_expected = stall_grant_expected_field;
                woken_valid_expected = woken_valid_expected_field;
                woken_expected = woken_expected_field;
                none_stalled_expected = none_stalled_expected_field;
                served_b_expected = served_b_expected_field;
                trap_expected = trap_expected_field;
                pack_expected = pack_expected_field;
                count_expected = count_expected_field;
                link_expected = link_expected_field;
                link_kernel_expected = link_kernel_expected_field;
                a_grant_expected = a_grant_expected_field;
                a_answer_expected = a_answer_expected_field;
                a_held_expected = a_held_expected_field;
                a_served_expected = a_served_expected_field;
                a_hit_expected = a_hit_expected_field;
                a_miss_expected = a_miss_expected_field;
                a_starved_expected = a_starved_expected_field;
                a_stalled_expected = a_stalled_expected_field;
                a_launched_expected = a_launched_expected_field;
                a_rfp_expected = a_rfp_expected_field;
                a_rsp_expected = a_rsp_expected_field;
                a_free_expected = a_free_expected_field;
                a_link_pack_expected = a_link_pack_expected_field;
                a_y0_expected = a_y0_expected_field;
                a_y0_valid_expected = a_y0_valid_expected_field;
                a_y0_awake_expected = a_y0_awake_expected_field;
                a_y1_expected = a_y1_expected_field;
                a_y1_valid_expected = a_y1_valid_expected_field;
                a_y1_awake_expected = a_y1_awake_expected_field;
                a_y2_expected = a_y2_expected_field;
                a_y2_valid_expected = a_y2_valid_expected_field;
                a_y2_awake_expected = a_y2_awake_expected_field;
                a_y3_expected = a_y3_expected_field;
                a_y3_valid_expected = a_y3_valid_expected_field;
                a_y3_awake_expected = a_y3_awake_expected_field;
                b_grant_expected = b_grant_expected_field;
                b_answer_expected = b_answer_expected_field;
                b_held_expected = b_held_expected_field;
                b_served_expected = b_served_expected_field;
                b_hit_expected = b_hit_expected_field;
                b_miss_expected = b_miss_expected_field;
                b_starved_expected = b_starved_expected_field;
                b_stalled_expected = b_stalled_expected_field;
                b_launched_expected = b_launched_expected_field;
                b_rfp_expected = b_rfp_expected_field;
                b_rsp_expected = b_rsp_expected_field;
                b_free_expected = b_free_expected_field;
                b_link_pack_expected = b_link_pack_expected_field;
                b_y0_expected = b_y0_expected_field;
                b_y0_valid_expected = b_y0_valid_expected_field;
                b_y0_awake_expected = b_y0_awake_expected_field;
                b_y1_expected = b_y1_expected_field;
                b_y1_valid_expected = b_y1_valid_expected_field;
                b_y1_awake_expected = b_y1_awake_expected_field;
                b_y2_expected = b_y2_expected_field;
                b_y2_valid_expected = b_y2_valid_expected_field;
                b_y2_awake_expected = b_y2_awake_expected_field;
                b_y3_expected = b_y3_expected_field;
                b_y3_valid_expected = b_y3_valid_expected_field;
                b_y3_awake_expected = b_y3_awake_expected_field;
                #1 strobe = 1'b1;
                #1 strobe = 1'b0;
                if (at_edge) begin
                    #1 clock = 1'b1;
                    #1 clock = 1'b0;
                end
                #1 row = row + 1;
            end
        end
        if (file != 0) $fclose(file);
        #1 finish = 1'b1;
    end
endmodule
