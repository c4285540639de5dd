//! Owner warps first where warps acquire and release: who holds an extended set issues before who needs none, and that one before
//! who would have to acquire.

use super::sharing::sharing_kernel;
use super::support::*;
use crate::machine::SchedulerPolicy;
use crate::observe::probe::ProbeError;
use crate::observe::watch::{Event, Listing, Slots, States, Watcher};
use crate::sm::{RunOptions, RunResult, run};
use regshare_hw::manager::{Backend, ManagerSpec};
use std::sync::{Arc, Mutex};

/// Compares every warp that issues with those that its scheduler did not choose.
#[derive(Default)]
struct Order {
    insts: Vec<String>,
    schedulers: usize,
    holders: u64,
    not_chosen: u64,
    pcs: Vec<u32>,
    /// Issued, while a warp of another class was ready.
    compared: u32,
    /// Issued before a warp of a better class.
    wrong: u32,
}

impl Order {
    fn is(&self, pc: u32, op: &str) -> bool {
        self.insts[pc as usize].starts_with(op)
    }

    /// The kind of unit that takes the instruction; `None`: it is done at issue.
    fn unit(&self, pc: u32) -> Option<bool> {
        let any = |ops: &[&str]| ops.iter().any(|op| self.is(pc, op));
        (!any(&["acquire", "release", "exit"])).then(|| any(&["ld", "st"]))
    }

    fn class(&self, warp: usize) -> u8 {
        match self.holders >> warp & 1 {
            1 => 0,
            _ if self.is(self.pcs[warp], "acquire") => 2,
            _ => 1,
        }
    }
}

impl Watcher for Order {
    fn begin(&mut self, listing: &Listing) -> Result<(), ProbeError> {
        self.insts = listing.insts.iter().map(|inst| inst.text.clone()).collect();
        self.schedulers = listing.schedulers;
        Ok(())
    }

    fn wants_pipeline(&self) -> bool {
        true
    }

    fn event(&mut self, _: u64, event: &Event) {
        match event {
            Event::States { states, pcs } => {
                self.not_chosen = states.masks[States::NOT_CHOSEN];
                self.pcs = pcs.to_vec();
            }
            Event::Issued { warp, pc, .. } => {
                let class = self.class(*warp);
                // For its own unit there was room, and what is done at issue needs none; others may have found theirs taken.
                let unit = self.unit(*pc);
                let others = (*warp % self.schedulers..self.pcs.len()).step_by(self.schedulers);
                let others: Vec<u8> = (others.filter(|&other| self.not_chosen >> other & 1 == 1))
                    .filter(|&other| [None, unit].contains(&self.unit(self.pcs[other])))
                    .map(|other| self.class(other))
                    .collect();
                self.compared += u32::from(others.iter().any(|&other| other != class));
                self.wrong += u32::from(others.iter().any(|&other| other < class));
                if self.is(*pc, "acquire") {
                    self.holders |= 1 << warp;
                } else if self.is(*pc, "release") {
                    self.holders &= !(1 << warp);
                }
            }
            _ => {}
        }
    }

    fn slots(&mut self, _: u64, _: Slots) {}

    fn end(&mut self, _: u64) -> Result<(), ProbeError> {
        Ok(())
    }
}

/// Runs forty warps with four sections; how often there was an order to keep, and how often it was not kept.
fn ordered(owner_first: bool, policy: SchedulerPolicy, backend: Backend) -> (RunResult, u32, u32) {
    let kernel = sharing_kernel(3);
    let mut plan = sharing_plan(&kernel, 256, 16, 8, 4);
    let ManagerSpec::RegMutex {
        owner_first: first, ..
    } = &mut plan.manager
    else {
        panic!("{:?}", plan.manager);
    };
    *first = owner_first;
    let order = Arc::new(Mutex::new(Order::default()));
    let options = RunOptions {
        scheduler: Some(policy),
        backend,
        watchers: vec![order.clone()],
        ..RunOptions::default()
    };
    let result = run(&plan, &launch(5, 256), &gtx480(), &options);
    let result = result.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(words(&result, 1280), vec![3; 1280]);
    let order = order.lock().unwrap();
    (result, order.compared, order.wrong)
}

#[test]
fn who_holds_an_extended_set_issues_first_and_who_would_acquire_last() {
    // The choice is the hardware's, whatever the policy of the schedulers.
    let (model, compared, wrong) = ordered(true, SchedulerPolicy::Oldest, Backend::Model);
    assert!(compared > 100, "{compared}");
    assert_eq!(wrong, 0, "of {compared}");
    let (both, ..) = ordered(true, SchedulerPolicy::Lrr, Backend::Lockstep);
    assert_eq!(model.counters, both.counters);
    for policy in [SchedulerPolicy::Gto, SchedulerPolicy::Oldest] {
        let (_, _, wrong) = ordered(false, policy, Backend::Model);
        assert!(wrong > 0, "{policy} keeps the order, too");
    }
}
