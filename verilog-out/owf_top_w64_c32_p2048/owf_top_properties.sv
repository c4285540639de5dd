// Resource sharing in one SM of any size: what the units are asked, what comes of it, and where registers lie. One cycle
// in which the units answer anything whatever, but the lock of the registers as pair_lock's theorem proves at the two
// acting warps: a warp is upper or its own home, partners have one home, and never do both get the lock. Which warp is
// chosen and who gets a lock are the theorems of warp_priority and the locks; here, that they are asked the right thing.
// Kernels are launched as the unit's page says, with `lower` warps before the first upper one.
`define ORDERED(a, row_a, b, row_b, size) \
    ((row_a) < 32'h40000 && (row_b) < 32'h40000 && ((a) == (b) ? (row_a) == (row_b) \
        : (a) < (b) ? (row_a) + (size) <= (row_b) : (row_b) + (size) <= (row_a)))

module proof (
    input wire clock, input wire clear, input wire share_regs, input wire share_scratchpad, input wire [`CW-2:0] warps_per_cta,
    input wire [7:0] base_regs, input wire [7:0] ext_regs, input wire [`PACKS_BITS-1:0] upper_offset,
    input wire [16:0] private_bytes, input wire pair, input wire exit, input wire [`CTAS_BITS-1:0] cta,
    input wire [`CTAS_BITS-1:0] partner, input wire [`NW-1:0] launch, input wire [`NW-1:0] ready, input wire sm_zero,
    input wire stall, input wire [9:0] zero_stalls, input wire favor_b,
    input wire a_valid, input wire a_exit, input wire a_memory, input wire a_scratch, input wire [16:0] a_address,
    input wire [`IW-1:0] a_warp,
    input wire [7:0] a_x0, input wire a_x0_valid, input wire [7:0] a_x1, input wire a_x1_valid,
    input wire [7:0] a_x2, input wire a_x2_valid, input wire [7:0] a_x3, input wire a_x3_valid,
    input wire b_valid, input wire b_exit, input wire b_memory, input wire b_scratch, input wire [16:0] b_address,
    input wire [`IW-1:0] b_warp,
    input wire [7:0] b_x0, input wire b_x0_valid, input wire [7:0] b_x1, input wire b_x1_valid,
    input wire [7:0] b_x2, input wire b_x2_valid, input wire [7:0] b_x3, input wire b_x3_valid,
    input wire [7:0] warps, input wire [7:0] lower,
    input wire p_is_b, input wire q_is_b, input wire [1:0] p_port, input wire [1:0] q_port
);
    wire pair_grant, sharing, memory_allowed, compares, a_grant, a_held, b_grant, b_held;
    wire [`NW-1:0] shared, owner;
    wire [1:0] chosen_valid;
    wire [2*`IW-1:0] chosen;
    wire [3:0] tenths;
    wire [9:0] stalls;
    wire [`PACKS_BITS-1:0] a_y0, a_y1, a_y2, a_y3, b_y0, b_y1, b_y2, b_y3;
    wire a_y0_valid, a_y1_valid, a_y2_valid, a_y3_valid, b_y0_valid, b_y1_valid, b_y2_valid, b_y3_valid;
    `TOP uut (.*);
    (* hierconn *) wire [`IW-1:0] \uut.a_mapper.home ;
    (* hierconn *) wire [`IW-1:0] \uut.a_mapper.warp ;
    (* hierconn *) wire [9:0] \uut.a_mapper.whole ;
    (* hierconn *) wire [9:0] \uut.a_mapper.base_wide ;
    (* hierconn *) wire [`IW-1:0] \uut.b_mapper.home ;
    (* hierconn *) wire [`IW-1:0] \uut.b_mapper.warp ;
    (* hierconn *) wire [9:0] \uut.b_mapper.whole ;
    (* hierconn *) wire [9:0] \uut.b_mapper.base_wide ;
    (* hierconn *) wire [31:0] \uut.a_mapper.home_row ;
    (* hierconn *) wire [31:0] \uut.b_mapper.home_row ;
    (* hierconn *) wire [31:0] \uut.a_mapper.own_row ;
    (* hierconn *) wire [31:0] \uut.b_mapper.own_row ;
    (* hierconn *) wire \uut.registers.a_upper ;
    (* hierconn *) wire \uut.registers.b_upper ;
    (* hierconn *) wire [`IW-1:0] \uut.registers.a_home ;
    (* hierconn *) wire [`IW-1:0] \uut.registers.b_home ;
    (* hierconn *) wire \uut.registers.a_valid ;
    (* hierconn *) wire \uut.registers.b_valid ;
    (* hierconn *) wire \uut.registers.a_grant ;
    (* hierconn *) wire \uut.registers.b_grant ;
    (* hierconn *) wire [7:0] \uut.registers.a_reg ;
    (* hierconn *) wire [7:0] \uut.registers.b_reg ;
    (* hierconn *) wire [7:0] \uut.registers.private_regs ;
    (* hierconn *) wire [`NW-1:0] \uut.registers.shared ;
    (* hierconn *) wire \uut.registers.sharing ;
    (* hierconn *) wire \uut.scratchpad.sharing ;
    (* hierconn *) wire \uut.scratchpad.a_valid ;
    (* hierconn *) wire \uut.scratchpad.b_valid ;
    (* hierconn *) wire \uut.scratchpad.a_grant ;
    (* hierconn *) wire \uut.scratchpad.b_grant ;
    (* hierconn *) wire \uut.throttle.sm_zero ;
    (* hierconn *) wire \uut.throttle.stall ;
    (* hierconn *) wire [9:0] \uut.throttle.zero_stalls ;
    (* hierconn *) wire \uut.throttle.memory_allowed ;
    (* hierconn *) wire \uut.registers.share ;
    (* hierconn *) wire \uut.scratchpad.share ;
    (* hierconn *) wire [`NW-1:0] \uut.registers.owner ;
    (* hierconn *) wire [`NW-1:0] \uut.scratchpad.shared ;
    (* hierconn *) wire [`NW-1:0] \uut.scratchpad.owner ;
    (* hierconn *) wire [`NW-1:0] \uut.choice.ready ;
    (* hierconn *) wire [`NW-1:0] \uut.choice.launch ;
    (* hierconn *) wire [`NW-1:0] \uut.choice.shared ;
    (* hierconn *) wire [`NW-1:0] \uut.choice.owner ;
    (* hierconn *) wire [1:0] \uut.choice.chosen_valid ;
    (* hierconn *) wire [2*`IW-1:0] \uut.choice.chosen ;

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
    reg a_needs, b_needs;
    integer i;
    always @(*) begin
        {p_x, q_x, p_y, q_y, a_needs, b_needs} = 0;
        for (i = 0; i < 4; i = i + 1) begin
            if (p_port == i) begin
                p_x = p_is_b ? b_x[i*8 +: 8] : a_x[i*8 +: 8];
                p_y = p_is_b ? b_y[i*`PACKS_BITS +: `PACKS_BITS] : a_y[i*`PACKS_BITS +: `PACKS_BITS];
            end
            if (q_port == i) begin
                q_x = q_is_b ? b_x[i*8 +: 8] : a_x[i*8 +: 8];
                q_y = q_is_b ? b_y[i*`PACKS_BITS +: `PACKS_BITS] : a_y[i*`PACKS_BITS +: `PACKS_BITS];
            end
            if (a_named[i] && !(a_x[i*8 +: 8] < base_regs)) a_needs = 1;
            if (b_named[i] && !(b_x[i*8 +: 8] < base_regs)) b_needs = 1;
        end
    end
    wire [`IW-1:0] p_warp = p_is_b ? b_warp : a_warp;
    wire [`IW-1:0] q_warp = q_is_b ? b_warp : a_warp;
    wire p_goes = p_is_b ? b_valid && b_grant && !b_exit : a_valid && a_grant && !a_exit;
    wire p_named = p_is_b ? b_named[p_port] : a_named[p_port];
    wire p_valid = p_is_b ? b_there[p_port] : a_there[p_port];
    wire q_valid = q_is_b ? b_there[q_port] : a_there[q_port];
    wire p_upper = p_is_b ? \uut.registers.b_upper : \uut.registers.a_upper ;
    wire [8:0] end_of_ext = {1'b0, base_regs} + {1'b0, ext_regs};
    wire same_register = p_warp == q_warp && p_x == q_x;

    // From the outputs: who is no owner and held back.
    wire a_class = a_warp < `NW && shared[a_warp] && !owner[a_warp];
    wire b_class = b_warp < `NW && shared[b_warp] && !owner[b_warp];
    wire a_waits = a_memory && !a_exit && a_class && !memory_allowed;
    wire b_waits = b_memory && !b_exit && b_class && !memory_allowed;
    wire a_asks = a_valid && !a_waits;
    wire b_asks = b_valid && !b_waits;
    wire a_stores = a_asks && a_scratch && !a_exit;
    wire b_stores = b_asks && b_scratch && !b_exit;

    // A launch that fits, and the lock's theorem.
    wire [15:0] whole = {8'd0, base_regs} + {8'd0, ext_regs};
    wire [15:0] base_wide = {8'd0, base_regs};
    wire [15:0] ext_wide = {8'd0, ext_regs};
    wire [15:0] a_wide = a_warp;
    wire [15:0] b_wide = b_warp;
    wire [15:0] a_home = \uut.registers.a_home ;
    wire [15:0] b_home = \uut.registers.b_home ;
    wire [15:0] first_upper = {8'd0, lower};
    wire [15:0] all = {8'd0, warps};
    wire [31:0] lower_whole = first_upper * whole;
    wire [31:0] lower_base = first_upper * base_wide;
    wire [31:0] lower_ext = first_upper * ext_wide;
    (* anyseq *) reg [31:0] rows_whole, rows_base, rows_ext;
    wire [31:0] all_base = all * base_wide;
    wire [31:0] a_home_product = \uut.a_mapper.home  * \uut.a_mapper.whole ;
    wire [31:0] b_home_product = \uut.b_mapper.home  * \uut.b_mapper.whole ;
    wire [31:0] a_own_product = \uut.a_mapper.warp * \uut.a_mapper.base_wide ;
    wire [31:0] b_own_product = \uut.b_mapper.warp * \uut.b_mapper.base_wide ;
    wire [31:0] a_row = \uut.a_mapper.home_row ;
    wire [31:0] b_row = \uut.b_mapper.home_row ;
    wire [31:0] a_own = \uut.a_mapper.own_row ;
    wire [31:0] b_own = \uut.b_mapper.own_row ;
    wire [31:0] size = lower_ext + all_base;
    wire legal = warps <= `NW && lower <= warps && end_of_ext <= 9'd256 && size <= `PACKS
        && upper_offset == lower_ext && a_warp < warps && b_warp < warps;
    wire a_home_sound = \uut.registers.a_upper ? a_home < first_upper && a_wide >= first_upper : a_home == a_wide && a_wide < first_upper;
    wire b_home_sound = \uut.registers.b_upper ? b_home < first_upper && b_wide >= first_upper : b_home == b_wide && b_wide < first_upper;
    wire partners = a_warp != b_warp && a_home == b_home;
    wire a_locks = \uut.registers.a_grant && \uut.registers.shared [a_warp] && !a_exit && a_needs;
    wire b_locks = \uut.registers.b_grant && \uut.registers.shared [b_warp] && !b_exit && b_needs;
    wire sound = a_home_sound && b_home_sound
        && (a_warp != b_warp || (a_home == b_home && \uut.registers.a_upper == \uut.registers.b_upper ))
        && !(partners && \uut.registers.a_upper == \uut.registers.b_upper )
        && (!partners || (\uut.registers.shared [a_warp] && \uut.registers.shared [b_warp]))
        && !(partners && a_locks && b_locks);
    // The lock goes by Figure 3: it grants what is asked of it, and always the end of a warp.
    wire grants = (!\uut.registers.a_grant || (\uut.registers.a_valid && !clear))
        && (!\uut.registers.b_grant || (\uut.registers.b_valid && !clear))
        && (!(\uut.registers.a_valid && a_exit && !clear) || \uut.registers.a_grant )
        && (!(\uut.registers.b_valid && b_exit && !clear) || \uut.registers.b_grant );
    // Where a register lies (PLACES, for p, which is any): the private ones of an upper warp in a row of its own, all others in
    // that of its home. The main question builds on it.
    wire q_upper = q_is_b ? \uut.registers.b_upper : \uut.registers.a_upper ;
    wire p_apart = p_upper && p_x < base_regs;
    wire q_apart = q_upper && q_x < base_regs;
    wire [31:0] p_start = p_apart ? upper_offset + (p_is_b ? b_own : a_own) : (p_is_b ? b_row : a_row);
    wire [31:0] q_start = q_apart ? upper_offset + (q_is_b ? b_own : a_own) : (q_is_b ? b_row : a_row);
    wire [31:0] p_end = p_start + (p_apart ? base_wide : whole);
    wire [31:0] q_end = q_start + (q_apart ? base_wide : whole);
    wire p_placed = !p_valid || (p_y == p_start + p_x && p_y < p_end);
    wire q_placed = !q_valid || (q_y == q_start + q_x && q_y < q_end);
    always @(*) begin
`ifdef PRODUCTS
        rows_are_products: assert (a_row == a_home_product && b_row == b_home_product
            && a_own == a_own_product && b_own == b_own_product);
        of_what_they_should_be: assert (\uut.a_mapper.home == a_home && \uut.b_mapper.home == b_home
            && \uut.a_mapper.warp == a_wide && \uut.b_mapper.warp == b_wide
            && \uut.a_mapper.whole == whole && \uut.b_mapper.whole == whole
            && \uut.a_mapper.base_wide == base_wide && \uut.b_mapper.base_wide == base_wide);
        // first_upper rows of `whole` are as many of each of its parts: true of none, and with another row as it was before.
        products_add_up: assert (rows_whole != rows_base + rows_ext
            || rows_whole + {16'd0, whole} == rows_base + {16'd0, base_wide} + rows_ext + {16'd0, ext_wide});
`else
        assume (legal && sound && grants);
        // What is claimed of p and q is claimed of q and p, and q may be p: one order is enough.
        assume ({p_is_b, p_port} <= {q_is_b, q_port});
        // As in paired_mapper: of the products, only that rows do not overlap, and that they add up.
        assume (lower_whole == lower_base + lower_ext);
        assume (`ORDERED(a_home, a_row, b_home, b_row, whole) && `ORDERED(a_home, a_row, first_upper, lower_whole, whole)
            && `ORDERED(b_home, b_row, first_upper, lower_whole, whole));
        assume (`ORDERED(a_wide, a_own, b_wide, b_own, base_wide) && `ORDERED(a_wide, a_own, first_upper, lower_base, base_wide)
            && `ORDERED(b_wide, b_own, first_upper, lower_base, base_wide) && `ORDERED(a_wide, a_own, all, all_base, base_wide)
            && `ORDERED(b_wide, b_own, all, all_base, base_wide) && `ORDERED(first_upper, lower_base, all, all_base, base_wide));
`ifdef PLACES
        a_register_lies_in_its_row: assert (p_placed);
`else
        assume (p_placed && q_placed);
`ifdef VACUITY
        c0: assert (!(p_valid && q_valid && p_warp != q_warp && p_x >= base_regs && q_x >= base_regs && p_upper));
        c1: assert (!(p_valid && p_upper && p_x < base_regs && p_y == `PACKS - 1));
        c2: assert (!(a_valid && a_waits && a_needs && !sm_zero));
        c3: assert (!(partners && a_needs && b_needs && a_grant && b_valid && !b_exit && !b_grant && !b_waits));
        c4: assert (!(b_stores && !b_grant && \uut.registers.b_grant ));
        c5: assert (!(a_exit && a_grant && a_needs && a_held));
`else
        a_register_of_what_goes_on_has_a_pack: assert (p_valid == (p_goes && p_named && {1'b0, p_x} < end_of_ext));
        without_a_pack_it_is_zero: assert (p_valid || p_y == 0);
        packs_are_those_of_the_launch: assert (!p_valid || p_y < size);
        two_registers_never_share_a_pack: assert (!p_valid || !q_valid || same_register || p_y != q_y);
        partners_share_packs_from_the_private_ones_on: assert (!p_valid || !p_upper || p_x < base_regs
            || p_y < lower_whole);
        non_owners_are_held_back_from_memory: assert (!(a_valid && a_waits && a_grant) && !(b_valid && b_waits && b_grant));
        the_throttle_says_whether: assert (\uut.throttle.sm_zero == sm_zero && \uut.throttle.stall == stall
            && \uut.throttle.zero_stalls == zero_stalls && memory_allowed == \uut.throttle.memory_allowed );
        the_lock_is_asked_for_what_is_not_held_back: assert (\uut.registers.a_valid == a_asks && \uut.registers.b_valid == b_asks);
        it_is_asked_for_shared_registers: assert ((\uut.registers.a_reg >= \uut.registers.private_regs ) == a_needs
            && (\uut.registers.b_reg >= \uut.registers.private_regs ) == b_needs);
        the_scratchpad_lock_is_asked_for_accesses: assert (\uut.scratchpad.a_valid == a_stores && \uut.scratchpad.b_valid == b_stores);
        what_all_grant_goes_on: assert (a_grant == (\uut.registers.a_grant && (!a_stores || \uut.scratchpad.a_grant ))
            && b_grant == (\uut.registers.b_grant && (!b_stores || \uut.scratchpad.b_grant )));
        nothing_else_goes_on: assert ((a_asks && !clear) || !a_grant);
        nor_on_port_b: assert ((b_asks && !clear) || !b_grant);
        the_end_of_a_warp_goes_on: assert ((!(a_valid && a_exit && !clear) || a_grant) && (!(b_valid && b_exit && !clear) || b_grant));
        who_shares_and_owns_is_what_the_locks_say: assert (shared == (\uut.registers.shared | \uut.scratchpad.shared )
            && owner == (\uut.registers.owner | \uut.scratchpad.owner ));
        the_choice_is_among_ready_warps_of_these_classes: assert (\uut.choice.ready == ready && \uut.choice.launch == launch
            && \uut.choice.shared == shared && \uut.choice.owner == owner);
        and_it_is_what_is_issued: assert (chosen_valid == \uut.choice.chosen_valid && chosen == \uut.choice.chosen );
        one_kind_of_lock_is_asked_to_share: assert (!(\uut.registers.share && \uut.scratchpad.share )
            && \uut.registers.share == share_regs);
`endif
`endif
`endif
    end
endmodule
