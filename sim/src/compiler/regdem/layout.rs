//! Where demoted registers lie in the scratchpad of a CTA (RegDem 3.2, equation 1).

/// Bytes of a word, and of the width of a scratchpad bank.
pub const WORD_BYTES: u32 = 4;

/// The part of a CTA's scratchpad that holds demoted registers.
///
/// Demoted register `r` of thread `i` lies at `base + r * threads * 4 + i * 4`. The threads of a warp are neighbours, so
/// their words lie in neighbouring banks, whatever `r`, `base / 4` and the number of threads are: no two lanes of
/// a warp meet in one of 32 banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// First byte behind the kernel's own scratchpad, static and dynamic; a multiple of 4.
    pub base_bytes: u32,
    /// Threads of a CTA, at least 1.
    pub threads: u32,
}

impl Layout {
    /// Behind `own_bytes` of scratchpad, for CTAs of `threads`; `None` where that is more than 32-bit addresses reach.
    pub fn behind(own_bytes: u32, threads: u32) -> Option<Layout> {
        let base_bytes = own_bytes.checked_next_multiple_of(WORD_BYTES)?;
        threads.checked_mul(WORD_BYTES)?;
        Some(Layout {
            base_bytes,
            threads,
        })
    }

    /// Bytes that one demoted register takes in a CTA.
    pub fn register_bytes(self) -> u32 {
        self.threads * WORD_BYTES
    }

    /// What is added to the address in RDA for demoted register `slot`, bytes.
    pub fn offset_bytes(self, slot: u16) -> u32 {
        u32::from(slot) * self.register_bytes()
    }

    /// Equation 1: byte address of demoted register `slot` of thread `thread` of the CTA.
    pub fn address(self, slot: u16, thread: u32) -> u32 {
        self.base_bytes + self.offset_bytes(slot) + thread * WORD_BYTES
    }

    /// Scratchpad of a CTA with `slots` demoted registers, bytes.
    pub fn total_bytes(self, slots: u16) -> u32 {
        self.base_bytes + self.offset_bytes(slots)
    }

    /// The static scratchpad that a kernel must declare for `slots` demoted registers behind its own `static_bytes` and
    /// what the launch adds, so that the latter stays where it was: dynamic scratchpad begins at the kernel's own
    /// static end rounded up to 16, and the demoted registers begin behind it.
    pub fn declared_bytes(self, static_bytes: u32, own_bytes: u32, slots: u16) -> u32 {
        let demoted = self.offset_bytes(slots);
        if own_bytes > static_bytes {
            static_bytes.next_multiple_of(16) + (self.base_bytes - own_bytes) + demoted
        } else {
            self.base_bytes + demoted
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_lanes_of_a_warp_meet_in_a_bank_for_all_block_sizes_and_bases() {
        for threads in 32..=1024 {
            for own_bytes in [0, 1, 4, 36, 2047] {
                let layout = Layout::behind(own_bytes, threads).unwrap();
                for slot in [0, 1, 2, 7, 31] {
                    for warp in 0..threads.div_ceil(32) {
                        let mut banks = 0u32;
                        for thread in warp * 32..(warp * 32 + 32).min(threads) {
                            let bank = layout.address(slot, thread) / WORD_BYTES % 32;
                            assert_eq!(banks >> bank & 1, 0, "{threads} threads, slot {slot}");
                            banks |= 1 << bank;
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn no_two_demoted_registers_of_any_two_threads_overlap_and_none_lies_outside() {
        for threads in [1, 31, 32, 33, 100, 1024] {
            let layout = Layout::behind(10, threads).unwrap();
            let mut words: Vec<u32> = (0..5)
                .flat_map(|slot| (0..threads).map(move |thread| layout.address(slot, thread)))
                .collect();
            words.sort_unstable();
            let expected: Vec<u32> = (12..layout.total_bytes(5)).step_by(4).collect();
            assert_eq!(words, expected);
        }
    }

    #[test]
    fn dynamic_scratchpad_stays_where_it_was() {
        // 20 bytes static, 100 dynamic ones from 32 on: 132 in all.
        let layout = Layout::behind(132, 32).unwrap();
        let declared = layout.declared_bytes(20, 132, 3);
        assert_eq!(declared, 32 + 3 * 128);
        assert!(declared.next_multiple_of(16) + 100 >= layout.total_bytes(3));
        let layout = Layout::behind(18, 32).unwrap();
        assert_eq!(layout.declared_bytes(18, 18, 1), 20 + 128);
    }
}
