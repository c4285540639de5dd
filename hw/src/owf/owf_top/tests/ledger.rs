//! Kernels that are launched as the README says, with whatever their warps do: each pack belongs to one warp for as long as
//! that runs.

use super::*;
use std::collections::BTreeMap;

/// A kernel that shares registers: some pairs, and some CTAs without partner between the lower and the upper ones.
#[derive(Clone, Copy, Debug)]
struct Launch {
    size: u8,
    pairs: u8,
    unshared: u8,
    base: u8,
    ext: u8,
}

type Pins = OwfTopIn<16, 8, 512>;

impl Launch {
    fn first_upper(self) -> u16 {
        u16::from(self.pairs + self.unshared) * u16::from(self.size)
    }

    /// Packs that it takes, section III: (U + S) Rtb + S Rtb t.
    fn packs(self) -> u16 {
        let (base, ext) = (u16::from(self.base), u16::from(self.ext));
        let upper = u16::from(self.pairs) * u16::from(self.size);
        self.first_upper() * (base + ext) + upper * base
    }

    fn warps(self) -> u8 {
        (2 * self.pairs + self.unshared) * self.size
    }

    fn pins(self) -> Pins {
        Pins {
            warps_per_cta: self.size,
            base_regs: self.base,
            ext_regs: self.ext,
            upper_offset: self.first_upper() * u16::from(self.ext),
            ..Pins::default()
        }
    }
}

/// Any that fits 16 warps, 8 CTAs and 512 packs, with locks for the lower CTAs.
fn launch() -> impl Strategy<Value = Launch> {
    (1..=8u8, 1..=4u8, 0..=4u8, 1..60u8, 1..60u8)
        .prop_map(|(size, pairs, unshared, base, ext)| Launch {
            size,
            pairs,
            unshared,
            base,
            ext,
        })
        .prop_filter("fits", |launch| {
            2 * launch.pairs + launch.unshared <= 8
                && launch.warps() <= 16
                && launch.pairs * launch.size <= 8
                && launch.packs() <= 512
        })
}

/// What the warp does, as fractions of what there is.
type Act = (u8, bool, [Option<u8>; 4]);

fn act() -> impl Strategy<Value = Act> {
    let regs = prop::array::uniform4(prop::option::of(any::<u8>()));
    (any::<u8>(), prop::bool::weighted(0.1), regs)
}

fn issue(launch: Launch, (warp, exit, regs): Act) -> Issue {
    let last = u16::from(launch.base) + u16::from(launch.ext);
    Issue {
        warp: warp % launch.warps(),
        exit,
        regs: regs.map(|reg| reg.map(|reg| (u16::from(reg) % last) as u8)),
        ..Issue::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_pack_is_ever_given_to_two_warps(
        launch in launch(),
        cycles in prop::collection::vec((act(), act(), any::<bool>()), 1..80),
    ) {
        let mut sm = Rtl16::default();
        sm.edge(&Pins { clear: true, share_regs: true, ..launch.pins() });
        for cta in 0..launch.pairs {
            let partner = launch.pairs + launch.unshared + cta;
            let out = sm.edge(&Pins { pair: true, cta, partner, ..launch.pins() });
            prop_assert!(out.pair_grant, "{launch:?}");
        }
        let mut owner: BTreeMap<u16, u8> = BTreeMap::new();
        for (a, b, favor_b) in cycles {
            let (a, b) = (issue(launch, a), issue(launch, b));
            let out = sm.edge(&Pins { favor_b, ..launch.pins() }.with_a(a).with_b(b));
            let answers = [(a, out.a_answer()), (b, out.b_answer())];
            for (issue, answer) in answers {
                for (reg, pack) in issue.regs.into_iter().zip(answer.packs) {
                    let exists = answer.grant && !issue.exit && reg.is_some();
                    prop_assert_eq!(pack.is_some(), exists, "{:?} {:?}", issue, answer);
                    let Some(pack) = pack else { continue };
                    prop_assert!(pack < launch.packs());
                    let owner = *owner.entry(pack).or_insert(issue.warp);
                    prop_assert_eq!(owner, issue.warp, "pack {} of {:?}, {:?}", pack, reg, launch);
                }
            }
            for (issue, answer) in answers {
                if answer.grant && issue.exit {
                    owner.retain(|_, warp| *warp != issue.warp);
                }
            }
        }
    }
}
