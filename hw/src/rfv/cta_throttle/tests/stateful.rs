//! Legal runs on a ledger of packs: CTAs of one kernel that take and give as the throttle lets them. The ledger does not
//! know the rule; it knows that nobody who may go on ever finds no pack. A failing sequence shrinks.

use super::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};

const CTAS: usize = 4;

/// What the warps would like to do; the test makes it legal.
#[derive(Clone, Debug)]
struct Wish {
    launch: bool,
    exit: bool,
    slot: u8,
    favor_b: bool,
    ctas: [u8; 2],
    take: [bool; 2],
    give: [u8; 2],
}

#[derive(Clone, Debug)]
struct Kernel {
    packs: u16,
    need: u16,
}

impl ReferenceStateMachine for Kernel {
    type State = Kernel;
    type Transition = Wish;

    fn init_state() -> BoxedStrategy<Self::State> {
        (1u16..=16)
            .prop_flat_map(|packs| (Just(packs), 0..=packs))
            .prop_map(|(packs, need)| Kernel { packs, need })
            .boxed()
    }
    fn transitions(_: &Self::State) -> BoxedStrategy<Self::Transition> {
        let flag = prop::bool::ANY;
        (
            flag,
            prop::bool::weighted(0.2),
            0u8..4,
            flag,
            [0u8..4, 0u8..4],
            [flag; 2],
            [0u8..4, 0u8..4],
        )
            .prop_map(|(launch, exit, slot, favor_b, ctas, take, give)| Wish {
                launch,
                exit,
                slot,
                favor_b,
                ctas,
                take,
                give,
            })
            .boxed()
    }
    fn apply(state: Self::State, _: &Self::Transition) -> Self::State {
        state
    }
}

struct Unit {
    rtl: Rtl4x16,
    /// Packs that each running CTA has.
    taken: [Option<u16>; CTAS],
}

struct ThrottleTest;

impl StateMachineTest for ThrottleTest {
    type SystemUnderTest = Unit;
    type Reference = Kernel;

    fn init_test(kernel: &Kernel) -> Unit {
        let mut rtl = Rtl4x16::default();
        rtl.edge(&CtaThrottleIn {
            clear: true,
            pack_count: kernel.packs,
            ..Default::default()
        });
        Unit {
            rtl,
            taken: [None; CTAS],
        }
    }

    fn apply(mut unit: Unit, kernel: &Kernel, wish: Wish) -> Unit {
        let slot = usize::from(wish.slot);
        let favor = CtaThrottleIn {
            favor_b: wish.favor_b,
            ..Default::default()
        };
        let out = unit.rtl.outputs(&favor);
        let may = [out.a_may_issue, out.b_may_issue];
        let running = unit.taken.iter().flatten().count();
        assert!(
            running == 0 || may.iter().all(|&may| may != 0),
            "somebody may issue"
        );

        let mut taken = unit.taken;
        let (mut take, mut give) = ([false; 2], [0; 2]);
        for port in 0..2 {
            let cta = usize::from(wish.ctas[port]);
            let Some(has) = &mut taken[cta] else { continue };
            if may[port] >> cta & 1 == 0 {
                continue;
            }
            give[port] = wish.give[port].min(*has as u8);
            *has -= u16::from(give[port]);
            take[port] = wish.take[port] && *has < kernel.need;
            *has += u16::from(take[port]);
        }
        let exit = wish.exit && taken[slot] == Some(0) && !wish.launch;
        let launch = wish.launch && unit.taken[slot].is_none();
        if exit {
            taken[slot] = None;
        } else if launch {
            taken[slot] = Some(0);
        }
        unit.rtl.edge(&CtaThrottleIn {
            launch,
            launch_cta: wish.slot,
            need: kernel.need,
            exit,
            exit_cta: wish.slot,
            a_cta: wish.ctas[0],
            a_take: take[0],
            a_give: give[0],
            b_cta: wish.ctas[1],
            b_take: take[1],
            b_give: give[1],
            ..favor
        });
        unit.taken = taken;
        let out = unit.rtl.outputs(&CtaThrottleIn::default());
        let in_use: u16 = taken.iter().flatten().sum();
        assert!(
            in_use <= kernel.packs,
            "no pack is assigned that is not there"
        );
        assert_eq!(out.free_packs, kernel.packs - in_use);
        assert!(!out.spill, "the chosen CTA never waits for a pack");
        unit
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn no_legal_run_leaves_the_chosen_cta_without_packs(sequential 1..120 => ThrottleTest);
}
