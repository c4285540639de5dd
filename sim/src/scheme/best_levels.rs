//! What register stacks learn from one launch of a kernel for the next (CARS III-B).

use super::Plan;
use crate::sm::RunResult;
use regshare_hw::manager::ManagerSpec;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// By kernel name: the sizes of stacks that there were, and the best level of them.
type Known = BTreeMap<String, ([u16; 8], u8)>;

/// The best level of each kernel by its name, with the sizes of stacks that it was one of. Clones share what they know.
#[derive(Clone, Debug, Default)]
pub struct BestLevels(Arc<Mutex<Known>>);

impl BestLevels {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the plan leaves the level of the stacks to the hardware, it is the best of the launch before, if one is known.
    pub fn apply(&self, plan: &mut Plan) {
        let ManagerSpec::Stacks {
            capacities,
            level: level @ None,
            ..
        } = &mut plan.manager
        else {
            return;
        };
        // A launch with other CTAs may have stacks of other sizes.
        let known = self.known();
        let same = known
            .get(&plan.kernel.name)
            .filter(|(sizes, _)| sizes == capacities);
        if let (Some((_, best)), Some(stacks)) = (same, &mut plan.stacks) {
            (*level, stacks.remembered) = (Some(*best), Some(*best));
        }
    }

    /// Remembers the best level of a launch in which the hardware chose and measured.
    pub fn learn(&self, plan: &Plan, result: &RunResult) {
        let ManagerSpec::Stacks {
            capacities,
            level: None,
            ..
        } = plan.manager
        else {
            return;
        };
        if let Some(best) = result.stacks.and_then(|counts| counts.best_level) {
            self.known()
                .insert(plan.kernel.name.clone(), (capacities, best));
        }
    }
}
