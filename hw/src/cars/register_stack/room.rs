//! Whether there is room, and how much is left: the decision, in numbers of packs.
//!
//! `resident` packs of the stack are in the register file: capacity less free. The frame in control and its link are
//! among them, always. So no pack is in use exactly while the kernel is in control, and what a return does not find of
//! the caller's frame was evicted.

use rust_hdl::prelude::*;

/// Decides a request.
#[derive(LogicBlock)]
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
    /// Registers in the frame in control.
    pub regs: Signal<In, Bits<CW>>,
    /// Registers in the caller's frame.
    pub caller_regs: Signal<In, Bits<CW>>,
    /// Registers that the callee will push.
    pub fru: Signal<In, Bits<CW>>,
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
    /// It is a granted launch or finish.
    pub turns: Signal<Out, bool>,
    /// Free packs after the edge.
    pub new_free: Signal<Out, Bits<CW>>,
    resident: Signal<Local, Bits<CW>>,
    in_function: Signal<Local, bool>,
    in_kernel: Signal<Local, bool>,
    sound: Signal<Local, bool>,
    below: Signal<Local, Bits<CW>>,
    spare: Signal<Local, Bits<CW>>,
    limit: Signal<Local, Bits<CW>>,
    need: Signal<Local, Bits<CW>>,
    available: Signal<Local, Bits<CW>>,
    lacking: Signal<Local, Bits<CW>>,
    opens: Signal<Local, bool>,
    enough: Signal<Local, bool>,
    opened: Signal<Local, bool>,
    trapped: Signal<Local, bool>,
    popped: Signal<Local, bool>,
    link_is_sound: Signal<Local, bool>,
    unwound: Signal<Local, bool>,
    caller_lacks: Signal<Local, bool>,
    missing: Signal<Local, Bits<CW>>,
    kept: Signal<Local, Bits<CW>>,
    started: Signal<Local, bool>,
    ended: Signal<Local, bool>,
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
            regs: Signal::default(),
            caller_regs: Signal::default(),
            fru: Signal::default(),
            evicted: Signal::default(),
            grant: Signal::default(),
            trap: Signal::default(),
            fills: Signal::default(),
            count: Signal::default(),
            from_kernel: Signal::default(),
            turns: Signal::default(),
            new_free: Signal::default(),
            resident: Signal::default(),
            in_function: Signal::default(),
            in_kernel: Signal::default(),
            sound: Signal::default(),
            below: Signal::default(),
            spare: Signal::default(),
            limit: Signal::default(),
            need: Signal::default(),
            available: Signal::default(),
            lacking: Signal::default(),
            opens: Signal::default(),
            enough: Signal::default(),
            opened: Signal::default(),
            trapped: Signal::default(),
            popped: Signal::default(),
            link_is_sound: Signal::default(),
            unwound: Signal::default(),
            caller_lacks: Signal::default(),
            missing: Signal::default(),
            kept: Signal::default(),
            started: Signal::default(),
            ended: Signal::default(),
            none: Constant::new(0u64.into()),
            one: Constant::new(1u64.into()),
        }
    }
}

impl<const CW: usize> Logic for Room<CW> {
    #[hdl_gen]
    fn update(&mut self) {
        // In a function at least the link is resident.
        self.resident.next = self.capacity.val() - self.free.val();
        self.in_function.next = self.regs.val() < self.resident.val();
        self.in_kernel.next = !(self.regs.val().any() | self.resident.val().any());
        self.sound.next = ((self.running.val() & self.in_window.val())
            & (self.free.val() <= self.capacity.val()))
            & (self.in_function.val() | self.in_kernel.val());
        // Resident packs below the link of the function in control.
        self.below.next = self.resident.val() - self.regs.val();
        self.spare.next = self.below.val() - self.one.val();

        // A call may evict everything, a push nothing of its own frame. Needed is one pack more than `need`.
        self.need.next = self.none.val();
        self.limit.next = self.spare.val();
        if self.call.val() {
            self.need.next = self.fru.val();
            self.limit.next = self.resident.val();
        }
        self.available.next = self.free.val() + self.evicted.val();
        self.lacking.next = self.need.val() - self.free.val();
        self.opens.next = (self.sound.val()
            & (self.call.val() | (self.push.val() & self.in_function.val())))
            & (self.evicted.val() <= self.limit.val());
        self.enough.next = self.need.val() < self.available.val();
        self.opened.next = self.opens.val() & self.enough.val();
        self.trapped.next =
            (self.opens.val() & (!self.enough.val())) & (self.lacking.val() < self.limit.val());

        self.popped.next = (self.sound.val() & self.pop.val()) & self.regs.val().any();

        // Below a function that the kernel called lies nothing.
        self.link_is_sound.next = self.link_inside.val()
            & (!(self.link_kernel.val() & (self.caller_regs.val().any() | self.spare.val().any())));
        self.unwound.next = (self.sound.val() & self.unwind.val())
            & (self.in_function.val() & self.link_is_sound.val());
        self.caller_lacks.next =
            (!self.link_kernel.val()) & (self.caller_regs.val() >= self.spare.val());
        self.missing.next = self.caller_regs.val() - self.spare.val();
        self.kept.next = self.spare.val();
        if self.caller_lacks.val() {
            self.kept.next = self.caller_regs.val() + self.one.val();
        }

        self.started.next =
            (self.launch.val() & self.exists.val()) & ((!self.running.val()) & self.fits.val());
        self.ended.next = self.finish.val() & self.running.val();

        self.grant.next = ((self.started.val() | self.opened.val())
            | (self.popped.val() | self.unwound.val()))
            | self.ended.val();
        self.turns.next = self.started.val() | self.ended.val();
        self.trap.next = self.trapped.val();
        self.fills.next = self.unwound.val() & self.caller_lacks.val();
        self.from_kernel.next = (self.opened.val() & self.call.val()) & self.in_kernel.val();
        self.count.next = self.none.val();
        if self.trapped.val() {
            self.count.next = self.lacking.val() + self.one.val();
        }
        if self.unwound.val() & self.caller_lacks.val() {
            self.count.next = self.missing.val() + self.one.val();
        }
        self.new_free.next = self.capacity.val();
        if self.opened.val() {
            self.new_free.next = self.available.val() - self.one.val();
        }
        if self.popped.val() {
            self.new_free.next = self.free.val() + self.one.val();
        }
        if self.unwound.val() {
            self.new_free.next = self.capacity.val() - self.kept.val();
        }
    }
}
