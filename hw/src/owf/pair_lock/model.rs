//! The obvious way: who holds a lock is a bit per warp, and the partner of a warp is computed by division.

use super::{PairLockIn, PairLockOut};
use crate::clocked::Clocked;
use crate::owf::sharing::model::{Command, Sharing};

/// Plain model of the lock.
#[derive(Clone, Debug)]
pub struct Model<const NW: usize, const T: usize> {
    sharing: Sharing<NW, T>,
    /// A bit per warp in sharing mode.
    shared: u64,
    /// A bit per warp that holds its pair's lock.
    holds: u64,
    deadlock_rule: bool,
}

impl<const NW: usize, const T: usize> Default for Model<NW, T> {
    fn default() -> Self {
        Self {
            sharing: Sharing::default(),
            shared: 0,
            holds: 0,
            deadlock_rule: true,
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
    /// The warp gets or has the lock of its pair, in which `partner` is the other warp.
    Lock { warp: usize, partner: usize },
    /// The warp of this CTA has to wait for the partner's CTA.
    Waits(usize),
}

/// One port's pins.
#[derive(Clone, Copy)]
struct Ask {
    valid: bool,
    exit: bool,
    warp: u8,
    reg: u8,
}

/// The low half of a cycle: what is seen, and what the edge makes use of.
struct Cycle<const NW: usize, const T: usize> {
    out: PairLockOut<NW, T>,
    command: Command,
    asks: [Ask; 2],
    answers: [Answer; 2],
}

impl<const NW: usize, const T: usize> Model<NW, T> {
    /// A lock without the rule that avoids the deadlock of Figure 5: only the lock of the pair itself counts. It shows what
    /// the rule is for.
    #[must_use]
    pub fn without_deadlock_rule() -> Self {
        Self {
            deadlock_rule: false,
            ..Self::default()
        }
    }

    /// Whether `warp` holds its pair's lock.
    #[must_use]
    pub fn holds(&self, warp: usize) -> bool {
        warp < NW && self.holds >> warp & 1 == 1
    }

    /// A bit per warp in sharing mode, and one per owner warp.
    #[must_use]
    pub fn classes(&self) -> (u64, u64) {
        (self.shared, self.sharing.owners())
    }

    fn shares(&self, warp: usize) -> bool {
        warp < NW && self.shared >> warp & 1 == 1
    }

    /// The lower warp of the pair of `warp`; `None` if `warp` is that one or shares with nobody.
    fn lower(&self, warp: usize, command: &Command) -> Option<usize> {
        let (cta, place) = command.place(warp).filter(|_| !command.clear)?;
        let other = self.sharing.partner(cta)?;
        (self.shares(warp) && other < cta).then(|| command.warps(other).start + place)
    }

    fn command(pins: &PairLockIn<NW, T>) -> Command {
        Command {
            clear: pins.clear,
            share: pins.share,
            warps_per_cta: pins.warps_per_cta.into(),
            lower_warps: NW / 2,
            pair: pins.pair,
            exit: pins.exit,
            cta: pins.cta.into(),
            partner: pins.partner.into(),
        }
    }

    fn asks(pins: &PairLockIn<NW, T>) -> [Ask; 2] {
        [
            Ask {
                valid: pins.a_valid,
                exit: pins.a_exit,
                warp: pins.a_warp,
                reg: pins.a_reg,
            },
            Ask {
                valid: pins.b_valid,
                exit: pins.b_exit,
                warp: pins.b_warp,
                reg: pins.b_reg,
            },
        ]
    }

    /// Figure 3.
    fn answer(&self, ask: Ask, private_regs: u8, command: &Command) -> Answer {
        let warp = usize::from(ask.warp);
        if !ask.valid || command.clear || warp >= NW {
            return Answer::None;
        }
        if ask.exit || !self.shares(warp) || ask.reg < private_regs {
            return Answer::Direct;
        }
        let Some((cta, place)) = command.place(warp) else {
            return Answer::None;
        };
        let Some(other) = self.sharing.partner(cta) else {
            return Answer::None;
        };
        let partner = command.warps(other).start + place;
        let must_wait = if self.deadlock_rule {
            self.holds & command.warp_bits(other, NW) != 0
        } else {
            self.holds(partner)
        };
        if must_wait && !self.holds(warp) {
            Answer::Waits(cta)
        } else {
            Answer::Lock { warp, partner }
        }
    }

    /// Whether of two requests for locks only one can be served: never may two CTAs of a pair hold locks.
    fn rivals(&self, [a, b]: [Answer; 2], command: &Command) -> bool {
        let (Answer::Lock { warp, partner }, Answer::Lock { warp: other, .. }) = (a, b) else {
            return false;
        };
        let cta = |warp| command.place(warp).map(|(cta, _)| cta);
        if self.deadlock_rule {
            cta(partner) == cta(other)
        } else {
            debug_assert!(warp < NW);
            partner == other
        }
    }

    /// The low half of a cycle.
    fn cycle(&self, pins: &PairLockIn<NW, T>) -> Cycle<NW, T> {
        let command = Self::command(pins);
        let asks = Self::asks(pins);
        let answers = asks.map(|ask| self.answer(ask, pins.private_regs, &command));
        let rivals = self.rivals(answers, &command);
        let [a_grant, b_grant] = [(answers[0], pins.favor_b), (answers[1], !pins.favor_b)].map(
            |(answer, other_wins)| match answer {
                Answer::None | Answer::Waits(_) => false,
                Answer::Direct => true,
                Answer::Lock { .. } => !(rivals && other_wins),
            },
        );
        let held = |warp: u8| !pins.clear && self.holds(warp.into());
        let lower = |warp: u8| self.lower(warp.into(), &command);
        let home = |warp| lower(warp).map_or(warp, |lower| lower as u8);
        let out = PairLockOut {
            pair_grant: self.sharing.pairs(&command),
            a_grant,
            a_held: held(pins.a_warp),
            a_upper: lower(pins.a_warp).is_some(),
            a_home: home(pins.a_warp),
            b_grant,
            b_held: held(pins.b_warp),
            b_upper: lower(pins.b_warp).is_some(),
            b_home: home(pins.b_warp),
            sharing: self.sharing.on,
            shared: self.classes().0,
            owner: self.classes().1,
        };
        Cycle {
            out,
            command,
            asks,
            answers,
        }
    }
}

impl<const NW: usize, const T: usize> Clocked for Model<NW, T> {
    type In = PairLockIn<NW, T>;
    type Out = PairLockOut<NW, T>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.cycle(pins).out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let Cycle {
            out,
            command,
            asks,
            answers,
        } = self.cycle(pins);
        if out.pair_grant {
            for cta in [command.cta, command.partner] {
                self.shared |= command.warp_bits(cta, NW);
            }
        }
        for (ask, answer) in asks.iter().zip(answers) {
            if ask.exit && answer == Answer::Direct {
                self.holds &= !(1 << ask.warp);
            }
        }
        for (answer, granted) in answers.into_iter().zip([out.a_grant, out.b_grant]) {
            if let (Answer::Lock { warp, .. }, true) = (answer, granted) {
                self.holds |= 1 << warp;
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
            self.shared = 0;
            self.holds = 0;
        }
        out
    }
}
