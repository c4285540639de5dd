//! What dynamic warp execution adds to the run-time seam: memory instructions that wait, and stall cycles that SMs compare
//! (resource sharing, IV-C).

/// State of the throttle, which holds for one SM cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Throttle {
    /// Warps that may not issue an instruction that accesses global or local memory, a bit per slot: non-owners whose partner is
    /// owner, while the draw of the cycle is against them. Of a pair without an owner nobody is held back: its hardware knows an
    /// owner only when the partner has had to wait.
    pub held_back: u64,
    /// Stall cycles of this period so far, or in its first cycle those of the one before.
    pub stalls: u16,
}

/// What the throttle has to know in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StallWatch {
    /// Some scheduler issues an instruction about which the register hardware is not asked.
    pub issues: bool,
    /// [`Throttle::stalls`] of SM 0 in this cycle.
    pub zero_stalls: u16,
}
