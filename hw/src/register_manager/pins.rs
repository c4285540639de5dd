//! The one port list. Which system reads and drives which pin is in the table of the README.

use super::{CTAS, PACKS as FILE, STACK, WARPS};
use crate::owf::owf_top::{PERIOD, SCHEDULERS};
use crate::owf::scratchpad_lock::ADDRESS_BITS;
use crate::pins::{bits_for, pins};
use crate::rfv::free_list::BANKS;
use crate::rfv::power_gate::SUB_ARRAYS;
use crate::rfv::release_flag_cache::PC_BITS;
use crate::rfv::rename_table::OPERANDS;

pins! {
    /// Inputs for `NW` warps, `T` CTA slots and `PACKS` packs, in port order. All are sampled at the rising edge; the outputs of
    /// the same cycle already depend on them. A pin that a system does not read is ignored.
    pub struct RegisterManagerIn<const NW = WARPS, const T = CTAS, const PACKS = FILE> {
        /// Starts a kernel. Nothing is granted in this cycle.
        clear: bool = 1,
        /// Which port wins if both want what one can have: 0 port a, 1 port b. The SM toggles it every cycle; under `rfv` it lets the
        /// port go first that was not the last to be taken in.
        favor_b: bool = 1,
        /// Sections that exist, one per warp at most; read only with `clear`. This and the pins up to `pack_count` stay as they
        /// are while a kernel runs.
        section_count: u8 = bits_for(NW + 1),
        /// Registers that a warp has for itself, whoever shares: `|Bs|`, of `owf` Rw x t, of the baseline all.
        base_regs: u8 = 8,
        /// Registers that it has while it holds what is shared: `|Es|`, of `owf` Rw - Rw x t.
        ext_regs: u8 = 8,
        /// Of `regmutex` the first pack of the shared pool; of `owf` what is added to the place of an upper warp's private
        /// registers.
        offset: u16 = bits_for(PACKS),
        /// The kernel shares registers; read only with `clear`.
        share_regs: bool = 1,
        /// The kernel shares scratchpad; read only with `clear`, and only if `share_regs` is low.
        share_scratchpad: bool = 1,
        /// Warps of a CTA, from 1 to half of all.
        warps_per_cta: u8 = bits_for(NW / 2 + 1),
        /// Bytes of scratchpad that a CTA has for itself when it shares.
        private_bytes: u32 = ADDRESS_BITS as u32,
        /// This is SM 0, with which the others compare their stall cycles.
        sm_zero: bool = 1,
        /// N, registers that are not renamed: those below it.
        exempt: u8 = 6,
        /// How many packs the file has, as `free_list` says.
        shrink: u8 = 2,
        /// Packs at the bottom of each bank that hold registers that are not renamed.
        reserved: u16 = bits_for(PACKS / BANKS + 1),
        /// Packs that may be assigned, as `rfv_top` says; read only with `clear`.
        pack_count: u16 = bits_for(PACKS + 1),
        /// Makes the CTAs `exit_cta`, the lower one, and `partner` a pair.
        pair: bool = 1,
        /// The upper CTA of a new pair.
        partner: u8 = bits_for(T),
        /// A CTA starts in slot `launch_cta`.
        cta_launch: bool = 1,
        /// Its slot.
        launch_cta: u8 = bits_for(T),
        /// Packs that it needs in the worst case: registers that are renamed x warps.
        need: u16 = bits_for(PACKS + 1),
        /// The CTA in slot `exit_cta` has ended, all its warps have, and `busy` is low. `owf` ignores it while `pair` is high.
        cta_exit: bool = 1,
        /// Its slot; with `pair` the lower CTA.
        exit_cta: u8 = bits_for(T),
        /// Slots in which a warp starts, a bit each.
        starts: u64 = NW as u32,
        /// `warp` starts: its part of the renaming table is made unmapped. To be held until `walk_grant`.
        launch: bool = 1,
        /// `warp` ends, and all its operands have been read: its packs are given back. To be held until `walk_grant`.
        exit: bool = 1,
        /// The warp that starts or ends.
        warp: u8 = bits_for(NW),
        /// Its CTA.
        warp_cta: u8 = bits_for(T),
        /// `stall_warp` has no registers: it does not issue until it is woken.
        stall: bool = 1,
        /// The warp to stall.
        stall_warp: u8 = bits_for(NW),
        /// Registers became free other than by the end of a warp: the warp that was stalled first is woken.
        freed: bool = 1,
        /// Warps that can issue in this cycle, a bit each.
        ready: u64 = NW as u32,
        /// No warp of the SM can issue in this cycle (IV-C).
        stall_cycle: bool = 1,
        /// `stalls` of SM 0; read only while `compares` is high.
        zero_stalls: u16 = bits_for(PERIOD + 1),
        /// Some operand that was answered, in this cycle or before, will not have been read by the end of the next.
        hold: bool = 1,
        /// A word arrives at decode. To be held until `word_done`.
        word_valid: bool = 1,
        /// The word.
        word: u64 = 64,
        /// Its program counter, in words of 64 bits.
        word_pc: u16 = PC_BITS,
        /// Of a pir, the instruction after it whose flags are shown in `word_flags`.
        word_slot: u8 = 5,
        /// The warp that fetched it.
        word_warp: u8 = bits_for(NW),
        /// The CTA of that warp.
        word_cta: u8 = bits_for(T),
        /// Port a issues an instruction in this cycle. To be held until `a_grant`, or until its warp is taken off the port.
        a_valid: bool = 1,
        /// Its warp.
        a_warp: u8 = bits_for(NW),
        /// The CTA of that warp.
        a_cta: u8 = bits_for(T),
        /// It ends its warp, and frees the lock that the warp holds. Then it names no registers and accesses no memory.
        a_exit: bool = 1,
        /// It accesses the memory that all SMs share.
        a_memory: bool = 1,
        /// It accesses the scratchpad.
        a_scratch: bool = 1,
        /// The highest address there, in bytes from the start of the CTA's scratchpad.
        a_address: u32 = ADDRESS_BITS as u32,
        /// It acquires or releases the extended set.
        a_change: bool = 1,
        /// What it changes: 0 acquire, 1 release.
        a_release: bool = 1,
        /// What it asks of its warp's stack: 0 nothing, 1 launch, 2 call, 3 push, 4 pop, 5 return, 6 finish; 7 is refused.
        a_op: u8 = 3,
        /// First pack of the warp's base registers; this and the next two are the same from launch to finish.
        a_base: u16 = bits_for(PACKS),
        /// First pack of its stack.
        a_first: u16 = bits_for(PACKS),
        /// Packs of its stack, 1 ..= 63.
        a_capacity: u8 = bits_for(STACK + 1),
        /// Call: registers that the callee will push, without the link.
        a_fru: u8 = bits_for(STACK + 1),
        /// Call, push: packs that the trap handler has saved for this request.
        a_evicted: u8 = bits_for(STACK + 1),
        /// Return: what the call put out on `link`.
        a_link: u16 = bits_for(PACKS),
        /// Return: what the call put out on `link_kernel`.
        a_link_kernel: bool = 1,
        /// The throttle of CTAs does not hold it back.
        a_urgent: bool = 1,
        /// A pir says which of its sources are dead after it.
        a_flagged: bool = 1,
        /// Program counter of that pir.
        a_pir: u16 = PC_BITS,
        /// Which of the 18 instructions after the pir it is.
        a_slot: u8 = 5,
        /// Architected register of its first source.
        a_x0: u8 = 8,
        /// It has one.
        a_x0_valid: bool = 1,
        /// Architected register of its second source.
        a_x1: u8 = 8,
        /// It has one.
        a_x1_valid: bool = 1,
        /// Architected register of its third source.
        a_x2: u8 = 8,
        /// It has one.
        a_x2_valid: bool = 1,
        /// Architected register of its destination.
        a_x3: u8 = 8,
        /// It has one.
        a_x3_valid: bool = 1,
        /// As `a_valid`.
        b_valid: bool = 1,
        /// As `a_warp`.
        b_warp: u8 = bits_for(NW),
        /// As `a_cta`.
        b_cta: u8 = bits_for(T),
        /// As `a_exit`.
        b_exit: bool = 1,
        /// As `a_memory`.
        b_memory: bool = 1,
        /// As `a_scratch`.
        b_scratch: bool = 1,
        /// As `a_address`.
        b_address: u32 = ADDRESS_BITS as u32,
        /// As `a_change`.
        b_change: bool = 1,
        /// As `a_release`.
        b_release: bool = 1,
        /// As `a_op`.
        b_op: u8 = 3,
        /// As `a_base`.
        b_base: u16 = bits_for(PACKS),
        /// As `a_first`.
        b_first: u16 = bits_for(PACKS),
        /// As `a_capacity`.
        b_capacity: u8 = bits_for(STACK + 1),
        /// As `a_fru`.
        b_fru: u8 = bits_for(STACK + 1),
        /// As `a_evicted`.
        b_evicted: u8 = bits_for(STACK + 1),
        /// As `a_link`.
        b_link: u16 = bits_for(PACKS),
        /// As `a_link_kernel`.
        b_link_kernel: bool = 1,
        /// As `a_urgent`.
        b_urgent: bool = 1,
        /// As `a_flagged`.
        b_flagged: bool = 1,
        /// As `a_pir`.
        b_pir: u16 = PC_BITS,
        /// As `a_slot`.
        b_slot: u8 = 5,
        /// As `a_x0`.
        b_x0: u8 = 8,
        /// As `a_x0_valid`.
        b_x0_valid: bool = 1,
        /// As `a_x1`.
        b_x1: u8 = 8,
        /// As `a_x1_valid`.
        b_x1_valid: bool = 1,
        /// As `a_x2`.
        b_x2: u8 = 8,
        /// As `a_x2_valid`.
        b_x2_valid: bool = 1,
        /// As `a_x3`.
        b_x3: u8 = 8,
        /// As `a_x3_valid`.
        b_x3_valid: bool = 1,
    }
}

pins! {
    /// Outputs for `NW` warps, `T` CTA slots and `PACKS` packs, in port order. What a system does not have is idle: 0, or all ones where its pin says so.
    pub struct RegisterManagerOut<const NW = WARPS, const T = CTAS, const PACKS = FILE> {
        /// What was asked for has become free, or one port kept the other waiting: who was refused may try again.
        wake: bool = 1,
        /// The pair is made.
        pair_grant: bool = 1,
        /// The kernel shares registers or scratchpad.
        sharing: bool = 1,
        /// Warps of CTAs in sharing mode.
        shared: u64 = NW as u32,
        /// Warps of owner CTAs.
        owner: u64 = NW as u32,
        /// Schedulers that have a ready warp, a bit each.
        chosen_valid: u8 = SCHEDULERS as u32,
        /// The warp that each scheduler issues, scheduler 0 in the lowest bits; 0 where it has none.
        chosen: u16 = SCHEDULERS as u32 * bits_for(NW),
        /// Memory instructions of warps that are not owners may issue in this cycle. Idle: 1.
        memory_allowed: bool = 1,
        /// The probability of that in tenths, 0 ..= 10; 0 on SM 0.
        tenths: u8 = 4,
        /// The first cycle of a period: `stalls` is of all of the period before.
        compares: bool = 1,
        /// Stall cycles before this cycle, of the period that `compares` says.
        stalls: u16 = bits_for(PERIOD + 1),
        /// The warp's start or end is taken in. Idle: 1.
        walk_grant: bool = 1,
        /// A start or an end goes on: nothing else is taken in.
        busy: bool = 1,
        /// The word is a pir.
        pir: bool = 1,
        /// The word is a pbr.
        pbr: bool = 1,
        /// Of a pir, the sources that the instruction in `word_slot` releases.
        word_flags: u8 = 3,
        /// Decode is done with the word. Idle: 1.
        word_done: bool = 1,
        /// CTAs whose warps may issue, a bit per slot. Idle: all.
        may_issue: u64 = T as u32,
        /// The CTA that is nearest to having all it can need.
        chosen_cta: u8 = bits_for(T),
        /// Only that one may issue.
        throttled: bool = 1,
        /// Fewer packs are free than even that one may need: spill a warp.
        spill: bool = 1,
        /// Packs that are not assigned.
        free_packs: u16 = bits_for(PACKS + 1),
        /// Banks without a free pack, a bit each.
        dry: u8 = BANKS as u32,
        /// Sub-arrays with power, bit 4b + s for sub-array s of bank b. Idle: all.
        powered: u16 = SUB_ARRAYS as u32,
        /// Sub-arrays that can be read and written. Idle: all.
        awake: u16 = SUB_ARRAYS as u32,
        /// `stall` is served: after the edge, `stall_warp` is in the list.
        stall_grant: bool = 1,
        /// A warp is woken: by `freed`, or because one finishes.
        woken_valid: bool = 1,
        /// The warp that is woken; 0 if none is.
        woken: u8 = bits_for(NW),
        /// No warp is stalled, before the edge. Idle: 1.
        none_stalled: bool = 1,
        /// The port that the next five answer: 0 port a, 1 port b.
        served_b: bool = 1,
        /// Its request is not granted for lack of room: save `count` packs from `pack` on and ask again.
        trap: bool = 1,
        /// Call: where the link goes. Push: the new pack. Pop: the one it leaves. Trap: the first to save. Return: the first
        /// to fill.
        pack: u16 = bits_for(PACKS),
        /// Trap: packs to save. Return: packs to fill. Otherwise 0.
        count: u8 = bits_for(STACK + 1),
        /// Call: the RFP to write into the link; otherwise 0.
        link: u16 = bits_for(PACKS),
        /// Call: the caller is the kernel, to write into the link; otherwise 0.
        link_kernel: bool = 1,
        /// The instruction on port a goes on. Low: its warp tries again.
        a_grant: bool = 1,
        /// `a_y0` to `a_y3_awake` answer this port: in the cycle of `a_grant`, of `rfv` in the cycle after each `a_served`.
        a_answer: bool = 1,
        /// Before the edge, the warp holds what is shared: its section, its pair's set (paper's: one of the pair does), its
        /// lock.
        a_held: bool = 1,
        /// Operands that are looked up in this cycle, bit 0 the first source, bit 3 the destination.
        a_served: u8 = OPERANDS as u32,
        /// The cache holds the pir at `a_pir`.
        a_hit: bool = 1,
        /// The instruction is refused because the cache does not: fetch and decode the pir.
        a_miss: bool = 1,
        /// With `a_answer`: the destination has no pack and none is free in its bank. Ask again for it alone.
        a_starved: bool = 1,
        /// The warp is stalled, before the edge.
        a_stalled: bool = 1,
        /// The warp has a stack, before the edge.
        a_launched: bool = 1,
        /// Its RFP, before the edge; 0 without a stack.
        a_rfp: u16 = bits_for(PACKS),
        /// Its RSP, before the edge; 0 without a stack.
        a_rsp: u16 = bits_for(PACKS),
        /// Free packs of its stack, before the edge; 0 without a stack.
        a_free: u8 = bits_for(STACK + 1),
        /// The pack below its frame, which a return reads; 0 without a stack.
        a_link_pack: u16 = bits_for(PACKS),
        /// Pack of its first source; 0 if not valid.
        a_y0: u16 = bits_for(PACKS),
        /// The register exists, and the warp may use it now.
        a_y0_valid: bool = 1,
        /// Its sub-array is awake: it can be read now.
        a_y0_awake: bool = 1,
        /// Pack of its second source; 0 if not valid.
        a_y1: u16 = bits_for(PACKS),
        /// The register exists, and the warp may use it now.
        a_y1_valid: bool = 1,
        /// Its sub-array is awake: it can be read now.
        a_y1_awake: bool = 1,
        /// Pack of its third source; 0 if not valid.
        a_y2: u16 = bits_for(PACKS),
        /// The register exists, and the warp may use it now.
        a_y2_valid: bool = 1,
        /// Its sub-array is awake: it can be read now.
        a_y2_awake: bool = 1,
        /// Pack of its destination; 0 if not valid.
        a_y3: u16 = bits_for(PACKS),
        /// The register exists, and the warp may use it now.
        a_y3_valid: bool = 1,
        /// Its sub-array is awake: it can be written now.
        a_y3_awake: bool = 1,
        /// As `a_grant`.
        b_grant: bool = 1,
        /// As `a_answer`.
        b_answer: bool = 1,
        /// As `a_held`.
        b_held: bool = 1,
        /// As `a_served`.
        b_served: u8 = OPERANDS as u32,
        /// As `a_hit`.
        b_hit: bool = 1,
        /// As `a_miss`.
        b_miss: bool = 1,
        /// As `a_starved`.
        b_starved: bool = 1,
        /// As `a_stalled`.
        b_stalled: bool = 1,
        /// As `a_launched`.
        b_launched: bool = 1,
        /// As `a_rfp`.
        b_rfp: u16 = bits_for(PACKS),
        /// As `a_rsp`.
        b_rsp: u16 = bits_for(PACKS),
        /// As `a_free`.
        b_free: u8 = bits_for(STACK + 1),
        /// As `a_link_pack`.
        b_link_pack: u16 = bits_for(PACKS),
        /// As `a_y0`.
        b_y0: u16 = bits_for(PACKS),
        /// As `a_y0_valid`.
        b_y0_valid: bool = 1,
        /// As `a_y0_awake`.
        b_y0_awake: bool = 1,
        /// As `a_y1`.
        b_y1: u16 = bits_for(PACKS),
        /// As `a_y1_valid`.
        b_y1_valid: bool = 1,
        /// As `a_y1_awake`.
        b_y1_awake: bool = 1,
        /// As `a_y2`.
        b_y2: u16 = bits_for(PACKS),
        /// As `a_y2_valid`.
        b_y2_valid: bool = 1,
        /// As `a_y2_awake`.
        b_y2_awake: bool = 1,
        /// As `a_y3`.
        b_y3: u16 = bits_for(PACKS),
        /// As `a_y3_valid`.
        b_y3_valid: bool = 1,
        /// As `a_y3_awake`.
        b_y3_awake: bool = 1,
    }
}

macro_rules! port {
    ($name:literal, $regs:ident, $set_regs:ident, $packs:ident, $set_packs:ident, [$($x:ident),*], [$($x_valid:ident),*],
        [$($y:ident),*], [$($y_valid:ident),*]) => {
        impl<const NW: usize, const T: usize, const PACKS: usize> RegisterManagerIn<NW, T, PACKS> {
            #[doc = concat!("Registers of the instruction on port ", $name, ": three sources and a destination.")]
            #[must_use]
            pub fn $regs(&self) -> [Option<u8>; OPERANDS] {
                [$(self.$x_valid.then_some(self.$x)),*]
            }

            #[doc = concat!("Names these registers on port ", $name, ".")]
            pub fn $set_regs(&mut self, regs: [Option<u8>; OPERANDS]) {
                [$(self.$x),*] = regs.map(Option::unwrap_or_default);
                [$(self.$x_valid),*] = regs.map(|reg| reg.is_some());
            }
        }

        impl<const NW: usize, const T: usize, const PACKS: usize> RegisterManagerOut<NW, T, PACKS> {
            #[doc = concat!("Packs of the registers on port ", $name, ", as far as they have one; see `answer`.")]
            #[must_use]
            pub fn $packs(&self) -> [Option<u16>; OPERANDS] {
                [$(self.$y_valid.then_some(self.$y)),*]
            }

            pub(super) fn $set_packs(&mut self, packs: [Option<u16>; OPERANDS]) {
                [$(self.$y),*] = packs.map(Option::unwrap_or_default);
                [$(self.$y_valid),*] = packs.map(|pack| pack.is_some());
            }
        }
    };
}

port!(
    "a",
    a_regs,
    set_a_regs,
    a_packs,
    set_a_packs,
    [a_x0, a_x1, a_x2, a_x3],
    [a_x0_valid, a_x1_valid, a_x2_valid, a_x3_valid],
    [a_y0, a_y1, a_y2, a_y3],
    [a_y0_valid, a_y1_valid, a_y2_valid, a_y3_valid]
);
port!(
    "b",
    b_regs,
    set_b_regs,
    b_packs,
    set_b_packs,
    [b_x0, b_x1, b_x2, b_x3],
    [b_x0_valid, b_x1_valid, b_x2_valid, b_x3_valid],
    [b_y0, b_y1, b_y2, b_y3],
    [b_y0_valid, b_y1_valid, b_y2_valid, b_y3_valid]
);
