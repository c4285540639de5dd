module paired_mapper_w48_p1024(
    input wire [5:0] widx,
    input wire [7:0] base_regs, ext_regs,
    input wire ext_held,
    input wire [7:0] x0, x1, x2, x3,
    input wire x0_valid, x1_valid, x2_valid, x3_valid,
    output wire [9:0] y0, y1, y2, y3,
    output wire y0_valid, y1_valid, y2_valid, y3_valid
);
    wire [9:0] stride = {1'b0, base_regs, 1'b0} + ext_regs;
    wire [14:0] even_row = widx[5:1] * stride;
    wire [15:0] odd_row = even_row + base_regs;
    wire [8:0] all_regs = base_regs + ext_regs;
    wire odd = widx[0];

    lookup l0 (even_row, odd_row, odd, base_regs, all_regs, ext_held, x0, x0_valid, y0, y0_valid);
    lookup l1 (even_row, odd_row, odd, base_regs, all_regs, ext_held, x1, x1_valid, y1, y1_valid);
    lookup l2 (even_row, odd_row, odd, base_regs, all_regs, ext_held, x2, x2_valid, y2, y2_valid);
    lookup l3 (even_row, odd_row, odd, base_regs, all_regs, ext_held, x3, x3_valid, y3, y3_valid);
endmodule

module lookup(
    input wire [14:0] even_row,
    input wire [15:0] odd_row,
    input wire odd,
    input wire [7:0] base_regs,
    input wire [8:0] all_regs,
    input wire ext_held,
    input wire [7:0] x,
    input wire valid,
    output wire [9:0] y,
    output wire y_valid
);
    wire in_base = x < base_regs;
    wire in_ext = ext_held & x < all_regs;
    // The extended set follows the odd warp's base set.
    wire in_odd = odd | ~in_base;
    wire [10:0] sum = (in_odd ? odd_row[9:0] : even_row[9:0]) + x;
    wire fits = ~sum[10] & (in_odd ? ~|odd_row[15:10] : ~|even_row[14:10]);
    assign y_valid = valid & (in_base | in_ext) & fits;
    assign y = {10{y_valid}} & sum[9:0];
endmodule
