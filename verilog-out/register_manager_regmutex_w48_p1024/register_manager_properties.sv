// Generated. The register manager with the system `regmutex` is the top of that system behind the common ports: each pin of
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
    (* hierconn *) wire [5:0] \uut.top.section_count ;
    (* hierconn *) wire [7:0] \uut.top.base_regs ;
    (* hierconn *) wire [7:0] \uut.top.ext_regs ;
    (* hierconn *) wire [9:0] \uut.top.srp_offset ;
    (* hierconn *) wire \uut.top.favor_b ;
    (* hierconn *) wire \uut.top.a_valid ;
    (* hierconn *) wire \uut.top.a_change ;
    (* hierconn *) wire \uut.top.a_release ;
    (* hierconn *) wire [5:0] \uut.top.a_warp ;
    (* hierconn *) wire [7:0] \uut.top.a_x0 ;
    (* hierconn *) wire \uut.top.a_x0_valid ;
    (* hierconn *) wire [7:0] \uut.top.a_x1 ;
    (* hierconn *) wire \uut.top.a_x1_valid ;
    (* hierconn *) wire [7:0] \uut.top.a_x2 ;
    (* hierconn *) wire \uut.top.a_x2_valid ;
    (* hierconn *) wire [7:0] \uut.top.a_x3 ;
    (* hierconn *) wire \uut.top.a_x3_valid ;
    (* hierconn *) wire \uut.top.b_valid ;
    (* hierconn *) wire \uut.top.b_change ;
    (* hierconn *) wire \uut.top.b_release ;
    (* hierconn *) wire [5:0] \uut.top.b_warp ;
    (* hierconn *) wire [7:0] \uut.top.b_x0 ;
    (* hierconn *) wire \uut.top.b_x0_valid ;
    (* hierconn *) wire [7:0] \uut.top.b_x1 ;
    (* hierconn *) wire \uut.top.b_x1_valid ;
    (* hierconn *) wire [7:0] \uut.top.b_x2 ;
    (* hierconn *) wire \uut.top.b_x2_valid ;
    (* hierconn *) wire [7:0] \uut.top.b_x3 ;
    (* hierconn *) wire \uut.top.b_x3_valid ;
    (* hierconn *) wire \uut.top.a_grant ;
    (* hierconn *) wire \uut.top.a_held ;
    (* hierconn *) wire [9:0] \uut.top.a_y0 ;
    (* hierconn *) wire \uut.top.a_y0_valid ;
    (* hierconn *) wire [9:0] \uut.top.a_y1 ;
    (* hierconn *) wire \uut.top.a_y1_valid ;
    (* hierconn *) wire [9:0] \uut.top.a_y2 ;
    (* hierconn *) wire \uut.top.a_y2_valid ;
    (* hierconn *) wire [9:0] \uut.top.a_y3 ;
    (* hierconn *) wire \uut.top.a_y3_valid ;
    (* hierconn *) wire \uut.top.b_grant ;
    (* hierconn *) wire \uut.top.b_held ;
    (* hierconn *) wire [9:0] \uut.top.b_y0 ;
    (* hierconn *) wire \uut.top.b_y0_valid ;
    (* hierconn *) wire [9:0] \uut.top.b_y1 ;
    (* hierconn *) wire \uut.top.b_y1_valid ;
    (* hierconn *) wire [9:0] \uut.top.b_y2 ;
    (* hierconn *) wire \uut.top.b_y2_valid ;
    (* hierconn *) wire [9:0] \uut.top.b_y3 ;
    (* hierconn *) wire \uut.top.b_y3_valid ;
    (* hierconn *) wire \uut.top.wake ;

    always @(*) begin
`ifdef VACUITY
        c0: assert (!(a_grant && a_y3_valid && a_y3 == 1023 && a_y3_awake));
        c1: assert (!(b_grant && b_answer && b_y0_valid && b_y0 == 5));
`else
        clear_is_asked: assert (\uut.top.clear == clear);
        section_count_is_asked: assert (\uut.top.section_count == section_count);
        base_regs_is_asked: assert (\uut.top.base_regs == base_regs);
        ext_regs_is_asked: assert (\uut.top.ext_regs == ext_regs);
        srp_offset_is_asked: assert (\uut.top.srp_offset == offset);
        favor_b_is_asked: assert (\uut.top.favor_b == favor_b);
        a_valid_is_asked: assert (\uut.top.a_valid == a_valid);
        a_change_is_asked: assert (\uut.top.a_change == a_change);
        a_release_is_asked: assert (\uut.top.a_release == a_release);
        a_warp_is_asked: assert (\uut.top.a_warp == a_warp);
        a_x0_is_asked: assert (\uut.top.a_x0 == a_x0);
        a_x0_valid_is_asked: assert (\uut.top.a_x0_valid == a_x0_valid);
        a_x1_is_asked: assert (\uut.top.a_x1 == a_x1);
        a_x1_valid_is_asked: assert (\uut.top.a_x1_valid == a_x1_valid);
        a_x2_is_asked: assert (\uut.top.a_x2 == a_x2);
        a_x2_valid_is_asked: assert (\uut.top.a_x2_valid == a_x2_valid);
        a_x3_is_asked: assert (\uut.top.a_x3 == a_x3);
        a_x3_valid_is_asked: assert (\uut.top.a_x3_valid == a_x3_valid);
        b_valid_is_asked: assert (\uut.top.b_valid == b_valid);
        b_change_is_asked: assert (\uut.top.b_change == b_change);
        b_release_is_asked: assert (\uut.top.b_release == b_release);
        b_warp_is_asked: assert (\uut.top.b_warp == b_warp);
        b_x0_is_asked: assert (\uut.top.b_x0 == b_x0);
        b_x0_valid_is_asked: assert (\uut.top.b_x0_valid == b_x0_valid);
        b_x1_is_asked: assert (\uut.top.b_x1 == b_x1);
        b_x1_valid_is_asked: assert (\uut.top.b_x1_valid == b_x1_valid);
        b_x2_is_asked: assert (\uut.top.b_x2 == b_x2);
        b_x2_valid_is_asked: assert (\uut.top.b_x2_valid == b_x2_valid);
        b_x3_is_asked: assert (\uut.top.b_x3 == b_x3);
        b_x3_valid_is_asked: assert (\uut.top.b_x3_valid == b_x3_valid);
        a_grant_is_told: assert (a_grant == (\uut.top.a_grant ));
        a_held_is_told: assert (a_held == (\uut.top.a_held ));
        a_y0_is_told: assert (a_y0 == (\uut.top.a_y0 ));
        a_y0_valid_is_told: assert (a_y0_valid == (\uut.top.a_y0_valid ));
        a_y1_is_told: assert (a_y1 == (\uut.top.a_y1 ));
        a_y1_valid_is_told: assert (a_y1_valid == (\uut.top.a_y1_valid ));
        a_y2_is_told: assert (a_y2 == (\uut.top.a_y2 ));
        a_y2_valid_is_told: assert (a_y2_valid == (\uut.top.a_y2_valid ));
        a_y3_is_told: assert (a_y3 == (\uut.top.a_y3 ));
        a_y3_valid_is_told: assert (a_y3_valid == (\uut.top.a_y3_valid ));
        b_grant_is_told: assert (b_grant == (\uut.top.b_grant ));
        b_held_is_told: assert (b_held == (\uut.top.b_held ));
        b_y0_is_told: assert (b_y0 == (\uut.top.b_y0 ));
        b_y0_valid_is_told: assert (b_y0_valid == (\uut.top.b_y0_valid ));
        b_y1_is_told: assert (b_y1 == (\uut.top.b_y1 ));
        b_y1_valid_is_told: assert (b_y1_valid == (\uut.top.b_y1_valid ));
        b_y2_is_told: assert (b_y2 == (\uut.top.b_y2 ));
        b_y2_valid_is_told: assert (b_y2_valid == (\uut.top.b_y2_valid ));
        b_y3_is_told: assert (b_y3 == (\uut.top.b_y3 ));
        b_y3_valid_is_told: assert (b_y3_valid == (\uut.top.b_y3_valid ));
        wake_is_told: assert (wake == (\uut.top.wake ));
        a_answer_is_told: assert (a_answer == (a_grant));
        a_y0_awake_is_told: assert (a_y0_awake == (a_y0_valid));
        a_y1_awake_is_told: assert (a_y1_awake == (a_y1_valid));
        a_y2_awake_is_told: assert (a_y2_awake == (a_y2_valid));
        a_y3_awake_is_told: assert (a_y3_awake == (a_y3_valid));
        b_answer_is_told: assert (b_answer == (b_grant));
        b_y0_awake_is_told: assert (b_y0_awake == (b_y0_valid));
        b_y1_awake_is_told: assert (b_y1_awake == (b_y1_valid));
        b_y2_awake_is_told: assert (b_y2_awake == (b_y2_valid));
        b_y3_awake_is_told: assert (b_y3_awake == (b_y3_valid));
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
        walk_grant_idles: assert (walk_grant == {1{1'b1}});
        busy_idles: assert (busy == 0);
        pir_idles: assert (pir == 0);
        pbr_idles: assert (pbr == 0);
        word_flags_idles: assert (word_flags == 0);
        word_done_idles: assert (word_done == {1{1'b1}});
        may_issue_idles: assert (may_issue == {8{1'b1}});
        chosen_cta_idles: assert (chosen_cta == 0);
        throttled_idles: assert (throttled == 0);
        spill_idles: assert (spill == 0);
        free_packs_idles: assert (free_packs == 0);
        dry_idles: assert (dry == 0);
        powered_idles: assert (powered == {16{1'b1}});
        awake_idles: assert (awake == {16{1'b1}});
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
        a_served_idles: assert (a_served == 0);
        a_hit_idles: assert (a_hit == 0);
        a_miss_idles: assert (a_miss == 0);
        a_starved_idles: assert (a_starved == 0);
        a_stalled_idles: assert (a_stalled == 0);
        a_launched_idles: assert (a_launched == 0);
        a_rfp_idles: assert (a_rfp == 0);
        a_rsp_idles: assert (a_rsp == 0);
        a_free_idles: assert (a_free == 0);
        a_link_pack_idles: assert (a_link_pack == 0);
        b_served_idles: assert (b_served == 0);
        b_hit_idles: assert (b_hit == 0);
        b_miss_idles: assert (b_miss == 0);
        b_starved_idles: assert (b_starved == 0);
        b_stalled_idles: assert (b_stalled == 0);
        b_launched_idles: assert (b_launched == 0);
        b_rfp_idles: assert (b_rfp == 0);
        b_rsp_idles: assert (b_rsp == 0);
        b_free_idles: assert (b_free == 0);
        b_link_pack_idles: assert (b_link_pack == 0);
`endif
    end
endmodule
