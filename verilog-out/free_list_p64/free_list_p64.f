free_list_p64.v
