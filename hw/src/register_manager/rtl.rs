//! One block per system and size, all with the same ports: rust-hdl cannot choose what a block is made of, so a macro writes
//! them. A file per paper says what its systems read, what they drive, and what they leave idle or unread.

mod baseline;
mod block;
mod cars;
mod owf;
mod ports;
mod regmutex;
mod rfv;
mod sizes;

pub use super::adapter::Rtl;
pub use baseline::{BaselineManager48, BaselineManager64};
pub use cars::{CarsManager48, CarsManager64};
pub use owf::{OwfManager48, OwfManager64};
pub use regmutex::{
    PairedManager48, PairedManager64, RegmutexManager48, RegmutexManager64, SafePairedManager48,
    SafePairedManager64,
};
pub use rfv::{RfvManager48, RfvManager64};
