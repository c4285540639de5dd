//! Which of ten entries a program counter uses: its remainder by ten, without a divider.

use rust_hdl::prelude::*;
use std::array;

/// The remainder by 10 is twice the remainder of `pc / 2` by 5, plus the lowest bit. 16 leaves 1 by 5, so the remainder
/// of a number by 5 is that of the sum of its hexadecimal digits.
#[derive(LogicBlock)]
pub struct LineOf {
    /// Program counter.
    pub pc: Signal<In, Bits<16>>,
    /// Its remainder by 10.
    pub line: Signal<Out, Bits<4>>,
    digit: [Signal<Local, Bits<6>>; 4],
    low_digits: Signal<Local, Bits<6>>,
    high_digits: Signal<Local, Bits<6>>,
    digits: Signal<Local, Bits<6>>,
    low: Signal<Local, Bits<5>>,
    high: Signal<Local, Bits<5>>,
    sum: Signal<Local, Bits<5>>,
    fifth: Signal<Local, Bits<3>>,
    twice: Signal<Local, Bits<4>>,
    no_digits: Constant<Bits<6>>,
    digit_bit: [Constant<Bits<6>>; 4],
    no_sum: Constant<Bits<5>>,
    sum_bit: [Constant<Bits<5>>; 4],
    no_line: Constant<Bits<4>>,
    line_bit: [Constant<Bits<4>>; 4],
    five: Constant<Bits<5>>,
    ten: Constant<Bits<5>>,
    fifteen: Constant<Bits<5>>,
    // The same without the bits that a remainder by 5 does not have.
    low_five: Constant<Bits<3>>,
    low_ten: Constant<Bits<3>>,
    low_fifteen: Constant<Bits<3>>,
}

impl Default for LineOf {
    fn default() -> Self {
        Self {
            pc: Signal::default(),
            line: Signal::default(),
            digit: array::from_fn(|_| Signal::default()),
            low_digits: Signal::default(),
            high_digits: Signal::default(),
            digits: Signal::default(),
            low: Signal::default(),
            high: Signal::default(),
            sum: Signal::default(),
            fifth: Signal::default(),
            twice: Signal::default(),
            no_digits: Constant::new(0u64.into()),
            digit_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            no_sum: Constant::new(0u64.into()),
            sum_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            no_line: Constant::new(0u64.into()),
            line_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            five: Constant::new(5u64.into()),
            ten: Constant::new(10u64.into()),
            fifteen: Constant::new(15u64.into()),
            low_five: Constant::new(0b101u64.into()),
            low_ten: Constant::new(0b010u64.into()),
            low_fifteen: Constant::new(0b111u64.into()),
        }
    }
}

impl Logic for LineOf {
    #[hdl_gen]
    fn update(&mut self) {
        // Digits of pc / 2: at most 15 + 15 + 15 + 7 = 52.
        for d in 0..4 {
            self.digit[d].next = self.no_digits.val();
        }
        for d in 0..3 {
            for i in 0..4 {
                if self.pc.val().get_bit(((4 * d) + i) + 1) {
                    self.digit[d].next = self.digit[d].val() | self.digit_bit[i].val();
                }
            }
        }
        for i in 0..3 {
            if self.pc.val().get_bit(i + 13) {
                self.digit[3].next = self.digit[3].val() | self.digit_bit[i].val();
            }
        }
        self.low_digits.next = self.digit[0].val() + self.digit[1].val();
        self.high_digits.next = self.digit[2].val() + self.digit[3].val();
        self.digits.next = self.low_digits.val() + self.high_digits.val();
        // Digits of that: at most 3 + 15 = 18.
        self.low.next = self.no_sum.val();
        for i in 0..4 {
            if self.digits.val().get_bit(i) {
                self.low.next = self.low.val() | self.sum_bit[i].val();
            }
        }
        self.high.next = self.no_sum.val();
        for i in 0..2 {
            if self.digits.val().get_bit(i + 4) {
                self.high.next = self.high.val() | self.sum_bit[i].val();
            }
        }
        self.sum.next = self.low.val() + self.high.val();
        if self.sum.val() >= self.fifteen.val() {
            self.fifth.next = self.sum.val().get_bits::<3>(0) - self.low_fifteen.val();
        } else if self.sum.val() >= self.ten.val() {
            self.fifth.next = self.sum.val().get_bits::<3>(0) - self.low_ten.val();
        } else if self.sum.val() >= self.five.val() {
            self.fifth.next = self.sum.val().get_bits::<3>(0) - self.low_five.val();
        } else {
            self.fifth.next = self.sum.val().get_bits::<3>(0);
        }
        self.twice.next = self.no_line.val();
        for i in 0..3 {
            if self.fifth.val().get_bit(i) {
                self.twice.next = self.twice.val() | self.line_bit[i + 1].val();
            }
        }
        self.line.next = self.twice.val();
        if self.pc.val().get_bit(0) {
            self.line.next = self.twice.val() | self.line_bit[0].val();
        }
    }
}
