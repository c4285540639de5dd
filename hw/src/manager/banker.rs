//! Whether several that share packs can still end, one after the other, each with all that it may need: the banker's algorithm
//! (Dijkstra, EWD 108), for packs of several kinds.

use crate::rfv::rename_table::BANKS;

/// Packs of each bank, and of the whole file.
pub type Packs = [i32; BANKS + 1];

/// What a CTA has, and may still need.
#[derive(Clone, Copy, Debug)]
pub struct Account {
    /// Packs that it has.
    pub held: Packs,
    /// Packs that it may still need.
    pub claim: Packs,
}

/// Whether the accounts can be closed one after the other, if so many packs are free. None ever claims more than `alone`.
pub fn is_safe(mut free: Packs, mut open: Vec<Account>, alone: Packs) -> bool {
    let covers =
        |free: &Packs, claim: &Packs| free.iter().zip(claim).all(|(free, claim)| free >= claim);
    while !open.is_empty() && !covers(&free, &alone) {
        let Some(next) = open
            .iter()
            .position(|account| covers(&free, &account.claim))
        else {
            return false;
        };
        let closed = open.swap_remove(next);
        for (free, held) in free.iter_mut().zip(closed.held) {
            *free += held;
        }
    }
    true
}
