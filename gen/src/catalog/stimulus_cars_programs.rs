//! Input sequences for what has register stacks: programs that call, push, pop and return.

use super::stimulus::{Random, Rows, any_values, row};
use regshare_hw::cars::cars_top::{self, CarsTopIn};
use regshare_hw::cars::register_stack::{self, Op, RegisterStackIn};
use regshare_hw::clocked::{Clocked, PinDef, Pins};

/// Values of a row by the names of their pins; of two for one pin the first is taken.
pub(super) type Values = Vec<(&'static str, u64)>;

/// Sizes of what runs programs.
pub(super) struct Sizes {
    pub warps: u64,
    pub packs: u64,
    pub stack: u64,
}

/// The packs of a warp, as many for each; those from `first` on are its stack.
pub(super) struct Allotment {
    pub base: u64,
    pub first: u64,
    pub capacity: u64,
}

impl Sizes {
    pub fn allotment(&self, warp: u64) -> Allotment {
        let size = self.packs / self.warps;
        let capacity = 1 + (warp * 3) % size.min(self.stack);
        let base = warp * size;
        Allotment {
            base,
            first: base + size - capacity,
            capacity,
        }
    }
}

/// What the program of a warp learns from a row.
pub(super) struct Answer {
    served_b: bool,
    grant: bool,
    trap: bool,
    count: u8,
    link: u16,
    link_kernel: bool,
}

/// A unit whose two ports ask register stacks, with the pins of `register_stack`.
pub(super) trait Machine: Clocked + Default {
    /// How large it is.
    const SIZES: Sizes;
    /// Whether a warp has a stack.
    fn runs(&mut self, warp: u8) -> bool;
    /// What becomes of the request that is served.
    fn answer(out: &Self::Out) -> Answer;
}

macro_rules! machine {
    ($unit:ident, $pins:ident, $grant:expr) => {
        impl<const NW: usize, const PACKS: usize, const STACK: usize> Machine
            for $unit::model::Model<NW, PACKS, STACK>
        {
            const SIZES: Sizes = Sizes {
                warps: NW as u64,
                packs: PACKS as u64,
                stack: STACK as u64,
            };

            fn runs(&mut self, warp: u8) -> bool {
                let look_up = $pins {
                    a_warp: warp,
                    ..$pins::default()
                };
                self.outputs(&look_up).a_launched
            }

            fn answer(out: &Self::Out) -> Answer {
                let grant: fn(&Self::Out) -> bool = $grant;
                Answer {
                    served_b: out.served_b,
                    grant: grant(out),
                    trap: out.trap,
                    count: out.count,
                    link: out.link,
                    link_kernel: out.link_kernel,
                }
            }
        }
    };
}
machine!(register_stack, RegisterStackIn, |out| out.grant);
machine!(cars_top, CarsTopIn, |out| if out.served_b {
    out.b_grant
} else {
    out.a_grant
});

/// Pins of a request, on either port.
const REQUEST: [[&str; 8]; 2] = [
    [
        "a_op",
        "a_warp",
        "a_first",
        "a_capacity",
        "a_fru",
        "a_evicted",
        "a_link",
        "a_link_kernel",
    ],
    [
        "b_op",
        "b_warp",
        "b_first",
        "b_capacity",
        "b_fru",
        "b_evicted",
        "b_link",
        "b_link_kernel",
    ],
];

/// Every warp runs programs in a window of its own, on both ports, with a trap handler that saves what it is asked to; then
/// any values. `beside` says what else is on the pins, given the warps of both ports and what they ask.
pub(super) fn run_programs<M: Machine>(
    pins: &[PinDef],
    count: usize,
    mut beside: impl FnMut([(u64, Op); 2]) -> Values,
) -> Rows {
    let warps = M::SIZES.warps;
    let mut unit = M::default();
    let mut random = Random(8);
    let mut links = vec![Vec::new(); warps as usize];
    let mut trapped = vec![None; warps as usize];
    let mut rows = Rows::new();
    for number in 0..count as u64 {
        let mut requests = vec![
            ("clear", u64::from(number + 1 == count as u64)),
            ("favor_b", random.below(2)),
        ];
        // A few warps go deep; the others have a row each.
        let crowd = if number / 64 % 4 == 3 { warps } else { 3 };
        let mut asked = [(0, Op::Nothing, 0); 2];
        for (port, names) in REQUEST.into_iter().enumerate() {
            let warp = warps - 1 - random.below(crowd);
            let allotment = M::SIZES.allotment(warp);
            let mut op = match random.below(16) {
                0..=4 => Op::Call,
                5..=9 => Op::Push,
                10 => Op::Pop,
                11..=13 => Op::Return,
                14 => Op::Nothing,
                _ if random.once_in(6) => Op::Finish,
                _ => Op::Launch,
            };
            let (mut fru, mut evicted) = (random.below(allotment.capacity + 1), 0);
            if !unit.runs(warp as u8) {
                op = Op::Launch;
            } else if let Some((again, registers, saved)) = trapped[warp as usize].take() {
                (op, fru, evicted) = (again, registers, saved);
            }
            let (link, mark) = links[warp as usize].last().copied().unwrap_or_default();
            asked[port] = (warp, op, fru);
            requests.extend(names.into_iter().zip([
                op.code().into(),
                warp,
                allotment.first,
                allotment.capacity,
                fru,
                evicted,
                link,
                mark,
            ]));
        }
        let mut values = beside(asked.map(|(warp, op, _)| (warp, op)));
        values.extend(requests);
        let row = row(pins, &values);
        let answer = M::answer(&unit.edge(&Pins::from_values(&row.0)));
        let (warp, op, fru) = asked[usize::from(answer.served_b)];
        let warp = warp as usize;
        match op {
            Op::Launch if answer.grant => links[warp].clear(),
            Op::Call if answer.grant => {
                links[warp].push((answer.link.into(), answer.link_kernel.into()));
            }
            Op::Return if answer.grant => {
                links[warp].pop();
            }
            _ if answer.trap => trapped[warp] = Some((op, fru, answer.count.into())),
            _ => {}
        }
        rows.push(row);
    }
    rows.extend(any_values(pins, count / 4));
    rows
}

/// For `register_stack`: programs.
pub(super) fn stack_programs<const NW: usize, const PACKS: usize, const STACK: usize>(
    pins: &[PinDef],
    count: usize,
) -> Rows {
    run_programs::<register_stack::model::Model<NW, PACKS, STACK>>(pins, count, |_| Values::new())
}
