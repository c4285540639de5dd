//! Pseudo-random interleaving: the address as a polynomial over GF(2), modulo an irreducible one (Rau, ISCA 1991).

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

#[cfg(test)]
mod tests {
    use super::*;

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
