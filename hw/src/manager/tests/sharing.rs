//! Resource sharing: who may use the registers of a pair, and where they lie.

use super::*;

/// Hotspot: CTAs of 8 warps with 36 registers, 4 of them private; slots 0 to 2 share with 3 to 5.
const HOTSPOT: ManagerSpec = ManagerSpec::Sharing {
    warps_per_cta: 8,
    private_regs: 4,
    shared_regs: 32,
    private_bytes: None,
    pairs: 3,
    unshared: 0,
    owner_first: true,
    dynamic: None,
};

struct Sm {
    manager: Box<dyn RegisterManager>,
    cycle: u64,
}

impl Sm {
    fn new(spec: ManagerSpec) -> Sm {
        let manager = placed(spec, Backend::Lockstep);
        Sm { manager, cycle: 0 }
    }

    /// Accesses of register sets by warps, a scheduler each; whether each goes on, and whether refused warps are woken.
    fn cycle(&mut self, asks: [Option<(u16, &[u8])>; 2]) -> ([IssueReply; 2], bool) {
        let requests =
            asks.map(|ask| ask.and_then(|(warp, regs)| request(warp, RegOp::Access, regs)));
        let mut replies = [IssueReply::default(), IssueReply::default()];
        let reply = self.manager.cycle(self.cycle, &requests, &mut replies);
        self.cycle += 1;
        (replies, reply.expect("no fault").wake)
    }

    fn granted(&mut self, warp: u16, regs: &[u8]) -> bool {
        self.cycle([Some((warp, regs)), None]).0[0].granted
    }
}

#[test]
fn a_pair_has_one_set_of_shared_registers_and_two_of_private_ones() {
    let mut sm = Sm::new(HOTSPOT);
    let (replies, _) = sm.cycle([Some((1, &[0, 3, 4, 35])), Some((25, &[0, 3]))]);
    let packs = |reply: &IssueReply| reply.packs.iter().map(|pack| pack.0).collect::<Vec<_>>();
    assert_eq!(packs(&replies[0]), [36, 39, 40, 71]);
    // The upper CTAs lie behind 24 warps with 36 registers, 4 per warp.
    let private = 24 * 32 + 25 * 4;
    assert_eq!(packs(&replies[1]), [private, private + 3]);
    assert_eq!(sm.manager.held().len(), 1);
}

#[test]
fn more_registers_than_a_port_has_are_found_in_their_order() {
    let mut sm = Sm::new(HOTSPOT);
    let regs = [0, 9, 1, 8, 2, 7, 3, 6, 0];
    let (replies, _) = sm.cycle([Some((2, &regs)), None]);
    let packs: Vec<u16> = replies[0].packs.iter().map(|pack| pack.0).collect();
    assert_eq!(packs, regs.map(|reg| 72 + u16::from(reg)));
    // Of a warp without lock all is refused, although the first four are private.
    assert!(!sm.granted(26, &[0, 1, 2, 3, 4]));
    assert!(sm.granted(26, &[0, 1, 2, 3]));
}

#[test]
fn who_is_refused_waits_for_the_end_of_the_holder() {
    let mut sm = Sm::new(HOTSPOT);
    assert!(sm.granted(0, &[4]));
    let (replies, wake) = sm.cycle([Some((24, &[4])), None]);
    assert!(!replies[0].granted && !wake);
    sm.manager.warp_ended(WarpSlot(0));
    assert!(sm.manager.has_news() && sm.manager.held().is_empty());
    let (_, wake) = sm.cycle([None, None]);
    assert!(wake && !sm.manager.has_news());
    assert!(sm.granted(24, &[4]));
}

/// Two refused warps that propose in every cycle must not keep the end of the holder from the hardware.
#[test]
fn the_end_of_a_warp_is_told_although_both_schedulers_always_ask() {
    let mut sm = Sm::new(HOTSPOT);
    assert!(sm.granted(0, &[4]));
    assert!(sm.granted(1, &[4]));
    sm.manager.warp_ended(WarpSlot(0));
    sm.manager.warp_ended(WarpSlot(1));
    for _ in 0..4 {
        sm.cycle([Some((24, &[4])), Some((25, &[4]))]);
    }
    assert!(!sm.manager.has_news());
    assert!(sm.granted(24, &[4]) && sm.granted(25, &[4]));
}

#[test]
fn a_warp_in_the_slot_of_one_whose_end_is_not_told_waits() {
    let mut sm = Sm::new(HOTSPOT);
    assert!(sm.granted(0, &[4]));
    for slot in 0..3 {
        sm.manager.warp_ended(WarpSlot(slot));
    }
    // Were it granted, the end of the old warp would take its lock away.
    let (replies, wake) = sm.cycle([Some((2, &[4])), None]);
    assert!(!replies[0].granted && wake);
    while sm.manager.has_news() {
        sm.cycle([None, None]);
    }
    assert!(sm.granted(2, &[4]));
    assert_eq!(sm.manager.held().len(), 1);
}

/// The hardware records one owner per cycle: a pair that comes second must be able to ask again.
#[test]
fn two_pairs_that_are_refused_at_once_both_get_their_owner() {
    let mut sm = Sm::new(HOTSPOT);
    assert!(sm.granted(0, &[4]));
    assert!(sm.granted(8, &[4]));
    let both = [Some((24, [4].as_slice())), Some((32, [4].as_slice()))];
    let mut cycles = 0;
    while sm.cycle(both).1 {
        cycles += 1;
        assert!(cycles < 4, "asked for ever");
    }
    // Owners go first, whoever is older; both schedulers have unshared warps, too.
    let owners = sm.manager.choose(1 << 24 | 1 << 0 | 1 << 33 | 1 << 9, 0);
    assert_eq!(
        owners.unwrap().unwrap(),
        [Some(WarpSlot(0)), Some(WarpSlot(9)), None, None]
    );
    sm.manager.warp_started(WarpSlot(0));
    sm.cycle([None, None]);
    let owners = sm.manager.choose(1 << 24 | 1 << 0, 0);
    assert_eq!(owners.unwrap().unwrap()[..2], [Some(WarpSlot(0)), None]);
}

#[test]
fn the_choice_is_the_schedulers_where_owners_do_not_go_first() {
    let ManagerSpec::Sharing {
        warps_per_cta,
        private_regs,
        shared_regs,
        pairs,
        unshared,
        ..
    } = HOTSPOT
    else {
        unreachable!()
    };
    let spec = ManagerSpec::Sharing {
        warps_per_cta,
        private_regs,
        shared_regs,
        private_bytes: None,
        pairs,
        unshared,
        owner_first: false,
        dynamic: None,
    };
    assert_eq!(Sm::new(spec).manager.choose(1, 0), Ok(None));
    assert_eq!(placed(EXAMPLE, Backend::Model).choose(1, 0), Ok(None));
}

#[test]
fn what_does_not_fit_is_refused_with_the_reason() {
    let spec = |warps_per_cta, pairs, unshared, private_regs| ManagerSpec::Sharing {
        warps_per_cta,
        private_regs,
        shared_regs: 36 - private_regs,
        private_bytes: None,
        pairs,
        unshared,
        owner_first: true,
        dynamic: None,
    };
    let refused = |spec, geometry| {
        build(spec, geometry, Backend::Model)
            .err()
            .expect("refused")
    };
    let packs = refused(spec(8, 3, 0, 8), GTX480);
    assert_eq!(
        packs,
        BuildError::Shared {
            needed: 1056,
            packs: 1024
        }
    );
    let scratchpad = |shared_regs, bytes| ManagerSpec::Sharing {
        warps_per_cta: 8,
        private_regs: 8,
        shared_regs,
        private_bytes: Some(bytes),
        pairs: 1,
        unshared: 0,
        owner_first: true,
        dynamic: None,
    };
    let refusals = [scratchpad(1, 0), scratchpad(0, 1 << 17)].map(|spec| refused(spec, GTX480));
    assert_eq!(
        refusals,
        [BuildError::BothShared, BuildError::PrivateBytes(1 << 17)]
    );
    let one = Geometry {
        schedulers: 1,
        ..GTX480
    };
    assert_eq!(refused(HOTSPOT, one), BuildError::OwnerFirst(1));
    let large = refused(spec(25, 1, 0, 4), GTX480);
    assert!(
        matches!(large, BuildError::Ctas { most: 24, .. }),
        "{large}"
    );
    let many = refused(
        spec(1, 1, 31, 4),
        Geometry {
            packs: 2048,
            ..GTX480
        },
    );
    assert!(
        matches!(
            many,
            BuildError::Ctas {
                slots: 32,
                ctas: 33,
                ..
            }
        ),
        "{many}"
    );
}

/// lavaMD: CTAs of 4 warps with 40 registers and 7200 bytes, 720 of them private; slots 0 and 1 share with 2 and 3.
const LAVA_MD: ManagerSpec = ManagerSpec::Sharing {
    warps_per_cta: 4,
    private_regs: 40,
    shared_regs: 0,
    private_bytes: Some(720),
    pairs: 2,
    unshared: 0,
    owner_first: true,
    dynamic: None,
};

impl Sm {
    /// Accesses of scratchpad, up to this byte, by warps.
    fn accesses(&mut self, asks: [Option<(u16, u32)>; 2]) -> ([bool; 2], bool) {
        let requests = asks.map(|ask| {
            let (warp, highest) = ask?;
            let mut request = request(warp, RegOp::Access, &[7])?;
            request.scratchpad = Some(highest);
            Some(request)
        });
        let mut replies = [IssueReply::default(), IssueReply::default()];
        let reply = self.manager.cycle(self.cycle, &requests, &mut replies);
        self.cycle += 1;
        (replies.map(|reply| reply.granted), reply.unwrap().wake)
    }

    fn accessed(&mut self, warp: u16, highest: u32) -> bool {
        self.accesses([Some((warp, highest)), None]).0[0]
    }
}

#[test]
fn scratchpad_belongs_to_the_cta_that_was_first_until_that_ends() {
    let mut sm = Sm::new(LAVA_MD);
    assert!(sm.accessed(8, 719) && sm.accessed(0, 719));
    assert!(sm.manager.held().is_empty());
    // A warp of CTA 2, then all of that; of CTA 0 none, of the other pair whoever comes first.
    assert!(sm.accessed(8, 720) && sm.accessed(11, 7199));
    assert!(!sm.accessed(0, 720) && !sm.accessed(3, 7199));
    assert!(sm.accessed(3, 719) && sm.accessed(4, 720));
    assert!(!sm.accessed(12, u32::MAX));
    assert_eq!(sm.manager.held().len(), 8);
    // Warps that end keep it.
    for warp in 8..12 {
        sm.manager.warp_ended(WarpSlot(warp));
    }
    assert!(!sm.manager.has_news());
    sm.manager.cta_ended(CtaSlot(2));
    assert_eq!(sm.manager.held().len(), 4);
    let (granted, wake) = sm.accesses([Some((0, 720)), None]);
    assert!(wake && !granted[0]);
    assert!(sm.accessed(0, 720) && !sm.accessed(8, 720));
}

#[test]
fn a_cta_in_the_slot_of_one_whose_end_is_not_told_waits() {
    let mut sm = Sm::new(LAVA_MD);
    assert!(sm.accessed(0, 720) && sm.accessed(4, 720));
    sm.manager.cta_ended(CtaSlot(0));
    sm.manager.cta_ended(CtaSlot(1));
    // The first end is told now, the second in the next cycle: were this granted, that would take the lock away again.
    let (granted, wake) = sm.accesses([Some((4, 720)), None]);
    assert!(!granted[0] && wake);
    assert!(sm.accessed(4, 720) && !sm.manager.has_news());
    assert!(sm.accessed(4, 720) && !sm.accessed(12, 720));
}

/// Registers are placed as without sharing.
#[test]
fn where_scratchpad_is_shared_every_warp_has_its_registers() {
    let mut sm = Sm::new(LAVA_MD);
    let (replies, _) = sm.cycle([Some((0, &[0, 39])), Some((9, &[0, 39]))]);
    let packs = |reply: &IssueReply| reply.packs.iter().map(|pack| pack.0).collect::<Vec<_>>();
    assert_eq!(packs(&replies[0]), [0, 39]);
    assert_eq!(packs(&replies[1]), [360, 399]);
}
