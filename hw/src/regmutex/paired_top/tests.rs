use super::model::{PairBitTop, WarpBitTop};
use super::rtl::*;
use super::strategy::rows;
use super::*;
use crate::clocked::Clocked;
use crate::common::issue::Issue;
use crate::manager::RegOp::{self, Access, Acquire, Release};
use crate::testing::{agree, check_block, check_ports, check_readme, flip_flops};
use proptest::prelude::*;
use std::collections::BTreeMap;

type In = PairedTopIn<48, 1024>;
type Pair48 = PairBitRtl<48, 24, 6, 6, 1024, 10>;
type Warp48 = WarpBitRtl<48, 24, 6, 6, 1024, 10>;

/// Model and RTL side by side, in a kernel with 16 base and 8 extended registers: a pair has 40 packs.
struct Both<M, R>(M, R);

impl<M, R> Both<M, R>
where
    M: Clocked<In = In, Out = PairedTopOut<48, 1024>> + Default,
    R: Clocked<In = In, Out = PairedTopOut<48, 1024>> + Default,
{
    fn kernel() -> Self {
        let mut both = Self(M::default(), R::default());
        both.edge(In {
            clear: true,
            ..pins()
        });
        both
    }

    fn edge(&mut self, pins: In) -> PairedTopOut<48, 1024> {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
}

fn paper() -> Both<PairBitTop<48, 1024>, Pair48> {
    Both::kernel()
}

fn safe() -> Both<WarpBitTop<48, 1024>, Warp48> {
    Both::kernel()
}

fn pins() -> In {
    In {
        base_regs: 16,
        ext_regs: 8,
        ..In::default()
    }
}

fn issue(warp: u8, op: RegOp, reg: u8) -> Issue {
    Issue {
        op,
        warp,
        regs: [Some(reg), None, None, None],
    }
}

#[test]
fn a_pair_has_two_base_sets_and_behind_them_one_extended_set() {
    let mut sm = safe();
    let out = sm.edge(
        pins()
            .with_a(issue(6, Access, 15))
            .with_b(issue(7, Access, 0)),
    );
    assert_eq!(
        (out.a_packs()[0], out.b_packs()[0]),
        (Some(3 * 40 + 15), Some(3 * 40 + 16))
    );
    // In the cycle of the acquire the set is there already.
    let out = sm.edge(pins().with_b(issue(7, Acquire, 16)));
    assert_eq!(
        (out.b_grant, out.b_held, out.b_packs()[0]),
        (true, false, Some(3 * 40 + 32))
    );
    let out = sm.edge(
        pins()
            .with_a(issue(7, Access, 23))
            .with_b(issue(7, Access, 24)),
    );
    assert_eq!(
        (out.a_held, out.a_packs()[0], out.b_packs()[0]),
        (true, Some(3 * 40 + 39), None)
    );
}

#[test]
fn the_partner_of_the_holder_has_the_set_by_the_papers_lock_and_not_by_the_safe_one() {
    let partner = pins().with_b(issue(7, Access, 16));
    let mut sm = safe();
    sm.edge(pins().with_a(issue(6, Acquire, 0)));
    let out = sm.edge(partner);
    assert_eq!(
        (out.b_grant, out.b_held, out.b_packs()[0]),
        (true, false, None)
    );
    let mut sm = paper();
    sm.edge(pins().with_a(issue(6, Acquire, 0)));
    let out = sm.edge(partner);
    assert_eq!((out.b_held, out.b_packs()[0]), (true, Some(3 * 40 + 32)));
}

#[test]
fn who_is_refused_gets_no_registers_and_is_woken_by_the_release() {
    let mut sm = paper();
    sm.edge(pins().with_a(issue(6, Acquire, 0)));
    let out = sm.edge(pins().with_b(issue(7, Acquire, 0)));
    assert_eq!(
        (out.b_grant, out.b_packs()[0], out.wake),
        (false, None, false)
    );
    // The release is served; the set goes to nobody in the same cycle, and who releases may still read it.
    let out = sm.edge(
        pins()
            .with_a(issue(6, Release, 16))
            .with_b(issue(7, Acquire, 0)),
    );
    assert_eq!(
        (out.a_grant, out.a_packs()[0], out.b_grant, out.wake),
        (true, Some(3 * 40 + 32), false, true)
    );
    let out = sm.edge(pins().with_b(issue(7, Acquire, 0)));
    assert!(out.b_grant && !out.wake);
}

#[test]
fn pairs_do_not_disturb_each_other() {
    let mut sm = safe();
    let out = sm.edge(
        pins()
            .with_a(issue(6, Acquire, 0))
            .with_b(issue(8, Acquire, 0)),
    );
    assert!(out.a_grant && out.b_grant && !out.wake);
    let out = sm.edge(
        pins()
            .with_a(issue(6, Release, 0))
            .with_b(issue(8, Release, 0)),
    );
    assert!(out.a_grant && out.b_grant && out.wake);
}

#[test]
fn of_two_acquires_of_a_pair_the_favoured_one_is_granted_and_the_other_waits_for_the_release() {
    for favor_b in [false, true] {
        let mut sm = safe();
        let acquires = pins()
            .with_a(issue(6, Acquire, 0))
            .with_b(issue(7, Acquire, 0));
        let out = sm.edge(In {
            favor_b,
            ..acquires
        });
        assert_eq!(
            (out.a_grant, out.b_grant, out.wake),
            (!favor_b, favor_b, false)
        );
    }
}

#[test]
fn one_warp_on_both_ports_is_served_on_port_a_and_port_b_is_woken() {
    let mut sm = safe();
    let out = sm.edge(
        pins()
            .with_a(issue(6, Acquire, 0))
            .with_b(issue(6, Release, 0)),
    );
    assert_eq!((out.a_grant, out.b_grant, out.wake), (true, false, true));
}

#[test]
fn a_kernel_start_grants_nothing_and_frees_all() {
    let mut sm = paper();
    sm.edge(pins().with_a(issue(6, Acquire, 0)));
    let start = In {
        clear: true,
        ..pins()
    };
    let out = sm.edge(
        start
            .with_a(issue(6, Access, 0))
            .with_b(issue(6, Release, 0)),
    );
    assert_eq!((out.a_grant, out.b_grant, out.wake), (false, false, false));
    assert_eq!((out.a_packs(), out.b_packs()), ([None; 4], [None; 4]));
    assert!(sm.edge(pins().with_b(issue(7, Acquire, 0))).b_grant);
}

#[test]
fn flip_flops_are_those_of_the_lock() {
    for (counted, bits) in [
        (flip_flops(PairedTop48x1024::default()), 24),
        (flip_flops(PairedTop16x512::default()), 8),
        (flip_flops(SafePairedTop48x1024::default()), 48),
        (flip_flops(SafePairedTop16x512::default()), 16),
    ] {
        assert!(
            counted.is_none_or(|counted| counted == bits),
            "{bits}: {counted:?}"
        );
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(PairedTop48x1024::default());
    check_block(PairedTop64x2048::default());
    check_block(PairedTop16x512::default());
    check_block(SafePairedTop48x1024::default());
    check_block(SafePairedTop64x2048::default());
    check_block(SafePairedTop16x512::default());
}

#[test]
fn pins_are_the_ports_of_the_blocks() {
    check_ports::<PairBitTop<48, 1024>, _>(PairedTop48x1024::default());
    check_ports::<PairBitTop<64, 2048>, _>(PairedTop64x2048::default());
    check_ports::<PairBitTop<16, 512>, _>(PairedTop16x512::default());
    check_ports::<WarpBitTop<48, 1024>, _>(SafePairedTop48x1024::default());
    check_ports::<WarpBitTop<64, 2048>, _>(SafePairedTop64x2048::default());
    check_ports::<WarpBitTop<16, 512>, _>(SafePairedTop16x512::default());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<PairBitTop<48, 1024>>(include_str!("README.md"));
}

/// An instruction in a kernel that fits the file: 4 pairs of twice 40 base and 48 extended registers.
fn any_issue() -> impl Strategy<Value = Issue> {
    let op = prop_oneof![Just(Access), Just(Acquire), Just(Release)];
    let regs = prop::array::uniform4(prop::option::of(0..96u8));
    (op, 0..8u8, regs).prop_map(|(op, warp, regs)| Issue { op, warp, regs })
}

fn fitting() -> PairedTopIn<8, 512> {
    PairedTopIn {
        base_regs: 40,
        ext_regs: 48,
        ..Default::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn model_and_rtl_of_the_papers_lock_agree_with_48_warps(rows in rows::<48, 1024>()) {
        agree(PairBitTop::default(), Pair48::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_of_the_safe_lock_agree_with_48_warps(rows in rows::<48, 1024>()) {
        agree(WarpBitTop::default(), Warp48::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_64_warps(rows in rows::<64, 2048>()) {
        agree(PairBitTop::default(), PairBitRtl::<64, 32, 8, 6, 2048, 11>::default(), &rows)?;
        agree(WarpBitTop::default(), WarpBitRtl::<64, 32, 8, 6, 2048, 11>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_16_warps(rows in rows::<16, 512>()) {
        agree(PairBitTop::default(), PairBitRtl::<16, 8, 2, 4, 512, 9>::default(), &rows)?;
        agree(WarpBitTop::default(), WarpBitRtl::<16, 8, 2, 4, 512, 9>::default(), &rows)?;
    }

    /// With the safe lock, whatever the program does: each pack belongs to one warp for as long as that holds the set.
    #[test]
    fn no_pack_is_ever_given_to_two_warps(
        cycles in prop::collection::vec((any_issue(), any_issue(), any::<bool>()), 1..80),
    ) {
        let mut sm = WarpBitRtl::<8, 4, 1, 3, 512, 9>::default();
        sm.edge(&PairedTopIn { clear: true, ..fitting() });
        let mut owner: BTreeMap<u16, u8> = BTreeMap::new();
        for (a, b, favor_b) in cycles {
            let out = sm.edge(&PairedTopIn { favor_b, ..fitting() }.with_a(a).with_b(b));
            for (issue, granted, packs) in [(a, out.a_grant, out.a_packs()), (b, out.b_grant, out.b_packs())] {
                for (reg, pack) in issue.regs.into_iter().zip(packs) {
                    let Some(pack) = pack else { continue };
                    prop_assert!(granted && reg.is_some());
                    let owner = *owner.entry(pack).or_insert(issue.warp);
                    prop_assert_eq!(owner, issue.warp, "pack {} of {:?}", pack, reg);
                }
            }
            for (issue, granted) in [(a, out.a_grant), (b, out.b_grant)] {
                if granted && issue.op == Release {
                    owner.retain(|&pack, &mut warp| warp != issue.warp || pack % 128 < 80);
                }
            }
        }
    }

    /// On programs that acquire only what they do not hold and release only what they hold, both locks answer alike, but
    /// for whose set is said to be held.
    #[test]
    fn both_variants_agree_on_disciplined_programs(
        cycles in prop::collection::vec((any_issue(), any::<bool>()), 1..80),
    ) {
        let mut paper = PairBitRtl::<8, 4, 1, 3, 512, 9>::default();
        let mut safe = WarpBitRtl::<8, 4, 1, 3, 512, 9>::default();
        let mut holds = [false; 8];
        for (mut issue, on_b) in cycles {
            let warp = usize::from(issue.warp);
            if (issue.op == Acquire && holds[warp]) || (issue.op == Release && !holds[warp]) {
                issue.op = Access;
            }
            let may = holds[warp] || issue.op == Acquire;
            issue.regs = issue.regs.map(|reg| reg.filter(|&reg| may || reg < 40));
            let pins = if on_b { fitting().with_b(issue) } else { fitting().with_a(issue) };
            let (paper, safe) = (paper.edge(&pins), safe.edge(&pins));
            prop_assert_eq!((paper.a_grant, paper.b_grant, paper.wake), (safe.a_grant, safe.b_grant, safe.wake));
            prop_assert_eq!((paper.a_packs(), paper.b_packs()), (safe.a_packs(), safe.b_packs()));
            if safe.a_grant || safe.b_grant {
                holds[warp] = (holds[warp] || issue.op == Acquire) && issue.op != Release;
            }
        }
    }
}
