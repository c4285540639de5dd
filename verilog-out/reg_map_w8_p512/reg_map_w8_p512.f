reg_map_w8_p512.v
