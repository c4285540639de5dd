//! Without a flag cache: an instruction brings its flags.

use super::*;

/// Without a flag cache: model and RTL side by side, with a kernel of one CTA.
struct Uncached(Model<4, 4, 256, 63, 1, 0, 0>, Rtl4<1, 1, 0, 1, 1, 16, 1>);

impl Uncached {
    /// Registers 1, 2 and 3 of warp 0 have been written; their packs.
    fn start() -> (Self, [Option<u16>; 3]) {
        let mut sm = Self(Model::default(), Rtl4::default());
        sm.edge(In {
            clear: true,
            pack_count: 256,
            ..In::default()
        });
        for cta_launch in [true, false] {
            sm.edge(In {
                cta_launch,
                launch: !cta_launch,
                need: 63,
                ..In::default()
            });
        }
        while sm.edge(In::default()).busy {}
        let packs = [1, 2, 3].map(|reg| {
            sm.edge(In::default().with_a(names(0, [None, None, None, Some(reg)])));
            sm.edge(In::default()).packs()[3]
        });
        assert!(packs.iter().all(Option::is_some));
        (sm, packs)
    }

    fn edge(&mut self, pins: In) -> Out {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }

    /// Which of the registers 1, 2 and 3 have a pack.
    fn left(&mut self) -> [bool; 3] {
        self.edge(In::default().with_b(names(0, [Some(1), Some(2), Some(3), None])));
        let packs = self.edge(In::default()).packs();
        [0, 1, 2].map(|pin| packs[pin].is_some())
    }
}

/// It reads registers 1, 2 and 3 of warp 0; `slot` is what is on that pin.
fn reads(pir: Option<u16>, slot: u8) -> Issue {
    Issue {
        pir: pir.map(|pc| (pc, slot)),
        ..names(0, [Some(1), Some(2), Some(3), None])
    }
}

#[test]
fn without_a_flag_cache_an_instruction_releases_what_its_slot_says() {
    for flags in 0..8 {
        // The two bits above the flags say nothing.
        for (on_b, above) in [(false, 0), (true, 0), (false, 0b11000), (true, 0b01000)] {
            let (mut sm, packs) = Uncached::start();
            let issue = reads(Some(77), above | flags);
            // On the other port are other flags, of nobody.
            let pins = match on_b {
                true => In {
                    a_slot: !flags & 7,
                    ..In::default().with_b(issue)
                },
                false => In {
                    b_slot: !flags & 7,
                    ..In::default().with_a(issue)
                },
            };
            let out = sm.edge(pins);
            assert!(out.a_grant != on_b && out.b_grant == on_b);
            assert_eq!(sm.edge(In::default()).packs()[..3], packs);
            let lives = [0, 1, 2].map(|pin| flags >> pin & 1 == 0);
            assert_eq!(sm.left(), lives, "{flags}, {above}, port b: {on_b}");
        }
    }
}

#[test]
fn without_a_flag_cache_nobody_misses_a_pir_whatever_has_been_decoded() {
    let (mut sm, _) = Uncached::start();
    let both = In::default()
        .with_a(reads(Some(40), 0))
        .with_b(reads(Some(50), 0));
    let mut check = |pins: In| {
        let out = sm.edge(pins);
        assert!(out.a_grant && !out.b_grant);
        assert_eq!((out.a_hit, out.b_hit), (false, false));
        assert_eq!((out.a_miss, out.b_miss), (false, false));
        out
    };
    check(both);
    // What a pir says is shown at decode, and does not concern the ports.
    let out = check(word_pins(both, pir(0b111), 40, 0));
    assert_eq!(
        (out.pir, out.word_done, out.word_flags),
        (true, true, 0b111)
    );
    check(both);
    assert_eq!(sm.left(), [true; 3]);
}

#[test]
fn without_a_flag_cache_an_instruction_that_no_pir_covers_releases_nothing() {
    let (mut sm, _) = Uncached::start();
    let pins = In::default().with_a(reads(None, 0));
    assert!(sm.edge(In { a_slot: 7, ..pins }).a_grant);
    assert_eq!(sm.left(), [true; 3]);
}

#[test]
fn without_a_flag_cache_flags_are_kept_while_an_instruction_is_being_looked_up() {
    let (mut sm, _) = Uncached::start();
    sm.edge(In::default().with_a(names(0, [None, None, None, Some(5)])));
    let issue = Issue {
        pir: Some((40, 0b011)),
        ..names(0, [Some(1), Some(5), None, None])
    };
    // Both are of bank 1. In the second cycle the slot says something else.
    let pins = In::default().with_a(issue);
    assert!(!sm.edge(pins).a_grant);
    assert!(sm.edge(In { a_slot: 0, ..pins }).a_grant);
    sm.edge(In::default());
    assert_eq!(sm.left(), [false, true, true]);
    sm.edge(In::default().with_a(names(0, [Some(5), None, None, None])));
    assert_eq!(sm.edge(In::default()).packs()[0], None);
}
