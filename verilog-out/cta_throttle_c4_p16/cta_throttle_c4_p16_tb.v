// Self-checking bench of cta_throttle_c4_p16. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module cta_throttle_c4_p16_tb #(parameter VECTORS = "cta_throttle_c4_p16_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg [4:0] pack_count;
    reg [4:0] pack_count_field;
    reg launch;
    reg launch_field;
    reg [1:0] launch_cta;
    reg [1:0] launch_cta_field;
    reg [4:0] need;
    reg [4:0] need_field;
    reg exit;
    reg exit_field;
    reg [1:0] exit_cta;
    reg [1:0] exit_cta_field;
    reg favor_b;
    reg favor_b_field;
    reg [1:0] a_cta;
    reg [1:0] a_cta_field;
    reg a_take;
    reg a_take_field;
    reg [1:0] a_give;
    reg [1:0] a_give_field;
    reg [1:0] b_cta;
    reg [1:0] b_cta_field;
    reg b_take;
    reg b_take_field;
    reg [1:0] b_give;
    reg [1:0] b_give_field;
    wire [3:0] a_may_issue;
    reg [3:0] a_may_issue_expected;
    reg [3:0] a_may_issue_expected_field;
    wire [3:0] b_may_issue;
    reg [3:0] b_may_issue_expected;
    reg [3:0] b_may_issue_expected_field;
    wire [1:0] chosen;
    reg [1:0] chosen_expected;
    reg [1:0] chosen_expected_field;
    wire throttled;
    reg throttled_expected;
    reg throttled_expected_field;
    wire spill;
    reg spill_expected;
    reg spill_expected_field;
    wire [4:0] free_packs;
    reg [4:0] free_packs_expected;
    reg [4:0] free_packs_expected_field;
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

    cta_throttle_c4_p16 uut (
        .clock(clock),
        .clear(clear),
        .pack_count(pack_count),
        .launch(launch),
        .launch_cta(launch_cta),
        .need(need),
        .exit(exit),
        .exit_cta(exit_cta),
        .favor_b(favor_b),
        .a_cta(a_cta),
        .a_take(a_take),
        .a_give(a_give),
        .b_cta(b_cta),
        .b_take(b_take),
        .b_give(b_give),
        .a_may_issue(a_may_issue),
        .b_may_issue(b_may_issue),
        .chosen(chosen),
        .throttled(throttled),
        .spill(spill),
        .free_packs(free_packs)
    );

    wire wrong = (a_may_issue !== a_may_issue_expected)
        || (b_may_issue !== b_may_issue_expected)
        || (chosen !== chosen_expected)
        || (throttled !== throttled_expected)
        || (spill !== spill_expected)
        || (free_packs !== free_packs_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (a_may_issue !== a_may_issue_expected)
                $display("cta_throttle_c4_p16 row %0d: a_may_issue is %h, expected %h", row, a_may_issue, a_may_issue_expected);
            if (b_may_issue !== b_may_issue_expected)
                $display("cta_throttle_c4_p16 row %0d: b_may_issue is %h, expected %h", row, b_may_issue, b_may_issue_expected);
            if (chosen !== chosen_expected)
                $display("cta_throttle_c4_p16 row %0d: chosen is %h, expected %h", row, chosen, chosen_expected);
            if (throttled !== throttled_expected)
                $display("cta_throttle_c4_p16 row %0d: throttled is %h, expected %h", row, throttled, throttled_expected);
            if (spill !== spill_expected)
                $display("cta_throttle_c4_p16 row %0d: spill is %h, expected %h", row, spill, spill_expected);
            if (free_packs !== free_packs_expected)
                $display("cta_throttle_c4_p16 row %0d: free_packs is %h, expected %h", row, free_packs, free_packs_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS cta_throttle_c4_p16: %0d rows", row);
        else $display("FAIL cta_throttle_c4_p16: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                pack_count_field,
                launch_field,
                launch_cta_field,
                need_field,
                exit_field,
                exit_cta_field,
                favor_b_field,
                a_cta_field,
                a_take_field,
                a_give_field,
                b_cta_field,
                b_take_field,
                b_give_field,
                a_may_issue_expected_field,
                b_may_issue_expected_field,
                chosen_expected_field,
                throttled_expected_field,
                spill_expected_field,
                free_packs_expected_field);
            more = fields == 21;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                pack_count = pack_count_field;
                launch = launch_field;
                launch_cta = launch_cta_field;
                need = need_field;
                exit = exit_field;
                exit_cta = exit_cta_field;
                favor_b = favor_b_field;
                a_cta = a_cta_field;
                a_take = a_take_field;
                a_give = a_give_field;
                b_cta = b_cta_field;
                b_take = b_take_field;
                b_give = b_give_field;
                a_may_issue_expected = a_may_issue_expected_field;
                b_may_issue_expected = b_may_issue_expected_field;
                chosen_expected = chosen_expected_field;
                throttled_expected = throttled_expected_field;
                spill_expected = spill_expected_field;
                free_packs_expected = free_packs_expected_field;
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
