use super::{down, machine_words, slice, up};
use crate::common::eval::{drive_bits, read_bits, settle};
use proptest::prelude::*;
use rust_hdl::prelude::*;

fn as_rust_hdl<const N: usize>(value: u64, by: u64) {
    let word: Bits<N> = (value & (u64::MAX >> (64 - N))).into();
    assert_eq!(up(word, by), word << by, "{value:x} << {by} of {N}");
    assert_eq!(down(word, by), word >> by, "{value:x} >> {by} of {N}");
    let places: Bits<7> = by.into();
    assert_eq!(up(word, places), word << places);
    assert_eq!(down(word, places), word >> places);
    let place = by as usize;
    if place <= N {
        assert_eq!(slice::<1, N>(word, place), word.get_bits::<1>(place));
        assert_eq!(slice::<8, N>(word, place), word.get_bits::<8>(place));
        assert_eq!(slice::<31, N>(word, place), word.get_bits::<31>(place));
        assert_eq!(slice::<32, N>(word, place), word.get_bits::<32>(place));
    }
}

proptest! {
    #[test]
    fn shifts_and_slices_are_those_of_rust_hdl(value in any::<u64>(), by in 0u64..100) {
        as_rust_hdl::<1>(value, by);
        as_rust_hdl::<7>(value, by);
        as_rust_hdl::<31>(value, by);
        as_rust_hdl::<32>(value, by);
        as_rust_hdl::<33>(value, by);
        as_rust_hdl::<64>(value, by);
    }
}

/// The same block twice, with the attribute and without.
macro_rules! block {
    ($name:ident $(, $attribute:ident)?) => {
        #[derive(LogicBlock, Default)]
        struct $name {
            pub a: Signal<In, Bits<20>>,
            pub by: Signal<In, Bits<6>>,
            pub there: Signal<Out, Bits<20>>,
            pub back: Signal<Out, Bits<20>>,
            pub part: Signal<Out, Bits<5>>,
            sum: Signal<Local, Bits<20>>,
        }

        impl Logic for $name {
            #[hdl_gen]
            $(#[$attribute])?
            fn update(&mut self) {
                self.sum.next = self.a.val() + (self.a.val() << self.by.val());
                self.there.next = (self.sum.val() << 3) ^ self.a.val();
                self.back.next = (self.sum.val() & (!self.a.val())) >> self.by.val();
                self.part.next = self.sum.val().get_bits::<5>(0);
                if (self.a.val() >> 19).any() {
                    for i in 3..5 {
                        self.part.next = self.a.val().get_bits::<5>(i * 2);
                    }
                }
            }
        }
    };
}
block!(Plain);
block!(Machine, machine_words);

/// The outputs for `a` and `by`.
macro_rules! outputs {
    ($block:ident, $a:expr, $by:expr) => {{
        let mut block = $block::default();
        block.connect_all();
        drive_bits(&mut block.a, $a);
        drive_bits(&mut block.by, $by);
        settle(&mut block);
        [
            read_bits(&block.there),
            read_bits(&block.back),
            read_bits(&block.part),
        ]
    }};
}

proptest! {
    #[test]
    fn an_update_with_the_attribute_computes_the_same(a in 0u64..1 << 20, by in 0u64..64) {
        prop_assert_eq!(outputs!(Machine, a, by), outputs!(Plain, a, by));
    }
}

#[test]
fn the_verilog_is_the_same() {
    let text = |block: &dyn Block| {
        let mut defines = ModuleDefines::default();
        block.accept("unit", &mut defines);
        defines.defines()
    };
    let (mut plain, mut machine) = (Plain::default(), Machine::default());
    plain.connect_all();
    machine.connect_all();
    let plain = text(&plain);
    assert!(plain.contains("<< 32'h3"), "{plain}");
    assert_eq!(text(&machine), plain);
}
