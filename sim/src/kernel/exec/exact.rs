//! Floating-point arithmetic by exact integers, rounded once: every format, every rounding mode.
//!
//! A finite number is `mantissa * 2^exponent`. An operation computes its result exactly, or cut off far below
//! the last place with a *sticky* bit for the lost part, and [`Format::round`] rounds it. Slow and plain; the
//! common cases have faster routes in [`super::float32`] and [`super::float64`].

use crate::kernel::op::{Round, Ty};

/// A binary interchange format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    /// Bits of the significand with the hidden one.
    pub precision: u32,
    /// Largest exponent; also the bias.
    pub emax: i32,
    /// Result of an invalid operation.
    pub nan: u64,
}

/// A number taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Nan,
    Infinite {
        negative: bool,
    },
    Zero {
        negative: bool,
    },
    /// `mantissa * 2^exponent`, mantissa of exactly `precision` bits.
    Finite {
        negative: bool,
        mantissa: u64,
        exponent: i32,
    },
}

use Number::{Finite, Infinite, Nan, Zero};

impl Format {
    pub const F16: Format = Format {
        precision: 11,
        emax: 15,
        nan: 0x7FFF,
    };
    pub const BF16: Format = Format {
        precision: 8,
        emax: 127,
        nan: 0x7FFF,
    };
    pub const F32: Format = Format {
        precision: 24,
        emax: 127,
        nan: 0x7FFF_FFFF,
    };
    pub const F64: Format = Format {
        precision: 53,
        emax: 1023,
        nan: 0xFFF8_0000_0000_0000,
    };

    /// The format of a float type, of one element for packed types.
    pub fn of(ty: Ty) -> Format {
        match ty {
            Ty::F16 | Ty::F16x2 => Format::F16,
            Ty::Bf16 | Ty::Bf16x2 => Format::BF16,
            Ty::F64 => Format::F64,
            _ => Format::F32,
        }
    }

    fn exponent_mask(self) -> u64 {
        2 * self.emax as u64 + 1
    }

    fn sign_bit(self, negative: bool) -> u64 {
        let exponent_bits = self.exponent_mask().count_ones();
        u64::from(negative) << (self.precision - 1 + exponent_bits)
    }

    pub fn infinity(self, negative: bool) -> u64 {
        self.sign_bit(negative) | self.exponent_mask() << (self.precision - 1)
    }

    pub fn zero(self, negative: bool) -> u64 {
        self.sign_bit(negative)
    }

    /// One.
    pub fn one(self) -> u64 {
        (self.emax as u64) << (self.precision - 1)
    }

    pub fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign_bit(true) > self.infinity(false)
    }

    pub fn is_subnormal(self, bits: u64) -> bool {
        let magnitude = bits & !self.sign_bit(true);
        magnitude != 0 && magnitude >> (self.precision - 1) == 0
    }

    /// Subnormals become zero of the same sign.
    pub fn flush(self, bits: u64) -> u64 {
        if self.is_subnormal(bits) {
            bits & self.sign_bit(true)
        } else {
            bits
        }
    }

    /// Clamped to [0, 1]; NaN to +0.
    pub fn saturate(self, bits: u64) -> u64 {
        if self.is_nan(bits) || bits & self.sign_bit(true) != 0 {
            0
        } else {
            bits.min(self.one())
        }
    }

    pub fn unpack(self, bits: u64) -> Number {
        let fraction_bits = self.precision - 1;
        let negative = bits & self.sign_bit(true) != 0;
        let field = bits >> fraction_bits & self.exponent_mask();
        let fraction = bits & ((1 << fraction_bits) - 1);
        match (field, fraction) {
            (0, 0) => Zero { negative },
            (0, _) => {
                let shift = self.precision - fraction.ilog2() - 1;
                Finite {
                    negative,
                    mantissa: fraction << shift,
                    exponent: 1 - self.emax - fraction_bits as i32 - shift as i32,
                }
            }
            (top, 0) if top == self.exponent_mask() => Infinite { negative },
            (top, _) if top == self.exponent_mask() => Nan,
            _ => Finite {
                negative,
                mantissa: fraction | 1 << fraction_bits,
                exponent: field as i32 - self.emax - fraction_bits as i32,
            },
        }
    }

    /// Rounds `mantissa * 2^exponent`, plus less than one unit of the mantissa if `sticky`. With `sticky` the
    /// mantissa must have at least two bits more than the precision.
    pub fn round(
        self,
        negative: bool,
        mantissa: u128,
        exponent: i32,
        sticky: bool,
        mode: Round,
    ) -> u64 {
        if mantissa == 0 {
            return self.zero(negative);
        }
        let fraction_bits = self.precision - 1;
        let emin = 1 - self.emax;
        let leading = mantissa.ilog2() as i32 + exponent;
        // Exponent of the last place that is kept, and how far down it is in the mantissa.
        let last_place = leading.max(emin) - fraction_bits as i32;
        let cut = last_place - exponent;
        let (mut kept, half, below) = if cut <= 0 {
            (mantissa << -cut, false, sticky)
        } else if cut > 128 {
            (0, false, true)
        } else {
            let kept = mantissa.checked_shr(cut as u32).unwrap_or(0);
            let half = mantissa >> (cut - 1) & 1 == 1;
            (kept, half, sticky || mantissa << (128 - cut) << 1 != 0)
        };
        kept += u128::from(match mode {
            Round::Nearest => half && (below || kept & 1 == 1),
            Round::Zero => false,
            Round::Down => negative && (half || below),
            Round::Up => !negative && (half || below),
        });
        // A carry out of the fraction lands in the exponent field, where it belongs.
        let biased = if leading < emin {
            0
        } else {
            (leading + self.emax - 1) as u128
        };
        let bits = (biased << fraction_bits) + kept;
        if bits >> fraction_bits >= u128::from(self.exponent_mask()) {
            let to_infinity = match mode {
                Round::Nearest => true,
                Round::Zero => false,
                Round::Down => negative,
                Round::Up => !negative,
            };
            return self.infinity(negative) - u64::from(!to_infinity);
        }
        self.sign_bit(negative) | bits as u64
    }

    /// Sum of zeros, or of numbers that cancel.
    fn zero_sum(self, a_negative: bool, b_negative: bool, mode: Round) -> u64 {
        self.zero(if a_negative == b_negative {
            a_negative
        } else {
            mode == Round::Down
        })
    }

    pub fn add(self, a: u64, b: u64, mode: Round) -> u64 {
        // a * 1 + b
        self.fma(a, self.one(), b, mode)
    }

    pub fn sub(self, a: u64, b: u64, mode: Round) -> u64 {
        self.add(a, b ^ self.sign_bit(true), mode)
    }

    pub fn mul(self, a: u64, b: u64, mode: Round) -> u64 {
        match (self.unpack(a), self.unpack(b)) {
            (Nan, _) | (_, Nan) => self.nan,
            (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => self.nan,
            (x, y) => {
                let negative = x.negative() != y.negative();
                match (x, y) {
                    (Infinite { .. }, _) | (_, Infinite { .. }) => self.infinity(negative),
                    (
                        Finite {
                            mantissa: m,
                            exponent: e,
                            ..
                        },
                        Finite {
                            mantissa: n,
                            exponent: f,
                            ..
                        },
                    ) => self.round(negative, u128::from(m) * u128::from(n), e + f, false, mode),
                    _ => self.zero(negative),
                }
            }
        }
    }

    /// `a * b + c`, rounded once.
    pub fn fma(self, a: u64, b: u64, c: u64, mode: Round) -> u64 {
        let (x, y, z) = (self.unpack(a), self.unpack(b), self.unpack(c));
        if x == Nan || y == Nan || z == Nan {
            return self.nan;
        }
        let negative = x.negative() != y.negative();
        let (p, ep) = match (x, y) {
            (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => return self.nan,
            (Infinite { .. }, _) | (_, Infinite { .. }) => {
                return match z {
                    Infinite { negative: other } if other != negative => self.nan,
                    _ => self.infinity(negative),
                };
            }
            (
                Finite {
                    mantissa: m,
                    exponent: e,
                    ..
                },
                Finite {
                    mantissa: n,
                    exponent: f,
                    ..
                },
            ) => (u128::from(m) * u128::from(n), e + f),
            _ => {
                return match z {
                    Zero { negative: other } => self.zero_sum(negative, other, mode),
                    _ => c,
                };
            }
        };
        match z {
            Infinite { .. } => c,
            Finite {
                negative: other,
                mantissa,
                exponent,
            } => self.sum(
                (negative, p, ep),
                (other, u128::from(mantissa), exponent),
                mode,
            ),
            _ => self.round(negative, p, ep, false, mode),
        }
    }

    /// Sum of a product (of up to 2 * precision bits) and a number (of exactly `precision` bits).
    fn sum(self, product: (bool, u128, i32), addend: (bool, u128, i32), mode: Round) -> u64 {
        // Shift up the one with the larger exponent as far as 127 bits allow. What then remains of the distance
        // is cut off the other; it is then too small to cancel the leading places, so a sticky bit is enough.
        let product_has = 2 * self.precision;
        let room = if product.2 > addend.2 {
            126 - product_has
        } else {
            126 - self.precision
        };
        let distance = product.2.abs_diff(addend.2);
        let (high, low) = if product.2 > addend.2 {
            (product, addend)
        } else {
            (addend, product)
        };
        let up = distance.min(room);
        let down = distance - up;
        let exponent = high.2 - up as i32;
        let high_bits = (high.1 << up) as i128;
        let low_bits = low.1.checked_shr(down).unwrap_or(0);
        let lost = low_bits.checked_shl(down).unwrap_or(0) != low.1;
        let signed = |negative: bool, x: i128| if negative { -x } else { x };
        let mut total = signed(high.0, high_bits) + signed(low.0, low_bits as i128);
        // The lost part has the sign of `low`; make it point away from zero, as `sticky` means it.
        if lost && low.0 != (total < 0) {
            total += signed(low.0, 1);
        }
        if total == 0 {
            return self.zero_sum(high.0, low.0, mode);
        }
        self.round(total < 0, total.unsigned_abs(), exponent, lost, mode)
    }

    pub fn div(self, a: u64, b: u64, mode: Round) -> u64 {
        let (x, y) = (self.unpack(a), self.unpack(b));
        let negative = x.negative() != y.negative();
        match (x, y) {
            (Nan, _) | (_, Nan) => self.nan,
            (Infinite { .. }, Infinite { .. }) | (Zero { .. }, Zero { .. }) => self.nan,
            (Infinite { .. }, _) | (_, Zero { .. }) => self.infinity(negative),
            (Zero { .. }, _) | (_, Infinite { .. }) => self.zero(negative),
            (
                Finite {
                    mantissa: m,
                    exponent: e,
                    ..
                },
                Finite {
                    mantissa: n,
                    exponent: f,
                    ..
                },
            ) => {
                let dividend = u128::from(m) << 66;
                let divisor = u128::from(n);
                self.round(
                    negative,
                    dividend / divisor,
                    e - f - 66,
                    dividend % divisor != 0,
                    mode,
                )
            }
        }
    }

    pub fn sqrt(self, a: u64, mode: Round) -> u64 {
        match self.unpack(a) {
            Nan => self.nan,
            Zero { .. } => a,
            Infinite { negative: false } => a,
            x if x.negative() => self.nan,
            Finite {
                mantissa, exponent, ..
            } => {
                let shift = 70 + (exponent & 1) as u32;
                let square = u128::from(mantissa) << shift;
                let root = square.isqrt();
                let exponent = (exponent - shift as i32) / 2;
                self.round(false, root, exponent, root * root != square, mode)
            }
            _ => self.nan,
        }
    }

    /// The number in another format.
    pub fn convert(self, bits: u64, to: Format, mode: Round) -> u64 {
        match self.unpack(bits) {
            Nan => to.nan,
            Infinite { negative } => to.infinity(negative),
            Zero { negative } => to.zero(negative),
            Finite {
                negative,
                mantissa,
                exponent,
            } => to.round(negative, u128::from(mantissa), exponent, false, mode),
        }
    }

    /// An integer, rounded to this format.
    pub fn of_int(self, x: i128, mode: Round) -> u64 {
        self.round(x < 0, x.unsigned_abs(), 0, false, mode)
    }
}

impl Number {
    fn negative(self) -> bool {
        match self {
            Nan => false,
            Infinite { negative } | Zero { negative } | Finite { negative, .. } => negative,
        }
    }
}
