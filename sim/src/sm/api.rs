//! How a run is asked for, and what it gives.

use crate::gpu::GpuMachine;
use crate::gpu::chip::{ChipCounts, ChipMemory};
use crate::kernel::ptx::Files;
use crate::kernel::{Kernel, Op};
use crate::machine::{Machine, SchedulerPolicy};
use crate::memory::chip::{ChipPort, SharedChip, lock};
use crate::memory::device::DeviceMemory;
use crate::memory::image::MemoryImage;
use crate::memory::system::{LatencyBandwidth, MemorySystem};
use crate::observe::counters::Counters;
use crate::observe::probe::SharedProbe;
use crate::observe::watch::{Listing, SharedWatcher};
use crate::scheme::{BestLevels, Plan};
use crate::sm::Sm;
use crate::sm::error::{LaunchFault, RunError};
use crate::sm::program::{Program, Wants};
use crate::sm::route::{Replay, Route, Traced};
use crate::sm::team::Team;
use crate::trace::lift::{CtaSource, Followed, Lifted};
use regshare_hw::manager::{
    Backend, Geometry, ManagerSpec, RegisterManager, RenamingCounts, StackCounts, build_for_sms,
};
use std::sync::{Arc, Mutex};

/// What a kernel runs on.
#[derive(Clone, Debug)]
pub struct Launch {
    /// CTAs in x, y, z; 1 or more each.
    pub grid: [u32; 3],
    /// Threads of a CTA in x, y, z; 1 or more each, at most 1024 together.
    pub block: [u32; 3],
    /// Scratchpad of a CTA beyond what the kernel declares, bytes.
    pub dynamic_scratchpad_bytes: u32,
    /// The parameter space, laid out as the kernel declares.
    pub params: Vec<u8>,
    /// Device memory before the run.
    pub memory: MemoryImage,
}

/// How to run.
#[derive(Clone)]
pub struct RunOptions {
    /// SMs that run the launch together, 1 ..= those of the machine.
    pub sms: u16,
    /// Which implementation of the register hardware runs. All give the same result.
    pub backend: Backend,
    /// Scheduler policy; `None`: the machine's.
    pub scheduler: Option<SchedulerPolicy>,
    /// Cycles after which the run is stopped; `None`: 2^40.
    pub cycle_limit: Option<u64>,
    /// Watches the run, of several SMs the first.
    pub probe: Option<SharedProbe>,
    /// Watch its events; they let cycles be skipped.
    pub watchers: Vec<SharedWatcher>,
    /// The files that the kernel's lines are of, for watchers.
    pub files: Files,
    /// Simulates every cycle, also those in which nothing can change. Gives the same result, later.
    pub every_cycle: bool,
    /// The chip whose interconnect, second level and memory all SMs share; `None`: each has a share of the machine's bandwidth, behind
    /// a fixed latency.
    pub chip: Option<Arc<GpuMachine>>,
    /// What register stacks remember of earlier launches; `None`: nothing.
    pub best_levels: Option<BestLevels>,
}

impl Default for RunOptions {
    /// One SM, models, the machine's policy, a share of the memory, nobody watches.
    fn default() -> Self {
        RunOptions {
            sms: 1,
            backend: Backend::default(),
            scheduler: None,
            cycle_limit: None,
            probe: None,
            watchers: Vec::new(),
            files: Files::default(),
            every_cycle: false,
            chip: None,
            best_levels: None,
        }
    }
}

impl std::fmt::Debug for RunOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunOptions")
            .field("sms", &self.sms)
            .field("backend", &self.backend)
            .field("scheduler", &self.scheduler)
            .field("cycle_limit", &self.cycle_limit)
            .field("probe", &self.probe.is_some())
            .field("watchers", &self.watchers.len())
            .field("every_cycle", &self.every_cycle)
            .field("chip", &self.chip.as_ref().map(|chip| &chip.name))
            .field("best_levels", &self.best_levels.is_some())
            .finish()
    }
}

/// What a run gives.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// SMs that ran the launch.
    pub sms: u16,
    /// SM cycles, as in `counters`.
    pub cycles: u64,
    /// All counters, summed over the SMs ([`Counters::add`]).
    pub counters: Counters,
    /// What hardware that renames did.
    pub renaming: Option<RenamingCounts>,
    /// What register stacks did.
    pub stacks: Option<StackCounts>,
    /// Device memory after the run.
    pub memory: MemoryImage,
    /// Cycles that needed no simulation because nothing could change, summed over the SMs.
    pub skipped_cycles: u64,
    /// What second level and memory did, where SMs share those of a chip.
    pub chip: Option<ChipCounts>,
    /// What a run that follows a trace has followed.
    pub followed: Option<Followed>,
}

impl RunResult {
    /// Adds what another SM gave for the same launch; the memory is left as it is.
    pub(super) fn add(&mut self, other: &RunResult) {
        self.sms += other.sms;
        self.counters.add(&other.counters);
        if let (Some(sum), Some(counts)) = (&mut self.renaming, &other.renaming) {
            sum.add(counts);
        }
        if let (Some(sum), Some(counts)) = (&mut self.stacks, &other.stacks) {
            sum.add(counts);
        }
        self.skipped_cycles += other.skipped_cycles;
        if let (Some(sum), Some(followed)) = (&mut self.followed, &other.followed) {
            sum.add(followed);
        }
    }
}

/// Runs all CTAs of a launch on SMs of `machine`, as many as the options say.
///
/// # Errors
/// See [`RunError`]; the memory of the launch is left alone.
pub fn run(
    plan: &Plan,
    launch: &Launch,
    machine: &Machine,
    options: &RunOptions,
) -> Result<RunResult, RunError> {
    run_together(plan, launch, machine, options, None)
}

/// As [`run`], on one SM with another memory behind the first-level cache.
///
/// # Errors
/// See [`RunError`].
pub fn run_with_memory(
    plan: &Plan,
    launch: &Launch,
    machine: &Machine,
    options: &RunOptions,
    memory: Box<dyn MemorySystem>,
) -> Result<RunResult, RunError> {
    let manager = managers(plan, machine, options, 1)?.swap_remove(0);
    run_parts(plan, launch, machine, options, memory, manager)
}

/// Runs `plan`, made of a lifted kernel, along its trace on SMs of `machine`, as many as the options say; `source` is at the beginning
/// of that, and gives the CTAs in the order in which they are launched, each when an SM has a free slot for it.
///
/// # Errors
/// See [`RunError`].
pub fn run_traced(
    plan: &Plan,
    lifted: &Lifted,
    source: Box<dyn CtaSource + '_>,
    machine: &Machine,
    options: &RunOptions,
) -> Result<RunResult, RunError> {
    let launch = Launch {
        grid: lifted.header.grid,
        block: lifted.header.block,
        dynamic_scratchpad_bytes: 0,
        params: Vec::new(),
        memory: MemoryImage::default(),
    };
    let traced = Traced {
        route: Route::new(lifted, &plan.kernel),
        source,
    };
    run_together(plan, &launch, machine, options, Some(traced))
}

/// On as many SMs as the options say, with the memory that they say.
fn run_together(
    plan: &Plan,
    launch: &Launch,
    machine: &Machine,
    options: &RunOptions,
    traced: Option<Traced<'_>>,
) -> Result<RunResult, RunError> {
    let chip = options.chip.as_ref().map(|chip| shared_chip(chip, options));
    let chip = chip.transpose()?;
    let memory = |sm: usize| -> Box<dyn MemorySystem> {
        match &chip {
            Some(chip) => Box::new(ChipPort::new(chip.clone(), sm)),
            None => latency_bandwidth(machine),
        }
    };
    let managers = managers(plan, machine, options, options.sms)?;
    let parts = managers.into_iter().enumerate();
    let parts = parts.map(|(sm, manager)| (memory(sm), manager)).collect();
    let result = run_on(plan, launch, machine, options, parts, traced)?;
    Ok(RunResult {
        chip: chip.map(|chip| lock(&chip).counts()),
        ..result
    })
}

/// The memory of a chip that has enough SMs.
fn shared_chip(chip: &GpuMachine, options: &RunOptions) -> Result<SharedChip, LaunchFault> {
    let (sms, most) = (options.sms, chip.chip.sms);
    if u32::from(sms) > most {
        let name = &chip.name;
        let problem = format!("{sms} SMs were asked for; the chip {name} has {most}");
        return Err(LaunchFault::Sms(problem));
    }
    Ok(Arc::new(Mutex::new(ChipMemory::new(chip))))
}

fn latency_bandwidth(machine: &Machine) -> Box<dyn MemorySystem> {
    let timing = &machine.memory;
    Box::new(LatencyBandwidth::new(
        timing.miss_latency,
        timing.bytes_per_cycle,
        timing.queue_entries,
    ))
}

/// Register hardware for each of so many SMs.
fn managers(
    plan: &Plan,
    machine: &Machine,
    options: &RunOptions,
    sms: u16,
) -> Result<Vec<Box<dyn RegisterManager>>, LaunchFault> {
    let geometry = Geometry {
        warps: machine.limits.warps_per_sm,
        packs: machine.limits.packs_per_sm,
        schedulers: machine.schedulers.count,
    };
    build_for_sms(plan.manager, geometry, options.backend, sms)
        .map_err(|error| LaunchFault::Hardware(error.to_string()))
}

/// As [`run`], on one SM with any register hardware and memory.
pub(crate) fn run_parts(
    plan: &Plan,
    launch: &Launch,
    machine: &Machine,
    options: &RunOptions,
    memory: Box<dyn MemorySystem>,
    manager: Box<dyn RegisterManager>,
) -> Result<RunResult, RunError> {
    let parts = vec![(memory, manager)];
    run_on(plan, launch, machine, options, parts, None)
}

/// What an SM has for itself: the memory behind its cache, and register hardware.
type Parts = (Box<dyn MemorySystem>, Box<dyn RegisterManager>);

fn run_on(
    plan: &Plan,
    launch: &Launch,
    machine: &Machine,
    options: &RunOptions,
    parts: Vec<Parts>,
    traced: Option<Traced<'_>>,
) -> Result<RunResult, RunError> {
    check(plan, launch, machine)?;
    check_sms(options, machine, parts.len())?;
    if traced.is_none() {
        untraced(&plan.kernel)?;
    }
    let program = Program::new(&plan.kernel, machine, plan.shared_from, wants(plan))?;
    let mut sms: Vec<Sm<'_>> = (parts.into_iter())
        .map(|(memory, manager)| Sm::new(&program, plan, launch, machine, options, memory, manager))
        .collect();
    let (route, source) = traced.map(|traced| (traced.route, traced.source)).unzip();
    if let Some(route) = &route {
        let slots = machine.limits.warps_per_sm.into();
        for sm in &mut sms {
            sm.replay = Some(Replay::new(route, slots));
        }
    }
    let device = DeviceMemory::new(launch.memory.clone(), &plan.kernel.globals);
    let ctas = launch.grid.iter().map(|&n| u64::from(n)).product();
    let mut team = Team::new(sms, device, ctas, source);
    if !options.watchers.is_empty() {
        let listing = Listing {
            files: options.files.clone(),
            ..program.listing(&plan.kernel, launch, machine)
        };
        for sm in team.sms() {
            sm.begin_watching(&listing).map_err(|error| *error)?;
        }
    }
    let mut outcome = team.run(options.probe.clone());
    for sm in team.sms() {
        outcome = outcome.and(sm.detach()).and(sm.end_watching());
    }
    outcome.map_err(|error| *error)?;
    Ok(team.into_result())
}

/// There must be as many SMs as the options say, and not more than the machine has.
fn check_sms(options: &RunOptions, machine: &Machine, built: usize) -> Result<(), LaunchFault> {
    let (sms, most) = (options.sms, machine.sms);
    let problem = if sms == 0 || sms > most {
        format!("{sms} SMs were asked for; {} has 1 to {most}", machine.name)
    } else if usize::from(sms) != built {
        format!("{sms} SMs were asked for, but this runs on {built}")
    } else {
        return Ok(());
    };
    Err(LaunchFault::Sms(problem))
}

/// What stands for a line of a trace has no values.
fn untraced(kernel: &Kernel) -> Result<(), LaunchFault> {
    let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    match insts
        .into_iter()
        .find(|inst| matches!(inst.op, Op::Traced(_)))
    {
        None => Ok(()),
        Some(inst) => Err(LaunchFault::Instruction {
            line: inst.line,
            problem: "an instruction of a trace runs only along its trace".to_owned(),
        }),
    }
}

/// What the register hardware of the plan wants to know.
fn wants(plan: &Plan) -> Wants {
    Wants {
        renames: matches!(plan.manager, ManagerSpec::Renaming { .. }),
        every_pir: matches!(
            plan.manager,
            ManagerSpec::Renaming {
                flag_entries: 0,
                ..
            }
        ),
        stacks: plan.stacks.is_some(),
        spills: matches!(plan.manager, ManagerSpec::Renaming { spills: true, .. }),
    }
}

fn check(plan: &Plan, launch: &Launch, machine: &Machine) -> Result<(), LaunchFault> {
    let (grid, block) = (launch.grid, launch.block);
    let threads = block.iter().fold(1u64, |n, &x| n.saturating_mul(x.into()));
    if grid.contains(&0) || block.contains(&0) || threads > 1024 {
        return Err(LaunchFault::Shape { grid, block });
    }
    let warps_per_cta = threads.div_ceil(32) as u32;
    let (ctas, warps) = (plan.occupancy.ctas, machine.limits.warps_per_sm);
    if ctas == 0 || ctas > 64 || u32::from(ctas) * warps_per_cta > u32::from(warps) {
        return Err(LaunchFault::DoesNotFit {
            ctas,
            warps_per_cta,
            warps,
        });
    }
    let params = plan.kernel.params.iter();
    let needed = params
        .map(|p| p.offset_bytes as usize + p.size_bytes as usize)
        .max()
        .unwrap_or(0);
    let given = launch.params.len();
    if given < needed {
        return Err(LaunchFault::Params { needed, given });
    }
    Ok(())
}
