//! How large register stacks are (CARS III-B).

use regshare_hw::manager::STACK_PACKS;

/// Levels that the hardware chooses among.
const LEVELS: usize = 8;
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

/// Packs of a stack at each level, and the highest of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stacks {
    /// Of each level.
    pub(super) capacities: [u16; LEVELS],
    /// The highest.
    pub(super) top: u8,
    /// The level of all CTAs.
    pub(super) level: Option<u8>,
}

impl Stacks {
    pub(super) fn fixed(capacity: u32) -> Self {
        let mut capacities = [0; LEVELS];
        capacities[0] = capped(capacity);
        Stacks {
            capacities,
            top: 0,
            level: Some(0),
        }
    }

    /// From `low` in steps of `step` up to `high`, which is more; if these are too many, as many as there are levels.
    pub(super) fn between(low: u32, step: u32, high: u32) -> Self {
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

    pub(super) fn largest(&self) -> u16 {
        self.capacities[usize::from(self.top)]
    }
}

fn capped(capacity: u32) -> u16 {
    capacity.min(STACK_PACKS.into()) as u16
}
