//! The types of arguments and buffer elements, and their bytes.

use std::fmt;

use half::f16;

/// A PTX type of a scalar argument or of the elements of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are PTX's
pub enum ElementType {
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    B8,
    B16,
    B32,
    B64,
    F16,
    F32,
    F64,
}

/// A number of a launch file, before it gets a type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// A number with a decimal point or exponent, or `inf` or `nan`.
    Float(f64),
}

impl ElementType {
    /// All types, in the order of the documentation.
    pub const ALL: [Self; 15] = [
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::S8,
        Self::S16,
        Self::S32,
        Self::S64,
        Self::B8,
        Self::B16,
        Self::B32,
        Self::B64,
        Self::F16,
        Self::F32,
        Self::F64,
    ];

    /// The name as in PTX, without the dot.
    pub fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::S8 => "s8",
            Self::S16 => "s16",
            Self::S32 => "s32",
            Self::S64 => "s64",
            Self::B8 => "b8",
            Self::B16 => "b16",
            Self::B32 => "b32",
            Self::B64 => "b64",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.name() == name)
    }

    /// Size and natural alignment, in bytes: 1, 2, 4 or 8.
    pub fn size_bytes(self) -> u32 {
        match self {
            Self::U8 | Self::S8 | Self::B8 => 1,
            Self::U16 | Self::S16 | Self::B16 | Self::F16 => 2,
            Self::U32 | Self::S32 | Self::B32 | Self::F32 => 4,
            Self::U64 | Self::S64 | Self::B64 | Self::F64 => 8,
        }
    }

    /// Whether values are floating-point numbers.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    /// Whether values are integers with a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::S8 | Self::S16 | Self::S32 | Self::S64)
    }

    /// The integers that the type holds; floating-point types take any integer a `f64` can be near to.
    ///
    /// `b` types take signed and unsigned values.
    pub fn integer_range(self) -> (i128, i128) {
        let bits = self.size_bytes() * 8;
        let unsigned_max = (1_i128 << bits) - 1;
        let signed_min = -(1_i128 << (bits - 1));
        match self {
            Self::F16 | Self::F32 | Self::F64 => (i128::from(i64::MIN), i128::from(u64::MAX)),
            Self::B8 | Self::B16 | Self::B32 | Self::B64 => (signed_min, unsigned_max),
            _ if self.is_signed() => (signed_min, -signed_min - 1),
            _ => (0, unsigned_max),
        }
    }

    /// The value's bytes, little-endian, rounded to nearest even; `None` where the type cannot hold the number: a
    /// fraction in an integer type, an integer out of range, a finite float that would become infinite.
    pub fn encode(self, number: Number) -> Option<Vec<u8>> {
        let float = match number {
            Number::Int(value) if self.is_float() => value as f64,
            Number::Int(value) => {
                let (min, max) = self.integer_range();
                let size = self.size_bytes() as usize;
                return (min..=max)
                    .contains(&value)
                    .then(|| value.to_le_bytes()[..size].to_vec());
            }
            Number::Float(value) => value,
        };
        let (bytes, stored) = match self {
            Self::F16 => {
                let value = f16::from_f64(float);
                (value.to_le_bytes().to_vec(), value.to_f64())
            }
            Self::F32 => {
                let value = float as f32;
                (value.to_le_bytes().to_vec(), f64::from(value))
            }
            Self::F64 => (float.to_le_bytes().to_vec(), float),
            _ => return None,
        };
        (stored.is_finite() || !float.is_finite()).then_some(bytes)
    }

    /// The value of `bytes`, which must hold one element; `b` types read as unsigned. Other lengths read as 0.
    pub fn decode(self, bytes: &[u8]) -> Number {
        let mut raw = [0; 8];
        if let Some(bytes) = bytes.get(..self.size_bytes() as usize) {
            raw[..bytes.len()].copy_from_slice(bytes);
        }
        let word = u64::from_le_bytes(raw);
        match self {
            Self::F16 => Number::Float(f16::from_bits(word as u16).to_f64()),
            Self::F32 => Number::Float(f64::from(f32::from_bits(word as u32))),
            Self::F64 => Number::Float(f64::from_bits(word)),
            _ if self.is_signed() => {
                let unused = 64 - 8 * self.size_bytes();
                Number::Int(i128::from((word << unused) as i64 >> unused))
            }
            _ => Number::Int(i128::from(word)),
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Number {
    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_out_of_range_and_fractions_do_not_encode() {
        assert_eq!(ElementType::U8.encode(Number::Int(256)), None);
        assert_eq!(ElementType::U8.encode(Number::Int(-1)), None);
        assert_eq!(ElementType::S8.encode(Number::Int(-128)), Some(vec![0x80]));
        assert_eq!(ElementType::B8.encode(Number::Int(-1)), Some(vec![0xff]));
        assert_eq!(ElementType::B8.encode(Number::Int(255)), Some(vec![0xff]));
        assert_eq!(ElementType::U32.encode(Number::Float(1.0)), None);
        assert_eq!(ElementType::F16.encode(Number::Float(1.0e6)), None);
        assert_eq!(ElementType::F32.encode(Number::Float(1.0e39)), None);
        assert!(
            ElementType::F32
                .encode(Number::Float(f64::INFINITY))
                .is_some()
        );
    }

    #[test]
    fn what_was_encoded_decodes_to_itself() {
        for element in ElementType::ALL {
            for value in [0, 1, 100] {
                let bytes = element.encode(Number::Int(value)).unwrap();
                assert_eq!(bytes.len(), element.size_bytes() as usize);
                assert_eq!(element.decode(&bytes).to_f64(), value as f64, "{element}");
            }
        }
        let minus_two = ElementType::S16.encode(Number::Int(-2)).unwrap();
        assert_eq!(ElementType::S16.decode(&minus_two), Number::Int(-2));
        let largest = ElementType::U64
            .encode(Number::Int(i128::from(u64::MAX)))
            .unwrap();
        assert_eq!(
            ElementType::U64.decode(&largest),
            Number::Int(i128::from(u64::MAX))
        );
    }
}
