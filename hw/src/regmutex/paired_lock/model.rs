//! The obvious way: per pair, remember the holder. The paper's variant forgets which of the two it is.

use super::{PairedLockIn, PairedLockOut};
use crate::clocked::Clocked;
use bitvec::prelude::*;

/// Holder of a pair's extended set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Free,
    Warp(u8),
}

/// Plain model of the variant with a bit per warp.
#[derive(Clone, Debug)]
pub struct WarpBitModel<const NW: usize> {
    holder_of_pair: [Holder; 32],
}

impl<const NW: usize> Default for WarpBitModel<NW> {
    fn default() -> Self {
        Self {
            holder_of_pair: [Holder::Free; 32],
        }
    }
}

impl<const NW: usize> WarpBitModel<NW> {
    /// Whether `warp` holds its pair's set.
    #[must_use]
    pub fn holds(&self, warp: usize) -> bool {
        warp < NW && self.holder_of_pair[warp / 2] == Holder::Warp(warp as u8)
    }

    /// Answer to one request alone, and what the pair's holder becomes.
    fn answer(&self, release: bool, warp: u8) -> (bool, Holder) {
        let now = self.holder_of_pair[usize::from(warp / 2)];
        match (release, now) {
            (false, Holder::Free) => (true, Holder::Warp(warp)),
            (false, Holder::Warp(holder)) => (holder == warp, now),
            (true, Holder::Warp(holder)) if holder == warp => (true, Holder::Free),
            (true, _) => (true, now),
        }
    }
}

/// Plain model of the paper's variant with a bit per pair.
#[derive(Clone, Debug, Default)]
pub struct PairBitModel<const NW: usize> {
    taken: BitArr!(for 32),
}

impl<const NW: usize> PairBitModel<NW> {
    /// Whether the set of `warp`'s pair is taken, by whichever of the two.
    #[must_use]
    pub fn taken(&self, warp: usize) -> bool {
        warp < NW && self.taken[warp / 2]
    }
}

/// The requests of both ports that are looked at, favoured port first: port (0 a, 1 b), release, warp.
fn requests<const NW: usize>(pins: &PairedLockIn<NW>) -> impl Iterator<Item = (usize, bool, u8)> {
    let exists = |warp: u8| usize::from(warp) < NW;
    let a = (pins.a_valid && exists(pins.a_warp)).then_some((0, pins.a_release, pins.a_warp));
    let b_hidden = pins.a_valid && pins.a_warp == pins.b_warp;
    let b = (pins.b_valid && exists(pins.b_warp) && !b_hidden).then_some((
        1,
        pins.b_release,
        pins.b_warp,
    ));
    let order = if pins.favor_b { [b, a] } else { [a, b] };
    order.into_iter().flatten().filter(|_| !pins.clear)
}

impl<const NW: usize> Clocked for WarpBitModel<NW> {
    type In = PairedLockIn<NW>;
    type Out = PairedLockOut<NW>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.clone().edge(pins)
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let [a_held, b_held] = [pins.a_warp, pins.b_warp].map(|warp| self.holds(warp.into()));
        let mut grant = [false; 2];
        let before = self.clone();
        for (port, release, warp) in requests(pins) {
            let (granted, holder) = before.answer(release, warp);
            let pair = &mut self.holder_of_pair[usize::from(warp / 2)];
            let was = before.holder_of_pair[usize::from(warp / 2)];
            // Of two acquires of a free set the favoured one came first and took it.
            if granted && holder != was && *pair != was {
                continue;
            }
            grant[port] = granted;
            if holder != was {
                *pair = holder;
            }
        }
        if pins.clear {
            *self = Self::default();
        }
        PairedLockOut {
            a_grant: grant[0],
            a_held,
            b_grant: grant[1],
            b_held,
        }
    }
}

impl<const NW: usize> Clocked for PairBitModel<NW> {
    type In = PairedLockIn<NW>;
    type Out = PairedLockOut<NW>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.clone().edge(pins)
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let [a_held, b_held] = [pins.a_warp, pins.b_warp].map(|warp| self.taken(warp.into()));
        let mut grant = [false; 2];
        let before = self.clone();
        for (port, release, warp) in requests(pins) {
            let pair = usize::from(warp / 2);
            let was_taken = before.taken[pair];
            grant[port] = release || !(was_taken || self.taken[pair]);
            if release && was_taken {
                self.taken.set(pair, false);
            } else if grant[port] && !release {
                self.taken.set(pair, true);
            }
        }
        if pins.clear {
            *self = Self::default();
        }
        PairedLockOut {
            a_grant: grant[0],
            a_held,
            b_grant: grant[1],
            b_held,
        }
    }
}
