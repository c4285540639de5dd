//! More CTAs than can all have what they ever map at once: a warp is given packs only if afterwards the CTAs can still end, in
//! some order, each with all that it may need (RFV 8.1; the banker's algorithm of Dijkstra, EWD 108).
//!
//! The paper compares the free packs of the whole file with the smallest balance of a CTA. As a register can only lie in a pack of
//! its own bank, a bank can run dry while that comparison holds. So what a CTA may need is compared bank by bank, with
//! what is free and what CTAs before it in the order give back when they end. // assumed
//!
//! The whole file is compared as a fifth bank, a little stricter than the throttle in the hardware does it: so the first CTA of
//! the order, which finds its packs whatever it does, is never held back there.

use super::Renaming;
use super::spill::count_of;
use crate::clocked::Clocked;
use crate::ids::WarpSlot;
use crate::rfv::rename_table::BANKS;
use crate::rfv::rfv_top::{RfvTopIn, RfvTopOut};
use std::collections::VecDeque;

/// Packs by which the hardware's comparison is stricter: strictly more free ones, and one for its second port.
pub const MARGIN: u16 = 2;

/// Packs of each bank, and of the whole file.
type Packs = [i32; BANKS + 1];

/// CTAs that have something, or can have.
#[derive(Clone, Debug, Default)]
pub(super) struct Residents {
    /// Their slots, in the order in which they started. A slot is there twice while its last CTA still gives back what it had.
    ctas: VecDeque<u8>,
    /// Warps that have not ended, a bit each.
    running: u64,
}

impl Residents {
    /// A warp starts; `first`: with it its CTA does.
    pub(super) fn start(&mut self, warp: WarpSlot, cta: u8, first: bool) {
        self.running |= 1 << warp.0;
        if first {
            self.ctas.push_back(cta);
        }
    }

    /// A warp has ended.
    pub(super) fn warp_ended(&mut self, warp: WarpSlot) {
        self.running &= !(1 << warp.0);
    }

    /// A CTA has given back all that it had.
    pub(super) fn end(&mut self, cta: u8) {
        if let Some(place) = self.ctas.iter().position(|&of| of == cta) {
            self.ctas.remove(place);
        }
    }
}

/// What a CTA has, and may still need.
#[derive(Clone, Copy)]
struct Account {
    held: Packs,
    claim: Packs,
}

/// Whether the accounts can be closed one after the other, if so many packs are free. A CTA alone needs `alone` at most.
fn is_safe(mut free: Packs, mut open: Vec<Account>, alone: Packs) -> bool {
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

/// With the whole file as one more bank.
fn with_all(banks: [i32; BANKS]) -> Packs {
    let all = banks.iter().sum();
    std::array::from_fn(|bank| banks.get(bank).copied().unwrap_or(all))
}

impl<
    R,
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
> Renaming<R, NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY>
where
    R: Clocked<In = RfvTopIn<NW, T, PACKS>, Out = RfvTopOut<NW, T, PACKS>> + Default,
{
    /// The account of a CTA whose warps map up to `most` registers of each bank.
    fn account(&self, cta: u8, most: [u16; BANKS]) -> Account {
        let warps = usize::from(self.placement.warps_per_cta);
        let first = usize::from(cta) * warps;
        let (mut held, mut claim, mut runs) = ([0; BANKS], [0; BANKS], false);
        for warp in first..NW.min(first + warps) {
            let is_running = self.residents.running >> warp & 1 == 1;
            runs |= is_running;
            for (bank, count) in count_of(self.held(warp)).into_iter().enumerate() {
                held[bank] += count as i32;
                if is_running {
                    claim[bank] += (i32::from(most[bank]) - count as i32).max(0);
                }
            }
        }
        let (held, mut claim) = (with_all(held), with_all(claim));
        claim[BANKS] = match runs {
            true => i32::from(self.placement.need + MARGIN) - held[BANKS],
            false => 0,
        };
        Account { held, claim }
    }

    /// Whether all CTAs can still end if a warp is given packs for the registers `maps`.
    pub(super) fn stays_safe(&self, warp: WarpSlot, maps: u64) -> bool {
        let Some(most) = self.placement.most else {
            return true;
        };
        let warps = i32::from(self.placement.warps_per_cta);
        let mut alone = with_all(most.map(|most| warps * i32::from(most)));
        alone[BANKS] = i32::from(self.placement.need + MARGIN);
        let maps = count_of(maps).map(|count| count as i32);
        let room = self.room();
        let free = with_all(std::array::from_fn(|bank| room[bank] - maps[bank]));
        if free.iter().zip(&alone).all(|(free, alone)| free >= alone) {
            return true;
        }
        let own = self.cta(warp);
        let residents = self.residents.ctas.iter();
        let mut accounts: Vec<Account> = residents.map(|&cta| self.account(cta, most)).collect();
        if let Some(place) = self.residents.ctas.iter().rposition(|&cta| cta == own) {
            let account = &mut accounts[place];
            for (bank, count) in with_all(maps).into_iter().enumerate() {
                account.held[bank] += count;
                account.claim[bank] = (account.claim[bank] - count).max(0);
            }
        }
        is_safe(free, accounts, alone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By trying every order.
    fn some_order_works(free: Packs, open: &[Account]) -> bool {
        open.is_empty()
            || (0..open.len()).any(|next| {
                let fits = (0..=BANKS).all(|bank| free[bank] >= open[next].claim[bank]);
                let mut rest = open.to_vec();
                let closed = rest.remove(next);
                let after = std::array::from_fn(|bank| free[bank] + closed.held[bank]);
                fits && some_order_works(after, &rest)
            })
    }

    fn packs(most: i32) -> impl Strategy<Value = Packs> {
        prop::array::uniform5(0..=most)
    }

    proptest! {
        #[test]
        fn it_finds_an_order_where_there_is_one(
            free in packs(8),
            open in prop::collection::vec((packs(6), packs(12)), 0..6),
        ) {
            let open: Vec<Account> = open.iter().map(|&(held, claim)| Account { held, claim }).collect();
            let most = |bank: usize| open.iter().map(|account| account.claim[bank]).max();
            let alone = std::array::from_fn(|bank| most(bank).unwrap_or(0));
            prop_assert_eq!(is_safe(free, open.clone(), alone), some_order_works(free, &open));
        }
    }

    #[test]
    fn two_that_hold_what_the_other_needs_are_not_safe() {
        let account = |held: [i32; BANKS], claim: [i32; BANKS]| Account {
            held: with_all(held),
            claim: with_all(claim),
        };
        let alone = with_all([4, 4, 0, 0]);
        let crossed = [
            account([3, 0, 0, 0], [0, 3, 0, 0]),
            account([0, 3, 0, 0], [3, 0, 0, 0]),
        ];
        assert!(!is_safe(with_all([1, 1, 0, 0]), crossed.to_vec(), alone));
        // As many packs in all, and of the right banks.
        assert!(is_safe(with_all([1, 3, 0, 0]), crossed.to_vec(), alone));
    }
}
