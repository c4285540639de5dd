//! More CTAs than can all have what they ever map at once: a warp is given packs only if afterwards the CTAs can still end, in
//! some order, each with all that it may need (RFV 8.1).
//!
//! The paper compares the free packs of the whole file with the smallest balance of a CTA. As a register can only lie in a pack of
//! its own bank, a bank can run dry while that comparison holds. So what a CTA may need is compared bank by bank, with
//! what is free and what CTAs before it in the order give back when they end. // assumed
//!
//! The whole file is compared as a fifth bank, a little stricter than the throttle in the hardware does it: so the first CTA of
//! the order, which finds its packs whatever it does, is never held back there.

use super::Renaming;
use super::spill::count_of;
use crate::ids::WarpSlot;
use crate::manager::banker::{Account, Packs, is_safe};
use crate::rfv::rename_table::BANKS;
use std::collections::VecDeque;

/// Packs by which the hardware's comparison is stricter: strictly more free ones, and one for its second port.
pub const MARGIN: u16 = 2;

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

/// With the whole file as one more bank.
fn with_all(banks: [i32; BANKS]) -> Packs {
    let all = banks.iter().sum();
    std::array::from_fn(|bank| banks.get(bank).copied().unwrap_or(all))
}

impl<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
> Renaming<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY>
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
