module power_gate_l10(
    input wire clock, clear,
    input wire [15:0] occupied, request,
    output wire [15:0] powered, awake
);
    genvar i;
    generate
        for (i = 0; i < 16; i = i + 1) begin : part
            reg [3:0] timer = 0;
            assign powered[i] = timer != 0;
            assign awake[i] = timer == 10;
            always @(posedge clock)
                if (clear | ~(occupied[i] | request[i])) timer <= 0;
                else if (timer != 10) timer <= timer + 4'd1;
        end
    endgenerate
endmodule
