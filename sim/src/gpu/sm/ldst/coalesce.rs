//! From the addresses of a warp to the pieces of memory that it accesses.

/// A sector, or a line or part of one, of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// First byte.
    pub address: u64,
    /// Bytes.
    pub bytes: u32,
    /// Bytes of the line that are accessed.
    pub byte_mask: u128,
    /// A store.
    pub write: bool,
    /// The warp slot.
    pub warp: u8,
}

/// An access of a warp.
pub struct Warpwide<'a> {
    /// Of each lane of the mask; not looked at where all of them are `contiguous`.
    pub addresses: &'a [u64; 32],
    pub mask: u32,
    /// First byte and bytes, if lanes that follow each other access bytes that do.
    pub contiguous: Option<(u64, u64)>,
    /// Bytes of a lane.
    pub width: u64,
    /// Bytes between the words of a lane, where they do not follow each other.
    pub words_apart: Option<u64>,
    /// Split into sectors of 32 bytes; if not, into what the width asks for, up to a line of 128.
    pub sectors: bool,
    pub write: bool,
    pub atomic: bool,
    pub warp: u8,
}

/// The pieces of an access, in ascending order of address.
pub fn pieces(access: &Warpwide<'_>, out: &mut Vec<Piece>) {
    let segment: u64 = match (access.sectors, access.width) {
        (true, _) | (_, 1) => 32,
        (false, 2) => 64,
        (false, _) => 128,
    };
    // What lanes that follow each other access without a gap: mostly that is all of it.
    let (mut run, mut run_bytes) = (0, 0);
    let mut left = access.mask;
    if let Some(contiguous) = access.contiguous {
        (run, run_bytes) = contiguous;
        left = 0;
    }
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        let base = access.addresses[lane];
        match access.words_apart {
            Some(apart) if access.width >= 4 => {
                for word in 0..access.width / 4 {
                    touch(access, out, segment, base.wrapping_add(word * apart), 4);
                }
            }
            _ => match base.wrapping_sub(run) {
                offset if offset < run_bytes && offset + access.width <= run_bytes => {}
                offset if offset == run_bytes && base > run => run_bytes += access.width,
                _ => {
                    touch(access, out, segment, run, run_bytes);
                    (run, run_bytes) = (base, access.width);
                }
            },
        }
    }
    touch(access, out, segment, run, run_bytes);
    out.sort_unstable_by_key(|piece| piece.address);
    if access.atomic {
        repeat_conflicts(access, out);
    }
    if segment > 32 {
        out.iter_mut().for_each(shrink);
    }
}

fn touch(access: &Warpwide<'_>, out: &mut Vec<Piece>, segment: u64, address: u64, bytes: u64) {
    let mut from = address;
    // The address space has an end.
    let end = address.saturating_add(bytes);
    while from < end {
        let block = from & !(segment - 1);
        let until = end.min(block.saturating_add(segment));
        let byte_mask = u128::MAX >> (128 - (until - from)) << (from % 128);
        // Neighbouring lanes mostly touch the same block.
        match out.iter_mut().rev().find(|piece| piece.address == block) {
            Some(piece) => piece.byte_mask |= byte_mask,
            None => out.push(Piece {
                address: block,
                bytes: segment as u32,
                byte_mask,
                write: access.write,
                warp: access.warp,
            }),
        }
        from = until;
    }
}

/// An atomic operation goes round once more for each further lane on the same word.
fn repeat_conflicts(access: &Warpwide<'_>, out: &mut Vec<Piece>) {
    let once = std::mem::take(out);
    for piece in once {
        let end = piece.address.saturating_add(u64::from(piece.bytes));
        let lanes: Vec<u64> = (0..32)
            .filter(|lane| access.mask >> lane & 1 == 1)
            .map(|lane| access.addresses[lane])
            .filter(|address| (piece.address..end).contains(address))
            .collect();
        let rounds = (lanes.iter())
            .map(|address| lanes.iter().filter(|other| *other == address).count())
            .max();
        out.extend(std::iter::repeat_n(piece, rounds.unwrap_or(1)));
    }
}

/// Only the used half of a line or half line travels.
fn shrink(piece: &mut Piece) {
    while piece.bytes > 32 {
        let half = piece.bytes / 2;
        let first = (piece.address % 128) as u32;
        let lower = piece.byte_mask >> first & ((1u128 << half) - 1) != 0;
        let upper = piece.byte_mask >> (first + half) & ((1u128 << half) - 1) != 0;
        match (lower, upper) {
            (true, false) => {}
            (false, true) => piece.address += u64::from(half),
            _ => return,
        }
        piece.bytes = half;
    }
}

/// Cycles that the banks of the scratchpad need: the most distinct words of one bank; at least 1.
pub fn bank_cycles(addresses: &[u64; 32], mask: u32, banks: u32) -> u32 {
    let mut words: [u64; 32] = [0; 32];
    let mut count = 0;
    let mut left = mask;
    let mut in_order = true;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        let word = addresses[lane] / 4;
        in_order &= count == 0 || word == words[count - 1] + 1;
        words[count] = word;
        count += 1;
    }
    if in_order && count <= banks as usize {
        return 1;
    }
    let words = &mut words[..count];
    words.sort_unstable();
    let mut per_bank = [0u32; 32];
    for (nth, &word) in words.iter().enumerate() {
        if nth == 0 || words[nth - 1] != word {
            per_bank[(word % u64::from(banks)) as usize] += 1;
        }
    }
    per_bank.into_iter().max().unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(address: impl Fn(u64) -> u64, width: u64, sectors: bool) -> Vec<Piece> {
        let addresses = std::array::from_fn(|lane| address(lane as u64));
        let request = Warpwide {
            addresses: &addresses,
            mask: !0,
            width,
            contiguous: None,
            words_apart: None,
            sectors,
            write: false,
            atomic: false,
            warp: 0,
        };
        let mut out = Vec::new();
        pieces(&request, &mut out);
        out
    }

    #[test]
    fn consecutive_words_are_four_sectors_or_one_line() {
        let sectors = access(|lane| 0x1000 + 4 * lane, 4, true);
        let starts: Vec<u64> = sectors.iter().map(|piece| piece.address).collect();
        assert_eq!(starts, [0x1000, 0x1020, 0x1040, 0x1060]);
        let lines = access(|lane| 0x1000 + 4 * lane, 4, false);
        assert_eq!((lines.len(), lines[0].bytes), (1, 128));
    }

    #[test]
    fn access_over_the_end_of_a_sector_touches_two() {
        assert_eq!(access(|_| 0x101c, 8, true).len(), 2);
    }

    /// An address for each lane.
    type Pattern = fn(u64) -> u64;

    #[test]
    fn lanes_that_follow_each_other_access_what_each_of_them_does() {
        let patterns: [(&str, Pattern); 6] = [
            ("in order", |lane| 0x1010 + 4 * lane),
            ("backwards", |lane| 0x1100 - 4 * lane),
            ("one word", |_| 0x1044),
            ("pairs", |lane| 0x1004 + lane / 2 * 4),
            ("overlapping", |lane| 0x1000 + 2 * lane),
            ("at the end", |lane| u64::MAX - 67 + 4 * lane.min(16)),
        ];
        for ((name, address), sectors) in
            patterns.into_iter().zip([true, false].into_iter().cycle())
        {
            let mut bytes = std::collections::BTreeSet::new();
            for lane in 0..32 {
                bytes.extend(address(lane)..address(lane).saturating_add(4));
            }
            let mut found = std::collections::BTreeSet::new();
            for piece in access(address, 4, sectors) {
                let line = piece.address & !127;
                found.extend(
                    (0..128)
                        .filter(|bit| piece.byte_mask >> bit & 1 == 1)
                        .map(|bit| line + bit),
                );
            }
            assert_eq!(found, bytes, "{name}");
        }
    }

    #[test]
    fn the_last_word_of_the_address_space_is_accessed() {
        for sectors in [false, true] {
            let last = access(|_| u64::MAX - 3, 4, sectors);
            assert_eq!((last.len(), last[0].address), (1, u64::MAX - 31));
        }
    }

    #[test]
    fn half_used_line_travels_by_half() {
        let upper = access(|lane| 0x1060 + lane % 8 * 4, 4, false);
        assert_eq!((upper[0].address, upper[0].bytes), (0x1060, 32));
    }

    #[test]
    fn stride_of_two_words_needs_two_cycles_and_of_a_line_thirty_two() {
        let cycles = |stride: u64| {
            let addresses = std::array::from_fn(|lane| lane as u64 * stride);
            bank_cycles(&addresses, !0, 32)
        };
        assert_eq!([4, 8, 16, 128, 132, 0].map(cycles), [1, 2, 4, 32, 1, 1]);
    }
}
