use super::model::Model;
use super::rtl::{RegisterStack8, RegisterStack48, RegisterStack64, Rtl};
use super::strategy::rows;
use super::*;
use crate::cars::cost::{CarsPaperBits, RegisterStackBits};
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme, flip_flops};
use proptest::prelude::*;

mod machine;
mod papers;
mod requests;
mod stateful;

type In = RegisterStackIn<64, 2048, 63>;
type Out = RegisterStackOut<64, 2048, 63>;

/// Model and RTL side by side; every answer is the one both give.
#[derive(Default)]
struct Both(Model<64, 2048, 63>, Rtl<64, 2048, 63, 6, 11, 6>);

impl Both {
    fn edge(&mut self, pins: In) -> Out {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
    /// RFP, RSP and free packs of a warp; none without a stack.
    fn look_up(&mut self, warp: u8) -> Option<(u16, u16, u8)> {
        let out = self.edge(In {
            a_warp: warp,
            b_warp: warp,
            ..In::default()
        });
        let [a, b] = [
            (out.a_launched, out.a_rfp, out.a_rsp, out.a_free),
            (out.b_launched, out.b_rfp, out.b_rsp, out.b_free),
        ];
        assert_eq!(a, b);
        let (launched, rfp, rsp, free) = a;
        launched.then_some((rfp, rsp, free))
    }
}

#[test]
fn flip_flops_equal_the_formula_and_the_pointers_are_the_papers_1408() {
    let bits = RegisterStackBits::new(64, 2048, 63);
    let paper = CarsPaperBits::new(64, 2048);
    assert_eq!((bits.pointers, paper.pointers), (1408, 1408));
    assert_eq!((bits.free_counts, paper.free_counts), (384, 320));
    assert_eq!((bits.launched, bits.total()), (64, 1856));
    assert_eq!(RegisterStackBits::new(48, 1024, 63).total(), 1296);
    let counted = flip_flops(RegisterStack64::new());
    assert!(counted.is_none_or(|counted| counted == 1856), "{counted:?}");
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(RegisterStack8::new());
    check_block(RegisterStack48::new());
    check_block(RegisterStack64::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<8, 64, 7>, _>(RegisterStack8::new());
    check_ports::<Model<48, 1024, 63>, _>(RegisterStack48::new());
    check_ports::<Model<64, 2048, 63>, _>(RegisterStack64::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<64, 2048, 63>>(include_str!("README.md"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in rows::<64, 2048, 63>()) {
        agree(Model::<64, 2048, 63>::default(), Rtl::<64, 2048, 63, 6, 11, 6>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_48_warps(rows in rows::<48, 1024, 63>()) {
        agree(Model::<48, 1024, 63>::default(), Rtl::<48, 1024, 63, 6, 10, 6>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_8_warps(rows in rows::<8, 64, 7>()) {
        agree(Model::<8, 64, 7>::default(), Rtl::<8, 64, 7, 3, 6, 3>::default(), &rows)?;
    }
}
