// Properties of power_gate, unbounded: for any sub-array f.
module proof (
    input wire clock, input wire clear, input wire [15:0] occupied, input wire [15:0] request
);
    wire [15:0] powered, awake;
    `TOP uut (.*);
    (* anyconst *) reg [3:0] f;
    // A bit of all timers after the other, and the timer of f.
    (* hierconn *) wire [(16)-1:0] \uut.plane$0$q ;
    (* hierconn *) wire [(16)-1:0] \uut.plane$1$q ;
    wire [2*(16)-1:0] planes = {
        \uut.plane$1$q ,
        \uut.plane$0$q };
    wire [63:0] bits = planes;
    wire [3:0] timer = {bits[48 + f], bits[32 + f], bits[16 + f], bits[f]};
    // What a timer is after so many cycles.
    function [3:0] after(input [3:0] cycles);
        if (`LATENCY < 10) after = cycles ^ (cycles >> 1);
        else case (cycles)
            4'd0: after = 8;
            4'd1: after = 1;
            4'd2: after = 3;
            4'd3: after = 7;
            4'd4: after = 15;
            4'd5: after = 14;
            4'd6: after = 13;
            4'd7: after = 10;
            4'd8: after = 5;
            4'd9: after = 11;
            default: after = 6;
        endcase
    endfunction

    // History: for how many cycles in a row f has been wanted, counted up to the latency.
    reg [3:0] age;
    reg second;
    initial second = 0;
    wire wanted = !clear && (occupied[f] || request[f]);
    always @(posedge clock) begin
        second <= 1;
        age <= !wanted ? 0 : age == `LATENCY ? age : age + 1;
    end
    wire sound = timer == after(age) && age <= `LATENCY;
    reg was_wanted, was_awake;
    always @(posedge clock) begin
        was_wanted <= wanted;
        was_awake <= awake[f];
    end

`ifdef POWER_ON
    always @(*) if (!second) begin
        assume (age == 0);
        power_on: assert (sound && !powered[f] && !awake[f]);
    end
`else
    always @(*) begin
        if (!second) assume (clear || sound);
`ifdef VACUITY
        if (!second) begin
            c0: assert (clear || !(awake[f] && !occupied[f] && request[f]));
            c1: assert (clear || !(powered[f] && !awake[f] && !wanted));
        end else begin
            c2: assert (!(was_wanted && awake[f] && !was_awake));
            c3: assert (!(was_awake && !powered[f]));
        end
`else
        if (second) begin
            history_is_followed: assert (sound);
            what_is_wanted_has_power: assert (powered[f] == was_wanted);
            what_is_awake_and_wanted_stays_awake: assert (!(was_awake && was_wanted) || awake[f]);
        end
        if (second || !clear) begin
            awake_exactly_after_the_latency: assert (awake[f] == (age == `LATENCY));
            awake_needs_power: assert (!awake[f] || powered[f]);
        end
`endif
    end
`endif
endmodule
