//! The SM's view: whose sets are taken before and after the cycle. Locks and mapping are the plain models of theirs.

use super::{PairedTopIn, PairedTopOut};
use crate::clocked::Clocked;
use crate::common::issue::{Answer, Issue};
use crate::common::lookup::{Answers, Lookups};
use crate::manager::RegOp;
use crate::regmutex::paired_lock::model::{PairBitModel, WarpBitModel};
use crate::regmutex::paired_lock::{PairedLockIn, PairedLockOut};
use crate::regmutex::paired_mapper::{self, PairedMapperIn};

/// A lock that can be asked who holds.
pub trait Lock<const NW: usize>:
    Clocked<In = PairedLockIn<NW>, Out = PairedLockOut<NW>> + Clone + Default
{
    /// Whether `warp` holds the set of its pair, as far as this lock knows: the paper's knows it of the pair only.
    fn holds(&self, warp: usize) -> bool;
}

impl<const NW: usize> Lock<NW> for PairBitModel<NW> {
    fn holds(&self, warp: usize) -> bool {
        self.taken(warp)
    }
}

impl<const NW: usize> Lock<NW> for WarpBitModel<NW> {
    fn holds(&self, warp: usize) -> bool {
        WarpBitModel::holds(self, warp)
    }
}

/// Plain model of paired warps in one SM.
#[derive(Clone, Debug, Default)]
pub struct Model<L, const NW: usize, const PACKS: usize> {
    lock: L,
}

/// With the paper's lock.
pub type PairBitTop<const NW: usize, const PACKS: usize> = Model<PairBitModel<NW>, NW, PACKS>;
/// With the safe lock.
pub type WarpBitTop<const NW: usize, const PACKS: usize> = Model<WarpBitModel<NW>, NW, PACKS>;

impl<L: Lock<NW>, const NW: usize, const PACKS: usize> Model<L, NW, PACKS> {
    /// The answer to `issue`, whose change is granted or not; `has` says whether its warp has the set for it.
    fn answer(
        &self,
        pins: &PairedTopIn<NW, PACKS>,
        warp: u8,
        issue: Option<Issue>,
        granted: bool,
        has: bool,
    ) -> Answer {
        let held = self.lock.holds(warp.into());
        let goes = |issue: &Issue| !pins.clear && (issue.op == RegOp::Access || granted);
        let Some(issue) = issue.filter(goes) else {
            return Answer {
                held,
                ..Answer::default()
            };
        };
        let mut look_up = PairedMapperIn::<NW, PACKS> {
            widx: warp,
            base_regs: pins.base_regs,
            ext_regs: pins.ext_regs,
            ext_held: has,
            ..PairedMapperIn::default()
        };
        look_up.set_lookups(issue.regs);
        Answer {
            grant: true,
            held,
            packs: paired_mapper::model::Model.outputs(&look_up).packs(),
        }
    }

    fn respond(&self, pins: &PairedTopIn<NW, PACKS>) -> (PairedTopOut<NW, PACKS>, Self) {
        let (a, b) = (pins.a(), pins.b());
        let op = |issue: Option<Issue>| issue.map_or(RegOp::Access, |issue| issue.op);
        let (a_op, b_op) = (op(a), op(b));
        let mut after = self.clone();
        let out = after.lock.edge(&PairedLockIn {
            clear: pins.clear,
            favor_b: pins.favor_b,
            a_valid: a_op != RegOp::Access,
            a_release: a_op == RegOp::Release,
            a_warp: pins.a_warp,
            b_valid: b_op != RegOp::Access,
            b_release: b_op == RegOp::Release,
            b_warp: pins.b_warp,
        });
        // An instruction has the set from the cycle of its acquire to that of its release.
        let has = |warp: u8, op: RegOp, granted: bool| {
            self.lock.holds(warp.into()) || (granted && op == RegOp::Acquire)
        };
        let answers = [
            self.answer(
                pins,
                pins.a_warp,
                a,
                out.a_grant,
                has(pins.a_warp, a_op, out.a_grant),
            ),
            self.answer(
                pins,
                pins.b_warp,
                b,
                out.b_grant,
                has(pins.b_warp, b_op, out.b_grant),
            ),
        ];
        let taken = |state: &Self, pair: usize| {
            state.lock.holds(2 * pair) || state.lock.holds(2 * pair + 1)
        };
        let freed = (0..NW / 2).any(|pair| taken(self, pair) && !taken(&after, pair));
        let one_warp = a_op != RegOp::Access && b_op != RegOp::Access && pins.a_warp == pins.b_warp;
        let wake = !pins.clear && (freed || one_warp);
        (PairedTopOut::from_answers(answers, wake), after)
    }
}

impl<L: Lock<NW>, const NW: usize, const PACKS: usize> Clocked for Model<L, NW, PACKS> {
    type In = PairedTopIn<NW, PACKS>;
    type Out = PairedTopOut<NW, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.respond(pins).0
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let (out, after) = self.respond(pins);
        *self = after;
        out
    }
}
