module reservation_fsm_l4(
    input wire clock, clear,
    input wire [1:0] top,
    input wire known,
    input wire [1:0] known_level,
    input wire again, done,
    input wire [1:0] done_level,
    input wire [31:0] done_cycles,
    input wire launch, launch_high,
    output wire [1:0] level,
    output wire best_valid,
    output wire [1:0] best,
    output wire [1:0] low_level, high_level
);
    reg [31:0] average0 = 0, average1 = 0, average2 = 0, average3 = 0;
    reg [3:0] measured = 0;
    reg [1:0] low = 0, high = 0, highest = 0;
    assign low_level = low;
    assign high_level = high;

    // The best of two and two, the best of those. Of two the lower one, unless it was not measured or took more.
    wire more01, more23, more;
    more_than m01 (average0, average1, more01);
    more_than m23 (average2, average3, more23);
    wire right01 = measured[1] & (~measured[0] | more01);
    wire right23 = measured[3] & (~measured[2] | more23);
    more_than m (right01 ? average1 : average0, right23 ? average3 : average2, more);
    wire right = |measured[3:2] & (~|measured[1:0] | more);
    assign best_valid = |measured;
    assign best = {right, right ? right23 : right01};

    // Where a step towards each level leads.
    wire [1:0] mine = launch_high ? high : low;
    wire moves = measured[mine];
    wire [1:0] up = {|mine, ~mine[0]}, down = {&mine, ~mine[0]};
    wire [1:0] to0 = moves & |mine ? down : mine;
    wire [1:0] to1 = ~moves ? mine : mine[1] ? down : 2'd1;
    wire [1:0] to2 = ~moves ? mine : mine[1] ? 2'd2 : up;
    wire [1:0] to3 = moves & ~&mine ? up : mine;
    wire [1:0] to01 = right01 ? to1 : to0, to23 = right23 ? to3 : to2;
    assign level = right ? to23 : to01;

    // Seven eighths of the old average and one of the new time: three numbers to two, two to one.
    wire [1:0] at = done_level;
    wire [31:0] old = at[1] ? at[0] ? average3 : average2 : at[0] ? average1 : average0;
    wire [31:0] less = ~(old >> 3), new = done_cycles >> 3;
    wire [31:0] differ = old ^ less;
    wire [31:0] carry = (differ & new) | (~differ & old);
    wire [31:0] sum;
    adder add (differ ^ new, {carry[30:0], 1'b1}, sum);
    wire [31:0] mean = measured[at] ? sum : done_cycles;
    wire records = done & (highest[1] & ~at[1] | (highest[1] | ~at[1]) & (highest[0] | ~at[0]));

    wire [1:0] first = known_level > top ? top : known_level;
    always @(posedge clock) begin
        if (records & at == 0) average0 <= mean;
        if (records & at == 1) average1 <= mean;
        if (records & at == 2) average2 <= mean;
        if (records & at == 3) average3 <= mean;
        if (clear) measured <= 0;
        else if (records) measured[at] <= 1;
        if (clear) begin
            highest <= top;
            low <= first & {2{known}};
            high <= known ? first : top;
        end else if (again) begin
            if (best_valid) begin
                low <= best;
                high <= best;
            end
        end else if (launch) begin
            if (launch_high) high <= level;
            else low <= level;
        end
    end
endmodule

// By halves: the upper one decides unless it is equal.
module more_than(input wire [31:0] a, b, output wire more);
    reg [31:0] above, other;
    integer i, s;
    always @* begin
        above = {a[31:1], a[0] & ~b[0]};
        other = a ^ b;
        for (s = 1; s < 32; s = 2 * s)
            for (i = 0; i < 32; i = i + 2 * s) begin
                above[i] = other[i + s] ? above[i + s] : above[i];
                other[i] = other[i] | other[i + s];
            end
    end
    assign more = above[0];
endmodule

// Brent and Kung's carries. Where the bits of a place are equal, they are the carry.
module adder(input wire [31:0] a, b, output wire [31:0] sum);
    reg [31:0] carry, passes;
    integer i, s;
    always @* begin
        carry = {a[31:1], a[0] & b[0]};
        passes = a ^ b;
        for (s = 1; s < 32; s = 2 * s)
            for (i = 2 * s - 1; i < 32; i = i + 2 * s) begin
                carry[i] = passes[i] ? carry[i - s] : carry[i];
                passes[i] = passes[i] & passes[i - s];
            end
        for (s = 8; s > 0; s = s / 2)
            for (i = 3 * s - 1; i < 32; i = i + 2 * s)
                carry[i] = passes[i] ? carry[i - s] : carry[i];
    end
    assign sum = a ^ b ^ {carry[30:0], 1'b0};
endmodule
