//! The tests of all units, in a crate of their own: as part of the library they would have it compiled a second time.
//!
//! A unit's tests lie in its folder, as `tests.rs`, and see what the library's users see. The modules here are those of the
//! library, by the same names.

#![allow(missing_docs)]

pub use regshare_hw::{clocked, ids, pins, strategies};

mod testing;

mod cars {
    pub mod cars_top {
        pub use regshare_hw::cars::cars_top::*;
        mod tests;
    }
    pub mod cost {
        pub use regshare_hw::cars::cost::*;
        mod tests;
    }
    pub mod register_stack {
        pub use regshare_hw::cars::register_stack::*;
        mod tests;
    }
    pub mod reservation_fsm {
        pub use regshare_hw::cars::reservation_fsm::*;
        mod tests;
    }
    pub mod stack_mapper {
        pub use regshare_hw::cars::stack_mapper::*;
        mod tests;
    }
    pub mod stalled_warps {
        pub use regshare_hw::cars::stalled_warps::*;
        mod tests;
    }
}
mod common {
    pub use regshare_hw::common::*;
    pub mod adder {
        pub use regshare_hw::common::adder::*;
        mod tests;
    }
    pub mod compare {
        pub use regshare_hw::common::compare::*;
        mod tests;
    }
    pub mod find_first_zero {
        pub use regshare_hw::common::find_first_zero::*;
        mod tests;
    }
    pub mod lazy {
        pub use regshare_hw::common::lazy::*;
        mod tests;
    }
    pub mod one_hot {
        pub use regshare_hw::common::one_hot::*;
        mod tests;
    }
    pub mod product {
        pub use regshare_hw::common::product::*;
        mod tests;
    }
    pub mod reg_map {
        pub use regshare_hw::common::reg_map::*;
        mod tests;
    }
    pub mod set_reset {
        pub use regshare_hw::common::set_reset::*;
        mod tests;
    }
    pub mod word {
        pub use regshare_hw::common::word::*;
        mod tests;
    }
    pub mod write_bits {
        pub use regshare_hw::common::write_bits::*;
        mod tests;
    }
}
mod cost {
    pub use regshare_hw::cost::*;
    mod tests;
}
mod manager {
    pub use regshare_hw::manager::*;
    pub mod stacks {
        pub mod allot {
            pub use regshare_hw::manager::stacks::allot::*;
            mod tests;
        }
    }
    mod tests;
}
mod owf {
    pub mod cost {
        pub use regshare_hw::owf::cost::*;
        mod tests;
    }
    pub mod dynamic_throttle {
        pub use regshare_hw::owf::dynamic_throttle::*;
        mod tests;
    }
    pub mod owf_top {
        pub use regshare_hw::owf::owf_top::*;
        mod tests;
    }
    pub mod pair_lock {
        pub use regshare_hw::owf::pair_lock::*;
        mod tests;
    }
    pub mod scratchpad_lock {
        pub use regshare_hw::owf::scratchpad_lock::*;
        mod tests;
    }
    pub mod warp_priority {
        pub use regshare_hw::owf::warp_priority::*;
        mod tests;
    }
}
mod register_manager {
    pub use regshare_hw::register_manager::*;
    mod tests;
}
mod regmutex {
    pub mod paired_lock {
        pub use regshare_hw::regmutex::paired_lock::*;
        mod tests;
    }
    pub mod paired_mapper {
        pub use regshare_hw::regmutex::paired_mapper::*;
        mod tests;
    }
    pub mod paired_top {
        pub use regshare_hw::regmutex::paired_top::*;
        mod tests;
    }
    pub mod register_mapper {
        pub use regshare_hw::regmutex::register_mapper::*;
        mod tests;
    }
    pub mod regmutex_top {
        pub use regshare_hw::regmutex::regmutex_top::*;
        mod tests;
    }
    pub mod srp_allocator {
        pub use regshare_hw::regmutex::srp_allocator::*;
        mod tests;
    }
}
mod rfv {
    pub mod cost {
        pub use regshare_hw::rfv::cost::*;
        mod tests;
    }
    pub mod cta_throttle {
        pub use regshare_hw::rfv::cta_throttle::*;
        pub mod moved {
            pub use regshare_hw::rfv::cta_throttle::moved::*;
            mod tests;
        }
        mod tests;
    }
    pub mod flag_decoder {
        pub use regshare_hw::rfv::flag_decoder::*;
        mod tests;
    }
    pub mod free_list {
        pub use regshare_hw::rfv::free_list::*;
        mod tests;
    }
    pub mod power_gate {
        pub use regshare_hw::rfv::power_gate::*;
        mod tests;
    }
    pub mod release_flag_cache {
        pub use regshare_hw::rfv::release_flag_cache::*;
        pub mod line {
            pub use regshare_hw::rfv::release_flag_cache::line::*;
            mod tests;
        }
        mod tests;
    }
    pub mod rename_table {
        pub use regshare_hw::rfv::rename_table::*;
        mod tests;
    }
    pub mod rfv_top {
        pub use regshare_hw::rfv::rfv_top::*;
        mod tests;
    }
}
#[path = "verilog/cycle_tests.rs"]
mod build_script;
#[cfg(feature = "verilog")]
mod verilog {
    pub use regshare_hw::verilog::*;
    mod on_demand_tests;
    mod tests;
}
