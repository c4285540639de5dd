//! The SM's view: who holds what before and after the cycle. The allocator and the mapping are the plain models of theirs.

use super::{RegmutexTopIn, RegmutexTopOut};
use crate::clocked::Clocked;
use crate::common::issue::{Answer, Issue};
use crate::common::lookup::{Answers, Lookups};
use crate::manager::RegOp;
use crate::regmutex::register_mapper::{self, RegisterMapperIn};
use crate::regmutex::srp_allocator::{self, SrpAllocatorIn};

/// Plain model of RegMutex in one SM.
#[derive(Clone, Debug, Default)]
pub struct Model<const NW: usize, const PACKS: usize> {
    sections: srp_allocator::model::Model<NW>,
}

impl<const NW: usize, const PACKS: usize> Model<NW, PACKS> {
    /// The section that `warp` holds.
    #[must_use]
    pub fn section_of(&self, warp: usize) -> Option<u8> {
        self.sections.section_of(warp)
    }

    /// The answer to `issue`, whose change is granted or not; `section` is what its warp has for the instruction.
    fn answer(
        pins: &RegmutexTopIn<NW, PACKS>,
        issue: Option<Issue>,
        granted: bool,
        section: Option<u8>,
    ) -> Answer {
        let Some(issue) =
            issue.filter(|issue| !pins.clear && (issue.op == RegOp::Access || granted))
        else {
            return Answer::default();
        };
        let mut look_up = RegisterMapperIn::<NW, PACKS> {
            widx: issue.warp,
            base_regs: pins.base_regs,
            ext_regs: pins.ext_regs,
            section: section.unwrap_or(0),
            section_valid: section.is_some(),
            srp_offset: pins.srp_offset,
            ..RegisterMapperIn::default()
        };
        look_up.set_lookups(issue.regs);
        Answer {
            grant: true,
            held: false,
            packs: register_mapper::model::Model.outputs(&look_up).packs(),
        }
    }

    fn respond(&self, pins: &RegmutexTopIn<NW, PACKS>) -> (RegmutexTopOut<NW, PACKS>, Self) {
        let (a, b) = (pins.a(), pins.b());
        let op = |issue: Option<Issue>| issue.map_or(RegOp::Access, |issue| issue.op);
        let request = SrpAllocatorIn {
            clear: pins.clear,
            section_count: pins.section_count,
            favor_b: pins.favor_b,
            a_valid: op(a) != RegOp::Access,
            a_release: op(a) == RegOp::Release,
            a_warp: pins.a_warp,
            b_valid: op(b) != RegOp::Access,
            b_release: op(b) == RegOp::Release,
            b_warp: pins.b_warp,
        };
        let mut after = self.clone();
        let out = after.sections.edge(&request);

        // An instruction has the section from the cycle of its acquire to that of its release.
        let has = |warp: u8, op: RegOp, granted: bool| {
            let warp = usize::from(warp);
            let acquired = granted && op == RegOp::Acquire;
            let before = self.section_of(warp);
            before.or_else(|| after.section_of(warp).filter(|_| acquired))
        };
        let mut answers = [
            Self::answer(pins, a, out.a_grant, has(pins.a_warp, op(a), out.a_grant)),
            Self::answer(pins, b, out.b_grant, has(pins.b_warp, op(b), out.b_grant)),
        ];
        answers[0].held = self.section_of(pins.a_warp.into()).is_some();
        answers[1].held = self.section_of(pins.b_warp.into()).is_some();

        let held = |state: &Self| {
            (0..NW)
                .filter(|&warp| state.section_of(warp).is_some())
                .count()
        };
        let (before, now) = (held(self), held(&after));
        let refused =
            (op(a) != RegOp::Access && !out.a_grant) || (op(b) != RegOp::Access && !out.b_grant);
        let wake = !pins.clear && (now < before || (now > before && refused));
        (RegmutexTopOut::from_answers(answers, wake), after)
    }
}

impl<const NW: usize, const PACKS: usize> Clocked for Model<NW, PACKS> {
    type In = RegmutexTopIn<NW, PACKS>;
    type Out = RegmutexTopOut<NW, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        self.respond(pins).0
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let (out, after) = self.respond(pins);
        *self = after;
        out
    }
}
