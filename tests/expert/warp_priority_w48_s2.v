module warp_priority_w48_s2(
    input wire clock, clear,
    input wire [47:0] launch, ready, shared, owner,
    output wire [1:0] chosen_valid,
    output wire [11:0] chosen
);
    genvar s, i;
    generate
        for (s = 0; s < 2; s = s + 1) begin : scheduler
            wire [23:0] launches, readies, sharers, owners;
            for (i = 0; i < 24; i = i + 1) begin : deal
                assign launches[i] = launch[2 * i + s];
                assign readies[i] = ready[2 * i + s];
                assign sharers[i] = shared[2 * i + s];
                assign owners[i] = owner[2 * i + s];
            end
            wire [4:0] winner;
            oldest oldest_first (clock, clear, launches, readies, sharers, owners, chosen_valid[s], winner);
            assign chosen[6 * s +: 6] = {winner, s == 1 & chosen_valid[s]};
        end
    endgenerate
endmodule

// Of the best class the oldest warp; 0 if there is none.
module oldest(
    input wire clock, clear,
    input wire [23:0] launch, ready, shared, owner,
    output wire valid,
    output wire [4:0] winner
);
    // Bit 24 i + j, i > j: warp i is the older one of the two.
    reg [575:0] older = 0;
    genvar i, j;
    generate
        for (i = 1; i < 24; i = i + 1) begin : row
            for (j = 0; j < i; j = j + 1) begin : pair
                always @(posedge clock)
                    if (clear | launch[i]) older[24 * i + j] <= 0;
                    else if (launch[j]) older[24 * i + j] <= 1;
            end
        end
    endgenerate

    wire [23:0] first = ready & shared & owner;
    wire [23:0] second = ready & ~shared;
    wire [23:0] eligible = |first ? first : |second ? second : ready;
    assign valid = |ready;

    // A tournament by neighbours: 24 players, 12, 6, 3; the last three all play each other. Of two the upper one wins by
    // age or because the lower one is not there. All pairs of two games are ready before it is known who won.
    reg [575:0] wins;
    reg [23:0] some, right;
    reg [71:0] number;
    reg [3:0] four;
    integer n, p, q, bits;
    always @* begin
        wins = older;
        some = eligible;
        number = 0;
        for (p = 1; p < 24; p = p + 2)
            wins[25 * p - 1] = some[p] & (wins[25 * p - 1] | ~some[p - 1]);
        bits = 0;
        for (n = 24; n > 3; n = n / 2) begin
            for (p = 0; p < n / 2; p = p + 1) begin
                right[p] = wins[25 * (2 * p + 1) - 1];
                number[3 * p +: 3] = right[p] ? number[3 * (2 * p + 1) +: 3] : number[3 * 2 * p +: 3];
                number[3 * p + bits] = right[p];
                some[p] = some[2 * p] | some[2 * p + 1];
            end
            for (p = 1; p < n / 2; p = p + 1)
                for (q = 0; q < p; q = q + 1) begin
                    four = {wins[24 * (2 * p + 1) + 2 * q +: 2], wins[24 * (2 * p) + 2 * q +: 2]};
                    if (n == 6 | q + 1 == p & p % 2 == 1) four = {4{some[p]}} & (four | {4{~some[q]}});
                    wins[24 * p + q] = right[p] ? right[q] ? four[3] : four[2] : right[q] ? four[1] : four[0];
                end
            bits = bits + 1;
        end
    end
    wire third = wins[48] & wins[49];
    assign winner = {third, wins[24] & ~third, third ? number[8:6] : wins[24] ? number[5:3] : number[2:0]};
endmodule
