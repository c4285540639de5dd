//! One block per system and size, all with the same ports: rust-hdl cannot choose what a block is made of, so a macro writes
//! them. A file per paper says what its systems read, what they drive, and what they leave idle or unread.

mod baseline;
mod block;
mod cars;
mod owf;
mod ports;
mod regmutex;
mod renaming;
mod rfv;
mod sizes;

pub use super::adapter::Rtl;
pub use baseline::{BaselineManager16, BaselineManager48, BaselineManager64};
pub use cars::{CarsManager16, CarsManager48, CarsManager64};
pub use owf::{OwfManager16, OwfManager48, OwfManager64};
pub use regmutex::{
    PairedManager16, PairedManager48, PairedManager64, RegmutexManager16, RegmutexManager48,
    RegmutexManager64, SafePairedManager16, SafePairedManager48, SafePairedManager64,
};
pub use rfv::{RfvManager16, RfvManager48, RfvManager64};
