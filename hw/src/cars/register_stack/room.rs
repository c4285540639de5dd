//! Whether there is room, and how much is left: the decision, in numbers of packs.
//!
//! `resident` packs of the stack are in the register file: capacity less free. The frame in control and its link are
//! among them, always. So no pack is in use exactly while the kernel is in control, and what a return does not find of
//! the caller's frame was evicted.

use crate::common::adder::Adder;
use crate::common::compare::Compare;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// Decides a request.
#[derive(LogicBlock, Inputs)]
pub struct Room<const CW: usize> {
    /// The request.
    pub launch: Signal<In, bool>,
    /// The request.
    pub call: Signal<In, bool>,
    /// The request.
    pub push: Signal<In, bool>,
    /// The request.
    pub pop: Signal<In, bool>,
    /// The request.
    pub unwind: Signal<In, bool>,
    /// The request.
    pub finish: Signal<In, bool>,
    /// The warp exists.
    pub exists: Signal<In, bool>,
    /// It has a stack.
    pub running: Signal<In, bool>,
    /// Its window ends in the register file.
    pub fits: Signal<In, bool>,
    /// Its pointers lie in the window.
    pub in_window: Signal<In, bool>,
    /// The link lies in the window.
    pub link_inside: Signal<In, bool>,
    /// The link says that the kernel called.
    pub link_kernel: Signal<In, bool>,
    /// Packs of the window.
    pub capacity: Signal<In, Bits<CW>>,
    /// Free ones.
    pub free: Signal<In, Bits<CW>>,
    /// The frame in control has no registers.
    pub empty: Signal<In, bool>,
    /// At least a link is resident below them, and no more packs are free than there are.
    pub in_function: Signal<In, bool>,
    /// Resident packs below that link.
    pub spare: Signal<In, Bits<CW>>,
    /// Registers in the caller's frame.
    pub caller_regs: Signal<In, Bits<CW>>,
    /// Of a return: not all of them and their link are spare.
    pub lacks: Signal<In, bool>,
    /// One less than the packs that the request lacks, if it does.
    pub lacking: Signal<In, Bits<CW>>,
    /// Registers that a call will push; 0 for other requests.
    pub need: Signal<In, Bits<CW>>,
    /// Packs saved for this request.
    pub evicted: Signal<In, Bits<CW>>,
    /// The request is done.
    pub grant: Signal<Out, bool>,
    /// It is not, and room can be made.
    pub trap: Signal<Out, bool>,
    /// It is a granted return that needs a fill.
    pub fills: Signal<Out, bool>,
    /// Packs to save or to fill.
    pub count: Signal<Out, Bits<CW>>,
    /// It is a granted call by the kernel.
    pub from_kernel: Signal<Out, bool>,
    /// Packs that are not free.
    pub resident: Signal<Out, Bits<CW>>,
    /// Free packs after the edge.
    pub new_free: Signal<Out, Bits<CW>>,
    in_use: Signal<Local, Bits<CW>>,
    in_kernel: Signal<Local, bool>,
    sound: Signal<Local, bool>,
    opens: Signal<Local, bool>,
    enough: Signal<Local, bool>,
    call_fits: Signal<Local, bool>,
    push_fits: Signal<Local, bool>,
    can_evict: Signal<Local, bool>,
    filling: Signal<Local, bool>,
    free_if_kept: Signal<Local, Bits<CW>>,
    free_if_filled: Signal<Local, Bits<CW>>,
    opened: Signal<Local, bool>,
    trapped: Signal<Local, bool>,
    popped: Signal<Local, bool>,
    link_is_sound: Signal<Local, bool>,
    unwound: Signal<Local, bool>,
    started: Signal<Local, bool>,
    ended: Signal<Local, bool>,
    available: Lazy<Adder<CW>>,
    all_can_go: Lazy<Compare<CW>>,
    spare_can_go: Lazy<Compare<CW>>,
    more_than_needed: Lazy<Compare<CW>>,
    need_not_all: Lazy<Compare<CW>>,
    // A difference is a sum of the complement, turned over: it has no carry at its lowest place.
    free_from_capacity: Lazy<Adder<CW>>,
    spare_from_capacity: Lazy<Adder<CW>>,
    beside_the_caller: Lazy<Adder<CW>>,
    none: Constant<Bits<CW>>,
    one: Constant<Bits<CW>>,
}

impl<const CW: usize> Default for Room<CW> {
    fn default() -> Self {
        Self {
            launch: Signal::default(),
            call: Signal::default(),
            push: Signal::default(),
            pop: Signal::default(),
            unwind: Signal::default(),
            finish: Signal::default(),
            exists: Signal::default(),
            running: Signal::default(),
            fits: Signal::default(),
            in_window: Signal::default(),
            link_inside: Signal::default(),
            link_kernel: Signal::default(),
            capacity: Signal::default(),
            free: Signal::default(),
            empty: Signal::default(),
            in_function: Signal::default(),
            spare: Signal::default(),
            caller_regs: Signal::default(),
            lacks: Signal::default(),
            lacking: Signal::default(),
            need: Signal::default(),
            evicted: Signal::default(),
            grant: Signal::default(),
            trap: Signal::default(),
            fills: Signal::default(),
            count: Signal::default(),
            from_kernel: Signal::default(),
            resident: Signal::default(),
            new_free: Signal::default(),
            in_use: Signal::default(),
            in_kernel: Signal::default(),
            sound: Signal::default(),
            opens: Signal::default(),
            enough: Signal::default(),
            call_fits: Signal::default(),
            push_fits: Signal::default(),
            can_evict: Signal::default(),
            filling: Signal::default(),
            free_if_kept: Signal::default(),
            free_if_filled: Signal::default(),
            opened: Signal::default(),
            trapped: Signal::default(),
            popped: Signal::default(),
            link_is_sound: Signal::default(),
            unwound: Signal::default(),
            started: Signal::default(),
            ended: Signal::default(),
            available: Lazy::default(),
            all_can_go: Lazy::new(Compare::or_equal()),
            spare_can_go: Lazy::new(Compare::or_equal()),
            more_than_needed: Lazy::new(Compare::strictly()),
            need_not_all: Lazy::new(Compare::strictly()),
            free_from_capacity: Lazy::default(),
            spare_from_capacity: Lazy::default(),
            beside_the_caller: Lazy::default(),
            none: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
        }
    }
}

impl<const CW: usize> Logic for Room<CW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.free_from_capacity.a.next = !self.capacity.val();
        self.free_from_capacity.b.next = self.free.val();
        self.in_use.next = !self.free_from_capacity.sum.val();
        self.resident.next = self.in_use.val();
        self.in_kernel.next = self.empty.val() & (self.free.val() == self.capacity.val());
        self.sound.next = (self.running.val() & self.in_window.val())
            & (self.in_function.val() | self.in_kernel.val());

        // A call may evict everything, a push nothing of its own frame. Needed is one pack more than `need`.
        self.all_can_go.a.next = self.in_use.val();
        self.all_can_go.b.next = self.evicted.val();
        self.spare_can_go.a.next = self.spare.val();
        self.spare_can_go.b.next = self.evicted.val();
        self.call_fits.next = self.call.val() & self.all_can_go.above.val();
        self.push_fits.next =
            (self.push.val() & self.in_function.val()) & self.spare_can_go.above.val();
        self.opens.next = self.sound.val() & (self.call_fits.val() | self.push_fits.val());
        self.available.a.next = self.free.val();
        self.available.b.next = self.evicted.val();
        self.more_than_needed.a.next = self.available.sum.val();
        self.more_than_needed.b.next = self.need.val();
        self.enough.next = self.more_than_needed.above.val();
        self.opened.next = self.opens.val() & self.enough.val();
        // Less is lacking than may be evicted: of a call all that is not free, and a push lacks a single pack.
        self.need_not_all.a.next = self.capacity.val();
        self.need_not_all.b.next = self.need.val();
        self.can_evict.next = self.spare.val().any();
        if self.call.val() {
            self.can_evict.next = self.need_not_all.above.val();
        }
        self.trapped.next = (self.opens.val() & (!self.enough.val())) & self.can_evict.val();

        self.popped.next = (self.sound.val() & self.pop.val()) & (!self.empty.val());

        // Below a function that the kernel called lies nothing.
        self.link_is_sound.next = self.link_inside.val()
            & (!(self.link_kernel.val() & (self.caller_regs.val().any() | self.spare.val().any())));
        self.unwound.next = (self.sound.val() & self.unwind.val())
            & (self.in_function.val() & self.link_is_sound.val());
        // Spare packs stay resident; if they are too few, the caller's registers and their link become so.
        self.filling.next = self.lacks.val() & (!self.link_kernel.val());
        self.spare_from_capacity.a.next = !self.capacity.val();
        self.spare_from_capacity.b.next = self.spare.val();
        self.free_if_kept.next = !self.spare_from_capacity.sum.val();
        self.beside_the_caller.a.next = self.capacity.val();
        self.beside_the_caller.b.next = !self.caller_regs.val();
        self.free_if_filled.next = self.beside_the_caller.sum.val();

        self.started.next =
            (self.launch.val() & self.exists.val()) & ((!self.running.val()) & self.fits.val());
        self.ended.next = self.finish.val() & self.running.val();

        self.grant.next = ((self.started.val() | self.opened.val())
            | (self.popped.val() | self.unwound.val()))
            | self.ended.val();
        self.trap.next = self.trapped.val();
        self.fills.next = self.unwound.val() & self.filling.val();
        self.from_kernel.next = (self.opened.val() & self.call.val()) & self.in_kernel.val();
        self.count.next = self.none.val();
        if self.trapped.val() {
            self.count.next = self.lacking.val() + self.one.val();
        }
        if self.unwound.val() & self.filling.val() {
            self.count.next = self.lacking.val() + self.one.val();
        }
        self.new_free.next = self.capacity.val();
        if self.opened.val() {
            self.new_free.next = self.available.sum.val() - self.one.val();
        }
        if self.popped.val() {
            self.new_free.next = self.free.val() + self.one.val();
        }
        if self.unwound.val() {
            self.new_free.next = self.free_if_kept.val();
            if self.filling.val() {
                self.new_free.next = self.free_if_filled.val();
            }
        }
    }
}
