//! Theorems about the units of register file virtualization.

use super::Proof;

pub(super) fn proofs() -> Vec<Proof> {
    Vec::new()
}
