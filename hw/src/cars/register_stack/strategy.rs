//! What the property tests of the register stacks draw from: programs that call and return in windows of all sizes, with
//! a trap handler that saves what it is asked to; and now and then something wrong.

use super::model::Model;
use super::{Op, RegisterStackIn};
use crate::clocked::{Clocked, PinDef, Pins};
use crate::pins::bits_for;
use proptest::prelude::*;

/// What is wrong with a request, or hard about it.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    Nothing,
    Op(u8),
    First(i8),
    Capacity(i8),
    Evicted(i8),
    Link(i8),
    AnyLink(u16),
    Mark,
    EarlyReturn,
    /// The window ends below RSP, as if it had shrunk.
    EndsAtTop,
    /// The window ends below RFP.
    EndsAtFrame,
    /// The window has as many packs as are free, as if nothing were in use.
    OnlyFree,
    /// A call needs this many packs more than are free, its link included.
    Lacks(u8),
}

/// One request, before it is known what its warp is doing.
#[derive(Clone, Copy, Debug)]
struct Draw {
    warp: u8,
    op: Op,
    fru: u8,
    /// Packs that the trap handler saves beyond what is asked for.
    more: u8,
    /// Where a launched warp gets its window.
    first: u16,
    capacity: u8,
    wrong: Wrong,
}

/// What the programs and the trap handler remember.
struct Machine<const NW: usize, const PACKS: usize, const STACK: usize> {
    model: Model<NW, PACKS, STACK>,
    warps: Vec<Warp>,
}

#[derive(Clone, Debug, Default)]
struct Warp {
    first: u16,
    capacity: u8,
    links: Vec<(u16, bool)>,
    /// The request that trapped, and what it needs.
    trapped: Option<(Op, u8, u8)>,
}

/// The pins of one port.
#[derive(Clone, Copy, Debug, Default)]
struct Port {
    op: Op,
    code: u8,
    warp: u8,
    first: u16,
    capacity: u8,
    fru: u8,
    evicted: u8,
    link: u16,
    link_kernel: bool,
}

impl<const NW: usize, const PACKS: usize, const STACK: usize> Machine<NW, PACKS, STACK> {
    fn request(&mut self, draw: Draw) -> Port {
        let look_up = RegisterStackIn {
            a_warp: draw.warp,
            ..RegisterStackIn::default()
        };
        let row = self.model.outputs(&look_up);
        let launched = row.a_launched;
        let Some(warp) = self.warps.get_mut(usize::from(draw.warp)) else {
            return Port::default();
        };
        let (mut op, mut fru, mut evicted) = (draw.op, draw.fru, 0);
        if let Some((trapped, registers, count)) = warp.trapped.take().filter(|_| launched) {
            (op, fru, evicted) = (trapped, registers, count.saturating_add(draw.more));
        } else if !launched {
            op = Op::Launch;
            *warp = Warp {
                first: draw.first,
                capacity: draw.capacity,
                ..Warp::default()
            };
        }
        let (link, link_kernel) = warp.links.last().copied().unwrap_or_default();
        let mut port = Port {
            op,
            code: op.code(),
            warp: draw.warp,
            first: warp.first,
            capacity: warp.capacity,
            fru,
            evicted,
            link,
            link_kernel,
        };
        match draw.wrong {
            Wrong::Nothing => {}
            Wrong::Op(code) => port.code = code,
            Wrong::First(by) => port.first = port.first.wrapping_add_signed(by.into()),
            Wrong::Capacity(by) => port.capacity = port.capacity.wrapping_add_signed(by),
            Wrong::Evicted(by) => port.evicted = port.evicted.wrapping_add_signed(by),
            Wrong::Link(by) => port.link = port.link.wrapping_add_signed(by.into()),
            Wrong::AnyLink(link) => port.link = link,
            Wrong::Mark => port.link_kernel = !port.link_kernel,
            Wrong::EarlyReturn => port.code = Op::Return.code(),
            Wrong::EndsAtTop => port.capacity = row.a_rsp.wrapping_sub(port.first) as u8,
            Wrong::EndsAtFrame => port.capacity = row.a_rfp.wrapping_sub(port.first) as u8,
            Wrong::OnlyFree => port.capacity = row.a_free,
            Wrong::Lacks(more) => port.fru = (row.a_free + more).saturating_sub(1),
        }
        port
    }

    fn cycle(
        &mut self,
        clear: bool,
        favor_b: bool,
        a: Port,
        b: Port,
    ) -> RegisterStackIn<NW, PACKS, STACK> {
        let pins = RegisterStackIn {
            clear,
            favor_b,
            a_op: a.code,
            a_warp: a.warp,
            a_first: a.first,
            a_capacity: a.capacity,
            a_fru: a.fru,
            a_evicted: a.evicted,
            a_link: a.link,
            a_link_kernel: a.link_kernel,
            b_op: b.code,
            b_warp: b.warp,
            b_first: b.first,
            b_capacity: b.capacity,
            b_fru: b.fru,
            b_evicted: b.evicted,
            b_link: b.link,
            b_link_kernel: b.link_kernel,
        };
        let pins = cut(pins);
        let out = self.model.edge(&pins);
        let port = if out.served_b { b } else { a };
        if let Some(warp) = self.warps.get_mut(usize::from(port.warp)) {
            if out.grant && port.code == Op::Launch.code() {
                (warp.first, warp.capacity) = (port.first, port.capacity);
            } else if out.grant && port.code == Op::Call.code() {
                warp.links.push((out.link, out.link_kernel));
            } else if out.grant && port.code == Op::Return.code() {
                warp.links.pop();
            } else if out.trap {
                warp.trapped = Some((port.op, port.fru, out.count));
            }
        }
        pins
    }
}

/// Drops the bits that a port does not have.
fn cut<P: Pins>(pins: P) -> P {
    let mut values = Vec::new();
    pins.values(&mut values);
    let cut = |(value, pin): (&u64, PinDef)| value & (u64::MAX >> (64 - pin.width_bits));
    let values: Vec<_> = values.iter().zip(P::pins()).map(cut).collect();
    P::from_values(&values)
}

fn wrong() -> impl Strategy<Value = Wrong> {
    let beside = || prop_oneof![Just(-1i8), Just(1), any::<i8>()];
    prop_oneof![
        40 => Just(Wrong::Nothing),
        1 => (0..8u8).prop_map(Wrong::Op),
        1 => beside().prop_map(Wrong::First),
        1 => beside().prop_map(Wrong::Capacity),
        2 => beside().prop_map(Wrong::Evicted),
        1 => beside().prop_map(Wrong::Link),
        1 => any::<u16>().prop_map(Wrong::AnyLink),
        1 => Just(Wrong::Mark),
        1 => Just(Wrong::EarlyReturn),
        1 => Just(Wrong::EndsAtTop),
        1 => Just(Wrong::EndsAtFrame),
        1 => Just(Wrong::OnlyFree),
        4 => (0..4u8).prop_map(Wrong::Lacks),
    ]
}

/// A window; some end with the file, some one pack behind it. Programs that go deep get larger ones, and fill them all the same.
fn window<const PACKS: usize, const STACK: usize>(deep: bool) -> impl Strategy<Value = (u16, u8)> {
    let most = STACK as u8;
    let few = if deep {
        most.min(8)..=most.min(40)
    } else {
        1..=5
    };
    let capacity = prop_oneof![6 => few, 3 => 1..=most, 1 => Just(most), 1 => Just(0)];
    let first = prop_oneof![
        6 => any::<u16>().prop_map(Some),
        1 => Just(Some(0)),
        3 => Just(None),
    ];
    let beyond = prop::bool::weighted(0.1);
    (capacity, first, beyond).prop_map(|(capacity, first, beyond)| {
        let end = (PACKS - usize::from(capacity)) as u16;
        let first = first.map_or(end, |first| first % (end + 1));
        (first + u16::from(beyond), capacity)
    })
}

fn draw<const NW: usize, const PACKS: usize, const STACK: usize>(
    crowd: Vec<u8>,
    deep: bool,
) -> impl Strategy<Value = Draw> {
    let [calls, pushes, pops, returns] = if deep { [4, 24, 1, 1] } else { [8, 10, 3, 6] };
    let op = prop_oneof![
        calls => Just(Op::Call),
        pushes => Just(Op::Push),
        pops => Just(Op::Pop),
        returns => Just(Op::Return),
        1 => Just(Op::Nothing),
        1 => prop_oneof![Just(Op::Finish), Just(Op::Launch)],
    ];
    let any_warp = 0..1u8 << bits_for(NW);
    let warp = prop_oneof![12 => prop::sample::select(crowd), 1 => any_warp];
    let most = STACK as u8;
    let fru = prop_oneof![6 => 0..4u8, 2 => 0..=most];
    let more = prop_oneof![5 => Just(0u8), 2 => 0..3u8, 1 => 0..=most];
    (warp, op, fru, more, window::<PACKS, STACK>(deep), wrong()).prop_map(
        |(warp, op, fru, more, (first, capacity), wrong)| Draw {
            warp,
            op,
            fru,
            more,
            first,
            capacity,
            wrong,
        },
    )
}

/// Requests on both ports of up to three warps, sometimes of others; mostly one port asks.
pub fn rows<const NW: usize, const PACKS: usize, const STACK: usize>()
-> impl Strategy<Value = Vec<RegisterStackIn<NW, PACKS, STACK>>> {
    let last = NW as u8 - 1;
    let warp = prop_oneof![0..=last, Just(0), Just(last)];
    (prop::collection::vec(warp, 1..4), prop::bool::weighted(0.3))
        .prop_flat_map(|(mut crowd, deep)| {
            if deep {
                crowd.truncate(1);
            }
            let port = || draw::<NW, PACKS, STACK>(crowd.clone(), deep);
            let asks = prop_oneof![
                4 => Just([true, false]),
                4 => Just([false, true]),
                3 => Just([true, true]),
            ];
            let row = (
                port(),
                port(),
                asks,
                prop::bool::weighted(0.01),
                any::<bool>(),
            );
            prop::collection::vec(row, 1..120)
        })
        .prop_map(|draws| {
            let mut machine = Machine::<NW, PACKS, STACK> {
                model: Model::default(),
                warps: vec![Warp::default(); NW.next_power_of_two()],
            };
            let rows = draws.into_iter().map(|(a, b, asks, clear, favor_b)| {
                let [a, b] = [(a, asks[0]), (b, asks[1])].map(|(draw, asks)| {
                    if asks {
                        machine.request(draw)
                    } else {
                        Port {
                            warp: draw.warp,
                            ..Port::default()
                        }
                    }
                });
                machine.cycle(clear, favor_b, a, b)
            });
            rows.collect()
        })
}
