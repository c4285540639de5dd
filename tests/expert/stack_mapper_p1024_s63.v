module stack_mapper_p1024_s63(
    input wire launched,
    input wire [9:0] rfp, rsp, base, first,
    input wire [5:0] capacity,
    input wire [7:0] x0,
    input wire x0_valid,
    input wire [7:0] x1,
    input wire x1_valid,
    input wire [7:0] x2,
    input wire x2_valid,
    input wire [7:0] x3,
    input wire x3_valid,
    output wire [9:0] link_pack,
    output wire [9:0] y0,
    output wire y0_valid,
    output wire [9:0] y1,
    output wire y1_valid,
    output wire [9:0] y2,
    output wire y2_valid,
    output wire [9:0] y3,
    output wire y3_valid
);
    // Places of the pointers in the stack.
    wire [9:0] frame_at = rfp - first;
    wire [9:0] top_at = rsp - first;
    wire renames = launched & frame_at < capacity & top_at < capacity;

    // Registers pushed: up to the top, or around the end of the stack.
    wire around = top_at < frame_at;
    wire [5:0] pushed = top_at[5:0] - frame_at[5:0] + (around ? capacity : 6'd0);
    // Of those, so many until the last pack of the stack.
    wire [5:0] room = capacity - frame_at[5:0];
    // Where R0 would lie, before and behind that pack: one sum per look-up.
    wire [9:0] straight = rfp - 10'd16;
    wire [9:0] turned = straight - capacity;
    wire [9:0] base_regs = first - base;
    wire has_base = base < first;

    assign link_pack = {10{renames}} & (frame_at == 0 ? first + capacity - 10'd1 : rfp - 10'd1);

    lookup l0 (renames, base, straight, turned, pushed, room, base_regs, has_base, x0, x0_valid, y0, y0_valid);
    lookup l1 (renames, base, straight, turned, pushed, room, base_regs, has_base, x1, x1_valid, y1, y1_valid);
    lookup l2 (renames, base, straight, turned, pushed, room, base_regs, has_base, x2, x2_valid, y2, y2_valid);
    lookup l3 (renames, base, straight, turned, pushed, room, base_regs, has_base, x3, x3_valid, y3, y3_valid);
endmodule

module lookup(
    input wire renames,
    input wire [9:0] base, straight, turned,
    input wire [5:0] pushed, room,
    input wire [9:0] base_regs,
    input wire has_base,
    input wire [7:0] x,
    input wire valid,
    output wire [9:0] y,
    output wire y_valid
);
    // R16 is the first that a function saves.
    wire [7:0] saved = x - 8'd16;
    wire renamed = renames & x >= 8'd16 & saved < pushed;
    wire [9:0] origin = ~renamed ? base : saved < room ? straight : turned;
    assign y_valid = valid & (renamed | has_base & x < base_regs);
    assign y = {10{y_valid}} & (origin + x);
endmodule
