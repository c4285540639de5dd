//! Steps the block of any system as its pins are driven.

use super::rtl::{
    BaselineManager16, BaselineManager48, BaselineManager64, CarsManager16, CarsManager48,
    CarsManager64, OwfManager16, OwfManager48, OwfManager64, PairedManager16, PairedManager48,
    PairedManager64, RegmutexManager16, RegmutexManager48, RegmutexManager64, RfvManager16,
    RfvManager48, RfvManager64, SafePairedManager16, SafePairedManager48, SafePairedManager64,
};
use super::{CTAS, PACKS, RegisterManagerIn, RegisterManagerOut, System, WARPS};
use crate::clocked::{Clocked, Pins};
use crate::common::eval::{drive, drive_bits, read_bits, settle};
use rust_hdl::prelude::*;

/// A block with the common ports.
pub trait ManagerBlock: Block + Default {
    /// [`RegisterManagerIn`] of its size.
    type In: Pins;
    /// [`RegisterManagerOut`] of its size.
    type Out: Pins;
    /// Drives the inputs, one value each in the order of [`RegisterManagerIn`].
    fn drive(&mut self, values: &[u64]);
    /// The outputs as they are.
    fn read(&self) -> Self::Out;
    /// One clock pulse with the inputs as they are.
    fn pulse(&mut self);
}

/// An input port of any width.
pub trait InPort {
    /// Puts `value` on it.
    fn put(&mut self, value: u64);
}

impl InPort for Signal<In, bool> {
    fn put(&mut self, value: u64) {
        drive(self, value & 1 == 1);
    }
}

impl<const N: usize> InPort for Signal<In, Bits<N>> {
    fn put(&mut self, value: u64) {
        drive_bits(self, value);
    }
}

/// An output port of any width.
pub trait OutPort {
    /// What is on it.
    fn get(&self) -> u64;
}

impl OutPort for Signal<Out, bool> {
    fn get(&self) -> u64 {
        self.val().into()
    }
}

impl<const N: usize> OutPort for Signal<Out, Bits<N>> {
    fn get(&self) -> u64 {
        read_bits(self)
    }
}

macro_rules! manager_block {
    ($name:ident of $size:ident { $($in:ident),+ } { $($out:ident),+ }) => {
        impl $crate::register_manager::adapter::ManagerBlock for $name {
            type In = $size::Inputs;
            type Out = $size::Outputs;

            fn drive(&mut self, values: &[u64]) {
                use $crate::register_manager::adapter::InPort;
                let mut values = values.iter().copied();
                $(self.$in.put(values.next().unwrap_or(0));)+
            }

            fn read(&self) -> Self::Out {
                use $crate::register_manager::adapter::OutPort;
                $crate::clocked::Pins::from_values(&[$(self.$out.get()),+])
            }

            fn pulse(&mut self) {
                $crate::common::eval::pulse!(self);
            }
        }
    };
}
pub(super) use manager_block;

/// One of the blocks behind the interface of the model.
pub struct Rtl<B> {
    block: Box<B>,
    values: Vec<u64>,
}

impl<B: ManagerBlock> Default for Rtl<B> {
    fn default() -> Self {
        let mut block = Box::<B>::default();
        block.connect_all();
        settle(&mut *block);
        Self {
            block,
            values: Vec::new(),
        }
    }
}

impl<B: ManagerBlock> Clocked for Rtl<B> {
    type In = B::In;
    type Out = B::Out;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.values.clear();
        pins.values(&mut self.values);
        self.block.drive(&self.values);
        settle(&mut *self.block);
        self.block.read()
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        self.block.pulse();
        out
    }
}

/// Any of the seven of a size.
pub type AnyRtl<const NW: usize = WARPS, const T: usize = CTAS, const FILE: usize = PACKS> =
    Box<dyn Clocked<In = RegisterManagerIn<NW, T, FILE>, Out = RegisterManagerOut<NW, T, FILE>>>;

impl System {
    /// Its block for 48 warps, 8 CTAs and 1024 packs, in the power-on state.
    #[must_use]
    pub fn rtl(self) -> AnyRtl {
        match self {
            Self::Baseline => Box::new(Rtl::<BaselineManager48>::default()),
            Self::Regmutex => Box::new(Rtl::<RegmutexManager48>::default()),
            Self::Paired => Box::new(Rtl::<PairedManager48>::default()),
            Self::SafePaired => Box::new(Rtl::<SafePairedManager48>::default()),
            Self::Owf => Box::new(Rtl::<OwfManager48>::default()),
            Self::Rfv => Box::new(Rtl::<RfvManager48>::default()),
            Self::Cars => Box::new(Rtl::<CarsManager48>::default()),
        }
    }

    /// Its block for 64 warps, 32 CTAs and 2048 packs, in the power-on state.
    #[must_use]
    pub fn rtl_w64(self) -> AnyRtl<64, 32, 2048> {
        match self {
            Self::Baseline => Box::new(Rtl::<BaselineManager64>::default()),
            Self::Regmutex => Box::new(Rtl::<RegmutexManager64>::default()),
            Self::Paired => Box::new(Rtl::<PairedManager64>::default()),
            Self::SafePaired => Box::new(Rtl::<SafePairedManager64>::default()),
            Self::Owf => Box::new(Rtl::<OwfManager64>::default()),
            Self::Rfv => Box::new(Rtl::<RfvManager64>::default()),
            Self::Cars => Box::new(Rtl::<CarsManager64>::default()),
        }
    }

    /// Its block for 16 warps, 8 CTAs and 512 packs, in the power-on state.
    #[must_use]
    pub fn rtl_w16(self) -> AnyRtl<16, 8, 512> {
        match self {
            Self::Baseline => Box::new(Rtl::<BaselineManager16>::default()),
            Self::Regmutex => Box::new(Rtl::<RegmutexManager16>::default()),
            Self::Paired => Box::new(Rtl::<PairedManager16>::default()),
            Self::SafePaired => Box::new(Rtl::<SafePairedManager16>::default()),
            Self::Owf => Box::new(Rtl::<OwfManager16>::default()),
            Self::Rfv => Box::new(Rtl::<RfvManager16>::default()),
            Self::Cars => Box::new(Rtl::<CarsManager16>::default()),
        }
    }
}
