//! Decode: what was fetched in the cycle before goes into the instruction buffers.

use crate::sm::Sm;
use crate::sm::scheduler::ones;

impl Sm<'_> {
    pub(super) fn decode(&mut self) {
        let fetched = std::mem::take(&mut self.warps.fetching);
        if fetched == 0 {
            return;
        }
        let pirs = fetched & self.warps.wants_pir;
        self.warps.wants_pir &= !pirs;
        self.warps.pir_at_decode |= pirs;
        for slot in ones(fetched & !pirs) {
            let left = self.program.ops.len() - self.warps.pc[slot] as usize;
            self.warps.buffered[slot] = usize::from(self.fetch_width).min(left) as u8;
        }
        self.warps.has_inst |= fetched & !pirs;
        self.warps.dirty |= fetched;
        self.seen.decoded = fetched;
        self.tell_decoded(fetched & !pirs);
    }
}
