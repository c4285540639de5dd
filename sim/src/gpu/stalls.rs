//! The stall table of a kernel: what its SMs counted, by instruction, by warp slot and by SM.

use super::sm::SlotCounts;
use crate::observe::counters::IssueSlots;
use crate::report::{PcSlots, SmSlots, StallRecord, WarpSlots, counted};
use crate::trace::record::Program;
use std::collections::BTreeMap;

/// All slots by cause, and the tables, instructions by address.
pub fn records(
    program: &Program,
    sms: &[SlotCounts],
) -> (BTreeMap<String, u64>, Option<StallRecord>) {
    let warps = sms.iter().map(|sm| sm.by_warp.len()).max().unwrap_or(0);
    let mut by_inst = vec![IssueSlots::default(); program.insts.len()];
    let mut by_warp = vec![IssueSlots::default(); warps];
    let [mut all, mut without_inst, mut without_warp] = [IssueSlots::default(); 3];
    let mut by_sm = Vec::new();
    for (index, sm) in sms.iter().enumerate() {
        let mut slots = sm.without_warp;
        for (of_warp, more) in by_warp.iter_mut().zip(&sm.by_warp) {
            of_warp.add(more);
            slots.add(more);
        }
        for (of_inst, more) in by_inst.iter_mut().zip(&sm.by_inst) {
            of_inst.add(more);
        }
        without_inst.add(&sm.without_inst);
        without_warp.add(&sm.without_warp);
        all.add(&slots);
        by_sm.push(SmSlots {
            sm: index,
            slots: counted(&slots),
        });
    }
    let mut insts: Vec<_> = program.insts.iter().zip(&by_inst).collect();
    // Stable: those of one address stay in the order in which they were met.
    insts.sort_by_key(|(inst, _)| inst.pc);
    let of_pc = insts.into_iter().map(|(inst, slots)| PcSlots {
        pc: Some(inst.pc),
        file: None,
        line: inst.line.unwrap_or(0),
        source: String::new(),
        instruction: inst.text(),
        inserted: false,
        slots: counted(slots),
    });
    let no_pc = PcSlots {
        pc: None,
        file: None,
        line: 0,
        source: String::new(),
        instruction: String::new(),
        inserted: false,
        slots: counted(&without_inst),
    };
    let of_warp = by_warp.iter().enumerate().map(|(warp, slots)| WarpSlots {
        warp: Some(warp),
        slots: counted(slots),
    });
    let no_warp = WarpSlots {
        warp: None,
        slots: counted(&without_warp),
    };
    let record = StallRecord {
        by_pc: of_pc.chain([no_pc]).collect(),
        by_warp: of_warp.chain([no_warp]).collect(),
        by_sm,
    };
    let all = all.named().map(|(name, slots)| (name.to_owned(), slots));
    (all.into_iter().collect(), Some(record))
}
