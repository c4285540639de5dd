//! The owner bit of every warp.

use rust_hdl::prelude::*;

/// Bits of `NW` warps, set for all warps of a CTA that its partner waits for.
#[derive(LogicBlock)]
pub struct Owners<const NW: usize> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Nobody is owner.
    pub clear: Signal<In, bool>,
    /// Neither of the two CTAs is owner: a new pair.
    pub forgets: Signal<In, bool>,
    /// `gains` becomes owner if `loses` was.
    pub passes: Signal<In, bool>,
    /// `gains` becomes owner.
    pub moves: Signal<In, bool>,
    /// Warps of the CTA that may become owner.
    pub gains: Signal<In, Bits<NW>>,
    /// Warps of the CTA that stops being it.
    pub loses: Signal<In, Bits<NW>>,
    /// Owner warps.
    pub owner: Signal<Out, Bits<NW>>,
    bits: DFF<Bits<NW>>,
    was_owner: Signal<Local, bool>,
    nobody: Constant<Bits<NW>>,
}

impl<const NW: usize> Default for Owners<NW> {
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            forgets: Signal::default(),
            passes: Signal::default(),
            moves: Signal::default(),
            gains: Signal::default(),
            loses: Signal::default(),
            owner: Signal::default(),
            bits: DFF::default(),
            was_owner: Signal::default(),
            nobody: Constant::new(0u64.into()),
        }
    }
}

impl<const NW: usize> Logic for Owners<NW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, bits);
        self.owner.next = self.bits.q.val();
        self.was_owner.next = (self.bits.q.val() & self.loses.val()).any();
        if self.clear.val() {
            self.bits.d.next = self.nobody.val();
        } else if self.forgets.val() {
            self.bits.d.next = (self.bits.q.val() & (!self.gains.val())) & (!self.loses.val());
        } else if self.moves.val() | (self.passes.val() & self.was_owner.val()) {
            self.bits.d.next = (self.bits.q.val() & (!self.loses.val())) | self.gains.val();
        }
    }
}
