module safe_paired_lock_w48(
    input wire clock, clear, favor_b,
    input wire a_valid, a_release,
    input wire [5:0] a_warp,
    input wire b_valid, b_release,
    input wire [5:0] b_warp,
    output wire a_grant, a_held, b_grant, b_held
);
    reg [47:0] holds = 0;
    wire [63:0] padded = {16'b0, holds};
    wire a_exists = ~&a_warp[5:4];
    wire b_exists = ~&b_warp[5:4];
    assign a_held = padded[a_warp];
    assign b_held = padded[b_warp];
    wire a_partner = padded[a_warp ^ 6'd1];
    wire b_partner = padded[b_warp ^ 6'd1];
    wire same_pair = a_warp[5:1] == b_warp[5:1];
    wire a_acquires = a_valid & ~a_release;
    wire b_acquires = b_valid & ~b_release;
    wire same_warp = a_valid & b_valid & same_pair & a_warp[0] == b_warp[0];
    wire tie = a_acquires & b_acquires & same_pair & ~same_warp & ~a_held & ~b_held;
    assign a_grant = a_valid & ~clear & a_exists & (a_release | ~a_partner & ~(tie & favor_b));
    assign b_grant = b_valid & ~clear & b_exists & ~same_warp & (b_release | ~b_partner & ~(tie & ~favor_b));

    wire [63:0] a_bit = 64'b1 << a_warp;
    wire [63:0] b_bit = 64'b1 << b_warp;
    wire [47:0] a_mask = a_bit[47:0] & {48{a_grant}};
    wire [47:0] b_mask = b_bit[47:0] & {48{b_grant}};
    wire [47:0] set = a_mask & {48{~a_release}} | b_mask & {48{~b_release}};
    wire [47:0] reset = a_mask & {48{a_release}} | b_mask & {48{b_release}};
    always @(posedge clock)
        if (clear) holds <= 0;
        else holds <= holds & ~reset | set;
endmodule
