// CARS's register stacks, in two theorems that meet in `paper_step`, the paper's words about one request.
//
// The unit does that step: from any state in which the row of an arbitrary warp is sound, answer and next row are those of
// the step; another warp's row stays. `clear` in frame 0 comes from any state at all and is the base case after a kernel
// launch; POWER_ON is the base case after power-on. That frames nest is shown of one call of any warp at any time: history
// notes it, and what the call of its callee wrote into the link.
//
// STEP, and for returns RETURN: the step is right. From any sound row, with any request, the next row is sound again, and
// of an arbitrary pack of the window it is known whether it is in use before and after. With the above, every row is sound
// at all times.
//
// In a window, packs are counted from its first: that is their place.

// A row in its window: whether it can be, and how many packs of the stack lie above the one at place `p`.
module stack_at (
    input wire within, input wire [7:0] frame, input wire [7:0] top, input wire [7:0] free, input wire [7:0] capacity,
    input wire [7:0] p,
    output wire sound, output wire [7:0] regs, output wire [7:0] resident, output wire [7:0] above, output wire used
);
    assign regs = top >= frame ? top - frame : top + capacity - frame;
    assign resident = capacity - free;
    assign sound = free <= capacity && (capacity == 0 ? frame == top : within) && (resident == 0 ? regs == 0 : regs < resident);
    assign above = p < top ? top - 8'd1 - p : top + capacity - 8'd1 - p;
    assign used = p < capacity && above < resident;
endmodule

// What a request does to a row, in the paper's words. `back` is the place of the link's RFP.
module paper_step (
    input wire runs, input wire may_launch, input wire within, input wire [7:0] frame, input wire [7:0] top,
    input wire [7:0] free, input wire [7:0] capacity, input wire [2:0] op, input wire [7:0] new_capacity,
    input wire [7:0] fru, input wire [7:0] evicted, input wire back_within, input wire [7:0] back, input wire back_kernel,
    output wire sound, output wire in_kernel, output wire grant, output wire trap, output wire names,
    output wire [7:0] pack, output wire [7:0] count,
    output wire [7:0] next_frame, output wire [7:0] next_top, output wire [7:0] next_free,
    output wire [7:0] regs, output wire [7:0] resident, output wire [7:0] rest, output wire [7:0] caller,
    output wire [7:0] caller_link
);
    wire launch = op == 1, call = op == 2, push = op == 3, pop = op == 4, unwind = op == 5, finish = op == 6;
    wire [7:0] unused_above;
    wire unused_used;
    stack_at row (within, frame, top, free, capacity, 8'd0, sound, regs, resident, unused_above, unused_used);
    wire [7:0] up = top + 8'd1 == capacity ? 8'd0 : top + 8'd1;
    wire [7:0] down = top == 0 ? capacity - 8'd1 : top - 8'd1;
    wire [7:0] below = frame == 0 ? capacity - 8'd1 : frame - 8'd1;
    wire [7:0] straight = top + free;
    wire [7:0] bottom = straight >= capacity ? straight - capacity : straight;

    // Room, with what the trap handler has saved.
    assign in_kernel = resident == 0;
    assign rest = resident - regs - 8'd1;
    wire [7:0] need = call ? fru + 8'd1 : 8'd1;
    wire [7:0] most = call ? resident : rest;
    wire opens = runs && (call || (push && !in_kernel)) && evicted <= most;
    wire lacks = need > free + evicted;

    // The caller's frame reaches from its link up to the callee's link.
    wire [7:0] caller_regs = below >= back ? below - back : below + capacity - back;
    assign caller = back_kernel ? 8'd0 : caller_regs + 8'd1;
    assign caller_link = back == 0 ? capacity - 8'd1 : back - 8'd1;
    wire returns = runs && unwind && !in_kernel && back_within && (!back_kernel || (caller_regs == 0 && rest == 0));

    assign trap = opens && lacks && need - free <= most;
    assign grant = launch ? !runs && may_launch : finish ? runs : pop ? runs && regs != 0 : unwind ? returns : opens && !lacks;
    assign count = trap ? need - free : grant && unwind && caller > rest ? caller - rest : 8'd0;
    assign names = trap || (grant && (call || push || pop || count != 0));
    assign pack = trap ? bottom : call || push ? top : pop ? down : caller_link;
    assign next_frame = launch ? 8'd0 : call ? up : unwind ? back : frame;
    assign next_top = launch ? 8'd0 : call || push ? up : pop ? down : below;
    assign next_free = launch ? new_capacity : call || push ? free + evicted - 8'd1 : pop ? free + 8'd1
        : capacity - (rest > caller ? rest : caller);
endmodule

`ifdef STEP
// Whether the pack at place `p` is one of `count` from place `from` on, around the window.
module named_at (
    input wire [7:0] p, input wire [7:0] from, input wire [7:0] count, input wire [7:0] capacity, output wire named
);
    wire [7:0] distance = p >= from ? p - from : p + capacity - from;
    assign named = p < capacity && distance < count;
endmodule

module proof (
    input wire clock, input wire runs, input wire may_launch, input wire back_kernel, input wire [2:0] op_bits,
    input wire [`STACK_BITS-1:0] frame_bits, input wire [`STACK_BITS-1:0] top_bits, input wire [`STACK_BITS-1:0] free_bits,
    input wire [`STACK_BITS-1:0] capacity_bits, input wire [`STACK_BITS-1:0] new_capacity_bits,
    input wire [`STACK_BITS-1:0] fru_bits, input wire [`STACK_BITS-1:0] evicted_bits, input wire [`STACK_BITS-1:0] back_bits,
    input wire [`STACK_BITS-1:0] p_bits
);
`ifdef RETURN
    wire [2:0] op = 3'd5;
`else
    wire [2:0] op = op_bits == 3'd5 ? 3'd0 : op_bits;
`endif
    wire [7:0] frame = frame_bits, top = top_bits, free = free_bits, capacity = capacity_bits;
    wire [7:0] new_capacity = new_capacity_bits, fru = fru_bits, evicted = evicted_bits, back = back_bits, p = p_bits;
    wire sound, in_kernel, grant, trap, names, same_sound, used, next_sound, next_used, named, in_caller;
    wire [7:0] pack, count, next_frame, next_top, next_free, regs, resident, rest, caller, caller_link, above;
    wire [7:0] same_regs, same_resident, next_regs, next_resident, next_above;
    paper_step step (runs, may_launch, frame < capacity && top < capacity, frame, top, free, capacity, op, new_capacity, fru,
        evicted, back < capacity, back, back_kernel, sound, in_kernel, grant, trap, names, pack, count, next_frame, next_top,
        next_free, regs, resident, rest, caller, caller_link);
    wire launch = op == 1, call = op == 2, push = op == 3, pop = op == 4, unwind = op == 5, finish = op == 6;
    wire [7:0] next_capacity = launch ? new_capacity : capacity;
    stack_at before (1'b1, frame, top, free, capacity, p, same_sound, same_regs, same_resident, above, used);
    stack_at after (next_frame < next_capacity && next_top < next_capacity, next_frame, next_top, next_free, next_capacity, p,
        next_sound, next_regs, next_resident, next_above, next_used);
    named_at n0 (p, pack, count, capacity, named);
    named_at n1 (p, caller_link, caller, capacity, in_caller);
    wire opens = grant && (call || push);
    wire pops = grant && pop;
    wire unwinds = grant && unwind;
    wire given = p == pack;
    // Of the packs in use, from the oldest on: those saved; those below the frame in control; the last.
    wire saved = used && above >= resident - evicted;
    wire kept = used && above > regs;
    wire last = used && above == 0;
    always @(*) begin
        assume (sound || !runs);
`ifdef VACUITY
`ifdef RETURN
        c0: assert (!(unwinds && named && next_used && rest == 2));
        c1: assert (!(unwinds && kept && caller == 5 && back > frame));
`else
        c0: assert (!(opens && saved && given));
        c1: assert (!(trap && push && named));
        c2: assert (!(opens && call && evicted > rest && regs == 2));
`endif
`else
        rows_stay_sound: assert (!grant || finish || next_sound);
`ifdef RETURN
        // A return sorts the packs by what lies above them then: first what it keeps, then what it fills, and both are in use.
        a_return_keeps_what_lies_below: assert (!unwinds || kept == (p < capacity && next_above < rest));
        a_fill_ends_with_the_callers_link: assert (
            !unwinds || named == (p < capacity && next_above >= rest && next_above < caller));
        the_callers_frame_lies_on_top: assert (!unwinds || in_caller == (p < capacity && next_above < caller));
        both_are_in_use: assert (!unwinds || next_used == (p < capacity && (next_above < rest || next_above < caller)));
`else
        a_pack_given_holds_nothing: assert (!opens || (pack < capacity && (!given || !used || saved)));
        calls_and_pushes_use_one_pack_more: assert (!opens || next_used == ((used && !saved) || given));
        a_push_keeps_its_own_frame: assert (!opens || !push || !saved || kept);
        a_pop_gives_the_last_one_back: assert (!pops || (given == last && next_used == (used && !last)));
        a_launch_uses_none: assert (!grant || !launch || !next_used);
        a_trap_names_the_bottom: assert (!trap || (count != 0 && named == (used && above >= resident - count)));
`endif
`endif
    end
endmodule
`else
module pick #(parameter N = 1, parameter W = 1, parameter IW = 1) (
    input wire [N*W-1:0] words, input wire [IW-1:0] index, output reg [W-1:0] word
);
    integer i;
    always @(*) begin
        word = 0;
        for (i = 0; i < N; i = i + 1) if (index == i) word = words[i*W +: W];
    end
endmodule

module proof (
    input wire clock, input wire clear, input wire favor_b, input wire mark,
    input wire [2:0] a_op, input wire [`IW-1:0] a_warp, input wire [`PACKS_BITS-1:0] a_first,
    input wire [`STACK_BITS-1:0] a_capacity, input wire [`STACK_BITS-1:0] a_fru, input wire [`STACK_BITS-1:0] a_evicted,
    input wire [`PACKS_BITS-1:0] a_link, input wire a_link_kernel,
    input wire [2:0] b_op, input wire [`IW-1:0] b_warp, input wire [`PACKS_BITS-1:0] b_first,
    input wire [`STACK_BITS-1:0] b_capacity, input wire [`STACK_BITS-1:0] b_fru, input wire [`STACK_BITS-1:0] b_evicted,
    input wire [`PACKS_BITS-1:0] b_link, input wire b_link_kernel
);
    wire served_b, grant, trap, link_kernel, a_launched, b_launched;
    wire [`PACKS_BITS-1:0] pack, link, a_rfp, a_rsp, b_rfp, b_rsp;
    wire [`STACK_BITS-1:0] count, a_free, b_free;
    `TOP uut (
        .clock(clock), .clear(clear), .favor_b(favor_b),
        .a_op(a_op), .a_warp(a_warp), .a_first(a_first), .a_capacity(a_capacity), .a_fru(a_fru), .a_evicted(a_evicted),
        .a_link(a_link), .a_link_kernel(a_link_kernel),
        .b_op(b_op), .b_warp(b_warp), .b_first(b_first), .b_capacity(b_capacity), .b_fru(b_fru), .b_evicted(b_evicted),
        .b_link(b_link), .b_link_kernel(b_link_kernel),
        .served_b(served_b), .grant(grant), .trap(trap), .pack(pack), .count(count), .link(link), .link_kernel(link_kernel),
        .a_launched(a_launched), .a_rfp(a_rfp), .a_rsp(a_rsp), .a_free(a_free),
        .b_launched(b_launched), .b_rfp(b_rfp), .b_rsp(b_rsp), .b_free(b_free)
    );
    (* hierconn *) wire [`NW-1:0] \uut.launched$q ;
    (* hierconn *) wire [`NW*`PACKS_BITS-1:0] \uut.rfp.observed ;
    (* hierconn *) wire [`NW*`PACKS_BITS-1:0] \uut.rsp.observed ;
    (* hierconn *) wire [`NW*`STACK_BITS-1:0] \uut.free.observed ;
    wire [`NW-1:0] launched = \uut.launched$q ;
    wire [`NW*`PACKS_BITS-1:0] rfps = \uut.rfp.observed ;
    wire [`NW*`PACKS_BITS-1:0] rsps = \uut.rsp.observed ;
    wire [`NW*`STACK_BITS-1:0] frees = \uut.free.observed ;

    // Any two warps: the same in both frames.
    (* anyconst *) reg [`IW-1:0] f_w;
    (* anyconst *) reg [`IW-1:0] f_v;
    wire kept_runs, v_runs;
    wire [`PACKS_BITS-1:0] kept_rfp, kept_rsp, v_rfp, v_rsp;
    wire [`STACK_BITS-1:0] kept_free, v_free;
    pick #(`NW, 1, `IW) w0 (launched, f_w, kept_runs);
    pick #(`NW, `PACKS_BITS, `IW) w1 (rfps, f_w, kept_rfp);
    pick #(`NW, `PACKS_BITS, `IW) w2 (rsps, f_w, kept_rsp);
    pick #(`NW, `STACK_BITS, `IW) w3 (frees, f_w, kept_free);
    pick #(`NW, 1, `IW) v0 (launched, f_v, v_runs);
    pick #(`NW, `PACKS_BITS, `IW) v1 (rfps, f_v, v_rfp);
    pick #(`NW, `PACKS_BITS, `IW) v2 (rsps, f_v, v_rsp);
    pick #(`NW, `STACK_BITS, `IW) v3 (frees, f_v, v_free);

    // The request that is served: the favoured port, if both ask.
    wire takes_b = b_op != 0 && (a_op == 0 || favor_b);
    wire [2:0] op = takes_b ? b_op : a_op;
    wire [`IW-1:0] warp = takes_b ? b_warp : a_warp;
    wire [15:0] new_first = takes_b ? b_first : a_first;
    wire [7:0] new_capacity = takes_b ? b_capacity : a_capacity;
    wire [7:0] fru = takes_b ? b_fru : a_fru;
    wire [7:0] evicted = takes_b ? b_evicted : a_evicted;
    wire [15:0] back = takes_b ? b_link : a_link;
    wire back_kernel = takes_b ? b_link_kernel : a_link_kernel;
    wire mine = warp == f_w;
    // The row of f_w, from the port that asks for it: that it shows the row is a claim of its own.
    wire runs = second || !mine ? kept_runs : takes_b ? b_launched : a_launched;
    wire [15:0] rfp = second || !mine ? kept_rfp : takes_b ? b_rfp : a_rfp;
    wire [15:0] rsp = second || !mine ? kept_rsp : takes_b ? b_rsp : a_rsp;
    wire [7:0] free = second || !mine ? kept_free : takes_b ? b_free : a_free;
    wire launch = op == 1, call = op == 2, push = op == 3, pop = op == 4, unwind = op == 5, finish = op == 6;

    // History: the window of f_w since its launch.
    reg [15:0] first;
    reg [7:0] capacity;
    // History: a call of f_w, with the caller's pointers and the link; and the link of the call of its callee.
    reg marked, marked_kernel, inner_kernel, came_back, second;
    reg [15:0] marked_rfp, marked_rsp, inner_link;
    reg [31:0] depth;
    initial second = 0;

    wire [15:0] limit = first + capacity;
    wire [15:0] frame = rfp - first, top = rsp - first, back_place = back - first;
    wire sound, in_kernel, s_grant, s_trap, s_names;
    wire [7:0] s_pack, s_count, s_frame, s_top, s_free, regs, resident, rest, caller, caller_link;
    paper_step step (runs, f_w < `NW && new_first + new_capacity <= `PACKS, frame < capacity && top < capacity, frame[7:0],
        top[7:0], free, capacity, op, new_capacity, fru, evicted, back_place < capacity, back_place[7:0], back_kernel, sound,
        in_kernel, s_grant, s_trap, s_names, s_pack, s_count, s_frame, s_top, s_free, regs, resident, rest, caller, caller_link);
    wire [15:0] above_marked = marked_rsp + 16'd1 == limit ? first : marked_rsp + 16'd1;

    wire acts = !clear && mine && grant;
    wire inner_returns = marked && depth >= 2 && unwind;
    wire outer_returns = marked && depth == 1 && unwind;
    always @(posedge clock) begin
        second <= 1;
        came_back <= acts && outer_returns;
        if (acts && launch) begin
            first <= new_first;
            capacity <= new_capacity;
        end
        if (clear || (acts && (finish || outer_returns))) marked <= 0;
        else if (acts && call && !marked && mark) begin
            marked <= 1;
            marked_kernel <= link_kernel;
            marked_rfp <= rfp;
            marked_rsp <= rsp;
            depth <= 1;
        end else if (acts && marked && call) begin
            depth <= depth + 1;
            if (depth == 1) inner_link <= link;
            if (depth == 1) inner_kernel <= link_kernel;
        end else if (acts && marked && unwind) depth <= depth - 1;
    end
    wire nested = !marked || (runs && !in_kernel && depth != 0 && first <= marked_rfp && marked_rfp < limit
        && first <= marked_rsp && marked_rsp < limit
        && (depth == 1 ? rfp == above_marked : inner_link == above_marked && !inner_kernel));

    // Frame 0, for comparison in frame 1.
    reg old_clear, old_acts, old_finish, v_other, old_v_runs;
    reg [15:0] next_rfp, next_rsp;
    reg [7:0] next_free;
    reg [`PACKS_BITS-1:0] old_v_rfp, old_v_rsp;
    reg [`STACK_BITS-1:0] old_v_free;
    always @(posedge clock) begin
        old_clear <= clear;
        old_acts <= acts;
        old_finish <= finish;
        next_rfp <= (launch ? new_first : first) + s_frame;
        next_rsp <= (launch ? new_first : first) + s_top;
        next_free <= s_free;
        v_other <= !clear && (warp != f_v || !grant);
        old_v_runs <= v_runs;
        old_v_rfp <= v_rfp;
        old_v_rsp <= v_rsp;
        old_v_free <= v_free;
    end

`ifdef POWER_ON
    always @(*) if (!second) begin
        assume (!marked);
        power_on: assert (nested && !runs);
    end
`else
    always @(*) begin
        // The SM keeps a warp's window from launch to finish, and hands a link back as it was written; a call by a
        // function writes that it is not the kernel (`the_link_names_the_caller`).
        assume (clear || !mine || launch || (new_first == first && new_capacity == capacity));
        assume (clear || !mine || !outer_returns || (back == marked_rfp && back_kernel == marked_kernel));
        assume (clear || !mine || !inner_returns || (!back_kernel && (depth != 2 || back == inner_link)));
        assume (depth < 32'hffff_fff0);
        if (!second) assume (((clear || !runs) && !marked) || (runs && limit <= `PACKS && sound && nested));
`ifdef VACUITY
        if (!second) begin
            c0: assert (!(acts && push && rsp < rfp));
            c1: assert (!(!clear && mine && trap && call && evicted == 0 && regs == 3));
            c2: assert (!(!clear && mine && trap && push && regs == 3));
            c3: assert (!(acts && unwind && count == 5 && pack + count > limit));
            c4: assert (!(acts && call && evicted > rest && regs == 2));
            c5: assert (!(acts && unwind && back_kernel));
            c6: assert (!(acts && push && regs + 2 == capacity && capacity == 40));
        end else begin
            c7: assert (!(came_back && regs == 4 && rsp < rfp));
        end
`else
        if (second) begin
            a_granted_request_does_what_the_paper_says: assert (!old_acts || old_finish
                || (runs && rfp == next_rfp && rsp == next_rsp && free == next_free));
            windows_stay_in_the_file: assert (!runs || limit <= `PACKS);
            a_finish_ends_the_stack: assert (!old_acts || !old_finish || !runs);
            clear_ends_every_stack: assert (!old_clear || !runs);
            other_rows_stay: assert (!v_other || (v_runs == old_v_runs
                && (!v_runs || (v_rfp == old_v_rfp && v_rsp == old_v_rsp && v_free == old_v_free))));
            frames_stay_nested: assert (nested);
            a_return_restores_what_the_call_pushed: assert (!came_back || (runs && rfp == marked_rfp && rsp == marked_rsp));
        end
        if (!second && !clear) begin
            a_request_is_granted_exactly_if_it_makes_sense_and_has_room: assert (!mine || grant == s_grant);
            a_trap_comes_exactly_if_room_is_missing_and_can_be_made: assert (!mine || trap == s_trap);
            the_answer_is_the_papers: assert (
                !mine || (pack == (s_names ? first + s_pack : 16'd0) && count == s_count));
            the_link_names_the_caller: assert (!acts || !call || (link == rfp && link_kernel == in_kernel));
            a_return_to_a_function_is_granted: assert (!mine || !outer_returns || marked_kernel || grant);
            the_favoured_port_is_served: assert (served_b == takes_b);
        end
        if (!second) begin
            a_look_up_shows_the_row: assert (a_warp != f_w || (a_launched == kept_runs
                && (kept_runs ? a_rfp == kept_rfp && a_rsp == kept_rsp && a_free == kept_free : !(|{a_rfp, a_rsp, a_free}))));
            look_ups_agree: assert (a_warp != b_warp
                || (a_launched == b_launched && a_rfp == b_rfp && a_rsp == b_rsp && a_free == b_free));
        end
        if (clear) nothing_is_granted_under_clear: assert (!grant && !trap && pack == 0 && count == 0);
        an_answer_that_is_none_reads_0: assert ((grant || trap || (pack == 0 && count == 0))
            && ((grant && call) || (link == 0 && !link_kernel)));
`endif
    end
`endif
endmodule
`endif
