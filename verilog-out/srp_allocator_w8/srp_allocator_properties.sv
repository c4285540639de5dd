// Properties of srp_allocator, unbounded, for any number of warps NW.
//
// Frame 0 begins in any state that satisfies the invariants where the step touches it: at two arbitrary warps, at an
// arbitrary section, at the acting warps and at the section found. Frame 1 must satisfy them again. `clear` in frame 0
// comes from any state at all and is the base case after a kernel launch; POWER_ON is the base case after power-on.
module pick #(parameter N = 1, parameter W = 1, parameter IW = 1) (
    input wire [N*W-1:0] words, input wire [IW-1:0] index, output reg [W-1:0] word
);
    integer i;
    always @(*) begin
        word = 0;
        for (i = 0; i < N; i = i + 1) if (index == i) word = words[i*W +: W];
    end
endmodule

// What holds of one warp: the section of a holder exists, is marked taken and remembers the holder.
module warp_is_sound (
    input wire [`NW-1:0] status, input wire [`NW-1:0] srp, input wire [`NW*`IW-1:0] lut,
    input wire [`NW*`IW-1:0] owner, input wire [7:0] count, input wire [`IW-1:0] warp, output wire ok
);
    wire holds, taken;
    wire [`IW-1:0] section, back;
    pick #(`NW, 1, `IW) p0 (status, warp, holds);
    pick #(`NW, `IW, `IW) p1 (lut, warp, section);
    pick #(`NW, 1, `IW) p2 (srp, section, taken);
    pick #(`NW, `IW, `IW) p3 (owner, section, back);
    assign ok = !holds || (section < count && taken && back == warp);
endmodule

// What holds of one section: it is marked taken exactly if it does not exist or the warp that took it last holds it.
module section_is_sound (
    input wire [`NW-1:0] status, input wire [`NW-1:0] srp, input wire [`NW*`IW-1:0] lut,
    input wire [`NW*`IW-1:0] owner, input wire [7:0] count, input wire [`IW-1:0] section, output wire ok
);
    wire taken, holds;
    wire [`IW-1:0] last, its;
    pick #(`NW, 1, `IW) p0 (srp, section, taken);
    pick #(`NW, `IW, `IW) p1 (owner, section, last);
    pick #(`NW, 1, `IW) p2 (status, last, holds);
    pick #(`NW, `IW, `IW) p3 (lut, last, its);
    assign ok = section >= `NW || taken == (section >= count || (holds && its == section));
endmodule

module proof (
    input wire clock, input wire clear, input wire [`CW-1:0] section_count, input wire favor_b,
    input wire a_valid, input wire a_release, input wire [`IW-1:0] a_warp,
    input wire b_valid, input wire b_release, input wire [`IW-1:0] b_warp
);
    wire a_grant, a_held, b_grant, b_held;
    wire [`IW-1:0] a_section, b_section;
    `TOP uut (.*);
    (* hierconn *) wire [`NW-1:0] \uut.warp_status$q ;
    (* hierconn *) wire [`NW-1:0] \uut.srp$q ;
    (* hierconn *) wire [`NW*`IW-1:0] \uut.lut.observed ;
    wire [`NW-1:0] status = \uut.warp_status$q ;
    wire [`NW-1:0] srp = \uut.srp$q ;
    wire [`NW*`IW-1:0] lut = \uut.lut.observed ;

    // Any two warps, any section: the same in both frames.
    (* anyconst *) reg [`IW-1:0] f_w;
    (* anyconst *) reg [`IW-1:0] f_v;
    (* anyconst *) reg [`IW-1:0] f_s;

    // History, from the ports alone: the last taker of each section, the number of sections.
    reg [`NW*`IW-1:0] owner;
    reg [7:0] count;
    reg second;
    initial second = 0;
    wire a_real = a_valid && !clear && a_warp < `NW;
    wire b_real = b_valid && !clear && b_warp < `NW && !(a_valid && a_warp == b_warp);
    wire a_wants = a_real && !a_release && !a_held;
    wire b_wants = b_real && !b_release && !b_held;
    wire a_gives = a_real && a_release && a_held;
    wire b_gives = b_real && b_release && b_held;
    wire a_takes = a_wants && a_grant;
    wire b_takes = b_wants && b_grant;
    integer s;
    always @(posedge clock) begin
        second <= 1;
        for (s = 0; s < `NW; s = s + 1) begin
            if (a_takes && a_section == s) owner[s*`IW +: `IW] <= a_warp;
            if (b_takes && b_section == s) owner[s*`IW +: `IW] <= b_warp;
        end
        if (clear) count <= section_count > `NW ? `NW : section_count;
    end

    wire w_ok, v_ok, a_ok, b_ok, s_ok, a_section_ok, b_section_ok;
    warp_is_sound i_w (status, srp, lut, owner, count, f_w, w_ok);
    warp_is_sound i_v (status, srp, lut, owner, count, f_v, v_ok);
    warp_is_sound i_a (status, srp, lut, owner, count, a_warp, a_ok);
    warp_is_sound i_b (status, srp, lut, owner, count, b_warp, b_ok);
    section_is_sound i_s (status, srp, lut, owner, count, f_s, s_ok);
    section_is_sound i_as (status, srp, lut, owner, count, a_section, a_section_ok);
    section_is_sound i_bs (status, srp, lut, owner, count, b_section, b_section_ok);
    wire invariant = count <= `NW && w_ok && v_ok && a_ok && b_ok && s_ok && a_section_ok && b_section_ok;

    wire w_holds, v_holds, s_taken, a_taken, b_taken;
    wire [`IW-1:0] w_section, v_section;
    pick #(`NW, 1, `IW) r0 (status, f_w, w_holds);
    pick #(`NW, 1, `IW) r1 (status, f_v, v_holds);
    pick #(`NW, `IW, `IW) r2 (lut, f_w, w_section);
    pick #(`NW, `IW, `IW) r3 (lut, f_v, v_section);
    pick #(`NW, 1, `IW) r4 (srp, f_s, s_taken);
    pick #(`NW, 1, `IW) r5 (srp, a_section, a_taken);
    pick #(`NW, 1, `IW) r6 (srp, b_section, b_taken);
    wire free = !(&srp);

    // Frame 0, for comparison in frame 1.
    reg [`NW-1:0] old_status, old_srp;
    reg [`IW-1:0] old_section;
    reg nothing_new, gave;
    wire a_idle = !a_real || (a_release ? !a_held : a_held);
    wire b_idle = !b_real || (b_release ? !b_held : b_held);
    always @(posedge clock) begin
        old_status <= status;
        old_srp <= srp;
        old_section <= w_section;
        nothing_new <= !clear && a_idle && b_idle;
        gave <= (a_gives && a_grant) || (b_gives && b_grant);
    end

    wire somebody_gives = a_gives || b_gives;
    wire a_turn = free && !somebody_gives && !(b_wants && favor_b);
    wire b_turn = free && !somebody_gives && !(a_wants && !favor_b);

`ifdef POWER_ON
    always @(*) begin
        if (!second) begin
            assume (count == `NW && owner == 0);
            power_on: assert (w_ok && s_ok);
        end
    end
`else
    always @(*) begin
        if (!second) assume (clear || invariant);
`ifdef VACUITY
        if (!second) begin
            c0: assert (clear || !(w_holds && v_holds && f_w != f_v));
            c1: assert (clear || !(a_takes && b_wants));
            c2: assert (clear || !(b_takes && a_wants));
            c3: assert (clear || !(a_gives && b_gives));
            c4: assert (clear || !(a_wants && !free));
            c5: assert (clear || !(s_taken && f_s >= count && f_s < `NW));
            c6: assert (!(clear && section_count == 5));
        end else begin
            c7: assert (!(nothing_new && w_holds && old_section == 7));
            c8: assert (!(gave && a_wants && a_turn));
        end
`else
        // Inductive: whatever happens in frame 0.
        if (second) begin
            warps_stay_sound: assert (w_ok);
            sections_stay_sound: assert (s_ok && count <= `NW);
            repeated_requests_change_nothing: assert (!nothing_new
                || (status == old_status && srp == old_srp && w_section == old_section));
            acquire_after_release_succeeds: assert (!gave || (free
                && (!(a_wants && !somebody_gives && !(b_wants && favor_b)) || a_grant)
                && (!(b_wants && !somebody_gives && !(a_wants && !favor_b)) || b_grant)));
        end
        // Consequences, in every sound state.
        if (!second && !clear) begin
            no_two_warps_hold_one_section: assert (f_w == f_v || !w_holds || !v_holds || w_section != v_section);
            a_held_section_is_marked: assert (!w_holds || (w_section != f_s || s_taken));
            sections_beyond_the_count_are_taken: assert (f_s >= `NW || f_s < count || s_taken);
            held_says_who_holds: assert (a_warp != f_w || f_w >= `NW || a_held == w_holds);
            section_says_which: assert (a_warp != f_w || !a_held || a_section == w_section);
            a_is_granted_exactly_if_free: assert (!a_wants || a_grant == a_turn);
            b_is_granted_exactly_if_free: assert (!b_wants || b_grant == b_turn);
            only_free_existing_sections_are_granted: assert (
                (!a_takes || (!a_taken && a_section < count)) && (!b_takes || (!b_taken && b_section < count)));
            lowest_free_section_is_granted: assert (
                (!a_takes || f_s >= a_section || s_taken) && (!b_takes || f_s >= b_section || s_taken));
            repeated_requests_are_granted: assert ((!a_real || !a_idle || a_grant) && (!b_real || !b_idle || b_grant));
            one_of_two_releases_is_served: assert (
                (!a_gives || a_grant == !(b_gives && favor_b)) && (!b_gives || b_grant == !(a_gives && !favor_b)));
            nothing_else_is_granted: assert ((a_real || !a_grant) && (b_real || !b_grant));
        end
        if (clear) nothing_is_granted_under_clear: assert (!a_grant && !b_grant);
`endif
    end
`endif
endmodule
