// Properties of reservation_fsm with any number of levels, unbounded: for any level f.
//
// One step from a free state in which the levels of the halves, and those that were measured, are levels of the kernel;
// after it they are again. `clear` comes from any state at all. What a step does, and which level is best, holds in any
// state.
`define LEVEL [`LEVELS_BITS-1:0]
module proof (
    input wire clock, input wire clear, input wire `LEVEL top, input wire known, input wire `LEVEL known_level, input wire again,
    input wire done, input wire `LEVEL done_level, input wire [31:0] done_cycles, input wire launch, input wire launch_high
);
    wire `LEVEL level, best, low_level, high_level;
    wire best_valid;
    `TOP uut (.*);
    `NUMBERED(averages, 32, LEVELS, \uut.average$#$q )
    (* hierconn *) wire [`LEVELS-1:0] \uut.measured$q ;
    (* hierconn *) wire `LEVEL \uut.highest$q ;
    wire [`LEVELS-1:0] measured = \uut.measured$q ;
    wire `LEVEL highest = \uut.highest$q ;

    (* anyconst *) reg `LEVEL f;
    wire [31:0] average_f = averages[{f, 5'd0} +: 32];
    wire [31:0] average_best = averages[{best, 5'd0} +: 32];
    wire measured_f = measured[f];
    wire `LEVEL mine = launch_high ? high_level : low_level;
    wire sound = low_level <= highest && high_level <= highest && (measured >> highest >> 1) == 0;

    // Frame 0, for comparison in frame 1.
    reg second, old_clear, old_known, old_again, old_launch, old_high, old_measured, old_valid, old_records;
    reg `LEVEL old_top, old_known_level, old_level, old_best, old_low_level, old_high_level, old_highest;
    reg [31:0] old_average, old_cycles;
    initial second = 0;
    always @(posedge clock) begin
        second <= 1;
        old_clear <= clear;
        old_known <= known;
        old_again <= again;
        old_launch <= launch;
        old_high <= launch_high;
        old_measured <= measured_f;
        old_valid <= best_valid;
        old_records <= done && done_level == f && f <= highest;
        old_top <= top;
        old_known_level <= known_level;
        old_level <= level;
        old_best <= best;
        old_low_level <= low_level;
        old_high_level <= high_level;
        old_highest <= highest;
        old_average <= average_f;
        old_cycles <= done_cycles;
    end
    wire `LEVEL old_mine = old_high ? old_high_level : old_low_level;
    wire `LEVEL new_mine = old_high ? high_level : low_level;
    wire `LEVEL old_other = old_high ? old_low_level : old_high_level;
    wire `LEVEL new_other = old_high ? low_level : high_level;
    wire `LEVEL first = old_known_level < old_top ? old_known_level : old_top;
    wire [31:0] least = old_cycles < 7 ? 0 : old_cycles - 7;

`ifdef POWER_ON
    always @(*) if (!second) power_on: assert (sound && measured == 0 && low_level == 0 && high_level == 0 && highest == 0);
`else
    always @(*) begin
        if (!second) assume (clear || sound);
`ifdef VACUITY
        if (!second) begin
            c0: assert (clear || !(best == 4 && low_level == 0 && high_level == 7 && measured == 8'h91 && launch));
            c1: assert (clear || !(mine == 3 && !measured_f && f == 3 && best == 7 && launch && highest == 7));
            c2: assert (clear || !(measured_f && f != best && average_f == average_best));
        end else begin
            c3: assert (!(!old_clear && old_records && old_measured && average_f > old_average && old_best == f && best != f));
            c4: assert (!(!old_clear && old_again && old_valid && old_low_level != old_best && old_launch));
            c5: assert (!(old_clear && old_known && old_known_level > old_top));
        end
`else
        if (second) begin
            halves_and_averages_stay_levels_of_the_kernel: assert (sound);
            clear_begins_low_and_high_or_with_what_is_known: assert (!old_clear || (!best_valid && highest == old_top
                && low_level == (old_known ? first : 0) && high_level == (old_known ? first : old_top)));
            again_begins_with_the_best: assert (old_clear || !old_again
                || (low_level == (old_valid ? old_best : old_low_level) && high_level == (old_valid ? old_best : old_high_level)));
            a_launch_moves_its_half_to_the_level_of_the_cta: assert (old_clear || old_again
                || new_mine == (old_launch ? old_level : old_mine));
            a_launch_leaves_the_other_half: assert (old_clear || old_again || new_other == old_other);
            a_cta_is_recorded_for_its_level_alone: assert (old_clear
                || (measured_f == (old_measured || old_records) && (old_records || average_f == old_average)));
            the_first_counts_as_it_is: assert (old_clear || !old_records || old_measured || average_f == old_cycles);
            an_average_stays_among_its_ctas: assert (old_clear || !old_records || !old_measured
                || ((average_f >= old_average || average_f >= least) && (average_f <= old_average || average_f <= old_cycles)));
            an_average_follows: assert (old_clear || !old_records || !old_measured || old_average[31:3] == old_cycles[31:3]
                || (average_f > old_average) == (old_cycles > old_average));
            the_kernel_keeps_its_levels: assert (old_clear || highest == old_highest);
        end
        best_exactly_if_some_level_was_measured: assert (best_valid == (measured != 0) && (best_valid || best == 0));
        the_best_was_measured: assert (!best_valid || measured[best]);
        no_level_is_better_than_the_best: assert (!measured_f || average_best < average_f
            || (average_best == average_f && best <= f));
        a_step_goes_towards_the_best_from_a_measured_level: assert (level == (!measured[mine] || best == mine ? mine
            : best > mine ? mine + 1 : mine - 1));
        if (second || !clear) a_cta_gets_a_level_of_the_kernel: assert (level <= highest);
`endif
    end
`endif
endmodule
