// CARS's renaming: two different registers of warps with separate allotments never share a pack, and each lies in its
// warp's allotment. Two look-ups at any time: any warps, any frames that register_stack can leave, any of the four ports.
module look_up (
    input wire launched, input wire [`PACKS_BITS-1:0] rfp, input wire [`PACKS_BITS-1:0] rsp,
    input wire [`PACKS_BITS-1:0] base, input wire [`PACKS_BITS-1:0] first, input wire [`STACK_BITS-1:0] capacity,
    input wire [31:0] registers, input wire [3:0] wanted, input wire [1:0] port,
    output wire [7:0] x, output wire asked, output wire [`PACKS_BITS-1:0] y, output wire y_valid,
    output wire [`PACKS_BITS-1:0] link_pack, output wire pushed, output wire exists, output wire [15:0] limit,
    output wire legal, output wire [15:0] right
);
    wire [`PACKS_BITS-1:0] y0, y1, y2, y3;
    wire v0, v1, v2, v3;
    `TOP uut (
        .launched(launched), .rfp(rfp), .rsp(rsp), .base(base), .first(first), .capacity(capacity),
        .x0(registers[7:0]), .x1(registers[15:8]), .x2(registers[23:16]), .x3(registers[31:24]),
        .x0_valid(wanted[0]), .x1_valid(wanted[1]), .x2_valid(wanted[2]), .x3_valid(wanted[3]),
        .link_pack(link_pack),
        .y0(y0), .y1(y1), .y2(y2), .y3(y3), .y0_valid(v0), .y1_valid(v1), .y2_valid(v2), .y3_valid(v3)
    );
    assign x = registers[port*8 +: 8];
    assign asked = wanted[port];
    assign y = port == 0 ? y0 : port == 1 ? y1 : port == 2 ? y2 : y3;
    assign y_valid = port == 0 ? v0 : port == 1 ? v1 : port == 2 ? v2 : v3;
    // An allotment in the register file; pointers in its stack, as register_stack keeps them.
    assign limit = {5'd0, first} + {9'd0, capacity};
    assign legal = base <= first && capacity >= 1 && limit <= `PACKS
        && (!launched || (first <= rfp && rfp < limit && first <= rsp && rsp < limit));
    // The rule, as the paper writes it, with the circle.
    wire [15:0] top = rsp >= rfp ? rsp : rsp + capacity;
    wire [15:0] unrolled = rfp + x - 16;
    assign pushed = launched && x >= 16 && x < 16 + top - rfp;
    assign exists = pushed || {8'd0, x} + base < first;
    assign right = !pushed ? base + x : unrolled >= limit ? unrolled - capacity : unrolled;
endmodule

module proof (
    input wire clock, input wire same,
    input wire p_launched, input wire [`PACKS_BITS-1:0] p_rfp, input wire [`PACKS_BITS-1:0] p_rsp,
    input wire [`PACKS_BITS-1:0] p_base, input wire [`PACKS_BITS-1:0] p_first, input wire [`STACK_BITS-1:0] p_capacity,
    input wire q_launched, input wire [`PACKS_BITS-1:0] q_rfp, input wire [`PACKS_BITS-1:0] q_rsp,
    input wire [`PACKS_BITS-1:0] q_base, input wire [`PACKS_BITS-1:0] q_first, input wire [`STACK_BITS-1:0] q_capacity,
    input wire [31:0] p_registers, input wire [31:0] q_registers, input wire [3:0] p_wanted, input wire [3:0] q_wanted,
    input wire [1:0] p_port, input wire [1:0] q_port
);
    wire [7:0] p_x, q_x;
    wire p_asked, q_asked, p_valid, q_valid, p_pushed, q_pushed, p_exists, q_exists, p_legal, q_legal;
    wire [`PACKS_BITS-1:0] p_y, q_y, p_link, q_link;
    wire [15:0] p_limit, q_limit, p_right, q_right;
    look_up p (p_launched, p_rfp, p_rsp, p_base, p_first, p_capacity, p_registers, p_wanted, p_port,
        p_x, p_asked, p_y, p_valid, p_link, p_pushed, p_exists, p_limit, p_legal, p_right);
    look_up q (q_launched, q_rfp, q_rsp, q_base, q_first, q_capacity, q_registers, q_wanted, q_port,
        q_x, q_asked, q_y, q_valid, q_link, q_pushed, q_exists, q_limit, q_legal, q_right);
    // One warp has one allotment and one frame in control; two warps have separate allotments.
    wire consistent = same
        ? p_launched == q_launched && p_rfp == q_rfp && p_rsp == q_rsp && p_base == q_base && p_first == q_first
            && p_capacity == q_capacity
        : p_limit <= q_base || q_limit <= p_base;
    always @(*) begin
        assume (p_legal && q_legal && consistent);
`ifdef VACUITY
        c0: assert (!(p_valid && q_valid && !same && p_pushed && q_pushed));
        c1: assert (!(p_valid && p_pushed && p_y < p_rfp));
        c2: assert (!(p_valid && q_valid && same && p_pushed && !q_pushed && q_x > 16));
        c3: assert (!(p_valid && p_y == `PACKS - 1));
        c4: assert (!(p_asked && !p_exists && p_launched));
`else
        existing_registers_have_a_pack: assert (p_asked ? p_valid == p_exists : !p_valid && p_y == 0);
        it_is_the_one_of_the_rule: assert (!p_valid || p_y == p_right);
        it_lies_in_the_warps_allotment: assert (!p_valid || (p_base <= p_y && p_y < p_limit));
        a_pushed_register_lies_in_the_stack: assert (!p_valid || p_pushed == (p_y >= p_first));
        // What is said of p is said of q: any look-up gives the pack of the rule.
        two_registers_never_share_a_pack: assert (!p_exists || !q_exists || (same && p_x == q_x) || p_right != q_right);
        the_link_is_no_register: assert (!p_launched || (p_first <= p_link && p_link < p_limit
            && (!p_exists || p_right != p_link)));
        another_warps_link_is_none_either: assert (same || !q_launched || !p_exists || p_right < q_first || p_right >= q_limit);
`endif
    end
endmodule
