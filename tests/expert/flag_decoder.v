module flag_decoder(
    input wire [63:0] word,
    input wire [4:0] slot,
    input wire [1:0] turn,
    output wire pir, pbr,
    output wire [53:0] payload,
    output wire [2:0] flags,
    output wire [5:0] x0,
    output wire x0_valid,
    output wire [5:0] x1,
    output wire x1_valid,
    output wire [5:0] x2,
    output wire x2_valid,
    output wire [1:0] turns
);
    wire [9:0] opcode = {word[63:58], word[3:0]};
    assign pir = opcode == 10'h3ef;
    assign pbr = opcode == 10'h3ff;
    assign payload = word[57:4] & {54{pir}};
    wire [95:0] padded = {42'b0, payload};
    assign flags = padded[3 * slot +: 3];

    wire [8:0] named;
    genvar k;
    generate
        for (k = 0; k < 9; k = k + 1) begin : id
            assign named[k] = ~&word[4 + 6 * k +: 6];
        end
    endgenerate
    wire [71:0] ids = {18'h3ffff, word[57:4]};
    wire [17:0] now = ids[18 * turn +: 18];
    assign x0_valid = pbr & ~&now[5:0];
    assign x1_valid = pbr & ~&now[11:6];
    assign x2_valid = pbr & ~&now[17:12];
    assign x0 = now[5:0] & {6{x0_valid}};
    assign x1 = now[11:6] & {6{x1_valid}};
    assign x2 = now[17:12] & {6{x2_valid}};
    assign turns = ~pbr ? 2'd0 : |named[8:6] ? 2'd3 : |named[5:3] ? 2'd2 : |named[2:0] ? 2'd1 : 2'd0;
endmodule
