module reg_map_w48_p1024(
    input wire [5:0] widx,
    input wire [7:0] coeff,
    input wire [7:0] x0, x1, x2, x3,
    input wire x0_valid, x1_valid, x2_valid, x3_valid,
    output wire [9:0] y0, y1, y2, y3,
    output wire y0_valid, y1_valid, y2_valid, y3_valid
);
    wire [13:0] row = widx * coeff;
    // A sum is inside if the row is and nothing is carried out of it.
    wire fits = ~|row[13:10];
    wire [10:0] s0 = row[9:0] + x0, s1 = row[9:0] + x1, s2 = row[9:0] + x2, s3 = row[9:0] + x3;
    assign y0_valid = x0_valid & x0 < coeff & fits & ~s0[10];
    assign y1_valid = x1_valid & x1 < coeff & fits & ~s1[10];
    assign y2_valid = x2_valid & x2 < coeff & fits & ~s2[10];
    assign y3_valid = x3_valid & x3 < coeff & fits & ~s3[10];
    assign y0 = {10{y0_valid}} & s0[9:0];
    assign y1 = {10{y1_valid}} & s1[9:0];
    assign y2 = {10{y2_valid}} & s2[9:0];
    assign y3 = {10{y3_valid}} & s3[9:0];
endmodule
