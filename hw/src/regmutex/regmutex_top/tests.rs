use super::model::Model;
use super::rtl::{
    RegmutexTop8x512, RegmutexTop16x512, RegmutexTop48x1024, RegmutexTop64x2048, Rtl,
};
use super::strategy::rows;
use super::*;
use crate::clocked::Clocked;
use crate::manager::RegOp;
use crate::testing::{agree, check_block, check_ports, check_readme, flip_flops};
use proptest::prelude::*;
use std::collections::BTreeMap;

type In = RegmutexTopIn<48, 1024>;
type Rtl48 = Rtl<48, 12, 6, 6, 1024, 10>;

/// Model and RTL side by side, in a kernel with 12 base and 8 extended registers and `sections` sections.
struct Both(Model<48, 1024>, Rtl48);

impl Both {
    fn kernel(sections: u8) -> Self {
        let mut both = Self(Model::default(), Rtl48::default());
        both.edge(In {
            clear: true,
            section_count: sections,
            ..pins()
        });
        both
    }
    fn edge(&mut self, pins: In) -> RegmutexTopOut<48, 1024> {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
}

fn pins() -> In {
    In {
        base_regs: 12,
        ext_regs: 8,
        srp_offset: 48 * 12,
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

const ACCESS: RegOp = RegOp::Access;
const ACQUIRE: RegOp = RegOp::Acquire;
const RELEASE: RegOp = RegOp::Release;

#[test]
fn base_registers_are_always_there_and_extended_ones_with_a_section_only() {
    let mut sm = Both::kernel(2);
    let out = sm.edge(
        pins()
            .with_a(issue(7, ACCESS, 11))
            .with_b(issue(7, ACCESS, 12)),
    );
    assert!(out.a_grant && out.b_grant, "no change is asked for");
    assert_eq!(
        (out.a_packs()[0], out.b_packs()[0]),
        (Some(7 * 12 + 11), None)
    );
    // In the cycle of the acquire the section is there already.
    let out = sm.edge(pins().with_a(issue(7, ACQUIRE, 12)));
    assert_eq!(
        (out.a_grant, out.a_held, out.a_packs()[0]),
        (true, false, Some(48 * 12))
    );
    let out = sm.edge(pins().with_b(issue(7, ACCESS, 19)));
    assert_eq!((out.b_held, out.b_packs()[0]), (true, Some(48 * 12 + 7)));
    let out = sm.edge(pins().with_b(issue(7, ACCESS, 20)));
    assert_eq!(out.b_packs()[0], None);
}

#[test]
fn sections_lie_one_after_the_other_behind_the_base_sets() {
    let mut sm = Both::kernel(3);
    for (section, warp) in (0..3).zip([40, 3, 9]) {
        let out = sm.edge(pins().with_b(issue(warp, ACQUIRE, 13)));
        assert_eq!(out.b_packs()[0], Some(48 * 12 + section * 8 + 1));
    }
}

#[test]
fn who_is_refused_gets_no_registers_and_is_woken_by_a_release() {
    let mut sm = Both::kernel(1);
    sm.edge(pins().with_a(issue(5, ACQUIRE, 0)));
    let out = sm.edge(pins().with_a(issue(6, ACQUIRE, 0)));
    assert_eq!(
        (out.a_grant, out.a_packs()[0], out.wake),
        (false, None, false)
    );
    // The release is served; the section goes to nobody in the same cycle.
    let out = sm.edge(
        pins()
            .with_a(issue(6, ACQUIRE, 0))
            .with_b(issue(5, RELEASE, 12)),
    );
    assert_eq!((out.a_grant, out.b_grant, out.wake), (false, true, true));
    assert_eq!(
        out.b_packs()[0],
        Some(48 * 12),
        "the instruction that releases may read"
    );
    let out = sm.edge(pins().with_a(issue(6, ACQUIRE, 0)));
    assert!(out.a_grant && !out.wake);
}

#[test]
fn who_was_outbid_is_woken_at_once() {
    let mut sm = Both::kernel(2);
    let both = pins()
        .with_a(issue(5, ACQUIRE, 0))
        .with_b(issue(6, ACQUIRE, 0));
    let out = sm.edge(In {
        favor_b: true,
        ..both
    });
    assert_eq!((out.a_grant, out.b_grant, out.wake), (false, true, true));
}

#[test]
fn a_release_by_who_holds_nothing_is_granted_and_gives_it_nothing() {
    let mut sm = Both::kernel(2);
    let out = sm.edge(pins().with_a(issue(5, RELEASE, 12)));
    assert_eq!(
        (out.a_grant, out.a_packs()[0], out.wake),
        (true, None, false)
    );
}

#[test]
fn a_kernel_start_grants_nothing_and_frees_all() {
    let mut sm = Both::kernel(1);
    sm.edge(pins().with_a(issue(5, ACQUIRE, 0)));
    let start = In {
        clear: true,
        section_count: 1,
        ..pins()
    };
    let out = sm.edge(
        start
            .with_a(issue(5, ACCESS, 0))
            .with_b(issue(5, RELEASE, 0)),
    );
    assert_eq!((out.a_grant, out.b_grant, out.wake), (false, false, false));
    assert_eq!((out.a_packs(), out.b_packs()), ([None; 4], [None; 4]));
    assert!(sm.edge(pins().with_a(issue(6, ACQUIRE, 0))).a_grant);
}

#[test]
fn flip_flops_are_those_of_the_allocator() {
    for (counted, warps) in [
        (flip_flops(RegmutexTop48x1024::new()), 48),
        (flip_flops(RegmutexTop64x2048::new()), 64),
        (flip_flops(RegmutexTop16x512::new()), 16),
        (flip_flops(RegmutexTop8x512::new()), 8),
    ] {
        let formula = 2 * warps + warps * u64::from(crate::pins::bits_for(warps as usize));
        assert!(
            counted.is_none_or(|counted| counted as u64 == formula),
            "{warps}: {counted:?}"
        );
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(RegmutexTop48x1024::new());
    check_block(RegmutexTop64x2048::new());
    check_block(RegmutexTop16x512::new());
    check_block(RegmutexTop8x512::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<48, 1024>, _>(RegmutexTop48x1024::new());
    check_ports::<Model<64, 2048>, _>(RegmutexTop64x2048::new());
    check_ports::<Model<16, 512>, _>(RegmutexTop16x512::new());
    check_ports::<Model<8, 512>, _>(RegmutexTop8x512::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<48, 1024>>(include_str!("README.md"));
}

/// An instruction in a kernel that fits the file: 8 warps of 40 base registers, 4 sections of 48.
fn any_issue() -> impl Strategy<Value = Issue> {
    let op = prop_oneof![Just(ACCESS), Just(ACQUIRE), Just(RELEASE)];
    let regs = prop::array::uniform4(prop::option::of(0..96u8));
    (op, 0..8u8, regs).prop_map(|(op, warp, regs)| Issue { op, warp, regs })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn model_and_rtl_agree_with_48_warps(rows in rows::<48, 1024>()) {
        agree(Model::<48, 1024>::default(), Rtl48::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_64_warps(rows in rows::<64, 2048>()) {
        agree(Model::<64, 2048>::default(), Rtl::<64, 16, 6, 7, 2048, 11>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_16_warps(rows in rows::<16, 512>()) {
        agree(Model::<16, 512>::default(), Rtl::<16, 4, 4, 5, 512, 9>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_8_warps(rows in rows::<8, 512>()) {
        agree(Model::<8, 512>::default(), Rtl::<8, 2, 3, 4, 512, 9>::default(), &rows)?;
    }

    /// Each pack belongs to one register of one warp for as long as that warp keeps its section.
    #[test]
    fn no_pack_is_ever_given_to_two_warps(
        cycles in prop::collection::vec((any_issue(), any_issue(), any::<bool>()), 1..80),
    ) {
        let mut sm = Rtl::<8, 2, 3, 4, 512, 9>::default();
        let pins = RegmutexTopIn::<8, 512> {
            base_regs: 40,
            ext_regs: 48,
            srp_offset: 320,
            ..Default::default()
        };
        sm.edge(&RegmutexTopIn { clear: true, section_count: 4, ..pins });
        let mut owner: BTreeMap<u16, u8> = BTreeMap::new();
        for (a, b, favor_b) in cycles {
            let out = sm.edge(&RegmutexTopIn { favor_b, ..pins }.with_a(a).with_b(b));
            for (issue, granted, packs) in [(a, out.a_grant, out.a_packs()), (b, out.b_grant, out.b_packs())] {
                for (reg, pack) in issue.regs.into_iter().zip(packs) {
                    let Some(pack) = pack else { continue };
                    prop_assert!(granted && reg.is_some());
                    let owner = *owner.entry(pack).or_insert(issue.warp);
                    prop_assert_eq!(owner, issue.warp, "pack {} of {:?}", pack, reg);
                }
            }
            for (issue, granted) in [(a, out.a_grant), (b, out.b_grant)] {
                if granted && issue.op == RELEASE {
                    owner.retain(|&pack, &mut warp| warp != issue.warp || pack < 320);
                }
            }
        }
    }
}
