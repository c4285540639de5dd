//! The hardware of register file virtualization, RFV (Jeon, Ravi, Kim, Annavaram, MICRO 2015): sections 6 to 8.

pub mod flag_decoder;
