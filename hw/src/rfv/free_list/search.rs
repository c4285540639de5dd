//! A tournament of chunks: which one holds the pack to offer.

use rust_hdl::prelude::*;
use std::array;

/// Of `C` chunks of `W` packs the lowest one that lies in an awake sub-array and has a free pack; if there is none, the
/// lowest one with a free pack. `PER` chunks are a sub-array, `ROUNDS` is `C` - 2, `LESS` is 2 `C` - 2, `CW` is log2 `C`.
#[derive(LogicBlock)]
pub struct Search<
    const W: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const ROUNDS: usize,
    const LESS: usize,
> {
    /// A bit per pack in use.
    pub taken: [Signal<In, Bits<W>>; C],
    /// Packs that are not offered.
    pub hidden: [Signal<In, Bits<W>>; C],
    /// Sub-arrays that can be used.
    pub awake: Signal<In, Bits<4>>,
    /// The best chunk.
    pub chunk: Signal<Out, Bits<CW>>,
    /// Its packs: a zero is one that may be offered.
    pub word: Signal<Out, Bits<W>>,
    // Chunks first, then the winners of each round; the last winner is the output.
    has_free: [Signal<Local, bool>; LESS],
    has_awake: [Signal<Local, bool>; LESS],
    words: [Signal<Local, Bits<W>>; LESS],
    chunks: [Signal<Local, Bits<CW>>; LESS],
    right_wins: [Signal<Local, bool>; ROUNDS],
    final_right: Signal<Local, bool>,
    number: [Constant<Bits<CW>>; C],
}

impl<
    const W: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const ROUNDS: usize,
    const LESS: usize,
> Default for Search<W, C, CW, PER, ROUNDS, LESS>
{
    fn default() -> Self {
        const { assert!(C == 1 << CW && C == 4 * PER && ROUNDS == C - 2 && LESS == 2 * C - 2) };
        Self {
            taken: array::from_fn(|_| Signal::default()),
            hidden: array::from_fn(|_| Signal::default()),
            awake: Signal::default(),
            chunk: Signal::default(),
            word: Signal::default(),
            has_free: array::from_fn(|_| Signal::default()),
            has_awake: array::from_fn(|_| Signal::default()),
            words: array::from_fn(|_| Signal::default()),
            chunks: array::from_fn(|_| Signal::default()),
            right_wins: array::from_fn(|_| Signal::default()),
            final_right: Signal::default(),
            number: array::from_fn(|k| Constant::new((k as u64).into())),
        }
    }
}

impl<
    const W: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const ROUNDS: usize,
    const LESS: usize,
> Logic for Search<W, C, CW, PER, ROUNDS, LESS>
{
    #[hdl_gen]
    fn update(&mut self) {
        for p in PER..(PER + 1) {
            for s in 0..4 {
                for j in 0..PER {
                    self.words[(p * s) + j].next =
                        self.taken[(p * s) + j].val() | self.hidden[(p * s) + j].val();
                    self.chunks[(p * s) + j].next = self.number[(p * s) + j].val();
                    self.has_free[(p * s) + j].next = !(self.words[(p * s) + j].val().all());
                    self.has_awake[(p * s) + j].next =
                        self.has_free[(p * s) + j].val() & self.awake.val().get_bit(s);
                }
            }
        }
        // Of two the left one, which is lower, unless the right one is better. What has a free pack awake has a free pack.
        for n in C..(C + 1) {
            for i in 0..ROUNDS {
                self.right_wins[i].next = (self.has_awake[(2 * i) + 1].val()
                    & (!self.has_awake[2 * i].val()))
                    | (self.has_free[(2 * i) + 1].val() & (!self.has_free[2 * i].val()));
                self.has_awake[n + i].next =
                    self.has_awake[2 * i].val() | self.has_awake[(2 * i) + 1].val();
                self.has_free[n + i].next =
                    self.has_free[2 * i].val() | self.has_free[(2 * i) + 1].val();
                self.words[n + i].next = self.words[2 * i].val();
                self.chunks[n + i].next = self.chunks[2 * i].val();
                if self.right_wins[i].val() {
                    self.words[n + i].next = self.words[(2 * i) + 1].val();
                    self.chunks[n + i].next = self.chunks[(2 * i) + 1].val();
                }
            }
        }
        for n in LESS..(LESS + 1) {
            self.final_right.next = (self.has_awake[n - 1].val() & (!self.has_awake[n - 2].val()))
                | (self.has_free[n - 1].val() & (!self.has_free[n - 2].val()));
            self.word.next = self.words[n - 2].val();
            self.chunk.next = self.chunks[n - 2].val();
            if self.final_right.val() {
                self.word.next = self.words[n - 1].val();
                self.chunk.next = self.chunks[n - 1].val();
            }
        }
    }
}
