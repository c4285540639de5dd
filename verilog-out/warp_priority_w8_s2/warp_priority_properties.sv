// Properties of warp_priority, unbounded, for any number of warps and schedulers; of any one scheduler f_s and any three of
// its warps. One step from a free state: frame 0 assumes that the order has no circle at the warps in question, frame 1 must
// have none again. `clear` in frame 0 comes from any state and is the base case after a kernel launch; POWER_ON is the base
// case after power-on.
`define OWN (`NW / `SCHEDULERS)
`define HALF (`OWN / 2)

module proof (
    input wire clock, input wire clear, input wire [`NW-1:0] launch, input wire [`NW-1:0] ready,
    input wire [`NW-1:0] shared, input wire [`NW-1:0] owner
);
    wire [`SCHEDULERS-1:0] chosen_valid;
    wire [`SCHEDULERS*`IW-1:0] chosen;
    `TOP uut (.*);
    (* hierconn *) wire [(`OWN - 1)-1:0] \uut.scheduler$0.order$0$q ;
    (* hierconn *) wire [(`OWN - 1)-1:0] \uut.scheduler$0.order$1$q ;
    (* hierconn *) wire [(`OWN - 1)-1:0] \uut.scheduler$1.order$0$q ;
    (* hierconn *) wire [(`OWN - 1)-1:0] \uut.scheduler$1.order$1$q ;
    wire [4*(`OWN - 1)-1:0] all_rows = {
        \uut.scheduler$1.order$1$q ,
        \uut.scheduler$1.order$0$q ,
        \uut.scheduler$0.order$1$q ,
        \uut.scheduler$0.order$0$q };

    // A scheduler and three warps of it, counted within it: the same in both frames.
    (* anyconst *) reg [`SCHEDULERS_BITS-1:0] f_s;
    (* anyconst *) reg [`IW-1:0] f_u;
    (* anyconst *) reg [`IW-1:0] f_v;
    (* anyconst *) reg [`IW-1:0] f_w;
    wire exist = f_s < `SCHEDULERS && f_u < `OWN && f_v < `OWN && f_w < `OWN && f_u != f_v && f_v != f_w && f_u != f_w;

    // This scheduler's order, its warps and its answer. Slot n is warp n / SCHEDULERS of scheduler n % SCHEDULERS.
    reg [`HALF*(`OWN-1)-1:0] rows;
    reg valid;
    reg [`IW-1:0] slot;
    reg [`OWN-1:0] waits, shares, owns, starts;
    integer s, n;
    always @(*) begin
        {rows, valid, slot, waits, shares, owns, starts} = 0;
        for (s = 0; s < `SCHEDULERS; s = s + 1) if (f_s == s) begin
            rows = all_rows[s*`HALF*(`OWN-1) +: `HALF*(`OWN-1)];
            valid = chosen_valid[s];
            slot = chosen[s*`IW +: `IW];
            for (n = 0; n < `OWN; n = n + 1) begin
                waits[n] = ready[`SCHEDULERS*n + s];
                shares[n] = shared[`SCHEDULERS*n + s];
                owns[n] = owner[`SCHEDULERS*n + s];
                starts[n] = launch[`SCHEDULERS*n + s];
            end
        end
    end

    // The rows unfolded: whether warp i is older than warp j is bit j of line i.
    wire [`OWN-1:0] older [0:`OWN-1];
    genvar i, j;
    generate for (i = 0; i < `OWN; i = i + 1) begin : line
        for (j = 0; j < `OWN; j = j + 1) begin : place
            if (i == j) assign older[i][j] = 0;
            else if (i > j) assign older[i][j] = rows[i < `HALF ? i * (`OWN - 1) + j : (`OWN - 1 - i) * `OWN + j];
            else assign older[i][j] = !rows[j < `HALF ? j * (`OWN - 1) + i : (`OWN - 1 - j) * `OWN + i];
        end
    end endgenerate

    // The best class that has a ready warp.
    wire [`OWN-1:0] first = waits & shares & owns;
    wire [`OWN-1:0] middle = waits & ~shares;
    wire [`OWN-1:0] class = first != 0 ? first : middle != 0 ? middle : waits;

    // The chosen warp: the slot must be one of this scheduler.
    wire [`IW-1:0] warp = slot / `SCHEDULERS;
    wire own_slot = slot % `SCHEDULERS == f_s && warp < `OWN;

    // No two warps and v are older in a circle: what is shown of any three, of all that v may meet by way of others.
    reg straight;
    reg [`OWN-1:0] over_v;
    integer k, m;
    always @(*) begin
        // No warp is older than itself: bit f_v is 0.
        for (m = 0; m < `OWN; m = m + 1) over_v[m] = older[m][f_v];
        straight = 1;
        for (k = 0; k < `OWN; k = k + 1)
            if (k != f_v && !over_v[k] && (older[k] & over_v) != 0) straight = 0;
    end

    reg [`OWN-1:0] u_line, v_line;
    reg uv, vw, uw, vu;
    integer p;
    always @(*) begin
        u_line = 0;
        v_line = 0;
        for (p = 0; p < `OWN; p = p + 1) begin
            if (f_u == p) u_line = older[p];
            if (f_v == p) v_line = older[p];
        end
        uv = u_line[f_v];
        uw = u_line[f_w];
        vw = v_line[f_w];
        vu = v_line[f_u];
    end
    wire no_circle = !(uv && vw) || uw;

    // History, from the ports alone: whether u was launched before v, or with it in a lower slot.
    reg before;
    reg second;
    initial second = 0;
    wire u_starts = starts[f_u];
    wire v_starts = starts[f_v];
    // Frame 0, for comparison in frame 1.
    reg old_uv, old_clear, old_u_starts, old_v_starts;
    reg [`IW-1:0] old_slot;
    always @(posedge clock) begin
        second <= 1;
        before <= clear || (u_starts && v_starts) ? f_u < f_v : u_starts ? 0 : v_starts ? 1 : before;
        old_uv <= uv;
        old_clear <= clear;
        old_u_starts <= u_starts;
        old_v_starts <= v_starts;
        old_slot <= slot;
    end

    wire u_first = shares[f_u] && owns[f_u];
    wire v_first = shares[f_v] && owns[f_v];
    wire chosen_u = valid && own_slot && warp == f_u;
    always @(*) begin
        assume (exist);
`ifdef POWER_ON
        if (!second) begin
            assume (before == (f_u < f_v));
            power_on: assert (no_circle && uv == before);
        end
`else
        if (!second) assume (clear || (no_circle && straight && uv == before));
`ifdef VACUITY
        if (!second) begin
            c0: assert (clear || !((&waits) && slot == `NW - 2 && first[3] && first[4]));
            c1: assert (clear || !(valid && f_u == 7 && slot == f_u * `SCHEDULERS + f_s && shares[7] && !owns[7]
                && f_v == 2 && waits[2]));
            c2: assert (clear || !((&chosen_valid) && chosen[2*`IW-1:`IW] == `NW - 1 && chosen[`IW-1:0] == 0
                && launch[`NW-1]));
            c3: assert (clear || !(uv && vw && f_u > f_v && f_v > f_w));
        end else begin
            c4: assert (!(old_uv && !uv && old_v_starts && old_u_starts && !old_clear));
            c5: assert (!(valid && slot != old_slot && !old_clear && waits == 'hff0));
        end
`else
        if (second) begin
            no_three_warps_are_older_in_a_circle: assert (no_circle);
            history_is_followed: assert (uv == before);
            clear_orders_by_slot: assert (!old_clear || uv == (f_u < f_v));
            who_starts_is_the_youngest: assert (old_clear || !old_u_starts || old_v_starts || (!uv && vu));
            of_two_that_start_the_lower_is_older: assert (old_clear || !old_u_starts || !old_v_starts || uv == (f_u < f_v));
            the_rest_keep_their_order: assert (old_clear || old_u_starts || old_v_starts || uv == old_uv);
        end
        of_two_warps_one_is_older: assert (uv != vu);
        if (!second && !clear) begin
            one_is_chosen_exactly_if_one_is_ready: assert (valid == (waits != 0));
            nobody_is_named_if_none_is_ready: assert (valid || slot == 0);
            its_slot_is_one_of_the_scheduler: assert (!valid || own_slot);
            who_is_chosen_is_ready_and_of_the_best_class: assert (!valid || class[warp]);
            nobody_of_that_class_is_older: assert (!valid || !class[f_v] || warp == f_v || older[warp][f_v]);
            an_owner_is_chosen_while_one_is_ready: assert (!chosen_u || u_first || !(waits[f_v] && v_first));
            no_non_owner_is_chosen_while_an_unshared_warp_is_ready:
                assert (!chosen_u || u_first || !shares[f_u] || !waits[f_v] || shares[f_v]);
            nobody_in_its_class_was_launched_earlier: assert (!chosen_u || !waits[f_v] || u_first != v_first
                || shares[f_u] != shares[f_v] || before);
        end
`endif
`endif
    end
endmodule
