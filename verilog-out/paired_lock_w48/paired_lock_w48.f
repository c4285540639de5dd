paired_lock_w48.v
