// The baseline mapping: two different registers of resident warps never share a pack, and every pack exists.
// Two look-ups of one launch: any resident warps, any of the four ports.
`define ORDERED(a, row_a, b, row_b, size) \
    ((row_a) < 32'h40000 && (row_b) < 32'h40000 && ((a) == (b) ? (row_a) == (row_b) \
        : (a) < (b) ? (row_a) + (size) <= (row_b) : (row_b) + (size) <= (row_a)))

module look_up (
    input wire [7:0] coeff,
    input wire [`IW-1:0] widx,
    input wire [31:0] registers, input wire [3:0] wanted, input wire [1:0] port,
    output wire [7:0] x, output wire asked, output wire [`PACKS_BITS-1:0] y, output wire y_valid
);
    wire [`PACKS_BITS-1:0] y0, y1, y2, y3;
    wire v0, v1, v2, v3;
    `TOP uut (
        .coeff(coeff), .widx(widx),
        .x0(registers[7:0]), .x1(registers[15:8]), .x2(registers[23:16]), .x3(registers[31:24]),
        .x0_valid(wanted[0]), .x1_valid(wanted[1]), .x2_valid(wanted[2]), .x3_valid(wanted[3]),
        .y0(y0), .y1(y1), .y2(y2), .y3(y3), .y0_valid(v0), .y1_valid(v1), .y2_valid(v2), .y3_valid(v3)
    );
    assign x = registers[port*8 +: 8];
    assign asked = wanted[port];
    assign y = port == 0 ? y0 : port == 1 ? y1 : port == 2 ? y2 : y3;
    assign y_valid = port == 0 ? v0 : port == 1 ? v1 : port == 2 ? v2 : v3;
endmodule

module proof (
    input wire clock, input wire [7:0] warps, input wire [7:0] sections,
    input wire [7:0] coeff,
    input wire [`IW-1:0] p_widx, input wire [`IW-1:0] q_widx,
    input wire [31:0] p_registers, input wire [31:0] q_registers, input wire [3:0] p_wanted, input wire [3:0] q_wanted,
    input wire [1:0] p_port, input wire [1:0] q_port
);
    wire [7:0] p_x, q_x;
    wire p_asked, q_asked, p_valid, q_valid;
    wire [`PACKS_BITS-1:0] p_y, q_y;
    look_up p (
        .coeff(coeff), .widx(p_widx),
        .registers(p_registers), .wanted(p_wanted), .port(p_port),
        .x(p_x), .asked(p_asked), .y(p_y), .y_valid(p_valid)
    );
    look_up q (
        .coeff(coeff), .widx(q_widx),
        .registers(q_registers), .wanted(q_wanted), .port(q_port),
        .x(q_x), .asked(q_asked), .y(q_y), .y_valid(q_valid)
    );
    (* hierconn *) wire [15:0] \p.uut.row ;
    (* hierconn *) wire [15:0] \q.uut.row ;
    wire [31:0] p_row = \p.uut.row ;
    wire [31:0] q_row = \q.uut.row ;
    wire [15:0] p_index = p_widx;
    wire [15:0] q_index = q_widx;
    wire [15:0] row_size = coeff;
    wire [15:0] rows = warps;
    wire [31:0] p_product = p_index * row_size;
    wire [31:0] q_product = q_index * row_size;
    wire [31:0] limit = rows * row_size;
    // A launch: every resident warp's registers fit.
    wire legal = warps <= `NW && limit <= `PACKS;
    wire consistent = p_widx < warps && q_widx < warps;
    wire p_exists = p_x < coeff;
    wire q_exists = q_x < coeff;
    wire same_register = p_widx == q_widx && p_x == q_x;
    always @(*) begin
`ifdef PRODUCTS
        rows_are_products: assert (p_row == p_product && q_row == q_product);
`else
        assume (legal && consistent);
        // Rows are products (PRODUCTS) and those do not overlap (rows_do_not_overlap): the run may cut them
        // out and use no more of them than this.
        assume (`ORDERED(p_index, p_row, q_index, q_row, row_size));
        assume (`ORDERED(p_index, p_row, rows, limit, row_size) && `ORDERED(q_index, q_row, rows, limit, row_size));
`ifdef VACUITY
        c0: assert (!(p_valid && q_valid && p_widx != q_widx && p_port != q_port));
        c1: assert (!(p_valid && p_y == `PACKS - 1));
        c2: assert (!(p_asked && !p_exists));
`else
        existing_registers_have_a_pack: assert (!p_asked || p_valid == p_exists);
        unwanted_look_ups_have_none: assert (p_asked || (!p_valid && p_y == 0));
        packs_are_below_the_register_file_size: assert (!p_valid || {21'd0, p_y} < `PACKS);
        two_registers_never_share_a_pack: assert (!p_valid || !q_valid || same_register || p_y != q_y);
`endif
`endif
    end
endmodule
