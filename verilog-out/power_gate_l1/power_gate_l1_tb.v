// Self-checking bench of power_gate_l1. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module power_gate_l1_tb #(parameter VECTORS = "power_gate_l1_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg [15:0] occupied;
    reg [15:0] occupied_field;
    reg [15:0] request;
    reg [15:0] request_field;
    wire [15:0] powered;
    reg [15:0] powered_expected;
    reg [15:0] powered_expected_field;
    wire [15:0] awake;
    reg [15:0] awake_expected;
    reg [15:0] awake_expected_field;
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

    power_gate_l1 uut (
        .clock(clock),
        .clear(clear),
        .occupied(occupied),
        .request(request),
        .powered(powered),
        .awake(awake)
    );

    wire wrong = (powered !== powered_expected)
        || (awake !== awake_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (powered !== powered_expected)
                $display("power_gate_l1 row %0d: powered is %h, expected %h", row, powered, powered_expected);
            if (awake !== awake_expected)
                $display("power_gate_l1 row %0d: awake is %h, expected %h", row, awake, awake_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS power_gate_l1: %0d rows", row);
        else $display("FAIL power_gate_l1: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                occupied_field,
                request_field,
                powered_expected_field,
                awake_expected_field);
            more = fields == 6;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                occupied = occupied_field;
                request = request_field;
                powered_expected = powered_expected_field;
                awake_expected = awake_expected_field;
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
