//! Theorems about the units of CARS.

use super::Proof;

pub(super) fn proofs() -> Vec<Proof> {
    Vec::new()
}
