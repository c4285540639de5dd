//! A tournament of levels: whose CTAs took least?

use rust_hdl::prelude::*;
use std::array;

/// The level with the least average of those that have one; the lower one of equals. `ROUNDS` is `L` - 2, `LESS` is
/// 2 `L` - 2.
#[derive(LogicBlock)]
pub struct Best<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize> {
    /// Averages in cycles,
    pub average: [Signal<In, Bits<32>>; L],
    /// and the levels that have one.
    pub measured: Signal<In, Bits<L>>,
    /// Some level has one.
    pub valid: Signal<Out, bool>,
    /// The best level; 0 if none has one.
    pub best: Signal<Out, Bits<LW>>,
    // Levels first, then the winners of each round; the last winner is the output.
    present: [Signal<Local, bool>; LESS],
    cycles: [Signal<Local, Bits<32>>; LESS],
    level: [Signal<Local, Bits<LW>>; LESS],
    right_wins: [Signal<Local, bool>; ROUNDS],
    final_right: Signal<Local, bool>,
    number: [Constant<Bits<LW>>; L],
}

impl<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize> Default
    for Best<L, LW, ROUNDS, LESS>
{
    fn default() -> Self {
        const { assert!(L == 1 << LW && ROUNDS == L - 2 && LESS == 2 * L - 2) };
        Self {
            average: array::from_fn(|_| Signal::default()),
            measured: Signal::default(),
            valid: Signal::default(),
            best: Signal::default(),
            present: array::from_fn(|_| Signal::default()),
            cycles: array::from_fn(|_| Signal::default()),
            level: array::from_fn(|_| Signal::default()),
            right_wins: array::from_fn(|_| Signal::default()),
            final_right: Signal::default(),
            number: array::from_fn(|i| Constant::new((i as u64).into())),
        }
    }
}

impl<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize> Logic
    for Best<L, LW, ROUNDS, LESS>
{
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..L {
            self.present[i].next = self.measured.val().get_bit(i);
            self.cycles[i].next = self.average[i].val();
            self.level[i].next = self.number[i].val();
        }
        // Of two the left one, which is lower, unless it was not measured or took more.
        for n in L..(L + 1) {
            for i in 0..ROUNDS {
                self.right_wins[i].next = self.present[(2 * i) + 1].val()
                    & ((!self.present[2 * i].val())
                        | (self.cycles[(2 * i) + 1].val() < self.cycles[2 * i].val()));
                self.present[n + i].next =
                    self.present[2 * i].val() | self.present[(2 * i) + 1].val();
                self.cycles[n + i].next = self.cycles[2 * i].val();
                self.level[n + i].next = self.level[2 * i].val();
                if self.right_wins[i].val() {
                    self.cycles[n + i].next = self.cycles[(2 * i) + 1].val();
                    self.level[n + i].next = self.level[(2 * i) + 1].val();
                }
            }
        }
        for n in LESS..(LESS + 1) {
            self.final_right.next = self.present[n - 1].val()
                & ((!self.present[n - 2].val())
                    | (self.cycles[n - 1].val() < self.cycles[n - 2].val()));
            self.valid.next = self.present[n - 2].val() | self.present[n - 1].val();
            self.best.next = self.level[n - 2].val();
            if self.final_right.val() {
                self.best.next = self.level[n - 1].val();
            }
        }
    }
}
