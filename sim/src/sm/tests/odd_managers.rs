//! What the SM does when the register hardware is wrong: a foreign pack, and refusals without end.

use super::support::*;
use crate::kernel::{Inst, Operand, Special};
use crate::memory::system::LatencyBandwidth;
use crate::sm::api::{RunResult, run_parts};
use crate::sm::{RunError, RunOptions};
use regshare_hw::ids::Pack;
use regshare_hw::manager::{
    CycleReply, Holding, IssueReply, IssueRequest, ManagerFault, PinSink, RegisterManager, UnitPins,
};

const TID: Operand = Operand::Special(Special::Tid(0));

/// A baseline's manager that is wrong from a cycle on.
#[derive(Default)]
struct Odd {
    /// From then on register 6 of a warp is in the pack of the next warp's.
    shifts_from: Option<u64>,
    /// From then on every instruction is refused, and something has changed in every cycle.
    refuses_from: Option<u64>,
    refuses: bool,
}

impl RegisterManager for Odd {
    fn place(&mut self) {}

    fn cycle(
        &mut self,
        cycle: u64,
        requests: &[Option<IssueRequest>],
        replies: &mut [IssueReply],
    ) -> Result<CycleReply, ManagerFault> {
        let since = |from: Option<u64>| from.is_some_and(|from| cycle >= from);
        self.refuses = since(self.refuses_from);
        let granted = requests.iter().zip(replies).filter(|_| !self.refuses);
        for (request, reply) in granted {
            let Some(request) = request else { continue };
            reply.granted = true;
            let pack = |reg: u8| {
                let shift = u16::from(reg == 6 && since(self.shifts_from)) * 24;
                Pack((request.warp.0 * 24 + u16::from(reg) + shift) % 1024)
            };
            reply.packs = request.regs.iter().map(|reg| pack(reg.0)).collect();
        }
        Ok(CycleReply::default())
    }

    fn has_news(&self) -> bool {
        self.refuses
    }

    fn held(&self) -> Vec<Holding> {
        Vec::new()
    }

    fn units(&self) -> Vec<UnitPins> {
        Vec::new()
    }

    fn set_sink(&mut self, _: Option<Box<dyn PinSink>>) {}
}

/// Two warps run `insts` behind the prologue under `odd`; a run that does not end is cut off soon.
fn run_odd(
    insts: Vec<Inst>,
    odd: Odd,
    latency: u16,
    every_cycle: bool,
) -> Result<RunResult, RunError> {
    let mut code = prologue();
    code.extend(insts);
    code.push(exit());
    let options = RunOptions {
        every_cycle,
        cycle_limit: Some(200_000),
        ..RunOptions::default()
    };
    run_parts(
        &plan(&kernel(vec![code]), 64),
        &launch(1, 64),
        &gtx480(),
        &options,
        Box::new(LatencyBandwidth::new(latency, 16, 8)),
        Box::new(odd),
    )
}

#[test]
fn read_of_another_warps_pack_stops_the_run_and_names_both() {
    let mut insts = vec![mov(6, TID)];
    insts.extend((0..30).map(|_| add(7, r(6), imm(1))));
    let odd = Odd {
        shifts_from: Some(61),
        ..Odd::default()
    };
    let outcome = run_odd(insts, odd, 20, false);
    let Err(RunError::ForeignRegister {
        place,
        reg,
        found: Some(owner),
        ..
    }) = outcome
    else {
        panic!("{outcome:?}");
    };
    assert_eq!((place.warp, reg.0), (0, 6));
    assert_eq!((owner.warp, owner.reg.0), (1, 6));
    assert!(place.line.0 > 6);
}

#[test]
fn run_in_which_no_instruction_ever_issues_again_ends_and_says_so() {
    let with = |refuses_from, every_cycle| {
        let mut insts: Vec<_> = (0..40).map(|_| add(6, TID, imm(1))).collect();
        insts.push(put(6));
        let odd = Odd {
            refuses_from,
            ..Odd::default()
        };
        run_odd(insts, odd, 20, every_cycle)
    };
    assert!(with(None, false).is_ok());
    for every_cycle in [false, true] {
        let outcome = with(Some(60), every_cycle);
        let Err(RunError::Livelock { cycles, state }) = outcome else {
            panic!("{outcome:?}");
        };
        assert!(state.cycle > u64::from(cycles) && state.cycle < 160 + u64::from(cycles));
        assert_eq!(state.warps.len(), 2);
        assert!(state.warps.iter().all(|warp| warp.place.line.0 > 6));
    }
}

#[test]
fn slow_memory_is_no_livelock() {
    let insts = vec![add(6, TID, imm(1)), put(6)];
    let result = run_odd(insts, Odd::default(), 60_000, true).expect("ends");
    assert_eq!(words(&result, 64)[..3], [1, 2, 3]);
    assert!(result.counters.cycles > 60_000);
}
