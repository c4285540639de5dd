//! What an operand is: exempt, renamed, or no register that the table knows.

use crate::common::compare::Compare;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// Looks at one operand. `HW` bits count a warp's words in a bank, so 2^(`HW` + 2) registers from the first that is not
/// exempt on have a word.
#[derive(LogicBlock, Inputs)]
pub struct Operand<const HW: usize> {
    /// Register.
    pub x: Signal<In, Bits<6>>,
    /// It is wanted, and the warp exists.
    pub wanted: Signal<In, bool>,
    /// Registers below this are not renamed.
    pub exempt: Signal<In, Bits<6>>,
    /// It is exempt.
    pub direct: Signal<Out, bool>,
    /// It is renamed.
    pub renamed: Signal<Out, bool>,
    compare: Lazy<Compare<6>>,
    below: Signal<Local, bool>,
    above: Signal<Local, Bits<6>>,
    reach: Signal<Local, Bits<6>>,
    span: Constant<Bits<3>>,
    no_register: Constant<Bits<6>>,
}

impl<const HW: usize> Default for Operand<HW> {
    fn default() -> Self {
        const { assert!(HW <= 4) };
        Self {
            x: Signal::default(),
            wanted: Signal::default(),
            exempt: Signal::default(),
            direct: Signal::default(),
            renamed: Signal::default(),
            compare: Lazy::new(Compare::strictly()),
            below: Signal::default(),
            above: Signal::default(),
            reach: Signal::default(),
            span: Constant::new((HW as u64 + 2).into()),
            no_register: Constant::new(Bits::mask()),
        }
    }
}

impl<const HW: usize> Logic for Operand<HW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.compare.a.next = self.exempt.val();
        self.compare.b.next = self.x.val();
        self.below.next = self.compare.above.val();
        self.above.next = self.x.val() - self.exempt.val();
        self.reach.next = self.above.val() >> self.span.val();
        self.direct.next = self.wanted.val() & self.below.val();
        self.renamed.next = (self.wanted.val() & (!self.below.val()))
            & ((!self.reach.val().any()) & (self.x.val() != self.no_register.val()));
    }
}
