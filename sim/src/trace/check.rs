//! What a trace holds, counted.

use super::error::TraceError;
use super::opcode::CLASS_NAMES;
use super::read::KernelReader;
use super::record::Class;

/// Counts over a kernel trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// CTAs.
    pub ctas: u64,
    /// Warps that executed something.
    pub warps: u64,
    /// Executed warp instructions, those without lanes included.
    pub insts: u64,
    /// Executed thread instructions.
    pub thread_insts: u64,
    /// Static instructions.
    pub static_insts: u64,
    /// Executed warp instructions by class, in the order of [`CLASS_NAMES`]; those that do not occur are left out.
    pub classes: Vec<(Class, u64)>,
}

/// Reads a trace to its end; it is then wholly checked.
pub fn summarize(reader: &mut KernelReader) -> Result<Summary, TraceError> {
    let mut summary = Summary::default();
    let mut executed: Vec<u64> = Vec::new();
    while let Some(cta) = reader.next_cta()? {
        executed.resize(reader.program().insts.len(), 0);
        summary.ctas += 1;
        for warp in cta.warps.iter().filter(|warp| !warp.insts.is_empty()) {
            summary.warps += 1;
            summary.insts += warp.insts.len() as u64;
            for inst in &warp.insts {
                executed[inst.inst as usize] += 1;
                summary.thread_insts += u64::from(inst.mask.count_ones());
            }
        }
    }
    let insts = &reader.program().insts;
    summary.static_insts = insts.len() as u64;
    for &(_, class) in CLASS_NAMES {
        let of_class = insts
            .iter()
            .zip(&executed)
            .filter(|(inst, _)| inst.class == class);
        let count: u64 = of_class.map(|(_, count)| count).sum();
        if count > 0 {
            summary.classes.push((class, count));
        }
    }
    Ok(summary)
}
