use super::model::Model;
use super::rtl::{
    FreeList64, FreeList512, FreeList1024, FreeList2048, Rtl64, Rtl512, Rtl1024, Rtl2048,
};
use super::strategy::rows;
use super::*;
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme};
use proptest::prelude::*;

mod stateful;

type In = FreeListIn<1024>;
type Out = FreeListOut<1024>;

const IDLE: In = In {
    clear: false,
    shrink: 0,
    reserved: 0,
    awake: 0xffff,
    take: 0,
    give: 0,
    give0: 0,
    give1: 0,
    give2: 0,
    give3: 0,
};

/// Model and RTL side by side; every answer is the one both give.
#[derive(Default)]
struct Both(Model<1024>, Rtl1024);

impl Both {
    fn outputs(&mut self, pins: In) -> Out {
        let (model, rtl) = (self.0.outputs(&pins), self.1.outputs(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
    fn edge(&mut self, pins: In) -> Out {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
    /// Takes from all banks until none offers; returns the packs of each, in order.
    fn drain(&mut self, pins: In) -> [Vec<u16>; BANKS] {
        let mut packs: [Vec<u16>; BANKS] = Default::default();
        loop {
            let out = self.edge(In { take: 0xf, ..pins });
            if out.offer_valid == 0 {
                return packs;
            }
            for (packs, offer) in packs.iter_mut().zip(out.offers()) {
                packs.extend(offer);
            }
        }
    }
    fn give(&mut self, packs: [Option<u16>; BANKS]) {
        let mut pins = IDLE;
        pins.set_given(packs);
        self.edge(pins);
    }
}

#[test]
fn four_banks_of_256_packs_each_give_all_of_them_once() {
    let mut unit = Both::default();
    for packs in unit.drain(IDLE) {
        assert_eq!(packs, (0..256).collect::<Vec<_>>());
    }
    assert_eq!(unit.0.used_packs(), 1024);
}

#[test]
fn a_pack_that_is_given_back_is_offered_in_the_next_cycle() {
    let mut unit = Both::default();
    unit.drain(IDLE);
    let mut pins = IDLE;
    pins.set_given([Some(255), None, Some(77), None]);
    assert_eq!(unit.edge(pins).offer_valid, 0);
    let offers = unit.outputs(IDLE).offers();
    assert_eq!(offers, [Some(255), None, Some(77), None]);
}

#[test]
fn a_new_sub_array_is_turned_on_only_when_the_active_ones_are_filled_up() {
    // RFV 8.2. Sub-array 2 of every bank is awake.
    let awake = IDLE.awake & 0x4444;
    let mut unit = Both::default();
    let [packs, ..] = unit.drain(In { awake, ..IDLE });
    let lowest_of_all = (0..128).chain(192..256);
    assert_eq!(packs, (128..192).chain(lowest_of_all).collect::<Vec<_>>());
}

#[test]
fn the_sub_array_of_the_next_pack_is_woken_ahead_and_stays_awake() {
    let mut unit = Both::default();
    let first_awake = In {
        take: 1,
        awake: 1,
        ..IDLE
    };
    for _ in 0..64 {
        assert_eq!(unit.edge(first_awake).request & 0xf, 1);
    }
    // The first is full: the second is asked for, also when nobody takes and when it has become awake.
    assert_eq!(unit.outputs(first_awake).request & 0xf, 2);
    for awake in [1, 3] {
        let out = unit.edge(In { awake, ..IDLE });
        assert_eq!((out.request & 0xf, out.occupied & 0xf), (2, 1));
    }
    unit.give([Some(5), None, None, None]);
    assert_eq!(unit.outputs(IDLE).request & 0xf, 1);
}

#[test]
fn a_sub_array_is_occupied_from_its_first_pack_to_its_last() {
    let mut unit = Both::default();
    let third_bank = In {
        take: 0b1000,
        awake: 0x8000,
        ..IDLE
    };
    assert_eq!(unit.outputs(IDLE).occupied, 0);
    assert_eq!(unit.edge(third_bank).offer3, 192);
    assert_eq!(unit.edge(third_bank).occupied, 0x8000);
    unit.give([None, None, None, Some(192)]);
    assert_eq!(unit.outputs(IDLE).occupied, 0x8000);
    unit.give([None, None, None, Some(193)]);
    assert_eq!(unit.outputs(IDLE).occupied, 0);
}

#[test]
fn gpu_shrink_leaves_1024_716_612_or_512_packs_in_banks_of_the_same_size() {
    // RFV 8.1 and 9.1: half the file, and files 30 and 40 % smaller.
    let kept = [0, 1, 2, 3].map(|shrink| {
        let mut unit = Both::default();
        let packs = unit.drain(In { shrink, ..IDLE });
        assert!(packs.iter().all(|bank| bank.len() == packs[0].len()));
        packs.iter().map(Vec::len).sum::<usize>()
    });
    assert_eq!(kept, [1024, 716, 612, 512]);
    assert_eq!(kept_packs(256), [256, 179, 153, 128]);
}

#[test]
fn packs_of_exempt_registers_are_never_offered() {
    // RFV 7.1: "each warp's renaming-exempted registers are mapped to N physical registers from the register id N x warp id".
    assert_eq!((reserved_packs(3, 48), reserved_packs(1, 6)), (36, 2));
    for reserved in [1, 31, 32, 36, 64, 100, 255] {
        let mut unit = Both::default();
        for packs in unit.drain(In { reserved, ..IDLE }) {
            assert_eq!(packs, (reserved..256).collect::<Vec<_>>());
        }
    }
}

#[test]
fn sub_arrays_of_exempt_registers_never_sleep() {
    let mut unit = Both::default();
    let occupied = [0, 1, 64, 65, 128, 129, 192, 193, 256].map(|reserved| {
        let out = unit.outputs(In { reserved, ..IDLE });
        assert_eq!(out.occupied, (out.occupied & 0xf) * 0x1111);
        out.occupied & 0xf
    });
    assert_eq!(occupied, [0, 1, 1, 3, 3, 7, 7, 15, 15]);
    // Also those that a smaller file does not offer: the registers lie there all the same.
    let half = In {
        shrink: 3,
        reserved: 193,
        ..IDLE
    };
    assert_eq!(unit.outputs(half).occupied, 0xffff);
}

#[test]
fn reserved_packs_and_a_smaller_file_may_leave_nothing() {
    let mut unit = Both::default();
    for (shrink, kept) in (0..).zip([256, 179, 153, 128]) {
        let last = In {
            shrink,
            reserved: kept - 1,
            ..IDLE
        };
        assert_eq!(unit.outputs(last).offers(), [Some(kept - 1); 4]);
        for reserved in [kept, 256, 257, 511] {
            let out = unit.outputs(In {
                reserved,
                shrink,
                ..IDLE
            });
            assert_eq!((out.offer_valid, out.request, out.offer0), (0, 0, 0));
        }
    }
}

#[test]
fn a_pack_in_use_that_becomes_reserved_stays_in_use() {
    let mut unit = Both::default();
    unit.drain(IDLE);
    let reserved = In {
        reserved: 10,
        ..IDLE
    };
    let mut pins = reserved;
    pins.set_given([Some(9), Some(10), None, None]);
    unit.edge(pins);
    assert_eq!(
        unit.outputs(reserved).offers(),
        [None, Some(10), None, None]
    );
    assert_eq!(unit.outputs(IDLE).offers()[0], Some(9));
}

#[test]
fn a_pack_that_a_smaller_file_does_not_have_stays_in_use_until_it_is_given_back() {
    let mut unit = Both::default();
    unit.drain(IDLE);
    let half = In { shrink: 3, ..IDLE };
    assert_eq!(unit.outputs(half).occupied, 0xffff);
    for pack in 192..256 {
        unit.give([None, Some(pack), None, None]);
    }
    let out = unit.outputs(half);
    assert_eq!((out.occupied, out.offer_valid), (0xff7f, 0));
    assert_eq!(unit.outputs(IDLE).offers()[1], Some(192));
}

#[test]
fn a_take_without_an_offer_changes_nothing() {
    let mut unit = Both::default();
    unit.drain(IDLE);
    let before = unit.edge(In { take: 0xf, ..IDLE });
    assert_eq!(unit.outputs(IDLE), before);
    unit.give([None, None, None, Some(9)]);
    assert_eq!(unit.outputs(IDLE).offers(), [None, None, None, Some(9)]);
}

#[test]
fn a_free_pack_that_is_given_back_stays_free_and_one_taken_in_that_cycle_is_in_use() {
    let mut unit = Both::default();
    unit.give([Some(3), None, None, None]);
    let mut pins = In { take: 1, ..IDLE };
    pins.set_given([Some(0), None, None, None]);
    assert_eq!(unit.edge(pins).offer0, 0);
    assert_eq!(unit.outputs(IDLE).offer0, 1);
    assert_eq!(unit.0.used_packs(), 1);
}

#[test]
fn a_bank_takes_and_is_given_a_pack_in_the_same_cycle() {
    let mut unit = Both::default();
    for _ in 0..3 {
        unit.edge(In { take: 2, ..IDLE });
    }
    let mut pins = In { take: 2, ..IDLE };
    pins.set_given([None, Some(1), None, None]);
    assert_eq!(unit.edge(pins).offer1, 3);
    assert_eq!(unit.edge(In { take: 2, ..IDLE }).offer1, 1);
    assert_eq!(unit.outputs(IDLE).offer1, 4);
}

#[test]
fn clear_frees_all_packs_and_wins_over_take_and_give() {
    let mut unit = Both::default();
    unit.drain(IDLE);
    let out = unit.edge(In {
        clear: true,
        take: 0xf,
        give: 0xf,
        ..IDLE
    });
    assert_eq!(out.offer_valid, 0);
    assert_eq!(
        unit.edge(In {
            clear: true,
            take: 0xf,
            ..IDLE
        })
        .offer0,
        0
    );
    let out = unit.outputs(IDLE);
    assert_eq!((out.offers(), out.occupied), ([Some(0); 4], 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in rows::<1024>()) {
        agree(Model::<1024>::default(), Rtl1024::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_512_packs(rows in rows::<512>()) {
        agree(Model::<512>::default(), Rtl512::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_64_packs(rows in rows::<64>()) {
        agree(Model::<64>::default(), Rtl64::default(), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn model_and_rtl_agree_with_2048_packs(rows in rows::<2048>()) {
        agree(Model::<2048>::default(), Rtl2048::default(), &rows)?;
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(FreeList64::new());
    check_block(FreeList512::new());
    check_block(FreeList1024::new());
    check_block(FreeList2048::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<64>, _>(FreeList64::new());
    check_ports::<Model<512>, _>(FreeList512::new());
    check_ports::<Model<1024>, _>(FreeList1024::new());
    check_ports::<Model<2048>, _>(FreeList2048::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<1024>>(include_str!("README.md"));
}
