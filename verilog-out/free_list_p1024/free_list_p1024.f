free_list_p1024.v
