// Self-checking bench of stalled_warps_w48. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module stalled_warps_w48_tb #(parameter VECTORS = "stalled_warps_w48_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg stall;
    reg stall_field;
    reg [5:0] stall_warp;
    reg [5:0] stall_warp_field;
    reg wake;
    reg wake_field;
    reg [5:0] a_warp;
    reg [5:0] a_warp_field;
    reg [5:0] b_warp;
    reg [5:0] b_warp_field;
    wire stall_grant;
    reg stall_grant_expected;
    reg stall_grant_expected_field;
    wire woken_valid;
    reg woken_valid_expected;
    reg woken_valid_expected_field;
    wire [5:0] woken;
    reg [5:0] woken_expected;
    reg [5:0] woken_expected_field;
    wire empty;
    reg empty_expected;
    reg empty_expected_field;
    wire a_stalled;
    reg a_stalled_expected;
    reg a_stalled_expected_field;
    wire b_stalled;
    reg b_stalled_expected;
    reg b_stalled_expected_field;
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

    stalled_warps_w48 uut (
        .clock(clock),
        .clear(clear),
        .stall(stall),
        .stall_warp(stall_warp),
        .wake(wake),
        .a_warp(a_warp),
        .b_warp(b_warp),
        .stall_grant(stall_grant),
        .woken_valid(woken_valid),
        .woken(woken),
        .empty(empty),
        .a_stalled(a_stalled),
        .b_stalled(b_stalled)
    );

    wire wrong = (stall_grant !== stall_grant_expected)
        || (woken_valid !== woken_valid_expected)
        || (woken !== woken_expected)
        || (empty !== empty_expected)
        || (a_stalled !== a_stalled_expected)
        || (b_stalled !== b_stalled_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (stall_grant !== stall_grant_expected)
                $display("stalled_warps_w48 row %0d: stall_grant is %h, expected %h", row, stall_grant, stall_grant_expected);
            if (woken_valid !== woken_valid_expected)
                $display("stalled_warps_w48 row %0d: woken_valid is %h, expected %h", row, woken_valid, woken_valid_expected);
            if (woken !== woken_expected)
                $display("stalled_warps_w48 row %0d: woken is %h, expected %h", row, woken, woken_expected);
            if (empty !== empty_expected)
                $display("stalled_warps_w48 row %0d: empty is %h, expected %h", row, empty, empty_expected);
            if (a_stalled !== a_stalled_expected)
                $display("stalled_warps_w48 row %0d: a_stalled is %h, expected %h", row, a_stalled, a_stalled_expected);
            if (b_stalled !== b_stalled_expected)
                $display("stalled_warps_w48 row %0d: b_stalled is %h, expected %h", row, b_stalled, b_stalled_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS stalled_warps_w48: %0d rows", row);
        else $display("FAIL stalled_warps_w48: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                stall_field,
                stall_warp_field,
                wake_field,
                a_warp_field,
                b_warp_field,
                stall_grant_expected_field,
                woken_valid_expected_field,
                woken_expected_field,
                empty_expected_field,
                a_stalled_expected_field,
                b_stalled_expected_field);
            more = fields == 13;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                stall = stall_field;
                stall_warp = stall_warp_field;
                wake = wake_field;
                a_warp = a_warp_field;
                b_warp = b_warp_field;
                stall_grant_expected = stall_grant_expected_field;
                woken_valid_expected = woken_valid_expected_field;
                woken_expected = woken_expected_field;
                empty_expected = empty_expected_field;
                a_stalled_expected = a_stalled_expected_field;
                b_stalled_expected = b_stalled_expected_field;
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
