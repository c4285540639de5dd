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

/// [`fold`] for a number of bits, byte by byte out of tables: folding distributes over exclusive or.
#[derive(Clone, Debug)]
pub struct Folder(Arc<[[u8; 256]; 8]>);

impl Folder {
    /// For an index of `bits` bits (0 ..= 8).
    pub fn new(bits: u32) -> Self {
        let powers: [u8; 64] = std::array::from_fn(|bit| fold(1 << bit, 0, bits) as u8);
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
                assert_eq!(folder.fold(upper, index), fold(upper, index, bits));
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
