// Self-checking bench of reg_map_w64_p4096. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module reg_map_w64_p4096_tb #(parameter VECTORS = "reg_map_w64_p4096_vectors.txt");
    reg [5:0] widx;
    reg [5:0] widx_field;
    reg [7:0] coeff;
    reg [7:0] coeff_field;
    reg [7:0] x0;
    reg [7:0] x0_field;
    reg x0_valid;
    reg x0_valid_field;
    reg [7:0] x1;
    reg [7:0] x1_field;
    reg x1_valid;
    reg x1_valid_field;
    reg [7:0] x2;
    reg [7:0] x2_field;
    reg x2_valid;
    reg x2_valid_field;
    reg [7:0] x3;
    reg [7:0] x3_field;
    reg x3_valid;
    reg x3_valid_field;
    wire [11:0] y0;
    reg [11:0] y0_expected;
    reg [11:0] y0_expected_field;
    wire y0_valid;
    reg y0_valid_expected;
    reg y0_valid_expected_field;
    wire [11:0] y1;
    reg [11:0] y1_expected;
    reg [11:0] y1_expected_field;
    wire y1_valid;
    reg y1_valid_expected;
    reg y1_valid_expected_field;
    wire [11:0] y2;
    reg [11:0] y2_expected;
    reg [11:0] y2_expected_field;
    wire y2_valid;
    reg y2_valid_expected;
    reg y2_valid_expected_field;
    wire [11:0] y3;
    reg [11:0] y3_expected;
    reg [11:0] y3_expected_field;
    wire y3_valid;
    reg y3_valid_expected;
    reg y3_valid_expected_field;
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

    reg_map_w64_p4096 uut (
        .widx(widx),
        .coeff(coeff),
        .x0(x0),
        .x0_valid(x0_valid),
        .x1(x1),
        .x1_valid(x1_valid),
        .x2(x2),
        .x2_valid(x2_valid),
        .x3(x3),
        .x3_valid(x3_valid),
        .y0(y0),
        .y0_valid(y0_valid),
        .y1(y1),
        .y1_valid(y1_valid),
        .y2(y2),
        .y2_valid(y2_valid),
        .y3(y3),
        .y3_valid(y3_valid)
    );

    wire wrong = (y0 !== y0_expected)
        || (y0_valid !== y0_valid_expected)
        || (y1 !== y1_expected)
        || (y1_valid !== y1_valid_expected)
        || (y2 !== y2_expected)
        || (y2_valid !== y2_valid_expected)
        || (y3 !== y3_expected)
        || (y3_valid !== y3_valid_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (y0 !== y0_expected)
                $display("reg_map_w64_p4096 row %0d: y0 is %h, expected %h", row, y0, y0_expected);
            if (y0_valid !== y0_valid_expected)
                $display("reg_map_w64_p4096 row %0d: y0_valid is %h, expected %h", row, y0_valid, y0_valid_expected);
            if (y1 !== y1_expected)
                $display("reg_map_w64_p4096 row %0d: y1 is %h, expected %h", row, y1, y1_expected);
            if (y1_valid !== y1_valid_expected)
                $display("reg_map_w64_p4096 row %0d: y1_valid is %h, expected %h", row, y1_valid, y1_valid_expected);
            if (y2 !== y2_expected)
                $display("reg_map_w64_p4096 row %0d: y2 is %h, expected %h", row, y2, y2_expected);
            if (y2_valid !== y2_valid_expected)
                $display("reg_map_w64_p4096 row %0d: y2_valid is %h, expected %h", row, y2_valid, y2_valid_expected);
            if (y3 !== y3_expected)
                $display("reg_map_w64_p4096 row %0d: y3 is %h, expected %h", row, y3, y3_expected);
            if (y3_valid !== y3_valid_expected)
                $display("reg_map_w64_p4096 row %0d: y3_valid is %h, expected %h", row, y3_valid, y3_valid_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS reg_map_w64_p4096: %0d rows", row);
        else $display("FAIL reg_map_w64_p4096: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                widx_field,
                coeff_field,
                x0_field,
                x0_valid_field,
                x1_field,
                x1_valid_field,
                x2_field,
                x2_valid_field,
                x3_field,
                x3_valid_field,
                y0_expected_field,
                y0_valid_expected_field,
                y1_expected_field,
                y1_valid_expected_field,
                y2_expected_field,
                y2_valid_expected_field,
                y3_expected_field,
                y3_valid_expected_field);
            more = fields == 19;
            if (more) begin
                at_edge = at_edge_field;
                widx = widx_field;
                coeff = coeff_field;
                x0 = x0_field;
                x0_valid = x0_valid_field;
                x1 = x1_field;
                x1_valid = x1_valid_field;
                x2 = x2_field;
                x2_valid = x2_valid_field;
                x3 = x3_field;
                x3_valid = x3_valid_field;
                y0_expected = y0_expected_field;
                y0_valid_expected = y0_valid_expected_field;
                y1_expected = y1_expected_field;
                y1_valid_expected = y1_valid_expected_field;
                y2_expected = y2_expected_field;
                y2_valid_expected = y2_valid_expected_field;
                y3_expected = y3_expected_field;
                y3_valid_expected = y3_valid_expected_field;
                #1 strobe = 1'b1;
                #1 strobe = 1'b0;
                #1 row = row + 1;
            end
        end
        if (file != 0) $fclose(file);
        #1 finish = 1'b1;
    end
endmodule
