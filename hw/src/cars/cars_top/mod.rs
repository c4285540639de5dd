#![doc = include_str!("README.md")]

mod adapter;
mod demand;
pub mod model;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use super::register_stack::Op;
use crate::pins::{bits_for, pins};

/// Registers of an instruction: three sources and a destination.
pub const LOOKUPS: usize = 4;

pins! {
    /// Inputs for `NW` warps, `PACKS` packs and stacks of up to `STACK` packs, in port order. All are sampled at the rising
    /// edge; the outputs of the same cycle already depend on them.
    pub struct CarsTopIn<const NW, const PACKS, const STACK> {
        /// Starts a kernel: no warp has a stack, none is stalled. Wins over everything else.
        clear: bool = 1,
        /// The port whose request is served if both ask for one: 0 port a, 1 port b.
        favor_b: bool = 1,
        /// `stall_warp` has no registers: it does not issue until it is woken.
        stall: bool = 1,
        /// The warp to stall.
        stall_warp: u8 = bits_for(NW),
        /// Registers became free other than by the end of a warp: the warp that has waited longest is woken.
        wake: bool = 1,
        /// Port a issues an instruction.
        a_valid: bool = 1,
        /// What it asks of its warp's stack: 0 nothing, 1 launch, 2 call, 3 push, 4 pop, 5 return, 6 finish; 7 is refused.
        a_op: u8 = 3,
        /// Its warp.
        a_warp: u8 = bits_for(NW),
        /// First pack of the warp's base registers, `Base[w]`; the same from launch to finish, as the next two.
        a_base: u16 = bits_for(PACKS),
        /// First pack of its stack, behind the base registers.
        a_first: u16 = bits_for(PACKS),
        /// Packs of its stack, 1 ..= `STACK`.
        a_capacity: u8 = bits_for(STACK + 1),
        /// Call: registers that the callee will push (without the link).
        a_fru: u8 = bits_for(STACK + 1),
        /// Call, push: packs from the bottom of the stack that the trap handler has saved for this request.
        a_evicted: u8 = bits_for(STACK + 1),
        /// Return: what the call put out on `link`.
        a_link: u16 = bits_for(PACKS),
        /// Return: what the call put out on `link_kernel`.
        a_link_kernel: bool = 1,
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
        /// As `a_op`.
        b_op: u8 = 3,
        /// As `a_warp`.
        b_warp: u8 = bits_for(NW),
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
        /// Architected register of its first source.
        b_x0: u8 = 8,
        /// It has one.
        b_x0_valid: bool = 1,
        /// Architected register of its second source.
        b_x1: u8 = 8,
        /// It has one.
        b_x1_valid: bool = 1,
        /// Architected register of its third source.
        b_x2: u8 = 8,
        /// It has one.
        b_x2_valid: bool = 1,
        /// Architected register of its destination.
        b_x3: u8 = 8,
        /// It has one.
        b_x3_valid: bool = 1,
    }
}

pins! {
    /// Outputs, combinational, in port order. From `trap` to `link_kernel` they answer the port of `served_b`.
    pub struct CarsTopOut<const NW, const PACKS, const STACK> {
        /// `stall` is served: after the edge, `stall_warp` is in the list.
        stall_grant: bool = 1,
        /// A warp is woken in this cycle: by `wake`, or by a warp that finishes.
        woken_valid: bool = 1,
        /// The warp that is woken; 0 while `woken_valid` is low.
        woken: u8 = bits_for(NW),
        /// No warp is stalled (before the edge).
        empty: bool = 1,
        /// The port whose request is served: 0 port a, 1 port b.
        served_b: bool = 1,
        /// It is not granted for lack of room: save `count` packs from `pack` on and ask again.
        trap: bool = 1,
        /// Call: where the link goes. Push: the register's new pack. Pop: the pack it leaves. Trap: the first to save.
        /// Return: the first to fill. Otherwise 0.
        pack: u16 = bits_for(PACKS),
        /// Trap: packs to save. Return: packs to fill before the warp issues again. Otherwise 0.
        count: u8 = bits_for(STACK + 1),
        /// Call: the RFP to write into the link; otherwise 0.
        link: u16 = bits_for(PACKS),
        /// Call: the caller is the kernel, to write into the link; otherwise 0.
        link_kernel: bool = 1,
        /// Port a's instruction goes on. Low: its warp tries again.
        a_grant: bool = 1,
        /// `a_warp` is stalled (before the edge).
        a_stalled: bool = 1,
        /// It has a stack (before the edge).
        a_launched: bool = 1,
        /// Its RFP (before the edge); 0 without a stack.
        a_rfp: u16 = bits_for(PACKS),
        /// Its RSP (before the edge); 0 without a stack.
        a_rsp: u16 = bits_for(PACKS),
        /// Free packs of its stack (before the edge); 0 without a stack.
        a_free: u8 = bits_for(STACK + 1),
        /// The pack below its frame, which a return reads; 0 without a stack.
        a_link_pack: u16 = bits_for(PACKS),
        /// Physical register of its first source; 0 if not valid.
        a_y0: u16 = bits_for(PACKS),
        /// The warp may use it now.
        a_y0_valid: bool = 1,
        /// Physical register of its second source; 0 if not valid.
        a_y1: u16 = bits_for(PACKS),
        /// The warp may use it now.
        a_y1_valid: bool = 1,
        /// Physical register of its third source; 0 if not valid.
        a_y2: u16 = bits_for(PACKS),
        /// The warp may use it now.
        a_y2_valid: bool = 1,
        /// Physical register of its destination; 0 if not valid.
        a_y3: u16 = bits_for(PACKS),
        /// The warp may use it now.
        a_y3_valid: bool = 1,
        /// As `a_grant`.
        b_grant: bool = 1,
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
        /// Physical register of its first source; 0 if not valid.
        b_y0: u16 = bits_for(PACKS),
        /// The warp may use it now.
        b_y0_valid: bool = 1,
        /// Physical register of its second source; 0 if not valid.
        b_y1: u16 = bits_for(PACKS),
        /// The warp may use it now.
        b_y1_valid: bool = 1,
        /// Physical register of its third source; 0 if not valid.
        b_y2: u16 = bits_for(PACKS),
        /// The warp may use it now.
        b_y2_valid: bool = 1,
        /// Physical register of its destination; 0 if not valid.
        b_y3: u16 = bits_for(PACKS),
        /// The warp may use it now.
        b_y3_valid: bool = 1,
    }
}

/// An instruction on one of the ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Issue {
    /// Its warp.
    pub warp: u8,
    /// The code of what it asks of its warp's stack.
    pub op: u8,
    /// First pack of the warp's base registers.
    pub base: u16,
    /// First pack of its stack.
    pub first: u16,
    /// Packs of its stack.
    pub capacity: u8,
    /// Registers that the callee will push.
    pub fru: u8,
    /// Packs saved for this request.
    pub evicted: u8,
    /// The caller's RFP, from the link.
    pub link: u16,
    /// The caller is the kernel, from the link.
    pub link_kernel: bool,
    /// Architected registers of its three sources and its destination.
    pub regs: [Option<u8>; LOOKUPS],
}

impl Issue {
    /// The same, asking for `op`.
    #[must_use]
    pub const fn asking(self, op: Op) -> Self {
        Self {
            op: op.code(),
            ..self
        }
    }
}

/// What a port learns besides the request that is served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The instruction goes on.
    pub grant: bool,
    /// Its warp is stalled.
    pub stalled: bool,
    /// RFP, RSP and free packs of the warp's stack, if it has one.
    pub stack: Option<(u16, u16, u8)>,
    /// The pack below the frame.
    pub link_pack: u16,
    /// Physical registers of its three sources and its destination.
    pub packs: [Option<u16>; LOOKUPS],
}

macro_rules! port {
    ($name:literal, $port:ident, $with:ident, $answer:ident, $set:ident, $valid:ident, $grant:ident, $stalled:ident,
        $launched:ident, $rfp:ident, $rsp:ident, $free:ident, $link_pack:ident,
        {$($field:ident: $pin:ident),*}, [$($x:ident),*], [$($x_valid:ident),*], [$($y:ident),*], [$($y_valid:ident),*]) => {
        impl<const NW: usize, const PACKS: usize, const STACK: usize> CarsTopIn<NW, PACKS, STACK> {
            #[doc = concat!("What port ", $name, " issues.")]
            #[must_use]
            pub fn $port(&self) -> Option<Issue> {
                self.$valid.then(|| Issue {
                    $($field: self.$pin,)*
                    regs: [$(self.$x_valid.then_some(self.$x)),*],
                })
            }

            #[doc = concat!("These pins with `issue` on port ", $name, ".")]
            #[must_use]
            pub fn $with(mut self, issue: Issue) -> Self {
                self.$valid = true;
                $(self.$pin = issue.$field;)*
                [$(self.$x),*] = issue.regs.map(Option::unwrap_or_default);
                [$(self.$x_valid),*] = issue.regs.map(|reg| reg.is_some());
                self
            }
        }

        impl<const NW: usize, const PACKS: usize, const STACK: usize> CarsTopOut<NW, PACKS, STACK> {
            #[doc = concat!("The answer on port ", $name, ".")]
            #[must_use]
            pub fn $answer(&self) -> Answer {
                Answer {
                    grant: self.$grant,
                    stalled: self.$stalled,
                    stack: self.$launched.then_some((self.$rfp, self.$rsp, self.$free)),
                    link_pack: self.$link_pack,
                    packs: [$(self.$y_valid.then_some(self.$y)),*],
                }
            }

            #[doc = concat!("Puts `answer` on port ", $name, "; what does not exist is 0.")]
            fn $set(&mut self, answer: Answer) {
                (self.$grant, self.$stalled) = (answer.grant, answer.stalled);
                self.$launched = answer.stack.is_some();
                (self.$rfp, self.$rsp, self.$free) = answer.stack.unwrap_or_default();
                self.$link_pack = answer.link_pack;
                [$(self.$y),*] = answer.packs.map(Option::unwrap_or_default);
                [$(self.$y_valid),*] = answer.packs.map(|pack| pack.is_some());
            }
        }
    };
}

port!(
    "a", a, with_a, a_answer, set_a, a_valid, a_grant, a_stalled, a_launched, a_rfp, a_rsp, a_free,
    a_link_pack, {warp: a_warp, op: a_op, base: a_base, first: a_first, capacity: a_capacity, fru: a_fru, evicted: a_evicted, link: a_link, link_kernel: a_link_kernel}, [a_x0, a_x1, a_x2, a_x3], [a_x0_valid, a_x1_valid, a_x2_valid, a_x3_valid], [a_y0, a_y1, a_y2, a_y3], [a_y0_valid, a_y1_valid, a_y2_valid, a_y3_valid]
);
port!(
    "b", b, with_b, b_answer, set_b, b_valid, b_grant, b_stalled, b_launched, b_rfp, b_rsp, b_free,
    b_link_pack, {warp: b_warp, op: b_op, base: b_base, first: b_first, capacity: b_capacity, fru: b_fru, evicted: b_evicted, link: b_link, link_kernel: b_link_kernel}, [b_x0, b_x1, b_x2, b_x3], [b_x0_valid, b_x1_valid, b_x2_valid, b_x3_valid], [b_y0, b_y1, b_y2, b_y3], [b_y0_valid, b_y1_valid, b_y2_valid, b_y3_valid]
);
