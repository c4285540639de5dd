//! One block per system, all with the same ports: rust-hdl cannot choose what a block is made of, so a macro writes seven.

mod baseline;
mod block;
mod ports;
mod rfv;
mod systems;

pub use super::adapter::Rtl;
pub use systems::{
    BaselineManager48, CarsManager48, OwfManager48, PairedManager48, RegmutexManager48,
    RfvManager48, SafePairedManager48,
};
