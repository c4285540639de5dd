module power_gate_l3(input wire clock, clear, input wire [15:0] occupied, request, output wire [15:0] powered, awake);
    genvar i;
    generate for (i = 0; i < 16; i = i + 1) begin : s
        reg [1:0] q = 0;               // 00 asleep, 01, 11, 10 awake
        assign awake[i] = q[1] & ~q[0];
        assign powered[i] = q[1] | q[0];
        always @(posedge clock)
            if (clear | ~(occupied[i] | request[i])) q <= 0;
            else q <= {powered[i], ~q[1]};
    end endgenerate
endmodule
