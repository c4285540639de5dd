//! Logic, shifts, bit fields and permutations.

use super::int::{bits_of, is_signed, narrow, read, write};
use super::lanes::{Value, lanes_of, map1, map2, map3, wide1, wide2};
use crate::kernel::op::{PrmtMode, Ty};

fn is_long(ty: Ty) -> bool {
    bits_of(ty) == 64
}

#[inline(always)]
pub(super) fn logic(
    ty: Ty,
    out: &mut Value,
    a: &Value,
    b: &Value,
    f: impl Fn(u32, u32) -> u32 + Copy,
) {
    map2(out, a, b, f);
    if is_long(ty) {
        for i in 0..32 {
            out.hi[i] = f(a.hi[i], b.hi[i]);
        }
    } else if bits_of(ty) < 32 {
        let all = out.lo;
        for i in 0..32 {
            out.lo[i] = narrow(ty, all[i]);
        }
    }
}

pub(super) fn not(ty: Ty, out: &mut Value, a: &Value) {
    if is_long(ty) {
        wide1(out, a, |x| !x);
    } else {
        map1(out, a, |x| narrow(ty, !x));
    }
}

pub(super) fn cnot(ty: Ty, out: &mut Value, a: &Value, active: u32) {
    for i in lanes_of(active) {
        write(ty, out, i, i128::from(read(ty, a, i) == 0));
    }
}

pub(super) fn shl(ty: Ty, out: &mut Value, a: &Value, amount: &Value) {
    if is_long(ty) {
        for i in 0..32 {
            let n = amount.lo[i];
            out.set(i, if n < 64 { a.get(i) << n } else { 0 });
        }
    } else {
        map2(out, a, amount, |x, n| {
            narrow(ty, if n < 32 { x << n } else { 0 })
        });
    }
}

pub(super) fn shr(ty: Ty, out: &mut Value, a: &Value, amount: &Value) {
    match ty {
        Ty::U32 | Ty::B32 => map2(out, a, amount, |x, n| if n < 32 { x >> n } else { 0 }),
        Ty::S32 => map2(out, a, amount, |x, n| ((x as i32) >> n.min(31)) as u32),
        _ => {
            for i in 0..32 {
                // 127 shifts every type out, down to its sign.
                let n = amount.lo[i].min(127);
                write(ty, out, i, read(ty, a, i) >> n);
            }
        }
    }
}

/// Funnel shift of `hi:lo`.
pub(super) fn shf(left: bool, wrap: bool, out: &mut Value, [lo, hi, amount]: [&Value; 3]) {
    map3(out, lo, hi, amount, |l, h, c| {
        let n = if wrap { c & 31 } else { c.min(32) };
        let pair = u64::from(h) << 32 | u64::from(l);
        if left {
            ((pair << n) >> 32) as u32
        } else {
            (pair >> n) as u32
        }
    });
}

pub(super) fn lop3(table: u8, out: &mut Value, a: &Value, b: &Value, c: &Value) {
    // One minterm per set bit of the table; bit 4a + 2b + c of it belongs to the inputs a, b, c.
    out.lo = [0; 32];
    for row in 0..8_u32 {
        if table >> row & 1 == 0 {
            continue;
        }
        let flip = |bit: u32| if row >> bit & 1 == 1 { 0 } else { u32::MAX };
        let (fa, fb, fc) = (flip(2), flip(1), flip(0));
        for i in 0..32 {
            out.lo[i] |= (a.lo[i] ^ fa) & (b.lo[i] ^ fb) & (c.lo[i] ^ fc);
        }
    }
}

/// Bits of the value as an unsigned number, whatever the signedness.
fn raw(ty: Ty, v: &Value, lane: usize) -> u64 {
    if is_long(ty) {
        v.get(lane)
    } else {
        u64::from(v.lo[lane]) & ((1 << bits_of(ty)) - 1)
    }
}

pub(super) fn popc(ty: Ty, out: &mut Value, a: &Value) {
    if ty == Ty::B32 {
        return map1(out, a, u32::count_ones);
    }
    for i in 0..32 {
        out.lo[i] = raw(ty, a, i).count_ones();
    }
}

pub(super) fn clz(ty: Ty, out: &mut Value, a: &Value) {
    for i in 0..32 {
        out.lo[i] = raw(ty, a, i).leading_zeros() - (64 - bits_of(ty));
    }
}

pub(super) fn bfind(ty: Ty, shiftamt: bool, out: &mut Value, a: &Value) {
    for i in 0..32 {
        let x = read(ty, a, i);
        // The leading bit that differs from the sign: negative numbers are searched for a zero.
        let x = if x < 0 { !x } else { x } as u64;
        out.lo[i] = match x.checked_ilog2() {
            None => u32::MAX,
            Some(at) if shiftamt => bits_of(ty) - 1 - at,
            Some(at) => at,
        };
    }
}

pub(super) fn brev(ty: Ty, out: &mut Value, a: &Value) {
    if is_long(ty) {
        wide1(out, a, u64::reverse_bits);
    } else {
        map1(out, a, u32::reverse_bits);
    }
}

/// Mask of the low `len` bits; `len` up to 255.
fn low_mask(len: u32) -> u64 {
    if len >= 64 { u64::MAX } else { (1 << len) - 1 }
}

pub(super) fn bfe(ty: Ty, out: &mut Value, [a, pos, len]: [&Value; 3]) {
    let msb = bits_of(ty) - 1;
    for i in 0..32 {
        let (pos, len) = (pos.lo[i] & 0xFF, len.lo[i] & 0xFF);
        let bits = raw(ty, a, i);
        let field = bits.checked_shr(pos).unwrap_or(0) & low_mask(len);
        let sign = is_signed(ty) && len != 0 && bits >> (pos + len - 1).min(msb) & 1 == 1;
        // Bits that the field does not have: above its length, or above the word.
        let had = low_mask(len) & low_mask((msb + 1).saturating_sub(pos));
        let field = if sign { field | !had } else { field };
        write(ty, out, i, i128::from(field));
    }
}

pub(super) fn bfi(ty: Ty, out: &mut Value, [a, b, pos, len]: [&Value; 4]) {
    for i in 0..32 {
        let (pos, len) = (pos.lo[i] & 0xFF, len.lo[i] & 0xFF);
        let mask = low_mask(len).checked_shl(pos).unwrap_or(0);
        let field = raw(ty, a, i).checked_shl(pos).unwrap_or(0);
        let merged = raw(ty, b, i) & !mask | field & mask;
        write(ty, out, i, i128::from(merged));
    }
}

/// Bytes 3..0 of the result for the modes that pick whole patterns, by the two low bits of the selector.
fn pattern(mode: PrmtMode, selector: u32) -> [u32; 4] {
    let n = selector & 3;
    match mode {
        PrmtMode::F4e => [n + 3, n + 2, n + 1, n],
        PrmtMode::B4e => [(n + 5) & 7, (n + 6) & 7, (n + 7) & 7, n],
        PrmtMode::Rc8 => [n; 4],
        PrmtMode::Ecl => [3, n.max(2), n.max(1), n],
        PrmtMode::Ecr => [n, n.min(2), n.min(1), 0],
        PrmtMode::Rc16 => {
            let low = 2 * (n & 1);
            [low + 1, low, low + 1, low]
        }
        PrmtMode::Index => [selector >> 12, selector >> 8, selector >> 4, selector],
    }
}

pub(super) fn prmt(mode: PrmtMode, out: &mut Value, [a, b, selector]: [&Value; 3]) {
    map3(out, a, b, selector, |x, y, s| {
        let bytes = u64::from(y) << 32 | u64::from(x);
        pattern(mode, s).into_iter().fold(0, |word, pick| {
            let byte = (bytes >> (8 * (pick & 7))) as u8;
            let sign_only = mode == PrmtMode::Index && pick & 8 != 0;
            let byte = if sign_only {
                ((byte as i8) >> 7) as u8
            } else {
                byte
            };
            word << 8 | u32::from(byte)
        })
    });
}

/// `mov.b64 d, {lo, hi}` and `mov.b32 d, {lo, hi}`.
pub(super) fn pack(ty: Ty, out: &mut Value, lo: &Value, hi: &Value) {
    if is_long(ty) {
        out.lo = lo.lo;
        out.hi = hi.lo;
    } else {
        map2(out, lo, hi, |l, h| l & 0xFFFF | h << 16);
    }
}

/// `mov.b64 {lo, hi}, a` and `mov.b32 {lo, hi}, a`.
pub(super) fn unpack(ty: Ty, [lo, hi]: &mut [Value; 2], a: &Value) {
    if is_long(ty) {
        lo.lo = a.lo;
        hi.lo = a.hi;
    } else {
        map1(lo, a, |x| x & 0xFFFF);
        map1(hi, a, |x| x >> 16);
    }
}

/// `p ? a : b`.
pub(super) fn select(ty: Ty, out: &mut Value, a: &Value, b: &Value, p: u32) {
    for i in 0..32 {
        let keep = 0_u32.wrapping_sub(p >> i & 1);
        out.lo[i] = a.lo[i] & keep | b.lo[i] & !keep;
    }
    if is_long(ty) {
        for i in 0..32 {
            let keep = 0_u32.wrapping_sub(p >> i & 1);
            out.hi[i] = a.hi[i] & keep | b.hi[i] & !keep;
        }
    }
}

/// Sign of `a`, magnitude of `b`.
pub(super) fn copysign(ty: Ty, out: &mut Value, a: &Value, b: &Value) {
    if is_long(ty) {
        wide2(out, a, b, |x, y| x & 1 << 63 | y & !(1 << 63));
    } else {
        map2(out, a, b, |x, y| x & 1 << 31 | y & !(1 << 31));
    }
}
