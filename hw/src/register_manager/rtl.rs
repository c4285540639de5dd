//! One block per system, all with the same ports: rust-hdl cannot choose what a block is made of, so a macro writes seven. A
//! file per paper says what its systems read, what they drive, and what they leave idle or unread.

mod baseline;
mod block;
mod cars;
mod owf;
mod ports;
mod regmutex;
mod rfv;

pub use super::adapter::Rtl;
pub use baseline::BaselineManager48;
pub use cars::CarsManager48;
pub use owf::OwfManager48;
pub use regmutex::{PairedManager48, RegmutexManager48, SafePairedManager48};
pub use rfv::RfvManager48;
