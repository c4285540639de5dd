//! CARS: callee-saved registers on a register stack of each warp, with room for one call, some, or the deepest chain
//! (CARS III).

use super::waits::{refuse, waits_of};
use super::{Occupancy, Plan, PlanInput, Refusal, Scheme};
use crate::compiler::calls::{CallGraph, MOST_OPEN_CALLS, RECURSION_STACK_BYTES, Saves, graph_of};
use crate::kernel::op::{BarKind, Op};
use regshare_hw::cars::cost::CarsPaperBits;
use regshare_hw::manager::{ManagerSpec, STACK_PACKS};

/// Levels that the hardware chooses among.
const LEVELS: usize = 8;
/// Cycles that an instruction takes longer: one in issue, one in the operand collector (CARS IV-C).
const EXTRA_CYCLES: u8 = 2;

/// How many registers the stack of a warp gets (CARS III-B). Where something else limits the warps and leaves registers over, an equal
/// share of them, if that is more; but not with [`Watermark::Times`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watermark {
    /// High where that costs no warps, else chosen while the kernel runs, CTA by CTA (Figure 5).
    #[default]
    Adaptive,
    /// Room for one call of the largest function.
    Low,
    /// Room for so many calls of it, 2 to 255, and never more: so stacks can be as small as if the SM were full. That can be less than
    /// [`Watermark::Low`] gives.
    Times(u8),
    /// Room for the deepest chain of calls.
    High,
}

/// Not the name of a watermark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected adaptive, low, 2xlow, 3xlow, ... or high")]
pub struct NoWatermark;

impl std::str::FromStr for Watermark {
    type Err = NoWatermark;

    fn from_str(text: &str) -> Result<Self, NoWatermark> {
        match text {
            "adaptive" => Ok(Watermark::Adaptive),
            "low" => Ok(Watermark::Low),
            "high" => Ok(Watermark::High),
            _ => match text.strip_suffix("xlow").unwrap_or("").parse() {
                Ok(times @ 2..) => Ok(Watermark::Times(times)),
                _ => Err(NoWatermark),
            },
        }
    }
}

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
    /// The level of all CTAs, if it is the best of an earlier launch.
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

/// Packs of a stack at each level, and the highest of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stacks {
    capacities: [u16; LEVELS],
    top: u8,
    /// The level of all CTAs.
    level: Option<u8>,
}

impl Stacks {
    fn fixed(capacity: u32) -> Self {
        let mut capacities = [0; LEVELS];
        capacities[0] = capped(capacity);
        Stacks {
            capacities,
            top: 0,
            level: Some(0),
        }
    }

    /// From `low` in steps of `step` up to `high`, which is more; if these are too many, as many as there are levels.
    fn between(low: u32, step: u32, high: u32) -> Self {
        let mut levels = vec![capped(low)];
        let steps = (1..).map(|n| (n + 1) * step.max(1));
        let between = steps.skip_while(|&c| c <= low).take_while(|&c| c < high);
        levels.extend(between.map(capped));
        levels.push(capped(high));
        levels.dedup();
        let last = levels.len() - 1;
        let count = levels.len().min(LEVELS);
        let mut capacities = [0; LEVELS];
        for (number, capacity) in capacities[..count].iter_mut().enumerate() {
            *capacity = levels[number * last / (count - 1).max(1)];
        }
        Stacks {
            capacities,
            top: (count - 1) as u8,
            level: (count == 1).then_some(0),
        }
    }

    fn largest(&self) -> u16 {
        self.capacities[usize::from(self.top)]
    }
}

fn capped(capacity: u32) -> u16 {
    capacity.min(STACK_PACKS.into()) as u16
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
        input.regs()?;
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
        let cars = match (wait, self.watermark) {
            (Some(_), Watermark::Adaptive) => &at_low,
            _ => self,
        };
        let stacks = cars.stacks(&graph, share, granule, packs);
        let size = base + u32::from(stacks.largest());
        if wait.is_some() || waits_with_a_result(input.kernel) {
            // Such a barrier writes a register of who waits, so nobody may give registers up there. And who waits in a loop gives up none.
            // Without stacks a pack behind the last registers stays free.
            let behind = u32::from(size == base);
            occupancy = Occupancy::fit(limits, cta, |warps| {
                warps.saturating_mul(size).saturating_add(behind)
            })
            .map_err(|refusal| match wait {
                None => refusal,
                Some(wait) => refuse(
                    self.name(),
                    wait,
                    "of one CTA not all warps find registers and a stack at once; use smaller CTAs, or take abi-spill",
                ),
            })?;
        }
        let with_registers = (packs / size.max(1)).min(occupancy.warps.into());
        let spill_words = match graph.has_recursion() {
            true => self.recursion_words(&graph),
            false => graph.high() - base,
        };
        let wanted = cars.wanted(&graph);
        let low = at_low.stacks(&graph, share, granule, packs).largest();
        let (base_regs, warps) = (base as u16, u64::from(limits.warps_per_sm));
        Ok(Plan {
            scheme: self.name().to_owned(),
            kernel: input.kernel.clone(),
            manager: ManagerSpec::Stacks {
                warps_per_cta: cta.warps() as u16,
                base_regs,
                capacities: stacks.capacities,
                top: stacks.top,
                level: stacks.level,
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
mod tests {
    use super::*;
    use crate::compiler::calls::Node;

    /// The numbers that the text keeps of Figure 4: kernel 20, largest function 10, watermarks 30 and 56.
    fn figure_4() -> CallGraph {
        let node = |fru, sites: &[usize]| Node {
            name: String::new(),
            fru,
            sites: sites.iter().map(|&to| vec![to]).collect(),
        };
        CallGraph::new(vec![
            node(20, &[1]),
            node(10, &[2]),
            node(9, &[3]),
            node(10, &[4]),
            node(7, &[]),
        ])
    }

    fn stacks(watermark: Watermark, share: u32) -> Stacks {
        let cars = Cars {
            watermark,
            ..Cars::default()
        };
        cars.stacks(&figure_4(), share, 1, 2048)
    }

    #[test]
    fn levels_go_from_low_in_steps_of_it_to_high() {
        assert_eq!((figure_4().low(), figure_4().high()), (30, 56));
        let adaptive = stacks(Watermark::Adaptive, 30);
        assert_eq!(adaptive.capacities, [10, 20, 30, 36, 0, 0, 0, 0]);
        assert_eq!((adaptive.top, adaptive.level), (3, None));
        // What else limits the warps leaves two packs each.
        assert_eq!(
            stacks(Watermark::Adaptive, 32).capacities[..4],
            [12, 20, 30, 36]
        );
    }

    #[test]
    fn who_has_room_for_high_gets_all_the_room() {
        let roomy = stacks(Watermark::Adaptive, 64);
        assert_eq!(
            (roomy.capacities[0], roomy.top, roomy.level),
            (44, 0, Some(0))
        );
        assert_eq!(stacks(Watermark::Adaptive, 200).capacities[0], STACK_PACKS);
    }

    /// High needs 36, and of 60 packs a warp has 40 behind the kernel's, but 28 in whole granules.
    #[test]
    fn room_for_high_is_what_there_is_and_not_what_granules_leave() {
        let of = |watermark| {
            let cars = Cars {
                watermark,
                ..Cars::default()
            };
            cars.stacks(&figure_4(), 60, 16, 2048)
        };
        let (low, adaptive) = (of(Watermark::Low), of(Watermark::Adaptive));
        assert_eq!(low.capacities[0], 28);
        assert_eq!((adaptive.capacities[0], adaptive.level), (36, Some(0)));
    }

    #[test]
    fn a_watermark_by_hand_is_the_size_of_every_stack() {
        for (watermark, packs) in [
            (Watermark::Low, 10),
            (Watermark::Times(2), 20),
            (Watermark::Times(9), STACK_PACKS),
            (Watermark::High, 36),
        ] {
            let fixed = stacks(watermark, 30);
            assert_eq!(
                (fixed.capacities[0], fixed.level),
                (packs, Some(0)),
                "{watermark:?}"
            );
        }
    }

    #[test]
    fn a_multiple_of_low_by_hand_has_no_share_of_what_is_left_over() {
        for share in [30, 45, 64] {
            let multiples = [2, 3, 4].map(|n| stacks(Watermark::Times(n), share).capacities[0]);
            assert_eq!(multiples, [20, 30, 40]);
            let low = stacks(Watermark::Low, share).capacities[0];
            assert_eq!(u32::from(low), share - 20);
            assert!(stacks(Watermark::High, share).capacities[0] >= low);
        }
    }

    #[test]
    fn a_recursion_has_packs_in_memory_for_as_many_bytes_as_the_convention_has() {
        let node = |fru, sites: &[usize]| Node {
            name: String::new(),
            fru,
            sites: sites.iter().map(|&to| vec![to]).collect(),
        };
        let words = |stack_bytes, fru| {
            let graph = CallGraph::new(vec![node(20, &[1]), node(fru, &[1])]);
            let cars = Cars {
                stack_bytes,
                ..Cars::default()
            };
            cars.recursion_words(&graph)
        };
        assert_eq!(words(RECURSION_STACK_BYTES, 5), 1024);
        assert_eq!(words(4000, 5), 4000);
        // No more calls can be open.
        assert_eq!(words(512 << 10, 5), 5 * 1024);
        // One iteration is there in any case.
        assert_eq!(words(16, 40), 40);
    }

    #[test]
    fn more_levels_than_the_hardware_has_are_spread() {
        let spread = Stacks::between(2, 2, 40);
        assert_eq!(spread.top, 7);
        assert!(spread.capacities.is_sorted() && spread.capacities[0] == 2);
        assert_eq!(spread.largest(), 40);
    }

    #[test]
    fn watermarks_have_names() {
        let read = |text: &str| text.parse::<Watermark>();
        assert_eq!(read("3xlow"), Ok(Watermark::Times(3)));
        assert_eq!(read("high"), Ok(Watermark::High));
        for wrong in ["", "1xlow", "xlow", "0xlow", "High", "low2", "256xlow"] {
            assert_eq!(read(wrong), Err(NoWatermark), "{wrong}");
        }
    }
}
