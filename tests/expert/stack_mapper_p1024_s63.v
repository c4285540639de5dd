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
module stack_mapper_p1024_s63(
    input wire launched, input wire [9:0] rfp, rsp, base, first, input wire [5:0] capacity,
    input wire [7:0] x0, input wire x0_valid, input wire [7:0] x1, input wire x1_valid,
    input wire [7:0] x2, input wire x2_valid, input wire [7:0] x3, input wire x3_valid,
    output wire [9:0] link_pack, output wire [9:0] y0, output wire y0_valid, output wire [9:0] y1, output wire y1_valid,
    output wire [9:0] y2, output wire y2_valid, output wire [9:0] y3, output wire y3_valid);
    wire [9:0] fa, ta; wire u0,u1; sub #(10) s0(rfp,first,fa,u0); sub #(10) s1(rsp,first,ta,u1);
    wire fin, tin; ltr #(6) c0(fa[5:0],capacity,fin); ltr #(6) c1(ta[5:0],capacity,tin);
    wire renames = launched & fin & tin & ~|fa[9:6] & ~|ta[9:6];
    // pushed = rsp - rfp, around the window
    wire [5:0] d; wire dlt; sub #(6) s2(ta[5:0],fa[5:0],d,dlt);
    wire [5:0] dc; wire co1; rca #(6) s3(d,capacity,1'b0,dc,co1);
    wire [5:0] pushed = dlt ? dc : d;
    wire [5:0] room; wire lt1; sub #(6) s4(capacity,fa[5:0],room,lt1);
    wire [9:0] straight, turned; wire lt2; 
    assign straight[3:0]=rfp[3:0]; wire bb; sub #(6) s5(rfp[9:4],6'd1,straight[9:4],bb);
    sub #(10) s6(straight,{4'b0,capacity},turned,lt2);
    wire [9:0] bregs; wire fb; sub #(10) s7(first,base,bregs,fb);
    wire has_base=~fb; // first==base gives bregs 0: no register below it
    wire [9:0] l1, lm; wire x1c,x2c; wire z=~|fa;  // at place 0: link is last
    // rfp - 1 + (z ? capacity : 0)
    rca #(10) s8(rfp,{{4{~z}},(capacity|{6{~z}})},1'b0,lm,x1c);
    wire [9:0] lmm; wire x3c; sub #(10) s9(lm,{9'b0,z},lmm,x3c);
    assign link_pack = lmm & {10{renames}};
    look a(renames,base,straight,turned,pushed,room,bregs,has_base,x0,x0_valid,y0,y0_valid);
    look b(renames,base,straight,turned,pushed,room,bregs,has_base,x1,x1_valid,y1,y1_valid);
    look c(renames,base,straight,turned,pushed,room,bregs,has_base,x2,x2_valid,y2,y2_valid);
    look e(renames,base,straight,turned,pushed,room,bregs,has_base,x3,x3_valid,y3,y3_valid);
endmodule
module look(input wire renames, input wire [9:0] base, straight, turned, input wire [5:0] pushed, room, input wire [9:0] bregs, input wire has_base, input wire [7:0] x, input wire v, output wire [9:0] y, output wire yv);
    wire [3:0] hi; wire b16; sub #(4) q0(x[7:4],4'd1,hi,b16);   // saved = x-16
    wire big = b16 | hi[3] | hi[2];      // below 16, or 64 and more
    wire lp, lr, lb; wire [5:0] sv={hi[1:0],x[3:0]};
    ltr #(6) q1(sv,pushed,lp); ltr #(6) q2(sv,room,lr); ltr #(10) q3({2'b0,x},bregs,lb);
    wire ren = renames & ~big & lp;
    wire [9:0] o = ~ren ? base : lr ? straight : turned;
    wire [9:0] s; wire co; rca #(10) q4(o,{2'b0,x},1'b0,s,co);
    assign yv = v & (ren | (has_base & lb));
    assign y = s & {10{yv}};
endmodule
