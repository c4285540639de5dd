//! Declares the pins of a unit: one struct of inputs, one of outputs, each field a Verilog port.

/// Bits needed to tell `count` values apart: ceil(log2 count), and at least 1.
#[must_use]
pub const fn bits_for(count: usize) -> u32 {
    let mut bits = 1;
    while (1 << bits) < count {
        bits += 1;
    }
    bits
}

/// A Rust type that can stand on a pin.
pub trait PinValue: Copy {
    /// The value as the port carries it.
    fn to_pin(self) -> u64;
    /// The value that a port of `width_bits` bits carries; higher bits are dropped.
    fn from_pin(value: u64, width_bits: u32) -> Self;
}

impl PinValue for bool {
    fn to_pin(self) -> u64 {
        u64::from(self)
    }
    fn from_pin(value: u64, _width_bits: u32) -> Self {
        value & 1 == 1
    }
}

macro_rules! unsigned_pin {
    ($($ty:ty),*) => {$(
        impl PinValue for $ty {
            fn to_pin(self) -> u64 {
                u64::from(self)
            }
            fn from_pin(value: u64, width_bits: u32) -> Self {
                debug_assert!(width_bits <= <$ty>::BITS);
                (value & (u64::MAX >> (64 - width_bits))) as $ty
            }
        }
    )*};
}
unsigned_pin!(u8, u16, u32, u64);

/// Declares a struct of pins and implements [`Pins`](crate::clocked::Pins) for it. After each field's type
/// stands the width of its port in bits. A constant parameter may have a constant as its default.
macro_rules! pins {
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(<$(const $gen:ident $(= $default:ident)?),+>)? {
            $($(#[$doc:meta])* $field:ident: $ty:ty = $width:expr,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name $(<$(const $gen: usize $(= $default)?),+>)? {
            $($(#[$doc])* pub $field: $ty,)+
        }

        impl $(<$(const $gen: usize),+>)? $crate::clocked::Pins for $name $(<$($gen),+>)? {
            fn pins() -> Vec<$crate::clocked::PinDef> {
                vec![$($crate::clocked::PinDef { name: stringify!($field), width_bits: $width }),+]
            }
            fn values(&self, out: &mut Vec<u64>) {
                $(out.push($crate::pins::PinValue::to_pin(self.$field));)+
            }
            fn from_values(values: &[u64]) -> Self {
                let mut values = values.iter().copied();
                Self {
                    $($field: $crate::pins::PinValue::from_pin(values.next().unwrap_or(0), $width),)+
                }
            }
        }
    };
}
pub(crate) use pins;
