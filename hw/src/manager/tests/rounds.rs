//! Four schedulers on hardware with two issue ports: each pair of them has a round, in turn the first.

use super::*;

const FOUR: Geometry = Geometry {
    schedulers: 4,
    ..GTX480
};

/// A manager for four schedulers, and its clock.
struct Sm {
    manager: Box<dyn RegisterManager>,
    cycle: u64,
}

impl Sm {
    fn new(spec: ManagerSpec) -> Sm {
        let mut manager = build(spec, FOUR, Backend::Lockstep).expect("fits");
        manager.place();
        Sm { manager, cycle: 0 }
    }

    /// A cycle with what each scheduler proposes.
    fn cycle(&mut self, requests: &[Option<IssueRequest>; 4]) -> (Vec<IssueReply>, CycleReply) {
        let mut replies = vec![IssueReply::default(); 4];
        self.manager.answers().expect("agree");
        let reply = self.manager.cycle(self.cycle, requests, &mut replies);
        self.cycle += 1;
        (replies, reply.expect("no fault"))
    }

    /// Who goes on of warps that all ask for the same.
    fn granted(&mut self, warps: [u16; 4], op: RegOp, regs: &[u8]) -> ([bool; 4], bool) {
        let (replies, reply) = self.cycle(&warps.map(|warp| request(warp, op, regs)));
        (
            std::array::from_fn(|index| replies[index].granted),
            reply.wake,
        )
    }
}

#[test]
fn four_warps_find_their_registers_in_one_cycle() {
    let mut sm = Sm::new(ManagerSpec::Baseline { regs_per_warp: 20 });
    for _ in 0..2 {
        let warps = [4, 9, 46, 3];
        let requests = warps.map(|warp| request(warp, RegOp::Access, &[0, 5, 19, 7, 8]));
        let (replies, _) = sm.cycle(&requests);
        for (warp, reply) in warps.into_iter().zip(&replies) {
            let packs: Vec<u16> = reply.packs.iter().map(|pack| pack.0).collect();
            assert_eq!(packs, [0, 5, 19, 7, 8].map(|reg| warp * 20 + reg));
        }
    }
}

/// A port grants one acquire per clock cycle: in each round one of two, and in the next cycle the others.
#[test]
fn each_pair_has_a_round_and_who_was_outbid_is_woken() {
    let mut sm = Sm::new(EXAMPLE);
    let warps = [0, 1, 2, 3];
    let (first, wake) = sm.granted(warps, RegOp::Acquire, &[]);
    assert_eq!((first, wake), ([true, false, false, true], true));
    let (second, _) = sm.granted(warps, RegOp::Acquire, &[]);
    assert_eq!(second, [true; 4]);
    assert_eq!(sm.manager.held().len(), 4);
}

#[test]
fn what_the_first_round_gives_back_the_second_can_have() {
    let mut sm = Sm::new(EXAMPLE);
    for warp in 0..26 {
        let mut requests = [None, None, None, None];
        requests[usize::from(warp % 4)] = request(warp, RegOp::Acquire, &[]);
        assert!(sm.cycle(&requests).0[usize::from(warp % 4)].granted);
    }
    assert_eq!(sm.cycle % 2, 0);
    let trade = |released, wanted| {
        [
            request(released, RegOp::Release, &[]),
            None,
            request(wanted, RegOp::Acquire, &[]),
            None,
        ]
    };
    let (replies, _) = sm.cycle(&trade(0, 34));
    assert!(replies[0].granted && replies[2].granted);
    // Schedulers 2 and 3 now come first.
    let (replies, reply) = sm.cycle(&trade(4, 38));
    assert!(replies[0].granted && !replies[2].granted && reply.wake);
    let (replies, _) = sm.cycle(&[None, None, request(38, RegOp::Acquire, &[]), None]);
    assert!(replies[2].granted);
}

#[test]
fn owners_go_first_under_each_of_four_schedulers() {
    let mut sm = Sm::new(ManagerSpec::Sharing {
        warps_per_cta: 8,
        private_regs: 4,
        shared_regs: 32,
        private_bytes: None,
        pairs: 3,
        unshared: 0,
        owner_first: true,
        dynamic: None,
    });
    let choose = |sm: &mut Sm, ready| sm.manager.choose(ready, 0).unwrap().unwrap();
    assert_eq!(
        choose(&mut sm, 0b1111_0000),
        [4, 5, 6, 7].map(|warp| Some(WarpSlot(warp)))
    );
    assert_eq!(
        choose(&mut sm, 1 << 6 | 1 << 3),
        [None, None, Some(WarpSlot(6)), Some(WarpSlot(3))]
    );
    // Warps 24 to 27 take the locks of their pairs, and go before the older ones.
    let (granted, _) = sm.granted([24, 25, 26, 27], RegOp::Access, &[4]);
    assert_eq!(granted, [true; 4]);
    for _ in 0..4 {
        let (granted, _) = sm.granted([0, 1, 2, 3], RegOp::Access, &[4]);
        assert_eq!(granted, [false; 4]);
    }
    let owners = choose(&mut sm, 0x0f00_000f);
    assert_eq!(owners, [24, 25, 26, 27].map(|warp| Some(WarpSlot(warp))));
}

/// Renaming in hardware of so many clock cycles in one of the SM.
fn renames(clocks: u8) -> ManagerSpec {
    ManagerSpec::Renaming {
        warps_per_cta: 8,
        regs: 20,
        ctas: 4,
        shrink: 0,
        exempt: 0,
        clocks,
        flag_entries: 10,
        wake_up: 1,
        hardware_only: false,
        spills: false,
        need: 160,
        most: None,
    }
}

/// A CTA starts, and the hardware has been told.
fn start_cta(sm: &mut Sm) {
    for warp in 0..8 {
        sm.manager.warp_started(WarpSlot(warp));
    }
    while sm.manager.has_news() {
        sm.cycle(&[None, None, None, None]);
    }
    sm.cycle += sm.cycle % 2;
}

/// An instruction that reads up to three registers.
fn reads(warp: u16, regs: &[u8]) -> Option<IssueRequest> {
    let mut request = request(warp, RegOp::Access, regs).expect("one");
    for pin in 0..regs.len() as u8 {
        let place = Place {
            step: 0,
            pin,
            flagged: false,
        };
        request.places.push(place);
    }
    Some(request)
}

/// Who goes on in each of `cycles` cycles of two schedulers that always have an instruction like this, and the answers in all.
fn two_schedulers(clocks: u8, regs: &[u8], cycles: usize) -> (Vec<[bool; 2]>, usize) {
    let two = Geometry {
        schedulers: 2,
        ..GTX480
    };
    let mut manager = build(renames(clocks), two, Backend::Lockstep).expect("fits");
    manager.place();
    for warp in 0..8 {
        manager.warp_started(WarpSlot(warp));
    }
    let (mut cycle, mut answers) = (0, 0);
    let mut granted = Vec::new();
    while granted.len() < cycles || manager.has_news() {
        answers += manager.answers().expect("agree").len();
        let mut requests: [Option<IssueRequest>; 2] = Default::default();
        if cycle >= 8 && granted.len() < cycles {
            let busy = [0, 1].map(|scheduler| manager.is_busy(scheduler));
            requests = [0, 1].map(|warp: u16| match busy[usize::from(warp)] {
                true => None,
                false => reads(warp, regs),
            });
        }
        let mut replies = [IssueReply::default(), IssueReply::default()];
        (manager.cycle(cycle, &requests, &mut replies)).expect("no fault");
        if cycle >= 8 && granted.len() < cycles {
            granted.push([replies[0].granted, replies[1].granted]);
        }
        cycle += 1;
    }
    let steps = manager.renaming_counts(cycle).expect("renames").steps;
    let begun = granted.iter().flatten().filter(|granted| **granted).count();
    assert_eq!(steps, begun as u64, "each goes through the table once");
    (granted, answers)
}

#[test]
fn a_table_of_two_clocks_takes_an_instruction_of_each_scheduler_in_every_cycle() {
    let (granted, answers) = two_schedulers(2, &[0, 1, 2], 6);
    assert_eq!(granted, [[true; 2]; 6]);
    assert_eq!(answers, 6 * 2 * 3);
    // Of one clock: one instruction, of each scheduler in turn.
    let (granted, _) = two_schedulers(1, &[0, 1, 2], 6);
    for cycle in &granted {
        assert_ne!(cycle[0], cycle[1]);
    }
    assert_eq!(granted.iter().filter(|cycle| cycle[0]).count(), 3);
}

/// Two registers of one bank take two clock cycles, all that there are in a cycle of the SM: neither scheduler is kept waiting.
#[test]
fn two_clocks_serve_both_schedulers_in_turn_if_each_instruction_takes_both() {
    let (granted, _) = two_schedulers(2, &[0, 4], 8);
    for scheduler in 0..2 {
        let begun = granted.iter().filter(|cycle| cycle[scheduler]).count();
        assert!((3..=5).contains(&begun), "{granted:?}");
    }
}

/// The renaming table takes this instruction in two of its cycles: the other scheduler of the port asks again.
#[test]
fn a_port_that_is_taken_is_no_reason_to_wait_for_something_freed() {
    let mut sm = Sm::new(renames(2));
    start_cta(&mut sm);
    let (replies, _) = sm.cycle(&[reads(0, &[0, 4, 8]), None, reads(2, &[0, 4, 8]), None]);
    assert!(replies[0].granted);
    assert!(!replies[2].granted && replies[2].again);
    let located = |sm: &mut Sm| sm.manager.answers().expect("agree").len();
    assert!(sm.manager.is_busy(0) && !sm.manager.is_busy(2));
    // Three sources of one bank: three cycles of the clock, two answers in the first cycle.
    assert_eq!(located(&mut sm), 2);
}
