//! What each bank is to do with the word that it has read.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Collects the orders of the operands that were looked up. The operands of one bank name the same register.
#[derive(LogicBlock, Inputs)]
pub struct Orders {
    /// Banks of the operands' registers.
    pub x: [Signal<In, Bits<2>>; 4],
    /// Operands that were looked up in their bank.
    pub renamed: [Signal<In, bool>; 4],
    /// Operands that release their register: a source that is dead, a destination that is defined anew.
    pub ends: [Signal<In, bool>; 4],
    /// Banks that unmap.
    pub unmap: [Signal<Out, bool>; 4],
    /// Banks that map the destination.
    pub map: [Signal<Out, bool>; 4],
    unmaps: [Signal<Local, bool>; 4],
    yes: Constant<bool>,
    no: Constant<bool>,
    bank: [Constant<Bits<2>>; 4],
}

impl Default for Orders {
    fn default() -> Self {
        Self {
            x: Default::default(),
            renamed: Default::default(),
            ends: Default::default(),
            unmap: Default::default(),
            map: Default::default(),
            unmaps: Default::default(),
            yes: Constant::new(true),
            no: Constant::new(false),
            bank: array::from_fn(|bank| Constant::new((bank as u64).into())),
        }
    }
}

impl Logic for Orders {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        for b in 0..4 {
            self.unmaps[b].next = self.no.val();
            for i in 0..4 {
                if (self.renamed[i].val() & self.ends[i].val())
                    & (self.x[i].val() == self.bank[b].val())
                {
                    self.unmaps[b].next = self.yes.val();
                }
            }
            self.unmap[b].next = self.unmaps[b].val();
            self.map[b].next = self.renamed[3].val() & (self.x[3].val() == self.bank[b].val());
        }
    }
}
