// Self-checking bench of warp_priority_w48_s2. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module warp_priority_w48_s2_tb #(parameter VECTORS = "warp_priority_w48_s2_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg [47:0] launch;
    reg [47:0] launch_field;
    reg [47:0] ready;
    reg [47:0] ready_field;
    reg [47:0] shared;
    reg [47:0] shared_field;
    reg [47:0] owner;
    reg [47:0] owner_field;
    wire [1:0] chosen_valid;
    reg [1:0] chosen_valid_expected;
    reg [1:0] chosen_valid_expected_field;
    wire [11:0] chosen;
    reg [11:0] chosen_expected;
    reg [11:0] chosen_expected_field;
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

    warp_priority_w48_s2 uut (
        .clock(clock),
        .clear(clear),
        .launch(launch),
        .ready(ready),
        .shared(shared),
        .owner(owner),
        .chosen_valid(chosen_valid),
        .chosen(chosen)
    );

    wire wrong = (chosen_valid !== chosen_valid_expected)
        || (chosen !== chosen_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (chosen_valid !== chosen_valid_expected)
                $display("warp_priority_w48_s2 row %0d: chosen_valid is %h, expected %h", row, chosen_valid, chosen_valid_expected);
            if (chosen !== chosen_expected)
                $display("warp_priority_w48_s2 row %0d: chosen is %h, expected %h", row, chosen, chosen_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS warp_priority_w48_s2: %0d rows", row);
        else $display("FAIL warp_priority_w48_s2: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                launch_field,
                ready_field,
                shared_field,
                owner_field,
                chosen_valid_expected_field,
                chosen_expected_field);
            more = fields == 8;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                launch = launch_field;
                ready = ready_field;
                shared = shared_field;
                owner = owner_field;
                chosen_valid_expected = chosen_valid_expected_field;
                chosen_expected = chosen_expected_field;
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
