free_list_p512.v
