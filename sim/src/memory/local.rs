//! Local memory: private to a thread, interleaved by words so that the lanes of a warp that name the same
//! offset share a line.

/// Where local memory lies for the cache and the memory: away from everything else. // assumed
pub const LOCAL_BASE: u64 = 1 << 62;

/// Bytes that the 32 lanes of a warp take for one word each.
const ROW_BYTES: u64 = 128;

/// Local memory of all warp slots of an SM.
#[derive(Clone, Debug)]
pub struct LocalMemory {
    words: Vec<u8>,
    bytes_per_thread: u64,
    /// Bytes that a kernel can access; the others are a trap handler's.
    kernel_bytes: u64,
}

impl LocalMemory {
    /// Local memory of `bytes_per_thread` (rounded up to words) for the threads of `warps` warp slots, all zero.
    pub fn new(warps: usize, bytes_per_thread: u32) -> Self {
        Self::with_handler(warps, bytes_per_thread, 0)
    }

    /// As [`LocalMemory::new`], with `handler_words` words for a trap handler behind those of the kernel.
    pub fn with_handler(warps: usize, bytes_per_thread: u32, handler_words: u32) -> Self {
        let kernel_bytes = u64::from(bytes_per_thread).next_multiple_of(4);
        let bytes_per_thread = kernel_bytes + 4 * u64::from(handler_words);
        LocalMemory {
            words: vec![0; warps * (bytes_per_thread * 32) as usize],
            bytes_per_thread,
            kernel_bytes,
        }
    }

    /// Bytes of one thread that the kernel can access.
    pub fn kernel_bytes(&self) -> u64 {
        self.kernel_bytes
    }

    /// A new warp moves in and finds zeros.
    pub fn clear(&mut self, warp: usize) {
        let bytes = (self.bytes_per_thread * 32) as usize;
        self.words[warp * bytes..(warp + 1) * bytes].fill(0);
    }

    /// Whether `bytes` at `offset` of a thread's local memory exist.
    #[inline]
    pub fn holds(&self, offset: u64, bytes: u64) -> bool {
        offset
            .checked_add(bytes)
            .is_some_and(|end| end <= self.kernel_bytes)
    }

    /// Where the byte at `offset` of a lane's local memory lies among those of all warp slots. Bytes of one word
    /// stay together.
    #[inline]
    pub fn place(&self, warp: usize, lane: usize, offset: u64) -> u64 {
        warp as u64 * self.bytes_per_thread * 32
            + offset / 4 * ROW_BYTES
            + lane as u64 * 4
            + offset % 4
    }

    /// Reads `bytes` (1, 2, 4 or 8, naturally aligned, existing) as a little-endian number.
    pub fn read(&self, warp: usize, lane: usize, offset: u64, bytes: u64) -> u64 {
        (0..bytes).rev().fold(0, |value, byte| {
            let at = self.place(warp, lane, offset + byte) as usize;
            value << 8 | u64::from(self.words[at])
        })
    }

    /// Writes the low `bytes` (1, 2, 4 or 8, naturally aligned, existing) of `value`, little-endian.
    pub fn write(&mut self, warp: usize, lane: usize, offset: u64, bytes: u64, value: u64) {
        for byte in 0..bytes {
            let at = self.place(warp, lane, offset + byte) as usize;
            self.words[at] = (value >> (8 * byte)) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_offset_in_all_lanes_of_a_warp_fills_one_line() {
        let local = LocalMemory::new(2, 12);
        let places: Vec<_> = (0..32).map(|lane| local.place(1, lane, 8)).collect();
        assert_eq!(places[0] % ROW_BYTES, 0);
        assert!((0..32).all(|lane| places[lane] == places[0] + 4 * lane as u64));
    }

    #[test]
    fn threads_do_not_see_each_other() {
        let mut local = LocalMemory::new(2, 16);
        for warp in 0..2 {
            for lane in 0..32 {
                let mark = (warp * 32 + lane) as u64 * 0x0001_0001_0001;
                local.write(warp, lane, 8, 8, mark);
            }
        }
        assert_eq!(local.read(1, 3, 8, 8), 35 * 0x0001_0001_0001);
        assert_eq!(local.read(1, 3, 0, 8), 0);
        local.clear(1);
        assert_eq!(local.read(1, 3, 8, 8), 0);
        assert_eq!(local.read(0, 3, 8, 8), 3 * 0x0001_0001_0001);
    }

    #[test]
    fn access_behind_the_end_does_not_exist() {
        let local = LocalMemory::new(1, 6);
        assert!(local.holds(4, 4));
        assert!(!local.holds(8, 1));
        assert!(!local.holds(u64::MAX, 4));
    }
}
