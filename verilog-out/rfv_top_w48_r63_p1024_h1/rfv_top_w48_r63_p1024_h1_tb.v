// Self-checking bench of rfv_top_w48_r63_p1024_h1. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module rfv_top_w48_r63_p1024_h1_tb #(parameter VECTORS = "rfv_top_w48_r63_p1024_h1_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg [5:0] exempt;
    reg [5:0] exempt_field;
    reg [1:0] shrink;
    reg [1:0] shrink_field;
    reg [8:0] reserved;
    reg [8:0] reserved_field;
    reg [10:0] pack_count;
    reg [10:0] pack_count_field;
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
    reg launch;
    reg launch_field;
    reg exit;
    reg exit_field;
    reg [5:0] warp;
    reg [5:0] warp_field;
    reg [2:0] warp_cta;
    reg [2:0] warp_cta_field;
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
    reg favor_b;
    reg favor_b_field;
    reg a_valid;
    reg a_valid_field;
    reg [5:0] a_warp;
    reg [5:0] a_warp_field;
    reg [2:0] a_cta;
    reg [2:0] a_cta_field;
    reg a_urgent;
    reg a_urgent_field;
    reg a_flagged;
    reg a_flagged_field;
    reg [15:0] a_pir;
    reg [15:0] a_pir_field;
    reg [4:0] a_slot;
    reg [4:0] a_slot_field;
    reg [5:0] a_x0;
    reg [5:0] a_x0_field;
    reg a_x0_valid;
    reg a_x0_valid_field;
    reg [5:0] a_x1;
    reg [5:0] a_x1_field;
    reg a_x1_valid;
    reg a_x1_valid_field;
    reg [5:0] a_x2;
    reg [5:0] a_x2_field;
    reg a_x2_valid;
    reg a_x2_valid_field;
    reg [5:0] a_x3;
    reg [5:0] a_x3_field;
    reg a_x3_valid;
    reg a_x3_valid_field;
    reg b_valid;
    reg b_valid_field;
    reg [5:0] b_warp;
    reg [5:0] b_warp_field;
    reg [2:0] b_cta;
    reg [2:0] b_cta_field;
    reg b_urgent;
    reg b_urgent_field;
    reg b_flagged;
    reg b_flagged_field;
    reg [15:0] b_pir;
    reg [15:0] b_pir_field;
    reg [4:0] b_slot;
    reg [4:0] b_slot_field;
    reg [5:0] b_x0;
    reg [5:0] b_x0_field;
    reg b_x0_valid;
    reg b_x0_valid_field;
    reg [5:0] b_x1;
    reg [5:0] b_x1_field;
    reg b_x1_valid;
    reg b_x1_valid_field;
    reg [5:0] b_x2;
    reg [5:0] b_x2_field;
    reg b_x2_valid;
    reg b_x2_valid_field;
    reg [5:0] b_x3;
    reg [5:0] b_x3_field;
    reg b_x3_valid;
    reg b_x3_valid_field;
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
    wire [2:0] chosen;
    reg [2:0] chosen_expected;
    reg [2:0] chosen_expected_field;
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
    wire a_hit;
    reg a_hit_expected;
    reg a_hit_expected_field;
    wire a_miss;
    reg a_miss_expected;
    reg a_miss_expected_field;
    wire [3:0] a_served;
    reg [3:0] a_served_expected;
    reg [3:0] a_served_expected_field;
    wire a_grant;
    reg a_grant_expected;
    reg a_grant_expected_field;
    wire a_answer;
    reg a_answer_expected;
    reg a_answer_expected_field;
    wire b_hit;
    reg b_hit_expected;
    reg b_hit_expected_field;
    wire b_miss;
    reg b_miss_expected;
    reg b_miss_expected_field;
    wire [3:0] b_served;
    reg [3:0] b_served_expected;
    reg [3:0] b_served_expected_field;
    wire b_grant;
    reg b_grant_expected;
    reg b_grant_expected_field;
    wire b_answer;
    reg b_answer_expected;
    reg b_answer_expected_field;
    wire [9:0] y0;
    reg [9:0] y0_expected;
    reg [9:0] y0_expected_field;
    wire y0_valid;
    reg y0_valid_expected;
    reg y0_valid_expected_field;
    wire y0_awake;
    reg y0_awake_expected;
    reg y0_awake_expected_field;
    wire [9:0] y1;
    reg [9:0] y1_expected;
    reg [9:0] y1_expected_field;
    wire y1_valid;
    reg y1_valid_expected;
    reg y1_valid_expected_field;
    wire y1_awake;
    reg y1_awake_expected;
    reg y1_awake_expected_field;
    wire [9:0] y2;
    reg [9:0] y2_expected;
    reg [9:0] y2_expected_field;
    wire y2_valid;
    reg y2_valid_expected;
    reg y2_valid_expected_field;
    wire y2_awake;
    reg y2_awake_expected;
    reg y2_awake_expected_field;
    wire [9:0] y3;
    reg [9:0] y3_expected;
    reg [9:0] y3_expected_field;
    wire y3_valid;
    reg y3_valid_expected;
    reg y3_valid_expected_field;
    wire y3_awake;
    reg y3_awake_expected;
    reg y3_awake_expected_field;
    wire starved;
    reg starved_expected;
    reg starved_expected_field;
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

    rfv_top_w48_r63_p1024_h1 uut (
        .clock(clock),
        .clear(clear),
        .exempt(exempt),
        .shrink(shrink),
        .reserved(reserved),
        .pack_count(pack_count),
        .cta_launch(cta_launch),
        .launch_cta(launch_cta),
        .need(need),
        .cta_exit(cta_exit),
        .exit_cta(exit_cta),
        .launch(launch),
        .exit(exit),
        .warp(warp),
        .warp_cta(warp_cta),
        .hold(hold),
        .word_valid(word_valid),
        .word(word),
        .word_pc(word_pc),
        .word_slot(word_slot),
        .word_warp(word_warp),
        .word_cta(word_cta),
        .favor_b(favor_b),
        .a_valid(a_valid),
        .a_warp(a_warp),
        .a_cta(a_cta),
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
        .walk_grant(walk_grant),
        .busy(busy),
        .pir(pir),
        .pbr(pbr),
        .word_flags(word_flags),
        .word_done(word_done),
        .may_issue(may_issue),
        .chosen(chosen),
        .throttled(throttled),
        .spill(spill),
        .free_packs(free_packs),
        .dry(dry),
        .powered(powered),
        .awake(awake),
        .a_hit(a_hit),
        .a_miss(a_miss),
        .a_served(a_served),
        .a_grant(a_grant),
        .a_answer(a_answer),
        .b_hit(b_hit),
        .b_miss(b_miss),
        .b_served(b_served),
        .b_grant(b_grant),
        .b_answer(b_answer),
        .y0(y0),
        .y0_valid(y0_valid),
        .y0_awake(y0_awake),
        .y1(y1),
        .y1_valid(y1_valid),
        .y1_awake(y1_awake),
        .y2(y2),
        .y2_valid(y2_valid),
        .y2_awake(y2_awake),
        .y3(y3),
        .y3_valid(y3_valid),
        .y3_awake(y3_awake),
        .starved(starved)
    );

    wire wrong = (walk_grant !== walk_grant_expected)
        || (busy !== busy_expected)
        || (pir !== pir_expected)
        || (pbr !== pbr_expected)
        || (word_flags !== word_flags_expected)
        || (word_done !== word_done_expected)
        || (may_issue !== may_issue_expected)
        || (chosen !== chosen_expected)
        || (throttled !== throttled_expected)
        || (spill !== spill_expected)
        || (free_packs !== free_packs_expected)
        || (dry !== dry_expected)
        || (powered !== powered_expected)
        || (awake !== awake_expected)
        || (a_hit !== a_hit_expected)
        || (a_miss !== a_miss_expected)
        || (a_served !== a_served_expected)
        || (a_grant !== a_grant_expected)
        || (a_answer !== a_answer_expected)
        || (b_hit !== b_hit_expected)
        || (b_miss !== b_miss_expected)
        || (b_served !== b_served_expected)
        || (b_grant !== b_grant_expected)
        || (b_answer !== b_answer_expected)
        || (y0 !== y0_expected)
        || (y0_valid !== y0_valid_expected)
        || (y0_awake !== y0_awake_expected)
        || (y1 !== y1_expected)
        || (y1_valid !== y1_valid_expected)
        || (y1_awake !== y1_awake_expected)
        || (y2 !== y2_expected)
        || (y2_valid !== y2_valid_expected)
        || (y2_awake !== y2_awake_expected)
        || (y3 !== y3_expected)
        || (y3_valid !== y3_valid_expected)
        || (y3_awake !== y3_awake_expected)
        || (starved !== starved_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (walk_grant !== walk_grant_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: walk_grant is %h, expected %h", row, walk_grant, walk_grant_expected);
            if (busy !== busy_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: busy is %h, expected %h", row, busy, busy_expected);
            if (pir !== pir_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: pir is %h, expected %h", row, pir, pir_expected);
            if (pbr !== pbr_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: pbr is %h, expected %h", row, pbr, pbr_expected);
            if (word_flags !== word_flags_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: word_flags is %h, expected %h", row, word_flags, word_flags_expected);
            if (word_done !== word_done_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: word_done is %h, expected %h", row, word_done, word_done_expected);
            if (may_issue !== may_issue_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: may_issue is %h, expected %h", row, may_issue, may_issue_expected);
            if (chosen !== chosen_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: chosen is %h, expected %h", row, chosen, chosen_expected);
            if (throttled !== throttled_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: throttled is %h, expected %h", row, throttled, throttled_expected);
            if (spill !== spill_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: spill is %h, expected %h", row, spill, spill_expected);
            if (free_packs !== free_packs_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: free_packs is %h, expected %h", row, free_packs, free_packs_expected);
            if (dry !== dry_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: dry is %h, expected %h", row, dry, dry_expected);
            if (powered !== powered_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: powered is %h, expected %h", row, powered, powered_expected);
            if (awake !== awake_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: awake is %h, expected %h", row, awake, awake_expected);
            if (a_hit !== a_hit_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: a_hit is %h, expected %h", row, a_hit, a_hit_expected);
            if (a_miss !== a_miss_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: a_miss is %h, expected %h", row, a_miss, a_miss_expected);
            if (a_served !== a_served_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: a_served is %h, expected %h", row, a_served, a_served_expected);
            if (a_grant !== a_grant_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: a_grant is %h, expected %h", row, a_grant, a_grant_expected);
            if (a_answer !== a_answer_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: a_answer is %h, expected %h", row, a_answer, a_answer_expected);
            if (b_hit !== b_hit_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: b_hit is %h, expected %h", row, b_hit, b_hit_expected);
            if (b_miss !== b_miss_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: b_miss is %h, expected %h", row, b_miss, b_miss_expected);
            if (b_served !== b_served_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: b_served is %h, expected %h", row, b_served, b_served_expected);
            if (b_grant !== b_grant_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: b_grant is %h, expected %h", row, b_grant, b_grant_expected);
            if (b_answer !== b_answer_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: b_answer is %h, expected %h", row, b_answer, b_answer_expected);
            if (y0 !== y0_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: y0 is %h, expected %h", row, y0, y0_expected);
            if (y0_valid !== y0_valid_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: y0_valid is %h, expected %h", row, y0_valid, y0_valid_expected);
            if (y0_awake !== y0_awake_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: y0_awake is %h, expected %h", row, y0_awake, y0_awake_expected);
            if (y1 !== y1_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: y1 is %h, expected %h", row, y1, y1_expected);
            if (y1_valid !== y1_valid_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: y1_valid is %h, expected %h", row, y1_valid, y1_valid_expected);
            if (y1_awake !== y1_awake_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: y1_awake is %h, expected %h", row, y1_awake, y1_awake_expected);
            if (y2 !== y2_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: y2 is %h, expected %h", row, y2, y2_expected);
            if (y2_valid !== y2_valid_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: y2_valid is %h, expected %h", row, y2_valid, y2_valid_expected);
            if (y2_awake !== y2_awake_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: y2_awake is %h, expected %h", row, y2_awake, y2_awake_expected);
            if (y3 !== y3_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: y3 is %h, expected %h", row, y3, y3_expected);
            if (y3_valid !== y3_valid_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: y3_valid is %h, expected %h", row, y3_valid, y3_valid_expected);
            if (y3_awake !== y3_awake_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: y3_awake is %h, expected %h", row, y3_awake, y3_awake_expected);
            if (starved !== starved_expected)
                $display("rfv_top_w48_r63_p1024_h1 row %0d: starved is %h, expected %h", row, starved, starved_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS rfv_top_w48_r63_p1024_h1: %0d rows", row);
        else $display("FAIL rfv_top_w48_r63_p1024_h1: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                exempt_field,
                shrink_field,
                reserved_field,
                pack_count_field,
                cta_launch_field,
                launch_cta_field,
                need_field,
                cta_exit_field,
                exit_cta_field,
                launch_field,
                exit_field,
                warp_field,
                warp_cta_field,
                hold_field,
                word_valid_field,
                word_field,
                word_pc_field,
                word_slot_field,
                word_warp_field,
                word_cta_field,
                favor_b_field,
                a_valid_field,
                a_warp_field,
                a_cta_field,
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
                walk_grant_expected_field,
                busy_expected_field,
                pir_expected_field,
                pbr_expected_field,
                word_flags_expected_field,
                word_done_expected_field,
                may_issue_expected_field,
                chosen_expected_field,
                throttled_expected_field,
                spill_expected_field,
                free_packs_expected_field,
                dry_expected_field,
                powered_expected_field,
                awake_expected_field,
                a_hit_expected_field,
                a_miss_expected_field,
                a_served_expected_field,
                a_grant_expected_field,
                a_answer_expected_field,
                b_hit_expected_field,
                b_miss_expected_field,
                b_served_expected_field,
                b_grant_expected_field,
                b_answer_expected_field,
                y0_expected_field,
                y0_valid_expected_field,
                y0_awake_expected_field,
                y1_expected_field,
                y1_valid_expected_field,
                y1_awake_expected_field,
                y2_expected_field,
                y2_valid_expected_field,
                y2_awake_expected_field,
                y3_expected_field,
                y3_valid_expected_field,
                y3_awake_expected_field,
                starved_expected_field);
            more = fields == 90;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                exempt = exempt_field;
                shrink = shrink_field;
                reserved = reserved_field;
                pack_count = pack_count_field;
                cta_launch = cta_launch_field;
                launch_cta = launch_cta_field;
                need = need_field;
                cta_exit = cta_exit_field;
                exit_cta = exit_cta_field;
                launch = launch_field;
                exit = exit_field;
                warp = warp_field;
                warp_cta = warp_cta_field;
                hold = hold_field;
                word_valid = word_valid_field;
                word = word_field;
                word_pc = word_pc_field;
                word_slot = word_slot_field;
                word_warp = word_warp_field;
                word_cta = word_cta_field;
                favor_b = favor_b_field;
                a_valid = a_valid_field;
                a_warp = a_warp_field;
                a_cta = a_cta_field;
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
                walk_grant_expected = walk_grant_expected_field;
                busy_expected = busy_expected_field;
                pir_expected = pir_expected_field;
                pbr_expected = pbr_expected_field;
                word_flags_expected = word_flags_expected_field;
                word_done_expected = word_done_expected_field;
                may_issue_expected = may_issue_expected_field;
                chosen_expected = chosen_expected_field;
                throttled_expected = throttled_expected_field;
                spill_expected = spill_expected_field;
                free_packs_expected = free_packs_expected_field;
                dry_expected = dry_expected_field;
                powered_expected = powered_expected_field;
                awake_expected = awake_expected_field;
                a_hit_expected = a_hit_expected_field;
                a_miss_expected = a_miss_expected_field;
                a_served_expected = a_served_expected_field;
                a_grant_expected = a_grant_expected_field;
                a_answer_expected = a_answer_expected_field;
                b_hit_expected = b_hit_expected_field;
                b_miss_expected = b_miss_expected_field;
                b_served_expected = b_served_expected_field;
                b_grant_expected = b_grant_expected_field;
                b_answer_expected = b_answer_expected_field;
                y0_expected = y0_expected_field;
                y0_valid_expected = y0_valid_expected_field;
                y0_awake_expected = y0_awake_expected_field;
                y1_expected = y1_expected_field;
                y1_valid_expected = y1_valid_expected_field;
                y1_awake_expected = y1_awake_expected_field;
                y2_expected = y2_expected_field;
                y2_valid_expected = y2_valid_expected_field;
                y2_awake_expected = y2_awake_expected_field;
                y3_expected = y3_expected_field;
                y3_valid_expected = y3_valid_expected_field;
                y3_awake_expected = y3_awake_expected_field;
                starved_expected = starved_expected_field;
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
