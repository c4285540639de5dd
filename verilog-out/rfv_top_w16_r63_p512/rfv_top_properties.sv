// RFV in one SM: who is taken in, what the units are asked, what comes of it, and the way of a pack back. Two cycles from any
// state that the history of the ports explains; the SM may do what it likes. The cache, the free list, the throttle and the
// power gate answer anything whatever, the table what `answers` says, and LEMMAS shows that it does: only what is wanted is
// served, and something of it always, but nothing in a walk or in the cycle of clear; a pack is taken only for a destination
// of the cycle before, one at a time; packs come back of what was served in the cycle before or of a walk, from all four banks
// in a walk only. What a warp's registers are, which CTA may issue and which pack is free are theorems of the units; here,
// that they are asked the right thing at the right time. The decoder of flag words is as it is.

// CTA slots, which each number of warps has its own of, and the number of one.
`define SLOTS (`NW == 64 ? 32 : `NW == 4 ? 4 : 8)
`define CTA [$clog2(`SLOTS)-1:0]
// Without a flag cache an instruction brings its flags, and no pir is missing.
`ifdef ENTRIES
`define UNCACHED (`ENTRIES == 0)
`else
`define UNCACHED 1'b0
`endif
module proof (
    input wire clock, input wire clear, input wire [5:0] exempt, input wire [1:0] shrink,
    input wire [`PACKS_BITS-2:0] reserved, input wire [`PACKS_BITS:0] pack_count, input wire cta_launch,
    input wire `CTA launch_cta, input wire [`PACKS_BITS:0] need, input wire cta_exit, input wire `CTA exit_cta,
    input wire launch, input wire exit, input wire [`IW-1:0] warp, input wire `CTA warp_cta, input wire hold,
    input wire word_valid, input wire [63:0] word, input wire [15:0] word_pc, input wire [4:0] word_slot,
    input wire [`IW-1:0] word_warp, input wire `CTA word_cta, input wire favor_b, input wire a_valid,
    input wire [`IW-1:0] a_warp, input wire `CTA a_cta, input wire a_urgent, input wire a_flagged, input wire [15:0] a_pir,
    input wire [4:0] a_slot, input wire [5:0] a_x0, input wire a_x0_valid, input wire [5:0] a_x1, input wire a_x1_valid,
    input wire [5:0] a_x2, input wire a_x2_valid, input wire [5:0] a_x3, input wire a_x3_valid, input wire b_valid,
    input wire [`IW-1:0] b_warp, input wire `CTA b_cta, input wire b_urgent, input wire b_flagged, input wire [15:0] b_pir,
    input wire [4:0] b_slot, input wire [5:0] b_x0, input wire b_x0_valid, input wire [5:0] b_x1, input wire b_x1_valid,
    input wire [5:0] b_x2, input wire b_x2_valid, input wire [5:0] b_x3, input wire b_x3_valid,
    input wire [1:0] f_port
);
    wire walk_grant, busy, pir, pbr, word_done, throttled, spill, a_hit, a_miss, a_grant, a_answer, b_hit, b_miss, b_grant;
    wire b_answer, y0_valid, y0_awake, y1_valid, y1_awake, y2_valid, y2_awake, y3_valid, y3_awake, starved;
    wire [2:0] word_flags;
    wire `CTA chosen;
    wire [`SLOTS-1:0] may_issue;
    wire [`PACKS_BITS:0] free_packs;
    wire [3:0] dry, a_served, b_served;
    wire [15:0] powered, awake;
    wire [`PACKS_BITS-1:0] y0, y1, y2, y3;
    `TOP uut (.*);
    (* hierconn *) wire \uut.cache.clear ;
    (* hierconn *) wire \uut.cache.fill ;
    (* hierconn *) wire [15:0] \uut.cache.fill_pc ;
    (* hierconn *) wire [53:0] \uut.cache.fill_payload ;
    (* hierconn *) wire [15:0] \uut.cache.a_pc ;
    (* hierconn *) wire [4:0] \uut.cache.a_slot ;
    (* hierconn *) wire [15:0] \uut.cache.b_pc ;
    (* hierconn *) wire [4:0] \uut.cache.b_slot ;
    (* hierconn *) wire \uut.cache.a_hit ;
    (* hierconn *) wire [2:0] \uut.cache.a_flags ;
    (* hierconn *) wire \uut.cache.b_hit ;
    (* hierconn *) wire [2:0] \uut.cache.b_flags ;
    (* hierconn *) wire \uut.names.clear ;
    (* hierconn *) wire [5:0] \uut.names.exempt ;
    (* hierconn *) wire [`IW-1:0] \uut.names.warp ;
    (* hierconn *) wire \uut.names.launch ;
    (* hierconn *) wire \uut.names.exit ;
    (* hierconn *) wire [5:0] \uut.names.x0 ;
    (* hierconn *) wire \uut.names.x0_valid ;
    (* hierconn *) wire \uut.names.x0_release ;
    (* hierconn *) wire [5:0] \uut.names.x1 ;
    (* hierconn *) wire \uut.names.x1_valid ;
    (* hierconn *) wire \uut.names.x1_release ;
    (* hierconn *) wire [5:0] \uut.names.x2 ;
    (* hierconn *) wire \uut.names.x2_valid ;
    (* hierconn *) wire \uut.names.x2_release ;
    (* hierconn *) wire [5:0] \uut.names.x3 ;
    (* hierconn *) wire \uut.names.x3_valid ;
    (* hierconn *) wire \uut.names.x3_partial ;
    (* hierconn *) wire [3:0] \uut.names.offer_valid ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.names.offer0 ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.names.offer1 ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.names.offer2 ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.names.offer3 ;
    (* hierconn *) wire \uut.names.busy ;
    (* hierconn *) wire [3:0] \uut.names.served ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.names.y0 ;
    (* hierconn *) wire \uut.names.y0_valid ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.names.y1 ;
    (* hierconn *) wire \uut.names.y1_valid ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.names.y2 ;
    (* hierconn *) wire \uut.names.y2_valid ;
    (* hierconn *) wire [`PACKS_BITS-1:0] \uut.names.y3 ;
    (* hierconn *) wire \uut.names.y3_valid ;
    (* hierconn *) wire \uut.names.starved ;
    (* hierconn *) wire [3:0] \uut.names.take ;
    (* hierconn *) wire [3:0] \uut.names.give ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.names.give0 ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.names.give1 ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.names.give2 ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.names.give3 ;
    (* hierconn *) wire \uut.packs.clear ;
    (* hierconn *) wire [1:0] \uut.packs.shrink ;
    (* hierconn *) wire [`PACKS_BITS-2:0] \uut.packs.reserved ;
    (* hierconn *) wire [15:0] \uut.packs.awake ;
    (* hierconn *) wire [3:0] \uut.packs.take ;
    (* hierconn *) wire [3:0] \uut.packs.give ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.packs.give0 ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.packs.give1 ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.packs.give2 ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.packs.give3 ;
    (* hierconn *) wire [3:0] \uut.packs.offer_valid ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.packs.offer0 ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.packs.offer1 ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.packs.offer2 ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.packs.offer3 ;
    (* hierconn *) wire [15:0] \uut.packs.occupied ;
    (* hierconn *) wire [15:0] \uut.packs.request ;
    (* hierconn *) wire \uut.throttle.clear ;
    (* hierconn *) wire [`PACKS_BITS:0] \uut.throttle.pack_count ;
    (* hierconn *) wire \uut.throttle.launch ;
    (* hierconn *) wire `CTA \uut.throttle.launch_cta ;
    (* hierconn *) wire [`PACKS_BITS:0] \uut.throttle.need ;
    (* hierconn *) wire \uut.throttle.exit ;
    (* hierconn *) wire `CTA \uut.throttle.exit_cta ;
    (* hierconn *) wire \uut.throttle.favor_b ;
    (* hierconn *) wire `CTA \uut.throttle.a_cta ;
    (* hierconn *) wire \uut.throttle.a_take ;
    (* hierconn *) wire [1:0] \uut.throttle.a_give ;
    (* hierconn *) wire `CTA \uut.throttle.b_cta ;
    (* hierconn *) wire \uut.throttle.b_take ;
    (* hierconn *) wire [1:0] \uut.throttle.b_give ;
    (* hierconn *) wire [`SLOTS-1:0] \uut.throttle.a_may_issue ;
    (* hierconn *) wire [`SLOTS-1:0] \uut.throttle.b_may_issue ;
    (* hierconn *) wire `CTA \uut.throttle.chosen ;
    (* hierconn *) wire \uut.throttle.throttled ;
    (* hierconn *) wire \uut.throttle.spill ;
    (* hierconn *) wire [`PACKS_BITS:0] \uut.throttle.free_packs ;
    (* hierconn *) wire \uut.gate.clear ;
    (* hierconn *) wire [15:0] \uut.gate.occupied ;
    (* hierconn *) wire [15:0] \uut.gate.request ;
    (* hierconn *) wire [15:0] \uut.gate.powered ;
    (* hierconn *) wire [15:0] \uut.gate.awake ;
    (* hierconn *) wire [1:0] \uut.decoder.turn ;
    (* hierconn *) wire [53:0] \uut.decoder.payload ;
    (* hierconn *) wire [2:0] \uut.decoder.flags ;
    (* hierconn *) wire [5:0] \uut.decoder.x0 ;
    (* hierconn *) wire \uut.decoder.x0_valid ;
    (* hierconn *) wire [5:0] \uut.decoder.x1 ;
    (* hierconn *) wire \uut.decoder.x1_valid ;
    (* hierconn *) wire [5:0] \uut.decoder.x2 ;
    (* hierconn *) wire \uut.decoder.x2_valid ;
    (* hierconn *) wire [1:0] \uut.decoder.turns ;
    (* hierconn *) wire [1:0] \uut.stage.begun ;
    (* hierconn *) wire [3:0] \uut.stage.done ;
    (* hierconn *) wire [2:0] \uut.stage.flags ;
    (* hierconn *) wire \uut.stage.destination ;
    (* hierconn *) wire `CTA \uut.stage.cta ;
    (* hierconn *) wire [3:0] \uut.back.banks$q ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.back.packs$0$q ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.back.packs$1$q ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.back.packs$2$q ;
    (* hierconn *) wire [`PACKS_BITS-3:0] \uut.back.packs$3$q ;
    (* hierconn *) wire `CTA \uut.back.giver$q ;
    (* hierconn *) wire \uut.back.of_walk$q ;
    (* hierconn *) wire \uut.back.held$q ;
    (* hierconn *) wire \uut.names.walks$q ;
    (* hierconn *) wire \uut.names.renamed$0$q ;
    (* hierconn *) wire \uut.names.renamed$1$q ;
    (* hierconn *) wire \uut.names.renamed$2$q ;
    (* hierconn *) wire \uut.names.renamed$3$q ;
    (* hierconn *) wire \uut.names.ends$3$q ;
`ifdef HARDWARE_ONLY
    (* hierconn *) wire \uut.names.ends$0$q ;
    (* hierconn *) wire \uut.names.ends$1$q ;
    (* hierconn *) wire \uut.names.ends$2$q ;
`endif
    (* anyconst *) reg [1:0] f_bank;
    reg second;
    initial second = 0;

    // History, from the ports and from what the table was asked and answered. Who has begun and wants more (0 nobody, 1 the
    // pbr, 2 port a, 3 port b), with what was served, its flags and its turn;
    reg [1:0] begun, turn;
    reg [3:0] done;
    reg [2:0] flags;
    // of the cycle before, whether a port was served, anybody, a destination, and of which CTA; whether the table walks;
    reg a_asked, b_asked, asked, wrote, walked, held;
    reg `CTA asked_cta;
    // the pack that bank f_bank gave back and that is not free yet, of which CTA, and whether it is of a walk.
    reg late, late_walk;
    reg [`PACKS_BITS-3:0] late_pack;
    reg `CTA late_cta;

    // Who is taken in, by the page of the block.
    wire asks = word_valid && pbr && \uut.decoder.turns != 0;
    wire open = !clear && !hold && !busy;
    wire a_can = a_valid && (begun == 2 || ((a_urgent || may_issue[a_cta]) && (!a_flagged || a_hit || `UNCACHED)));
    wire b_can = b_valid && (begun == 3 || ((b_urgent || may_issue[b_cta]) && (!b_flagged || b_hit || `UNCACHED)));
    wire goes_on = (begun == 1 && asks) || (begun == 2 && a_valid) || (begun == 3 && b_valid);
    wire walks = open && !goes_on && (launch || exit);
    wire [1:0] next = asks ? 2'd1 : b_can && (favor_b || !a_can) ? 2'd3 : a_can ? 2'd2 : 2'd0;
    wire [1:0] who = !open || walks ? 2'd0 : goes_on ? begun : next;
    wire [3:0] was_done = goes_on ? done : 4'd0;
`ifdef HARDWARE_ONLY
    wire [2:0] a_flags = goes_on ? flags : 3'd0;
    wire [2:0] b_flags = goes_on ? flags : 3'd0;
`else
    wire [2:0] a_flags = goes_on ? flags : !a_flagged ? 3'd0 : `UNCACHED ? a_slot[2:0] : \uut.cache.a_flags ;
    wire [2:0] b_flags = goes_on ? flags : !b_flagged ? 3'd0 : `UNCACHED ? b_slot[2:0] : \uut.cache.b_flags ;
`endif
    wire [2:0] who_flags = who == 1 ? 3'd7 : who == 2 ? a_flags : who == 3 ? b_flags : 3'd0;
    wire [23:0] x = who == 1 ? {6'd0, \uut.decoder.x2 , \uut.decoder.x1 , \uut.decoder.x0 }
        : who == 2 ? {a_x3, a_x2, a_x1, a_x0} : who == 3 ? {b_x3, b_x2, b_x1, b_x0} : 24'd0;
    wire [3:0] named = who == 1 ? {1'b0, \uut.decoder.x2_valid , \uut.decoder.x1_valid , \uut.decoder.x0_valid }
        : who == 2 ? {a_x3_valid, a_x2_valid, a_x1_valid, a_x0_valid}
        : who == 3 ? {b_x3_valid, b_x2_valid, b_x1_valid, b_x0_valid} : 4'd0;
    wire `CTA who_cta = who == 1 ? word_cta : who == 2 ? a_cta : who == 3 ? b_cta : warp_cta;
    wire [`IW-1:0] who_warp = who == 1 ? word_warp : who == 2 ? a_warp : who == 3 ? b_warp : warp;
    wire [3:0] served = \uut.names.served ;
    wire all = (named & ~was_done & ~served) == 0;
    wire more = {1'b0, turn} + 3'd1 < {1'b0, \uut.decoder.turns };
    wire a_taken = a_served != 0 || a_grant;
    wire b_taken = b_served != 0 || b_grant;
    wire pbr_ends = word_done && asks;

    // The look-up f_port of the table, and what it is to release.
    wire [5:0] asked_x [3:0];
    assign asked_x[0] = \uut.names.x0 , asked_x[1] = \uut.names.x1 , asked_x[2] = \uut.names.x2 , asked_x[3] = \uut.names.x3 ;
    wire [3:0] wanted = {\uut.names.x3_valid , \uut.names.x2_valid , \uut.names.x1_valid , \uut.names.x0_valid };
    wire [3:0] releases = {1'b0, \uut.names.x2_release , \uut.names.x1_release , \uut.names.x0_release };
    wire lives = named[3] && x[f_port*6 +: 6] == x[18 +: 6];

    // Packs on their way, in bank f_bank and in all.
    wire [4*`PACKS_BITS-9:0] gives = {\uut.names.give3 , \uut.names.give2 , \uut.names.give1 , \uut.names.give0 };
    wire [4*`PACKS_BITS-9:0] frees = {\uut.packs.give3 , \uut.packs.give2 , \uut.packs.give1 , \uut.packs.give0 };
    wire [4*`PACKS_BITS-9:0] ways = {\uut.back.packs$3$q , \uut.back.packs$2$q , \uut.back.packs$1$q , \uut.back.packs$0$q };
    wire gives_f = \uut.names.give [f_bank];
    wire frees_f = \uut.packs.give [f_bank];
    wire [`PACKS_BITS-3:0] give_f = gives[f_bank*(`PACKS_BITS-2) +: `PACKS_BITS-2];
    wire [`PACKS_BITS-3:0] free_f = frees[f_bank*(`PACKS_BITS-2) +: `PACKS_BITS-2];
    wire [`PACKS_BITS-3:0] way_f = ways[f_bank*(`PACKS_BITS-2) +: `PACKS_BITS-2];
    wire [3:0] take = \uut.names.take ;
    wire [3:0] freed = \uut.packs.give ;
    wire [2:0] taken_now = {2'd0, take[0]} + {2'd0, take[1]} + {2'd0, take[2]} + {2'd0, take[3]};
    wire [2:0] freed_now = {2'd0, freed[0]} + {2'd0, freed[1]} + {2'd0, freed[2]} + {2'd0, freed[3]};

    always @(posedge clock) begin
        second <= 1;
        a_asked <= a_taken;
        b_asked <= b_taken;
        asked <= served != 0;
        wrote <= served[3];
        walked <= !clear && (walk_grant || \uut.names.busy );
        held <= hold;
        if (walk_grant || who != 0) asked_cta <= who_cta;
        if (clear) {begun, turn} <= 0;
        else if (open) begin
            begun <= all && !(who == 1 && more) ? 2'd0 : who;
            turn <= who != 1 || (all && !more) ? 2'd0 : turn + {1'b0, all};
            done <= all ? 4'd0 : was_done | served;
            flags <= who_flags;
        end
        late <= !clear && (gives_f || (late && !frees_f));
        if (gives_f) begin
            late_pack <= give_f;
            late_cta <= asked_cta;
            late_walk <= walked;
        end
    end

    // The state is what history says.
    wire explained = busy == walked && a_answer == a_asked && b_answer == b_asked && \uut.stage.destination == wrote
        && \uut.stage.cta == asked_cta && (!wrote || asked);
    wire begins = \uut.stage.begun == begun && (begun == 0 || \uut.stage.done == done)
        && (begun < 2 || \uut.stage.flags == flags)
`ifdef HARDWARE_ONLY
        && (begun < 2 || flags == 0)
`endif
        && \uut.decoder.turn == turn && (begun == 1 || turn == 0) && turn != 3;
    wire way_back = \uut.back.banks$q [f_bank] == late && \uut.back.held$q == held
        && (!late || (way_f == late_pack && \uut.back.giver$q == late_cta && \uut.back.of_walk$q == late_walk));
    // Four packs are of a walk, in which nothing is taken and no other CTA gives back; while something stays nothing comes.
    wire alone = (\uut.back.banks$q != 15 || \uut.back.of_walk$q ) && !(\uut.back.of_walk$q && asked)
        && (!held || \uut.back.of_walk$q || !(asked || walked))
        && (!\uut.back.of_walk$q || !late || late_cta == asked_cta);
    wire sound = explained && begins && way_back && alone;

    // What the main run takes for granted of the table, and of its registers why.
    wire no_look_up = \uut.names.clear || \uut.names.busy || \uut.names.launch || \uut.names.exit ;
    wire answers = (served & ~wanted) == 0 && (no_look_up ? served == 0 : wanted == 0 || served != 0)
        && (!\uut.names.busy || walked) && (take & (take - 4'd1)) == 0 && (take == 0 || wrote)
        && (\uut.names.give == 0 || asked || walked) && (\uut.names.give != 15 || walked);
    wire table = (!\uut.names.walks$q || walked) && (!\uut.names.renamed$3$q || wrote)
`ifdef HARDWARE_ONLY
        && !(\uut.names.renamed$3$q && (\uut.names.ends$0$q || \uut.names.ends$1$q || \uut.names.ends$2$q ))
`else
        && !\uut.names.ends$3$q
`endif
        && (!(\uut.names.renamed$0$q || \uut.names.renamed$1$q || \uut.names.renamed$2$q ) || asked);

`ifdef LEMMAS
    always @(*) begin
        if (!second) assume (sound && table);
        the_table_answers_as_it_should: assert (answers);
        its_registers_are_what_it_was_asked: assert (table);
    end
`elsif POWER_ON
    always @(*) begin
        if (!second) begin
            assume ({begun, turn, a_asked, b_asked, asked, wrote, walked, held, asked_cta, late} == 0);
            power_on: assert (sound && table);
        end
    end
`else
    always @(*) begin
        assume (answers);
        if (!second) assume (sound);
`ifdef VACUITY
        if (!second) begin
            c0: assert (!(begun == 3 && done == 4'b0101 && b_grant && launch && a_valid && favor_b == 0 && b_answer));
            c1: assert (!(freed == 15 && held && \uut.throttle.a_give == 1));
            c2: assert (!(may_issue == 0 && \uut.throttle.b_may_issue == 8'h20 && a_valid && a_cta == 5));
            c3: assert (!(turn == 2 && pbr_ends && !clear && a_valid && may_issue[a_cta]));
            c4: assert (!(a_answer && starved && b_served == 4'b1001 && dry == 4'b0100));
            c5: assert (!(y3_valid && !y3_awake && take != 0 && freed == 7 && \uut.throttle.a_cta != \uut.throttle.b_cta ));
        end else begin
            c6: assert (!(late && held && !late_walk && !frees_f && busy == 0));
        end
`else
        if (second) begin
            answers_come_one_cycle_after_being_served_to_the_port_that_was: assert (explained);
            what_has_begun_keeps_what_was_served_its_flags_and_its_turn: assert (begins);
            what_is_on_its_way_is_what_was_given_back: assert (way_back);
            four_packs_come_back_alone_and_nothing_comes_while_some_stay: assert (alone);
        end else begin
            nothing_is_granted_at_clear_on_hold_or_in_a_walk: assert (!(clear || hold || busy)
                || (!a_taken && !b_taken && !walk_grant && !pbr_ends && served == 0));
            one_at_a_time_is_taken_in: assert ({2'd0, a_taken} + {2'd0, b_taken} + {2'd0, walk_grant} + {2'd0, pbr_ends} <= 1
                && (served == 0 || !walk_grant));
            an_instruction_is_taken_in_if_its_cta_may_issue_or_it_is_urgent_and_its_pir_is_known: assert (
                (!a_taken || (a_valid && (begun == 2 || ((a_urgent || may_issue[a_cta]) && (!a_flagged || a_hit || `UNCACHED)))))
                && (!b_taken || (b_valid && (begun == 3 || ((b_urgent || may_issue[b_cta]) && (!b_flagged || b_hit || `UNCACHED))))));
            what_has_begun_goes_on_before_anything_else: assert (!open || !goes_on
                || (!walk_grant && (begun == 2) == a_taken && (begun == 3) == b_taken));
            then_a_warp_starts_or_ends: assert (walk_grant == walks);
            then_a_pbr_then_the_favoured_port: assert (a_taken == (who == 2) && b_taken == (who == 3)
                && (!open || !asks || goes_on || (!a_taken && !b_taken)));
            an_instruction_goes_on_when_the_last_operand_is_served: assert (a_grant == (who == 2 && all)
                && b_grant == (who == 3 && all) && a_served == (who == 2 ? served : 4'd0)
                && b_served == (who == 3 ? served : 4'd0));
            a_word_is_done_at_once_but_for_a_pbr_in_its_turns: assert (word_done
                == (word_valid && !clear && (!asks || (who == 1 && all && !more))));
            a_miss_says_that_the_pir_is_wanted: assert (
                a_miss == (!`UNCACHED && a_valid && begun != 2 && a_flagged && !a_hit)
                && b_miss == (!`UNCACHED && b_valid && begun != 3 && b_flagged && !b_hit));
            the_table_is_asked_what_they_say: assert (wanted[f_port] == (named[f_port] && !was_done[f_port])
                && (!wanted[f_port] || asked_x[f_port] == x[f_port*6 +: 6])
                && (who == 0 && !walk_grant || \uut.names.warp == who_warp));
            it_releases_what_is_dead_but_for_what_is_written_as_well: assert (f_port == 3 || !wanted[f_port]
                || releases[f_port] == (who_flags[f_port] && !lives));
            it_walks_for_a_warp_that_starts_or_ends: assert (\uut.names.launch == (walk_grant && launch)
                && \uut.names.exit == (walk_grant && exit) && \uut.names.clear == clear && \uut.names.exempt == exempt );
            it_is_offered_what_the_free_list_offers: assert (\uut.names.offer_valid == \uut.packs.offer_valid
                && \uut.names.offer0 == \uut.packs.offer0 && \uut.names.offer1 == \uut.packs.offer1
                && \uut.names.offer2 == \uut.packs.offer2 && \uut.names.offer3 == \uut.packs.offer3
                && \uut.packs.take == take && dry == ~\uut.packs.offer_valid );
`ifdef HARDWARE_ONLY
            it_is_told_whether_all_lanes_are_written: assert (!wanted[3]
                || \uut.names.x3_partial == (who == 2 ? a_slot[0] : b_slot[0]));
            there_is_no_throttle: assert (may_issue == {`SLOTS{1'b1}} && !throttled && !spill);
`else
            no_definition_releases: assert (!\uut.names.x3_partial );
            while_a_pack_is_assigned_the_rule_is_that_of_a_second_port: assert (may_issue == (!wrote ? \uut.throttle.a_may_issue
                : throttled && chosen != asked_cta ? {`SLOTS{1'b0}} : \uut.throttle.b_may_issue ));
            what_the_throttle_says_is_told: assert (throttled == \uut.throttle.throttled && spill == \uut.throttle.spill );
`endif
            what_was_given_back_is_free_once_a_cycle_later_or_after_hold: assert (frees_f == (late && (late_walk || !held))
                && (!frees_f || free_f == late_pack));
            and_none_is_lost: assert (!(gives_f && late && !frees_f));
            the_throttle_counts_as_many_in_the_same_cycle: assert (taken_now == {2'd0, \uut.throttle.a_take }
                && freed_now == {1'b0, \uut.throttle.a_give } + {1'b0, \uut.throttle.b_give } && !\uut.throttle.b_take );
            for_the_cta_of_the_warp: assert ((take == 0 || \uut.throttle.a_cta == asked_cta)
                && (!frees_f || \uut.throttle.b_cta == late_cta)
                && (!frees_f || \uut.throttle.a_give == 0 || \uut.throttle.a_cta == late_cta));
            the_throttle_hears_of_kernels_and_ctas: assert (\uut.throttle.clear == clear
                && \uut.throttle.pack_count == pack_count && \uut.throttle.launch == cta_launch
                && \uut.throttle.launch_cta == launch_cta && \uut.throttle.need == need && \uut.throttle.exit == cta_exit
                && \uut.throttle.exit_cta == exit_cta && !\uut.throttle.favor_b );
            the_cache_keeps_every_pir_and_looks_up_those_of_the_ports: assert (\uut.cache.clear == clear
                && \uut.cache.fill == (word_valid && pir && !clear) && \uut.cache.fill_pc == word_pc
                && (!pir || \uut.cache.fill_payload == word[57:4]) && \uut.cache.a_pc == a_pir && \uut.cache.b_pc == b_pir
                && \uut.cache.a_slot == a_slot && \uut.cache.b_slot == b_slot
                && a_hit == (!`UNCACHED && \uut.cache.a_hit ) && b_hit == (!`UNCACHED && \uut.cache.b_hit ));
            free_list_and_gate_hear_of_each_other: assert (\uut.packs.clear == clear && \uut.packs.shrink == shrink
                && \uut.packs.reserved == reserved && \uut.packs.awake == \uut.gate.awake && \uut.gate.clear == clear
                && \uut.gate.occupied == \uut.packs.occupied && \uut.gate.request == \uut.packs.request );
            what_the_units_say_is_told: assert (chosen == \uut.throttle.chosen && free_packs == \uut.throttle.free_packs
                && powered == \uut.gate.powered && awake == \uut.gate.awake && starved == \uut.names.starved && word_flags == \uut.decoder.flags );
            so_are_the_packs: assert (y0 == \uut.names.y0 && y1 == \uut.names.y1 && y2 == \uut.names.y2 && y3 == \uut.names.y3
                && y0_valid == \uut.names.y0_valid && y1_valid == \uut.names.y1_valid && y2_valid == \uut.names.y2_valid
                && y3_valid == \uut.names.y3_valid );
            and_whether_their_sub_arrays_are_awake: assert (
                y0_awake == (y0_valid && awake[{y0[1:0], y0[`PACKS_BITS-1:`PACKS_BITS-2]}])
                && y1_awake == (y1_valid && awake[{y1[1:0], y1[`PACKS_BITS-1:`PACKS_BITS-2]}])
                && y2_awake == (y2_valid && awake[{y2[1:0], y2[`PACKS_BITS-1:`PACKS_BITS-2]}])
                && y3_awake == (y3_valid && awake[{y3[1:0], y3[`PACKS_BITS-1:`PACKS_BITS-2]}]));
        end
`endif
    end
`endif
endmodule
