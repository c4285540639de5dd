// Properties of find_first_zero for a mask of any width: of any bit f.
module proof (input wire clock, input wire [`NW-1:0] mask);
    wire found;
    wire [`IW-1:0] index;
    `TOP uut (.*);
    (* anyconst *) reg [`IW-1:0] f;
    wire f_is_zero = f < `NW && !mask[f];
    always @(*) begin
`ifdef VACUITY
        c0: assert (!(found && index == `NW - 1));
        c1: assert (!(found && index == 0 && f_is_zero && f != 0));
        c2: assert (found);
`else
        a_zero_is_found: assert (found || !f_is_zero);
        none_is_lower: assert (index <= f || !f_is_zero);
        what_is_found_is_a_zero: assert (!found || (index < `NW && !mask[index]));
        a_full_mask_answers_zero: assert (found || index == 0);
`endif
    end
endmodule
