//! Where the pointers lie in the window of the warp, and how large the frames are that they bound.
//!
//! Between two pointers of a window lies their difference, and a window more if the way goes around. Both sums are made
//! while it is found out which way it goes. Where all pointers are inside, sizes lie between minus a window and a window, so
//! bit `CW` of a sum is its sign.

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
    rest: Signal<Local, Bits<PW>>,
    turned: Signal<Local, bool>,
    caller_turned: Signal<Local, bool>,
    spare_turned: Signal<Local, Bits<PW>>,
    spare_straight: Signal<Local, Bits<PW>>,
    spare_wide: Signal<Local, Bits<PW>>,
    frame_low: Signal<Local, Bits<CW>>,
    link_low: Signal<Local, Bits<CW>>,
    caller_straight: Signal<Local, Bits<CW>>,
    caller_around: Signal<Local, Bits<CW>>,
    pack_bit: [Constant<Bits<PW>>; CW],
    sign_bit: Constant<Bits<PW>>,
    no_packs: Constant<Bits<PW>>,
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
            rest: Signal::default(),
            turned: Signal::default(),
            caller_turned: Signal::default(),
            spare_turned: Signal::default(),
            spare_straight: Signal::default(),
            spare_wide: Signal::default(),
            frame_low: Signal::default(),
            link_low: Signal::default(),
            caller_straight: Signal::default(),
            caller_around: Signal::default(),
            pack_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            sign_bit: Constant::new((1u64 << CW).into()),
            no_packs: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
        }
    }
}

impl<const PW: usize, const CW: usize> Logic for Frame<PW, CW> {
    #[hdl_gen]
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
        self.turned.next = self.top_place.val() < self.frame_place.val();
        self.empty.next = self.rsp.val() == self.rfp.val();

        // Resident packs below the link of the function in control: the window without the free packs, the registers
        // and the link.
        self.not_free.next = !self.free_wide.val();
        self.down.next = self.rfp.val() - self.rsp.val();
        self.rest.next = self.size.val() + self.not_free.val();
        self.spare_turned.next = self.down.val() + self.not_free.val();
        self.spare_straight.next = self.down.val() + self.rest.val();
        self.spare_wide.next = self.spare_straight.val();
        if self.turned.val() {
            self.spare_wide.next = self.spare_turned.val();
        }
        self.in_function.next = !(self.spare_wide.val() & self.sign_bit.val()).any();
        self.spare.next = self.spare_wide.val().get_bits::<CW>(0);

        // The caller's frame ends at the link, which lies below the frame in control.
        self.caller_turned.next = self.link_place.val() >= self.frame_place.val();
        self.frame_low.next = self.rfp.val().get_bits::<CW>(0);
        self.link_low.next = self.link.val().get_bits::<CW>(0);
        self.caller_straight.next = (self.frame_low.val() - self.link_low.val()) - self.one.val();
        self.caller_around.next = self.caller_straight.val() + self.capacity.val();
        self.caller_regs.next = self.caller_straight.val();
        if self.caller_turned.val() {
            self.caller_regs.next = self.caller_around.val();
        }
        self.caller_lacks.next = self.caller_regs.val() >= self.spare.val();
        self.missing.next = self.caller_regs.val() - self.spare.val();
    }
}
