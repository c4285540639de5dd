//! Where an address lies: channel, slice of the second level, bank and row.

use super::polynomial::Folder;
use serde::{Deserialize, Serialize};

/// Bits of an address without its channel that choose bank, row and column; those above choose nothing, so rows that differ in
/// them alone are one (the mappings of GPGPU-Sim's configurations for all three machines).
const NAMED_BITS: u32 = 28;

/// How addresses are spread over the slices of the second level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// By the bits themselves.
    Bits,
    /// The bits modulo an irreducible polynomial (Rau, ISCA 1991).
    Polynomial,
}

/// The mapping. A field of 32-bit masks says which bits of an address are bank and row; the channel is taken out first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddressMap {
    /// Lowest bit of the channel number, 7 ..= 47.
    pub channel_bit: u32,
    /// Bits of the bank number in the address without its channel; the lowest ones also choose the slice of a channel.
    pub bank_bits: Vec<u32>,
    /// Lowest bit of the row number in the address without its channel, 7 ..= 47, above all `bank_bits`; the row goes up to bit 27,
    /// or, from 28 on, to the last one.
    pub row_bit: u32,
    /// How addresses are spread over slices.
    pub spread: Spread,
}

/// Where an address lies in the second level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Slice, of all channels.
    pub slice: u32,
    /// The address without the bits that choose channel and slice: it chooses the set in the slice.
    pub within: u64,
}

/// Where an address lies in the memory of its channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Bank.
    pub bank: u32,
    /// Row of the bank.
    pub row: u64,
}

/// The mapping for a number of channels with `slices` slices each.
#[derive(Clone, Debug)]
pub struct Mapper {
    map: AddressMap,
    channels: u64,
    slices: u64,
    slice_bits: u32,
    hash_bits: u32,
    /// The bits of an address without its channel that choose something.
    named: u64,
    folder: Folder,
}

impl Mapper {
    /// `channels` 1 ..= 64, `slices` a power of two.
    pub fn new(map: &AddressMap, channels: u32, slices: u32) -> Self {
        let hash_bits = channels.next_power_of_two().trailing_zeros() + slices.trailing_zeros();
        Mapper {
            channels: channels.into(),
            slices: slices.into(),
            slice_bits: slices.trailing_zeros(),
            hash_bits,
            named: match map.row_bit < NAMED_BITS {
                true => (1 << NAMED_BITS) - 1,
                false => u64::MAX,
            },
            folder: Folder::new(hash_bits),
            map: map.clone(),
        }
    }

    /// An address without its channel.
    fn rest(&self, address: u64) -> u64 {
        let bit = self.map.channel_bit;
        ((address >> bit) / self.channels) << bit | address & ((1 << bit) - 1)
    }

    /// The lowest `bits` bits of the bank number.
    fn bank(&self, rest: u64, bits: usize) -> u64 {
        let chosen = self.map.bank_bits.iter().take(bits).enumerate();
        chosen.fold(0, |bank, (nth, &from)| bank | (rest >> from & 1) << nth)
    }

    /// Where `address` lies in the memory.
    pub fn cell(&self, address: u64) -> Cell {
        let rest = self.rest(address);
        Cell {
            bank: self.bank(rest, usize::MAX) as u32,
            row: (rest & self.named) >> self.map.row_bit,
        }
    }

    /// Where `address` lies in the second level.
    pub fn place(&self, address: u64) -> Place {
        let upper = address >> self.map.channel_bit;
        let channel = upper % self.channels;
        let rest = self.rest(address);
        let plain = channel * self.slices + self.bank(rest, self.slice_bits as usize);
        let slice = match self.map.spread {
            Spread::Bits => plain,
            Spread::Polynomial => {
                let high = match self.channels.is_power_of_two() {
                    true => upper >> self.hash_bits,
                    false => upper / self.channels,
                };
                self.folder.fold(high, plain) % (self.channels * self.slices)
            }
        };
        let within = (0..self.slice_bits).rev().fold(rest, |rest, nth| {
            let from = self.map.bank_bits[nth as usize];
            let low = rest & ((1 << from) - 1);
            rest >> (from + 1) << from | low
        });
        Place {
            slice: slice as u32,
            within,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(spread: Spread) -> AddressMap {
        AddressMap {
            channel_bit: 8,
            bank_bits: vec![7, 12, 13, 14],
            row_bit: 15,
            spread,
        }
    }

    #[test]
    fn neighbouring_lines_lie_in_neighbouring_slices() {
        let mapper = Mapper::new(&map(Spread::Bits), 2, 2);
        let slices: Vec<u32> = (0..6).map(|n| mapper.place(n * 128).slice).collect();
        assert_eq!(slices, [0, 1, 2, 3, 0, 1]);
    }

    #[test]
    fn addresses_that_differ_in_high_bits_alone_share_a_row() {
        let mapper = Mapper::new(&map(Spread::Bits), 2, 2);
        let row = |address| mapper.cell(address).row;
        // The channel takes a bit.
        assert_ne!(row(0), row(1 << 28));
        assert_eq!(row(0), row(1 << 29));
        assert_eq!(row(5 << 16), row(0x7f00_0000_0000 | 5 << 16));
    }

    #[test]
    fn lines_of_a_slice_differ_in_the_rest() {
        for (spread, channels) in [
            (Spread::Bits, 6),
            (Spread::Polynomial, 32),
            (Spread::Polynomial, 6),
        ] {
            let mapper = Mapper::new(&map(spread), channels, 2);
            let mut seen = std::collections::HashSet::new();
            for line in 0..4096u64 {
                let place = mapper.place(line * 128);
                let bank = mapper.cell(line * 128).bank;
                assert!(place.slice < channels * 2 && bank < 16);
                let unhashed = ((line * 128) >> 8) % u64::from(channels);
                assert!(seen.insert((place.slice, place.within, unhashed)));
            }
        }
    }
}
