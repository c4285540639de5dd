// RegMutex in one SM: every register of an instruction that is granted has a pack, two registers never share one, and who is
// refused is woken. One cycle from any state in which the allocator is sound at the two acting warps, as srp_allocator
// proves it always is: sections of holders exist, two holders have different ones, an acquire gets one that nobody holds.
`define ORDERED(a, row_a, b, row_b, size) \
    ((row_a) < 32'h40000 && (row_b) < 32'h40000 && ((a) == (b) ? (row_a) == (row_b) \
        : (a) < (b) ? (row_a) + (size) <= (row_b) : (row_b) + (size) <= (row_a)))

module proof (
    input wire clock, input wire clear, input wire [`CW-1:0] section_count, input wire [7:0] base_regs,
    input wire [7:0] ext_regs, input wire [`PACKS_BITS-1:0] srp_offset, input wire favor_b,
    input wire a_valid, input wire a_change, input wire a_release, input wire [`IW-1:0] a_warp,
    input wire [7:0] a_x0, input wire a_x0_valid, input wire [7:0] a_x1, input wire a_x1_valid,
    input wire [7:0] a_x2, input wire a_x2_valid, input wire [7:0] a_x3, input wire a_x3_valid,
    input wire b_valid, input wire b_change, input wire b_release, input wire [`IW-1:0] b_warp,
    input wire [7:0] b_x0, input wire b_x0_valid, input wire [7:0] b_x1, input wire b_x1_valid,
    input wire [7:0] b_x2, input wire b_x2_valid, input wire [7:0] b_x3, input wire b_x3_valid,
    input wire [7:0] sections, input wire p_is_b, input wire q_is_b, input wire [1:0] p_port, input wire [1:0] q_port
);
    wire a_grant, a_held, b_grant, b_held, wake;
    wire [`PACKS_BITS-1:0] a_y0, a_y1, a_y2, a_y3, b_y0, b_y1, b_y2, b_y3;
    wire a_y0_valid, a_y1_valid, a_y2_valid, a_y3_valid, b_y0_valid, b_y1_valid, b_y2_valid, b_y3_valid;
    `TOP uut (.*);
    (* hierconn *) wire [`IW-1:0] \uut.allocator.a_section ;
    (* hierconn *) wire [`IW-1:0] \uut.allocator.b_section ;
    (* hierconn *) wire \uut.allocator.a_grant ;
    (* hierconn *) wire \uut.allocator.b_grant ;
    (* hierconn *) wire [15:0] \uut.mapper_a.base_row ;
    (* hierconn *) wire [15:0] \uut.mapper_b.base_row ;
    (* hierconn *) wire [15:0] \uut.mapper_a.ext_product ;
    (* hierconn *) wire [15:0] \uut.mapper_b.ext_product ;
    wire [`IW-1:0] a_section = \uut.allocator.a_section ;
    wire [`IW-1:0] b_section = \uut.allocator.b_section ;

    // From the ports: what is asked, and who has a section in this cycle.
    wire a_asks = a_valid && a_change && !clear;
    wire b_asks = b_valid && b_change && !clear;
    wire a_takes = a_asks && !a_release && a_grant;
    wire b_takes = b_asks && !b_release && b_grant;
    wire a_has = a_held || a_takes;
    wire b_has = b_held || b_takes;
    wire a_changes = a_grant && a_asks && a_held == a_release;
    wire b_changes = b_grant && b_asks && b_held == b_release;

    // Two look-ups of the cycle, p and q: any register of any port.
    wire [31:0] a_x = {a_x3, a_x2, a_x1, a_x0};
    wire [31:0] b_x = {b_x3, b_x2, b_x1, b_x0};
    wire [3:0] a_wanted = {a_x3_valid, a_x2_valid, a_x1_valid, a_x0_valid};
    wire [3:0] b_wanted = {b_x3_valid, b_x2_valid, b_x1_valid, b_x0_valid};
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
    wire p_has = p_is_b ? b_has : a_has;
    wire p_wanted = p_is_b ? b_wanted[p_port] : a_wanted[p_port];
    wire p_valid = p_is_b ? b_there[p_port] : a_there[p_port];
    wire q_valid = q_is_b ? b_there[q_port] : a_there[q_port];
    wire [8:0] end_of_ext = {1'b0, base_regs} + {1'b0, ext_regs};
    wire p_exists = p_x < base_regs || (p_has && {1'b0, p_x} < end_of_ext);
    wire same_register = p_warp == q_warp && p_x == q_x;

    // A launch as register_mapper's theorem has it, and the allocator as srp_allocator's.
    wire [15:0] a_index = a_warp;
    wire [15:0] b_index = b_warp;
    wire [15:0] a_number = a_section;
    wire [15:0] b_number = b_section;
    wire [15:0] row_size = base_regs;
    wire [15:0] ext_size = ext_regs;
    wire [15:0] warps = `NW;
    wire [15:0] number = sections;
    wire [31:0] limit = warps * row_size;
    wire [31:0] ext_limit = number * ext_size;
    wire [31:0] a_row = \uut.mapper_a.base_row ;
    wire [31:0] b_row = \uut.mapper_b.base_row ;
    wire [31:0] a_ext = \uut.mapper_a.ext_product ;
    wire [31:0] b_ext = \uut.mapper_b.ext_product ;
    wire [31:0] a_product = a_index * row_size;
    wire [31:0] b_product = b_index * row_size;
    wire [31:0] a_ext_product = a_number * ext_size;
    wire [31:0] b_ext_product = b_number * ext_size;
    wire legal = sections <= `NW && end_of_ext <= 9'd256 && limit <= srp_offset && ext_limit + srp_offset <= `PACKS
        && a_warp < `NW && b_warp < `NW;
    wire sound = (!a_has || a_section < sections) && (!b_has || b_section < sections)
        && (a_warp == b_warp ? a_held == b_held && (!a_held || a_section == b_section)
            : !a_has || !b_has || a_section != b_section);
    // Where a register lies (PLACES, for p, which is any): so far into a row. The main question builds on it.
    wire [31:0] p_start = p_x < base_regs ? (p_is_b ? b_row : a_row) : srp_offset + (p_is_b ? b_ext : a_ext);
    wire [31:0] q_start = q_x < base_regs ? (q_is_b ? b_row : a_row) : srp_offset + (q_is_b ? b_ext : a_ext);
    wire [31:0] p_within = p_x < base_regs ? p_x : p_x - base_regs;
    wire [31:0] q_within = q_x < base_regs ? q_x : q_x - base_regs;
    wire [31:0] p_end = p_start + (p_x < base_regs ? base_regs : ext_regs);
    wire [31:0] q_end = q_start + (q_x < base_regs ? base_regs : ext_regs);
    wire p_placed = !p_valid || (p_y == p_start + p_within && p_y < p_end);
    wire q_placed = !q_valid || (q_y == q_start + q_within && q_y < q_end);
    always @(*) begin
`ifdef PRODUCTS
        rows_are_products: assert (a_row == a_product && b_row == b_product);
        extended_rows_are_products: assert (a_ext == a_ext_product && b_ext == b_ext_product);
`else
        assume (legal && sound);
        // What is claimed of p and q is claimed of q and p, and q may be p: one order is enough.
        assume ({p_is_b, p_port} <= {q_is_b, q_port});
        // As in register_mapper: of the products, only that rows do not overlap.
        assume (`ORDERED(a_index, a_row, b_index, b_row, row_size));
        assume (`ORDERED(a_index, a_row, warps, limit, row_size) && `ORDERED(b_index, b_row, warps, limit, row_size));
        assume (`ORDERED(a_number, a_ext, b_number, b_ext, ext_size));
        assume (`ORDERED(a_number, a_ext, number, ext_limit, ext_size));
        assume (`ORDERED(b_number, b_ext, number, ext_limit, ext_size));
`ifdef PLACES
        a_register_lies_in_its_row: assert (p_placed);
`else
        assume (p_placed && q_placed);
`ifdef VACUITY
        c0: assert (!(p_valid && q_valid && p_warp != q_warp && p_x >= base_regs && q_x >= base_regs));
        c1: assert (!(p_valid && p_x >= base_regs && !p_is_b && a_takes && !a_held));
        c2: assert (!(p_valid && p_x >= base_regs && p_is_b && b_asks && b_release && b_held));
        c3: assert (!(p_valid && p_y == `PACKS - 1));
        c4: assert (!(wake && a_asks && !a_grant));
        c5: assert (!(a_valid && !a_grant && p_wanted && !p_is_b && p_x < base_regs));
`else
        a_granted_register_that_exists_has_a_pack: assert (p_valid == (p_goes && p_wanted && p_exists));
        without_a_pack_it_is_zero: assert (p_valid || p_y == 0);
        packs_are_below_the_register_file_size: assert (!p_valid || {21'd0, p_y} < `PACKS);
        two_registers_never_share_a_pack: assert (!p_valid || !q_valid || same_register || p_y != q_y);
        what_changes_nothing_goes_on: assert ((!a_valid || a_change || clear || a_grant) && (!b_valid || b_change || clear || b_grant));
        nothing_else_is_granted: assert ((a_valid && !clear) || !a_grant);
        nor_on_port_b: assert ((b_valid && !clear) || !b_grant);
        one_change_at_a_time: assert (!(a_changes && b_changes));
        who_is_refused_is_woken: assert (wake == ((a_changes && (a_release || (b_asks && !b_grant)))
            || (b_changes && (b_release || (a_asks && !a_grant)))));
`endif
`endif
`endif
    end
endmodule
