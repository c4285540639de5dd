//! Where the pointers lie in the window of the warp, and how large the frames are that they bound.
//!
//! Between two pointers of a window lies their difference, and a window more if the way goes around. Both sums are made
//! while it is found out which way it goes. Where all pointers are inside, sizes lie between minus a window and a window, so
//! bit `CW` of a sum is its sign.

use crate::common::adder::Adder;
use crate::common::compare::Compare;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Measures the frame in control and the caller's.
#[derive(LogicBlock, Inputs)]
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
    /// Free ones.
    pub free: Signal<In, Bits<CW>>,
    /// The window ends in the register file.
    pub fits: Signal<Out, bool>,
    /// Packs from RSP to the end of the window, if RSP is inside.
    pub to_end: Signal<Out, Bits<CW>>,
    /// RFP and RSP lie in the window.
    pub in_window: Signal<Out, bool>,
    /// The link lies in the window.
    pub link_inside: Signal<Out, bool>,
    /// The frame in control has no registers, if RFP and RSP are inside.
    pub empty: Signal<Out, bool>,
    /// At least a link is resident below them, if RFP and RSP are inside.
    pub in_function: Signal<Out, bool>,
    /// Resident packs below that link.
    pub spare: Signal<Out, Bits<CW>>,
    /// Registers in the caller's frame, if RFP and the link are inside.
    pub caller_regs: Signal<Out, Bits<CW>>,
    /// Not all of them and their link are spare.
    pub caller_lacks: Signal<Out, bool>,
    /// One less than those that are not.
    pub missing: Signal<Out, Bits<CW>>,
    size: Signal<Local, Bits<PW>>,
    free_wide: Signal<Local, Bits<PW>>,
    above: Signal<Local, Bits<PW>>,
    frame_offset: Signal<Local, Bits<PW>>,
    top_offset: Signal<Local, Bits<PW>>,
    link_offset: Signal<Local, Bits<PW>>,
    frame_place: Signal<Local, Bits<CW>>,
    top_place: Signal<Local, Bits<CW>>,
    link_place: Signal<Local, Bits<CW>>,
    not_free: Signal<Local, Bits<PW>>,
    down: Signal<Local, Bits<PW>>,
    spare_wide: Signal<Local, Bits<PW>>,
    spare_low: Signal<Local, Bits<CW>>,
    caller: Signal<Local, Bits<CW>>,
    frame_low: Signal<Local, Bits<CW>>,
    link_low: Signal<Local, Bits<CW>>,
    // A difference is a sum of the complement, turned over: it has no carry at its lowest place.
    frame_from_first: Lazy<Adder<PW>>,
    top_from_first: Lazy<Adder<PW>>,
    link_from_first: Lazy<Adder<PW>>,
    frame_from_top: Lazy<Adder<PW>>,
    size_and_not_free: Lazy<Adder<PW>>,
    down_and_not_free: Lazy<Adder<PW>>,
    down_and_rest: Lazy<Adder<PW>>,
    frame_from_link: Lazy<Adder<CW>>,
    around_the_window: Lazy<Adder<CW>>,
    frame_in_window: Lazy<Compare<PW>>,
    top_in_window: Lazy<Compare<PW>>,
    link_in_window: Lazy<Compare<PW>>,
    top_below_frame: Lazy<Compare<CW>>,
    link_not_below_frame: Lazy<Compare<CW>>,
    caller_not_below_spare: Lazy<Compare<CW>>,
    pack_bit: [Constant<Bits<PW>>; CW],
    sign_bit: Constant<Bits<PW>>,
    no_packs: Constant<Bits<PW>>,
}

impl<const PW: usize, const CW: usize> Default for Frame<PW, CW> {
    fn default() -> Self {
        Self {
            rfp: Signal::default(),
            rsp: Signal::default(),
            link: Signal::default(),
            first: Signal::default(),
            capacity: Signal::default(),
            free: Signal::default(),
            fits: Signal::default(),
            to_end: Signal::default(),
            in_window: Signal::default(),
            link_inside: Signal::default(),
            empty: Signal::default(),
            in_function: Signal::default(),
            spare: Signal::default(),
            caller_regs: Signal::default(),
            caller_lacks: Signal::default(),
            missing: Signal::default(),
            size: Signal::default(),
            free_wide: Signal::default(),
            above: Signal::default(),
            frame_offset: Signal::default(),
            top_offset: Signal::default(),
            link_offset: Signal::default(),
            frame_place: Signal::default(),
            top_place: Signal::default(),
            link_place: Signal::default(),
            not_free: Signal::default(),
            down: Signal::default(),
            spare_wide: Signal::default(),
            spare_low: Signal::default(),
            caller: Signal::default(),
            frame_low: Signal::default(),
            link_low: Signal::default(),
            frame_from_first: Lazy::default(),
            top_from_first: Lazy::default(),
            link_from_first: Lazy::default(),
            frame_from_top: Lazy::default(),
            size_and_not_free: Lazy::default(),
            down_and_not_free: Lazy::default(),
            down_and_rest: Lazy::default(),
            frame_from_link: Lazy::default(),
            around_the_window: Lazy::default(),
            frame_in_window: Lazy::new(Compare::strictly()),
            top_in_window: Lazy::new(Compare::strictly()),
            link_in_window: Lazy::new(Compare::strictly()),
            top_below_frame: Lazy::new(Compare::strictly()),
            link_not_below_frame: Lazy::new(Compare::or_equal()),
            caller_not_below_spare: Lazy::new(Compare::or_equal()),
            pack_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            sign_bit: Constant::new((1u64 << CW).into()),
            no_packs: Constant::new(0u64.into()),
        }
    }
}

impl<const PW: usize, const CW: usize> Logic for Frame<PW, CW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.size.next = self.no_packs.val();
        self.free_wide.next = self.no_packs.val();
        for i in 0..CW {
            if self.capacity.val().get_bit(i) {
                self.size.next = self.size.val() | self.pack_bit[i].val();
            }
            if self.free.val().get_bit(i) {
                self.free_wide.next = self.free_wide.val() | self.pack_bit[i].val();
            }
        }
        // Packs from `first` to the end of the file; 0 stands for all of them.
        self.above.next = self.no_packs.val() - self.first.val();
        self.fits.next =
            (self.first.val() == self.no_packs.val()) | (self.size.val() <= self.above.val());

        self.frame_from_first.a.next = !self.rfp.val();
        self.frame_from_first.b.next = self.first.val();
        self.frame_offset.next = !self.frame_from_first.sum.val();
        self.top_from_first.a.next = !self.rsp.val();
        self.top_from_first.b.next = self.first.val();
        self.top_offset.next = !self.top_from_first.sum.val();
        self.link_from_first.a.next = !self.link.val();
        self.link_from_first.b.next = self.first.val();
        self.link_offset.next = !self.link_from_first.sum.val();
        self.frame_in_window.a.next = self.size.val();
        self.frame_in_window.b.next = self.frame_offset.val();
        self.top_in_window.a.next = self.size.val();
        self.top_in_window.b.next = self.top_offset.val();
        self.in_window.next = self.frame_in_window.above.val() & self.top_in_window.above.val();
        self.link_in_window.a.next = self.size.val();
        self.link_in_window.b.next = self.link_offset.val();
        self.link_inside.next = self.link_in_window.above.val();

        self.frame_place.next = self.frame_offset.val().get_bits::<CW>(0);
        self.top_place.next = self.top_offset.val().get_bits::<CW>(0);
        self.link_place.next = self.link_offset.val().get_bits::<CW>(0);
        self.to_end.next = self.capacity.val() - self.top_place.val();

        // From a place to another one upwards: below it, the way goes around.
        self.top_below_frame.a.next = self.frame_place.val();
        self.top_below_frame.b.next = self.top_place.val();
        self.empty.next = self.rsp.val() == self.rfp.val();

        // Resident packs below the link of the function in control: the window without the free packs, the registers
        // and the link.
        self.not_free.next = !self.free_wide.val();
        self.frame_from_top.a.next = !self.rfp.val();
        self.frame_from_top.b.next = self.rsp.val();
        self.down.next = !self.frame_from_top.sum.val();
        self.size_and_not_free.a.next = self.size.val();
        self.size_and_not_free.b.next = self.not_free.val();
        self.down_and_not_free.a.next = self.down.val();
        self.down_and_not_free.b.next = self.not_free.val();
        self.down_and_rest.a.next = self.down.val();
        self.down_and_rest.b.next = self.size_and_not_free.sum.val();
        self.spare_wide.next = self.down_and_rest.sum.val();
        if self.top_below_frame.above.val() {
            self.spare_wide.next = self.down_and_not_free.sum.val();
        }
        self.in_function.next = !(self.spare_wide.val() & self.sign_bit.val()).any();
        self.spare_low.next = self.spare_wide.val().get_bits::<CW>(0);
        self.spare.next = self.spare_low.val();

        // The caller's frame ends at the link, which lies below the frame in control. Less by one, for the link itself.
        self.link_not_below_frame.a.next = self.link_place.val();
        self.link_not_below_frame.b.next = self.frame_place.val();
        self.frame_low.next = self.rfp.val().get_bits::<CW>(0);
        self.link_low.next = self.link.val().get_bits::<CW>(0);
        self.frame_from_link.a.next = self.frame_low.val();
        self.frame_from_link.b.next = !self.link_low.val();
        self.around_the_window.a.next = self.frame_from_link.sum.val();
        self.around_the_window.b.next = self.capacity.val();
        self.caller.next = self.frame_from_link.sum.val();
        if self.link_not_below_frame.above.val() {
            self.caller.next = self.around_the_window.sum.val();
        }
        self.caller_regs.next = self.caller.val();
        self.caller_not_below_spare.a.next = self.caller.val();
        self.caller_not_below_spare.b.next = self.spare_low.val();
        self.caller_lacks.next = self.caller_not_below_spare.above.val();
        self.missing.next = self.caller.val() - self.spare_low.val();
    }
}
