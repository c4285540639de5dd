//! What a memory access of a whole warp costs the load/store unit and the memory, from what is known of its addresses.
//!
//! Warps are made up that fit what is known, and the rules of the simulated SM are asked: lines ([`coalescer`]), bank
//! conflicts ([`scratchpad`]), the layout of local memory. So there is one description of what an access costs.

use super::lanes::value::{LANES, Value};
use crate::kernel::Op;
use crate::kernel::op::{Mem, Space, Traced};
use crate::machine::Machine;
use crate::memory::coalescer::{
    LINE_BYTES, LineAccess, coalesce, most_lanes_on_one_address, touch,
};
use crate::memory::scratchpad::{atomic_passes, passes};

#[cfg(doc)]
use crate::memory::{coalescer, scratchpad};

/// What one access of a warp costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transactions {
    /// Cycles for which the load/store unit takes nothing else: lines, or bank conflicts; 1 or more.
    pub ldst_cycles: f64,
    /// Bytes to or from memory; 0 on the chip and of what is surely in the first-level cache.
    pub bytes: f64,
}

/// Warps of which the mean is taken, where lanes' addresses are known to be somewhere only.
const WARPS: u64 = 8;
/// Bytes over which addresses are spread of which nothing is known. // assumed: far more than 32 lines, so that each lane has
/// one of its own, as in a gather of random addresses
const ANYWHERE: i64 = 1 << 26;
/// Where a warp's addresses begin, so that none is negative: at a line. // assumed: arrays are aligned
const ORIGIN: i64 = 1 << 40;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    Atomic,
}

#[derive(Clone, Copy)]
struct Access {
    space: Space,
    kind: Kind,
    /// Of one lane.
    bytes: u64,
    offset: i64,
}

fn access(op: &Op) -> Option<Access> {
    let of_mem = |m: Mem| m.ty.size_bytes() * u32::from(m.vec);
    let (space, kind, bytes, offset) = match *op {
        Op::Ld(mem) => (mem.space, Kind::Load, of_mem(mem), mem.offset),
        Op::St(mem) => (mem.space, Kind::Store, of_mem(mem), mem.offset),
        Op::Atom {
            space, ty, offset, ..
        }
        | Op::Red {
            space, ty, offset, ..
        } => (space, Kind::Atomic, ty.size_bytes(), offset),
        Op::Traced(traced) => {
            let (space, bytes) = traced.access()?;
            let kind = match traced {
                Traced::Load(..) => Kind::Load,
                Traced::Store(..) => Kind::Store,
                _ => Kind::Atomic,
            };
            (space, kind, bytes.into(), 0)
        }
        _ => return None,
    };
    Some(Access {
        space,
        kind,
        bytes: u64::from(bytes).clamp(1, 32),
        // Where in a line it leads matters, not how far away.
        offset: offset % (ORIGIN / 2),
    })
}

/// The cost of `op`, if it is an access to memory, with all lanes. // assumed: warps seldom access with a few
///
/// `address` is that of its first operand; without it lanes are neighbours, which is assumed of the instructions of traces.
pub fn transactions(op: &Op, address: Option<Value>, machine: &Machine) -> Option<Transactions> {
    let access = access(op)?;
    let address = address.unwrap_or(match access.space {
        Space::Local => Value::UNIFORM,
        _ => Value::per_lane(access.bytes as i64),
    });
    let warps = if address.is_affine() { 1 } else { WARPS };
    let mut mean = Transactions::default();
    for warp in 0..warps {
        let one = cost(access, &made_up(address, access, warp), machine);
        mean.ldst_cycles += one.ldst_cycles / warps as f64;
        mean.bytes += one.bytes / warps as f64;
    }
    let device = matches!(access.space, Space::Global | Space::Generic);
    // assumed: what all warps read stays in the cache, and neighbours' lines come with their own accesses
    if access.kind == Kind::Load && device && address.common && address.far == 1 {
        mean.bytes = 0.0;
    } else if device && is_near(address) {
        let own = Value::per_lane(address.stride);
        mean.bytes = cost(access, &made_up(own, access, 0), machine).bytes;
    }
    Some(mean)
}

/// Whether each lane goes from its own place somewhere, to a neighbour. // assumed: as the links of a mesh do
fn is_near(address: Value) -> bool {
    address.stride != 0 && (address.far == LANES || address.span > ANYWHERE)
}

/// Addresses of the lanes of a warp that fit `address`.
fn made_up(address: Value, access: Access, warp: u64) -> [u64; 32] {
    let mut drawn = warp << 32;
    let size = access.bytes as i64;
    let mut draw = |span: i64| {
        drawn += 1;
        (scrambled(drawn) >> 1) as i64 % (span.min(ANYWHERE) / size + 1) * size
    };
    let stride = address.stride.clamp(-ANYWHERE, ANYWHERE);
    let (far, kinds, span) = match is_near(address) {
        true => (1, LANES, 31 * stride.abs()),
        false => (address.far, address.kinds, address.span),
    };
    // assumed: rows, as arrays, begin at a line of memory, and anywhere among the banks of scratchpad
    let far_unit = match access.space {
        Space::Shared => size,
        _ => LINE_BYTES as i64,
    };
    // All that a lane can have, far and on top.
    let all: [[i64; 32]; 2] = [
        std::array::from_fn(|_| draw(if far == 1 { 0 } else { ANYWHERE }) & -far_unit),
        std::array::from_fn(|_| draw(span)),
    ];
    let first = address.least.map_or(0, |least| least.rem_euclid(ORIGIN));
    std::array::from_fn(|lane| {
        let mut one_of = |all: [i64; 32], count: u8| match count {
            LANES => all[lane],
            _ => all[(draw(i64::from(count) * size - 1) / size) as usize],
        };
        let rest = one_of(all[0], far) + one_of(all[1], kinds);
        (ORIGIN + first + stride * lane as i64 + rest + access.offset) as u64
    })
}

/// A number that looks random (Steele et al., Fast Splittable Pseudorandom Number Generators, 2014).
fn scrambled(number: u64) -> u64 {
    let mut x = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

fn cost(access: Access, addresses: &[u64; 32], machine: &Machine) -> Transactions {
    let all = u32::MAX;
    let on_chip = |cycles: u32| Transactions {
        ldst_cycles: cycles.max(1).into(),
        bytes: 0.0,
    };
    let banks = machine.memory.scratchpad_banks.into();
    let mut lines = Vec::new();
    let mut lanes_in_turn = 0;
    match access.space {
        Space::Shared if access.kind == Kind::Atomic => {
            return on_chip(atomic_passes(addresses, all, banks));
        }
        Space::Shared => return on_chip(passes(addresses, all, access.bytes, banks)),
        Space::Param | Space::Const => {
            let mut different = addresses.to_vec();
            different.sort_unstable();
            different.dedup();
            return on_chip(different.len() as u32);
        }
        Space::Local => {
            for (lane, address) in addresses.iter().enumerate() {
                for word in (address & !3..address + access.bytes).step_by(4) {
                    // The words of all lanes lie side by side, as `memory::local` has them.
                    touch(&mut lines, word * 32 + 4 * lane as u64, access.bytes.min(4));
                }
            }
        }
        // assumed: generic addresses are those of device memory
        Space::Global | Space::Generic => {
            coalesce(&mut lines, addresses, all, access.bytes);
            if access.kind == Kind::Atomic {
                lanes_in_turn = most_lanes_on_one_address(addresses, all);
            }
        }
    }
    let moved = |line: &LineAccess| match access.kind {
        Kind::Load => LINE_BYTES,
        _ => line.sector_bytes().into(),
    };
    Transactions {
        ldst_cycles: (lines.len() as u32).max(lanes_in_turn).max(1).into(),
        bytes: lines.iter().map(moved).sum::<u64>() as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::op::{AtomOp, Ty};

    fn of(space: Space, ty: Ty, address: Value) -> Transactions {
        let mem = Mem {
            space,
            ty,
            vec: 1,
            offset: 0,
            strong: false,
        };
        transactions(
            &Op::Ld(mem),
            Some(address),
            &Machine::preset("maxwell").unwrap(),
        )
        .unwrap()
    }

    fn lines(address: Value) -> f64 {
        of(Space::Global, Ty::B32, address).ldst_cycles
    }

    #[test]
    fn neighbours_are_a_line_and_a_line_apart_they_are_thirty_two() {
        assert_eq!(lines(Value::UNIFORM), 1.0);
        assert_eq!(lines(Value::per_lane(4)), 1.0);
        assert_eq!(lines(Value::per_lane(-8)), 3.0);
        assert_eq!(lines(Value::per_lane(128)), 32.0);
        assert_eq!(
            of(Space::Global, Ty::B32, Value::per_lane(128)).bytes,
            4096.0
        );
    }

    #[test]
    fn a_gather_has_a_line_for_each_lane_and_one_from_a_small_table_the_lines_of_the_table() {
        assert!(lines(Value::SCATTERED) > 31.0);
        assert_eq!(lines(Value::range(0, 127, 32)), 1.0);
        let four = lines(Value::range(0, 511, 32));
        assert!(four > 3.5 && four <= 4.0);
        let few = lines(Value::some_of(4));
        assert!(few > 3.5 && few <= 4.0);
    }

    #[test]
    fn local_words_of_one_offset_are_a_line_and_wide_ones_two() {
        assert_eq!(of(Space::Local, Ty::B32, Value::UNIFORM).ldst_cycles, 1.0);
        assert_eq!(of(Space::Local, Ty::B64, Value::UNIFORM).ldst_cycles, 2.0);
        assert_eq!(
            of(Space::Local, Ty::B32, Value::per_lane(4)).ldst_cycles,
            32.0
        );
    }

    #[test]
    fn scratchpad_takes_as_long_as_its_banks() {
        let of = |address| of(Space::Shared, Ty::B32, address).ldst_cycles;
        assert_eq!((of(Value::UNIFORM), of(Value::per_lane(4))), (1.0, 1.0));
        assert_eq!(
            (of(Value::per_lane(8)), of(Value::per_lane(128))),
            (2.0, 32.0)
        );
        let random = of(Value::SCATTERED);
        assert!(random > 2.0 && random < 6.0);
    }

    #[test]
    fn atomics_on_one_address_go_one_after_the_other() {
        let op = Op::Red {
            space: Space::Global,
            ty: Ty::U32,
            op: AtomOp::Add,
            offset: 0,
        };
        let machine = Machine::preset("maxwell").unwrap();
        let of = |address| transactions(&op, Some(address), &machine).unwrap();
        assert_eq!(of(Value::UNIFORM).ldst_cycles, 32.0);
        assert_eq!(of(Value::per_lane(4)).ldst_cycles, 1.0);
        assert_eq!(of(Value::UNIFORM).bytes, 32.0);
    }
}
