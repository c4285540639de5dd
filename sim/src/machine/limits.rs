//! What one SM can hold, and its schedulers.

use serde::{Deserialize, Serialize};

/// What one SM can hold. Launch arithmetic needs nothing else of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Warp slots, 1 ..= 64.
    pub warps_per_sm: u16,
    /// CTA slots, 1 ..= 64.
    pub ctas_per_sm: u16,
    /// Resident threads, 32 ..= 2048, whole warps.
    pub threads_per_sm: u32,
    /// Physical registers, each 32 lanes x 32 bit, 1 ..= 2048.
    pub packs_per_sm: u16,
    /// Scratchpad, bytes.
    pub scratchpad_bytes: u32,
    /// Scratchpad that one CTA may have, bytes; all of it if the file does not say. The only field that may be left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scratchpad_bytes_per_cta: Option<u32>,
    /// A kernel's registers are rounded up to a multiple of this, 1 ..= 64 (RegMutex, Table I: 4).
    pub register_allocation_granularity: u16,
}

impl Limits {
    /// Registers per thread that the machine sets aside for a kernel that names `regs`.
    pub fn rounded_regs(&self, regs: u16) -> u16 {
        regs.next_multiple_of(self.register_allocation_granularity)
    }

    /// The first field out of range, with what is wrong and what was expected.
    pub(super) fn problem(&self) -> Option<(&'static str, String)> {
        let field = |key, value: u32, low: u32, high: u32, unit: &str| {
            let wrong = value < low || value > high;
            wrong.then(|| (key, format!("{value} {unit}; expected {low} to {high}")))
        };
        let warps = u32::from(self.warps_per_sm);
        field("warps_per_sm", warps, 1, 64, "warp slots")
            .or_else(|| field("ctas_per_sm", self.ctas_per_sm.into(), 1, 64, "CTA slots"))
            .or_else(|| field("threads_per_sm", self.threads_per_sm, 32, 2048, "threads"))
            .or_else(|| field("packs_per_sm", self.packs_per_sm.into(), 1, 2048, "packs"))
            .or_else(|| {
                let bytes = self.scratchpad_bytes;
                field("scratchpad_bytes", bytes, 0, 1 << 24, "bytes")
            })
            .or_else(|| {
                let most = self.scratchpad_bytes_per_cta?;
                let key = "scratchpad_bytes_per_cta";
                field(key, most, 0, self.scratchpad_bytes, "bytes")
            })
            .or_else(|| {
                let granularity = self.register_allocation_granularity.into();
                let key = "register_allocation_granularity";
                field(key, granularity, 1, 64, "registers")
            })
            .or_else(|| {
                let wrong = self.threads_per_sm > warps * 32;
                let problem = format!(
                    "{} threads do not fit in {warps} warp slots of 32 lanes; expected at most {}",
                    self.threads_per_sm,
                    warps * 32
                );
                wrong.then_some(("threads_per_sm", problem))
            })
            .or_else(|| {
                let rest = self.threads_per_sm % 32;
                let problem = format!(
                    "{} threads are not whole warps of 32 lanes; expected {}",
                    self.threads_per_sm,
                    self.threads_per_sm - rest
                );
                (rest != 0).then_some(("threads_per_sm", problem))
            })
    }
}

/// Order in which a scheduler tries its warps. As text `gto`, `lrr`, `oldest`, `two-level` or `two-level:N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SchedulerPolicy {
    /// Greedy, then oldest: stay with a warp until it stalls, then the oldest ready one.
    Gto,
    /// Loose round robin: the next ready warp after the last one.
    Lrr,
    /// The oldest ready warp.
    Oldest,
    /// Loose round robin among the 1 ..= 64 warps of a ready queue. One that waits for memory, at a barrier or for the register
    /// hardware leaves it for another (Narasiman et al., MICRO 2011; Gebhart et al., ISCA 2011).
    TwoLevel(u8),
}

impl SchedulerPolicy {
    /// Warps in the ready queue of each scheduler if nothing else is said (RFV, 9.1).
    pub const READY_QUEUE: u8 = 6;
}

/// No policy of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no scheduler `{0}`; give gto, lrr, oldest, two-level or two-level:N with 1 to 64 warps in the ready queue"
)]
pub struct UnknownPolicy(String);

impl std::str::FromStr for SchedulerPolicy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        let unknown = || UnknownPolicy(text.to_owned());
        Ok(match text {
            "gto" => SchedulerPolicy::Gto,
            "lrr" => SchedulerPolicy::Lrr,
            "oldest" => SchedulerPolicy::Oldest,
            "two-level" => SchedulerPolicy::TwoLevel(SchedulerPolicy::READY_QUEUE),
            _ => {
                let size = text.strip_prefix("two-level:").and_then(|n| n.parse().ok());
                let size = size.filter(|size| (1..=64).contains(size));
                SchedulerPolicy::TwoLevel(size.ok_or_else(unknown)?)
            }
        })
    }
}

impl TryFrom<String> for SchedulerPolicy {
    type Error = UnknownPolicy;

    fn try_from(text: String) -> Result<Self, UnknownPolicy> {
        text.parse()
    }
}

impl From<SchedulerPolicy> for String {
    fn from(policy: SchedulerPolicy) -> String {
        policy.to_string()
    }
}

impl std::fmt::Display for SchedulerPolicy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            SchedulerPolicy::Gto => "gto",
            SchedulerPolicy::Lrr => "lrr",
            SchedulerPolicy::Oldest => "oldest",
            SchedulerPolicy::TwoLevel(size) => return write!(f, "two-level:{size}"),
        })
    }
}

/// The warp schedulers of one SM. Warp slot `w` belongs to scheduler `w mod count`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedulers {
    /// How many, 1 ..= 4; each issues one instruction per cycle.
    pub count: u8,
    /// Order of warps.
    pub policy: SchedulerPolicy,
}

impl Schedulers {
    pub(super) fn problem(&self) -> Option<(&'static str, String)> {
        let wrong = self.count == 0 || self.count > 4;
        wrong.then(|| {
            let problem = format!("{} schedulers; expected 1 to 4", self.count);
            ("count", problem)
        })
    }
}
