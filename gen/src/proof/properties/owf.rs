//! Theorems about the units of resource sharing.

use super::Proof;

pub(super) fn proofs() -> Vec<Proof> {
    Vec::new()
}
