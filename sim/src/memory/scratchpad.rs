//! The scratchpad of one SM: storage of its CTA slots, and bank conflicts.

/// Storage: each CTA slot has a piece of its own.
#[derive(Clone, Debug)]
pub struct Scratchpad {
    bytes: Vec<u8>,
    bytes_per_cta: usize,
}

impl Scratchpad {
    /// Scratchpad for `ctas` CTA slots of `bytes_per_cta` bytes each, all zero.
    pub fn new(ctas: usize, bytes_per_cta: usize) -> Self {
        Scratchpad {
            bytes: vec![0; ctas * bytes_per_cta],
            bytes_per_cta,
        }
    }

    /// The bytes of a CTA slot.
    #[inline]
    pub fn cta(&self, slot: usize) -> &[u8] {
        &self.bytes[slot * self.bytes_per_cta..(slot + 1) * self.bytes_per_cta]
    }

    /// The bytes of a CTA slot, to write.
    #[inline]
    pub fn cta_mut(&mut self, slot: usize) -> &mut [u8] {
        &mut self.bytes[slot * self.bytes_per_cta..(slot + 1) * self.bytes_per_cta]
    }

    /// A new CTA moves in. Its scratchpad reads as zero, so that results do not depend on who was there before.
    pub fn clear(&mut self, slot: usize) {
        self.cta_mut(slot).fill(0);
    }
}

/// Cycles that the banks need for one access of a warp: the largest number of distinct words in one bank. Lanes
/// that read the same word share it (broadcast). An access wider than a word counts every word of it.
pub fn passes(addresses: &[u64; 32], active: u32, bytes: u64, banks: u32) -> u32 {
    let mut word_in_bank = [u64::MAX; 32];
    let mut conflict = false;
    let mut left = active;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        let first = addresses[lane] / 4;
        for word in first..first + bytes.div_ceil(4) {
            let known = &mut word_in_bank[word as usize & (banks as usize - 1)];
            conflict |= *known != u64::MAX && *known != word;
            *known = word;
        }
    }
    match (active, conflict) {
        (0, _) => 0,
        (_, false) => 1,
        (_, true) => most_words_in_a_bank(addresses, active, bytes, banks),
    }
}

#[cold]
fn most_words_in_a_bank(addresses: &[u64; 32], active: u32, bytes: u64, banks: u32) -> u32 {
    let mut words = arrayvec::ArrayVec::<u64, 256>::new();
    for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
        let first = addresses[lane] / 4;
        words.extend((first..first + bytes.div_ceil(4)).take(8));
    }
    let mut distinct = [0u32; 32];
    for (i, word) in words.iter().enumerate() {
        if !words[..i].contains(word) {
            distinct[*word as usize & (banks as usize - 1)] += 1;
        }
    }
    distinct.into_iter().max().unwrap_or(0)
}

/// Passes of an atomic operation: lanes of one bank go one after the other, also on the same word.
pub fn atomic_passes(addresses: &[u64; 32], active: u32, banks: u32) -> u32 {
    let mut lanes_in_bank = [0u32; 32];
    for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
        lanes_in_bank[(addresses[lane] / 4) as usize & (banks as usize - 1)] += 1;
    }
    lanes_in_bank.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes_of(address: impl Fn(u64) -> u64, bytes: u64) -> u32 {
        passes(
            &std::array::from_fn(|lane| address(lane as u64)),
            !0,
            bytes,
            32,
        )
    }

    #[test]
    fn stride_of_two_to_the_k_words_takes_two_to_the_k_passes() {
        for k in 0..6 {
            assert_eq!(passes_of(|lane| (lane * 4) << k, 4), 1 << k);
        }
    }

    #[test]
    fn stride_of_33_words_has_no_conflict() {
        assert_eq!(passes_of(|lane| lane * 132, 4), 1);
    }

    #[test]
    fn one_word_for_all_lanes_is_broadcast() {
        assert_eq!(passes_of(|_| 64, 4), 1);
    }

    #[test]
    fn two_words_in_one_bank_take_two_passes_whatever_the_order_of_lanes() {
        assert_eq!(passes_of(|lane| (lane % 2) * 128, 4), 2);
    }

    #[test]
    fn doubles_of_a_warp_take_two_passes() {
        assert_eq!(passes_of(|lane| lane * 8, 8), 2);
    }

    #[test]
    fn atomics_on_one_word_take_a_pass_per_lane() {
        assert_eq!(atomic_passes(&[64; 32], 0xffff, 32), 16);
    }

    #[test]
    fn a_new_cta_finds_zeros_and_leaves_its_neighbour_alone() {
        let mut scratchpad = Scratchpad::new(2, 4);
        scratchpad.cta_mut(0).fill(1);
        scratchpad.cta_mut(1).fill(2);
        scratchpad.clear(0);
        assert_eq!(scratchpad.cta(0), [0; 4]);
        assert_eq!(scratchpad.cta(1), [2; 4]);
    }
}
