// Self-checking bench of srp_allocator_w8. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module srp_allocator_w8_tb #(parameter VECTORS = "srp_allocator_w8_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg [3:0] section_count;
    reg [3:0] section_count_field;
    reg favor_b;
    reg favor_b_field;
    reg a_valid;
    reg a_valid_field;
    reg a_release;
    reg a_release_field;
    reg [2:0] a_warp;
    reg [2:0] a_warp_field;
    reg b_valid;
    reg b_valid_field;
    reg b_release;
    reg b_release_field;
    reg [2:0] b_warp;
    reg [2:0] b_warp_field;
    wire a_grant;
    reg a_grant_expected;
    reg a_grant_expected_field;
    wire a_held;
    reg a_held_expected;
    reg a_held_expected_field;
    wire [2:0] a_section;
    reg [2:0] a_section_expected;
    reg [2:0] a_section_expected_field;
    wire b_grant;
    reg b_grant_expected;
    reg b_grant_expected_field;
    wire b_held;
    reg b_held_expected;
    reg b_held_expected_field;
    wire [2:0] b_section;
    reg [2:0] b_section_expected;
    reg [2:0] b_section_expected_field;
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

    srp_allocator_w8 uut (
        .clock(clock),
        .clear(clear),
        .section_count(section_count),
        .favor_b(favor_b),
        .a_valid(a_valid),
        .a_release(a_release),
        .a_warp(a_warp),
        .b_valid(b_valid),
        .b_release(b_release),
        .b_warp(b_warp),
        .a_grant(a_grant),
        .a_held(a_held),
        .a_section(a_section),
        .b_grant(b_grant),
        .b_held(b_held),
        .b_section(b_section)
    );

    wire wrong = (a_grant !== a_grant_expected)
        || (a_held !== a_held_expected)
        || (a_section !== a_section_expected)
        || (b_grant !== b_grant_expected)
        || (b_held !== b_held_expected)
        || (b_section !== b_section_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (a_grant !== a_grant_expected)
                $display("srp_allocator_w8 row %0d: a_grant is %h, expected %h", row, a_grant, a_grant_expected);
            if (a_held !== a_held_expected)
                $display("srp_allocator_w8 row %0d: a_held is %h, expected %h", row, a_held, a_held_expected);
            if (a_section !== a_section_expected)
                $display("srp_allocator_w8 row %0d: a_section is %h, expected %h", row, a_section, a_section_expected);
            if (b_grant !== b_grant_expected)
                $display("srp_allocator_w8 row %0d: b_grant is %h, expected %h", row, b_grant, b_grant_expected);
            if (b_held !== b_held_expected)
                $display("srp_allocator_w8 row %0d: b_held is %h, expected %h", row, b_held, b_held_expected);
            if (b_section !== b_section_expected)
                $display("srp_allocator_w8 row %0d: b_section is %h, expected %h", row, b_section, b_section_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS srp_allocator_w8: %0d rows", row);
        else $display("FAIL srp_allocator_w8: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                section_count_field,
                favor_b_field,
                a_valid_field,
                a_release_field,
                a_warp_field,
                b_valid_field,
                b_release_field,
                b_warp_field,
                a_grant_expected_field,
                a_held_expected_field,
                a_section_expected_field,
                b_grant_expected_field,
                b_held_expected_field,
                b_section_expected_field);
            more = fields == 16;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                section_count = section_count_field;
                favor_b = favor_b_field;
                a_valid = a_valid_field;
                a_release = a_release_field;
                a_warp = a_warp_field;
                b_valid = b_valid_field;
                b_release = b_release_field;
                b_warp = b_warp_field;
                a_grant_expected = a_grant_expected_field;
                a_held_expected = a_held_expected_field;
                a_section_expected = a_section_expected_field;
                b_grant_expected = b_grant_expected_field;
                b_held_expected = b_held_expected_field;
                b_section_expected = b_section_expected_field;
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
