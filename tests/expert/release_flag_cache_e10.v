module release_flag_cache_e10(
    input wire clock, clear, fill,
    input wire [15:0] fill_pc,
    input wire [53:0] fill_payload,
    input wire [15:0] a_pc,
    input wire [4:0] a_slot,
    input wire [15:0] b_pc,
    input wire [4:0] b_slot,
    output wire a_hit,
    output wire [2:0] a_flags,
    output wire b_hit,
    output wire [2:0] b_flags
);
    wire [2:0] fill_fifth, a_fifth, b_fifth;
    by_five fill_five (fill_pc[15:1], fill_fifth);
    by_five a_five (a_pc[15:1], a_fifth);
    by_five b_five (b_pc[15:1], b_fifth);

    // Per entry: valid, tag, and of each port the flags of its slot.
    wire [169:0] a_entries, b_entries;
    genvar i, f;
    generate
        for (i = 0; i < 10; i = i + 1) begin : entry
            reg [53:0] data = 0;
            reg [12:0] tag = 0;
            reg valid = 0;
            wire write = fill & ~clear & fill_fifth == i / 2 & fill_pc[0] == i % 2;
            always @(posedge clock) begin
                if (clear) valid <= 0;
                else if (write) valid <= 1;
                if (write) begin
                    data <= fill_payload;
                    tag <= fill_pc[15:3];
                end
            end
            wire [2:0] a_now, b_now;
            for (f = 0; f < 3; f = f + 1) begin : flag
                wire [17:0] bits;
                genvar s;
                for (s = 0; s < 18; s = s + 1) begin : slot
                    assign bits[s] = data[3 * s + f];
                end
                slot_of_18 a (bits, a_slot, a_now[f]);
                slot_of_18 b (bits, b_slot, b_now[f]);
            end
            assign a_entries[17 * i +: 17] = {valid, tag, a_now};
            assign b_entries[17 * i +: 17] = {valid, tag, b_now};
        end
    endgenerate

    look_up a (a_entries, a_pc, a_fifth, a_slot, a_hit, a_flags);
    look_up b (b_entries, b_pc, b_fifth, b_slot, b_hit, b_flags);
endmodule

// The entry is known last.
module look_up(
    input wire [169:0] entries,
    input wire [15:0] pc,
    input wire [2:0] fifth,
    input wire [4:0] slot,
    output wire hit,
    output wire [2:0] flags
);
    wire [16:0] e0 = pc[0] ? entries[33:17] : entries[16:0];
    wire [16:0] e1 = pc[0] ? entries[67:51] : entries[50:34];
    wire [16:0] e2 = pc[0] ? entries[101:85] : entries[84:68];
    wire [16:0] e3 = pc[0] ? entries[135:119] : entries[118:102];
    wire [16:0] e4 = pc[0] ? entries[169:153] : entries[152:136];
    wire [16:0] found = fifth[2] ? e4 : fifth[1] ? fifth[0] ? e3 : e2 : fifth[0] ? e1 : e0;
    assign hit = found[16] & found[15:3] == pc[15:3];
    assign flags = found[2:0] & {3{hit & ~(slot[4] & |slot[3:1])}};
endmodule

module slot_of_18(input wire [17:0] bits, input wire [4:0] slot, output wire one);
    wire [8:0] of_2;
    wire [3:0] of_4;
    genvar i;
    generate
        for (i = 0; i < 9; i = i + 1) begin : twos
            assign of_2[i] = slot[0] ? bits[2 * i + 1] : bits[2 * i];
        end
        for (i = 0; i < 4; i = i + 1) begin : fours
            assign of_4[i] = slot[1] ? of_2[2 * i + 1] : of_2[2 * i];
        end
    endgenerate
    assign one = slot[4] ? of_2[8] : slot[3] ? slot[2] ? of_4[3] : of_4[2] : slot[2] ? of_4[1] : of_4[0];
endmodule

// The bits of a number count 1, 2, -1 and -2 by 5, again and again. One that counts less than 0 is turned over; what that
// adds is 4 x 1 + 3 x 2, which is nothing.
module by_five(input wire [14:0] n, output wire [2:0] rest);
    wire [7:0] one = {n[12], n[8], n[4], n[0], ~n[14], ~n[10], ~n[6], ~n[2]};
    wire [6:0] two = {n[13], n[9], n[5], n[1], ~n[11], ~n[7], ~n[3]};
    function [1:0] add(input a, b, c);
        add = {a ^ b ? c : a, a ^ b ^ c};
    endfunction
    wire [1:0] p0 = add(one[0], one[1], one[2]), p1 = add(one[3], one[4], one[5]);
    wire [1:0] p2 = add(one[6], one[7], p0[0]), p3 = {p1[0] & p2[0], p1[0] ^ p2[0]};
    wire [1:0] q0 = add(two[0], two[1], two[2]), q1 = add(two[3], two[4], two[5]);
    wire [1:0] q2 = add(two[6], p0[1], p1[1]), q3 = add(q0[0], q1[0], p2[1]), q4 = add(q2[0], q3[0], p3[1]);
    wire [1:0] r0 = add(q0[1], q1[1], q2[1]), r1 = add(q3[1], q4[1], r0[0]);
    wire [1:0] s = {r0[1] & r1[1], r0[1] ^ r1[1]};
    wire [4:0] sum = {s, r1[0], q4[0], p3[0]};
    // The rest of 0 to 22, bit by bit.
    wire [31:0] rest_0 = 32'bxxxxxxxxx0100101_0010100101001010;
    wire [31:0] rest_1 = 32'bxxxxxxxxx1000110_0011000110001100;
    wire [31:0] rest_2 = 32'bxxxxxxxxx0001000_0100001000010000;
    assign rest = {rest_2[sum], rest_1[sum], rest_0[sum]};
endmodule
