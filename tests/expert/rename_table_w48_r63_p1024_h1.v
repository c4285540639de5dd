module rename_table_w48_r63_p1024_h1(
    input wire clock, clear,
    input wire [5:0] exempt, warp,
    input wire launch, exit,
    input wire [5:0] x0,
    input wire x0_valid, x0_release,
    input wire [5:0] x1,
    input wire x1_valid, x1_release,
    input wire [5:0] x2,
    input wire x2_valid, x2_release,
    input wire [5:0] x3,
    input wire x3_valid, x3_partial,
    input wire [3:0] offer_valid,
    input wire [7:0] offer0, offer1, offer2, offer3,
    output wire busy,
    output wire [3:0] served,
    output wire [9:0] y0,
    output wire y0_valid,
    output wire [9:0] y1,
    output wire y1_valid,
    output wire [9:0] y2,
    output wire y2_valid,
    output wire [9:0] y3,
    output wire y3_valid, starved,
    output wire [3:0] take, give,
    output wire [7:0] give0, give1, give2, give3
);
    reg walks = 0, walk_gives = 0;
    reg [5:0] at_warp = 0;
    reg [3:0] at0 = 0, at1 = 0, at2 = 0;
    reg [9:0] at3 = 0;
    reg [5:0] asked0 = 0, asked1 = 0, asked2 = 0, asked3 = 0;
    reg [3:0] direct = 0, renamed = 0, ends = 0;

    // First stage: of those that name a bank the first one has it, with all that name the same register.
    wire last = &at0;
    assign busy = walks & ~last;
    wire starts = launch | exit;
    wire open = ~busy & ~clear & ~starts;
    wire exists = ~&warp[5:4];
    wire [3:0] valid = {x3_valid, x2_valid, x1_valid, x0_valid} & {4{open}};
    wire [3:0] below;
    less6 l0 (x0, exempt, below[0]);
    less6 l1 (x1, exempt, below[1]);
    less6 l2 (x2, exempt, below[2]);
    less6 l3 (x3, exempt, below[3]);
    wire [3:0] named = valid & {4{exists}} & ~below & ~{&x3, &x2, &x1, &x0};
    wire near01 = x0[1:0] == x1[1:0], near02 = x0[1:0] == x2[1:0], near12 = x1[1:0] == x2[1:0];
    wire near03 = x0[1:0] == x3[1:0], near13 = x1[1:0] == x3[1:0], near23 = x2[1:0] == x3[1:0];
    wire other01 = named[0] & near01 & x0[5:2] != x1[5:2];
    wire other02 = named[0] & near02 & x0[5:2] != x2[5:2], other12 = named[1] & near12 & x1[5:2] != x2[5:2];
    wire other03 = named[0] & near03 & x0[5:2] != x3[5:2], other13 = named[1] & near13 & x1[5:2] != x3[5:2];
    wire other23 = named[2] & near23 & x2[5:2] != x3[5:2];
    // Whoever names another register of the bank waits, unless the one before does so itself.
    wire waits1 = other01;
    wire waits2 = other02 | other12 & ~waits1;
    wire waits3 = other03 | other13 & ~waits1 | other23 & ~waits2;
    wire [3:0] turn = named & ~{waits3, waits2, waits1, 1'b0};
    assign served = valid & (turn | ~named);

    wire [3:0] next = at0 ^ {&at0[2:0], &at0[1:0], at0[0], 1'b1};
    wire [3:0] word0 = named[0] & x0[1:0] == 0 ? x0[5:2] : named[1] & x1[1:0] == 0 ? x1[5:2]
        : named[2] & x2[1:0] == 0 ? x2[5:2] : x3[5:2];
    wire [3:0] word1 = named[0] & x0[1:0] == 1 ? x0[5:2] : named[1] & x1[1:0] == 1 ? x1[5:2]
        : named[2] & x2[1:0] == 1 ? x2[5:2] : x3[5:2];
    wire [3:0] word2 = named[0] & x0[1:0] == 2 ? x0[5:2] : named[1] & x1[1:0] == 2 ? x1[5:2]
        : named[2] & x2[1:0] == 2 ? x2[5:2] : x3[5:2];
    wire [3:0] word3 = named[0] & x0[1:0] == 3 ? x0[5:2] : named[1] & x1[1:0] == 3 ? x1[5:2]
        : named[2] & x2[1:0] == 3 ? x2[5:2] : x3[5:2];
    // Bank 3 has 15 words of each warp.
    wire [5:0] chosen = busy ? at_warp : warp;
    wire [9:0] row3;
    add #(10) rows_of_15 ({chosen, busy ? next : word3 & {4{~starts}}}, ~{4'b0, chosen}, 1'b1, row3,);
    always @(posedge clock) begin
        walks <= ~clear & (busy | exists & starts);
        if (~busy) walk_gives <= ~launch;
        if (~busy) at_warp <= warp;
        if (~busy & starts) begin
            at0 <= 0;
            at1 <= 0;
            at2 <= 0;
        end else begin
            at0 <= busy ? next : word0;
            at1 <= busy ? next : word1;
            at2 <= busy ? next : word2;
        end
        at3 <= row3;
        asked0 <= x0;
        asked1 <= x1;
        asked2 <= x2;
        asked3 <= x3;
        direct <= valid & {4{exists}} & below;
        renamed <= turn;
        ends <= {~x3_partial, x2_release, x1_release, x0_release};
    end

    // Second stage.
    wire [15:0] hit;
    wire [3:0] mapped;
    wire [3:0] unmap = {4{ends[0]}} & hit[3:0] | {4{ends[1]}} & hit[7:4]
        | ({4{ends[2]}} & hit[11:8] | {4{ends[3]}} & hit[15:12]);
    assign hit[3:0] = {3'b0, renamed[0]} << asked0[1:0];
    assign hit[7:4] = {3'b0, renamed[1]} << asked1[1:0];
    assign hit[11:8] = {3'b0, renamed[2]} << asked2[1:0];
    assign hit[15:12] = {3'b0, renamed[3]} << asked3[1:0];
    wire [31:0] words, targets;
    bank #(768, 2'd0) bank_0 (clock, {at_warp, at0}, hit[12], unmap[0], walks, walk_gives, offer_valid[0], offer0,
        words[7:0], targets[7:0], mapped[0], take[0], give[0], give0);
    bank #(768, 2'd1) bank_1 (clock, {at_warp, at1}, hit[13], unmap[1], walks, walk_gives, offer_valid[1], offer1,
        words[15:8], targets[15:8], mapped[1], take[1], give[1], give1);
    bank #(768, 2'd2) bank_2 (clock, {at_warp, at2}, hit[14], unmap[2], walks, walk_gives, offer_valid[2], offer2,
        words[23:16], targets[23:16], mapped[2], take[2], give[2], give2);
    bank #(720, 2'd3) bank_3 (clock, at3, hit[15], unmap[3], busy, walk_gives, offer_valid[3], offer3,
        words[31:24], targets[31:24], mapped[3], take[3], give[3], give3);

    // Exempt registers lie at the product and their own number.
    wire [11:0] base;
    times product (exempt, at_warp, base);
    answer a0 (base, asked0, direct[0], renamed[0], words, mapped, y0, y0_valid);
    answer a1 (base, asked1, direct[1], renamed[1], words, mapped, y1, y1_valid);
    answer a2 (base, asked2, direct[2], renamed[2], words, mapped, y2, y2_valid);
    answer a3 (base, asked3, direct[3], renamed[3], targets, mapped | take, y3, y3_valid);
    assign starved = renamed[3] & ~y3_valid;
endmodule

// The low bits of a word say its bank; of any other the word maps nothing.
module bank #(parameter ROWS = 768, parameter [1:0] BANK = 0) (
    input wire clock,
    input wire [9:0] row,
    input wire map, unmap, wipe, gives, offered,
    input wire [7:0] offer,
    output wire [7:0] word, target,
    output wire mapped, take, give,
    output wire [7:0] given
);
    reg [9:0] rows [0:ROWS - 1];
    integer i;
    initial for (i = 0; i < ROWS; i = i + 1) rows[i] = ~BANK;
    wire [9:0] read = rows[row];
    assign word = read[9:2];
    assign mapped = read[1:0] == BANK;
    assign take = map & offered & (unmap | ~mapped);
    wire ends = unmap & mapped & (take | ~map);
    assign target = take ? offer : word;
    assign give = ends | wipe & gives & mapped;
    assign given = word & {8{give}};
    always @(posedge clock)
        if (take | ends | wipe) rows[row] <= {offer, BANK ^ {2{~take}}};
endmodule

module answer(
    input wire [11:0] base,
    input wire [5:0] x,
    input wire direct, renamed,
    input wire [31:0] words,
    input wire [3:0] mapped,
    output wire [9:0] y,
    output wire valid
);
    wire [6:0] low;
    add #(6) sum (base[5:0], x, 1'b0, low[5:0], low[6]);
    wire [3:0] high = base[9:6];
    wire [4:0] turns = {5{low[6]}} & {&high[3:2] & &high[1:0], high[2] & &high[1:0], &high[1:0], high[0], 1'b1};
    wire fits = ~|base[11:10] & ~turns[4];
    wire [8:0] word = x[1] ? x[0] ? {mapped[3], words[31:24]} : {mapped[2], words[23:16]}
        : x[0] ? {mapped[1], words[15:8]} : {mapped[0], words[7:0]};
    assign valid = direct & fits | renamed & word[8];
    assign y = (direct ? {high ^ turns[3:0], low[5:0]} : {word[7:0], x[1:0]}) & {10{valid}};
endmodule

module times(input wire [5:0] a, b, output wire [11:0] product);
    wire [11:0] p0 = a & {6{b[0]}}, p1 = {a & {6{b[1]}}, 1'b0}, p2 = {a & {6{b[2]}}, 2'b0};
    wire [11:0] p3 = {a & {6{b[3]}}, 3'b0}, p4 = {a & {6{b[4]}}, 4'b0}, p5 = {a & {6{b[5]}}, 5'b0};
    wire [11:0] s0, c0, s1, c1, s2, c2, s3, c3;
    three_to_two t0 (p0, p1, p2, s0, c0);
    three_to_two t1 (p3, p4, p5, s1, c1);
    three_to_two t2 (s0, c0, s1, s2, c2);
    three_to_two t3 (s2, c2, c1, s3, c3);
    add #(12) sum (s3, c3, 1'b0, product,);
endmodule

module three_to_two(input wire [11:0] a, b, c, output wire [11:0] sum, carry);
    wire [11:0] x = a ^ b;
    assign sum = x ^ c;
    wire [11:0] more = (x & c) | (~x & b);
    assign carry = {more[10:0], 1'b0};
endmodule

// By halves: the upper one decides unless it is equal.
module less6(input wire [5:0] a, b, output wire less);
    wire [5:0] d = a ^ b;
    wire b54 = d[5] ? b[5] : b[4], b32 = d[3] ? b[3] : b[2], b10 = d[1] ? b[1] : b[0] & ~a[0];
    wire d54 = d[5] | d[4], d32 = d[3] | d[2];
    assign less = d54 ? b54 : d32 ? b32 : b10;
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
