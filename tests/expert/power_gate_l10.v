module power_gate_l10(input wire clock, clear, input wire [15:0] occupied, request, output wire [15:0] powered, awake);
    genvar i;
    generate for (i = 0; i < 16; i = i + 1) begin : s
        reg [3:0] q = 4'b1000;          // 1000 asleep; 1,3,7,15,14,13,10,5,11; 0110 awake
        assign awake[i] = ~(q[0] | q[3]);
        assign powered[i] = q[0] | q[1];
        always @(posedge clock)
            if (clear | ~(occupied[i] | request[i])) q <= 4'b1000;
            else if (~awake[i]) q <= {q[2:0], ~(q[0] & q[3])};
    end endgenerate
endmodule
