// Self-checking bench of free_list_p64. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module free_list_p64_tb #(parameter VECTORS = "free_list_p64_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg [1:0] shrink;
    reg [1:0] shrink_field;
    reg [4:0] reserved;
    reg [4:0] reserved_field;
    reg [15:0] awake;
    reg [15:0] awake_field;
    reg [3:0] take;
    reg [3:0] take_field;
    reg [3:0] give;
    reg [3:0] give_field;
    reg [3:0] give0;
    reg [3:0] give0_field;
    reg [3:0] give1;
    reg [3:0] give1_field;
    reg [3:0] give2;
    reg [3:0] give2_field;
    reg [3:0] give3;
    reg [3:0] give3_field;
    wire [3:0] offer_valid;
    reg [3:0] offer_valid_expected;
    reg [3:0] offer_valid_expected_field;
    wire [3:0] offer0;
    reg [3:0] offer0_expected;
    reg [3:0] offer0_expected_field;
    wire [3:0] offer1;
    reg [3:0] offer1_expected;
    reg [3:0] offer1_expected_field;
    wire [3:0] offer2;
    reg [3:0] offer2_expected;
    reg [3:0] offer2_expected_field;
    wire [3:0] offer3;
    reg [3:0] offer3_expected;
    reg [3:0] offer3_expected_field;
    wire [15:0] occupied;
    reg [15:0] occupied_expected;
    reg [15:0] occupied_expected_field;
    wire [15:0] request;
    reg [15:0] request_expected;
    reg [15:0] request_expected_field;
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

    free_list_p64 uut (
        .clock(clock),
        .clear(clear),
        .shrink(shrink),
        .reserved(reserved),
        .awake(awake),
        .take(take),
        .give(give),
        .give0(give0),
        .give1(give1),
        .give2(give2),
        .give3(give3),
        .offer_valid(offer_valid),
        .offer0(offer0),
        .offer1(offer1),
        .offer2(offer2),
        .offer3(offer3),
        .occupied(occupied),
        .request(request)
    );

    wire wrong = (offer_valid !== offer_valid_expected)
        || (offer0 !== offer0_expected)
        || (offer1 !== offer1_expected)
        || (offer2 !== offer2_expected)
        || (offer3 !== offer3_expected)
        || (occupied !== occupied_expected)
        || (request !== request_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (offer_valid !== offer_valid_expected)
                $display("free_list_p64 row %0d: offer_valid is %h, expected %h", row, offer_valid, offer_valid_expected);
            if (offer0 !== offer0_expected)
                $display("free_list_p64 row %0d: offer0 is %h, expected %h", row, offer0, offer0_expected);
            if (offer1 !== offer1_expected)
                $display("free_list_p64 row %0d: offer1 is %h, expected %h", row, offer1, offer1_expected);
            if (offer2 !== offer2_expected)
                $display("free_list_p64 row %0d: offer2 is %h, expected %h", row, offer2, offer2_expected);
            if (offer3 !== offer3_expected)
                $display("free_list_p64 row %0d: offer3 is %h, expected %h", row, offer3, offer3_expected);
            if (occupied !== occupied_expected)
                $display("free_list_p64 row %0d: occupied is %h, expected %h", row, occupied, occupied_expected);
            if (request !== request_expected)
                $display("free_list_p64 row %0d: request is %h, expected %h", row, request, request_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS free_list_p64: %0d rows", row);
        else $display("FAIL free_list_p64: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                shrink_field,
                reserved_field,
                awake_field,
                take_field,
                give_field,
                give0_field,
                give1_field,
                give2_field,
                give3_field,
                offer_valid_expected_field,
                offer0_expected_field,
                offer1_expected_field,
                offer2_expected_field,
                offer3_expected_field,
                occupied_expected_field,
                request_expected_field);
            more = fields == 18;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                shrink = shrink_field;
                reserved = reserved_field;
                awake = awake_field;
                take = take_field;
                give = give_field;
                give0 = give0_field;
                give1 = give1_field;
                give2 = give2_field;
                give3 = give3_field;
                offer_valid_expected = offer_valid_expected_field;
                offer0_expected = offer0_expected_field;
                offer1_expected = offer1_expected_field;
                offer2_expected = offer2_expected_field;
                offer3_expected = offer3_expected_field;
                occupied_expected = occupied_expected_field;
                request_expected = request_expected_field;
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
