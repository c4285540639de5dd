//! The size of register stacks, chosen for all SMs of a launch together (CARS III-B).

use super::*;

/// Low, 2xLow, 3xLow and High.
const SPEC: ManagerSpec = ManagerSpec::Stacks {
    warps_per_cta: 1,
    base_regs: 8,
    capacities: [4, 8, 12, 16, 0, 0, 0, 0],
    top: 3,
    level: None,
    known: [0; 8],
};

struct Sms(Vec<Box<dyn RegisterManager>>);

impl Sms {
    fn new(count: u16) -> Sms {
        Self::of(SPEC, count)
    }

    fn of(spec: ManagerSpec, count: u16) -> Sms {
        let mut sms = build_for_sms(spec, GTX480, Backend::Lockstep, count).expect("fits");
        sms.iter_mut().for_each(|sm| sm.place());
        Sms(sms)
    }

    /// Tells the hardware what has happened, from cycle `at` on.
    fn tell(&mut self, sm: usize, at: u64) {
        let mut replies = [IssueReply::default(), IssueReply::default()];
        for cycle in at.. {
            if !self.0[sm].has_news() {
                break;
            }
            let reply = self.0[sm].cycle(cycle, &[None, None], &mut replies);
            reply.expect("no fault");
        }
    }

    /// The level of a CTA of one warp that is launched in this slot.
    fn launch(&mut self, sm: usize, slot: u16, at: u64) -> usize {
        let counts = |sms: &mut Sms| sms.0[sm].stack_counts().expect("stacks").ctas_at_level;
        let before = counts(self);
        self.0[sm].warp_started(WarpSlot(slot));
        self.tell(sm, at);
        let after = counts(self);
        let mut levels = (0..8).filter(|&level| after[level] > before[level]);
        levels.next().expect("counted")
    }

    fn end(&mut self, sm: usize, slot: u16, at: u64) {
        self.0[sm].warp_ended(WarpSlot(slot));
        self.0[sm].cta_ended(CtaSlot(slot));
        self.tell(sm, at);
    }

    fn best(&mut self, sm: usize) -> Option<u8> {
        self.0[sm].stack_counts().expect("stacks").best_level
    }
}

#[test]
fn half_of_the_sms_begin_low_and_half_high_and_go_on_by_what_all_have_measured() {
    let mut sms = Sms::new(4);
    let begun: Vec<usize> = (0..4).map(|sm| sms.launch(sm, 0, 0)).collect();
    assert_eq!(begun, [0, 3, 0, 3]);
    // Nobody has measured High.
    sms.end(0, 0, 9000);
    assert_eq!(sms.launch(2, 1, 9010), 0);
    // It does better: the other half steps towards it, that of the SM that has not ended a CTA as well.
    sms.end(3, 0, 9020);
    sms.end(1, 0, 5000);
    assert_eq!((sms.best(0), sms.best(2)), (Some(3), Some(3)));
    assert_eq!(sms.launch(2, 2, 9030), 1);
    assert_eq!(sms.launch(1, 1, 9040), 3);
    // 2xLow is not measured: its half stays there.
    assert_eq!(sms.launch(0, 1, 9050), 1);
}

#[test]
fn one_sm_stands_for_both_halves() {
    let mut sms = Sms::new(1);
    let begun: Vec<usize> = (0..4).map(|slot| sms.launch(0, slot, 0)).collect();
    assert_eq!(begun, [0, 3, 0, 3]);
}

/// Two CTAs share the first 4000 cycles, and the other has 1000 for itself: it took 3000, the first one 2000.
#[test]
fn a_cta_takes_its_share_of_the_cycles_and_not_the_time_since_the_last_one_ended() {
    let mut sms = Sms::new(1);
    assert_eq!((sms.launch(0, 0, 0), sms.launch(0, 1, 0)), (0, 3));
    sms.end(0, 1, 4000);
    sms.end(0, 0, 5000);
    assert_eq!(sms.best(0), Some(3));
    let took = sms.0[0].stack_counts().expect("stacks").cycles_at_level;
    // What starts and ends is told in a cycle or two.
    assert!(
        took[0].abs_diff(3000) < 4 && took[3].abs_diff(2000) < 4,
        "{took:?}"
    );
    assert_eq!(took[1], 0);
}

#[test]
fn sms_begin_with_the_best_of_earlier_launches_and_leave_it_where_it_does_worse_now() {
    let mut spec = SPEC;
    if let ManagerSpec::Stacks { known, .. } = &mut spec {
        *known = [9000, 0, 8500, 8000, 0, 0, 0, 0];
    }
    let mut sms = Sms::of(spec, 2);
    assert_eq!((sms.launch(0, 0, 0), sms.launch(1, 0, 0)), (3, 3));
    assert_eq!(sms.best(1), Some(3));
    // It does worse than 3xLow and Low did: an eighth of it counts.
    sms.end(0, 0, 20_000);
    assert_eq!(sms.best(1), Some(2));
    assert_eq!(sms.launch(1, 1, 20_010), 2);
    assert_eq!(sms.launch(0, 0, 20_020), 2);
    let took = sms.0[1].stack_counts().expect("stacks").cycles_at_level;
    assert_eq!((took[0], took[1], took[2]), (9000, 0, 8500));
    assert!(took[3].abs_diff(7 * 1000 + 2500) < 4, "{took:?}");
}
