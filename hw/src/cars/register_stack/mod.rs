#![doc = include_str!("README.md")]

mod adapter;
mod frame;
pub mod model;
mod pointers;
mod room;
mod row;
pub mod rtl;
mod served;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::pins::{bits_for, pins};

/// What a port asks for, as its three `op` bits code it. Code 7 is refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Op {
    /// Nothing; the port only looks its warp up.
    #[default]
    Nothing,
    /// The warp starts in its kernel function, with an empty stack.
    Launch,
    /// The caller's RFP goes into a pack of the stack, its link; RFP := RSP.
    Call,
    /// The next callee-saved register is renamed to the pack at RSP.
    Push,
    /// The register pushed last is no longer renamed.
    Pop,
    /// All lanes have returned: RSP := RFP, and the link goes back into RFP.
    Return,
    /// The warp is done, wherever it is; its stack is free.
    Finish,
}

impl Op {
    /// The `op` bits.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }
}

pins! {
    /// Inputs for `NW` warps, `PACKS` packs and stacks of up to `STACK` packs, in port order. All are sampled at the
    /// rising edge; the outputs of the same cycle already depend on them.
    pub struct RegisterStackIn<const NW, const PACKS, const STACK> {
        /// Starts a kernel: no warp has a stack. Wins over both ports.
        clear: bool = 1,
        /// The port that is served if both ask: 0 port a, 1 port b.
        favor_b: bool = 1,
        /// What port a asks for: 0 nothing, `a_warp` is a look-up; 1 launch, 2 call, 3 push, 4 pop, 5 return, 6 finish; 7 is refused.
        a_op: u8 = 3,
        /// The warp.
        a_warp: u8 = bits_for(NW),
        /// First pack of its stack; the same from launch to finish.
        a_first: u16 = bits_for(PACKS),
        /// Packs of its stack; the same from launch to finish.
        a_capacity: u8 = bits_for(STACK + 1),
        /// Call: registers that the callee will push (without the link).
        a_fru: u8 = bits_for(STACK + 1),
        /// Call, push: packs from the bottom of the stack that the trap handler has saved for this request.
        a_evicted: u8 = bits_for(STACK + 1),
        /// Return: what the call put out on `link`.
        a_link: u16 = bits_for(PACKS),
        /// Return: what the call put out on `link_kernel`.
        a_link_kernel: bool = 1,
        /// As `a_op`.
        b_op: u8 = 3,
        /// As `a_warp`.
        b_warp: u8 = bits_for(NW),
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
    }
}

pins! {
    /// Outputs, combinational, in port order. Up to `link_kernel` they answer the port that is served.
    pub struct RegisterStackOut<const NW, const PACKS, const STACK> {
        /// The port that is served: 0 port a, 1 port b.
        served_b: bool = 1,
        /// The request is done at the edge.
        grant: bool = 1,
        /// Not granted for lack of room: save `count` packs from `pack` on and ask again.
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
        /// `a_warp` has a stack (before the edge).
        a_launched: bool = 1,
        /// Its RFP (before the edge); 0 without a stack.
        a_rfp: u16 = bits_for(PACKS),
        /// Its RSP (before the edge); 0 without a stack.
        a_rsp: u16 = bits_for(PACKS),
        /// Free packs of its stack (before the edge); 0 without a stack.
        a_free: u8 = bits_for(STACK + 1),
        /// As `a_launched`.
        b_launched: bool = 1,
        /// As `a_rfp`.
        b_rfp: u16 = bits_for(PACKS),
        /// As `a_rsp`.
        b_rsp: u16 = bits_for(PACKS),
        /// As `a_free`.
        b_free: u8 = bits_for(STACK + 1),
    }
}
