//! CARS: callee-saved registers on a register stack of each warp, with room for one call, some, or the deepest chain
//! (CARS III).

mod stacks;

use super::waits::{refuse, waits_of};
use super::{Occupancy, Plan, PlanInput, Refusal, Scheme};
use crate::compiler::calls::{CallGraph, MOST_OPEN_CALLS, RECURSION_STACK_BYTES, Saves, graph_of};
use crate::kernel::op::{BarKind, Op};
use regshare_hw::cars::cost::CarsPaperBits;
use regshare_hw::manager::{ManagerSpec, STACK_PACKS};
use stacks::Stacks;
pub use stacks::Watermark;

/// Cycles that an instruction takes longer: one in issue, one in the operand collector (CARS IV-C).
const EXTRA_CYCLES: u8 = 2;

/// What a plan with register stacks leaves to the SM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackPlan {
    /// Words per thread of local memory for packs that a full stack saves.
    pub spill_words: u32,
    /// Words behind them for the registers that a warp gives up at a barrier.
    pub switch_words: u32,
    /// Cycles that every result takes longer.
    pub extra_cycles: u8,
    /// The call graph.
    pub graph: CallGraph,
    /// The level with which CTAs begin, if it is the best of earlier launches.
    pub remembered: Option<u8>,
    /// Packs that the largest level should have had, if that is more than it has.
    pub cut_from: Option<u32>,
    /// Packs that stacks would have at the Low-watermark, if that is more than they have by hand.
    pub low_has: Option<u16>,
}

/// The scheme.
#[derive(Clone, Copy, Debug)]
pub struct Cars {
    /// How large stacks are.
    pub watermark: Watermark,
    /// Whether issue and operand collector take a cycle longer each, the worst case (CARS IV-C).
    pub extra_cycle: bool,
    /// CTAs that a launch has for each SM, 1 or more; `None`: more than fit.
    pub ctas_of_an_sm: Option<u64>,
    /// Bytes of stack per thread that a recursion has by the calling convention, one of [`STACK_BYTES`]; here it has as many packs in
    /// memory.
    ///
    /// [`STACK_BYTES`]: crate::compiler::calls::STACK_BYTES
    pub stack_bytes: u32,
}

impl Default for Cars {
    fn default() -> Self {
        Cars {
            watermark: Watermark::default(),
            extra_cycle: true,
            ctas_of_an_sm: None,
            stack_bytes: RECURSION_STACK_BYTES,
        }
    }
}

impl Cars {
    /// Stacks where `share` packs are there for each warp that else could be resident, of which it gets whole granules.
    fn stacks(&self, graph: &CallGraph, share: u32, granule: u32, packs: u32) -> Stacks {
        let base = graph.times_low(0);
        let (call, high) = (graph.largest_fru(), graph.high() - base);
        // One warp must fit.
        let most = packs.saturating_sub(base);
        let stack = |share: u32| call.max(share.saturating_sub(base)).min(most);
        let (room, low) = (stack(share), stack(share - share % granule));
        let high = high.min(most);
        match self.watermark {
            Watermark::Low => Stacks::fixed(low),
            Watermark::Times(n) => Stacks::fixed((u32::from(n) * call).min(most)),
            Watermark::High => Stacks::fixed(high.max(low)),
            // There is room for it, and all the room is given.
            Watermark::Adaptive if room >= high => Stacks::fixed(low.max(high)),
            Watermark::Adaptive => Stacks::between(low, call, high),
        }
    }

    /// Packs of the largest stack that the watermark stands for, however many there are.
    fn wanted(&self, graph: &CallGraph) -> u32 {
        match self.watermark {
            Watermark::Low => graph.largest_fru(),
            Watermark::Times(n) => u32::from(n) * graph.largest_fru(),
            Watermark::High | Watermark::Adaptive => graph.high() - graph.times_low(0),
        }
    }

    /// Words per thread for the frames of a recursion that no stack holds. In the stack of the calling convention a frame is what a
    /// function saves; here it has the caller's frame pointer besides, and also where it saves nothing. So there are four times the bytes.
    fn recursion_words(&self, graph: &CallGraph) -> u32 {
        let room = 4 * self.stack_bytes.div_ceil(4); // assumed: of four calls of a circle one at least saves a register
        let most = MOST_OPEN_CALLS as u32 * graph.largest_fru();
        room.min(most).max(graph.high() - graph.times_low(0))
    }
}

impl Scheme for Cars {
    fn name(&self) -> &str {
        "cars"
    }

    fn calls(&self) -> Option<Saves> {
        Some(Saves::RegisterStack)
    }

    fn for_launch(&self, ctas_of_an_sm: u64) -> Option<Box<dyn Scheme>> {
        Some(Box::new(Cars {
            ctas_of_an_sm: Some(ctas_of_an_sm),
            ..*self
        }))
    }

    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        let regs = input.regs()?;
        let graph = graph_of(input.kernel);
        let (limits, cta) = (&input.machine.limits, input.cta);
        let (base, packs) = (graph.times_low(0), u32::from(limits.packs_per_sm));
        let low_regs = limits.rounded_regs(graph.low().min(1 << 15) as u16);
        let one_warp = u32::from(low_regs);
        if graph.largest_fru() > STACK_PACKS.into() {
            return Err(Refusal::Option {
                scheme: self.name().to_owned(),
                reason: format!(
                    "a function saves {} registers, its caller's frame among them, and the largest register stack of the hardware has \
                     {STACK_PACKS}; compile with fewer (--max-regs), or take abi-spill",
                    graph.largest_fru()
                ),
            });
        }
        if one_warp > packs {
            return Err(Refusal::DoesNotFit {
                resource: super::LimitedBy::Registers,
                needed: one_warp.into(),
                available: packs.into(),
            });
        }
        // CTAs come as at the Low-watermark; a CTA that does not fit whole has warps that wait (IV-B1).
        let fits = |warps: u32| match warps <= cta.warps() {
            true => one_warp,
            false => warps.saturating_mul(one_warp),
        };
        let mut occupancy = Occupancy::fit(limits, cta, fits)?;
        let at_low = Cars {
            watermark: Watermark::Low,
            ..*self
        };
        // The number of CTAs is among what limits the warps (III-B).
        let launched = (self.ctas_of_an_sm.unwrap_or(u64::MAX)).saturating_mul(cta.warps().into());
        let together = launched.clamp(1, occupancy.warps.into()) as u32;
        let share = packs / together;
        let granule = u32::from(limits.register_allocation_granularity.max(1));
        let loops = waits_of(input.kernel);
        let wait = loops.widest();
        // Such a barrier writes a register of who waits, so nobody may give registers up there. And who waits in a loop gives up none.
        let keeps = wait.is_some() || waits_with_a_result(input.kernel);
        let cars = match self.watermark {
            Watermark::Adaptive if keeps => &at_low,
            _ => self,
        };
        let stacks = cars.stacks(&graph, share, granule, packs);
        let size = base + u32::from(stacks.largest());
        let low = at_low.stacks(&graph, share, granule, packs).largest();
        if keeps {
            // Without stacks a pack behind the last registers stays free.
            let fit = |size: u32| {
                let behind = u32::from(size == base);
                Occupancy::fit(limits, cta, |warps| {
                    warps.saturating_mul(size).saturating_add(behind)
                })
            };
            occupancy = fit(size).map_err(|refusal| match (wait, &refusal) {
                (Some(wait), _) => refuse(
                    self.name(),
                    wait,
                    "of one CTA not all warps find registers and a stack at once; use smaller CTAs, or take abi-spill",
                ),
                (None, Refusal::DoesNotFit { needed, available, .. }) => Refusal::Option {
                    scheme: self.name().to_owned(),
                    reason: format!(
                        "warps wait at a barrier for a result (bar.red), so all of a CTA need registers and a stack at once: {needed} \
                         packs of {available}; use smaller CTAs, {}or take abi-spill",
                        match fit(base + u32::from(low)) {
                            Ok(_) => "--watermark low, ",
                            Err(_) => "",
                        }
                    ),
                },
                (None, _) => refusal,
            })?;
        }
        let with_registers = (packs / size.max(1)).min(occupancy.warps.into());
        let spill_words = match graph.has_recursion() {
            true => self.recursion_words(&graph),
            false => graph.high() - base,
        };
        let wanted = cars.wanted(&graph);
        let (base_regs, warps) = (base as u16, u64::from(limits.warps_per_sm));
        Ok(Plan {
            scheme: self.name().to_owned(),
            kernel: input.kernel.clone(),
            regs,
            manager: ManagerSpec::Stacks {
                warps_per_cta: cta.warps() as u16,
                base_regs,
                capacities: stacks.capacities,
                top: stacks.top,
                level: stacks.level,
                known: [0; 8],
            },
            packs_allocated: with_registers * size,
            occupancy,
            shared_from: None,
            sections: None,
            scratchpad: None,
            es: None,
            scheduler: None,
            storage_bits: CarsPaperBits::new(warps, packs.into()).total() as u32,
            stacks: Some(StackPlan {
                spill_words,
                switch_words: size,
                extra_cycles: if self.extra_cycle { EXTRA_CYCLES } else { 0 },
                graph,
                remembered: None,
                cut_from: (wanted > stacks.largest().into()).then_some(wanted),
                low_has: (low > stacks.largest()).then_some(low),
            }),
            idealised: Default::default(),
            variant: None,
        })
    }
}

/// Whether the kernel has a barrier that gives its waiting warps a result.
fn waits_with_a_result(kernel: &crate::kernel::Kernel) -> bool {
    let mut insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    insts.any(
        |inst| matches!(inst.op, Op::Bar(kind) if !matches!(kind, BarKind::Sync | BarKind::Arrive)),
    )
}

#[cfg(test)]
mod tests;
