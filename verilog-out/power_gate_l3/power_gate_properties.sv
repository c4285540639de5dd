// Properties of power_gate, unbounded: for any sub-array f.
`define TIMER (`LATENCY > 7 ? 4 : `LATENCY > 3 ? 3 : `LATENCY > 1 ? 2 : 1)
module proof (
    input wire clock, input wire clear, input wire [15:0] occupied, input wire [15:0] request
);
    wire [15:0] powered, awake;
    `TOP uut (.*);
    (* anyconst *) reg [3:0] f;
    // Bits of a timer.
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$0$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$1$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$2$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$3$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$4$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$5$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$6$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$7$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$8$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$9$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$10$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$11$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$12$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$13$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$14$q ;
    (* hierconn *) wire [`TIMER-1:0] \uut.timer$15$q ;
    reg [`TIMER-1:0] timer;
    always @(*) case (f)
        4'd0: timer = \uut.timer$0$q ;
        4'd1: timer = \uut.timer$1$q ;
        4'd2: timer = \uut.timer$2$q ;
        4'd3: timer = \uut.timer$3$q ;
        4'd4: timer = \uut.timer$4$q ;
        4'd5: timer = \uut.timer$5$q ;
        4'd6: timer = \uut.timer$6$q ;
        4'd7: timer = \uut.timer$7$q ;
        4'd8: timer = \uut.timer$8$q ;
        4'd9: timer = \uut.timer$9$q ;
        4'd10: timer = \uut.timer$10$q ;
        4'd11: timer = \uut.timer$11$q ;
        4'd12: timer = \uut.timer$12$q ;
        4'd13: timer = \uut.timer$13$q ;
        4'd14: timer = \uut.timer$14$q ;
        4'd15: timer = \uut.timer$15$q ;
    endcase

    // History: for how many cycles in a row f has been wanted, counted up to the latency.
    reg [3:0] age;
    reg second;
    initial second = 0;
    wire wanted = !clear && (occupied[f] || request[f]);
    always @(posedge clock) begin
        second <= 1;
        age <= !wanted ? 0 : age == `LATENCY ? age : age + 1;
    end
    wire sound = timer == age && age <= `LATENCY;
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
