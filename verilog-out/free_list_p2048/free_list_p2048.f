free_list_p2048.v
