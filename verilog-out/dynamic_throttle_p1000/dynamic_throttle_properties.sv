// Properties of dynamic_throttle, unbounded. One step from a free state that satisfies the invariant; the history is derived
// from the ports alone. `clear` in frame 0 comes from any state and is the base case after a kernel launch; POWER_ON is the
// base case after power-on.
module proof (
    input wire clock, input wire clear, input wire sm_zero, input wire stall, input wire [`PERIOD_BITS-1:0] zero_stalls
);
    wire memory_allowed, compares;
    wire [3:0] tenths;
    wire [`PERIOD_BITS-1:0] stalls;
    `TOP uut (.*);
    (* hierconn *) wire [`PERIOD_BITS-1:0] \uut.left$q ;
    (* hierconn *) wire [`PERIOD_BITS-1:0] \uut.count$q ;
    (* hierconn *) wire [3:0] \uut.changed$q ;
    (* hierconn *) wire [15:0] \uut.draw.offset$q ;
    wire [3:0] probability = 10 ^ \uut.changed$q ;
    wire [15:0] random = \uut.draw.offset$q ^ 16'hace1;

    // History: cycles since the period began; stall cycles among them, or in the whole period before if it begins just now;
    // whether the kernel begins just now.
    reg [15:0] age, sum;
    reg begins, second;
    initial second = 0;
    always @(posedge clock) begin
        second <= 1;
        begins <= clear;
        age <= clear || age == `PERIOD - 1 ? 0 : age + 1;
        sum <= clear ? 0 : (age == 0 ? 0 : sum) + stall;
    end
    wire follows = \uut.left$q == (age == 0 ? 0 : `PERIOD - age) && age < `PERIOD && \uut.count$q == sum && sum <= (age == 0 ? `PERIOD : age)
        && (!begins || (age == 0 && sum == 0 && probability == 10));
    wire sound = follows && probability <= 10 && random != 0;

    // The generator as its polynomial says it, bit by bit.
    reg [15:0] stepped;
    integer n;
    always @(*) begin
        stepped = random;
        for (n = 0; n < 8; n = n + 1) stepped = {stepped[14:0], stepped[15] ^ stepped[13] ^ stepped[12] ^ stepped[10]};
    end
    wire [19:0] draw_tenfold = {random, 3'd0} + {random, 1'd0};
    wire [19:0] share = {probability, 16'd0} - probability;

    // Frame 0, for comparison in frame 1.
    reg old_clear, old_compares, old_begins;
    reg [3:0] old_probability;
    reg [15:0] old_sum, old_zero, old_stepped;
    always @(posedge clock) begin
        old_clear <= clear;
        old_compares <= compares;
        old_begins <= begins;
        old_probability <= probability;
        old_sum <= sum;
        old_zero <= zero_stalls;
        old_stepped <= stepped;
    end

`ifdef POWER_ON
    always @(*) if (!second) begin
        assume (age == 0 && sum == 0 && begins);
        power_on: assert (sound && tenths == (sm_zero ? 0 : 10) && memory_allowed == !sm_zero);
    end
`else
    always @(*) begin
        if (!second) assume (clear || sound);
`ifdef VACUITY
        if (!second) begin
            c0: assert (clear || !(compares && stalls == `PERIOD && probability == 5));
            c1: assert (clear || !(memory_allowed && probability == 1));
            c2: assert (clear || !(!memory_allowed && probability == 9 && !sm_zero));
            c3: assert (clear || !(begins && zero_stalls > 3));
        end else begin
            c4: assert (!(old_probability == 10 && probability == 9));
            c5: assert (!(old_probability == 0 && probability == 1));
        end
`else
        if (second) begin
            history_is_followed: assert (follows);
            probability_is_within_0_and_10_tenths: assert (probability <= 10);
            generator_is_never_0: assert (random != 0);
            generator_follows_its_polynomial: assert (old_clear || random == old_stepped);
            clear_starts_with_probability_1: assert (!old_clear || probability == 10);
            probability_moves_only_when_compared: assert (old_clear || old_compares || probability == old_probability);
            nothing_moves_it_when_a_kernel_begins: assert (!old_begins || probability == 10);
            more_stalls_than_sm_0_lower_it: assert (old_clear || !old_compares || old_sum <= old_zero
                || probability == (old_probability == 0 ? 0 : old_probability - 1));
            fewer_stalls_raise_it: assert (old_clear || !old_compares || old_sum >= old_zero
                || probability == (old_probability == 10 ? 10 : old_probability + 1));
            as_many_stalls_leave_it: assert (old_clear || !old_compares || old_sum != old_zero
                || probability == old_probability);
        end
        sm_0_never_allows: assert (!sm_zero || (!memory_allowed && tenths == 0));
        if (second || !clear) begin
            probability_1_always_allows: assert (sm_zero || probability != 10 || memory_allowed);
            probability_0_never_allows: assert (probability != 0 || !memory_allowed);
            a_draw_succeeds_in_its_tenths: assert (sm_zero || memory_allowed == (draw_tenfold <= share));
            the_probability_is_told: assert (sm_zero || tenths == probability);
            stalls_are_counted: assert (stalls == sum && compares == (age == 0));
        end
`endif
    end
`endif
endmodule
