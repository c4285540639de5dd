//! What lies between the ports and the top of register file virtualization: narrower ids, one answer for two ports.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// Ids of 8 bits for a table of 63 registers. An id that it has no word for, 64 and more, becomes 63, which has none either.
#[derive(LogicBlock, Inputs)]
pub struct RfvIds {
    /// Architected register of the first source.
    pub x0: Signal<In, Bits<8>>,
    /// Architected register of the second source.
    pub x1: Signal<In, Bits<8>>,
    /// Architected register of the third source.
    pub x2: Signal<In, Bits<8>>,
    /// Architected register of the destination.
    pub x3: Signal<In, Bits<8>>,
    /// The same for the table.
    pub r0: Signal<Out, Bits<6>>,
    /// The same for the table.
    pub r1: Signal<Out, Bits<6>>,
    /// The same for the table.
    pub r2: Signal<Out, Bits<6>>,
    /// The same for the table.
    pub r3: Signal<Out, Bits<6>>,
    none: Constant<Bits<6>>,
}

impl Default for RfvIds {
    fn default() -> Self {
        Self {
            x0: Signal::default(),
            x1: Signal::default(),
            x2: Signal::default(),
            x3: Signal::default(),
            r0: Signal::default(),
            r1: Signal::default(),
            r2: Signal::default(),
            r3: Signal::default(),
            none: Constant::new(63u64.into()),
        }
    }
}

impl Logic for RfvIds {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.r0.next = self.x0.val().get_bits::<6>(0);
        if self.x0.val().get_bit(6) | self.x0.val().get_bit(7) {
            self.r0.next = self.none.val();
        }
        self.r1.next = self.x1.val().get_bits::<6>(0);
        if self.x1.val().get_bit(6) | self.x1.val().get_bit(7) {
            self.r1.next = self.none.val();
        }
        self.r2.next = self.x2.val().get_bits::<6>(0);
        if self.x2.val().get_bit(6) | self.x2.val().get_bit(7) {
            self.r2.next = self.none.val();
        }
        self.r3.next = self.x3.val().get_bits::<6>(0);
        if self.x3.val().get_bit(6) | self.x3.val().get_bit(7) {
            self.r3.next = self.none.val();
        }
    }
}

/// The answer of the table as one port sees it: 0 unless the port is the one that is answered. `PW` bits are a pack.
#[derive(LogicBlock, Inputs)]
pub struct RfvAnswer<const PW: usize> {
    /// The answer is for this port.
    pub answers: Signal<In, bool>,
    /// The destination finds no free pack.
    pub starved: Signal<In, bool>,
    /// Pack of the first source, 0 if it has none.
    pub y0: Signal<In, Bits<PW>>,
    /// It has one.
    pub y0_valid: Signal<In, bool>,
    /// It is awake.
    pub y0_awake: Signal<In, bool>,
    /// Pack of the second source, 0 if it has none.
    pub y1: Signal<In, Bits<PW>>,
    /// It has one.
    pub y1_valid: Signal<In, bool>,
    /// It is awake.
    pub y1_awake: Signal<In, bool>,
    /// Pack of the third source, 0 if it has none.
    pub y2: Signal<In, Bits<PW>>,
    /// It has one.
    pub y2_valid: Signal<In, bool>,
    /// It is awake.
    pub y2_awake: Signal<In, bool>,
    /// Pack of the destination, 0 if it has none.
    pub y3: Signal<In, Bits<PW>>,
    /// It has one.
    pub y3_valid: Signal<In, bool>,
    /// It is awake.
    pub y3_awake: Signal<In, bool>,
    /// `starved` of this port.
    pub own_starved: Signal<Out, bool>,
    /// `y0` of this port.
    pub own_y0: Signal<Out, Bits<PW>>,
    /// `y0_valid` of this port.
    pub own_y0_valid: Signal<Out, bool>,
    /// `y0_awake` of this port.
    pub own_y0_awake: Signal<Out, bool>,
    /// `y1` of this port.
    pub own_y1: Signal<Out, Bits<PW>>,
    /// `y1_valid` of this port.
    pub own_y1_valid: Signal<Out, bool>,
    /// `y1_awake` of this port.
    pub own_y1_awake: Signal<Out, bool>,
    /// `y2` of this port.
    pub own_y2: Signal<Out, Bits<PW>>,
    /// `y2_valid` of this port.
    pub own_y2_valid: Signal<Out, bool>,
    /// `y2_awake` of this port.
    pub own_y2_awake: Signal<Out, bool>,
    /// `y3` of this port.
    pub own_y3: Signal<Out, Bits<PW>>,
    /// `y3_valid` of this port.
    pub own_y3_valid: Signal<Out, bool>,
    /// `y3_awake` of this port.
    pub own_y3_awake: Signal<Out, bool>,
    no_pack: Constant<Bits<PW>>,
}

impl<const PW: usize> Default for RfvAnswer<PW> {
    fn default() -> Self {
        Self {
            answers: Signal::default(),
            starved: Signal::default(),
            y0: Signal::default(),
            y0_valid: Signal::default(),
            y0_awake: Signal::default(),
            y1: Signal::default(),
            y1_valid: Signal::default(),
            y1_awake: Signal::default(),
            y2: Signal::default(),
            y2_valid: Signal::default(),
            y2_awake: Signal::default(),
            y3: Signal::default(),
            y3_valid: Signal::default(),
            y3_awake: Signal::default(),
            own_starved: Signal::default(),
            own_y0: Signal::default(),
            own_y0_valid: Signal::default(),
            own_y0_awake: Signal::default(),
            own_y1: Signal::default(),
            own_y1_valid: Signal::default(),
            own_y1_awake: Signal::default(),
            own_y2: Signal::default(),
            own_y2_valid: Signal::default(),
            own_y2_awake: Signal::default(),
            own_y3: Signal::default(),
            own_y3_valid: Signal::default(),
            own_y3_awake: Signal::default(),
            no_pack: Constant::new(0u64.into()),
        }
    }
}

impl<const PW: usize> Logic for RfvAnswer<PW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.own_starved.next = self.starved.val() & self.answers.val();
        self.own_y0_valid.next = self.y0_valid.val() & self.answers.val();
        self.own_y0_awake.next = self.y0_awake.val() & self.answers.val();
        self.own_y1_valid.next = self.y1_valid.val() & self.answers.val();
        self.own_y1_awake.next = self.y1_awake.val() & self.answers.val();
        self.own_y2_valid.next = self.y2_valid.val() & self.answers.val();
        self.own_y2_awake.next = self.y2_awake.val() & self.answers.val();
        self.own_y3_valid.next = self.y3_valid.val() & self.answers.val();
        self.own_y3_awake.next = self.y3_awake.val() & self.answers.val();
        self.own_y0.next = self.no_pack.val();
        self.own_y1.next = self.no_pack.val();
        self.own_y2.next = self.no_pack.val();
        self.own_y3.next = self.no_pack.val();
        if self.answers.val() {
            self.own_y0.next = self.y0.val();
            self.own_y1.next = self.y1.val();
            self.own_y2.next = self.y2.val();
            self.own_y3.next = self.y3.val();
        }
    }
}
