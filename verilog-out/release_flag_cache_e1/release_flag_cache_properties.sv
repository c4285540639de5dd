// Properties of release_flag_cache, unbounded: for any program counter f_pc and any slot f_slot.
//
// Port b looks f_pc up in both frames: a look-up changes nothing, so it may as well show the state. Frame 0 begins in any
// state in which that look-up answers what history says; frame 1 must answer so again. `clear` comes from any state.
module proof (
    input wire clock, input wire clear, input wire fill, input wire [15:0] fill_pc, input wire [53:0] fill_payload,
    input wire [15:0] a_pc, input wire [4:0] a_slot, input wire [15:0] b_pc, input wire [4:0] b_slot
);
    wire a_hit, b_hit;
    wire [2:0] a_flags, b_flags;
    `TOP uut (.*);
    (* anyconst *) reg [15:0] f_pc;
    (* anyconst *) reg [4:0] f_slot;

    // History: whether f_pc was filled and nothing took its entry since, and its flags.
    reg known, second;
    reg [53:0] last;
    initial second = 0;
    // Remainders by the number of entries, as the only decompositions there are.
    (* anyconst *) reg [15:0] f_quotient;
    (* anyconst *) reg [3:0] f_entry;
    (* anyseq *) reg [15:0] quotient;
    (* anyseq *) reg [3:0] entry;
    wire decomposed = f_quotient * `ENTRIES + f_entry == f_pc && f_entry < `ENTRIES && f_quotient <= 65535 / `ENTRIES
        && quotient * `ENTRIES + entry == fill_pc && entry < `ENTRIES && quotient <= 65535 / `ENTRIES;
    wire same_entry = entry == f_entry;
    always @(posedge clock) begin
        second <= 1;
        if (clear) known <= 0;
        else if (fill && fill_pc == f_pc) known <= 1;
        else if (fill && same_entry) known <= 0;
        if (fill && fill_pc == f_pc) last <= fill_payload;
    end
    wire [95:0] slots = {42'd0, last};
    wire [6:0] first_flag = f_slot * 3;
    wire sound = b_hit == known && b_flags == (known ? slots[first_flag +: 3] : 0);

`ifdef POWER_ON
    always @(*) if (!second) begin
        assume (decomposed && !known && b_pc == f_pc && b_slot == f_slot);
        power_on: assert (sound);
    end
`else
    always @(*) begin
        assume (decomposed && b_pc == f_pc && b_slot == f_slot);
        if (!second) assume (clear || sound);
`ifdef VACUITY
        if (!second) begin
            c0: assert (!(!clear && known && fill && fill_pc != f_pc && same_entry));
            c1: assert (!(!clear && known && a_hit && a_pc != f_pc && b_flags == 5));
        end else begin
            c2: assert (!(known && f_slot == 17 && b_flags == 6));
            c3: assert (!(known && a_pc == f_pc && a_slot != f_slot && a_flags != b_flags));
        end
`else
        if (second) a_hit_answers_what_was_filled_last: assert (sound);
        ports_agree: assert (a_pc != b_pc || (a_hit == b_hit && (a_slot != b_slot || a_flags == b_flags)));
        a_miss_releases_nothing: assert (a_hit || a_flags == 0);
`endif
    end
`endif
endmodule
