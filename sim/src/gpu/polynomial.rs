//! Pseudo-random interleaving: the address as a polynomial over GF(2), modulo an irreducible one (Rau, ISCA 1991).

use std::sync::Arc;

/// Irreducible polynomials of degree 1 to 8, the bit of the highest power included.
const IRREDUCIBLE: [u64; 9] = [
    1,
    0b11,
    0b111,
    0b1011,
    0b1_0011,
    0b10_0101,
    0b100_0011,
    0b1000_0011,
    0b1_0001_1011,
];

/// How many bits above an index of so many bits are folded; those above them choose nothing (the equations of GPGPU-Sim for 16, 32
/// and 64 places, `hashing.cc`; the others have no equations there).
const FOLDED: [u32; 9] = [64, 64, 64, 64, 13, 15, 19, 64, 64];

/// Folds the bits of an address above its index into the index of `bits` bits (0 ..= 8).
pub fn fold(upper: u64, index: u64, bits: u32) -> u64 {
    let divisor = IRREDUCIBLE[bits.min(8) as usize];
    let mut rest = u128::from(upper) << bits | u128::from(index);
    while rest >> bits != 0 {
        let top = 127 - rest.leading_zeros();
        rest ^= u128::from(divisor) << (top - bits);
    }
    rest as u64
}

/// [`fold`] of the lowest bits above the index for a number of bits, byte by byte out of tables: folding distributes over exclusive or.
#[derive(Clone, Debug)]
pub struct Folder(Arc<[[u8; 256]; 8]>);

impl Folder {
    /// For an index of `bits` bits (0 ..= 8).
    pub fn new(bits: u32) -> Self {
        let folded = FOLDED[bits.min(8) as usize] as usize;
        let powers: [u8; 64] = std::array::from_fn(|bit| match bit < folded {
            true => fold(1 << bit, 0, bits) as u8,
            false => 0,
        });
        let table = |place: usize| {
            let mut table = [0; 256];
            for byte in 1..256usize {
                let bit = byte.trailing_zeros() as usize + 8 * place;
                table[byte] = table[byte & (byte - 1)] ^ powers[bit];
            }
            table
        };
        Folder(Arc::new(std::array::from_fn(table)))
    }

    /// Folds `upper` into an index below two to the number of bits.
    pub fn fold(&self, upper: u64, index: u64) -> u64 {
        let bytes = upper.to_le_bytes().into_iter().zip(self.0.iter());
        index ^ u64::from(bytes.fold(0, |folded, (byte, table)| folded ^ table[usize::from(byte)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_fold_as_the_division_does() {
        for bits in 0..=8 {
            let folder = Folder::new(bits);
            for step in 0..2000u64 {
                let upper = step.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let index = step & ((1 << bits) - 1);
                let folded = upper & u64::MAX >> (64 - FOLDED[bits as usize]);
                assert_eq!(folder.fold(upper, index), fold(folded, index, bits));
            }
        }
    }

    /// Which bits above the index each bit of the result is the exclusive or of, lowest first, in GPGPU-Sim's `hashing.cc`.
    #[test]
    fn bits_are_those_of_the_peers_equations() {
        let of_16 = [
            vec![0, 3, 4, 6, 8, 9, 10, 11],
            vec![0, 1, 3, 5, 6, 7, 8, 12],
            vec![1, 2, 4, 6, 7, 8, 9],
            vec![2, 3, 5, 7, 8, 9, 10],
        ];
        let of_32 = [
            vec![0, 3, 5, 6, 9, 10, 11, 12, 13],
            vec![1, 4, 6, 7, 10, 11, 12, 13, 14],
            vec![0, 2, 3, 6, 7, 8, 9, 10, 14],
            vec![1, 3, 4, 7, 8, 9, 10, 11],
            vec![2, 4, 5, 8, 9, 10, 11, 12],
        ];
        let of_64 = [
            vec![0, 5, 6, 10, 12, 15, 16, 17, 18],
            vec![0, 1, 5, 7, 10, 11, 12, 13, 15],
            vec![1, 2, 6, 8, 11, 12, 13, 14, 16],
            vec![2, 3, 7, 9, 12, 13, 14, 15, 17],
            vec![3, 4, 8, 10, 13, 14, 15, 16, 18],
            vec![4, 5, 9, 11, 14, 15, 16, 17],
        ];
        for (bits, equations) in [(4, &of_16[..]), (5, &of_32), (6, &of_64)] {
            let folder = Folder::new(bits);
            for (to, from) in equations.iter().enumerate() {
                let found = (0..64).filter(|&bit| folder.fold(1 << bit, 0) >> to & 1 == 1);
                assert_eq!(found.collect::<Vec<u32>>(), *from, "bit {to} of {bits}");
            }
        }
    }

    #[test]
    fn address_below_the_modulus_is_its_own_index() {
        assert!((0..32).all(|index| fold(0, index, 5) == index));
    }

    #[test]
    fn every_power_of_two_stride_reaches_every_bank() {
        for shift in 0..20 {
            let mut seen = 0u64;
            for step in 0..32u64 {
                let address = step << shift;
                seen |= 1 << fold(address >> 5, address & 31, 5);
            }
            assert_eq!(seen.count_ones(), 32, "stride 2^{shift}");
        }
    }

    #[test]
    fn x_to_the_fifth_is_x_squared_plus_one() {
        assert_eq!(fold(1, 0, 5), 0b101);
    }
}
