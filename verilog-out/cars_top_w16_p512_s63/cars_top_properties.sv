// CARS in one SM: who goes on, what the units are asked, and where registers lie. One cycle in which the stacks and the list of
// stalled warps answer anything that their own theorems (register_stack.sv, stalled_warps.sv) allow at the two acting warps:
// the favoured port is served, and nothing is granted that was not asked or makes no sense; the pointers of a warp lie in its
// stack; a call or a push is given the pack at RSP; look-ups say the same on both ports. What a request does to its row, and
// whose turn it is to be woken, are those theorems; here, that the units are asked the right thing. The SM gives every warp
// packs of its own.

// The rule of stack_mapper for a register of a warp, and whether the warp's allotment and frame are such as can be.
module placed (
    input wire launched, input wire [`PACKS_BITS-1:0] rfp, input wire [`PACKS_BITS-1:0] rsp,
    input wire [`PACKS_BITS-1:0] base, input wire [`PACKS_BITS-1:0] first, input wire [`STACK_BITS-1:0] capacity,
    input wire [7:0] x,
    output wire legal, output wire [15:0] limit, output wire pushed, output wire exists, output wire [15:0] right
);
    assign limit = {{(16-`PACKS_BITS){1'b0}}, first} + {{(16-`STACK_BITS){1'b0}}, capacity};
    assign legal = base <= first && capacity >= 1 && limit <= `PACKS
        && (!launched || (first <= rfp && rfp < limit && first <= rsp && rsp < limit));
    wire [15:0] top = rsp >= rfp ? rsp : rsp + capacity;
    wire [15:0] unrolled = rfp + x - 16;
    assign pushed = launched && x >= 16 && x < 16 + top - rfp;
    assign exists = pushed || {8'd0, x} + base < first;
    assign right = !pushed ? base + x : unrolled >= limit ? unrolled - capacity : unrolled;
endmodule

module proof (
    input wire clock, input wire clear, input wire favor_b, input wire stall, input wire [`IW-1:0] stall_warp, input wire wake,
    input wire a_valid, input wire [2:0] a_op, input wire [`IW-1:0] a_warp, input wire [`PACKS_BITS-1:0] a_base,
    input wire [`PACKS_BITS-1:0] a_first, input wire [`STACK_BITS-1:0] a_capacity, input wire [`STACK_BITS-1:0] a_fru,
    input wire [`STACK_BITS-1:0] a_evicted, input wire [`PACKS_BITS-1:0] a_link, input wire a_link_kernel,
    input wire [7:0] a_x0, input wire a_x0_valid, input wire [7:0] a_x1, input wire a_x1_valid,
    input wire [7:0] a_x2, input wire a_x2_valid, input wire [7:0] a_x3, input wire a_x3_valid,
    input wire b_valid, input wire [2:0] b_op, input wire [`IW-1:0] b_warp, input wire [`PACKS_BITS-1:0] b_base,
    input wire [`PACKS_BITS-1:0] b_first, input wire [`STACK_BITS-1:0] b_capacity, input wire [`STACK_BITS-1:0] b_fru,
    input wire [`STACK_BITS-1:0] b_evicted, input wire [`PACKS_BITS-1:0] b_link, input wire b_link_kernel,
    input wire [7:0] b_x0, input wire b_x0_valid, input wire [7:0] b_x1, input wire b_x1_valid,
    input wire [7:0] b_x2, input wire b_x2_valid, input wire [7:0] b_x3, input wire b_x3_valid,
    input wire p_is_b, input wire q_is_b, input wire [1:0] p_port, input wire [1:0] q_port
);
    wire stall_grant, woken_valid, empty, served_b, trap, link_kernel;
    wire a_grant, a_stalled, a_launched, b_grant, b_stalled, b_launched;
    wire [`IW-1:0] woken;
    wire [`STACK_BITS-1:0] count, a_free, b_free;
    wire [`PACKS_BITS-1:0] pack, link, a_rfp, a_rsp, a_link_pack, b_rfp, b_rsp, b_link_pack;
    wire [`PACKS_BITS-1:0] a_y0, a_y1, a_y2, a_y3, b_y0, b_y1, b_y2, b_y3;
    wire a_y0_valid, a_y1_valid, a_y2_valid, a_y3_valid, b_y0_valid, b_y1_valid, b_y2_valid, b_y3_valid;
    `TOP uut (.*);
    (* hierconn *) wire \uut.registers.clear ;
    (* hierconn *) wire \uut.registers.favor_b ;
    (* hierconn *) wire [2:0] \uut.registers.a_op ;
    (* hierconn *) wire [2:0] \uut.registers.b_op ;
    (* hierconn *) wire [`IW-1:0] \uut.registers.a_warp ;
    (* hierconn *) wire [`IW-1:0] \uut.registers.b_warp ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.registers.a_first ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.registers.b_first ;
    (* hierconn *) wire [`STACK_BITS-1:0] \uut.registers.a_capacity ;
    (* hierconn *) wire [`STACK_BITS-1:0] \uut.registers.b_capacity ;
    (* hierconn *) wire [`STACK_BITS-1:0] \uut.registers.a_fru ;
    (* hierconn *) wire [`STACK_BITS-1:0] \uut.registers.b_fru ;
    (* hierconn *) wire [`STACK_BITS-1:0] \uut.registers.a_evicted ;
    (* hierconn *) wire [`STACK_BITS-1:0] \uut.registers.b_evicted ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.registers.a_link ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.registers.b_link ;
    (* hierconn *) wire \uut.registers.a_link_kernel ;
    (* hierconn *) wire \uut.registers.b_link_kernel ;
    (* hierconn *) wire \uut.registers.grant ;
    (* hierconn *) wire \uut.registers.served_b ;
    (* hierconn *) wire \uut.registers.trap ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.registers.pack ;
    (* hierconn *) wire [`STACK_BITS-1:0] \uut.registers.count ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.registers.link ;
    (* hierconn *) wire \uut.registers.link_kernel ;
    (* hierconn *) wire \uut.registers.a_launched ;
    (* hierconn *) wire \uut.registers.b_launched ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.registers.a_rfp ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.registers.b_rfp ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.registers.a_rsp ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.registers.b_rsp ;
    (* hierconn *) wire [`STACK_BITS-1:0] \uut.registers.a_free ;
    (* hierconn *) wire [`STACK_BITS-1:0] \uut.registers.b_free ;
    (* hierconn *) wire \uut.waiting.clear ;
    (* hierconn *) wire \uut.waiting.stall ;
    (* hierconn *) wire [`IW-1:0] \uut.waiting.stall_warp ;
    (* hierconn *) wire \uut.waiting.wake ;
    (* hierconn *) wire [`IW-1:0] \uut.waiting.a_warp ;
    (* hierconn *) wire [`IW-1:0] \uut.waiting.b_warp ;
    (* hierconn *) wire \uut.waiting.stall_grant ;
    (* hierconn *) wire \uut.waiting.woken_valid ;
    (* hierconn *) wire [`IW-1:0] \uut.waiting.woken ;
    (* hierconn *) wire \uut.waiting.empty ;
    (* hierconn *) wire \uut.waiting.a_stalled ;
    (* hierconn *) wire \uut.waiting.b_stalled ;

    // Two look-ups of the cycle, p and q: any register of any port.
    wire [31:0] a_x = {a_x3, a_x2, a_x1, a_x0};
    wire [31:0] b_x = {b_x3, b_x2, b_x1, b_x0};
    wire [3:0] a_named = {a_x3_valid, a_x2_valid, a_x1_valid, a_x0_valid};
    wire [3:0] b_named = {b_x3_valid, b_x2_valid, b_x1_valid, b_x0_valid};
    wire [4*`PACKS_BITS-1:0] a_y = {a_y3, a_y2, a_y1, a_y0};
    wire [4*`PACKS_BITS-1:0] b_y = {b_y3, b_y2, b_y1, b_y0};
    wire [3:0] a_there = {a_y3_valid, a_y2_valid, a_y1_valid, a_y0_valid};
    wire [3:0] b_there = {b_y3_valid, b_y2_valid, b_y1_valid, b_y0_valid};
    reg [7:0] p_x, q_x;
    reg [`PACKS_BITS-1:0] p_y, q_y;
    integer i;
    always @(*) begin
        {p_x, q_x, p_y, q_y} = 0;
        for (i = 0; i < 4; i = i + 1) begin
            if (p_port == i) begin
                p_x = p_is_b ? b_x[i*8 +: 8] : a_x[i*8 +: 8];
                p_y = p_is_b ? b_y[i*`PACKS_BITS +: `PACKS_BITS] : a_y[i*`PACKS_BITS +: `PACKS_BITS];
            end
            if (q_port == i) begin
                q_x = q_is_b ? b_x[i*8 +: 8] : a_x[i*8 +: 8];
                q_y = q_is_b ? b_y[i*`PACKS_BITS +: `PACKS_BITS] : a_y[i*`PACKS_BITS +: `PACKS_BITS];
            end
        end
    end
    wire [`IW-1:0] p_warp = p_is_b ? b_warp : a_warp;
    wire [`IW-1:0] q_warp = q_is_b ? b_warp : a_warp;
    wire p_goes = p_is_b ? b_valid && b_grant : a_valid && a_grant;
    wire p_named = p_is_b ? b_named[p_port] : a_named[p_port];
    wire p_valid = p_is_b ? b_there[p_port] : a_there[p_port];
    wire q_valid = q_is_b ? b_there[q_port] : a_there[q_port];
    wire p_runs = p_is_b ? b_launched : a_launched;
    wire q_runs = q_is_b ? b_launched : a_launched;
    wire [`PACKS_BITS-1:0] p_base = p_is_b ? b_base : a_base;
    wire [`PACKS_BITS-1:0] p_first = p_is_b ? b_first : a_first;
    wire [`PACKS_BITS-1:0] p_rfp = p_is_b ? b_rfp : a_rfp;
    wire p_legal, q_legal, p_pushed, q_pushed, p_exists, q_exists;
    wire [15:0] p_limit, q_limit, p_right, q_right;
    placed p (p_runs, p_rfp, p_is_b ? b_rsp : a_rsp, p_base, p_first, p_is_b ? b_capacity : a_capacity, p_x,
        p_legal, p_limit, p_pushed, p_exists, p_right);
    placed q (q_runs, q_is_b ? b_rfp : a_rfp, q_is_b ? b_rsp : a_rsp, q_is_b ? b_base : a_base,
        q_is_b ? b_first : a_first, q_is_b ? b_capacity : a_capacity, q_x,
        q_legal, q_limit, q_pushed, q_exists, q_right);
    wire same_register = p_warp == q_warp && p_x == q_x;
    wire [`PACKS_BITS-1:0] p_link = p_is_b ? b_link_pack : a_link_pack;
    wire [`PACKS_BITS-1:0] q_link = q_is_b ? b_link_pack : a_link_pack;
    wire p_issues = p_is_b ? b_valid : a_valid;
    wire q_issues = q_is_b ? b_valid : a_valid;

    // What the SM keeps: a warp that issues has packs of its own, the same on both ports.
    wire a_legal, b_legal, unused_a_pushed, unused_b_pushed, unused_a_exists, unused_b_exists;
    wire [15:0] a_limit, b_limit, unused_a_right, unused_b_right;
    placed a (\uut.registers.a_launched , \uut.registers.a_rfp , \uut.registers.a_rsp , a_base, a_first, a_capacity, 8'd0,
        a_legal, a_limit, unused_a_pushed, unused_a_exists, unused_a_right);
    placed b (\uut.registers.b_launched , \uut.registers.b_rfp , \uut.registers.b_rsp , b_base, b_first, b_capacity, 8'd0,
        b_legal, b_limit, unused_b_pushed, unused_b_exists, unused_b_right);
    wire separate = a_warp == b_warp ? a_base == b_base && a_first == b_first && a_capacity == b_capacity
        : a_limit <= b_base || b_limit <= a_base;
    wire legal = (!a_valid || a_legal) && (!b_valid || b_legal) && (!a_valid || !b_valid || separate);

    // The theorem of the stacks.
    wire takes_b = \uut.registers.b_op != 0 && (\uut.registers.a_op == 0 || \uut.registers.favor_b );
    wire [2:0] op = takes_b ? \uut.registers.b_op : \uut.registers.a_op ;
    wire runs = takes_b ? \uut.registers.b_launched : \uut.registers.a_launched ;
    wire gives = \uut.registers.grant && (op == 2 || op == 3);
    wire answers = (\uut.registers.clear || \uut.registers.served_b == takes_b)
        && (!\uut.registers.grant || (!\uut.registers.clear && !\uut.registers.trap && op != 0 && op != 7))
        && (!\uut.registers.grant || runs == (op != 1))
        && (!\uut.registers.trap || (!\uut.registers.clear && runs && (op == 2 || op == 3)))
        && (!gives || \uut.registers.pack == (takes_b ? \uut.registers.b_rsp : \uut.registers.a_rsp ));
    wire agree = \uut.registers.a_warp != \uut.registers.b_warp
        || (\uut.registers.a_launched == \uut.registers.b_launched && \uut.registers.a_rfp == \uut.registers.b_rfp
            && \uut.registers.a_rsp == \uut.registers.b_rsp && \uut.registers.a_free == \uut.registers.b_free );
    // The theorem of the list.
    wire listed = (\uut.waiting.a_warp != \uut.waiting.b_warp || \uut.waiting.a_stalled == \uut.waiting.b_stalled )
        && \uut.waiting.woken_valid == (\uut.waiting.wake && !\uut.waiting.empty && !\uut.waiting.clear );

    // From the ports: who may ask, and who finishes.
    wire a_ready = a_valid && !a_stalled && !clear;
    wire b_ready = b_valid && !b_stalled && !clear;
    wire finishes = (a_grant && a_op == 6) || (b_grant && b_op == 6);
    always @(*) begin
        assume (legal && answers && agree && listed);
        // What is claimed of p and q is claimed of q and p, and q may be p: one order is enough.
        assume ({p_is_b, p_port} <= {q_is_b, q_port});
`ifdef VACUITY
        c0: assert (!(p_valid && q_valid && p_warp != q_warp && p_pushed && q_pushed));
        c1: assert (!(p_valid && p_pushed && p_y < p_rfp));
        c2: assert (!(a_valid && a_stalled && a_op == 3 && !favor_b && b_grant && b_op == 2));
        c3: assert (!(a_grant && a_op == 6 && b_valid && b_stalled && woken_valid && woken == b_warp));
        c4: assert (!(trap && !served_b && b_grant && b_op == 0 && p_is_b && p_valid && p_y == `PACKS - 1));
        c5: assert (!(a_grant && a_op == 5 && count != 0 && p_valid && !p_is_b && p_pushed));
`else
        a_register_of_what_goes_on_has_a_pack: assert (p_valid == (p_goes && p_named && p_exists));
        it_is_the_one_of_the_frame_in_control: assert (!p_valid || p_y == p_right);
        without_a_pack_it_is_zero: assert (p_valid || p_y == 0);
        packs_are_those_of_the_warp: assert (!p_valid || (p_base <= p_y && p_y < p_limit && p_pushed == (p_y >= p_first)));
        two_registers_never_share_a_pack: assert (!p_valid || !q_valid || same_register || p_y != q_y);
        a_link_lies_in_its_warps_stack: assert (!p_runs || !p_legal || (p_first <= p_link && p_link < p_limit));
        and_is_no_register: assert (!p_issues || !q_issues
            || ((!p_runs || !q_valid || q_y != p_link) && (!q_runs || !p_valid || p_y != q_link)));
        without_a_stack_there_is_no_link: assert (p_runs || p_link == 0);
        a_pack_that_is_given_holds_no_register: assert (!gives || !p_valid || p_y != pack);
        a_stalled_warp_does_not_go_on: assert (!(a_stalled && a_grant) && !(b_stalled && b_grant));
        and_asks_the_stack_nothing: assert (
            (!a_stalled || \uut.registers.a_op == 0) && (!b_stalled || \uut.registers.b_op == 0));
        nothing_else_goes_on: assert (((a_valid && !clear) || !a_grant) && ((b_valid && !clear) || !b_grant));
        what_asks_nothing_goes_on: assert ((!a_ready || a_op != 0 || a_grant) && (!b_ready || b_op != 0 || b_grant));
        what_the_stack_grants_goes_on: assert ((!a_ready || a_op == 0 || a_grant == (\uut.registers.grant && !served_b))
            && (!b_ready || b_op == 0 || b_grant == (\uut.registers.grant && served_b)));
        what_traps_does_not: assert (!trap || !(served_b ? b_grant : a_grant));
        one_request_goes_on_a_cycle: assert (!(a_grant && a_op != 0 && b_grant && b_op != 0));
        the_stack_is_asked_what_the_ports_ask: assert (\uut.registers.clear == clear && \uut.registers.favor_b == favor_b
            && \uut.registers.a_op == (a_ready ? a_op : 3'd0) && \uut.registers.b_op == (b_ready ? b_op : 3'd0)
            && \uut.registers.a_warp == a_warp && \uut.registers.b_warp == b_warp);
        of_their_stacks: assert (\uut.registers.a_first == a_first && \uut.registers.b_first == b_first
            && \uut.registers.a_capacity == a_capacity && \uut.registers.b_capacity == b_capacity);
        with_their_numbers_and_links: assert (\uut.registers.a_fru == a_fru && \uut.registers.b_fru == b_fru
            && \uut.registers.a_evicted == a_evicted && \uut.registers.b_evicted == b_evicted
            && \uut.registers.a_link == a_link && \uut.registers.b_link == b_link
            && \uut.registers.a_link_kernel == a_link_kernel && \uut.registers.b_link_kernel == b_link_kernel);
        its_answer_is_told: assert (served_b == \uut.registers.served_b && trap == \uut.registers.trap
            && pack == \uut.registers.pack && count == \uut.registers.count && link == \uut.registers.link
            && link_kernel == \uut.registers.link_kernel );
        and_what_it_looks_up: assert (a_launched == \uut.registers.a_launched && b_launched == \uut.registers.b_launched
            && a_rfp == \uut.registers.a_rfp && b_rfp == \uut.registers.b_rfp && a_rsp == \uut.registers.a_rsp
            && b_rsp == \uut.registers.b_rsp && a_free == \uut.registers.a_free && b_free == \uut.registers.b_free );
        who_finishes_wakes_a_warp_as_wake_does: assert (\uut.waiting.wake == (wake || finishes)
            && (woken_valid || empty || !finishes));
        the_list_is_asked_of_both_warps: assert (\uut.waiting.clear == clear && \uut.waiting.stall == stall
            && \uut.waiting.stall_warp == stall_warp && \uut.waiting.a_warp == a_warp && \uut.waiting.b_warp == b_warp);
        and_its_answer_is_told: assert (stall_grant == \uut.waiting.stall_grant && woken_valid == \uut.waiting.woken_valid
            && woken == \uut.waiting.woken && empty == \uut.waiting.empty && a_stalled == \uut.waiting.a_stalled
            && b_stalled == \uut.waiting.b_stalled );
`endif
    end
endmodule
