//! The values of one operand in all lanes of a warp, and loops over them.

/// Lanes of a warp.
pub const LANES: usize = 32;

/// One 32-bit register of a warp.
pub type Lanes = [u32; LANES];

/// One operand of a warp: 32 or 64 bits per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Bits 31..0 of each lane.
    pub lo: Lanes,
    /// Bits 63..32 of each lane; meaningful for 64-bit types only.
    pub hi: Lanes,
}

impl Value {
    /// Zero in every lane.
    pub const ZERO: Value = Value {
        lo: [0; LANES],
        hi: [0; LANES],
    };

    /// The same 64 bits in every lane.
    pub fn splat(bits: u64) -> Self {
        Value {
            lo: [bits as u32; LANES],
            hi: [(bits >> 32) as u32; LANES],
        }
    }

    /// The 64 bits of one lane; `lane` below 32.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> u64 {
        u64::from(self.hi[lane]) << 32 | u64::from(self.lo[lane])
    }

    /// Sets the 64 bits of one lane; `lane` below 32.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, bits: u64) {
        self.lo[lane] = bits as u32;
        self.hi[lane] = (bits >> 32) as u32;
    }
}

#[inline(always)]
pub(super) fn map1(out: &mut Value, a: &Value, f: impl Fn(u32) -> u32) {
    for i in 0..LANES {
        out.lo[i] = f(a.lo[i]);
    }
}

#[inline(always)]
pub(super) fn map2(out: &mut Value, a: &Value, b: &Value, f: impl Fn(u32, u32) -> u32) {
    for i in 0..LANES {
        out.lo[i] = f(a.lo[i], b.lo[i]);
    }
}

#[inline(always)]
pub(super) fn map3(
    out: &mut Value,
    a: &Value,
    b: &Value,
    c: &Value,
    f: impl Fn(u32, u32, u32) -> u32,
) {
    for i in 0..LANES {
        out.lo[i] = f(a.lo[i], b.lo[i], c.lo[i]);
    }
}

#[inline(always)]
pub(super) fn wide1(out: &mut Value, a: &Value, f: impl Fn(u64) -> u64) {
    for i in 0..LANES {
        let d = f(a.get(i));
        out.set(i, d);
    }
}

#[inline(always)]
pub(super) fn wide2(out: &mut Value, a: &Value, b: &Value, f: impl Fn(u64, u64) -> u64) {
    for i in 0..LANES {
        let d = f(a.get(i), b.get(i));
        out.set(i, d);
    }
}

#[inline(always)]
pub(super) fn wide3(
    out: &mut Value,
    a: &Value,
    b: &Value,
    c: &Value,
    f: impl Fn(u64, u64, u64) -> u64,
) {
    for i in 0..LANES {
        let d = f(a.get(i), b.get(i), c.get(i));
        out.set(i, d);
    }
}

/// One bit per lane: whether `f` holds for the lane.
#[inline(always)]
pub(super) fn test(f: impl Fn(usize) -> bool) -> u32 {
    let mut mask = 0;
    for i in 0..LANES {
        mask |= u32::from(f(i)) << i;
    }
    mask
}

/// The lanes of a mask in ascending order; slow operations are computed for these only.
pub(super) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (lane < 32).then_some(lane as usize)
    })
}
