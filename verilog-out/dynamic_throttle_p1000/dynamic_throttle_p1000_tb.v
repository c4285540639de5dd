// Self-checking bench of dynamic_throttle_p1000. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module dynamic_throttle_p1000_tb #(parameter VECTORS = "dynamic_throttle_p1000_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg sm_zero;
    reg sm_zero_field;
    reg stall;
    reg stall_field;
    reg [9:0] zero_stalls;
    reg [9:0] zero_stalls_field;
    wire memory_allowed;
    reg memory_allowed_expected;
    reg memory_allowed_expected_field;
    wire [3:0] tenths;
    reg [3:0] tenths_expected;
    reg [3:0] tenths_expected_field;
    wire compares;
    reg compares_expected;
    reg compares_expected_field;
    wire [9:0] stalls;
    reg [9:0] stalls_expected;
    reg [9:0] stalls_expected_field;
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

    dynamic_throttle_p1000 uut (
        .clock(clock),
        .clear(clear),
        .sm_zero(sm_zero),
        .stall(stall),
        .zero_stalls(zero_stalls),
        .memory_allowed(memory_allowed),
        .tenths(tenths),
        .compares(compares),
        .stalls(stalls)
    );

    wire wrong = (memory_allowed !== memory_allowed_expected)
        || (tenths !== tenths_expected)
        || (compares !== compares_expected)
        || (stalls !== stalls_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (memory_allowed !== memory_allowed_expected)
                $display("dynamic_throttle_p1000 row %0d: memory_allowed is %h, expected %h", row, memory_allowed, memory_allowed_expected);
            if (tenths !== tenths_expected)
                $display("dynamic_throttle_p1000 row %0d: tenths is %h, expected %h", row, tenths, tenths_expected);
            if (compares !== compares_expected)
                $display("dynamic_throttle_p1000 row %0d: compares is %h, expected %h", row, compares, compares_expected);
            if (stalls !== stalls_expected)
                $display("dynamic_throttle_p1000 row %0d: stalls is %h, expected %h", row, stalls, stalls_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS dynamic_throttle_p1000: %0d rows", row);
        else $display("FAIL dynamic_throttle_p1000: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                sm_zero_field,
                stall_field,
                zero_stalls_field,
                memory_allowed_expected_field,
                tenths_expected_field,
                compares_expected_field,
                stalls_expected_field);
            more = fields == 9;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                sm_zero = sm_zero_field;
                stall = stall_field;
                zero_stalls = zero_stalls_field;
                memory_allowed_expected = memory_allowed_expected_field;
                tenths_expected = tenths_expected_field;
                compares_expected = compares_expected_field;
                stalls_expected = stalls_expected_field;
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
