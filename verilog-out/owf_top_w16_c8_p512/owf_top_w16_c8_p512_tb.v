// Self-checking bench of owf_top_w16_c8_p512. Generated; do not edit. Reads a line per row: edge flag, inputs,
// expected outputs, hexadecimal, in port order; from the file VECTORS.
`timescale 1ns / 1ps

module owf_top_w16_c8_p512_tb #(parameter VECTORS = "owf_top_w16_c8_p512_vectors.txt");
    reg clock;
    reg clear;
    reg clear_field;
    reg share_regs;
    reg share_regs_field;
    reg share_scratchpad;
    reg share_scratchpad_field;
    reg [3:0] warps_per_cta;
    reg [3:0] warps_per_cta_field;
    reg [7:0] base_regs;
    reg [7:0] base_regs_field;
    reg [7:0] ext_regs;
    reg [7:0] ext_regs_field;
    reg [8:0] upper_offset;
    reg [8:0] upper_offset_field;
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
    reg [15:0] launch;
    reg [15:0] launch_field;
    reg [15:0] ready;
    reg [15:0] ready_field;
    reg sm_zero;
    reg sm_zero_field;
    reg stall;
    reg stall_field;
    reg [9:0] zero_stalls;
    reg [9:0] zero_stalls_field;
    reg favor_b;
    reg favor_b_field;
    reg a_valid;
    reg a_valid_field;
    reg a_exit;
    reg a_exit_field;
    reg a_memory;
    reg a_memory_field;
    reg a_scratch;
    reg a_scratch_field;
    reg [16:0] a_address;
    reg [16:0] a_address_field;
    reg [3:0] a_warp;
    reg [3:0] a_warp_field;
    reg [7:0] a_x0;
    reg [7:0] a_x0_field;
    reg a_x0_valid;
    reg a_x0_valid_field;
    reg [7:0] a_x1;
    reg [7:0] a_x1_field;
    reg a_x1_valid;
    reg a_x1_valid_field;
    reg [7:0] a_x2;
    reg [7:0] a_x2_field;
    reg a_x2_valid;
    reg a_x2_valid_field;
    reg [7:0] a_x3;
    reg [7:0] a_x3_field;
    reg a_x3_valid;
    reg a_x3_valid_field;
    reg b_valid;
    reg b_valid_field;
    reg b_exit;
    reg b_exit_field;
    reg b_memory;
    reg b_memory_field;
    reg b_scratch;
    reg b_scratch_field;
    reg [16:0] b_address;
    reg [16:0] b_address_field;
    reg [3:0] b_warp;
    reg [3:0] b_warp_field;
    reg [7:0] b_x0;
    reg [7:0] b_x0_field;
    reg b_x0_valid;
    reg b_x0_valid_field;
    reg [7:0] b_x1;
    reg [7:0] b_x1_field;
    reg b_x1_valid;
    reg b_x1_valid_field;
    reg [7:0] b_x2;
    reg [7:0] b_x2_field;
    reg b_x2_valid;
    reg b_x2_valid_field;
    reg [7:0] b_x3;
    reg [7:0] b_x3_field;
    reg b_x3_valid;
    reg b_x3_valid_field;
    wire pair_grant;
    reg pair_grant_expected;
    reg pair_grant_expected_field;
    wire sharing;
    reg sharing_expected;
    reg sharing_expected_field;
    wire [15:0] shared;
    reg [15:0] shared_expected;
    reg [15:0] shared_expected_field;
    wire [15:0] owner;
    reg [15:0] owner_expected;
    reg [15:0] owner_expected_field;
    wire [1:0] chosen_valid;
    reg [1:0] chosen_valid_expected;
    reg [1:0] chosen_valid_expected_field;
    wire [7:0] chosen;
    reg [7:0] chosen_expected;
    reg [7:0] chosen_expected_field;
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
    wire a_grant;
    reg a_grant_expected;
    reg a_grant_expected_field;
    wire a_held;
    reg a_held_expected;
    reg a_held_expected_field;
    wire [8:0] a_y0;
    reg [8:0] a_y0_expected;
    reg [8:0] a_y0_expected_field;
    wire a_y0_valid;
    reg a_y0_valid_expected;
    reg a_y0_valid_expected_field;
    wire [8:0] a_y1;
    reg [8:0] a_y1_expected;
    reg [8:0] a_y1_expected_field;
    wire a_y1_valid;
    reg a_y1_valid_expected;
    reg a_y1_valid_expected_field;
    wire [8:0] a_y2;
    reg [8:0] a_y2_expected;
    reg [8:0] a_y2_expected_field;
    wire a_y2_valid;
    reg a_y2_valid_expected;
    reg a_y2_valid_expected_field;
    wire [8:0] a_y3;
    reg [8:0] a_y3_expected;
    reg [8:0] a_y3_expected_field;
    wire a_y3_valid;
    reg a_y3_valid_expected;
    reg a_y3_valid_expected_field;
    wire b_grant;
    reg b_grant_expected;
    reg b_grant_expected_field;
    wire b_held;
    reg b_held_expected;
    reg b_held_expected_field;
    wire [8:0] b_y0;
    reg [8:0] b_y0_expected;
    reg [8:0] b_y0_expected_field;
    wire b_y0_valid;
    reg b_y0_valid_expected;
    reg b_y0_valid_expected_field;
    wire [8:0] b_y1;
    reg [8:0] b_y1_expected;
    reg [8:0] b_y1_expected_field;
    wire b_y1_valid;
    reg b_y1_valid_expected;
    reg b_y1_valid_expected_field;
    wire [8:0] b_y2;
    reg [8:0] b_y2_expected;
    reg [8:0] b_y2_expected_field;
    wire b_y2_valid;
    reg b_y2_valid_expected;
    reg b_y2_valid_expected_field;
    wire [8:0] b_y3;
    reg [8:0] b_y3_expected;
    reg [8:0] b_y3_expected_field;
    wire b_y3_valid;
    reg b_y3_valid_expected;
    reg b_y3_valid_expected_field;
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

    owf_top_w16_c8_p512 uut (
        .clock(clock),
        .clear(clear),
        .share_regs(share_regs),
        .share_scratchpad(share_scratchpad),
        .warps_per_cta(warps_per_cta),
        .base_regs(base_regs),
        .ext_regs(ext_regs),
        .upper_offset(upper_offset),
        .private_bytes(private_bytes),
        .pair(pair),
        .exit(exit),
        .cta(cta),
        .partner(partner),
        .launch(launch),
        .ready(ready),
        .sm_zero(sm_zero),
        .stall(stall),
        .zero_stalls(zero_stalls),
        .favor_b(favor_b),
        .a_valid(a_valid),
        .a_exit(a_exit),
        .a_memory(a_memory),
        .a_scratch(a_scratch),
        .a_address(a_address),
        .a_warp(a_warp),
        .a_x0(a_x0),
        .a_x0_valid(a_x0_valid),
        .a_x1(a_x1),
        .a_x1_valid(a_x1_valid),
        .a_x2(a_x2),
        .a_x2_valid(a_x2_valid),
        .a_x3(a_x3),
        .a_x3_valid(a_x3_valid),
        .b_valid(b_valid),
        .b_exit(b_exit),
        .b_memory(b_memory),
        .b_scratch(b_scratch),
        .b_address(b_address),
        .b_warp(b_warp),
        .b_x0(b_x0),
        .b_x0_valid(b_x0_valid),
        .b_x1(b_x1),
        .b_x1_valid(b_x1_valid),
        .b_x2(b_x2),
        .b_x2_valid(b_x2_valid),
        .b_x3(b_x3),
        .b_x3_valid(b_x3_valid),
        .pair_grant(pair_grant),
        .sharing(sharing),
        .shared(shared),
        .owner(owner),
        .chosen_valid(chosen_valid),
        .chosen(chosen),
        .memory_allowed(memory_allowed),
        .tenths(tenths),
        .compares(compares),
        .stalls(stalls),
        .a_grant(a_grant),
        .a_held(a_held),
        .a_y0(a_y0),
        .a_y0_valid(a_y0_valid),
        .a_y1(a_y1),
        .a_y1_valid(a_y1_valid),
        .a_y2(a_y2),
        .a_y2_valid(a_y2_valid),
        .a_y3(a_y3),
        .a_y3_valid(a_y3_valid),
        .b_grant(b_grant),
        .b_held(b_held),
        .b_y0(b_y0),
        .b_y0_valid(b_y0_valid),
        .b_y1(b_y1),
        .b_y1_valid(b_y1_valid),
        .b_y2(b_y2),
        .b_y2_valid(b_y2_valid),
        .b_y3(b_y3),
        .b_y3_valid(b_y3_valid)
    );

    wire wrong = (pair_grant !== pair_grant_expected)
        || (sharing !== sharing_expected)
        || (shared !== shared_expected)
        || (owner !== owner_expected)
        || (chosen_valid !== chosen_valid_expected)
        || (chosen !== chosen_expected)
        || (memory_allowed !== memory_allowed_expected)
        || (tenths !== tenths_expected)
        || (compares !== compares_expected)
        || (stalls !== stalls_expected)
        || (a_grant !== a_grant_expected)
        || (a_held !== a_held_expected)
        || (a_y0 !== a_y0_expected)
        || (a_y0_valid !== a_y0_valid_expected)
        || (a_y1 !== a_y1_expected)
        || (a_y1_valid !== a_y1_valid_expected)
        || (a_y2 !== a_y2_expected)
        || (a_y2_valid !== a_y2_valid_expected)
        || (a_y3 !== a_y3_expected)
        || (a_y3_valid !== a_y3_valid_expected)
        || (b_grant !== b_grant_expected)
        || (b_held !== b_held_expected)
        || (b_y0 !== b_y0_expected)
        || (b_y0_valid !== b_y0_valid_expected)
        || (b_y1 !== b_y1_expected)
        || (b_y1_valid !== b_y1_valid_expected)
        || (b_y2 !== b_y2_expected)
        || (b_y2_valid !== b_y2_valid_expected)
        || (b_y3 !== b_y3_expected)
        || (b_y3_valid !== b_y3_valid_expected);

    always @(posedge start) errors = 0;

    always @(posedge strobe) begin
        if (wrong) errors = errors + 1;
        if (wrong && errors <= 10) begin
            if (pair_grant !== pair_grant_expected)
                $display("owf_top_w16_c8_p512 row %0d: pair_grant is %h, expected %h", row, pair_grant, pair_grant_expected);
            if (sharing !== sharing_expected)
                $display("owf_top_w16_c8_p512 row %0d: sharing is %h, expected %h", row, sharing, sharing_expected);
            if (shared !== shared_expected)
                $display("owf_top_w16_c8_p512 row %0d: shared is %h, expected %h", row, shared, shared_expected);
            if (owner !== owner_expected)
                $display("owf_top_w16_c8_p512 row %0d: owner is %h, expected %h", row, owner, owner_expected);
            if (chosen_valid !== chosen_valid_expected)
                $display("owf_top_w16_c8_p512 row %0d: chosen_valid is %h, expected %h", row, chosen_valid, chosen_valid_expected);
            if (chosen !== chosen_expected)
                $display("owf_top_w16_c8_p512 row %0d: chosen is %h, expected %h", row, chosen, chosen_expected);
            if (memory_allowed !== memory_allowed_expected)
                $display("owf_top_w16_c8_p512 row %0d: memory_allowed is %h, expected %h", row, memory_allowed, memory_allowed_expected);
            if (tenths !== tenths_expected)
                $display("owf_top_w16_c8_p512 row %0d: tenths is %h, expected %h", row, tenths, tenths_expected);
            if (compares !== compares_expected)
                $display("owf_top_w16_c8_p512 row %0d: compares is %h, expected %h", row, compares, compares_expected);
            if (stalls !== stalls_expected)
                $display("owf_top_w16_c8_p512 row %0d: stalls is %h, expected %h", row, stalls, stalls_expected);
            if (a_grant !== a_grant_expected)
                $display("owf_top_w16_c8_p512 row %0d: a_grant is %h, expected %h", row, a_grant, a_grant_expected);
            if (a_held !== a_held_expected)
                $display("owf_top_w16_c8_p512 row %0d: a_held is %h, expected %h", row, a_held, a_held_expected);
            if (a_y0 !== a_y0_expected)
                $display("owf_top_w16_c8_p512 row %0d: a_y0 is %h, expected %h", row, a_y0, a_y0_expected);
            if (a_y0_valid !== a_y0_valid_expected)
                $display("owf_top_w16_c8_p512 row %0d: a_y0_valid is %h, expected %h", row, a_y0_valid, a_y0_valid_expected);
            if (a_y1 !== a_y1_expected)
                $display("owf_top_w16_c8_p512 row %0d: a_y1 is %h, expected %h", row, a_y1, a_y1_expected);
            if (a_y1_valid !== a_y1_valid_expected)
                $display("owf_top_w16_c8_p512 row %0d: a_y1_valid is %h, expected %h", row, a_y1_valid, a_y1_valid_expected);
            if (a_y2 !== a_y2_expected)
                $display("owf_top_w16_c8_p512 row %0d: a_y2 is %h, expected %h", row, a_y2, a_y2_expected);
            if (a_y2_valid !== a_y2_valid_expected)
                $display("owf_top_w16_c8_p512 row %0d: a_y2_valid is %h, expected %h", row, a_y2_valid, a_y2_valid_expected);
            if (a_y3 !== a_y3_expected)
                $display("owf_top_w16_c8_p512 row %0d: a_y3 is %h, expected %h", row, a_y3, a_y3_expected);
            if (a_y3_valid !== a_y3_valid_expected)
                $display("owf_top_w16_c8_p512 row %0d: a_y3_valid is %h, expected %h", row, a_y3_valid, a_y3_valid_expected);
            if (b_grant !== b_grant_expected)
                $display("owf_top_w16_c8_p512 row %0d: b_grant is %h, expected %h", row, b_grant, b_grant_expected);
            if (b_held !== b_held_expected)
                $display("owf_top_w16_c8_p512 row %0d: b_held is %h, expected %h", row, b_held, b_held_expected);
            if (b_y0 !== b_y0_expected)
                $display("owf_top_w16_c8_p512 row %0d: b_y0 is %h, expected %h", row, b_y0, b_y0_expected);
            if (b_y0_valid !== b_y0_valid_expected)
                $display("owf_top_w16_c8_p512 row %0d: b_y0_valid is %h, expected %h", row, b_y0_valid, b_y0_valid_expected);
            if (b_y1 !== b_y1_expected)
                $display("owf_top_w16_c8_p512 row %0d: b_y1 is %h, expected %h", row, b_y1, b_y1_expected);
            if (b_y1_valid !== b_y1_valid_expected)
                $display("owf_top_w16_c8_p512 row %0d: b_y1_valid is %h, expected %h", row, b_y1_valid, b_y1_valid_expected);
            if (b_y2 !== b_y2_expected)
                $display("owf_top_w16_c8_p512 row %0d: b_y2 is %h, expected %h", row, b_y2, b_y2_expected);
            if (b_y2_valid !== b_y2_valid_expected)
                $display("owf_top_w16_c8_p512 row %0d: b_y2_valid is %h, expected %h", row, b_y2_valid, b_y2_valid_expected);
            if (b_y3 !== b_y3_expected)
                $display("owf_top_w16_c8_p512 row %0d: b_y3 is %h, expected %h", row, b_y3, b_y3_expected);
            if (b_y3_valid !== b_y3_valid_expected)
                $display("owf_top_w16_c8_p512 row %0d: b_y3_valid is %h, expected %h", row, b_y3_valid, b_y3_valid_expected);
        end
    end

    always @(posedge finish) begin
        if (row > 0 && errors == 0) $display("PASS owf_top_w16_c8_p512: %0d rows", row);
        else $display("FAIL owf_top_w16_c8_p512: %0d of %0d rows differ", errors, row);
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
            fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h %h\n",
                at_edge_field,
                clear_field,
                share_regs_field,
                share_scratchpad_field,
                warps_per_cta_field,
                base_regs_field,
                ext_regs_field,
                upper_offset_field,
                private_bytes_field,
                pair_field,
                exit_field,
                cta_field,
                partner_field,
                launch_field,
                ready_field,
                sm_zero_field,
                stall_field,
                zero_stalls_field,
                favor_b_field,
                a_valid_field,
                a_exit_field,
                a_memory_field,
                a_scratch_field,
                a_address_field,
                a_warp_field,
                a_x0_field,
                a_x0_valid_field,
                a_x1_field,
                a_x1_valid_field,
                a_x2_field,
                a_x2_valid_field,
                a_x3_field,
                a_x3_valid_field,
                b_valid_field,
                b_exit_field,
                b_memory_field,
                b_scratch_field,
                b_address_field,
                b_warp_field,
                b_x0_field,
                b_x0_valid_field,
                b_x1_field,
                b_x1_valid_field,
                b_x2_field,
                b_x2_valid_field,
                b_x3_field,
                b_x3_valid_field,
                pair_grant_expected_field,
                sharing_expected_field,
                shared_expected_field,
                owner_expected_field,
                chosen_valid_expected_field,
                chosen_expected_field,
                memory_allowed_expected_field,
                tenths_expected_field,
                compares_expected_field,
                stalls_expected_field,
                a_grant_expected_field,
                a_held_expected_field,
                a_y0_expected_field,
                a_y0_valid_expected_field,
                a_y1_expected_field,
                a_y1_valid_expected_field,
                a_y2_expected_field,
                a_y2_valid_expected_field,
                a_y3_expected_field,
                a_y3_valid_expected_field,
                b_grant_expected_field,
                b_held_expected_field,
                b_y0_expected_field,
                b_y0_valid_expected_field,
                b_y1_expected_field,
                b_y1_valid_expected_field,
                b_y2_expected_field,
                b_y2_valid_expected_field,
                b_y3_expected_field,
                b_y3_valid_expected_field);
            more = fields == 77;
            if (more) begin
                at_edge = at_edge_field;
                clear = clear_field;
                share_regs = share_regs_field;
                share_scratchpad = share_scratchpad_field;
                warps_per_cta = warps_per_cta_field;
                base_regs = base_regs_field;
                ext_regs = ext_regs_field;
                upper_offset = upper_offset_field;
                private_bytes = private_bytes_field;
                pair = pair_field;
                exit = exit_field;
                cta = cta_field;
                partner = partner_field;
                launch = launch_field;
                ready = ready_field;
                sm_zero = sm_zero_field;
                stall = stall_field;
                zero_stalls = zero_stalls_field;
                favor_b = favor_b_field;
                a_valid = a_valid_field;
                a_exit = a_exit_field;
                a_memory = a_memory_field;
                a_scratch = a_scratch_field;
                a_address = a_address_field;
                a_warp = a_warp_field;
                a_x0 = a_x0_field;
                a_x0_valid = a_x0_valid_field;
                a_x1 = a_x1_field;
                a_x1_valid = a_x1_valid_field;
                a_x2 = a_x2_field;
                a_x2_valid = a_x2_valid_field;
                a_x3 = a_x3_field;
                a_x3_valid = a_x3_valid_field;
                b_valid = b_valid_field;
                b_exit = b_exit_field;
                b_memory = b_memory_field;
                b_scratch = b_scratch_field;
                b_address = b_address_field;
                b_warp = b_warp_field;
                b_x0 = b_x0_field;
                b_x0_valid = b_x0_valid_field;
                b_x1 = b_x1_field;
                b_x1_valid = b_x1_valid_field;
                b_x2 = b_x2_field;
                b_x2_valid = b_x2_valid_field;
                b_x3 = b_x3_field;
                b_x3_valid = b_x3_valid_field;
                pair_grant_expected = pair_grant_expected_field;
                sharing_expected = sharing_expected_field;
                shared_expected = shared_expected_field;
                owner_expected = owner_expected_field;
                chosen_valid_expected = chosen_valid_expected_field;
                chosen_expected = chosen_expected_field;
                memory_allowed_expected = memory_allowed_expected_field;
                tenths_expected = tenths_expected_field;
                compares_expected = compares_expected_field;
                stalls_expected = stalls_expected_field;
                a_grant_expected = a_grant_expected_field;
                a_held_expected = a_held_expected_field;
                a_y0_expected = a_y0_expected_field;
                a_y0_valid_expected = a_y0_valid_expected_field;
                a_y1_expected = a_y1_expected_field;
                a_y1_valid_expected = a_y1_valid_expected_field;
                a_y2_expected = a_y2_expected_field;
                a_y2_valid_expected = a_y2_valid_expected_field;
                a_y3_expected = a_y3_expected_field;
                a_y3_valid_expected = a_y3_valid_expected_field;
                b_grant_expected = b_grant_expected_field;
                b_held_expected = b_held_expected_field;
                b_y0_expected = b_y0_expected_field;
                b_y0_valid_expected = b_y0_valid_expected_field;
                b_y1_expected = b_y1_expected_field;
                b_y1_valid_expected = b_y1_valid_expected_field;
                b_y2_expected = b_y2_expected_field;
                b_y2_valid_expected = b_y2_valid_expected_field;
                b_y3_expected = b_y3_expected_field;
                b_y3_valid_expected = b_y3_valid_expected_field;
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
