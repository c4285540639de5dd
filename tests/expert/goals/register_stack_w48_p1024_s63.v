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
module register_stack_w48_p1024_s63(
    input wire clock, clear, favor_b,
    input wire [2:0] a_op,
    input wire [5:0] a_warp,
    input wire [9:0] a_first,
    input wire [5:0] a_capacity, a_fru, a_evicted,
    input wire [9:0] a_link,
    input wire a_link_kernel,
    input wire [2:0] b_op,
    input wire [5:0] b_warp,
    input wire [9:0] b_first,
    input wire [5:0] b_capacity, b_fru, b_evicted,
    input wire [9:0] b_link,
    input wire b_link_kernel,
    output wire served_b, grant, trap,
    output wire [9:0] pack,
    output wire [5:0] count,
    output wire [9:0] link,
    output wire link_kernel,
    output wire a_launched,
    output wire [9:0] a_rfp, a_rsp,
    output wire [5:0] a_free,
    output wire b_launched,
    output wire [9:0] b_rfp, b_rsp,
    output wire [5:0] b_free
);
    reg [47:0] launched = 0;
    reg [1247:0] rows = ~1248'd0;   // bit-planes: plane j, row i at 48*j+i
    function m48(input [47:0] v, input [5:0] s); reg [23:0] a; reg [11:0] b; reg [5:0] c; reg [2:0] d; integer k; begin
      for(k=0;k<24;k=k+1) a[k]=s[0]?v[2*k+1]:v[2*k];
      for(k=0;k<12;k=k+1) b[k]=s[1]?a[2*k+1]:a[2*k];
      for(k=0;k<6;k=k+1) c[k]=s[2]?b[2*k+1]:b[2*k];
      for(k=0;k<3;k=k+1) d[k]=s[3]?c[2*k+1]:c[2*k];
      m48 = s[5]?d[2]:s[4]?d[1]:d[0]; end endfunction
    function [7:0] dec8(input [2:0] s); reg [3:0] lo; begin lo={s[1]&s[0],s[1]&~s[0],~s[1]&s[0],~s[1]&~s[0]}; dec8={lo&{4{s[2]}},lo&{4{~s[2]}}}; end endfunction
    function [5:0] dec6(input [2:0] s, input g); reg [3:0] lo; reg h,l; begin lo={s[1]&s[0],s[1]&~s[0],~s[1]&s[0],~s[1]&~s[0]}; h=s[2]&g; l=~s[2]&g; dec6={lo[1:0]&{2{h}},lo&{4{l}}}; end endfunction
    wire [25:0] a_row, b_row; genvar i, j;
    generate for (j=0;j<26;j=j+1) begin:rd assign a_row[j]=~m48(rows[48*j+:48],a_warp); assign b_row[j]=~m48(rows[48*j+:48],b_warp); end endgenerate

    
    assign a_launched = m48(launched,a_warp) & ~&a_warp[5:4];
    assign b_launched = m48(launched,b_warp) & ~&b_warp[5:4];
    assign {a_rfp, a_rsp, a_free} = a_row & {26{a_launched}};
    assign {b_rfp, b_rsp, b_free} = b_row & {26{b_launched}};

    assign served_b = |b_op & (favor_b | ~|a_op);
    wire [2:0] op = (served_b ? b_op : a_op) & {3{~clear}};
    wire [5:0] warp = served_b ? b_warp : a_warp;
    wire [9:0] first = served_b ? b_first : a_first;
    wire [5:0] capacity = served_b ? b_capacity : a_capacity;
    wire [5:0] fru = served_b ? b_fru : a_fru;
    wire [5:0] evicted = served_b ? b_evicted : a_evicted;
    wire [9:0] caller = served_b ? b_link : a_link;
    wire of_kernel = served_b ? b_link_kernel : a_link_kernel;
    wire running = served_b ? b_launched : a_launched;
    wire [9:0] rfp = served_b ? b_rfp : a_rfp;
    wire [9:0] rsp = served_b ? b_rsp : a_rsp;
    wire [5:0] free = served_b ? b_free : a_free;
    wire launch = op == 1, call = op == 2, push = op == 3, pop = op == 4, unwind = op == 5, finish = op == 6;

    // Places in the window, and whether they are in it.
    wire [9:0] frame_at, top_at, link_at;
    add #(10) s0 (rfp, ~first, 1'b1, frame_at,);
    add #(10) s1 (rsp, ~first, 1'b1, top_at,);
    add #(10) s2 (caller, ~first, 1'b1, link_at,);
    wire frame_in, top_in, link_in, turned, link_below;
    below6 c0 (frame_at[5:0], capacity, frame_in);
    below6 c1 (top_at[5:0], capacity, top_in);
    below6 c2 (link_at[5:0], capacity, link_in);
    below6 c3 (top_at[5:0], frame_at[5:0], turned);
    below6 c4 (link_at[5:0], frame_at[5:0], link_below);
    wire in_window = frame_in & top_in & ~|{frame_at[9:6], top_at[9:6]};
    wire empty = rfp == rsp;
    wire in_kernel = empty & free == capacity;

    // Packs in use below the link of the function in control; less than 0 in the kernel.
    wire [7:0] down = rfp[7:0] ^ ~rsp[7:0], used = {2'b11, ~free}, size = {2'b00, capacity};
    wire [7:0] three = down ^ used, over = (down & used) | (~down & rfp[7:0]), third = {over[6:0], 1'b1};
    wire [7:0] four = three ^ third, over_4 = (four & size) | (~four & three);
    wire [7:0] spare_turned, spare_straight;
    add #(8) s3 (three, third, 1'b0, spare_turned,);
    add #(8) s4 (four ^ size, {over_4[6:0], 1'b0}, 1'b0, spare_straight,);
    wire [7:0] spare_wide = turned ? spare_turned : spare_straight;
    wire in_function = ~spare_wide[7];
    wire [5:0] spare = spare_wide[5:0];
    wire sound = running & in_window & (in_function | in_kernel);

    // Room for one more than what is needed, of a call and a push; what may go to make it.
    wire [5:0] resident;
    add #(6) s5 (capacity, ~free, 1'b1, resident,);
    wire [5:0] limit = call ? resident : spare;
    wire [5:0] need = fru & {6{call}};
    wire [6:0] available;
    add #(6) s6 (free, evicted, 1'b0, available[5:0], available[6]);
    wire too_many, enough;
    below6 c5 (limit, evicted, too_many);
    below6 c6 (need, available[5:0], enough);
    wire room = enough | available[6];
    wire opens = sound & ~too_many & (call | push & in_function);
    wire opened = opens & room;
    assign trap = opens & ~room & (call ? fru < capacity : |spare);

    // The caller's frame with its link, of which the spare packs are there.
    wire [5:0] straight_size, around_size;
    wire [5:0] apart = rfp[5:0] ^ ~caller[5:0];
    wire [5:0] more = apart & capacity | ~apart & rfp[5:0];
    add #(6) s7 (rfp[5:0], ~caller[5:0], 1'b1, straight_size,);
    add #(6) s8 (apart ^ capacity, {more[4:0], 1'b1}, 1'b0, around_size,);
    wire [5:0] frame_size = link_below ? straight_size : around_size;
    wire popped = sound & pop & ~empty;
    wire unwound = sound & unwind & in_function & link_in & ~|link_at[9:6]
        & ~(of_kernel & (frame_size != 1 | |spare));
    wire [5:0] less_one;
    wire lacks;
    add #(6) s9 (unwind ? frame_size : need, unwind ? ~spare : ~free, ~unwind, less_one, lacks);
    wire fills = unwound & lacks & ~of_kernel;

    wire started = launch & ~running & ~&warp[5:4] & (fits[10] ? ~|fits[9:0] : 1'b1);
    wire [10:0] fits; add #(10) s15(first,{4'b0,capacity},1'b0,fits[9:0],fits[10]);
    wire ended = finish & running;
    assign grant = started | opened | popped | unwound | ended;
    wire [5:0] plus_one = less_one ^ {&less_one[4:0], &less_one[3:0], &less_one[2:0], &less_one[1:0], less_one[0], 1'b1};
    assign count = plus_one & {6{trap | fills}};

    wire [9:0] last = fits[9:0] - 10'd1;
    wire [9:0] up = rsp == last ? first : rsp + 10'd1;
    wire [9:0] from = unwind ? rfp : rsp;
    wire [9:0] below = ~|(unwind ? frame_at : top_at) ? last : from - 10'd1;
    wire [9:0] link_down = ~|link_at ? last : caller - 10'd1;
    wire [6:0] behind;
    wire [9:0] straight, around;
    wire not_around;
    add #(6) s10 (top_at[5:0], free, 1'b0, behind[5:0], behind[6]);
    below6 c7 (behind[5:0], capacity, not_around);
    add #(10) s11 (rsp, {4'b0, free}, 1'b0, straight,);
    add #(10) s12 (rsp, {4'b1111, ~resident}, 1'b1, around,);
    wire [9:0] bottom = ~behind[6] & not_around ? straight : around;
    wire [9:0] place = unwind ? link_down : pop ? below : rsp;
    assign pack = trap ? bottom : place & {10{fills | opened | popped}};
    assign link = rfp & {10{opened & call}};
    assign link_kernel = opened & call & in_kernel;

    wire [9:0] new_rfp = launch ? first : call ? up : unwind ? caller : rfp;
    wire [9:0] new_rsp = launch ? first : call | push ? up : below;
    wire [5:0] kept, filled;
    add #(6) s13 (capacity, ~spare, 1'b1, kept,);
    add #(6) s14 (capacity, ~frame_size, 1'b1, filled,);
    wire [5:0] new_free = launch ? capacity : pop ? free + 6'd1 : unwind ? lacks & ~of_kernel ? filled : kept
        : available[5:0] - 6'd1;
    wire [7:0] wc=dec8(warp[2:0]); wire [5:0] wr=dec6(warp[5:3],grant);
    wire [25:0] nr={new_rfp, new_rsp, new_free};
    generate for(i=0;i<48;i=i+1) begin:w
        wire t=wr[i/8]&wc[i%8];
        always @(posedge clock) if (clear) launched[i]<=0; else if (t) launched[i] <= ~finish;
        for(j=0;j<26;j=j+1) begin:z always @(posedge clock) if (t) rows[48*j+i]<=~nr[j]; end
    end endgenerate
endmodule

// By halves: the upper one decides unless it is equal.
module below6(input wire [5:0] a, b, output wire below);
    wire [5:0] d = a ^ b;
    wire b54 = d[5] ? b[5] : b[4], b32 = d[3] ? b[3] : b[2], b10 = d[1] ? b[1] : b[0] & ~a[0];
    wire d54 = d[5] | d[4], d32 = d[3] | d[2];
    assign below = d54 ? b54 : d32 ? b32 : b10;
endmodule

// Sklansky's carries. Where the bits of a place are equal, they are the carry.
module add #(parameter W = 6) (input wire [W - 1:0] a, b, input wire c, output wire [W - 1:0] sum, output wire over);
    reg [W - 1:0] carry, passes;
    integer i, s;
    always @* begin
        passes = a ^ b;
        carry = a;
        carry[0] = passes[0] ? c : a[0];
        for (s = 1; s < W; s = 2 * s)
            for (i = 0; i < W; i = i + 1)
                if (i & s) begin
                    carry[i] = passes[i] ? carry[(i & ~(s - 1)) - 1] : carry[i];
                    passes[i] = passes[i] & passes[(i & ~(s - 1)) - 1];
                end
    end
    assign sum = a ^ b ^ {carry[W - 2:0], c};
    assign over = carry[W - 1];
endmodule
