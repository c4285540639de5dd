module scratchpad_lock_w48_c8(
    input wire clock, clear, share,
    input wire [4:0] warps_per_cta,
    input wire [16:0] private_bytes,
    input wire pair, exit,
    input wire [2:0] cta, partner,
    input wire favor_b, a_valid,
    input wire [5:0] a_warp,
    input wire [16:0] a_address,
    input wire b_valid,
    input wire [5:0] b_warp,
    input wire [16:0] b_address,
    output wire pair_grant, a_grant, a_held, b_grant, b_held, sharing,
    output wire [47:0] shared, owner
);
    // Of each CTA its partner, if it has one. Of each CTA of the first half whether it is the lower one of its pair, and who
    // of the pair holds the lock.
    reg on = 0;
    reg [7:0] has = 0;
    reg [2:0] with0 = 0, with1 = 0, with2 = 0, with3 = 0, with4 = 0, with5 = 0, with6 = 0, with7 = 0;
    reg [3:0] lower = 0, by_lower = 0, by_upper = 0;
    reg [47:0] owners = 0;
    assign sharing = on;
    assign owner = owners;

    // Where the CTAs begin.
    wire [4:0] n = warps_per_cta;
    wire [7:0] at3, at5, at7;
    wire [7:0] at1 = n, at2 = {n, 1'b0}, at4 = {n, 2'b0}, at6 = {at3[6:0], 1'b0}, at8 = {n, 3'b0};
    add add3 (at1, at2, at3);
    add add5 (at1, at4, at5);
    add add7 (at3, at4, at7);
    wire [47:0] begins = {at7[5:0], at6[5:0], at5[5:0], at4[5:0], at3[5:0], at2[5:0], at1[5:0], 6'b0};
    wire [63:0] ends = {at8, at7, at6, at5, at4, at3, at2, at1};
    wire [31:0] entries = {has[7], with7, has[6], with6, has[5], with5, has[4], with4,
        has[3], with3, has[2], with2, has[1], with1, has[0], with0};

    // A warp is of CTA c if there are more than w / (c + 1) in each, and not more than w / c.
    reg [47:0] of_sharers;
    integer w, c;
    always @*
        for (w = 0; w < 48; w = w + 1) begin
            of_sharers[w] = 0;
            for (c = 7; c >= 0; c = c - 1) of_sharers[w] = n <= w / (c + 1) ? of_sharers[w] : has[c];
        end
    assign shared = of_sharers;

    wire a_direct, a_locks, a_waits, a_is_lower, b_direct, b_locks, b_waits, b_is_lower;
    wire a_held_now, b_held_now;
    wire [2:0] a_cta, a_partner, b_cta, b_partner;
    wire [1:0] a_lock, b_lock;
    port a (a_valid & ~clear, a_warp, a_address, private_bytes, ends, entries, lower, by_lower, by_upper,
        a_direct, a_locks, a_waits, a_held_now, a_is_lower, a_cta, a_partner, a_lock);
    port b (b_valid & ~clear, b_warp, b_address, private_bytes, ends, entries, lower, by_lower, by_upper,
        b_direct, b_locks, b_waits, b_held_now, b_is_lower, b_cta, b_partner, b_lock);
    assign a_held = a_held_now & ~clear;
    assign b_held = b_held_now & ~clear;
    wire rivals = a_locks & b_locks & a_lock == b_lock & (a_is_lower ^ b_is_lower);
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
    assign pair_grant = pair & ~clear & on & (single | again) & ~cta[2]
        & (cta[1:0] < partner[1:0] | partner[2]) & partner_fits;

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
    wire ended = exit & ~pair;
    wire [3:0] lower_ends = {3'b0, ended & ~cta[2]} << cta[1:0];
    wire [3:0] upper_ends = {3'b0, ended & entry[3] & ~entry[2]} << entry[1:0];
    wire [3:0] a_bit = {3'b0, a_takes} << a_lock, b_bit = {3'b0, b_takes} << b_lock;
    integer i;
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
        for (i = 0; i < 4; i = i + 1)
            if (made_cta[i] | made_partner[i]) lower[i] <= made_cta[i];
        if (clear) begin
            by_lower <= 0;
            by_upper <= 0;
        end else begin
            by_lower <= by_lower & ~lower_ends | a_bit & {4{a_is_lower}} | b_bit & {4{b_is_lower}};
            by_upper <= by_upper & ~upper_ends | a_bit & {4{~a_is_lower}} | b_bit & {4{~b_is_lower}};
        end
        for (i = 0; i < 48; i = i + 1)
            if (l0[i] & ~l1[i]) owners[i] <= 0;
            else if (g0[i] & ~g1[i]) owners[i] <= ~pair;
    end
endmodule

module port(
    input wire valid,
    input wire [5:0] warp,
    input wire [16:0] address, private_bytes,
    input wire [63:0] ends,
    input wire [31:0] entries,
    input wire [3:0] lower, by_lower, by_upper,
    output wire direct, locks, waits, held, is_lower,
    output wire [2:0] cta, partner,
    output wire [1:0] lock
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
    wire [4:0] e0 = {lower[0], entries[3:0]}, e1 = {lower[1], entries[7:4]}, e2 = {lower[2], entries[11:8]};
    wire [4:0] e3 = {lower[3], entries[15:12]}, e4 = entries[19:16], e5 = entries[23:20], e6 = entries[27:24];
    wire [4:0] e7 = entries[31:28];
    wire [4:0] entry = below[3] ? below[1] ? below[0] ? e0 : e1 : below[2] ? e2 : e3
        : below[5] ? below[4] ? e4 : e5 : below[6] ? e6 : e7;
    assign cta = {~below[3], below[3] ? ~below[1] : ~below[5],
        below[3] ? below[1] ? ~below[0] : ~below[2] : below[5] ? ~below[4] : ~below[6]};
    assign partner = entry[2:0];
    assign is_lower = entry[4];
    wire shares = entry[3] & below[7];
    assign lock = is_lower ? cta[1:0] : partner[1:0];
    wire lower_has = by_lower[lock], upper_has = by_upper[lock];
    wire busy = is_lower ? upper_has : lower_has;
    assign held = shares & (is_lower ? lower_has : upper_has);
    wire in_private;
    less #(17) l (address, private_bytes, in_private);
    wire asks = valid & ~&warp[5:4];
    wire needs = asks & shares & ~in_private;
    assign direct = asks & ~needs;
    assign locks = needs & ~busy;
    assign waits = needs & busy;
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
module add #(parameter W = 8) (input wire [W - 1:0] a, b, output wire [W - 1:0] sum);
    reg [W - 1:0] carry, passes;
    integer i, s;
    always @* begin
        passes = a ^ b;
        carry = a;
        carry[0] = a[0] & b[0];
        for (s = 1; s < W; s = 2 * s)
            for (i = 0; i < W; i = i + 1)
                if (i & s) begin
                    carry[i] = passes[i] ? carry[(i & ~(s - 1)) - 1] : carry[i];
                    passes[i] = passes[i] & passes[(i & ~(s - 1)) - 1];
                end
    end
    assign sum = a ^ b ^ {carry[W - 2:0], 1'b0};
endmodule
