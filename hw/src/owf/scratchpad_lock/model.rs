//! The obvious way: a bit per CTA that holds, and divisions.

use super::{ScratchpadLockIn, ScratchpadLockOut};
use crate::clocked::Clocked;
use crate::owf::sharing::model::{Command, Sharing, warp_bits};

/// Plain model of the lock.
#[derive(Clone, Debug)]
pub struct Model<const NW: usize, const T: usize> {
    sharing: Sharing<NW, T>,
    holds: [bool; T],
}

impl<const NW: usize, const T: usize> Default for Model<NW, T> {
    fn default() -> Self {
        Self {
            sharing: Sharing::default(),
            holds: [false; T],
        }
    }
}

/// What becomes of a request, looked at alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// No request.
    None,
    /// It needs no lock.
    Direct,
    /// The CTA gets or has the lock that it shares with `partner`.
    Lock { cta: usize, partner: usize },
    /// A warp of this CTA has to wait for the partner.
    Waits(usize),
}

impl<const NW: usize, const T: usize> Model<NW, T> {
    /// Whether `cta` holds its pair's lock.
    #[must_use]
    pub fn holds(&self, cta: usize) -> bool {
        self.holds.get(cta).copied().unwrap_or(false)
    }

    /// A bit per warp of a CTA in sharing mode, with so many warps per CTA, and one per owner warp.
    #[must_use]
    pub fn classes(&self, warps_per_cta: usize) -> (u64, u64) {
        let (mut shared, mut ctas) = (0, self.sharing.shared_ctas());
        while ctas != 0 {
            shared |= warp_bits(ctas.trailing_zeros() as usize, warps_per_cta, NW);
            ctas &= ctas - 1;
        }
        (shared, self.sharing.owners())
    }

    fn command(pins: &ScratchpadLockIn<NW, T>) -> Command {
        Command {
            clear: pins.clear,
            share: pins.share,
            warps_per_cta: pins.warps_per_cta.into(),
            lower_warps: NW,
            pair: pins.pair,
            exit: pins.exit,
            cta: pins.cta.into(),
            partner: pins.partner.into(),
        }
    }

    /// The CTA of `warp` and its partner, if it shares.
    fn pair_of(&self, warp: u8, command: &Command) -> Option<(usize, usize)> {
        let warp = Some(usize::from(warp)).filter(|&warp| warp < NW)?;
        let (cta, _) = command.place(warp)?;
        Some((cta, self.sharing.partner(cta)?))
    }

    /// Figure 4.
    fn answer(&self, valid: bool, warp: u8, private: bool, command: &Command) -> Answer {
        if !valid || command.clear || usize::from(warp) >= NW {
            return Answer::None;
        }
        match self.pair_of(warp, command) {
            None => Answer::Direct,
            Some(_) if private => Answer::Direct,
            Some((cta, partner)) if self.holds(partner) => {
                debug_assert!(!self.holds(cta));
                Answer::Waits(cta)
            }
            Some((cta, partner)) => Answer::Lock { cta, partner },
        }
    }

    fn answers(&self, pins: &ScratchpadLockIn<NW, T>, command: &Command) -> [Answer; 2] {
        [
            (pins.a_valid, pins.a_warp, pins.a_address),
            (pins.b_valid, pins.b_warp, pins.b_address),
        ]
        .map(|(valid, warp, address)| {
            self.answer(valid, warp, address < pins.private_bytes, command)
        })
    }

    /// The low half of a cycle: what is seen, and what the edge makes use of.
    fn cycle(
        &self,
        pins: &ScratchpadLockIn<NW, T>,
    ) -> (ScratchpadLockOut<NW, T>, Command, [Answer; 2]) {
        let command = Self::command(pins);
        let answers = self.answers(pins, &command);
        // Of the two CTAs of a pair one gets the lock.
        let rivals = matches!(answers, [Answer::Lock { partner, .. }, Answer::Lock { cta, .. }] if partner == cta);
        let granted = |answer, loses: bool| match answer {
            Answer::None | Answer::Waits(_) => false,
            Answer::Direct => true,
            Answer::Lock { .. } => !(rivals && loses),
        };
        let held = |warp: u8| {
            let pair = self.pair_of(warp, &command);
            !pins.clear && pair.is_some_and(|(cta, _)| self.holds(cta))
        };
        let (shared, owner) = self.classes(command.warps_per_cta);
        let out = ScratchpadLockOut {
            pair_grant: self.sharing.pairs(&command),
            a_grant: granted(answers[0], pins.favor_b),
            a_held: held(pins.a_warp),
            b_grant: granted(answers[1], !pins.favor_b),
            b_held: held(pins.b_warp),
            sharing: self.sharing.on,
            shared,
            owner,
        };
        (out, command, answers)
    }
}

impl<const NW: usize, const T: usize> Clocked for Model<NW, T> {
    type In = ScratchpadLockIn<NW, T>;
    type Out = ScratchpadLockOut<NW, T>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.cycle(pins).0
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let (out, command, answers) = self.cycle(pins);
        if pins.exit && !pins.pair {
            self.holds[command.cta] = false;
        }
        for (answer, granted) in answers.into_iter().zip([out.a_grant, out.b_grant]) {
            if let (Answer::Lock { cta, .. }, true) = (answer, granted) {
                self.holds[cta] = true;
            }
        }
        let mut waiting = answers.map(|answer| match answer {
            Answer::Waits(cta) => Some(cta),
            _ => None,
        });
        if pins.favor_b {
            waiting.reverse();
        }
        self.sharing.edge(&command, waiting.into_iter().flatten());
        if pins.clear {
            self.holds = [false; T];
        }
        out
    }
}
