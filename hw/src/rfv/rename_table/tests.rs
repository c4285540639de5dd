use super::model::Model;
use super::rtl::Rtl;
use super::*;
use crate::clocked::Clocked;
use crate::rfv::flag_decoder::{self, FlagDecoderIn, pbr_word};
use std::collections::BTreeSet;

mod block;
mod stateful;
mod walks;

type In = RenameTableIn<48, 63, 1024>;
type Out = RenameTableOut<48, 63, 1024>;
type Rtl48<const HARDWARE_ONLY: usize> =
    Rtl<48, 63, 1024, 6, 4, 10, 768, 720, 10, 8, HARDWARE_ONLY>;
type Rtl48x16 = Rtl<48, 16, 1024, 6, 2, 8, 192, 192, 10, 8, 0>;
type Rtl64 = Rtl<64, 63, 2048, 6, 4, 10, 1024, 960, 11, 9, 0>;
type Rtl4<const HARDWARE_ONLY: usize> = Rtl<4, 16, 64, 2, 2, 4, 16, 16, 6, 4, HARDWARE_ONLY>;

/// Model and RTL side by side; every answer is the one both give.
struct Both<const HARDWARE_ONLY: usize = 0> {
    model: Model<48, 63, 1024, HARDWARE_ONLY>,
    rtl: Rtl48<HARDWARE_ONLY>,
    exempt: u8,
    /// Packs that are offered, a bank each.
    offers: [Option<u16>; BANKS],
}

impl<const HARDWARE_ONLY: usize> Default for Both<HARDWARE_ONLY> {
    fn default() -> Self {
        Self {
            model: Model::default(),
            rtl: Rtl48::default(),
            exempt: 0,
            offers: [Some(400), Some(401), Some(402), Some(403)],
        }
    }
}

impl<const HARDWARE_ONLY: usize> Both<HARDWARE_ONLY> {
    fn edge(&mut self, pins: In) -> Out {
        let pins = In {
            exempt: self.exempt,
            ..pins.with_offers(self.offers)
        };
        let (model, rtl) = (self.model.edge(&pins), self.rtl.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }

    fn idle(&mut self) -> Out {
        self.edge(In::default())
    }

    /// Asks for these operands, all of which are served at once, and returns the answer of the next cycle.
    fn ask(&mut self, warp: u8, x: [Option<(u8, bool)>; OPERANDS]) -> Out {
        let pins = In {
            warp,
            ..In::default()
        };
        let served = self.edge(pins.with_operands(x)).served;
        let all = (0..4).fold(0, |mask, i| mask | u8::from(x[i].is_some()) << i);
        assert_eq!(served, all, "no conflict");
        self.idle()
    }

    /// Maps register `x` to `pack`.
    fn map(&mut self, warp: u8, x: u8, pack: u16) {
        self.offers[usize::from(x) % 4] = Some(pack);
        let out = self.ask(warp, [None, None, None, Some((x, false))]);
        assert_eq!((out.take, out.packs()[3]), (1 << (x % 4), Some(pack)));
    }

    fn look_up(&mut self, warp: u8, x: u8) -> Option<u16> {
        self.ask(warp, [Some((x, false)), None, None, None]).packs()[0]
    }

    /// Walks until it is done; what was given back, and the cycles in which nothing else is served.
    fn walk(&mut self, pins: In) -> (BTreeSet<u16>, usize) {
        assert_eq!(self.edge(pins).served, 0);
        let mut given = BTreeSet::new();
        for cycle in 1.. {
            let out = self.idle();
            given.extend(out.given().into_iter().flatten());
            if !out.busy {
                return (given, cycle);
            }
        }
        unreachable!("a walk ends")
    }
}

#[test]
fn a_written_register_is_mapped_to_a_free_pack_of_its_own_bank() {
    let mut unit: Both = Both::default();
    unit.map(7, 9, 717);
    assert_eq!((717 % 4, 9 % 4), (1, 1));
    assert_eq!((unit.look_up(7, 9), unit.look_up(8, 9)), (Some(717), None));
}

#[test]
fn names_are_known_one_cycle_after_they_are_asked_for() {
    // RFV 7.1: "one extra cycle pipeline latency may be taken for the renaming process".
    let mut unit: Both = Both::default();
    let pins = In::default().with_operands([None, None, None, Some((5, false))]);
    assert_eq!(unit.edge(pins).packs(), [None; 4]);
    let source = In::default().with_operands([Some((5, false)), None, None, None]);
    // One request after the other: the second already sees what the first one maps.
    assert_eq!(unit.edge(source).packs()[3], Some(401));
    assert_eq!(unit.idle().packs()[0], Some(401));
}

#[test]
fn a_written_register_that_is_mapped_keeps_its_pack() {
    let mut unit: Both = Both::default();
    unit.map(0, 2, 402);
    let out = unit.ask(0, [None, None, None, Some((2, false))]);
    assert_eq!((out.packs()[3], out.take, out.give), (Some(402), 0, 0));
}

#[test]
fn three_sources_and_a_destination_in_four_banks_are_served_at_once() {
    let mut unit: Both = Both::default();
    for (x, pack) in [(4, 400), (5, 401), (6, 402)] {
        unit.map(47, x, pack);
    }
    let read = |x| Some((x, false));
    let out = unit.ask(47, [read(6), read(5), read(4), read(7)]);
    assert_eq!(out.packs(), [Some(402), Some(401), Some(400), Some(403)]);
}

#[test]
fn operands_in_one_bank_take_turns() {
    // RFV 7.1: "When there is a bank conflict, the name lookup may be serialized."
    let mut unit: Both = Both::default();
    for (x, pack) in [(0, 400), (4, 404), (8, 408)] {
        unit.map(1, x, pack);
    }
    let mut wanted = [Some((8, false)), Some((0, false)), Some((4, false)), None];
    let pins = In {
        warp: 1,
        ..In::default()
    };
    let mut answers = Vec::new();
    for turn in 0..3 {
        let out = unit.edge(pins.with_operands(wanted));
        assert_eq!(out.served, 1 << turn);
        answers.push(out.packs());
        wanted[turn] = None;
    }
    answers.push(unit.idle().packs());
    assert_eq!(answers[1], [Some(408), None, None, None]);
    assert_eq!(answers[2], [None, Some(400), None, None]);
    assert_eq!(answers[3], [None, None, Some(404), None]);
}

#[test]
fn one_register_in_several_operands_is_no_conflict() {
    let mut unit: Both = Both::default();
    unit.map(1, 61, 401);
    let x = Some((61, false));
    assert_eq!(unit.ask(1, [x; 4]).packs(), [Some(401); 4]);
}

#[test]
fn a_source_that_is_dead_is_answered_and_then_unmapped() {
    // RFV 6.2: a flag of 1 "means that the register can be released after the current instruction reads the register".
    let mut unit: Both = Both::default();
    unit.map(3, 62, 402);
    let out = unit.ask(3, [None, Some((62, true)), None, None]);
    assert_eq!((out.packs()[1], out.given()[2]), (Some(402), Some(402)));
    assert_eq!(unit.look_up(3, 62), None);
}

#[test]
fn release_of_what_is_not_mapped_gives_nothing() {
    let out = Both::<0>::default().ask(3, [Some((62, true)), Some((1, true)), None, None]);
    assert_eq!((out.packs(), out.give), ([None; 4], 0));
}

#[test]
fn nine_registers_of_a_pbr_are_released_three_at_a_time() {
    let mut unit: Both = Both::default();
    let ids = [0, 1, 2, 3, 4, 5, 6, 10, 14];
    for x in ids {
        unit.map(2, x, 100 + u16::from(x));
    }
    let word = pbr_word(&ids).expect("nine fit");
    let mut decoder = flag_decoder::model::Model;
    let (mut given, mut cycles) = (BTreeSet::new(), 0);
    for turn in 0..3 {
        let flags = decoder.outputs(&FlagDecoderIn {
            word,
            turn,
            ..Default::default()
        });
        let mut left = [
            flags.x0_valid.then_some((flags.x0, true)),
            flags.x1_valid.then_some((flags.x1, true)),
            flags.x2_valid.then_some((flags.x2, true)),
            None,
        ];
        while left != [None; 4] {
            let pins = In {
                warp: 2,
                ..In::default()
            };
            let out = unit.edge(pins.with_operands(left));
            given.extend(out.given().into_iter().flatten());
            for (i, x) in left.iter_mut().enumerate() {
                *x = x.filter(|_| out.served >> i & 1 == 0);
            }
            cycles += 1;
        }
    }
    given.extend(unit.idle().given().into_iter().flatten());
    // 6, 10 and 14 share a bank.
    assert_eq!(cycles, 5);
    assert_eq!(given, ids.map(|x| 100 + u16::from(x)).into());
    assert!(ids.iter().all(|&x| unit.look_up(2, x).is_none()));
}

#[test]
fn a_register_that_is_read_last_and_written_gets_another_pack() {
    let mut unit: Both = Both::default();
    unit.map(0, 8, 408);
    unit.offers[0] = Some(412);
    let out = unit.ask(0, [Some((8, true)), None, None, Some((8, false))]);
    assert_eq!((out.packs()[0], out.packs()[3]), (Some(408), Some(412)));
    assert_eq!((out.given()[0], out.take), (Some(408), 1));
    // Where no other is free it keeps its pack.
    unit.offers[0] = None;
    let out = unit.ask(0, [Some((8, true)), None, None, Some((8, false))]);
    assert_eq!((out.packs()[3], out.give), (Some(412), 0));
    assert_eq!(unit.look_up(0, 8), Some(412));
}

#[test]
fn a_destination_without_a_free_pack_in_its_bank_asks_again() {
    let mut unit: Both = Both::default();
    unit.offers[3] = None;
    let out = unit.ask(0, [None, None, None, Some((7, false))]);
    assert_eq!((out.packs()[3], out.starved, out.take), (None, true, 0));
    unit.map(0, 7, 403);
}

#[test]
fn exempt_registers_lie_at_n_times_warp_plus_id() {
    // RFV 7.1: "mapped to N physical registers from the register id N x warp id".
    let mut unit: Both = Both {
        exempt: 4,
        ..Both::default()
    };
    let out = unit.ask(
        13,
        [Some((0, true)), Some((3, false)), None, Some((2, false))],
    );
    assert_eq!(out.packs(), [Some(52), Some(55), None, Some(54)]);
    assert_eq!((out.take, out.give, out.starved), (0, 0, false));
    // They share a bank and are not in conflict; register 4 is renamed.
    let out = unit.ask(13, [Some((0, false)), Some((4, false)), None, None]);
    assert_eq!(out.packs(), [Some(52), None, None, None]);
}

#[test]
fn an_exempt_register_beyond_the_file_has_no_pack() {
    let mut unit: Both = Both {
        exempt: 22,
        ..Both::default()
    };
    assert_eq!(unit.look_up(46, 11), Some(1023));
    assert_eq!(unit.look_up(46, 12), None);
}

#[test]
fn hardware_only_renaming_releases_at_a_redefinition() {
    // RFV 9.5: "When the architected register is redefined, the mapping is released".
    let mut unit = Both::<1>::default();
    unit.map(0, 8, 408);
    unit.offers[0] = Some(412);
    let out = unit.ask(0, [Some((8, false)), None, None, Some((8, false))]);
    assert_eq!((out.packs()[0], out.packs()[3]), (Some(408), Some(412)));
    assert_eq!(out.given()[0], Some(408));
    // Lanes that are not written keep their value: so does the register its pack.
    unit.offers[0] = Some(416);
    let out = unit.ask(0, [None, None, None, Some((8, true))]);
    assert_eq!((out.packs()[3], out.give), (Some(412), 0));
}

#[test]
fn registers_and_warps_that_do_not_exist_are_served_without_an_answer() {
    let mut unit: Both = Both::default();
    let nobody = Some((63, true));
    assert_eq!(unit.ask(0, [nobody; 4]).packs(), [None; 4]);
    let out = unit.ask(48, [Some((0, true)), None, None, Some((1, false))]);
    assert_eq!((out.packs(), out.take, out.starved), ([None; 4], 0, false));
    unit.edge(In {
        exit: true,
        warp: 63,
        ..In::default()
    });
    assert!(!unit.idle().busy);
}

#[test]
fn a_table_of_16_registers_serves_any_16_from_the_first_renamed_one_on() {
    let mut model = Model::<48, 16, 1024, 0>::default();
    let mut rtl = Rtl48x16::default();
    let mut ask = |x: u8| {
        let pins = RenameTableIn::<48, 16, 1024> {
            exempt: 9,
            warp: 47,
            ..Default::default()
        };
        let pins = pins.with_offers([200, 201, 202, 203].map(Some));
        let first = pins.with_operands([None, None, None, Some((x, false))]);
        assert_eq!(model.edge(&first), rtl.edge(&first));
        let (out, expected) = (rtl.edge(&pins), model.edge(&pins));
        assert_eq!(out, expected);
        out.packs()[3]
    };
    assert_eq!(
        (ask(8), ask(9), ask(24)),
        (Some(9 * 47 + 8), Some(201), Some(200))
    );
    assert_eq!((ask(25), ask(62)), (None, None));
}
