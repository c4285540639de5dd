//! Blocks under trial whose names, arrays, paths, loops or memories go wrong, and their cures.
#![allow(missing_docs)]

use super::blocks::*;
use rust_hdl::prelude::*;

block!(TwoDimensions { a: InBits<8>, parts: [[LocalBits<8>; 2]; 2], o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..2 {
            for j in 0..2 {
                self.parts[i][j].next = self.a.val();
            }
        }
        self.o.next = self.a.val();
    }
);
block!(OneDimension { a: InBits<8>, parts: [LocalBits<8>; 4], o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..2 {
            for j in 0..2 {
                self.parts[i * 2 + j].next = self.a.val();
            }
        }
        self.o.next = self.parts[3].val();
    }
);
block!(DynamicIndex { a: InBits<8>, i: InBits<1>, parts: [LocalBits<8>; 2], o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.parts[0].next = self.a.val();
        self.parts[1].next = !self.a.val();
        self.o.next = self.parts[self.i.val().index()].val();
    }
);
block!(DynamicIndexRepaired { a: InBits<8>, i: InBits<1>, parts: [LocalBits<8>; 2], o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.parts[0].next = self.a.val();
        self.parts[1].next = !self.a.val();
        self.o.next = self.parts[0].val();
        for p in 1..2 {
            if self.i.val().any() {
                self.o.next = self.parts[p].val();
            }
        }
    }
);
block!(ReadFirst { a: InBits<8>, held: LocalBits<8>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.held.val();
        self.held.next = self.a.val();
    }
);
block!(ReadFirstRepaired { a: InBits<8>, held: LocalBits<8>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.held.next = self.a.val();
        self.held.next = self.held.val() + 1;
        self.o.next = self.held.val() - 1;
    }
);
block!(ReadInOneArm { a: InBits<8>, f: InBit, held: LocalBits<8>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        if self.f.val() {
            self.held.next = self.a.val();
            self.o.next = self.held.val();
        } else {
            self.o.next = self.held.val();
            self.held.next = !self.a.val();
        }
    }
);
block!(KeywordPort { release: InBit, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = !self.release.val();
    }
);
block!(KeywordPortRepaired { release_now: InBit, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = !self.release_now.val();
    }
);
block!(KeywordInstance { a: InBits<8>, table: CastlessCopy, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.table.a.next = self.a.val();
        self.o.next = self.table.o.val();
    }
);
block!(KeywordInstanceRepaired { a: InBits<8>, map: CastlessCopy, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.map.a.next = self.a.val();
        self.o.next = self.map.o.val();
    }
);
block!(CastlessCopy { a: InBits<8>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val();
    }
);
block!(AccentPort { clé: InBit, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = !self.clé.val();
    }
);
block!(Latch { a: InBits<8>, f: InBit, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        if self.f.val() {
            self.o.next = self.a.val();
        }
    }
);
block!(LatchRepaired { a: InBits<8>, f: InBit, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = 0.into();
        if self.f.val() {
            self.o.next = self.a.val();
        }
    }
);

/// Three variants in two bits.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum Three {
    One,
    Two,
    Many,
}

block!(ThreeWay { a: InBits<2>, state: Signal<Local, Three>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.state.next = Three::One;
        if self.a.val() == 1 {
            self.state.next = Three::Two;
        } else if self.a.val() == 2 {
            self.state.next = Three::Many;
        }
        match self.state.val() {
            Three::One => self.o.next = 1.into(),
            Three::Two => self.o.next = 2.into(),
            Three::Many => self.o.next = 3.into(),
        }
    }
);
block!(ThreeWayRepaired { a: InBits<2>, state: Signal<Local, Three>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.state.next = Three::One;
        if self.a.val() == 1 {
            self.state.next = Three::Two;
        } else if self.a.val() == 2 {
            self.state.next = Three::Many;
        }
        match self.state.val() {
            Three::One => self.o.next = 1.into(),
            Three::Two => self.o.next = 2.into(),
            _ => self.o.next = 3.into(),
        }
    }
);
block!(ConstantOnly { a: InBits<8>, part: LocalBits<8>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.part.next = 3.into();
        self.o.next = self.part.val();
    }
);
block!(ConstantOnlyRepaired { a: InBits<8>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = 3.into();
        if self.a.val() == 3 {
            self.o.next = self.a.val();
        }
    }
);
block!(LibraryRam { clock: Signal<In, Clock>, address: InBits<2>, ram: RAM<Bits<8>, 2>, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.ram.read_clock.next = self.clock.val();
        self.ram.write_clock.next = self.clock.val();
        self.ram.read_address.next = self.address.val();
        self.ram.write_address.next = self.address.val();
        self.ram.write_data.next = 0.into();
        self.ram.write_enable.next = false;
        self.o.next = self.ram.read_data.val();
    }
);
block!(FilledRam { clock: Signal<In, Clock>, address: InBits<2>, ram: ZeroRam, o: OutBits<8> }
    #[hdl_gen]
    fn update(&mut self) {
        self.ram.clock.next = self.clock.val();
        self.ram.address.next = self.address.val();
        self.o.next = self.ram.data.val();
    }
);

/// A memory that begins, and stays, zero.
#[derive(LogicBlock, Default)]
pub struct ZeroRam {
    pub clock: Signal<In, Clock>,
    pub address: InBits<2>,
    pub data: OutBits<8>,
}

impl Logic for ZeroRam {
    fn update(&mut self) {
        self.data.next = 0.into();
    }
    fn connect(&mut self) {
        self.data.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "reg [7:0] mem [0:3];\ninteger i;\ninitial begin\n  data = 8'd0;\n  \
             for (i = 0; i < 4; i = i + 1) mem[i] = 8'd0;\nend\nalways @(posedge clock) data <= mem[address];"
                .into(),
        )
    }
}

block!(InclusiveLoop { a: InBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = false;
        for i in 0..=7 {
            if self.a.val().get_bit(i) {
                self.o.next = true;
            }
        }
    }
);
block!(InclusiveLoopRepaired { a: InBits<8>, o: OutBit }
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = false;
        for i in 0..8 {
            if self.a.val().get_bit(i) {
                self.o.next = true;
            }
        }
    }
);

#[derive(LogicBlock, Default)]
pub struct BareGeneric<const N: usize> {
    pub a: InBits<8>,
    pub o: OutBit,
}

impl<const N: usize> Logic for BareGeneric<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val().get_bit(N);
    }
}

#[derive(LogicBlock, Default)]
pub struct BareGenericRepaired<const N: usize> {
    pub a: InBits<8>,
    pub o: OutBit,
}

impl<const N: usize> Logic for BareGenericRepaired<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = false;
        for n in N..(N + 1) {
            self.o.next = self.a.val().get_bit(n);
        }
    }
}
