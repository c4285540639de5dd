//! What the warps of a trace do, gathered over all of them: which instruction follows which, and which results leave lanes that
//! still need what the register held.

use super::address::{MOST_LOCAL_BYTES, Windows};
use super::operation::instruction;
use super::value::Reference;
use super::{CtaSource, Followed, LiftError};
use crate::kernel::op::{Op, Space};
use crate::kernel::{Inst, Reg};
use crate::trace::record::{Addresses, CtaTrace, Header, StaticInst, WarpTrace};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Everything that the static program is made of.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// The static instructions, by number.
    pub insts: Vec<Inst>,
    /// Their addresses.
    pub pcs: Vec<u64>,
    /// A line for each: address, what the trace says of it, and its source line if the trace names that.
    pub listing: String,
    /// Of each, those that came next in some warp.
    pub followers: Vec<Vec<u32>>,
    /// Of each, whether it was once the last of a warp.
    pub ends: Vec<bool>,
    /// Of each, whether its result once left alone a lane that read the old value later.
    pub partial: Vec<bool>,
    /// Those with which warps start.
    pub starts: BTreeSet<u32>,
    /// Bytes of local memory that a thread accesses.
    pub local_bytes: u64,
    /// What following the trace must give.
    pub expected: Followed,
}

/// Reads a trace to its end.
pub fn observe(
    source: &mut dyn CtaSource,
    header: &Header,
    path: &Path,
) -> Result<Observed, LiftError> {
    let mut observed = Observed::default();
    let windows = Windows::of(header);
    while let Some(cta) = source.next_cta()? {
        observed.learn(source.static_insts(), path)?;
        let first = header.cta_number(cta.index) * u64::from(header.warps_per_cta());
        observed.take(&cta, first, &windows);
    }
    Ok(observed)
}

impl Observed {
    /// Instructions met for the first time.
    fn learn(&mut self, insts: &[StaticInst], path: &Path) -> Result<(), LiftError> {
        for inst in &insts[self.insts.len()..] {
            let number = self.insts.len() as u32;
            let lifted = instruction(inst, number).map_err(|cause| LiftError::TooWide {
                file: path.to_owned(),
                cause,
            })?;
            self.insts.push(lifted);
            self.pcs.push(inst.pc);
            let line = (inst.line).map_or_else(String::new, |line| format!(" (line {line})"));
            let _ = writeln!(self.listing, "{:04x} {}{line}", inst.pc, inst.text());
            self.followers.push(Vec::new());
            self.ends.push(false);
            self.partial.push(false);
        }
        Ok(())
    }

    /// A CTA whose first warp has this number in the grid.
    fn take(&mut self, cta: &CtaTrace, first: u64, windows: &Windows) {
        for warp in cta.warps.iter().filter(|warp| !warp.insts.is_empty()) {
            self.forward(warp, first + u64::from(warp.warp), windows);
            self.backward(warp);
        }
    }

    /// Who follows whom, and what the registers hold.
    fn forward(&mut self, warp: &WarpTrace, number: u64, windows: &Windows) {
        let mut reference = Reference::new(number);
        let mut last: Option<u32> = None;
        for executed in &warp.insts {
            let inst = &self.insts[executed.inst as usize];
            match last {
                None => {
                    self.starts.insert(executed.inst);
                }
                Some(last) => {
                    let followers = &mut self.followers[last as usize];
                    if !followers.contains(&executed.inst) {
                        followers.push(executed.inst);
                    }
                }
            }
            last = Some(executed.inst);
            let sum = reference.execute(inst, executed.mask);
            self.expected.sum = self.expected.sum.wrapping_add(sum);
            if let Op::Traced(traced) = inst.op
                && let Some((space @ (Space::Local | Space::Generic), bytes)) = traced.access()
                && let Some(addresses) = warp.addresses.get(executed.addresses as usize)
            {
                let end = local_end(space, addresses, executed.mask, windows);
                let end = end.saturating_add(bytes.into()).min(MOST_LOCAL_BYTES);
                self.local_bytes = self.local_bytes.max(match end > u64::from(bytes) {
                    true => end,
                    false => 0,
                });
            }
        }
        self.expected.insts += warp.insts.len() as u64;
        if let Some(last) = last {
            self.ends[last as usize] = true;
        }
    }

    /// Which lanes still need a register, from the end of the warp on.
    fn backward(&mut self, warp: &WarpTrace) {
        let mut needed = [0u32; 256];
        for executed in warp.insts.iter().rev() {
            let inst = &self.insts[executed.inst as usize];
            for unit in inst.dst_regs().flat_map(Reg::units) {
                let lanes = &mut needed[usize::from(unit) & 255];
                self.partial[executed.inst as usize] |= *lanes & !executed.mask != 0;
                *lanes &= !executed.mask;
            }
            for unit in inst.src_regs().flat_map(Reg::units) {
                needed[usize::from(unit) & 255] |= executed.mask;
            }
        }
    }
}

/// The highest offset in local memory, and one more where there is one.
fn local_end(space: Space, addresses: &Addresses, mask: u32, windows: &Windows) -> u64 {
    let mut all = [0; 32];
    addresses.expand(mask, &mut all);
    let lanes = (0..32).filter(|lane| mask >> lane & 1 == 1);
    let offsets = lanes.filter_map(|lane: usize| match windows.find(space, all[lane]) {
        (Space::Local, offset) => Some(offset.saturating_add(1)),
        _ => None,
    });
    offsets.max().unwrap_or(0)
}
