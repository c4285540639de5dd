//! Where the pointers lie in the window of the warp, and how large the frames are that they bound.
//!
//! Places are counted from the first pack of the window. Once a pointer is known to lie inside, the low bits of its
//! place are all of it.

use rust_hdl::prelude::*;
use std::array;

/// Measures the frame in control and the caller's.
#[derive(LogicBlock)]
pub struct Frame<const PW: usize, const CW: usize> {
    /// RFP of the warp.
    pub rfp: Signal<In, Bits<PW>>,
    /// RSP of the warp.
    pub rsp: Signal<In, Bits<PW>>,
    /// The caller's RFP.
    pub link: Signal<In, Bits<PW>>,
    /// First pack of the window.
    pub first: Signal<In, Bits<PW>>,
    /// Packs of the window.
    pub capacity: Signal<In, Bits<CW>>,
    /// The window ends in the register file.
    pub fits: Signal<Out, bool>,
    /// RFP and RSP lie in the window.
    pub in_window: Signal<Out, bool>,
    /// The link lies in the window.
    pub link_inside: Signal<Out, bool>,
    /// Packs from RSP to the end of the window, if RSP is inside.
    pub to_end: Signal<Out, Bits<CW>>,
    /// Registers in the frame in control, if RFP and RSP are inside.
    pub regs: Signal<Out, Bits<CW>>,
    /// Registers in the caller's frame, if RFP and the link are inside.
    pub caller_regs: Signal<Out, Bits<CW>>,
    size: Signal<Local, Bits<PW>>,
    above: Signal<Local, Bits<PW>>,
    frame_offset: Signal<Local, Bits<PW>>,
    top_offset: Signal<Local, Bits<PW>>,
    link_offset: Signal<Local, Bits<PW>>,
    frame_place: Signal<Local, Bits<CW>>,
    top_place: Signal<Local, Bits<CW>>,
    link_place: Signal<Local, Bits<CW>>,
    back_from: Signal<Local, Bits<CW>>,
    back_place: Signal<Local, Bits<CW>>,
    turned: Signal<Local, Bits<CW>>,
    caller_turned: Signal<Local, Bits<CW>>,
    pack_bit: [Constant<Bits<PW>>; CW],
    no_packs: Constant<Bits<PW>>,
    none: Constant<Bits<CW>>,
    one: Constant<Bits<CW>>,
}

impl<const PW: usize, const CW: usize> Default for Frame<PW, CW> {
    fn default() -> Self {
        Self {
            rfp: Signal::default(),
            rsp: Signal::default(),
            link: Signal::default(),
            first: Signal::default(),
            capacity: Signal::default(),
            fits: Signal::default(),
            in_window: Signal::default(),
            link_inside: Signal::default(),
            to_end: Signal::default(),
            regs: Signal::default(),
            caller_regs: Signal::default(),
            size: Signal::default(),
            above: Signal::default(),
            frame_offset: Signal::default(),
            top_offset: Signal::default(),
            link_offset: Signal::default(),
            frame_place: Signal::default(),
            top_place: Signal::default(),
            link_place: Signal::default(),
            back_from: Signal::default(),
            back_place: Signal::default(),
            turned: Signal::default(),
            caller_turned: Signal::default(),
            pack_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            no_packs: Constant::new(0u64.into()),
            none: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
        }
    }
}

impl<const PW: usize, const CW: usize> Logic for Frame<PW, CW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.size.next = self.no_packs.val();
        for i in 0..CW {
            if self.capacity.val().get_bit(i) {
                self.size.next = self.size.val() | self.pack_bit[i].val();
            }
        }
        // Packs from `first` to the end of the file; 0 stands for all of them.
        self.above.next = self.no_packs.val() - self.first.val();
        self.fits.next =
            (self.first.val() == self.no_packs.val()) | (self.size.val() <= self.above.val());

        self.frame_offset.next = self.rfp.val() - self.first.val();
        self.top_offset.next = self.rsp.val() - self.first.val();
        self.link_offset.next = self.link.val() - self.first.val();
        self.in_window.next =
            (self.frame_offset.val() < self.size.val()) & (self.top_offset.val() < self.size.val());
        self.link_inside.next = self.link_offset.val() < self.size.val();
        self.frame_place.next = self.frame_offset.val().get_bits::<CW>(0);
        self.top_place.next = self.top_offset.val().get_bits::<CW>(0);
        self.link_place.next = self.link_offset.val().get_bits::<CW>(0);
        self.to_end.next = self.capacity.val() - self.top_place.val();

        // From a place to another one upwards: below it, the way goes around.
        self.turned.next = self.none.val();
        if self.top_place.val() < self.frame_place.val() {
            self.turned.next = self.capacity.val();
        }
        self.regs.next = (self.top_place.val() - self.frame_place.val()) + self.turned.val();

        // The caller's frame ends at the link, which lies below the frame in control.
        self.back_from.next = self.frame_place.val();
        if self.frame_place.val() == self.none.val() {
            self.back_from.next = self.capacity.val();
        }
        self.back_place.next = self.back_from.val() - self.one.val();
        self.caller_turned.next = self.none.val();
        if self.back_place.val() < self.link_place.val() {
            self.caller_turned.next = self.capacity.val();
        }
        self.caller_regs.next =
            (self.back_place.val() - self.link_place.val()) + self.caller_turned.val();
    }
}
