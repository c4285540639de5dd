flag_decoder.v
