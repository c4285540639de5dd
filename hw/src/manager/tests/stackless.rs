//! Register stacks of no packs: kernels that call nothing, whose registers would fill the file to the last pack.

use super::*;

/// 32 warps of 32 registers want all 1024 packs.
const SPEC: ManagerSpec = ManagerSpec::Stacks {
    warps_per_cta: 1,
    base_regs: 32,
    capacities: [0; 8],
    top: 0,
    level: None,
    known: [0; 8],
};

#[test]
fn a_warp_that_has_registers_has_the_last_one_too_and_one_warp_waits() {
    let mut manager = placed(SPEC, Backend::Lockstep);
    (0..32).for_each(|warp| manager.warp_started(WarpSlot(warp)));
    let mut replies = [IssueReply::default(), IssueReply::default()];
    for cycle in 0..200 {
        let reply = manager.cycle(cycle, &[None, None], &mut replies);
        reply.expect("no fault");
    }
    for warp in 0..31 {
        let reply = ask(&mut *manager, warp, RegOp::Access, &[0, 31]).expect("both exist");
        let first = 32 * warp;
        assert_eq!(reply.packs.as_slice(), [Pack(first), Pack(first + 31)]);
    }
    assert!(!granted(&mut *manager, 31, RegOp::Access));
}
