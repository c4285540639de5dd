//! The adapter steps the block with few passes; here rust-hdl's plain settling is the judge.

use super::*;
use crate::common::eval::settle;
use rust_hdl::prelude::{Bits, Block};

struct Settled(Box<SrpAllocator48>);

impl Settled {
    fn new() -> Self {
        let mut block = Box::new(SrpAllocator48::new());
        block.connect_all();
        settle(&mut *block);
        Self(block)
    }
}

impl Clocked for Settled {
    type In = SrpAllocatorIn<48>;
    type Out = SrpAllocatorOut<48>;

    fn outputs(&mut self, pins: &In) -> SrpAllocatorOut<48> {
        let block = &mut *self.0;
        let bits = |value: u8| Bits::<6>::from(u64::from(value));
        block.clear.next = pins.clear;
        block.section_count.next = bits(pins.section_count);
        block.favor_b.next = pins.favor_b;
        block.a_valid.next = pins.a_valid;
        block.a_release.next = pins.a_release;
        block.a_warp.next = bits(pins.a_warp);
        block.b_valid.next = pins.b_valid;
        block.b_release.next = pins.b_release;
        block.b_warp.next = bits(pins.b_warp);
        settle(block);
        SrpAllocatorOut {
            a_grant: block.a_grant.val(),
            a_held: block.a_held.val(),
            a_section: block.a_section.val().to_u8(),
            b_grant: block.b_grant.val(),
            b_held: block.b_held.val(),
            b_section: block.b_section.val().to_u8(),
        }
    }

    fn edge(&mut self, pins: &In) -> SrpAllocatorOut<48> {
        let out = self.outputs(pins);
        for level in [true, false] {
            self.0.clock.next = level.into();
            settle(&mut *self.0);
        }
        out
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn adapter_steps_like_plain_settling(rows in strategy::rows::<48>()) {
        agree(Settled::new(), Rtl::<48, 12, 6, 6>::default(), &rows)?;
    }
}
