module stalled_warps_w48(
    input wire clock, clear, stall,
    input wire [5:0] stall_warp,
    input wire wake,
    input wire [5:0] a_warp, b_warp,
    output wire stall_grant, woken_valid,
    output wire [5:0] woken,
    output wire empty, a_stalled, b_stalled
);
    reg [5:0] fifo [0:47];
    reg [5:0] head = 0, tail = 0;
    reg [47:0] stalled = 0;
    integer i;
    initial for (i = 0; i < 48; i = i + 1) fifo[i] = 0;

    wire [63:0] padded = {16'b0, stalled};
    assign a_stalled = padded[a_warp];
    assign b_stalled = padded[b_warp];
    assign empty = ~|stalled;
    assign woken_valid = wake & ~clear & ~empty;
    wire [5:0] first = fifo[head];
    assign woken = first & {6{woken_valid}};
    assign stall_grant = stall & ~clear & ~&stall_warp[5:4] & ~(woken_valid & first == stall_warp);
    wire push = stall_grant & ~padded[stall_warp];
    always @(posedge clock) begin
        if (clear) begin
            head <= 0;
            tail <= 0;
            stalled <= 0;
        end else begin
            if (woken_valid) begin
                head <= head == 47 ? 6'd0 : head + 6'd1;
                stalled[first] <= 0;
            end
            if (push) begin
                tail <= tail == 47 ? 6'd0 : tail + 6'd1;
                stalled[stall_warp] <= 1;
            end
        end
        if (push) fifo[tail] <= stall_warp;
    end
endmodule
