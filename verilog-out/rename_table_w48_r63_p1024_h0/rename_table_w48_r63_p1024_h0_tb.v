// Self-checking bench of rename_table_w48_r63_p1024_h0. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module rename_table_w48_r63_p1024_h0_tb #(parameter VECTORS = "rename_table_w48_r63_p1024_h0_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg [5:0] exempt;
    reg [5:0] exempt_field;
    reg [5:0] warp;
    reg [5:0] warp_field;
    reg launch;
    reg launch_field;
    reg exit;
    reg exit_field;
    reg [5:0] x0;
    reg [5:0] x0_field;
    reg x0_valid;
    reg x0_valid_field;
    reg x0_release;
    reg x0_release_field;
    reg [5:0] x1;
    reg [5:0] x1_field;
    reg x1_valid;
    reg x1_valid_field;
    reg x1_release;
    reg x1_release_field;
    reg [5:0] x2;
    reg [5:0] x2_field;
    reg x2_valid;
    reg x2_valid_field;
    reg x2_release;
    reg x2_release_field;
    reg [5:0] x3;
    reg [5:0] x3_field;
    reg x3_valid;
    reg x3_valid_field;
    reg x3_partial;
    reg x3_partial_field;
    reg [3:0] offer_valid;
    reg [3:0] offer_valid_field;
    reg [7:0] offer0;
    reg [7:0] offer0_field;
    reg [7:0] offer1;
    reg [7:0] offer1_field;
    reg [7:0] offer2;
    reg [7:0] offer2_field;
    reg [7:0] offer3;
    reg [7:0] offer3_field;
    wire busy;
    reg busy_expected;
    reg busy_expected_field;
    wire [3:0] served;
    reg [3:0] served_expected;
    reg [3:0] served_expected_field;
    wire [9:0] y0;
    reg [9:0] y0_expected;
    reg [9:0] y0_expected_field;
    wire y0_valid;
    reg y0_valid_expected;
    reg y0_valid_expected_field;
    wire [9:0] y1;
    reg [9:0] y1_expected;
    reg [9:0] y1_expected_field;
    wire y1_valid;
    reg y1_valid_expected;
    reg y1_valid_expected_field;
    wire [9:0] y2;
    reg [9:0] y2_expected;
    reg [9:0] y2_expected_field;
    wire y2_valid;
    reg y2_valid_expected;
    reg y2_valid_expected_field;
    wire [9:0] y3;
    reg [9:0] y3_expected;
    reg [9:0] y3_expected_field;
    wire y3_valid;
    reg y3_valid_expected;
    reg y3_valid_expected_field;
    wire starved;
    reg starved_expected;
    reg starved_expected_field;
    wire [3:0] take;
    reg [3:0] take_expected;
    reg [3:0] take_expected_field;
    wire [3:0] give;
    reg [3:0] give_expected;
    reg [3:0] give_expected_field;
    wire [7:0] give0;
    reg [7:0] give0_expected;
    reg [7:0] give0_expected_field;
    wire [7:0] give1;
    reg [7:0] give1_expected;
    reg [7:0] give1_expected_field;
    wire [7:0] give2;
    reg [7:0] give2_expected;
    reg [7:0] give2_expected_field;
    wire [7:0] give3;
    reg [7:0] give3_expected;
    reg [7:0] give3_expected_field;
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

    rename_table_w48_r63_p1024_h0 uut (
        .clock(clock),
        .clear(clear),
        .exempt(exempt),
        .warp(warp),
        .launch(launch),
        .exit(exit),
        .x0(x0),
        .x0_valid(x0_valid),
        .x0_release(x0_release),
        .x1(x1),
        .x1_valid(x1_valid),
        .x1_release(x1_release),
        .x2(x2),
        .x2_valid(x2_valid),
        .x2_release(x2_release),
        .x3(x3),
        .x3_valid(x3_valid),
        .x3_partial(x3_partial),
        .offer_valid(offer_valid),
        .offer0(offer0),
        .offer1(offer1),
        .offer2(offer2),
        .offer3(offer3),
        .busy(busy),
        .served(served),
        .y0(y0),
        .y0_valid(y0_valid),
        .y1(y1),
        .y1_valid(y1_valid),
        .y2(y2),
        .y2_valid(y2_valid),
        .y3(y3),
        .y3_valid(y3_valid),
        .starved(starved),
        .take(take),
        .give(give),
        .give0(give0),
        .give1(give1),
        .give2(give2),
        .give3(give3)
    );

    wire wrong = (busy !== busy_expected)
        || (served !== served_expected)
        || (y0 !== y0_expected)
        || (y0_valid !== y0_valid_expected)
        || (y1 !== y1_expected)
        || (y1_valid !== y1_valid_expected)
        || (y2 !== y2_expected)
        || (y2_valid !== y2_valid_expected)
        || (y3 !== y3_expected)
        || (y3_valid !== y3_valid_expected)
        || (starved !== starved_expected)
        || (take !== take_expected)
        || (give !== give_expected)
        || (give0 !== give0_expected)
        || (give1 !== give1_expected)
        || (give2 !== give2_expected)
        || (give3 !== give3_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (busy !== busy_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: busy is %h, expected %h", row, busy, busy_expected);
            if (served !== served_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: served is %h, expected %h", row, served, served_expected);
            if (y0 !== y0_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: y0 is %h, expected %h", row, y0, y0_expected);
            if (y0_valid !== y0_valid_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: y0_valid is %h, expected %h", row, y0_valid, y0_valid_expected);
            if (y1 !== y1_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: y1 is %h, expected %h", row, y1, y1_expected);
            if (y1_valid !== y1_valid_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: y1_valid is %h, expected %h", row, y1_valid, y1_valid_expected);
            if (y2 !== y2_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: y2 is %h, expected %h", row, y2, y2_expected);
            if (y2_valid !== y2_valid_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: y2_valid is %h, expected %h", row, y2_valid, y2_valid_expected);
            if (y3 !== y3_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: y3 is %h, expected %h", row, y3, y3_expected);
            if (y3_valid !== y3_valid_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: y3_valid is %h, expected %h", row, y3_valid, y3_valid_expected);
            if (starved !== starved_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: starved is %h, expected %h", row, starved, starved_expected);
            if (take !== take_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: take is %h, expected %h", row, take, take_expected);
            if (give !== give_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: give is %h, expected %h", row, give, give_expected);
            if (give0 !== give0_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: give0 is %h, expected %h", row, give0, give0_expected);
            if (give1 !== give1_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: give1 is %h, expected %h", row, give1, give1_expected);
            if (give2 !== give2_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: give2 is %h, expected %h", row, give2, give2_expected);
            if (give3 !== give3_expected)
                $display("rename_table_w48_r63_p1024_h0 row %0d: give3 is %h, expected %h", row, give3, give3_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS rename_table_w48_r63_p1024_h0: %0d rows", row);
        else $display("FAIL rename_table_w48_r63_p1024_h0: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                exempt_field,
                warp_field,
                launch_field,
                exit_field,
                x0_field,
                x0_valid_field,
                x0_release_field,
                x1_field,
                x1_valid_field,
                x1_release_field,
                x2_field,
                x2_valid_field,
                x2_release_field,
                x3_field,
                x3_valid_field,
                x3_partial_field,
                offer_valid_field,
                offer0_field,
                offer1_field,
                offer2_field,
                offer3_field,
                busy_expected_field,
                served_expected_field,
                y0_expected_field,
                y0_valid_expected_field,
                y1_expected_field,
                y1_valid_expected_field,
                y2_expected_field,
                y2_valid_expected_field,
                y3_expected_field,
                y3_valid_expected_field,
                starved_expected_field,
                take_expected_field,
                give_expected_field,
                give0_expected_field,
                give1_expected_field,
                give2_expected_field,
                give3_expected_field);
            more = fields == 40;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                exempt = exempt_field;
                warp = warp_field;
                launch = launch_field;
                exit = exit_field;
                x0 = x0_field;
                x0_valid = x0_valid_field;
                x0_release = x0_release_field;
                x1 = x1_field;
                x1_valid = x1_valid_field;
                x1_release = x1_release_field;
                x2 = x2_field;
                x2_valid = x2_valid_field;
                x2_release = x2_release_field;
                x3 = x3_field;
                x3_valid = x3_valid_field;
                x3_partial = x3_partial_field;
                offer_valid = offer_valid_field;
                offer0 = offer0_field;
                offer1 = offer1_field;
                offer2 = offer2_field;
                offer3 = offer3_field;
                busy_expected = busy_expected_field;
                served_expected = served_expected_field;
                y0_expected = y0_expected_field;
                y0_valid_expected = y0_valid_expected_field;
                y1_expected = y1_expected_field;
                y1_valid_expected = y1_valid_expected_field;
                y2_expected = y2_expected_field;
                y2_valid_expected = y2_valid_expected_field;
                y3_expected = y3_expected_field;
                y3_valid_expected = y3_valid_expected_field;
                starved_expected = starved_expected_field;
                take_expected = take_expected_field;
                give_expected = give_expected_field;
                give0_expected = give0_expected_field;
                give1_expected = give1_expected_field;
                give2_expected = give2_expected_field;
                give3_expected = give3_expected_field;
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
