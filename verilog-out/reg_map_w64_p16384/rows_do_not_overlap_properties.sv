// Lemma for the mappings: rows of `size` packs, begun at multiples of `size`, do not overlap
// and stay below 2^18. Pure arithmetic.
module proof (input wire clock, input wire [7:0] a, input wire [7:0] b, input wire [9:0] size);
    wire [31:0] row_a = a * size;
    wire [31:0] row_b = b * size;
    always @(*) begin
        assume (a <= 64 && b <= 64);
`ifdef VACUITY
        c0: assert (!(a + 1 == b && b == 64 && size == 1023));
`else
        rows_do_not_overlap: assert (a >= b || row_a + size <= row_b);
        rows_are_below_two_to_the_18: assert (row_a < 32'h40000);
`endif
    end
endmodule
