//! What an instruction asks of the locks, and whether it may ask at all.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// One issue port. A memory instruction of a non-owner warp is held back while the throttle says so; one that names a
/// register beyond the private ones needs the lock of the registers.
#[derive(LogicBlock, Inputs)]
pub struct Demand<const NW: usize, const IW: usize> {
    /// An instruction is issued.
    pub valid: Signal<In, bool>,
    /// It ends its warp.
    pub ends: Signal<In, bool>,
    /// It accesses memory.
    pub memory: Signal<In, bool>,
    /// It accesses the scratchpad.
    pub scratch: Signal<In, bool>,
    /// Its warp.
    pub warp: Signal<In, Bits<IW>>,
    /// Warps in sharing mode.
    pub shared: Signal<In, Bits<NW>>,
    /// Owner warps.
    pub owner: Signal<In, Bits<NW>>,
    /// Non-owner warps may access memory.
    pub memory_allowed: Signal<In, bool>,
    /// Private registers of a warp that shares.
    pub base_regs: Signal<In, Bits<8>>,
    /// Registers that it names.
    pub x: [Signal<In, Bits<8>>; 4],
    /// It names them.
    pub named: [Signal<In, bool>; 4],
    /// It asks.
    pub asks: Signal<Out, bool>,
    /// It asks for the scratchpad.
    pub accesses: Signal<Out, bool>,
    /// The lock of the registers sees a shared register, 1, or a private one, 0.
    pub register: Signal<Out, Bits<8>>,
    /// The first shared register as the lock sees it.
    pub private_regs: Signal<Out, Bits<8>>,
    from_warp: Signal<Local, Bits<NW>>,
    limited: Signal<Local, bool>,
    first_warp: Constant<Bits<NW>>,
    a_private: Constant<Bits<8>>,
    a_shared: Constant<Bits<8>>,
}

impl<const NW: usize, const IW: usize> Default for Demand<NW, IW> {
    fn default() -> Self {
        Self {
            valid: Signal::default(),
            ends: Signal::default(),
            memory: Signal::default(),
            scratch: Signal::default(),
            warp: Signal::default(),
            shared: Signal::default(),
            owner: Signal::default(),
            memory_allowed: Signal::default(),
            base_regs: Signal::default(),
            x: array::from_fn(|_| Signal::default()),
            named: array::from_fn(|_| Signal::default()),
            asks: Signal::default(),
            accesses: Signal::default(),
            register: Signal::default(),
            private_regs: Signal::default(),
            from_warp: Signal::default(),
            limited: Signal::default(),
            first_warp: Constant::new(1u64.into()),
            a_private: Constant::new(0u64.into()),
            a_shared: Constant::new(1u64.into()),
        }
    }
}

impl<const NW: usize, const IW: usize> Logic for Demand<NW, IW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        // Above the last warp there are zeros: a warp that does not exist is not held back here, but by the lock.
        self.from_warp.next = (self.shared.val() & (!self.owner.val())) >> self.warp.val();
        self.limited.next = (self.memory.val() & (!self.memory_allowed.val()))
            & (self.from_warp.val() & self.first_warp.val()).any();
        self.asks.next = self.valid.val() & (self.ends.val() | (!self.limited.val()));
        self.accesses.next =
            (self.valid.val() & (!self.limited.val())) & (self.scratch.val() & (!self.ends.val()));
        self.private_regs.next = self.a_shared.val();
        self.register.next = self.a_private.val();
        for k in 0..4 {
            if self.named[k].val() & (self.x[k].val() >= self.base_regs.val()) {
                self.register.next = self.a_shared.val();
            }
        }
    }
}
