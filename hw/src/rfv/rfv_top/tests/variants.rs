//! The same top with one of its parameters changed: how sub-arrays wake, no flags, fewer entries of the flag cache.

use super::*;

/// 4 warps, 256 packs; sub-arrays wake in a cycle.
type Small<const HARDWARE_ONLY: usize, const ENTRIES: usize, const EW: usize, const TAG: usize> =
    Rtl4<1, 1, HARDWARE_ONLY, ENTRIES, EW, TAG>;
type SmallModel<const HARDWARE_ONLY: usize, const ENTRIES: usize> =
    Model<4, 4, 256, 63, 1, HARDWARE_ONLY, ENTRIES>;

/// Hardware-only: model and RTL side by side, with a kernel of one CTA that needs far more packs than there are.
struct Alone(SmallModel<1, 10>, Small<1, 10, 4, 13>);

impl Alone {
    fn start() -> Self {
        let mut alone = Self(SmallModel::default(), Small::default());
        alone.edge(In {
            clear: true,
            pack_count: 256,
            ..In::default()
        });
        for cta_launch in [true, false] {
            alone.edge(In {
                cta_launch,
                launch: !cta_launch,
                need: 511,
                ..In::default()
            });
        }
        while alone.edge(In::default()).busy {}
        alone
    }

    fn edge(&mut self, pins: In) -> Out {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }

    /// Writes register 5 of warp 0, in all lanes or in some; its pack.
    fn write(&mut self, some_lanes: bool) -> Option<u16> {
        let issue = names(0, [None, None, None, Some(5)]);
        let pins = In {
            a_slot: some_lanes.into(),
            ..In::default().with_a(issue)
        };
        assert!(self.edge(pins).a_grant);
        self.edge(In::default()).packs()[3]
    }
}

#[test]
fn without_flags_a_pack_is_given_back_when_its_register_is_written_anew_in_all_lanes() {
    let mut alone = Alone::start();
    let first = alone.write(false);
    assert!(first.is_some());
    assert_eq!(alone.write(true), first, "the lanes that are not written");
    let second = alone.write(false);
    assert!(second.is_some() && second != first);
    for _ in 0..4 {
        alone.edge(In::default());
    }
    assert_eq!(alone.edge(In::default()).free_packs, 255);
}

#[test]
fn without_flags_there_is_no_throttle() {
    let mut alone = Alone::start();
    let out = alone.edge(In::default());
    assert_eq!(
        (out.may_issue, out.throttled, out.spill),
        (15, false, false)
    );
}

#[test]
fn a_sub_array_is_awake_as_many_cycles_after_its_first_pack_was_wanted_as_the_gate_takes() {
    fn cycles<const WAIT: usize, const BITS: usize>() -> usize {
        let mut rtl = Rtl4::<WAIT, BITS, 0, 10, 4, 13>::default();
        let clear = In {
            clear: true,
            pack_count: 256,
            ..In::default()
        };
        rtl.edge(&clear);
        (0..30)
            .find(|_| rtl.edge(&In::default()).awake & 0x1111 == 0x1111)
            .expect("it wakes")
    }
    let of_1 = cycles::<1, 1>();
    assert_eq!((cycles::<3, 2>(), cycles::<10, 4>()), (of_1 + 2, of_1 + 9));
}

#[test]
fn a_variant_has_the_bits_of_its_units_and_rust_hdl_accepts_it() {
    let expected = |wake: u64, hardware_only: bool, entries: u64| {
        let table = RenameTableBits::new(48, 63, 1024, hardware_only);
        let cache = FlagCacheBits::new(entries, 16);
        let stage = RfvStageBits::new(1024, 8);
        // Without flags and throttle nothing reads the flags, nor that a destination was served.
        let (flags, stage) = match hardware_only {
            true => (0, stage.without_throttle()),
            false => (cache.flags, stage),
        };
        let flip_flops = table.flip_flops()
            + cache.valid
            + availability_bits(1024)
            + CtaThrottleBits::new(8, 1024).total()
            + power_gate_bits(16, wake)
            + stage.total();
        (table.names + flags + cache.tags, flip_flops)
    };
    check_block(Wakes3Of48::default());
    check_block(Wakes10Of48::default());
    check_block(HardwareOnlyOf48::default());
    check_block(Keeps5Of48::default());
    check_block(Keeps2Of48::default());
    check_block(Keeps1Of48::default());
    check_block(UncachedOf48::default());
    check_ports::<Model<48, 8, 1024, 63, 1, 1>, _>(HardwareOnlyOf48::default());
    // What Yosys counts of them is among the committed costs, which `tests/export` holds to the same formulas.
    let counted = [
        expected(3, false, 10),
        expected(10, false, 10),
        expected(1, true, 10),
        expected(1, false, 5),
        expected(1, false, 2),
        expected(1, false, 1),
        expected(1, false, 0),
    ];
    let page = [
        (30_910, 1297),
        (30_910, 1329),
        (30_370, 1281),
        (30_580, 1276),
        (30_378, 1273),
        (30_310, 1272),
        (30_240, 1271),
    ];
    assert_eq!(counted, page);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn model_and_rtl_agree_without_flags(rows in rows::<4, 4, 256>()) {
        agree(SmallModel::<1, 10>::default(), Small::<1, 10, 4, 13>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_when_10_cycles_wake(rows in rows::<4, 4, 256>()) {
        agree(Model::<4, 4, 256, 63, 10>::default(), Rtl4::<10, 4, 0, 10, 4, 13>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_2_entries(rows in rows::<4, 4, 256>()) {
        agree(SmallModel::<0, 2>::default(), Small::<0, 2, 1, 15>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_without_a_flag_cache(rows in rows::<4, 4, 256>()) {
        agree(SmallModel::<0, 0>::default(), Rtl4::<1, 1, 0, 1, 1, 16, 1>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_5_entries_when_10_cycles_wake(rows in rows::<4, 4, 256>()) {
        agree(Model::<4, 4, 256, 63, 10, 0, 5>::default(), Rtl4::<10, 4, 0, 5, 3, 14>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_without_flags_when_3_cycles_wake(rows in rows::<4, 4, 256>()) {
        agree(Model::<4, 4, 256, 63, 3, 1>::default(), Rtl4::<3, 2, 1, 10, 4, 13>::default(), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]
    #[test]
    fn model_and_rtl_of_48_warps_agree_without_flags(rows in rows::<48, 8, 1024>()) {
        agree(Model::<48, 8, 1024, 63, 1, 1>::default(), Rtl48::<1, 1, 1, 10, 4, 13>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_of_48_warps_agree_with_5_entries(rows in rows::<48, 8, 1024>()) {
        agree(Model::<48, 8, 1024, 63, 1, 0, 5>::default(), Rtl48::<1, 1, 0, 5, 3, 14>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_of_48_warps_agree_without_a_flag_cache(rows in rows::<48, 8, 1024>()) {
        agree(Model::<48, 8, 1024, 63, 1, 0, 0>::default(), Rtl48::<1, 1, 0, 1, 1, 16, 1>::default(), &rows)?;
    }
}
