// Properties of cta_throttle, unbounded, for any number of CTAs and packs.
//
// Without RUN: in any state at all, whatever the inputs were, some CTA may issue while one is active. With RUN: in legal
// runs the chosen CTA never lacks a pack. Legal: CTAs of one kernel that take only what they may and no more than they
// need, that give all back before they end, and of which the first finds what it needs.
module proof (
    input wire clock, input wire clear, input wire [`PACKS_BITS:0] pack_count,
    input wire launch, input wire [`CTAS_BITS-1:0] launch_cta, input wire [`PACKS_BITS:0] need, input wire exit,
    input wire [`CTAS_BITS-1:0] exit_cta, input wire favor_b,
    input wire [`CTAS_BITS-1:0] a_cta, input wire a_take, input wire [1:0] a_give,
    input wire [`CTAS_BITS-1:0] b_cta, input wire b_take, input wire [1:0] b_give
);
    // Bits of a number of packs.
    localparam BW = `PACKS_BITS + 1;

    wire [`CTAS-1:0] a_may_issue, b_may_issue;
    wire [`CTAS_BITS-1:0] chosen;
    wire throttled, spill;
    wire [`PACKS_BITS:0] free_packs;
    `TOP uut (.*);
    (* hierconn *) wire [`CTAS-1:0] \uut.active$q ;
    wire [`CTAS-1:0] active = \uut.active$q ;
    (* hierconn *) wire [(BW)-1:0] \uut.balance$0$q ;
    (* hierconn *) wire [(BW)-1:0] \uut.balance$1$q ;
    (* hierconn *) wire [(BW)-1:0] \uut.balance$2$q ;
    (* hierconn *) wire [(BW)-1:0] \uut.balance$3$q ;
    wire [4*(BW)-1:0] balances = {
        \uut.balance$3$q ,
        \uut.balance$2$q ,
        \uut.balance$1$q ,
        \uut.balance$0$q };
    (* anyconst *) reg [`CTAS_BITS-1:0] f;
    // History: who was chosen in the cycle before.
    reg [`CTAS_BITS-1:0] was_chosen;
    reg [BW-1:0] balance_f, balance_chosen, balance_before, balance_a, balance_b, balance_exit;
    integer i;
    always @(*) begin
        balance_f = 0;
        balance_chosen = 0;
        balance_before = 0;
        balance_a = 0;
        balance_b = 0;
        balance_exit = 0;
        for (i = 0; i < `CTAS; i = i + 1) begin
            if (f == i) balance_f = balances[i*BW +: BW];
            if (chosen == i) balance_chosen = balances[i*BW +: BW];
            if (was_chosen == i) balance_before = balances[i*BW +: BW];
            if (a_cta == i) balance_a = balances[i*BW +: BW];
            if (b_cta == i) balance_b = balances[i*BW +: BW];
            if (exit_cta == i) balance_exit = balances[i*BW +: BW];
        end
    end
    wire [`CTAS-1:0] first = favor_b ? b_may_issue : a_may_issue;
    wire [`CTAS-1:0] second_port = favor_b ? a_may_issue : b_may_issue;
    wire [`CTAS-1:0] only_chosen = {{`CTAS-1{1'b0}}, 1'b1} << chosen;
    reg second;
    initial second = 0;
    always @(posedge clock) begin
        second <= 1;
        was_chosen <= chosen;
    end

    // A legal run: one kernel, all of whose CTAs need `each` packs.
    (* anyconst *) reg [BW-1:0] each;
    // What the CTA of a port takes and gives through both, and what it has.
    wire same = a_cta == b_cta;
    wire [BW:0] a_takes = a_take + (same && b_take);
    wire [BW:0] a_gives = a_give + (same ? b_give : 2'd0);
    wire [BW:0] a_has = each - balance_a;
    wire [BW:0] b_takes = b_take + (same && a_take);
    wire [BW:0] b_gives = b_give + (same ? a_give : 2'd0);
    wire [BW:0] b_has = each - balance_b;
    wire a_legal = active[a_cta] && a_gives <= a_has && a_has - a_gives + a_takes <= each && (!a_take || a_may_issue[a_cta]);
    wire b_legal = active[b_cta] && b_gives <= b_has && b_has - b_gives + b_takes <= each && (!b_take || b_may_issue[b_cta]);
    // What ends has given all back; a slot is not launched twice; the first finds what it needs.
    wire exit_legal = active[exit_cta] && balance_exit == each
        && !(a_take && a_cta == exit_cta) && !(b_take && b_cta == exit_cta);
    wire launch_legal = !active[launch_cta] && (active != 0 || each <= free_packs);
    wire legal = each <= pack_count && need == each && (!(a_take || a_give != 0) || a_legal)
        && (!(b_take || b_give != 0) || b_legal) && (!exit || exit_legal) && (!launch || launch_legal);
    reg within;
    always @(*) begin
        within = 1;
        for (i = 0; i < `CTAS; i = i + 1) within = within && (!active[i] || balances[i*BW +: BW] <= each);
    end
    wire covered = active == 0 || free_packs >= balance_chosen;
    // Of the one that was chosen before, the theorem of any state says this.
    wire smallest = active == 0 || (active[chosen] && (!active[was_chosen] || balance_chosen <= balance_before));
    wire [BW:0] given = a_give + b_give;
    wire [BW:0] taken = a_take + b_take;

    always @(*) begin
`ifdef RUN
        assume (legal && smallest);
        if (!second) assume (clear || (within && covered));
`ifdef VACUITY
        if (!second) begin
            c0: assert (clear || !(throttled && active == 8'hff && free_packs == 3 && each > 20));
            c1: assert (clear || !(a_take && b_take && a_cta != b_cta && !throttled));
            c2: assert (clear || !(exit && active == 3 && balance_f < each && active[f]));
        end else begin
            c3: assert (!(throttled && free_packs == 0 && balance_chosen == 0));
        end
`else
        if (second) begin
            nobody_may_need_more_than_at_first: assert (!active[f] || balance_f <= each);
            free_packs_cover_the_smallest_balance: assert (covered);
            the_chosen_cta_never_lacks_a_pack: assert (!spill);
        end
        nobody_takes_a_pack_that_is_not_there: assert ((clear && !second) || free_packs + given >= taken);
`endif
`else
`ifdef VACUITY
        c0: assert (!(throttled && chosen == 5 && active[f] && f < 5));
        c1: assert (!(first == 8'hff && second_port == 8'h08));
        c2: assert (!spill);
`else
        somebody_may_issue: assert (active == 0 || (a_may_issue != 0 && b_may_issue != 0));
        only_active_ctas_may_issue: assert (((a_may_issue | b_may_issue) & ~active) == 0);
        the_chosen_cta_may_always_issue: assert (active == 0 || (a_may_issue[chosen] && b_may_issue[chosen]));
        the_chosen_cta_has_the_smallest_balance: assert (!active[f]
            || (active[chosen] && (balance_chosen < balance_f || (balance_chosen == balance_f && chosen <= f))));
        all_may_issue_exactly_if_packs_exceed_the_smallest_balance: assert (active == 0
            || first == (free_packs > balance_chosen ? active : only_chosen));
        the_second_port_counts_a_pack_of_the_first: assert (active == 0
            || second_port == ({1'b0, free_packs} > {1'b0, balance_chosen} + 1 ? active : only_chosen));
        throttled_and_spill_say_so: assert (throttled == (active != 0 && free_packs <= balance_chosen)
            && spill == (active != 0 && free_packs < balance_chosen));
        chosen_is_zero_while_nobody_runs: assert (active != 0 || chosen == 0);
`endif
`endif
    end
endmodule
