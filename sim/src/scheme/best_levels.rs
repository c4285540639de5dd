//! What register stacks learn from one launch of a kernel for the next (CARS III-B).

use super::Plan;
use crate::sm::RunResult;
use regshare_hw::manager::ManagerSpec;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// By kernel name: the sizes of stacks that there were, and what CTAs with each of them took on average, cycles; 0: there was none.
type Known = BTreeMap<String, ([u16; 8], [u32; 8])>;

/// What CTAs took by the size of their stacks, of each kernel by its name. Clones share what they know.
#[derive(Clone, Debug, Default)]
pub struct BestLevels(Arc<Mutex<Known>>);

impl BestLevels {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the plan leaves the level of the stacks to the hardware, it knows what the launches before have measured.
    pub fn apply(&self, plan: &mut Plan) {
        let ManagerSpec::Stacks {
            capacities,
            level: None,
            known,
            ..
        } = &mut plan.manager
        else {
            return;
        };
        // A launch with other CTAs may have stacks of other sizes.
        let all = self.known();
        let same = all
            .get(&plan.kernel.name)
            .filter(|(sizes, _)| sizes == capacities);
        let Some((_, took)) = same else {
            return;
        };
        *known = *took;
        let measured = (0..).zip(took).filter(|&(_, &cycles)| cycles > 0);
        let best = measured.min_by_key(|&(_, &cycles)| cycles);
        if let Some(stacks) = &mut plan.stacks {
            stacks.remembered = best.map(|(level, _)| level);
        }
    }

    /// Remembers what CTAs took in a launch in which the hardware chose and measured.
    pub fn learn(&self, plan: &Plan, result: &RunResult) {
        let ManagerSpec::Stacks {
            capacities,
            level: None,
            ..
        } = plan.manager
        else {
            return;
        };
        let took = result.stacks.map(|counts| counts.cycles_at_level);
        if let Some(took) = took.filter(|took| *took != [0; 8]) {
            let name = plan.kernel.name.clone();
            self.known().insert(name, (capacities, took));
        }
    }
}
