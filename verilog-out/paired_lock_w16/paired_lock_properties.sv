// Properties of the locks of warp pairs, for any number of warps NW: of the paper's (STATE = taken, a bit per pair) and
// of the safe one (STATE = held, a bit per warp; SAFE defined).
//
// Frame 0 begins in any state in which an arbitrary pair satisfies the invariant, frame 1 must satisfy it again; `clear`
// comes from any state at all. Who holds is what the warps themselves can know: granted acquires and own releases.
module pick #(parameter N = 1, parameter IW = 1) (
    input wire [N-1:0] bits, input wire [IW-1:0] index, output reg word
);
    integer i;
    always @(*) begin
        word = 0;
        for (i = 0; i < N; i = i + 1) if (index == i) word = bits[i];
    end
endmodule

module proof (
    input wire clock, input wire clear, input wire favor_b,
    input wire a_valid, input wire a_release, input wire [`IW-1:0] a_warp,
    input wire b_valid, input wire b_release, input wire [`IW-1:0] b_warp
);
    wire a_grant, a_held, b_grant, b_held;
    `TOP uut (.*);
    (* anyconst *) reg [`IW-2:0] f_p;
    wire [`IW-1:0] even = {f_p, 1'b0};
    wire [`IW-1:0] odd = {f_p, 1'b1};

    // Whether each warp of the pair holds, from the ports alone.
    reg holds_even, holds_odd, second;
    initial second = 0;
    wire a_real = a_valid && !clear;
    wire b_real = b_valid && !clear && !(a_valid && a_warp == b_warp);
    wire a_even = a_real && a_warp == even;
    wire b_even = b_real && b_warp == even;
    wire a_odd = a_real && a_warp == odd;
    wire b_odd = b_real && b_warp == odd;
    wire even_asks = (a_even && !a_release) || (b_even && !b_release);
    wire odd_asks = (a_odd && !a_release) || (b_odd && !b_release);
    wire even_gives = (a_even && a_release) || (b_even && b_release);
    wire odd_gives = (a_odd && a_release) || (b_odd && b_release);
    wire even_granted = (a_even && a_grant) || (b_even && b_grant);
    wire odd_granted = (a_odd && a_grant) || (b_odd && b_grant);
    wire favours_even = favor_b ? b_even : a_even;
    always @(posedge clock) begin
        second <= 1;
        if (clear) begin
            holds_even <= 0;
            holds_odd <= 0;
        end else begin
            holds_even <= even_asks ? holds_even || even_granted : holds_even && !even_gives;
            holds_odd <= odd_asks ? holds_odd || odd_granted : holds_odd && !odd_gives;
        end
    end

    wire invariant;
`ifdef SAFE
    (* hierconn *) wire [`NW-1:0] \uut.held$q ;
    wire bit_even, bit_odd;
    pick #(`NW, `IW) p0 (\uut.held$q , even, bit_even);
    pick #(`NW, `IW) p1 (\uut.held$q , odd, bit_odd);
    assign invariant = bit_even == holds_even && bit_odd == holds_odd && !(bit_even && bit_odd);
    wire disciplined = 1;
`else
    (* hierconn *) wire [`NW/2-1:0] \uut.taken$q ;
    wire bit_pair;
    pick #(`NW/2, `IW-1) p0 (\uut.taken$q , f_p, bit_pair);
    assign invariant = bit_pair == (holds_even || holds_odd) && !(holds_even && holds_odd);
    // What the unit demands of the compiler: only who does not hold acquires, only who holds releases.
`ifdef UNDISCIPLINED
    wire disciplined = 1;
`else
    wire disciplined = !(even_asks && holds_even) && !(odd_asks && holds_odd)
        && !(even_gives && !holds_even) && !(odd_gives && !holds_odd);
`endif
`endif

    reg old_even, old_odd, gave;
    always @(posedge clock) begin
        old_even <= holds_even;
        old_odd <= holds_odd;
        gave <= !clear && ((holds_even && even_gives) || (holds_odd && odd_gives));
    end
    wire free = !holds_even && !holds_odd;
    wire exists = f_p < `NW / 2;

`ifdef POWER_ON
    always @(*) if (!second) begin
        assume (exists && !holds_even && !holds_odd);
        power_on: assert (invariant);
    end
`else
    always @(*) begin
        assume (exists && disciplined);
        if (!second) assume (clear || invariant);
`ifdef VACUITY
        if (!second) begin
            c0: assert (clear || !(even_asks && odd_asks && free));
            c1: assert (clear || !(even_asks && holds_odd));
            c2: assert (clear || !(odd_gives && holds_odd));
            c3: assert (clear || !(even_gives && even_granted && holds_even && odd_asks));
        end else begin
            c4: assert (!(holds_even && f_p == `NW / 2 - 1));
            c5: assert (!(gave && odd_asks));
        end
`else
        if (second) begin
            lock_stays_sound: assert (invariant);
            never_both: assert (!(holds_even && holds_odd));
            acquire_after_release_succeeds: assert (!gave || even_gives || odd_gives
                || !(even_asks || odd_asks) || even_granted || odd_granted);
        end
        if (!second && !clear) begin
            even_is_granted_exactly_if_free: assert (!even_asks || holds_even
                || even_granted == (free && (!odd_asks || favours_even)));
            odd_is_granted_exactly_if_free: assert (!odd_asks || holds_odd
                || odd_granted == (free && (!even_asks || !favours_even)));
            releases_are_granted: assert ((!even_gives || even_granted) && (!odd_gives || odd_granted));
`ifdef SAFE
            repeated_acquire_is_granted: assert ((!(even_asks && holds_even) || even_granted)
                && (!(odd_asks && holds_odd) || odd_granted));
`endif
        end
        if (clear) nothing_is_granted_under_clear: assert (!a_grant && !b_grant);
`endif
    end
`endif
endmodule
