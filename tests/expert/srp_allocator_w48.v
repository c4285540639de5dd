module srp_allocator_w48(
    input wire clock, clear,
    input wire [5:0] section_count,
    input wire favor_b,
    input wire a_valid, a_release,
    input wire [5:0] a_warp,
    input wire b_valid, b_release,
    input wire [5:0] b_warp,
    output wire a_grant, a_held,
    output wire [5:0] a_section,
    output wire b_grant, b_held,
    output wire [5:0] b_section
);
    reg [47:0] status = 0;
    reg [47:0] taken = 0;
    reg [5:0] lut [0:47];
    integer i;
    initial for (i = 0; i < 48; i = i + 1) lut[i] = 0;

    // The lowest section that is free, by halves.
    wire [63:0] free = {16'b0, ~taken};
    wire [5:0] index;
    assign index[5] = ~|free[31:0];
    wire [31:0] f5 = index[5] ? free[63:32] : free[31:0];
    assign index[4] = ~|f5[15:0];
    wire [15:0] f4 = index[4] ? f5[31:16] : f5[15:0];
    assign index[3] = ~|f4[7:0];
    wire [7:0] f3 = index[3] ? f4[15:8] : f4[7:0];
    assign index[2] = ~|f3[3:0];
    wire [3:0] f2 = index[2] ? f3[7:4] : f3[3:0];
    assign index[1] = ~|f2[1:0];
    assign index[0] = index[1] ? ~f2[2] : ~f2[0];
    wire found = ~&taken;

    wire a_exists = ~&a_warp[5:4];
    wire b_exists = ~&b_warp[5:4];
    wire [63:0] padded = {16'b0, status};
    assign a_held = padded[a_warp];
    assign b_held = padded[b_warp];
    wire a_ok = a_valid & a_exists & ~clear;
    wire b_ok = b_valid & b_exists & ~clear & ~(a_valid & a_warp == b_warp);
    wire a_changes = a_held == a_release;
    wire b_changes = b_held == b_release;
    wire a_rel = a_ok & a_held & a_release;
    wire b_rel = b_ok & b_held & b_release;
    wire a_acq = a_ok & ~a_held & ~a_release;
    wire b_acq = b_ok & ~b_held & ~b_release;
    wire a_frees = a_rel & ~(b_rel & favor_b);
    wire b_frees = b_rel & ~(a_rel & ~favor_b);
    wire a_takes = a_acq & found & ~b_rel & ~(b_acq & favor_b);
    wire b_takes = b_acq & found & ~a_rel & ~(a_acq & ~favor_b);
    assign a_grant = a_ok & ~a_changes | a_frees | a_takes;
    assign b_grant = b_ok & ~b_changes | b_frees | b_takes;
    wire [5:0] a_row = a_exists ? lut[a_warp] : 6'b0;
    wire [5:0] b_row = b_exists ? lut[b_warp] : 6'b0;
    assign a_section = a_held ? a_row : a_takes ? index : 6'b0;
    assign b_section = b_held ? b_row : b_takes ? index : 6'b0;

    wire takes = a_takes | b_takes;
    wire frees = a_frees | b_frees;
    wire [5:0] warp = a_takes | a_frees ? a_warp : b_warp;
    wire [5:0] section = takes ? index : a_frees ? a_row : b_row;
    always @(posedge clock) begin
        if (clear) begin
            status <= 0;
            for (i = 0; i < 48; i = i + 1) taken[i] <= i >= section_count;
        end else begin
            if (takes | frees) begin
                status[warp] <= takes;
                taken[section] <= takes;
            end
        end
        if (takes) lut[warp] <= index;
    end
endmodule
