//! Which entry a program counter uses: its remainder by ten, five, two or one, without a divider.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// The remainder by 10 is twice the remainder of `pc / 2` by 5, plus the lowest bit.
///
/// By 5 the bits of a number count 1, 2, -1 and -2, again and again. A bit that counts less than 0 is turned over; what
/// that adds is 4 x 1 + 3 x 2, which is nothing. What is left is to count: eleven adders of three bits.
///
/// The remainder by 5 is that of twice the count, which is 3 more if the lowest bit is set; by 2 only that bit counts, by 1
/// nothing does.
#[derive(LogicBlock, Inputs)]
pub struct LineOf<const ENTRIES: usize = 10> {
    /// Program counter.
    pub pc: Signal<In, Bits<16>>,
    /// Its remainder by `ENTRIES`.
    pub line: Signal<Out, Bits<4>>,
    one: [Signal<Local, bool>; 8],
    two: [Signal<Local, bool>; 7],
    // An adder: what it adds, whether the first two differ, the sum, the carry.
    a: [Signal<Local, bool>; 11],
    b: [Signal<Local, bool>; 11],
    c: [Signal<Local, bool>; 11],
    differ: [Signal<Local, bool>; 11],
    sum: [Signal<Local, bool>; 11],
    carry: [Signal<Local, bool>; 11],
    count: Signal<Local, Bits<5>>,
    count_is: [Signal<Local, bool>; 5],
    found: Signal<Local, Bits<4>>,
    no: Constant<bool>,
    no_count: Constant<Bits<5>>,
    count_bit: [Constant<Bits<5>>; 5],
    no_line: Constant<Bits<4>>,
    line_bit: [Constant<Bits<4>>; 4],
    // Bit k of the remainders by 5 of 0 to 31; for five entries, of twice as much.
    rest: [Constant<Bits<32>>; 3],
}

impl<const ENTRIES: usize> Default for LineOf<ENTRIES> {
    fn default() -> Self {
        const { assert!(ENTRIES == 10 || ENTRIES == 5 || ENTRIES == 2 || ENTRIES == 1) };
        let times = if ENTRIES == 5 { 2 } else { 1 };
        let rests = |k: u64| {
            let bits = (0..32u64).map(|n| (((times * n) % 5) >> k & 1) << n);
            bits.sum::<u64>()
        };
        // Bit 0 is the lowest of the counter, the others are of the remainder by 5.
        let place = |i: usize| match (ENTRIES, i) {
            (10, _) => 1u64 << i,
            (5, 1..) => 1 << (i - 1),
            (2, 0) => 1,
            _ => 0,
        };
        Self {
            pc: Signal::default(),
            line: Signal::default(),
            one: array::from_fn(|_| Signal::default()),
            two: array::from_fn(|_| Signal::default()),
            a: array::from_fn(|_| Signal::default()),
            b: array::from_fn(|_| Signal::default()),
            c: array::from_fn(|_| Signal::default()),
            differ: array::from_fn(|_| Signal::default()),
            sum: array::from_fn(|_| Signal::default()),
            carry: array::from_fn(|_| Signal::default()),
            count: Signal::default(),
            count_is: array::from_fn(|_| Signal::default()),
            found: Signal::default(),
            no: Constant::new(false),
            no_count: Constant::new(0u64.into()),
            count_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            no_line: Constant::new(0u64.into()),
            line_bit: array::from_fn(|i| Constant::new(place(i).into())),
            rest: array::from_fn(|k| Constant::new(rests(k as u64).into())),
        }
    }
}

impl<const ENTRIES: usize> Logic for LineOf<ENTRIES> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for i in 0..4 {
            self.one[i].next = self.pc.val().get_bit((4 * i) + 1);
            self.one[i + 4].next = !self.pc.val().get_bit((4 * i) + 3);
            self.two[i].next = self.pc.val().get_bit((4 * i) + 2);
        }
        for i in 0..3 {
            self.two[i + 4].next = !self.pc.val().get_bit((4 * i) + 4);
        }
        // Ones 0 to 5, twos 0 to 5.
        for i in 0..2 {
            self.a[i].next = self.one[3 * i].val();
            self.b[i].next = self.one[(3 * i) + 1].val();
            self.c[i].next = self.one[(3 * i) + 2].val();
            self.a[i + 2].next = self.two[3 * i].val();
            self.b[i + 2].next = self.two[(3 * i) + 1].val();
            self.c[i + 2].next = self.two[(3 * i) + 2].val();
        }
        for i in 0..4 {
            self.differ[i].next = self.a[i].val() ^ self.b[i].val();
            self.sum[i].next = self.differ[i].val() ^ self.c[i].val();
            self.carry[i].next = (self.c[i].val() & self.differ[i].val())
                | (self.a[i].val() & (!self.differ[i].val()));
        }
        // The other ones; the other two with the carries of the ones.
        self.a[4].next = self.one[6].val();
        self.b[4].next = self.one[7].val();
        self.c[4].next = self.sum[0].val();
        self.a[5].next = self.two[6].val();
        self.b[5].next = self.carry[0].val();
        self.c[5].next = self.carry[1].val();
        for i in 4..6 {
            self.differ[i].next = self.a[i].val() ^ self.b[i].val();
            self.sum[i].next = self.differ[i].val() ^ self.c[i].val();
            self.carry[i].next = (self.c[i].val() & self.differ[i].val())
                | (self.a[i].val() & (!self.differ[i].val()));
        }
        // The last of the ones, the twos, and the fours.
        self.a[6].next = self.sum[1].val();
        self.b[6].next = self.sum[4].val();
        self.c[6].next = self.no.val();
        self.a[7].next = self.sum[2].val();
        self.b[7].next = self.sum[3].val();
        self.c[7].next = self.carry[4].val();
        for i in 6..8 {
            self.differ[i].next = self.a[i].val() ^ self.b[i].val();
            self.sum[i].next = self.differ[i].val() ^ self.c[i].val();
            self.carry[i].next = (self.c[i].val() & self.differ[i].val())
                | (self.a[i].val() & (!self.differ[i].val()));
        }
        self.a[8].next = self.sum[5].val();
        self.b[8].next = self.sum[7].val();
        self.c[8].next = self.carry[6].val();
        self.a[9].next = self.carry[2].val();
        self.b[9].next = self.carry[3].val();
        self.c[9].next = self.carry[5].val();
        for i in 8..10 {
            self.differ[i].next = self.a[i].val() ^ self.b[i].val();
            self.sum[i].next = self.differ[i].val() ^ self.c[i].val();
            self.carry[i].next = (self.c[i].val() & self.differ[i].val())
                | (self.a[i].val() & (!self.differ[i].val()));
        }
        self.a[10].next = self.carry[7].val();
        self.b[10].next = self.carry[8].val();
        self.c[10].next = self.sum[9].val();
        for i in 10..11 {
            self.differ[i].next = self.a[i].val() ^ self.b[i].val();
            self.sum[i].next = self.differ[i].val() ^ self.c[i].val();
            self.carry[i].next = (self.c[i].val() & self.differ[i].val())
                | (self.a[i].val() & (!self.differ[i].val()));
        }
        // 0 to 22.
        self.count_is[0].next = self.sum[6].val();
        self.count_is[1].next = self.sum[8].val();
        self.count_is[2].next = self.sum[10].val();
        self.count_is[3].next = self.carry[9].val() ^ self.carry[10].val();
        self.count_is[4].next = self.carry[9].val() & self.carry[10].val();
        self.count.next = self.no_count.val();
        for i in 0..5 {
            if self.count_is[i].val() {
                self.count.next = self.count.val() | self.count_bit[i].val();
            }
        }
        for i in 0..(ENTRIES % 2) {
            if self.pc.val().get_bit(i) {
                self.count.next =
                    (self.count.val() + self.count_bit[0].val()) + self.count_bit[1].val();
            }
        }
        self.found.next = self.no_line.val();
        for i in 0..1 {
            if self.pc.val().get_bit(i) {
                self.found.next = self.found.val() | self.line_bit[i].val();
            }
        }
        for k in 0..3 {
            if self.rest[k].val().get_bit(self.count.val().index()) {
                self.found.next = self.found.val() | self.line_bit[k + 1].val();
            }
        }
        self.line.next = self.found.val();
    }
}
