module rca #(parameter N=10)(input wire [N-1:0] a,b, input wire ci, output wire [N-1:0] s, output wire co);
  wire [N:0] c; assign c[0]=ci; assign co=c[N]; genvar i;
  generate for(i=0;i<N;i=i+1) begin:f wire p=a[i]^b[i]; assign s[i]=p^c[i]; assign c[i+1]=p?c[i]:a[i]; end endgenerate
endmodule
module ltr #(parameter N=8)(input wire [N-1:0] a,b, output wire lt);
  wire [N:0] c; assign c[0]=0; assign lt=c[N]; genvar i;
  generate for(i=0;i<N;i=i+1) begin:f assign c[i+1]=(a[i]^b[i])?b[i]:c[i]; end endgenerate
endmodule
module sub #(parameter N=10)(input wire [N-1:0] a,b, output wire [N-1:0] d, output wire lt); // a-b, borrow
  wire [N:0] c; assign c[0]=0; assign lt=c[N]; genvar i;
  generate for(i=0;i<N;i=i+1) begin:f wire p=a[i]^b[i]; assign d[i]=p^c[i]; assign c[i+1]=p?b[i]:c[i]; end endgenerate
endmodule
module mul6x8(input wire [5:0] w, input wire [7:0] k, output wire [13:0] row);
    wire [7:0] r0=k&{8{w[0]}}, r1=k&{8{w[1]}}, r2=k&{8{w[2]}}, r3=k&{8{w[3]}}, r4=k&{8{w[4]}}, r5=k&{8{w[5]}};
    wire [9:0] p01,p23,p45; wire d0,d1,d2,d3,d4;
    rca #(10) a0({2'b0,r0},{1'b0,r1,1'b0},1'b0,p01,d0);
    rca #(10) a1({2'b0,r2},{1'b0,r3,1'b0},1'b0,p23,d1);
    rca #(10) a2({2'b0,r4},{1'b0,r5,1'b0},1'b0,p45,d2);
    wire [11:0] q; rca #(12) a3({2'b0,p01},{p23,2'b0},1'b0,q,d3);
    rca #(14) a4({2'b0,q},{p45,4'b0},1'b0,row,d4);
endmodule
module mul5x10(input wire [4:0] w, input wire [9:0] k, output wire [14:0] row);
    wire [9:0] r0=k&{10{w[0]}}, r1=k&{10{w[1]}}, r2=k&{10{w[2]}}, r3=k&{10{w[3]}}, r4=k&{10{w[4]}};
    wire [11:0] p01,p23; wire d0,d1,d3,d4;
    rca #(12) a0({2'b0,r0},{1'b0,r1,1'b0},1'b0,p01,d0);
    rca #(12) a1({2'b0,r2},{1'b0,r3,1'b0},1'b0,p23,d1);
    wire [13:0] q; rca #(14) a3({2'b0,p01},{p23,2'b0},1'b0,q,d3);
    rca #(15) a4({1'b0,q},{1'b0,r4,4'b0},1'b0,row,d4);
endmodule
module paired_mapper_w48_p1024(
    input wire [5:0] widx,
    input wire [7:0] base_regs, ext_regs,
    input wire ext_held,
    input wire [7:0] x0, x1, x2, x3,
    input wire x0_valid, x1_valid, x2_valid, x3_valid,
    output wire [9:0] y0, y1, y2, y3,
    output wire y0_valid, y1_valid, y2_valid, y3_valid
);
    wire [9:0] stride; rca #(9) t6({base_regs,1'b0},{1'b0,ext_regs},1'b0,stride[8:0],stride[9]);
    wire [14:0] even_row; mul5x10 m0(widx[5:1],stride,even_row);
    wire [15:0] odd_row; rca #(15) t7(even_row,{7'b0,base_regs},1'b0,odd_row[14:0],odd_row[15]);
    wire [8:0] all_regs; rca #(8) t2(base_regs,ext_regs,1'b0,all_regs[7:0],all_regs[8]);
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
    wire in_base; ltr #(8) t3(x,base_regs,in_base);
    wire la; ltr #(9) t4({1'b0,x},all_regs,la); wire in_ext = ext_held & la;
    // The extended set follows the odd warp's base set.
    wire in_odd = odd | ~in_base;
    wire [10:0] sum; rca #(10) t5((in_odd ? odd_row[9:0] : even_row[9:0]),{2'b0,x},1'b0,sum[9:0],sum[10]);
    wire fits = ~sum[10] & (in_odd ? ~|odd_row[15:10] : ~|even_row[14:10]);
    assign y_valid = valid & (in_base | in_ext) & fits;
    assign y = {10{y_valid}} & sum[9:0];
endmodule
