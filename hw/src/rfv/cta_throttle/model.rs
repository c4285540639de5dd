//! The obvious way: a list of CTAs with signed balances, and the smallest one searched for.

use super::{CtaThrottleIn, CtaThrottleOut};
use crate::clocked::Clocked;
use crate::pins::bits_for;

/// Plain model of the throttle.
#[derive(Clone, Debug)]
pub struct Model<const CTAS: usize, const PACKS: usize> {
    /// What each CTA may still need; `None` where the slot is not active.
    balance: [Option<i32>; CTAS],
    free_packs: i32,
}

impl<const CTAS: usize, const PACKS: usize> Default for Model<CTAS, PACKS> {
    fn default() -> Self {
        Self {
            balance: [None; CTAS],
            free_packs: 0,
        }
    }
}

impl<const CTAS: usize, const PACKS: usize> Model<CTAS, PACKS> {
    /// What the CTA in `slot` may still need, C - k; `None` if none is active there.
    #[must_use]
    pub fn balance(&self, slot: usize) -> Option<i32> {
        self.balance.get(slot).copied().flatten()
    }

    /// Within what the counters can hold.
    fn saturate(value: i32) -> i32 {
        value.clamp(0, (1 << bits_for(PACKS + 1)) - 1)
    }
}

impl<const CTAS: usize, const PACKS: usize> Clocked for Model<CTAS, PACKS> {
    type In = CtaThrottleIn<CTAS, PACKS>;
    type Out = CtaThrottleOut<CTAS, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let active = || {
            let slots = self.balance.iter().enumerate();
            slots.filter_map(|(slot, balance)| balance.map(|balance| (balance, slot)))
        };
        let Some((smallest, chosen)) = active().min() else {
            return CtaThrottleOut {
                free_packs: self.free_packs as u16,
                ..CtaThrottleOut::default()
            };
        };
        let all = active().fold(0, |mask, (_, slot)| mask | 1 << slot);
        // The second port must assume that the first has taken a pack.
        let [first, second] = [0, 1].map(|taken| {
            if self.free_packs - taken > smallest {
                all
            } else {
                1 << chosen
            }
        });
        let (a, b) = if pins.favor_b {
            (second, first)
        } else {
            (first, second)
        };
        CtaThrottleOut {
            a_may_issue: a,
            b_may_issue: b,
            chosen: chosen as u8,
            throttled: self.free_packs <= smallest,
            spill: self.free_packs < smallest,
            free_packs: self.free_packs as u16,
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        if pins.clear {
            *self = Self::default();
            self.free_packs = pins.pack_count.into();
            return out;
        }
        let mut given = [0; CTAS];
        let mut given_in_all = 0;
        for (cta, take, give) in [
            (pins.a_cta, pins.a_take, pins.a_give),
            (pins.b_cta, pins.b_take, pins.b_give),
        ] {
            let change = i32::from(give) - i32::from(take);
            given[usize::from(cta)] += change;
            given_in_all += change;
        }
        self.free_packs = Self::saturate(self.free_packs + given_in_all);
        for (balance, given) in self.balance.iter_mut().zip(given) {
            *balance = balance.map(|balance| Self::saturate(balance + given));
        }
        if pins.exit {
            self.balance[usize::from(pins.exit_cta)] = None;
        }
        if pins.launch {
            self.balance[usize::from(pins.launch_cta)] = Some(pins.need.into());
        }
        out
    }
}
