module rca #(parameter N=10)(input wire [N-1:0] a,b, input wire ci, output wire [N-1:0] s, output wire co);
  wire [N:0] c; assign c[0]=ci; assign co=c[N]; genvar i;
  generate for(i=0;i<N;i=i+1) begin:f wire p=a[i]^b[i]; assign s[i]=p^c[i]; assign c[i+1]=p?c[i]:a[i]; end endgenerate
endmodule
module ltr #(parameter N=8)(input wire [N-1:0] a,b, output wire lt); // a<b
  wire [N:0] c; assign c[0]=0; assign lt=c[N]; genvar i;
  generate for(i=0;i<N;i=i+1) begin:f assign c[i+1]=(a[i]^b[i])?b[i]:c[i]; end endgenerate
endmodule
module reg_map_w48_p1024(
    input wire [5:0] widx, input wire [7:0] coeff, input wire [7:0] x0, x1, x2, x3,
    input wire x0_valid, x1_valid, x2_valid, x3_valid,
    output wire [9:0] y0, y1, y2, y3, output wire y0_valid, y1_valid, y2_valid, y3_valid);
    // carry-save rows: three pairs
    wire [7:0] r0=coeff&{8{widx[0]}}, r1=coeff&{8{widx[1]}}, r2=coeff&{8{widx[2]}}, r3=coeff&{8{widx[3]}}, r4=coeff&{8{widx[4]}}, r5=coeff&{8{widx[5]}};
    wire [9:0] p01,p23,p45; wire d0,d1,d2;
    rca #(10) a0({2'b0,r0},{1'b0,r1,1'b0},1'b0,p01,d0);
    rca #(10) a1({2'b0,r2},{1'b0,r3,1'b0},1'b0,p23,d1);
    rca #(10) a2({2'b0,r4},{1'b0,r5,1'b0},1'b0,p45,d2);
    wire [11:0] q; wire d3; rca #(12) a3({2'b0,p01},{p23,2'b0},1'b0,q,d3);
    wire [13:0] row; wire d4; rca #(14) a4({2'b0,q},{p45,4'b0},1'b0,row,d4);
    wire fits=~|row[13:10];
    wire l0,l1,l2,l3; ltr c0(x0,coeff,l0); ltr c1(x1,coeff,l1); ltr c2(x2,coeff,l2); ltr c3(x3,coeff,l3);
    wire [9:0] s0,s1,s2,s3; wire o0,o1,o2,o3;
    rca #(10) e0(row[9:0],{2'b0,x0},1'b0,s0,o0);rca #(10) e1(row[9:0],{2'b0,x1},1'b0,s1,o1);rca #(10) e2(row[9:0],{2'b0,x2},1'b0,s2,o2);rca #(10) e3(row[9:0],{2'b0,x3},1'b0,s3,o3);
    assign y0_valid=x0_valid&l0&fits&~o0, y1_valid=x1_valid&l1&fits&~o1, y2_valid=x2_valid&l2&fits&~o2, y3_valid=x3_valid&l3&fits&~o3;
    assign y0={10{y0_valid}}&s0, y1={10{y1_valid}}&s1, y2={10{y2_valid}}&s2, y3={10{y3_valid}}&s3;
endmodule
