//! The registers of one function by the calling convention, under a cap on their numbers.

use super::CallError;
use super::abi::{FIRST_ARGUMENT, FIRST_SAVED, Spilled, is_argument};
use super::aside::put_aside;
use super::places::{places, store_arguments};
use crate::compiler::cfg::Cfg;
use crate::compiler::regalloc::{AllocError, AllocOptions, MAX_REGS, is_load, is_store};
use crate::kernel::op::BlockId;
use crate::kernel::{Block, Dst, Inst, Kernel, Operand, Reg};
use std::collections::HashSet;

/// A function whose registers have the numbers of the convention.
pub(super) struct Placed {
    pub(super) code: Kernel,
    /// Those from [`FIRST_SAVED`] on that it uses, ascending.
    pub(super) saved: Vec<u16>,
    pub(super) spilled: Spilled,
}

impl Placed {
    /// Registers that it takes: one more than the largest number.
    fn needed(&self) -> u16 {
        self.saved.last().map_or(FIRST_SAVED, |last| last + 1)
    }

    /// Accesses to local memory, a loop's as often as it is assumed to go round, with those that preserve registers.
    fn accesses(&self, is_kernel: bool) -> u64 {
        let Ok(cfg) = Cfg::new(&self.code) else {
            return u64::MAX;
        };
        let of = |(number, block): (usize, &Block)| {
            let accesses = (block.insts.iter()).filter(|inst| is_load(inst) || is_store(inst));
            (accesses.count() as u64).saturating_mul(cfg.weight(BlockId(number as u32)))
        };
        let saves = if is_kernel { 0 } else { 2 * self.saved.len() };
        let all = self.code.blocks.iter().enumerate().map(of);
        all.fold(saves as u64, u64::saturating_add)
    }
}

/// The function under the cap, which is one on the numbers of its registers; `None` if that is too low. Where the registers that are
/// preserved pass the cap, either fewer are allocated, or values are put aside over calls so that they need no such register.
pub(super) fn placed(
    code: &Kernel,
    is_kernel: bool,
    options: &AllocOptions,
) -> Result<Option<Placed>, CallError> {
    let cap = options.max_regs;
    if cap < FIRST_SAVED {
        return Ok(None);
    }
    let bounds = |most: u16| AllocOptions {
        max_regs: most.min(MAX_REGS - FIRST_SAVED - 1),
        ..*options
    };
    let mut most = bounds(cap).max_regs;
    let mut fewer = None;
    while let Some((mut allocated, spilled)) = allocated(code, &bounds(most))? {
        let stored = store_arguments(&mut allocated);
        let found = renamed(allocated, stored, spilled, false)?;
        let Some(over @ 1..) = found.needed().checked_sub(cap) else {
            fewer = Some(found);
            break;
        };
        match most.checked_sub(over) {
            Some(rest @ 1..) => most = rest,
            _ => break,
        }
    }
    if fewer.is_some() && most == bounds(cap).max_regs {
        return Ok(fewer);
    }
    let mut aside = None;
    if let Some((mut code, mut spilled)) = allocated(code, &bounds(cap - FIRST_ARGUMENT))? {
        let stored = store_arguments(&mut code);
        if takes_arguments_first(&code) && put_aside(&mut code, cap, &mut spilled)? {
            let found = renamed(code, stored, spilled, true)?;
            aside = Some(found).filter(|found| found.needed() <= cap);
        }
    }
    Ok(match (fewer, aside) {
        (Some(fewer), Some(aside)) => {
            let accesses = |found: &Placed| found.accesses(is_kernel);
            let is_better = accesses(&aside) < accesses(&fewer) && aside.needed() <= fewer.needed();
            Some(if is_better { aside } else { fewer })
        }
        (fewer, aside) => fewer.or(aside),
    })
}

/// Says that the cap is too low, and which would do.
pub(super) fn too_few(
    code: &Kernel,
    is_kernel: bool,
    options: &AllocOptions,
) -> Result<CallError, CallError> {
    let function = code.name.clone();
    let cap = options.max_regs;
    for needed in FIRST_SAVED.max(cap.saturating_add(1))..=MAX_REGS {
        let options = AllocOptions {
            max_regs: needed,
            ..*options
        };
        if placed(code, is_kernel, &options)?.is_some() {
            return Ok(CallError::Cap {
                function,
                needed,
                cap,
            });
        }
    }
    let cause = AllocError::CapTooSmall {
        kernel: function.clone(),
        max_regs: cap,
        needed: usize::from(cap) + 1,
    };
    Ok(CallError::Allocation { function, cause })
}

/// Allocates the registers of a function; `None` if the bound is too low.
fn allocated(code: &Kernel, bounds: &AllocOptions) -> Result<Option<(Kernel, Spilled)>, CallError> {
    match crate::compiler::compile(code, bounds) {
        Ok(done) => {
            let done = done.allocation;
            let spilled = Spilled {
                bytes: done.report.spilled_bytes,
                loads: done.report.spill_loads,
                stores: done.report.spill_stores,
            };
            Ok(Some((done.kernel, spilled)))
        }
        Err(AllocError::CapTooSmall { .. }) => Ok(None),
        Err(cause) => Err(CallError::Allocation {
            function: code.name.clone(),
            cause,
        }),
    }
}

/// Gives the registers of an allocated function the numbers of the convention. `stored` is what stores arguments before all else.
fn renamed(
    mut code: Kernel,
    stored: Vec<Inst>,
    spilled: Spilled,
    is_tight: bool,
) -> Result<Placed, CallError> {
    let places = places(&code, takes_arguments_first(&code), is_tight)?;
    let mut used = HashSet::new();
    for inst in code.blocks.iter_mut().flat_map(|block| &mut block.insts) {
        rename(inst, &places, &mut used);
    }
    if let Some(entry) = code.blocks.first_mut() {
        entry.insts.splice(0..0, stored);
    }
    let mut saved: Vec<u16> = used.into_iter().filter(|&r| r >= FIRST_SAVED).collect();
    saved.sort_unstable();
    Ok(Placed {
        code,
        saved,
        spilled,
    })
}

fn rename(inst: &mut Inst, places: &[u16], used: &mut HashSet<u16>) {
    let mut name = |reg: &mut Reg| {
        reg.index = places[usize::from(reg.index)];
        used.extend(reg.units());
    };
    for src in &mut inst.srcs {
        if let Operand::Reg(reg) = src {
            name(reg);
        }
    }
    for dst in &mut inst.dsts {
        if let Dst::Reg(reg) = dst {
            name(reg);
        }
    }
}

/// Whether the arguments are taken one after the other before anything else: then they can be copied at once.
fn takes_arguments_first(code: &Kernel) -> bool {
    let mut insts = code.blocks.iter().flat_map(|block| &block.insts);
    let first = insts.by_ref().take_while(|inst| is_argument(inst)).count();
    let all = code.blocks.iter().flat_map(|block| &block.insts);
    first == all.filter(|inst| is_argument(inst)).count()
}
