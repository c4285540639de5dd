//! The row of one warp as the rest sees it: 0 where the warp has no stack, whatever the tables say.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// Gates what the tables say of `warp` with its bit in `launched`.
#[derive(LogicBlock, Inputs)]
pub struct Row<const NW: usize, const IW: usize, const PW: usize, const CW: usize> {
    /// A bit per warp that has a stack.
    pub launched: Signal<In, Bits<NW>>,
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// Its row in the table of RFPs.
    pub rfp_word: Signal<In, Bits<PW>>,
    /// Its row in the table of RSPs.
    pub rsp_word: Signal<In, Bits<PW>>,
    /// Its row in the table of free counts.
    pub free_word: Signal<In, Bits<CW>>,
    /// The warp exists.
    pub exists: Signal<Out, bool>,
    /// It has a stack.
    pub running: Signal<Out, bool>,
    /// Its RFP, or 0.
    pub rfp: Signal<Out, Bits<PW>>,
    /// Its RSP, or 0.
    pub rsp: Signal<Out, Bits<PW>>,
    /// Its free packs, or 0.
    pub free: Signal<Out, Bits<CW>>,
    from_warp: Signal<Local, Bits<NW>>,
    after_warp: Signal<Local, Bits<NW>>,
    runs: Signal<Local, bool>,
    one: Constant<Bits<NW>>,
    all: Constant<Bits<NW>>,
    no_pack: Constant<Bits<PW>>,
    no_packs: Constant<Bits<CW>>,
}

impl<const NW: usize, const IW: usize, const PW: usize, const CW: usize> Default
    for Row<NW, IW, PW, CW>
{
    fn default() -> Self {
        Self {
            launched: Signal::default(),
            warp: Signal::default(),
            rfp_word: Signal::default(),
            rsp_word: Signal::default(),
            free_word: Signal::default(),
            exists: Signal::default(),
            running: Signal::default(),
            rfp: Signal::default(),
            rsp: Signal::default(),
            free: Signal::default(),
            from_warp: Signal::default(),
            after_warp: Signal::default(),
            runs: Signal::default(),
            one: Constant::new(1u64.into()),
            all: Constant::new(Bits::mask()),
            no_pack: Constant::new(0u64.into()),
            no_packs: Constant::new(0u64.into()),
        }
    }
}

impl<const NW: usize, const IW: usize, const PW: usize, const CW: usize> Logic
    for Row<NW, IW, PW, CW>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        // Above the last warp there are zeros: a warp that does not exist has no stack.
        self.from_warp.next = self.launched.val() >> self.warp.val();
        self.after_warp.next = self.all.val() >> self.warp.val();
        self.runs.next = (self.from_warp.val() & self.one.val()).any();
        self.exists.next = (self.after_warp.val() & self.one.val()).any();
        self.running.next = self.runs.val();
        self.rfp.next = self.no_pack.val();
        self.rsp.next = self.no_pack.val();
        self.free.next = self.no_packs.val();
        if self.runs.val() {
            self.rfp.next = self.rfp_word.val();
            self.rsp.next = self.rsp_word.val();
            self.free.next = self.free_word.val();
        }
    }
}
