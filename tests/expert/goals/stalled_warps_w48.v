module stalled_warps_w48(
    input wire clock, clear, stall, input wire [5:0] stall_warp, input wire wake, input wire [5:0] a_warp, b_warp,
    output wire stall_grant, woken_valid, output wire [5:0] woken, output wire empty, a_stalled, b_stalled);
    reg [5:0] head = 0, tail = 0;
    reg [47:0] st = 0;
    reg [287:0] fifo = 0;
    function m48(input [47:0] v, input [5:0] s); reg [23:0] a; reg [11:0] b; reg [5:0] c; reg [2:0] d; integer k; begin
      for(k=0;k<24;k=k+1) a[k]=s[0]?v[2*k+1]:v[2*k];
      for(k=0;k<12;k=k+1) b[k]=s[1]?a[2*k+1]:a[2*k];
      for(k=0;k<6;k=k+1) c[k]=s[2]?b[2*k+1]:b[2*k];
      for(k=0;k<3;k=k+1) d[k]=s[3]?c[2*k+1]:c[2*k];
      m48 = s[5]?d[2]:s[4]?d[1]:d[0]; end endfunction
    function [7:0] dec8(input [2:0] s); reg [3:0] lo; begin lo={s[1]&s[0],s[1]&~s[0],~s[1]&s[0],~s[1]&~s[0]}; dec8={lo&{4{s[2]}},lo&{4{~s[2]}}}; end endfunction
    function [5:0] dec6(input [2:0] s, input g); reg [3:0] lo; reg h,l; begin lo={s[1]&s[0],s[1]&~s[0],~s[1]&s[0],~s[1]&~s[0]}; h=s[2]&g; l=~s[2]&g; dec6={lo[1:0]&{2{h}},lo&{4{l}}}; end endfunction
    wire [5:0] first; genvar i, j;
    generate for (j=0;j<6;j=j+1) begin:b wire [47:0] col; for(i=0;i<48;i=i+1) begin:e assign col[i]=fifo[48*j+i]; end assign first[j]=m48(col,head); end endgenerate
    wire a_in=m48(st,a_warp), b_in=m48(st,b_warp), s_in=m48(st,stall_warp);
    assign a_stalled=a_in & ~&a_warp[5:4], b_stalled=b_in & ~&b_warp[5:4];
    assign empty=~|st;
    assign woken_valid=wake&~clear&~empty;
    assign woken=first&{6{woken_valid}};
    wire same = first==stall_warp;
    wire ok = stall & ~clear & ~&stall_warp[5:4];
    assign stall_grant = ok & ~(woken_valid & same);
    // a stalled warp keeps its place
    wire push = ok & ~s_in;
    wire [7:0] sc=dec8(stall_warp[2:0]), wc=dec8(first[2:0]), tc=dec8(tail[2:0]);
    wire [5:0] sr=dec6(stall_warp[5:3],push), wr=dec6(first[5:3],woken_valid), tr=dec6(tail[5:3],push);
    wire [7:0] wcc=wc|{8{clear}}; wire [5:0] wrr=wr|{6{clear}};
    generate for(i=0;i<48;i=i+1) begin:w
        wire t = tr[i/8]&tc[i%8];
        always @(posedge clock) begin
            if (wrr[i/8]&wcc[i%8]) st[i]<=0; else if (sr[i/8]&sc[i%8]) st[i]<=1;
        end
        for(j=0;j<6;j=j+1) begin:z always @(posedge clock) if (t) fifo[48*j+i]<=stall_warp[j]; end
    end endgenerate
    function [5:0] inc(input [5:0] x); reg c1,c2,c3; begin c1=x[0]&x[1]; c2=c1&x[2]; c3=c2&x[3];
        // 47 = 101111 -> 0
        inc={ (x[5]^ (c3&x[4])) & ~(x[5]&c3), (x[4]^c3)&~(x[5]&c3), x[3]^c2, x[2]^c1, x[1]^x[0], ~x[0]}; end endfunction
    always @(posedge clock) begin
        if (clear) head<=0; else if (woken_valid) head<=inc(head);
        if (clear) tail<=0; else if (push) tail<=inc(tail);
    end
endmodule
