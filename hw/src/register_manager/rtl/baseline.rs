//! One issue port of an SM that shares nothing.

use crate::common::reg_map::rtl::RegMap48x1024;
use rust_hdl::prelude::*;

/// Every instruction goes on, but for the cycle in which a kernel starts; its registers are where the baseline has them
/// (RegMutex III-B2, Figure 6a). Combinational.
#[derive(LogicBlock, Default)]
pub struct BaselinePort {
    /// A kernel starts.
    pub clear: Signal<In, bool>,
    /// Registers per warp.
    pub coeff: Signal<In, Bits<8>>,
    /// An instruction is issued.
    pub valid: Signal<In, bool>,
    /// Its warp.
    pub warp: Signal<In, Bits<6>>,
    /// Architected register of its first source.
    pub x0: Signal<In, Bits<8>>,
    /// It has one.
    pub x0_valid: Signal<In, bool>,
    /// Architected register of its second source.
    pub x1: Signal<In, Bits<8>>,
    /// It has one.
    pub x1_valid: Signal<In, bool>,
    /// Architected register of its third source.
    pub x2: Signal<In, Bits<8>>,
    /// It has one.
    pub x2_valid: Signal<In, bool>,
    /// Architected register of its destination.
    pub x3: Signal<In, Bits<8>>,
    /// It has one.
    pub x3_valid: Signal<In, bool>,
    /// It goes on.
    pub grant: Signal<Out, bool>,
    /// Pack of its first source.
    pub y0: Signal<Out, Bits<10>>,
    /// It exists.
    pub y0_valid: Signal<Out, bool>,
    /// Pack of its second source.
    pub y1: Signal<Out, Bits<10>>,
    /// It exists.
    pub y1_valid: Signal<Out, bool>,
    /// Pack of its third source.
    pub y2: Signal<Out, Bits<10>>,
    /// It exists.
    pub y2_valid: Signal<Out, bool>,
    /// Pack of its destination.
    pub y3: Signal<Out, Bits<10>>,
    /// It exists.
    pub y3_valid: Signal<Out, bool>,
    map: RegMap48x1024,
    goes: Signal<Local, bool>,
}

impl Logic for BaselinePort {
    #[hdl_gen]
    fn update(&mut self) {
        self.goes.next = self.valid.val() & (!self.clear.val());
        self.grant.next = self.goes.val();
        self.map.widx.next = self.warp.val();
        self.map.coeff.next = self.coeff.val();
        self.map.x0.next = self.x0.val();
        self.map.x0_valid.next = self.x0_valid.val() & self.goes.val();
        self.map.x1.next = self.x1.val();
        self.map.x1_valid.next = self.x1_valid.val() & self.goes.val();
        self.map.x2.next = self.x2.val();
        self.map.x2_valid.next = self.x2_valid.val() & self.goes.val();
        self.map.x3.next = self.x3.val();
        self.map.x3_valid.next = self.x3_valid.val() & self.goes.val();
        self.y0.next = self.map.y0.val();
        self.y0_valid.next = self.map.y0_valid.val();
        self.y1.next = self.map.y1.val();
        self.y1_valid.next = self.map.y1_valid.val();
        self.y2.next = self.map.y2.val();
        self.y2_valid.next = self.map.y2_valid.val();
        self.y3.next = self.map.y3.val();
        self.y3_valid.next = self.map.y3_valid.val();
    }
}
