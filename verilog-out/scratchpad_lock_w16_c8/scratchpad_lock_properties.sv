// Properties of scratchpad_lock, unbounded, for any number of warps and of CTAs, of any size.
//
// Frame 0 begins in any state in which the table of partners, all locks and the owner bits are sound, of two arbitrary CTAs,
// c and d, of two arbitrary warps of c, w and y, and of a warp of d, u. Frame 1 must be so again. `clear` comes from any state
// at all. Who is paired and who holds is what the ports have shown.
`define SIZE_BITS (`CW - 1)
// Of numbers of warps, of those too that CTAs would have if they fitted.
`define WIDE (`CTAS_BITS + `SIZE_BITS)

module proof (
    input wire clock, input wire clear, input wire share, input wire [`SIZE_BITS-1:0] warps_per_cta,
    input wire [16:0] private_bytes, input wire pair, input wire exit,
    input wire [`CTAS_BITS-1:0] cta, input wire [`CTAS_BITS-1:0] partner, input wire favor_b,
    input wire a_valid, input wire [`IW-1:0] a_warp, input wire [16:0] a_address,
    input wire b_valid, input wire [`IW-1:0] b_warp, input wire [16:0] b_address
);
    wire pair_grant, a_grant, a_held, b_grant, b_held, sharing;
    wire [`NW-1:0] shared, owner;
    `TOP uut (.*);
    (* hierconn *) wire [`CTAS-1:0] \uut.partners.has$q ;
    (* hierconn *) wire [(`CTAS)-1:0] \uut.partners.plane$0$q ;
    (* hierconn *) wire [(`CTAS)-1:0] \uut.partners.plane$1$q ;
    (* hierconn *) wire [(`CTAS)-1:0] \uut.partners.plane$2$q ;
    wire [3*(`CTAS)-1:0] partner_planes = {
        \uut.partners.plane$2$q ,
        \uut.partners.plane$1$q ,
        \uut.partners.plane$0$q };
    (* hierconn *) wire [(`CTAS / 2)-1:0] \uut.locks.plane$0$q ;
    (* hierconn *) wire [(`CTAS / 2)-1:0] \uut.locks.plane$1$q ;
    (* hierconn *) wire [(`CTAS / 2)-1:0] \uut.locks.plane$2$q ;
    wire [3*(`CTAS / 2)-1:0] lock_planes = {
        \uut.locks.plane$2$q ,
        \uut.locks.plane$1$q ,
        \uut.locks.plane$0$q };
    wire [`CTAS-1:0] has = \uut.partners.has$q ;
    // Plane k is bit k of all.
    reg [`CTAS*`CTAS_BITS-1:0] partners;
    reg [`CTAS/2*`CTAS_BITS-1:0] locks;
    integer i, k;
    always @(*) begin
        for (i = 0; i < `CTAS; i = i + 1)
            for (k = 0; k < `CTAS_BITS; k = k + 1) partners[i*`CTAS_BITS + k] = partner_planes[k*`CTAS + i];
        for (i = 0; i < `CTAS / 2; i = i + 1)
            for (k = 0; k < `CTAS_BITS; k = k + 1) locks[i*`CTAS_BITS + k] = lock_planes[k*(`CTAS/2) + i];
    end

    // A kernel with CTAs of `size` warps, and what the unit makes of it; LEMMAS shows that this is right.
    (* anyconst *) reg [`SIZE_BITS-1:0] size;
    (* hierconn *) wire [`CTAS-1:0] \uut.ctas.fits ;
    (* hierconn *) wire [`CTAS-1:0] \uut.a_of.below ;
    (* hierconn *) wire [`CTAS-1:0] \uut.b_of.below ;
    (* hierconn *) wire [`CTAS_BITS-1:0] \uut.a_of.cta ;
    (* hierconn *) wire [`CTAS_BITS-1:0] \uut.b_of.cta ;
    // The CTA of a port's warp, if it is of any: the last one ends above it then.
    wire [`CTAS-1:0] one_cta = 1;
    wire [`CTAS-1:0] a_cta = \uut.a_of.below [`CTAS-1] ? one_cta << \uut.a_of.cta : 0;
    wire [`CTAS-1:0] b_cta = \uut.b_of.below [`CTAS-1] ? one_cta << \uut.b_of.cta : 0;
    // Whose owner bits change: warps of whole CTAs.
    (* hierconn *) wire \uut.owners.moves ;
    (* hierconn *) wire [`CTAS_BITS-1:0] \uut.owners.gain_cta ;
    (* hierconn *) wire [`CTAS_BITS-1:0] \uut.owners.lose_cta ;
    (* hierconn *) wire [`NW-1:0] \uut.owners.gains ;
    (* hierconn *) wire [`NW-1:0] \uut.owners.loses ;
    wire [`CTAS*`NW-1:0] masks;
    wire [`CTAS*`WIDE-1:0] firsts;
    wire [`CTAS-1:0] fit;
    wire [`NW-1:0] every = ~0;
    genvar g;
    generate for (g = 0; g < `CTAS; g = g + 1) begin : each
        wire [`WIDE-1:0] first = g * size;
        wire [`WIDE-1:0] beyond = first + size;
        assign firsts[g*`WIDE +: `WIDE] = first;
        assign fit[g] = beyond <= `NW;
        assign masks[g*`NW +: `NW] = (every << first) & ~(every << beyond);
    end endgenerate
    reg [`NW-1:0] gains, loses;
    reg both_fit;
    always @(*) begin
        {gains, loses} = 0;
        both_fit = fit[\uut.owners.gain_cta ] && fit[\uut.owners.lose_cta ];
        for (i = 0; i < `CTAS; i = i + 1) begin
            if (\uut.owners.moves && \uut.owners.gain_cta == i) gains = masks[i*`NW +: `NW];
            if (\uut.owners.moves && \uut.owners.lose_cta == i) loses = masks[i*`NW +: `NW];
        end
        if (clear) loses = every;
    end
    wire moved = (\uut.owners.moves && !both_fit) || (\uut.owners.gains == gains && \uut.owners.loses == loses);
    (* anyconst *) reg [`CTAS_BITS-1:0] f_c;
    (* anyconst *) reg [`CTAS_BITS-1:0] f_d;
    (* anyconst *) reg [`SIZE_BITS-1:0] f_w;
    (* anyconst *) reg [`SIZE_BITS-1:0] f_y;
    (* anyconst *) reg [`SIZE_BITS-1:0] f_u;
    reg [`WIDE-1:0] first_c, first_d;
    reg [`NW-1:0] mask_c, mask_d;
    reg [`CTAS_BITS-1:0] of_c;
    always @(*) begin
        {first_c, first_d, mask_c, mask_d, of_c} = 0;
        for (i = 0; i < `CTAS; i = i + 1) begin
            if (f_c == i) begin
                first_c = firsts[i*`WIDE +: `WIDE];
                mask_c = masks[i*`NW +: `NW];
                of_c = partners[i*`CTAS_BITS +: `CTAS_BITS];
            end
            if (f_d == i) begin
                first_d = firsts[i*`WIDE +: `WIDE];
                mask_d = masks[i*`NW +: `NW];
            end
        end
    end
    wire [`WIDE-1:0] end_c = first_c + size;
    wire [`WIDE-1:0] end_d = first_d + size;
    wire [`WIDE-1:0] w = first_c + f_w;
    wire [`WIDE-1:0] y = first_c + f_y;
    wire [`WIDE-1:0] u = first_d + f_u;
    wire a_in_c = a_warp >= first_c && a_warp < end_c;
    wire b_in_c = b_warp >= first_c && b_warp < end_c;
    wire a_in_d = a_warp >= first_d && a_warp < end_d;
    wire b_in_d = b_warp >= first_d && b_warp < end_d;
    wire placed = a_cta[f_c] == a_in_c && b_cta[f_c] == b_in_c && a_cta[f_d] == a_in_d && b_cta[f_d] == b_in_d
        && mask_c[w] == (w < `NW) && mask_c[y] == (y < `NW) && mask_d[u] == (u < `NW)
        && !mask_d[w] && !mask_d[y] && !mask_c[u]
        && \uut.ctas.fits == fit;

    // From the ports alone: whether the CTAs have a partner, are a pair, and whether they hold.
    reg c_shares, d_shares, are_pair, c_holds, d_holds, second;
    initial second = 0;
    wire a_real = a_valid && !clear && a_warp < `NW;
    wire b_real = b_valid && !clear && b_warp < `NW;
    wire a_shared_byte = a_address >= private_bytes;
    wire b_shared_byte = b_address >= private_bytes;
    wire a_c = a_real && a_in_c;
    wire b_c = b_real && b_in_c;
    wire a_d = a_real && a_in_d;
    wire b_d = b_real && b_in_d;
    wire a_from_c = a_c && a_shared_byte;
    wire b_from_c = b_c && b_shared_byte;
    wire a_from_d = a_d && a_shared_byte;
    wire b_from_d = b_d && b_shared_byte;
    wire c_takes = c_shares && ((a_from_c && a_grant) || (b_from_c && b_grant));
    wire d_takes = d_shares && ((a_from_d && a_grant) || (b_from_d && b_grant));
    wire c_ends = exit && !pair && cta == f_c;
    wire d_ends = exit && !pair && cta == f_d;
    always @(posedge clock) begin
        second <= 1;
        c_shares <= !clear && (c_shares || (pair_grant && (cta == f_c || partner == f_c)));
        d_shares <= !clear && (d_shares || (pair_grant && (cta == f_d || partner == f_d)));
        are_pair <= !clear && (are_pair || (pair_grant && cta == f_c && partner == f_d));
        c_holds <= !clear && (c_takes || (c_holds && !c_ends));
        d_holds <= !clear && (d_takes || (d_holds && !d_ends));
    end

    // Partners have each other, the lower one is one of the first half, and both fit. A lock that is held belongs to a pair
    // and names one of the two; CTA 0 is written so that it is not taken for its partner.
    // Line i of `of` says of each CTA whether it is the partner of CTA i, line i of `back` whether CTA i is its partner.
    wire [`CTAS*`CTAS-1:0] of, back, low_first;
    wire [`CTAS*`NW-1:0] in_pair;
    wire [`CTAS/2-1:0] lower_holds, upper_holds, proper;
    generate for (g = 0; g < `CTAS; g = g + 1) begin : from
        genvar h;
        for (h = 0; h < `CTAS; h = h + 1) begin : to
            assign of[g*`CTAS + h] = has[g] && partners[g*`CTAS_BITS +: `CTAS_BITS] == h;
            assign back[g*`CTAS + h] = of[h*`CTAS + g];
            assign low_first[g*`CTAS + h] = g != h && (g > h || g < `CTAS / 2);
        end
        assign in_pair[g*`NW +: `NW] = has[g] ? masks[g*`NW +: `NW] : 0;
    end
    for (g = 0; g < `CTAS / 2; g = g + 1) begin : lock_of
        wire [`CTAS_BITS-1:0] lock = locks[g*`CTAS_BITS +: `CTAS_BITS];
        wire [`CTAS_BITS-1:0] other = partners[g*`CTAS_BITS +: `CTAS_BITS];
        wire [`CTAS_BITS-1:0] name = g == 0 ? {other[1] ^ other[0], 1'b1} : g;
        assign lower_holds[g] = lock != 0 && lock == name;
        assign upper_holds[g] = lock != 0 && lock != name;
        assign proper[g] = lock == 0 || (has[g] && other > g && (lock == other || lock == name));
    end endgenerate
    wire table_sound = of == back && (of & ~low_first) == 0 && (has & ~fit) == 0;
    wire locks_sound = &proper;
    reg [`NW-1:0] in_pairs;
    reg [`CTAS-1:0] holds;
    always @(*) begin
        in_pairs = 0;
        holds = lower_holds;
        for (i = 0; i < `CTAS; i = i + 1) in_pairs = in_pairs | in_pair[i*`NW +: `NW];
        for (i = 0; i < `CTAS / 2; i = i + 1) if (upper_holds[i]) holds = holds | of[i*`CTAS +: `CTAS];
    end
    wire ghosts_sound = c_shares == has[f_c] && d_shares == has[f_d] && are_pair == (has[f_c] && f_c < f_d && of_c == f_d)
        && c_holds == holds[f_c] && d_holds == holds[f_d];

    // Owners: whole CTAs of pairs, one of a pair at most.
    wire w_owner = owner[w[`IW-1:0]];
    wire y_owner = owner[y[`IW-1:0]];
    wire u_owner = owner[u[`IW-1:0]];
    wire owners_sound = (owner & ~in_pairs) == 0 && (w >= `NW || y >= `NW || u >= `NW
        || (w_owner == y_owner && !(are_pair && w_owner && u_owner)));
    // It holds of any two warps of any CTA: so of the first ones, too, which say whether a CTA that ends is owner.
    wire first_are_alike = owner[first_c[`IW-1:0]] == w_owner && owner[first_d[`IW-1:0]] == u_owner;
    wire invariant = table_sound && locks_sound && ghosts_sound && owners_sound;

    // Frame 0, for comparison in frame 1.
    reg [`NW-1:0] old_owner;
    reg [`CTAS/2*`CTAS_BITS-1:0] old_locks;
    reg [`CTAS-1:0] old_has;
    reg nothing_new, c_waited, c_ended;
    wire a_idle = !a_real || !a_shared_byte || (a_c && (!c_shares || c_holds));
    wire b_idle = !b_real || !b_shared_byte || (b_c && (!c_shares || c_holds));
    always @(posedge clock) begin
        old_owner <= owner;
        old_locks <= locks;
        old_has <= has;
        nothing_new <= !clear && !exit && (!pair || !pair_grant) && a_idle && b_idle;
        c_waited <= !clear && !exit && !pair && are_pair && a_from_c && d_holds && !(favor_b && b_real);
        c_ended <= !clear && exit && !pair && cta == f_c && are_pair && w_owner;
    end

    wire chosen = warps_per_cta == size && f_w < size && f_y < size && f_u < size && f_c != f_d
        && w < `NW && y < `NW && u < `NW;
`ifdef LEMMAS
    always @(*) begin
        assume (chosen);
        warps_are_placed: assert (placed);
        owner_bits_change_of_whole_ctas: assert (moved);
    end
`elsif POWER_ON
    always @(*) begin
        assume (chosen);
        if (!second) begin
            assume (!c_shares && !d_shares && !are_pair && !c_holds && !d_holds);
            power_on: assert (invariant && !sharing && owner == 0);
        end
    end
`else
    always @(*) begin
        assume (chosen && placed && moved);
        if (!second) assume (clear || (invariant && first_are_alike));
`ifdef VACUITY
        if (!second) begin
            c0: assert (clear || !(are_pair && c_holds && f_c == 0 && f_d == `CTAS - 1));
            c1: assert (clear || !(are_pair && d_holds && f_c == 3 && w == 19));
            c2: assert (clear || !(are_pair && a_from_c && b_from_d && a_grant && !b_grant && !c_holds));
            c3: assert (clear || !(pair_grant && cta == f_c && partner == f_d && has == 'h42));
            c4: assert (clear || !(are_pair && w_owner && c_ends && d_takes));
        end else begin
            c5: assert (!c_waited);
            c6: assert (!c_ended);
            c7: assert (!(nothing_new && c_holds && u_owner));
        end
`else
        // Inductive: whatever happens in frame 0.
        if (second) begin
            the_table_stays_sound: assert (table_sound);
            locks_name_one_of_their_pair: assert (locks_sound);
            the_ports_show_who_holds: assert (ghosts_sound);
            owners_stay_sound: assert (owners_sound);
            repeated_requests_change_nothing: assert (!nothing_new
                || (owner == old_owner && locks == old_locks && has == old_has));
            who_is_waited_for_becomes_owner: assert (!c_waited || (u_owner && !w_owner));
            ownership_passes_at_the_end: assert (!c_ended || (u_owner && !w_owner));
        end
        // Consequences, in every sound state.
        if (!second && !clear) begin
            never_do_both_ctas_of_a_pair_hold: assert (!are_pair || !(c_holds && d_holds));
            held_says_who_holds: assert ((!a_in_c || a_held == c_holds) && (!b_in_c || b_held == c_holds));
            sharing_warps_are_those_of_pairs: assert (shared == in_pairs);
            // Figure 4.
            unshared_warps_go_on: assert ((!a_c || c_shares || a_grant) && (!b_c || c_shares || b_grant));
            private_bytes_are_open: assert ((!a_real || a_shared_byte || a_grant) && (!b_real || b_shared_byte || b_grant));
            lower_a: assert (!(are_pair && a_from_c) || a_grant == (!d_holds && !(favor_b && b_from_d && !c_holds)));
            lower_b: assert (!(are_pair && b_from_c) || b_grant == (!d_holds && !(!favor_b && a_from_d && !c_holds)));
            upper_a: assert (!(are_pair && a_from_d) || a_grant == (!c_holds && !(favor_b && b_from_c && !d_holds)));
            upper_b: assert (!(are_pair && b_from_d) || b_grant == (!c_holds && !(!favor_b && a_from_c && !d_holds)));
            nothing_else_is_granted: assert ((a_real || !a_grant) && (b_real || !b_grant));
            who_exists_not_holds_not: assert ((a_warp < `NW || !a_held) && (b_warp < `NW || !b_held));
            pairs_are_made_exactly_if_they_can_be: assert (!(cta == f_c && partner == f_d)
                || pair_grant == (pair && sharing && f_c < f_d && f_c < `CTAS / 2 && (are_pair || (!c_shares && !d_shares))
                    && end_d <= `NW));
        end
        if (clear) nothing_is_granted_under_clear: assert (!a_grant && !b_grant && !pair_grant && !a_held && !b_held);
`endif
    end
`endif
endmodule
