// Self-checking bench of register_stack_w48_p1024_s63. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module register_stack_w48_p1024_s63_tb #(parameter VECTORS = "register_stack_w48_p1024_s63_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg favor_b;
    reg favor_b_field;
    reg [2:0] a_op;
    reg [2:0] a_op_field;
    reg [5:0] a_warp;
    reg [5:0] a_warp_field;
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
    reg [2:0] b_op;
    reg [2:0] b_op_field;
    reg [5:0] b_warp;
    reg [5:0] b_warp_field;
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
    wire served_b;
    reg served_b_expected;
    reg served_b_expected_field;
    wire grant;
    reg grant_expected;
    reg grant_expected_field;
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

    register_stack_w48_p1024_s63 uut (
        .clock(clock),
        .clear(clear),
        .favor_b(favor_b),
        .a_op(a_op),
        .a_warp(a_warp),
        .a_first(a_first),
        .a_capacity(a_capacity),
        .a_fru(a_fru),
        .a_evicted(a_evicted),
        .a_link(a_link),
        .a_link_kernel(a_link_kernel),
        .b_op(b_op),
        .b_warp(b_warp),
        .b_first(b_first),
        .b_capacity(b_capacity),
        .b_fru(b_fru),
        .b_evicted(b_evicted),
        .b_link(b_link),
        .b_link_kernel(b_link_kernel),
        .served_b(served_b),
        .grant(grant),
        .trap(trap),
        .pack(pack),
        .count(count),
        .link(link),
        .link_kernel(link_kernel),
        .a_launched(a_launched),
        .a_rfp(a_rfp),
        .a_rsp(a_rsp),
        .a_free(a_free),
        .b_launched(b_launched),
        .b_rfp(b_rfp),
        .b_rsp(b_rsp),
        .b_free(b_free)
    );

    wire wrong = (served_b !== served_b_expected)
        || (grant !== grant_expected)
        || (trap !== trap_expected)
        || (pack !== pack_expected)
        || (count !== count_expected)
        || (link !== link_expected)
        || (link_kernel !== link_kernel_expected)
        || (a_launched !== a_launched_expected)
        || (a_rfp !== a_rfp_expected)
        || (a_rsp !== a_rsp_expected)
        || (a_free !== a_free_expected)
        || (b_launched !== b_launched_expected)
        || (b_rfp !== b_rfp_expected)
        || (b_rsp !== b_rsp_expected)
        || (b_free !== b_free_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (served_b !== served_b_expected)
                $display("register_stack_w48_p1024_s63 row %0d: served_b is %h, expected %h", row, served_b, served_b_expected);
            if (grant !== grant_expected)
                $display("register_stack_w48_p1024_s63 row %0d: grant is %h, expected %h", row, grant, grant_expected);
            if (trap !== trap_expected)
                $display("register_stack_w48_p1024_s63 row %0d: trap is %h, expected %h", row, trap, trap_expected);
            if (pack !== pack_expected)
                $display("register_stack_w48_p1024_s63 row %0d: pack is %h, expected %h", row, pack, pack_expected);
            if (count !== count_expected)
                $display("register_stack_w48_p1024_s63 row %0d: count is %h, expected %h", row, count, count_expected);
            if (link !== link_expected)
                $display("register_stack_w48_p1024_s63 row %0d: link is %h, expected %h", row, link, link_expected);
            if (link_kernel !== link_kernel_expected)
                $display("register_stack_w48_p1024_s63 row %0d: link_kernel is %h, expected %h", row, link_kernel, link_kernel_expected);
            if (a_launched !== a_launched_expected)
                $display("register_stack_w48_p1024_s63 row %0d: a_launched is %h, expected %h", row, a_launched, a_launched_expected);
            if (a_rfp !== a_rfp_expected)
                $display("register_stack_w48_p1024_s63 row %0d: a_rfp is %h, expected %h", row, a_rfp, a_rfp_expected);
            if (a_rsp !== a_rsp_expected)
                $display("register_stack_w48_p1024_s63 row %0d: a_rsp is %h, expected %h", row, a_rsp, a_rsp_expected);
            if (a_free !== a_free_expected)
                $display("register_stack_w48_p1024_s63 row %0d: a_free is %h, expected %h", row, a_free, a_free_expected);
            if (b_launched !== b_launched_expected)
                $display("register_stack_w48_p1024_s63 row %0d: b_launched is %h, expected %h", row, b_launched, b_launched_expected);
            if (b_rfp !== b_rfp_expected)
                $display("register_stack_w48_p1024_s63 row %0d: b_rfp is %h, expected %h", row, b_rfp, b_rfp_expected);
            if (b_rsp !== b_rsp_expected)
                $display("register_stack_w48_p1024_s63 row %0d: b_rsp is %h, expected %h", row, b_rsp, b_rsp_expected);
            if (b_free !== b_free_expected)
                $display("register_stack_w48_p1024_s63 row %0d: b_free is %h, expected %h", row, b_free, b_free_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS register_stack_w48_p1024_s63: %0d rows", row);
        else $display("FAIL register_stack_w48_p1024_s63: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                favor_b_field,
                a_op_field,
                a_warp_field,
                a_first_field,
                a_capacity_field,
                a_fru_field,
                a_evicted_field,
                a_link_field,
                a_link_kernel_field,
                b_op_field,
                b_warp_field,
                b_first_field,
                b_capacity_field,
                b_fru_field,
                b_evicted_field,
                b_link_field,
                b_link_kernel_field,
                served_b_expected_field,
                grant_expected_field,
                trap_expected_field,
                pack_expected_field,
                count_expected_field,
                link_expected_field,
                link_kernel_expected_field,
                a_launched_expected_field,
                a_rfp_expected_field,
                a_rsp_expected_field,
                a_free_expected_field,
                b_launched_expected_field,
                b_rfp_expected_field,
                b_rsp_expected_field,
                b_free_expected_field);
            more = fields == 34;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                favor_b = favor_b_field;
                a_op = a_op_field;
                a_warp = a_warp_field;
                a_first = a_first_field;
                a_capacity = a_capacity_field;
                a_fru = a_fru_field;
                a_evicted = a_evicted_field;
                a_link = a_link_field;
                a_link_kernel = a_link_kernel_field;
                b_op = b_op_field;
                b_warp = b_warp_field;
                b_first = b_first_field;
                b_capacity = b_capacity_field;
                b_fru = b_fru_field;
                b_evicted = b_evicted_field;
                b_link = b_link_field;
                b_link_kernel = b_link_kernel_field;
                served_b_expected = served_b_expected_field;
                grant_expected = grant_expected_field;
                trap_expected = trap_expected_field;
                pack_expected = pack_expected_field;
                count_expected = count_expected_field;
                link_expected = link_expected_field;
                link_kernel_expected = link_kernel_expected_field;
                a_launched_expected = a_launched_expected_field;
                a_rfp_expected = a_rfp_expected_field;
                a_rsp_expected = a_rsp_expected_field;
                a_free_expected = a_free_expected_field;
                b_launched_expected = b_launched_expected_field;
                b_rfp_expected = b_rfp_expected_field;
                b_rsp_expected = b_rsp_expected_field;
                b_free_expected = b_free_expected_field;
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
