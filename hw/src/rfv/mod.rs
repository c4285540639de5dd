//! The hardware of register file virtualization, RFV (Jeon, Ravi, Kim, Annavaram, MICRO 2015): sections 6 to 8.

pub mod cost;
pub mod cta_throttle;
pub mod flag_decoder;
pub mod free_list;
pub mod power_gate;
pub mod release_flag_cache;
pub mod rename_table;
pub mod rfv_top;
