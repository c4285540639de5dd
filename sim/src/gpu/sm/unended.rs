//! Warps that have not ended and what each waits for, as the report of a kernel that does not end has them.

use super::Sm;
use crate::gpu::decoded::{Decoded, Registers};
use crate::gpu::machine::GpuMachine;
use crate::trace::record::StaticInst;

impl Sm {
    /// A line for each warp that has not ended, by slot; `insts` is the program.
    pub fn unended(&self, insts: &[StaticInst], machine: &GpuMachine) -> Vec<String> {
        let slots = (0..self.warps.len()).filter(|slot| self.resident >> slot & 1 == 1);
        let line = |at: usize| {
            let warp = &self.warps[at];
            let [x, y, z] = self.ctas[usize::from(warp.cta)].index;
            let next = warp.trace.insts.get(warp.issued as usize);
            let next = next.and_then(|next| insts.get(next.inst as usize));
            let place = next.map_or("has issued all".to_owned(), |inst| {
                format!("next {}", named(inst))
            });
            let next = next.map(|inst| Decoded::new(inst, machine));
            let mut awaited = self.awaited(at, next.as_ref());
            // It has issued before its warp waits at it.
            let last = self.warps[at]
                .issued
                .checked_sub(1)
                .filter(|_| warp.at_barrier);
            let last = last.and_then(|last| warp.trace.insts.get(last as usize));
            if let Some(barrier) = last.and_then(|last| insts.get(last.inst as usize)) {
                awaited += &format!(" ({})", named(barrier));
            }
            let (sm, warp) = (self.index, warp.trace.warp);
            format!("SM {sm}, CTA {x},{y},{z}, warp {warp}, {place}: {awaited}")
        };
        slots.map(line).collect()
    }

    /// What a warp waits for, before its next instruction if it has one.
    fn awaited(&self, at: usize, next: Option<&Decoded>) -> String {
        let warp = &self.warps[at];
        let named = |awaited: &Registers| {
            let from = match awaited.meets(&warp.long) {
                true => " from memory",
                false => "",
            };
            format!("{}{from}", awaited.names().join(", "))
        };
        if warp.at_barrier {
            let cta = &self.ctas[usize::from(warp.cta)];
            let Some(barrier) = cta.barriers.of(1 << at) else {
                return "waits at a barrier".to_owned();
            };
            let there = barrier.arrived.count_ones();
            let which = match barrier.number {
                None | Some(0) => "a barrier".to_owned(),
                Some(number) => format!("barrier {number}"),
            };
            return match barrier.threads {
                Some(threads) => format!(
                    "waits at {which} for {threads} threads, where {} are",
                    there * 32
                ),
                None => {
                    let there = (barrier.arrived & cta.live).count_ones();
                    let all = cta.live.count_ones();
                    format!("waits at {which}, where {there} of {all} warps are")
                }
            };
        }
        if warp.atomics > 0 {
            return format!("waits for {} atomic accesses to memory", warp.atomics);
        }
        if warp.fence {
            return format!("waits at a fence for {}", named(&warp.pending));
        }
        let Some(next) = next else {
            return match (warp.pending.is_empty(), warp.stores) {
                (false, _) => format!("waits for {}", named(&warp.pending)),
                (true, 0) => format!("waits for {} instructions in units", warp.in_pipeline),
                (true, stores) => format!("waits for memory to take {stores} stores"),
            };
        };
        if self.buffered >> at & 1 == 0 {
            return "waits for the fetch of its instructions".to_owned();
        }
        let awaited = next.touched.both(&warp.pending);
        if !awaited.is_empty() {
            return format!("waits for {}", named(&awaited));
        }
        match self.waits_for_latch[next.kind as usize] >> at & 1 {
            1 => format!("waits for the unit `{:?}`", next.kind).to_lowercase(),
            _ => "can issue".to_owned(),
        }
    }
}

/// Address, opcode and, where the trace has it, source line.
fn named(inst: &StaticInst) -> String {
    let line = inst
        .line
        .map_or_else(String::new, |line| format!(", line {line}"));
    format!("{:04x} {}{line}", inst.pc, inst.opcode)
}
