use super::model::Model;
use super::rtl::*;
use super::strategy::rows;
use super::*;
use crate::cars::cost::{RegisterStackBits, StalledWarpsBits};
use crate::cars::register_stack::Op;
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme, flip_flops};
use proptest::prelude::*;

mod allotments;

type In = CarsTopIn<64, 2048, 63>;
type Out = CarsTopOut<64, 2048, 63>;
type Rtl48 = Rtl<48, 6, 1024, 10, 63, 6>;
type Rtl64 = Rtl<64, 6, 2048, 11, 63, 6>;
type Rtl16 = Rtl<16, 4, 512, 9, 63, 6>;
type Rtl8 = Rtl<8, 3, 256, 8, 7, 3>;

/// Model and RTL side by side, in kernels of 20 registers whose warps have 30 packs each, ten of them stack.
#[derive(Default)]
struct Both(Model<64, 2048, 63>, Rtl64);

impl Both {
    fn with(launched: &[u8]) -> Self {
        let mut both = Self::default();
        for &warp in launched {
            assert!(both.a(warp, Op::Launch).a_grant);
        }
        both
    }

    fn edge(&mut self, pins: In) -> Out {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }

    fn a(&mut self, warp: u8, op: Op) -> Out {
        self.edge(In::default().with_a(of(warp).asking(op)))
    }

    fn stall(&mut self, warp: u8) {
        let out = self.edge(In {
            stall: true,
            stall_warp: warp,
            ..In::default()
        });
        assert!(out.stall_grant);
    }

    /// A call of a function that pushes `fru` registers, with a stack that has room for it.
    fn function(&mut self, warp: u8, fru: u8) {
        let call = Issue { fru, ..of(warp) }.asking(Op::Call);
        assert!(self.edge(In::default().with_a(call)).a_grant);
        for _ in 0..fru {
            assert!(self.a(warp, Op::Push).a_grant);
        }
    }

    fn packs(&mut self, warp: u8, regs: [Option<u8>; LOOKUPS]) -> [Option<u16>; LOOKUPS] {
        let reads = Issue { regs, ..of(warp) };
        let out = self.edge(In::default().with_b(reads));
        assert!(out.b_grant);
        out.b_answer().packs
    }
}

/// An instruction of `warp` that asks for nothing.
fn of(warp: u8) -> Issue {
    let base = 30 * u16::from(warp);
    Issue {
        warp,
        base,
        first: base + 20,
        capacity: 10,
        ..Issue::default()
    }
}

#[test]
fn figure_3_three_registers_are_renamed_while_fun1_is_in_control() {
    let mut sm = Both::with(&[5]);
    let regs = [Some(15), Some(16), Some(18), Some(19)];
    assert_eq!(
        sm.packs(5, regs),
        [165, 166, 168, 169].map(Some),
        "in the kernel all are base registers"
    );
    let call = Issue { fru: 3, ..of(5) }.asking(Op::Call);
    let out = sm.edge(In::default().with_a(call));
    assert_eq!((out.pack, out.link, out.link_kernel), (170, 170, true));
    let pushed = [0; 3].map(|_| sm.a(5, Op::Push).pack);
    assert_eq!(pushed, [171, 172, 173]);
    assert_eq!(sm.packs(5, regs), [165, 171, 173, 169].map(Some));
    let returns = Issue {
        link: 170,
        link_kernel: true,
        ..of(5)
    };
    let look_up = sm.edge(In::default().with_a(returns));
    assert_eq!(look_up.a_link_pack, 170, "where the link is to be read");
    let out = sm.edge(In::default().with_a(returns.asking(Op::Return)));
    assert!(out.a_grant && out.count == 0);
    assert_eq!(sm.packs(5, regs), [165, 166, 168, 169].map(Some));
}

#[test]
fn an_instruction_has_the_registers_of_before_its_request() {
    let mut sm = Both::with(&[5]);
    sm.function(5, 2);
    let regs = [Some(16), Some(17), Some(18), None];
    let pops = Issue { regs, ..of(5) }.asking(Op::Pop);
    let out = sm.edge(In::default().with_a(pops));
    assert_eq!(
        out.a_answer().packs,
        [Some(171), Some(172), Some(168), None]
    );
    assert_eq!(sm.packs(5, regs), [Some(171), Some(167), Some(168), None]);
}

#[test]
fn a_stalled_warp_does_not_issue_and_takes_no_turn() {
    // IV-B: issue and warp status check.
    let mut sm = Both::with(&[5, 6]);
    sm.stall(5);
    let regs = [Some(0); LOOKUPS];
    let reads = Issue { regs, ..of(5) };
    let out = sm.edge(In::default().with_b(reads));
    assert_eq!((out.b_stalled, out.b_grant), (true, false));
    assert_eq!(out.b_answer().packs, [None; LOOKUPS]);
    // Port a is favoured, but it must not issue.
    let calls = |warp| of(warp).asking(Op::Call);
    let out = sm.edge(In::default().with_a(calls(5)).with_b(calls(6)));
    assert_eq!(
        (out.a_grant, out.b_grant, out.served_b),
        (false, true, true)
    );
    assert_eq!(sm.a(5, Op::Nothing).a_answer().stack, Some((170, 170, 10)));
}

#[test]
fn a_warp_that_finishes_wakes_the_one_that_has_waited_longest() {
    // IV-B.
    let mut sm = Both::with(&[5, 6]);
    sm.stall(40);
    sm.stall(7);
    let launch = |warp| of(warp).asking(Op::Launch);
    let out = sm.edge(
        In::default()
            .with_a(launch(40))
            .with_b(of(6).asking(Op::Finish)),
    );
    assert_eq!((out.a_grant, out.b_grant), (false, true));
    assert_eq!((out.woken_valid, out.woken), (true, 40));
    assert!(sm.a(40, Op::Launch).a_grant);
    assert!(sm.a(7, Op::Launch).a_stalled);
    // A finish that is refused leaves no registers.
    let out = sm.a(8, Op::Finish);
    assert_eq!((out.a_grant, out.woken_valid), (false, false));
    assert_eq!(sm.a(5, Op::Finish).woken, 7);
    assert!(sm.a(7, Op::Launch).a_grant);
}

#[test]
fn so_does_the_sm_when_registers_become_free_otherwise() {
    let mut sm = Both::with(&[5]);
    sm.stall(40);
    sm.stall(41);
    let wake = In {
        wake: true,
        ..In::default()
    };
    // One a cycle, also if a warp finishes in it.
    let out = sm.edge(wake.with_a(of(5).asking(Op::Finish)));
    assert_eq!((out.a_grant, out.woken), (true, 40));
    let out = sm.edge(wake);
    assert_eq!((out.woken_valid, out.woken, out.empty), (true, 41, false));
    let out = sm.edge(wake);
    assert_eq!((out.woken_valid, out.woken, out.empty), (false, 0, true));
}

#[test]
fn one_request_is_served_a_cycle_and_what_asks_for_none_goes_on_beside_it() {
    let mut sm = Both::with(&[5, 6, 7]);
    let both = In::default()
        .with_a(of(5).asking(Op::Call))
        .with_b(of(6).asking(Op::Call));
    let out = sm.edge(both);
    assert_eq!((out.a_grant, out.b_grant, out.pack), (true, false, 170));
    let out = sm.edge(In {
        favor_b: true,
        ..both
    });
    assert_eq!((out.a_grant, out.b_grant, out.pack), (false, true, 200));
    let regs = [Some(3), None, None, None];
    let reads = Issue { regs, ..of(7) };
    let out = sm.edge(In::default().with_a(reads).with_b(of(6).asking(Op::Push)));
    assert_eq!((out.a_grant, out.b_grant), (true, true));
    assert_eq!(out.a_answer().packs[0], Some(213));
}

#[test]
fn a_call_without_room_traps_and_goes_on_when_the_bottom_is_saved() {
    let mut sm = Both::with(&[5]);
    sm.function(5, 9);
    let call = Issue { fru: 4, ..of(5) }.asking(Op::Call);
    let out = sm.edge(In::default().with_b(call));
    assert_eq!((out.b_grant, out.served_b, out.trap), (false, true, true));
    assert_eq!((out.pack, out.count), (170, 5));
    let saved = Issue { evicted: 5, ..call };
    let out = sm.edge(In::default().with_b(saved));
    assert_eq!((out.b_grant, out.trap, out.pack), (true, false, 170));
    // The stack goes around: R16 lies behind the link, on what was the first pushed register.
    assert!(sm.a(5, Op::Push).a_grant);
    assert_eq!(sm.packs(5, [Some(16), None, None, None])[0], Some(171));
}

#[test]
fn a_warp_without_a_stack_has_its_base_registers_only() {
    let mut sm = Both::default();
    let regs = [Some(0), Some(19), Some(20), None];
    assert_eq!(sm.packs(9, regs), [Some(270), Some(289), None, None]);
    assert!(!sm.a(9, Op::Call).a_grant && !sm.a(9, Op::Push).a_grant);
}

#[test]
fn a_kernel_start_grants_nothing_and_forgets_all() {
    let mut sm = Both::with(&[5]);
    sm.stall(6);
    let reads = Issue {
        regs: [Some(0); LOOKUPS],
        ..of(5)
    };
    let start = In {
        clear: true,
        wake: true,
        ..In::default()
    };
    let out = sm.edge(start.with_a(reads).with_b(reads.asking(Op::Finish)));
    assert_eq!(
        (out.a_grant, out.b_grant, out.woken_valid),
        (false, false, false)
    );
    assert_eq!(out.a_answer().packs, [None; LOOKUPS]);
    assert!(out.a_launched, "as before the edge");
    let out = sm.edge(In::default().with_a(of(5)).with_b(of(6)));
    assert!(!out.a_launched && !out.b_stalled && out.empty);
}

#[test]
fn flip_flops_are_those_of_the_units() {
    let bits = |warps, packs, stack| {
        RegisterStackBits::new(warps, packs, stack).total() + StalledWarpsBits::new(warps).total()
    };
    assert_eq!(bits(48, 1024, 63), 1644);
    assert_eq!(bits(64, 2048, 63), 2316);
    assert_eq!((bits(16, 512, 63), bits(8, 256, 7)), (488, 198));
    for (counted, bits) in [
        (flip_flops(CarsTop16x512::default()), 488),
        (flip_flops(CarsTop8x256::default()), 198),
    ] {
        assert!(
            counted.is_none_or(|counted| counted == bits),
            "{bits}: {counted:?}"
        );
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(CarsTop48x1024::default());
    check_block(CarsTop64x2048::default());
    check_block(CarsTop16x512::default());
    check_block(CarsTop8x256::default());
}

#[test]
fn pins_are_the_ports_of_the_blocks() {
    check_ports::<Model<48, 1024, 63>, _>(CarsTop48x1024::default());
    check_ports::<Model<64, 2048, 63>, _>(CarsTop64x2048::default());
    check_ports::<Model<16, 512, 63>, _>(CarsTop16x512::default());
    check_ports::<Model<8, 256, 7>, _>(CarsTop8x256::default());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<64, 2048, 63>>(include_str!("README.md"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn model_and_rtl_agree_with_8_warps(rows in rows::<8, 256, 7>()) {
        agree(Model::default(), Rtl8::default(), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn model_and_rtl_agree_with_16_warps(rows in rows::<16, 512, 63>()) {
        agree(Model::default(), Rtl16::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_48_warps(rows in rows::<48, 1024, 63>()) {
        agree(Model::default(), Rtl48::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_64_warps(rows in rows::<64, 2048, 63>()) {
        agree(Model::default(), Rtl64::default(), &rows)?;
    }
}
