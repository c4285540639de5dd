//! From the 32 addresses of a warp's access to the lines it touches.

/// Bytes of a cache line: what one access of the first-level cache covers (Fermi).
pub const LINE_BYTES: u64 = 128;
/// Bytes of a sector: the least that memory moves (Fermi).
pub const SECTOR_BYTES: u64 = 32;

/// One line touched by a warp's access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineAccess {
    /// Address of the line's first byte.
    pub line: u64,
    /// Bit `s` is set when the sector at byte `s * SECTOR_BYTES` is touched.
    pub sectors: u8,
}

impl LineAccess {
    /// Bytes that memory moves when only the touched sectors travel.
    pub fn sector_bytes(self) -> u32 {
        self.sectors.count_ones() * SECTOR_BYTES as u32
    }
}

/// Adds the piece of `bytes` (1 ..= 32, not crossing a line) at `address` to the lines of the access.
#[inline]
pub fn touch(lines: &mut Vec<LineAccess>, address: u64, bytes: u64) {
    let line = address & !(LINE_BYTES - 1);
    let first = (address % LINE_BYTES) / SECTOR_BYTES;
    let last = (address % LINE_BYTES + bytes - 1).min(LINE_BYTES - 1) / SECTOR_BYTES;
    let sectors = ((1u16 << (last + 1)) - (1u16 << first)) as u8;
    // Neighbouring lanes mostly fall into the line of the lane before.
    match lines.iter_mut().rev().find(|known| known.line == line) {
        Some(known) => known.sectors |= sectors,
        None => lines.push(LineAccess { line, sectors }),
    }
}

/// The lines of a warp's access, in the order of the first lane that touches each.
pub fn coalesce(lines: &mut Vec<LineAccess>, addresses: &[u64; 32], active: u32, bytes: u64) {
    lines.clear();
    let mut left = active;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        touch(lines, addresses[lane], bytes);
    }
}

/// Most lanes that name the same address: how often an atomic operation goes round for them one by one.
pub fn most_lanes_on_one_address(addresses: &[u64; 32], active: u32) -> u32 {
    let mut most = 0;
    let mut left = active;
    while left != 0 {
        let first = addresses[left.trailing_zeros() as usize];
        let same = (0..32).fold(0u32, |mask, lane| {
            mask | u32::from(addresses[lane] == first) << lane
        }) & left;
        most = most.max(same.count_ones());
        left &= !same;
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(address: impl Fn(u64) -> u64, active: u32, bytes: u64) -> Vec<LineAccess> {
        let addresses = std::array::from_fn(|lane| address(lane as u64));
        let mut lines = Vec::new();
        coalesce(&mut lines, &addresses, active, bytes);
        lines
    }

    #[test]
    fn consecutive_words_of_a_warp_are_one_line() {
        let lines = lines_of(|lane| 0x1000 + 4 * lane, !0, 4);
        assert_eq!(
            lines,
            [LineAccess {
                line: 0x1000,
                sectors: 0b1111
            }]
        );
    }

    #[test]
    fn words_shifted_by_one_touch_a_second_line() {
        assert_eq!(lines_of(|lane| 0x1004 + 4 * lane, !0, 4).len(), 2);
    }

    #[test]
    fn stride_of_a_line_touches_one_line_per_active_lane() {
        assert_eq!(lines_of(|lane| 128 * lane, 0xff, 4).len(), 8);
    }

    #[test]
    fn doubles_of_a_warp_are_two_lines() {
        assert_eq!(lines_of(|lane| 8 * lane, !0, 8).len(), 2);
    }

    #[test]
    fn only_touched_sectors_are_marked() {
        let lines = lines_of(|lane| 0x2040 + lane, 0xffff, 1);
        assert_eq!(lines[0].sectors, 0b0100);
        assert_eq!(lines[0].sector_bytes(), 32);
    }

    #[test]
    fn inactive_lanes_touch_nothing() {
        assert_eq!(lines_of(|lane| 128 * lane, 0, 4), []);
    }

    #[test]
    fn lanes_on_one_address_are_counted() {
        let addresses = std::array::from_fn(|lane| if lane < 20 { 64 } else { lane as u64 });
        assert_eq!(most_lanes_on_one_address(&addresses, !0), 20);
        assert_eq!(most_lanes_on_one_address(&addresses, 0xfff0_0000), 1);
    }
}
