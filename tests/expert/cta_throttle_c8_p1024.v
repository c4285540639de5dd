module cta_throttle_c8_p1024(
    input wire clock, clear,
    input wire [10:0] pack_count,
    input wire launch,
    input wire [2:0] launch_cta,
    input wire [10:0] need,
    input wire exit,
    input wire [2:0] exit_cta,
    input wire favor_b,
    input wire [2:0] a_cta,
    input wire a_take,
    input wire [1:0] a_give,
    input wire [2:0] b_cta,
    input wire b_take,
    input wire [1:0] b_give,
    output wire [7:0] a_may_issue, b_may_issue,
    output wire [2:0] chosen,
    output wire throttled, spill,
    output wire [10:0] free_packs
);
    reg [10:0] balance0 = 0, balance1 = 0, balance2 = 0, balance3 = 0;
    reg [10:0] balance4 = 0, balance5 = 0, balance6 = 0, balance7 = 0;
    reg [7:0] active = 0;
    reg [10:0] free = 0;
    assign free_packs = free;

    // A slot without a CTA needs more than any.
    wire [11:0] k01, k23, k45, k67, k0123, k4567, smallest;
    wire r01, r23, r45, r67, r0123, r4567, r;
    less m01 ({~active[0], balance0}, {~active[1], balance1}, k01, r01);
    less m23 ({~active[2], balance2}, {~active[3], balance3}, k23, r23);
    less m45 ({~active[4], balance4}, {~active[5], balance5}, k45, r45);
    less m67 ({~active[6], balance6}, {~active[7], balance7}, k67, r67);
    less m0123 (k01, k23, k0123, r0123);
    less m4567 (k45, k67, k4567, r4567);
    less m (k0123, k4567, smallest, r);
    wire any = |active;
    wire [1:0] low = {r0123, r0123 ? r23 : r01}, high = {r4567, r4567 ? r67 : r45};
    assign chosen = {r, r ? high : low} & {3{any}};

    // From the top bit down: the first difference decides. One more is 1 above 0 there and 0 above 1 from there on.
    reg more, differ, one_more;
    integer b;
    always @* begin
        more = 0;
        differ = 0;
        one_more = 1;
        for (b = 10; b >= 0; b = b - 1) begin
            one_more = one_more & (~differ | smallest[b] & ~free[b]);
            more = differ ? more : free[b] & (b > 0 | ~smallest[b]);
            differ = differ | free[b] ^ smallest[b];
        end
    end
    assign throttled = any & ~more;
    assign spill = any & differ & ~more;
    wire a_open = more & ~(favor_b & one_more);
    wire b_open = more & ~(one_more & ~favor_b);
    wire [7:0] only = {active[7:4] & 4'b1 << high & {4{r}}, active[3:0] & 4'b1 << low & {4{~r}}};
    assign a_may_issue = a_open ? active : only;
    assign b_may_issue = b_open ? active : only;

    wire [2:0] a_change = {1'b0, a_give} - a_take;
    wire [2:0] b_change = {1'b0, b_give} - b_take;
    // -1 to 3: -1 is the only one with both upper bits.
    wire a_below = a_change[2], b_below = b_change[2];
    wire [3:0] change = {a_below, a_change} + {b_below, b_change};
    wire same = a_cta == b_cta;
    wire [10:0] a_old = a_cta[2] ? a_cta[1] ? a_cta[0] ? balance7 : balance6 : a_cta[0] ? balance5 : balance4
        : a_cta[1] ? a_cta[0] ? balance3 : balance2 : a_cta[0] ? balance1 : balance0;
    wire [10:0] b_old = b_cta[2] ? b_cta[1] ? b_cta[0] ? balance7 : balance6 : b_cta[0] ? balance5 : balance4
        : b_cta[1] ? b_cta[0] ? balance3 : balance2 : b_cta[0] ? balance1 : balance0;
    wire [10:0] a_new, b_new, free_new;
    moved a_moved (a_old, same ? change : {a_below, a_change}, a_new);
    moved b_moved (b_old, {b_below, b_change}, b_new);
    moved free_moved (free, change, free_new);

    wire [7:0] launched = {7'b0, launch} << launch_cta;
    wire [7:0] ended = {7'b0, exit} << exit_cta;
    wire [7:0] a_is = 8'b1 << a_cta, b_is = 8'b1 << b_cta;
    always @(posedge clock) begin
        if (launched[0] | a_is[0] | b_is[0]) balance0 <= launched[0] ? need : a_is[0] ? a_new : b_new;
        if (launched[1] | a_is[1] | b_is[1]) balance1 <= launched[1] ? need : a_is[1] ? a_new : b_new;
        if (launched[2] | a_is[2] | b_is[2]) balance2 <= launched[2] ? need : a_is[2] ? a_new : b_new;
        if (launched[3] | a_is[3] | b_is[3]) balance3 <= launched[3] ? need : a_is[3] ? a_new : b_new;
        if (launched[4] | a_is[4] | b_is[4]) balance4 <= launched[4] ? need : a_is[4] ? a_new : b_new;
        if (launched[5] | a_is[5] | b_is[5]) balance5 <= launched[5] ? need : a_is[5] ? a_new : b_new;
        if (launched[6] | a_is[6] | b_is[6]) balance6 <= launched[6] ? need : a_is[6] ? a_new : b_new;
        if (launched[7] | a_is[7] | b_is[7]) balance7 <= launched[7] ? need : a_is[7] ? a_new : b_new;
        active <= clear ? 8'b0 : active & ~ended | launched;
        free <= clear ? pack_count : free_new;
    end
endmodule

// The smaller one of two, from the top bit down: so the next comparison need not wait for the last bit.
module less(input wire [11:0] left, right, output reg [11:0] smaller, output wire right_is);
    reg wins, differ;
    integer b;
    always @* begin
        wins = 0;
        differ = 0;
        for (b = 11; b >= 0; b = b - 1) begin
            wins = differ ? wins : left[b] & (b > 0 | ~right[b]);
            smaller[b] = wins ? right[b] : left[b];
            differ = differ | left[b] ^ right[b];
        end
    end
    assign right_is = wins;
endmodule

// -2 to 6 more, within 0 and all ones.
module moved(input wire [10:0] old, input wire [3:0] change, output wire [10:0] now);
    wire [3:0] low = old[2:0] + change[2:0];
    wire down = change[3];
    // The upper bits go one up or down, or stay. A step turns over the bits below which all others are ones or zeros.
    wire [7:0] high = old[10:3] ^ {8{down}};
    wire step = low[3] ^ down;
    wire [8:0] turns;
    wire h10 = &high[1:0], h32 = &high[3:2], h54 = &high[5:4], h76 = &high[7:6];
    wire h30 = h32 & h10;
    assign turns = {9{step}} & {h30 & h54 & h76, h30 & h54 & high[6],
        h30 & h54, h30 & high[4], h30, h10 & high[2], h10, high[0], 1'b1};
    assign now = {old[10:3] ^ turns[7:0], low[2:0]} & {11{~(turns[8] & down)}} | {11{turns[8] & ~down}};
endmodule
