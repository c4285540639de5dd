# Generated; do not edit. Timing constraints of rfv_top_w48_r63_p1024_e0 as a block of its own.
# The period is a placeholder: set yours. A quarter of it goes to the logic before the inputs and behind the outputs.
set period 10.0 ;# ns, assumed
create_clock -name clock -period $period [get_ports clock]
set inputs [remove_from_collection [all_inputs] [get_ports clock]]
set_input_delay [expr {$period / 4}] -clock clock $inputs
set_output_delay [expr {$period / 4}] -clock clock [all_outputs]
