//! Fetch: consecutive instructions for a warp whose buffer is empty, round robin over the warp slots. The
//! instruction cache is perfect. // assumed: kernels fit into it

use crate::sm::Sm;

impl Sm<'_> {
    pub(super) fn fetch(&mut self) {
        for _ in 0..self.fetches_per_cycle {
            let candidates = self.warps.to_fetch();
            if candidates == 0 {
                return;
            }
            let behind = candidates & (!1u64 << self.last_fetched);
            let chosen = if behind != 0 { behind } else { candidates };
            let slot = chosen.trailing_zeros() as usize;
            self.last_fetched = slot;
            self.warps.fetching |= 1 << slot;
            self.seen.fetched |= 1 << slot;
            // What comes otherwise is a word of flags, and the buffer stays as it is.
            if self.warps.wants_pir >> slot & 1 == 0 {
                self.tell_fetched(slot);
            }
        }
    }
}
