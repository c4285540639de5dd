//! What a kernel's calls do to it when they are kept, without any timing: how deep, how often, and what saving registers costs
//! in accesses (CARS, Table I and Figure 2).

use super::{FlowError, Workload, too_deep};
use crate::compiler::calls::saves;
use crate::kernel::exec::LANES;
use crate::kernel::interp::{self, LaunchDims, Recorder};
use crate::kernel::op::{BlockId, Op, Space};
use crate::kernel::{Kernel, address};
use crate::memory::coalescer::LINE_BYTES;
use std::collections::{BTreeSet, HashSet};

/// Warp instructions after which a run is cut. // assumed: a minute
const MOST_WARP_INSTS: u64 = 1 << 28;

/// Counts of one run. An access is one line that a warp instruction touches, as the first-level cache sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallProfile {
    /// Most calls open at once in a warp.
    pub depth: u32,
    /// Calls by warps.
    pub calls: u64,
    /// Instructions by warps.
    pub warp_insts: u64,
    /// Accesses that save registers in a prologue or bring them back in an epilogue.
    pub spill_accesses: u64,
    /// Other accesses to local memory.
    pub local_accesses: u64,
    /// Accesses to global memory.
    pub global_accesses: u64,
}

impl CallProfile {
    /// Calls per thousand instructions.
    pub fn cpki(&self) -> f64 {
        1000.0 * self.calls as f64 / self.warp_insts.max(1) as f64
    }

    /// Per cent that a count is of all accesses.
    pub fn percent(&self, accesses: u64) -> f64 {
        let all = self.spill_accesses + self.local_accesses + self.global_accesses;
        100.0 * accesses as f64 / all.max(1) as f64
    }

    /// The counts in words.
    pub fn text(&self) -> String {
        format!(
            "This launch: calls {} deep, {:.2} per 1000 warp instructions; of {} accesses {:.1} % save registers, {:.1} % are \
             to global memory\n",
            self.depth,
            self.cpki(),
            self.spill_accesses + self.local_accesses + self.global_accesses,
            self.percent(self.spill_accesses),
            self.percent(self.global_accesses),
        )
    }
}

/// Runs a workload's launch with `kernel`, its kernel with calls kept, and counts.
///
/// # Errors
/// [`FlowError::TooDeep`] and [`FlowError::Profile`] for a run that fails.
pub fn profile(workload: &Workload, kernel: &Kernel) -> Result<CallProfile, FlowError> {
    let dims = LaunchDims {
        grid: workload.launch.grid,
        block: workload.launch.block,
        dynamic_scratchpad_bytes: workload.launch.dynamic_scratchpad_bytes,
    };
    let options = interp::Options {
        step_limit: MOST_WARP_INSTS,
        ..interp::Options::default()
    };
    let mut memory = workload.launch.memory.clone();
    let mut counter = Counter {
        kernel,
        saves: saves(kernel),
        open: Vec::new(),
        profile: CallProfile::default(),
    };
    let params = &workload.params;
    let ran = interp::run_recorded(kernel, &dims, params, &mut memory, &options, &mut counter);
    let profile = counter.profile;
    ran.map_err(|cause| {
        let deep = too_deep::in_profile(workload, kernel, &cause, profile.depth);
        deep.unwrap_or_else(|| FlowError::Profile {
            kernel: workload.name.clone(),
            cause: Box::new(cause.in_files(&workload.files)),
        })
    })?;
    Ok(profile)
}

struct Counter<'k> {
    kernel: &'k Kernel,
    saves: HashSet<(u32, usize)>,
    /// Calls that are open, per warp of the CTA and lane. Lanes that have ended in a function call nothing any more.
    open: Vec<[u32; LANES]>,
    profile: CallProfile,
}

impl Recorder for Counter<'_> {
    fn cta_begins(&mut self, _cta: [u32; 3], warps: usize) {
        self.open = vec![[0; LANES]; warps];
    }

    fn executes(
        &mut self,
        warp: usize,
        block: BlockId,
        inst: usize,
        active: u32,
        addresses: Option<&[u64; LANES]>,
    ) {
        let profile = &mut self.profile;
        profile.warp_insts += 1;
        let op = self.kernel.blocks[block.0 as usize].insts[inst].op;
        match op {
            Op::Call(_) if active != 0 => {
                profile.calls += 1;
                for lane in lanes_of(active) {
                    self.open[warp][lane] += 1;
                    profile.depth = profile.depth.max(self.open[warp][lane]);
                }
            }
            Op::Ret => {
                for lane in lanes_of(active) {
                    self.open[warp][lane] = self.open[warp][lane].saturating_sub(1);
                }
            }
            _ => {}
        }
        let Some(addresses) = addresses else { return };
        let lanes = lanes_of(active);
        let Some(space) = space(op, lanes.clone().next().map(|lane| addresses[lane])) else {
            return;
        };
        // Local memory is laid out word by word over the lanes.
        let bytes = if space == Space::Local { 4 } else { LINE_BYTES };
        let lines: BTreeSet<u64> = lanes.map(|lane| addresses[lane] / bytes).collect();
        let words = match op {
            Op::Ld(mem) | Op::St(mem) if space == Space::Local => {
                u64::from(mem.vec) * u64::from(mem.ty.size_bytes()).div_ceil(4)
            }
            _ => 1,
        };
        let accesses = lines.len() as u64 * words;
        *match (space, self.saves.contains(&(block.0, inst))) {
            (Space::Local, true) => &mut profile.spill_accesses,
            (Space::Local, false) => &mut profile.local_accesses,
            _ => &mut profile.global_accesses,
        } += accesses;
    }

    fn cta_ends(&mut self) -> bool {
        true
    }
}

fn lanes_of(mask: u32) -> impl Iterator<Item = usize> + Clone {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}

/// Local or global, if it is one of them; a generic access is where the first lane's is.
fn space(op: Op, first: Option<u64>) -> Option<Space> {
    let named = match op {
        Op::Ld(mem) | Op::St(mem) => mem.space,
        _ => Space::Global,
    };
    let within = |base: u64| first.is_some_and(|a| a.wrapping_sub(base) < address::WINDOW_BYTES);
    match named {
        Space::Generic if within(address::SHARED_WINDOW) => None,
        Space::Generic if within(address::LOCAL_WINDOW) => Some(Space::Local),
        Space::Generic | Space::Global => Some(Space::Global),
        Space::Local => Some(Space::Local),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled;
    use crate::compiler::calls::Saves;
    use crate::flow::compile_calls;

    fn profiled(name: &str, saves: Saves) -> CallProfile {
        let workload = Workload::of_bundled(bundled::find(name).unwrap()).unwrap();
        let (compiled, _) = compile_calls(&workload, saves, None).unwrap().unwrap();
        profile(&workload, &compiled.kernel).unwrap()
    }

    #[test]
    fn depth_is_that_of_the_calls_that_ran() {
        let depth = |name| profiled(name, Saves::LocalMemory).depth;
        assert_eq!(
            ["life", "gravity", "gemm", "reach"].map(depth),
            [1, 2, 5, 9]
        );
        // A chain from 40 to 0.
        assert_eq!(depth("fibonacci"), 41);
    }

    #[test]
    fn calls_that_lanes_have_left_by_ending_are_not_open() {
        // One lane after the other calls, and ends there.
        let text = ".kernel k;\n.regs architected 16, 1;\nentry:\n mov.u32 r5, 0;\nloop:\n mov.u32 r4, %tid.x;\n \
            setp.ne.u32 p0, r4, r5;\n@p0 bra skip;\ncalls:\n call f;\nskip:\n add.u32 r5, r5, 1;\n \
            setp.lt.u32 p0, r5, 31;\n@p0 bra loop;\nrest:\n exit;\nf:\n exit;\n";
        let kernel = crate::kernel::text::parse(text, "k").unwrap();
        let mut counter = Counter {
            kernel: &kernel,
            saves: HashSet::new(),
            open: Vec::new(),
            profile: CallProfile::default(),
        };
        let dims = LaunchDims {
            grid: [1; 3],
            block: [32, 1, 1],
            dynamic_scratchpad_bytes: 0,
        };
        let mut memory = crate::memory::image::MemoryImage::new();
        let options = interp::Options::default();
        interp::run_recorded(&kernel, &dims, &[], &mut memory, &options, &mut counter).unwrap();
        assert_eq!((counter.profile.depth, counter.profile.calls), (1, 31));
    }

    #[test]
    fn what_is_saved_in_memory_is_one_access_per_push_and_pop() {
        let (memory, stack) = (
            profiled("gemm", Saves::LocalMemory),
            profiled("gemm", Saves::RegisterStack),
        );
        assert_eq!(memory.calls, stack.calls);
        assert_eq!(memory.global_accesses, stack.global_accesses);
        assert_eq!((stack.spill_accesses, stack.local_accesses), (0, 0));
        let of_push = |op: Op| matches!(op, Op::Push | Op::Pop);
        assert!(memory.spill_accesses > 0 && !of_push(Op::Ret));
        // Functions use the registers that they preserve without gaps, so one takes as many instructions as the other.
        let more = stack.warp_insts.abs_diff(memory.warp_insts);
        assert!(more < memory.warp_insts / 4, "{memory:?} {stack:?}");
    }
}
