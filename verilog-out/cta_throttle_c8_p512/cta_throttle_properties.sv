// Properties of cta_throttle, unbounded, for 8 CTAs.
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
    wire [`CTAS-1:0] a_may_issue, b_may_issue;
    wire [`CTAS_BITS-1:0] chosen;
    wire throttled, spill;
    wire [`PACKS_BITS:0] free_packs;
    `TOP uut (.*);
    (* hierconn *) wire [`CTAS-1:0] \uut.active$q ;
    wire [`CTAS-1:0] active = \uut.active$q ;
    (* hierconn *) wire [`PACKS_BITS:0] \uut.balance$0$q ;
    (* hierconn *) wire [`PACKS_BITS:0] \uut.balance$1$q ;
    (* hierconn *) wire [`PACKS_BITS:0] \uut.balance$2$q ;
    (* hierconn *) wire [`PACKS_BITS:0] \uut.balance$3$q ;
    (* hierconn *) wire [`PACKS_BITS:0] \uut.balance$4$q ;
    (* hierconn *) wire [`PACKS_BITS:0] \uut.balance$5$q ;
    (* hierconn *) wire [`PACKS_BITS:0] \uut.balance$6$q ;
    (* hierconn *) wire [`PACKS_BITS:0] \uut.balance$7$q ;
    wire [`PACKS_BITS:0] balance [`CTAS-1:0];
    assign balance[0] = \uut.balance$0$q ;
    assign balance[1] = \uut.balance$1$q ;
    assign balance[2] = \uut.balance$2$q ;
    assign balance[3] = \uut.balance$3$q ;
    assign balance[4] = \uut.balance$4$q ;
    assign balance[5] = \uut.balance$5$q ;
    assign balance[6] = \uut.balance$6$q ;
    assign balance[7] = \uut.balance$7$q ;
    (* anyconst *) reg [`CTAS_BITS-1:0] f;
    reg [`PACKS_BITS:0] balance_f, balance_chosen;
    integer i;
    always @(*) begin
        balance_f = 0;
        balance_chosen = 0;
        for (i = 0; i < `CTAS; i = i + 1) begin
            if (f == i) balance_f = balance[i];
            if (chosen == i) balance_chosen = balance[i];
        end
    end
    wire [`CTAS-1:0] first = favor_b ? b_may_issue : a_may_issue;
    wire [`CTAS-1:0] second_port = favor_b ? a_may_issue : b_may_issue;
    wire [`CTAS-1:0] only_chosen = 1 << chosen;
    reg second;
    initial second = 0;
    always @(posedge clock) second <= 1;

    // A legal run: one kernel, all of whose CTAs need `each` packs.
    (* anyconst *) reg [`PACKS_BITS:0] each;
    reg within, legal;
    reg [`PACKS_BITS+1:0] takes, gives, has;
    always @(*) begin
        within = 1;
        legal = each <= pack_count && need == each && (!launch || active != 0 || each <= free_packs);
        for (i = 0; i < `CTAS; i = i + 1) begin
            takes = (a_cta == i ? a_take : 0) + (b_cta == i ? b_take : 0);
            gives = (a_cta == i ? a_give : 0) + (b_cta == i ? b_give : 0);
            has = each - balance[i];
            if (active[i]) begin
                within = within && balance[i] <= each;
                legal = legal && gives <= has && has - gives + takes <= each;
                // What ends has given all back; a slot is not launched twice.
                if (exit && exit_cta == i) legal = legal && has == 0 && takes == 0;
                if (launch && launch_cta == i) legal = 0;
            end else begin
                legal = legal && takes == 0 && gives == 0;
                if (exit && exit_cta == i) legal = 0;
            end
            // Only who may issue takes a pack.
            if (a_cta == i && a_take) legal = legal && a_may_issue[i];
            if (b_cta == i && b_take) legal = legal && b_may_issue[i];
        end
    end
    wire sound = within && (active == 0 || free_packs >= balance_chosen);
    wire [`PACKS_BITS+1:0] given = a_give + b_give;
    wire [`PACKS_BITS+1:0] taken = a_take + b_take;

    always @(*) begin
`ifdef RUN
        assume (legal);
        if (!second) assume (clear || sound);
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
            free_packs_cover_the_smallest_balance: assert (sound);
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
