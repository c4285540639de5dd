// Self-checking bench of regmutex_top_w16_p512. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module regmutex_top_w16_p512_tb #(parameter VECTORS = "regmutex_top_w16_p512_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg [4:0] section_count;
    reg [4:0] section_count_field;
    reg [7:0] base_regs;
    reg [7:0] base_regs_field;
    reg [7:0] ext_regs;
    reg [7:0] ext_regs_field;
    reg [8:0] srp_offset;
    reg [8:0] srp_offset_field;
    reg favor_b;
    reg favor_b_field;
    reg a_valid;
    reg a_valid_field;
    reg a_change;
    reg a_change_field;
    reg a_release;
    reg a_release_field;
    reg [3:0] a_warp;
    reg [3:0] a_warp_field;
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
    reg b_change;
    reg b_change_field;
    reg b_release;
    reg b_release_field;
    reg [3:0] b_warp;
    reg [3:0] b_warp_field;
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
    wire a_grant;
    reg a_grant_expected;
    reg a_grant_expected_field;
    wire a_held;
    reg a_held_expected;
    reg a_held_expected_field;
    wire [8:0] a_y0;
    reg [8:0] a_y0_expected;
    reg [8:0] a_y0_expected_field;
    wire a_y0_valid;
    reg a_y0_valid_expected;
    reg a_y0_valid_expected_field;
    wire [8:0] a_y1;
    reg [8:0] a_y1_expected;
    reg [8:0] a_y1_expected_field;
    wire a_y1_valid;
    reg a_y1_valid_expected;
    reg a_y1_valid_expected_field;
    wire [8:0] a_y2;
    reg [8:0] a_y2_expected;
    reg [8:0] a_y2_expected_field;
    wire a_y2_valid;
    reg a_y2_valid_expected;
    reg a_y2_valid_expected_field;
    wire [8:0] a_y3;
    reg [8:0] a_y3_expected;
    reg [8:0] a_y3_expected_field;
    wire a_y3_valid;
    reg a_y3_valid_expected;
    reg a_y3_valid_expected_field;
    wire b_grant;
    reg b_grant_expected;
    reg b_grant_expected_field;
    wire b_held;
    reg b_held_expected;
    reg b_held_expected_field;
    wire [8:0] b_y0;
    reg [8:0] b_y0_expected;
    reg [8:0] b_y0_expected_field;
    wire b_y0_valid;
    reg b_y0_valid_expected;
    reg b_y0_valid_expected_field;
    wire [8:0] b_y1;
    reg [8:0] b_y1_expected;
    reg [8:0] b_y1_expected_field;
    wire b_y1_valid;
    reg b_y1_valid_expected;
    reg b_y1_valid_expected_field;
    wire [8:0] b_y2;
    reg [8:0] b_y2_expected;
    reg [8:0] b_y2_expected_field;
    wire b_y2_valid;
    reg b_y2_valid_expected;
    reg b_y2_valid_expected_field;
    wire [8:0] b_y3;
    reg [8:0] b_y3_expected;
    reg [8:0] b_y3_expected_field;
    wire b_y3_valid;
    reg b_y3_valid_expected;
    reg b_y3_valid_expected_field;
    wire wake;
    reg wake_expected;
    reg wake_expected_field;
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

    regmutex_top_w16_p512 uut (
        .clock(clock),
        .clear(clear),
        .section_count(section_count),
        .base_regs(base_regs),
        .ext_regs(ext_regs),
        .srp_offset(srp_offset),
        .favor_b(favor_b),
        .a_valid(a_valid),
        .a_change(a_change),
        .a_release(a_release),
        .a_warp(a_warp),
        .a_x0(a_x0),
        .a_x0_valid(a_x0_valid),
        .a_x1(a_x1),
        .a_x1_valid(a_x1_valid),
        .a_x2(a_x2),
        .a_x2_valid(a_x2_valid),
        .a_x3(a_x3),
        .a_x3_valid(a_x3_valid),
        .b_valid(b_valid),
        .b_change(b_change),
        .b_release(b_release),
        .b_warp(b_warp),
        .b_x0(b_x0),
        .b_x0_valid(b_x0_valid),
        .b_x1(b_x1),
        .b_x1_valid(b_x1_valid),
        .b_x2(b_x2),
        .b_x2_valid(b_x2_valid),
        .b_x3(b_x3),
        .b_x3_valid(b_x3_valid),
        .a_grant(a_grant),
        .a_held(a_held),
        .a_y0(a_y0),
        .a_y0_valid(a_y0_valid),
        .a_y1(a_y1),
        .a_y1_valid(a_y1_valid),
        .a_y2(a_y2),
        .a_y2_valid(a_y2_valid),
        .a_y3(a_y3),
        .a_y3_valid(a_y3_valid),
        .b_grant(b_grant),
        .b_held(b_held),
        .b_y0(b_y0),
        .b_y0_valid(b_y0_valid),
        .b_y1(b_y1),
        .b_y1_valid(b_y1_valid),
        .b_y2(b_y2),
        .b_y2_valid(b_y2_valid),
        .b_y3(b_y3),
        .b_y3_valid(b_y3_valid),
        .wake(wake)
    );

    wire wrong = (a_grant !== a_grant_expected)
        || (a_held !== a_held_expected)
        || (a_y0 !== a_y0_expected)
        || (a_y0_valid !== a_y0_valid_expected)
        || (a_y1 !== a_y1_expected)
        || (a_y1_valid !== a_y1_valid_expected)
        || (a_y2 !== a_y2_expected)
        || (a_y2_valid !== a_y2_valid_expected)
        || (a_y3 !== a_y3_expected)
        || (a_y3_valid !== a_y3_valid_expected)
        || (b_grant !== b_grant_expected)
        || (b_held !== b_held_expected)
        || (b_y0 !== b_y0_expected)
        || (b_y0_valid !== b_y0_valid_expected)
        || (b_y1 !== b_y1_expected)
        || (b_y1_valid !== b_y1_valid_expected)
        || (b_y2 !== b_y2_expected)
        || (b_y2_valid !== b_y2_valid_expected)
        || (b_y3 !== b_y3_expected)
        || (b_y3_valid !== b_y3_valid_expected)
        || (wake !== wake_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (a_grant !== a_grant_expected)
                $display("regmutex_top_w16_p512 row %0d: a_grant is %h, expected %h", row, a_grant, a_grant_expected);
            if (a_held !== a_held_expected)
                $display("regmutex_top_w16_p512 row %0d: a_held is %h, expected %h", row, a_held, a_held_expected);
            if (a_y0 !== a_y0_expected)
                $display("regmutex_top_w16_p512 row %0d: a_y0 is %h, expected %h", row, a_y0, a_y0_expected);
            if (a_y0_valid !== a_y0_valid_expected)
                $display("regmutex_top_w16_p512 row %0d: a_y0_valid is %h, expected %h", row, a_y0_valid, a_y0_valid_expected);
            if (a_y1 !== a_y1_expected)
                $display("regmutex_top_w16_p512 row %0d: a_y1 is %h, expected %h", row, a_y1, a_y1_expected);
            if (a_y1_valid !== a_y1_valid_expected)
                $display("regmutex_top_w16_p512 row %0d: a_y1_valid is %h, expected %h", row, a_y1_valid, a_y1_valid_expected);
            if (a_y2 !== a_y2_expected)
                $display("regmutex_top_w16_p512 row %0d: a_y2 is %h, expected %h", row, a_y2, a_y2_expected);
            if (a_y2_valid !== a_y2_valid_expected)
                $display("regmutex_top_w16_p512 row %0d: a_y2_valid is %h, expected %h", row, a_y2_valid, a_y2_valid_expected);
            if (a_y3 !== a_y3_expected)
                $display("regmutex_top_w16_p512 row %0d: a_y3 is %h, expected %h", row, a_y3, a_y3_expected);
            if (a_y3_valid !== a_y3_valid_expected)
                $display("regmutex_top_w16_p512 row %0d: a_y3_valid is %h, expected %h", row, a_y3_valid, a_y3_valid_expected);
            if (b_grant !== b_grant_expected)
                $display("regmutex_top_w16_p512 row %0d: b_grant is %h, expected %h", row, b_grant, b_grant_expected);
            if (b_held !== b_held_expected)
                $display("regmutex_top_w16_p512 row %0d: b_held is %h, expected %h", row, b_held, b_held_expected);
            if (b_y0 !== b_y0_expected)
                $display("regmutex_top_w16_p512 row %0d: b_y0 is %h, expected %h", row, b_y0, b_y0_expected);
            if (b_y0_valid !== b_y0_valid_expected)
                $display("regmutex_top_w16_p512 row %0d: b_y0_valid is %h, expected %h", row, b_y0_valid, b_y0_valid_expected);
            if (b_y1 !== b_y1_expected)
                $display("regmutex_top_w16_p512 row %0d: b_y1 is %h, expected %h", row, b_y1, b_y1_expected);
            if (b_y1_valid !== b_y1_valid_expected)
                $display("regmutex_top_w16_p512 row %0d: b_y1_valid is %h, expected %h", row, b_y1_valid, b_y1_valid_expected);
            if (b_y2 !== b_y2_expected)
                $display("regmutex_top_w16_p512 row %0d: b_y2 is %h, expected %h", row, b_y2, b_y2_expected);
            if (b_y2_valid !== b_y2_valid_expected)
                $display("regmutex_top_w16_p512 row %0d: b_y2_valid is %h, expected %h", row, b_y2_valid, b_y2_valid_expected);
            if (b_y3 !== b_y3_expected)
                $display("regmutex_top_w16_p512 row %0d: b_y3 is %h, expected %h", row, b_y3, b_y3_expected);
            if (b_y3_valid !== b_y3_valid_expected)
                $display("regmutex_top_w16_p512 row %0d: b_y3_valid is %h, expected %h", row, b_y3_valid, b_y3_valid_expected);
            if (wake !== wake_expected)
                $display("regmutex_top_w16_p512 row %0d: wake is %h, expected %h", row, wake, wake_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS regmutex_top_w16_p512: %0d rows", row);
        else $display("FAIL regmutex_top_w16_p512: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                section_count_field,
                base_regs_field,
                ext_regs_field,
                srp_offset_field,
                favor_b_field,
                a_valid_field,
                a_change_field,
                a_release_field,
                a_warp_field,
                a_x0_field,
                a_x0_valid_field,
                a_x1_field,
                a_x1_valid_field,
                a_x2_field,
                a_x2_valid_field,
                a_x3_field,
                a_x3_valid_field,
                b_valid_field,
                b_change_field,
                b_release_field,
                b_warp_field,
                b_x0_field,
                b_x0_valid_field,
                b_x1_field,
                b_x1_valid_field,
                b_x2_field,
                b_x2_valid_field,
                b_x3_field,
                b_x3_valid_field,
                a_grant_expected_field,
                a_held_expected_field,
                a_y0_expected_field,
                a_y0_valid_expected_field,
                a_y1_expected_field,
                a_y1_valid_expected_field,
                a_y2_expected_field,
                a_y2_valid_expected_field,
                a_y3_expected_field,
                a_y3_valid_expected_field,
                b_grant_expected_field,
                b_held_expected_field,
                b_y0_expected_field,
                b_y0_valid_expected_field,
                b_y1_expected_field,
                b_y1_valid_expected_field,
                b_y2_expected_field,
                b_y2_valid_expected_field,
                b_y3_expected_field,
                b_y3_valid_expected_field,
                wake_expected_field);
            more = fields == 52;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                section_count = section_count_field;
                base_regs = base_regs_field;
                ext_regs = ext_regs_field;
                srp_offset = srp_offset_field;
                favor_b = favor_b_field;
                a_valid = a_valid_field;
                a_change = a_change_field;
                a_release = a_release_field;
                a_warp = a_warp_field;
                a_x0 = a_x0_field;
                a_x0_valid = a_x0_valid_field;
                a_x1 = a_x1_field;
                a_x1_valid = a_x1_valid_field;
                a_x2 = a_x2_field;
                a_x2_valid = a_x2_valid_field;
                a_x3 = a_x3_field;
                a_x3_valid = a_x3_valid_field;
                b_valid = b_valid_field;
                b_change = b_change_field;
                b_release = b_release_field;
                b_warp = b_warp_field;
                b_x0 = b_x0_field;
                b_x0_valid = b_x0_valid_field;
                b_x1 = b_x1_field;
                b_x1_valid = b_x1_valid_field;
                b_x2 = b_x2_field;
                b_x2_valid = b_x2_valid_field;
                b_x3 = b_x3_field;
                b_x3_valid = b_x3_valid_field;
                a_grant_expected = a_grant_expected_field;
                a_held_expected = a_held_expected_field;
                a_y0_expected = a_y0_expected_field;
                a_y0_valid_expected = a_y0_valid_expected_field;
                a_y1_expected = a_y1_expected_field;
                a_y1_valid_expected = a_y1_valid_expected_field;
                a_y2_expected = a_y2_expected_field;
                a_y2_valid_expected = a_y2_valid_expected_field;
                a_y3_expected = a_y3_expected_field;
                a_y3_valid_expected = a_y3_valid_expected_field;
                b_grant_expected = b_grant_expected_field;
                b_held_expected = b_held_expected_field;
                b_y0_expected = b_y0_expected_field;
                b_y0_valid_expected = b_y0_valid_expected_field;
                b_y1_expected = b_y1_expected_field;
                b_y1_valid_expected = b_y1_valid_expected_field;
                b_y2_expected = b_y2_expected_field;
                b_y2_valid_expected = b_y2_valid_expected_field;
                b_y3_expected = b_y3_expected_field;
                b_y3_valid_expected = b_y3_valid_expected_field;
                wake_expected = wake_expected_field;
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
