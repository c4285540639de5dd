module dynamic_throttle_p1000(
    input wire clock, clear, sm_zero, stall,
    input wire [9:0] zero_stalls,
    output wire memory_allowed,
    output wire [3:0] tenths,
    output wire compares,
    output wire [9:0] stalls
);
    localparam [15:0] SEED = 16'hace1;
    reg [9:0] left = 10'b1000111000; // LFSR x^10+x^7+1, cycle cut to 1000 at this state
    reg [9:0] count = 0;
    reg [3:0] chance = 10;
    reg [15:0] random = SEED;

    // Counts down: where it ends a period begins.
    assign compares = left == 10'b1000111000;
    assign stalls = count;
    assign tenths = chance & {4{~sm_zero}};

    // The threshold bit by bit, over 0 to 10 tenths.
    wire [15:0] limit;
    genvar b;
    generate
        for (b = 0; b < 16; b = b + 1) begin : column
            localparam [15:0] T1 = 6553, T2 = 13107, T3 = 19660, T4 = 26214, T5 = 32767;
            localparam [15:0] T6 = 39321, T7 = 45874, T8 = 52428, T9 = 58981;
            wire [15:0] bits = {5'bx, 1'b1, T9[b], T8[b], T7[b], T6[b], T5[b], T4[b], T3[b], T2[b], T1[b], 1'b0};
            assign limit[b] = bits[chance];
        end
    endgenerate

    // Compared by halves: the upper one decides unless it is equal.
    reg [15:0] above, other;
    reg [15:0] more, unequal;
    integer i, s;
    always @* begin
        above = random;
        other = random ^ limit;
        above[0] = random[0] & ~limit[0];
        more = {6'b0, count};
        unequal = {6'b0, count ^ zero_stalls};
        more[0] = count[0] & ~zero_stalls[0];
        for (s = 1; s < 16; s = 2 * s)
            for (i = 0; i < 16; i = i + 2 * s) begin
                above[i] = other[i + s] ? above[i + s] : above[i];
                other[i] = other[i] | other[i + s];
                more[i] = unequal[i + s] ? more[i + s] : more[i];
                unequal[i] = unequal[i] | unequal[i + s];
            end
    end
    assign memory_allowed = ~above[0] & ~sm_zero;

    // A carry goes up through ones and down through zeros.
    wire [3:0] low = chance ^ {4{more[0]}};
    wire at_end = more[0] ? ~|chance : chance[3] & chance[1];

    always @(posedge clock)
        if (clear) begin
            left <= 10'b1000111000;
            count <= 0;
            chance <= 10;
            random <= SEED;
        end else begin
            left <= {left[8:0], left[9] ^ left[6] ^ compares};
            if (compares) count <= stall;
            else if (stall) count <= count + 10'd1;
            if (compares & unequal[0] & ~at_end) chance <= chance ^ {&low[2:0], &low[1:0], low[0], 1'b1};
            // x^16 + x^14 + x^13 + x^11 + 1, eight steps at once.
            random <= {random[7:0], random[15:8] ^ random[12:5] ^ (random[13:6] ^ random[10:3])};
        end
endmodule
