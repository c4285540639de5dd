//! What is known of a number in the 32 lanes of a warp.

/// Lanes of a warp.
pub const LANES: u8 = 32;

/// Lane `l` has `l * stride` and a rest, which need not be the same in all lanes: one of `far` numbers that are nobody knows how
/// far apart, and something from 0 to `span` on top.
///
/// An estimate, not a proof: arithmetic does not wrap round, and where the first lane's number has to be known, a warp begins at
/// a multiple of 32 threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// From a lane to the next.
    pub stride: i64,
    /// Numbers with unknown distances in a warp, at most, 1 ..= 32.
    pub far: u8,
    /// Different numbers on top of one of those, at most, 1 ..= 32.
    pub kinds: u8,
    /// From the least of them to the greatest; 0 if there is one kind.
    pub span: i64,
    /// The least rest, if it is known; then there is one far number.
    pub least: Option<i64>,
    /// Whether the far numbers of all warps are the same.
    pub common: bool,
}

impl Value {
    /// The same in all lanes.
    pub const UNIFORM: Value = Value {
        stride: 0,
        far: 1,
        kinds: 1,
        span: 0,
        least: None,
        common: false,
    };

    /// The same in all lanes of all warps.
    pub const COMMON: Value = Value {
        common: true,
        ..Value::UNIFORM
    };

    /// Anything, in each lane.
    pub const SCATTERED: Value = Value::some_of(LANES);

    /// Up to `far` different numbers of which nothing else is known, 1 ..= 32.
    pub const fn some_of(far: u8) -> Value {
        Value {
            far,
            ..Value::UNIFORM
        }
    }

    /// One number in all lanes.
    pub const fn constant(number: i64) -> Value {
        Value {
            least: Some(number),
            ..Value::COMMON
        }
    }

    /// `stride` more from lane to lane, from a number on that is not known.
    pub const fn per_lane(stride: i64) -> Value {
        Value {
            stride,
            ..Value::UNIFORM
        }
    }

    /// In each lane any of `least ..= greatest`, but not more than `kinds` different ones.
    pub fn range(least: i64, greatest: i64, kinds: u8) -> Value {
        Value {
            kinds,
            span: greatest.saturating_sub(least).max(0),
            ..Value::constant(least)
        }
        .tidy()
    }

    /// So many kinds as fit into the span, and no span of one kind.
    fn tidy(self) -> Value {
        let kinds = self.kinds.min(self.span.min(31) as u8 + 1);
        let span = if kinds == 1 { 0 } else { self.span };
        let least = self.least.filter(|_| self.far == 1);
        Value {
            kinds,
            span,
            least,
            ..self
        }
    }

    /// Whether lanes differ by the stride alone.
    pub fn is_affine(self) -> bool {
        self.kinds == 1 && self.far == 1
    }

    /// Whether all lanes have the same.
    pub fn is_uniform(self) -> bool {
        self.stride == 0 && self.is_affine()
    }

    /// The number that all lanes have, if it is known.
    pub fn as_constant(self) -> Option<i64> {
        self.least.filter(|_| self.is_uniform())
    }

    /// Different numbers in a warp, at most, 1 ..= 32.
    pub fn different(self) -> u8 {
        match self.stride {
            0 => product(self.kinds, self.far),
            _ => LANES,
        }
    }

    /// Least and greatest number of any lane, if they are known.
    pub fn bounds(self) -> Option<(i64, i64)> {
        let whole = self.whole();
        let least = whole.least?;
        Some((least, least.saturating_add(whole.span)))
    }

    /// The same numbers without a stride: the lanes' part goes into the rest.
    pub fn whole(self) -> Value {
        if self.stride == 0 {
            return self;
        }
        let across = self.stride.saturating_mul(31);
        Value {
            stride: 0,
            kinds: LANES,
            span: self.span.saturating_add(across.saturating_abs()),
            least: self.least.and_then(|l| l.checked_add(across.min(0))),
            ..self
        }
        .tidy()
    }

    /// Anything that depends on both.
    pub fn mixed(self, other: Value) -> Value {
        Value {
            common: self.common && other.common,
            ..Value::some_of(product(self.different(), other.different()))
        }
    }

    /// The sum.
    pub fn plus(self, other: Value) -> Value {
        let least = self.least.zip(other.least);
        Value {
            stride: self.stride.saturating_add(other.stride),
            far: product(self.far, other.far),
            kinds: product(self.kinds, other.kinds),
            span: self.span.saturating_add(other.span),
            least: least.and_then(|(a, b)| a.checked_add(b)),
            common: self.common && other.common,
        }
        .tidy()
    }

    /// `factor` times as much.
    pub fn times(self, factor: i64) -> Value {
        if factor == 0 {
            return Value::constant(0);
        }
        let least = self.least.and_then(|least| match factor {
            0.. => least.checked_mul(factor),
            _ => least.checked_add(self.span)?.checked_mul(factor),
        });
        Value {
            stride: self.stride.saturating_mul(factor),
            span: self.span.saturating_mul(factor.saturating_abs()),
            least,
            ..self
        }
    }

    /// The product.
    pub fn by(self, other: Value) -> Value {
        match (self.as_constant(), other.as_constant()) {
            (Some(factor), _) => other.times(factor),
            (_, Some(factor)) => self.times(factor),
            // assumed: a factor that only the launch knows is large, a row of something, so that what differs lies far apart
            _ => self.mixed(other),
        }
    }

    /// The quotient by `divisor`, 1 or more, rounded down.
    pub fn over(self, divisor: i64) -> Value {
        let whole = match self.stride % divisor {
            0 => self,
            _ => self.whole(),
        };
        let least = whole.least.map(|least| least.div_euclid(divisor));
        let span = match (whole.bounds(), least) {
            (Some((_, greatest)), Some(least)) if whole.stride == 0 => {
                greatest.div_euclid(divisor) - least
            }
            // assumed: it begins at a multiple of the divisor, as the number of a warp's first thread mostly does
            _ if self.is_affine() => whole.span / divisor,
            _ => whole.span.saturating_add(divisor - 1) / divisor,
        };
        Value {
            stride: whole.stride / divisor,
            span,
            least,
            ..whole
        }
        .tidy()
    }

    /// What is left over by `divisor`, 1 or more.
    pub fn modulo(self, divisor: i64) -> Value {
        if let Some(number) = self.as_constant() {
            return Value::constant(number.rem_euclid(divisor));
        }
        match self.bounds() {
            Some((0.., greatest)) if greatest < divisor => self,
            // assumed: within a warp it does not begin anew
            None if self.far == 1 && self.whole().span < divisor => self,
            _ => Value::range(0, divisor - 1, self.different()),
        }
    }

    /// A number of `bits`: where nothing is known of it, at least that.
    pub fn of_bits(self, bits: u32, signed: bool) -> Value {
        if self.far == 1 || self.stride != 0 || bits > 32 {
            return self;
        }
        let values = 1i64 << bits;
        match signed {
            true => Value::range(-values / 2, values / 2 - 1, self.different()),
            false => Value::range(0, values - 1, self.different()),
        }
    }

    /// The one or the other, as each lane chooses.
    pub fn either(self, other: Value) -> Value {
        if self == other && (self.as_constant().is_some() || self.far == LANES) {
            return self;
        }
        let (a, b) = match self.stride == other.stride {
            true => (self, other),
            false => (self.whole(), other.whole()),
        };
        let common = a.common && b.common;
        if let (Some(from), Some(and)) = (a.least, b.least) {
            let least = from.min(and);
            let greatest = (from.saturating_add(a.span)).max(and.saturating_add(b.span));
            return Value {
                stride: a.stride,
                common,
                ..Value::range(least, greatest, (a.kinds + b.kinds).min(LANES))
            };
        }
        Value {
            stride: a.stride,
            far: (a.far + b.far).min(LANES),
            kinds: a.kinds.max(b.kinds),
            span: a.span.max(b.span),
            least: None,
            common,
        }
    }

    /// The one or the other, the same in all lanes.
    pub fn or_all(self, other: Value) -> Value {
        let common = self.common && other.common;
        if self.stride != other.stride {
            // The worse of the two, if one is harmless.
            return match (self.is_uniform(), other.is_uniform()) {
                (true, _) => Value { common, ..other },
                (_, true) => Value { common, ..self },
                _ => Value::SCATTERED,
            };
        }
        Value {
            stride: self.stride,
            far: self.far.max(other.far),
            kinds: self.kinds.max(other.kinds),
            span: self.span.max(other.span),
            least: self.least.filter(|_| self.least == other.least),
            common,
        }
        .tidy()
    }
}

fn product(a: u8, b: u8) -> u8 {
    (u16::from(a) * u16::from(b)).min(LANES.into()) as u8
}
