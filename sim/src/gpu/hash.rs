//! A hash map for addresses: one multiplication, and the same order of work on every machine.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Multiplies by an odd constant and folds the halves.
#[derive(Clone, Copy, Debug, Default)]
pub struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.0 ^ value) * 0x9e37_79b9_7f4a_7c15_u128;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}

/// A map from addresses. It is never iterated, so its order cannot show.
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<AddressHasher>>;
