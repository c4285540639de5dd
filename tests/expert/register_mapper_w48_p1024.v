module register_mapper_w48_p1024(
    input wire [5:0] widx,
    input wire [7:0] base_regs, ext_regs,
    input wire [5:0] section,
    input wire section_valid,
    input wire [9:0] srp_offset,
    input wire [7:0] x0, x1, x2, x3,
    input wire x0_valid, x1_valid, x2_valid, x3_valid,
    output wire [9:0] y0, y1, y2, y3,
    output wire y0_valid, y1_valid, y2_valid, y3_valid
);
    // Both rows begin where register 0 would lie, so that one sum serves base and extended registers.
    wire [13:0] base_row = widx * base_regs;
    wire [13:0] srp_row = section * ext_regs;
    wire [15:0] ext_row = srp_row + srp_offset - base_regs;
    wire [8:0] all_regs = base_regs + ext_regs;

    lookup l0 (.x(x0), .valid(x0_valid), .y(y0), .y_valid(y0_valid),
        .base_row(base_row), .ext_row(ext_row), .base_regs(base_regs), .all_regs(all_regs), .section_valid(section_valid));
    lookup l1 (.x(x1), .valid(x1_valid), .y(y1), .y_valid(y1_valid),
        .base_row(base_row), .ext_row(ext_row), .base_regs(base_regs), .all_regs(all_regs), .section_valid(section_valid));
    lookup l2 (.x(x2), .valid(x2_valid), .y(y2), .y_valid(y2_valid),
        .base_row(base_row), .ext_row(ext_row), .base_regs(base_regs), .all_regs(all_regs), .section_valid(section_valid));
    lookup l3 (.x(x3), .valid(x3_valid), .y(y3), .y_valid(y3_valid),
        .base_row(base_row), .ext_row(ext_row), .base_regs(base_regs), .all_regs(all_regs), .section_valid(section_valid));
endmodule

module lookup(
    input wire [13:0] base_row,
    input wire [15:0] ext_row,
    input wire [7:0] base_regs,
    input wire [8:0] all_regs,
    input wire section_valid,
    input wire [7:0] x,
    input wire valid,
    output wire [9:0] y,
    output wire y_valid
);
    wire in_base = x < base_regs;
    wire in_ext = section_valid & x < all_regs;
    // A row that begins below 0 ends inside exactly if there is a carry.
    wire [10:0] sum = (in_base ? base_row[9:0] : ext_row[9:0]) + x;
    wire base_fits = ~|base_row[13:10] & ~sum[10];
    wire ext_fits = sum[10] ? &ext_row[15:10] : ~|ext_row[15:10];
    assign y_valid = valid & (in_base ? base_fits : in_ext & ext_fits);
    assign y = {10{y_valid}} & sum[9:0];
endmodule
