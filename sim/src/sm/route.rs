//! A trace on its way through a program, and how far the warps of an SM are on it ([`super::replay`]).

use crate::kernel::{Inst, Kernel};
use crate::sm::program::MicroOp;
use crate::trace::lift::{CtaSource, Followed, Lifted, Windows};
use crate::trace::record::{Executed, Header, WarpTrace};

/// A trace that a run follows.
pub(super) struct Traced<'a> {
    /// Where it goes through the program.
    pub route: Route<'a>,
    /// Its CTAs, for all SMs, from the first on.
    pub source: Box<dyn CtaSource + 'a>,
}

/// How a trace goes through a kernel, on whatever SM.
pub(super) struct Route<'a> {
    header: &'a Header,
    pub windows: Windows,
    pub insts: &'a [Inst],
    /// Of each static instruction, the first instruction of its block.
    pub home: Vec<u32>,
}

impl<'a> Route<'a> {
    /// Through `kernel`, which a scheme has made of `lifted`.
    pub fn new(lifted: &'a Lifted, kernel: &Kernel) -> Self {
        let mut home = vec![0; lifted.insts.len()];
        let mut start = 0;
        for block in &kernel.blocks {
            for inst in &block.insts {
                if let Some(home) = number(inst.line.0).and_then(|number| home.get_mut(number)) {
                    *home = start;
                }
            }
            start += block.insts.len() as u32;
        }
        Route {
            windows: Windows::of(&lifted.header),
            header: &lifted.header,
            insts: &lifted.insts,
            home,
        }
    }
}

/// How far a warp is.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    pub trace: WarpTrace,
    /// Instructions executed.
    pub at: usize,
    /// Lanes that have written each register, as the trace numbers them.
    pub written: Box<[u32; 256]>,
    /// Lanes that have arrived at a barrier without the others.
    pub arrived: u32,
}

impl Default for Cursor {
    fn default() -> Self {
        Cursor {
            trace: WarpTrace::default(),
            at: 0,
            written: Box::new([0; 256]),
            arrived: 0,
        }
    }
}

impl Cursor {
    pub fn next(&self) -> Option<&Executed> {
        self.trace.insts.get(self.at)
    }
}

/// What one SM follows of a trace.
pub(super) struct Replay<'a> {
    pub route: &'a Route<'a>,
    /// By warp slot.
    pub cursors: Vec<Cursor>,
    /// What this SM has followed so far.
    pub followed: Followed,
}

impl<'a> Replay<'a> {
    /// For an SM of so many warp slots, before its first CTA.
    pub fn new(route: &'a Route<'a>, slots: usize) -> Self {
        Replay {
            route,
            cursors: vec![Cursor::default(); slots],
            followed: Followed::default(),
        }
    }

    /// The head of the trace.
    pub fn header(&self) -> &'a Header {
        self.route.header
    }

    /// The next line of the warp in `slot`, which is that of the instruction of this line of the kernel.
    pub fn executed(&self, slot: usize, op: &MicroOp) -> Option<&Executed> {
        let next = self.cursors[slot].next()?;
        (number(op.line.0) == Some(next.inst as usize)).then_some(next)
    }
}

/// Number of the static instruction whose line is `line`; `None` for what a scheme has inserted.
pub(super) fn number(line: u32) -> Option<usize> {
    line.checked_sub(1).map(|number| number as usize)
}
