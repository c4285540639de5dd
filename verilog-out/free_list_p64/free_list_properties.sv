// Properties of free_list in any size, unbounded: for any bank f_b and any pack f_p of it.
//
// In any state whatever: what the offers are. From one cycle to the next, from a free state: what history says of one pack
// is what its bit says. As that pack is any, the packs in use are those taken and not given back, and all others are free.
`define PACK [`PACKS_BITS-3:0]
module proof (
    input wire clock, input wire clear, input wire [1:0] shrink, input wire [`PACKS_BITS-2:0] reserved,
    input wire [15:0] awake,
    input wire [3:0] take, input wire [3:0] give,
    input wire `PACK give0, input wire `PACK give1, input wire `PACK give2, input wire `PACK give3
);
    // Packs of a bank, of a sub-array, and of a register of the bank: 32, or a sub-array if that has less.
    localparam BANK = `PACKS / 4;
    localparam SUB = BANK / 4;
    localparam CHUNK = SUB < 32 ? SUB : 32;
    // The two top bits of a pack are its sub-array.
    localparam TOP_BIT = `PACKS_BITS - 3;

    wire [3:0] offer_valid;
    wire `PACK offer0, offer1, offer2, offer3;
    wire [15:0] occupied, request;
    `TOP uut (.*);
    // Packs in use, of each bank.
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_0.taken$0$q ;
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_0.taken$1$q ;
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_0.taken$2$q ;
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_0.taken$3$q ;
    wire [4*(CHUNK)-1:0] used_0 = {
        \uut.bank_0.taken$3$q ,
        \uut.bank_0.taken$2$q ,
        \uut.bank_0.taken$1$q ,
        \uut.bank_0.taken$0$q };
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_1.taken$0$q ;
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_1.taken$1$q ;
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_1.taken$2$q ;
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_1.taken$3$q ;
    wire [4*(CHUNK)-1:0] used_1 = {
        \uut.bank_1.taken$3$q ,
        \uut.bank_1.taken$2$q ,
        \uut.bank_1.taken$1$q ,
        \uut.bank_1.taken$0$q };
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_2.taken$0$q ;
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_2.taken$1$q ;
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_2.taken$2$q ;
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_2.taken$3$q ;
    wire [4*(CHUNK)-1:0] used_2 = {
        \uut.bank_2.taken$3$q ,
        \uut.bank_2.taken$2$q ,
        \uut.bank_2.taken$1$q ,
        \uut.bank_2.taken$0$q };
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_3.taken$0$q ;
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_3.taken$1$q ;
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_3.taken$2$q ;
    (* hierconn *) wire [(CHUNK)-1:0] \uut.bank_3.taken$3$q ;
    wire [4*(CHUNK)-1:0] used_3 = {
        \uut.bank_3.taken$3$q ,
        \uut.bank_3.taken$2$q ,
        \uut.bank_3.taken$1$q ,
        \uut.bank_3.taken$0$q };

    (* anyconst *) reg [1:0] f_b;
    (* anyconst *) reg `PACK f_p;
    wire [BANK-1:0] bank = f_b == 0 ? used_0 : f_b == 1 ? used_1 : f_b == 2 ? used_2 : used_3;
    wire [3:0] bank_awake = awake[{f_b, 2'd0} +: 4];
    wire [3:0] bank_occupied = occupied[{f_b, 2'd0} +: 4];
    wire [3:0] bank_request = request[{f_b, 2'd0} +: 4];
    wire `PACK offer = f_b == 0 ? offer0 : f_b == 1 ? offer1 : f_b == 2 ? offer2 : offer3;
    wire `PACK given = f_b == 0 ? give0 : f_b == 1 ? give1 : f_b == 2 ? give2 : give3;
    wire valid = offer_valid[f_b];
    wire takes = take[f_b] && valid && !clear;
    wire gives = give[f_b] && !clear;
    wire f_used = bank[f_p];
    // The packs that a bank keeps: all, or those of a file 30, 40 or 50 % smaller, rounded down (RFV 8.1, 9.1).
    wire [`PACKS_BITS-2:0] kept = shrink == 0 ? BANK : shrink == 1 ? BANK * 7 / 10 : shrink == 2 ? BANK * 6 / 10 : BANK / 2;
    wire f_offerable = !f_used && f_p < kept && f_p >= reserved;
    // Sub-arrays with a pack of an exempt register (RFV 7.1).
    wire [3:0] bank_reserved = {reserved > 3 * SUB, reserved > 2 * SUB, reserved > SUB, reserved > 0};
    wire f_awake = bank_awake[f_p[TOP_BIT -: 2]];
    wire offer_awake = bank_awake[offer[TOP_BIT -: 2]];

    // History, from the ports alone: whether f_p is mapped.
    reg mapped, second, was_clear, was_used, was_taken, was_given;
    initial second = 0;
    always @(posedge clock) begin
        second <= 1;
        if (clear) mapped <= 0;
        else if (takes && offer == f_p) mapped <= 1;
        else if (gives && given == f_p) mapped <= 0;
        was_clear <= clear;
        was_used <= f_used;
        was_taken <= takes && offer == f_p;
        was_given <= gives && given == f_p;
    end

`ifdef POWER_ON
    always @(*) if (!second) begin
        assume (!mapped);
        power_on: assert (!f_used && {used_3, used_2, used_1, used_0} == 0 && occupied == {4{bank_reserved}}
            && offer_valid == (reserved < kept ? 15 : 0));
    end
`else
    always @(*) begin
        if (!second) assume (clear || mapped == f_used);
`ifdef VACUITY
        if (!second) begin
            c0: assert (!(takes && gives && offer == 200 && given == f_p && mapped && !clear));
            c1: assert (!(valid && offer_awake && offer > f_p && f_offerable));
            c2: assert (!(valid && !offer_awake && shrink == 1 && offer == 178));
            c3: assert (!(!valid && bank != {BANK{1'b1}}));
            c6: assert (!(valid && reserved == 100 && offer == 100 && bank_occupied == 3 && shrink == 3));
            c7: assert (!(!valid && reserved == 300 && {used_3, used_2, used_1, used_0} == 0 && shrink == 0));
            c4: assert (!(gives && !mapped && take[f_b] && offer == given && given == f_p && !clear));
        end else begin
            c5: assert (!(mapped && was_taken && bank_occupied == 8 && valid && offer == 0));
        end
`else
        if (second) begin
            mapped_and_free_are_all: assert (f_used == mapped);
            clear_frees_all: assert (!was_clear || !f_used);
            a_take_maps_the_pack_that_was_offered: assert (was_clear || !was_taken || f_used);
            a_give_frees_just_that_pack: assert (was_clear || was_taken || !was_given || !f_used);
            no_other_pack_changes: assert (was_clear || was_taken || was_given || f_used == was_used);
        end
        an_offer_is_free_kept_and_not_reserved: assert (!valid || (!bank[offer] && offer < kept && offer >= reserved));
        a_bank_with_a_free_pack_offers: assert (valid || !f_offerable);
        no_pack_awake_is_passed_over: assert (!f_offerable || !f_awake || offer_awake);
        the_lowest_of_equals_is_offered: assert (!f_offerable || f_awake != offer_awake || offer <= f_p);
        without_an_offer_the_pack_is_zero: assert (valid || offer == 0);
        request_is_the_sub_array_of_the_offer: assert (bank_request == (valid ? 4'd1 << offer[TOP_BIT -: 2] : 4'd0));
        a_sub_array_with_a_reserved_pack_is_occupied: assert (f_p >= reserved || bank_occupied[f_p[TOP_BIT -: 2]]);
        occupied_else_exactly_with_a_pack_in_use: assert (bank_occupied
            == (bank_reserved | {|bank[3*SUB +: SUB], |bank[2*SUB +: SUB], |bank[SUB +: SUB], |bank[0 +: SUB]}));
`endif
    end
`endif
endmodule
