//! The hardware of CARS, concurrency-aware register stacks (III-A, IV-B).

pub mod cars_top;
pub mod cost;
pub mod register_stack;
pub mod reservation_fsm;
pub mod stack_mapper;
pub mod stalled_warps;
