//! Two stages: whose turn it is, and what the banks answer.

pub use super::adapter::Rtl;
use super::answers::Answers;
use super::bank::Bank;
use super::direct::Direct;
use super::gate::Gate;
use super::operand::Operand;
use super::orders::Orders;
use super::place::Place;
use super::rows::Address;
use super::turn::Turn;
use crate::common::lazy::{Inputs, Lazy};
use crate::common::word::machine_words;
use rust_hdl::prelude::*;

/// Renaming table of `NW` warps, numbered by `IW` bits. Banks 0 to 2 hold `ROWS` words of `PW` bits, bank 3 `SHORT`;
/// `HW` bits count a warp's words in a bank, `RW` is `IW` + `HW`, `BW` is `PW` - 2. With `HARDWARE_ONLY` 1 a definition
/// releases what the register was mapped to. The ports are documented at [`RenameTableIn`](super::RenameTableIn) and
/// [`RenameTableOut`](super::RenameTableOut).
#[derive(LogicBlock, Inputs)]
pub struct RenameTable<
    const NW: usize,
    const IW: usize,
    const HW: usize,
    const RW: usize,
    const ROWS: usize,
    const SHORT: usize,
    const PW: usize,
    const BW: usize,
    const HARDWARE_ONLY: usize,
> {
    /// Rising edge changes the state.
    pub clock: Signal<In, Clock>,
    /// Ends a walk, drops the request.
    pub clear: Signal<In, bool>,
    /// Registers that are not renamed.
    pub exempt: Signal<In, Bits<6>>,
    /// The warp.
    pub warp: Signal<In, Bits<IW>>,
    /// It starts.
    pub launch: Signal<In, bool>,
    /// It ends.
    pub exit: Signal<In, bool>,
    /// First source.
    pub x0: Signal<In, Bits<6>>,
    /// It is wanted.
    pub x0_valid: Signal<In, bool>,
    /// It is released.
    pub x0_release: Signal<In, bool>,
    /// Second source.
    pub x1: Signal<In, Bits<6>>,
    /// It is wanted.
    pub x1_valid: Signal<In, bool>,
    /// It is released.
    pub x1_release: Signal<In, bool>,
    /// Third source.
    pub x2: Signal<In, Bits<6>>,
    /// It is wanted.
    pub x2_valid: Signal<In, bool>,
    /// It is released.
    pub x2_release: Signal<In, bool>,
    /// Destination.
    pub x3: Signal<In, Bits<6>>,
    /// It is wanted.
    pub x3_valid: Signal<In, bool>,
    /// Only some lanes are written.
    pub x3_partial: Signal<In, bool>,
    /// Banks with a free pack.
    pub offer_valid: Signal<In, Bits<4>>,
    /// Free pack of bank 0.
    pub offer0: Signal<In, Bits<BW>>,
    /// Free pack of bank 1.
    pub offer1: Signal<In, Bits<BW>>,
    /// Free pack of bank 2.
    pub offer2: Signal<In, Bits<BW>>,
    /// Free pack of bank 3.
    pub offer3: Signal<In, Bits<BW>>,
    /// A walk goes on.
    pub busy: Signal<Out, bool>,
    /// Operands that are looked up.
    pub served: Signal<Out, Bits<4>>,
    /// Pack of the first source.
    pub y0: Signal<Out, Bits<PW>>,
    /// It has one.
    pub y0_valid: Signal<Out, bool>,
    /// Pack of the second source.
    pub y1: Signal<Out, Bits<PW>>,
    /// It has one.
    pub y1_valid: Signal<Out, bool>,
    /// Pack of the third source.
    pub y2: Signal<Out, Bits<PW>>,
    /// It has one.
    pub y2_valid: Signal<Out, bool>,
    /// Pack of the destination.
    pub y3: Signal<Out, Bits<PW>>,
    /// It has one.
    pub y3_valid: Signal<Out, bool>,
    /// The destination wants one.
    pub starved: Signal<Out, bool>,
    /// Offers that are taken.
    pub take: Signal<Out, Bits<4>>,
    /// Banks that get a pack back.
    pub give: Signal<Out, Bits<4>>,
    /// What bank 0 gets back.
    pub give0: Signal<Out, Bits<BW>>,
    /// What bank 1 gets back.
    pub give1: Signal<Out, Bits<BW>>,
    /// What bank 2 gets back.
    pub give2: Signal<Out, Bits<BW>>,
    /// What bank 3 gets back.
    pub give3: Signal<Out, Bits<BW>>,
    // State beside the memories: where the banks read, what was asked, whether a walk goes on.
    at_warp: Lazy<Address<IW>>,
    at_warp_3: Lazy<Address<IW>>,
    at_hi: [Lazy<Address<HW>>; 4],
    asked: [DFF<Bits<6>>; 4],
    direct: [DFF<bool>; 4],
    renamed: [DFF<bool>; 4],
    ends: [DFF<bool>; 4],
    walks: DFF<bool>,
    walk_gives: DFF<bool>,
    // First stage.
    gate: Lazy<Gate<NW, IW, HW>>,
    operand: [Lazy<Operand<HW>>; 4],
    turn: Lazy<Turn<HW>>,
    place: Lazy<Place<IW, HW, RW>>,
    // Second stage.
    orders: Lazy<Orders>,
    bank_0: Lazy<Bank<ROWS, IW, HW, PW, BW>>,
    bank_1: Lazy<Bank<ROWS, IW, HW, PW, BW>>,
    bank_2: Lazy<Bank<ROWS, IW, HW, PW, BW>>,
    bank_3: Lazy<Bank<SHORT, IW, HW, PW, BW>>,
    packs: Lazy<Direct<IW, PW>>,
    answers: Lazy<Answers<PW, BW>>,
    hardware_only: Constant<bool>,
}

/// 48 warps, 63 registers, 1024 packs (`gtx480`): 30,240 bits of memory.
pub type RenameTable48x63x1024 = RenameTable<48, 6, 4, 10, 768, 720, 10, 8, 0>;
/// The same where a definition releases: hardware-only renaming (RFV 9.5).
pub type HardwareOnly48x63x1024 = RenameTable<48, 6, 4, 10, 768, 720, 10, 8, 1>;
/// 48 warps, 16 renamed registers, 1024 packs: within the paper's 1 KiB.
pub type RenameTable48x16x1024 = RenameTable<48, 6, 2, 8, 192, 192, 10, 8, 0>;
/// 64 warps, 63 registers, 2048 packs (`v100`).
pub type RenameTable64x63x2048 = RenameTable<64, 6, 4, 10, 1024, 960, 11, 9, 0>;
/// 4 warps, 63 registers, 256 packs; a definition releases.
pub type HardwareOnly4x63x256 = RenameTable<4, 2, 4, 6, 64, 60, 8, 6, 1>;
/// 4 warps, 16 renamed registers, 64 packs.
pub type RenameTable4x16x64 = RenameTable<4, 2, 2, 4, 16, 16, 6, 4, 0>;
/// 4 warps, 16 renamed registers, 64 packs; a definition releases.
pub type HardwareOnly4x16x64 = RenameTable<4, 2, 2, 4, 16, 16, 6, 4, 1>;

impl<
    const NW: usize,
    const IW: usize,
    const HW: usize,
    const RW: usize,
    const ROWS: usize,
    const SHORT: usize,
    const PW: usize,
    const BW: usize,
    const HARDWARE_ONLY: usize,
> RenameTable<NW, IW, HW, RW, ROWS, SHORT, PW, BW, HARDWARE_ONLY>
{
    /// A table in its power-on state: nothing is mapped.
    #[must_use]
    pub fn new() -> Self {
        const {
            assert!(
                (HW == 4 || HW == 2)
                    && ROWS == NW << HW
                    && SHORT == NW * if HW == 4 { 15 } else { 1 << HW }
            );
            assert!(HARDWARE_ONLY <= 1);
        };
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            exempt: Signal::default(),
            warp: Signal::default(),
            launch: Signal::default(),
            exit: Signal::default(),
            x0: Signal::default(),
            x0_valid: Signal::default(),
            x0_release: Signal::default(),
            x1: Signal::default(),
            x1_valid: Signal::default(),
            x1_release: Signal::default(),
            x2: Signal::default(),
            x2_valid: Signal::default(),
            x2_release: Signal::default(),
            x3: Signal::default(),
            x3_valid: Signal::default(),
            x3_partial: Signal::default(),
            offer_valid: Signal::default(),
            offer0: Signal::default(),
            offer1: Signal::default(),
            offer2: Signal::default(),
            offer3: Signal::default(),
            busy: Signal::default(),
            served: Signal::default(),
            y0: Signal::default(),
            y0_valid: Signal::default(),
            y1: Signal::default(),
            y1_valid: Signal::default(),
            y2: Signal::default(),
            y2_valid: Signal::default(),
            y3: Signal::default(),
            y3_valid: Signal::default(),
            starved: Signal::default(),
            take: Signal::default(),
            give: Signal::default(),
            give0: Signal::default(),
            give1: Signal::default(),
            give2: Signal::default(),
            give3: Signal::default(),
            at_warp: Lazy::default(),
            at_warp_3: Lazy::default(),
            at_hi: Default::default(),
            asked: Default::default(),
            direct: Default::default(),
            renamed: Default::default(),
            ends: Default::default(),
            walks: DFF::default(),
            walk_gives: DFF::default(),
            gate: Lazy::default(),
            operand: Default::default(),
            turn: Lazy::default(),
            place: Lazy::default(),
            orders: Lazy::default(),
            bank_0: Lazy::new(Bank::new(0)),
            bank_1: Lazy::new(Bank::new(1)),
            bank_2: Lazy::new(Bank::new(2)),
            bank_3: Lazy::new(Bank::new(3)),
            packs: Lazy::default(),
            answers: Lazy::default(),
            hardware_only: Constant::new(HARDWARE_ONLY == 1),
        }
    }
}

impl<
    const NW: usize,
    const IW: usize,
    const HW: usize,
    const RW: usize,
    const ROWS: usize,
    const SHORT: usize,
    const PW: usize,
    const BW: usize,
    const HARDWARE_ONLY: usize,
> Default for RenameTable<NW, IW, HW, RW, ROWS, SHORT, PW, BW, HARDWARE_ONLY>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<
    const NW: usize,
    const IW: usize,
    const HW: usize,
    const RW: usize,
    const ROWS: usize,
    const SHORT: usize,
    const PW: usize,
    const BW: usize,
    const HARDWARE_ONLY: usize,
> Logic for RenameTable<NW, IW, HW, RW, ROWS, SHORT, PW, BW, HARDWARE_ONLY>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        dff_setup!(self, clock, walks, walk_gives);
        clock!(
            self, clock, at_warp, at_warp_3, bank_0, bank_1, bank_2, bank_3
        );
        for i in 0..4 {
            self.at_hi[i].clock.next = self.clock.val();
            self.asked[i].clock.next = self.clock.val();
            self.direct[i].clock.next = self.clock.val();
            self.renamed[i].clock.next = self.clock.val();
            self.ends[i].clock.next = self.clock.val();
        }

        // First stage: who asks, and which word each bank reads next.
        self.gate.clear.next = self.clear.val();
        self.gate.warp.next = self.warp.val();
        self.gate.launch.next = self.launch.val();
        self.gate.exit.next = self.exit.val();
        self.gate.valid[0].next = self.x0_valid.val();
        self.gate.valid[1].next = self.x1_valid.val();
        self.gate.valid[2].next = self.x2_valid.val();
        self.gate.valid[3].next = self.x3_valid.val();
        self.gate.walks.next = self.walks.q.val();
        self.gate.hi.next = self.at_hi[0].q.val();
        self.busy.next = self.gate.busy.val();
        self.walks.d.next = self.gate.walk_next.val();
        self.operand[0].x.next = self.x0.val();
        self.operand[1].x.next = self.x1.val();
        self.operand[2].x.next = self.x2.val();
        self.operand[3].x.next = self.x3.val();
        self.turn.x[0].next = self.x0.val();
        self.turn.x[1].next = self.x1.val();
        self.turn.x[2].next = self.x2.val();
        self.turn.x[3].next = self.x3.val();
        for i in 0..4 {
            self.operand[i].wanted.next = self.gate.wanted[i].val();
            self.operand[i].exempt.next = self.exempt.val();
            self.turn.asked[i].next = self.gate.asked[i].val();
            self.turn.renamed[i].next = self.operand[i].renamed.val();
            self.direct[i].d.next = self.operand[i].direct.val();
            self.renamed[i].d.next = self.turn.turn[i].val();
            self.place.hi[i].next = self.turn.hi[i].val();
            self.at_hi[i].d.next = self.place.next_hi[i].val();
        }
        self.served.next = self.turn.served.val();
        self.place.warp.next = self.warp.val();
        self.place.step.next = self.gate.busy.val();
        self.place.walk_warp.next = self.at_warp.q.val();
        self.place.walk_hi.next = self.at_hi[0].q.val();
        self.at_warp.d.next = self.place.next_warp.val();
        self.at_warp_3.d.next = self.place.next_warp_3.val();
        self.asked[0].d.next = self.x0.val();
        self.asked[1].d.next = self.x1.val();
        self.asked[2].d.next = self.x2.val();
        self.asked[3].d.next = self.x3.val();
        self.ends[0].d.next = self.x0_release.val();
        self.ends[1].d.next = self.x1_release.val();
        self.ends[2].d.next = self.x2_release.val();
        self.ends[3].d.next = self.hardware_only.val() & (!self.x3_partial.val());
        // A walk that has begun keeps its kind.
        self.walk_gives.d.next = self.walk_gives.q.val();
        if !self.gate.busy.val() {
            self.walk_gives.d.next = !self.launch.val();
        }

        // Second stage: what the words say, and what becomes of them.
        for i in 0..4 {
            self.orders.x[i].next = self.asked[i].q.val().get_bits::<2>(0);
            self.orders.renamed[i].next = self.renamed[i].q.val();
            self.orders.ends[i].next = self.ends[i].q.val();
            self.packs.x[i].next = self.asked[i].q.val();
            self.answers.x[i].next = self.asked[i].q.val().get_bits::<2>(0);
            self.answers.direct[i].next = self.direct[i].q.val();
            self.answers.renamed[i].next = self.renamed[i].q.val();
            self.answers.direct_y[i].next = self.packs.y[i].val();
            self.answers.direct_fits[i].next = self.packs.fits[i].val();
        }
        self.packs.exempt.next = self.exempt.val();
        self.packs.warp.next = self.at_warp.q.val();
        self.bank_0.warp.next = self.at_warp.q.val();
        self.bank_0.hi.next = self.at_hi[0].q.val();
        self.bank_0.unmap.next = self.orders.unmap[0].val();
        self.bank_0.map.next = self.orders.map[0].val();
        self.bank_0.wipe.next = self.gate.wipe.val();
        self.bank_0.wipe_gives.next = self.walk_gives.q.val();
        self.bank_0.offer.next = self.offer0.val();
        self.bank_0.offer_valid.next = self.offer_valid.val().get_bit(0);
        self.answers.word[0].next = self.bank_0.word.val();
        self.answers.mapped[0].next = self.bank_0.mapped.val();
        self.answers.target[0].next = self.bank_0.target.val();
        self.answers.found[0].next = self.bank_0.found.val();
        self.answers.takes[0].next = self.bank_0.take.val();
        self.answers.gives[0].next = self.bank_0.give.val();
        self.give0.next = self.bank_0.give_pack.val();
        self.bank_1.warp.next = self.at_warp.q.val();
        self.bank_1.hi.next = self.at_hi[1].q.val();
        self.bank_1.unmap.next = self.orders.unmap[1].val();
        self.bank_1.map.next = self.orders.map[1].val();
        self.bank_1.wipe.next = self.gate.wipe.val();
        self.bank_1.wipe_gives.next = self.walk_gives.q.val();
        self.bank_1.offer.next = self.offer1.val();
        self.bank_1.offer_valid.next = self.offer_valid.val().get_bit(1);
        self.answers.word[1].next = self.bank_1.word.val();
        self.answers.mapped[1].next = self.bank_1.mapped.val();
        self.answers.target[1].next = self.bank_1.target.val();
        self.answers.found[1].next = self.bank_1.found.val();
        self.answers.takes[1].next = self.bank_1.take.val();
        self.answers.gives[1].next = self.bank_1.give.val();
        self.give1.next = self.bank_1.give_pack.val();
        self.bank_2.warp.next = self.at_warp.q.val();
        self.bank_2.hi.next = self.at_hi[2].q.val();
        self.bank_2.unmap.next = self.orders.unmap[2].val();
        self.bank_2.map.next = self.orders.map[2].val();
        self.bank_2.wipe.next = self.gate.wipe.val();
        self.bank_2.wipe_gives.next = self.walk_gives.q.val();
        self.bank_2.offer.next = self.offer2.val();
        self.bank_2.offer_valid.next = self.offer_valid.val().get_bit(2);
        self.answers.word[2].next = self.bank_2.word.val();
        self.answers.mapped[2].next = self.bank_2.mapped.val();
        self.answers.target[2].next = self.bank_2.target.val();
        self.answers.found[2].next = self.bank_2.found.val();
        self.answers.takes[2].next = self.bank_2.take.val();
        self.answers.gives[2].next = self.bank_2.give.val();
        self.give2.next = self.bank_2.give_pack.val();
        self.bank_3.warp.next = self.at_warp_3.q.val();
        self.bank_3.hi.next = self.at_hi[3].q.val();
        self.bank_3.unmap.next = self.orders.unmap[3].val();
        self.bank_3.map.next = self.orders.map[3].val();
        self.bank_3.wipe.next = self.gate.wipe_3.val();
        self.bank_3.wipe_gives.next = self.walk_gives.q.val();
        self.bank_3.offer.next = self.offer3.val();
        self.bank_3.offer_valid.next = self.offer_valid.val().get_bit(3);
        self.answers.word[3].next = self.bank_3.word.val();
        self.answers.mapped[3].next = self.bank_3.mapped.val();
        self.answers.target[3].next = self.bank_3.target.val();
        self.answers.found[3].next = self.bank_3.found.val();
        self.answers.takes[3].next = self.bank_3.take.val();
        self.answers.gives[3].next = self.bank_3.give.val();
        self.give3.next = self.bank_3.give_pack.val();
        self.y0.next = self.answers.y[0].val();
        self.y0_valid.next = self.answers.valid[0].val();
        self.y1.next = self.answers.y[1].val();
        self.y1_valid.next = self.answers.valid[1].val();
        self.y2.next = self.answers.y[2].val();
        self.y2_valid.next = self.answers.valid[2].val();
        self.y3.next = self.answers.y[3].val();
        self.y3_valid.next = self.answers.valid[3].val();
        self.starved.next = self.answers.starved.val();
        self.take.next = self.answers.take.val();
        self.give.next = self.answers.give.val();
    }
}
