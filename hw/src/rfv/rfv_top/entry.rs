//! Who is taken into the table's stage: one warp at a time.

use crate::common::lazy::Inputs;
use crate::common::word::machine_words;
use rust_hdl::prelude::*;
use std::array;

/// Whether the instruction on a port may be taken in, of `N` CTA slots, numbered by `TW` bits.
#[derive(LogicBlock, Inputs)]
pub struct Candidate<const N: usize, const TW: usize> {
    /// There is one.
    pub valid: Signal<In, bool>,
    /// The CTA of its warp.
    pub cta: Signal<In, Bits<TW>>,
    /// It may, whatever its CTA.
    pub urgent: Signal<In, bool>,
    /// A pir covers it.
    pub flagged: Signal<In, bool>,
    /// The cache holds that pir.
    pub hit: Signal<In, bool>,
    /// CTAs that may issue.
    pub may_issue: Signal<In, Bits<N>>,
    /// Some of its operands were looked up.
    pub begun: Signal<In, bool>,
    /// It may.
    pub can: Signal<Out, bool>,
    /// It waits for the pir.
    pub miss: Signal<Out, bool>,
    from_cta: Signal<Local, Bits<N>>,
    allowed: Signal<Local, bool>,
    known: Signal<Local, bool>,
    first: Constant<Bits<N>>,
}

impl<const N: usize, const TW: usize> Default for Candidate<N, TW> {
    fn default() -> Self {
        Self {
            valid: Signal::default(),
            cta: Signal::default(),
            urgent: Signal::default(),
            flagged: Signal::default(),
            hit: Signal::default(),
            may_issue: Signal::default(),
            begun: Signal::default(),
            can: Signal::default(),
            miss: Signal::default(),
            from_cta: Signal::default(),
            allowed: Signal::default(),
            known: Signal::default(),
            first: Constant::new(1u64.into()),
        }
    }
}

impl<const N: usize, const TW: usize> Logic for Candidate<N, TW> {
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.from_cta.next = self.may_issue.val() >> self.cta.val();
        self.allowed.next = self.urgent.val() | (self.from_cta.val() & self.first.val()).any();
        self.known.next = self.hit.val() | (!self.flagged.val());
        // What has begun goes on: its flags are kept, and its pack was counted when it was taken in.
        self.can.next =
            self.valid.val() & (self.begun.val() | (self.known.val() & self.allowed.val()));
        self.miss.next = self.valid.val() & ((!self.begun.val()) & (!self.known.val()));
    }
}

/// Selects what goes to the table: what has begun, then a warp that starts or ends, then a pbr, then a port. Of `who`, 0 is
/// nobody, 1 the pbr, 2 port a, 3 port b. With `HARDWARE_ONLY` 1 a port releases none of its
/// sources, and tells whether its destination is written in some lanes only: so at most three packs come back at once.
#[derive(LogicBlock, Inputs)]
pub struct Entry<const IW: usize, const TW: usize, const HARDWARE_ONLY: usize> {
    /// Start of a kernel.
    pub clear: Signal<In, bool>,
    /// Nothing is to be taken in.
    pub hold: Signal<In, bool>,
    /// A warp is starting or ending.
    pub walking: Signal<In, bool>,
    /// Who has begun.
    pub begun: Signal<In, Bits<2>>,
    /// Operands of it that were served.
    pub done: Signal<In, Bits<4>>,
    /// Its flags.
    pub flags: Signal<In, Bits<3>>,
    /// Port b goes first.
    pub favor_b: Signal<In, bool>,
    /// A warp starts.
    pub launch: Signal<In, bool>,
    /// A warp ends.
    pub ends: Signal<In, bool>,
    /// Warps: of the start or end, the pbr, port a, port b.
    pub warp: [Signal<In, Bits<IW>>; 4],
    /// Their CTAs.
    pub cta: [Signal<In, Bits<TW>>; 4],
    /// A pbr has ids to release.
    pub pbr: Signal<In, bool>,
    /// Port a can be taken in.
    pub a_can: Signal<In, bool>,
    /// So can port b.
    pub b_can: Signal<In, bool>,
    /// A pir covers the instruction of the port: a, b.
    pub flagged: [Signal<In, bool>; 2],
    /// Flags of the ports from the cache.
    pub found: [Signal<In, Bits<3>>; 2],
    /// Only some lanes of the port's destination are written; of no account with `HARDWARE_ONLY` 0.
    pub some_lanes: [Signal<In, bool>; 2],
    /// Ids of the pbr.
    pub id: [Signal<In, Bits<6>>; 3],
    /// They exist.
    pub id_valid: [Signal<In, bool>; 3],
    /// Registers of port a.
    pub a_x: [Signal<In, Bits<6>>; 4],
    /// It names them.
    pub a_valid: [Signal<In, bool>; 4],
    /// Registers of port b.
    pub b_x: [Signal<In, Bits<6>>; 4],
    /// It names them.
    pub b_valid: [Signal<In, bool>; 4],
    /// Something may be taken in.
    pub open: Signal<Out, bool>,
    /// Who is.
    pub who: Signal<Out, Bits<2>>,
    /// Operands of it that were served before.
    pub was_done: Signal<Out, Bits<4>>,
    /// Operands that it wants now.
    pub wanted: Signal<Out, Bits<4>>,
    /// Its flags.
    pub who_flags: Signal<Out, Bits<3>>,
    /// A start or an end is taken in.
    pub walk: Signal<Out, bool>,
    /// It is a start.
    pub walk_starts: Signal<Out, bool>,
    /// It is an end.
    pub walk_ends: Signal<Out, bool>,
    /// The warp.
    pub who_warp: Signal<Out, Bits<IW>>,
    /// Its CTA.
    pub who_cta: Signal<Out, Bits<TW>>,
    /// Registers.
    pub x: [Signal<Out, Bits<6>>; 4],
    /// They are wanted.
    pub valid: [Signal<Out, bool>; 4],
    /// They are released: sources that die and that the instruction does not write.
    pub last: [Signal<Out, bool>; 3],
    /// Only some lanes of the destination are written.
    pub partial: Signal<Out, bool>,
    in_part: Signal<Local, bool>,
    is_open: Signal<Local, bool>,
    goes_on: Signal<Local, bool>,
    walks: Signal<Local, bool>,
    now: Signal<Local, Bits<2>>,
    done_now: Signal<Local, Bits<4>>,
    flags_now: Signal<Local, Bits<3>>,
    names: [Signal<Local, bool>; 4],
    register: [Signal<Local, Bits<6>>; 4],
    wants: [Signal<Local, bool>; 4],
    mask: Signal<Local, Bits<4>>,
    nobody: Constant<Bits<2>>,
    is_pbr: Constant<Bits<2>>,
    is_a: Constant<Bits<2>>,
    is_b: Constant<Bits<2>>,
    no_operand: Constant<Bits<4>>,
    operand_bit: [Constant<Bits<4>>; 4],
    no_flags: Constant<Bits<3>>,
    all_flags: Constant<Bits<3>>,
    no_register: Constant<Bits<6>>,
    no: Constant<bool>,
    tells_lanes: Constant<bool>,
}

impl<const IW: usize, const TW: usize, const HARDWARE_ONLY: usize> Default
    for Entry<IW, TW, HARDWARE_ONLY>
{
    fn default() -> Self {
        Self {
            clear: Signal::default(),
            hold: Signal::default(),
            walking: Signal::default(),
            begun: Signal::default(),
            done: Signal::default(),
            flags: Signal::default(),
            favor_b: Signal::default(),
            launch: Signal::default(),
            ends: Signal::default(),
            warp: Default::default(),
            cta: Default::default(),
            pbr: Signal::default(),
            a_can: Signal::default(),
            b_can: Signal::default(),
            flagged: Default::default(),
            found: Default::default(),
            some_lanes: Default::default(),
            id: Default::default(),
            id_valid: Default::default(),
            a_x: Default::default(),
            a_valid: Default::default(),
            b_x: Default::default(),
            b_valid: Default::default(),
            open: Signal::default(),
            who: Signal::default(),
            was_done: Signal::default(),
            wanted: Signal::default(),
            who_flags: Signal::default(),
            walk: Signal::default(),
            walk_starts: Signal::default(),
            walk_ends: Signal::default(),
            who_warp: Signal::default(),
            who_cta: Signal::default(),
            x: Default::default(),
            valid: Default::default(),
            last: Default::default(),
            partial: Signal::default(),
            in_part: Signal::default(),
            is_open: Signal::default(),
            goes_on: Signal::default(),
            walks: Signal::default(),
            now: Signal::default(),
            done_now: Signal::default(),
            flags_now: Signal::default(),
            names: Default::default(),
            register: Default::default(),
            wants: Default::default(),
            mask: Signal::default(),
            nobody: Constant::new(0u64.into()),
            is_pbr: Constant::new(1u64.into()),
            is_a: Constant::new(2u64.into()),
            is_b: Constant::new(3u64.into()),
            no_operand: Constant::new(0u64.into()),
            operand_bit: array::from_fn(|i| Constant::new((1u64 << i).into())),
            no_flags: Constant::new(0u64.into()),
            all_flags: Constant::new(7u64.into()),
            no_register: Constant::new(0u64.into()),
            no: Constant::new(false),
            tells_lanes: Constant::new(HARDWARE_ONLY == 1),
        }
    }
}

impl<const IW: usize, const TW: usize, const HARDWARE_ONLY: usize> Logic
    for Entry<IW, TW, HARDWARE_ONLY>
{
    #[hdl_gen]
    #[machine_words]
    fn update(&mut self) {
        self.is_open.next = (!self.clear.val()) & ((!self.hold.val()) & (!self.walking.val()));
        self.open.next = self.is_open.val();
        // Whoever withdraws is forgotten.
        self.goes_on.next = ((self.begun.val() == self.is_pbr.val()) & self.pbr.val())
            | (((self.begun.val() == self.is_a.val()) & self.a_can.val())
                | ((self.begun.val() == self.is_b.val()) & self.b_can.val()));
        self.walks.next =
            (self.is_open.val() & (!self.goes_on.val())) & (self.launch.val() | self.ends.val());
        self.walk.next = self.walks.val();
        self.walk_starts.next = self.walks.val() & self.launch.val();
        self.walk_ends.next = self.walks.val() & self.ends.val();
        self.now.next = self.nobody.val();
        if self.is_open.val() & (!self.walks.val()) {
            if self.goes_on.val() {
                self.now.next = self.begun.val();
            } else if self.pbr.val() {
                self.now.next = self.is_pbr.val();
            } else if self.b_can.val() & (self.favor_b.val() | (!self.a_can.val())) {
                self.now.next = self.is_b.val();
            } else if self.a_can.val() {
                self.now.next = self.is_a.val();
            }
        }
        self.who.next = self.now.val();
        self.done_now.next = self.no_operand.val();
        if self.goes_on.val() {
            self.done_now.next = self.done.val();
        }
        self.was_done.next = self.done_now.val();

        self.flags_now.next = self.no_flags.val();
        self.in_part.next = self.no.val();
        self.who_warp.next = self.warp[0].val();
        self.who_cta.next = self.cta[0].val();
        for i in 0..4 {
            self.names[i].next = self.no.val();
            self.register[i].next = self.no_register.val();
        }
        if self.now.val() == self.is_pbr.val() {
            self.flags_now.next = self.all_flags.val();
            self.who_warp.next = self.warp[1].val();
            self.who_cta.next = self.cta[1].val();
            for i in 0..3 {
                self.names[i].next = self.id_valid[i].val();
                self.register[i].next = self.id[i].val();
            }
        } else if self.now.val() == self.is_a.val() {
            if self.goes_on.val() {
                self.flags_now.next = self.flags.val();
            } else if self.flagged[0].val() & (!self.tells_lanes.val()) {
                self.flags_now.next = self.found[0].val();
            }
            self.in_part.next = self.some_lanes[0].val();
            self.who_warp.next = self.warp[2].val();
            self.who_cta.next = self.cta[2].val();
            for i in 0..4 {
                self.names[i].next = self.a_valid[i].val();
                self.register[i].next = self.a_x[i].val();
            }
        } else if self.now.val() == self.is_b.val() {
            if self.goes_on.val() {
                self.flags_now.next = self.flags.val();
            } else if self.flagged[1].val() & (!self.tells_lanes.val()) {
                self.flags_now.next = self.found[1].val();
            }
            self.in_part.next = self.some_lanes[1].val();
            self.who_warp.next = self.warp[3].val();
            self.who_cta.next = self.cta[3].val();
            for i in 0..4 {
                self.names[i].next = self.b_valid[i].val();
                self.register[i].next = self.b_x[i].val();
            }
        }
        self.who_flags.next = self.flags_now.val();
        self.partial.next = self.in_part.val() & self.tells_lanes.val();
        self.mask.next = self.no_operand.val();
        for i in 0..4 {
            self.wants[i].next = self.names[i].val() & (!self.done_now.val().get_bit(i));
            if self.wants[i].val() {
                self.mask.next = self.mask.val() | self.operand_bit[i].val();
            }
            self.valid[i].next = self.wants[i].val();
            self.x[i].next = self.register[i].val();
        }
        self.wanted.next = self.mask.val();
        // A register that the instruction writes as well lives on, in its pack.
        for i in 0..3 {
            self.last[i].next = self.flags_now.val().get_bit(i)
                & (!(self.names[3].val() & (self.register[i].val() == self.register[3].val())));
        }
    }
}
