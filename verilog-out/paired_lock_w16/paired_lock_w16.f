paired_lock_w16.v
