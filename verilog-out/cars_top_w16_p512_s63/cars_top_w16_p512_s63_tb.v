// Self-checking bench of cars_top_w16_p512_s63. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module cars_top_w16_p512_s63_tb #(parameter VECTORS = "cars_top_w16_p512_s63_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg favor_b;
    reg favor_b_field;
    reg stall;
    reg stall_field;
    reg [3:0] stall_warp;
    reg [3:0] stall_warp_field;
    reg wake;
    reg wake_field;
    reg a_valid;
    reg a_valid_field;
    reg [2:0] a_op;
    reg [2:0] a_op_field;
    reg [3:0] a_warp;
    reg [3:0] a_warp_field;
    reg [8:0] a_base;
    reg [8:0] a_base_field;
    reg [8:0] a_first;
    reg [8:0] a_first_field;
    reg [5:0] a_capacity;
    reg [5:0] a_capacity_field;
    reg [5:0] a_fru;
    reg [5:0] a_fru_field;
    reg [5:0] a_evicted;
    reg [5:0] a_evicted_field;
    reg [8:0] a_link;
    reg [8:0] a_link_field;
    reg a_link_kernel;
    reg a_link_kernel_field;
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
    reg [2:0] b_op;
    reg [2:0] b_op_field;
    reg [3:0] b_warp;
    reg [3:0] b_warp_field;
    reg [8:0] b_base;
    reg [8:0] b_base_field;
    reg [8:0] b_first;
    reg [8:0] b_first_field;
    reg [5:0] b_capacity;
    reg [5:0] b_capacity_field;
    reg [5:0] b_fru;
    reg [5:0] b_fru_field;
    reg [5:0] b_evicted;
    reg [5:0] b_evicted_field;
    reg [8:0] b_link;
    reg [8:0] b_link_field;
    reg b_link_kernel;
    reg b_link_kernel_field;
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
    wire stall_grant;
    reg stall_grant_expected;
    reg stall_grant_expected_field;
    wire woken_valid;
    reg woken_valid_expected;
    reg woken_valid_expected_field;
    wire [3:0] woken;
    reg [3:0] woken_expected;
    reg [3:0] woken_expected_field;
    wire empty;
    reg empty_expected;
    reg empty_expected_field;
    wire served_b;
    reg served_b_expected;
    reg served_b_expected_field;
    wire trap;
    reg trap_expected;
    reg trap_expected_field;
    wire [8:0] pack;
    reg [8:0] pack_expected;
    reg [8:0] pack_expected_field;
    wire [5:0] count;
    reg [5:0] count_expected;
    reg [5:0] count_expected_field;
    wire [8:0] link;
    reg [8:0] link_expected;
    reg [8:0] link_expected_field;
    wire link_kernel;
    reg link_kernel_expected;
    reg link_kernel_expected_field;
    wire a_grant;
    reg a_grant_expected;
    reg a_grant_expected_field;
    wire a_stalled;
    reg a_stalled_expected;
    reg a_stalled_expected_field;
    wire a_launched;
    reg a_launched_expected;
    reg a_launched_expected_field;
    wire [8:0] a_rfp;
    reg [8:0] a_rfp_expected;
    reg [8:0] a_rfp_expected_field;
    wire [8:0] a_rsp;
    reg [8:0] a_rsp_expected;
    reg [8:0] a_rsp_expected_field;
    wire [5:0] a_free;
    reg [5:0] a_free_expected;
    reg [5:0] a_free_expected_field;
    wire [8:0] a_link_pack;
    reg [8:0] a_link_pack_expected;
    reg [8:0] a_link_pack_expected_field;
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
    wire b_stalled;
    reg b_stalled_expected;
    reg b_stalled_expected_field;
    wire b_launched;
    reg b_launched_expected;
    reg b_launched_expected_field;
    wire [8:0] b_rfp;
    reg [8:0] b_rfp_expected;
    reg [8:0] b_rfp_expected_field;
    wire [8:0] b_rsp;
    reg [8:0] b_rsp_expected;
    reg [8:0] b_rsp_expected_field;
    wire [5:0] b_free;
    reg [5:0] b_free_expected;
    reg [5:0] b_free_expected_field;
    wire [8:0] b_link_pack;
    reg [8:0] b_link_pack_expected;
    reg [8:0] b_link_pack_expected_field;
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

    cars_top_w16_p512_s63 uut (
        .clock(clock),
        .clear(clear),
        .favor_b(favor_b),
        .stall(stall),
        .stall_warp(stall_warp),
        .wake(wake),
        .a_valid(a_valid),
        .a_op(a_op),
        .a_warp(a_warp),
        .a_base(a_base),
        .a_first(a_first),
        .a_capacity(a_capacity),
        .a_fru(a_fru),
        .a_evicted(a_evicted),
        .a_link(a_link),
        .a_link_kernel(a_link_kernel),
        .a_x0(a_x0),
        .a_x0_valid(a_x0_valid),
        .a_x1(a_x1),
        .a_x1_valid(a_x1_valid),
        .a_x2(a_x2),
        .a_x2_valid(a_x2_valid),
        .a_x3(a_x3),
        .a_x3_valid(a_x3_valid),
        .b_valid(b_valid),
        .b_op(b_op),
        .b_warp(b_warp),
        .b_base(b_base),
        .b_first(b_first),
        .b_capacity(b_capacity),
        .b_fru(b_fru),
        .b_evicted(b_evicted),
        .b_link(b_link),
        .b_link_kernel(b_link_kernel),
        .b_x0(b_x0),
        .b_x0_valid(b_x0_valid),
        .b_x1(b_x1),
        .b_x1_valid(b_x1_valid),
        .b_x2(b_x2),
        .b_x2_valid(b_x2_valid),
        .b_x3(b_x3),
        .b_x3_valid(b_x3_valid),
        .stall_grant(stall_grant),
        .woken_valid(woken_valid),
        .woken(woken),
        .empty(empty),
        .served_b(served_b),
        .trap(trap),
        .pack(pack),
        .count(count),
        .link(link),
        .link_kernel(link_kernel),
        .a_grant(a_grant),
        .a_stalled(a_stalled),
        .a_launched(a_launched),
        .a_rfp(a_rfp),
        .a_rsp(a_rsp),
        .a_free(a_free),
        .a_link_pack(a_link_pack),
        .a_y0(a_y0),
        .a_y0_valid(a_y0_valid),
        .a_y1(a_y1),
        .a_y1_valid(a_y1_valid),
        .a_y2(a_y2),
        .a_y2_valid(a_y2_valid),
        .a_y3(a_y3),
        .a_y3_valid(a_y3_valid),
        .b_grant(b_grant),
        .b_stalled(b_stalled),
        .b_launched(b_launched),
        .b_rfp(b_rfp),
        .b_rsp(b_rsp),
        .b_free(b_free),
        .b_link_pack(b_link_pack),
        .b_y0(b_y0),
        .b_y0_valid(b_y0_valid),
        .b_y1(b_y1),
        .b_y1_valid(b_y1_valid),
        .b_y2(b_y2),
        .b_y2_valid(b_y2_valid),
        .b_y3(b_y3),
        .b_y3_valid(b_y3_valid)
    );

    wire wrong = (stall_grant !== stall_grant_expected)
        || (woken_valid !== woken_valid_expected)
        || (woken !== woken_expected)
        || (empty !== empty_expected)
        || (served_b !== served_b_expected)
        || (trap !== trap_expected)
        || (pack !== pack_expected)
        || (count !== count_expected)
        || (link !== link_expected)
        || (link_kernel !== link_kernel_expected)
        || (a_grant !== a_grant_expected)
        || (a_stalled !== a_stalled_expected)
        || (a_launched !== a_launched_expected)
        || (a_rfp !== a_rfp_expected)
        || (a_rsp !== a_rsp_expected)
        || (a_free !== a_free_expected)
        || (a_link_pack !== a_link_pack_expected)
        || (a_y0 !== a_y0_expected)
        || (a_y0_valid !== a_y0_valid_expected)
        || (a_y1 !== a_y1_expected)
        || (a_y1_valid !== a_y1_valid_expected)
        || (a_y2 !== a_y2_expected)
        || (a_y2_valid !== a_y2_valid_expected)
        || (a_y3 !== a_y3_expected)
        || (a_y3_valid !== a_y3_valid_expected)
        || (b_grant !== b_grant_expected)
        || (b_stalled !== b_stalled_expected)
        || (b_launched !== b_launched_expected)
        || (b_rfp !== b_rfp_expected)
        || (b_rsp !== b_rsp_expected)
        || (b_free !== b_free_expected)
        || (b_link_pack !== b_link_pack_expected)
        || (b_y0 !== b_y0_expected)
        || (b_y0_valid !== b_y0_valid_expected)
        || (b_y1 !== b_y1_expected)
        || (b_y1_valid !== b_y1_valid_expected)
        || (b_y2 !== b_y2_expected)
        || (b_y2_valid !== b_y2_valid_expected)
        || (b_y3 !== b_y3_expected)
        || (b_y3_valid !== b_y3_valid_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (stall_grant !== stall_grant_expected)
                $display("cars_top_w16_p512_s63 row %0d: stall_grant is %h, expected %h", row, stall_grant, stall_grant_expected);
            if (woken_valid !== woken_valid_expected)
                $display("cars_top_w16_p512_s63 row %0d: woken_valid is %h, expected %h", row, woken_valid, woken_valid_expected);
            if (woken !== woken_expected)
                $display("cars_top_w16_p512_s63 row %0d: woken is %h, expected %h", row, woken, woken_expected);
            if (empty !== empty_expected)
                $display("cars_top_w16_p512_s63 row %0d: empty is %h, expected %h", row, empty, empty_expected);
            if (served_b !== served_b_expected)
                $display("cars_top_w16_p512_s63 row %0d: served_b is %h, expected %h", row, served_b, served_b_expected);
            if (trap !== trap_expected)
                $display("cars_top_w16_p512_s63 row %0d: trap is %h, expected %h", row, trap, trap_expected);
            if (pack !== pack_expected)
                $display("cars_top_w16_p512_s63 row %0d: pack is %h, expected %h", row, pack, pack_expected);
            if (count !== count_expected)
                $display("cars_top_w16_p512_s63 row %0d: count is %h, expected %h", row, count, count_expected);
            if (link !== link_expected)
                $display("cars_top_w16_p512_s63 row %0d: link is %h, expected %h", row, link, link_expected);
            if (link_kernel !== link_kernel_expected)
                $display("cars_top_w16_p512_s63 row %0d: link_kernel is %h, expected %h", row, link_kernel, link_kernel_expected);
            if (a_grant !== a_grant_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_grant is %h, expected %h", row, a_grant, a_grant_expected);
            if (a_stalled !== a_stalled_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_stalled is %h, expected %h", row, a_stalled, a_stalled_expected);
            if (a_launched !== a_launched_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_launched is %h, expected %h", row, a_launched, a_launched_expected);
            if (a_rfp !== a_rfp_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_rfp is %h, expected %h", row, a_rfp, a_rfp_expected);
            if (a_rsp !== a_rsp_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_rsp is %h, expected %h", row, a_rsp, a_rsp_expected);
            if (a_free !== a_free_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_free is %h, expected %h", row, a_free, a_free_expected);
            if (a_link_pack !== a_link_pack_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_link_pack is %h, expected %h", row, a_link_pack, a_link_pack_expected);
            if (a_y0 !== a_y0_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_y0 is %h, expected %h", row, a_y0, a_y0_expected);
            if (a_y0_valid !== a_y0_valid_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_y0_valid is %h, expected %h", row, a_y0_valid, a_y0_valid_expected);
            if (a_y1 !== a_y1_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_y1 is %h, expected %h", row, a_y1, a_y1_expected);
            if (a_y1_valid !== a_y1_valid_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_y1_valid is %h, expected %h", row, a_y1_valid, a_y1_valid_expected);
            if (a_y2 !== a_y2_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_y2 is %h, expected %h", row, a_y2, a_y2_expected);
            if (a_y2_valid !== a_y2_valid_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_y2_valid is %h, expected %h", row, a_y2_valid, a_y2_valid_expected);
            if (a_y3 !== a_y3_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_y3 is %h, expected %h", row, a_y3, a_y3_expected);
            if (a_y3_valid !== a_y3_valid_expected)
                $display("cars_top_w16_p512_s63 row %0d: a_y3_valid is %h, expected %h", row, a_y3_valid, a_y3_valid_expected);
            if (b_grant !== b_grant_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_grant is %h, expected %h", row, b_grant, b_grant_expected);
            if (b_stalled !== b_stalled_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_stalled is %h, expected %h", row, b_stalled, b_stalled_expected);
            if (b_launched !== b_launched_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_launched is %h, expected %h", row, b_launched, b_launched_expected);
            if (b_rfp !== b_rfp_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_rfp is %h, expected %h", row, b_rfp, b_rfp_expected);
            if (b_rsp !== b_rsp_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_rsp is %h, expected %h", row, b_rsp, b_rsp_expected);
            if (b_free !== b_free_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_free is %h, expected %h", row, b_free, b_free_expected);
            if (b_link_pack !== b_link_pack_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_link_pack is %h, expected %h", row, b_link_pack, b_link_pack_expected);
            if (b_y0 !== b_y0_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_y0 is %h, expected %h", row, b_y0, b_y0_expected);
            if (b_y0_valid !== b_y0_valid_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_y0_valid is %h, expected %h", row, b_y0_valid, b_y0_valid_expected);
            if (b_y1 !== b_y1_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_y1 is %h, expected %h", row, b_y1, b_y1_expected);
            if (b_y1_valid !== b_y1_valid_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_y1_valid is %h, expected %h", row, b_y1_valid, b_y1_valid_expected);
            if (b_y2 !== b_y2_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_y2 is %h, expected %h", row, b_y2, b_y2_expected);
            if (b_y2_valid !== b_y2_valid_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_y2_valid is %h, expected %h", row, b_y2_valid, b_y2_valid_expected);
            if (b_y3 !== b_y3_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_y3 is %h, expected %h", row, b_y3, b_y3_expected);
            if (b_y3_valid !== b_y3_valid_expected)
                $display("cars_top_w16_p512_s63 row %0d: b_y3_valid is %h, expected %h", row, b_y3_valid, b_y3_valid_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS cars_top_w16_p512_s63: %0d rows", row);
        else $display("FAIL cars_top_w16_p512_s63: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                favor_b_field,
                stall_field,
                stall_warp_field,
                wake_field,
                a_valid_field,
                a_op_field,
                a_warp_field,
                a_base_field,
                a_first_field,
                a_capacity_field,
                a_fru_field,
                a_evicted_field,
                a_link_field,
                a_link_kernel_field,
                a_x0_field,
                a_x0_valid_field,
                a_x1_field,
                a_x1_valid_field,
                a_x2_field,
                a_x2_valid_field,
                a_x3_field,
                a_x3_valid_field,
                b_valid_field,
                b_op_field,
                b_warp_field,
                b_base_field,
                b_first_field,
                b_capacity_field,
                b_fru_field,
                b_evicted_field,
                b_link_field,
                b_link_kernel_field,
                b_x0_field,
                b_x0_valid_field,
                b_x1_field,
                b_x1_valid_field,
                b_x2_field,
                b_x2_valid_field,
                b_x3_field,
                b_x3_valid_field,
                stall_grant_expected_field,
                woken_valid_expected_field,
                woken_expected_field,
                empty_expected_field,
                served_b_expected_field,
                trap_expected_field,
                pack_expected_field,
                count_expected_field,
                link_expected_field,
                link_kernel_expected_field,
                a_grant_expected_field,
                a_stalled_expected_field,
                a_launched_expected_field,
                a_rfp_expected_field,
                a_rsp_expected_field,
                a_free_expected_field,
                a_link_pack_expected_field,
                a_y0_expected_field,
                a_y0_valid_expected_field,
                a_y1_expected_field,
                a_y1_valid_expected_field,
                a_y2_expected_field,
                a_y2_valid_expected_field,
                a_y3_expected_field,
                a_y3_valid_expected_field,
                b_grant_expected_field,
                b_stalled_expected_field,
                b_launched_expected_field,
                b_rfp_expected_field,
                b_rsp_expected_field,
                b_free_expected_field,
                b_link_pack_expected_field,
                b_y0_expected_field,
                b_y0_valid_expected_field,
                b_y1_expected_field,
                b_y1_valid_expected_field,
                b_y2_expected_field,
                b_y2_valid_expected_field,
                b_y3_expected_field,
                b_y3_valid_expected_field);
            more = fields == 82;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                favor_b = favor_b_field;
                stall = stall_field;
                stall_warp = stall_warp_field;
                wake = wake_field;
                a_valid = a_valid_field;
                a_op = a_op_field;
                a_warp = a_warp_field;
                a_base = a_base_field;
                a_first = a_first_field;
                a_capacity = a_capacity_field;
                a_fru = a_fru_field;
                a_evicted = a_evicted_field;
                a_link = a_link_field;
                a_link_kernel = a_link_kernel_field;
                a_x0 = a_x0_field;
                a_x0_valid = a_x0_valid_field;
                a_x1 = a_x1_field;
                a_x1_valid = a_x1_valid_field;
                a_x2 = a_x2_field;
                a_x2_valid = a_x2_valid_field;
                a_x3 = a_x3_field;
                a_x3_valid = a_x3_valid_field;
                b_valid = b_valid_field;
                b_op = b_op_field;
                b_warp = b_warp_field;
                b_base = b_base_field;
                b_first = b_first_field;
                b_capacity = b_capacity_field;
                b_fru = b_fru_field;
                b_evicted = b_evicted_field;
                b_link = b_link_field;
                b_link_kernel = b_link_kernel_field;
                b_x0 = b_x0_field;
                b_x0_valid = b_x0_valid_field;
                b_x1 = b_x1_field;
                b_x1_valid = b_x1_valid_field;
                b_x2 = b_x2_field;
                b_x2_valid = b_x2_valid_field;
                b_x3 = b_x3_field;
                b_x3_valid = b_x3_valid_field;
                stall_grant_expected = stall_grant_expected_field;
                woken_valid_expected = woken_valid_expected_field;
                woken_expected = woken_expected_field;
                empty_expected = empty_expected_field;
                served_b_expected = served_b_expected_field;
                trap_expected = trap_expected_field;
                pack_expected = pack_expected_field;
                count_expected = count_expected_field;
                link_expected = link_expected_field;
                link_kernel_expected = link_kernel_expected_field;
                a_grant_expected = a_grant_expected_field;
                a_stalled_expected = a_stalled_expected_field;
                a_launched_expected = a_launched_expected_field;
                a_rfp_expected = a_rfp_expected_field;
                a_rsp_expected = a_rsp_expected_field;
                a_free_expected = a_free_expected_field;
                a_link_pack_expected = a_link_pack_expected_field;
                a_y0_expected = a_y0_expected_field;
                a_y0_valid_expected = a_y0_valid_expected_field;
                a_y1_expected = a_y1_expected_field;
                a_y1_valid_expected = a_y1_valid_expected_field;
                a_y2_expected = a_y2_expected_field;
                a_y2_valid_expected = a_y2_valid_expected_field;
                a_y3_expected = a_y3_expected_field;
                a_y3_valid_expected = a_y3_valid_expected_field;
                b_grant_expected = b_grant_expected_field;
                b_stalled_expected = b_stalled_expected_field;
                b_launched_expected = b_launched_expected_field;
                b_rfp_expected = b_rfp_expected_field;
                b_rsp_expected = b_rsp_expected_field;
                b_free_expected = b_free_expected_field;
                b_link_pack_expected = b_link_pack_expected_field;
                b_y0_expected = b_y0_expected_field;
                b_y0_valid_expected = b_y0_valid_expected_field;
                b_y1_expected = b_y1_expected_field;
                b_y1_valid_expected = b_y1_valid_expected_field;
                b_y2_expected = b_y2_expected_field;
                b_y2_valid_expected = b_y2_valid_expected_field;
                b_y3_expected = b_y3_expected_field;
                b_y3_valid_expected = b_y3_valid_expected_field;
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
