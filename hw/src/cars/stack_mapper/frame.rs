//! What a frame's registers have in common: where they lie, and how many there are.
//!
//! Differences and sums are written place by place, one multiplexer for a carry, where synthesis would take two gates.

use super::FIRST_CALLEE_SAVED;
use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// The frame in control, in the stack of its warp. Combinational. `PW` bits name a pack, `CW` bits count those of a stack.
#[derive(LogicBlock, Inputs)]
pub struct Frame<const PW: usize, const CW: usize> {
    /// The warp has a stack.
    pub launched: Signal<In, bool>,
    /// Frame pointer.
    pub rfp: Signal<In, Bits<PW>>,
    /// Stack pointer.
    pub rsp: Signal<In, Bits<PW>>,
    /// First base pack.
    pub base: Signal<In, Bits<PW>>,
    /// First pack of the stack.
    pub first: Signal<In, Bits<PW>>,
    /// Packs of the stack.
    pub capacity: Signal<In, Bits<CW>>,
    /// Both pointers lie in the stack.
    pub sound: Signal<Out, bool>,
    /// Registers that were pushed.
    pub pushed: Signal<Out, Bits<8>>,
    /// Of these, so many lie before the stack goes on at its first pack.
    pub room: Signal<Out, Bits<8>>,
    /// Where register 0 would lie, for those.
    pub straight: Signal<Out, Bits<PW>>,
    /// And for the others.
    pub around: Signal<Out, Bits<PW>>,
    /// Registers of the base set.
    pub base_regs: Signal<Out, Bits<PW>>,
    /// The base set lies below the stack.
    pub has_base: Signal<Out, bool>,
    /// Pack below the frame.
    pub link_pack: Signal<Out, Bits<PW>>,
    capacity_wide: Signal<Local, Bits<PW>>,
    minuend: [Signal<Local, Bits<PW>>; 5],
    less: [Signal<Local, Bits<PW>>; 5],
    differs: [Signal<Local, Bits<PW>>; 5],
    borrow: [Signal<Local, bool>; 5],
    rest: [Signal<Local, Bits<PW>>; 5],
    frame_offset: Signal<Local, Bits<PW>>,
    apart: [Signal<Local, Bits<PW>>; 2],
    inside: [Signal<Local, bool>; 2],
    frame_place: Signal<Local, Bits<CW>>,
    place: [Signal<Local, Bits<CW>>; 2],
    place_differs: [Signal<Local, Bits<CW>>; 2],
    place_borrow: [Signal<Local, bool>; 2],
    regs: [Signal<Local, Bits<CW>>; 2],
    turned_passes: Signal<Local, Bits<CW>>,
    turned_carry: Signal<Local, bool>,
    turned_regs: Signal<Local, Bits<CW>>,
    frame_regs: Signal<Local, Bits<CW>>,
    at_first: Signal<Local, bool>,
    last_borrow: Signal<Local, bool>,
    last_offset: Signal<Local, Bits<PW>>,
    link_passes: Signal<Local, Bits<PW>>,
    link_carry: Signal<Local, bool>,
    below: Signal<Local, Bits<PW>>,
    in_stack: Signal<Local, bool>,
    pushed_wide: Signal<Local, Bits<8>>,
    room_wide: Signal<Local, Bits<8>>,
    pack_bit: [Constant<Bits<PW>>; PW],
    regs_bit: [Constant<Bits<CW>>; CW],
    bit8: [Constant<Bits<8>>; CW],
    no_regs: Constant<Bits<CW>>,
    zero: Constant<Bits<PW>>,
    zero8: Constant<Bits<8>>,
    ones: Constant<Bits<PW>>,
    callee_saved: Constant<Bits<PW>>,
}

impl<const PW: usize, const CW: usize> Default for Frame<PW, CW> {
    fn default() -> Self {
        Self {
            launched: Signal::default(),
            rfp: Signal::default(),
            rsp: Signal::default(),
            base: Signal::default(),
            first: Signal::default(),
            capacity: Signal::default(),
            sound: Signal::default(),
            pushed: Signal::default(),
            room: Signal::default(),
            straight: Signal::default(),
            around: Signal::default(),
            base_regs: Signal::default(),
            has_base: Signal::default(),
            link_pack: Signal::default(),
            capacity_wide: Signal::default(),
            minuend: Default::default(),
            less: Default::default(),
            differs: Default::default(),
            borrow: Default::default(),
            rest: Default::default(),
            frame_offset: Signal::default(),
            apart: Default::default(),
            inside: Default::default(),
            frame_place: Signal::default(),
            place: Default::default(),
            place_differs: Default::default(),
            place_borrow: Default::default(),
            regs: Default::default(),
            turned_passes: Signal::default(),
            turned_carry: Signal::default(),
            turned_regs: Signal::default(),
            frame_regs: Signal::default(),
            at_first: Signal::default(),
            last_borrow: Signal::default(),
            last_offset: Signal::default(),
            link_passes: Signal::default(),
            link_carry: Signal::default(),
            below: Signal::default(),
            in_stack: Signal::default(),
            pushed_wide: Signal::default(),
            room_wide: Signal::default(),
            pack_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            regs_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            bit8: array::from_fn(|i| Constant::new((1u64 << i).into())),
            no_regs: Constant::new(0u64.into()),
            zero: Constant::new(0u64.into()),
            zero8: Constant::new(0u64.into()),
            ones: Constant::new(((1u64 << PW) - 1).into()),
            callee_saved: Constant::new(u64::from(FIRST_CALLEE_SAVED).into()),
        }
    }
}

impl<const PW: usize, const CW: usize> Logic for Frame<PW, CW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.capacity_wide.next = self.zero.val();
        for i in 0..CW {
            if self.capacity.val().get_bit(i) {
                self.capacity_wide.next = self.capacity_wide.val() | self.pack_bit[i].val();
            }
        }
        // Places in the stack; registers of the base set, below the stack; where register 0 of the frame would lie. Of two
        // bits that differ, the lower number's is the borrow.
        self.minuend[0].next = self.rfp.val();
        self.less[0].next = self.first.val();
        self.minuend[1].next = self.rsp.val();
        self.less[1].next = self.first.val();
        self.minuend[2].next = self.first.val();
        self.less[2].next = self.base.val();
        self.minuend[3].next = self.rfp.val();
        self.less[3].next = self.callee_saved.val();
        for n in 0..4 {
            self.differs[n].next = self.minuend[n].val() ^ self.less[n].val();
            self.borrow[n].next = false;
            self.rest[n].next = self.zero.val();
            for i in 0..PW {
                if self.differs[n].val().get_bit(i) ^ self.borrow[n].val() {
                    self.rest[n].next = self.rest[n].val() | self.pack_bit[i].val();
                }
                self.borrow[n].next = (self.differs[n].val().get_bit(i)
                    & self.less[n].val().get_bit(i))
                    | ((!self.differs[n].val().get_bit(i)) & self.borrow[n].val());
            }
        }
        self.frame_offset.next = self.rest[0].val();
        self.base_regs.next = self.rest[2].val();
        self.has_base.next = !self.borrow[2].val();
        self.straight.next = self.rest[3].val();
        self.minuend[4].next = self.rest[3].val();
        self.less[4].next = self.capacity_wide.val();
        for n in 4..5 {
            self.differs[n].next = self.minuend[n].val() ^ self.less[n].val();
            self.borrow[n].next = false;
            self.rest[n].next = self.zero.val();
            for i in 0..PW {
                if self.differs[n].val().get_bit(i) ^ self.borrow[n].val() {
                    self.rest[n].next = self.rest[n].val() | self.pack_bit[i].val();
                }
                self.borrow[n].next = (self.differs[n].val().get_bit(i)
                    & self.less[n].val().get_bit(i))
                    | ((!self.differs[n].val().get_bit(i)) & self.borrow[n].val());
            }
        }
        self.around.next = self.rest[4].val();

        // Whether the places are in the stack: of the bits that differ, the uppermost decides.
        for n in 0..2 {
            self.apart[n].next = self.rest[n].val() ^ self.capacity_wide.val();
            self.inside[n].next = false;
            for i in 0..PW {
                self.inside[n].next = (self.apart[n].val().get_bit(i)
                    & self.capacity_wide.val().get_bit(i))
                    | ((!self.apart[n].val().get_bit(i)) & self.inside[n].val());
            }
        }
        self.in_stack.next = self.launched.val() & (self.inside[0].val() & self.inside[1].val());

        // So many registers were pushed, and so many fit in until the last pack of the stack; then they go on at the first.
        // Of pointers in the stack, places have no more bits than the capacity.
        self.frame_place.next = self.frame_offset.val().get_bits::<CW>(0);
        self.place[0].next = self.rest[1].val().get_bits::<CW>(0);
        self.place[1].next = self.capacity.val();
        for n in 0..2 {
            self.place_differs[n].next = self.place[n].val() ^ self.frame_place.val();
            self.place_borrow[n].next = false;
            self.regs[n].next = self.no_regs.val();
            for i in 0..CW {
                if self.place_differs[n].val().get_bit(i) ^ self.place_borrow[n].val() {
                    self.regs[n].next = self.regs[n].val() | self.regs_bit[i].val();
                }
                self.place_borrow[n].next = (self.place_differs[n].val().get_bit(i)
                    & self.frame_place.val().get_bit(i))
                    | ((!self.place_differs[n].val().get_bit(i)) & self.place_borrow[n].val());
            }
        }
        self.turned_passes.next = self.regs[0].val() ^ self.capacity.val();
        self.turned_carry.next = false;
        self.turned_regs.next = self.no_regs.val();
        for i in 0..CW {
            if self.turned_passes.val().get_bit(i) ^ self.turned_carry.val() {
                self.turned_regs.next = self.turned_regs.val() | self.regs_bit[i].val();
            }
            self.turned_carry.next = (self.turned_passes.val().get_bit(i)
                & self.turned_carry.val())
                | ((!self.turned_passes.val().get_bit(i)) & self.capacity.val().get_bit(i));
        }
        self.frame_regs.next = self.regs[0].val();
        if self.place_borrow[0].val() {
            self.frame_regs.next = self.turned_regs.val();
        }
        self.pushed_wide.next = self.zero8.val();
        self.room_wide.next = self.zero8.val();
        for i in 0..CW {
            if self.frame_regs.val().get_bit(i) {
                self.pushed_wide.next = self.pushed_wide.val() | self.bit8[i].val();
            }
            if self.regs[1].val().get_bit(i) {
                self.room_wide.next = self.room_wide.val() | self.bit8[i].val();
            }
        }

        self.pushed.next = self.pushed_wide.val();
        self.room.next = self.room_wide.val();

        // The link lies below the frame, which is all ones further; below the first pack is the last.
        self.at_first.next = self.frame_offset.val() == self.zero.val();
        self.last_borrow.next = true;
        self.last_offset.next = self.zero.val();
        for i in 0..CW {
            if self.capacity.val().get_bit(i) ^ self.last_borrow.val() {
                self.last_offset.next = self.last_offset.val() | self.pack_bit[i].val();
            }
            self.last_borrow.next = (!self.capacity.val().get_bit(i)) & self.last_borrow.val();
        }
        if !self.at_first.val() {
            self.last_offset.next = self.ones.val();
        }
        self.link_passes.next = self.rfp.val() ^ self.last_offset.val();
        self.link_carry.next = false;
        self.below.next = self.zero.val();
        for i in 0..PW {
            if self.link_passes.val().get_bit(i) ^ self.link_carry.val() {
                self.below.next = self.below.val() | self.pack_bit[i].val();
            }
            self.link_carry.next = (self.link_passes.val().get_bit(i) & self.link_carry.val())
                | ((!self.link_passes.val().get_bit(i)) & self.rfp.val().get_bit(i));
        }
        self.sound.next = self.in_stack.val();
        self.link_pack.next = self.zero.val();
        if self.in_stack.val() {
            self.link_pack.next = self.below.val();
        }
    }
}
