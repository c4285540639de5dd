//! Where the pointers lie in the window of the warp, how large the frames are that they bound, and what a request lacks.
//!
//! Between two pointers of a window lies their difference, and a window more if the way goes around. Both sums are made
//! while it is found out which way it goes.

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
    /// The request is a return.
    pub unwind: Signal<In, bool>,
    /// Registers that a call will push; 0 for other requests.
    pub need: Signal<In, Bits<CW>>,
    /// The window ends in the register file.
    pub fits: Signal<Out, bool>,
    /// The pack behind the last one of the window.
    pub behind: Signal<Out, Bits<PW>>,
    /// Packs of the window below RSP, if RSP is inside.
    pub top_place: Signal<Out, Bits<CW>>,
    /// RFP and RSP lie in the window.
    pub in_window: Signal<Out, bool>,
    /// The link lies in the window.
    pub link_inside: Signal<Out, bool>,
    /// The frame in control has no registers, if RFP and RSP are inside.
    pub empty: Signal<Out, bool>,
    /// At least a link is resident below them and no more packs are free than there are, if RFP and RSP are inside.
    pub in_function: Signal<Out, bool>,
    /// Resident packs below that link.
    pub spare: Signal<Out, Bits<CW>>,
    /// Registers in the caller's frame, if RFP and the link are inside.
    pub caller_regs: Signal<Out, Bits<CW>>,
    /// There is less than the request asks for: of a return the caller's registers and their link among the spare packs, of others
    /// one pack more than `need` among the free ones.
    pub lacks: Signal<Out, bool>,
    /// One less than what it lacks.
    pub lacking: Signal<Out, Bits<CW>>,
    size: Signal<Local, Bits<PW>>,
    free_wide: Signal<Local, Bits<PW>>,
    end_past: Signal<Local, Bits<PW>>,
    frame_offset: Signal<Local, Bits<PW>>,
    top_offset: Signal<Local, Bits<PW>>,
    link_offset: Signal<Local, Bits<PW>>,
    frame_place: Signal<Local, Bits<CW>>,
    top_low: Signal<Local, Bits<CW>>,
    link_place: Signal<Local, Bits<CW>>,
    not_free: Signal<Local, Bits<PW>>,
    down: Signal<Local, Bits<PW>>,
    three: Signal<Local, Bits<PW>>,
    three_over: Signal<Local, Bits<PW>>,
    four: Signal<Local, Bits<PW>>,
    four_over: Signal<Local, Bits<PW>>,
    wanted: Signal<Local, Bits<PW>>,
    present: Signal<Local, Bits<PW>>,
    wanted_low: Signal<Local, Bits<CW>>,
    present_low: Signal<Local, Bits<CW>>,
    spare_wide: Signal<Local, Bits<PW>>,
    spare_low: Signal<Local, Bits<CW>>,
    caller: Signal<Local, Bits<CW>>,
    frame_low: Signal<Local, Bits<CW>>,
    link_low: Signal<Local, Bits<CW>>,
    // A difference is a sum of the complement, turned over: it has no carry at its lowest place.
    frame_from_first: Lazy<Adder<PW>>,
    top_from_first: Lazy<Adder<PW>>,
    link_from_first: Lazy<Adder<PW>>,
    first_and_size: Lazy<Adder<PW>>,
    of_three: Lazy<Adder<PW>>,
    of_four: Lazy<Adder<PW>>,
    not_wanted_and_present: Lazy<Adder<PW>>,
    frame_from_link: Lazy<Adder<CW>>,
    around_the_window: Lazy<Adder<CW>>,
    frame_in_window: Lazy<Compare<PW>>,
    top_in_window: Lazy<Compare<PW>>,
    link_in_window: Lazy<Compare<PW>>,
    top_below_frame: Lazy<Compare<CW>>,
    link_not_below_frame: Lazy<Compare<CW>>,
    pack_bit: [Constant<Bits<PW>>; CW],
    lack_bit: Constant<Bits<PW>>,
    sign_bit: Constant<Bits<PW>>,
    highest: Constant<Bits<PW>>,
    no_packs: Constant<Bits<PW>>,
    one: Constant<Bits<PW>>,
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
            unwind: Signal::default(),
            need: Signal::default(),
            fits: Signal::default(),
            behind: Signal::default(),
            top_place: Signal::default(),
            in_window: Signal::default(),
            link_inside: Signal::default(),
            empty: Signal::default(),
            in_function: Signal::default(),
            spare: Signal::default(),
            caller_regs: Signal::default(),
            lacks: Signal::default(),
            lacking: Signal::default(),
            size: Signal::default(),
            free_wide: Signal::default(),
            end_past: Signal::default(),
            frame_offset: Signal::default(),
            top_offset: Signal::default(),
            link_offset: Signal::default(),
            frame_place: Signal::default(),
            top_low: Signal::default(),
            link_place: Signal::default(),
            not_free: Signal::default(),
            down: Signal::default(),
            three: Signal::default(),
            three_over: Signal::default(),
            four: Signal::default(),
            four_over: Signal::default(),
            wanted: Signal::default(),
            present: Signal::default(),
            wanted_low: Signal::default(),
            present_low: Signal::default(),
            spare_wide: Signal::default(),
            spare_low: Signal::default(),
            caller: Signal::default(),
            frame_low: Signal::default(),
            link_low: Signal::default(),
            frame_from_first: Lazy::default(),
            top_from_first: Lazy::default(),
            link_from_first: Lazy::default(),
            first_and_size: Lazy::default(),
            of_three: Lazy::default(),
            of_four: Lazy::default(),
            not_wanted_and_present: Lazy::default(),
            frame_from_link: Lazy::default(),
            around_the_window: Lazy::default(),
            frame_in_window: Lazy::new(Compare::strictly()),
            top_in_window: Lazy::new(Compare::strictly()),
            link_in_window: Lazy::new(Compare::strictly()),
            top_below_frame: Lazy::new(Compare::strictly()),
            link_not_below_frame: Lazy::new(Compare::or_equal()),
            pack_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            lack_bit: Constant::new((1u64 << CW).into()),
            sign_bit: Constant::new((1u64 << (CW + 1)).into()),
            highest: Constant::new((1u64 << (PW - 1)).into()),
            no_packs: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
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
        // The highest bit of a window's size is 0, so a sum went over if it lost that of the first pack. Behind the last pack of
        // the file is 0.
        self.first_and_size.a.next = self.first.val();
        self.first_and_size.b.next = self.size.val();
        self.behind.next = self.first_and_size.sum.val();
        self.end_past.next =
            (self.first.val() & (!self.first_and_size.sum.val())) & self.highest.val();
        self.fits.next =
            (self.first_and_size.sum.val() == self.no_packs.val()) | (!self.end_past.val().any());

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
        self.top_low.next = self.top_offset.val().get_bits::<CW>(0);
        self.top_place.next = self.top_low.val();
        self.link_place.next = self.link_offset.val().get_bits::<CW>(0);

        // From a place to another one upwards: below it, the way goes around.
        self.top_below_frame.a.next = self.frame_place.val();
        self.top_below_frame.b.next = self.top_low.val();
        self.empty.next = self.rsp.val() == self.rfp.val();

        // Resident packs below the link of the function in control: the window without the free packs, the registers and the
        // link, or RFP - RSP - free - 1. All numbers are made two before one sum is, of which bit `CW + 1` is the sign.
        self.not_free.next = !self.free_wide.val();
        self.down.next = self.rfp.val() ^ (!self.rsp.val());
        self.three.next = self.down.val() ^ self.not_free.val();
        self.three_over.next =
            ((self.down.val() & self.not_free.val()) | ((!self.down.val()) & self.rfp.val())) << 1;
        self.of_three.a.next = self.three.val();
        self.of_three.b.next = self.three_over.val() | self.one.val();
        self.four.next = self.three.val() ^ (self.three_over.val() | self.one.val());
        self.four_over.next =
            ((self.four.val() & self.size.val()) | ((!self.four.val()) & self.three.val())) << 1;
        self.of_four.a.next = self.four.val() ^ self.size.val();
        self.of_four.b.next = self.four_over.val();
        self.spare_wide.next = self.of_four.sum.val();
        if self.top_below_frame.above.val() {
            self.spare_wide.next = self.of_three.sum.val();
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

        // What is there less what is wanted, less one: below 0 if it lacks, and then the complement of one less than it lacks.
        self.wanted_low.next = self.need.val();
        self.present_low.next = self.free.val();
        if self.unwind.val() {
            self.wanted_low.next = self.caller.val();
            self.present_low.next = self.spare_low.val();
        }
        self.wanted.next = self.no_packs.val();
        self.present.next = self.no_packs.val();
        for i in 0..CW {
            if self.wanted_low.val().get_bit(i) {
                self.wanted.next = self.wanted.val() | self.pack_bit[i].val();
            }
            if self.present_low.val().get_bit(i) {
                self.present.next = self.present.val() | self.pack_bit[i].val();
            }
        }
        self.not_wanted_and_present.a.next = !self.wanted.val();
        self.not_wanted_and_present.b.next = self.present.val();
        self.lacks.next = (self.not_wanted_and_present.sum.val() & self.lack_bit.val()).any();
        self.lacking.next = !self.not_wanted_and_present.sum.val().get_bits::<CW>(0);
    }
}
