// Self-checking bench of scratchpad_lock_w16_c8. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module scratchpad_lock_w16_c8_tb #(parameter VECTORS = "scratchpad_lock_w16_c8_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg share;
    reg share_field;
    reg [3:0] warps_per_cta;
    reg [3:0] warps_per_cta_field;
    reg [16:0] private_bytes;
    reg [16:0] private_bytes_field;
    reg pair;
    reg pair_field;
    reg exit;
    reg exit_field;
    reg [2:0] cta;
    reg [2:0] cta_field;
    reg [2:0] partner;
    reg [2:0] partner_field;
    reg favor_b;
    reg favor_b_field;
    reg a_valid;
    reg a_valid_field;
    reg [3:0] a_warp;
    reg [3:0] a_warp_field;
    reg [16:0] a_address;
    reg [16:0] a_address_field;
    reg b_valid;
    reg b_valid_field;
    reg [3:0] b_warp;
    reg [3:0] b_warp_field;
    reg [16:0] b_address;
    reg [16:0] b_address_field;
    wire pair_grant;
    reg pair_grant_expected;
    reg pair_grant_expected_field;
    wire a_grant;
    reg a_grant_expected;
    reg a_grant_expected_field;
    wire a_held;
    reg a_held_expected;
    reg a_held_expected_field;
    wire b_grant;
    reg b_grant_expected;
    reg b_grant_expected_field;
    wire b_held;
    reg b_held_expected;
    reg b_held_expected_field;
    wire sharing;
    reg sharing_expected;
    reg sharing_expected_field;
    wire [15:0] shared;
    reg [15:0] shared_expected;
    reg [15:0] shared_expected_field;
    wire [15:0] owner;
    reg [15:0] owner_expected;
    reg [15:0] owner_expected_field;
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

    scratchpad_lock_w16_c8 uut (
        .clock(clock),
        .clear(clear),
        .share(share),
        .warps_per_cta(warps_per_cta),
        .private_bytes(private_bytes),
        .pair(pair),
        .exit(exit),
        .cta(cta),
        .partner(partner),
        .favor_b(favor_b),
        .a_valid(a_valid),
        .a_warp(a_warp),
        .a_address(a_address),
        .b_valid(b_valid),
        .b_warp(b_warp),
        .b_address(b_address),
        .pair_grant(pair_grant),
        .a_grant(a_grant),
        .a_held(a_held),
        .b_grant(b_grant),
        .b_held(b_held),
        .sharing(sharing),
        .shared(shared),
        .owner(owner)
    );

    wire wrong = (pair_grant !== pair_grant_expected)
        || (a_grant !== a_grant_expected)
        || (a_held !== a_held_expected)
        || (b_grant !== b_grant_expected)
        || (b_held !== b_held_expected)
        || (sharing !== sharing_expected)
        || (shared !== shared_expected)
        || (owner !== owner_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (pair_grant !== pair_grant_expected)
                $display("scratchpad_lock_w16_c8 row %0d: pair_grant is %h, expected %h", row, pair_grant, pair_grant_expected);
            if (a_grant !== a_grant_expected)
                $display("scratchpad_lock_w16_c8 row %0d: a_grant is %h, expected %h", row, a_grant, a_grant_expected);
            if (a_held !== a_held_expected)
                $display("scratchpad_lock_w16_c8 row %0d: a_held is %h, expected %h", row, a_held, a_held_expected);
            if (b_grant !== b_grant_expected)
                $display("scratchpad_lock_w16_c8 row %0d: b_grant is %h, expected %h", row, b_grant, b_grant_expected);
            if (b_held !== b_held_expected)
                $display("scratchpad_lock_w16_c8 row %0d: b_held is %h, expected %h", row, b_held, b_held_expected);
            if (sharing !== sharing_expected)
                $display("scratchpad_lock_w16_c8 row %0d: sharing is %h, expected %h", row, sharing, sharing_expected);
            if (shared !== shared_expected)
                $display("scratchpad_lock_w16_c8 row %0d: shared is %h, expected %h", row, shared, shared_expected);
            if (owner !== owner_expected)
                $display("scratchpad_lock_w16_c8 row %0d: owner is %h, expected %h", row, owner, owner_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS scratchpad_lock_w16_c8: %0d rows", row);
        else $display("FAIL scratchpad_lock_w16_c8: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                share_field,
                warps_per_cta_field,
                private_bytes_field,
                pair_field,
                exit_field,
                cta_field,
                partner_field,
                favor_b_field,
                a_valid_field,
                a_warp_field,
                a_address_field,
                b_valid_field,
                b_warp_field,
                b_address_field,
                pair_grant_expected_field,
                a_grant_expected_field,
                a_held_expected_field,
                b_grant_expected_field,
                b_held_expected_field,
                sharing_expected_field,
                shared_expected_field,
                owner_expected_field);
            more = fields == 24;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                share = share_field;
                warps_per_cta = warps_per_cta_field;
                private_bytes = private_bytes_field;
                pair = pair_field;
                exit = exit_field;
                cta = cta_field;
                partner = partner_field;
                favor_b = favor_b_field;
                a_valid = a_valid_field;
                a_warp = a_warp_field;
                a_address = a_address_field;
                b_valid = b_valid_field;
                b_warp = b_warp_field;
                b_address = b_address_field;
                pair_grant_expected = pair_grant_expected_field;
                a_grant_expected = a_grant_expected_field;
                a_held_expected = a_held_expected_field;
                b_grant_expected = b_grant_expected_field;
                b_held_expected = b_held_expected_field;
                sharing_expected = sharing_expected_field;
                shared_expected = shared_expected_field;
                owner_expected = owner_expected_field;
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
