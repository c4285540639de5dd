// Properties of pair_lock, unbounded, for any number of warps and of CTAs, of any size.
//
// Frame 0 begins in any state in which the whole table of partners and the sharing and owner bits are sound, and the locks of
// two arbitrary warps: w in a CTA that may be a lower one, u in one that may be its upper partner. Frame 1 must be so again.
// `clear` comes from any state at all. Who is paired and who holds is what the ports have shown.
`define SIZE_BITS (`CW - 1)
// Of numbers of warps, of those too that CTAs would have if they fitted.
`define WIDE (`CTAS_BITS + `SIZE_BITS)

module warps_of (
    input wire [`CTAS_BITS-1:0] cta, input wire [`SIZE_BITS-1:0] size, output wire [`NW-1:0] mask,
    output wire [`WIDE-1:0] first
);
    assign first = cta * size;
    wire [`WIDE-1:0] beyond = first + size;
    wire [`NW-1:0] all = ~0;
    assign mask = (all << first) & ~(all << beyond);
endmodule

// A port's warp is in one CTA at most, w and u are in theirs, and its lock is that of w, or of u, exactly if it is at the same
// place of a CTA of the same pair.
module place (
    input wire [`IW-1:0] warp, input wire [`WIDE-1:0] w, input wire [`WIDE-1:0] u,
    input wire [`CTAS_BITS-1:0] c, input wire [`CTAS_BITS-1:0] d,
    input wire [`WIDE-1:0] first_c, input wire [`WIDE-1:0] first_d,
    input wire [`WIDE-1:0] index_w, input wire [`WIDE-1:0] index_u, input wire [`SIZE_BITS-1:0] size,
    input wire [`CTAS*`WIDE-1:0] firsts, input wire [`CTAS-1:0] below, input wire [`CTAS_BITS-1:0] cta_number,
    input wire shares, input wire [`CTAS_BITS-1:0] pair_number, input wire [`IW-2:0] index, output reg placed
);
    integer i;
    wire [`CTAS-1:0] one_cta = 1;
    // The last CTA ends above a warp that is of any.
    wire [`CTAS-1:0] cta = below[`CTAS-1] ? one_cta << cta_number : 0;
    wire [`CTAS-1:0] pair = shares ? one_cta << pair_number : 0;
    reg [`WIDE-1:0] first, end_of_pair;
    wire [`WIDE-1:0] place = warp - first;
    wire [`WIDE-1:0] end_of_c = first_c + size;
    always @(*) begin
        first = 0;
        end_of_pair = 0;
        for (i = 0; i < `CTAS; i = i + 1) begin
            if (cta[i]) first = firsts[i*`WIDE +: `WIDE];
            if (pair[i]) end_of_pair = firsts[i*`WIDE +: `WIDE] + size;
        end
        placed = (warp != w || cta == one_cta << c) && (warp != u || cta == one_cta << d);
        if (cta != 0 && pair != 0 && end_of_pair <= `NW / 2 && end_of_c <= `NW / 2)
            placed = placed && (index == index_w) == (pair[c] && place == w - first_c)
                && (index == index_u) == (pair[c] && place == u - first_d) && index < `NW / 2;
    end
endmodule

module lock_of (
    input wire [`NW/2*`IW-1:0] locks, input wire [`WIDE-1:0] index, output reg held, output reg lower, output reg [`WIDE-1:0] holder
);
    integer i;
    always @(*) begin
        held = 0;
        lower = 0;
        holder = 0;
        for (i = 0; i < `NW / 2; i = i + 1) if (index == i) begin
            held = locks[i*`IW +: `IW] != 0;
            lower = locks[i*`IW +: `IW] == (i == 0 ? (1 << `IW) - 1 : i);
            holder = locks[i*`IW +: `IW];
        end
    end
endmodule

// Locks that name a warp.
module named_by (input wire [`NW/2*`IW-1:0] locks, input wire [`WIDE-1:0] warp, output reg [`NW/2-1:0] named);
    integer i;
    always @(*)
        for (i = 0; i < `NW / 2; i = i + 1)
            named[i] = locks[i*`IW +: `IW] != 0
                && (locks[i*`IW +: `IW] == (1 << `IW) - 1 && i == 0 ? warp == 0 : locks[i*`IW +: `IW] == warp);
endmodule

module proof (
    input wire clock, input wire clear, input wire share, input wire [`SIZE_BITS-1:0] warps_per_cta,
    input wire [7:0] private_regs, input wire pair, input wire exit,
    input wire [`CTAS_BITS-1:0] cta, input wire [`CTAS_BITS-1:0] partner, input wire favor_b,
    input wire a_valid, input wire a_exit, input wire [`IW-1:0] a_warp, input wire [7:0] a_reg,
    input wire b_valid, input wire b_exit, input wire [`IW-1:0] b_warp, input wire [7:0] b_reg
);
    wire pair_grant, a_grant, a_held, a_upper, b_grant, b_held, b_upper, sharing;
    wire [`IW-1:0] a_home, b_home;
    wire [`NW-1:0] shared, owner;
    `TOP uut (.*);
    (* hierconn *) wire [`CTAS-1:0] \uut.partners.has$q ;
    (* hierconn *) wire [(`CTAS)-1:0] \uut.partners.plane$0$q ;
    (* hierconn *) wire [(`CTAS)-1:0] \uut.partners.plane$1$q ;
    (* hierconn *) wire [(`CTAS)-1:0] \uut.partners.plane$2$q ;
    (* hierconn *) wire [(`CTAS)-1:0] \uut.partners.plane$3$q ;
    (* hierconn *) wire [(`CTAS)-1:0] \uut.partners.plane$4$q ;
    wire [5*(`CTAS)-1:0] partner_planes = {
        \uut.partners.plane$4$q ,
        \uut.partners.plane$3$q ,
        \uut.partners.plane$2$q ,
        \uut.partners.plane$1$q ,
        \uut.partners.plane$0$q };
    (* hierconn *) wire [(`NW / 2)-1:0] \uut.locks.plane$0$q ;
    (* hierconn *) wire [(`NW / 2)-1:0] \uut.locks.plane$1$q ;
    (* hierconn *) wire [(`NW / 2)-1:0] \uut.locks.plane$2$q ;
    (* hierconn *) wire [(`NW / 2)-1:0] \uut.locks.plane$3$q ;
    (* hierconn *) wire [(`NW / 2)-1:0] \uut.locks.plane$4$q ;
    (* hierconn *) wire [(`NW / 2)-1:0] \uut.locks.plane$5$q ;
    wire [6*(`NW / 2)-1:0] lock_planes = {
        \uut.locks.plane$5$q ,
        \uut.locks.plane$4$q ,
        \uut.locks.plane$3$q ,
        \uut.locks.plane$2$q ,
        \uut.locks.plane$1$q ,
        \uut.locks.plane$0$q };
    wire [`CTAS-1:0] has = \uut.partners.has$q ;
    // Plane k is bit k of all.
    reg [`CTAS*`CTAS_BITS-1:0] partners;
    reg [`NW/2*`IW-1:0] locks;
    integer i, k;
    always @(*) begin
        for (i = 0; i < `CTAS; i = i + 1)
            for (k = 0; k < `CTAS_BITS; k = k + 1) partners[i*`CTAS_BITS + k] = partner_planes[k*`CTAS + i];
        for (i = 0; i < `NW / 2; i = i + 1)
            for (k = 0; k < `IW; k = k + 1) locks[i*`IW + k] = lock_planes[k*(`NW/2) + i];
    end

    // A kernel with CTAs of `size` warps; two of its CTAs, and a warp of each.
    (* anyconst *) reg [`SIZE_BITS-1:0] size;
    (* anyconst *) reg [`CTAS_BITS-1:0] f_c;
    (* anyconst *) reg [`CTAS_BITS-1:0] f_d;
    (* anyconst *) reg [`SIZE_BITS-1:0] f_o;
    (* anyconst *) reg [`SIZE_BITS-1:0] f_p;
    // Warps of every CTA, and its first.
    wire [`CTAS*`NW-1:0] masks;
    wire [`CTAS*`WIDE-1:0] firsts;
    wire [`CTAS-1:0] fits, has_locks;
    genvar g;
    generate for (g = 0; g < `CTAS; g = g + 1) begin : each
        wire [`CTAS_BITS-1:0] number = g;
        wire [`WIDE-1:0] first;
        warps_of m (number, size, masks[g*`NW +: `NW], first);
        assign firsts[g*`WIDE +: `WIDE] = first;
        assign fits[g] = first + size <= `NW;
        assign has_locks[g] = first + size <= `NW / 2;
    end endgenerate
    reg [`NW-1:0] mask_c, mask_d;
    reg [`WIDE-1:0] first_c, first_d;
    reg [`CTAS_BITS-1:0] of_c, of_d;
    always @(*) begin
        {mask_c, mask_d, first_c, first_d, of_c, of_d} = 0;
        for (i = 0; i < `CTAS; i = i + 1) begin
            if (f_c == i) begin
                mask_c = masks[i*`NW +: `NW];
                first_c = firsts[i*`WIDE +: `WIDE];
                of_c = partners[i*`CTAS_BITS +: `CTAS_BITS];
            end
            if (f_d == i) begin
                mask_d = masks[i*`NW +: `NW];
                first_d = firsts[i*`WIDE +: `WIDE];
                of_d = partners[i*`CTAS_BITS +: `CTAS_BITS];
            end
        end
    end
    wire [`WIDE-1:0] w = first_c + f_o;
    wire [`WIDE-1:0] u = first_d + f_p;
    wire [`WIDE-1:0] index_w = w;
    wire [`WIDE-1:0] index_u = first_c + f_p;

    // LEMMAS shows where the warps of the two ports are, which locks that means, and whose sharing and owner bits change. The
    // rest may rely on it.
    (* hierconn *) wire [`CTAS-1:0] \uut.a_of.below ;
    (* hierconn *) wire [`CTAS-1:0] \uut.b_of.below ;
    (* hierconn *) wire [`CTAS_BITS-1:0] \uut.a_of.cta ;
    (* hierconn *) wire [`CTAS_BITS-1:0] \uut.b_of.cta ;
    (* hierconn *) wire \uut.a_of.shares ;
    (* hierconn *) wire \uut.b_of.shares ;
    (* hierconn *) wire [`CTAS_BITS-1:0] \uut.a_of.pair ;
    (* hierconn *) wire [`CTAS_BITS-1:0] \uut.b_of.pair ;
    (* hierconn *) wire [`IW-2:0] \uut.a_port.lock ;
    (* hierconn *) wire [`IW-2:0] \uut.b_port.lock ;
    wire a_placed, b_placed;
    place pa (a_warp, w, u, f_c, f_d, first_c, first_d, index_w, index_u, size, firsts, \uut.a_of.below , \uut.a_of.cta ,
        \uut.a_of.shares , \uut.a_of.pair , \uut.a_port.lock , a_placed);
    place pb (b_warp, w, u, f_c, f_d, first_c, first_d, index_w, index_u, size, firsts, \uut.b_of.below , \uut.b_of.cta ,
        \uut.b_of.shares , \uut.b_of.pair , \uut.b_port.lock , b_placed);
    wire placed = a_placed && b_placed && mask_c[w] && mask_d[u] && (index_u >= `NW || mask_c[index_u]);

    (* hierconn *) wire \uut.owners.moves ;
    (* hierconn *) wire [`CTAS_BITS-1:0] \uut.owners.gain_cta ;
    (* hierconn *) wire [`CTAS_BITS-1:0] \uut.owners.lose_cta ;
    (* hierconn *) wire [`NW-1:0] \uut.owners.gains ;
    (* hierconn *) wire [`NW-1:0] \uut.owners.loses ;
    reg [`NW-1:0] gains, loses;
    wire both_fit = fits[\uut.owners.gain_cta ] && fits[\uut.owners.lose_cta ];
    wire [`NW-1:0] every = ~0;
    always @(*) begin
        {gains, loses} = 0;
        for (i = 0; i < `CTAS; i = i + 1) begin
            if (\uut.owners.moves && \uut.owners.gain_cta == i) gains = masks[i*`NW +: `NW];
            if (\uut.owners.moves && \uut.owners.lose_cta == i) loses = masks[i*`NW +: `NW];
        end
        if (clear) loses = every;
    end
    wire moved = (\uut.owners.moves && !both_fit) || (\uut.owners.gains == gains && \uut.owners.loses == loses);

    // From the ports alone: whether the CTAs have a partner, are a pair, and whether the warps hold.
    reg c_shares, d_shares, are_pair, w_holds, u_holds, second;
    initial second = 0;
    wire a_real = a_valid && !clear && a_warp < `NW;
    wire b_real = b_valid && !clear && b_warp < `NW;
    wire a_shared_reg = !a_exit && a_reg >= private_regs;
    wire b_shared_reg = !b_exit && b_reg >= private_regs;
    wire a_w = a_real && a_warp == w;
    wire b_w = b_real && b_warp == w;
    wire a_u = a_real && a_warp == u;
    wire b_u = b_real && b_warp == u;
    wire w_takes = c_shares && ((a_w && a_shared_reg && a_grant) || (b_w && b_shared_reg && b_grant));
    wire u_takes = d_shares && ((a_u && a_shared_reg && a_grant) || (b_u && b_shared_reg && b_grant));
    always @(posedge clock) begin
        second <= 1;
        c_shares <= !clear && (c_shares || (pair_grant && (cta == f_c || partner == f_c)));
        d_shares <= !clear && (d_shares || (pair_grant && (cta == f_d || partner == f_d)));
        are_pair <= !clear && (are_pair || (pair_grant && cta == f_c && partner == f_d));
        w_holds <= !clear && (w_takes || (w_holds && !(a_w && a_exit) && !(b_w && b_exit)));
        u_holds <= !clear && (u_takes || (u_holds && !(a_u && a_exit) && !(b_u && b_exit)));
    end

    // Partners have each other, the lower one is one of the first half, and both fit. Bits of warps are those of CTAs.
    // Line i of `of` says of each CTA whether it is the partner of CTA i, line i of `back` whether CTA i is its partner.
    wire [`CTAS*`CTAS-1:0] of, back, low_first;
    generate for (g = 0; g < `CTAS; g = g + 1) begin : from
        genvar h;
        for (h = 0; h < `CTAS; h = h + 1) begin : to
            assign of[g*`CTAS + h] = has[g] && partners[g*`CTAS_BITS +: `CTAS_BITS] == h;
            assign back[g*`CTAS + h] = of[h*`CTAS + g];
            assign low_first[g*`CTAS + h] = g != h && (g > h || (g < `CTAS / 2 && has_locks[g]));
        end
    end endgenerate
    wire table_sound = of == back && (of & ~low_first) == 0 && (has & ~fits) == 0;
    reg [`NW-1:0] in_cta;
    always @(*) begin
        in_cta = 0;
        for (i = 0; i < `CTAS; i = i + 1) if (has[i]) in_cta = in_cta | masks[i*`NW +: `NW];
    end
    wire bits_sound = (owner & ~shared) == 0 && shared == in_cta;
    wire ghosts_sound = c_shares == has[f_c] && d_shares == has[f_d] && are_pair == (has[f_c] && f_c < f_d && of_c == f_d)
        && (c_shares || !w_holds) && (d_shares || !u_holds);

    // A lock that is held belongs to a pair, and names the warp that the ports have shown to hold it; no other names it.
    wire lw_held, lw_lower, lu_held, lu_lower;
    wire [`WIDE-1:0] lw_holder, lu_holder;
    lock_of l0 (locks, index_w, lw_held, lw_lower, lw_holder);
    lock_of l1 (locks, index_u, lu_held, lu_lower, lu_holder);
    wire [`NW/2-1:0] w_named, u_named;
    named_by n0 (locks, w, w_named);
    named_by n1 (locks, u, u_named);
    wire [`NW/2-1:0] one_lock = 1;
    wire c_is_lower = has[f_c] && f_c < of_c;
    wire only_pairs_hold = (c_is_lower || !lw_held) && (c_is_lower || !lu_held);
    wire one_cta_holds = !(lw_lower && lu_held && !lu_lower) && !(lu_lower && lw_held && !lw_lower);
    wire holders_are_named = !(are_pair && u_holds) || lu_holder == u;
    wire no_other_lock_names_them = (c_shares || w_named == 0) && (d_shares || u_named == 0)
        && (!c_is_lower || (w_named & ~(one_lock << index_w)) == 0)
        && (!are_pair || (u_named & ~(one_lock << index_u)) == 0);
    wire lower_holds_as_shown = !c_is_lower || w_holds == lw_lower;
    wire upper_holds_as_shown = !are_pair || u_holds == (lu_held && !lu_lower);
    wire locks_sound = only_pairs_hold && one_cta_holds && holders_are_named && no_other_lock_names_them
        && lower_holds_as_shown && upper_holds_as_shown;

    // Whether a warp of the upper, or of the lower, CTA holds a lock of the pair.
    reg upper_holds, lower_holds;
    always @(*) begin
        upper_holds = 0;
        lower_holds = 0;
        for (i = 0; i < `NW / 2; i = i + 1) if (mask_c[i] && locks[i*`IW +: `IW] != 0) begin
            if (locks[i*`IW +: `IW] == (i == 0 ? (1 << `IW) - 1 : i)) lower_holds = 1;
            else upper_holds = 1;
        end
    end

    // Owners: whole CTAs, one of a pair at most. y is another warp of w's CTA.
    (* anyconst *) reg [`SIZE_BITS-1:0] f_q;
    wire [`WIDE-1:0] y = first_c + f_q;
    wire w_owner = owner[w[`IW-1:0]];
    wire y_owner = owner[y[`IW-1:0]];
    wire u_owner = owner[u[`IW-1:0]];
    wire owners_sound = !(w >= `NW || y >= `NW) ? w_owner == y_owner && !(are_pair && w_owner && u_owner) : 1;
    // It holds of any two warps of any CTA: so of the first ones, too, which say whether a CTA that ends is owner.
    wire first_are_alike = owner[first_c[`IW-1:0]] == w_owner && owner[first_d[`IW-1:0]] == u_owner;
    // Holds of one place each: so it holds of all, which the assumption may say of the warps of these two CTAs.
    wire all_places = !(c_is_lower && lower_holds && upper_holds);
    wire invariant = table_sound && bits_sound && ghosts_sound && locks_sound && owners_sound;

    // What other warps of the pair ask for on the other port decides ties.
    wire a_from_c = a_real && a_shared_reg && mask_c[a_warp];
    wire b_from_c = b_real && b_shared_reg && mask_c[b_warp];
    wire a_from_d = a_real && a_shared_reg && mask_d[a_warp];
    wire b_from_d = b_real && b_shared_reg && mask_d[b_warp];

    // Frame 0, for comparison in frame 1.
    reg [`NW-1:0] old_shared, old_owner;
    reg [`NW/2*`IW-1:0] old_locks;
    reg [`CTAS-1:0] old_has;
    reg nothing_new, w_waited, c_ended;
    wire a_idle = !a_real || (a_w ? (w_holds && c_is_lower) || !c_shares : a_u && are_pair && u_holds) && !a_exit;
    wire b_idle = !b_real || (b_w ? (w_holds && c_is_lower) || !c_shares : b_u && are_pair && u_holds) && !b_exit;
    always @(posedge clock) begin
        old_shared <= shared;
        old_owner <= owner;
        old_locks <= locks;
        old_has <= has;
        nothing_new <= !clear && !exit && (!pair || !pair_grant) && a_idle && b_idle;
        w_waited <= !clear && !exit && !pair && are_pair && a_w && a_shared_reg && upper_holds
            && !(favor_b && b_real);
        c_ended <= !clear && exit && !pair && cta == f_c && are_pair && w_owner;
    end

    // In a sound state: a lock that a port takes is that of w, or of u, exactly if its warp is one of that pair;
    // two warps never take one lock.
    (* hierconn *) wire \uut.a_locks ;
    (* hierconn *) wire \uut.b_locks ;
    wire [`NW/2-1:0] a_takes = \uut.a_locks ? one_lock << \uut.a_port.lock : 0;
    wire [`NW/2-1:0] b_takes = \uut.b_locks ? one_lock << \uut.b_port.lock : 0;
    wire [`WIDE-1:0] over_w = first_d + f_o;
    wire [`NW/2-1:0] lock_w = one_lock << index_w;
    wire [`NW/2-1:0] lock_u = one_lock << index_u;
    wire taken = (!(c_is_lower && a_warp == w) || (a_takes & ~lock_w) == 0)
        && (!(c_is_lower && b_warp == w) || (b_takes & ~lock_w) == 0)
        && (!(are_pair && a_warp == u) || (a_takes & ~lock_u) == 0)
        && (!(are_pair && b_warp == u) || (b_takes & ~lock_u) == 0)
        && (!(are_pair && (a_takes & lock_w) != 0) || a_warp == w || a_warp == over_w)
        && (!(are_pair && (b_takes & lock_w) != 0) || b_warp == w || b_warp == over_w)
        && (!(are_pair && (a_takes & lock_u) != 0) || a_warp == u || a_warp == index_u)
        && (!(are_pair && (b_takes & lock_u) != 0) || b_warp == u || b_warp == index_u)
        && (a_warp == b_warp || (a_takes & b_takes) == 0);

`ifdef LEMMAS
    always @(*) begin
        assume (warps_per_cta == size && f_o < size && f_p < size && f_q < size && w < `NW && u < `NW && f_c != f_d);
        if (!second) assume (clear || (invariant && all_places));
        sharing_and_owner_bits_change_of_whole_ctas: assert (moved);
        if (!second && !clear) begin
            warps_are_placed: assert (placed);
            locks_are_those_of_the_pair: assert (taken);
        end
    end
`elsif POWER_ON
    always @(*) begin
        assume (warps_per_cta == size && f_o < size && f_p < size && f_q < size);
        if (!second) begin
            assume (!c_shares && !d_shares && !are_pair && !w_holds && !u_holds);
            power_on: assert (invariant && !sharing && owner == 0);
        end
    end
`else
    always @(*) begin
        assume (warps_per_cta == size && f_o < size && f_p < size && f_q < size && w < `NW && u < `NW && f_c != f_d);
        assume (moved);
        if (!second) assume (clear || (placed && invariant && all_places && first_are_alike && taken));
`ifdef VACUITY
        if (!second) begin
            c0: assert (clear || !(are_pair && w_holds && f_c == 3 && f_o == 5));
            c1: assert (clear || !(are_pair && u_holds && w == 0 && f_p == f_o));
            c2: assert (clear || !(are_pair && a_from_c && b_from_d && a_grant && a_w && b_u));
            c3: assert (clear || !(pair_grant && cta == f_c && partner == f_d && has == 'h42));
            c4: assert (clear || !(are_pair && w_owner && f_c != 0));
        end else begin
            c5: assert (!w_waited);
            c6: assert (!c_ended);
            c7: assert (!(nothing_new && w_holds && u_owner));
        end
`else
        // Inductive: whatever happens in frame 0.
        if (second) begin
            the_table_stays_sound: assert (table_sound);
            bits_stay_sound: assert (bits_sound);
            history_is_kept: assert (ghosts_sound);
            only_pairs_hold_locks: assert (only_pairs_hold);
            only_one_cta_of_a_pair_holds_locks: assert (one_cta_holds);
            a_lock_says_who_holds_it: assert (holders_are_named);
            no_other_lock_says_so: assert (no_other_lock_names_them);
            w_holds_as_the_ports_show: assert (lower_holds_as_shown);
            u_holds_as_the_ports_show: assert (upper_holds_as_shown);
            owners_stay_sound: assert (owners_sound);
            repeated_requests_change_nothing: assert (!nothing_new
                || (shared == old_shared && owner == old_owner && locks == old_locks && has == old_has));
            who_is_waited_for_becomes_owner: assert (!w_waited || (u_owner && !w_owner));
            ownership_passes_at_the_end: assert (!c_ended || (u_owner && !w_owner));
        end
        // Consequences, in every sound state.
        if (!second && !clear) begin
            never_do_both_ctas_of_a_pair_hold: assert (!are_pair || !(w_holds && u_holds));
            nor_any_of_their_warps: assert (!are_pair || !w_holds || !upper_holds);
            a_held_says_who_holds: assert ((!(a_warp == w) || !c_is_lower || a_held == w_holds)
                && (!(a_warp == u) || !are_pair || a_held == u_holds));
            b_held_says_who_holds: assert ((!(b_warp == w) || !c_is_lower || b_held == w_holds)
                && (!(b_warp == u) || !are_pair || b_held == u_holds));
            who_does_not_share_holds_nothing: assert ((!(a_warp == w) || c_shares || !a_held)
                && (!(b_warp == w) || c_shares || !b_held));
            shared_registers_lie_with_the_lower_warp: assert ((!(a_warp == u && are_pair) || (a_upper && a_home == index_u))
                && (!(b_warp == u && are_pair) || (b_upper && b_home == index_u)));
            other_warps_are_their_own_home: assert ((!(a_warp == w && (c_is_lower || !c_shares)) || (!a_upper && a_home == w))
                && (!(b_warp == w && (c_is_lower || !c_shares)) || (!b_upper && b_home == w)));
            // Figure 3.
            unshared_warps_go_on: assert ((!a_w || c_shares || a_grant) && (!b_w || c_shares || b_grant));
            private_registers_are_open: assert ((!a_w || a_shared_reg || a_grant) && (!b_w || b_shared_reg || b_grant));
            lower_a: assert (!(are_pair && a_w && a_shared_reg)
                || a_grant == (!upper_holds && !(favor_b && b_from_d && !lower_holds)));
            lower_b: assert (!(are_pair && b_w && b_shared_reg)
                || b_grant == (!upper_holds && !(!favor_b && a_from_d && !lower_holds)));
            upper_a: assert (!(are_pair && a_u && a_shared_reg)
                || a_grant == (!lower_holds && !(favor_b && b_from_c && !upper_holds)));
            upper_b: assert (!(are_pair && b_u && b_shared_reg)
                || b_grant == (!lower_holds && !(!favor_b && a_from_c && !upper_holds)));
            holders_are_granted: assert (!(are_pair && a_w && w_holds) || a_grant);
            nothing_else_is_granted: assert ((a_real || !a_grant) && (b_real || !b_grant));
            pairs_are_made_exactly_if_they_can_be: assert (!(cta == f_c && partner == f_d)
                || pair_grant == (pair && sharing && f_c < f_d && f_c < `CTAS / 2 && (are_pair || (!c_shares && !d_shares))
                    && first_c + size <= `NW / 2 && first_d + size <= `NW));
        end
        if (clear) nothing_is_granted_under_clear: assert (!a_grant && !b_grant && !pair_grant && !a_held && !b_held);
`endif
    end
`endif
endmodule
