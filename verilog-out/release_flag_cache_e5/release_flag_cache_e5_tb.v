// Self-checking bench of release_flag_cache_e5. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module release_flag_cache_e5_tb #(parameter VECTORS = "release_flag_cache_e5_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg fill;
    reg fill_field;
    reg [15:0] fill_pc;
    reg [15:0] fill_pc_field;
    reg [53:0] fill_payload;
    reg [53:0] fill_payload_field;
    reg [15:0] a_pc;
    reg [15:0] a_pc_field;
    reg [4:0] a_slot;
    reg [4:0] a_slot_field;
    reg [15:0] b_pc;
    reg [15:0] b_pc_field;
    reg [4:0] b_slot;
    reg [4:0] b_slot_field;
    wire a_hit;
    reg a_hit_expected;
    reg a_hit_expected_field;
    wire [2:0] a_flags;
    reg [2:0] a_flags_expected;
    reg [2:0] a_flags_expected_field;
    wire b_hit;
    reg b_hit_expected;
    reg b_hit_expected_field;
    wire [2:0] b_flags;
    reg [2:0] b_flags_expected;
    reg [2:0] b_flags_expected_field;
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

    release_flag_cache_e5 uut (
        .clock(clock),
        .clear(clear),
        .fill(fill),
        .fill_pc(fill_pc),
        .fill_payload(fill_payload),
        .a_pc(a_pc),
        .a_slot(a_slot),
        .b_pc(b_pc),
        .b_slot(b_slot),
        .a_hit(a_hit),
        .a_flags(a_flags),
        .b_hit(b_hit),
        .b_flags(b_flags)
    );

    wire wrong = (a_hit !== a_hit_expected)
        || (a_flags !== a_flags_expected)
        || (b_hit !== b_hit_expected)
        || (b_flags !== b_flags_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (a_hit !== a_hit_expected)
                $display("release_flag_cache_e5 row %0d: a_hit is %h, expected %h", row, a_hit, a_hit_expected);
            if (a_flags !== a_flags_expected)
                $display("release_flag_cache_e5 row %0d: a_flags is %h, expected %h", row, a_flags, a_flags_expected);
            if (b_hit !== b_hit_expected)
                $display("release_flag_cache_e5 row %0d: b_hit is %h, expected %h", row, b_hit, b_hit_expected);
            if (b_flags !== b_flags_expected)
                $display("release_flag_cache_e5 row %0d: b_flags is %h, expected %h", row, b_flags, b_flags_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS release_flag_cache_e5: %0d rows", row);
        else $display("FAIL release_flag_cache_e5: %0d of %0d rows differ", errors, row);
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
                fill_field,
                fill_pc_field,
                fill_payload_field,
                a_pc_field,
                a_slot_field,
                b_pc_field,
                b_slot_field,
                a_hit_expected_field,
                a_flags_expected_field,
                b_hit_expected_field,
                b_flags_expected_field);
            more = fields == 13;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                fill = fill_field;
                fill_pc = fill_pc_field;
                fill_payload = fill_payload_field;
                a_pc = a_pc_field;
                a_slot = a_slot_field;
                b_pc = b_pc_field;
                b_slot = b_slot_field;
                a_hit_expected = a_hit_expected_field;
                a_flags_expected = a_flags_expected_field;
                b_hit_expected = b_hit_expected_field;
                b_flags_expected = b_flags_expected_field;
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
