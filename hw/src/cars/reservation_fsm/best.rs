//! A tournament of levels: whose CTAs took least? And one step towards it.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// The level with the least average of those that have one; the lower one of equals. `ROUNDS` is `L` - 2, `LESS` is
/// 2 `L` - 2. Each player says where a step towards it leads, so the answer needs no comparison with the winner.
#[derive(LogicBlock, Inputs)]
pub struct Best<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize> {
    /// Averages in cycles,
    pub average: [Signal<In, Bits<32>>; L],
    /// and the levels that have one.
    pub measured: Signal<In, Bits<L>>,
    /// Half of the SM in question.
    pub launch_high: Signal<In, bool>,
    /// Level of the half that began Low.
    pub low: Signal<In, Bits<LW>>,
    /// Level of the half that began High.
    pub high: Signal<In, Bits<LW>>,
    /// Some level has one.
    pub valid: Signal<Out, bool>,
    /// The best level; 0 if none has one.
    pub best: Signal<Out, Bits<LW>>,
    /// The level of the half, one step nearer to the best if it was measured itself.
    pub stepped: Signal<Out, Bits<LW>>,
    mine: Signal<Local, Bits<LW>>,
    mine_up: Signal<Local, Bits<LW>>,
    mine_down: Signal<Local, Bits<LW>>,
    from_mine: Signal<Local, Bits<L>>,
    may_move: Signal<Local, bool>,
    not_lower: Signal<Local, Bits<L>>,
    higher: Signal<Local, Bits<L>>,
    // Levels first, then the winners of each round; the last winner is the output.
    present: [Signal<Local, bool>; LESS],
    cycles: [Signal<Local, Bits<32>>; LESS],
    level: [Signal<Local, Bits<LW>>; LESS],
    towards: [Signal<Local, Bits<LW>>; LESS],
    right_wins: Signal<Local, bool>,
    final_right: Signal<Local, bool>,
    // A comparison as a tree. At first, of each bit: the two differ in it, the left one has it. Each time, a bit takes in
    // twice as many below it, so the top bit is about all in the end. Only the lowest place is asked when all are equal.
    differ: Signal<Local, Bits<32>>,
    left_more: Signal<Local, Bits<32>>,
    step: Constant<Bits<LW>>,
    one: Constant<Bits<L>>,
    all: Constant<Bits<L>>,
    number: [Constant<Bits<LW>>; L],
    below_by: [Constant<Bits<5>>; 5],
    lowest: Constant<Bits<32>>,
}

impl<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize> Default
    for Best<L, LW, ROUNDS, LESS>
{
    fn default() -> Self {
        const { assert!(L == 1 << LW && ROUNDS == L - 2 && LESS == 2 * L - 2) };
        Self {
            average: array::from_fn(|_| Signal::default()),
            measured: Signal::default(),
            launch_high: Signal::default(),
            low: Signal::default(),
            high: Signal::default(),
            valid: Signal::default(),
            best: Signal::default(),
            stepped: Signal::default(),
            mine: Signal::default(),
            mine_up: Signal::default(),
            mine_down: Signal::default(),
            from_mine: Signal::default(),
            may_move: Signal::default(),
            not_lower: Signal::default(),
            higher: Signal::default(),
            present: array::from_fn(|_| Signal::default()),
            cycles: array::from_fn(|_| Signal::default()),
            level: array::from_fn(|_| Signal::default()),
            towards: array::from_fn(|_| Signal::default()),
            right_wins: Signal::default(),
            final_right: Signal::default(),
            differ: Signal::default(),
            left_more: Signal::default(),
            step: Constant::new(1u64.into()),
            one: Constant::new(1u64.into()),
            all: Constant::new(Bits::mask()),
            number: array::from_fn(|i| Constant::new((i as u64).into())),
            lowest: Constant::new(1u64.into()),
            below_by: array::from_fn(|i| Constant::new((1u64 << i).into())),
        }
    }
}

impl<const L: usize, const LW: usize, const ROUNDS: usize, const LESS: usize> Logic
    for Best<L, LW, ROUNDS, LESS>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        // A level is left only if it has been measured.
        self.mine.next = self.low.val();
        if self.launch_high.val() {
            self.mine.next = self.high.val();
        }
        self.mine_up.next = self.mine.val() + self.step.val();
        self.mine_down.next = self.mine.val() - self.step.val();
        self.from_mine.next = self.measured.val() >> self.mine.val();
        self.may_move.next = (self.from_mine.val() & self.one.val()).any();
        self.not_lower.next = self.all.val() << self.mine.val();
        self.higher.next = self.not_lower.val() << 1;
        for i in 0..L {
            self.present[i].next = self.measured.val().get_bit(i);
            self.cycles[i].next = self.average[i].val();
            self.level[i].next = self.number[i].val();
            self.towards[i].next = self.mine.val();
            if self.may_move.val() & self.higher.val().get_bit(i) {
                self.towards[i].next = self.mine_up.val();
            }
            if self.may_move.val() & (!self.not_lower.val().get_bit(i)) {
                self.towards[i].next = self.mine_down.val();
            }
        }
        // Of two the left one, which is lower, unless it was not measured or took more.
        for n in L..(L + 1) {
            for i in 0..ROUNDS {
                self.left_more.next = self.cycles[2 * i].val()
                    & (!(self.cycles[(2 * i) + 1].val() & self.lowest.val()));
                self.differ.next = self.cycles[2 * i].val() ^ self.cycles[(2 * i) + 1].val();
                for s in 0..5 {
                    self.left_more.next = (self.differ.val() & self.left_more.val())
                        | ((!self.differ.val()) & (self.left_more.val() << self.below_by[s].val()));
                    self.differ.next =
                        self.differ.val() | (self.differ.val() << self.below_by[s].val());
                }
                self.right_wins.next = self.present[(2 * i) + 1].val()
                    & ((!self.present[2 * i].val()) | self.left_more.val().get_bit(31));
                self.present[n + i].next =
                    self.present[2 * i].val() | self.present[(2 * i) + 1].val();
                self.cycles[n + i].next = self.cycles[2 * i].val();
                self.level[n + i].next = self.level[2 * i].val();
                self.towards[n + i].next = self.towards[2 * i].val();
                if self.right_wins.val() {
                    self.cycles[n + i].next = self.cycles[(2 * i) + 1].val();
                    self.level[n + i].next = self.level[(2 * i) + 1].val();
                    self.towards[n + i].next = self.towards[(2 * i) + 1].val();
                }
            }
        }
        for n in LESS..(LESS + 1) {
            self.left_more.next =
                self.cycles[n - 2].val() & (!(self.cycles[n - 1].val() & self.lowest.val()));
            self.differ.next = self.cycles[n - 2].val() ^ self.cycles[n - 1].val();
            for s in 0..5 {
                self.left_more.next = (self.differ.val() & self.left_more.val())
                    | ((!self.differ.val()) & (self.left_more.val() << self.below_by[s].val()));
                self.differ.next =
                    self.differ.val() | (self.differ.val() << self.below_by[s].val());
            }
            self.final_right.next = self.present[n - 1].val()
                & ((!self.present[n - 2].val()) | self.left_more.val().get_bit(31));
            self.valid.next = self.present[n - 2].val() | self.present[n - 1].val();
            // Of none that was measured, the lowest.
            self.best.next = self.level[n - 2].val();
            self.stepped.next = self.towards[n - 2].val();
            if self.final_right.val() {
                self.best.next = self.level[n - 1].val();
                self.stepped.next = self.towards[n - 1].val();
            }
        }
    }
}
