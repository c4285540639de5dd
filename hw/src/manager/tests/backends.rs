//! The backends give the same answers.

use super::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// Legal and illegal requests alike: the backends answer the same, and model and RTL never diverge.
    #[test]
    fn backends_answer_alike(
        kind in 0..8usize,
        asks in prop::collection::vec((any::<bool>(), 0u16..48, 0..3u8, 0u8..24, any::<bool>(), 0u16..48, 0..3u8, 0u8..24), 1..80),
    ) {
        let spec = [
            ManagerSpec::Baseline { regs_per_warp: 21 },
            EXAMPLE,
            ManagerSpec::Paired { base_regs: 18, ext_regs: 6, safe: false, owner_first: false },
            ManagerSpec::Paired { base_regs: 18, ext_regs: 6, safe: true, owner_first: true },
            ManagerSpec::Sharing { warps_per_cta: 8, private_regs: 3, shared_regs: 21, private_bytes: None, pairs: 1, unshared: 4, owner_first: true, dynamic: None },
            ManagerSpec::Sharing { warps_per_cta: 8, private_regs: 21, shared_regs: 0, private_bytes: Some(8), pairs: 1, unshared: 4, owner_first: false, dynamic: None },
            ManagerSpec::Sharing { warps_per_cta: 8, private_regs: 3, shared_regs: 21, private_bytes: None, pairs: 1, unshared: 4, owner_first: true, dynamic: Some(0) },
            ManagerSpec::RegMutex { base_regs: 18, ext_regs: 6, sections: 3, srp_offset: 48 * 18, owner_first: true },
        ][kind];
        let op = |op| [RegOp::Access, RegOp::Acquire, RegOp::Release][usize::from(op)];
        let mut managers = [Backend::Model, Backend::Rtl, Backend::Lockstep].map(|backend| placed(spec, backend));
        for (cycle, &(a, a_warp, a_op, a_reg, b, b_warp, b_op, b_reg)) in asks.iter().enumerate() {
            let mut requests = [
                a.then(|| request(a_warp, op(a_op), &[a_reg])).flatten(),
                b.then(|| request(b_warp, op(b_op), &[b_reg, 0])).flatten(),
            ];
            if kind == 5 {
                for request in requests.iter_mut().flatten() {
                    request.scratchpad = (a_reg != b_reg).then_some(u32::from(a_reg));
                }
            }
            for request in requests.iter_mut().flatten() {
                request.memory = a_reg.is_multiple_of(2);
            }
            let answers = managers.each_mut().map(|manager| {
                let mut replies = [IssueReply::default(), IssueReply::default()];
                let throttle = manager.throttle();
                manager.watch_stalls(StallWatch { issues: a, zero_stalls: b_warp });
                let chosen = manager.choose(u64::from(a_warp) << 20 | 0x55, 0x11);
                if cycle % 7 == 3 {
                    manager.warp_ended(WarpSlot(a_warp));
                    manager.cta_ended(CtaSlot(a_warp / 8));
                    manager.warp_started(WarpSlot(b_warp));
                }
                let reply = manager.cycle(cycle as u64, &requests, &mut replies);
                (throttle, chosen, reply, replies.map(|reply| (reply.granted, reply.again, reply.packs)))
            });
            prop_assert_eq!(&answers[0], &answers[1]);
            prop_assert_eq!(&answers[0], &answers[2]);
        }
        prop_assert_eq!(managers[0].held(), managers[1].held());
        prop_assert_eq!(managers[0].held(), managers[2].held());
    }
}
