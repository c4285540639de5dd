//! The scratchpad of one SM: storage of its CTA slots, and bank conflicts.

/// CTA slots that have their upper bytes in common: slot n with slot n + `distance`, for n below `pairs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairs {
    /// Pairs, at least 1.
    pub pairs: u16,
    /// From the lower to the upper slot of a pair, at least `pairs`. Slots between have theirs alone.
    pub distance: u16,
    /// Bytes of a slot that it has for itself: a multiple of 16, so that no access lies on both sides.
    pub private_bytes: u32,
}

/// Where the bytes of a CTA slot lie.
#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    /// First byte of those below `private`.
    first: usize,
    private: usize,
    /// Where the first byte would be from which the others are counted.
    others: usize,
    /// Its pair, if it shares.
    pair: Option<u16>,
}

/// Storage: each CTA slot has a piece of its own, or a part of one, and the rest in common with another slot.
#[derive(Clone, Debug)]
pub struct Scratchpad {
    bytes: Vec<u8>,
    bytes_per_cta: usize,
    pieces: Vec<Piece>,
    /// Of each pair the slot that has used the common bytes and has not ended.
    users: Vec<Option<usize>>,
}

/// The other CTA of the pair, in this slot, uses the common bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsedBy(pub usize);

impl Scratchpad {
    /// Scratchpad for `ctas` CTA slots of `bytes_per_cta` bytes each, all zero; with `pairs`, those share.
    pub fn new(ctas: usize, bytes_per_cta: usize, pairs: Option<Pairs>) -> Self {
        let shares = |slot: usize| {
            let pairs = pairs?;
            let [count, distance] = [pairs.pairs, pairs.distance].map(usize::from);
            let private = (pairs.private_bytes as usize).min(bytes_per_cta);
            let upper = slot.checked_sub(distance);
            let pair = upper.unwrap_or(slot);
            (pair < count).then_some((pair, upper.is_some(), private))
        };
        let mut bytes = 0;
        let mut pieces = Vec::with_capacity(ctas);
        for slot in 0..ctas {
            let mut piece = Piece {
                first: bytes,
                private: bytes_per_cta,
                others: bytes,
                pair: None,
            };
            bytes += match shares(slot) {
                Some((pair, upper, private)) => {
                    piece.private = private;
                    piece.pair = Some(pair as u16);
                    if upper {
                        let lower: Piece = pieces[pair];
                        piece.others = lower.first;
                        private
                    } else {
                        bytes_per_cta
                    }
                }
                None => bytes_per_cta,
            };
            pieces.push(piece);
        }
        Scratchpad {
            bytes: vec![0; bytes],
            bytes_per_cta,
            pieces,
            users: vec![None; pairs.map_or(0, |pairs| pairs.pairs.into())],
        }
    }

    /// Bytes of a CTA.
    pub fn bytes_per_cta(&self) -> usize {
        self.bytes_per_cta
    }

    /// Whether slots share.
    pub fn is_shared(&self) -> bool {
        !self.users.is_empty()
    }

    #[inline]
    fn range(&self, slot: usize, address: u64, size: u64) -> Option<std::ops::Range<usize>> {
        if address.saturating_add(size) > self.bytes_per_cta as u64 {
            return None;
        }
        let piece = &self.pieces[slot];
        let (address, size) = (address as usize, size as usize);
        let first = if address < piece.private {
            debug_assert!(address + size <= piece.private, "on both sides");
            piece.first
        } else {
            piece.others
        };
        Some(first + address..first + address + size)
    }

    /// `size` bytes of the CTA in `slot`, aligned; `None` behind its end.
    #[inline]
    pub fn get(&self, slot: usize, address: u64, size: u64) -> Option<&[u8]> {
        Some(&self.bytes[self.range(slot, address, size)?])
    }

    /// The same, to write.
    #[inline]
    pub fn get_mut(&mut self, slot: usize, address: u64, size: u64) -> Option<&mut [u8]> {
        let range = self.range(slot, address, size)?;
        Some(&mut self.bytes[range])
    }

    /// The CTA in `slot` accesses the bytes up to `highest`. From the first common one on those are its own until it ends.
    ///
    /// # Errors
    /// [`UsedBy`] the other CTA: who may have the common bytes was decided wrongly.
    pub fn enter(&mut self, slot: usize, highest: u64) -> Result<(), UsedBy> {
        let piece = self.pieces[slot];
        let Some(pair) = piece.pair.filter(|_| highest >= piece.private as u64) else {
            return Ok(());
        };
        match *self.users[usize::from(pair)].get_or_insert(slot) {
            user if user == slot => Ok(()),
            user => Err(UsedBy(user)),
        }
    }

    /// A new CTA moves in. Its scratchpad reads as zero, so that results do not depend on who was there before.
    pub fn clear(&mut self, slot: usize) {
        let Piece { first, private, .. } = self.pieces[slot];
        self.bytes[first..first + private].fill(0);
    }

    /// The CTA in `slot` has ended: if it had the common bytes, they read as zero for whoever gets them next.
    pub fn leave(&mut self, slot: usize) {
        let piece = self.pieces[slot];
        let Some(pair) = piece.pair.map(usize::from) else {
            return;
        };
        if self.users[pair] == Some(slot) {
            self.users[pair] = None;
            self.bytes[piece.others + piece.private..piece.others + self.bytes_per_cta].fill(0);
        }
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
        let mut scratchpad = Scratchpad::new(2, 4, None);
        scratchpad.get_mut(0, 0, 4).unwrap().fill(1);
        scratchpad.get_mut(1, 0, 4).unwrap().fill(2);
        scratchpad.clear(0);
        assert_eq!(scratchpad.get(0, 0, 4), Some([0; 4].as_slice()));
        assert_eq!(scratchpad.get(1, 0, 4), Some([2; 4].as_slice()));
        assert_eq!(scratchpad.get(0, 1, 4), None);
        assert!(!scratchpad.is_shared());
    }

    /// Slots 0 and 2 share, slot 1 does not.
    fn one_pair() -> Scratchpad {
        let pairs = Pairs {
            pairs: 1,
            distance: 2,
            private_bytes: 16,
        };
        Scratchpad::new(3, 64, Some(pairs))
    }

    #[test]
    fn a_pair_takes_the_bytes_of_one_cta_and_the_private_ones_of_another() {
        let mut scratchpad = one_pair();
        assert_eq!(scratchpad.bytes.len(), 2 * 64 + 16);
        for (slot, address) in [(0, 0), (1, 0), (2, 0), (1, 16)] {
            let byte = 1 + slot as u8 + address as u8;
            scratchpad.get_mut(slot, address, 1).unwrap()[0] = byte;
        }
        scratchpad.get_mut(2, 20, 1).unwrap()[0] = 9;
        assert_eq!(scratchpad.get(0, 20, 1), Some([9].as_slice()));
        assert_eq!(scratchpad.get(1, 20, 1), Some([0].as_slice()));
        assert_eq!(scratchpad.get(0, 0, 1), Some([1].as_slice()));
        assert_eq!(scratchpad.get(2, 0, 1), Some([3].as_slice()));
        assert_eq!(scratchpad.get(2, 64, 1), None);
    }

    #[test]
    fn common_bytes_belong_to_whom_used_them_first_until_it_ends() {
        let mut scratchpad = one_pair();
        assert_eq!(scratchpad.enter(0, 15), Ok(()));
        assert_eq!(scratchpad.enter(2, 16), Ok(()));
        assert_eq!(scratchpad.enter(0, 63), Err(UsedBy(2)));
        assert_eq!(scratchpad.enter(0, 15), Ok(()));
        assert_eq!(scratchpad.enter(1, 63), Ok(()));
        scratchpad.get_mut(2, 16, 4).unwrap().fill(5);
        // Neither the end of the other nor a new one in its slot touches them.
        scratchpad.leave(0);
        scratchpad.clear(0);
        assert_eq!(scratchpad.enter(0, 16), Err(UsedBy(2)));
        assert_eq!(scratchpad.get(2, 16, 4), Some([5; 4].as_slice()));
        scratchpad.leave(2);
        assert_eq!(scratchpad.enter(0, 16), Ok(()));
        assert_eq!(scratchpad.get(0, 16, 4), Some([0; 4].as_slice()));
    }
}
