module pair_lock_w48_c8(
    input wire clock, clear, share,
    input wire [4:0] warps_per_cta,
    input wire [7:0] private_regs,
    input wire pair, exit,
    input wire [2:0] cta, partner,
    input wire favor_b, a_valid, a_exit,
    input wire [5:0] a_warp,
    input wire [7:0] a_reg,
    input wire b_valid, b_exit,
    input wire [5:0] b_warp,
    input wire [7:0] b_reg,
    output wire pair_grant, a_grant, a_held, a_upper,
    output wire [5:0] a_home,
    output wire b_grant, b_held, b_upper,
    output wire [5:0] b_home,
    output wire sharing,
    output wire [47:0] shared, owner
);
    // Of each CTA its partner, if it has one. A lock says how far above its lower warp the holder is: 0 if it is
    // free, and all ones, which is too far, if it is that one.
    reg on = 0;
    reg [7:0] has = 0;
    reg [2:0] with0 = 0, with1 = 0, with2 = 0, with3 = 0, with4 = 0, with5 = 0, with6 = 0, with7 = 0;
    reg [47:0] owners = 0, sharers = 0;
    reg [5:0] holder [0:23];
    integer i;
    initial for (i = 0; i < 24; i = i + 1) holder[i] = 0;
    assign sharing = on;
    assign owner = owners;
    assign shared = sharers;

    // Where the CTAs begin.
    wire [4:0] n = warps_per_cta;
    wire [7:0] at3, at5, at7;
    wire [7:0] at1 = n, at2 = {n, 1'b0}, at4 = {n, 2'b0}, at6 = {at3[6:0], 1'b0}, at8 = {n, 3'b0};
    add add3 (at1, at2, 1'b0, at3);
    add add5 (at1, at4, 1'b0, at5);
    add add7 (at3, at4, 1'b0, at7);
    wire [47:0] begins = {at7[5:0], at6[5:0], at5[5:0], at4[5:0], at3[5:0], at2[5:0], at1[5:0], 6'b0};
    wire [63:0] ends = {at8, at7, at6, at5, at4, at3, at2, at1};
    wire [31:0] entries = {has[7], with7, has[6], with6, has[5], with5, has[4], with4,
        has[3], with3, has[2], with2, has[1], with1, has[0], with0};

    // A lock is of CTA c if there are more than l / (c + 1) warps in each, and not more than l / c.
    wire [23:0] by_lower, by_upper;
    wire [3:0] lower_holds, upper_holds;
    genvar l, c;
    generate
        for (l = 0; l < 24; l = l + 1) begin : lock
            assign by_lower[l] = &holder[l][5:4];
            assign by_upper[l] = |holder[l] & ~by_lower[l];
        end
        for (c = 0; c < 4; c = c + 1) begin : lower_cta
            wire [23:0] locks;
            for (l = 0; l < 24; l = l + 1) begin : lock
                if (c == 0) assign locks[l] = n > l;
                else assign locks[l] = n > l / (c + 1) & n <= l / c;
            end
            assign lower_holds[c] = |(locks & by_lower);
            assign upper_holds[c] = |(locks & by_upper);
        end
    endgenerate

    wire a_direct, a_locks, a_waits, a_frees, a_is_lower, b_direct, b_locks, b_waits, b_frees, b_is_lower;
    wire [2:0] a_cta, a_partner, b_cta, b_partner;
    wire [1:0] a_pair, b_pair;
    wire [5:0] a_above, b_above;
    port a (a_valid, clear, a_exit, a_warp, a_reg, private_regs, begins, ends, entries,
        lower_holds, upper_holds, by_lower, by_upper,
        a_direct, a_locks, a_waits, a_frees, a_held, a_upper, a_is_lower, a_cta, a_partner, a_pair, a_home, a_above);
    port b (b_valid, clear, b_exit, b_warp, b_reg, private_regs, begins, ends, entries,
        lower_holds, upper_holds, by_lower, by_upper,
        b_direct, b_locks, b_waits, b_frees, b_held, b_upper, b_is_lower, b_cta, b_partner, b_pair, b_home, b_above);
    wire rivals = a_locks & b_locks & a_pair == b_pair & (a_is_lower ^ b_is_lower);
    wire a_takes = a_locks & ~(rivals & favor_b);
    wire b_takes = b_locks & ~(rivals & ~favor_b);
    assign a_grant = a_direct | a_takes;
    assign b_grant = b_direct | b_takes;

    // A pair is made; the table is symmetric.
    wire [3:0] entry = cta[2] ? cta[1] ? cta[0] ? entries[31:28] : entries[27:24] : cta[0] ? entries[23:20] : entries[19:16]
        : cta[1] ? cta[0] ? entries[15:12] : entries[11:8] : cta[0] ? entries[7:4] : entries[3:0];
    wire single = ~entry[3] & ~has[partner];
    wire again = entry[3] & entry[2:0] == partner;
    wire partner_fits = partner[2] ? n <= (partner[1] ? 6 : partner[0] ? 8 : 9)
        : n <= (partner[1] ? partner[0] ? 12 : 16 : 24);
    wire has_locks = n <= (cta[1] ? cta[0] ? 6 : 8 : cta[0] ? 12 : 24);
    assign pair_grant = pair & ~clear & on & (single | again) & ~cta[2]
        & (cta[1:0] < partner[1:0] | partner[2]) & partner_fits & has_locks;

    // Owners: of the CTA that gains and the one that loses. All warps of a CTA are owners or none is.
    wire a_first = a_waits & ~(b_waits & favor_b);
    wire [2:0] gains = pair ? cta : exit ? entry[2:0] : a_first ? a_partner : b_partner;
    wire [2:0] loses = pair ? partner : exit ? cta : a_first ? a_cta : b_cta;
    wire [5:0] gain_from = part(begins, gains), gain_to = part({at8[5:0], begins[47:6]}, gains);
    wire [5:0] lose_from = part(begins, loses), lose_to = part({at8[5:0], begins[47:6]}, loses);
    wire [63:0] padded = {16'b0, owners};
    wire passes = padded[part(begins, cta)] & entry[3];
    wire moves = pair ? pair_grant : exit ? passes : a_waits | b_waits;
    wire [47:0] g0, g1, l0, l1;
    from_on gain_0 (gain_from, moves, 1'b0, g0);
    from_on gain_1 (gain_to, 1'b1, 1'b0, g1);
    from_on lose_0 (lose_from, moves, clear, l0);
    from_on lose_1 (lose_to, ~clear, 1'b0, l1);

    function [5:0] part(input [47:0] all, input [2:0] which);
        part = which[2] ? which[1] ? which[0] ? all[47:42] : all[41:36] : which[0] ? all[35:30] : all[29:24]
            : which[1] ? which[0] ? all[23:18] : all[17:12] : which[0] ? all[11:6] : all[5:0];
    endfunction

    wire [7:0] made_cta = {7'b0, pair_grant} << cta, made_partner = {7'b0, pair_grant} << partner;
    // A port that takes wins over one that frees the same lock.
    wire same = a_home[4:0] == b_home[4:0];
    wire a_clears = a_frees & ~(b_takes & same), b_clears = b_frees & ~(a_takes & same);
    wire [31:0] a_bit = {31'b0, a_takes | a_clears} << a_home[4:0], b_bit = {31'b0, b_takes | b_clears} << b_home[4:0];
    wire [5:0] a_holder = a_above & {6{a_takes}}, b_holder = b_above & {6{b_takes}};
    always @(posedge clock) begin
        if (clear) on <= share;
        if (clear) has <= 0;
        else has <= has | made_cta | made_partner;
        if (made_cta[0] | made_partner[0]) with0 <= made_cta[0] ? partner : cta;
        if (made_cta[1] | made_partner[1]) with1 <= made_cta[1] ? partner : cta;
        if (made_cta[2] | made_partner[2]) with2 <= made_cta[2] ? partner : cta;
        if (made_cta[3] | made_partner[3]) with3 <= made_cta[3] ? partner : cta;
        if (made_partner[4]) with4 <= cta;
        if (made_partner[5]) with5 <= cta;
        if (made_partner[6]) with6 <= cta;
        if (made_partner[7]) with7 <= cta;
        for (i = 0; i < 24; i = i + 1)
            if (clear) holder[i] <= 0;
            else if (a_bit[i] | b_bit[i]) holder[i] <= a_bit[i] ? a_holder : b_holder;
        for (i = 0; i < 48; i = i + 1) begin
            if (l0[i] & ~l1[i]) owners[i] <= 0;
            else if (g0[i] & ~g1[i]) owners[i] <= ~pair;
            if (clear) sharers[i] <= 0;
            else if (pair & (g0[i] & ~g1[i] | l0[i] & ~l1[i])) sharers[i] <= 1;
        end
    end
endmodule

module port(
    input wire valid, clear, exit,
    input wire [5:0] warp,
    input wire [7:0] register, private_regs,
    input wire [47:0] begins,
    input wire [63:0] ends,
    input wire [31:0] entries,
    input wire [3:0] lower_holds, upper_holds,
    input wire [23:0] by_lower, by_upper,
    output wire direct, locks, waits, frees, held, upper, is_lower,
    output wire [2:0] cta, partner,
    output wire [1:0] pair,
    output wire [5:0] home, above
);
    // Below the end of CTA c.
    wire [7:0] below;
    genvar c;
    generate
        for (c = 0; c < 8; c = c + 1) begin : limit
            wire lower_part;
            less #(6) l (warp, ends[8 * c +: 6], lower_part);
            assign below[c] = lower_part | |ends[8 * c + 6 +: 2];
        end
    endgenerate
    wire [9:0] e0 = {begins[5:0], entries[3:0]}, e1 = {begins[11:6], entries[7:4]};
    wire [9:0] e2 = {begins[17:12], entries[11:8]}, e3 = {begins[23:18], entries[15:12]};
    wire [9:0] e4 = {begins[29:24], entries[19:16]}, e5 = {begins[35:30], entries[23:20]};
    wire [9:0] e6 = {begins[41:36], entries[27:24]}, e7 = {begins[47:42], entries[31:28]};
    wire [9:0] entry = below[3] ? below[1] ? below[0] ? e0 : e1 : below[2] ? e2 : e3
        : below[5] ? below[4] ? e4 : e5 : below[6] ? e6 : e7;
    assign cta = {~below[3], below[3] ? ~below[1] : ~below[5],
        below[3] ? below[1] ? ~below[0] : ~below[2] : below[5] ? ~below[4] : ~below[6]};
    assign partner = entry[2:0];
    assign is_lower = cta < partner;
    wire shares = entry[3] & below[7];
    assign pair = is_lower ? cta[1:0] : partner[1:0];
    wire busy = is_lower ? upper_holds[cta[1:0]] : lower_holds[partner[1:0]];

    // The upper warp is as far above the lower one as its CTA.
    wire [5:0] lower_begins = partner[1] ? partner[0] ? begins[23:18] : begins[17:12] : partner[0] ? begins[11:6] : 6'b0;
    wire [5:0] first = ~entry[9:4], x = warp ^ first;
    wire [5:0] carry = (x & lower_begins) | (~x & first);
    wire [5:0] far, lower_warp;
    add #(6) distance (entry[9:4], ~lower_begins, 1'b1, far);
    add #(6) lowered (x ^ lower_begins, {carry[4:0], 1'b1}, 1'b0, lower_warp);
    assign above = far | {6{is_lower}};
    assign upper = shares & ~is_lower & ~clear;
    assign home = upper ? lower_warp : warp;
    wire [31:0] padded_lower = {8'b0, by_lower}, padded_upper = {8'b0, by_upper};
    assign held = shares & ~clear & (is_lower ? padded_lower[home[4:0]] : padded_upper[home[4:0]]);

    wire in_private;
    less #(8) l (register, private_regs, in_private);
    wire asks = valid & ~clear & ~&warp[5:4];
    wire needs = asks & shares & ~exit & ~in_private;
    assign direct = asks & ~needs;
    assign locks = needs & ~busy;
    assign waits = needs & busy;
    // Where the partner's CTA holds no lock, this one is free or held by this warp.
    assign frees = asks & shares & exit & ~busy;
endmodule

// The warps from a number on.
module from_on(input wire [5:0] first, input wire any, all, output wire [47:0] warps);
    genvar w;
    generate
        for (w = 0; w < 48; w = w + 1) begin : warp
            wire here = first[5:3] <= w / 8 & any | all;
            wire below = w >= 8 & first[5:3] < w / 8 & any | all;
            assign warps[w] = first[2:0] <= w % 8 ? here : below;
        end
    endgenerate
endmodule

// By halves: the upper one decides unless it is equal.
module less #(parameter W = 8) (input wire [W - 1:0] a, b, output wire less);
    reg [31:0] above, other;
    integer i, s;
    always @* begin
        above = b;
        other = a ^ b;
        above[0] = b[0] & ~a[0];
        for (s = 1; s < 32; s = 2 * s)
            for (i = 0; i + s < 32; i = i + 2 * s) begin
                above[i] = other[i + s] ? above[i + s] : above[i];
                other[i] = other[i] | other[i + s];
            end
    end
    assign less = above[0];
endmodule

// Sklansky's carries. Where the bits of a place are equal, they are the carry.
module add #(parameter W = 8) (input wire [W - 1:0] a, b, input wire c, output wire [W - 1:0] sum);
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
endmodule
