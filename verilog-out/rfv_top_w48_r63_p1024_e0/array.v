// A memory in a proof of one step that does not care how many words there are: not flip-flops, but what an array is.
// Ports at one row read one word; a frame later a row holds what was written there, or else what it held. A row that
// does not exist reads as anything. The frame before the first is any, so of the first only the former is known.
module \$mem_v2 (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);
    parameter MEMID = "";
    parameter signed SIZE = 4;
    parameter signed OFFSET = 0;
    parameter signed ABITS = 2;
    parameter signed WIDTH = 8;
    parameter signed INIT = 1'bx;
    parameter signed RD_PORTS = 1;
    parameter RD_CLK_ENABLE = 1'b0;
    parameter RD_CLK_POLARITY = 1'b0;
    parameter RD_TRANSPARENCY_MASK = 1'b0;
    parameter RD_COLLISION_X_MASK = 1'b0;
    parameter RD_WIDE_CONTINUATION = 1'b0;
    parameter RD_CE_OVER_SRST = 1'b0;
    parameter RD_ARST_VALUE = 1'b0;
    parameter RD_SRST_VALUE = 1'b0;
    parameter RD_INIT_VALUE = 1'b0;
    parameter signed WR_PORTS = 1;
    parameter WR_CLK_ENABLE = 1'b1;
    parameter WR_CLK_POLARITY = 1'b1;
    parameter WR_PRIORITY_MASK = 1'b0;
    parameter WR_WIDE_CONTINUATION = 1'b0;
    input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST;
    input [RD_PORTS*ABITS-1:0] RD_ADDR;
    output [RD_PORTS*WIDTH-1:0] RD_DATA;
    input [WR_PORTS-1:0] WR_CLK;
    input [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;
    input [WR_PORTS*ABITS-1:0] WR_ADDR;

    wire [1023:0] _TECHMAP_DO_ = "proc";
    // Others stay flip-flops: reads at the clock, several writers, words that differ at power-on.
    wire _TECHMAP_FAIL_ = WR_PORTS != 1 || OFFSET != 0 || |RD_CLK_ENABLE || !WR_CLK_ENABLE || !WR_CLK_POLARITY
        || INIT !== {SIZE{INIT[WIDTH-1:0]}};

    \$anyseq #(.WIDTH(RD_PORTS*WIDTH)) words (.Y(RD_DATA));
    // The frame before.
    reg [RD_PORTS*ABITS-1:0] rows;
    reg [RD_PORTS*WIDTH-1:0] held;
    reg [WIDTH-1:0] mask, written;
    reg [ABITS-1:0] target;
    always @(posedge WR_CLK) begin
        rows <= RD_ADDR;
        held <= RD_DATA;
        mask <= WR_EN;
        written <= WR_DATA;
        target <= WR_ADDR;
    end
    genvar a, b;
    generate
        for (a = 0; a < RD_PORTS; a = a + 1) begin : port
            wire [ABITS-1:0] row = RD_ADDR[a*ABITS +: ABITS];
            wire [WIDTH-1:0] word = RD_DATA[a*WIDTH +: WIDTH];
            wire missing = row >= SIZE;
            wire [WIDTH-1:0] kept = row == target ? ~mask : {WIDTH{1'b1}};
            \$assume it_was_written (.A(missing || ((word ^ written) & ~kept) == 0), .EN(1'b1));
            for (b = 0; b < RD_PORTS; b = b + 1) begin : beside
                wire same = row == RD_ADDR[b*ABITS +: ABITS];
                wire was_same = row == rows[b*ABITS +: ABITS];
                wire [WIDTH-1:0] other = RD_DATA[b*WIDTH +: WIDTH];
                wire [WIDTH-1:0] before = held[b*WIDTH +: WIDTH];
                \$assume one_word (.A(missing || !same || word == other), .EN(1'b1));
                \$assume it_was_kept (.A(missing || !was_same || ((word ^ before) & kept) == 0), .EN(1'b1));
            end
`ifdef POWER_ON
            if (^INIT[WIDTH-1:0] !== 1'bx) begin : first
                \$assume it_is_new (.A(missing || word == INIT[WIDTH-1:0]), .EN(1'b1));
            end
`endif
        end
    endgenerate
endmodule
