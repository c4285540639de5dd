// Self-checking bench of find_first_zero_w8. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module find_first_zero_w8_tb #(parameter VECTORS = "find_first_zero_w8_vectors.txt");
    reg [7:0] mask;
    reg [7:0] mask_field;
    wire found;
    reg found_expected;
    reg found_expected_field;
    wire [2:0] index;
    reg [2:0] index_expected;
    reg [2:0] index_expected_field;
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

    find_first_zero_w8 uut (
        .mask(mask),
        .found(found),
        .index(index)
    );

    wire wrong = (found !== found_expected)
        || (index !== index_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (found !== found_expected)
                $display("find_first_zero_w8 row %0d: found is %h, expected %h", row, found, found_expected);
            if (index !== index_expected)
                $display("find_first_zero_w8 row %0d: index is %h, expected %h", row, index, index_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS find_first_zero_w8: %0d rows", row);
        else $display("FAIL find_first_zero_w8: %0d of %0d rows differ", errors, row);
    end

    initial begin
        row = 0;
        start = 1'b0;
        strobe = 1'b0;
        finish = 1'b0;
        file = $fopen(VECTORS, "r");
        more = file != 0;
        #1 start = 1'b1;
        while (more) begin
            fields = $fscanf(file, "%h %h %h %h\n",
                at_edge_field,
                mask_field,
                found_expected_field,
                index_expected_field);
            more = fields == 4;
            if (more) begin
                at_edge = at_edge_field;
                mask = mask_field;
                found_expected = found_expected_field;
                index_expected = index_expected_field;
                #1 strobe = 1'b1;
                #1 strobe = 1'b0;
                #1 row = row + 1;
            end
        end
        if (file != 0) $fclose(file);
        #1 finish = 1'b1;
    end
endmodule
