// CARS's list of stalled warps. One step from a free state: frame 0 satisfies the invariants at two arbitrary warps, two
// arbitrary entries and where the step touches; frame 1 must satisfy them again. The ghost gives every warp an entry of
// its own, stalled or not, so that a warp that is not stalled proves that an entry is free. `clear` in frame 0 comes from
// any state at all and is the base case after a kernel launch; POWER_ON is the base case after power-on.
module pick #(parameter N = 1, parameter W = 1, parameter IW = 1) (
    input wire [N*W-1:0] words, input wire [IW-1:0] index, output reg [W-1:0] word
);
    integer i;
    always @(*) begin
        word = 0;
        for (i = 0; i < N; i = i + 1) if (index == i) word = words[i*W +: W];
    end
endmodule

// What holds of one warp: it has an entry of its own, it is stalled exactly if that entry is valid, which then names it.
module warp_is_sound (
    input wire [`NW-1:0] stalled, input wire [`NW*`IW-1:0] list, input wire [`NW*`IW-1:0] place, input wire [`NW*`IW-1:0] owner,
    input wire [`IW-1:0] head, input wire [7:0] count, input wire [`IW-1:0] warp,
    output wire ok, output wire waits, output wire [7:0] turn
);
    wire [`IW-1:0] entry, back;
    wire [`IW-1:0] word;
    pick #(`NW, 1, `IW) p0 (stalled, warp, waits);
    pick #(`NW, `IW, `IW) p1 (place, warp, entry);
    pick #(`NW, `IW, `IW) p2 (owner, entry, back);
    pick #(`NW, `IW, `IW) p3 (list, entry, word);
    assign turn = entry >= head ? entry - head : entry + `NW - head;
    assign ok = warp >= `NW || (entry < `NW && back == warp && waits == (turn < count) && (!waits || word == warp));
endmodule

// What holds of one entry: its owner exists, and this is the owner's entry.
module entry_is_sound (
    input wire [`NW*`IW-1:0] place, input wire [`NW*`IW-1:0] owner, input wire [`IW-1:0] entry,
    output wire ok, output wire [`IW-1:0] warp
);
    wire [`IW-1:0] back;
    pick #(`NW, `IW, `IW) p0 (owner, entry, warp);
    pick #(`NW, `IW, `IW) p1 (place, warp, back);
    assign ok = entry >= `NW || (warp < `NW && back == entry);
endmodule

module proof (
    input wire clock, input wire clear, input wire stall, input wire [`IW-1:0] stall_warp, input wire wake,
    input wire [`IW-1:0] a_warp, input wire [`IW-1:0] b_warp
);
    wire stall_grant, woken_valid, empty, a_stalled, b_stalled;
    wire [`IW-1:0] woken;
    `TOP uut (.*);
    (* hierconn *) wire [`NW-1:0] \uut.stalled$q ;
    (* hierconn *) wire [`IW-1:0] \uut.head$q ;
    (* hierconn *) wire [`IW-1:0] \uut.tail$q ;
    (* hierconn *) wire [`NW*`IW-1:0] \uut.list.observed ;
    wire [`NW-1:0] stalled = \uut.stalled$q ;
    wire [`IW-1:0] head = \uut.head$q ;
    wire [`IW-1:0] tail = \uut.tail$q ;
    wire [`NW*`IW-1:0] list = \uut.list.observed ;

    // Any two warps, any two entries: the same in both frames.
    (* anyconst *) reg [`IW-1:0] f_w;
    (* anyconst *) reg [`IW-1:0] f_v;
    (* anyconst *) reg [`IW-1:0] f_i;
    (* anyconst *) reg [`IW-1:0] f_j;

    // History, from the ports alone: the entry of each warp and the warp of each entry; how many wait.
    reg [`NW*`IW-1:0] place, owner;
    reg [7:0] count;
    reg second;
    initial second = 0;
    wire known;
    pick #(`NW, 1, `IW) k0 (stalled, stall_warp, known);
    wire adds = stall_grant && !known;
    wire [`IW-1:0] old_entry, old_owner;
    pick #(`NW, `IW, `IW) k1 (place, stall_warp, old_entry);
    pick #(`NW, `IW, `IW) k2 (owner, tail, old_owner);
    integer n;
    always @(posedge clock) begin
        second <= 1;
        count <= clear ? 0 : count + adds - woken_valid;
        for (n = 0; n < `NW; n = n + 1) begin
            if (clear) begin
                place[n*`IW +: `IW] <= n;
                owner[n*`IW +: `IW] <= n;
            end else if (adds) begin
                // The warp takes the entry behind the last; who owned that one takes the warp's.
                if (old_owner == n) place[n*`IW +: `IW] <= old_entry;
                if (old_entry == n) owner[n*`IW +: `IW] <= old_owner;
                if (stall_warp == n) place[n*`IW +: `IW] <= tail;
                if (tail == n) owner[n*`IW +: `IW] <= stall_warp;
            end
        end
    end

    // Some stalled warp, if there is one.
    reg [`IW-1:0] some;
    integer m;
    always @(*) begin
        some = 0;
        for (m = 0; m < `NW; m = m + 1) if (stalled[m]) some = m;
    end

    wire w_ok, v_ok, s_ok, a_ok, x_ok, i_ok, j_ok, head_ok, tail_ok, first_ok, last_ok, i_owner_ok, j_owner_ok;
    wire w_waits, v_waits, s_waits, a_waits, x_waits, first_waits, last_waits, i_waits, j_waits;
    wire [7:0] w_turn, v_turn, s_turn, a_turn, x_turn, first_turn, last_turn, i_turn, j_turn;
    wire [`IW-1:0] i_owner, j_owner, head_owner, tail_owner;
    entry_is_sound e0 (place, owner, f_i, i_ok, i_owner);
    entry_is_sound e1 (place, owner, f_j, j_ok, j_owner);
    entry_is_sound e2 (place, owner, head, head_ok, head_owner);
    entry_is_sound e3 (place, owner, tail, tail_ok, tail_owner);
    warp_is_sound w0 (stalled, list, place, owner, head, count, f_w, w_ok, w_waits, w_turn);
    warp_is_sound w1 (stalled, list, place, owner, head, count, f_v, v_ok, v_waits, v_turn);
    warp_is_sound w2 (stalled, list, place, owner, head, count, stall_warp, s_ok, s_waits, s_turn);
    warp_is_sound w3 (stalled, list, place, owner, head, count, a_warp, a_ok, a_waits, a_turn);
    warp_is_sound w4 (stalled, list, place, owner, head, count, some, x_ok, x_waits, x_turn);
    warp_is_sound w5 (stalled, list, place, owner, head, count, head_owner, first_ok, first_waits, first_turn);
    warp_is_sound w6 (stalled, list, place, owner, head, count, tail_owner, last_ok, last_waits, last_turn);
    warp_is_sound w7 (stalled, list, place, owner, head, count, i_owner, i_owner_ok, i_waits, i_turn);
    warp_is_sound w8 (stalled, list, place, owner, head, count, j_owner, j_owner_ok, j_waits, j_turn);
    wire [7:0] ends = head + count;
    wire circle = head < `NW && tail < `NW && count <= `NW && tail == (ends >= `NW ? ends - `NW : ends);
    wire sound = circle && w_ok && v_ok && s_ok && a_ok && x_ok && i_ok && j_ok && head_ok && tail_ok && first_ok && last_ok
        && i_owner_ok && j_owner_ok;

    wire [`IW-1:0] i_word, j_word;
    pick #(`NW, `IW, `IW) r0 (list, f_i, i_word);
    pick #(`NW, `IW, `IW) r1 (list, f_j, j_word);
    wire [7:0] i_distance = f_i >= head ? f_i - head : f_i + `NW - head;
    wire [7:0] j_distance = f_j >= head ? f_j - head : f_j + `NW - head;
    wire i_valid = f_i < `NW && i_distance < count;
    wire j_valid = f_j < `NW && j_distance < count;

    // Frame 0, for comparison in frame 1.
    reg old_waits, old_woken, old_stalls, old_clear, old_granted;
    reg [7:0] old_turn, old_count;
    always @(posedge clock) begin
        old_waits <= w_waits;
        old_turn <= w_turn;
        old_count <= count;
        old_woken <= woken_valid;
        old_clear <= clear;
        old_granted <= stall_grant && stall_warp == f_w;
        old_stalls <= adds && stall_warp == f_w;
    end

`ifdef POWER_ON
    integer p;
    always @(*) begin
        if (!second) begin
            assume (count == 0);
            for (p = 0; p < `NW; p = p + 1) assume (place[p*`IW +: `IW] == p && owner[p*`IW +: `IW] == p);
            power_on: assert (circle && w_ok && i_ok && empty);
        end
    end
`else
    always @(*) begin
        if (!second) assume (clear || sound);
`ifdef VACUITY
        if (!second) begin
            c0: assert (!(adds && woken_valid && tail == `NW - 1));
            c1: assert (!(!clear && count == `NW && woken_valid && head == 7));
            c2: assert (!(stall && !stall_grant && woken_valid && stall_warp == woken && count == 3));
            c3: assert (!(stall_grant && known && count == 2));
            c4: assert (!(wake && !woken_valid && adds));
        end else begin
            c5: assert (!(old_woken && w_waits && w_turn == 2 && old_stalls));
        end
`else
        if (second) begin
            warps_stay_sound: assert (w_ok);
            entries_stay_sound: assert (i_ok);
            the_list_stays_a_circle: assert (circle);
            clear_empties_the_list: assert (!old_clear || (empty && count == 0 && !w_waits));
            a_granted_warp_is_stalled: assert (!old_granted || w_waits);
            a_new_warp_is_the_last: assert (!old_stalls || w_turn + old_woken == old_count);
            a_waiting_warp_moves_up_when_one_is_woken: assert (old_clear || !old_waits
                || (old_turn == 0 && old_woken ? !w_waits : w_waits && w_turn + old_woken == old_turn));
            nobody_else_becomes_stalled: assert (old_waits || old_stalls || !w_waits || f_w >= `NW);
        end
        if (!second && !clear) begin
            no_warp_is_in_the_list_twice: assert (!i_valid || !j_valid || f_i == f_j || i_word != j_word);
            an_entry_of_the_list_is_a_stalled_warp: assert (!i_valid || (i_waits && i_word == i_owner));
            empty_exactly_if_nobody_waits: assert (empty == (count == 0));
            the_first_is_woken: assert (woken_valid == (wake && count != 0) && (!woken_valid || woken == head_owner));
            look_ups_say_who_waits: assert (a_warp >= `NW || a_stalled == (a_turn < count));
            the_list_never_overflows: assert (!adds || count < `NW);
            stalls_are_granted_but_to_the_one_woken: assert (
                stall_grant == (stall && stall_warp < `NW && !(woken_valid && woken == stall_warp)));
        end
        if (!second) a_warp_that_does_not_exist_is_not_stalled: assert (
            (a_warp < `NW || !a_stalled) && (b_warp != a_warp || b_stalled == a_stalled));
        if (clear) nothing_is_granted_under_clear: assert (!stall_grant && !woken_valid && woken == 0);
`endif
    end
`endif
endmodule
