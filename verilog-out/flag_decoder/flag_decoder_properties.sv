// Properties of flag_decoder: what it puts out is what selections by a multiplied index give.
module proof (
    input wire clock, input wire [63:0] word, input wire [4:0] slot, input wire [1:0] turn
);
    wire pir, pbr, x0_valid, x1_valid, x2_valid;
    wire [53:0] payload;
    wire [2:0] flags;
    wire [5:0] x0, x1, x2;
    wire [1:0] turns;
    `TOP uut (.*);
    wire [9:0] opcode = {word[63:58], word[3:0]};
    wire is_pir = opcode == 10'h3ef;
    wire is_pbr = opcode == 10'h3ff;
    // Room beyond the last slot and the last id.
    wire [95:0] slots = {42'd0, word[57:4]};
    wire [71:0] ids = {{18{1'b1}}, word[57:4]};
    wire [6:0] first_id = turn * 18;
    wire [5:0] id0 = ids[first_id +: 6];
    wire [5:0] id1 = ids[first_id + 6 +: 6];
    wire [5:0] id2 = ids[first_id + 12 +: 6];
    wire [6:0] first_flag = slot * 3;
    reg [8:0] used;
    integer k;
    always @(*) for (k = 0; k < 9; k = k + 1) used[k] = ids[6 * k +: 6] != 63;
    always @(*) begin
`ifdef VACUITY
        c0: assert (!(x0_valid && !x1_valid && x2_valid && turn == 2));
        c1: assert (!(pir && slot == 17 && flags == 5));
        c2: assert (!(pbr && turns == 1 && turn == 0 && x1_valid));
`else
        opcodes_tell_the_kinds: assert (pir == is_pir && pbr == is_pbr);
        payload_is_that_of_a_pir: assert (payload == (is_pir ? word[57:4] : 0));
        flags_are_those_of_the_slot: assert (flags == (is_pir ? slots[first_flag +: 3] : 0));
        registers_are_those_of_the_turn: assert (
            x0_valid == (is_pbr && id0 != 63) && x1_valid == (is_pbr && id1 != 63) && x2_valid == (is_pbr && id2 != 63)
            && x0 == (x0_valid ? id0 : 0) && x1 == (x1_valid ? id1 : 0) && x2 == (x2_valid ? id2 : 0));
        turns_reach_the_last_register: assert (!is_pbr || ({9'd0, used} >> (turns * 3)) == 0);
        no_turn_is_too_many: assert (turns == 0 || (is_pbr && used[(turns - 1) * 3 +: 3] != 0));
`endif
    end
endmodule
