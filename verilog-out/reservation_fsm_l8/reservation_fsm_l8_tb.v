// Self-checking bench of reservation_fsm_l8. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module reservation_fsm_l8_tb #(parameter VECTORS = "reservation_fsm_l8_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg [2:0] top;
    reg [2:0] top_field;
    reg known;
    reg known_field;
    reg [2:0] known_level;
    reg [2:0] known_level_field;
    reg again;
    reg again_field;
    reg done;
    reg done_field;
    reg [2:0] done_level;
    reg [2:0] done_level_field;
    reg [31:0] done_cycles;
    reg [31:0] done_cycles_field;
    reg launch;
    reg launch_field;
    reg launch_high;
    reg launch_high_field;
    wire [2:0] level;
    reg [2:0] level_expected;
    reg [2:0] level_expected_field;
    wire best_valid;
    reg best_valid_expected;
    reg best_valid_expected_field;
    wire [2:0] best;
    reg [2:0] best_expected;
    reg [2:0] best_expected_field;
    wire [2:0] low_level;
    reg [2:0] low_level_expected;
    reg [2:0] low_level_expected_field;
    wire [2:0] high_level;
    reg [2:0] high_level_expected;
    reg [2:0] high_level_expected_field;
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

    reservation_fsm_l8 uut (
        .clock(clock),
        .clear(clear),
        .top(top),
        .known(known),
        .known_level(known_level),
        .again(again),
        .done(done),
        .done_level(done_level),
        .done_cycles(done_cycles),
        .launch(launch),
        .launch_high(launch_high),
        .level(level),
        .best_valid(best_valid),
        .best(best),
        .low_level(low_level),
        .high_level(high_level)
    );

    wire wrong = (level !== level_expected)
        || (best_valid !== best_valid_expected)
        || (best !== best_expected)
        || (low_level !== low_level_expected)
        || (high_level !== high_level_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (level !== level_expected)
                $display("reservation_fsm_l8 row %0d: level is %h, expected %h", row, level, level_expected);
            if (best_valid !== best_valid_expected)
                $display("reservation_fsm_l8 row %0d: best_valid is %h, expected %h", row, best_valid, best_valid_expected);
            if (best !== best_expected)
                $display("reservation_fsm_l8 row %0d: best is %h, expected %h", row, best, best_expected);
            if (low_level !== low_level_expected)
                $display("reservation_fsm_l8 row %0d: low_level is %h, expected %h", row, low_level, low_level_expected);
            if (high_level !== high_level_expected)
                $display("reservation_fsm_l8 row %0d: high_level is %h, expected %h", row, high_level, high_level_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS reservation_fsm_l8: %0d rows", row);
        else $display("FAIL reservation_fsm_l8: %0d of %0d rows differ", errors, row);
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
                top_field,
                known_field,
                known_level_field,
                again_field,
                done_field,
                done_level_field,
                done_cycles_field,
                launch_field,
                launch_high_field,
                level_expected_field,
                best_valid_expected_field,
                best_expected_field,
                low_level_expected_field,
                high_level_expected_field);
            more = fields == 16;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                top = top_field;
                known = known_field;
                known_level = known_level_field;
                again = again_field;
                done = done_field;
                done_level = done_level_field;
                done_cycles = done_cycles_field;
                launch = launch_field;
                launch_high = launch_high_field;
                level_expected = level_expected_field;
                best_valid_expected = best_valid_expected_field;
                best_expected = best_expected_field;
                low_level_expected = low_level_expected_field;
                high_level_expected = high_level_expected_field;
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
