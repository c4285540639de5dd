// Generated. The register manager with the system `rfv` is the top of that system behind the common ports: each pin of
// the top, whose outputs may be anything, beside the port of the table in the block's page.

module proof (
    input wire clock,
    input wire clear,
    input wire favor_b,
    input wire [5:0] section_count,
    input wire [7:0] base_regs,
    input wire [7:0] ext_regs,
    input wire [9:0] offset,
    input wire share_regs,
    input wire share_scratchpad,
    input wire [4:0] warps_per_cta,
    input wire [16:0] private_bytes,
    input wire sm_zero,
    input wire [5:0] exempt,
    input wire [1:0] shrink,
    input wire [8:0] reserved,
    input wire [10:0] pack_count,
    input wire pair,
    input wire [2:0] partner,
    input wire cta_launch,
    input wire [2:0] launch_cta,
    input wire [10:0] need,
    input wire cta_exit,
    input wire [2:0] exit_cta,
    input wire [47:0] starts,
    input wire launch,
    input wire exit,
    input wire [5:0] warp,
    input wire [2:0] warp_cta,
    input wire stall,
    input wire [5:0] stall_warp,
    input wire freed,
    input wire [47:0] ready,
    input wire stall_cycle,
    input wire [9:0] zero_stalls,
    input wire hold,
    input wire word_valid,
    input wire [63:0] word,
    input wire [15:0] word_pc,
    input wire [4:0] word_slot,
    input wire [5:0] word_warp,
    input wire [2:0] word_cta,
    input wire a_valid,
    input wire [5:0] a_warp,
    input wire [2:0] a_cta,
    input wire a_exit,
    input wire a_memory,
    input wire a_scratch,
    input wire [16:0] a_address,
    input wire a_change,
    input wire a_release,
    input wire [2:0] a_op,
    input wire [9:0] a_base,
    input wire [9:0] a_first,
    input wire [5:0] a_capacity,
    input wire [5:0] a_fru,
    input wire [5:0] a_evicted,
    input wire [9:0] a_link,
    input wire a_link_kernel,
    input wire a_urgent,
    input wire a_flagged,
    input wire [15:0] a_pir,
    input wire [4:0] a_slot,
    input wire [7:0] a_x0,
    input wire a_x0_valid,
    input wire [7:0] a_x1,
    input wire a_x1_valid,
    input wire [7:0] a_x2,
    input wire a_x2_valid,
    input wire [7:0] a_x3,
    input wire a_x3_valid,
    input wire b_valid,
    input wire [5:0] b_warp,
    input wire [2:0] b_cta,
    input wire b_exit,
    input wire b_memory,
    input wire b_scratch,
    input wire [16:0] b_address,
    input wire b_change,
    input wire b_release,
    input wire [2:0] b_op,
    input wire [9:0] b_base,
    input wire [9:0] b_first,
    input wire [5:0] b_capacity,
    input wire [5:0] b_fru,
    input wire [5:0] b_evicted,
    input wire [9:0] b_link,
    input wire b_link_kernel,
    input wire b_urgent,
    input wire b_flagged,
    input wire [15:0] b_pir,
    input wire [4:0] b_slot,
    input wire [7:0] b_x0,
    input wire b_x0_valid,
    input wire [7:0] b_x1,
    input wire b_x1_valid,
    input wire [7:0] b_x2,
    input wire b_x2_valid,
    input wire [7:0] b_x3,
    input wire b_x3_valid
);
    wire wake;
    wire pair_grant;
    wire sharing;
    wire [47:0] shared;
    wire [47:0] owner;
    wire [1:0] chosen_valid;
    wire [11:0] chosen;
    wire memory_allowed;
    wire [3:0] tenths;
    wire compares;
    wire [9:0] stalls;
    wire walk_grant;
    wire busy;
    wire pir;
    wire pbr;
    wire [2:0] word_flags;
    wire word_done;
    wire [7:0] may_issue;
    wire [2:0] chosen_cta;
    wire throttled;
    wire spill;
    wire [10:0] free_packs;
    wire [3:0] dry;
    wire [15:0] powered;
    wire [15:0] awake;
    wire stall_grant;
    wire woken_valid;
    wire [5:0] woken;
    wire none_stalled;
    wire served_b;
    wire trap;
    wire [9:0] pack;
    wire [5:0] count;
    wire [9:0] link;
    wire link_kernel;
    wire a_grant;
    wire a_answer;
    wire a_held;
    wire [3:0] a_served;
    wire a_hit;
    wire a_miss;
    wire a_starved;
    wire a_stalled;
    wire a_launched;
    wire [9:0] a_rfp;
    wire [9:0] a_rsp;
    wire [5:0] a_free;
    wire [9:0] a_link_pack;
    wire [9:0] a_y0;
    wire a_y0_valid;
    wire a_y0_awake;
    wire [9:0] a_y1;
    wire a_y1_valid;
    wire a_y1_awake;
    wire [9:0] a_y2;
    wire a_y2_valid;
    wire a_y2_awake;
    wire [9:0] a_y3;
    wire a_y3_valid;
    wire a_y3_awake;
    wire b_grant;
    wire b_answer;
    wire b_held;
    wire [3:0] b_served;
    wire b_hit;
    wire b_miss;
    wire b_starved;
    wire b_stalled;
    wire b_launched;
    wire [9:0] b_rfp;
    wire [9:0] b_rsp;
    wire [5:0] b_free;
    wire [9:0] b_link_pack;
    wire [9:0] b_y0;
    wire b_y0_valid;
    wire b_y0_awake;
    wire [9:0] b_y1;
    wire b_y1_valid;
    wire b_y1_awake;
    wire [9:0] b_y2;
    wire b_y2_valid;
    wire b_y2_awake;
    wire [9:0] b_y3;
    wire b_y3_valid;
    wire b_y3_awake;
    `TOP uut (.*);
    (* hierconn *) wire \uut.top.clear ;
    (* hierconn *) wire [5:0] \uut.top.exempt ;
    (* hierconn *) wire [1:0] \uut.top.shrink ;
    (* hierconn *) wire [8:0] \uut.top.reserved ;
    (* hierconn *) wire [10:0] \uut.top.pack_count ;
    (* hierconn *) wire \uut.top.cta_launch ;
    (* hierconn *) wire [2:0] \uut.top.launch_cta ;
    (* hierconn *) wire [10:0] \uut.top.need ;
    (* hierconn *) wire \uut.top.cta_exit ;
    (* hierconn *) wire [2:0] \uut.top.exit_cta ;
    (* hierconn *) wire \uut.top.launch ;
    (* hierconn *) wire \uut.top.exit ;
    (* hierconn *) wire [5:0] \uut.top.warp ;
    (* hierconn *) wire [2:0] \uut.top.warp_cta ;
    (* hierconn *) wire \uut.top.hold ;
    (* hierconn *) wire \uut.top.word_valid ;
    (* hierconn *) wire [63:0] \uut.top.word ;
    (* hierconn *) wire [15:0] \uut.top.word_pc ;
    (* hierconn *) wire [4:0] \uut.top.word_slot ;
    (* hierconn *) wire [5:0] \uut.top.word_warp ;
    (* hierconn *) wire [2:0] \uut.top.word_cta ;
    (* hierconn *) wire \uut.top.favor_b ;
    (* hierconn *) wire \uut.top.a_valid ;
    (* hierconn *) wire [5:0] \uut.top.a_warp ;
    (* hierconn *) wire [2:0] \uut.top.a_cta ;
    (* hierconn *) wire \uut.top.a_urgent ;
    (* hierconn *) wire \uut.top.a_flagged ;
    (* hierconn *) wire [15:0] \uut.top.a_pir ;
    (* hierconn *) wire [4:0] \uut.top.a_slot ;
    (* hierconn *) wire [5:0] \uut.top.a_x0 ;
    (* hierconn *) wire \uut.top.a_x0_valid ;
    (* hierconn *) wire [5:0] \uut.top.a_x1 ;
    (* hierconn *) wire \uut.top.a_x1_valid ;
    (* hierconn *) wire [5:0] \uut.top.a_x2 ;
    (* hierconn *) wire \uut.top.a_x2_valid ;
    (* hierconn *) wire [5:0] \uut.top.a_x3 ;
    (* hierconn *) wire \uut.top.a_x3_valid ;
    (* hierconn *) wire \uut.top.b_valid ;
    (* hierconn *) wire [5:0] \uut.top.b_warp ;
    (* hierconn *) wire [2:0] \uut.top.b_cta ;
    (* hierconn *) wire \uut.top.b_urgent ;
    (* hierconn *) wire \uut.top.b_flagged ;
    (* hierconn *) wire [15:0] \uut.top.b_pir ;
    (* hierconn *) wire [4:0] \uut.top.b_slot ;
    (* hierconn *) wire [5:0] \uut.top.b_x0 ;
    (* hierconn *) wire \uut.top.b_x0_valid ;
    (* hierconn *) wire [5:0] \uut.top.b_x1 ;
    (* hierconn *) wire \uut.top.b_x1_valid ;
    (* hierconn *) wire [5:0] \uut.top.b_x2 ;
    (* hierconn *) wire \uut.top.b_x2_valid ;
    (* hierconn *) wire [5:0] \uut.top.b_x3 ;
    (* hierconn *) wire \uut.top.b_x3_valid ;
    (* hierconn *) wire \uut.top.walk_grant ;
    (* hierconn *) wire \uut.top.busy ;
    (* hierconn *) wire \uut.top.pir ;
    (* hierconn *) wire \uut.top.pbr ;
    (* hierconn *) wire [2:0] \uut.top.word_flags ;
    (* hierconn *) wire \uut.top.word_done ;
    (* hierconn *) wire [7:0] \uut.top.may_issue ;
    (* hierconn *) wire [2:0] \uut.top.chosen ;
    (* hierconn *) wire \uut.top.throttled ;
    (* hierconn *) wire \uut.top.spill ;
    (* hierconn *) wire [10:0] \uut.top.free_packs ;
    (* hierconn *) wire [3:0] \uut.top.dry ;
    (* hierconn *) wire [15:0] \uut.top.powered ;
    (* hierconn *) wire [15:0] \uut.top.awake ;
    (* hierconn *) wire \uut.top.a_hit ;
    (* hierconn *) wire \uut.top.a_miss ;
    (* hierconn *) wire [3:0] \uut.top.a_served ;
    (* hierconn *) wire \uut.top.a_grant ;
    (* hierconn *) wire \uut.top.a_answer ;
    (* hierconn *) wire \uut.top.b_hit ;
    (* hierconn *) wire \uut.top.b_miss ;
    (* hierconn *) wire [3:0] \uut.top.b_served ;
    (* hierconn *) wire \uut.top.b_grant ;
    (* hierconn *) wire \uut.top.b_answer ;
    (* hierconn *) wire [9:0] \uut.top.y0 ;
    (* hierconn *) wire \uut.top.y0_valid ;
    (* hierconn *) wire \uut.top.y0_awake ;
    (* hierconn *) wire [9:0] \uut.top.y1 ;
    (* hierconn *) wire \uut.top.y1_valid ;
    (* hierconn *) wire \uut.top.y1_awake ;
    (* hierconn *) wire [9:0] \uut.top.y2 ;
    (* hierconn *) wire \uut.top.y2_valid ;
    (* hierconn *) wire \uut.top.y2_awake ;
    (* hierconn *) wire [9:0] \uut.top.y3 ;
    (* hierconn *) wire \uut.top.y3_valid ;
    (* hierconn *) wire \uut.top.y3_awake ;
    (* hierconn *) wire \uut.top.starved ;

    always @(*) begin
`ifdef VACUITY
        c0: assert (!(a_grant && a_y3_valid && a_y3 == 1023 && a_y3_awake));
        c1: assert (!(b_grant && b_answer && b_y0_valid && b_y0 == 5));
`else
        clear_is_asked: assert (\uut.top.clear == clear);
        exempt_is_asked: assert (\uut.top.exempt == exempt);
        shrink_is_asked: assert (\uut.top.shrink == shrink);
        reserved_is_asked: assert (\uut.top.reserved == reserved);
        pack_count_is_asked: assert (\uut.top.pack_count == pack_count);
        cta_launch_is_asked: assert (\uut.top.cta_launch == cta_launch);
        launch_cta_is_asked: assert (\uut.top.launch_cta == launch_cta);
        need_is_asked: assert (\uut.top.need == need);
        cta_exit_is_asked: assert (\uut.top.cta_exit == cta_exit);
        exit_cta_is_asked: assert (\uut.top.exit_cta == exit_cta);
        launch_is_asked: assert (\uut.top.launch == launch);
        exit_is_asked: assert (\uut.top.exit == exit);
        warp_is_asked: assert (\uut.top.warp == warp);
        warp_cta_is_asked: assert (\uut.top.warp_cta == warp_cta);
        hold_is_asked: assert (\uut.top.hold == hold);
        word_valid_is_asked: assert (\uut.top.word_valid == word_valid);
        word_is_asked: assert (\uut.top.word == word);
        word_pc_is_asked: assert (\uut.top.word_pc == word_pc);
        word_slot_is_asked: assert (\uut.top.word_slot == word_slot);
        word_warp_is_asked: assert (\uut.top.word_warp == word_warp);
        word_cta_is_asked: assert (\uut.top.word_cta == word_cta);
        favor_b_is_asked: assert (\uut.top.favor_b == favor_b);
        a_valid_is_asked: assert (\uut.top.a_valid == a_valid);
        a_warp_is_asked: assert (\uut.top.a_warp == a_warp);
        a_cta_is_asked: assert (\uut.top.a_cta == a_cta);
        a_urgent_is_asked: assert (\uut.top.a_urgent == a_urgent);
        a_flagged_is_asked: assert (\uut.top.a_flagged == a_flagged);
        a_pir_is_asked: assert (\uut.top.a_pir == a_pir);
        a_slot_is_asked: assert (\uut.top.a_slot == a_slot);
        a_x0_is_asked: assert (\uut.top.a_x0 == (a_x0 > 63 ? 63 : a_x0));
        a_x0_valid_is_asked: assert (\uut.top.a_x0_valid == a_x0_valid);
        a_x1_is_asked: assert (\uut.top.a_x1 == (a_x1 > 63 ? 63 : a_x1));
        a_x1_valid_is_asked: assert (\uut.top.a_x1_valid == a_x1_valid);
        a_x2_is_asked: assert (\uut.top.a_x2 == (a_x2 > 63 ? 63 : a_x2));
        a_x2_valid_is_asked: assert (\uut.top.a_x2_valid == a_x2_valid);
        a_x3_is_asked: assert (\uut.top.a_x3 == (a_x3 > 63 ? 63 : a_x3));
        a_x3_valid_is_asked: assert (\uut.top.a_x3_valid == a_x3_valid);
        b_valid_is_asked: assert (\uut.top.b_valid == b_valid);
        b_warp_is_asked: assert (\uut.top.b_warp == b_warp);
        b_cta_is_asked: assert (\uut.top.b_cta == b_cta);
        b_urgent_is_asked: assert (\uut.top.b_urgent == b_urgent);
        b_flagged_is_asked: assert (\uut.top.b_flagged == b_flagged);
        b_pir_is_asked: assert (\uut.top.b_pir == b_pir);
        b_slot_is_asked: assert (\uut.top.b_slot == b_slot);
        b_x0_is_asked: assert (\uut.top.b_x0 == (b_x0 > 63 ? 63 : b_x0));
        b_x0_valid_is_asked: assert (\uut.top.b_x0_valid == b_x0_valid);
        b_x1_is_asked: assert (\uut.top.b_x1 == (b_x1 > 63 ? 63 : b_x1));
        b_x1_valid_is_asked: assert (\uut.top.b_x1_valid == b_x1_valid);
        b_x2_is_asked: assert (\uut.top.b_x2 == (b_x2 > 63 ? 63 : b_x2));
        b_x2_valid_is_asked: assert (\uut.top.b_x2_valid == b_x2_valid);
        b_x3_is_asked: assert (\uut.top.b_x3 == (b_x3 > 63 ? 63 : b_x3));
        b_x3_valid_is_asked: assert (\uut.top.b_x3_valid == b_x3_valid);
        walk_grant_is_told: assert (walk_grant == (\uut.top.walk_grant ));
        busy_is_told: assert (busy == (\uut.top.busy ));
        pir_is_told: assert (pir == (\uut.top.pir ));
        pbr_is_told: assert (pbr == (\uut.top.pbr ));
        word_flags_is_told: assert (word_flags == (\uut.top.word_flags ));
        word_done_is_told: assert (word_done == (\uut.top.word_done ));
        may_issue_is_told: assert (may_issue == (\uut.top.may_issue ));
        chosen_cta_is_told: assert (chosen_cta == (\uut.top.chosen ));
        throttled_is_told: assert (throttled == (\uut.top.throttled ));
        spill_is_told: assert (spill == (\uut.top.spill ));
        free_packs_is_told: assert (free_packs == (\uut.top.free_packs ));
        dry_is_told: assert (dry == (\uut.top.dry ));
        powered_is_told: assert (powered == (\uut.top.powered ));
        awake_is_told: assert (awake == (\uut.top.awake ));
        a_hit_is_told: assert (a_hit == (\uut.top.a_hit ));
        a_miss_is_told: assert (a_miss == (\uut.top.a_miss ));
        a_served_is_told: assert (a_served == (\uut.top.a_served ));
        a_grant_is_told: assert (a_grant == (\uut.top.a_grant ));
        a_answer_is_told: assert (a_answer == (\uut.top.a_answer ));
        b_hit_is_told: assert (b_hit == (\uut.top.b_hit ));
        b_miss_is_told: assert (b_miss == (\uut.top.b_miss ));
        b_served_is_told: assert (b_served == (\uut.top.b_served ));
        b_grant_is_told: assert (b_grant == (\uut.top.b_grant ));
        b_answer_is_told: assert (b_answer == (\uut.top.b_answer ));
        a_y0_is_told: assert (a_y0 == (\uut.top.a_answer ? \uut.top.y0 : 0));
        b_y0_is_told: assert (b_y0 == (\uut.top.b_answer ? \uut.top.y0 : 0));
        a_y0_valid_is_told: assert (a_y0_valid == (\uut.top.a_answer ? \uut.top.y0_valid : 0));
        b_y0_valid_is_told: assert (b_y0_valid == (\uut.top.b_answer ? \uut.top.y0_valid : 0));
        a_y0_awake_is_told: assert (a_y0_awake == (\uut.top.a_answer ? \uut.top.y0_awake : 0));
        b_y0_awake_is_told: assert (b_y0_awake == (\uut.top.b_answer ? \uut.top.y0_awake : 0));
        a_y1_is_told: assert (a_y1 == (\uut.top.a_answer ? \uut.top.y1 : 0));
        b_y1_is_told: assert (b_y1 == (\uut.top.b_answer ? \uut.top.y1 : 0));
        a_y1_valid_is_told: assert (a_y1_valid == (\uut.top.a_answer ? \uut.top.y1_valid : 0));
        b_y1_valid_is_told: assert (b_y1_valid == (\uut.top.b_answer ? \uut.top.y1_valid : 0));
        a_y1_awake_is_told: assert (a_y1_awake == (\uut.top.a_answer ? \uut.top.y1_awake : 0));
        b_y1_awake_is_told: assert (b_y1_awake == (\uut.top.b_answer ? \uut.top.y1_awake : 0));
        a_y2_is_told: assert (a_y2 == (\uut.top.a_answer ? \uut.top.y2 : 0));
        b_y2_is_told: assert (b_y2 == (\uut.top.b_answer ? \uut.top.y2 : 0));
        a_y2_valid_is_told: assert (a_y2_valid == (\uut.top.a_answer ? \uut.top.y2_valid : 0));
        b_y2_valid_is_told: assert (b_y2_valid == (\uut.top.b_answer ? \uut.top.y2_valid : 0));
        a_y2_awake_is_told: assert (a_y2_awake == (\uut.top.a_answer ? \uut.top.y2_awake : 0));
        b_y2_awake_is_told: assert (b_y2_awake == (\uut.top.b_answer ? \uut.top.y2_awake : 0));
        a_y3_is_told: assert (a_y3 == (\uut.top.a_answer ? \uut.top.y3 : 0));
        b_y3_is_told: assert (b_y3 == (\uut.top.b_answer ? \uut.top.y3 : 0));
        a_y3_valid_is_told: assert (a_y3_valid == (\uut.top.a_answer ? \uut.top.y3_valid : 0));
        b_y3_valid_is_told: assert (b_y3_valid == (\uut.top.b_answer ? \uut.top.y3_valid : 0));
        a_y3_awake_is_told: assert (a_y3_awake == (\uut.top.a_answer ? \uut.top.y3_awake : 0));
        b_y3_awake_is_told: assert (b_y3_awake == (\uut.top.b_answer ? \uut.top.y3_awake : 0));
        a_starved_is_told: assert (a_starved == (\uut.top.a_answer ? \uut.top.starved : 0));
        b_starved_is_told: assert (b_starved == (\uut.top.b_answer ? \uut.top.starved : 0));
        wake_idles: assert (wake == 0);
        pair_grant_idles: assert (pair_grant == 0);
        sharing_idles: assert (sharing == 0);
        shared_idles: assert (shared == 0);
        owner_idles: assert (owner == 0);
        chosen_valid_idles: assert (chosen_valid == 0);
        chosen_idles: assert (chosen == 0);
        memory_allowed_idles: assert (memory_allowed == {1{1'b1}});
        tenths_idles: assert (tenths == 0);
        compares_idles: assert (compares == 0);
        stalls_idles: assert (stalls == 0);
        stall_grant_idles: assert (stall_grant == 0);
        woken_valid_idles: assert (woken_valid == 0);
        woken_idles: assert (woken == 0);
        none_stalled_idles: assert (none_stalled == {1{1'b1}});
        served_b_idles: assert (served_b == 0);
        trap_idles: assert (trap == 0);
        pack_idles: assert (pack == 0);
        count_idles: assert (count == 0);
        link_idles: assert (link == 0);
        link_kernel_idles: assert (link_kernel == 0);
        a_held_idles: assert (a_held == 0);
        a_stalled_idles: assert (a_stalled == 0);
        a_launched_idles: assert (a_launched == 0);
        a_rfp_idles: assert (a_rfp == 0);
        a_rsp_idles: assert (a_rsp == 0);
        a_free_idles: assert (a_free == 0);
        a_link_pack_idles: assert (a_link_pack == 0);
        b_held_idles: assert (b_held == 0);
        b_stalled_idles: assert (b_stalled == 0);
        b_launched_idles: assert (b_launched == 0);
        b_rfp_idles: assert (b_rfp == 0);
        b_rsp_idles: assert (b_rsp == 0);
        b_free_idles: assert (b_free == 0);
        b_link_pack_idles: assert (b_link_pack == 0);
`endif
    end
endmodule
