//! Among whose registers those of a pair lie.

use rust_hdl::prelude::*;
use std::array;

/// The warp itself, or of an upper one the lower warp of its pair, which has the number of their lock. `LW` bits are a lock.
#[derive(LogicBlock)]
pub struct Home<const IW: usize, const LW: usize> {
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// It is of the upper CTA of its pair.
    pub upper: Signal<In, bool>,
    /// The lock of its pair.
    pub lock: Signal<In, Bits<LW>>,
    /// The warp that has the registers.
    pub home: Signal<Out, Bits<IW>>,
    lower: Signal<Local, Bits<IW>>,
    first: Constant<Bits<IW>>,
    warp_bit: [Constant<Bits<IW>>; LW],
}

impl<const IW: usize, const LW: usize> Default for Home<IW, LW> {
    fn default() -> Self {
        Self {
            warp: Signal::default(),
            upper: Signal::default(),
            lock: Signal::default(),
            home: Signal::default(),
            lower: Signal::default(),
            first: Constant::new(0u64.into()),
            warp_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
        }
    }
}

impl<const IW: usize, const LW: usize> Logic for Home<IW, LW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.lower.next = self.first.val();
        for i in 0..LW {
            if self.lock.val().get_bit(i) {
                self.lower.next = self.lower.val() | self.warp_bit[i].val();
            }
        }
        self.home.next = self.warp.val();
        if self.upper.val() {
            self.home.next = self.lower.val();
        }
    }
}
