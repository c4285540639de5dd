//! Parts that more than one system uses.

pub mod adder;
pub mod compare;
pub mod eval;
pub mod find_first_zero;
pub mod issue;
pub mod lazy;
pub mod lookup;
pub mod observe;
pub mod one_hot;
pub mod product;
pub mod reg_map;
pub mod set_reset;
pub mod table;
pub mod word;
pub mod write_bits;
