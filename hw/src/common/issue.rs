//! The two issue ports that every top has: an instruction with three sources and a destination, and what becomes of it.

use crate::common::lookup::LOOKUPS;
use crate::manager::RegOp;

/// The input pins of one port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Issue {
    /// What the instruction does to its warp's share of the register file.
    pub op: RegOp,
    /// Its warp.
    pub warp: u8,
    /// Architected registers of its three sources and its destination.
    pub regs: [Option<u8>; LOOKUPS],
}

/// The output pins of one port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The instruction goes on.
    pub grant: bool,
    /// Its warp holds something, before the edge.
    pub held: bool,
    /// Physical registers of its three sources and its destination.
    pub packs: [Option<u16>; LOOKUPS],
}

/// What the pins `change` and `release` ask for.
#[must_use]
pub fn op(change: bool, release: bool) -> RegOp {
    match (change, release) {
        (false, _) => RegOp::Access,
        (true, false) => RegOp::Acquire,
        (true, true) => RegOp::Release,
    }
}

macro_rules! issue_pins {
    ($inputs:ident, $outputs:ident) => {
        $crate::common::issue::issue_pins!(@port $inputs, $outputs, a, with_a, a_packs,
            "a", a_valid, a_change, a_release, a_warp, [a_x0, a_x1, a_x2, a_x3],
            [a_x0_valid, a_x1_valid, a_x2_valid, a_x3_valid], [a_y0, a_y1, a_y2, a_y3],
            [a_y0_valid, a_y1_valid, a_y2_valid, a_y3_valid]);
        $crate::common::issue::issue_pins!(@port $inputs, $outputs, b, with_b, b_packs,
            "b", b_valid, b_change, b_release, b_warp, [b_x0, b_x1, b_x2, b_x3],
            [b_x0_valid, b_x1_valid, b_x2_valid, b_x3_valid], [b_y0, b_y1, b_y2, b_y3],
            [b_y0_valid, b_y1_valid, b_y2_valid, b_y3_valid]);

        impl<const NW: usize, const PACKS: usize> $outputs<NW, PACKS> {
            /// The pins of both ports and `wake`; the pack pin of a register that is not valid is 0.
            fn from_answers([a, b]: [$crate::common::issue::Answer; 2], wake: bool) -> Self {
                let [a_y0, a_y1, a_y2, a_y3] = a.packs.map(|pack| pack.unwrap_or(0));
                let [a_y0_valid, a_y1_valid, a_y2_valid, a_y3_valid] =
                    a.packs.map(|pack| pack.is_some());
                let [b_y0, b_y1, b_y2, b_y3] = b.packs.map(|pack| pack.unwrap_or(0));
                let [b_y0_valid, b_y1_valid, b_y2_valid, b_y3_valid] =
                    b.packs.map(|pack| pack.is_some());
                Self {
                    a_grant: a.grant,
                    a_held: a.held,
                    a_y0,
                    a_y0_valid,
                    a_y1,
                    a_y1_valid,
                    a_y2,
                    a_y2_valid,
                    a_y3,
                    a_y3_valid,
                    b_grant: b.grant,
                    b_held: b.held,
                    b_y0,
                    b_y0_valid,
                    b_y1,
                    b_y1_valid,
                    b_y2,
                    b_y2_valid,
                    b_y3,
                    b_y3_valid,
                    wake,
                }
            }
        }
    };
    (@port $inputs:ident, $outputs:ident, $port:ident, $with:ident, $packs:ident, $name:literal,
        $valid:ident, $change:ident, $release:ident, $warp:ident,
        [$($x:ident),*], [$($x_valid:ident),*], [$($y:ident),*], [$($y_valid:ident),*]) => {
        impl<const NW: usize, const PACKS: usize> $inputs<NW, PACKS> {
            #[doc = concat!("What port ", $name, " issues.")]
            #[must_use]
            pub fn $port(&self) -> Option<$crate::common::issue::Issue> {
                self.$valid.then(|| $crate::common::issue::Issue {
                    op: $crate::common::issue::op(self.$change, self.$release),
                    warp: self.$warp,
                    regs: [$(self.$x_valid.then_some(self.$x)),*],
                })
            }

            #[doc = concat!("These pins with `issue` on port ", $name, ".")]
            #[must_use]
            pub fn $with(mut self, issue: $crate::common::issue::Issue) -> Self {
                self.$valid = true;
                self.$change = issue.op != $crate::manager::RegOp::Access;
                self.$release = issue.op == $crate::manager::RegOp::Release;
                self.$warp = issue.warp;
                [$(self.$x),*] = issue.regs.map(Option::unwrap_or_default);
                [$(self.$x_valid),*] = issue.regs.map(|reg| reg.is_some());
                self
            }
        }

        impl<const NW: usize, const PACKS: usize> $outputs<NW, PACKS> {
            #[doc = concat!("The packs of port ", $name, ".")]
            #[must_use]
            pub fn $packs(&self) -> [Option<u16>; 4] {
                [$(self.$y_valid.then_some(self.$y)),*]
            }
        }
    };
}
pub(crate) use issue_pins;
