//! Dynamic warp execution: who may access memory, and how SMs are compared.

use super::*;

/// Hotspot's CTAs: slots 0 to 2 share with 3 to 5.
fn on_sm(sm: u16) -> ManagerSpec {
    let spec = ManagerSpec::Sharing {
        warps_per_cta: 8,
        private_regs: 4,
        shared_regs: 32,
        private_bytes: None,
        pairs: 3,
        unshared: 0,
        owner_first: false,
        dynamic: Some(0),
    };
    spec.on_sm(sm)
}

struct Sm {
    manager: Box<dyn RegisterManager>,
    cycle: u64,
    throttle: Throttle,
}

impl Sm {
    fn new(sm: u16, backend: Backend) -> Sm {
        let mut manager = placed(on_sm(sm), backend);
        let throttle = manager.throttle().expect("agree").expect("dynamic");
        Sm {
            manager,
            cycle: 0,
            throttle,
        }
    }

    /// An SM cycle in which warps access registers, and memory where the last one says so.
    fn cycle(
        &mut self,
        asks: [Option<(u16, &[u8], bool)>; 2],
        watch: StallWatch,
    ) -> [IssueReply; 2] {
        let requests = asks.map(|ask| {
            let (warp, regs, memory) = ask?;
            let mut request = request(warp, RegOp::Access, regs)?;
            request.memory = memory;
            Some(request)
        });
        let mut replies = [IssueReply::default(), IssueReply::default()];
        self.manager.watch_stalls(watch);
        let reply = self.manager.cycle(self.cycle, &requests, &mut replies);
        reply.expect("no fault");
        self.cycle += 1;
        let throttle = self.manager.throttle();
        self.throttle = throttle.expect("agree").expect("dynamic");
        replies
    }

    fn ask(&mut self, warp: u16, regs: &[u8], memory: bool) -> IssueReply {
        let [reply, _] = self.cycle([Some((warp, regs, memory)), None], StallWatch::default());
        reply
    }

    /// Makes the CTA of warp 0 owner of its pair: warp 24, its partner, waits for it.
    fn with_owner(mut self) -> Sm {
        assert!(self.ask(0, &[4], false).granted);
        assert!(!self.ask(24, &[4], false).granted);
        self
    }

    /// In how many of 1000 cycles warps are held back; in each something issues, or nothing does.
    fn period(&mut self, issues: bool, zero_stalls: u16) -> u16 {
        let mut held = 0;
        for _ in 0..1000 {
            held += u16::from(self.throttle.held_back != 0);
            let watch = StallWatch {
                issues,
                zero_stalls,
            };
            self.cycle([None, None], watch);
        }
        held
    }
}

#[test]
fn on_sm_0_a_warp_behind_an_owner_never_accesses_memory_until_the_owner_has_ended() {
    let mut sm = Sm::new(0, Backend::Lockstep);
    // Nobody is owner: everybody may.
    assert_eq!(sm.throttle.held_back, 0);
    assert!(sm.ask(24, &[0], true).granted);
    let mut sm = sm.with_owner();
    for _ in 0..20 {
        assert_eq!(sm.throttle.held_back, 0xff << 24);
        let reply = sm.ask(25, &[0], true);
        assert!(!reply.granted && reply.again);
        assert!(sm.ask(25, &[0], false).granted, "no memory");
        assert!(sm.ask(1, &[0], true).granted, "owner");
        assert!(sm.ask(33, &[0], true).granted, "a pair without an owner");
    }
    // Refused for its lock it waits for a release.
    let reply = sm.ask(24, &[4], false);
    assert!(!reply.granted && !reply.again);
    for warp in 0..8 {
        sm.manager.warp_ended(WarpSlot(warp));
    }
    sm.manager.cta_ended(CtaSlot(0));
    while sm.manager.has_news() {
        sm.cycle([None, None], StallWatch::default());
    }
    // The partner is owner now, and who comes into slot 0 is not.
    assert_eq!(sm.throttle.held_back, 0xff);
    assert!(sm.ask(25, &[0], true).granted);
    assert!(!sm.ask(1, &[0], true).granted);
}

/// Were the end of the owner told before those of its warps, a refused partner would make it owner again, for ever.
#[test]
fn the_partner_of_a_cta_that_has_ended_is_owner_although_it_asked_until_the_end() {
    let mut sm = Sm::new(0, Backend::Lockstep).with_owner();
    for warp in 1..8 {
        assert!(sm.ask(warp, &[4], false).granted);
    }
    for warp in 0..8 {
        sm.manager.warp_ended(WarpSlot(warp));
    }
    sm.manager.cta_ended(CtaSlot(0));
    let mut cycles = 0;
    while sm.manager.has_news() {
        let both = [Some((24, [4].as_slice(), false)), Some((25, &[4], false))];
        sm.cycle(both, StallWatch::default());
        cycles += 1;
        assert!(cycles < 40);
    }
    sm.ask(24, &[4], false);
    assert_eq!(sm.throttle.held_back, 0xff);
    assert!(sm.ask(24, &[4], true).granted);
}

#[test]
fn other_sms_hold_back_a_tenth_more_after_each_period_with_more_stalls_than_sm_0() {
    let mut sm = Sm::new(1, Backend::Model).with_owner();
    // The period began with the pairs, so its end lies a few cycles before that of these.
    assert!(sm.period(false, 0) < 5, "probability 1 at first");
    for tenths in 1..=4u16 {
        let held = sm.period(false, 0);
        let expected = 100 * tenths;
        assert!(held.abs_diff(expected) < 60, "{held}, not {expected}");
    }
    // As many as on SM 0, then fewer.
    for (issues, expected) in [(false, 500), (true, 500), (true, 400), (true, 300)] {
        let held = sm.period(issues, 1000);
        assert!(held.abs_diff(expected) < 60, "{held}, not {expected}");
    }
}

#[test]
fn a_cycle_in_which_no_scheduler_issues_is_a_stall_cycle() {
    let mut sm = Sm::new(1, Backend::Lockstep).with_owner();
    let stalls = |sm: &Sm| sm.throttle.stalls;
    // The pairs were made in the first cycles of the period; nothing was counted then.
    let before = stalls(&sm);
    assert_eq!(before, 1, "warp 24 was refused");
    sm.cycle([None, None], StallWatch::default());
    assert_eq!(stalls(&sm), before + 1);
    let issues = StallWatch {
        issues: true,
        ..StallWatch::default()
    };
    sm.cycle([None, None], issues);
    sm.cycle([Some((24, &[4], false)), None], issues);
    assert!(sm.ask(1, &[0], true).granted);
    let both = [Some((24, [4].as_slice(), false)), Some((1, &[0], false))];
    let [refused, granted] = sm.cycle(both, StallWatch::default());
    assert!(!refused.granted && granted.granted);
    assert_eq!(stalls(&sm), before + 1, "one issues");
    assert!(!sm.ask(24, &[4], false).granted);
    assert_eq!(stalls(&sm), before + 2);
}

#[test]
fn without_dynamic_warp_execution_nobody_is_held_back() {
    assert_eq!(
        placed(EXAMPLE.on_sm(3), Backend::Model).throttle(),
        Ok(None)
    );
}

/// The hardware's clock goes round twice in a cycle, the throttle's does not.
#[test]
fn with_four_schedulers_a_period_is_as_many_sm_cycles() {
    let four = Geometry {
        schedulers: 4,
        ..GTX480
    };
    for (sm, held) in [(0, 1000), (1, 100)] {
        let mut manager = build(on_sm(sm), four, Backend::Model).expect("fits");
        manager.place();
        let paths: Vec<_> = manager.units().into_iter().map(|unit| unit.path).collect();
        assert_eq!(paths, ["owf_top", "dynamic_throttle"]);
        let mut at = 0;
        let mut cycle = |asks: [Option<u16>; 4]| {
            let throttle = manager.throttle().expect("agree").expect("dynamic");
            let requests = asks.map(|ask| {
                let mut request = request(ask?, RegOp::Access, &[if at < 2 { 4 } else { 0 }])?;
                request.memory = at >= 2;
                Some(request)
            });
            let mut replies = vec![IssueReply::default(); 4];
            manager.watch_stalls(StallWatch::default());
            let reply = manager.cycle(at, &requests, &mut replies);
            reply.expect("no fault");
            at += 1;
            (throttle, replies)
        };
        // Of the pair of warps 2 and 26, schedulers 2, the lower CTA becomes owner.
        cycle([None, None, Some(2), None]);
        cycle([None, None, Some(26), None]);
        let mut stalls = Vec::new();
        let mut refused = 0;
        for _ in 2..2000 {
            let (throttle, replies) = cycle([None, None, Some(26), None]);
            let is_held = throttle.held_back >> 26 & 1 == 1;
            assert_eq!(is_held, !replies[2].granted);
            assert_eq!(is_held, replies[2].again);
            refused += i32::from(is_held);
            stalls.push(throttle.stalls);
        }
        let first_period = i32::from(sm == 0) * 998;
        assert!((refused - first_period - held).abs() < 60, "{refused}");
        // At its end all cycles of the period stand there: those in which nobody went on.
        let expected = if sm == 0 { 999 } else { 1 };
        assert_eq!(stalls[998], expected);
    }
}
