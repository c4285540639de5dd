//! The obvious way: a list of partners, and numbers divided by the warps of a CTA.

use std::ops::Range;

/// What both locks keep, and who changes it.
#[derive(Clone, Debug)]
pub struct Sharing<const NW: usize, const T: usize> {
    /// The kernel shares.
    pub on: bool,
    partner: [Option<usize>; T],
    /// A bit per CTA that has a partner.
    paired: u64,
    /// A bit per owner warp.
    owners: u64,
}

impl<const NW: usize, const T: usize> Default for Sharing<NW, T> {
    fn default() -> Self {
        Self {
            on: false,
            partner: [None; T],
            paired: 0,
            owners: 0,
        }
    }
}

/// Inputs that concern CTAs, as both locks have them.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// A kernel starts.
    pub clear: bool,
    /// It shares.
    pub share: bool,
    /// Warps of a CTA.
    pub warps_per_cta: usize,
    /// Warps among which those of a lower CTA must be.
    pub lower_warps: usize,
    /// `cta` and `partner` become a pair.
    pub pair: bool,
    /// `cta` ends.
    pub exit: bool,
    /// The CTA.
    pub cta: usize,
    /// Its partner to be.
    pub partner: usize,
}

impl Command {
    /// The warps of `cta`.
    #[must_use]
    pub fn warps(&self, cta: usize) -> Range<usize> {
        cta * self.warps_per_cta..(cta + 1) * self.warps_per_cta
    }

    /// A bit per warp of `cta`, of those that an SM of `slots` warps has.
    #[must_use]
    pub fn warp_bits(&self, cta: usize, slots: usize) -> u64 {
        warp_bits(cta, self.warps_per_cta, slots)
    }

    /// The CTA of `warp` and its place there, if the kernel has such a CTA.
    #[must_use]
    pub fn place(&self, warp: usize) -> Option<(usize, usize)> {
        let cta = warp.checked_div(self.warps_per_cta)?;
        Some((cta, warp % self.warps_per_cta))
    }
}

impl<const NW: usize, const T: usize> Sharing<NW, T> {
    /// The partner of `cta`; `None` if it has none or does not exist.
    #[must_use]
    pub fn partner(&self, cta: usize) -> Option<usize> {
        self.partner.get(cta).copied().flatten()
    }

    /// A bit per CTA that has a partner.
    #[must_use]
    pub fn shared_ctas(&self) -> u64 {
        self.paired
    }

    /// A bit per owner warp.
    #[must_use]
    pub fn owners(&self) -> u64 {
        self.owners
    }

    /// Whether the command makes a pair.
    #[must_use]
    pub fn pairs(&self, command: &Command) -> bool {
        let Command { cta, partner, .. } = *command;
        let free = |cta, other| self.partner(cta).is_none_or(|now| now == other);
        command.pair
            && !command.clear
            && self.on
            && cta < partner
            && cta < T / 2
            && free(cta, partner)
            && free(partner, cta)
            && command.warps(cta).end <= command.lower_warps
            && command.warps(partner).end <= NW
    }

    /// The rising edge. `waiting` are the CTAs of which a warp waits for the partner, in the order of their ports' turns.
    pub fn edge(&mut self, command: &Command, waiting: impl IntoIterator<Item = usize>) {
        let (cta, pairs) = (command.cta, self.pairs(command));
        if command.clear {
            *self = Self {
                on: command.share,
                ..Self::default()
            };
        } else if command.pair {
            if pairs {
                self.partner[cta] = Some(command.partner);
                self.partner[command.partner] = Some(cta);
                self.paired |= 1 << cta | 1 << command.partner;
                self.set_owner(command, cta, false);
                self.set_owner(command, command.partner, false);
            }
        } else if command.exit {
            let was_owner = self.owners & command.warp_bits(cta, NW) != 0;
            if was_owner {
                self.hand_over(command, cta);
            }
        } else if let Some(waits) = waiting.into_iter().next() {
            self.hand_over(command, waits);
        }
    }

    fn hand_over(&mut self, command: &Command, from: usize) {
        self.set_owner(command, from, false);
        if let Some(partner) = self.partner(from) {
            self.set_owner(command, partner, true);
        }
    }

    fn set_owner(&mut self, command: &Command, cta: usize, owner: bool) {
        let warps = command.warp_bits(cta, NW);
        match owner {
            true => self.owners |= warps,
            false => self.owners &= !warps,
        }
    }
}

/// A bit per warp of `cta`, of those that an SM of `slots` warps has.
#[must_use]
pub fn warp_bits(cta: usize, warps_per_cta: usize, slots: usize) -> u64 {
    let (start, end) = (cta * warps_per_cta, (cta + 1) * warps_per_cta);
    lowest(end.min(slots)) & !lowest(start)
}

/// The `count` lowest bits.
fn lowest(count: usize) -> u64 {
    u32::try_from(count)
        .ok()
        .and_then(|count| 1_u64.checked_shl(count))
        .map_or(u64::MAX, |bit| bit - 1)
}
