//! How many CTAs share (resource sharing, III-C).

/// Share of a pair's registers or scratchpad that belongs to both CTAs, in per cent: 100 (1 - t).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percent(u8);

impl Percent {
    /// The largest: t must be above 0.
    pub const MAX: u8 = 99;

    /// 0 ..= 99; 0 shares nothing.
    #[must_use]
    pub const fn new(percent: u8) -> Option<Percent> {
        if percent > Percent::MAX {
            return None;
        }
        Some(Percent(percent))
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// `amount` t in hundredths.
    fn private_hundredths(self, amount: u32) -> u64 {
        u64::from(amount) * u64::from(100 - self.0)
    }

    /// What a CTA or warp with `amount` has for itself: `amount` t, rounded up, since the registers below that bound are
    /// private (Figure 3).
    #[must_use]
    pub fn private(self, amount: u32) -> u32 {
        self.private_hundredths(amount).div_ceil(100) as u32
    }

    /// The same, rounded down.
    #[must_use]
    pub fn private_floor(self, amount: u32) -> u32 {
        (self.private_hundredths(amount) / 100) as u32
    }
}

impl Default for Percent {
    /// t = 0.1, which the paper evaluates (VI).
    fn default() -> Self {
        Percent(90)
    }
}

/// CTAs of an SM: in pairs that share, and alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedCtas {
    /// CTAs that share with nobody, U.
    pub unshared: u32,
    /// Pairs, S.
    pub pairs: u32,
}

impl SharedCtas {
    /// Of a resource of which an SM has `available` and a CTA needs `needed`, when everything else allows `most` CTAs.
    ///
    /// U + S = floor(R / Rtb), and S is as large as U Rtb + S Rtb (1 + t) <= R allows.
    #[must_use]
    pub fn new(available: u32, needed: u32, percent: Percent, most: u32) -> SharedCtas {
        let alone = available.checked_div(needed).unwrap_or(most);
        if alone >= most {
            return SharedCtas {
                unshared: most,
                pairs: 0,
            };
        }
        let left = u64::from(available - alone * needed) * 100;
        let pairs = (left / percent.private_hundredths(needed)) as u32;
        let pairs = pairs.min(alone).min(most - alone);
        SharedCtas {
            unshared: alone - pairs,
            pairs,
        }
    }

    /// M = U + 2 S.
    #[must_use]
    pub fn total(self) -> u32 {
        self.unshared + 2 * self.pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(available: u32, needed: u32, percent: u8, most: u32) -> u32 {
        let percent = Percent::new(percent).unwrap();
        SharedCtas::new(available, needed, percent, most).total()
    }

    #[test]
    fn the_example_of_the_paper_gives_four_ctas() {
        // III-A: 35 K registers, CTAs of 10 K; U = 2, S = 1 at t = 0.5.
        let got = SharedCtas::new(35 * 1024, 10 * 1024, Percent(50), 8);
        assert_eq!((got.unshared, got.pairs, got.total()), (2, 1, 4));
    }

    #[test]
    fn hotspot_runs_six_ctas_instead_of_three() {
        assert_eq!(total(32768, 256 * 36, 90, 6), 6);
        assert_eq!(total(32768, 256 * 36, 0, 6), 3);
    }

    #[test]
    fn pairs_never_exceed_what_fits_alone() {
        // SRAD1 at 90 %: the equation alone gives 6.
        assert_eq!(total(16384, 6144, 90, 6), 4);
    }

    #[test]
    fn what_is_not_the_limit_is_not_shared() {
        assert_eq!(SharedCtas::new(1024, 64, Percent(90), 6).pairs, 0);
        assert_eq!(SharedCtas::new(1024, 0, Percent(90), 6).unshared, 6);
    }

    #[test]
    fn a_kernel_of_which_not_one_fits_gets_none() {
        assert_eq!(SharedCtas::new(1024, 1025, Percent(90), 6).total(), 0);
    }

    #[test]
    fn private_registers_are_those_below_the_bound() {
        assert_eq!(Percent(90).private(36), 4);
        assert_eq!(Percent(90).private(40), 4);
        assert_eq!(Percent(0).private(36), 36);
        assert_eq!(Percent::new(100), None);
    }

    #[test]
    fn what_is_shared_fits_for_every_size_and_threshold() {
        for available in [16, 512, 1024, 2048u32] {
            for needed in 1..300 {
                for percent in 0..=Percent::MAX {
                    let percent = Percent(percent);
                    let got = SharedCtas::new(available, needed, percent, 64);
                    let hundredths = u64::from(got.unshared + got.pairs) * u64::from(needed) * 100
                        + u64::from(got.pairs) * percent.private_hundredths(needed);
                    assert!(hundredths <= u64::from(available) * 100);
                    // One more pair does not fit, unless the bounds forbid it.
                    let more = hundredths + percent.private_hundredths(needed);
                    let bound = got.unshared == 0 || got.total() == 64;
                    assert!(bound || more > u64::from(available) * 100);
                }
            }
        }
    }
}
