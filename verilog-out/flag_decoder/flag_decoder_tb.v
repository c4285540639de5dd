// Self-checking bench of flag_decoder. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module flag_decoder_tb #(parameter VECTORS = "flag_decoder_vectors.txt");
    reg [63:0] word;
    reg [63:0] word_field;
    reg [4:0] slot;
    reg [4:0] slot_field;
    reg [1:0] turn;
    reg [1:0] turn_field;
    wire pir;
    reg pir_expected;
    reg pir_expected_field;
    wire pbr;
    reg pbr_expected;
    reg pbr_expected_field;
    wire [53:0] payload;
    reg [53:0] payload_expected;
    reg [53:0] payload_expected_field;
    wire [2:0] flags;
    reg [2:0] flags_expected;
    reg [2:0] flags_expected_field;
    wire [5:0] x0;
    reg [5:0] x0_expected;
    reg [5:0] x0_expected_field;
    wire x0_valid;
    reg x0_valid_expected;
    reg x0_valid_expected_field;
    wire [5:0] x1;
    reg [5:0] x1_expected;
    reg [5:0] x1_expected_field;
    wire x1_valid;
    reg x1_valid_expected;
    reg x1_valid_expected_field;
    wire [5:0] x2;
    reg [5:0] x2_expected;
    reg [5:0] x2_expected_field;
    wire x2_valid;
    reg x2_valid_expected;
    reg x2_valid_expected_field;
    wire [1:0] turns;
    reg [1:0] turns_expected;
    reg [1:0] turns_expected_field;
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

    flag_decoder uut (
        .word(word),
        .slot(slot),
        .turn(turn),
        .pir(pir),
        .pbr(pbr),
        .payload(payload),
        .flags(flags),
        .x0(x0),
        .x0_valid(x0_valid),
        .x1(x1),
        .x1_valid(x1_valid),
        .x2(x2),
        .x2_valid(x2_valid),
        .turns(turns)
    );

    wire wrong = (pir !== pir_expected)
        || (pbr !== pbr_expected)
        || (payload !== payload_expected)
        || (flags !== flags_expected)
        || (x0 !== x0_expected)
        || (x0_valid !== x0_valid_expected)
        || (x1 !== x1_expected)
        || (x1_valid !== x1_valid_expected)
        || (x2 !== x2_expected)
        || (x2_valid !== x2_valid_expected)
        || (turns !== turns_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (pir !== pir_expected)
                $display("flag_decoder row %0d: pir is %h, expected %h", row, pir, pir_expected);
            if (pbr !== pbr_expected)
                $display("flag_decoder row %0d: pbr is %h, expected %h", row, pbr, pbr_expected);
            if (payload !== payload_expected)
                $display("flag_decoder row %0d: payload is %h, expected %h", row, payload, payload_expected);
            if (flags !== flags_expected)
                $display("flag_decoder row %0d: flags is %h, expected %h", row, flags, flags_expected);
            if (x0 !== x0_expected)
                $display("flag_decoder row %0d: x0 is %h, expected %h", row, x0, x0_expected);
            if (x0_valid !== x0_valid_expected)
                $display("flag_decoder row %0d: x0_valid is %h, expected %h", row, x0_valid, x0_valid_expected);
            if (x1 !== x1_expected)
                $display("flag_decoder row %0d: x1 is %h, expected %h", row, x1, x1_expected);
            if (x1_valid !== x1_valid_expected)
                $display("flag_decoder row %0d: x1_valid is %h, expected %h", row, x1_valid, x1_valid_expected);
            if (x2 !== x2_expected)
                $display("flag_decoder row %0d: x2 is %h, expected %h", row, x2, x2_expected);
            if (x2_valid !== x2_valid_expected)
                $display("flag_decoder row %0d: x2_valid is %h, expected %h", row, x2_valid, x2_valid_expected);
            if (turns !== turns_expected)
                $display("flag_decoder row %0d: turns is %h, expected %h", row, turns, turns_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS flag_decoder: %0d rows", row);
        else $display("FAIL flag_decoder: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                word_field,
                slot_field,
                turn_field,
                pir_expected_field,
                pbr_expected_field,
                payload_expected_field,
                flags_expected_field,
                x0_expected_field,
                x0_valid_expected_field,
                x1_expected_field,
                x1_valid_expected_field,
                x2_expected_field,
                x2_valid_expected_field,
                turns_expected_field);
            more = fields == 15;
            if (more) begin
                at_edge = at_edge_field;
                word = word_field;
                slot = slot_field;
                turn = turn_field;
                pir_expected = pir_expected_field;
                pbr_expected = pbr_expected_field;
                payload_expected = payload_expected_field;
                flags_expected = flags_expected_field;
                x0_expected = x0_expected_field;
                x0_valid_expected = x0_valid_expected_field;
                x1_expected = x1_expected_field;
                x1_valid_expected = x1_valid_expected_field;
                x2_expected = x2_expected_field;
                x2_valid_expected = x2_valid_expected_field;
                turns_expected = turns_expected_field;
                #1 strobe = 1'b1;
                #1 strobe = 1'b0;
                #1 row = row + 1;
            end
        end
        if (file != 0) $fclose(file);
        #1 finish = 1'b1;
    end
endmodule
