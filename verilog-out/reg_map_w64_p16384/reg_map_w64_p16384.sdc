# Generated; do not edit. Timing constraints of reg_map_w64_p16384, which has no clock.
# The delay is a placeholder: set yours.
set delay 5.0 ;# ns, assumed
set_max_delay $delay -from [all_inputs] -to [all_outputs]
