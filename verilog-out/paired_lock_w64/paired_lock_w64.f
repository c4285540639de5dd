paired_lock_w64.v
