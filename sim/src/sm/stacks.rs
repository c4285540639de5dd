//! Calls with register stacks (CARS III and IV): frames and links. Packs that a full stack saves are moved by the trap
//! [`handler`].
//!
//! The scoreboard knows architected registers, so a push or pop waits for what reads or writes the register of that
//! name. // assumed

mod handler;

use crate::sm::Sm;
use crate::sm::error::{RunError, Step};
use crate::sm::program::{MicroOp, StackOps};
use crate::sm::regfile::Held;
use crate::sm::scoreboard::RegMask;
use handler::Handler;
use regshare_hw::ids::{ArchReg, WarpSlot};
use regshare_hw::manager::{IssueRequest, Link, RegOp};

/// The first register that functions preserve.
const FIRST_SAVED: u16 = crate::compiler::calls::FIRST_SAVED;

/// A function that has been called and has not returned.
#[derive(Clone, Debug, Default)]
struct Frame {
    /// Of each register that it has pushed: the lanes of the caller's that have a value.
    pushed: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct WarpStack {
    frames: Vec<Frame>,
    /// Whose value each word of the handler's memory is.
    held: Vec<Option<Held>>,
    /// Packs of the stack that are in memory: the words in use.
    saved: u32,
    /// For the request that trapped.
    evicted: u8,
    handler: Option<Handler>,
}

/// Register stacks of all warp slots.
#[derive(Clone, Debug)]
pub struct Stacks {
    warps: Vec<WarpStack>,
    ops: StackOps,
    /// First byte of the handler's part of local memory.
    first_byte: u64,
    /// Words for the stack; those behind it are for the registers that a warp gives up at a barrier.
    spill_words: u32,
    /// Warps that the handler works for or that have no registers: they take part in nothing else.
    pub away: u64,
    /// Of these, those whose next instruction is the handler's.
    pub handling: u64,
    /// Warps that gave their registers up and have not got them back.
    out: u64,
}

impl Stacks {
    /// For `slots` warps.
    pub fn new(slots: usize, ops: StackOps, first_byte: u64, spill_words: u32, words: u32) -> Self {
        let warp = WarpStack {
            held: vec![None; words as usize],
            ..WarpStack::default()
        };
        Stacks {
            warps: vec![warp; slots],
            ops,
            first_byte,
            spill_words,
            away: 0,
            handling: 0,
            out: 0,
        }
    }

    /// A warp starts.
    pub fn start(&mut self, slot: usize) {
        let warp = &mut self.warps[slot];
        warp.frames.clear();
        (warp.saved, warp.evicted, warp.handler) = (0, 0, None);
    }

    /// Registers that the function in control has pushed.
    fn frame(&self, slot: usize) -> RegMask {
        let mut mask = RegMask::default();
        if let Some(frame) = self.warps[slot].frames.last() {
            (0..frame.pushed.len() as u16).for_each(|n| mask.insert(FIRST_SAVED + n));
        }
        mask
    }

    /// Whether the handler has something to do as soon as nothing of its warp is in flight.
    pub fn is_waiting(&self, slot: usize) -> bool {
        let handler = &self.warps[slot].handler;
        handler.as_ref().is_some_and(|handler| handler.issued == 0)
            && self.handling >> slot & 1 == 0
    }
}

impl Sm<'_> {
    /// Registers for which a return waits: those that it gives back.
    pub(super) fn frame_mask(&self, slot: usize) -> Option<RegMask> {
        self.stacks.as_ref().map(|stacks| stacks.frame(slot))
    }

    /// Completes the request of a call, push or return. False: the instruction concerns no register stack.
    pub(super) fn ask_stack(
        &mut self,
        slot: usize,
        op: &MicroOp,
        request: &mut IssueRequest,
    ) -> Step<bool> {
        let Some(stacks) = &self.stacks else {
            return Ok(op.asks);
        };
        let lanes = self.active_lanes(slot, op);
        let warp = &stacks.warps[slot];
        request.stack.evicted = warp.evicted;
        match op.request.op {
            RegOp::Call { .. } => return Ok(lanes != 0),
            RegOp::Return if !self.warps.stack[slot].ends_call(lanes) => return Ok(false),
            RegOp::Return => {
                let (cycle, depth) = (self.cycle, warp.frames.len());
                let pack = self.manager.link_pack(WarpSlot(slot as u16));
                let pack = pack.map_err(|fault| Box::new(RunError::Manager { cycle, fault }))?;
                let word = pack.and_then(|pack| {
                    let counters = &mut self.counters.registers;
                    self.registers.read_link(slot, pack, depth as u16, counters)
                });
                let Some(word) = word else {
                    return Err(self.stack_fault(slot, "the link of a return is not in its pack"));
                };
                request.stack.link = Link::from_word(word);
            }
            RegOp::Push | RegOp::Pop => {
                let named = op.write_mask;
                let pushed = warp.frames.last().map_or(0, |frame| frame.pushed.len());
                let next = FIRST_SAVED + pushed as u16 - u16::from(op.request.op == RegOp::Pop);
                if warp.frames.is_empty() || named != RegMask::only(next) {
                    let problem =
                        "push and pop take the registers from r16 on in order, inside a function";
                    return Err(self.stack_fault(slot, problem));
                }
            }
            _ => return Ok(op.asks),
        }
        Ok(true)
    }

    #[cold]
    pub(super) fn stack_fault(&self, slot: usize, problem: &'static str) -> Box<RunError> {
        Box::new(RunError::Stack {
            place: self.place(slot),
            problem,
        })
    }

    /// A call, push, pop or return has been granted.
    pub(super) fn stack_granted(&mut self, slot: usize, op: &MicroOp, scheduler: usize) -> Step {
        let Some(stacks) = &mut self.stacks else {
            return Ok(());
        };
        let reply = self.replies[scheduler].stack;
        let warp = &mut stacks.warps[slot];
        warp.evicted = 0;
        let calls = &mut self.counters.calls;
        match op.request.op {
            RegOp::Call { .. } => {
                warp.frames.push(Frame::default());
                let depth = warp.frames.len();
                if let Some((pack, link)) = reply.link {
                    let counters = &mut self.counters.registers;
                    let word = link.to_word();
                    self.registers
                        .write_link(slot, pack, depth as u16, word, counters);
                }
            }
            RegOp::Push => {
                let Some(frame) = warp.frames.last_mut() else {
                    return Ok(());
                };
                let reg = FIRST_SAVED + frame.pushed.len() as u16;
                frame
                    .pushed
                    .push(self.registers.push(slot, ArchReg(reg as u8)));
                calls.pushes += 1;
            }
            RegOp::Pop => {
                let frame = warp.frames.last_mut();
                if let Some(frame) = frame
                    && let Some(had) = frame.pushed.pop()
                {
                    let reg = FIRST_SAVED + frame.pushed.len() as u16;
                    self.registers.pop(slot, ArchReg(reg as u8), had);
                }
                calls.pops += 1;
            }
            RegOp::Return => {
                let frame = warp.frames.pop().unwrap_or_default();
                for (number, &had) in frame.pushed.iter().enumerate().rev() {
                    let reg = FIRST_SAVED + number as u16;
                    self.registers.pop(slot, ArchReg(reg as u8), had);
                }
                if let Some(packs) = reply.fill {
                    self.fill(slot, packs)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
