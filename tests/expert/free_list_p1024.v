module free_list_p1024(
    input wire clock, clear,
    input wire [1:0] shrink,
    input wire [8:0] reserved,
    input wire [15:0] awake,
    input wire [3:0] take, give,
    input wire [7:0] give0, give1, give2, give3,
    output wire [3:0] offer_valid,
    output wire [7:0] offer0, offer1, offer2, offer3,
    output wire [15:0] occupied, request
);
    // Rows of 16 packs: those that are hidden as a whole, and single packs of the others.
    wire [15:0] below = {16{reserved[8]}} | ~(16'hffff << reserved[7:4]);
    wire [15:0] partly = 16'b1 << reserved[7:4];
    wire [15:0] places = ~(16'hffff << reserved[3:0]);
    // 256, 179, 153 or 128 packs are kept.
    wire by_30 = |shrink, by_40 = shrink[1], by_50 = &shrink;
    wire [15:0] rows = below | {{4{by_30}}, by_40, by_40, by_50, by_50, 8'b0};
    wire [255:0] hidden;
    genvar r;
    generate
        for (r = 0; r < 16; r = r + 1) begin : row
            assign hidden[16 * r +: 16] = places & {16{partly[r]}}
                | (r == 11 ? {{13{by_30}}, 3'b0} : r == 9 ? {{7{by_40}}, 9'b0} : 16'b0);
        end
    endgenerate
    wire [3:0] touched;
    generate
        for (r = 0; r < 4; r = r + 1) begin : sub_array
            assign touched[r] = below[4 * r] | partly[4 * r] & |reserved[3:0];
        end
    endgenerate

    bank b0 (clock, clear, rows, hidden, touched, awake[3:0], take[0], give[0], give0,
        offer_valid[0], offer0, occupied[3:0], request[3:0]);
    bank b1 (clock, clear, rows, hidden, touched, awake[7:4], take[1], give[1], give1,
        offer_valid[1], offer1, occupied[7:4], request[7:4]);
    bank b2 (clock, clear, rows, hidden, touched, awake[11:8], take[2], give[2], give2,
        offer_valid[2], offer2, occupied[11:8], request[11:8]);
    bank b3 (clock, clear, rows, hidden, touched, awake[15:12], take[3], give[3], give3,
        offer_valid[3], offer3, occupied[15:12], request[15:12]);
endmodule

module bank(
    input wire clock, clear,
    input wire [15:0] rows,
    input wire [255:0] hidden,
    input wire [3:0] touched, awake,
    input wire take, give,
    input wire [7:0] given,
    output wire valid,
    output wire [7:0] offer,
    output wire [3:0] occupied, request
);
    reg [255:0] taken = 0;

    // Of two halves the lower one that has a pack: up to the sub-arrays all at once, without a look at what is awake.
    reg [255:0] some;
    reg [2047:0] place;
    integer i, l;
    always @* begin
        some = ~taken & ~hidden;
        place = 0;
        for (l = 0; l < 6; l = l + 1) begin
            if (l == 4) for (i = 0; i < 256; i = i + 16) some[i] = some[i] & ~rows[i / 16];
            for (i = 0; i < 256; i = i + (2 << l)) begin
                place[8 * i +: 8] = some[i] ? place[8 * i +: 8] : place[8 * (i + (1 << l)) +: 8];
                place[8 * i + l] = ~some[i];
                some[i] = some[i] | some[i + (1 << l)];
            end
        end
    end
    wire [3:0] free = {some[192], some[128], some[64], some[0]};
    wire [3:0] now = free & awake;
    wire [3:0] candidates = |now ? now : free;
    wire [3:0] first = candidates & ~{|candidates[2:0], |candidates[1:0], candidates[0], 1'b0};
    wire lower = |candidates[1:0];
    wire [5:0] in_lower = candidates[0] ? place[5:0] : place[512 +: 6];
    wire [5:0] in_upper = candidates[2] ? place[1024 +: 6] : place[1536 +: 6];
    assign valid = |free;
    assign request = first;
    assign offer = {|first[3:2], first[3] | first[1], at & {6{valid}}};

    generate
        genvar a, k;
        for (a = 0; a < 4; a = a + 1) begin : sub_array
            assign occupied[a] = touched[a] | |taken[64 * a +: 64];
        end
        // What is offered and given back at the same time is taken. All packs become free as if each were given back.
        wire takes = take & ~clear;
        wire [3:0] low_row, low_place, high_place;
        wire [15:0] take_row, take_place;
        wire [5:0] at = lower ? in_lower : in_upper;
        for (a = 0; a < 4; a = a + 1) begin : decode
            assign low_row[a] = at[5:4] == a;
            assign high_place[a] = at[3:2] == a;
            assign low_place[a] = at[1:0] == a;
        end
        wire [15:0] give_row = {15'b0, give} << given[7:4] | {16{clear}};
        wire [15:0] give_place = 16'b1 << given[3:0] | {16{clear}};
        for (k = 0; k < 16; k = k + 1) begin : line
            assign take_row[k] = first[k / 4] & takes & low_row[k % 4];
            assign take_place[k] = high_place[k / 4] & low_place[k % 4];
        end
        for (k = 0; k < 256; k = k + 1) begin : pack
            always @(posedge clock)
                if (take_row[k / 16] & take_place[k % 16]) taken[k] <= 1;
                else if (give_row[k / 16] & give_place[k % 16]) taken[k] <= 0;
        end
    endgenerate
endmodule
