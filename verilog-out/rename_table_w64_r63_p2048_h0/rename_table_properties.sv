// Properties of rename_table in any size, unbounded: for any bank f_b, any pack f_p of it, any two of its words, i and j, and
// any constant number of exempt registers. A word is named by its warp and by how many words of that warp come before it.
//
// One step from a free state, the memories taken as arrays (array.v). Frame 0 satisfies the invariants at i, at j and at
// the word that the bank reads, which is the only one that a step changes; frame 1 must satisfy them again at i and j.
// `clear` in frame 0 comes from any state at all. Legal: packs that are offered are free and not those of exempt
// registers, and a warp has been launched before it asks or ends. What is free and what is mapped is history, derived from
// the ports alone. So is who has f_p: word i, from the take that word i is written with to the give of f_p. That word i maps it
// all that time, and that it is free again only by its give, make mapped + free = all of what is not forgotten by a launch.
module proof (
    input wire clock, input wire clear, input wire [5:0] exempt, input wire [`IW-1:0] warp, input wire launch, input wire exit,
    input wire [5:0] x0, input wire x0_valid, input wire x0_release, input wire [5:0] x1, input wire x1_valid,
    input wire x1_release, input wire [5:0] x2, input wire x2_valid, input wire x2_release, input wire [5:0] x3,
    input wire x3_valid, input wire x3_partial, input wire [3:0] offer_valid, input wire [`PACKS_BITS-3:0] offer0,
    input wire [`PACKS_BITS-3:0] offer1, input wire [`PACKS_BITS-3:0] offer2, input wire [`PACKS_BITS-3:0] offer3
);
    localparam HW = `REGISTERS > 16 ? 4 : 2;
    localparam RW = `IW + HW;
    localparam LAST = (1 << HW) - 1;
    localparam SHORT = `REGISTERS % 4 != 0;
    localparam ROWS = `NW << HW;
    localparam ROWS_3 = ROWS - (SHORT ? `NW : 0);
    localparam PW = `PACKS_BITS;

    wire busy, y0_valid, y1_valid, y2_valid, y3_valid, starved;
    wire [3:0] served, take, give;
    wire [PW-1:0] y0, y1, y2, y3;
    wire [PW-3:0] give0, give1, give2, give3;
    `TOP uut (.*);
    (* hierconn *) wire [RW-1:0] \uut.bank_0.memory.row_i ;
    (* hierconn *) wire [RW-1:0] \uut.bank_0.memory.row_j ;
    (* hierconn *) wire [RW-1:0] \uut.bank_1.memory.row_i ;
    (* hierconn *) wire [RW-1:0] \uut.bank_1.memory.row_j ;
    (* hierconn *) wire [RW-1:0] \uut.bank_2.memory.row_i ;
    (* hierconn *) wire [RW-1:0] \uut.bank_2.memory.row_j ;
    (* hierconn *) wire [RW-1:0] \uut.bank_3.memory.row_i ;
    (* hierconn *) wire [RW-1:0] \uut.bank_3.memory.row_j ;
    (* hierconn *) wire [PW-1:0] \uut.bank_0.memory.word_i ;
    (* hierconn *) wire [PW-1:0] \uut.bank_0.memory.word_j ;
    (* hierconn *) wire [PW-1:0] \uut.bank_0.memory.word ;
    (* hierconn *) wire [PW-1:0] \uut.bank_1.memory.word_i ;
    (* hierconn *) wire [PW-1:0] \uut.bank_1.memory.word_j ;
    (* hierconn *) wire [PW-1:0] \uut.bank_1.memory.word ;
    (* hierconn *) wire [PW-1:0] \uut.bank_2.memory.word_i ;
    (* hierconn *) wire [PW-1:0] \uut.bank_2.memory.word_j ;
    (* hierconn *) wire [PW-1:0] \uut.bank_2.memory.word ;
    (* hierconn *) wire [PW-1:0] \uut.bank_3.memory.word_i ;
    (* hierconn *) wire [PW-1:0] \uut.bank_3.memory.word_j ;
    (* hierconn *) wire [PW-1:0] \uut.bank_3.memory.word ;
    (* hierconn *) wire [`IW-1:0] \uut.at_warp$q ;
    (* hierconn *) wire [`IW-1:0] \uut.at_warp_3$q ;
    (* hierconn *) wire [HW-1:0] \uut.at_hi$0$q ;
    (* hierconn *) wire [HW-1:0] \uut.at_hi$1$q ;
    (* hierconn *) wire [HW-1:0] \uut.at_hi$2$q ;
    (* hierconn *) wire [HW-1:0] \uut.at_hi$3$q ;
    (* hierconn *) wire [5:0] \uut.asked$0$q ;
    (* hierconn *) wire [5:0] \uut.asked$1$q ;
    (* hierconn *) wire [5:0] \uut.asked$2$q ;
    (* hierconn *) wire [5:0] \uut.asked$3$q ;
    (* hierconn *) wire \uut.renamed$0$q ;
    (* hierconn *) wire \uut.renamed$1$q ;
    (* hierconn *) wire \uut.renamed$2$q ;
    (* hierconn *) wire \uut.renamed$3$q ;
    (* hierconn *) wire \uut.direct$0$q ;
    (* hierconn *) wire \uut.direct$1$q ;
    (* hierconn *) wire \uut.direct$2$q ;
    (* hierconn *) wire \uut.direct$3$q ;
    (* hierconn *) wire \uut.ends$0$q ;
    (* hierconn *) wire \uut.ends$1$q ;
    (* hierconn *) wire \uut.ends$2$q ;
    (* hierconn *) wire \uut.ends$3$q ;
    (* hierconn *) wire \uut.walks$q ;
    (* hierconn *) wire \uut.walk_gives$q ;
    wire [`IW-1:0] at_warp = \uut.at_warp$q ;
    wire [HW-1:0] at_hi = \uut.at_hi$0$q ;
    wire [3:0] renamed = {\uut.renamed$3$q , \uut.renamed$2$q , \uut.renamed$1$q , \uut.renamed$0$q };
    wire [3:0] direct = {\uut.direct$3$q , \uut.direct$2$q , \uut.direct$1$q , \uut.direct$0$q };
    wire [3:0] ends = {\uut.ends$3$q , \uut.ends$2$q , \uut.ends$1$q , \uut.ends$0$q };
    wire walks = \uut.walks$q ;
    wire walk_gives = \uut.walk_gives$q ;

    (* anyconst *) reg [5:0] f_exempt;
    (* anyconst *) reg [1:0] f_b;
    (* anyconst *) reg [PW-3:0] f_p;
    (* anyconst *) reg [`IW-1:0] w_i;
    (* anyconst *) reg [`IW-1:0] w_j;
    (* anyconst *) reg [HW-1:0] h_i;
    (* anyconst *) reg [HW-1:0] h_j;
    // The register that word i belongs to while f_exempt registers are exempt.
    (* anyconst *) reg [5:0] x_i;
    wire short = SHORT && f_b == 3;
    wire exists = w_i < `NW && w_j < `NW && (!short || (h_i != LAST && h_j != LAST)) && (w_i != w_j || h_i != h_j)
        && x_i[1:0] == f_b && x_i[2 +: HW] == h_i && x_i >= f_exempt && x_i - f_exempt < 4 << HW && x_i != 63;
    wire [RW-1:0] row_i = {w_i, h_i} - (short ? w_i : 0);
    wire [RW-1:0] row_j = {w_j, h_j} - (short ? w_j : 0);

    // Words i and j, and the one that bank f_b reads.
    wire [RW-1:0] row_t = f_b == 0 ? {\uut.at_warp$q , \uut.at_hi$0$q } : f_b == 1 ? {\uut.at_warp$q , \uut.at_hi$1$q }
        : f_b == 2 ? {\uut.at_warp$q , \uut.at_hi$2$q } : {\uut.at_warp_3$q , \uut.at_hi$3$q };
    assign \uut.bank_0.memory.row_i = row_i;
    assign \uut.bank_0.memory.row_j = row_j;
    assign \uut.bank_1.memory.row_i = row_i;
    assign \uut.bank_1.memory.row_j = row_j;
    assign \uut.bank_2.memory.row_i = row_i;
    assign \uut.bank_2.memory.row_j = row_j;
    assign \uut.bank_3.memory.row_i = row_i;
    assign \uut.bank_3.memory.row_j = row_j;
    wire [PW-1:0] word_i, word_j, word_t;
    assign word_i = f_b == 0 ? \uut.bank_0.memory.word_i : f_b == 1 ? \uut.bank_1.memory.word_i
        : f_b == 2 ? \uut.bank_2.memory.word_i : \uut.bank_3.memory.word_i ;
    assign word_j = f_b == 0 ? \uut.bank_0.memory.word_j : f_b == 1 ? \uut.bank_1.memory.word_j
        : f_b == 2 ? \uut.bank_2.memory.word_j : \uut.bank_3.memory.word_j ;
    assign word_t = f_b == 0 ? \uut.bank_0.memory.word : f_b == 1 ? \uut.bank_1.memory.word
        : f_b == 2 ? \uut.bank_2.memory.word : \uut.bank_3.memory.word ;
    wire mapped_i = word_i[1:0] == f_b;
    wire mapped_j = word_j[1:0] == f_b;
    wire mapped_t = word_t[1:0] == f_b;

    wire [PW-3:0] offer = f_b == 0 ? offer0 : f_b == 1 ? offer1 : f_b == 2 ? offer2 : offer3;
    wire [PW-3:0] gift = f_b == 0 ? give0 : f_b == 1 ? give1 : f_b == 2 ? give2 : give3;
    wire offered = offer_valid[f_b];

    wire same_i = row_t == row_i;

    // History. Warps that were launched since the last clear; the launch that goes on; whether f_p is free; the pack of
    // register x_i of warp w_i; which operands asked for it in the cycle before.
    reg [`NW-1:0] known;
    reg starting, free, holds, last_valid, second;
    reg [`IW-1:0] starting_warp;
    reg [PW-1:0] last;
    reg [3:0] hit, dies;
    initial second = 0;
    wire starts = launch && !clear && !busy && warp < `NW;
    wire stops = exit && !launch && !clear && !busy && warp < `NW;
    wire [3:0] names_i = {x3 == x_i, x2 == x_i, x1 == x_i, x0 == x_i};
    wire dead = |(hit & dies);
    integer n;
    always @(posedge clock) begin
        second <= 1;
        for (n = 0; n < `NW; n = n + 1) begin
            if (clear || (starts && warp == n)) known[n] <= 0;
            else if (starting && !busy && starting_warp == n) known[n] <= 1;
        end
        starting <= starts || (starting && busy && !clear);
        if (starts) starting_warp <= warp;
        if (clear) free <= 1;
        else if (take[f_b] && offer == f_p) free <= 0;
        else if (give[f_b] && gift == f_p) free <= 1;
        if (clear || (starts && warp == w_i)) holds <= 0;
        else if (take[f_b] && offer == f_p && same_i) holds <= 1;
        else if (give[f_b] && gift == f_p) holds <= 0;
        hit <= warp == w_i ? served & names_i : 0;
        dies <= {`HARDWARE_ONLY && !x3_partial, x2_release, x1_release, x0_release};
        if ((starts || stops) && warp == w_i) last_valid <= 0;
        else if (hit[3]) begin
            last_valid <= y3_valid;
            last <= y3;
        end else if (dead) last_valid <= 0;
    end

    // Where the second stage stands.
    wire [5:0] asked [3:0];
    assign asked[0] = \uut.asked$0$q ;
    assign asked[1] = \uut.asked$1$q ;
    assign asked[2] = \uut.asked$2$q ;
    assign asked[3] = \uut.asked$3$q ;
    wire [RW-1:0] walk_row_3 = {at_warp, at_hi} - (SHORT ? at_warp : 0);
    wire at_known = at_warp < `NW && known[at_warp];
    reg placed, agree;
    reg [5:0] above;
    integer k, m;
    always @(*) begin
        placed = at_warp < `NW || (renamed == 0 && direct == 0 && !walks);
        agree = 1;
        for (k = 0; k < 4; k = k + 1) begin
            above = asked[k] - f_exempt;
            if (direct[k]) placed = placed && asked[k] < f_exempt && !renamed[k];
            if (renamed[k]) begin
                placed = placed && at_known && asked[k] >= f_exempt && asked[k] != 63 && above < 4 << HW;
                if (asked[k][1:0] == f_b) placed = placed
                    && row_t == {at_warp, asked[k][2 +: HW]} - (short ? at_warp : 0);
                for (m = 0; m < k; m = m + 1) if (renamed[m] && asked[m][1:0] == f_b && asked[k][1:0] == f_b)
                    placed = placed && asked[m] == asked[k];
            end
            agree = agree && hit[k] == (renamed[k] && at_warp == w_i && asked[k] == x_i);
            if (hit[k]) agree = agree && dies[k] == ends[k];
        end
        if (walks) placed = placed && renamed == 0 && direct == 0 && (f_b == 3 ? row_t == walk_row_3 : row_t == {at_warp, at_hi})
            && known[at_warp] == walk_gives && starting == !walk_gives && (!starting || starting_warp == at_warp);
        else placed = placed && !starting;
    end

    // A walk has not come to word i yet.
    wire ahead = walks && at_warp == w_i && h_i >= at_hi;
    wire known_i = known[w_i];
    wire known_j = known[w_j];
    wire free_is_free = !(known_i && mapped_i && free && word_i[PW-1:2] == f_p);
    wire one_owner = !(known_i && known_j && mapped_i && mapped_j && word_i[PW-1:2] == f_p && word_j[PW-1:2] == f_p);
    wire not_exempt = !(known_i && mapped_i) || word_i >= f_exempt * `NW;
    wire is_last = !known_i || ahead || (mapped_i == last_valid && (!mapped_i || word_i == last));
    wire forgotten = !(walks && !walk_gives && at_warp == w_i && h_i < at_hi) || (!mapped_i && !last_valid);
    wire launch_forgets = !(starting && starting_warp == w_i) || !last_valid;
    wire held = !holds || (known_i && mapped_i && word_i[PW-1:2] == f_p && !free);
    wire exit_forgets = !(walks && walk_gives && at_warp == w_i) || !last_valid;
    wire sound = placed && agree && free_is_free && one_owner && not_exempt && is_last && forgotten && launch_forgets
        && exit_forgets && held;

    // The same for the word that the bank reads, which belongs to a known warp if it is used.
    wire used = at_known && ((|renamed && row_t < (short ? ROWS_3 : ROWS)) || (walks && !(short && at_hi == LAST)));
    wire same_j = row_t == row_j;
    wire t_is_f = used && mapped_t && word_t[PW-1:2] == f_p;
    wire sound_j = !(known_j && mapped_j && free && word_j[PW-1:2] == f_p)
        && !(walks && !walk_gives && at_warp == w_j && h_j < at_hi && mapped_j);
    wire sound_t = !(t_is_f && free) && !(t_is_f && !same_i && known_i && mapped_i && word_i[PW-1:2] == f_p)
        && !(t_is_f && !same_j && known_j && mapped_j && word_j[PW-1:2] == f_p);

    wire asks = x0_valid || x1_valid || x2_valid || x3_valid;
    wire idle = clear || busy || launch || warp >= `NW || !(asks || exit);
    wire legal = exempt == f_exempt && exists && (idle || known[warp] || (starting && !busy && starting_warp == warp))
        && !(offered && offer == f_p && !free) && !(offered && {offer, f_b} < f_exempt * `NW);

    // What the ports say of operand 0 and of the destination; the other sources have the same logic, and agree with it.
    wire [11:0] direct_0 = f_exempt * at_warp + asked[0];
    wire [11:0] direct_3 = f_exempt * at_warp + asked[3];
    wire renewed = offered && (!last_valid || dead);

`ifdef POWER_ON
    always @(*) begin
        if (!second) begin
            assume (exists && known == {`NW{1'b1}} && !starting && free && !holds && !last_valid && hit == 0 && exempt == f_exempt);
            power_on: assert (sound && !busy);
        end
    end
`else
    always @(*) begin
        assume (legal);
        if (!second) assume (clear || (sound && sound_j && sound_t));
`ifdef VACUITY
        if (!second) begin
            c0: assert (!(!clear && hit == 9 && dies[0] && take[f_b] && give[f_b] && gift == f_p && known_j && f_exempt == 5));
            c1: assert (!(!clear && starved && hit[3] && y0_valid && f_b == 3));
            c2: assert (!(!clear && give == 15 && walks && walk_gives && at_warp == `NW - 1 && at_hi == 9));
            c3: assert (!(!clear && served == 4'b1011 && x2_valid && names_i[0] && starting));
            c4: assert (!(!clear && direct == 4'b0101 && y0_valid && y2_valid && hit[3] && y3_valid));
        end else begin
            c5: assert (!(known_i && known_j && mapped_i && mapped_j && last_valid && !free && word_i[PW-1:2] == f_p));
            c7: assert (!(holds && walks && walk_gives && at_warp == w_i && at_hi == LAST));
            c6: assert (!(walks && walk_gives && at_warp == w_i && h_i == at_hi && mapped_i && busy));
        end
`else
        if (second) begin
            the_stages_agree: assert (placed && agree);
            a_free_pack_is_not_mapped: assert (free_is_free);
            no_pack_is_mapped_twice: assert (one_owner);
            no_renamed_register_has_an_exempt_pack: assert (not_exempt);
            the_table_holds_what_was_mapped_last: assert (is_last);
            a_pack_that_was_taken_is_mapped_until_it_is_given_back: assert (held);
            walks_forget: assert (forgotten && launch_forgets && exit_forgets);
        end
        if (!second && !clear) begin
            a_source_answers_what_was_mapped_last: assert (
                (!hit[0] || (y0_valid == last_valid && (!last_valid || y0 == last)))
                && (!hit[1] || (y1_valid == last_valid && (!last_valid || y1 == last)))
                && (!hit[2] || (y2_valid == last_valid && (!last_valid || y2 == last))));
            a_destination_is_mapped_to_the_offer_or_stays: assert (!hit[3]
                || (y3_valid == (renewed || last_valid) && starved == !y3_valid && take[f_b] == renewed
                    && (!renewed || y3 == {offer, f_b}) && (renewed || !last_valid || y3 == last)));
            a_release_gives_the_pack_back: assert (!(|hit) || !dead || !last_valid || (hit[3] && !renewed)
                || (give[f_b] && {gift, f_b} == last));
            nothing_else_is_given_back: assert (!give[f_b] || (used && mapped_t && gift == word_t[PW-1:2]
                && (walks ? walk_gives : dead || row_t != row_i)));
            only_destinations_take: assert (!take[f_b] || (offered && renamed[3] && asked[3][1:0] == f_b));
            a_pack_lies_in_the_bank_of_its_register: assert ((!renamed[0] || !y0_valid || y0[1:0] == asked[0][1:0])
                && (!renamed[1] || !y1_valid || y1[1:0] == asked[1][1:0]) && (!renamed[2] || !y2_valid || y2[1:0] == asked[2][1:0])
                && (!renamed[3] || !y3_valid || y3[1:0] == asked[3][1:0]));
            exempt_registers_lie_at_n_times_warp_plus_id: assert (
                (!direct[0] || (y0_valid == (direct_0 < `PACKS) && (!y0_valid || y0 == direct_0) && direct_0 < f_exempt * `NW))
                && (!direct[3] || (y3_valid == (direct_3 < `PACKS) && (!y3_valid || y3 == direct_3))));
            an_operand_that_was_not_served_has_no_answer: assert ((renamed[0] || direct[0] || !y0_valid)
                && (renamed[1] || direct[1] || !y1_valid) && (renamed[2] || direct[2] || !y2_valid)
                && (renamed[3] || direct[3] || (!y3_valid && !starved)));
        end
        a_walk_ends_with_the_last_word: assert (busy == (walks && at_hi != LAST));
        nobody_is_served_in_a_walk: assert (!(busy || clear || launch || exit) || served == 0);
        the_first_operand_is_served: assert (busy || clear || launch || exit || !x0_valid || served[0]);
        some_operand_is_always_served: assert (busy || clear || launch || exit || !asks || served != 0);
        only_what_is_wanted_is_served: assert ((served & ~{x3_valid, x2_valid, x1_valid, x0_valid}) == 0);
`endif
    end
`endif
endmodule
